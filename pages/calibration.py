# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # Calibration: how often do the tests reject?
#
# In a simulated study the truth is known. Here studies are simulated without a difference between groups, and with one, and put to the very
# functions that the study's pages use. A test keeps its promise if, with nothing to find, it rejects in five of a hundred studies; it is
# useful if it rejects in most where there is something. **Everything on this page is simulated**: no number here is of a model's answers. The procedures are on [their own page](../pages/noise_floor.md).

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
import pandas as pd

from eftlib import calibration, figures
from eftlib.files import data_dir
from eftlib.report import Page

page = Page("calibration", study, models=models, profile=profile, alpha=alpha, seed=seed)
full = pd.read_csv(data_dir() / "calibration.csv")
nothing = full[full["truth"].isin(["nothing", "names"])]
paper = full[(full["templates"] == 80) & (full["models"] == 5) & (full["personas"] == 10)]
tests = {
    "published": "as published", "names_magnitude": "names, magnitude", "names_direction": "names, direction",
    "groups_magnitude": "groups, magnitude", "groups_direction": "groups, direction", "spread": "spread (names)",
}  # fmt: skip
columns = ["simulated", "templates", "models", "personas", *calibration.TESTS]

# %% [markdown]
# ## Nothing to find between groups
#
# The study's design: its templates and models, with the personas dealt in matched pairs. *Names differ* means that every name has an effect of
# its own in all templates, which says nothing about groups.

# %% tags=["remove-input"]
page.figure(
    "calibration",
    lambda: figures.calibration(
        paper, {name: each.label for name, each in calibration.SCENARIOS.items() if each.truth in ("nothing", "names")}, tests
    ),
    "Share of simulated studies in which a test rejects although groups do not differ; the study's design.",
    alt="Points for each scenario and test beside a line at the promised rate: the published test rejects nearly always, "
    "the group tests stay at the line, and the names test of direction leaves it where names differ.",
    data=paper,
)

# %% tags=["remove-cell"]
groups = nothing[["groups_magnitude", "groups_direction"]].max(axis=1)
plain = nothing[(nothing["truth"] == "nothing") & (nothing["scenario"] != "counts")]
small = plain[["names_magnitude", "names_direction"]]
half = paper[paper["scenario"] == "shift .5"].iloc[0]
page.number("replicates", int(full["replicates"].min()))
page.number("resamples", int(full["resamples"].max()))
page.number("published_least", float(nothing.loc[nothing["scenario"] != "counts", "published"].min()))
page.number("groups_most", float(groups.max()))
page.number("names_least", float(small.min().min()))
page.number("names_most", float(small.max().max()))
page.number("names_direction_personas", float(nothing["names_direction"].max()))
page.number("names_magnitude_personas", float(nothing["names_magnitude"].max()))
page.number("spread_personas", float(nothing["spread"].max()))
page.number("shift_found", float(half["names_direction"]))
page.number("shift_found_groups", float(half["groups_direction"]))

# %% [markdown]
# Over {glue:text}`replicates` simulated studies a row, with {glue:text}`resamples` relabellings a test where they cannot all be tried, the published test of continuous outcomes rejects in a share of at least
# {glue:text}`published_least`: it asks whether absolute differences are zero, and they never are. With nothing to find the group tests
# reject in a share of at most {glue:text}`groups_most`. The tests of these names lie between {glue:text}`names_least` and {glue:text}`names_most` where names have no
# effect and outcomes no ties; where names differ the test of direction rejects in up to {glue:text}`names_direction_personas`, that of magnitude in up to
# {glue:text}`names_magnitude_personas` and that of spread, which is about these names as well, in up to {glue:text}`spread_personas`. That is
# no fault of theirs: these names do differ. It is the fault of whoever reads them as a statement about groups. A constant shift of half a standard deviation
# is found in {glue:text}`shift_found` (names) and {glue:text}`shift_found_groups` (groups) of studies.
#
# % not results: 5 (level of the tests)

# %% tags=["remove-input"]
page.table(
    "calibration",
    full.assign(simulated=full["scenario"].map({name: each.label for name, each in calibration.SCENARIOS.items()})),
    "Rejection rates at the 5 % level, of the published test and of ours; the file has the Monte Carlo standard error of each.",
    key=["scenario", "templates", "models", "personas"],
    columns=columns,
)

# %% [markdown]
# Under *spread* the variance of the sides differs, which the test of magnitude also answers to; where names have no effect of their own the test
# of spread tells the two apart. What is calibrated here are the tests, one at a time; the intervals, the equivalences and the adjustment for many
# tests are on [the page of the procedures](../pages/noise_floor.md). A shift that varies between templates has no direction and is found by magnitude.

# %% [markdown]
# ## A small run, made with this page
#
# The table above is committed and comes from `make calibrate`. A few of its rows are simulated anew here, with another seed.

# %% tags=["remove-input"]
few = [calibration.Design(name, 8, 1, 10) for name in ("iid", "persona .3", "shift 1")]
page.table(
    "calibration_small",
    calibration.calibrate(few, replicates=200, seed=seed + 1),
    "Simulated when the page was built.",
    key=["scenario"],
    columns=["scenario", "replicates", *calibration.TESTS],
)

# %% tags=["remove-cell"]
page.close()
