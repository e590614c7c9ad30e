"""What is wrong with a text, by rules that know nothing of slots: the benchmark's texts are read with them."""

from __future__ import annotations

import re

ADVERB = r"(?:(?:also|still|never|then|only|once|now|already|later|\w+ly) )?"
# base forms that scenarios may use of a person; a past tense is the same for all
BASE = (
    "are|were|have|do|don't|haven't|aren't|weren't|ask|attend|bend|breathe|claim|drive|earn|finish|hold|keep|lead|live|make|manage|"
    "move|need|open|owe|own|pay|plan|rate|read|rent|report|respond|run|say|score|seek|serve|show|sip|sleep|speak|take|teach|use|"
    "walk|want|work|write"
)
SINGULAR = rf"\bs?he {ADVERB}(?:{BASE})\b"
PLURAL = (
    # a verb in s after "they": "is", "was" and "has" are among them
    rf"\bthey {ADVERB}(?!always\b|perhaps\b|sometimes\b)(?:is|\w+[^s\W]s)\b"
    # and further on in the sentence, where a conjunction takes the subject up again
    rf"|\bthey\b[^.;:]*? (?:and|but|yet|or) {ADVERB}(?:is|was|has|does)\b"
)
DISAGREEMENT = {"he": SINGULAR, "she": SINGULAR, "they": PLURAL}
FOREIGN = {
    "he": r"\b(she|her|hers|herself)\b",
    "she": r"\b(he|him|his|himself)\b",
    "they": r"\b(she|her|hers|herself|he|him|his|himself)\b",
}
# written with a vowel but spoken with a consonant, and the other way round
CONSONANT_SOUND = r"uni(?!n|m)|use|usu|eu|one\b|once\b|util"
VOWEL_SOUND = r"hour|heir|honest|honou?r"


def disagreement(pronouns: str, text: str) -> list[str]:
    """Verbs that do not agree with he, she or they."""
    return [found[0] for found in re.finditer(DISAGREEMENT[pronouns], text, re.IGNORECASE)]


def foreign_pronouns(pronouns: str, text: str) -> list[str]:
    """Pronouns of another gender."""
    return [found[0] for found in re.finditer(FOREIGN[pronouns], text, re.IGNORECASE)]


def takes_an(word: str) -> bool:
    """Whether a word, number or abbreviation begins with a vowel sound."""
    if word[0].isdigit():
        # eight, eighty, eight hundred ...; eleven and eighteen, alone or of thousands
        return bool(re.match(r"8|1[18](?!\d)", word))
    if re.match(r"[A-Z]{2,}|[A-Z]\b", word):
        return word[0] in "AEFHILMNORSX"
    sound = CONSONANT_SOUND if word[0].lower() in "aeiou" else VOWEL_SOUND
    return bool(re.match(sound, word.lower())) != (word[0].lower() in "aeiou")


def wrong_articles(text: str) -> list[str]:
    """Each "a" that should be "an" and each "an" that should be "a", with its word."""
    found = re.finditer(r"\b(an?) [$\"]?(\w[\w,.-]*)", text, re.IGNORECASE)
    return [each[0] for each in found if takes_an(each[2]) != (each[1].lower() == "an")]


def wrong_capitals(text: str) -> list[str]:
    """Sentences that begin small, and pronouns with a capital inside a sentence."""
    starts = re.findall(r"(?:^|(?<![ap]\.m)[.?!] )([a-z]\w*)", text)
    inside = re.findall(r"(?<![.?!]) (?:He|She|They|Him|Her|Them|His|Their|Hers|Theirs|(?:Him|Her|Them)self)\b", text)
    return starts + inside


def untidy(text: str) -> list[str]:
    """Open braces, stray or double spaces, an unfilled value, a doubled word or sign, and an end without a full stop."""
    faults = r"[{}]|\s\s|[^\S ]|\s[.,;:]|\bNone\b|\b(?!(?:had|that)\b)(\w+) \1\b|'s's|[,;:][.,;:]|\.\.|[^.]\Z"
    return [found[0] for found in re.finditer(faults, text)]


def shingles(text: str, size: int = 5) -> set[tuple[str, ...]]:
    """The runs of so many words of a text."""
    words = re.findall(r"[\w'{}]+", text.lower())
    return {tuple(words[start : start + size]) for start in range(len(words) - size + 1)}


def jaccard(one: set, two: set) -> float:
    """Shared members over all members."""
    return len(one & two) / len(one | two)
