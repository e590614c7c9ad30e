"""Words and sentences as a reader counts them."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from texts import KNOWN

from eftlib.text import plain, sentences, words


@pytest.mark.parametrize("known", KNOWN)
def test_words_of_known_texts(known: str) -> None:
    assert words(plain(KNOWN[known].text)) == KNOWN[known].words


@pytest.mark.parametrize("known", KNOWN)
def test_sentences_of_known_texts(known: str) -> None:
    assert sentences(plain(KNOWN[known].text)) == [sentence for sentence, _ in KNOWN[known].sentences]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("... — – & / 🙂 %", ""),
        # a dash parts words, whatever its kind (C11)
        ("rent—which is high—grows", "rent which is high grows"),
        ("rent - which is high - grows", "rent which is high grows"),
        ("rent -- which is high -- grows", "rent which is high grows"),
        ("rent – which is high – grows", "rent which is high grows"),
        # an apostrophe belongs to its word, straight or curly; quotes do not
        ("don't can’t won't", "don't can’t won't"),
        ("the 'quoted' word, the tenants' rent", "the quoted word the tenants rent"),
        ("O'Neil's rock'n'roll", "O'Neil's rock'n'roll"),
        # a hyphenated word is one, with any hyphen
        ("debt-to-income, debt‑to‑income, debt‐to‐income", "debt-to-income debt‑to‑income debt‐to‐income"),
        ("self- and co-owned", "self and co-owned"),
        # a number is one word
        ("3.5 2,100.50 24/7 12:30 0.0005 1/2 50%", "3.5 2,100.50 24/7 12:30 0.0005 1/2 50"),
        ("a 30-day, 1990s, 5th, COVID-19 A4", "a 30-day 1990s 5th COVID-19 A4"),
        ("cost & risk, and/or, his/her", "cost risk and or his her"),
        ("U.S. law, e.g. this, at 5 p.m.", "U.S. law e.g. this at 5 p.m."),
        ("income…debt ...again", "income debt again"),
        ("snake_case **bold** `code`", "snake case bold code"),
        ("Übergröße naïve résumé", "Übergröße naïve résumé"),
        ("Доход мал", "Доход мал"),
        ("الدخل منخفض", "الدخل منخفض"),
    ],
)
def test_a_word_is_what_a_reader_takes_for_one(text: str, expected: str) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("कर्ज अस्वीकार", 2),  # vowel signs are no letters to `\w`
        ("ঋণ প্রত্যাখ্যান", 2),
        ("הַהַכְנָסָה נְמוּכָה", 2),
        (unicodedata.normalize("NFD", "résumé naïve"), 2),
    ],
)
def test_a_mark_belongs_to_its_letter(text: str, count: int) -> None:
    assert len(words(text)) == count


@pytest.mark.parametrize("abbreviation", ["Ph.D.", "M.Sc.", "B.Sc."])
def test_a_degree_is_one_word(abbreviation: str) -> None:
    assert words(f"a {abbreviation} holder") == ["a", abbreviation, "holder"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("... ! ? 🙂", []),
        # C04
        ("The loan was refused.\n\nThe income is too low.", ["The loan was refused.", "The income is too low."]),
        ("The loan was refused. The income is too low.", ["The loan was refused.", "The income is too low."]),
        # C05
        ("The rate is 4.5 and the margin is 1.2 at most.", ["The rate is 4.5 and the margin is 1.2 at most."]),
        ("The rate is 4.5. Denied.", ["The rate is 4.5.", "Denied."]),
        ("It rose by 40%. Denied.", ["It rose by 40%.", "Denied."]),
        ("She left in 2019. He stayed.", ["She left in 2019.", "He stayed."]),
        ("It costs $2,100. Rent is extra.", ["It costs $2,100.", "Rent is extra."]),
        # C74: a reply wrapped in quotes, of any kind
        ("'The rent is late. The debt is old.'", ["'The rent is late.", "The debt is old.'"]),
        ("“The rent is late. The debt is old.”", ["“The rent is late.", "The debt is old.”"]),
        ("(The rent is late.) The debt is old.", ["(The rent is late.)", "The debt is old."]),
        ("Mr. Roe of Acme Inc. owes approx. 300 dollars.", ["Mr. Roe of Acme Inc. owes approx. 300 dollars."]),
        ("Some costs, e.g. rent, i.e. 900 dollars, grew.", ["Some costs, e.g. rent, i.e. 900 dollars, grew."]),
        ("Dr. Roe, the M.D. in charge, signed. It is valid.", ["Dr. Roe, the M.D. in charge, signed.", "It is valid."]),
        ("Why? Because! So be it.", ["Why?", "Because!", "So be it."]),
        ("One line\nanother line", ["One line", "another line"]),
        ("One line\r\nanother line\u2028a third", ["One line", "another line", "a third"]),
    ],
)
def test_a_sentence_is_what_a_reader_takes_for_one(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize("mark", ["{}.", "{})", "({})"])
def test_reasons_numbered_within_a_line_are_as_many_sentences(mark: str) -> None:
    numbers = [mark.format(number) for number in (1, 2, 3)]
    text = f"There are three: {numbers[0]} Income is low. {numbers[1]} Debt is high. {numbers[2]} History is short."
    # the introduction may stand with the first reason or apart; a bare number is no sentence
    assert len(sentences(text)) in (3, 4)


@pytest.mark.parametrize(
    "text", ["See No. 5 Main Street today.", "As Sec. 3 and Fig. 4 show, it fails.", "It was Jan. 5 at the latest."]
)
def test_an_abbreviation_before_a_number_ends_no_sentence(text: str) -> None:
    assert len(sentences(text)) == 1


@pytest.mark.parametrize("emoji", ["✅", "🎉", "👍🏽", "❌"])
def test_an_emoji_before_a_full_stop_does_not_hide_it(emoji: str) -> None:
    text = f"The income is fine {emoji}. The debt is not {emoji}. Denied."
    assert sentences(text) == [f"The income is fine {emoji}.", f"The debt is not {emoji}.", "Denied."]


@pytest.mark.parametrize("known", KNOWN)
def test_no_word_is_lost_between_sentences(known: str) -> None:
    text = plain(KNOWN[known].text)
    assert [word for sentence in sentences(text) for word in words(sentence)] == words(text)


def test_no_data_of_nltk_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    # C75: a splitter that wants a download fails where there is no network
    monkeypatch.setitem(sys.modules, "nltk", None)
    assert sentences("The rent is late. The debt is old.") == ["The rent is late.", "The debt is old."]
