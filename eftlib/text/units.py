"""Words and sentences, defined once for every metric."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex
from syntok import segmenter

# a hyphenated word is one word, an apostrophe belongs to its word, a number keeps its points and commas, dashes part words;
# the letters of many scripts have marks that the standard library does not take for parts of a word
_WORD = regex.compile(
    r"""
    \d+(?:[.,:/]\d+)*(?:[-‐‑'’ʼ]?[\p{L}\p{M}\p{N}]+)*                   # 3.5  2,100  24/7  30-day  1990s
    | (?:\p{L}{1,2}\.){2,}                                               # U.S.  e.g.  Ph.D.
    | [\p{L}\p{M}\p{N}]+(?:[-‐‑'’ʼ][\p{L}\p{M}\p{N}]+)*                  # income  debt-to-income  don't
    """,
    regex.VERBOSE,
)
# syntok takes the full stop after a number for that of an enumeration
_AFTER_NUMBER = regex.compile(r"(?<=[\d.,]\d\.|\d%\.)\s+(?=[\"'“‘]?\p{Lu})")
_SIGN = regex.compile(r"[\p{So}\p{Sk}\uFE0F\u200D]")
_ABBREVIATED = regex.compile(r"\b(?:Sec|Secs|Art|Par|Ch|Vol|Nr)\.\Z")
_ENUMERATOR = regex.compile(r"\(?\d{1,2}[.)]")
# between the words of a phrase stand spaces, or the line break of wrapped text, and nothing else
_JOINT = regex.compile(r"[^\S\n]+|[^\S\n]*\n[^\S\n]*")


def words(text: str) -> list[str]:
    """Return the words of a text as they are written.

    A hyphenated word and a number are one word each; dashes, a slash between words and an ampersand part words and are none.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str

    Examples
    --------
    >>> words("The debt-to-income ratio is 3.5—it won't pass.")
    ['The', 'debt-to-income', 'ratio', 'is', '3.5', 'it', "won't", 'pass']
    """
    return [match[0] for match in _WORD.finditer(text)]


def stretches(text: str) -> list[list[str]]:
    """Return the words of a text, a list a stretch without punctuation: a phrase does not reach over a full stop.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of list of str

    Examples
    --------
    >>> stretches("It is not, clear that it may suggest")
    [['It', 'is', 'not'], ['clear', 'that', 'it', 'may', 'suggest']]
    """
    found: list[list[str]] = []
    end = 0
    for match in _WORD.finditer(text):
        start = match.start()
        gap = text[end:start]
        # nearly always a space, which needs no pattern
        if not found or (gap != " " and not _JOINT.fullmatch(gap)):
            found.append([])
        found[-1].append(match[0])
        end = match.end()
    return found


def sentences(text: str) -> list[str]:
    r"""Split a text into sentences: at line breaks, and within a line as syntok does.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
        Without surrounding white space; stretches without a word are left out.

    Examples
    --------
    >>> sentences("The ratio is 3.5 and the score 7.2. Denied.\nTwo missed payments")
    ['The ratio is 3.5 and the score 7.2.', 'Denied.', 'Two missed payments']
    """
    return list(_sentences(text))


# the robustness page measures each text under several choices
@lru_cache(maxsize=8192)
def _sentences(text: str) -> tuple[str, ...]:
    found = (part.strip() for line in text.splitlines() for whole in _split(line) for part in _AFTER_NUMBER.split(whole))
    return tuple(_joined(part for part in found if _WORD.search(part)))


def _split(line: str) -> Iterator[str]:
    end = 0
    # a sign such as an emoji before a full stop would hide it; each is one character wide, so offsets stay
    for paragraph in segmenter.analyze(_SIGN.sub(" ", line)):
        for sentence in paragraph:
            last = list(sentence)[-1:]
            if last:
                # by offsets, because syntok rewrites tokens such as "don't"
                start, end = end, last[0].offset + len(last[0].value)
                yield line[start:end]
    if line[end:].strip():
        yield line[end:]


def _joined(parts: Iterator[str]) -> Iterator[str]:
    """Put together what the splitter sets apart: the number of an enumeration or a section and what belongs to it."""
    waiting = ""
    for part in parts:
        if waiting and not _ENUMERATOR.fullmatch(waiting.strip()) and not part[0].isdigit():
            yield waiting.strip()
            waiting = ""
        waiting += f"{part} "
        if not _ENUMERATOR.fullmatch(part) and not _ABBREVIATED.search(part):
            yield waiting.strip()
            waiting = ""
    if waiting:
        yield waiting.strip()
