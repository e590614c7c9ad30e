"""Scores of two sides to differences: what is paired, what is averaged, and why a pair has none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tables_by_hand import NAN, cell, pairs, row, scored

from eftlib import analysis
from eftlib.analysis.differences import counts, in_order, with_bh
from eftlib.errors import InputError
from eftlib.metrics import EXTENSIONS, METRICS, STUDY_METRICS


def paired(*rows: dict[str, Any]) -> pd.DataFrame:
    return analysis.differences(pd.DataFrame(rows))


# --- differences


@pytest.mark.parametrize(
    ("a", "b", "difference", "disparity"),
    [(5.0, 8.0, 3.0, 3.0), (8.0, 5.0, -3.0, 3.0), (5.0, 5.0, 0.0, 0.0), (-0.5, 0.25, 0.75, 0.75)],
)
def test_a_difference_is_b_minus_a_and_a_disparity_has_no_sign(a: float, b: float, difference: float, disparity: float) -> None:
    found = row(paired(scored(a, "A"), scored(b, "B")))
    assert (found["a"], found["b"], found["difference"], found["disparity"]) == (a, b, difference, disparity)


def test_which_side_comes_first_does_not_matter() -> None:
    assert row(paired(scored(8.0, "B"), scored(5.0, "A")))["difference"] == 3.0


def test_a_pair_with_both_values_has_no_reason() -> None:
    assert row(paired(scored(5.0, "A"), scored(8.0, "B")))["reason"] is None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("model", "two"), ("template", "T2"), ("domain", "legal"), ("axis", "age"), ("condition", "blind")),
        *(("draw", 1), ("profile", "controlled"), ("metric", "ttr")),
    ],
)
def test_sides_are_paired_within_what_identifies_a_pair(name: str, other: Any) -> None:
    table = paired(scored(1.0, "A"), scored(2.0, "B"), scored(10.0, "A", **{name: other}), scored(30.0, "B", **{name: other}))
    assert table["difference"].tolist() == [1.0, 20.0]


def test_persona_columns_do_not_part_a_pair() -> None:
    # the two sides are two people
    table = paired(scored(1.0, "A", persona_id="gender-one-1A"), scored(4.0, "B", persona_id="gender-one-1B"))
    assert table["difference"].tolist() == [3.0]


def test_repeats_are_averaged_before_sides_are_compared() -> None:
    # A (1 + 3) / 2 = 2, B (6 + 8 + 10) / 3 = 8
    table = paired(
        *(scored(value, "A", repeat=number) for number, value in enumerate([1.0, 3.0])),
        *(scored(value, "B", repeat=number) for number, value in enumerate([6.0, 8.0, 10.0])),
    )
    assert table["difference"].tolist() == [6.0]


def test_a_repeat_without_a_value_leaves_the_other() -> None:
    found = row(paired(scored(NAN, "A", "refused"), scored(3.0, "A", repeat=1), scored(4.0, "B")))
    assert (found["difference"], found["reason"]) == (1.0, None)


def test_the_same_repeats_in_another_order_are_no_disparity() -> None:
    # both sides got one text twice and another once; 1e-17 would be ranked, counted as a direction, and not be a zero
    table = paired(
        *(scored(value, "A", repeat=number) for number, value in enumerate([0.01, 0.06, 0.01])),
        *(scored(value, "B", repeat=number) for number, value in enumerate([0.06, 0.01, 0.01])),
    )
    assert table["disparity"].tolist() == [0.0]


NO_A, NO_B = scored(NAN, "A", "refused"), scored(NAN, "B", "truncated")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ((NO_A, scored(1.0, "B")), "refused"),
        ((scored(1.0, "A"), NO_B), "truncated"),
        ((NO_B, NO_A), "refused"),  # that of A, whichever stands first
        ((NO_A,), "refused"),
        ((scored(1.0, "A"),), "a side is missing"),
        ((scored(1.0, "B"),), "a side is missing"),
    ],
)
def test_a_pair_without_a_difference_says_why(rows: Sequence[dict[str, Any]], reason: str) -> None:
    # the second pair gives the frame both sides
    found = row(paired(*rows, scored(1.0, "A", template="T2"), scored(1.0, "B", template="T2")), template="T1")
    assert pd.isna(found["difference"])
    assert pd.isna(found["disparity"])
    assert found["reason"] == reason


def test_where_one_side_was_never_asked_at_all_every_pair_is_undefined() -> None:
    table = paired(scored(1.0, "A"), scored(2.0, "A", template="T2"))
    assert table["disparity"].isna().all()
    assert set(table["reason"]) == {"a side is missing"}


def test_a_reason_stays_with_its_metric() -> None:
    table = paired(
        *(scored(1.0, "A"), scored(2.0, "B")),
        *(scored(NAN, "A", "no opposite explanation", metric="efp"), scored(0.5, "B", metric="efp")),
    )
    assert row(table, metric="word_count")["reason"] is None
    assert row(table, metric="efp")["reason"] == "no opposite explanation"


def test_scores_from_the_file_give_the_same_pairs(tmp_path: Path) -> None:
    scores = pd.DataFrame([NO_A, scored(1.0, "B"), scored(3.0, "A", template="T2"), scored(4.0, "B", template="T2")])
    scores.to_parquet(tmp_path / "scores.parquet", index=False)
    again = analysis.differences(pd.read_parquet(tmp_path / "scores.parquet"))
    pd.testing.assert_frame_equal(again, analysis.differences(scores), check_dtype=False)


def test_a_pair_has_these_columns() -> None:
    table = paired(scored(5.0, "A"), scored(8.0, "B"))
    assert list(table) == [*analysis.BY_PAIR, "a", "b", "difference", "disparity", "reason"]


# --- selected


def test_by_default_the_study_s_own_pairs_are_selected() -> None:
    table = pairs(
        cell([1]),
        *(cell([2], profile="controlled"), cell([3], condition="blind"), cell([4], draw=1), cell([5], metric="naming_rate")),
    )
    assert analysis.selected(table, profile="published")["difference"].tolist() == [1.0]


def test_extensions_are_left_out_unless_they_are_asked_for() -> None:
    table = pairs(*(cell([1], metric=name) for name in METRICS))
    assert tuple(analysis.selected(table, profile="published")["metric"]) == STUDY_METRICS
    assert tuple(analysis.selected(table, profile="published", metrics=EXTENSIONS)["metric"]) == EXTENSIONS


@pytest.mark.parametrize(("draws", "expected"), [((0,), [1.0]), ((1,), [2.0]), ((0, 1), [1.0, 2.0]), ([1, 0], [1.0, 2.0])])
def test_draws_are_selected(draws: Sequence[int], expected: list[float]) -> None:
    table = pairs(cell([1], draw=0), cell([2], draw=1))
    assert analysis.selected(table, profile="published", draws=draws)["difference"].tolist() == expected


def test_pairs_without_a_difference_stay_to_be_counted() -> None:
    assert len(analysis.selected(pairs(cell([1, None])), profile="published")) == 2


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"profile": "controlled"}, r"no pairs of profile 'controlled', .* profile: \['published'\]"),
        ({"profile": "published", "condition": "blind"}, r"condition 'blind', .* condition: \['baseline', 'fairness'\]"),
        ({"profile": "published", "draws": [1]}, r"draws \[1\]; .* draw: \['0'\]"),
    ],
)
def test_where_nothing_is_left_the_message_says_what_there_is(asked: dict[str, Any], message: str) -> None:
    table = pairs(cell([1]), cell([1], condition="fairness"))
    with pytest.raises(InputError, match=message):
        analysis.selected(table, **asked)


def test_where_a_metric_is_misspelt_the_message_names_it() -> None:
    with pytest.raises(InputError) as caught:
        analysis.selected(pairs(cell([1])), profile="published", metrics=["wordcount"])
    assert "wordcount" in str(caught.value)


# --- what the tables share


@pytest.mark.parametrize(("values", "n", "excluded"), [([1, 0, NAN], 2, 1), ([NAN, NAN], 0, 2), ([], 0, 0), ([0.0], 1, 0)])
def test_what_is_missing_is_counted_apart(values: list[float], n: int, excluded: int) -> None:
    assert counts(pd.Series(values, dtype=float)) == {"n": n, "excluded": excluded}


def test_correction_agrees_with_r_and_leaves_out_what_did_not_run() -> None:
    # R: p.adjust(c(.001, .008, .008, .039, .041, .041, .6, .9), "BH"); the NaN in between is not one of the m = 8
    p = [0.001, 0.008, 0.008, NAN, 0.039, 0.041, 0.041, 0.6, 0.9]
    expected = [0.008, 0.064 / 3, 0.064 / 3, NAN, 0.328 / 6, 0.328 / 6, 0.328 / 6, 4.8 / 7, 0.9]
    table = with_bh(pd.DataFrame({"p": p}), "eight")
    assert table["p_bh"].tolist() == pytest.approx(expected, rel=1e-12, nan_ok=True)
    assert set(table["m"]) == {8}
    assert set(table["family"]) == {"eight"}


def test_a_family_without_a_test_has_m_0() -> None:
    assert with_bh(pd.DataFrame({"p": [NAN, NAN]}), "none")["m"].tolist() == [0, 0]


def test_what_an_order_does_not_name_comes_last_as_it_stands() -> None:
    table = pd.DataFrame({"axis": ["caste", "age", "accent", "gender", "age"]})
    assert in_order(table, "axis", ["gender", "race", "age"]) == ["gender", "age", "caste", "accent"]
