"""all-mpnet-base-v2, verified by its hash and run on the CPU."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from eftlib.embedding.cache import Cache
from eftlib.errors import StoppedError
from eftlib.files import data_dir, shown

MODEL_NAME = "all-mpnet-base-v2"
SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"
WINDOW = 384  # word pieces that the model reads, its two markers included
_BATCH = 32
_FILES = ("config.json", "modules.json", "tokenizer.json", "1_Pooling/config.json")

Floats = npt.NDArray[np.float32]


class Encoder(Protocol):
    """Something that embeds texts; `Embedder` is the real one."""

    def embed(self, texts: Sequence[str]) -> dict[str, Floats]:
        """Return an embedding of length 1 for each distinct text."""
        ...

    def pieces(self, text: str) -> int:
        """Return how many word pieces a text has, without markers."""
        ...


def model_folder() -> Path:
    """Return where the embedder lies or is put: below ``$EFTLIB_MODELS`` or ``models/`` of the checkout.

    Returns
    -------
    Path
    """
    root = os.environ.get("EFTLIB_MODELS")
    return (Path(root) if root else data_dir().parent / "models") / MODEL_NAME


def verify(folder: Path) -> None:
    """Check that a folder holds the embedder.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    StoppedError
        If it is not there, or its weights have another sha256.
    """
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise StoppedError(f"the embedder is not in {shown(folder)}; make model brings it")
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise StoppedError(f"{shown(weights)}: sha256 is {found}, should be {SHA256}; remove the folder and run make model")
    lacking = [name for name in _FILES if not (folder / name).is_file()]
    if lacking:
        raise StoppedError(f"{shown(folder)} lacks {', '.join(lacking)}; remove the folder and run make model")


class Embedder:
    """The study's sentence embedder.

    Parameters
    ----------
    folder : Path, optional
        By default `model_folder`.
    cache : Cache, optional
        By default a file beside the model.

    Raises
    ------
    StoppedError
        If torch or the model is not there, or the model's hash differs.
    """

    def __init__(self, folder: Path | None = None, cache: Cache | None = None) -> None:
        folder = folder or model_folder()
        verify(folder)
        os.environ["HF_HUB_OFFLINE"] = "1"  # loading would ask the hub even for files that are here
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that spin while they wait starve whatever runs beside
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - five seconds and a GB of torch
            from transformers.utils import logging  # noqa: PLC0415
        except ImportError:
            raise StoppedError("torch and sentence-transformers are not installed; make model brings them") from None
        logging.disable_progress_bar()
        logging.set_verbosity_error()  # it warns of long texts when their pieces are counted
        self._model: Any = SentenceTransformer(str(folder), device="cpu")
        self._cache = cache or Cache(folder.with_name(f"{MODEL_NAME}.sqlite"))

    def embed(self, texts: Sequence[str], *, progress: bool = False) -> dict[str, Floats]:
        """Embed each distinct text once; what the cache has is taken from it.

        Parameters
        ----------
        texts : sequence of str
        progress : bool
            Whether to show progress on standard error.

        Returns
        -------
        dict of str to array of float32, shape (768,)
            Of length 1; the last digits depend on what else was in a batch (about 1e-6).
        """
        distinct = list(dict.fromkeys(texts))
        found = self._cache.get(distinct)
        # sorted here, so that a stop loses one block and each block is of one length
        missing = sorted((text for text in distinct if text not in found), key=len)
        for start in range(0, len(missing), _BATCH * 8):
            block = missing[start : start + _BATCH * 8]
            vectors = self._model.encode(block, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False)
            fresh = dict(zip(block, np.asarray(vectors, dtype=np.float32), strict=True))
            self._cache.put(fresh)
            found |= fresh
            if progress:
                print(f"embedded {start + len(block):,} of {len(missing):,} texts", file=sys.stderr)
        return found

    def pieces(self, text: str) -> int:
        """Return how many word pieces a text has, without markers."""
        return len(self._model.tokenizer.tokenize(text))
