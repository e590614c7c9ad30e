"""The study's test of existence: a one-sample Wilcoxon signed-rank test against 0."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import numpy as np
from scipy import stats

from eftlib.stats._checks import ArrayLike, floats, one_of
from eftlib.stats.results import NO_VARIATION, Significance

WilcoxonAlternative = Literal["greater", "two-sided"]


def wilcoxon_one_sample(values: ArrayLike, *, alternative: WilcoxonAlternative = "greater") -> Significance:
    """Wilcoxon signed-rank test that the median is 0, as the study ran it.

    Zeros are dropped before ranking (``zero_method="wilcox"``); midranks; normal approximation with the tie-corrected
    variance and no continuity correction. Statistic: W+, the rank sum of the positive values.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN is left out and counted.
    alternative : {"greater", "two-sided"}

    Returns
    -------
    Significance
        ``n`` counts the values that are there, zeros included; p is NaN where none differs from 0.

    Raises
    ------
    InputError
        If ``alternative`` is another word or the values are not numbers.

    Notes
    -----
    Source: the study, section IV.E; scipy.stats.wilcoxon. Of absolute differences this test rejects for any noise: with
    every value positive p depends on n alone.

    Examples
    --------
    >>> wilcoxon_one_sample([1, 2, 3, -1, 0]).statistic
    8.5
    """
    one_of("alternative", alternative, WilcoxonAlternative)
    array = floats("values", values, ndim=1)
    kept = array[~np.isnan(array)]
    left_out = len(array) - len(kept)
    method = "Wilcoxon signed-rank, asymptotic, zeros dropped, no continuity correction"
    if not kept.any():
        return Significance(math.nan, math.nan, math.nan, len(kept), left_out, method, NO_VARIATION)
    run = partial(stats.wilcoxon, kept, zero_method="wilcox", correction=False, method="asymptotic")
    plus, p = run(alternative="greater").statistic, run(alternative=alternative).pvalue
    return Significance(float(plus), float(p), math.nan, len(kept), left_out, method)
