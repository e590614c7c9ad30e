# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # RQ1: do disparities exist?
#
# The study compares the absolute difference of each pair with 0, by a one-sample Wilcoxon signed-rank test (one-sided, zeros dropped), and
# takes Cohen's d, the mean over the standard deviation, as its size. It is run here as published, on draw 0.
#
# % not results: 0 (null hypothesis, draw), 400 pairs and 10⁻⁶⁷ (Wilcoxon's normal approximation), 1.32 (mean / SD of |N|)
#
# :::{admonition} This test cannot fail
# :class: warning
# An absolute difference is never below 0, so the test rejects for *any* difference between two texts. Two identical systems that merely
# vary from text to text are rejected as surely as two that treat people differently: with 400 pairs, p is about 10⁻⁶⁷ for either. A small
# p in {numref}`tbl-table3_existence` is no evidence of a disparity. Nor is d: for pure Gaussian noise it is 1.32, whatever the size of
# the noise. The pages on the noise floor ask the question in a way that can be answered with no.
# :::

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
import pandas as pd

from eftlib import analysis, figures
from eftlib.report import Page

page = Page("02_rq1_existence", study, models=models, profile=profile, alpha=alpha, seed=seed)
other = "controlled" if profile == "published" else "published"

# %% tags=["remove-input"]
page.banner()
page.cut_off(page.pairs(profile))

# %% [markdown]
# ## Every metric
#
# The study's numbers stand beside ours where it prints them. They are of five large models without a length instruction, ours of the
# models named above: they are not expected to agree.

# %% tags=["remove-input"]
ours = analysis.existence(page.pairs(profile))
theirs = page.published("table3_existence").add_prefix("study_").rename(columns={"study_metric": "metric"})
shown = [
    "metric", "n", "excluded", "mean", "median", "d", "label", "p_bh", "m",
    "study_n", "study_mean", "study_median", "study_d", "study_label", "study_p_bh",
]  # fmt: skip
page.table(
    "table3_existence",
    page.beside(ours, theirs, on=["metric"]),
    f"Disparity existence as published (study: Table 3), profile {profile}, draw 0; BH over the metrics.",
    key=["metric"],
    columns=shown,
)

# %% tags=["remove-input"]
controlled = analysis.existence(page.pairs(other))
page.table(
    f"table3_existence_{other}",
    controlled,
    f"The same in the {other} profile.",
    key=["metric"],
    columns=["metric", "n", "excluded", "mean", "median", "d", "label", "p_bh", "m"],
)

# %% tags=["remove-cell"]
page.number("rejected", page.count_below(ours, "p_bh"))
page.number("tests", len(ours))
page.number("largest_p", page.extreme(ours, "p_bh", max))
page.number("smallest_d", page.extreme(ours, "d", min))
page.number("largest_d", page.extreme(ours, "d", max))

# %% [markdown]
# The test rejects for {glue:text}`rejected` of {glue:text}`tests` metrics; the largest adjusted p is {glue:text}`largest_p`. Cohen's d lies
# between {glue:text}`smallest_d` and {glue:text}`largest_d`. Neither says whether the models treat the two sides differently: both would
# look like this if they did not.

# %% tags=["remove-input"]
page.figure(
    "figure1_effect_sizes",
    lambda: figures.effect_sizes({profile: ours, other: controlled}),
    "Cohen's d of the absolute differences (study: Fig. 1), with the d of pure noise as a dashed line.",
    alt=page.describe(
        pd.concat([ours.assign(profile=profile), controlled.assign(profile=other)]),
        "metric",
        "d",
        "Horizontal bars of Cohen's d for each metric, with a dashed line at 1.32 for noise:",
        by="profile",
    ),
    data=ours.dropna(subset=["d"]),
)

# %% tags=["remove-cell"]
page.close()
