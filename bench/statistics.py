"""The noise floor of a whole study, many resamples of it, and tests of very many pairs (synthetic values, made here)."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator

import numpy as np

from eftlib import stats

# templates an axis, and the persona pairs of each (race has 18, past what can be enumerated)
AXES = {"gender": (21, 12), "race": (29, 18), "age": (15, 12), "religion": (8, 12), "intersectional": (7, 12)}
METRICS, MODELS = 8, 5
RESAMPLES = 9_999
MANY_PAIRS, FEW_RESAMPLES = 100_000, 2_000


def run() -> Iterator[str]:
    rng = np.random.default_rng(20260509)
    _cells(rng, {"warm-up": (10, 12)}, 100)
    took = _time(lambda: _cells(rng, AXES, RESAMPLES))
    yield f"{METRICS * len(AXES) * (MODELS + 1)} cells, every test, {RESAMPLES:,} resamples: {took:.2f} s (at most 3)"
    full = dict.fromkeys(AXES, (80, 18))
    took = _time(lambda: _cells(rng, full, 10_000))
    yield f"the same with 80 templates on each axis, 10,000 resamples: {took:.2f} s (at most 20)"
    y = rng.standard_normal((MANY_PAIRS, 1, 4))
    pairs = rng.integers(0, MANY_PAIRS // 10, size=(MANY_PAIRS, 2))
    took = _time(lambda: stats.noise_floor(y, pairs=pairs, resamples=FEW_RESAMPLES, rng=rng))
    yield f"{MANY_PAIRS:,} templates, {FEW_RESAMPLES:,} resamples, every test: {took:.2f} s (at most 30)"
    first = y[:, 0, 0]
    took = _time(lambda: stats.cluster_bootstrap(first, resamples=FEW_RESAMPLES, rng=rng))
    took_flip = _time(lambda: stats.sign_flip(first, resamples=FEW_RESAMPLES, rng=rng))
    yield f"{MANY_PAIRS:,} pairs, {FEW_RESAMPLES:,} resamples: bootstrap {took:.2f} s, sign flip {took_flip:.2f} s (at most 30)"
    small, large = (_flips(rng, size) for size in (MANY_PAIRS // 10, MANY_PAIRS))
    yield f"time a pair, {MANY_PAIRS:,} against {MANY_PAIRS // 10:,}: {large / small / 10:.2f} (proportional: 1; at most 1.5)"
    # ru_maxrss counts KiB on Linux
    yield f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB (at most 4)"


def _time(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _cells(rng: np.random.Generator, axes: dict[str, tuple[int, int]], resamples: int) -> None:
    for templates, personas in axes.values():
        pairs = np.array([rng.choice(personas, size=2, replace=False) for _ in range(templates)])
        for _ in range(METRICS):
            y = rng.standard_normal((templates, MODELS, 4))
            for models in (slice(None), *(slice(m, m + 1) for m in range(MODELS))):
                stats.noise_floor(y[:, models], pairs=pairs, resamples=resamples, rng=rng)


def _flips(rng: np.random.Generator, size: int) -> float:
    values = rng.standard_normal(size)
    return min(_time(lambda: stats.sign_flip(values, resamples=FEW_RESAMPLES, rng=rng)) for _ in range(3))
