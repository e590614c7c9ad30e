"""Rendering all prompts of a study takes time in proportion to its templates (synthetic scenarios, made here)."""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from eftlib import study as studies
from eftlib.files import data_dir

SIZES = (80, 8_000)
AXES = ("gender", "race", "age", "religion", "intersectional")
AXIS_SLOT = {"age": "{name}, {age},", "religion": "{name}, who {is} {affiliation},"}


def run() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch:
        seconds = {}
        for size in SIZES:
            folder = _write_study(Path(scratch) / str(size), size)
            seconds[size] = min(_time(folder) for _ in range(5 if size < 1_000 else 1))
    small, large = SIZES
    ratio = (seconds[large] / seconds[small]) / (large / small)
    yield f"{small:,} templates {seconds[small]:.3f} s, {large:,} templates {seconds[large]:.2f} s, read and rendered"
    yield f"time a template, {large:,} against {small:,}: {ratio:.2f} (proportional: 1; at most 1.5)"


def _time(folder: Path) -> float:
    began = time.perf_counter()
    for prompt in studies.load(str(folder)).prompts():
        json.dumps(prompt.as_dict())
    return time.perf_counter() - began


def _write_study(folder: Path, size: int) -> Path:
    (folder / "benchmark").mkdir(parents=True)
    shutil.copy(data_dir() / "benchmark" / "personas.yml", folder / "benchmark" / "personas.yml")
    templates = [_template(number) for number in range(size)]
    document = {"question": "Explain the reasons for this decision.", "templates": templates}
    # JSON is YAML, and quicker to write
    (folder / "benchmark" / "templates.yml").write_text(json.dumps(document), encoding="utf-8")
    study = {
        "name": "bench", "title": "synthetic", "models": ["gpt-4.1"], "templates": "all", "draws": [0, 1],
        "decisions": ["stated", "opposite"], "conditions": {"baseline": "", "blind": "Ignore who this is."},
        "parameters": {"temperature": 0.0, "max_tokens": 64}, "frozen": False, "benchmark": "benchmark",
    }  # fmt: skip
    (folder / "study.yml").write_text(json.dumps(study), encoding="utf-8")
    return folder


def _template(number: int) -> dict[str, str]:
    axis = AXES[number % len(AXES)]
    who = AXIS_SLOT.get(axis, "{name}")
    return {
        "id": f"H{number:05d}", "domain": "hiring", "axis": axis, "title": f"Synthetic {number}", "valence": "adverse",
        "scenario": f"For post {number} {who} was interviewed. {{They}} {{has}} {number % 7} years of practice "
        "and lead{s} a team of nine. {Their} record is clean. The panel decided {decision}.",
        "stated": "to turn the candidate down", "opposite": "to take the candidate on",
    }  # fmt: skip
