"""Whether the B texts are more variable than the A texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eftlib.stats._checks import ArrayLike
from eftlib.stats.results import Interval, Significance
from eftlib.stats.sign_flip import sign_flip
from eftlib.stats.student import t_interval
from eftlib.stats.units import units


@dataclass(frozen=True)
class Spread:
    """Mean of ``|B0-B1| - |A0-A1|`` over templates, its t interval and its sign-flip test (these names)."""

    mean: float
    interval: Interval
    test: Significance
    n: int
    n_excluded: int
    reason: str | None = None


def spread(
    y: ArrayLike,
    *,
    level: float = 0.95,
    scaled: bool = True,
    resamples: int = 9_999,
    rng: np.random.Generator | None = None,
) -> Spread:
    """Compare the two placebo gaps: ``|B0-B1| - |A0-A1|``, mean over models, flipped by template.

    Parameters
    ----------
    y, level, scaled, resamples, rng
        As in `magnitude`; cells count when all four texts are there.

    Returns
    -------
    Spread
        If it rejects, an energy rejection may mean that B is more variable, not that B is shifted.

    Raises
    ------
    InputError
        If a shape is wrong or ``rng`` is missing where it is needed.

    Notes
    -----
    Source: ``pages/noise_floor.md`` sections 1 (line 5) and 3.

    Examples
    --------
    >>> spread([[[1, 2, 4, 6]], [[3, 3, 5, 4]], [[2, 1, 4, 3]]]).test.statistic
    2.0
    """
    values = units(y, scaled=scaled).spread
    mean = t_interval(values, level=level)
    test = sign_flip(values, resamples=resamples, rng=rng)
    return Spread(mean.value, mean.interval, test, mean.n, mean.n_excluded, mean.reason)
