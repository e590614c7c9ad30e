"""Whether the B texts score higher or lower than the A texts, on the whole."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eftlib.stats import persona_pairs
from eftlib.stats._checks import ArrayLike, Floats, Ints, fraction
from eftlib.stats.fieller import fieller
from eftlib.stats.results import Estimate, Interval, Significance
from eftlib.stats.sign_flip import sign_flip
from eftlib.stats.student import t_interval, t_test
from eftlib.stats.units import placebo_sd, units


@dataclass(frozen=True)
class GroupDirection:
    """The claim about groups.

    Attributes
    ----------
    p, floor : float
        The larger of the template-level and the swap p, and of their floors.
    swap : Significance
        Sign flip of the pair sums v_k (on the age axis: of the sums by name).
    t : Significance
        Two-sided t test of the pair means v_k / n_k, for designs of five pairs, whose swap cannot reach .05.
    estimate : Estimate
        Mean of the pair means with its t interval, df P - 1; ``se`` is sd / √P.
    """

    p: float
    floor: float
    swap: Significance
    t: Significance
    estimate: Estimate
    reason: str | None = None


@dataclass(frozen=True)
class Direction:
    """Signed difference B - A.

    Attributes
    ----------
    mean : float
        Mean of d over templates.
    interval : Interval
        t interval over templates.
    test : Significance
        Sign flip by template: the claim about these names.
    placebo_sd : float
        s0 = (√π / 2) mean W.
    standardised : Estimate
        Mean d / s0 with its Fieller interval, over the templates that have both d and W.
    differences : ndarray, shape (T,)
        d of each template, NaN where missing.
    groups : GroupDirection or None
        The claim about groups, where persona pairs or names are given.
    n, n_excluded : int
        Templates, and those without a text on one side in every model.
    cells_dropped, models_dropped : int
        Model x template cells with no text on a side; models in which nothing varies.
    """

    mean: float
    interval: Interval
    test: Significance
    placebo_sd: float
    standardised: Estimate
    differences: Floats
    groups: GroupDirection | None
    n: int
    n_excluded: int
    cells_dropped: int
    models_dropped: int
    reason: str | None = None


def direction(
    y: ArrayLike,
    *,
    pairs: ArrayLike | None = None,
    names: ArrayLike | None = None,
    level: float = 0.95,
    scaled: bool = True,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> Direction:
    """Test the signed difference.

    d_t: mean over a template's models of mean(B) - mean(A), of the texts that are there. Names: d_t flipped by template.
    Groups: ``|Σ f_k v_k|``, v_k the sum of B_k - A_k over the draws where pair k serves and both its people have a text.

    Parameters
    ----------
    y : array_like, shape (T, M, 4)
        A0 A1 B0 B1, NaN where missing.
    pairs : array_like, shape (T, 2), optional
        Labels of the persona pairs of draw 0 and draw 1.
    names : array_like, shape (T,), optional
        Instead of pairs, the one name of a template's four people (the age axis): the unit for groups is the name, its sum
        that of its templates' d_t. Below six names the flip cannot reach .05.
    level, scaled, resamples, rng
        As in `magnitude`; flips are drawn from 15 templates or 15 pairs on.

    Returns
    -------
    Direction

    Raises
    ------
    InputError
        If a shape is wrong, both pairs and names are given, or ``rng`` is missing where it is needed.

    Notes
    -----
    Source: ``pages/noise_floor.md`` sections 2, 4, 7 and (age) 10.

    Examples
    --------
    >>> found = direction([[[1, 2, 4, 6]], [[3, 3, 5, 4]], [[2, 1, 4, 3]]])
    >>> found.mean, found.test.p
    (2.3333333333333335, 0.25)
    """
    fraction("level", level)
    reduced = units(y, scaled=scaled)
    d = reduced.difference
    test = sign_flip(d, resamples=resamples, rng=rng)
    sums = persona_pairs.group_sums(reduced, pairs, names)
    groups = None if sums is None else _groups(*sums, test, level=level, resamples=resamples, rng=rng)
    mean = t_interval(d, level=level)
    return Direction(
        mean=mean.value, interval=mean.interval, test=test, placebo_sd=placebo_sd(reduced.within),
        standardised=fieller(d, reduced.within * math.sqrt(math.pi) / 2, level=level), differences=d, groups=groups,
        n=mean.n, n_excluded=mean.n_excluded, cells_dropped=reduced.one_sided, models_dropped=reduced.still,
        reason=mean.reason,
    )  # fmt: skip


def _groups(
    sums: Floats, counts: Ints, test: Significance, *, level: float, resamples: int,
    rng: np.random.Generator | None,
) -> GroupDirection:  # fmt: skip
    swap = sign_flip(sums, resamples=resamples, rng=rng)
    means = sums / counts
    p, lowest = persona_pairs.larger(test.p, swap.p), persona_pairs.larger(test.floor, swap.floor)
    estimate = t_interval(means, level=level)
    return GroupDirection(p, lowest, swap, t_test(means), estimate, test.reason or swap.reason or estimate.reason)
