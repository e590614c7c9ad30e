"""Every table of the study from a score frame, and in proportion (synthetic scores)."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

from eftlib import analysis
from eftlib.benchmark import AXES, DOMAINS
from eftlib.metrics import STUDY_METRICS

SIZES = (10_000, 100_000)  # pairs
MODELS = tuple(f"model-{number}" for number in range(5))
CONDITIONS = ("baseline", "blind", "fairness")


def run() -> Iterator[str]:
    seconds = {}
    seconds_of(synthetic_scores(150))  # what is loaded at the first call
    for size in SIZES:
        scores = synthetic_scores(size)
        seconds[size] = seconds_of(scores)
        yield f"{size:,} pairs, {len(scores):,} scores: all tables in {seconds[size]:.1f} s"
    growth = seconds[SIZES[1]] / seconds[SIZES[0]] * SIZES[0] / SIZES[1]
    yield f"{SIZES[1]:,} pairs: {seconds[SIZES[1]]:.1f} s (at most 60); against {SIZES[0]:,}: {growth:.2f} (proportional: 1)"


def synthetic_scores(pairs: int) -> pd.DataFrame:
    templates = pairs // (len(MODELS) * len(CONDITIONS))
    frame = pd.MultiIndex.from_product(
        [range(templates), MODELS, CONDITIONS, STUDY_METRICS, ("A", "B")],
        names=["number", "model", "condition", "metric", "side"],
    ).to_frame(index=False)
    names = [f"T{number:05d}" for number in range(templates)]
    frame["template"] = np.array(names, dtype=object)[frame["number"]]
    frame["domain"] = np.array(DOMAINS, dtype=object)[frame["number"] % len(DOMAINS)]
    frame["axis"] = np.array(AXES, dtype=object)[frame["number"] % len(AXES)]
    rng = np.random.default_rng(20260509)
    # whole numbers, so that there are ties and zeros
    return frame.assign(
        draw=0, repeat=0, profile="published", value=rng.poisson(4, len(frame)).astype(float), reason=None
    ).drop(columns="number")


def seconds_of(scores: pd.DataFrame) -> float:
    began = time.perf_counter()
    pairs = analysis.differences(scores)
    here = analysis.selected(pairs, profile="published")
    effects, cells = analysis.axis_effects(here), analysis.by_model_and_domain(here)
    tables = [
        analysis.existence(here), analysis.axis_ranking(effects), analysis.directions(here), analysis.intersectional(here),
        analysis.model_ranking(here, MODELS), analysis.worst_cells(cells), analysis.mitigations(pairs),
    ]  # fmt: skip
    if any(table.empty for table in tables):
        raise AssertionError("a table is empty: the bench measured nothing")
    return time.perf_counter() - began
