"""RQ4: whether a paragraph before the prompt narrows disparities (study, VII)."""

from __future__ import annotations

import pandas as pd

from eftlib.analysis.differences import in_order, with_bh
from eftlib.errors import InputError
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
        One row a metric, model and mitigation that was asked: ``metric model condition n n_mitigated excluded baseline
        mitigated change u r label p reason p_bh m family``; the family is all of them (study, Table 8: 8 metrics x 2 models
        x 2 conditions). ``change`` is the relative change of the mean.

    Raises
    ------
    InputError
        If the pairs are of several profiles or draws.
    """
    for name in ("profile", "draw"):
        if pairs[name].nunique() > 1:
            raise InputError(f"mitigations are compared within one {name}; these pairs have {sorted(pairs[name].unique())}")
    rows = [
        _row(metric, model, condition, here)
        for metric in in_order(pairs, "metric", STUDY_METRICS)
        for model in dict.fromkeys(pairs["model"])
        for here in [pairs[(pairs["metric"] == metric) & (pairs["model"] == model)]]
        for condition in dict.fromkeys(here["condition"])
        if condition != "baseline"
    ]
    columns = [
        *("metric", "model", "condition", "n", "n_mitigated", "excluded", "baseline", "mitigated", "change"),
        *("u", "r", "label", "p", "reason"),
    ]
    return with_bh(pd.DataFrame(rows, columns=columns), "metrics x models x mitigations")


def _row(metric: str, model: str, condition: str, here: pd.DataFrame) -> dict[str, object]:
    pair = [here.loc[here["condition"] == name, "disparity"] for name in ("baseline", condition)]
    before, after = (each.dropna() for each in pair)
    test = mann_whitney(after.to_numpy(dtype=float), before.to_numpy(dtype=float), alternative="less")
    return {
        "metric": metric,
        "model": model,
        "condition": condition,
        "n": len(before),
        "n_mitigated": len(after),
        "excluded": sum(int(each.isna().sum()) for each in pair),
        "baseline": before.mean(),
        "mitigated": after.mean(),
        "change": after.mean() / before.mean() - 1 if before.mean() else float("nan"),
        "u": test.u,
        "r": test.rank_biserial,
        "label": test.magnitude,
        "p": test.p,
        "reason": test.reason,
    }
