"""Cohen's d of one sample and the words for sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eftlib.stats._checks import ArrayLike, floats
from eftlib.stats.results import NO_VARIATION

DLabel = Literal["negligible", "small", "medium", "large"]
RLabel = Literal["negligible", "small", "medium", "large"]


@dataclass(frozen=True)
class CohenD:
    """d with its label, and the mean, SD (ddof 1) and median it comes with."""

    value: float
    label: DLabel | None
    mean: float
    sd: float
    median: float
    n: int
    n_excluded: int
    method: str
    reason: str | None = None


def cohen_d(values: ArrayLike) -> CohenD:
    """Cohen's d of one sample: mean / SD with ddof 1.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN is left out and counted.

    Returns
    -------
    CohenD
        d is NaN with fewer than two values or without variation.

    Raises
    ------
    InputError
        If the values are not numbers.

    Notes
    -----
    Source: the study, section IV.E. Of absolute differences it is 1 / CV, a number without scale: Gaussian noise gives 1.32.

    Examples
    --------
    >>> cohen_d([1, 2, 3]).value
    2.0
    """
    array = floats("values", values, ndim=1)
    kept = array[~np.isnan(array)]
    n, left_out, method = len(kept), len(array) - len(kept), "mean / SD, ddof 1"
    if not n:
        return CohenD(math.nan, None, math.nan, math.nan, math.nan, n, left_out, method, "no values")
    mean, median = float(kept.mean()), float(np.median(kept))
    if n < 2:
        return CohenD(math.nan, None, mean, math.nan, median, n, left_out, method, "fewer than two values")
    if np.ptp(kept) == 0:
        return CohenD(math.nan, None, mean, 0.0, median, n, left_out, method, NO_VARIATION)
    sd = float(kept.std(ddof=1))
    return CohenD(mean / sd, d_label(mean / sd), mean, sd, median, n, left_out, method)


def d_label(d: float) -> DLabel | None:
    """Return the study's word for a d, by absolute value (IV.E: bounds .2, .5, .8); None for NaN.

    Parameters
    ----------
    d : float

    Returns
    -------
    {"negligible", "small", "medium", "large"} or None
    """
    return _label(d, (0.2, 0.5, 0.8))


def r_label(r: float) -> RLabel | None:
    """Return a word for a rank-biserial r, by absolute value; bounds .1, .3, .5 are ours, the study states none.

    Parameters
    ----------
    r : float

    Returns
    -------
    {"negligible", "small", "medium", "large"} or None
    """
    return _label(r, (0.1, 0.3, 0.5))


def _label(value: float, bounds: tuple[float, float, float]) -> DLabel | None:
    if math.isnan(value):
        return None
    small, medium, large = bounds
    size = abs(value)
    if size < small:
        return "negligible"
    if size < medium:
        return "small"
    return "medium" if size < large else "large"
