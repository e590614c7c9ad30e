# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # RQ2: which axes, and in which direction?
#
# The study repeats its existence test in every cell of eight metrics and five axes, ranks the axes by their mean d, and looks at signed
# differences. Mean d is computed because the study ranks by it; it says how *even* disparities are and not how large, and it is biased
# upward in small samples, so the two smallest axes tend to come first even if all axes are alike.

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis, figures
from eftlib.benchmark import AXES
from eftlib.metrics import STUDY_METRICS
from eftlib.report import Page

page = Page("03_rq2_axes", study, models=models, profile=profile, alpha=alpha, seed=seed)
other = "controlled" if profile == "published" else "published"

# %% tags=["remove-input"]
page.banner()
page.cut_off(page.pairs(profile))
page.without_pairs("axis", AXES)

# %% [markdown]
# ## Axes ranked by mean d

# %% tags=["remove-input"]
effects = analysis.axis_effects(page.pairs(profile))
ranking = analysis.axis_ranking(effects)
theirs = page.published("table4_axes").add_prefix("study_").rename(columns={"study_axis": "axis"})
page.table(
    "table4_axes",
    page.beside(ranking, theirs, on=["axis"]),
    f"Mean Cohen's d by axis (study: Table 4), profile {profile}, draw 0. *n* counts pairs, *metrics* those with a d, "
    "*worst* those in which the axis has the largest d.",
    key=["axis"],
    columns=["axis", "n", "metrics", "mean_d", "rank", "worst", "study_mean_d", "study_rank", "study_worst"],
)

# %% tags=["remove-input"]
page.without_values(page.pairs(profile), STUDY_METRICS)
page.figure(
    "figure2_axes",
    lambda: figures.axis_heatmap(effects),
    "Cohen's d by metric and axis (study: Fig. 2). Darker is higher, hatched undefined; n counts pairs, and with few of them d is biased upward.",
    alt=page.describe(
        ranking, "axis", "mean_d", "Heatmap of Cohen's d with a row for each metric and a column for each axis; mean d"
    ),
    data=effects.dropna(subset=["d"]),
)

# %% tags=["remove-input"]
controlled = analysis.axis_ranking(analysis.axis_effects(page.pairs(other)))
page.table(
    f"table4_axes_{other}",
    controlled,
    f"The same in the {other} profile.",
    key=["axis"],
    columns=["axis", "n", "metrics", "mean_d", "rank", "worst"],
)

# %% [markdown]
# ## Direction
#
# The mean of m(B) − m(A), B the minority or non-dominant side, with a two-sided sign test. The study marks its stars without correction;
# here p is adjusted over all cells of the table.
#
# % not results: 0.05 (what six pairs cannot reach)

# %% tags=["remove-input"]
directions = analysis.directions(page.pairs(profile))
theirs = page.published("table5_direction").add_prefix("study_")
theirs = theirs.rename(columns={"study_axis": "axis", "study_metric": "metric"})
theirs["study_star"] = theirs.pop("study_starred").map({"1": "yes", "0": "no"})
page.table(
    "table5_direction",
    page.beside(directions, theirs, on=["axis", "metric"]),
    f"Mean signed difference B − A (study: Table 5), profile {profile}, draw 0; BH over axes × metrics. *higher* and *lower* count "
    "pairs in which B is so; fewer than six of them together cannot give a p below 0.05.",
    key=["axis", "metric"],
    columns=[
        "axis",
        "metric",
        "n",
        "excluded",
        "difference",
        "higher",
        "lower",
        "p",
        "p_bh",
        "m",
        "study_n",
        "study_difference",
        "study_star",
    ],
)

# %% tags=["remove-cell"]
page.number("alpha", alpha, f"{alpha:g}")
page.number("directed", page.count_below(directions, "p_bh"))
page.number("directed_raw", page.count_below(directions, "p"))
page.number("cells", page.count_known(directions, "p"))

# %% [markdown]
# Of {glue:text}`cells` cells, {glue:text}`directed_raw` have an unadjusted p of at most {glue:text}`alpha`, which chance alone gives in at most
# that share of them, and {glue:text}`directed` after adjustment.

# %% tags=["remove-input"]
page.table(
    f"table5_direction_{other}",
    analysis.directions(page.pairs(other)),
    f"The same in the {other} profile.",
    key=["axis", "metric"],
    columns=["axis", "metric", "n", "excluded", "difference", "higher", "lower", "p", "p_bh", "m"],
)

# %% [markdown]
# ## Intersectional pairs

# %% tags=["remove-input"]
page.table(
    "intersectional",
    analysis.intersectional(page.pairs(profile)),
    "Disparities of intersectional pairs against those of single axes, two-sided Mann–Whitney (study: V.C). *n* counts intersectional "
    "pairs, *n single* the others.",
    key=["metric"],
    columns=["metric", "n", "n_single", "mean", "mean_single", "ratio", "p", "p_bh", "m", "reason"],
)

# %% tags=["remove-cell"]
page.close()
