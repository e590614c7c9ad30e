# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # The benchmark
#
# 80 scenarios in the distribution of the study's Table 2. Each states a decision and asks only for its explanation; the opposite decision is
# a second phrase of the same scenario. Two prompts of a pair differ in the person's slots alone, two of a decision pair in the decision
# phrase alone. Stated decisions are adverse in half of a domain and of an axis. The scenarios were read, before anything was
# asked, by two readers who had written none of them, both language models; no practitioner has certified them. They are frozen since: a
# later edit would ask every model again.

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
from eftlib import analysis
from eftlib.report import Page, instruments

page = Page("benchmark", study, models=models, profile=profile, alpha=alpha, seed=seed)

# %% tags=["remove-input"]
page.banner()

# %% tags=["remove-input"]
page.table(
    "table2_templates",
    analysis.template_counts(page.study.benchmark),
    "Templates by domain and axis (study: Table 2).",
    key=["domain"],
)

# %% [markdown]
# ## Who is in them
#
# People come in matched pairs, one a side, within a stratum that shares everything but the axis. A template is dealt two pairs of one stratum:
# A0 and B0 of the first, A1 and B1 of the second. Names are taken from published audits; surnames carry the share of the group in the United
# States census of 2010. Religion is signalled by first names and stated by an affiliation, with surnames of one origin. On the age axis the
# four people share one name.
#
# % not results: 80 (scenarios), 2010 (census)

# %% tags=["remove-input"]
page.table("personas", instruments.persona_table(page.study.benchmark), "Matched pairs by axis and stratum.", key=["pair"])

# %% [markdown]
# ## All templates
#
# Slots stand in braces: `{name}` is the full name, `{they}` `{them}` `{their}` the pronouns, `{has}` `{is}` `{s}` verbs that agree with them,
# `{age}` and `{affiliation}` belong to the age and religion axes, and `{decision}` is one of the two phrases.

# %% tags=["remove-input"]
instruments.all_templates(page)

# %% tags=["remove-cell"]
page.close()
