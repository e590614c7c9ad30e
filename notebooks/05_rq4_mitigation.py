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
page.cut_off(page.all_conditions(profile))

# %% tags=["remove-input"]
gaps = page.all_conditions(profile)
table = analysis.mitigations(gaps)
page.unanswered_mitigations(table)
theirs = page.published("table8_mitigation").add_prefix("study_")
theirs = theirs.rename(columns={f"study_{name}": name for name in ("metric", "model", "condition")})
page.table(
    "table8_mitigation",
    page.beside(table, theirs, on=["metric", "model", "condition"]),
    f"Mean disparity without and with each mitigation (study: Table 8), profile {profile}, draw 0; BH over all rows. "
    "*r* is positive where gaps are smaller with the mitigation.",
    key=["metric", "model", "condition"],
    columns=[
        "metric", "model", "condition", "n", "n_mitigated", "baseline", "mitigated", "r", "label", "p", "p_bh", "m", "reason",
        "study_baseline", "study_mitigated", "study_r", "study_label",
    ],
)  # fmt: skip

# %% tags=["remove-input"]
page.table(
    "table8_mitigation_study",
    theirs,
    "The study's own models, as its Table 8 prints them: the comparisons that it found significant.",
    key=["metric", "model", "condition"],
)

# %% tags=["remove-cell"]
page.number("alpha", alpha, f"{alpha:g}")
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
        table.assign(drawn=table["mitigated"] / table["baseline"]) if len(table) else table,
        ["metric", "condition"],
        "drawn",
        "Bars of mitigated over baseline disparity by metric and mitigation, a panel for each model:",
        by="model",
    ),
    data=table.dropna(subset=["mitigated"]),
)

# %% tags=["remove-input"]
page.table(
    f"table8_mitigation_{other}",
    analysis.mitigations(page.all_conditions(other)),
    f"The same in the {other} profile.",
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
        "reason",
    ],
)

# %% [markdown]
# ## The same question, paired
#
# The published test takes both samples as independent and looks for a decrease alone. But each template is asked under both conditions,
# so that it is its own control; and a gap can grow. Here the gaps of a template are compared with each other (sign flip, two-sided), in
# the controlled profile, over the draws that have both. The ratio of the mean gaps has a 95 % interval over templates; only if that
# lies within the bounds of [the analysis plan](../pages/analysis_plan.md) is the mitigation said to leave the gaps as they are.
#
# % not results: 95 (level of the interval)

# %% tags=["remove-input"]
paired = analysis.paired_mitigations(page.all_conditions("controlled", draws=(0, 1)), seed=seed)
page.table(
    "mitigation_paired",
    paired,
    "Gaps with each mitigation over gaps without, by template, profile controlled; BH over all rows. *n* counts templates with a gap "
    "under both conditions, *excluded* those with one alone; *floor* is the smallest p that n templates can give.",
    key=["metric", "model", "condition"],
    columns=[
        "metric", "model", "condition", "n", "excluded", "baseline", "mitigated", "ratio", "equivalent", "p", "p_bh", "m",
        "floor", "reason",
    ],
)  # fmt: skip

# %% tags=["remove-cell"]
page.number("paired_comparisons", page.count_known(paired, "p"))
page.number("paired_changed", page.count_below(paired, "p_bh"))
page.number("paired_equivalent", page.count_equal(paired, "equivalent", True))

# %% [markdown]
# Of {glue:text}`paired_comparisons` comparisons, {glue:text}`paired_changed` show a change after adjustment, and
# {glue:text}`paired_equivalent` are equivalent. The rest cannot tell. A mitigation that makes texts blander narrows the gaps between
# groups and within them alike; whether it narrows the former more is a question of the noise floor under each condition.

# %% tags=["remove-input"]
page.table(
    "mitigation_noise_floor",
    analysis.with_few_named(analysis.noise_conditions(page.scores, profile="controlled", seed=seed), alpha=alpha),
    "Gap between groups over gap within groups under each condition that has both draws, profile controlled.",
    key=["condition", "model", "metric"],
    columns=["condition", "model", "metric", "n", "excluded", "ratio", "p_magnitude", "difference", "p_direction", "reason"],
)

# %% tags=["remove-cell"]
page.close()
