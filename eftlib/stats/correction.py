"""Benjamini-Hochberg, with what m is and how many rejections a floor needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from eftlib.errors import InputError
from eftlib.stats._checks import ArrayLike, Floats, above, at_least, floats, fraction


@dataclass(frozen=True)
class Adjusted:
    """Adjusted p-values in the order given, and m, the number of defined ones."""

    p: Floats
    m: int


def benjamini_hochberg(p: ArrayLike) -> Adjusted:
    """Benjamini-Hochberg adjusted p-values; undefined ones stay NaN and are not in m.

    Parameters
    ----------
    p : array_like, shape (n,)

    Returns
    -------
    Adjusted

    Raises
    ------
    InputError
        If a p-value lies outside [0, 1].

    Notes
    -----
    Source: the study, section IV.E; scipy.stats.false_discovery_control, which refuses NaN, of the rest.

    Examples
    --------
    >>> benjamini_hochberg([0.01, float("nan"), 0.04]).p.tolist()
    [0.02, nan, 0.04]
    """
    array = floats("p", p, ndim=1)
    known = ~np.isnan(array)
    bad = array[known & ~((array >= 0) & (array <= 1))]
    if bad.size:
        raise InputError(f"p holds {bad[0]!r}; allowed: numbers from 0 to 1, NaN where undefined")
    adjusted = np.full(array.shape, math.nan)
    if known.any():
        adjusted[known] = stats.false_discovery_control(array[known], method="bh")
    return Adjusted(adjusted, int(known.sum()))


def rejections_needed(floor: float, *, m: int, alpha: float = 0.05) -> int | None:
    """Return how many of m p-values must reject together before one at its floor can: smallest k with floor <= k alpha / m.

    Parameters
    ----------
    floor : float
        The smallest p a test can give.
    m : int
        Size of the family.
    alpha : float

    Returns
    -------
    int or None
        None where even m are not enough; 1 where the p-value can stand alone.

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 4, floors.

    Examples
    --------
    >>> rejections_needed(2 / 2**8, m=40)
    7
    """
    above("floor", floor, 0)
    at_least("m", m, 1)
    # the small slack keeps a quotient that is whole but for rounding from costing one more
    needed = max(1, math.ceil(floor * m / fraction("alpha", alpha) - 1e-9))
    return needed if needed <= m else None
