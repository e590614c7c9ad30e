"""Relabellings, all of them or drawn at random, in blocks; and the share of them that reach what was observed.

One limit decides between the two: 2^14 relabellings. It admits 14 sign flips and three-way shuffles of 8 templates
(3^8 = 6,561; 3^9 = 19,683 is past it), as ``pages/noise_floor.md`` section 2 asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from eftlib.errors import InputError
from eftlib.stats._checks import Floats, at_least

LIMIT = 2**14
BLOCK = 4_000_000  # entries of one block of relabellings: 32 MB once they are floats
TOLERANCE = 1e-9

Bits = npt.NDArray[np.uint8]


def enumerable(base: int, units: int) -> bool:
    """Whether ``base ** units`` relabellings are few enough to be all tried."""
    # the first condition spares powers of a thousand digits
    return units <= 14 and base**units <= LIMIT


def generator(rng: np.random.Generator | None, why: str) -> np.random.Generator:
    """Return ``rng``, which must be there because chance is needed."""
    if rng is None:
        raise InputError(f"rng is None, but {why}; allowed: numpy.random.default_rng(seed)")
    return rng


def block_sizes(rows: int, width: int) -> Iterator[int]:
    """Yield how many rows of a width to hold at once, so that they add up to ``rows``."""
    step = max(1, BLOCK // max(1, width))
    for start in range(0, rows, step):
        yield min(step, rows - start)


@lru_cache(maxsize=64)
def _digits(base: int, units: int) -> Bits:
    numbers = np.arange(base**units)[:, None]
    table = (numbers // base ** np.arange(units) % base).astype(np.uint8)
    table.setflags(write=False)
    return table


def labels(base: int, units: int, *, resamples: int, rng: np.random.Generator | None) -> Iterator[Bits]:
    """Yield blocks [b, units] of labels below ``base``: every combination where enumerable, else ``resamples`` at random."""
    if enumerable(base, units):
        yield _digits(base, units)
        return
    at_least("resamples", resamples, 1)
    rng = generator(rng, f"{base}^{units} relabellings are too many to try all")
    for rows in block_sizes(resamples, units):
        if base == 2:
            raw = np.frombuffer(rng.bytes(rows * -(-units // 8)), dtype=np.uint8)
            yield np.unpackbits(raw.reshape(rows, -1), axis=1, count=units)
        else:
            yield rng.integers(0, base, size=(rows, units), dtype=np.uint8)


def share(observed: float, statistics: Iterable[Floats], *, exact: bool) -> float:
    """Return p: the share of relabellings whose statistic is at least the observed one.

    hits / all where all are tried, (1 + hits) / (1 + B) where B were drawn; a statistic counts from
    observed - 1e-9 max(1, |observed|) on, so that ties survive rounding.
    """
    threshold = observed - TOLERANCE * max(1.0, abs(observed))
    hits = total = 0
    for block in statistics:
        hits += int((block >= threshold).sum())
        total += block.size
    return hits / total if exact else (1 + hits) / (1 + total)


def floor(smallest: float, *, exact: bool, resamples: int) -> float:
    """Return the smallest p: that of the design, or 1 / (B + 1) where relabellings were drawn and this is larger."""
    return smallest if exact else max(smallest, 1 / (1 + resamples))


def method_name(what: str, *, exact: bool, resamples: int) -> str:
    """Return how p was found, in words."""
    return f"{what}, exact" if exact else f"{what}, Monte Carlo {resamples}"
