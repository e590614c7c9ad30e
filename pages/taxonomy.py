# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # The taxonomy and its metrics
#
# The study names five dimensions in which explanations can differ, and measures them by eight metrics. Each is measured here in two
# profiles. *published* follows the study's definition to the letter. *controlled* is the same quantity without its known artefacts: the
# person's name and honorific become one neutral word, markup becomes plain text, list items end a sentence, and some of what merely
# follows length is taken out ([how much is left](07_robustness.ipynb)). Two extensions stand apart from the study's eight.

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis
from eftlib.report import Page, instruments

page = Page("taxonomy", study, models=models, profile=profile, alpha=alpha, seed=seed)

# %% tags=["remove-input"]
page.banner()

# %% tags=["remove-input"]
page.table(
    "table1_taxonomy",
    page.beside(
        analysis.taxonomy(),
        page.published("table1_taxonomy").rename(columns={"prior_coverage": "study_prior_coverage"}),
        ["dimension"],
    ),
    "The metrics, and what the study says earlier work covers (study: Table 1).",
    key=["metric"],
    columns=["dimension", "metric", "unit", "study_prior_coverage"],
)

# %% [markdown]
# ## Each metric, with a real pair
#
# The definition is the docstring of the function that measures. Below it stand the explanations of one pair of the study shown above:
# of those whose sides differ and are both other than 0 (in the controlled profile), the pair whose disparity is nearest their median.
#
# % not results: 0 (a value)

# %% tags=["remove-input"]
instruments.metric_examples(page)

# %% [markdown]
# ## The hedging lexicon

# %% tags=["remove-input"]
page.table("table9_lexicon", analysis.lexicon_table(), "The hedging lexicon (study: Table 9).", key=["tier"])

# %% [markdown]
# ## The domain vocabularies

# %% tags=["remove-input"]
page.table(
    "domain_vocabularies",
    analysis.vocabulary_table(),
    "Domain vocabularies (study: Appendix B, and additions).",
    key=["domain"],
)

# %% tags=["remove-cell"]
page.close()
