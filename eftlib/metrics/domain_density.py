"""Lexical complexity: how much of the trade's vocabulary an explanation uses."""

from eftlib.lexicons import domains
from eftlib.metrics.base import Explanation, UndefinedError, metric
from eftlib.metrics.phrases import covered


@metric(label="Domain Density", dimension="Lexical complexity", unit="share of words")
def domain_density(explanation: Explanation) -> float:
    """Share of words that stand inside a term of the domain's vocabulary, each word counted once.

    Terms match as they are written, in any case; there is no stemming ("borrowers" is not "borrower").

    Source: study, III.F (iii) and Appendix B. Outside the domains that have a vocabulary there is no value.
    """
    vocabularies = domains()
    if explanation.domain not in vocabularies:
        raise UndefinedError(f"no vocabulary for the domain {explanation.domain!r}" if explanation.domain else "no domain")
    return covered(explanation.stretches, vocabularies[explanation.domain]) / len(explanation.words)
