"""Whether the gap between the sides is larger than the gap within them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from eftlib.stats import _relabel, persona_pairs
from eftlib.stats._checks import ArrayLike, Floats, Ints, codes, fraction
from eftlib.stats.fieller import fieller
from eftlib.stats.results import NO_VARIATION, Interval, Significance
from eftlib.stats.units import Units, units


@dataclass(frozen=True)
class GroupMagnitude:
    """The claim about groups.

    ``p`` is the larger of the template-level and the pair-swap p, ``floor`` the larger of their floors; ``interval`` is the
    ratio's with names as a sample, ``n`` the persona pairs; ``reason`` says why p or interval is undefined.
    """

    p: float
    floor: float
    swap: Significance
    interval: Interval
    n: int
    reason: str | None = None


@dataclass(frozen=True)
class Magnitude:
    """Gap between sides against gap within sides.

    Attributes
    ----------
    cross, within : float
        C and W, means over templates.
    ratio : float
        ΣC / ΣW; 1 without a disparity.
    interval : Interval
        Fieller's, over templates.
    energy : float
        E, the mean of C - W.
    test : Significance
        In-template shuffle: the claim about these names.
    groups : GroupMagnitude or None
        The claim about groups, where persona pairs are given.
    n, n_excluded : int
        Templates, and those without a complete cell.
    cells_dropped, models_dropped : int
        Model x template cells without all four texts; models in which nothing varies.
    reason : str or None
        Why the ratio is undefined.
    """

    cross: float
    within: float
    ratio: float
    interval: Interval
    energy: float
    test: Significance
    groups: GroupMagnitude | None
    n: int
    n_excluded: int
    cells_dropped: int
    models_dropped: int
    reason: str | None = None


def magnitude(
    y: ArrayLike,
    *,
    pairs: ArrayLike | None = None,
    level: float = 0.95,
    scaled: bool = True,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> Magnitude:
    """Compare the cross-group gap with the placebo gap.

    C_t, W_t: means over a template's models of the four cross gaps and of the two placebo gaps. ratio = ΣC / ΣW,
    E = mean(C - W). Shuffle: in each template the four texts are split anew into two twos (three ways), all models alike.

    Parameters
    ----------
    y : array_like, shape (T, M, 4)
        A0 A1 B0 B1, NaN where missing.
    pairs : array_like, shape (T, 2), optional
        Labels of the persona pairs of draw 0 and draw 1; with them a claim about groups is made.
    level : float
    scaled : bool
        Whether several models are brought to one scale first, see `units`.
    resamples : int
        Relabellings drawn where they are too many to try all: from 9 templates, from 15 pairs.
    rng : numpy.random.Generator, optional
        Needed where relabellings are drawn.

    Returns
    -------
    Magnitude
        Ratio NaN with the reason "no variation" where no gap differs from 0, "no placebo gap" where only cross gaps do
        (p is still defined then), "no complete cell" where there is none.

    Raises
    ------
    InputError
        If a shape is wrong or ``rng`` is missing where it is needed.

    Notes
    -----
    Source: ``pages/noise_floor.md`` sections 2, 3 and 7.

    Examples
    --------
    >>> found = magnitude([[[1, 2, 4, 6]], [[3, 3, 5, 4]], [[2, 1, 4, 3]]])
    >>> found.cross, found.within, found.test.p
    (2.3333333333333335, 1.0, 0.037037037037037035)
    """
    fraction("level", level)
    reduced = units(y, scaled=scaled)
    known = ~np.isnan(reduced.within)
    test = _shuffle_test(reduced.matchings, resamples=resamples, rng=rng)
    groups = None
    if pairs is not None:
        labels = codes("pairs", pairs, length=len(known), width=2)
        groups = _groups(reduced, labels, test, level=level, resamples=resamples, rng=rng)
    estimate = fieller(reduced.cross, reduced.within, level=level)
    cross, within = (float(x[known].mean()) if known.any() else math.nan for x in (reduced.cross, reduced.within))
    return Magnitude(
        cross=cross, within=within, ratio=estimate.value, interval=estimate.interval, energy=cross - within, test=test,
        groups=groups, n=estimate.n, n_excluded=estimate.n_excluded, cells_dropped=reduced.incomplete,
        models_dropped=reduced.still, reason=_why(cross, within, estimate.reason),
    )  # fmt: skip


def _why(cross: float, within: float, reason: str | None) -> str | None:
    if math.isnan(within):
        return "no complete cell"
    if within == 0:
        return "no placebo gap" if cross else NO_VARIATION
    return reason


def _shuffle_test(matchings: Floats, *, resamples: int, rng: np.random.Generator | None) -> Significance:
    """E under the three splits of each template, greater; templates whose splits are all alike are not enumerated."""
    sums = matchings[~np.isnan(matchings[:, 0])]
    n, left_out = len(sums), len(matchings) - len(sums)
    # shuffling only picks which matching is "within": E_t = S_t / 4 - 3/4 of its sum
    energies = sums.sum(1, keepdims=True) / 4 - 0.75 * sums
    moving = energies[np.ptp(sums, axis=1) > 1e-14 * sums.max(initial=0.0)]
    if not len(moving):
        reason = NO_VARIATION if n else "no complete cell"
        return Significance(math.nan, math.nan, math.nan, n, left_out, "in-template shuffle", reason)
    unit = moving / np.abs(moving).sum()
    exact = _relabel.enumerable(3, len(unit))
    p = _relabel.share(float(unit[:, 0].sum()), _shuffled(unit, resamples, rng), exact=exact)
    lowest = _relabel.floor(3.0 ** -len(unit), exact=exact, resamples=resamples)
    name = _relabel.method_name("in-template shuffle", exact=exact, resamples=resamples)
    return Significance(float(energies[:, 0].mean()), p, lowest, n, left_out, name)


def _shuffled(unit: Floats, resamples: int, rng: np.random.Generator | None) -> Iterator[Floats]:
    first, second = unit[:, 1] - unit[:, 0], unit[:, 2] - unit[:, 0]
    for split in _relabel.labels(3, len(unit), resamples=resamples, rng=rng):
        yield unit[:, 0].sum() + (split == 1).astype(np.float64) @ first + (split == 2).astype(np.float64) @ second


def _groups(
    reduced: Units, pairs: Ints, test: Significance, *, level: float, resamples: int,
    rng: np.random.Generator | None,
) -> GroupMagnitude:  # fmt: skip
    swap = persona_pairs.swap_test(reduced.swap, pairs, resamples=resamples, rng=rng)
    known = ~np.isnan(reduced.within)
    interval, why = persona_pairs.ratio_interval(reduced.cross[known], reduced.within[known], pairs[known], level=level)
    p, lowest = persona_pairs.larger(test.p, swap.p), persona_pairs.larger(test.floor, swap.floor)
    return GroupMagnitude(p, lowest, swap, interval, swap.n, test.reason or swap.reason or why)
