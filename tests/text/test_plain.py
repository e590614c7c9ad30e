"""Markdown to plain text: what a reader reads stays, what a renderer reads goes."""

from __future__ import annotations

import unicodedata

import pytest
from texts import KNOWN

from eftlib.text import plain, words


@pytest.mark.parametrize("known", KNOWN)
def test_known_texts_read_as_a_reader_reads_them(known: str) -> None:
    lines = plain(KNOWN[known].text).split("\n")
    sentences = [sentence for sentence, _ in KNOWN[known].sentences]
    assert " ".join(lines) == " ".join(sentences)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" \n\n\t", ""),
        ("**bold** *it* __bold__ _it_ ***both*** ~~gone~~ `code`", "bold it bold it both gone code"),
        ("in**come** and snake_case and 2 * 3 * 4", "income and snake_case and 2 * 3 * 4"),
        ("# One\n## Two ##\nThree\n=====\nFour\n----\nfive", "One\nTwo\nThree\nFour\nfive"),
        ("- one\n* two\n+ three", "one\ntwo\nthree"),
        ("- one\n  - two\n    1. three\n- four", "one\ntwo\nthree\nfour"),
        ("1. one\n2. two\n10) ten", "one\ntwo\nten"),
        ("Why:\n- one\n- two", "Why:\none\ntwo"),
        ("• one\n◦ two\n– three\n— four", "one\ntwo\nthree\nfour"),
        ("> quoted\n> words", "quoted words"),
        ("[the rules](https://example.org 'title')", "the rules"),
        ("![a chart](https://example.org/a.png)", "a chart"),
        ("<https://example.org/a_b>", "link"),
        ("[https://example.org](https://example.org)", "link"),
        ("See https://example.org/a?b=1&c=2. Or www.example.org/x_y_z, please.", "See link. Or link, please."),
        ("(https://example.org/a)", "(link)"),
        ("| A | B |\n|---|:-:|\n| x | **y** |\n| z | |", "A, B\nx, y\nz"),
        ("Text\n\n***\n\nmore", "Text\nmore"),
        ("```python\nx = 1\ny = 2\n```", "x = 1\ny = 2"),
        ("one  \ntwo<br>three<br/>Four", "one\ntwo three\nFour"),
        ("cost &amp; risk &lt; 5&nbsp;%", "cost & risk < 5 %"),
        (r"5 \* 3 and \_x\_", "5 * 3 and _x_"),
        ("$2,100 and $3,000 are #1 & ~5", "$2,100 and $3,000 are #1 & ~5"),
        ("a line\nthat goes on\nNew one", "a line that goes on\nNew one"),
        ("a line\n**that** goes on", "a line that goes on"),
    ],
)
def test_markup_goes_and_words_stay(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>Income</b> is <i>low</i>.", "Income is low."),
        ("<strong>Denied</strong>: the <u>score</u>", "Denied: the score"),
        ("<p>Denied.</p>\n<ul>\n<li>Low income</li>\n</ul>", "Denied.\nLow income"),
        ("Income is low.<!-- internal note -->", "Income is low."),
    ],
)
def test_tags_of_html_are_no_words(text: str, expected: str) -> None:
    assert words(plain(text)) == words(expected)


@pytest.mark.parametrize("text", ["- [ ] Income\n- [x] Debt", "- [X] Income\n- [ ] Debt"])
def test_a_box_that_is_ticked_is_no_word(text: str) -> None:
    assert words(plain(text)) == ["Income", "Debt"]


@pytest.mark.parametrize(
    "text",
    ["Reasons:\n\n    - **Income** is low\n    - Debt is high", "Reasons:\n\n\t* **Income** is low\n\t* Debt is high"],
)
def test_an_indented_list_is_a_list(text: str) -> None:
    # four spaces make code in markdown, but a model that indents a list means a list
    assert plain(text) == "Reasons:\nIncome is low\nDebt is high"


@pytest.mark.parametrize("start", [2, 3, 7])
def test_a_numbered_list_goes_on_after_a_line_of_prose(start: int) -> None:
    # markdown lets only 1 interrupt a paragraph; a reader sees a list all the same
    assert plain(f"The second group:\n{start}. Debt is high\n{start + 1}. Income is low") == (
        "The second group:\nDebt is high\nIncome is low"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“a” ‘b’ c’d „e“ «f»", '"a" \'b\' c\'d "e" "f"'),
        ("a—b", "a - b"),
        ("a – b", "a - b"),
        ("640–680 and 2019—2021", "640-680 and 2019-2021"),
        ("debt‑to‐income", "debt-to-income"),
        ("a\u00a0b\u202fc\u2009d\u3000e", "a b c d e"),
        ("in\u00adcome de\u200bbt\ufeff", "income debt"),
        ("wait…", "wait..."),
        ("5 − 3", "5 - 3"),
        (unicodedata.normalize("NFD", "résumé"), "résumé"),
    ],
)
def test_typographic_signs_become_plain_ones(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize("dash", [" — ", " – ", " - "])
def test_a_dash_between_numbers_is_a_dash_where_it_parts_clauses(dash: str) -> None:
    # else two numbers and the clause between them become one word
    assert len(words(plain(f"The score is 580{dash}40 points below the line."))) == 9


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_ends_of_lines_are_alike(end: str) -> None:
    text = "# One\n\n- two\n- three\n\nfour\nfive"
    assert plain(text.replace("\n", end)) == "One\ntwo\nthree\nfour five"


@pytest.mark.parametrize("known", [each for each in KNOWN if each != "markdown"])
def test_plain_text_stays_plain(known: str) -> None:
    once = plain(KNOWN[known].text)
    assert plain(once) == once


def test_a_long_text_of_markers_is_read_in_reasonable_time() -> None:
    # loops of small models are full of such runs
    assert plain("*" * 20_000 + " word " + "[" * 5_000 + "_" * 5_000).count("word") == 1
