"""Requests that were asked twice."""

from __future__ import annotations

import pandas as pd

from eftlib import analysis

REQUEST = {"template": "H001", "axis": "gender", "side": "A", "draw": 0, "decision": "stated", "condition": "baseline"}


def test_equal_answers_are_counted_by_model() -> None:
    rows = [
        {"model": "one", "text": "a"}, {"model": "one", "text": "a"},
        {"model": "one", "side": "B", "text": "a"}, {"model": "one", "side": "B", "text": "b"},
        {"model": "two", "text": None}, {"model": "two", "text": None},
        {"model": "two", "side": "B", "text": "asked once"},
    ]  # fmt: skip
    table = analysis.repeats(pd.DataFrame([REQUEST | row for row in rows]))
    assert table.to_numpy().tolist() == [["one", 2, 1], ["two", 1, 1]]


def test_without_repeats_there_is_nothing_to_count() -> None:
    assert analysis.repeats(pd.DataFrame([REQUEST | {"model": "one", "text": "a"}])).empty
