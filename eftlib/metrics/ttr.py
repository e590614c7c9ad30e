"""Lexical complexity: how varied the words of an explanation are."""

from collections import Counter

from eftlib.metrics.base import Explanation, metric

WINDOW = 50


@metric(label="TTR", dimension="Lexical complexity", unit="share of words")
def ttr(explanation: Explanation) -> float:
    """Type-token ratio: unique words divided by all words, in lower case.

    ``published``: of the whole text, so a longer text has a lower ratio. ``controlled``: the mean over all windows of 50
    consecutive words (MATTR-50), which depends far less on length; a text below 50 words is one window.

    Source: study, III.F (ii); Covington and McFall (2010).
    """
    tokens = explanation.tokens
    if explanation.profile == "published" or len(tokens) <= WINDOW:
        return len(set(tokens)) / len(tokens)
    return _moving_average(tokens)


def _moving_average(tokens: list[str]) -> float:
    inside = Counter(tokens[:WINDOW])
    total = len(inside)
    for leaving, entering in zip(tokens, tokens[WINDOW:], strict=False):
        inside[leaving] -= 1
        if not inside[leaving]:
            del inside[leaving]
        inside[entering] += 1
        total += len(inside)
    return total / (len(tokens) - WINDOW + 1) / WINDOW
