"""Table 3: whether disparities are above 0, as published."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from tables_by_hand import NAN, cell, pairs, row, upper

from eftlib import analysis
from eftlib.metrics import STUDY_METRICS

# data$x of reference/statistics.json; R 4.2.2, scipy and a version from scratch agree on what follows from it
X = [0, 0, 0, 1.5, 1.5, -1.5, 2, 2, -2, 3, 3, 3, -0.5, 0.5, 4.25, 5, -4.25, 7, 7, 8.5, -1, 10, 12, 0.5, 15]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("n", 5),
        ("excluded", 1),
        ("mean", 1.6),  # (3 + 1 + 2 + 2 + 0) / 5
        ("median", 2.0),
        ("d", 1.6 / math.sqrt(1.3)),  # squares 18, less 5 * 1.6^2 = 12.8, by 4
        ("label", "large"),
        ("zeros", 1),
        ("statistic", 10.0),  # 1 -> 1, 2 and 2 -> 2.5 each, 3 -> 4
        ("p", upper(5 / math.sqrt(7.375))),  # W 10 less 4 * 5 / 4; 4 * 5 * 9 / 24 less (2^3 - 2) / 48 for the tie
        ("reason", None),
    ],
)
def test_values_worked_out_by_hand(column: str, expected: object) -> None:
    found = row(analysis.existence(pairs(cell([3, -1, 2, -2, 0, None]))))[column]
    assert found == (pytest.approx(expected, rel=1e-12) if isinstance(expected, float) else expected)


def test_the_test_agrees_with_r() -> None:
    # R: wilcox.test(abs(x), alternative="greater", exact=FALSE, correct=FALSE)
    found = row(analysis.existence(pairs(cell(X))))
    assert (found["n"], found["zeros"], found["statistic"]) == (25, 3, 253.0)
    assert found["p"] == pytest.approx(1.963073777995141e-05, rel=1e-10)
    assert found["d"] == pytest.approx(np.mean(np.abs(X)) / np.std(np.abs(X), ddof=1), rel=1e-12)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e6])
def test_the_test_rejects_for_any_noise(size: float) -> None:
    # n = 400 positive values, R: 1.365e-67, whatever they are; signs cancel and no group is ahead
    noise = [size * (-1) ** number * number for number in range(1, 401)]
    assert row(analysis.existence(pairs(cell(noise))))["p"] == pytest.approx(1.365034630976675e-67, rel=1e-9)


def test_the_family_is_the_metrics_that_were_tested() -> None:
    # p of 1 2 3: z = (6 - 3) / sqrt(3 * 4 * 7 / 24); p of 1 1: z = (3 - 1.5) / sqrt(1.25 - 6 / 48)
    three, two = upper(3 / math.sqrt(3.5)), upper(math.sqrt(2))
    table = analysis.existence(
        pairs(
            *(cell([1, 2, 3]), cell([1, 1, 0], metric="ttr")),
            *(cell([0, 0], metric="fkgl"), cell([None, None], metric="efp")),
        )
    )
    assert set(table["m"]) == {2}
    assert set(table["family"]) == {"metrics"}
    # sorted 0.054 0.079: the larger by 2 / 2, the smaller by 2 / 1 but not above it
    assert two < 2 * three
    assert [row(table, metric=name)["p_bh"] for name in ("word_count", "ttr", "fkgl", "efp")] == pytest.approx(
        [two, two, NAN, NAN], nan_ok=True
    )


def test_disparities_that_are_all_0_have_no_d_and_no_test() -> None:
    found = row(analysis.existence(pairs(cell([0, 0, 0]))))
    assert (found["n"], found["zeros"], found["mean"], found["median"]) == (3, 3, 0.0, 0.0)
    assert np.isnan([found["d"], found["statistic"], found["p"], found["p_bh"]]).all()
    assert (found["label"], found["reason"], found["m"]) == (None, "no variation", 0)


def test_a_metric_without_values_has_its_row_and_counts_them() -> None:
    found = row(analysis.existence(pairs(cell([None, None], metric="efp"), cell([1, 2]))), metric="efp")
    assert (found["n"], found["excluded"], found["zeros"]) == (0, 2, 0)
    assert pd.isna(found["label"])
    assert np.isnan([found["mean"], found["median"], found["d"], found["statistic"], found["p"], found["p_bh"]]).all()
    assert found["reason"]


def test_a_metric_without_values_does_not_say_that_they_do_not_vary() -> None:
    assert row(analysis.existence(pairs(cell([None, None]))))["reason"] != "no variation"


@pytest.mark.parametrize("differences", [[2, 2, -2], [2]])
def test_without_variation_d_is_undefined_and_the_test_runs(differences: list[float]) -> None:
    found = row(analysis.existence(pairs(cell(differences))))
    assert math.isnan(found["d"])
    assert found["label"] is None
    assert 0 < found["p"] < 1


@pytest.mark.parametrize("differences", [[2, 2, -2], [2]])
def test_an_undefined_d_has_a_reason(differences: list[float]) -> None:
    assert row(analysis.existence(pairs(cell(differences))))["reason"] is not None


def test_metrics_stand_in_the_order_of_the_study_and_others_after_them() -> None:
    table = pairs(*(cell([1, 2], metric=name) for name in ("naming_rate", *reversed(STUDY_METRICS))))
    assert tuple(analysis.existence(table)["metric"]) == (*STUDY_METRICS, "naming_rate")
