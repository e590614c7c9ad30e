"""What came back, by side, and whether one side lost more."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from tables_by_hand import row

from eftlib import analysis
from eftlib.responses import OUTCOMES

WORDS = {
    ".": "ok",
    "t": "truncated",
    "r": "refused",
    "e": "empty",
    "x": "error",
    "f": "filtered",
    "T": "truncated_in_reasoning",
}


def answers(a: str, b: str, **where: Any) -> list[dict[str, Any]]:
    """Explanations of one draw, a letter a template: what side A got and what side B got; a space was not asked."""
    base = {"model": "one", "condition": "baseline", "draw": 0, "repeat": 0, "flags": ()}
    return [
        base | {"template": f"T{number}", "side": side, "outcome": WORDS[letter]} | where
        for side, letters in (("A", a), ("B", b))
        for number, letter in enumerate(letters, start=1)
        if letter != " "
    ]


def table(*rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([each for some in rows for each in some])


# --- outcomes


def test_outcomes_are_counted_by_side() -> None:
    found = analysis.outcomes(table(answers("....", ".trr")))
    assert found[["side", "n", "ok", "truncated", "refused", "empty"]].to_numpy().tolist() == [
        ["A", 4, 4, 0, 0, 0], ["B", 4, 1, 1, 2, 0],
    ]  # fmt: skip


def test_each_answer_has_one_outcome() -> None:
    found = analysis.outcomes(table(answers(".trexfT", "rr..tt.")))
    assert (found[list(OUTCOMES)].sum(axis=1) == found["n"]).all()


def test_flags_are_counted_beside_outcomes_and_an_answer_may_have_several() -> None:
    rows = answers("..", "..")
    rows[0]["flags"] = ("echo", "unfinished")
    rows[1]["flags"] = ("unfinished",)
    rows[3]["flags"] = ("repetitive",)
    found = analysis.outcomes(table(rows))
    assert found[["side", "ok", "echo", "repetitive", "unfinished"]].to_numpy().tolist() == [
        ["A", 2, 1, 0, 2], ["B", 2, 0, 1, 0],
    ]  # fmt: skip


def test_models_and_conditions_are_kept_apart() -> None:
    found = analysis.outcomes(
        table(answers("..", ".r"), answers("r", "r", condition="blind"), answers("...", "...", model="two"))
    )
    assert found[["model", "condition", "side", "n", "refused"]].to_numpy().tolist() == [
        ["one", "baseline", "A", 2, 0], ["one", "baseline", "B", 2, 1],
        ["one", "blind", "A", 1, 1], ["one", "blind", "B", 1, 1],
        ["two", "baseline", "A", 3, 0], ["two", "baseline", "B", 3, 0],
    ]  # fmt: skip


def test_draws_and_repeats_are_counted_together() -> None:
    found = analysis.outcomes(table(answers(".", "r"), answers(".", ".", draw=1), answers(".", "t", repeat=1)))
    assert row(found, side="B")["n"] == 3


def test_a_side_that_was_never_asked_has_no_row() -> None:
    assert analysis.outcomes(table(answers("..", "  ")))["side"].tolist() == ["A"]


# --- unequal outcomes


@pytest.mark.parametrize(
    ("a", "b", "difference", "templates", "p"),
    [
        # McNemar, exact: of the templates whose sides differ, so many or more on one side, twice
        ("......", "rrrrrr", 6, 6, 2 / 64),
        ("r......", ".rrrrr.", 4, 6, 2 * (1 + 6) / 64),
        ("rr..", "..rr", 0, 4, 1.0),
        (".", "r", 1, 1, 1.0),
        # the same on both sides tells nothing
        ("rr.....", "rrttttt", 5, 5, 2 / 32),
    ],
)
def test_with_one_draw_it_is_mcnemar_s_exact_test(a: str, b: str, difference: int, templates: int, p: float) -> None:
    found = row(analysis.unequal_outcomes(table(answers(a, b))))
    assert (found["difference"], found["templates"], found["p"]) == (difference, templates, p)


def test_the_other_draw_alone_gives_the_same() -> None:
    one, other = (analysis.unequal_outcomes(table(answers("r......", ".rrrrr.", draw=draw))) for draw in (0, 1))
    pd.testing.assert_frame_equal(one, other)


def test_the_two_draws_of_a_template_flip_together() -> None:
    # bad B less bad A: 2, 1, -1, 0; of the eight sums 4 2 2 0 0 -2 -2 -4 six are as far from 0 as the 2 found
    found = row(analysis.unequal_outcomes(table(answers("..r.", "rr..", draw=0), answers("....", "r...", draw=1))))
    assert (found["difference"], found["templates"], found["p"]) == (2, 3, 6 / 8)
    assert (found["n"], found["excluded"], found["rate_a"], found["rate_b"]) == (8, 0, 1 / 8, 3 / 8)
    assert found["rate_difference"] == 2 / 8


@pytest.mark.parametrize("letter", sorted(set(WORDS) - {"."}))
def test_whatever_is_not_ok_is_bad(letter: str) -> None:
    found = row(analysis.unequal_outcomes(table(answers("....", "..." + letter))))
    assert (found["rate_a"], found["rate_b"]) == (0.0, 0.25)


def test_a_draw_in_which_one_side_was_not_asked_drops_out() -> None:
    # T2 has no B in draw 0: its A, which is bad, does not count
    found = row(analysis.unequal_outcomes(table(answers(".r", "r "), answers("..", "..", draw=1))))
    assert (found["n"], found["excluded"], found["difference"], found["rate_a"]) == (3, 1, 1, 0.0)


def test_with_one_draw_nothing_is_excluded() -> None:
    found = row(analysis.unequal_outcomes(table(answers("...", "..r"))))
    assert (found["n"], found["excluded"]) == (3, 0)


def test_a_side_that_was_never_asked_leaves_nothing_to_test() -> None:
    found = row(analysis.unequal_outcomes(table(answers("r..", "   "))))
    assert (found["n"], found["templates"], found["reason"]) == (0, 0, "nobody was asked")
    assert math.isnan(found["p"])
    assert math.isnan(found["rate_a"])


def test_sides_that_never_differ_have_no_p() -> None:
    found = row(analysis.unequal_outcomes(table(answers("r..", "r.."))))
    assert (found["difference"], found["templates"], found["reason"]) == (0, 0, "no variation")
    assert math.isnan(found["p"])


def test_each_model_is_tested_on_its_own() -> None:
    found = analysis.unequal_outcomes(table(answers("......", "rrrrrr"), answers("......", "rrrrr.", model="two")))
    assert found[["model", "p"]].to_numpy().tolist() == [["one", 2 / 64], ["two", 2 / 32]]


def test_repeats_that_came_out_alike_leave_p_as_it_is() -> None:
    rows = (answers("r......", ".rrrrr.", repeat=repeat) for repeat in (0, 1))
    assert row(analysis.unequal_outcomes(table(*rows)))["p"] == 2 * (1 + 6) / 64


def test_repeats_that_came_out_differently_are_counted() -> None:
    # bad B less bad A: 1 and 2; of the four sums 3 1 -1 -3 two are as far from 0 as the 3 found
    found = row(analysis.unequal_outcomes(table(answers("..", "rr", repeat=0), answers("..", ".r", repeat=1))))
    assert (found["difference"], found["p"]) == (3, 2 / 4)
