"""Word count, against words counted by hand and by lexicalrichness."""

from __future__ import annotations

import pytest
from lexicalrichness import LexicalRichness
from texts import KNOWN, NOTHING, reason, value


@pytest.mark.parametrize("known", KNOWN)
def test_controlled_counts_the_words_a_reader_sees(known: str) -> None:
    assert value("word_count", KNOWN[known].text) == len(KNOWN[known].words)


@pytest.mark.parametrize("known", KNOWN)
def test_published_counts_the_words_of_the_text_as_it_came(known: str) -> None:
    assert value("word_count", KNOWN[known].text, "published") == len(KNOWN[known].published_words)


@pytest.mark.parametrize("known", ["one word", "two sentences", "bullets", "shouting", "lines without stops", "3,000 words"])
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_of_plain_prose_lexicalrichness_counts_the_same(known: str, profile: str) -> None:
    text = KNOWN[known].text.replace("\n- ", " ")
    assert value("word_count", text, profile) == LexicalRichness(text).words


def test_markup_adds_words_in_published_alone() -> None:
    # the artefact's size: two list numbers, six pieces of a link's address, and four of one that a reader takes for one
    known = KNOWN["markdown"]
    sizes = value("word_count", known.text, "published"), value("word_count", known.text)
    assert sizes == (27, 16)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        # C11, with words of its own
        ("rent—which is high—grows", 5),
        ("rent - which is high - grows", 5),
        ("rent – which is high – grows", 5),
        ("shan't mustn’t isn't", 3),
        ("time & money", 2),
    ],
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_typography_is_no_length(text: str, count: int, profile: str) -> None:
    assert value("word_count", text, profile) == count


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    assert reason("word_count", NOTHING[nothing], profile) == "empty"
