# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # Which code makes which table
#
# Drawn from the notebooks themselves when the book is built. A table is written as `results/<study>/tables/<name>.csv` and `.tex`, a figure as
# `results/<study>/figures/<name>.svg` and `.pdf`; every number of a table is in `results/<study>/numbers.json` under
# `notebook.table.row.column`.

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib.report import Page, provenance

page = Page("map", study, models=models, profile=profile, alpha=alpha, seed=seed)

# %% tags=["remove-input"]
page.banner()

# %% tags=["remove-input"]
page.table("map", provenance.map_table(), "Tables and figures, and where they come from.", key=["kind", "name", "notebook"])

# %% tags=["remove-cell"]
page.close()
