"""Numbers typed into the prose of pages that show results, where they would stay when the results change."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from eftlib.files import data_dir, read_text, shown

ROOT = data_dir().parent
# formulas, and the names of a study's parts, are no numbers
_NOT_PROSE = re.compile(
    r"\bdraw [01]\b|\$[^$]*\$|\b(?:Tables?|Figs?\.|Figures?|Sections?|Eqs?\.)\s+\d+(?:\s*(?:,|–|and)\s*\d+)*"
)
_NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:e[-+−]?\d+|[⁻⁰¹²³⁴-⁹]+)?")
# what opens a directive: its title is prose, the columns of a grid are none
_OPENS = re.compile(r":{3,}(?:\{([\w-]+)\})?")
# of a directive's options these are read by somebody
_READ_OPTION = re.compile(r":(?:alt|caption|title):")
_ROLE = re.compile(r"\{([\w:-]+)\}$")
# roles whose text is no prose: a formula, or a name that is looked up (beside which a title of one's own is prose)
_LOOKED_UP = re.compile(r"(?:glue|cite|math|eq|py|ref|numref|doc|download)\b")
_TAG = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)
_READ_ATTRIBUTE = re.compile(r"\b(?:alt|title|aria-label)\s*=\s*(\"[^\"]*\"|'[^']*')")
# the first argument that is shown: before it stand the name and what is drawn
_SHOWN_FROM = {"page.table": 2, "page.figure": 2, "page.say": 0}
_DECLARED = re.compile(r"% not results?:(.*)")


def pages() -> list[Path]:
    """Return the pages that speak of results: landing page, numbered notebooks, pages that are notebooks, limits, data card.

    Returns
    -------
    list of Path
    """
    written = [ROOT / name for name in ("index.md", "pages/limits.md", "pages/data_card.md")]
    return [*written, *sorted((ROOT / "notebooks").glob("*.py")), *sorted((ROOT / "pages").glob("*.py"))]


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
    text, notebook = read_text(path), path.suffix == ".py"
    lines = [*_prose(text, notebook=notebook), *(_captions(text) if notebook else ())]
    declared = {number for _, line in lines if (found := _DECLARED.match(line)) for number in _numbers(found[1])}
    for place, line in sorted(lines, key=lambda each: each[0]):
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


def _captions(text: str) -> Iterator[tuple[int, str]]:
    """Yield the texts that a notebook's code gives to be shown: captions, alternative texts, sentences."""
    for call in ast.walk(ast.parse(text)):
        first = _SHOWN_FROM.get(ast.unparse(call.func)) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and first is not None:
            given = [*call.args[first:], *(option.value for option in call.keywords if option.arg in ("caption", "alt"))]
            for value in given:
                # what a format takes, and how, is not typed but computed
                computed = {
                    id(node) for each in ast.walk(value) if isinstance(each, ast.FormattedValue) for node in ast.walk(each)
                }
                for node in ast.walk(value):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in computed:
                        yield node.lineno, node.value


def _lines(text: str, offset: int = 1) -> Iterator[tuple[int, str]]:
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        start = offset + (token.map or [0])[0]
        if token.type == "fence" and token.info.startswith("{") and not token.info.startswith(("{code", "{math")):
            yield from _lines(token.content, start + 1)  # a directive that holds prose
        if token.type == "html_block":
            yield from enumerate(_of_html(token.content).split("\n"), start)
        for line in _inline(token.children or []):
            opens = _OPENS.match(line)
            if (_READ_OPTION.match(line) or not re.match(r":[\w-]+:", line)) and not (
                opens and opens[1] == "grid"
            ):  # an option of a directive
                yield start, line[opens.end() :] if opens else line
            start += 1


def _inline(children: Sequence[Token]) -> Iterator[str]:
    """Yield the lines of a block without what is no prose in code, roles and markup."""
    line = ""
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            yield line
            line = ""
        elif child.type == "text":
            line += child.content
        elif child.type == "image":
            line += f" {child.content} {child.attrGet('title') or ''} ".replace("\n", " ")
        elif child.type == "html_inline":
            line += f" {_of_html(child.content)} "
        elif child.type == "code_inline":
            line += f" {_of_code(child.content, _ROLE.search(line))} "
    if children:
        yield line


def _of_html(text: str) -> str:
    """Return what is read of HTML, its line breaks kept: the text between the tags, and alternative texts and titles."""

    def kept(tag: re.Match[str]) -> str:
        found = "" if tag[0].startswith("<!--") else " ".join(_READ_ATTRIBUTE.findall(tag[0])).replace("\n", " ")
        return f" {found} " + "\n" * tag[0].count("\n")

    return _TAG.sub(kept, text)


def _of_code(text: str, role: re.Match[str] | None) -> str:
    """Return what is prose of a code span: the text of a role that shows it; of plain code a number, alone or with a unit."""
    if role is None:
        return text if re.fullmatch(rf"{_NUMBER.pattern}(?:\s*%|\s+\w+)?", text.strip()) else ""
    title, is_titled, _ = text.rpartition(" <")
    if is_titled:
        return title
    return "" if _LOOKED_UP.match(role[1]) else text
