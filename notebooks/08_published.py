# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # The published numbers, checked
#
# A paper that prints its tables in full can be checked by its readers. This page does so for the study: what each table and sentence
# implies about the others, by arithmetic that anyone can repeat on `data/published`. No answer of a model enters it, the study's or ours, and a
# printed number stands for all that round to it.
#
# :::{admonition} How to read a verdict
# :class: note
# *consistent*: the printed numbers agree. *inconsistent*: they exclude each other; mostly a slip of wording or of a digit, and its last
# line says what hangs on it. *open*: what is printed neither bears the claim out nor excludes it. A claim that is consistent can still say little, and
# one that is open can be right. BH is Benjamini–Hochberg, n counts pairs, roman numerals are sections of the study. None of these verdicts says that a disparity does, or does not, exist in the study's five models; that takes
# the answers themselves, and a test that can come out either way, such as [the noise floor](06_noise_floor.ipynb).
# :::

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis
from eftlib.report import Page, instruments

page = Page("08_published", study, models=models, profile=profile, alpha=alpha, seed=seed)
checks = analysis.published_checks()
page.number("checks", len(checks))
for verdict in ("consistent", "inconsistent", "open"):
    page.number(verdict, page.count_equal(checks, "verdict", verdict))

# %% [markdown]
# Of {glue:text}`checks` checks, {glue:text}`consistent` are consistent, {glue:text}`inconsistent` inconsistent and {glue:text}`open` open. The tables hold
# together well: but for the p-value of EFP, nothing checked here rules out one set of data behind them, though agreement does not prove it.
# Most of what does not fit is in the sentences around them. What limits the
# conclusions is another matter, the choice of tests, and it shows in checks that come out consistent.

# %% [markdown]
# ## How much was collected
#
# The counts are sound. Two sentences overlook that religion is one of the small samples and that the intersectional one is smaller still.
#
# *What would settle it:* a table of the explanations on file by model, side, decision and condition.

# %% tags=["remove-input"]
instruments.published_checks(page, checks[checks["section"] == "design"])

# %% [markdown]
# ## Do disparities exist?
#
# The most telling check is one that agrees: the whole column of p-values can be written down from nothing but the number of pairs in which
# the two texts differ at all. So those p-values carry no information on disparity; a model that answers anew for every name, and treats all
# alike, gives the same column. One row does not fit its own n, which suggests that the four pairs without a contrastive explanation were still in that test.
#
# *What would settle it:* the differences themselves, a row a pair; how often a text was empty, cut off or below ten words, by side; and a
# second name for each group, or each prompt asked twice, so that a gap between groups can be held against a gap within one.

# %% tags=["remove-input"]
instruments.published_checks(page, checks[checks["section"] == "existence"])

# %% [markdown]
# ## Which axes?
#
# That religion ranks first is printed with due caution. The checks add a reason for it: the ranking by d favours small samples, and the spread
# between axes is no larger than equal axes would show. Neither a difference between axes nor its absence can be read from it.
#
# *What would settle it:* the means by axis and metric beside their d (the heatmap's numbers), the quantity behind “# worst”, and intervals over templates.

# %% tags=["remove-input"]
instruments.published_checks(page, checks[checks["section"] == "axes"])

# %% [markdown]
# ## Who is at a disadvantage?
#
# The signed differences are the study's only numbers that could show whom a disparity harms, and they deserve more room. The p-value given for religion
# and elaboration cannot be had from its percentage; its star can stand if a few pairs are equal. None of the stars is corrected for the
# number of cells, and the five pairs of a template are counted as five observations.
#
# *What would settle it:* for each cell the pairs above, below and equal, all cells with one correction, and a test that flips whole templates.

# %% tags=["remove-input"]
instruments.published_checks(page, checks[checks["section"] == "direction"])

# %% [markdown]
# ## Which models?
#
# Ranks, worst cells and ratios fit each other to the last digit. The open question is what the largest gaps are made of. The text itself reports
# answers of a few words from one of the two models that rank worst; if a share of pairs as below had one answer that failed, that alone
# would give the printed means, without any regard to who was named.
#
# *What would settle it:* the finish reason and token counts of every answer, and the table once more without the pairs in which one was cut off or empty.

# %% tags=["remove-input"]
instruments.published_checks(page, checks[checks["section"] == "models"])

# %% [markdown]
# ## Do prompts help?
#
# The reductions of the EFP gap are large and as printed. What they mean depends on what the baseline gaps were. That style does not improve is an
# absence of evidence: the test is one-sided, takes no account of the pairing, and would often have missed sizeable reductions.
#
# *What would settle it:* the test by template, two-sided, with an interval of the ratio and a bound named beforehand, as
# [here for the pilot](05_rq4_mitigation.ipynb).

# %% tags=["remove-input"]
instruments.published_checks(page, checks[checks["section"] == "mitigation"])

# %% [markdown]
# ## What no arithmetic settles
#
# Some questions a reader has of the design cannot be answered from printed numbers, whatever they are. For its own data this book answers
# them elsewhere:
#
# - *Can the test of existence come out negative?* Simulated: [calibration](calibration.ipynb); for the pilot: [the noise floor](06_noise_floor.ipynb).
# - *Is a gap between two names one between groups?* One name a group cannot tell. Here are two a side, and claims for names and for groups
#   apart: [the noise floor](06_noise_floor.ipynb).
# - *Are models that answer the same templates independent?* Whole templates are flipped and resampled: [the procedures](../pages/noise_floor.md).
# - *Does d = mean / SD say how large a disparity is?* The ratio of the gap to that within a group does, with its interval:
#   [the noise floor](06_noise_floor.ipynb).
# - *Which comparisons are corrected together?* Every family, named beforehand: [the analysis plan](../pages/analysis_plan.md).
# - *Were answers cut off or empty, and for whom?* Outcomes by side: [what was collected](01_collect.ipynb); measured and dropped:
#   [robustness](07_robustness.ipynb).
# - *What moves a metric besides the person: length, lists, the name itself?* [Robustness](07_robustness.ipynb); the controlled profile takes
#   out the name and lists, and some of length: [the metrics](taxonomy.ipynb).
# - *Does a prompt help template by template, and by how much?* Paired, with an interval of the ratio: [the mitigations](05_rq4_mitigation.ipynb).

# %% [markdown]
# ## All checks
#
# Their numbers are in `data/published`; a changed digit there changes the check that uses it, and a test of this project sees to that. The
# file `published_checks.csv` of the results has them in full.

# %% tags=["remove-input"]
page.table(
    "published_checks",
    checks,
    "All checks.",
    key=["check"],
    columns=["check", "table", "verdict"],
)

# %% tags=["remove-cell"]
page.close()
