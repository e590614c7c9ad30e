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
_LINE_BREAKS = re.compile(r"\r\n?|[\u0085\u2028\u2029]")
_URL = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]\"']+[^\s<>()\[\]\"'.,;:!?]")
_HTML = re.compile(
    r"<!--.*?-->|</?(?:b|i|u|em|strong|p|div|span|hr|ul|ol|li|h[1-6]|table|thead|tbody|tr|td|th|a|code|pre|blockquote|sub|sup"
    r"|small|details|summary|font|center)\b[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|li|h[1-6]|tr)>", re.IGNORECASE)
# an item begins a block wherever it stands, indented or right after a line of text; its checkbox is no word
_ITEM = re.compile(r"^[^\S\n]*(?:[•◦▪‣·●○–—*+-]|(\d{1,2}[.)]))[^\S\n]+(?:\[[ xX]\][^\S\n]+)?(?=\S)", re.MULTILINE)
_RANGE = re.compile(r"(?<=\d)[–—](?=\d)")
_BEFORE_STOP = re.compile(r"[^\S\n]+(?=[.!?,;:](?:\s|\Z))")


def plain(text: str) -> str:
    r"""Turn markdown into plain text: a line a paragraph, heading, list item or table row, and typographic signs to ASCII.

    Markers, emphasis, code ticks and table pipes go; of a link its text stays; a bare address becomes the word ``link``.
    Within a paragraph a line break stays, unless the next line begins with a small letter and so goes on. HTML tags go as well.

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
    source = _HTML.sub("", _BREAK.sub("\n", _LINE_BREAKS.sub("\n", unicodedata.normalize("NFC", text))))
    source = _ITEM.sub(lambda item: f"\n{item[1] or '-'} ", source)
    blocks = (_RANGE.sub("-", block).translate(_ASCII) for block in _blocks(_parser().parse(source)))
    lines = (re.sub(r"\s+", " ", _URL.sub("link", line)).strip() for block in blocks for line in block.split("\n"))
    return "\n".join(bare for line in lines if (bare := _BEFORE_STOP.sub("", line)))


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
