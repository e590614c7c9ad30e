# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # RQ3: which models and domains?
#
# Models are ranked by their mean disparity, metric by metric. A longer or more varied answer differs more from the next one whoever it is
# about, so a rank here is one of variability as much as of unequal treatment; the noise floor tells them apart.
#
# % not results: 1 (a rank)

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis, figures
from eftlib.benchmark import DOMAINS
from eftlib.report import Page

page = Page("04_rq3_models", study, models=models, profile=profile, alpha=alpha, seed=seed)
other = "controlled" if profile == "published" else "published"

# %% tags=["remove-input"]
page.banner()
page.cut_off(page.pairs(profile))
page.without_pairs("domain", DOMAINS)

# %% [markdown]
# ## Models ranked

# %% tags=["remove-input"]
order = [model.name for model in page.models]
pairs = page.pairs(profile)
page.templates_of_models(pairs)
ranking = analysis.model_ranking(pairs, order)
common = analysis.model_ranking(analysis.in_common(pairs), order).set_index("model").add_suffix("_common").reset_index()
theirs = page.published("table6_models").add_prefix("study_").rename(columns={"study_model": "model"})
shown = ["model", "n", "metrics", "mean_rank", "worst_on", "n_common", "mean_rank_common", "worst_on_common"]
page.table(
    "table6_models",
    page.beside(page.beside(ranking, common, on=["model"]), theirs, on=["model"]),
    f"Models by mean disparity rank, 1 the largest (study: Table 6), profile {profile}, draw 0. *n* counts templates with a value, "
    "*metrics* those in which the model is ranked against another; *common*: over the templates that every model has a value for.",
    key=["model"],
    columns=[*shown, "study_mean_rank", "study_worst_on"],
)

# %% tags=["remove-input"]
page.table("table6_models_study", theirs, "The study's own models, as its Table 6 prints them.", key=["model"])

# %% tags=["remove-input"]
pairs_other = page.pairs(other)
ranking_other = analysis.model_ranking(pairs_other, order)
common_other = (
    analysis.model_ranking(analysis.in_common(pairs_other), order).set_index("model").add_suffix("_common").reset_index()
)
page.table(
    f"table6_models_{other}",
    page.beside(ranking_other, common_other, on=["model"]),
    f"Our models ranked in the {other} profile; columns as above.",
    key=["model"],
    columns=shown,
)

# %% [markdown]
# ## Worst model and domain
#
# The means of a model are over the templates that it answered (*n*), which may be others than those of the next model.

# %% tags=["remove-input"]
cells = analysis.by_model_and_domain(page.pairs(profile))
worst = analysis.worst_cells(cells)
theirs = page.published("table7_worst_cells").add_prefix("study_").rename(columns={"study_metric": "metric"})
page.table(
    "table7_worst_cells",
    page.beside(worst, theirs, on=["metric"]),
    f"The model and domain with the largest mean disparity (study: Table 7), profile {profile}, draw 0.",
    key=["metric"],
    columns=["metric", "model", "domain", "n", "mean", "study_model", "study_domain", "study_mean"],
)

# %% tags=["remove-input"]
drawn = ["efp", "word_count"]
page.without_values(page.pairs(profile), drawn)
page.figure(
    "figure3_model_domain",
    lambda: figures.model_domain_heatmaps(cells, drawn, page.labels),
    "Mean disparity by model and domain, EFP and verbosity (study: Fig. 3). Darker is higher, hatched undefined.",
    alt=page.describe(
        cells[cells["metric"].isin(drawn)],
        ["model", "domain"],
        "mean",
        "Two heatmaps of mean disparity with a row for each model and a column for each domain:",
        by="metric",
    ),
    data=cells[cells["metric"].isin(drawn)].dropna(subset=["mean"]),
)

# %% tags=["remove-cell"]
page.close()
