"""The study's test of mitigation: two-sample Mann-Whitney U, with the rank-biserial correlation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from eftlib.stats._checks import ArrayLike, floats, one_of
from eftlib.stats.effect_size import RLabel, r_label
from eftlib.stats.results import NO_VARIATION

MannWhitneyAlternative = Literal["less", "two-sided"]


@dataclass(frozen=True)
class MannWhitney:
    """U of the first sample, p, and r = 1 - 2U / (n1 n2), positive when the first sample is the lower one."""

    u: float
    p: float
    rank_biserial: float
    magnitude: RLabel | None
    n: tuple[int, int]
    n_excluded: tuple[int, int]
    method: str
    reason: str | None = None


def mann_whitney(
    first: ArrayLike, second: ArrayLike, *, alternative: MannWhitneyAlternative = "less", continuity: bool = True
) -> MannWhitney:
    """Mann-Whitney U test of two samples, normal approximation with the tie-corrected variance.

    U counts the pairs with first > second, a tie as one half; r = P(first < second) - P(first > second).

    Parameters
    ----------
    first, second : array_like, shape (n1,), (n2,)
        Mitigated and baseline; NaN is left out and counted.
    alternative : {"less", "two-sided"}
        "less": the first sample is the lower one.
    continuity : bool
        The continuity correction, which is scipy's default.

    Returns
    -------
    MannWhitney
        p and r are NaN where a sample is empty; p alone where all values are one.

    Raises
    ------
    InputError
        If ``alternative`` is another word or the values are not numbers.

    Notes
    -----
    Source: the study, section IV.E; scipy.stats.mannwhitneyu. The asymptotic method is asked for by name, because scipy
    would turn to the exact one for small samples without ties.

    Examples
    --------
    >>> mann_whitney([1, 2], [3, 4]).rank_biserial
    1.0
    """
    one_of("alternative", alternative, MannWhitneyAlternative)
    arrays = [floats(name, values, ndim=1) for name, values in (("first", first), ("second", second))]
    x, y = (array[~np.isnan(array)] for array in arrays)
    n, left_out = (len(x), len(y)), (len(arrays[0]) - len(x), len(arrays[1]) - len(y))
    method = f"Mann-Whitney U, asymptotic, {'with' if continuity else 'no'} continuity correction"
    if not (len(x) and len(y)):
        return MannWhitney(math.nan, math.nan, math.nan, None, n, left_out, method, "a sample is empty")
    if np.ptp(np.concatenate([x, y])) == 0:
        return MannWhitney(n[0] * n[1] / 2, math.nan, 0.0, r_label(0.0), n, left_out, method, NO_VARIATION)
    result = stats.mannwhitneyu(x, y, alternative=alternative, use_continuity=continuity, method="asymptotic")
    r = 1 - 2 * float(result.statistic) / (n[0] * n[1])
    return MannWhitney(float(result.statistic), float(result.pvalue), r, r_label(r), n, left_out, method)
