"""Whether a difference is small enough to say so."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eftlib.stats import persona_pairs
from eftlib.stats._checks import ArrayLike, Floats, above, codes
from eftlib.stats.fieller import fieller
from eftlib.stats.results import Interval, Significance, undefined
from eftlib.stats.student import t_interval, t_test, tost
from eftlib.stats.units import placebo_sd, units

MIN_TEMPLATES = 15
RATIO_BOUND = 1.10
DIFFERENCE_BOUND = 0.2


@dataclass(frozen=True)
class Equivalence:
    """Whether ratio and signed difference lie within their bounds, at one level (names or groups).

    Attributes
    ----------
    ratio_limits : Interval
        95 % limits; the ratio passes when the upper one is below the bound and there are at least 15 templates.
    ratio_p : float
        One-sided t test of C - R0 W over templates (names level; NaN for groups).
    ratio_holds : bool
    difference_limits : Interval
        90 % limits of the signed difference in placebo SD; it passes when both lie within ± the bound.
    difference_p : float
        The larger p of the two one-sided t tests.
    difference_holds : bool
    n : int
        Templates with a complete cell (names), persona pairs or names (groups).
    reason : str or None
        Why one of them cannot hold, whatever the data.
    """

    ratio_limits: Interval
    ratio_p: float
    ratio_holds: bool
    difference_limits: Interval
    difference_p: float
    difference_holds: bool
    n: int
    reason: str | None = None

    @property
    def holds(self) -> bool:
        """Whether both hold."""
        return self.ratio_holds and self.difference_holds


@dataclass(frozen=True)
class Equivalences:
    """Equivalence for these names, and for groups where persona pairs or names are given; with the bounds applied."""

    names: Equivalence
    groups: Equivalence | None
    ratio_bound: float
    difference_bound: float


def equivalence(
    y: ArrayLike,
    *,
    pairs: ArrayLike | None = None,
    names: ArrayLike | None = None,
    ratio_bound: float = RATIO_BOUND,
    difference_bound: float = DIFFERENCE_BOUND,
    scaled: bool = True,
) -> Equivalences:
    """Test that a cell's disparity is within bounds.

    Ratio: upper 95 % Fieller limit below R0, with 15 templates or more. Signed difference: 90 % limits of d / s0 within ± Δ,
    which is two one-sided t tests of d_t ∓ Δ (√π / 2) W_t. Groups must pass both of these and, over the pairs, the t tests
    of v_k / n_k ∓ Δ s0 and the upper limit of the groups' ratio interval.

    Parameters
    ----------
    y, pairs, names, scaled
        As in `magnitude` and `direction`; with names instead of pairs (the age axis) the ratio cannot hold for groups.
    ratio_bound : float
        R0, above 1.
    difference_bound : float
        Δ, in placebo SD.

    Returns
    -------
    Equivalences
        Print the limits whatever the result, so that a reader can apply another bound.

    Raises
    ------
    InputError
        If a shape is wrong or a bound is out of range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 5, which states the two conditions for groups' direction. Ours, where it is
    silent: over pairs s0 is taken as known, and groups' ratio needs the groups' interval too.
    """
    above("ratio_bound", ratio_bound, 1)
    above("difference_bound", difference_bound, 0)
    reduced = units(y, scaled=scaled)
    own = _names(reduced.cross, reduced.within, reduced.difference, ratio_bound, difference_bound)
    sums = persona_pairs.group_sums(reduced, pairs, names)
    if sums is None:
        return Equivalences(own, None, ratio_bound, difference_bound)
    limits, why = undefined(0.95), "a swap leaves the magnitude of shared names unchanged"
    if pairs is not None:
        known, labels = ~np.isnan(reduced.within), codes("pairs", pairs, length=len(reduced.within), width=2)
        limits, reason = persona_pairs.ratio_interval(reduced.cross[known], reduced.within[known], labels[known], level=0.95)
        why = reason or ""
    groups = _groups(
        own, sums[0] / sums[1], s0=placebo_sd(reduced.within), limits=limits, why=why or None, ratio_bound=ratio_bound,
        difference_bound=difference_bound,
    )  # fmt: skip
    return Equivalences(own, groups, ratio_bound, difference_bound)


def _names(cross: Floats, within: Floats, d: Floats, ratio_bound: float, difference_bound: float) -> Equivalence:
    ratio = fieller(cross, within, level=0.95)
    few = f"fewer than {MIN_TEMPLATES} templates" if ratio.n < MIN_TEMPLATES else None
    unit = within * math.sqrt(math.pi) / 2
    standardised = fieller(d, unit, level=0.90)
    inside = _within(standardised.interval, difference_bound)
    both: Significance = tost(d, bound=unit * difference_bound)
    upper = ratio.interval.high < ratio_bound
    return Equivalence(
        ratio_limits=ratio.interval, ratio_p=t_test(cross - ratio_bound * within, alternative="less").p,
        ratio_holds=few is None and upper, difference_limits=standardised.interval, difference_p=both.p,
        difference_holds=inside, n=ratio.n, reason=few or ratio.reason or standardised.reason,
    )  # fmt: skip


def _groups(
    own: Equivalence, means: Floats, *, s0: float, limits: Interval, why: str | None, ratio_bound: float,
    difference_bound: float,
) -> Equivalence:  # fmt: skip
    scaled = means / s0 if s0 > 0 else np.full(means.shape, math.nan)
    estimate = t_interval(scaled, level=0.90)
    both = tost(scaled, bound=difference_bound)
    return Equivalence(
        ratio_limits=limits, ratio_p=math.nan, ratio_holds=own.ratio_holds and limits.high < ratio_bound,
        difference_limits=estimate.interval, difference_p=persona_pairs.larger(own.difference_p, both.p),
        difference_holds=own.difference_holds and _within(estimate.interval, difference_bound),
        n=len(means), reason=own.reason or why or estimate.reason,
    )  # fmt: skip


def _within(interval: Interval, bound: float) -> bool:
    return interval.bounded and -bound < interval.low and interval.high < bound
