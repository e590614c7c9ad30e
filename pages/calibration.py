# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {name: python3, display_name: Python 3, language: python}
# ---

# %% [markdown]
# # Calibration: how often do the tests reject?
#
# In a simulated study the truth is known. Here studies are simulated without a difference between groups, and with one, and put to the very
# functions that the study's pages use. A test keeps its promise if, with nothing to find, it rejects in five of a hundred studies; it is
# useful if it rejects in most where there is something. **Everything on this page is simulated**: no number here is of a model's answers. The procedures are on [their own page](../pages/noise_floor.md).

# %% tags=["parameters", "remove-cell"]
study = "pilot"  # a name under data/studies, or a folder
models = "all"  # or a list of names
profile = "published"  # the profile of the study's own analyses
alpha = 0.05
seed = 20260509

# %% tags=["remove-cell"]
import pandas as pd

from eftlib import calibration, figures
from eftlib.coverage import RATES
from eftlib.files import data_dir
from eftlib.report import Page

page = Page("calibration", study, models=models, profile=profile, alpha=alpha, seed=seed)
full = pd.read_csv(data_dir() / "calibration.csv")
nothing = full[full["truth"].isin(["nothing", "names"])]
paper = full[(full["templates"] == 80) & (full["models"] == 5) & (full["personas"] == 10)]
tests = {
    "published": "as published", "names_magnitude": "names, magnitude", "names_direction": "names, direction",
    "groups_magnitude": "groups, magnitude", "groups_direction": "groups, direction", "spread": "spread (names)",
}  # fmt: skip
columns = ["simulated", "templates", "models", "personas", *calibration.TESTS]
labels = {name: each.label for name, each in calibration.SCENARIOS.items()}

# %% [markdown]
# ## Nothing to find between groups
#
# The study's design: its templates and models, with the personas dealt in matched pairs. *Names differ* means that every name has an effect of
# its own in all templates, which says nothing about groups.

# %% tags=["remove-input"]
page.figure(
    "calibration",
    lambda: figures.calibration(
        paper, {name: each.label for name, each in calibration.SCENARIOS.items() if each.truth in ("nothing", "names")}, tests
    ),
    "Share of simulated studies in which a test rejects although groups do not differ; the study's design.",
    alt="Points for each scenario and test beside a line at the promised rate: the published test rejects nearly always, "
    "the group tests stay at the line, and the names test of direction leaves it where names differ.",
    data=paper,
)

# %% tags=["remove-cell"]
groups = nothing[["groups_magnitude", "groups_direction"]].max(axis=1)
plain = nothing[(nothing["truth"] == "nothing") & (nothing["scenario"] != "counts")]
small = plain[["names_magnitude", "names_direction"]]
half = paper[paper["scenario"] == "shift .5"].iloc[0]
page.number("replicates", int(full["replicates"].min()))
page.number("resamples", int(full["resamples"].max()))
page.number("published_least", float(nothing.loc[nothing["scenario"] != "counts", "published"].min()))
page.number("groups_most", float(groups.max()))
page.number("names_least", float(small.min().min()))
page.number("names_most", float(small.max().max()))
page.number("names_direction_personas", float(nothing["names_direction"].max()))
page.number("names_magnitude_personas", float(nothing["names_magnitude"].max()))
page.number("spread_personas", float(nothing["spread"].max()))
page.number("shift_found", float(half["names_direction"]))
page.number("shift_found_groups", float(half["groups_direction"]))

# %% [markdown]
# Over {glue:text}`replicates` simulated studies a row, with {glue:text}`resamples` relabellings a test where they cannot all be tried, the published test of continuous outcomes rejects in a share of at least
# {glue:text}`published_least`: it asks whether absolute differences are zero, and they never are. With nothing to find the group tests
# reject in a share of at most {glue:text}`groups_most`. The tests of these names lie between {glue:text}`names_least` and {glue:text}`names_most` where names have no
# effect and outcomes no ties; where names differ the test of direction rejects in up to {glue:text}`names_direction_personas`, that of magnitude in up to
# {glue:text}`names_magnitude_personas` and that of spread, which is about these names as well, in up to {glue:text}`spread_personas`. That is
# no fault of theirs: these names do differ. It is the fault of whoever reads them as a statement about groups. A constant shift of half a standard deviation
# is found in {glue:text}`shift_found` (names) and {glue:text}`shift_found_groups` (groups) of studies.
#
# % not results: 5 (level of the tests)

# %% tags=["remove-input"]
page.table(
    "calibration",
    full.assign(simulated=full["scenario"].map(labels)),
    "Rejection rates at the 5 % level, of the published test and of ours; the file has the Monte Carlo standard error of each.",
    key=["scenario", "templates", "models", "personas"],
    columns=columns,
)

# %% [markdown]
# Under *spread* the variance of the sides differs, which the test of magnitude also answers to; where names have no effect of their own the test
# of spread tells the two apart. A shift that varies between templates has no direction and is found by magnitude. What is calibrated here are
# the tests, one at a time; the adjustment for many of them is on [the page of the procedures](../pages/noise_floor.md).

