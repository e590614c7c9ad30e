"""Open a page from disk, without a network, as a reader would see it, and say what is wrong with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import axe_playwright_python
from book_checks import odd_text
from playwright.sync_api import Browser, Page


class View(NamedTuple):
    """How a reader looks at a page."""

    width: int
    scheme: str


VIEWS = {
    "light": View(1280, "light"),
    "dark": View(1280, "dark"),
    "phone": View(390, "light"),
    "phone-dark": View(390, "dark"),
}

_FACTS = """async () => {
  const images = [...document.images];
  await Promise.all(images.map(image => image.decode().catch(() => null)));
  if (window.MathJax?.startup) await MathJax.startup.promise;
  const prose = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest('code, pre, mjx-container') && parent.checkVisibility()) prose.push(walker.currentNode.data);
  }
  const name = image => image.getAttribute('src');
  const unset = math => !math.querySelector('mjx-container') || math.querySelector('mjx-merror, [data-mjx-error]');
  return {
    title: document.title.trim(),
    theme: document.documentElement.dataset.theme,
    headings: [...document.querySelectorAll('h1')].filter(h1 => h1.checkVisibility()).length,
    missing: images.filter(image => image.naturalWidth === 0).map(name),
    unnamed: images.filter(image => !image.alt.trim()).map(name),
    unset: [...document.querySelectorAll('.math')].filter(unset).map(math => math.textContent),
    everything: document.body.innerText,
    prose: prose.join(''),
    width: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
    room: document.documentElement.clientWidth,
  };
}"""
# without preload axe would ask for each style sheet a second time, which a page from disk may not
_AXE = """() => axe.run(document, {preload: false, resultTypes: ['violations']}).then(({violations}) =>
  violations.flatMap(({id, nodes}) => nodes.map(node => `axe ${id}: ${node.target.join(' ')}: ${node.failureSummary}`)))"""


@cache
def _axe() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def faults(browser: Browser, page: Path, view: View) -> list[str]:
    """A line for each fault of a page in a view; a book that has themes must also follow the reader's."""
    found: list[str] = []
    context = browser.new_context(
        viewport={"width": view.width, "height": 900}, color_scheme=view.scheme, offline=True, locale="en"
    )
    try:
        tab = context.new_page()
        _listen(tab, found)
        tab.goto(page.resolve().as_uri(), wait_until="load")
        facts = tab.evaluate(_FACTS)
        tab.evaluate(_axe())
        return [*found, *_wrong(facts, view), *(" ".join(line.split()) for line in tab.evaluate(_AXE))]
    finally:
        context.close()


def _listen(tab: Page, found: list[str]) -> None:
    tab.on("pageerror", lambda error: found.append(f"script: {error}"))
    tab.on("console", lambda message: found.append(f"console: {message.text}") if message.type == "error" else None)
    tab.on("requestfailed", lambda request: found.append(f"not loaded: {request.url}"))
    tab.on(
        "request",
        lambda request: None if request.url.startswith(("file:", "data:")) else found.append(f"network: {request.url}"),
    )


def _wrong(facts: dict[str, Any], view: View) -> list[str]:
    lines = [
        *odd_text(facts["everything"], facts["prose"]),
        *(f"image {name}: not loaded" for name in facts["missing"]),
        *(f"image {name}: no alternative text" for name in facts["unnamed"]),
        *(f"formula {text}: not rendered" for text in facts["unset"]),
    ]
    if not facts["title"]:
        lines.append("no title")
    if facts["headings"] != 1:
        lines.append(f"{facts['headings']} headings of the first level, not 1")
    if facts["theme"] not in (None, view.scheme):
        lines.append(f"the theme is {facts['theme']!r}, the reader's {view.scheme!r}")
    if facts["width"] > facts["room"]:
        lines.append(f"the page is {facts['width']} px wide in a window of {facts['room']} px")
    return lines
