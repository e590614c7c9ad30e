"""The study's test of two samples, undefined where a sample is so small that it cannot reject."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from eftlib.stats import MannWhitney, mann_whitney
from eftlib.stats.mann_whitney import MannWhitneyAlternative

# the smallest size of two equal samples with which the exact test can reach 0.05: 1 / C(6, 3) one-sided, 2 / C(8, 4) two-sided
LEAST = {"less": 3, "two-sided": 4}


def two_samples(first: pd.Series, second: pd.Series, alternative: MannWhitneyAlternative) -> MannWhitney:
    """Compare two samples as the study does, unless one of them is below `LEAST`.

    Against many, a single value can look like a large effect: r is then the place of that one value, and says nothing of
    the sample.

    Parameters
    ----------
    first, second : pandas.Series
        NaN is left out and counted.
    alternative : {"less", "two-sided"}
        "less": the first sample is the lower one.

    Returns
    -------
    eftlib.stats.MannWhitney
        Of a sample that is too small p and r are NaN, there is no label, and ``reason`` says so.
    """
    test = mann_whitney(first.to_numpy(dtype=float), second.to_numpy(dtype=float), alternative=alternative)
    if 0 < min(test.n) < LEAST[alternative]:
        reason = f"fewer than {LEAST[alternative]} in a sample"
        return replace(test, p=math.nan, rank_biserial=math.nan, magnitude=None, reason=reason)
    return test
