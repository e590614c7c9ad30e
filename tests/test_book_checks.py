"""The checks of the book must themselves find what is wrong: tiny pages with one fault each."""

from __future__ import annotations

from pathlib import Path

import pytest
from book_checks import broken_links, odd_text, pages_of


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("other.html#there", None),
        ("#here", None),
        ("#", None),
        ("folder/", "no such file"),
        ("missing.html", "no such file"),
        ("/other.html", "no such file"),
        ("#nowhere", "no such anchor"),
        ("other.html#nowhere", "no such anchor"),
        ("https://example.org/#nowhere", None),
    ],
)
def test_a_link_that_leads_nowhere_is_named(tmp_path: Path, link: str, said: str | None) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "other.html").write_text('<p id="there">', encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text(f'<p id="here"><a href="{link}">a link</a>', encoding="utf-8")
    assert broken_links(page) == ([f"link {link}: {said}"] if said else [])


@pytest.mark.parametrize(
    "text", ["see {ref}`the map`", "{glue:text}`rejected`", "{py:func}`x`", r"a \(x^2\)", "KeyError", "$$x$$"]
)
def test_what_was_not_resolved_is_found_in_prose_and_may_stand_in_code(text: str) -> None:
    assert odd_text("", text)
    assert odd_text(text, "") == []


@pytest.mark.parametrize("text", ["Traceback (most recent call last)", "KeyError: 'p'"])
def test_an_error_is_found_in_code_as_well(text: str) -> None:
    assert odd_text(f"before\n{text}\nafter", "")


def test_plain_text_has_nothing_odd() -> None:
    assert odd_text("An error of 5 % {a, b}.", "An error of 5 % {a, b}.") == []


def test_templates_of_the_theme_are_no_pages(tmp_path: Path) -> None:
    for name in ("_static/macros.html", "index.html", "pages/a.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [path.name for path in pages_of(tmp_path)] == ["index.html", "a.html"]
