"""Claims about groups: persona pairs as the units, exchanged within a pair in every template at once."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from eftlib.errors import InputError
from eftlib.stats import _relabel
from eftlib.stats._checks import ArrayLike, Floats, Ints, codes
from eftlib.stats.results import NO_VARIATION, Interval, Significance, undefined
from eftlib.stats.student import t_quantile
from eftlib.stats.units import Units

# up to so many pairs a table of pairs by pairs is quicker than a list of templates
DENSE = 64


def pair_sums(draws: Floats, pairs: Ints) -> tuple[Floats, Ints]:
    """Return v_k, the sum of B_k - A_k over the draws where pair k serves, and n_k, their number.

    Parameters
    ----------
    draws : ndarray, shape (T, 2)
        NaN where a person of the pair has no text.
    pairs : ndarray of int, shape (T, 2)

    Returns
    -------
    v, n : ndarray
        Pairs that serve nowhere are left out.
    """
    known = ~np.isnan(draws)
    size = int(pairs.max(initial=-1)) + 1
    counts = np.bincount(pairs[known], minlength=size)
    sums = np.bincount(pairs[known], weights=draws[known], minlength=size)
    return sums[counts > 0].astype(np.float64), counts[counts > 0].astype(np.int64)


def group_sums(reduced: Units, pairs: ArrayLike | None, names: ArrayLike | None) -> tuple[Floats, Ints] | None:
    """Return sums and counts of a group's units: `pair_sums`, or with names the sums of d_t by name; None without either.

    Parameters
    ----------
    reduced : Units
    pairs : array of labels, shape (T, 2), optional
    names : array of labels, shape (T,), optional

    Returns
    -------
    (array, array) or None
        Sums and counts, by persona pair or by name.

    Raises
    ------
    InputError
        If both are given, or a label is missing.
    """
    templates = len(reduced.difference)
    if pairs is not None and names is not None:
        raise InputError("pairs and names are both given; allowed: pairs, or names where a template's people share one")
    if pairs is not None:
        return pair_sums(reduced.draws, codes("pairs", pairs, length=templates, width=2))
    if names is not None:
        return pair_sums(reduced.difference[:, None], codes("names", names, length=templates)[:, None])
    return None


def swap_test(swap: Floats, pairs: Ints, *, resamples: int, rng: np.random.Generator | None) -> Significance:
    """Pair-swap test of magnitude: Σ_t f_i f_j g_t, f = ±1 for each pair, greater.

    Parameters
    ----------
    swap : ndarray, shape (T,)
        g of each template, NaN where no model of it counts.
    pairs : ndarray of int, shape (T, 2)
    resamples, rng
        As in `sign_flip`; all 2^P swaps are tried up to 14 pairs.

    Returns
    -------
    Significance
        ``n`` counts pairs. The floor is 2^(K-P), K the connected components of the graph of pairs (nodes) and templates
        (edges); a template with g = 0 or with one pair in both draws is no edge, since no swap changes it.

    Notes
    -----
    Source: ``pages/noise_floor.md`` sections 2 to 4. P - K is never above the number of templates, so neither is the floor's
    exponent.
    """
    known = ~np.isnan(swap)
    left_out, g = int((~known).sum()), swap[known]
    names, edges = np.unique(pairs[known], return_inverse=True)
    edges, count = np.sort(edges.reshape(-1, 2), axis=1), len(names)
    moving = (edges[:, 0] != edges[:, 1]) & (g != 0)
    if not moving.any():
        return Significance(math.nan, math.nan, math.nan, count, left_out, "pair swap", NO_VARIATION)
    # what no swap changes adds the same to every statistic
    edges, code = np.unique(edges[moving], axis=0, return_inverse=True)
    weights = np.bincount(code.ravel(), weights=g[moving]) / np.abs(g[moving]).sum()
    exact = _relabel.enumerable(2, count)
    p = _relabel.share(float(weights.sum()), _swapped(weights, edges, count, resamples, rng), exact=exact)
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(count, count))
    components = connected_components(graph, directed=False)[0]
    lowest = _relabel.floor(2.0 ** (components - count), exact=exact, resamples=resamples)
    return Significance(
        float(g.sum()), p, lowest, count, left_out, _relabel.method_name("pair swap", exact=exact, resamples=resamples)
    )


def _swapped(weights: Floats, edges: Ints, count: int, resamples: int, rng: np.random.Generator | None) -> Iterator[Floats]:
    for bits in _relabel.labels(2, count, resamples=resamples, rng=rng):
        if count <= DENSE:
            table = np.zeros((count, count))
            table[edges[:, 0], edges[:, 1]] = weights
            f = 1.0 - 2.0 * bits
            yield ((f @ table) * f).sum(1)
            continue
        for rows in np.array_split(bits, max(1, -(-len(bits) * len(weights) // _relabel.BLOCK))):
            # f_i f_j = -1 where one of the two is swapped and the other not
            yield weights.sum() - 2 * ((rows[:, edges[:, 0]] ^ rows[:, edges[:, 1]]).astype(np.float64) @ weights)


def ratio_interval(cross: Floats, within: Floats, pairs: Ints, *, level: float) -> tuple[Interval, str | None]:
    """Interval of the ratio when names and templates are both samples.

    log(ΣC / ΣW) ± t_{P-1} √V, V = max(P / (P-2) Σ_{t,t' share a pair} ψ_t ψ_t' / T², var ψ / T), ψ = C / C̄ - W / W̄.
    The sum takes t = t' and each two templates once, however many pairs they share.

    Parameters
    ----------
    cross, within : ndarray, shape (T,)
        C and W, no NaN.
    pairs : ndarray of int, shape (T, 2)
    level : float

    Returns
    -------
    Interval
    reason : str or None
        Why it is undefined: fewer than three pairs, or nothing varies.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 3, groups' interval.
    """
    names, edges = np.unique(pairs, return_inverse=True)
    edges, count, templates = np.sort(edges.reshape(-1, 2), axis=1), len(names), len(cross)
    if count < 3:
        return undefined(level), "fewer than three pairs"
    if not (cross.any() and within.any()):
        return undefined(level), NO_VARIATION
    psi = cross / cross.mean() - within / within.mean()
    loops = edges[:, 0] == edges[:, 1]
    by_pair = np.bincount(edges[:, 0], weights=psi, minlength=count)
    by_pair += np.bincount(edges[~loops, 1], weights=psi[~loops], minlength=count)
    # templates that share both their pairs were counted once for each
    both = np.unique(edges[~loops], axis=0, return_inverse=True)[1].ravel()
    twice = float((np.bincount(both, weights=psi[~loops]) ** 2).sum()) if both.size else 0.0
    shared = float((by_pair**2).sum()) - twice
    variance = max(count / (count - 2) * shared / templates**2, float(psi.var(ddof=1)) / templates)
    if not variance > 0:
        return undefined(level), NO_VARIATION
    half = t_quantile((1 + level) / 2, count - 1) * math.sqrt(variance)
    ratio = float(cross.mean() / within.mean())
    return Interval(ratio * math.exp(-half), ratio * math.exp(half), level), None


def larger(first: float, second: float) -> float:
    """Return the larger of two p-values, NaN if either is undefined: both randomisations must reject.

    Parameters
    ----------
    first, second : float

    Returns
    -------
    float
    """
    return float(np.maximum(first, second))
