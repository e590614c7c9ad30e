"""What can be told of the book's pages without a browser: whether their links lead somewhere, and what no reader should see."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FAILED = re.compile(r"Traceback|\b\w*Error: ")
# a role or a formula that was printed instead of resolved; code may show either
_UNRESOLVED = re.compile(r"\{(?:[a-z]+:)?[a-z]+\}`|\{glue:|\\\(|\\\[|\$\$|\bKeyError\b")


class _Reader(HTMLParser):
    """Collects the anchors and the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {value for name, value in attrs if value and (name == "id" or (tag, name) == ("a", "name"))}
        if tag == "a" and values.get("href") is not None:
            self.links.append(values["href"] or "")


@cache
def _read(page: Path) -> _Reader:
    reader = _Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader


def pages_of(folder: Path) -> list[Path]:
    """The pages of a built book, without the templates that the theme leaves among its files."""
    return sorted(path for path in folder.rglob("*.html") if "_static" not in path.relative_to(folder).parts)


def broken_links(page: Path) -> list[str]:
    """A line for each link of a page to a file or an anchor that is not there; links to other sites are not followed."""
    broken = []
    for link in dict.fromkeys(_read(page).links):
        parts = urlsplit(link)
        if parts.scheme in ("http", "https", "mailto"):
            continue
        target = (page.parent / unquote(parts.path)) if parts.path else page
        if parts.scheme or parts.netloc or parts.path.startswith("/") or not target.is_file():
            broken.append(f"link {link}: no such file")
        elif parts.fragment and unquote(parts.fragment) not in _read(target.resolve()).anchors:
            broken.append(f"link {link}: no such anchor")
    return broken


def odd_text(everything: str, prose: str) -> list[str]:
    """A line for each error message that a page shows, and for each role or formula outside code that was not resolved."""
    found = [(_FAILED, everything), (_UNRESOLVED, prose)]
    return [f"text …{_around(match)}…" for pattern, text in found for match in pattern.finditer(text)]


def _around(match: re.Match[str]) -> str:
    return " ".join(match.string[max(match.start() - 30, 0) : match.end() + 30].split())
