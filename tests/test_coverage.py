"""Intervals and equivalence in simulated studies: against ``pages/noise_floor.md`` sections 3 and 5, committed and fresh."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from shared import ROOT

from eftlib import coverage
from eftlib.calibration import SCENARIOS, Design, Scenario, simulate
from eftlib.coverage import rates, truth


@pytest.fixture(scope="module")
def full() -> pd.DataFrame:
    return pd.read_csv(ROOT / "data" / "coverage.csv")


def rate(full: pd.DataFrame, scenario: str, templates: int, models: int, name: str) -> float:
    rows = full[(full["scenario"] == scenario) & (full["templates"] == templates) & (full["models"] == models)]
    assert len(rows) == 1
    return float(rows[name].iloc[0])


def gaps(y: np.ndarray) -> tuple[float, float, float]:
    """Mean cross-group gap, mean placebo gap and mean of B - A of one large study."""
    a, b = y[..., :2], y[..., 2:]
    cross = np.abs(a[..., :, None] - b[..., None, :]).mean()
    within = (np.abs(a[..., 0] - a[..., 1]).mean() + np.abs(b[..., 0] - b[..., 1]).mean()) / 2
    return float(cross), float(within), float(b.mean() - a.mean())


@pytest.mark.parametrize("scenario", [name for name in coverage.KNOWN if name != "t2"])  # whose means converge too slowly
def test_what_is_called_true_is_what_a_study_of_many_templates_has(scenario: str) -> None:
    y = simulate(Design(scenario, 200_000, 1, 2_000), np.random.default_rng(7))
    cross, within, difference = gaps(y)
    ratio, standardised = truth(SCENARIOS[scenario])
    assert cross / within == pytest.approx(ratio, abs=0.01)
    assert difference / (within * math.sqrt(math.pi) / 2) == pytest.approx(standardised, abs=0.03)


def test_the_table_is_whole_and_of_2000_replicates(full: pd.DataFrame) -> None:
    assert len(full) == len(coverage.DESIGNS)
    assert set(full["replicates"]) == {2000}
    for name, each in SCENARIOS.items():
        known = full[full["scenario"] == name]
        assert np.allclose(known[["ratio", "difference"]], truth(each) if len(known) else 0)


# pages/noise_floor.md sections 3 and 5, simulated by code of its own: 2,000 replicates (3) and 3,000 (5)
PRINTED = [
    ("iid", 80, 1, "names_ratio_held", 0.949), ("iid", 80, 5, "names_ratio_held", 0.957),
    ("iid", 29, 1, "names_ratio_held", 0.932), ("iid", 8, 1, "names_ratio_held", 0.919),
    ("iid", 8, 5, "names_ratio_held", 0.947),
    ("shift .5, lognormal", 80, 1, "names_ratio_held", 0.956), ("shift .5, lognormal", 29, 1, "names_ratio_held", 0.957),
    ("scale", 80, 1, "names_ratio_held", 0.940), ("scale", 29, 1, "names_ratio_held", 0.938),
    ("scale", 8, 1, "names_ratio_held", 0.959),
    ("shift .5", 80, 5, "names_ratio_held", 0.957), ("shift .5", 8, 5, "names_ratio_held", 0.947),
    ("shift .5, persona .2", 80, 5, "groups_ratio_held", 0.945), ("shift .5, persona .3", 80, 5, "groups_ratio_held", 0.918),
    ("iid", 80, 5, "groups_ratio_held", 0.985),
    ("iid", 80, 1, "names_ratio_equivalent", 0.41), ("iid", 80, 5, "names_ratio_equivalent", 0.96),
    ("iid", 29, 1, "names_ratio_equivalent", 0.21), ("iid", 29, 5, "names_ratio_equivalent", 0.61),
    ("iid", 80, 1, "names_difference_equivalent", 0.11), ("iid", 80, 5, "names_difference_equivalent", 0.98),
    ("iid", 29, 5, "names_difference_equivalent", 0.51),
]  # fmt: skip


@pytest.mark.parametrize(("scenario", "templates", "models", "name", "printed"), PRINTED)
def test_the_committed_shares_are_those_of_the_other_simulation(
    *, full: pd.DataFrame, scenario: str, templates: int, models: int, name: str, printed: float
) -> None:
    ours = rate(full, scenario, templates, models, name)
    middle = (ours + printed) / 2
    half = 0.0005 if name.endswith("held") else 0.005  # what rounding leaves open
    assert ours == pytest.approx(printed, abs=3 * math.sqrt(2 * middle * (1 - middle) / 2000) + half)


def test_intervals_of_names_hold_the_truth_about_as_often_as_they_promise(full: pd.DataFrame) -> None:
    known = full[full["templates"] >= 15].dropna(subset=["names_ratio_held"])
    assert known["names_ratio_held"].between(0.915, 0.97).all()
    # skewed and shifted texts excepted: with 15 or 29 templates of one model .85
    assert known.loc[known["scenario"] != "shift .5, lognormal", "names_difference_held"].between(0.88, 0.935).all()


def test_the_groups_interval_of_a_difference_is_too_narrow_beside_a_large_shift(full: pd.DataFrame) -> None:
    # it is over persona pairs alone and takes the placebo SD as known; the page says so
    held = full.set_index("scenario")["groups_difference_held"]
    assert held["varies 1"].between(0.75, 0.87).all()
    assert held["shift 1"].between(0.84, 0.88).all()
    assert full.loc[full["truth"].isin(["nothing", "names"]), "groups_difference_held"].min() > 0.88


def test_equivalence_is_rarely_claimed_at_its_bound(full: pd.DataFrame) -> None:
    # section 5: ratio .025 to .045 with 80 templates, .023 to .059 with 15 to 40; difference at most .061; 3 errors more
    at_ratio = full[(full["scenario"] == "shift .64") & (full["templates"] >= 15)]
    assert at_ratio["names_ratio_equivalent"].max() <= 0.059 + 3 * math.sqrt(0.059 * 0.941 * (1 / 2000 + 1 / 3000))
    at_difference = full[full["scenario"] == "shift .2"]
    assert at_difference[["names_difference_equivalent", "groups_difference_equivalent"]].to_numpy().max() <= 0.061
    # no ratio is for fewer than 15 templates; groups need the names' and their own
    whole = ["names_ratio_equivalent", "groups_ratio_equivalent", "names_equivalent", "groups_equivalent"]
    assert full.loc[full["templates"] < 15, whole].to_numpy().max() == 0
    assert (full["groups_ratio_equivalent"] <= full["names_ratio_equivalent"]).all()


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario("", ratio_sd=2), Scenario("", shift=1, noise="t2"), Scenario("", shift=1, noise="counts"),
        Scenario("", shift=1, scale_sd=1), Scenario("", shift=1, shift_sd=1, noise="lognormal"),
        Scenario("", shift=-1, noise="lognormal"), Scenario("", shift=1, persona_sd=0.2, noise="lognormal"),
    ],
)  # fmt: skip
def test_a_truth_without_a_closed_form_is_not_guessed(scenario: Scenario) -> None:
    with pytest.raises(ValueError, match="no closed form"):
        truth(scenario)


@pytest.mark.parametrize("design", [("shift .5", 29, 5), ("iid", 29, 5), ("iid", 80, 1), ("iid", 8, 5)])
def test_a_fresh_run_agrees_with_the_committed_one(full: pd.DataFrame, design: tuple[str, int, int]) -> None:
    row = rates(Design(*design, 10), replicates=400, seed=1)
    for name in coverage.RATES:
        expected = rate(full, *design, name)
        error = math.sqrt(max(expected * (1 - expected), 0.01) * (1 / 400 + 1 / 2000))
        assert row[name] == pytest.approx(expected, abs=4 * error)


def test_where_names_differ_their_own_truth_is_not_claimed_to_be_known() -> None:
    row = rates(Design("persona .3", 15, 1, 10), replicates=5, seed=1)
    assert math.isnan(row["names_ratio_held"]) and math.isnan(row["names_ratio_held_se"])
    assert not math.isnan(row["groups_ratio_held"]) and not math.isnan(row["names_ratio_equivalent"])


def test_a_shift_of_skewed_texts_is_in_their_own_standard_deviation() -> None:
    # E|X - Y| of two standard lognormals is 2 e^½ (2 Φ(1/√2) - 1) = 1.7164 (Gini .5205 times twice the mean)
    within = truth(Scenario("", shift=1.0, noise="lognormal"))[1]
    assert within == pytest.approx(math.sqrt((math.e - 1) * math.e) / (1.71637 * math.sqrt(math.pi) / 2), rel=1e-4)
