"""The simulated studies: against the rates in ``pages/noise_floor.md`` section 3 and 4, committed and fresh."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest
from shared import ROOT

from eftlib import calibration, coverage
from eftlib.calibration import Design, calibrate, deal, rates, simulate
from eftlib.errors import InputError
from eftlib.stats import magnitude


@pytest.fixture(scope="module")
def full() -> pd.DataFrame:
    return pd.read_csv(ROOT / "data" / "calibration.csv")


def rate(full: pd.DataFrame, scenario: str, templates: int, models: int, test: str) -> float:
    rows = full[(full["scenario"] == scenario) & (full["templates"] == templates) & (full["models"] == models)]
    return float(rows.loc[rows["personas"] == 10, test].iloc[0])


# pages/noise_floor.md sections 3 and 4, as printed there and simulated by code of its own with 2,000 replicates a cell:
# names and groups with 80 templates, the same with 8; each for 1 / 5 models
MAGNITUDE = """
iid                     .045 .053  .025 .030  .050 .048    -    -
persona .1              .044 .053  .023 .034  .057 .047    -    -
persona .2              .052 .056  .026 .027  .049 .044    -    -
persona .3              .061 .062  .030 .028  .059 .049    -    -
persona .5              .060 .081  .030 .028  .048 .052    -    -
shared .5               .058 .052  .032 .027  .048 .049    -    -
t2                      .052 .046  .032 .020  .052 .048    -    -
lognormal               .049 .056  .029 .028  .042 .056    -    -
counts                  .041 .052  .015 .030  .020 -       -    -
scale                   .049 .053  .023 .031  .049 .053    -    -
spread 1.5              .10  .21   .07  .12   .055 .075    -    -
spread 2                .26  .72   .16  .56   .09  .17     -    -
shift .25               .07  .16   .04  .09   .06  .06     .02 .03
shift .5                .28  .76   .17  .62   .09  .18     .04 .11
shift 1                 .97  1     .91  1     .31  .79     .16 .59
varies .5               .27  .74   .16  .57   .09  .16     .04 .08
varies 1                .94  1     .85  1     .25  .57     .13 .36
shift .5, persona .2    .28  .68   .17  .55   .09  .18     .04 .09
shift .5, lognormal     .94  1     .87  1     .34  .74     .21 .56
"""
DIRECTION = """
iid                     .043 .053  .026 .026  .053 .050  .028 .028
persona .1              .058 .131  .028 .041  -    -     -    -
persona .2              .119 .314  .045 .047  -    -     -    -
persona .3              .194 .416  .052 .050  .064 .076  .031 .033
varies 1                .052 .050  .040 .047  -    -     -    -
lognormal, persona .2   .128 .304  .042 .052  -    -     -    -
shift .25               .60  1     .47  .99   .10  .26   .06  .20
shift .5                .99  1     .97  1     .22  .76   .15  .69
"""
PLACES = [(level, templates, models) for templates in (80, 8) for level in ("names", "groups") for models in (1, 5)]
PRINTED = [
    (scenario, (templates, models, f"{level}_{question}"), printed)
    for question, table in {"magnitude": MAGNITUDE, "direction": DIRECTION}.items()
    for scenario, row in (re.split(r"\s{2,}", line, maxsplit=1) for line in table.strip().splitlines())
    for (level, templates, models), printed in zip(PLACES, row.split(), strict=True)
    if printed != "-"
]


@pytest.mark.parametrize(("scenario", "place", "printed"), PRINTED)
def test_the_committed_rates_are_those_of_the_other_simulation(full, scenario, place, printed):
    expected, ours = float(printed), rate(full, scenario, *place)
    half = 0.5 * 10.0 ** -(len(printed) - 1 if "." in printed else 2)  # what rounding leaves open
    middle = min((expected + ours) / 2, 1 - half)
    error = math.sqrt(2 * middle * (1 - middle) / 2000)  # of the difference of two simulations
    assert ours == pytest.approx(expected, abs=3 * error + half)


def test_ties_at_8_templates_and_5_models_differ_by_the_scaling_of_models(full):
    # printed .029, which is the rate without scaling; a model's own scale undoes most ties of the models' mean
    design, rng = Design("counts", 8, 5, 10), np.random.default_rng(1)
    found = {
        scaled: np.mean(
            [magnitude(simulate(design, rng), resamples=499, rng=rng, scaled=scaled).test.p <= 0.05 for _ in range(1000)]
        )
        for scaled in (True, False)
    }
    assert found[False] == pytest.approx(0.029, abs=3 * math.sqrt(0.029 * 0.971 * (1 / 1000 + 1 / 2000)))
    expected = rate(full, "counts", 8, 5, "names_magnitude")
    assert found[True] == pytest.approx(expected, abs=3 * math.sqrt(expected * (1 - expected) * (1 / 1000 + 1 / 2000)))


def test_the_table_is_whole_and_of_2000_replicates(full):
    assert len(full) == len(calibration.DESIGNS)
    assert set(full["replicates"]) == {2000}


def test_group_tests_reject_at_most_7_percent_without_a_difference(full):
    null = full[full["truth"].isin(["nothing", "names"])]
    assert null[["groups_magnitude", "groups_direction"]].to_numpy().max() <= 0.07


def test_names_tests_keep_3_to_7_percent_without_personas_and_ties(full):
    null = full[(full["truth"] == "nothing") & (full["scenario"] != "counts")]
    assert null[["names_magnitude", "names_direction"]].stack().between(0.03, 0.07).all()


def test_the_published_test_always_rejects_continuous_outcomes(full):
    continuous = full[full["scenario"] != "counts"]
    assert continuous["published"].min() == 1


def test_half_a_standard_deviation_is_found(full):
    for models in (1, 5):
        assert rate(full, "shift .5", 80, models, "names_direction") > 0.9
        assert rate(full, "shift .5", 80, models, "groups_direction") > 0.9


def test_a_fresh_run_agrees_with_the_committed_one(full):
    for scenario in ("iid", "shift 1"):
        row = rates(Design(scenario, 8, 5, 10), replicates=200, seed=1)
        for test in calibration.TESTS:
            expected = rate(full, scenario, 8, 5, test)
            error = math.sqrt(max(expected * (1 - expected), 0.01) * (1 / 200 + 1 / 2000))
            assert row[test] == pytest.approx(expected, abs=4 * error)


def test_the_standard_error_is_binomial():
    row = rates(Design("shift 1", 8, 1, 10), replicates=20, seed=1)
    r = row["names_direction"]
    assert row["names_direction_se"] == pytest.approx((r * (1 - r) / 20) ** 0.5)  # √(r (1 - r) / R)


def test_a_pair_serves_with_different_partners_and_never_itself():
    pairs = deal(80, 10)
    assert (pairs[:, 0] != pairs[:, 1]).all()
    assert len({tuple(row) for row in pairs}) == 80  # of 10 x 9 ordered pairs


def test_a_run_goes_on_where_it_stopped(tmp_path):
    out, designs = tmp_path / "table.csv", [Design("iid", 8, 1, 6), Design("shift 1", 8, 1, 6)]
    whole = calibrate(designs, replicates=3, seed=1)
    calibrate(designs[:1], replicates=3, seed=1, out=out)
    asked = []
    calibrate(
        designs, replicates=3, seed=1, out=out, row_of=lambda design, **rest: asked.append(design) or rates(design, **rest)
    )
    assert asked == designs[1:]
    pd.testing.assert_frame_equal(pd.read_csv(out), whole)


def test_a_table_of_other_replicates_is_refused(tmp_path):
    out = tmp_path / "table.csv"
    calibrate([Design("iid", 8, 1, 6)], replicates=3, seed=1, out=out)
    with pytest.raises(InputError, match="replicates is 3, not 4"):
        calibrate([Design("iid", 8, 1, 6)], replicates=4, seed=1, out=out)


def test_a_table_of_another_simulation_is_refused(tmp_path):
    out = tmp_path / "table.csv"
    designs = [Design("iid", 8, 1, 10)]
    calibrate(designs, replicates=3, seed=1, out=out, row_of=coverage.rates, columns=coverage.RATES)
    with pytest.raises(InputError, match=r"table.csv is no table of this command \(it has no column published\)"):
        calibrate(designs, replicates=3, seed=1, out=out)
    out.unlink()
    calibrate(designs, replicates=3, seed=1, out=out)
    pd.read_csv(out).assign(resamples=99).to_csv(out, index=False)
    with pytest.raises(InputError, match="resamples is 99, not 499"):
        calibrate(designs, replicates=3, seed=1, out=out)
