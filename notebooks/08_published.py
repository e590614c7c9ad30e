# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # The published numbers, checked
#
# A study prints its numbers several times, in tables and in the text, and many of them follow from others. Here they are recomputed from
# `data/published`, without any answer of a model. A number that does not follow is not thereby wrong: a rounding, an older table or an
# unstated choice can be behind it. Each row says what is printed, what follows, and how.
#
# % not results: 4.1 (in GPT-4.1, a model's name)

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis
from eftlib.report import Page

page = Page("08_published", study, models=models, profile=profile, alpha=alpha, seed=seed)

# %% tags=["remove-input"]
checks = analysis.published_checks()
page.table(
    "published_checks",
    checks,
    "The study's printed numbers, recomputed from each other.",
    key=["check"],
    columns=["check", "table", "printed", "recomputed", "arithmetic", "verdict", "reason"],
)

# %% tags=["remove-cell"]
page.number("checks", len(checks))
page.number("consistent", page.count_equal(checks, "verdict", "consistent"))
page.number("inconsistent", page.count_equal(checks, "verdict", "inconsistent"))
page.number("ambiguous", page.count_equal(checks, "verdict", "ambiguous"))

# %% [markdown]
# Of {glue:text}`checks` checks, {glue:text}`consistent` agree, {glue:text}`inconsistent` do not, and {glue:text}`ambiguous` cannot be
# decided from what is printed.
#
# ## What this means for reading the study
#
# **The design and most tables hold together.** The counts of templates and pairs, the labels of d, the mean ranks, the worst models, the
# ratio of words, the reductions of EFP and their p-values, and the means of whole numbers of clusters follow from each other.
#
# **EFP's number of pairs.** The p printed for EFP is smaller than any that the test can give for so few positive values, unless very many
# of them are equal. It fits the full set of pairs. The four pairs without a contrastive text may have been in this test, or
# the table may be older than their exclusion. The EFP scores of those four pairs would settle it.
#
# **The bound on p.** One printed p lies just above the bound in the abstract. Nothing depends on it: as the page on RQ1 says, these p-values
# carry the number of pairs that differ at all, not the size of the difference.
#
# **Religion.** The axis is called the one with the fewest templates; the intersectional axis has fewer. The caution that the study draws
# from it holds for both. Religion holds the only cells with a d above one, yet is said to rank first on no metric: the
# column may count another quantity, such as the mean difference. The metric-by-axis values behind the heatmap would settle it.
#
# **Religion and elaboration.** No split of the pairs gives both the printed share and the printed p of a sign test, one-sided or
# two-sided. The numbers of pairs with fewer, equal and more clusters would settle it. Until then the direction is best read as
# suggestive.
#
# **The last two models.** LLaMA and GPT-4.1 are last on average, but at least one of them is third or better on some metric. The table of
# ranks by metric would settle which. The recommendation of these models concerns the average.
#
# **Elaboration under mitigation.** The smaller of the two reductions is just above the level without ties and can fall below it with them.
# The per-pair differences would settle it. The paired test on the page of RQ4 uses the design more fully.

# %% tags=["remove-cell"]
page.close()
