# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # The noise floor: do the sides differ by more than people of one side do?
#
# Every template is put to a model for four people: two of side A and two of side B. The gap between two people of **one** side is the
# noise floor: another name, or on the age axis another age of the same group, and nothing else. A disparity is a gap **between** the sides that is larger than that (*magnitude*), or
# that goes one way (*direction*). Unlike the study's test of existence, these tests can come out either way. What is tested, in which
# families, with which bounds and by which rule a verdict is given was written down before anything was measured:
# [the analysis plan](../pages/analysis_plan.md). How the procedures behave is on [their own page](../pages/noise_floor.md).

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "controlled"  # the confirmatory profile of the analysis plan
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis, figures
from eftlib.metrics import EXTENSIONS
from eftlib.report import Page

page = Page("06_noise_floor", study, models=models, profile=profile, alpha=alpha, seed=seed)
scores = analysis.of_condition(page.scores, profile=profile)
scopes = {analysis.ALL_MODELS: "All models"} | page.labels

# %% tags=["remove-input"]
page.banner()

# %% [markdown]
# ## The headline
#
# All templates of all axes together. A point is the mean gap between the sides over the mean gap within them; a line its 95 % interval
# (Fieller, over templates). At the black line the sides are as far apart as two people of one side.
#
# % not results: 1 and 95 (what the line and the intervals are)

# %% tags=["remove-input"]
pooled = analysis.noise_pooled(scores, seed=seed, alpha=alpha)
page.figure(
    "noise_floor",
    lambda: figures.noise_floor(pooled, scopes),
    f"Gap between groups in units of the gap within them, profile {profile}; the grey band is the bound of the analysis plan.",
    alt=page.describe(
        pooled,
        "metric",
        "ratio",
        "Points with intervals for each metric beside a line at 1, where groups are as far apart as two people of one group:",
        by="scope",
    ),
    data=pooled.dropna(subset=["ratio"]),
)

# %% tags=["remove-cell"]
first = pooled[pooled["scope"] == pooled["scope"].iloc[0]] if len(pooled) else pooled
alone = pooled[pooled["scope"] != analysis.ALL_MODELS] if len(pooled) else pooled
page.number("alone", len(alone))
page.number("alone_beyond", page.count_equal(alone, "verdict", "disparity beyond noise"))
page.number("metrics", len(first))
page.number("beyond", page.count_equal(first, "verdict", "disparity beyond noise"))
page.number("within", page.count_equal(first, "verdict", "no disparity beyond noise"))
page.number("unknown", page.count_equal(first, "verdict", "cannot tell"))
page.number("smallest_bound", page.extreme(first, "at_most", min), page.percent(page.extreme(first, "at_most", min)))
page.number("largest_bound", page.extreme(first, "at_most", max), page.percent(page.extreme(first, "at_most", max)))

# %% [markdown]
# Of {glue:text}`metrics` metrics, {glue:text}`beyond` read *disparity beyond noise*, {glue:text}`within` *no disparity beyond noise* and
# {glue:text}`unknown` *cannot tell*. As a bound: the gap between the sides is at most {glue:text}`smallest_bound` to
# {glue:text}`largest_bound` above the noise, depending on the metric (the upper 95 % limit of the ratio, less one; each limit stands for
# itself, not for all at once). *Cannot tell* is not *no disparity*: ratio or difference may still lie beyond its bound, and *templates* says how
# many would settle it with a power of 80 % if nothing differs.
#
# % not results: 80 (the power that is planned for)

# %% tags=["remove-input"]
page.table(
    "noise_floor_pooled",
    pooled,
    f"All axes together, these names; profile {profile}. BH over the metrics of a scope, magnitude and direction apart.",
    key=["scope", "metric"],
    columns=[
        "scope", "metric", "n", "verdict", "claim", "ratio", "p_magnitude_bh", "m_magnitude", "difference",
        "p_direction_bh", "m_direction", "p_spread", "excluded", "cells_dropped", "templates", "why",
    ],
)  # fmt: skip

# %% [markdown]
# *Ratio* is the gap between the sides over the gap within them, *difference* the mean of B − A in standard deviations of the placebo
# gaps, each with its 95 % interval. *n* counts templates in which some model gave all four answers; *excluded* those without, *cells dropped* the
# templates that a model has not answered in full. *p spread* asks whether the texts of one side vary more: if so, a larger gap may mean more variable and not different.
#
# Of the {glue:text}`alone` rows of a model alone, each in families of its own, {glue:text}`alone_beyond` read *disparity beyond noise*. A
# verdict rests on the adjusted p of a permutation test, the interval on Fieller's theorem: with few templates a p can be small while the
# interval still reaches below one. Then the evidence is thin, and both are shown.

# %% [markdown]
# ## By axis
#
# For *these names*, and for *groups*: other people with other names of the same groups. A claim about groups needs both the templates
# and the pairs of people to bear it out. Religion and the intersectional axis have fewer templates than an equivalence needs, and their
# groups too few to reach a lone significant magnitude; on the age axis the four people share a name, so a magnitude of groups does not
# exist. That was so before anything was measured.

