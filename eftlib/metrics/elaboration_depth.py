"""Verbosity: how many distinct reasons an explanation gives."""

from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage

from eftlib.metrics.base import Explanation, metric

THRESHOLD = 0.75
Linkage = Literal["average", "single", "complete"]


@metric(label="Elaboration", dimension="Verbosity", unit="clusters", embeds=True)
def elaboration_depth(explanation: Explanation) -> float:
    """Number of semantically distinct reasons: clusters of the sentences' embeddings at cosine 0.75.

    Sentences are embedded with all-mpnet-base-v2 and joined by average linkage while the mean cosine between clusters is at
    least 0.75. The study names the embedder and the threshold and no linkage; average linkage is this project's choice.

    Source: study, III.A (ii). One sentence is one cluster.
    """
    parts = explanation.sentences
    if len(parts) == 1:
        return 1.0
    return float(clusters(explanation.cosines.between_sentences(parts)))


def clusters(cosines: npt.NDArray[np.float64], threshold: float = THRESHOLD, method: Linkage = "average") -> int:
    """Count the clusters of sentences.

    Parameters
    ----------
    cosines : array of float, shape (n (n - 1) / 2,)
        Condensed cosines of all pairs of n >= 2 sentences.
    threshold : float
        Clusters are joined while their cosine is at least this.
    method : {"average", "single", "complete"}

    Returns
    -------
    int
    """
    # cosines on file have four decimals: a pair at the threshold itself must not fall out by rounding
    distances = np.clip(1.0 - cosines, 0.0, None)
    return int(fcluster(linkage(distances, method), 1.0 - threshold + 1e-9, criterion="distance").max())
