"""Words and sentences, defined once for every metric."""

from __future__ import annotations

import re
from collections.abc import Iterator

from syntok import segmenter

# a hyphenated word is one word, an apostrophe belongs to its word, a number keeps its points and commas, dashes part words
_WORD = re.compile(
    r"""
    \d+(?:[.,:/]\d+)*(?:[-‐‑'’ʼ]?[^\W_]+)*        # 3.5  2,100  24/7  30-day  1990s
    | (?:[^\W\d_]\.){2,}                             # U.S.  e.g.
    | [^\W_]+(?:[-‐‑'’ʼ][^\W_]+)*                    # income  debt-to-income  don't
    """,
    re.VERBOSE,
)

# syntok takes the full stop after a number for that of an enumeration
_AFTER_DECIMAL = re.compile(r"(?<=\d\.|%\.)\s+(?=[\"'“‘]?[A-Z])")


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
    return _WORD.findall(text)


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
    found = (part.strip() for line in text.splitlines() for whole in _split(line) for part in _AFTER_DECIMAL.split(whole))
    return [sentence for sentence in found if words(sentence)]


def _split(line: str) -> Iterator[str]:
    for paragraph in segmenter.analyze(line):
        for sentence in paragraph:
            tokens = list(sentence)
            if tokens:
                # by offsets, because syntok rewrites tokens such as "don't"
                yield line[tokens[0].offset : tokens[-1].offset + len(tokens[-1].value)]