# %% tags=["remove-input"]
axes = analysis.noise_axes(scores, seed=seed, alpha=alpha)
page.table(
    "noise_floor_axes",
    axes,
    f"By axis, models pooled, profile {profile}. BH over axes × metrics of a level, magnitude and direction apart.",
    key=["level", "axis", "metric"],
    columns=[
        "level", "axis", "metric", "verdict", "claim", "ratio", "p_magnitude_bh", "floor_magnitude", "m_magnitude", "difference",
        "p_direction_bh", "floor_direction", "m_direction", "n", "units", "templates", "reason",
    ],
)  # fmt: skip

# %% tags=["remove-cell"]
for level in ("names", "groups"):
    here = axes[axes["level"] == level] if len(axes) else axes
    page.number(f"{level}_cells", len(here))
    page.number(f"{level}_beyond", page.count_equal(here, "verdict", "disparity beyond noise"))
    page.number(f"{level}_unknown", page.count_equal(here, "verdict", "cannot tell"))

# %% [markdown]
# Of {glue:text}`names_cells` cells, {glue:text}`names_beyond` show a disparity beyond noise for these names, and
# {glue:text}`groups_beyond` of {glue:text}`groups_cells` for groups; {glue:text}`names_unknown` and {glue:text}`groups_unknown` cannot
# tell. *Floor* is the smallest p that a test can give in this design; *units* are templates, or for groups the pairs of people (on the age
# axis the names).

# %% tags=["remove-input"]
page.table(
    "noise_floor_axes_bounds",
    axes,
    f"The same cells: how small a difference would have been found, and whether one is ruled out; profile {profile}. *Equal* are the 90 % "
    "limits of the difference in placebo SD on which its equivalence rests, *within* says whether ratio and difference are shown to lie "
    "within their bounds; *detectable* is what the cell finds with 80 % power, unadjusted.",
    key=["level", "axis", "metric"],
    columns=[
        "level", "axis", "metric", "equal_low", "equal_high", "difference_within", "ratio_within", "detectable_difference",
        "detectable_ratio", "p_spread",
    ],
)  # fmt: skip

# %% [markdown]
# ## Each model and axis
#
# Secondary, and so without adjustment and without a verdict.
#
# % not results: 90 and 80 (levels of limits and of power), 0.05 (what fewer than six templates cannot reach)

# %% tags=["remove-input"]
page.table(
    "noise_floor_models",
    analysis.with_few_named(analysis.noise_models(scores, seed=seed), alpha=alpha),
    f"By model and axis, these names; profile {profile}; p unadjusted. [−∞, ∞] says that n templates put "
    "no bound on the ratio; fewer than six cannot give a p of direction below 0.05.",
    key=["model", "axis", "metric"],
    columns=[
        "model", "axis", "metric", "n", "excluded", "ratio", "p_magnitude", "difference",
        "p_direction", "detectable_ratio", "detectable_difference", "reason",
    ],
)  # fmt: skip

# %% [markdown]
# ## Naming and pronouns
#
# How often an explanation names the person, or uses a pronoun, is no metric of the study. The same tests, as families of their own, so
# that they count in no sentence above.

# %% tags=["remove-input"]
extended = analysis.noise_pooled(scores, metrics=EXTENSIONS, seed=seed, alpha=alpha)
page.table(
    "noise_floor_extensions",
    extended,
    f"The extensions, all axes together, these names; profile {profile}.",
    key=["scope", "metric"],
    columns=[
        "scope", "metric", "n", "verdict", "claim", "ratio", "p_magnitude_bh", "m_magnitude", "difference",
        "p_direction_bh", "m_direction", "p_spread", "excluded", "why",
    ],
)  # fmt: skip

# %% tags=["remove-cell"]
page.number("extension_cells", len(extended))
page.number("extension_beyond", page.count_equal(extended, "verdict", "disparity beyond noise"))

# %% [markdown]
# Of {glue:text}`extension_cells` rows, {glue:text}`extension_beyond` read *disparity beyond noise*.

# %% tags=["remove-input"]
page.table(
    "noise_floor_extensions_axes",
    analysis.noise_axes(scores, metrics=EXTENSIONS, seed=seed, alpha=alpha),
    f"The extensions by axis, models pooled; profile {profile}.",
    key=["level", "axis", "metric"],
    columns=[
        "level", "axis", "metric", "n", "excluded", "units", "ratio", "p_magnitude_bh",
        "m_magnitude", "difference", "p_direction_bh", "m_direction", "p_spread", "verdict", "claim", "reason", "why",
    ],
)  # fmt: skip

# %% [markdown]
# ## Which answers are missing, by side
#
# An answer that was cut off, refused or empty has no explanation and is in no gap above. If one side loses more answers, what is left of it
# is a selection; {numref}`tbl-unequal_outcomes` tests that, model by model, and its smallest adjusted p is {glue:text}`outcomes_p`.

# %% tags=["remove-cell"]
lost = analysis.unequal_outcomes(page.explanations[page.explanations["condition"] == "baseline"])
page.number("outcomes_p", page.extreme(lost, "p_bh", min))
page.close()
