"""Decision-linked explanation: how much an explanation changes with the decision."""

from eftlib.metrics.base import Explanation, metric


@metric(label="EFP (proxy)", dimension="Decision-linked", unit="1 - cosine", embeds=True)
def efp(explanation: Explanation) -> float:
    """Explanation Faithfulness Proxy: 1 - cosine of the embeddings of the explanations of the two decisions.

    Both explanations are of the same person in the same scenario, one of the stated decision and one of its opposite.
    ``published``: whole texts, of which the embedder reads the first 384 word pieces. ``controlled``: longer texts are
    embedded in pieces that fit and pooled, so nothing is unseen.

    Source: study, Eq. 2. Without an explanation of the opposite decision there is no value.
    """
    other = explanation.opposite_text
    return 1.0 - explanation.cosines.between_texts(explanation.text, other, explanation.profile)
