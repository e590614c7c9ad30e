"""Elaboration depth, against scikit-learn's agglomerative clustering and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import squareform
from sklearn.cluster import AgglomerativeClustering
from texts import KNOWN, NOTHING, Bag, Given, reason, value

from eftlib.embedding import LiveCosines
from eftlib.metrics.elaboration_depth import clusters


def by_scikit(vectors: np.ndarray, threshold: float = 0.75, linkage: str = "average") -> int:
    """Number of clusters; the distances are numpy's."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    distances = np.clip(1 - unit @ unit.T, 0, None)
    # scikit-learn stops at a distance that reaches its threshold, the study joins at cosine >= 0.75
    found = AgglomerativeClustering(None, metric="precomputed", linkage=linkage, distance_threshold=1 - threshold + 1e-9)
    return int(found.fit(distances).n_clusters_)


def drawn(seed: int, sentences: int, topics: int, spread: float) -> np.ndarray:
    """Vectors of sentences about a few topics."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(topics, 12))
    vectors = centres[rng.integers(topics, size=sentences)] + spread * rng.normal(size=(sentences, 12))
    return vectors.astype(np.float32).astype(np.float64)


SETS = [
    (1, 2, 1, 0.3), (2, 2, 2, 0.3), (3, 3, 2, 0.5), (4, 5, 3, 0.5), (5, 8, 3, 0.6), (6, 12, 4, 0.6), (7, 20, 5, 0.7),
    (8, 20, 2, 0.8), (9, 30, 6, 0.5), (10, 40, 40, 0.1), (11, 60, 5, 0.7), (12, 300, 12, 0.6),
]  # fmt: skip
SENTENCES = [f"Reason {'abcdefghij'[i // 100]}{'abcdefghij'[i // 10 % 10]}{'abcdefghij'[i % 10]} holds." for i in range(300)]


@pytest.mark.parametrize(("seed", "sentences", "topics", "spread"), SETS)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_agrees_with_scikit_learn(seed: int, sentences: int, topics: int, spread: float, profile: str) -> None:
    vectors = drawn(seed, sentences, topics, spread)
    cosines = LiveCosines(Given(dict(zip(SENTENCES, vectors, strict=False))))
    assert value("elaboration_depth", " ".join(SENTENCES[:sentences]), profile, similarities=cosines) == by_scikit(vectors)


@pytest.mark.parametrize("known", [each for each in KNOWN if len(KNOWN[each].sentences) > 1])
def test_known_texts_agree_with_scikit_learn(known: str) -> None:
    bag = Bag(4)  # in few dimensions sentences are alike, so that there is something to join
    vectors = np.array([bag.vector(sentence) for sentence, _ in KNOWN[known].sentences], dtype=np.float64)
    assert value("elaboration_depth", KNOWN[known].text, similarities=LiveCosines(bag)) == by_scikit(vectors)


@pytest.mark.parametrize("threshold", [0.5, 0.65, 0.75, 0.85, 0.95])
@pytest.mark.parametrize("method", ["average", "single", "complete"])
def test_other_thresholds_and_linkages_agree_with_scikit_learn(threshold: float, method: str) -> None:
    vectors = drawn(13, 40, 6, 0.7)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = 1 - squareform(np.clip(1 - unit @ unit.T, 0, None), checks=False)
    assert clusters(cosines, threshold, method) == by_scikit(vectors, threshold, method)


@pytest.mark.parametrize(
    ("cosines", "expected"),
    [
        # pairs 01 02 12; average linkage: after 0 and 1 are joined, 2 is at the mean of its two cosines
        ([1, 1, 1], 1),
        ([0.75, 0, 0], 2),  # at the threshold itself: joined
        ([0.7499, 0, 0], 3),
        ([0.9, 0.8, 0.7], 1),  # (0.8 + 0.7) / 2 = 0.75
        ([0.9, 0.8, 0.69], 2),
        ([0.9, 0.9, 0.1], 2),  # (0.9 + 0.1) / 2 = 0.5: no chain
        ([0, 0, 0], 3),
        ([-1, 0, 0], 3),
    ],
)
def test_by_hand(cosines: list[float], expected: int) -> None:
    assert clusters(np.array(cosines, dtype=float)) == expected


def test_saying_a_thing_again_is_no_new_reason() -> None:
    cosines = LiveCosines(Bag())
    assert value("elaboration_depth", "The rent is late. " * 30, similarities=cosines) == 1


@pytest.mark.parametrize("separator", ["\n- ", "\n* ", "\n1. ", "\n\n", ". ", "\n"])
def test_reasons_count_alike_as_bullets_and_as_prose(separator: str) -> None:
    # C02's other half: a list of four is four sentences
    text = separator.join(["Why we refused", "Low income here", "Missed payments twice", "Short job history"])
    assert value("elaboration_depth", text, similarities=LiveCosines(Bag())) == 4


def test_one_sentence_is_one_reason_and_needs_no_embedder() -> None:
    assert value("elaboration_depth", "The rent is late") == 1


@pytest.mark.parametrize("why", ["no embedder", "not scored: run make score"])
def test_without_an_embedder_there_is_no_value(why: str) -> None:
    assert reason("elaboration_depth", "The rent is late. The debt is old.", similarities=why) == why


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    assert reason("elaboration_depth", NOTHING[nothing], profile, similarities=LiveCosines(Bag())) == "empty"
