"""The person's name and honorific, found in every form and replaced by one neutral token.

A name is what the design varies, so a measure that reads it measures its own cause: names have syllables, words and, some of
them, sentiment.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex as re  # for look-behinds of any length

NEUTRAL_NAME = "Person"

_HONORIFIC = r"(?:(?:Mr|Mrs|Ms|Mx|Dr|Prof)\b\.?|Miss\b|Mister\b|Madam\b|Sir\b|Professor\b|Doctor\b)"
# written small they stand between the parts of a name and are no mention of it by themselves
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
_SUFFIXES = ("jr", "sr", "ii", "iii", "iv")
_APOSTROPHES = "'’ʼ"
_HYPHENS = "-‐‑"
_SPACE = r"[^\S\n]+"  # a mention does not reach over a line break


def mask_name(text: str, name: str) -> str:
    """Replace every mention of a person's name, with the honorific before it, by `NEUTRAL_NAME`.

    A mention is a run of the name's parts, of its initials with a surname, or a part alone; a possessive keeps its ``'s``
    (one that ends in a bare apostrophe gets it), so that all names are treated alike.

    Parameters
    ----------
    text : str
    name : str
        The full name, in the order in which it is written; white space alone masks nothing.

    Returns
    -------
    str
        The text with accents composed (NFC).

    Examples
    --------
    >>> mask_name("Ms. Okonkwo was denied; Aisha's income is low.", "Aisha Okonkwo")
    "Person was denied; Person's income is low."
    """
    text = unicodedata.normalize("NFC", text)
    return _pattern(unicodedata.normalize("NFC", name)).sub(_neutral, text) if name.strip() else text


def mentions(text: str, name: str) -> int:
    """Return how often a text mentions a person by name, counted as `mask_name` replaces.

    Parameters
    ----------
    text, name : str

    Returns
    -------
    int
    """
    text = unicodedata.normalize("NFC", text)
    return sum(1 for _ in _pattern(unicodedata.normalize("NFC", name)).finditer(text)) if name.strip() else 0


def _neutral(match: re.Match[str]) -> str:
    possessive = match["possessive"] or ""
    if len(possessive) == 1 and _is_quoted(match.string[: match.start()].rsplit("\n", 1)[-1]):
        return NEUTRAL_NAME + possessive  # the mark closes a quotation
    return NEUTRAL_NAME + ("'s" if possessive else "")


def _is_quoted(before: str) -> bool:
    """Return whether a single quotation mark is open at the end of a stretch of text."""
    opened, closed = re.findall(r"(?<!\w)['‘](?=\w|\Z)", before), re.findall(r"(?<=\w)['’](?!\w)", before)
    return len(opened) > len(closed)


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of all mentions of a name."""
    parts = [part.strip(",.") for part in name.split()]
    parts = [part for part in parts if part and part.lower() not in _SUFFIXES] or [name.strip()]
    # of "Al-Said" a text may write "Said" alone
    parts += [piece for part in parts for piece in part.split("-") if "-" in part and len(piece) > 2]
    strong = [part for part in parts if not _is_weak(part)] or parts
    any_part = "|".join(_spelled(part) for part in sorted(parts, key=len, reverse=True))
    strong_part = "|".join(_spelled(part) for part in sorted(strong, key=len, reverse=True))
    initials = "".join(sorted({part[0].upper() for part in strong}))
    initial = rf"[{re.escape(initials)}]\.[^\S\n]*"
    # a run begins with an initial or a part of the name, particles may stand before and inside
    following = rf"{_SPACE}(?:{initial})?(?:{any_part})\b"
    suffix = rf",?{_SPACE}(?:{'|'.join(_SUFFIXES)})\b\.?"
    run = rf"(?:(?:{any_part}){_SPACE})*?(?:{initial})*(?:{strong_part})(?:{following}|(?i:{suffix}))*"
    possessive = rf"(?P<possessive>[{_APOSTROPHES}]s\b|(?<=s)[{_APOSTROPHES}](?!\w))?"
    # "Okonkwo-led" speaks of the person, "Anne-Marie" of another
    alone = r"(?<!\w)(?<!\p{Lu}\w*[\-‐‑])", r"(?!\w|[\-‐‑]\p{Lu})"
    return re.compile(rf"{alone[0]}(?:{_HONORIFIC}{_SPACE})*(?:{run}){alone[1]}{possessive}")


def _is_weak(part: str) -> bool:
    return part.lower() in _PARTICLES and part[0].islower()


def _spelled(part: str) -> str:
    """Return a pattern for a part of a name as written, in capitals, with plain letters, or with other hyphens."""
    written = "".join(_letter(letter) for letter in part)
    capitals = "".join(_letter(letter) for letter in part.upper())
    # a particle begins a sentence with a capital, and the article of an Arabic name is written either way
    loose = _is_weak(part) or part.lower().split("-")[0] in _PARTICLES
    other = "".join(_letter(letter) for letter in part[0].swapcase() + part[1:])
    return rf"(?:{written}|{capitals}{f'|{other}' if loose and part[1:] else ''})"


def _letter(letter: str) -> str:
    if letter in _HYPHENS:
        return r"[\-‐‑\s]"
    if letter in _APOSTROPHES:
        return f"[{_APOSTROPHES}]?"
    bare = unicodedata.normalize("NFD", letter)[0]
    return re.escape(letter) if bare == letter else f"[{re.escape(letter)}{re.escape(bare)}]"
