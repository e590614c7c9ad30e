"""Every question about one cell of the design, asked at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eftlib.stats._checks import ArrayLike
from eftlib.stats.direction import Direction, direction
from eftlib.stats.equivalence import DIFFERENCE_BOUND, RATIO_BOUND, Equivalences, equivalence
from eftlib.stats.magnitude import Magnitude, magnitude
from eftlib.stats.power import Precision, precision
from eftlib.stats.spread import Spread, spread


@dataclass(frozen=True)
class NoiseFloor:
    """The answers: magnitude, direction, spread, equivalence and precision of one cell."""

    magnitude: Magnitude
    direction: Direction
    spread: Spread
    equivalence: Equivalences
    precision: Precision


def noise_floor(
    y: ArrayLike,
    *,
    pairs: ArrayLike | None = None,
    names: ArrayLike | None = None,
    ratio_bound: float = RATIO_BOUND,
    difference_bound: float = DIFFERENCE_BOUND,
    scaled: bool = True,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> NoiseFloor:
    """Run `magnitude`, `direction`, `spread`, `equivalence` and `precision` on a cell, in this order.

    Parameters
    ----------
    y : array_like, shape (T, M, 4)
        A0 A1 B0 B1, NaN where missing.
    pairs : array_like, shape (T, 2), optional
        Labels of the persona pairs of draw 0 and draw 1.
    names : array_like, shape (T,), optional
        Instead of pairs, the name that a template's four people share (the age axis): no group magnitude then.
    ratio_bound, difference_bound, scaled, resamples, rng
        As in the five functions.

    Returns
    -------
    NoiseFloor

    Raises
    ------
    InputError
        As the five functions do.
    """
    bounds: dict[str, Any] = {"ratio_bound": ratio_bound, "difference_bound": difference_bound}
    return NoiseFloor(
        magnitude(y, pairs=pairs, scaled=scaled, resamples=resamples, rng=rng),
        direction(y, pairs=pairs, names=names, scaled=scaled, resamples=resamples, rng=rng),
        spread(y, scaled=scaled, resamples=resamples, rng=rng),
        equivalence(y, pairs=pairs, names=names, scaled=scaled, **bounds),
        precision(y, pairs=pairs, names=names, scaled=scaled, **bounds),
    )
