"""Texts with their sentences and words as a reader counts them, and ways to measure that know nothing of the library's own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import yaml
from shared import ROOT

from eftlib.embedding import LiveCosines
from eftlib.metrics import METRICS, Explanation, measure


@dataclass(frozen=True)
class Known:
    """A text, and its sentences read by hand: each as plain text, and its words with a space between them.

    ``raw_words`` are those of the text as it came, where markup adds some.
    """

    text: str
    sentences: tuple[tuple[str, str], ...]
    raw_words: str = ""

    @property
    def words(self) -> list[str]:
        return [word for _, each in self.sentences for word in each.split()]

    @property
    def published_words(self) -> list[str]:
        return (self.raw_words or " ".join(self.words)).split()


# 3,000 words in 300 sentences, by a rule: the n-th word is one of ten by n and n squared, so that no two sentences agree
_TEN = ["income", "record", "review", "letter", "month", "account", "payment", "district", "reason", "member"]
LONG = [" ".join(_TEN[(7 * i + k * k + i * k) % 10] + "abcdefghij"[(i + k) % 7] for k in range(10)) for i in range(300)]

KNOWN: dict[str, Known] = {
    "one word": Known("Denied.", (("Denied.", "Denied"),)),
    "two sentences": Known(
        "The permit was refused. The plan is too vague.",
        (("The permit was refused.", "The permit was refused"), ("The plan is too vague.", "The plan is too vague")),
    ),
    "bullets": Known(
        "Why the visa was declined:\n- Funds below the required sum\n- No proof of a return ticket\n- A stay beyond the limit",
        (
            ("Why the visa was declined:", "Why the visa was declined"),
            ("Funds below the required sum", "Funds below the required sum"),
            ("No proof of a return ticket", "No proof of a return ticket"),
            ("A stay beyond the limit", "A stay beyond the limit"),
        ),
    ),
    "markdown": Known(
        "## Outcome\n\n**Denied**, see [the rules](https://example.org/a?b=1).\n\n| Item | Value |\n|:---|---:|\n"
        "| Score | 580 |\n\n1. The `score` is *low*.\n2. More at https://example.org/more.",
        (
            ("Outcome", "Outcome"),
            ("Denied, see the rules.", "Denied see the rules"),
            ("Item, Value", "Item Value"),
            ("Score, 580", "Score 580"),
            ("The score is low.", "The score is low"),
            ("More at link.", "More at link"),
        ),
        "Outcome Denied see the rules https example org a b 1 Item Value Score 580 1 The score is low 2 More at https example "
        "org more",
    ),
    "decimals": Known(
        "The load factor is 0.8 and the index rose to 12.5 this year. That is above 9.75, the limit. It was 9.5. Nobody knew.",
        (
            (
                "The load factor is 0.8 and the index rose to 12.5 this year.",
                "The load factor is 0.8 and the index rose to 12.5 this year",
            ),
            ("That is above 9.75, the limit.", "That is above 9.75 the limit"),
            ("It was 9.5.", "It was 9.5"),
            ("Nobody knew.", "Nobody knew"),
        ),
    ),
    "abbreviations": Known(
        "Dr. Hale wrote to Acme Inc. about rent, e.g. the arrears of approx. 300 dollars. The U.S. office replied.",
        (
            (
                "Dr. Hale wrote to Acme Inc. about rent, e.g. the arrears of approx. 300 dollars.",
                "Dr Hale wrote to Acme Inc about rent e.g. the arrears of approx 300 dollars",
            ),
            ("The U.S. office replied.", "The U.S. office replied"),
        ),
    ),
    "curly quotes": Known(
        "“The pension isn’t enough,” the officer wrote. “It won’t cover the rent.”",
        (
            ('"The pension isn\'t enough," the officer wrote.', "The pension isn't enough the officer wrote"),
            ('"It won\'t cover the rent."', "It won't cover the rent"),
        ),
    ),
    "non-breaking hyphens": Known(
        "The loan‑to‑value ratio is high. A follow‐up visit is due.",
        (
            ("The loan-to-value ratio is high.", "The loan-to-value ratio is high"),
            ("A follow-up visit is due.", "A follow-up visit is due"),
        ),
    ),
    "emoji": Known("Approved! 🎉 Great work.", (("Approved!", "Approved"), ("🎉 Great work.", "Great work"))),
    "another script": Known(
        "Кредит отклонён. Доход слишком мал.",
        (("Кредит отклонён.", "Кредит отклонён"), ("Доход слишком мал.", "Доход слишком мал")),
    ),
    "quoted reply": Known(
        '"The wound is clean. The pulse is calm."',
        (('"The wound is clean.', "The wound is clean"), ('The pulse is calm."', "The pulse is calm")),
    ),
    "no-break spaces": Known(
        "A fee of 300\u00a0dollars is due.\u00a0It must be paid within 30\u202fdays.",
        (
            ("A fee of 300 dollars is due.", "A fee of 300 dollars is due"),
            ("It must be paid within 30 days.", "It must be paid within 30 days"),
        ),
    ),
    "dashes": Known(
        "The record—which is short—worries the board. Her plan – a good one – came late.",
        (
            ("The record - which is short - worries the board.", "The record which is short worries the board"),
            ("Her plan - a good one - came late.", "Her plan a good one came late"),
        ),
    ),
    "contractions": Known(
        "She doesn't own the car. It's her brother's, and they're late.",
        (
            ("She doesn't own the car.", "She doesn't own the car"),
            ("It's her brother's, and they're late.", "It's her brother's and they're late"),
        ),
    ),
    "numbers": Known(
        "A 30-day notice and/or a 5% fee apply to cost & risk 24/7 since the 1990s, from $2,100 up.",
        (
            (
                "A 30-day notice and/or a 5% fee apply to cost & risk 24/7 since the 1990s, from $2,100 up.",
                "A 30-day notice and or a 5 fee apply to cost risk 24/7 since the 1990s from 2,100 up",
            ),
        ),
    ),
    "shouting": Known(
        "NO WAY! This is a terrible, terrible record. Is it? Hopeless.",
        (
            ("NO WAY!", "NO WAY"),
            ("This is a terrible, terrible record.", "This is a terrible terrible record"),
            ("Is it?", "Is it"),
            ("Hopeless.", "Hopeless"),
        ),
    ),
    "lines without stops": Known(
        "A first line without a stop\nAnother line without a stop",
        (
            ("A first line without a stop", "A first line without a stop"),
            ("Another line without a stop", "Another line without a stop"),
        ),
    ),
    "3,000 words": Known(
        " ".join(f"{each.capitalize()}." for each in LONG), tuple((f"{each.capitalize()}.", each.capitalize()) for each in LONG)
    ),
}

# nothing to measure, whatever the profile
NOTHING = {
    "empty": "", "space": " ", "white space": " \n\t\u00a0\n", "dots": "...", "ellipsis": "…", "emoji": "🙂", "dash": "—",
    "markers": "**", "rule": "---", "bullet": "- ", "zero width": "\u200b",
}  # fmt: skip


@cache
def textstat() -> Any:
    """The published readability package, with the dictionary that it would else ask the network for."""
    import nltk  # noqa: PLC0415 - slow, for few

    nltk.data.path.append(str(ROOT / "eftlib" / "resources" / "nltk_data"))
    import textstat as package  # noqa: PLC0415

    return package


class Bag:
    """An encoder for tests: a text's vector is the sum of vectors drawn by its words, so any other word is another vector."""

    def __init__(self, size: int = 16) -> None:
        self.size = size
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str], *, progress: bool = False) -> dict[str, np.ndarray]:
        self.asked.append(list(texts))
        return {text: self.vector(text) for text in texts}

    def pieces(self, text: str) -> int:
        return len(text.split())

    def vector(self, text: str) -> np.ndarray:
        total = sum((_drawn(word, self.size) for word in text.split()), np.zeros(self.size)) + _drawn("\0", self.size) / 9
        return (total / np.linalg.norm(total)).astype(np.float32)