# %% tags=["remove-cell"]
coverage = pd.read_csv(data_dir() / "coverage.csv")
large = coverage[coverage["templates"] == 80]
few = coverage[coverage["templates"] == 8]
none = large[large["truth"] == "nothing"]
five, one = none[none["models"] == 5], none[none["models"] == 1]
bound = coverage[coverage["scenario"] == "shift .64"]
near = coverage[coverage["scenario"] == "shift .2"]
page.number("coverage_replicates", int(coverage["replicates"].min()))
page.number("held_least", float(large["names_ratio_held"].min()))
page.number("held_most", float(large["names_ratio_held"].max()))
page.number("held_few", float(few["names_ratio_held"].min()))
page.number("held_groups", float(large["groups_ratio_held"].min()))
page.number("held_groups_few", float(few["groups_ratio_held"].min()))
page.number("held_difference", float(large["names_difference_held"].min()))
page.number("held_difference_least", float(coverage["names_difference_held"].min()))
page.number("held_shift", float(coverage.loc[coverage["scenario"] == "shift 1", "groups_difference_held"].min()))
page.number("held_varies", float(coverage["groups_difference_held"].min()))
page.number("equivalent_bound", float(bound["names_ratio_equivalent"].max()))
page.number("equivalent_near", float(near[["names_difference_equivalent", "groups_difference_equivalent"]].max().max()))
page.number("equivalent_names_least", float(five["names_equivalent"].min()))
page.number("equivalent_names_most", float(five["names_equivalent"].max()))
page.number("equivalent_groups_least", float(five["groups_equivalent"].min()))
page.number("equivalent_groups_most", float(five["groups_equivalent"].max()))
page.number("equivalent_one", float(one["names_equivalent"].max()))

# %% [markdown]
# ## Intervals, and the claim of no disparity
#
# An interval keeps its promise if it holds what is true as often as it says: 95 of a hundred for the ratio, 90 for the difference, whose
# limits are those of two one-sided tests. Over {glue:text}`coverage_replicates` studies a row the interval of the ratio for names holds it in
# {glue:text}`held_least` to {glue:text}`held_most` of studies of 80 templates, and in as few as {glue:text}`held_few` of studies of 8, which therefore never
# claim that a ratio is equivalent. For groups it holds it in {glue:text}`held_groups` or more with 80 templates, least where names differ much, since ten
# persona pairs are few, and in as few as {glue:text}`held_groups_few` with 8.
#
# The interval of the difference for names holds it in {glue:text}`held_difference` or more with 80 templates, and in as few as
# {glue:text}`held_difference_least` where templates are fewer and texts skewed and shifted. That for groups is over persona pairs alone and takes the
# placebo's spread as known, so beside a large shift it is too narrow: one of a standard deviation it holds in as few as {glue:text}`held_shift`, one
# whose direction changes from template to template in as few as {glue:text}`held_varies`. No test and no claim of equivalence rests on it alone.
#
# Equivalence asks for both: a ratio surely below 1.10 and a difference surely within 0.2 placebo standard deviations. Where the ratio is at its
# bound it is called equivalent in at most {glue:text}`equivalent_bound` of studies, and a difference at its own in at most
# {glue:text}`equivalent_near`. With nothing to find, it is claimed of these names in {glue:text}`equivalent_names_least` to
# {glue:text}`equivalent_names_most` of studies of five models on 80 templates, depending on how texts vary, and of groups in
# {glue:text}`equivalent_groups_least` to {glue:text}`equivalent_groups_most`; of one model's texts, in at most {glue:text}`equivalent_one`.
#
# % not results: 95, 90, 80, 8 (levels and sizes), 1.10, 0.2 (bounds)

# %% tags=["remove-input"]
page.table(
    "calibration_coverage",
    pd.concat([large, few]).assign(simulated=lambda all_of: all_of["scenario"].map(labels)),
    "Share of simulated studies in which an interval holds the true ratio or difference, and in which equivalence of both is claimed; "
    "`data/coverage.csv` has other sizes as well, and the two halves of the claim. Where names differ the truth about them is another in each study and "
    "stays blank.",
    key=["scenario", "templates", "models"],
    columns=[
        "simulated",
        "templates",
        "models",
        "ratio",
        "difference",
        *(name for name in RATES if name.endswith(("held", "s_equivalent"))),
    ],
)

# %% [markdown]
# ## A small run, made with this page
#
# The table above is committed and comes from `make calibrate`. A few of its rows are simulated anew here, with another seed.

# %% tags=["remove-input"]
anew = [calibration.Design(name, 8, 1, 10) for name in ("iid", "persona .3", "shift 1")]
page.table(
    "calibration_small",
    calibration.calibrate(anew, replicates=200, seed=seed + 1),
    "Simulated when the page was built.",
    key=["scenario"],
    columns=["scenario", "replicates", *calibration.TESTS],
)

# %% tags=["remove-cell"]
page.close()
