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
        ("as Table 3, Fig. 2 and Tables 4 and 5 show, on draw 0", []),
        ("![with 37 points](a8.png '9 of them') and\nthen 4", ["37", "9", "4"]),
        ("```{figure} a8.png\n:alt: with 37 points\n:width: 5\n\nOf 8.\n```", ["37", "8"]),
        ("{abbr}`37 (of them)`, {ref}`Page 8 <a-5>`, {ref}`a-5`, {eq}`7`, {math}`x^2`, {py:func}`a.b2`", ["37", "8"]),
        ("`37`, `4 %`, `-3.5 points`, but `a = 4`, `04_b.py` and `--n 5`", ["37", "4", "-3.5"]),
        ("<div class='a4'>\n<b>37</b> of <!-- 5 -->\n<img src='6.png' alt='with 7'></div>", ["37", "7"]),
        ("a <b title='8 of them'>37</b>", ["8", "37"]),
        ("```\n12\n```\n34\n````{note}\n56\n````\n```{math}\n7\n```", ["34", "56"]),
        ("::::{grid} 1 1 2 2\n:width: 5\nof 80\n::::", ["80"]),
        ("% not results: 80 (scenarios), 0.05\n80 or 0.05 or 81", ["81"]),
        ("% a comment of 1984", []),
    ],
)
def test_what_is_a_typed_number(tmp_path: Path, text: str, numbers: list[str]) -> None:
    assert [line.rsplit(": ", 1)[-1] for line in found(tmp_path, text)] == numbers


def test_captions_and_alternative_texts_of_a_notebook_are_prose(tmp_path: Path) -> None:
    notebook = (
        "# %%\n"
        "page.table('t8', made(9), f'Of 37 {n:.2f} (study: Table 3).', key=['m'], columns=[1])\n"
        "page.figure(\n    'f', draw, 'Of 4.',\n    alt=page.describe(rows[0], 'm', 'A line at 5'),\n)\n"
        "page.say('Of 6 metrics')\n"
    )
    assert [line.rsplit("/", 1)[-1] for line in found(tmp_path, notebook, "02.py")] == [
        "02.py:2: 37",
        "02.py:4: 4",
        "02.py:5: 5",
        "02.py:7: 6",
    ]


def test_the_line_of_html_is_named(tmp_path: Path) -> None:
    assert [line.split(":")[1] for line in found(tmp_path, "a\n\n<div>\n<!-- 1\n2 -->\n37\n</div>")] == ["6"]


def test_the_pages_have_none() -> None:
    assert len(prose.pages()) > 8
    assert [line for page in prose.pages() for line in prose.typed_numbers(page)] == []
