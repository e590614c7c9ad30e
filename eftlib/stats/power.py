"""What a design can detect, and how many templates would tell: formulas for planning, and the same from data."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eftlib.stats import persona_pairs
from eftlib.stats._checks import ArrayLike, above, at_least, fraction
from eftlib.stats.equivalence import DIFFERENCE_BOUND, RATIO_BOUND
from eftlib.stats.results import NO_VARIATION
from eftlib.stats.student import t_quantile
from eftlib.stats.units import Units, placebo_sd
from eftlib.stats.units import units as reduce_units

# z quantiles as pages/noise_floor.md section 6 rounds them: one limit at 2.5 %, two limits at 5 % each, both with 80 % power
ONE_LIMIT = 1.96 + 0.84
TWO_LIMITS = 2.93
# SD over templates of C / C̄ - W / W̄ for one model of normal texts; M independent models divide it by √M (.22 for 5)
SD_LOG_RATIO = 0.48


def detectable(se: float, *, units: int, sides: int = 2, alpha: float = 0.05, power: float = 0.8, m: int = 1) -> float:
    """Return the smallest mean that a t test detects: (t_{1 - α / sides / m} + t_power) se, df units - 1.

    Parameters
    ----------
    se : float
        Standard error of the mean.
    units : int
        Templates or persona pairs; with fewer than two the answer is NaN.
    sides : {1, 2}
    alpha, power : float
    m : int
        Size of the family under Benjamini-Hochberg, for its worst case; 1 for a test on its own.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 6.
    """
    at_least("units", units, 0)
    at_least("m", m, 1)
    at_least("sides", sides, 1)
    if units < 2:
        return math.nan
    quantile = t_quantile(1 - fraction("alpha", alpha) / sides / m, units - 1)
    return (quantile + t_quantile(fraction("power", power), units - 1)) * se


def detectable_difference(
    *,
    templates: int,
    models: int = 1,
    draws: int = 2,
    sd_text: float = 1.0,
    sd_persona_template: float = 0.0,
    sd_template: float = 0.0,
    sd_persona: float = 0.0,
    pairs: int | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    m: int = 1,
) -> float:
    """Smallest signed difference that a planned design detects, in the unit of the SDs.

    V_t = ((2 / D) (σ_pt² + σ_e² / M) + τ²) / T. Names: (t + t) √V_t, df T - 1. Groups: V_t + 2 σ_p² / P, df P - 1.

    Parameters
    ----------
    templates, models, draws : int
        T, M and D, the draws a side.
    sd_text : float
        σ_e, of a text of one model around what its models share.
    sd_persona_template : float
        σ_pt, of a name in a template, shared by the models.
    sd_template : float
        τ, of the difference itself between templates.
    sd_persona : float
        σ_p, of a name in all templates; counts for groups alone.
    pairs : int, optional
        P; with it the answer is for groups, without it for these names.
    alpha, power, m
        As in `detectable`.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 6.

    Examples
    --------
    >>> round(detectable_difference(templates=80), 7)
    0.3171466
    """
    for name, number in (("templates", templates), ("models", models), ("draws", draws)):
        at_least(name, number, 1)
    for name, sd in (("sd_text", sd_text), ("sd_persona", sd_persona), ("sd_template", sd_template)):
        at_least(name, sd, 0)
    at_least("sd_persona_template", sd_persona_template, 0)
    variance = (2 / draws * (sd_persona_template**2 + sd_text**2 / models) + sd_template**2) / templates
    if pairs is None:
        return detectable(math.sqrt(variance), units=templates, alpha=alpha, power=power, m=m)
    at_least("pairs", pairs, 1)
    return detectable(math.sqrt(variance + 2 * sd_persona**2 / pairs), units=pairs, alpha=alpha, power=power, m=m)


def detectable_ratio(
    *, templates: int, models: int = 1, sd: float | None = None, alpha: float = 0.05, power: float = 0.8, m: int = 1
) -> float:
    """Smallest ratio of gaps that a design detects: exp((t_{1-α} + t_power) sd(ψ) / √T), df T - 1.

    Parameters
    ----------
    templates, models : int
    sd : float, optional
        sd(ψ) over templates, ψ = C / C̄ - W / W̄; .48 / √M by default, the value for normal texts of independent models.
    alpha, power, m
        As in `detectable`, one-sided.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 6; / √M is ours (it states .48 for one model and .22 for five).
    """
    at_least("templates", templates, 1)
    spread = _sd(models, sd)
    return math.exp(detectable(spread / math.sqrt(templates), units=templates, sides=1, alpha=alpha, power=power, m=m))


def templates_for_ratio(*, models: int = 1, sd: float | None = None, bound: float = RATIO_BOUND) -> float:
    """Templates that would tell whether the ratio is below a bound: ((1.96 + .84) sd(ψ) / log R0)², not rounded.

    Parameters
    ----------
    models, sd
        As in `detectable_ratio`.
    bound : float
        R0, above 1.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 6.
    """
    above("bound", bound, 1)
    return (ONE_LIMIT * _sd(models, sd) / math.log(bound)) ** 2


def templates_for_difference(*, variance: float, bound: float = DIFFERENCE_BOUND) -> float:
    """Templates that would tell whether the difference is within ± a bound: (2.93 / Δ)² variance, not rounded.

    Parameters
    ----------
    variance : float
        Of d_t over templates, in squared placebo SD: T V_t / s0². 1 / M for independent models and two draws.
    bound : float
        Δ, in placebo SD.

    Returns
    -------
    float

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 6.
    """
    at_least("variance", variance, 0)
    above("bound", bound, 0)
    return (TWO_LIMITS / bound) ** 2 * variance


def _sd(models: int, sd: float | None) -> float:
    at_least("models", models, 1)
    if sd is None:
        return SD_LOG_RATIO / math.sqrt(models)
    at_least("sd", sd, 0)
    return sd


@dataclass(frozen=True)
class Precision:
    """What a cell's data say about the reach of its design (80 % power).

    Attributes
    ----------
    difference : float
        Smallest detectable signed difference in placebo SD, these names.
    difference_groups : float
        The same over persona pairs or names; NaN without them.
    ratio : float
        Smallest detectable ratio.
    sd_ratio : float
        sd(ψ) over templates.
    templates_ratio, templates_difference : float
        Templates that would tell whether ratio and difference are within their bounds; not rounded.
    n : int
        Templates with a complete cell.
    reason : str or None
    """

    difference: float
    difference_groups: float
    ratio: float
    sd_ratio: float
    templates_ratio: float
    templates_difference: float
    n: int
    reason: str | None = None


def precision(
    y: ArrayLike,
    *,
    pairs: ArrayLike | None = None,
    names: ArrayLike | None = None,
    ratio_bound: float = RATIO_BOUND,
    difference_bound: float = DIFFERENCE_BOUND,
    scaled: bool = True,
    m: int = 1,
) -> Precision:
    """Smallest detectable difference and ratio, and templates that would tell, from data.

    √V_t = sd(d_t) / √T; groups √V = sd(v_k / n_k) / √P.

    Parameters
    ----------
    y, pairs, names, scaled
        As in `magnitude` and `direction`.
    ratio_bound, difference_bound : float
        As in `equivalence`.
    m : int
        As in `detectable`.

    Returns
    -------
    Precision
        NaN where there are fewer than two templates or no placebo gap.

    Raises
    ------
    InputError
        If a shape is wrong or a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 6.
    """
    above("ratio_bound", ratio_bound, 1)
    above("difference_bound", difference_bound, 0)
    reduced = reduce_units(y, scaled=scaled)
    known = ~np.isnan(reduced.within)
    cross, within, n = reduced.cross[known], reduced.within[known], int(known.sum())
    d = reduced.difference[~np.isnan(reduced.difference)]
    if n < 2 or not within.any():
        reason = "fewer than two templates" if n < 2 else NO_VARIATION
        return Precision(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, n, reason)
    s0 = placebo_sd(within)
    sd_ratio = float((cross / cross.mean() - within / within.mean()).std(ddof=1)) if cross.any() else math.nan
    return Precision(
        difference=detectable(float(d.std(ddof=1)) / math.sqrt(len(d)) / s0, units=len(d), m=m),
        difference_groups=_group_difference(reduced, pairs, names, m) / s0,
        ratio=math.exp(detectable(sd_ratio / math.sqrt(n), units=n, sides=1, m=m)),
        sd_ratio=sd_ratio,
        templates_ratio=(ONE_LIMIT * sd_ratio / math.log(ratio_bound)) ** 2,
        templates_difference=templates_for_difference(variance=float(d.var(ddof=1)) / s0**2, bound=difference_bound),
        n=n,
    )


def _group_difference(reduced: Units, pairs: ArrayLike | None, names: ArrayLike | None, m: int) -> float:
    sums = persona_pairs.group_sums(reduced, pairs, names)
    if sums is None or len(sums[0]) < 2:
        return math.nan
    means = sums[0] / sums[1]
    return detectable(float(means.std(ddof=1)) / math.sqrt(len(means)), units=len(means), m=m)
