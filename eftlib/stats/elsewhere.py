"""Pairs of explanations from elsewhere: one name a side, several runs, and a file of null edits to compare with."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from eftlib.errors import InputError
from eftlib.stats import _relabel
from eftlib.stats._checks import ArrayLike, Floats, floats, fraction, same_length
from eftlib.stats.equivalence import DIFFERENCE_BOUND, MIN_TEMPLATES, RATIO_BOUND
from eftlib.stats.fieller import fieller
from eftlib.stats.power import ONE_LIMIT, templates_for_difference
from eftlib.stats.results import NO_VARIATION, Interval, Significance, undefined
from eftlib.stats.sign_flip import sign_flip
from eftlib.stats.student import t_interval
from eftlib.stats.units import average, placebo_sd


@dataclass(frozen=True)
class TopicGaps:
    """Gaps by topic, in both files.

    ``gap`` and ``null`` have one value a topic, NaN where none counts; ``cells`` are the topic x model cells used
    (of both files together if they share no topic), ``cells_dropped`` the cells of either file that are not; ``models`` those
    used, ``models_dropped`` those in which every gap is 0.
    """

    gap: Floats
    null: Floats
    cells: int
    cells_dropped: int
    models: int
    models_dropped: int


@dataclass(frozen=True)
class GapTest:
    """Gap against null gap: ratio of their means, its Fieller interval, and a one-sided test; ``n`` counts topics."""

    ratio: float
    interval: Interval
    test: Significance
    gap: float
    null: float
    n: int
    n_excluded: int
    reason: str | None = None


@dataclass(frozen=True)
class TopicDirection:
    """Signed difference B - A by topic: mean, t interval and sign flip; ``n`` counts topics."""

    mean: float
    interval: Interval
    test: Significance
    differences: Floats
    n: int
    n_excluded: int
    reason: str | None = None


@dataclass(frozen=True)
class TopicEquivalence:
    """Whether gap and signed difference lie within bounds, and how many topics would tell.

    ``difference`` is the mean signed difference in placebo SD, ``interval`` its 90 % Fieller limits; ``n`` counts topics.
    """

    difference: float
    interval: Interval
    ratio_holds: bool
    difference_holds: bool
    topics_ratio: float
    topics_difference: float
    n: int
    reason: str | None = None


def topic_gaps(gap: ArrayLike, null: ArrayLike, *, disjoint: bool = False, scaled: bool = True) -> TopicGaps:
    """Bring the gaps of two files to one value a topic.

    Topic x model cells that both files hold are kept; runs are averaged; each cell is divided by its model's mean gap over
    both files; then models are averaged.

    Parameters
    ----------
    gap, null : array_like, shape (K, M, R)
        ``|A - B|`` by topic, model and run, NaN where missing; the two may differ in R.
    disjoint : bool
        Whether the files share no topic: then the models that both hold are kept, and K may differ.
    scaled : bool
        Whether several models are brought to one scale; one model never is. A model whose gaps are all 0 leaves.

    Returns
    -------
    TopicGaps

    Raises
    ------
    InputError
        If the files differ in models (or topics), or a gap is negative.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 9, 1. Runs are averaged before the model's mean is taken, so that a cell with
    more runs does not weigh more in it (this reproduces its public example; the other order does not).
    """
    arrays = [floats(name, values, ndim=3) for name, values in (("gap", gap), ("null", null))]
    for name, values in zip(("gap", "null"), arrays, strict=True):
        if (values < 0).any():
            raise InputError(f"{name} holds {values[values < 0][0]!r}; allowed: gaps from 0 on, NaN where missing")
    first, second = (average(values, 2) for values in arrays)
    if first.shape[1] != second.shape[1] or (not disjoint and len(first) != len(second)):
        raise InputError(f"gap has the shape {first.shape} and null {second.shape}; they must share topics and models")
    held = int((~np.isnan(first)).sum() + (~np.isnan(second)).sum())
    first, second = _common(first, second, disjoint=disjoint)
    models = int((~np.isnan(first)).any(0).sum())
    if scaled:
        scales = _scales(first, second)
        first, second = first / scales, second / scales
    used = int((~np.isnan(first)).any(0).sum())
    cells = [int((~np.isnan(values)).sum()) for values in (first, second)]
    kept = sum(cells) if disjoint else cells[0]
    return TopicGaps(average(first, 1), average(second, 1), kept, held - sum(cells), used, models - used)


def _common(first: Floats, second: Floats, *, disjoint: bool) -> tuple[Floats, Floats]:
    """Keep the cells that both files hold or, of files without a common topic, the models that both hold."""
    held = [~np.isnan(values) for values in (first, second)]
    both = held[0].any(0) & held[1].any(0) if disjoint else held[0] & held[1]
    return np.where(both, first, math.nan), np.where(both, second, math.nan)


def _scales(first: Floats, second: Floats) -> Floats:
    """Return each model's mean gap over both files, NaN where it is 0; one model alone keeps its unit."""
    if first.shape[1] == 1:
        return np.ones(1)
    scales = (average(first, 0) + average(second, 0)) / 2
    return np.asarray(np.where(scales > 0, scales, math.nan))


