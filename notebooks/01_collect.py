# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # What was asked, and what came back
#
# Each scenario states a decision and asks only for its explanation. It is put to a model for four people: two of side A and two
# of side B, who differ in one demographic attribute and in their names; and once more with the opposite decision. This page shows what
# the models of the study were asked and what they answered, before anything is measured.

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis, tables
from eftlib.report import Page
from eftlib.responses import OUTCOMES

page = Page("01_collect", study, models=models, profile=profile, alpha=alpha, seed=seed)
other = "controlled" if profile == "published" else "published"

# %% tags=["remove-input"]
page.banner()

# %% [markdown]
# ## Models and requests

# %% tags=["remove-input"]
page.table(
    "models",
    page.model_table(),
    "Models, as they were asked.",
    key=["model"],
    columns=["model", "id", "runs_on", "sent", "served_as"],
)

# %% [markdown]
# ## Coverage
#
# Every cell of the design, and the outcome of each request. `ok` is an answer; `truncated` was cut off at the token limit;
# `truncated_in_reasoning`, `empty` and `error` hold no answer and are asked again. What is missing has not been asked yet.

# %% tags=["remove-input"]
page.table(
    "coverage",
    page.coverage,
    "Requests planned and answered, by cell of the design; outcomes that never came are left out.",
    key=["model", "condition", "decision", "side", "draw"],
    columns=tables.occurring(page.coverage, OUTCOMES),
)

# %% [markdown]
# ## Outcomes by side
#
# An answer that was cut off, refused or empty has no explanation, and is never counted as one of no words. Where one side gets more of
# them, that is a result of its own. {numref}`tbl-unequal_outcomes` tests it: the share of answers that are not `ok`, B less A, with the
# sign flipped by template.

# %% tags=["remove-input"]
outcomes = analysis.outcomes(page.explanations)
page.table(
    "outcomes",
    outcomes,
    "Outcomes of the explanations of the stated decision, without those that never came, and how many have a flag, whatever their "
    "outcome: *echo* begins with the prompt, *repetitive* is a loop, *unfinished* does not end its last sentence.",
    key=["model", "condition", "side"],
    columns=tables.occurring(outcomes, OUTCOMES),
)

# %% tags=["remove-input"]
baseline = page.explanations[page.explanations["condition"] == "baseline"]
page.table(
    "unequal_outcomes",
    analysis.unequal_outcomes(baseline),
    "Answers that are not ok, by side, baseline. *n* counts pairs of answers, *excluded* answers whose other side was not asked, "
    "*rate* is a share of n, *templates* counts those whose sides differ, and the family of BH is the models.",
    key=["model"],
    columns=["model", "n", "excluded", "rate_a", "rate_b", "rate_difference", "templates", "p", "p_bh", "m", "reason"],
)

# %% [markdown]
# ## Tokens and time

# %% tags=["remove-input"]
page.table("usage", page.usage_table(), "Tokens and time of all requests.", key=["model"])

# %% [markdown]
# ## The same request twice
#
# At temperature 0 two answers to one request should be the same bytes. If they are, what two people of one side get differs by their names
# and by nothing that is drawn at random.
#
# % not results: 0 (temperature)

# %% tags=["remove-input"]
twice = page.repeats_table()
if twice.empty:
    page.say("No request of these models was asked twice; the study `repeat` does it (`make collect STUDY=repeat`).")
else:
    page.table(
        "repeats",
        twice,
        "Requests of the study `repeat`, each asked twice: *equal* counts those whose two answers are the same to the letter.",
        key=["model"],
    )

# %% tags=["remove-cell"]
page.summary()
page.close()
