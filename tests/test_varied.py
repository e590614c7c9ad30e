"""Each change of a text does what it says, to both explanations of a person, and to those that the sample holds."""

from __future__ import annotations

import pandas as pd
import pytest

from eftlib import varied

TEXT = "Ada was late. She paid. She left town."


def row(**other: object) -> dict[str, object]:
    own = {"answer": TEXT, "opposite": "Ada paid. She stayed.", "outcome": "ok", "opposite_outcome": "ok", "name": "Ada"}
    return own | {"condition": "baseline", "side": "A", "draw": 0, "repeat": 0} | other


@pytest.mark.parametrize(
    ("change", "answer", "opposite"),
    [
        ("name kept", TEXT, "Ada paid. She stayed."),
        # two of three sentences, one of two
        ("second half left out", "Ada was late. She paid.", "Ada paid."),
        # four of eight words, two of four
        ("cut off in the middle", "Ada was late. She", "Ada paid."),
        ("made a list", "- Ada was late\n- She paid\n- She left town", "- Ada paid\n- She stayed"),
    ],
)
def test_a_change_alters_both_explanations(change: str, answer: str, opposite: str) -> None:
    found = varied.changed(pd.DataFrame([row()]), change).iloc[0]
    assert (found["answer"], found["opposite"]) == (answer, opposite)
    assert found["name"] == (None if change == "name kept" else "Ada")


def test_every_change_has_its_way_and_another_is_refused() -> None:
    texts = pd.DataFrame([row()])
    assert all(len(varied.changed(texts, change)) == 1 for change in varied.CHANGES)
    with pytest.raises(ValueError, match="no change 'made longer'; allowed: name kept"):
        varied.changed(texts, "made longer")


def test_a_missing_opposite_stays_missing() -> None:
    texts = pd.DataFrame([row(opposite=None, opposite_outcome=None), row()]).astype({"opposite": object})
    assert pd.isna(varied.changed(texts, "made a list")["opposite"].iloc[0])


def test_what_is_an_item_already_stays_one() -> None:
    listed = varied.changed(pd.DataFrame([row(answer="- income low.\n* debt high\n1. no job\n2) late")]), "made a list")
    assert listed["answer"].iloc[0] == "- income low\n- debt high\n- no job\n- late"


def test_the_sample_has_one_text_a_template_and_model() -> None:
    others: list[dict[str, object]] = [
        {"side": "B"}, {"draw": 1}, {"repeat": 1}, {"condition": "blind"}, {"outcome": "truncated"},
        {"answer": "One sentence."},
    ]  # fmt: skip
    table = pd.DataFrame([row(), *(row(**other) for other in others)])
    assert varied.sample(table).index.tolist() == [0]


def test_an_answer_that_was_cut_off_passes_for_a_whole_one() -> None:
    table = pd.DataFrame([row(outcome="truncated"), row(opposite_outcome="truncated"), row(outcome="empty")])
    found = varied.cut_off_measured(table)
    assert found["outcome"].tolist() == ["ok", "ok", "empty"]
    assert found["opposite_outcome"].tolist() == ["ok", "ok", "ok"]
