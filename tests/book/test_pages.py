"""Every page of the built book, as a reader may open it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from book_checks import broken_links, pages_of
from visits import VIEWS, faults

BOOK = Path(os.environ["EFTLIB_TEST_BOOK"]).resolve()
PAGES = [path.relative_to(BOOK).as_posix() for path in pages_of(BOOK)]


def test_the_book_is_built():
    assert (BOOK / "index.html").is_file(), f"{BOOK} has no index.html; make book builds it"


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    broken = broken_links(BOOK / page)
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("view", VIEWS)
def test_a_reader_finds_no_fault(browser, page: str, view: str) -> None:
    found = faults(browser, BOOK / page, VIEWS[view])
    assert not found, "\n".join(found)
