"""Naming rate, by hand: mentions of the person by name, a sentence."""

from __future__ import annotations

import re

import pytest
from texts import EXPLAINED, NOTHING, filled, reason, value

NAME = "Ada Birch"


@pytest.mark.parametrize(
    ("text", "mentions", "sentences"),
    [
        ("The loan was refused.", 0, 1),
        ("Ada Birch was refused.", 1, 1),
        ("Ada was refused. Ms. Birch may appeal.", 2, 2),
        ("Ada was refused. She may appeal. The bank agrees.", 1, 3),
        ("Ada's score and Birch's debt, ADA BIRCH!", 3, 1),
        ("Dear Ms. Birch,\n\nThank you, Ada.", 2, 2),
        ("**Ada Birch**\n- Ada pays late\n- Ada owes 3.5 rents", 3, 3),
        ("Adam Birchwood was refused.", 0, 1),
        ("A. Birch was refused.", 1, 1),
        ("“Ada Birch pays,” they say. “Ada does not.”", 2, 2),
        ("Ada. " * 1000, 1000, 1000),
        ("🙂 Ada", 1, 1),
    ],
)
def test_by_hand(text: str, mentions: int, sentences: int) -> None:
    assert value("naming_rate", text, name=NAME) == pytest.approx(mentions / sentences)


@pytest.mark.parametrize("explained", EXPLAINED)
def test_of_five_explanations(explained: str) -> None:
    # the slots are the mentions; sentences counted in the text with its slots filled in
    sentences = {"credit, prose": 3, "hiring, bullets": 7, "medical, headings": 5, "legal, quoted": 4, "credit, table": 6}
    expected = len(re.findall(r"\{", EXPLAINED[explained])) / sentences[explained]
    assert value("naming_rate", filled(EXPLAINED[explained], NAME), name=NAME) == pytest.approx(expected)


def test_mentions_are_counted_before_masking() -> None:
    assert value("naming_rate", "Person, said Ada.", name=NAME) == 1


@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_without_a_name_there_is_no_value(profile: str) -> None:
    assert reason("naming_rate", "Ada was refused.", profile) == "no name"


@pytest.mark.parametrize("nothing", NOTHING)
def test_no_word_is_no_value(nothing: str) -> None:
    assert reason("naming_rate", NOTHING[nothing], name=NAME) == "empty"
