"""Table 8: disparities under a mitigation against those of the baseline, as published."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tables_by_hand import NAN, cell, pairs, row, upper

from eftlib import analysis
from eftlib.metrics import STUDY_METRICS

# data of reference/statistics.json
BASELINE = [4, 7, 2, 9, 5, 5, 0, 12, 3, 8, 6, 4]
MITIGATED = [3, 5, 0, 6, 2, 5, 1, 4, 0, 7, 3, 2]


def blind(differences: list[Any], **where: Any) -> list[dict[str, Any]]:
    return cell(differences, **{"condition": "blind"} | where)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("n", 12),
        ("n_mitigated", 12),
        ("baseline", 65 / 12),
        ("mitigated", 38 / 12),
        ("change", 38 / 65 - 1),
        # R: wilcox.test(mit, base, alternative="less", exact=FALSE, correct=TRUE)
        ("u", 42.0),
        ("p", 0.0432968685205156),
        ("r", 1 - 2 * 42 / 144),  # positive: lower under the mitigation
    ],
)
def test_the_test_agrees_with_r(column: str, expected: float) -> None:
    assert row(analysis.mitigations(pairs(cell(BASELINE), blind(MITIGATED))))[column] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("after", "u", "r", "label", "change"),
    [
        ([1, 1, 1], 0.0, 1.0, "large", -0.75),  # below all
        ([6, -9, 6], 9.0, -1.0, "large", 0.75),  # above all
        ([3, 5, 4], 4.5, 0.0, "negligible", 0.0),  # a tie with each, and 0 + 2 + 1 above
    ],
)
def test_r_is_positive_where_disparities_are_lower(after: list[float], u: float, r: float, label: str, change: float) -> None:
    found = row(analysis.mitigations(pairs(cell([3, -5, 4]), blind(after))))
    assert (found["u"], found["r"], found["label"], found["change"]) == (u, r, label, change)


def test_pairs_without_a_disparity_are_left_out_of_either_sample() -> None:
    found = row(analysis.mitigations(pairs(cell([3, 5, None, None]), blind([1, 1, 1, None]))))
    assert (found["n"], found["n_mitigated"], found["baseline"]) == (2, 3, 4.0)


@pytest.mark.parametrize(
    ("before", "after", "n"), [([None, None], [1, 2], (0, 2)), ([1, 2], [None, None], (2, 0)), ([], [1, 2], (0, 2))]
)
def test_without_one_of_the_two_there_is_nothing_to_compare(before: list[Any], after: list[Any], n: tuple[int, int]) -> None:
    found = row(analysis.mitigations(pairs(cell(before), blind(after))))
    assert (found["n"], found["n_mitigated"]) == n
    assert np.isnan([found["change"], found["u"], found["r"], found["p"], found["p_bh"]]).all()
    assert (found["label"], found["reason"], found["m"]) == (None, "a sample is empty", 0)


@pytest.mark.parametrize("size", [1, 2])
def test_of_fewer_than_three_there_is_no_effect_and_no_p(size: int) -> None:
    # exact p with the smallest U: 1 / C(6, 3) = 0.05 of three and three, 1 / C(4, 2) of two and two
    for before, after in (([4, 5, 6, 7], [1] * size), ([4, 5, 6, 7][:size], [1, 2, 3])):
        found = row(analysis.mitigations(pairs(cell(before), blind(after))))
        assert np.isnan([found["r"], found["p"], found["p_bh"]]).all()
        assert (found["label"], found["reason"], found["m"]) == (None, "fewer than 3 in a sample", 0)
        assert (found["n_mitigated"], found["mitigated"]) == (len(after), np.mean(after))
    assert row(analysis.mitigations(pairs(cell([4, 5, 6]), blind([1, 2, 3]))))["label"] == "large"


def test_where_no_disparity_is_above_0_there_is_no_p() -> None:
    found = row(analysis.mitigations(pairs(cell([0, 0, 0]), blind([0, 0, 0]))))
    assert (found["u"], found["r"], found["reason"], found["m"]) == (4.5, 0.0, "no variation", 0)
    assert np.isnan([found["change"], found["p"]]).all()


def test_a_change_from_0_is_undefined() -> None:
    assert math.isnan(row(analysis.mitigations(pairs(cell([0, 0]), blind([1, 2]))))["change"])


def test_a_mitigation_is_compared_where_it_was_asked() -> None:
    # fairness was asked of two alone, and each is compared with the baseline of its own model
    table = analysis.mitigations(
        pairs(
            *(cell([1, 2], model="one"), blind([1, 2], model="one"), cell([8], model="two"), blind([4], model="two")),
            *(cell([2], model="two", condition="fairness"), cell([9], model="three")),
        )
    )
    assert table[["model", "condition", "baseline", "mitigated"]].to_numpy().tolist() == [
        ["one", "blind", 1.5, 1.5], ["two", "blind", 8.0, 4.0], ["two", "fairness", 8.0, 2.0],
    ]  # fmt: skip


def test_without_a_mitigation_the_table_is_empty_and_has_its_columns() -> None:
    table = analysis.mitigations(pairs(cell([1, 2])))
    assert table.empty
    assert {"metric", "model", "condition", "n", "n_mitigated", "u", "r", "p", "reason"} <= set(table)


def test_without_a_mitigation_the_table_has_the_columns_of_its_family() -> None:
    assert {"p_bh", "m", "family"} <= set(analysis.mitigations(pairs(cell([1, 2]))))


def test_the_family_is_every_comparison_that_ran() -> None:
    # all below: U = 0, mean 4.5, variance 9 * 7 / 12, half for continuity; all above: U = 9
    low, high = upper(4 / math.sqrt(5.25)), upper(-5 / math.sqrt(5.25))
    table = analysis.mitigations(
        pairs(
            *(cell([4, 5, 6]), blind([1, 2, 3]), cell([7, 8, 9], condition="fairness")),
            *(cell([0], metric="ttr"), blind([0], metric="ttr")),
        )
    )
    assert set(table["m"]) == {2}
    assert set(table["family"]) == {"metrics x models x mitigations"}
    assert table["p"].tolist() == pytest.approx([low, high, NAN], nan_ok=True)
    assert table["p_bh"].tolist() == pytest.approx([2 * low, high, NAN], nan_ok=True)


def test_rows_stand_by_metric_then_model_then_condition() -> None:
    cells = [
        cell([1, 2], metric=metric, model=model, condition=condition)
        for metric in reversed(STUDY_METRICS)
        for model in ("two", "one")
        for condition in ("baseline", "fairness", "blind")
    ]
    table = analysis.mitigations(pairs(*cells))
    assert table[["metric", "model", "condition"]].to_numpy().tolist() == [
        [metric, model, condition]
        for metric in STUDY_METRICS
        for model in ("two", "one")
        for condition in ("fairness", "blind")
    ]


# --- each template its own control


def both(before: list[float | None], after: list[float | None], **where: object) -> pd.DataFrame:
    return pairs(cell(before, condition="baseline", **where), cell(after, condition="blind", **where))


def test_gaps_are_compared_template_by_template() -> None:
    # |A - B| falls by 1 in each of four templates, whose baselines are far apart: 2 of 16 flips are as extreme
    found = row(analysis.paired_mitigations(both([10, -20, 30, 40], [9, 19, -29, 39]), seed=1), metric="word_count")
    assert (found["n"], found["excluded"], found["change"], found["p"], found["floor"]) == (4, 0, -1, 2 / 16, 2 / 16)
    assert (found["baseline"], found["mitigated"], found["ratio"]) == (25, 24, 0.96)
    # of the independent samples 39 > 30 and so on: nothing is seen
    assert row(analysis.mitigations(both([10, -20, 30, 40], [9, 19, -29, 39])), metric="word_count")["p"] > 0.3


def test_a_gap_that_grows_is_found_as_well() -> None:
    found = row(analysis.paired_mitigations(both([1, 2, 3, 4, 5, 6], [2, 4, 5, 7, 9, 9]), seed=1), metric="word_count")
    assert found["p"] == 2 / 64
    assert found["ratio"] == 36 / 21
    assert not found["equivalent"]


def test_the_limits_are_those_of_fieller() -> None:
    # C 1 2, W 1 1 + n = 2, t(.975, 1) = 12.706: s_CC .5, s_WW 0, s_CW 0; r = 1.5 ± 12.706 sqrt(.5 / 2)
    found = row(analysis.paired_mitigations(both([1, 1], [1, 2]), seed=1), metric="word_count")
    assert (found["ratio_low"], found["ratio_high"]) == pytest.approx((1.5 - 12.7062 / 2, 1.5 + 12.7062 / 2), abs=1e-4)


def test_equal_gaps_with_little_noise_are_equivalent_and_unequal_ones_are_not() -> None:
    before = [float(value) for value in range(100, 120)]
    same = [value + (-1) ** place for place, value in enumerate(before)]
    assert row(analysis.paired_mitigations(both(before, same), seed=1), metric="word_count")["equivalent"]
    halved = [value / 2 + (-1) ** place for place, value in enumerate(before)]
    assert not row(analysis.paired_mitigations(both(before, halved), seed=1), metric="word_count")["equivalent"]


def test_a_template_without_both_gaps_is_counted_and_draws_are_averaged() -> None:
    table = pd.concat([both([1, 5, None], [3, None, 2]), both([3, 7, None], [5, 8, None], draw=1)], ignore_index=True)
    found = row(analysis.paired_mitigations(table, seed=1), metric="word_count")
    # T1: 1 and 3 to 3 and 5; T2: 7 to 8 in draw 1 alone; T3 has no baseline
    assert (found["n"], found["excluded"], found["baseline"], found["mitigated"]) == (2, 1, 4.5, 6)


def test_without_a_mitigation_there_is_no_row_and_without_values_a_reason() -> None:
    assert analysis.paired_mitigations(pairs(cell([1, 2])), seed=1).empty
    found = row(analysis.paired_mitigations(both([None], [None]), seed=1), metric="word_count")
    assert found["n"] == 0
    assert found["reason"]


@pytest.mark.parametrize(("factor", "equivalent"), [(0.79, False), (0.81, True), (1.24, True), (1.26, False)])
def test_the_bounds_of_equivalence_are_those_of_the_analysis_plan(factor: float, equivalent: bool) -> None:
    # 0.8 and 1.25; twenty gaps whose ratios lie within .1 % of the factor
    before = [float(value) for value in range(100, 120)]
    after = [factor * value * (1 + 0.001 * (-1) ** place) for place, value in enumerate(before)]
    assert row(analysis.paired_mitigations(both(before, after), seed=1), metric="word_count")["equivalent"] is equivalent
