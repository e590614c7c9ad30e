"""EFP, against numpy: 1 - cosine of the two explanations' vectors."""

from __future__ import annotations

import numpy as np
import pytest
from texts import KNOWN, NOTHING, OPPOSITE, Bag, Given, reason, value

from eftlib.embedding import WINDOW, LiveCosines

PAIRS = {
    "same": ([1, 2, 3], [1, 2, 3]),
    "same, longer": ([1, 2, 3], [2, 4, 6]),
    "right angle": ([1, 0, 0], [0, 5, 0]),
    "opposite": ([1, 1, 0], [-1, -1, 0]),
    "45 degrees": ([1, 0], [1, 1]),
    "close": ([1, 2, 3], [1, 2, 3.1]),
    "far": ([0.2, -1, 4], [3, 1, -0.5]),
    "tiny": ([1e-4, 2e-4], [3e-4, 1e-4]),
    "768": (np.random.default_rng(1).normal(size=768), np.random.default_rng(2).normal(size=768)),
    "768, near": (np.random.default_rng(3).normal(size=768), np.random.default_rng(3).normal(size=768) + 0.1),
}


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_agrees_with_numpy(pair: str, profile: str) -> None:
    one, other = (np.asarray(each, dtype=float) for each in PAIRS[pair])
    expected = 1 - one @ other / np.sqrt((one @ one) * (other @ other))
    cosines = LiveCosines(Given({"It was denied": one, "It was granted": other}))
    found = value("efp", "It was denied", profile, opposite="It was granted", similarities=cosines)
    assert found == pytest.approx(expected, abs=1e-6)  # vectors are kept in single precision


@pytest.mark.parametrize("known", [each for each in KNOWN if each != "3,000 words"])
def test_known_texts_agree_with_numpy(known: str) -> None:
    # controlled embeds what a reader reads, a sentence or line after the other
    bag = Bag()
    one, other = bag.vector(KNOWN[known].text).astype(float), bag.vector(OPPOSITE).astype(float)
    found = value("efp", KNOWN[known].text, "published", opposite=OPPOSITE, similarities=LiveCosines(bag))
    assert found == pytest.approx(1 - one @ other, abs=1e-6)


def test_both_texts_are_masked_and_plain_in_controlled() -> None:
    given = Given({"Person was denied.": [1, 0], "Person was granted.": [1, 1]})
    known = {"name": "Ada Birch", "opposite": "**Ms. Birch** was granted.", "similarities": LiveCosines(given)}
    assert value("efp", "*Ada Birch* was denied.", **known) == pytest.approx(1 - np.sqrt(0.5), abs=1e-6)


def test_published_embeds_the_text_as_it_came() -> None:
    given = Given({"*Ada* was denied.": [1, 0], "**Ada** was granted.": [0, 1]})
    known = {"name": "Ada Birch", "opposite": "**Ada** was granted.", "similarities": LiveCosines(given)}
    assert value("efp", "*Ada* was denied.", "published", **known) == pytest.approx(1)


def test_a_text_longer_than_the_window_is_embedded_in_chunks_and_pooled_by_their_length() -> None:
    # C22: 40 sentences of 12 words, of which 31 fit; the encoder counts a word as a piece
    bag = Bag()
    parts = [
        f"Reason {'abcdefghij'[i // 10]}{'abcdefghij'[i % 10]} of the board is long and has some twelve words."
        for i in range(40)
    ]
    text = " ".join(parts)
    fits = (WINDOW - 2) // 12
    chunks = [" ".join(parts[:fits]), " ".join(parts[fits:])]
    pooled = fits * bag.vector(chunks[0]).astype(float) + (40 - fits) * bag.vector(chunks[1])
    pooled /= np.linalg.norm(pooled)
    other = bag.vector(OPPOSITE).astype(float)
    found = value("efp", text, opposite=OPPOSITE, similarities=LiveCosines(bag))
    assert found == pytest.approx(1 - pooled @ other, abs=1e-6)


def test_texts_that_differ_past_the_window_differ() -> None:
    same = "The same words stand here again and again. " * 60
    first, second = (
        f"{same} {end}" for end in ("The rent is late and the debt is old.", "Savings cover every cost of the plan.")
    )
    assert value("efp", first, opposite=second, similarities=LiveCosines(Bag())) > 1e-4


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_an_empty_opposite_is_no_value(nothing: str, profile: str) -> None:
    # C24
    known = {"opposite": NOTHING[nothing], "similarities": LiveCosines(Bag())}
    assert reason("efp", "The loan was refused.", profile, **known) == "no opposite explanation"


@pytest.mark.parametrize("opposite", ["[1]: https://example.org", "![](https://example.org/a.png)"])
def test_an_opposite_of_markup_alone_is_no_value(opposite: str) -> None:
    known = {"opposite": opposite, "similarities": LiveCosines(Bag())}
    assert reason("efp", "The loan was refused.", **known) == "no opposite explanation"


@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_without_an_opposite_there_is_no_value(profile: str) -> None:
    assert reason("efp", "It was denied.", profile, similarities=LiveCosines(Bag())) == "no opposite explanation"


@pytest.mark.parametrize("why", ["no embedder", "not scored: run make score"])
def test_without_an_embedder_there_is_no_value(why: str) -> None:
    assert reason("efp", "It was denied.", opposite="It was granted.", similarities=why) == why


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    known = {"opposite": "It was granted.", "similarities": LiveCosines(Bag())}
    assert reason("efp", NOTHING[nothing], profile, **known) == "empty"