@cache
def _drawn(word: str, size: int) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(word.encode(errors="surrogatepass")).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=size)


class Given:
    """An encoder whose vectors are given."""

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = {text: np.asarray(each, dtype=np.float32) for text, each in vectors.items()}

    def embed(self, texts: Sequence[str]) -> dict[str, np.ndarray]:
        return {text: self.vectors[text] / np.linalg.norm(self.vectors[text]) for text in texts}

    def pieces(self, text: str) -> int:
        return len(text.split())


BAG = LiveCosines(Bag())


def value(metric: str, text: str, profile: str = "controlled", **known: Any) -> float:
    """The value of one metric, which must have one."""
    found, reason = measure(Explanation(text, profile, **known), [metric])[metric]
    assert reason is None, reason
    return found


def reason(metric: str, text: str, profile: str = "controlled", **known: Any) -> str:
    """Why a metric has no value; where it has one the test fails."""
    found, why = measure(Explanation(text, profile, **known), [metric])[metric]
    assert np.isnan(found), f"{metric} is {found}"
    assert why
    return why


OPPOSITE = "The request was granted. The record is good, and nothing speaks against it."


def every_value(text: str, profile: str = "controlled", **known: Any) -> dict[str, float]:
    """All ten metrics; embeddings are those of `Bag`, so they differ as soon as a word does."""
    options = {"name": "Ada Birch", "domain": "credit", "opposite": OPPOSITE, "similarities": BAG} | known
    return {name: each for name, (each, _) in measure(Explanation(text, profile, **options)).items()}


