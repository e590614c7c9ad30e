"""RQ4: whether a paragraph before the prompt narrows disparities (study, VII)."""

from __future__ import annotations

import pandas as pd

from eftlib.analysis.differences import in_order, with_bh
from eftlib.metrics import STUDY_METRICS
from eftlib.stats import mann_whitney


def mitigations(pairs: pd.DataFrame) -> pd.DataFrame:
    """Test, as published, whether disparities under a mitigation are below those of the baseline.

    Mann-Whitney U of the two samples, mitigated less than baseline; the samples are taken as independent although each pair of
    the one has its counterpart in the other. Rank-biserial r is positive where mitigated disparities are lower.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.differences` gives them, of one profile and draw and of the study's metrics, all conditions.

    Returns
    -------
    pandas.DataFrame
        One row a metric, model and mitigation that was asked: ``metric model condition n n_mitigated baseline mitigated change
        u r label p p_bh m family``; the family is all of them (study, Table 8: 8 metrics x 2 models x 2 conditions). ``change``
        is the relative change of the mean.
    """
    rows = [
        _row(metric, model, condition, here)
        for metric in in_order(pairs, "metric", STUDY_METRICS)
        for model in dict.fromkeys(pairs["model"])
        for here in [pairs[(pairs["metric"] == metric) & (pairs["model"] == model)]]
        for condition in dict.fromkeys(here["condition"])
        if condition != "baseline"
    ]
    columns = [
        "metric",
        "model",
        "condition",
        "n",
        "n_mitigated",
        "baseline",
        "mitigated",
        "change",
        "u",
        "r",
        "label",
        "p",
        "reason",
    ]
    return with_bh(pd.DataFrame(rows, columns=columns), "metrics x models x mitigations")


def _row(metric: str, model: str, condition: str, here: pd.DataFrame) -> dict[str, object]:
    before, after = (here.loc[here["condition"] == name, "disparity"].dropna() for name in ("baseline", condition))
    test = mann_whitney(after.to_numpy(dtype=float), before.to_numpy(dtype=float), alternative="less")
    return {
        "metric": metric,
        "model": model,
        "condition": condition,
        "n": len(before),
        "n_mitigated": len(after),
        "baseline": before.mean(),
        "mitigated": after.mean(),
        "change": after.mean() / before.mean() - 1 if before.mean() else float("nan"),
        "u": test.u,
        "r": test.rank_biserial,
        "label": test.magnitude,
        "p": test.p,
        "reason": test.reason,
    }
