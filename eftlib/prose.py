"""Numbers typed into the prose of pages that show results, where they would stay when the results change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from eftlib.files import data_dir, read_text, shown

ROOT = data_dir().parent
# formulas, and the names of a study's parts, are no numbers
_NOT_PROSE = re.compile(r"\$[^$]*\$|\b(?:Tables?|Figs?\.|Figures?|Sections?|Eqs?\.)\s+\d+(?:\s*(?:,|–|and)\s*\d+)*")
_NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:e[-+−]?\d+|[⁻⁰¹²³⁴-⁹]+)?")
# what opens a directive: its title is prose, the columns of a grid are none
_OPENS = re.compile(r":{3,}(?:\{([\w-]+)\})?")
_DECLARED = re.compile(r"% not results?:(.*)")


def pages() -> list[Path]:
    """Return the pages that show results: the landing page, the numbered notebooks and the pages that are notebooks.

    Returns
    -------
    list of Path
    """
    return [ROOT / "index.md", *sorted((ROOT / "notebooks").glob("*.py")), *sorted((ROOT / "pages").glob("*.py"))]


def typed_numbers(path: Path) -> Iterator[str]:
    """Name each number that is typed into the prose of a page.

    A result comes from ``numbers.json`` through glue, so that it cannot differ from the table beside it. What belongs to the
    design (80 scenarios) is declared on the page by a comment line that no reader sees: ``% not results: 80 (scenarios)``.

    Parameters
    ----------
    path : Path
        A Markdown file or a percent notebook.

    Yields
    ------
    str
        The file, the line and the number.
    """
    lines = list(_prose(read_text(path), notebook=path.suffix == ".py"))
    declared = {number for _, line in lines if (found := _DECLARED.match(line)) for number in _numbers(found[1])}
    for place, line in lines:
        if not line.startswith("%"):
            for number in _numbers(line):
                if number not in declared:
                    yield (
                        f"{shown(path)}:{place}: {number} is typed into the prose; glue a result, or declare what is none "
                        f"by a line '% not results: {number} (what it is)'"
                    )


def _numbers(line: str) -> list[str]:
    return _NUMBER.findall(_NOT_PROSE.sub(" ", line))


def _prose(text: str, *, notebook: bool) -> Iterator[tuple[int, str]]:
    """Yield the lines of prose with their numbers, of a notebook those of its Markdown cells."""
    if not notebook:
        yield from _lines(text)
        return
    # what is no Markdown is blanked, so that lines keep their numbers
    markdown, kept = False, []
    for line in text.splitlines():
        markdown = "[markdown]" in line if line.startswith("# %%") else markdown
        kept.append(line.removeprefix("#").removeprefix(" ") if markdown and not line.startswith("# %%") else "")
    yield from _lines("\n".join(kept))


def _lines(text: str, offset: int = 1) -> Iterator[tuple[int, str]]:
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        start = offset + (token.map or [0])[0]
        if token.type == "fence" and token.info.startswith("{") and not token.info.startswith(("{code", "{math")):
            yield from _lines(token.content, start + 1)  # a directive that holds prose
        for line in _inline(token.children or []):
            opens = _OPENS.match(line)
            if not re.match(r":[\w-]+:", line) and not (opens and opens[1] == "grid"):  # an option of a directive
                yield start, line[opens.end() :] if opens else line
            start += 1


def _inline(children: Sequence[Token]) -> Iterator[str]:
    """Yield the lines of a block without code, roles and markup."""
    line = ""
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            yield line
            line = ""
        elif child.type == "text":
            line += child.content
        else:
            line += " " * (child.type in ("code_inline", "html_inline", "image"))
    if children:
        yield line
