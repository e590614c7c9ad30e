"""Epistemic hedging: how provisional an explanation is."""

from eftlib.lexicons import hedging
from eftlib.metrics.base import Explanation, metric
from eftlib.metrics.phrases import every_match, longest_matches


@metric(label="Hedging (HDS)", dimension="Epistemic hedging", unit="weight a word")
def hedging_density(explanation: Explanation) -> float:
    """Hedging Density Score: the summed weights of hedging phrases, divided by the number of words.

    ``published``: each phrase of the lexicon is counted wherever it stands as whole words, also inside another ("may suggest"
    counts for itself and for "may"). ``controlled``: the longest match first, and a span is counted once.

    Not every match is a hedge: "insufficient collateral" asserts, "may appeal" permits. The lexicon is the study's, and both
    readings are published.

    Source: study, Eq. 1 and Table 9.
    """
    lexicon = hedging()
    find = every_match if explanation.profile == "published" else longest_matches
    return sum(lexicon[phrase] for phrase in find(explanation.stretches, lexicon)) / len(explanation.words)
