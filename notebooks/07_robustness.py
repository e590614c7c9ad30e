# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # Robustness: would the headline read otherwise?
#
# Between an answer and a number lie choices: which profile measures it, whether the person's name is masked, whether answers that were
# cut off or flagged are measured, which models are in, and for elaboration depth the threshold and the linkage of its clusters. Here
# [the headline](06_noise_floor) is computed again for every combination of them, with the verdict rule of
# [the analysis plan](../pages/analysis_plan.md).

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "controlled"  # of the headline
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis, figures
from eftlib.report import Page

page = Page("07_robustness", study, models=models, profile=profile, alpha=alpha, seed=seed)
baseline = page.explanations[page.explanations["condition"] == "baseline"]

# %% tags=["remove-input"]
page.banner()

# %% tags=["remove-input"]
resamples = 999
specified = analysis.specifications(baseline, page.cosines, seed=seed, alpha=alpha, resamples=resamples)
table = analysis.agreement(specified)
page.table(
    "robustness",
    table,
    "How many specifications agree with the headline's verdict; baseline condition, these names.",
    key=["metric"],
    columns=[
        "metric", "verdict", "specifications", "undefined", "agree", "share", "beyond", "within", "unknown", "ratio", "ratio_min",
        "ratio_max", "n_min",
    ],
)  # fmt: skip

# %% [markdown]
# *Undefined* counts specifications without a ratio: of a metric that needs cosines of which one is not on file. *Share* is of the rest.
# *Beyond*, *within* and *unknown* count the three verdicts: disparity beyond noise, no disparity beyond noise, cannot tell. *n min* is the
# fewest templates behind a ratio. Each test draws {glue:text}`resamples` relabellings here, fewer than for the headline's own page.
#
# % not results: 95 and 1 (what the intervals and the line are)

# %% tags=["remove-input"]
page.figure(
    "specification_curve",
    lambda: figures.specification_curve(specified),
    "The ratio of every specification with its 95 % interval, from smallest to largest; the square is the headline's.",
    alt=page.describe(
        table,
        "metric",
        "share",
        "Small panels, one a metric, of sorted ratios around a line at 1; shares of specifications that agree with the headline",
    ),
    data=specified.dropna(subset=["ratio"]),
)

# %% tags=["remove-cell"]
page.number("least_agreement", page.extreme(table, "share", min), page.percent(page.extreme(table, "share", min)))
page.number("specifications", len(specified) if len(specified) else None)
page.number("resamples", resamples)

# %% [markdown]
# Over {glue:text}`specifications` cells, the metric that agrees least with its headline does so in {glue:text}`least_agreement` of them. These
# are no independent tests: they share their texts, and no p-value is made of their number.

# %% tags=["remove-input"]
page.table(
    "robustness_choices",
    analysis.by_choice(specified) if len(specified) else specified,
    "Share of the specifications with each choice that agree with the headline's verdict: the choice on which a verdict hangs has low shares "
    "in its rows. Threshold and linkage concern elaboration depth alone.",
    key=["choice", "value"],
)

# %% [markdown]
# ## What one change alone does
#
# The same answers, changed in one way and measured again: the name kept where the controlled profile masks it; the second half of the sentences
# left out; cut off in the middle, as a token limit does; every sentence made an item of a list (numbers that counted items go). For EFP both explanations are changed. The
# shift is in standard deviations of the unchanged texts. Where a metric moves with length alone, a difference in it may be a difference in
# length. The texts are side A's first draw, one a template and model, where it is `ok` and has two sentences or more, so that every change
# applies; *excluded* counts those of them without a value before or after.

# %% tags=["remove-input"]
changed = analysis.alone(baseline, page.cosines)
shifts = analysis.shifts(changed)
page.table(
    "robustness_shifts",
    shifts,
    "Mean shift of each metric under one change of every text, in standard deviations of the unchanged texts; the next table has their number.",
    key=["change", "profile"],
)

# %% tags=["remove-cell"]
listed = changed[(changed["change"] == "made a list") & (changed["profile"] == "published") & (changed["metric"] == "fkgl")]
halved = changed[(changed["change"] == "second half left out") & (changed["metric"] == "ttr")].set_index("profile")["shift_sd"]
page.number("fkgl_before", page.extreme(listed, "before", max))
page.number("fkgl_listed", page.extreme(listed, "after", max))
page.number("ttr_published", halved.get("published"))
page.number("ttr_controlled", halved.get("controlled"))

# %% [markdown]
# A list without full stops is one long sentence to the published FKGL: the same answers go from grade {glue:text}`fkgl_before` to
# {glue:text}`fkgl_listed`; the controlled profile ends a sentence with each item. TTR rises by {glue:text}`ttr_published` standard deviations when half of a
# text is left out, and still by {glue:text}`ttr_controlled` in the controlled profile, which averages windows of 50 words: a short half is one shorter window,
# and windows further back repeat more words than those at the beginning. Word count, elaboration and EFP move with length in both.
#
# % not results: 50 (the window)

# %% tags=["remove-input"]
page.table(
    "robustness_alone",
    changed,
    "The same with the means before and after, in the unit of each metric; *n* counts texts.",
    key=["change", "profile", "metric"],
    columns=["change", "profile", "metric", "n", "excluded", "before", "after", "shift"],
)

# %% tags=["remove-cell"]
page.close()
