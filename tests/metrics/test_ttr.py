"""Type-token ratio, against lexicalrichness on words read by hand."""

from __future__ import annotations

import numpy as np
import pytest
from lexicalrichness import LexicalRichness
from texts import KNOWN, LONG, NOTHING, reason, value, windows


def richness(words: list[str]) -> LexicalRichness:
    """lexicalrichness on given tokens: its own preprocessing drops digits and hyphens."""
    return LexicalRichness(" ".join(words), preprocessor=None, tokenizer=str.split)


def lowered(words: list[str]) -> list[str]:
    return [word.lower().replace("’", "'").replace("‑", "-").replace("‐", "-") for word in words]


@pytest.mark.parametrize("known", KNOWN)
def test_published_agrees_with_lexicalrichness(known: str) -> None:
    expected = richness(lowered(KNOWN[known].published_words)).ttr
    assert value("ttr", KNOWN[known].text, "published") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("known", KNOWN)
def test_controlled_agrees_with_lexicalrichness(known: str) -> None:
    words = lowered(KNOWN[known].words)
    expected = richness(words).mattr(window_size=50) if len(words) >= 50 else richness(words).ttr
    assert value("ttr", KNOWN[known].text) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("count", [49, 50, 51, 52, 99, 100, 101, 150, 500, 777, 3000])
def test_around_the_window_controlled_agrees_with_lexicalrichness(count: int) -> None:
    words = " ".join(LONG).split()[:count]
    expected = richness(words).mattr(window_size=50) if count >= 50 else richness(words).ttr
    assert value("ttr", " ".join(words)) == pytest.approx(expected, rel=1e-12)
    # and with the definition, window by window
    assert value("ttr", " ".join(words)) == pytest.approx(
        np.mean([len(set(each)) for each in windows(words, min(50, count))]) / min(50, count)
    )


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("a b c d", 1),
        ("The loan and the fee", 4 / 5),
        ("No. No! NO?", 1 / 3),
        ("don't DON’T", 1 / 2),
        ("pre-trial pre‑trial", 1 / 2),
        ("5 5.0", 1),
    ],
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_by_hand(text: str, ratio: float, profile: str) -> None:
    assert value("ttr", text, profile) == pytest.approx(ratio)


def test_length_moves_the_published_ratio_alone() -> None:
    # the artefact's size: 100 different words said once, and said twenty times
    words = " ".join(f"{first}{second}" for first in "abcdefghij" for second in "klmnopqrst")
    assert (value("ttr", words, "published"), value("ttr", f"{words} " * 20, "published")) == (1.0, 0.05)
    assert (value("ttr", words), value("ttr", f"{words} " * 20)) == (1.0, 1.0)


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    assert reason("ttr", NOTHING[nothing], profile) == "empty"
