"""Lexical complexity: the school grade an explanation asks for."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from eftlib.metrics.base import Explanation, metric


@metric(label="FKGL", dimension="Lexical complexity", unit="school grades")
def fkgl(explanation: Explanation) -> float:
    """Flesch-Kincaid grade level: 0.39 words/sentences + 11.8 syllables/words - 15.59.

    ``published``: as textstat computes it, with its own words and sentences, for which a bullet list is one sentence and a
    decimal point ends one. ``controlled``: with this project's words and sentences; a number is one syllable, a hyphenated word
    is one word with the syllables of its parts. Syllables are those of the Carnegie Mellon Pronouncing Dictionary, and of
    hyphenation rules for words that it lacks.

    Source: study, III.F (i); Kincaid et al. (1975).
    """
    if explanation.profile == "published":
        return float(_textstat().flesch_kincaid_grade(explanation.text))
    words = explanation.words
    syllables = sum(syllables_of(word) for word in words)
    return 0.39 * len(words) / len(explanation.sentences) + 11.8 * syllables / len(words) - 15.59


@lru_cache(maxsize=100_000)
def syllables_of(word: str) -> int:
    """Count the syllables of a word; a part with a digit is one.

    Parameters
    ----------
    word : str

    Returns
    -------
    int

    Examples
    --------
    >>> syllables_of("debt-to-income"), syllables_of("2,100")
    (4, 1)
    """
    parts = [part for part in re.split(r"[-‐‑]", word.replace("’", "'")) if part]
    return sum(1 if re.search(r"\d", part) else max(1, int(_textstat().syllable_count(part))) for part in parts)


@cache
def _textstat() -> Any:
    """Import textstat with its dictionary from this package, where it would ask the network for it."""
    import nltk  # noqa: PLC0415 - half a second, for this metric alone

    nltk.data.path.insert(0, str(Path(__file__).resolve().parent.parent / "resources" / "nltk_data"))
    import textstat  # noqa: PLC0415

    return textstat
