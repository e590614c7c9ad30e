"""Tables 4 and 5, Fig. 2: disparities by axis, their direction, and intersectional against single axes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from tables_by_hand import NAN, cell, pairs, row, upper

from eftlib import analysis
from eftlib.benchmark import AXES

ROOT2 = math.sqrt(2)

# --- effects


def test_each_axis_is_tested_on_its_own_pairs() -> None:
    table = analysis.axis_effects(pairs(cell([1, -3, None], axis="race"), cell([5], axis="age")))
    found = row(table, axis="race")
    # mean 2, SD sqrt(2)
    assert (found["n"], found["excluded"], found["mean"]) == (2, 1, 2.0)
    assert found["d"] == pytest.approx(2 / ROOT2, rel=1e-12)


def test_the_family_is_all_cells_that_were_tested() -> None:
    three, two = upper(3 / math.sqrt(3.5)), upper(ROOT2)  # of 1 2 3 and of 1 1, as in test_existence
    table = analysis.axis_effects(
        pairs(cell([1, 2, 3]), cell([1, 1], axis="age"), cell([0], axis="race"), cell([None], axis="age", metric="efp"))
    )
    assert set(table["m"]) == {2}
    assert set(table["family"]) == {"axes x metrics"}
    # alone in its axis, 1 2 3 would keep p = 0.054
    assert row(table, axis="gender")["p"] == pytest.approx(three)
    assert row(table, axis="gender")["p_bh"] == pytest.approx(two)
    assert row(table, axis="race")["reason"] == "no variation"


def test_axes_stand_in_the_order_of_the_benchmark_and_one_without_pairs_does_not() -> None:
    table = pairs(*(cell([1, 2], axis=axis) for axis in reversed(AXES) if axis != "age"))
    assert analysis.axis_effects(table)["axis"].tolist() == ["gender", "race", "religion", "intersectional"]


# --- ranking


def ranking(**cells: Sequence[list[float | None]]) -> pd.DataFrame:
    """Rank axes whose disparities in word_count, ttr, … are these."""
    rows = [
        cell(values, axis=axis, metric=metric)
        for axis, each in cells.items()
        for metric, values in zip(("word_count", "ttr", "fkgl"), each, strict=False)
    ]
    return analysis.axis_ranking(analysis.axis_effects(pairs(*rows)))


def test_axes_are_ranked_by_mean_d() -> None:
    # mean (x + y) / 2, SD |y - x| / sqrt(2): d is 2 / sqrt(2) of 1 3, 3 / sqrt(2) of 2 4, 1 / sqrt(2) of 0 1
    table = ranking(gender=[[0, 1], [1, 3]], age=[[2, 4], [2, 4]], race=[[1, 3], [0, 1]])
    assert table["axis"].tolist() == ["age", "gender", "race"]
    assert table["mean_d"].tolist() == pytest.approx([3 / ROOT2, 1.5 / ROOT2, 1.5 / ROOT2])
    assert table["worst"].tolist() == [2, 0, 0]


def test_equal_means_share_the_better_rank() -> None:
    table = ranking(gender=[[0, 1], [1, 3]], age=[[2, 4], [2, 4]], race=[[0, 2], [2, 6]], religion=[[0, 1], [0, 1]])
    # the means of gender and race are equal to the last digit: d does not depend on scale
    assert table["rank"].tolist() == [1, 2, 2, 4]


def test_worst_counts_the_metrics_in_which_an_axis_has_the_highest_d() -> None:
    table = ranking(gender=[[2, 4], [0, 1], [2, 4]], age=[[1, 3], [2, 4], [1, 3]], race=[[0, 1], [1, 3], [0, 1]])
    assert table.set_index("axis")["worst"].to_dict() == {"gender": 2, "age": 1, "race": 0}


def test_a_mean_is_over_the_metrics_that_have_a_d() -> None:
    found = row(ranking(gender=[[0, 0], [1, 3]], age=[[2, 4], [0, 1]]), axis="gender")
    assert (found["n"], found["metrics"]) == (2, 1)
    assert found["mean_d"] == pytest.approx(2 / ROOT2)


@pytest.mark.parametrize("nothing", [[0, 0], [None, None], [3]])
def test_an_axis_without_a_d_has_no_rank_and_stands_last(nothing: list[float | None]) -> None:
    table = ranking(gender=[nothing], age=[[1, 3]])
    assert table["axis"].tolist() == ["age", "gender"]
    found = row(table, axis="gender")
    assert math.isnan(found["mean_d"])
    assert pd.isna(found["rank"])
    assert (found["metrics"], found["worst"]) == (0, 0)


def test_where_no_axis_has_a_d_none_is_worst() -> None:
    table = ranking(gender=[[0, 0]], age=[[0, 0]])
    assert table["worst"].tolist() == [0, 0]
    assert table["rank"].isna().all()


def test_n_is_the_pairs_of_the_metric_that_has_most() -> None:
    assert row(ranking(gender=[[1, 2, 3], [1, 2, None]], age=[[1, 2]]), axis="gender")["n"] == 3


def test_axes_with_the_same_d_are_equally_often_worst() -> None:
    assert len(set(ranking(gender=[[1, 3], [2, 4]], age=[[1, 3], [2, 4]])["worst"])) == 1


def test_an_axis_alone_is_not_the_worst() -> None:
    assert ranking(gender=[[1, 3], [2, 4]])["worst"].tolist() == [0]


# --- directions


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("n", 6),
        ("excluded", 1),
        ("difference", 0.5),  # (3 + 2 + 1 - 3 + 0 + 0) / 6
        ("median", 0.5),  # -3 0 0 | 1 2 3
        ("higher", 3),
        ("lower", 1),
        ("zeros", 2),
        ("share_higher", 0.5),  # of all pairs that have a difference, zeros too
        ("p", 0.625),  # 3 or more of 4: (4 + 1) / 16, twice
        ("reason", None),
    ],
)
def test_directions_worked_out_by_hand(column: str, expected: object) -> None:
    assert row(analysis.directions(pairs(cell([3, 2, None, 1, -3, 0, 0]))))[column] == expected


@pytest.mark.parametrize(
    ("higher", "lower", "zeros", "p"),
    [
        # R: binom.test(25, 36); the study's religion and elaboration is 25 of 40 lower
        (11, 25, 4, 0.028816719655878842),
        # R: binom.test(25, 40)
        (15, 25, 0, 0.1538599441628321),
        # R: binom.test(17, 22)
        (17, 5, 3, 0.01690053939819336),
    ],
)
def test_the_sign_test_agrees_with_r(higher: int, lower: int, zeros: int, p: float) -> None:
    found = row(analysis.directions(pairs(cell([1] * higher + [-7] * lower + [0] * zeros))))
    assert (found["higher"], found["lower"], found["zeros"]) == (higher, lower, zeros)
    assert found["p"] == pytest.approx(p, rel=1e-10)


@pytest.mark.parametrize(("differences", "n", "share"), [([0, 0], 2, 0.0), ([None, None], 0, NAN)])
def test_a_cell_without_a_sign_has_no_p_and_is_out_of_the_family(differences: list[float], n: int, share: float) -> None:
    table = analysis.directions(pairs(cell(differences), cell([1, 1], axis="race"), cell([-1], axis="race", metric="ttr")))
    found = row(table, axis="gender", metric="word_count")
    assert (found["n"], found["m"]) == (n, 2)
    assert found["share_higher"] == pytest.approx(share, nan_ok=True)
    assert np.isnan([found["p"], found["p_bh"]]).all()
    assert found["reason"]


def test_each_axis_has_a_row_for_each_metric() -> None:
    # a cell that no pair is in is shown, with n = 0
    table = analysis.directions(pairs(cell([1]), cell([1], axis="age", metric="ttr")))
    assert table[["axis", "metric", "n"]].to_numpy().tolist() == [
        ["gender", "word_count", 1], ["gender", "ttr", 0], ["age", "word_count", 0], ["age", "ttr", 1],
    ]  # fmt: skip


def test_directions_are_corrected_over_all_cells() -> None:
    # p of 5 of 5 is 2 / 32 = 0.0625, of 1 of 1 it is 1: by 2 / 1 and 2 / 2
    table = analysis.directions(pairs(cell([1] * 5), cell([1], axis="age")))
    assert table["p_bh"].tolist() == [0.125, 1.0]
    assert set(table["family"]) == {"axes x metrics"}


# --- intersectional


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("n", 4),
        ("n_single", 4),
        ("mean", 5.0),  # (2 + 5 + 6 + 7) / 4
        ("mean_single", 2.5),  # (1 + 2 + 3 + 4) / 4, over two axes
        ("ratio", 2.0),
        ("u", 13.5),  # 2 above 1 and a tie with 2: 1.5; the others above all: 3 * 4
        # mean 8; 4 * 4 / 12 * (9 - (2^3 - 2) / (8 * 7)); less 1/2 for continuity
        ("p", 2 * upper(5 / math.sqrt(4 / 3 * (9 - 6 / 56)))),
    ],
)
def test_intersectional_worked_out_by_hand(column: str, expected: float) -> None:
    table = pairs(cell([2, -5, None, 6, 7], axis="intersectional"), cell([1, -2], axis="race"), cell([3, 4], axis="age"))
    assert row(analysis.intersectional(table))[column] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("cells", "means"),
    [
        ([cell([2, 3])], (NAN, 2.5)),
        ([cell([2, 3], axis="intersectional")], (2.5, NAN)),
        ([cell([2, 3]), cell([None], axis="intersectional")], (NAN, 2.5)),
    ],
)
def test_without_one_of_the_two_there_is_nothing_to_compare(cells: list[list[dict]], means: tuple[float, float]) -> None:
    found = row(analysis.intersectional(pairs(*cells)))
    assert (found["mean"], found["mean_single"]) == pytest.approx(means, nan_ok=True)
    assert np.isnan([found["ratio"], found["u"], found["p"], found["p_bh"]]).all()
    assert (found["reason"], found["m"]) == ("a sample is empty", 0)


def test_where_all_disparities_are_one_there_is_no_p() -> None:
    found = row(analysis.intersectional(pairs(cell([2, -2, 2, 2]), cell([2] * 4, axis="intersectional"))))
    assert (found["ratio"], found["u"], found["reason"]) == (1.0, 8.0, "no variation")
    assert math.isnan(found["p"])


def test_of_fewer_than_four_there_is_no_p() -> None:
    # exact, two-sided, with the smallest U: 2 / C(8, 4) = 0.029 of four and four, 2 / C(6, 3) = 0.1 of three and three
    few, enough = (
        row(analysis.intersectional(pairs(cell([1, 2, 3, 4, 5]), cell([9] * n, axis="intersectional")))) for n in (3, 4)
    )
    assert math.isnan(few["p"])
    assert few["reason"] == "fewer than 4 in a sample"
    assert enough["p"] < 0.05


def test_a_ratio_to_0_is_undefined() -> None:
    assert math.isnan(row(analysis.intersectional(pairs(cell([0, 0]), cell([2], axis="intersectional"))))["ratio"])


def test_intersectional_is_corrected_over_the_metrics_tested() -> None:
    table = analysis.intersectional(
        pairs(
            *(cell([1, 2, 3, 4]), cell([5, 6, 7, 8], axis="intersectional")),
            *(cell([0], metric="ttr"), cell([0], axis="intersectional", metric="ttr")),
        )
    )
    assert table["m"].tolist() == [1, 1]
    assert set(table["family"]) == {"metrics"}
    # mean 8; 4 * 4 / 12 * 9; U = 16 less 8 and 1/2
    p = 2 * upper(7.5 / math.sqrt(12))
    assert table["p_bh"].tolist() == pytest.approx([p, NAN], nan_ok=True)
