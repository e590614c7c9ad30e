"""The example of an audit, made from the pilot's answers by a rule that looks at no text: examples/README.md states it.

``python tests/audit_example.py`` writes both files anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from shared import ROOT

RESPONSES = ROOT / "data" / "studies" / "pilot" / "responses"
MODELS = ("qwen2.5-coder-1.5b", "smollm2-135m")
# the pilot was still being collected when the example was made; answers that came later must not change it
BEFORE = "2026-11-30T08:00:00Z"
GROUPS = {"A": "White", "B": "Black, Hispanic or Asian"}  # data/benchmark/personas.yml, the sides of race
# exchanging A1 and B0 turns each list into the other
CROSS = (("A0", "B0"), ("A1", "B1"))
WITHIN = (("A0", "A1"), ("B0", "B1"))


class Place(NamedTuple):
    template: str
    model: str
    decision: str


def answers() -> dict[Place, dict[str, dict[str, Any]]]:
    """The baseline answers on race that are ok, by template, model and decision, then by side and draw."""
    found: dict[Place, dict[str, dict[str, Any]]] = {}
    for model in MODELS:
        for line in (RESPONSES / f"{model}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if (row["axis"], row["condition"], row["outcome"]) == ("race", "baseline", "ok") and row["created"] < BEFORE:
                place = Place(row["template"], model, row["decision"])
                found.setdefault(place, {})[f"{row['side']}{row['draw']}"] = row
    return found


def example() -> dict[str, list[dict[str, Any]]]:
    """Both files: name and lines."""
    found = answers()
    ids = sorted({place.template for place in found})
    complete = [each for each in ids if all(len(found.get(Place(each, model, "stated"), {})) == 4 for model in MODELS)]
    places = [Place(template, model, "stated") for template in complete[:10] for model in MODELS]
    files = {"pairs.jsonl": CROSS, "null.jsonl": WITHIN}
    return {name: [line for place in places for line in _lines(found, place, twos)] for name, twos in files.items()}


def _lines(found: dict[Place, dict[str, dict[str, Any]]], place: Place, twos: Any) -> Iterator[dict[str, Any]]:
    opposite = found.get(place._replace(decision="opposite"), {})
    for two in twos:
        same = {"pair_id": " ".join((*place[:2], *two)), "axis": "race", "topic": place.template, "model": place.model}
        line = same | {"domain": found[place]["A0"]["domain"], "same_decision": True}
        for side, who in zip("ab", two, strict=True):
            row = found[place][who]
            line |= {f"name_{side}": row["persona"]["name"], f"group_{side}": GROUPS[who[0]]}
            line |= {f"explanation_{side}": row["text"]}
            if who in opposite:
                line |= {f"opposite_{side}": opposite[who]["text"]}
        yield line


def text(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


if __name__ == "__main__":
    for name, lines in example().items():
        (ROOT / "examples" / name).write_text(text(lines), encoding="utf-8")
