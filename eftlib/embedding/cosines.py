"""Cosines of sentences and of whole texts, from an embedder."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import pdist

from eftlib.embedding.embedder import WINDOW, Encoder, Floats
from eftlib.text import sentences

Profile = Literal["published", "controlled"]


class LiveCosines:
    """Cosines that are computed when they are asked for.

    Parameters
    ----------
    encoder : Encoder
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Floats] = {}

    def prepare(self, texts: Iterable[str], *, progress: bool = False) -> None:
        """Embed many strings at once: in one go they take a third of the time."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        options = {"progress": True} if progress else {}
        self._known |= self._encoder.embed(new, **options)

    def between_sentences(self, parts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return the condensed cosines of all pairs of sentences; see `eftlib.metrics.Similarities`."""
        self.prepare(parts)
        vectors = np.array([self._known[part] for part in parts], dtype=np.float64)
        return 1.0 - pdist(vectors, "cosine") if len(parts) > 1 else np.empty(0)

    def between_texts(self, text: str, other: str, profile: Profile) -> float:
        """Return the cosine of two whole texts.

        Parameters
        ----------
        text, other : str
        profile : {"published", "controlled"}
            Whether the embedder reads what fits, or all of it in chunks.

        Returns
        -------
        float
        """
        first, second = (self._whole(each, profile) for each in (text, other))
        return float(first @ second)

    def _whole(self, text: str, profile: Profile) -> npt.NDArray[np.float64]:
        chunks = chunked(text, self._encoder) if profile == "controlled" else [text]
        self.prepare(chunks)
        weights = [self._encoder.pieces(chunk) for chunk in chunks] if len(chunks) > 1 else [1]
        pooled = np.average([self._known[chunk].astype(np.float64) for chunk in chunks], axis=0, weights=weights)
        unit: npt.NDArray[np.float64] = pooled / np.linalg.norm(pooled)
        return unit


def chunked(text: str, encoder: Encoder, window: int = WINDOW) -> list[str]:
    """Split a text into stretches that the embedder reads whole: sentences together, a long sentence in words.

    Parameters
    ----------
    text : str
    encoder : Encoder
        For its word pieces.
    window : int
        Pieces that the embedder reads, its two markers included.

    Returns
    -------
    list of str
        One item, the text itself, where it fits.
    """
    room = window - 2
    # a piece is at least a letter or a mark of its own, so a short text needs no count
    if len(unicodedata.normalize("NFD", text)) <= room or encoder.pieces(text) <= room:
        return [text]
    units = [unit for part in sentences(text) or [text] for unit in ([part] if encoder.pieces(part) <= room else part.split())]
    chunks, size = [""], 0
    for unit in units:
        pieces = encoder.pieces(unit)
        if size and size + pieces > room:
            chunks.append("")
            size = 0
        chunks[-1] = f"{chunks[-1]} {unit}".strip()
        size += pieces
    return chunks
