"""The simulated studies: against the rates in ``pages/noise_floor.md`` section 3 and 4, committed and fresh."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from shared import ROOT

from eftlib import calibration
from eftlib.calibration import Design, calibrate, deal, rates
from eftlib.errors import InputError


@pytest.fixture(scope="module")
def full() -> pd.DataFrame:
    return pd.read_csv(ROOT / "data" / "calibration.csv")


def rate(full: pd.DataFrame, scenario: str, templates: int, models: int, test: str) -> float:
    rows = full[(full["scenario"] == scenario) & (full["templates"] == templates) & (full["models"] == models)]
    return float(rows.loc[rows["personas"] == 10, test].iloc[0])


# noise-floor sections 3 and 4, simulated by code of its own with 2,000 replicates
@pytest.mark.parametrize(
    ("row", "test", "expected"),
    [
        (("iid", 80, 5), "names_magnitude", 0.053),
        (("iid", 80, 5), "groups_magnitude", 0.030),
        (("t2", 80, 1), "names_magnitude", 0.052),
        (("lognormal", 8, 5), "names_magnitude", 0.056),
        (("spread 2", 80, 1), "names_magnitude", 0.26),
        (("spread 2", 80, 5), "names_magnitude", 0.72),
        (("shift .5", 80, 1), "names_magnitude", 0.28),
        (("shift .5", 80, 5), "names_magnitude", 0.76),
        (("shift .5", 80, 5), "groups_magnitude", 0.62),
        (("shift 1", 8, 5), "names_magnitude", 0.79),
        (("varies .5", 80, 5), "names_magnitude", 0.74),
        (("varies 1", 8, 5), "groups_magnitude", 0.36),
        (("shift .5, lognormal", 80, 1), "groups_magnitude", 0.87),
        (("persona .2", 80, 5), "names_direction", 0.314),
        (("persona .3", 80, 5), "names_direction", 0.416),
        (("persona .3", 80, 5), "groups_direction", 0.050),
        (("shift .25", 80, 1), "names_direction", 0.60),
        (("shift .25", 80, 1), "groups_direction", 0.47),
        (("shift .5", 8, 5), "groups_direction", 0.69),
    ],
)
def test_the_committed_rates_are_those_of_the_other_simulation(full, row, test, expected):
    error = math.sqrt(2 * expected * (1 - expected) / 2000)  # of the difference of two simulations
    # four standard errors, and .02 for 499 relabellings in place of 9,999 and a deal that differs
    assert rate(full, *row, test) == pytest.approx(expected, abs=4 * error + 0.02)


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


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    out, designs = tmp_path / "table.csv", [Design("iid", 8, 1, 6), Design("shift 1", 8, 1, 6)]
    whole = calibrate(designs, replicates=3, seed=1)
    calibrate(designs[:1], replicates=3, seed=1, out=out)
    asked = []
    original = calibration.rates
    monkeypatch.setattr(calibration, "rates", lambda design, **rest: asked.append(design) or original(design, **rest))
    calibrate(designs, replicates=3, seed=1, out=out)
    assert asked == designs[1:]
    pd.testing.assert_frame_equal(pd.read_csv(out), whole)


def test_a_table_of_other_replicates_is_refused(tmp_path):
    out = tmp_path / "table.csv"
    calibrate([Design("iid", 8, 1, 6)], replicates=3, seed=1, out=out)
    with pytest.raises(InputError, match="replicates is 3, not 4"):
        calibrate([Design("iid", 8, 1, 6)], replicates=4, seed=1, out=out)
