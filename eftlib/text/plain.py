"""Markdown to plain text, one block a line: what a reader reads, without what a renderer reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

# typographic signs that stand for a plain one; dashes that part words become a dash with spaces
_ASCII = str.maketrans(
    {
        "‐": "-", "‑": "-", "‒": "-", "–": " - ", "—": " - ", "―": " - ", "−": "-",
        "‘": "'", "’": "'", "ʼ": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "…": "...",
        "\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u200a": " ", "\u202f": " ", "\u3000": " ",
        "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "",
    }
)  # fmt: skip
_URL = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]\"']+[^\s<>()\[\]\"'.,;:!?]")
_BULLET = re.compile(r"^(\s*)[•◦▪‣·●○–—]\s+", re.MULTILINE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_RANGE = re.compile(r"(?<=\d)\s*[–—]\s*(?=\d)")


def plain(text: str) -> str:
    r"""Turn markdown into plain text: a line a paragraph, heading, list item or table row, and typographic signs to ASCII.

    Markers, emphasis, code ticks and table pipes go; of a link its text stays; a bare address becomes the word ``link``.
    Within a paragraph a line break stays, unless the next line begins with a small letter and so goes on.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        Lines without surrounding white space, empty ones left out.

    Examples
    --------
    >>> plain("**Decision:** Denied\n\n* Income is `low`.\n* See https://example.org/a?b=1 for details.")
    'Decision: Denied\nIncome is low.\nSee link for details.'
    """
    source = _BULLET.sub(r"\1- ", _BREAK.sub("\n", unicodedata.normalize("NFC", text)))
    blocks = (_RANGE.sub("-", block).translate(_ASCII) for block in _blocks(_parser().parse(source)))
    lines = (re.sub(r"\s+", " ", _URL.sub("link", line)).strip() for block in blocks for line in block.split("\n"))
    return "\n".join(line for line in lines if line)


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def _blocks(tokens: Sequence[Token]) -> Iterator[str]:
    row: list[str] | None = None
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield ", ".join(cell for cell in row if cell)
            row = None
        elif token.type in ("fence", "code_block"):
            yield token.content
        elif token.type == "inline":
            content = _inline(token.children or [])
            if row is None:
                yield content
            else:
                row.append(content.strip())


def _inline(tokens: Sequence[Token]) -> str:
    text = ""
    for number, token in enumerate(tokens):
        if token.type == "softbreak":
            following = next((later.content for later in tokens[number + 1 :] if later.content), "")
            text += " " if following[:1].islower() else "\n"
        elif token.type == "hardbreak":
            text += "\n"
        else:
            text += token.content
    return text
