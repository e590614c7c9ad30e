"""The six metrics without an embedder against the plain calls of their libraries, and in proportion (synthetic texts)."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence

from syntok import segmenter
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from eftlib.metrics import METRICS, PROFILES, Explanation, Profile, measure
from eftlib.metrics.fkgl import _textstat

SIX = tuple(name for name, each in METRICS.items() if not each.embeds and not each.extension)
SIZES = (100, 1_000, 10_000)
COMPARED = 1_000
PARTS = (
    "The committee weighed {name}'s record of {number} years against the criteria of the post.",
    "Although the debt-to-income ratio is {number}.5 percent, the payment history appears to be generally stable.",
    "Ms. Smith could perhaps provide form {number}, which may suggest a lower risk in some cases.",
    "The decision was denied because the reported income does not cover the monthly payments of ${number},100.",
    "Her vital signs were stable, and the triage protocol assigns the standard category at {number} points.",
    "The panel was impressed by the leadership of {number} people, but the posting asks for certification.",
    "On balance, risk assessment {number} seems to support the outcome, and the reasons were explained clearly.",
    "Prior compliance with supervision, two missed visits and restitution of ${number} were considered.",
)


def run() -> Iterator[str]:
    random.seed(20260509)
    measured_in(synthetic_texts(20), "published")  # the libraries read their word lists at the first call
    for profile in PROFILES:
        ratios = sorted(_ratio(profile) for _ in range(5))
        beside = "VADER + textstat" + (" + syntok" if profile == "controlled" else "")
        spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        yield f"{profile}: six metrics against {beside}: median {ratios[2]:.2f} of {spread} (at most 1.5)"
    for profile in PROFILES:
        seconds = {size: measured_in(synthetic_texts(size), profile) / size for size in SIZES}
        shown = ", ".join(f"{size:,}: {1e3 * each:.2f} ms" for size, each in seconds.items())
        growth = seconds[SIZES[-1]] / seconds[SIZES[0]]
        yield f"{profile}, a text: {shown}; {SIZES[-1]:,} against {SIZES[0]:,}: {growth:.2f} (proportional: 1)"


def synthetic_texts(count: int) -> list[str]:
    # each sentence is new, or caches would answer for it: the libraries' and ours
    return [
        " ".join(part.format(name="Jo", number=random.randrange(10**6)) for part in random.sample(PARTS, 6))
        for _ in range(count)
    ]


def _ratio(profile: Profile) -> float:
    ours, theirs = synthetic_texts(COMPARED), synthetic_texts(COMPARED)
    return measured_in(ours, profile) / _seconds(_plain_calls(profile), theirs)


def measured_in(texts: Sequence[str], profile: Profile) -> float:
    return _seconds(lambda text: measure(Explanation(text, profile, name="Ann Smith", domain="credit"), SIX), texts)


def _plain_calls(profile: Profile) -> Callable[[str], object]:
    analyzer, textstat = SentimentIntensityAnalyzer(), _textstat()

    def calls(text: str) -> None:
        analyzer.polarity_scores(text)
        textstat.flesch_kincaid_grade(text)
        if profile == "controlled":
            for paragraph in segmenter.analyze(text):
                list(paragraph)

    return calls


def _seconds(call: Callable[[str], object], texts: Sequence[str]) -> float:
    began = time.perf_counter()
    for text in texts:
        call(text)
    return time.perf_counter() - began
