"""Flesch-Kincaid grade level: textstat called directly, and the formula on words, sentences and syllables counted by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version

import pytest
from shared import ROOT
from texts import KNOWN, NOTHING, reason, textstat, value

from eftlib.metrics.fkgl import syllables_of


def grade(words: int, sentences: int, syllables: int) -> float:
    """Kincaid et al. (1975)."""
    return 0.39 * words / sentences + 11.8 * syllables / words - 15.59


def syllables(word: str) -> int:
    """Syllables of a word by textstat, part by part; a part with a digit is one."""
    parts = word.replace("’", "'").replace("‑", "-").replace("‐", "-").split("-")
    return sum(1 if any(map(str.isdigit, part)) else max(1, textstat().syllable_count(part)) for part in parts)


@pytest.mark.parametrize("known", KNOWN)
def test_published_is_textstat(known: str) -> None:
    assert value("fkgl", KNOWN[known].text, "published") == textstat().flesch_kincaid_grade(KNOWN[known].text)


@pytest.mark.parametrize("known", KNOWN)
def test_controlled_is_the_formula_on_what_a_reader_counts(known: str) -> None:
    words = KNOWN[known].words
    expected = grade(len(words), len(KNOWN[known].sentences), sum(map(syllables, words)))
    assert value("fkgl", KNOWN[known].text) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        # words, sentences, syllables
        ("The loan was refused.", (4, 1, 5)),  # the loan was re-fused
        ("The loan was refused. The income is too low.", (9, 2, 11)),  # ... the in-come is too low
        # C05: the debt ra-ti-o is # and the score is # on ou-r scale; the dictionary's first entry of "our" has two
        ("The debt ratio is 3.5 and the score is 7.2 on our scale.", (13, 1, 16)),
        # C02: Rea-sons for the de-ci-sion / In-come be-low the thresh-old / Two missed pay-ments in the last year /
        # Short time in the cur-rent job: 7 + 7 + 8 + 7 syllables
        (
            "Reasons for the decision:\n- Income below the threshold\n- Two missed payments in the last year\n"
            "- Short time in the current job",
            (21, 4, 29),
        ),
        ("A debt-to-income gap of 2,100.", (5, 1, 8)),  # a debt-to-in-come gap of #
        ("No. 5", (2, 1, 2)),
        ("Wait", (1, 1, 1)),
        ("He left at 9.30. She stayed.", (6, 2, 6)),
        ("# Why\n\nShe paid late.", (4, 2, 4)),
        ("“She paid late. He did not.”", (6, 2, 6)),
        ("| Pay | Late |\n|---|---|\n| No | Yes |", (4, 2, 4)),
        ("See [this note](https://example.org/very/long/address).", (3, 1, 3)),
        ("He paid—late.", (3, 1, 3)),
    ],
)
def test_controlled_by_hand(text: str, counts: tuple[int, int, int]) -> None:
    assert value("fkgl", text) == pytest.approx(grade(*counts))


@pytest.mark.parametrize(
    ("text", "published", "controlled"),
    [
        # the artefacts' sizes, in grades. C02: bullets are one sentence to textstat
        (
            "Reasons for the decision:\n- Income below the threshold\n- Two missed payments in the last year\n"
            "- Short time in the current job",
            8.895,
            2.753,
        ),
        # C05: a decimal point ends a sentence to textstat
        ("The debt ratio is 3.5 and the score is 7.2 on our scale.", 0.623, 4.003),
        # C09: an address is a word of many syllables to textstat
        (
            "**Decision:** Denied\n\n### Key factors\n\n* **Income** is `low`.\n"
            "* See https://example.org/policy/credit?id=12 for details.",
            15.5,
            3.719,
        ),
    ],
)
def test_the_size_of_textstats_artefacts(text: str, published: float, controlled: float) -> None:
    assert value("fkgl", text, "published") == pytest.approx(published, abs=0.05)
    assert value("fkgl", text) == pytest.approx(controlled, abs=5e-4)


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("the", 1), ("income", 2), ("relived", 2), ("application", 4), ("debt-to-income", 4), ("debt‑to‑income", 4),
        ("2,100", 1), ("30-day", 2), ("24/7", 1), ("1990s", 1), ("A4", 1), ("don't", 1), ("don’t", 1), ("isn’t", 2),
        ("否", 1),
    ],
)  # fmt: skip
def test_syllables_by_ear(word: str, count: int) -> None:
    assert syllables_of(word) == count


def test_the_golden_values_are_of_one_version() -> None:
    # C07: another version counts syllables another way: 20.2 for this word in 0.7.4
    assert version("textstat") == "0.7.13"
    assert value("fkgl", "relived", "published") == pytest.approx(8.4, abs=0.05)


def test_the_dictionary_comes_with_the_package() -> None:
    # C08: no network, no folder of NLTK's data
    code = (
        "from eftlib.metrics import Explanation, measure\n"
        "for profile in ('published', 'controlled'):\n"
        "    print(measure(Explanation('The loan was refused.', profile), ['fkgl'])['fkgl'])"
    )
    env = {**os.environ, "NLTK_DATA": "/nonexistent", "HOME": "/nonexistent", "https_proxy": "http://127.0.0.1:9"}
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    first, second = ran.stdout.splitlines()
    assert first == second == str((grade(4, 1, 5), None))


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    # C01: textstat itself says 0.0 (-15.7 in other versions)
    assert reason("fkgl", NOTHING[nothing], profile) == "empty"
