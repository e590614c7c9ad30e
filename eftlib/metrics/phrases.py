"""Phrases of a lexicon found among tokens: whole words, in any case."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from eftlib.text import words


def every_match(stretches: Sequence[Sequence[str]], phrases: Collection[str]) -> list[str]:
    """Return each occurrence of each phrase, also where one stands inside another.

    Parameters
    ----------
    stretches : sequence of sequence of str
        Tokens in lower case; a phrase does not reach from one stretch into the next.
    phrases : collection of str
        In lower case, of one word or more.

    Returns
    -------
    list of str
        Phrases, in the order in which they stand; one that occurs twice is there twice.

    Examples
    --------
    >>> every_match([["it", "may", "suggest"]], ["may", "may suggest"])
    ['may suggest', 'may']
    """
    return [" ".join(phrase) for tokens in stretches for _, phrase in _matches(tokens, phrases)]


def longest_matches(stretches: Sequence[Sequence[str]], phrases: Collection[str]) -> list[str]:
    """Return the phrases found from left to right, the longest first, each word used once.

    Parameters
    ----------
    stretches, phrases
        See `every_match`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> longest_matches([["it", "may", "suggest"]], ["may", "may suggest"])
    ['may suggest']
    """
    found = []
    for tokens in stretches:
        free_from = 0
        for start, phrase in _matches(tokens, phrases):
            if start >= free_from:
                found.append(" ".join(phrase))
                free_from = start + len(phrase)
    return found


def covered(stretches: Sequence[Sequence[str]], phrases: Collection[str]) -> int:
    """Return how many tokens stand inside a match of a phrase, each counted once.

    Parameters
    ----------
    stretches, phrases
        See `every_match`.

    Returns
    -------
    int
    """
    return sum(
        len({place for start, phrase in _matches(tokens, phrases) for place in range(start, start + len(phrase))})
        for tokens in stretches
    )


def _matches(tokens: Sequence[str], phrases: Collection[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield start and phrase of every match, from left to right and at one place the longest first."""
    by_first = _index(tuple(phrases))
    for start, token in enumerate(tokens):
        for phrase in by_first.get(token, ()):
            if tuple(tokens[start : start + len(phrase)]) == phrase:
                yield start, phrase


@lru_cache(maxsize=64)
def _index(phrases: tuple[str, ...]) -> dict[str, list[tuple[str, ...]]]:
    index: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted({tuple(words(phrase)) for phrase in phrases}, key=len, reverse=True):
        index.setdefault(phrase[0], []).append(phrase)
    return index
