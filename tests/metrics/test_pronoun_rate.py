"""Pronoun rate, by hand: gendered pronouns of the third person, a sentence."""

from __future__ import annotations

import pytest
from texts import NOTHING, reason, value


@pytest.mark.parametrize(
    ("text", "pronouns", "sentences"),
    [
        ("The loan was refused.", 0, 1),
        ("He pays. She pays.", 2, 2),
        ("His debt is his own; it is HERS, not him or her.", 5, 1),
        ("She did it herself, he himself.", 4, 1),
        ("He's late and she'll be; she’d know.", 3, 1),
        ("They pay their own and its theirs.", 0, 1),
        ("he/she must pay his/her rent.", 4, 1),
        ("The hero, the shelter, history, herring, this.", 0, 1),
        ("**She** is _he_.", 2, 1),
        ("“She pays,” he said. “Does he?”", 3, 2),
        ("- she\n- he\n- it", 2, 3),
        ("she " * 3000, 3000, 1),
    ],
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_by_hand(text: str, pronouns: int, sentences: int, profile: str) -> None:
    assert value("pronoun_rate", text, profile) == pytest.approx(pronouns / sentences)


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    assert reason("pronoun_rate", NOTHING[nothing], profile) == "empty"
