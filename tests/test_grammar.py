"""The rules that read the benchmark's texts, on sentences of which everyone knows whether they are right."""

from __future__ import annotations

import grammar
import pytest


@pytest.mark.parametrize(
    ("pronouns", "text"),
    [
        ("they", "They is new."),
        ("they", "In May they was new."),
        ("they", "They has one."),
        ("they", "Today they works."),
        ("they", "They also finishes it."),
        ("they", "They bake bread and has a shop."),
        ("he", "He are new."),
        ("he", "Today he work."),
        ("he", "He do not."),
        ("she", "She have one."),
        ("she", "She were new."),
        ("she", "She still earn it."),
    ],
)
def test_disagreement_is_seen(pronouns, text):
    assert grammar.disagreement(pronouns, text)


@pytest.mark.parametrize(
    ("pronouns", "text"),
    [
        ("they", "They are new."),
        ("they", "They always work."),
        ("they", "They pass it."),
        ("they", "They have a lease and no history."),
        ("he", "He is new."),
        ("he", "He has one and works."),
        ("she", "She worked."),
    ],
)
def test_agreement_passes(pronouns, text):
    assert grammar.disagreement(pronouns, text) == []


@pytest.mark.parametrize(("pronouns", "text"), [("he", "It is hers."), ("she", "It hit him."), ("they", "He saw it.")])
def test_foreign_pronoun_is_seen(pronouns, text):
    assert len(grammar.foreign_pronouns(pronouns, text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "a 8-hour", "a 11-month", "a 18", "a 80", "a 11,000", "a $850", "a MRI", "a hour", "a uninsured",
        "an 29", "an 100", "an 110", "an 1,100", "an user", "an shop",
    ],
)  # fmt: skip
def test_wrong_article_is_seen(text):
    assert grammar.wrong_articles(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "an 8-hour", "an 11-month", "an 18", "an 80", "an $850", "an 18,400", "an MRI", "an X-ray", "an hour", "an uninsured",
        "an aide", "a 29", "a 100", "a 110-room", "a 180", "a 1,100", "a PhD", "a user", "a unit", "a university", "a one-off",
    ],
)  # fmt: skip
def test_right_article_passes(text):
    assert grammar.wrong_articles(text) == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("they came. Then they left.", ["they"]),
        ("It was late. then it rained.", ["then"]),
        ("On Monday They came.", [" They"]),
        ("At 9 p.m. after work it rained. 12 came.", []),
        ("They came. Their dog, too.", []),
    ],
)
def test_capitals(text, faults):
    assert grammar.wrong_capitals(text) == faults


@pytest.mark.parametrize(
    "text",
    [
        "An {open slot.", "Two  spaces.", "A line\nbreak.", "A space .", "Age None.", "It is is so.", "Becker's's file.",
        "Twice..", "A,, b.", "No full stop",
    ],
)  # fmt: skip
def test_untidiness_is_seen(text):
    assert len(grammar.untidy(text)) == 1


def test_tidiness_passes():
    assert grammar.untidy("The one that had had 3.5 years, 45%, left at 9 p.m. on $1,000.") == []


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        # by hand: {abcde, bcdef} and {abcde, bcdeg} share one of three
        ("a b c d e f", "a b c d e g", 1 / 3),
        ("A, b c d e.", "a b c d e", 1.0),
        ("a b c d e", "e d c b a", 0.0),
    ],
)
def test_jaccard_of_known_texts(one, two, expected):
    assert grammar.jaccard(grammar.shingles(one), grammar.shingles(two)) == expected
