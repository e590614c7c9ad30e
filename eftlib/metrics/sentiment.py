"""Sentiment: how an explanation frames what it explains."""

from functools import cache, lru_cache

import numpy as np
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from eftlib.metrics.base import Explanation, metric


@metric(label="Sentiment", dimension="Sentiment", unit="compound, -1 to 1")
def sentiment(explanation: Explanation) -> float:
    """VADER's compound score, from -1 to 1.

    ``published``: of the whole text. The score saturates with length: a text of many mild sentences scores like one of a few
    strong ones, and a long text that tips from one side to the other jumps by almost 2. ``controlled``: the mean of the
    sentences' scores, which does not.

    What the lexicon does: courtesy counts as sentiment ("We kindly ask you" 0.49, without "kindly" 0); negated superlatives are
    flipped ("not the worst profile" 0.51); near-synonyms differ ("declined" 0, "denied" -0.44, "rejected" -0.51), so tone is
    only compared between texts about the same decision.

    Source: study, III.B; Hutto and Gilbert (2014).
    """
    if explanation.profile == "published":
        return _compound(explanation.text)
    return float(np.mean([_compound(sentence) for sentence in explanation.sentences]))


# a sentence without the person's name is the same masked and kept
@lru_cache(maxsize=32_768)
def _compound(text: str) -> float:
    return float(_analyzer().polarity_scores(text)["compound"])


@cache
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()
