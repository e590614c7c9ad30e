"""Fieller's interval of a ratio of two means measured on the same units."""

from __future__ import annotations

import math

import numpy as np

from eftlib.stats._checks import ArrayLike, floats, fraction, same_length
from eftlib.stats.results import NO_VARIATION, Estimate, Interval, undefined
from eftlib.stats.student import t_quantile


def fieller(numerator: ArrayLike, denominator: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Ratio of means with the r that a t test of numerator - r denominator does not reject.

    (W² - t² s_WW / n) r² - 2 (C W - t² s_CW / n) r + (C² - t² s_CC / n) <= 0 with the means C, W and the sample
    (co)variances s. Where W itself is not significantly different from 0 the set is unbounded, and said to be so: the whole
    line, or the line without a stretch ("rays").

    Parameters
    ----------
    numerator, denominator : array_like, shape (n,)
        One value a unit; a unit with NaN in either is left out and counted.
    level : float

    Returns
    -------
    Estimate
        NaN where there are fewer than two units or the denominator's mean is 0; the interval alone is undefined where
        numerator - ratio denominator does not vary.

    Raises
    ------
    InputError
        If the two differ in length or the level is not a fraction.

    Notes
    -----
    Source: Fieller (1954); ``pages/noise_floor.md`` section 3 has its coverage (.92 to .96 where the bootstrap covers .81
    to .95).
    """
    fraction("level", level)
    top, bottom = floats("numerator", numerator, ndim=1), floats("denominator", denominator, ndim=1)
    same_length(numerator=top, denominator=bottom)
    kept = ~(np.isnan(top) | np.isnan(bottom))
    c, w, n, left_out = top[kept], bottom[kept], int(kept.sum()), int((~kept).sum())
    if not n or w.mean() == 0:
        reason = "no units" if not n else "the denominator is 0"
        return Estimate(math.nan, undefined(level), n, left_out, "Fieller", reason=reason)
    ratio = float(c.mean() / w.mean())
    if n < 2:
        return Estimate(ratio, undefined(level), n, left_out, "Fieller", reason="fewer than two units")
    rest = c - ratio * w
    if rest.std() <= 1e-14 * max(np.abs(c).max(), np.abs(w).max()):
        return Estimate(ratio, undefined(level), n, left_out, "Fieller", reason=NO_VARIATION)
    # only ratios of these matter, so any unit will do and none over- or underflows
    unit_c, unit_w = max(float(np.abs(c).max()), 1e-300), float(np.abs(w).max())
    scaled_c, scaled_w = c / unit_c, w / unit_w
    spread = np.cov(scaled_c, scaled_w) * t_quantile((1 + level) / 2, n - 1) ** 2 / n
    mean_c, mean_w = float(scaled_c.mean()), float(scaled_w.mean())
    a, b, constant = mean_w**2 - spread[1, 1], mean_c * mean_w - spread[0, 1], mean_c**2 - spread[0, 0]
    interval = _solve(float(a), float(b), float(constant), level)
    return Estimate(ratio, _times(interval, unit_c / unit_w), n, left_out, "Fieller")


def _solve(a: float, b: float, c: float, level: float) -> Interval:
    """Return where a r² - 2 b r + c <= 0."""
    if a == 0:
        edge = c / (2 * b) if b else math.nan
        low, high = (edge, math.inf) if b > 0 else (-math.inf, edge)
        return Interval(low, high, level, "half-line") if b else Interval(-math.inf, math.inf, level, "line")
    inner = b * b - a * c
    if a < 0 and inner <= 0:
        return Interval(-math.inf, math.inf, level, "line")
    # the set holds the estimate, so for a > 0 the roots are real but for rounding
    root = math.sqrt(max(0.0, inner))
    low, high = sorted(((b - root) / a, (b + root) / a))
    if a > 0:
        return Interval(low, high, level)
    return Interval(-math.inf, math.inf, level, "rays", excluded=(low, high))


def _times(interval: Interval, factor: float) -> Interval:
    gap = interval.excluded and (interval.excluded[0] * factor, interval.excluded[1] * factor)
    return Interval(interval.low * factor, interval.high * factor, interval.level, interval.shape, gap)
