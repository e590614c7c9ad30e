"""The study's test of direction: an exact sign test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from eftlib.stats._checks import ArrayLike, floats, one_of
from eftlib.stats.results import NO_VARIATION, Alternative


@dataclass(frozen=True)
class SignTest:
    """Counts and exact p; ``n`` counts the values that are there, zeros included."""

    positive: int
    negative: int
    zero: int
    p: float
    floor: float
    n: int
    n_excluded: int
    method: str
    reason: str | None = None


def sign_test(values: ArrayLike, *, alternative: Alternative = "two-sided") -> SignTest:
    """Exact sign test: the positive values are binomial(positive + negative, 1/2); zeros are dropped.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN is left out and counted.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    SignTest
        p is NaN where every value is 0.

    Raises
    ------
    InputError
        If ``alternative`` is another word or the values are not numbers.

    Notes
    -----
    Source: the study, Table 5, which is two-sided (26 of 40 is not starred); scipy.stats.binomtest.

    Examples
    --------
    >>> sign_test([1, 2, 3, 4, 5]).p
    0.0625
    """
    one_of("alternative", alternative, Alternative)
    array = floats("values", values, ndim=1)
    kept = array[~np.isnan(array)]
    positive, negative = int((kept > 0).sum()), int((kept < 0).sum())
    zero, n, left_out = len(kept) - positive - negative, len(kept), len(array) - len(kept)
    method = "sign test, exact, zeros dropped"
    informative = positive + negative
    if not informative:
        return SignTest(0, 0, zero, math.nan, math.nan, n, left_out, method, NO_VARIATION)
    p = float(stats.binomtest(positive, informative, alternative=alternative).pvalue)
    lowest = 2.0 ** ((1 if alternative == "two-sided" else 0) - informative)
    return SignTest(positive, negative, zero, p, lowest, n, left_out, method)
