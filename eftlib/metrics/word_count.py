"""Verbosity: how long an explanation is."""

from eftlib.metrics.base import Explanation, metric


@metric(label="Verbosity (WC)", dimension="Verbosity", unit="words")
def word_count(explanation: Explanation) -> float:
    """Number of words.

    A hyphenated word and a number are one word each; dashes part words. In ``controlled`` the person's name, with its
    honorific, is one word, so that a name of four words is no longer than one of two.

    Source: study, III.A (i). A text without a word has no value.
    """
    return float(len(explanation.words))
