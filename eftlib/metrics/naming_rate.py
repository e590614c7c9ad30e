"""Extension: how often an explanation names the person."""

from eftlib.metrics.base import Explanation, UndefinedError, metric
from eftlib.text import mentions, plain


@metric(label="Naming rate", dimension="Extension", unit="mentions a sentence")
def naming_rate(explanation: Explanation) -> float:
    """Mentions of the person by name a sentence, counted before masking.

    A mention is the full name, a part of it, or a part with an honorific. An extension of this project, apart from the study's
    eight metrics. Without a name there is no value.
    """
    if not (explanation.name or "").strip():
        raise UndefinedError("no name")
    return mentions(plain(explanation.raw), str(explanation.name)) / len(explanation.sentences)
