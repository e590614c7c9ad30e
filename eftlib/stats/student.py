"""Student's t over units: an interval, one-sided tests, and equivalence by two one-sided tests."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from eftlib.errors import InputError
from eftlib.stats._checks import ArrayLike, Floats, floats, fraction, one_of
from eftlib.stats.results import NO_VARIATION, Alternative, Estimate, Interval, Significance, undefined


def t_quantile(p: float, df: float) -> float:
    """Return the quantile of Student's t.

    Parameters
    ----------
    p : float
        Cumulative probability.
    df : float

    Returns
    -------
    float
    """
    return float(special.stdtrit(df, p))


def t_interval(values: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Mean with its t interval: mean ± t SD / √n, ddof 1.

    Parameters
    ----------
    values : array_like, shape (n,)
        One a unit; NaN is left out and counted.
    level : float

    Returns
    -------
    Estimate
        The interval is undefined with fewer than two units or without variation.

    Raises
    ------
    InputError
        If the values are not numbers or the level is not a fraction.

    Examples
    --------
    >>> t_interval([1.0, 2.0, 3.0]).value
    2.0
    """
    fraction("level", level)
    array = floats("values", values, ndim=1)
    kept = array[~np.isnan(array)]
    n, left_out = len(kept), len(array) - len(kept)
    mean, se, reason = _mean_se(kept)
    if reason:
        return Estimate(mean, undefined(level), n, left_out, "t interval", se=se, reason=reason)
    half = t_quantile((1 + level) / 2, n - 1) * se
    return Estimate(mean, Interval(mean - half, mean + half, level), n, left_out, "t interval", se=se)


def t_test(values: ArrayLike, *, alternative: Alternative = "two-sided") -> Significance:
    """One-sample t test that the mean is 0.

    Parameters
    ----------
    values : array_like, shape (n,)
        One a unit; NaN is left out and counted.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    Significance
        p is NaN with fewer than two units or without variation.

    Raises
    ------
    InputError
        If ``alternative`` is another word or the values are not numbers.
    """
    one_of("alternative", alternative, Alternative)
    array = floats("values", values, ndim=1)
    kept = array[~np.isnan(array)]
    n, left_out = len(kept), len(array) - len(kept)
    mean, se, reason = _mean_se(kept)
    if reason:
        return Significance(math.nan, math.nan, math.nan, n, left_out, "t test", reason)
    t = mean / se
    if alternative == "two-sided":
        p = 2 * float(special.stdtr(n - 1, -abs(t)))
    else:
        p = float(special.stdtr(n - 1, t if alternative == "less" else -t))
    return Significance(t, p, math.nan, n, left_out, "t test")


def tost(values: ArrayLike, *, bound: ArrayLike) -> Significance:
    """Equivalence of a mean to 0 within ± bound: the larger p of two one-sided t tests.

    Parameters
    ----------
    values : array_like, shape (n,)
        One a unit; NaN is left out and counted.
    bound : float or array_like, shape (n,)
        A number, or a number a unit when the bound is itself measured: then values - bound and values + bound are tested,
        which is the same as asking whether the Fieller limits lie within the bound.

    Returns
    -------
    Significance
        ``statistic`` is the t of the test with the larger p.

    Raises
    ------
    InputError
        If a bound is negative or has another shape.

    Notes
    -----
    Source: Schuirmann's two one-sided tests; ``pages/noise_floor.md`` section 5.
    """
    array = floats("values", values, ndim=1)
    limit = np.asarray(bound, dtype=np.float64)
    if limit.shape not in ((), array.shape) or (limit < 0).any():
        raise InputError(f"bound is {bound!r}; allowed: a number from 0 on, or one for each of the {len(array)} values")
    sides = (t_test(array - limit, alternative="less"), t_test(array + limit, alternative="greater"))
    worse = max(sides, key=lambda side: math.inf if math.isnan(side.p) else side.p)
    return Significance(worse.statistic, worse.p, math.nan, worse.n, worse.n_excluded, "two one-sided t tests", worse.reason)


def _mean_se(kept: Floats) -> tuple[float, float, str | None]:
    if len(kept) < 2:
        return float(kept.mean()) if len(kept) else math.nan, math.nan, "fewer than two units"
    mean, sd = float(kept.mean()), float(kept.std(ddof=1))
    # equal values differ from their mean by rounding alone
    if sd <= 1e-14 * np.abs(kept).max():
        return mean, 0.0, NO_VARIATION
    return mean, sd / math.sqrt(len(kept)), None
