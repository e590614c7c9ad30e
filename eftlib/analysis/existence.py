"""RQ1: the study's test of existence, which rejects for any noise (study, Table 3)."""

from __future__ import annotations

import pandas as pd

from eftlib.analysis.differences import counts, in_order, with_bh
from eftlib.metrics import STUDY_METRICS
from eftlib.stats import cohen_d, wilcoxon_one_sample

COLUMNS = ["metric", "n", "excluded", "mean", "median", "d", "label", "statistic", "zeros", "p", "reason"]


def existence(pairs: pd.DataFrame) -> pd.DataFrame:
    """Test, as published, whether disparities are above 0.

    One-sample Wilcoxon signed-rank test of ``|m(A) - m(B)|``, greater, zeros dropped, asymptotic; Cohen's d is mean / SD. The
    test compares absolute differences with 0 and therefore rejects for any noise; d of noise alone is about 1.3.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.selected` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a metric: ``metric n excluded mean median d label statistic zeros p reason p_bh m family`` (study, IV.E and
        Table 3).
    """
    metrics = in_order(pairs, "metric", STUDY_METRICS)
    rows = [_row(metric, pairs.loc[pairs["metric"] == metric, "disparity"]) for metric in metrics]
    return with_bh(pd.DataFrame(rows, columns=COLUMNS), "metrics")


def _row(metric: str, disparities: pd.Series) -> dict[str, object]:
    known = disparities.dropna().to_numpy(dtype=float)
    effect, test = cohen_d(known), wilcoxon_one_sample(known, alternative="greater")
    return {
        "metric": metric,
        **counts(disparities),
        "mean": effect.mean,
        "median": effect.median,
        "d": effect.value,
        "label": effect.label,
        "statistic": test.statistic,
        "zeros": int((known == 0).sum()),
        "p": test.p,
        "reason": "no values" if not known.size else test.reason or effect.reason,
    }
