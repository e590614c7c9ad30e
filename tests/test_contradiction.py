"""Why no flag says that an explanation argues for the other decision: no simple rule finds it, by texts labelled by reading.

The rules stand here and not in the library, since they are refuted; data/labels/README.md gives these numbers.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable

import pytest
from shared import ROOT

from eftlib import benchmark as bench

FOR = re.compile(
    r"\b(?:approv\w+|grant\w*|hir(?:e|ed|ing)|offer(?:ed|ing)?|accept\w*|lend|lent|fund(?:ed|ing)?|admit\w*|releas\w+"
    r"|eligible|continu\w+|proceed\w*|advanc\w+|appoint\w*)\b",
    re.IGNORECASE,
)
AGAINST = re.compile(
    r"\b(?:reject\w*|den(?:y|ied|ial|ying)|declin\w+|refus\w+|revok\w+|withh\w+|withdr\w+|turn\w* down|dismiss\w*"
    r"|ineligible|unacceptable|detain\w*|detention)\b",
    re.IGNORECASE,
)
Words = re.Pattern[str]


def none_of_its_own(text: str, own: Words, other: Words) -> bool:
    return bool(other.search(text)) and not own.search(text)


def more_of_the_other(text: str, own: Words, other: Words) -> bool:
    return len(other.findall(text)) > len(own.findall(text))


def decision_to(text: str, own: Words, other: Words) -> bool:
    named = re.search(r"decision to \w+ ?\w*", text)
    return bool(named and other.search(named[0]))


@pytest.fixture(scope="module")
def labels() -> list[dict[str, str]]:
    with (ROOT / "data/labels/contradicts_decision.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def answers(labels: list[dict[str, str]]) -> dict[str, str]:
    wanted = {row["key"] for row in labels}
    found = {}
    for path in (ROOT / "data/studies/pilot/responses").glob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            if record["key"] in wanted:
                found[record["key"]] = record["text"]
    assert found.keys() == wanted
    return found


def test_each_reader_labelled_fifty_answers_of_each_model(labels: list[dict[str, str]]) -> None:
    for reader in "12":
        for model in ("smollm2-135m", "qwen2.5-coder-1.5b"):
            here = [row for row in labels if row["reader"] == reader and row["model"] == model]
            assert len({row["key"] for row in here}) == 50
            assert sum(row["decision"] == "stated" for row in here) == 25
    by_key: dict[str, list[str]] = {}
    for row in labels:
        by_key.setdefault(row["key"], []).append(row["contradicts"])
    shared = [both for both in by_key.values() if len(both) == 2]
    assert (len(by_key), len(shared), sum(one != other for one, other in shared)) == (184, 16, 1)
    assert sum("yes" in found for found in by_key.values()) == 8
    assert sum("unsure" in found and "yes" not in found for found in by_key.values()) == 11


@pytest.mark.parametrize(
    ("rule", "expected"), [(none_of_its_own, (14, 3)), (more_of_the_other, (17, 3)), (decision_to, (8, 2))]
)
def test_no_simple_rule_is_precise(
    rule: Callable[[str, Words, Words], bool],
    expected: tuple[int, int],
    labels: list[dict[str, str]],
    answers: dict[str, str],
    shipped: bench.Benchmark,
) -> None:
    templates = {template.id: template for template in shipped.templates}
    found: dict[str, set[str]] = {}
    for row in labels:
        favourable = (templates[row["template"]].valence == "favourable") == (row["decision"] == "stated")
        own, other = (FOR, AGAINST) if favourable else (AGAINST, FOR)
        if rule(answers[row["key"]], own, other):
            found.setdefault(row["key"], set()).add(row["contradicts"])
    flagged, right = len(found), sum("yes" in each for each in found.values())
    assert (flagged, right) == expected
    assert right / flagged < 0.8
    text = (ROOT / "data/labels/README.md").read_text("utf-8")
    assert f"| {flagged} | {right} | {right / flagged:.2f} |" in text
