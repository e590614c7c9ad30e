"""The cluster sign-flip test: whether a sum is farther from 0 than if each cluster's sign were a coin's."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy import special

from eftlib.errors import InputError
from eftlib.stats import _relabel
from eftlib.stats._checks import ArrayLike, Floats, codes, floats, one_of
from eftlib.stats.results import NO_VARIATION, Alternative, Significance

FlipMethod = Literal["auto", "convolution"]


def sign_flip(
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    method: FlipMethod = "auto",
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> Significance:
    """Sign-flip test of a sum; the values of a cluster flip together.

    Statistic: the sum of the cluster sums (its absolute value if two-sided). Zeros change nothing and are not enumerated.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN is left out and counted.
    clusters : array_like, shape (n,), optional
        A label for each value; without it each value is its own cluster.
    alternative : {"two-sided", "greater", "less"}
    method : {"auto", "convolution"}
        "auto" tries all 2^n flips up to 14 non-zero clusters and draws ``resamples`` beyond; "convolution" is exact for
        any number, and for integers only.
    resamples : int
        Flips drawn where not all are tried.
    rng : numpy.random.Generator, optional
        Needed where flips are drawn.

    Returns
    -------
    Significance
        ``n`` counts clusters, ``n_excluded`` values; the floor is 2^-k, or 2^(1-k) two-sided, for k non-zero clusters.
        Without a non-zero cluster p is NaN.

    Raises
    ------
    InputError
        If values are not integers under "convolution", or flips must be drawn and ``rng`` is missing.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 2, p-values. The sums are divided by the sum of their absolute values first,
    so that the tolerance does not depend on the unit.

    Examples
    --------
    >>> sign_flip([3, -1, 2, 2, -4, 6, 0, 5]).p
    0.234375
    """
    one_of("alternative", alternative, Alternative)
    one_of("method", method, FlipMethod)
    array = floats("values", values, ndim=1)
    kept = ~np.isnan(array)
    sums = array[kept]
    if clusters is not None:
        # labels of kept values alone, so that a cluster whose values are all missing is gone
        labels = np.unique(codes("clusters", clusters, length=len(array))[kept], return_inverse=True)[1]
        sums = np.bincount(labels, weights=sums).astype(np.float64)
    left_out = int((~kept).sum())
    # scaling by model leaves 1e-17 where a difference is 0
    nonzero = sums[np.abs(sums) > 1e-12 * np.abs(sums).max(initial=0.0)]
    if not nonzero.size:
        return Significance(math.nan, math.nan, math.nan, len(sums), left_out, "sign flip", NO_VARIATION)
    smallest = 2.0 ** ((1 if alternative == "two-sided" else 0) - len(nonzero))
    if method == "convolution":
        p = _convolved(nonzero, alternative)
        return Significance(float(sums.sum()), p, smallest, len(sums), left_out, "sign flip, exact by convolution")
    exact = _relabel.enumerable(2, len(nonzero))
    p = _flipped(nonzero, alternative, resamples, rng)
    lowest = _relabel.floor(smallest, exact=exact, resamples=resamples)
    name = _relabel.method_name("sign flip", exact=exact, resamples=resamples)
    return Significance(float(sums.sum()), p, lowest, len(sums), left_out, name)


def _oriented(sums: Floats, alternative: Alternative) -> Floats:
    if alternative == "two-sided":
        return np.abs(sums)
    return sums if alternative == "greater" else -sums


def _flipped(sums: Floats, alternative: Alternative, resamples: int, rng: np.random.Generator | None) -> float:
    unit = sums / np.abs(sums).sum()
    blocks = _relabel.labels(2, len(unit), resamples=resamples, rng=rng)
    flipped = (_oriented(unit.sum() - 2 * (bits.astype(np.float64) @ unit), alternative) for bits in blocks)
    observed = float(_oriented(unit.sum(keepdims=True), alternative)[0])
    return _relabel.share(observed, flipped, exact=_relabel.enumerable(2, len(unit)))


def _convolved(sums: Floats, alternative: Alternative) -> float:
    whole = np.rint(sums)
    if (whole != sums).any():
        raise InputError(f"values hold {sums[whole != sums][0]!r}; allowed with method='convolution': integers")
    sizes, counts = np.unique(np.abs(whole).astype(np.int64), return_counts=True)
    mass = np.ones(1)
    for size, count in zip(sizes, counts, strict=True):
        step = np.zeros(size * count + 1)
        # of `count` clusters of one size a binomial number keep their sign
        step[::size] = _binomial(int(count))
        mass = np.convolve(mass, step)
    # position k holds the chance that the positive ones add up to k
    totals = _oriented(np.arange(mass.size, dtype=np.float64) * 2 - (mass.size - 1), alternative)
    observed = _oriented(np.array([whole.sum()]), alternative)[0]
    return min(1.0, float(mass[totals >= observed].sum()))


def _binomial(n: int) -> Floats:
    if n <= 1_000:
        # whole numbers, so that a p that is a fraction of a power of two comes out as one
        return np.array([math.comb(n, k) / 2**n for k in range(n + 1)])
    k = np.arange(n + 1)
    log = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(log - n * math.log(2)), dtype=np.float64)