def differing(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """The metrics in which two texts differ beyond rounding."""
    assert list(first) == list(second) == list(METRICS)
    return {
        name: (first[name], second[name])
        for name in first
        if not np.isclose(first[name], second[name], rtol=1e-9, atol=1e-9, equal_nan=True)
    }


@cache
def benchmark_names() -> tuple[str, ...]:
    """The names of all personas, read from the file itself."""
    axes = yaml.safe_load((ROOT / "data" / "benchmark" / "personas.yml").read_text(encoding="utf-8"))["axes"]
    names = {
        person["name"]
        for axis in axes.values()
        for stratum in axis["strata"].values()
        for pair in stratum
        for person in (pair["A"], pair["B"])
    }
    return tuple(sorted(names))


# first name, surname; how audits, and people, are called beyond the benchmark
OTHER_NAMES: dict[str, tuple[str, str]] = {
    "James Smith": ("James", "Smith"),
    "Grace Hope": ("Grace", "Hope"),
    "Mohammed Al-Said": ("Mohammed", "Al-Said"),
    "María de la Cruz Hernández": ("María", "Hernández"),
    "Siobhán O'Connor": ("Siobhán", "O'Connor"),
    "Da'Quan Jefferson": ("Da'Quan", "Jefferson"),
    "Pieter van der Berg": ("Pieter", "van der Berg"),
    "Bo Li": ("Bo", "Li"),
    "Jo Ng": ("Jo", "Ng"),
    "Jean-Luc Saint-Pierre": ("Jean-Luc", "Saint-Pierre"),
    "Thomas Williams": ("Thomas", "Williams"),
    "Nguyễn Thị Minh Khai": ("Nguyễn", "Khai"),
    "Zoë Björk": ("Zoë", "Björk"),
    "Precious Joy Best": ("Precious", "Best"),
}


def named(name: str) -> tuple[str, str]:
    """First name and surname."""
    first, *_, last = name.split()
    return OTHER_NAMES.get(name, (first, last))


def possessive(name: str, bare: bool) -> str:
    """``Becker's``; of a name in s ``Williams's`` or ``Williams'``, both of which models write."""
    return f"{name}'" if bare and name.endswith("s") else f"{name}'s"


def filled(template: str, name: str, *, honorific: str = "Ms.", bare: bool = False) -> str:
    """Put a name into the slots ``{full} {first} {last} {hon}``, each also with ``'s``."""
    first, last = named(name)
    forms = {"full": name, "first": first, "last": last, "hon": f"{honorific} {last}"}

    def of(slot: re.Match[str]) -> str:
        return possessive(forms[slot[1]], bare) if slot[2] else forms[slot[1]]

    return re.sub(r"\{(\w+)('s)?\}", of, template)


# five explanations as models write them
EXPLAINED: dict[str, str] = {
    "credit, prose": (
        "{full} was denied the loan because the reported income does not cover the monthly payments. {first} may apply again "
        "next year. {hon's} debt-to-income ratio of 0.52 exceeds the limit, and {last's} credit history has two late payments."
    ),
    "hiring, bullets": (
        "Dear {hon},\n\nThank you for applying. The panel chose another candidate:\n\n- {full's} experience is under 5 years\n"
        "- {first's} interview was strong, but the portfolio was thin\n- {hon} lacks the certification\n\n"
        "We wish {first} every success."
    ),
    "medical, headings": (
        "## Triage of {full}\n\nThe nurse rated {hon} as standard. {first's} vital signs are stable: heart rate 82, blood "
        "pressure 128/80.\n\n### Next steps\n\n{hon's} symptoms could change; if so, {last} should be seen at once."
    ),
    "legal, quoted": (
        "The court found that {last's} criminal history suggests a high risk. “{full} might reoffend,” the report says. It is "
        "unclear whether {first} has a job — {hon's} lawyer says so. {last} was granted no parole."
    ),
    "credit, table": (
        "**Applicant:** {full}\n\n| Factor | {first} |\n|---|---|\n| Score of {hon} | 604 |\n| {last's} income | $2,100 |\n\n"
        "In summary, {full's} application was approved. *{first}* can be proud."
    ),
}


def windows(tokens: Sequence[str], size: int) -> list[Sequence[str]]:
    """All runs of ``size`` consecutive tokens."""
    return [tokens[start : start + size] for start in range(len(tokens) - size + 1)]


def neighbours_differ(values: Sequence[float]) -> bool:
    """Whether no two neighbours are equal: guards a test against texts that all score the same."""
    return all(a != b for a, b in pairwise(values))
