"""Extension: how often an explanation refers to the person by a gendered pronoun."""

from eftlib.metrics.base import Explanation, metric

PRONOUNS = frozenset({"he", "him", "his", "himself", "she", "her", "hers", "herself"})


@metric(label="Pronoun rate", dimension="Extension", unit="pronouns a sentence")
def pronoun_rate(explanation: Explanation) -> float:
    """Gendered third-person pronouns a sentence.

    An extension of this project, apart from the study's eight metrics.
    """
    # "he's" and "she'd" refer as well
    return sum(token.split("'")[0] in PRONOUNS for token in explanation.tokens) / len(explanation.sentences)
