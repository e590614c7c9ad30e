"""A visit must find what is wrong: tiny pages with one fault each."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared import ROOT
from visits import VIEWS, faults

GOOD = """<!doctype html><html lang="en"><head><title>A page</title></head>
<body><main><h1>A heading</h1><p>Some text.</p>{}</main></body></html>"""
DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="


@pytest.fixture
def found(browser, tmp_path: Path):
    def visit(text: str, view: str = "phone") -> str:
        page = tmp_path / "page.html"
        page.write_text(text, encoding="utf-8")
        return "\n".join(faults(browser, page, VIEWS[view]))

    return visit


def test_a_good_page_has_no_fault(found):
    assert found(GOOD.format(f'<img src="{DOT}" alt="a dot">')) == ""


def test_a_formula_that_is_rendered_is_no_fault(found):
    mathjax = (ROOT / "vendor" / "mathjax" / "tex-svg.js").as_uri()
    assert found(GOOD.format(rf'<p><span class="math">\(x^2\)</span></p><script src="{mathjax}"></script>')) == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<script>nothing.here</script>", "script: nothing is not defined"),
        ("<script>console.error('oh')</script>", "console: oh"),
        ('<script src="missing.js"></script>', "not loaded: file:"),
        ('<script src="https://example.org/a.js"></script>', "network: https://example.org/a.js"),
        ('<img src="missing.png" alt="a">', "image missing.png: not loaded"),
        (f'<img src="{DOT}" alt="">', "no alternative text"),
        ('<span class="math">x</span>', "formula x: not rendered"),
        ("<h1>Another</h1>", "2 headings of the first level"),
        ("<pre>KeyError: 'p'</pre>", "KeyError: 'p'"),
        ("<p>see {ref}`a`</p>", "{ref}`"),
        ('<div style="width: 500px">wide</div>', "px wide in a window of 390 px"),
        ('<p style="color: #bbb; background: #fff">faint</p>', "axe color-contrast"),
    ],
)
def test_a_fault_is_named(found, body: str, said: str) -> None:
    assert said in found(GOOD.format(body))


def test_a_page_without_a_title_is_named(found):
    assert "no title" in found(GOOD.replace("A page", " ").format(""))


def test_a_page_that_stays_light_is_named(found):
    assert "the theme is 'light'" in found(GOOD.replace("<html", '<html data-theme="light"').format(""), "dark")
