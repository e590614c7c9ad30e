"""The person's name and honorific, found in every form and replaced by one neutral token.

A name is what the design varies, so a measure that reads it measures its own cause: names have syllables, words and, some of
them, sentiment.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

NEUTRAL_NAME = "Person"

_HONORIFIC = r"(?:(?:Mr|Mrs|Ms|Mx|Dr|Prof)\b\.?|Miss\b|Mister\b|Madam\b|Sir\b|Professor\b|Doctor\b)"
# particles stand between the parts of a name and are no mention of it by themselves
_PARTICLES = {
    "de",
    "la",
    "las",
    "los",
    "del",
    "da",
    "dos",
    "di",
    "van",
    "von",
    "der",
    "den",
    "al",
    "el",
    "bin",
    "ibn",
    "y",
    "le",
}
_APOSTROPHES = "'’ʼ"
_HYPHENS = "-‐‑"


def mask_name(text: str, name: str) -> str:
    """Replace every mention of a person's name, with the honorific before it, by `NEUTRAL_NAME`.

    A mention is a run of the name's parts, of its initials with a surname, or a part alone; a possessive keeps its ``'s``
    (one that ends in a bare apostrophe gets it), so that all names are treated alike.

    Parameters
    ----------
    text : str
    name : str
        The full name, in the order in which it is written.

    Returns
    -------
    str
        The text with typographic accents composed (NFC).

    Examples
    --------
    >>> mask_name("Ms. Okonkwo was denied; Aisha's income is low.", "Aisha Okonkwo")
    "Person was denied; Person's income is low."
    """
    pattern = _pattern(unicodedata.normalize("NFC", name))
    return pattern.sub(_neutral, unicodedata.normalize("NFC", text))


def mentions(text: str, name: str) -> int:
    """Return how often a text mentions a person by name, counted as `mask_name` replaces.

    Parameters
    ----------
    text, name : str

    Returns
    -------
    int
    """
    pattern = _pattern(unicodedata.normalize("NFC", name))
    return sum(1 for _ in pattern.finditer(unicodedata.normalize("NFC", text)))


def _neutral(match: re.Match[str]) -> str:
    return NEUTRAL_NAME + ("'s" if match["possessive"] else "")


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of all mentions of a name."""
    parts = name.split()
    # of "Al-Said" a text may write "Said" alone
    parts += [piece for part in parts for piece in part.split("-") if "-" in part and len(piece) > 2]
    strong = [part for part in parts if part.lower() not in _PARTICLES]
    if not strong:
        raise ValueError(f"{name!r} holds no name")
    any_part = "|".join(_spelled(part) for part in sorted(parts, key=len, reverse=True))
    strong_part = "|".join(_spelled(part) for part in sorted(strong, key=len, reverse=True))
    initials = "".join(sorted({part[0].upper() for part in strong}))
    # a run begins with an initial or a part of the name, particles may follow inside, and it ends with a part
    run = rf"(?:[{re.escape(initials)}]\.\s*)*(?:{strong_part})(?:\s+(?:[{re.escape(initials)}]\.\s*)?(?:{any_part})\b)*"
    if len(parts) > len(strong):
        run = rf"(?:(?:{any_part})\s+)*{run}"
    possessive = rf"(?P<possessive>[{_APOSTROPHES}]s\b|(?<=s)[{_APOSTROPHES}](?!\w))?"
    return re.compile(rf"(?<![\w\-‐‑])(?:{_HONORIFIC}\s+)*(?:{run})(?!\w|[\-‐‑]\w){possessive}")


def _spelled(part: str) -> str:
    """Return a pattern for a part of a name as written, in capitals, with plain letters, or with other hyphens."""
    letters = "".join(_letter(letter) for letter in part)
    return rf"(?:{letters}|{''.join(_letter(letter) for letter in part.upper())})"


def _letter(letter: str) -> str:
    if letter in _HYPHENS:
        return r"[\-‐‑\s]"
    if letter in _APOSTROPHES:
        return f"[{_APOSTROPHES}]?"
    bare = unicodedata.normalize("NFD", letter)[0]
    return re.escape(letter) if bare == letter else f"[{re.escape(letter)}{re.escape(bare)}]"
