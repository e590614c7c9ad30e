"""The percentile bootstrap of a mean over whole clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from eftlib.errors import InputError
from eftlib.stats import _relabel
from eftlib.stats._checks import ArrayLike, at_least, codes, floats, fraction, one_of
from eftlib.stats.results import Estimate, Interval, undefined

BootstrapMethod = Literal["monte carlo", "exact"]


def cluster_bootstrap(
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    method: BootstrapMethod = "monte carlo",
    resamples: int = 10_000,
    rng: np.random.Generator | None = None,
) -> Estimate:
    """Percentile interval of a mean, resampling whole clusters: sum of values / number of values.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN is left out and counted.
    clusters : array_like, shape (n,), optional
        A label for each value; without it each value is its own cluster.
    level : float
    method : {"monte carlo", "exact"}
        "exact" goes through all G^G ordered resamples, to 5 clusters.
    resamples : int
        Resamples drawn: row b is ``rng.integers(0, G, size=(B, G))[b]``, whatever the size of the blocks.
    rng : numpy.random.Generator, optional
        Needed for "monte carlo".

    Returns
    -------
    Estimate
        ``se`` is the SD of the resampled means (ddof 1; of all of them, ddof 0, if exact), ``n`` the clusters. Quantiles
        are linear (type 7). With one cluster the interval is undefined.

    Raises
    ------
    InputError
        If "exact" is asked for more than 5 clusters, or chance is needed and ``rng`` is missing.

    Notes
    -----
    Below 30 clusters its coverage is too small (8 clusters: .85 for .95); see ``pages/noise_floor.md`` section 3. Use a t or a
    Fieller interval there.
    """
    one_of("method", method, BootstrapMethod)
    fraction("level", level)
    array = floats("values", values, ndim=1)
    kept = ~np.isnan(array)
    labels = np.arange(len(array)) if clusters is None else codes("clusters", clusters, length=len(array))
    # codes again, so that a cluster whose values are all missing is gone
    labels = np.unique(labels[kept], return_inverse=True)[1]
    sums, counts = np.bincount(labels, weights=array[kept]), np.bincount(labels)
    groups, left_out, name = len(sums), int((~kept).sum()), f"cluster bootstrap, percentile, {method}"
    if groups < 2:
        value = float(sums[0] / counts[0]) if groups else math.nan
        return Estimate(value, undefined(level), groups, left_out, name, reason="fewer than two clusters")
    draws = _all_draws(groups) if method == "exact" else _draws(groups, resamples, rng)
    means = np.concatenate([sums[index].sum(1) / counts[index].sum(1) for index in draws])
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    se = float(means.std(ddof=0 if method == "exact" else 1))
    value = float(sums.sum() / counts.sum())
    return Estimate(value, Interval(float(low), float(high), level), groups, left_out, name, se=se)


def _all_draws(groups: int) -> Iterator[npt.NDArray[np.int64]]:
    if not _relabel.enumerable(groups, groups):
        raise InputError(f"values have {groups} clusters; allowed with method='exact': 5 at most, beyond use 'monte carlo'")
    yield np.stack(np.unravel_index(np.arange(groups**groups), (groups,) * groups), axis=1)


def _draws(groups: int, resamples: int, rng: np.random.Generator | None) -> Iterator[npt.NDArray[np.int64]]:
    at_least("resamples", resamples, 2)
    rng = _relabel.generator(rng, "the bootstrap draws its resamples")
    for rows in _relabel.block_sizes(resamples, groups):
        yield rng.integers(0, groups, size=(rows, groups))
