"""Magnitude for groups where personas are not matched: labels shuffled among all personas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from eftlib.errors import InputError
from eftlib.stats import _relabel
from eftlib.stats._checks import ArrayLike, Floats, Ints, codes
from eftlib.stats.results import NO_VARIATION, Significance
from eftlib.stats.units import average, model_scales

_TWOS = tuple(combinations(range(4), 2))


def persona_permutation(
    y: ArrayLike,
    *,
    personas: ArrayLike,
    strata: ArrayLike | None = None,
    scaled: bool = True,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> Significance:
    """Full persona permutation of template-centred gaps, greater.

    Statistic: mean gap of two personas with different labels minus that of two with the same label, each gap minus the mean
    of its template's six. Labels are shuffled among all personas (of a stratum), so a template may be split 3-1 or 4-0.

    Parameters
    ----------
    y : array_like, shape (T, M, 4)
        A0 A1 B0 B1, NaN where missing; cells count when all four texts are there.
    personas : array_like, shape (T, 4)
        A label of the persona of each text; the first two columns are side A.
    strata : array_like, shape (T,), optional
        A label of each template's stratum; a persona belongs to one.
    scaled, resamples, rng
        As in `magnitude`; labelings are drawn where there are more than 16,384 of them.

    Returns
    -------
    Significance
        ``n`` counts personas. Floor: one labeling, or two for each stratum with as many personas on a side (the reversed
        labels split the same), of all.

    Raises
    ------
    InputError
        If a persona stands on both sides or in two strata, a shape is wrong, or ``rng`` is missing where it is needed.

    Notes
    -----
    Source: ``pages/noise_floor.md`` sections 3 and 11. It is valid but nearly blind under heavy tails: a fallback for unmatched
    designs and fewer than six pairs.
    """
    gaps = _centred_gaps(y, scaled)
    known = ~np.isnan(gaps[:, 0])
    ids = codes("personas", personas, length=len(gaps), width=4)
    stratum = np.zeros(len(gaps), np.int64) if strata is None else codes("strata", strata, length=len(gaps))
    side, where = _roles(ids, stratum)
    method, left_out = "persona permutation", int((~known).sum())
    used = np.unique(ids[known])
    if not gaps[known].any():
        reason = NO_VARIATION if known.any() else "no complete cell"
        return Significance(math.nan, math.nan, math.nan, len(used), left_out, method, reason)
    new = np.searchsorted(used, ids[known])
    side, where = side[used], where[used]
    first, second = (np.stack([new[:, two[i]] for two in _TWOS], axis=1).ravel() for i in (0, 1))
    edges, code = np.unique(np.sort(np.stack([first, second], axis=1), axis=1), axis=0, return_inverse=True)
    weights = np.bincount(code.ravel(), weights=gaps[known].ravel()).astype(np.float64)
    counts = np.bincount(code.ravel())
    labelings, lowest = _size(side, where)
    exact = labelings <= _relabel.LIMIT
    observed = float(_statistic(side[None, :], edges, weights, counts)[0])
    unit = float(np.abs(weights).sum() / counts.sum())
    drawn = _all_labels(side, where) if exact else _drawn_labels(side, where, resamples, rng)
    blocks = (_statistic(block, edges, weights, counts) / unit for block in drawn)
    p = _relabel.share(observed / unit, blocks, exact=exact)
    lowest = _relabel.floor(lowest, exact=exact, resamples=resamples)
    name = _relabel.method_name(method, exact=exact, resamples=resamples)
    return Significance(observed, p, lowest, len(used), left_out, name)


def _centred_gaps(y: ArrayLike, scaled: bool) -> Floats:
    scales = model_scales(y)
    values = np.asarray(y, dtype=np.float64)
    gaps = np.stack([np.abs(values[..., i] - values[..., j]) for i, j in _TWOS], axis=2)
    gaps = np.where(np.isnan(values).any(2, keepdims=True), math.nan, gaps)
    if scaled and len(scales) > 1:
        usable = scales > 0
        gaps = np.where(usable[:, None], gaps / np.where(usable, scales, 1.0)[:, None], math.nan)
    means = average(gaps, 1)
    return np.asarray(means - means.mean(1, keepdims=True))


def _roles(ids: Ints, stratum: Ints) -> tuple[npt.NDArray[np.uint8], Ints]:
    """Return side and stratum of each persona."""
    size = int(ids.max(initial=-1)) + 1
    side, where = np.zeros(size, np.uint8), np.zeros(size, np.int64)
    side[ids[:, 2:]] = 1
    where[ids] = stratum[:, None]
    if side[ids[:, :2]].any():
        raise InputError("personas has someone on both sides; allowed: columns 0 and 1 are people of A, 2 and 3 of B")
    if (where[ids] != stratum[:, None]).any():
        raise InputError("strata puts someone in two strata; allowed: one stratum a persona")
    return side, where


def _members(where: Ints) -> list[Ints]:
    return [np.flatnonzero(where == each) for each in np.unique(where)]


def _size(side: npt.NDArray[np.uint8], where: Ints) -> tuple[float, float]:
    """Return how many labelings there are, and the smallest share that ties with the best."""
    labelings, alike = 1.0, 1.0
    for members in _members(where):
        b = int(side[members].sum())
        labelings *= math.comb(len(members), b)
        alike *= 2 if 2 * b == len(members) else 1
    return labelings, alike / labelings


def _all_labels(side: npt.NDArray[np.uint8], where: Ints) -> Iterator[npt.NDArray[np.uint8]]:
    groups = _members(where)
    choices: list[Sequence[tuple[int, ...]]] = [
        list(combinations(members.tolist(), int(side[members].sum()))) for members in groups
    ]
    chosen = [[index for part in parts for index in part] for parts in product(*choices)]
    labels = np.zeros((len(chosen), len(side)), np.uint8)
    np.put_along_axis(labels, np.array(chosen, dtype=np.int64).reshape(len(chosen), -1), 1, axis=1)
    yield labels


def _drawn_labels(
    side: npt.NDArray[np.uint8], where: Ints, resamples: int, rng: np.random.Generator | None
) -> Iterator[npt.NDArray[np.uint8]]:
    rng = _relabel.generator(rng, "there are too many labelings to try all")
    for rows in _relabel.block_sizes(resamples, len(side)):
        labels = np.tile(side, (rows, 1))
        for members in _members(where):
            labels[:, members] = rng.permuted(labels[:, members], axis=1)
        yield labels


def _statistic(labels: npt.NDArray[np.uint8], edges: Ints, weights: Floats, counts: Ints) -> Floats:
    parts = []
    for rows in np.array_split(labels, max(1, -(-len(labels) * len(edges) // _relabel.BLOCK))):
        apart = (rows[:, edges[:, 0]] ^ rows[:, edges[:, 1]]).astype(np.float64)
        cross, number = apart @ weights, apart @ counts
        rest = counts.sum() - number
        same = weights.sum() - cross
        usable = (number > 0) & (rest > 0)
        value = cross / np.where(usable, number, 1) - same / np.where(usable, rest, 1)
        # a labeling that leaves nothing to compare is never as extreme
        parts.append(np.where(usable, value, -math.inf))
    return np.concatenate(parts)