def topic_equivalence(a: ArrayLike, b: ArrayLike, null: ArrayLike) -> TopicEquivalence:
    """Test that gap and signed difference are within their bounds, in the cells that both files hold.

    Gap: upper 95 % Fieller limit of the ratio below 1.10, with 15 topics or more. Signed difference: 90 % Fieller limits of
    d / s0 within ± 0.2, where s0 = (√π / 2) null gap is the placebo SD.

    Parameters
    ----------
    a, b : array_like, shape (K, M, R)
        Values by topic, model and run, NaN where missing.
    null : array_like, shape (K, M, R)
        Gaps of the null; its R may be another.

    Returns
    -------
    TopicEquivalence
        The ratio cannot hold with fewer topics; then ``reason`` says so.

    Raises
    ------
    InputError
        If the shapes do not fit.

    Notes
    -----
    Source: ``pages/noise_floor.md`` sections 5, 6 and 9. Ours, where it is silent: the two are brought to one scale as in
    `topic_gaps`.
    """
    first, second = floats("a", a, ndim=3), floats("b", b, ndim=3)
    gaps = topic_gaps(np.abs(second - first), null)
    cross, within = _common(average(np.abs(second - first), 2), average(floats("null", null, ndim=3), 2), disjoint=False)
    signed = np.where(np.isnan(cross), math.nan, average(second - first, 2))
    d = average(signed / _scales(cross, within), 1)
    ratio = fieller(gaps.gap, gaps.null, level=0.95)
    difference = fieller(d, gaps.null * math.sqrt(math.pi) / 2, level=0.90)
    known = ~np.isnan(gaps.gap - gaps.null)
    limits, few = difference.interval, f"fewer than {MIN_TEMPLATES} topics" if ratio.n < MIN_TEMPLATES else None
    return TopicEquivalence(
        difference=difference.value, interval=limits,
        ratio_holds=few is None and ratio.interval.high < RATIO_BOUND,
        difference_holds=limits.bounded and limits.low > -DIFFERENCE_BOUND and limits.high < DIFFERENCE_BOUND,
        topics_ratio=_topics_for_ratio(gaps.gap[known], gaps.null[known]),
        topics_difference=_topics_for_difference(d[known], gaps.null[known]),
        n=ratio.n, reason=few or ratio.reason or difference.reason,
    )  # fmt: skip


def _topics_for_ratio(gap: Floats, null: Floats) -> float:
    if len(gap) < 2 or not (gap.any() and null.any()):
        return math.nan
    sd = float((gap / gap.mean() - null / null.mean()).std(ddof=1))
    return (ONE_LIMIT * sd / math.log(RATIO_BOUND)) ** 2


def _topics_for_difference(d: Floats, null: Floats) -> float:
    if len(d) < 2 or not null.any():
        return math.nan
    return templates_for_difference(variance=float(d.var(ddof=1)) / placebo_sd(null) ** 2)


