# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # RQ4: do two sentences before the prompt help?
#
# Two mitigations are a paragraph before the scenario: *blind* asks to ignore personal characteristics, *fairness* to explain equally well
# for everyone. The study tests whether disparities are lower than without, by a one-sided Mann–Whitney test that takes the two samples as
# independent. A narrower gap is not a fairer one if the text has become blander for everyone: a gap can shrink because all differences do.

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis, figures
from eftlib.report import Page

page = Page("05_rq4_mitigation", study, models=models, profile=profile, alpha=alpha, seed=seed)
other = "controlled" if profile == "published" else "published"

# %% tags=["remove-input"]
page.banner()

# %% tags=["remove-input"]
gaps = page.all_conditions(profile)
table = analysis.mitigations(gaps)
theirs = page.published("table8_mitigation").add_prefix("study_")
theirs = theirs.rename(columns={f"study_{name}": name for name in ("metric", "model", "condition")})
page.table(
    "table8_mitigation",
    page.beside(table, theirs, on=["metric", "model", "condition"]),
    f"Mean disparity without and with each mitigation (study: Table 8), profile {profile}, draw 0; BH over all rows.",
    key=["metric", "model", "condition"],
    columns=[
        "metric",
        "model",
        "condition",
        "n",
        "n_mitigated",
        "baseline",
        "mitigated",
        "r",
        "label",
        "p",
        "p_bh",
        "m",
        "study_r",
    ],
)

# %% tags=["remove-cell"]
page.number("alpha", alpha)
page.number("reduced", page.count_below(table, "p_bh"))
page.number("comparisons", page.count_known(table, "p"))

# %% [markdown]
# Of {glue:text}`comparisons` comparisons, {glue:text}`reduced` show a reduction after adjustment. The test is one-sided: it cannot show an
# increase, and a p above {glue:text}`alpha` is no evidence that nothing changed.

# %% tags=["remove-input"]
page.figure(
    "figure4_mitigation",
    lambda: figures.mitigation_bars(table, page.labels, alpha),
    f"Mean disparity under each mitigation relative to the baseline (study: Fig. 4); a star marks an adjusted p of at most {alpha}.",
    alt=page.describe(
        table, "metric", "change", "Bars of mitigated over baseline disparity by metric, a panel for each model; change"
    ),
    data=table.dropna(subset=["mitigated"]),
)

# %% tags=["remove-input"]
page.table(
    f"table8_mitigation_{other}",
    analysis.mitigations(page.all_conditions(other)),
    f"The same in the {other} profile.",
    key=["metric", "model", "condition"],
    columns=["metric", "model", "condition", "n", "n_mitigated", "baseline", "mitigated", "r", "label", "p", "p_bh", "m"],
)

# %% tags=["remove-cell"]
page.close()
