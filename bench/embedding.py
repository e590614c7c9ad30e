"""Scoring against the bare encoder on the same distinct strings (synthetic texts; needs `make model`)."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from bench.measuring import synthetic_texts
from eftlib.embedding import Cache, Embedder
from eftlib.errors import StoppedError
from eftlib.scoring import Need, StoredCosines, fill
from eftlib.text import sentences

TEXTS = 60


def run() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            embedder = Embedder(cache=Cache(Path(scratch) / "warm.sqlite"))
        except StoppedError as reason:
            yield f"not measured: {reason}"
            return
        embedder.embed(["The first call is slower."])
        ratios = []
        for round_ in range(3):
            texts = synthetic_texts(TEXTS)
            pairs = pairwise(texts)
            needs = [Need(tuple(sentences(text))) for text in texts] + [Need(pair, "published") for pair in pairs]
            strings = list(dict.fromkeys(part for need in needs for part in need.parts))
            began = time.perf_counter()
            embedder._model.encode(strings, batch_size=32, normalize_embeddings=True, show_progress_bar=False)
            bare = time.perf_counter() - began
            embedder._cache = Cache(Path(scratch) / f"{round_}.sqlite")  # nothing is known
            began = time.perf_counter()
            fill(StoredCosines(Path("none.parquet")), needs, embedder, progress=False)
            ratios.append((time.perf_counter() - began) / bare)
        yield f"{len(strings)} distinct strings of {TEXTS} texts: the encoder alone {bare:.1f} s"
        yield f"scoring against the encoder alone: {', '.join(f'{ratio:.3f}' for ratio in ratios)} (at most 1.15)"