def matched_gaps(
    gap: ArrayLike,
    null: ArrayLike,
    *,
    level: float = 0.95,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> GapTest:
    """Test gap > null gap over topics that both files hold: sign flip of gap_K - null_K, one-sided; ratio with Fieller.

    Parameters
    ----------
    gap, null : array_like, shape (K,)
        As `topic_gaps` gives them; a topic with NaN in either is left out.
    level : float
    resamples, rng
        As in `sign_flip`; flips are drawn from 15 topics on.

    Returns
    -------
    GapTest
        A null whose gaps are all 0 is no noise floor: ratio and p are NaN, reason "no placebo gap".

    Raises
    ------
    InputError
        If the two differ in length, or ``rng`` is missing where it is needed.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 9, 2 and 7. It supports "more than this null edit", nothing about groups.

    Examples
    --------
    >>> matched_gaps([9.5, 12, 8.25, 10.5, 11.75, 7], [8, 10.25, 8.75, 9, 9.5, 7.5]).test.p
    0.0625
    """
    first, second = floats("gap", gap, ndim=1), floats("null", null, ndim=1)
    same_length(gap=first, null=second)
    estimate = fieller(first, second, level=level)
    known = ~np.isnan(first - second)
    means = [float(x[known].mean()) if known.any() else math.nan for x in (first, second)]
    test = sign_flip(first - second, alternative="greater", resamples=resamples, rng=rng)
    if known.any() and means[1] == 0:
        test = _no_null(test)
    reason = test.reason or estimate.reason
    return GapTest(estimate.value, estimate.interval, test, means[0], means[1], estimate.n, estimate.n_excluded, reason)


def unmatched_gaps(
    gap: ArrayLike,
    null: ArrayLike,
    *,
    level: float = 0.95,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> GapTest:
    """Test gap > null gap over topics of which the files share none: the file's label permuted over topics.

    Statistic: mean gap - mean null gap, one-sided.

    Parameters
    ----------
    gap, null : array_like, shape (K,), (L,)
        As `topic_gaps` gives them; NaN is left out.
    level : float
        Of the interval, which is undefined: the procedures state none for disjoint topics.
    resamples, rng
        As in `sign_flip`; permutations are drawn where there are more than 16,384.

    Returns
    -------
    GapTest

    Raises
    ------
    InputError
        If ``rng`` is missing where it is needed.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 9, 2.
    """
    arrays = [floats("gap", gap, ndim=1), floats("null", null, ndim=1)]
    first, second = (values[~np.isnan(values)] for values in arrays)
    n, left_out = len(first) + len(second), sum(map(len, arrays)) - len(first) - len(second)
    limits = undefined(fraction("level", level))
    test = _label_permutation(first, second, left_out, resamples, rng)
    means = [float(x.mean()) if x.size else math.nan for x in (first, second)]
    if second.size and not second.any():
        test = _no_null(test)
    ratio = means[0] / means[1] if means[1] else math.nan
    reason = test.reason or "no interval for disjoint topics"
    return GapTest(ratio, limits, test, means[0], means[1], n, left_out, reason)


def _no_null(test: Significance) -> Significance:
    return Significance(math.nan, math.nan, math.nan, test.n, test.n_excluded, test.method, "no placebo gap")


def _label_permutation(
    first: Floats, second: Floats, left_out: int, resamples: int, rng: np.random.Generator | None
) -> Significance:
    pooled, size = np.concatenate([first, second]), len(first)
    name = "file-label permutation"
    if not (len(first) and len(second)) or np.ptp(pooled) == 0:
        reason = NO_VARIATION if len(first) and len(second) else "a file has no topic"
        return Significance(math.nan, math.nan, math.nan, len(pooled), left_out, name, reason)
    splits = math.comb(len(pooled), size)
    exact = splits <= _relabel.LIMIT
    # the mean of the first determines that of the second
    unit = (pooled - pooled.mean()) / np.abs(pooled - pooled.mean()).sum()
    p = _relabel.share(float(unit[:size].sum()), _splits(unit, size, exact, resamples, rng), exact=exact)
    lowest = _relabel.floor(1 / splits, exact=exact, resamples=resamples)
    name = _relabel.method_name(name, exact=exact, resamples=resamples)
    return Significance(float(first.mean() - second.mean()), p, lowest, len(pooled), left_out, name)


def _splits(unit: Floats, size: int, exact: bool, resamples: int, rng: np.random.Generator | None) -> Iterator[Floats]:
    if exact:
        yield unit[np.array(list(combinations(range(len(unit)), size)))].sum(1)
        return
    rng = _relabel.generator(rng, "there are too many ways to label the topics")
    for rows in _relabel.block_sizes(resamples, len(unit)):
        yield rng.permuted(np.tile(unit, (rows, 1)), axis=1)[:, :size].sum(1)


def topic_direction(
    a: ArrayLike,
    b: ArrayLike,
    *,
    level: float = 0.95,
    scaled: bool = True,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> TopicDirection:
    """Test the signed difference B - A over topics; a null is not used.

    Runs are averaged; each topic x model cell is divided by its model's mean gap; models are averaged; flipped by topic.

    Parameters
    ----------
    a, b : array_like, shape (K, M, R)
        Values by topic, model and run, NaN where missing; a run counts where both are there.
    level, resamples, rng
        As in `matched_gaps`.
    scaled : bool
        Whether several models are brought to one scale; one model never is.

    Returns
    -------
    TopicDirection
        Direction supports a claim about these two names only.

    Raises
    ------
    InputError
        If the shapes differ, or ``rng`` is missing where it is needed.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 9, 3, 6 and 7.
    """
    first, second = floats("a", a, ndim=3), floats("b", b, ndim=3)
    if first.shape != second.shape:
        raise InputError(f"a has the shape {first.shape} and b {second.shape}; they must agree")
    signed = average(second - first, 2)
    if scaled and first.shape[1] > 1:
        scales = average(average(np.abs(second - first), 2), 0)
        signed = signed / np.where(scales > 0, scales, math.nan)
    d = average(signed, 1)
    mean = t_interval(d, level=level)
    test = sign_flip(d, resamples=resamples, rng=rng)
    return TopicDirection(mean.value, mean.interval, test, d, mean.n, mean.n_excluded, test.reason or mean.reason)
