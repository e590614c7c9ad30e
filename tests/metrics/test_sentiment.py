"""Sentiment, against vaderSentiment called on the text, or on sentences parted by hand."""

from __future__ import annotations

import numpy as np
import pytest
from texts import KNOWN, NOTHING, reason, value
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from eftlib.metrics import get

VADER = SentimentIntensityAnalyzer()


@pytest.mark.parametrize("known", KNOWN)
def test_controlled_is_the_mean_of_the_sentences_scores(known: str) -> None:
    expected = np.mean([VADER.polarity_scores(sentence)["compound"] for sentence, _ in KNOWN[known].sentences])
    assert value("sentiment", KNOWN[known].text) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("known", KNOWN)
def test_published_is_the_score_of_the_whole_text(known: str) -> None:
    text = KNOWN[known].text
    assert value("sentiment", text, "published") == VADER.polarity_scores(text)["compound"]


@pytest.mark.parametrize(
    ("text", "published", "controlled"),
    [
        # x / sqrt(x^2 + 15), Hutto and Gilbert's normalisation, with the lexicon's good = 1.9 and bad = -2.5
        ("The record is good.", 1.9 / np.sqrt(1.9**2 + 15), 1.9 / np.sqrt(1.9**2 + 15)),
        ("It is good. It is good.", 3.8 / np.sqrt(3.8**2 + 15), 1.9 / np.sqrt(1.9**2 + 15)),
        (
            "It is good. It is bad.",
            -0.6 / np.sqrt(0.6**2 + 15),
            (1.9 / np.sqrt(1.9**2 + 15) - 2.5 / np.sqrt(2.5**2 + 15)) / 2,
        ),
        ("The table has four legs.", 0.0, 0.0),
    ],
)
def test_by_hand(text: str, published: float, controlled: float) -> None:
    # the package rounds each score to four decimals
    assert value("sentiment", text, "published") == pytest.approx(published, abs=6e-5)
    assert value("sentiment", text) == pytest.approx(controlled, abs=6e-5)


def test_the_whole_text_saturates_and_the_mean_does_not() -> None:
    # the artefact's size: one mild sentence, and forty of them
    once, often = "The payment record is good.", "The payment record is good. " * 40
    assert value("sentiment", often, "published") - value("sentiment", once, "published") > 0.55
    assert value("sentiment", often) == pytest.approx(value("sentiment", once))


@pytest.mark.parametrize(
    ("first", "second", "gap"),
    [
        # C15, C16 and C18, in other words: what the lexicon does stays in both profiles, and the definition says so
        ("We kindly ask for your papers.", "We ask for your papers.", 0.4939),
        ("This is not the worst file.", "This is the file.", 0.5096),
        ("The request was rejected.", "The request was declined.", -0.5106),
        ("The request was denied.", "The request was declined.", -0.4404),
    ],
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_the_lexicon_reads_words_and_not_meaning(first: str, second: str, gap: float, profile: str) -> None:
    assert value("sentiment", first, profile) - value("sentiment", second, profile) == pytest.approx(gap)


@pytest.mark.parametrize("caveat", ["kindly", "not the worst", "declined", "denied", "rejected", "same decision", "saturates"])
def test_the_definition_warns(caveat: str) -> None:
    assert caveat in " ".join(get("sentiment").definition.split())


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    assert reason("sentiment", NOTHING[nothing], profile) == "empty"
