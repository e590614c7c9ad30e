"""A number typed into the prose of a results page is named with its place; one that comes through glue is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from eftlib import prose

NOTEBOOK = """\
# %% [markdown]
# # RQ1: 5 models
#
# Of {glue:text}`n` metrics 3.5 % differ (study: Table 3).

# %%
x = 7  # of the code
"""


def found(tmp_path: Path, text: str, name: str = "page.md") -> list[str]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [line.split(" is typed")[0].removeprefix(str(tmp_path) + "/") for line in prose.typed_numbers(path)]


def test_the_place_in_a_notebook_is_named_and_its_code_is_no_prose(tmp_path: Path) -> None:
    assert [line.rsplit("/", 1)[-1] for line in found(tmp_path, NOTEBOOK, "02.py")] == ["02.py:2: 5", "02.py:4: 3.5"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The ratio is 1.04.", ["1.04"]),
        ("p is 10⁻⁶⁷ or −3 or 1,920", ["10⁻⁶⁷", "−3", "1,920"]),
        ("about 12 %, and (4)", ["12", "4"]),
        ("37x, 3ms, .5 and 1e-5", ["37", "3", ".5", "1e-5"]),
        (":::{admonition} Found 37\n:class: note 4\nof 8\n:::", ["37", "8"]),
        ("`x = 1`, {glue:text}`a2`, {numref}`tbl-table3`, [here](a/01_b.md), RQ1, H001, <a href='1'>, $x^2$", []),
        ("as Table 3, Fig. 2 and Tables 4 and 5 show", []),
        ("```\n12\n```\n34\n````{note}\n56\n````\n```{math}\n7\n```", ["34", "56"]),
        ("::::{grid} 1 1 2 2\n:width: 5\nof 80\n::::", ["80"]),
        ("% not results: 80 (scenarios), 0.05\n80 or 0.05 or 81", ["81"]),
        ("% a comment of 1984", []),
    ],
)
def test_what_is_a_typed_number(tmp_path: Path, text: str, numbers: list[str]) -> None:
    assert [line.rsplit(": ", 1)[-1] for line in found(tmp_path, text)] == numbers


def test_the_pages_have_none() -> None:
    assert len(prose.pages()) > 8
    assert [line for page in prose.pages() for line in prose.typed_numbers(page)] == []
