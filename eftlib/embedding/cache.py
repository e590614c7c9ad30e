"""Embeddings on disk, by the sha256 of the text; one file a model, because another model's are other numbers."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from eftlib.errors import StoppedError
from eftlib.files import shown

Floats = npt.NDArray[np.float32]
_AT_ONCE = 500  # below SQLite's limit of variables in a statement


def digest(text: str) -> str:
    """Return the key of a text: the sha256 of its UTF-8 bytes.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


class Cache:
    """Embeddings by text, in an SQLite file.

    Parameters
    ----------
    path : Path
        Made with its folder if it is not there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as file:
            file.execute("CREATE TABLE IF NOT EXISTS embeddings (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID")

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=60)) as file, file:
                yield file
        except sqlite3.Error as error:
            raise StoppedError(
                f"{shown(self._path)}: the cache cannot be used ({error}); delete it, it fills up again"
            ) from None

    def get(self, texts: Sequence[str]) -> dict[str, Floats]:
        """Return the embeddings of those texts that are in the cache."""
        keys = {digest(text): text for text in texts}
        wanted = list(keys)
        found: dict[str, Floats] = {}
        with self._open() as file:
            for start in range(0, len(wanted), _AT_ONCE):
                part = wanted[start : start + _AT_ONCE]
                places = ",".join("?" * len(part))
                query = f"SELECT key, vector FROM embeddings WHERE key IN ({places})"  # noqa: S608 - question marks alone
                found |= {keys[key]: np.frombuffer(blob, dtype=np.float32) for key, blob in file.execute(query, part)}
        return found

    def put(self, embeddings: Mapping[str, Floats]) -> None:
        """Add embeddings; what is there already stays."""
        rows = [(digest(text), vector.astype(np.float32).tobytes()) for text, vector in embeddings.items()]
        with self._open() as file:
            file.executemany("INSERT OR IGNORE INTO embeddings VALUES (?, ?)", rows)
