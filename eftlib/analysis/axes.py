"""RQ2: disparities by demographic axis, their direction, and intersectional against single-axis pairs (study, V.B-D)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from eftlib.analysis.differences import counts, in_order, with_bh
from eftlib.analysis.existence import existence
from eftlib.analysis.two_samples import two_samples
from eftlib.benchmark import AXES
from eftlib.metrics import STUDY_METRICS
from eftlib.stats import sign_test


def axis_effects(pairs: pd.DataFrame) -> pd.DataFrame:
    """Test existence in each axis and metric.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.selected` gives them.

    Returns
    -------
    pandas.DataFrame
        One row an axis and metric, with the columns of `existence`; the family is all cells (study, Fig. 2).
    """
    tables = [existence(pairs[pairs["axis"] == axis]).assign(axis=axis) for axis in in_order(pairs, "axis", AXES)]
    whole = pd.concat(tables or [existence(pairs).assign(axis="")], ignore_index=True)
    return with_bh(whole[["axis", *(name for name in whole if name != "axis")]], "axes x metrics")


def axis_ranking(effects: pd.DataFrame) -> pd.DataFrame:
    """Rank the axes by their mean Cohen's d.

    Mean d ranks how even disparities are and not how large: d of a disparity is the inverse of its coefficient of
    variation. It is computed because the study ranks by it.

    Parameters
    ----------
    effects : pandas.DataFrame
        As `axis_effects` gives it.

    Returns
    -------
    pandas.DataFrame
        One row an axis, the highest mean d first: ``axis n excluded metrics mean_d rank worst``; ``n`` and ``excluded`` are the
        largest over the metrics, ``metrics`` counts those with a d, ``worst`` those in which the axis has the highest d of two
        or more (study, Table 4).
    """
    columns = ["axis", "n", "excluded", "metrics", "mean_d", "rank", "worst"]
    if effects.empty:
        return pd.DataFrame(columns=columns)
    d = effects.pivot(index="axis", columns="metric", values="d")
    # an axis alone is not worst, and where two share the highest d both are
    is_worst = (d == d.max()) & (d.notna().sum() > 1)
    table = pd.DataFrame(
        {
            "n": effects.groupby("axis")["n"].max(),
            "excluded": effects.groupby("axis")["excluded"].max(),
            "metrics": d.notna().sum(axis=1),
            "mean_d": d.mean(axis=1),
            "worst": is_worst.sum(axis=1),
        }
    )
    table["rank"] = table["mean_d"].rank(ascending=False, method="min").astype("Int64")
    ordered = table.sort_values("mean_d", ascending=False, kind="stable").reset_index()
    return ordered[columns]


_DIRECTION = [
    "axis", "metric", "n", "excluded", "difference", "median", "higher", "lower", "zeros", "share_higher", "p", "reason",
]  # fmt: skip


def directions(pairs: pd.DataFrame) -> pd.DataFrame:
    """Test in each axis and metric whether side B scores higher or lower than side A.

    Two-sided sign test of m(B) - m(A), zeros dropped; the study prints stars without correction, here the family is all cells.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.selected` gives them.

    Returns
    -------
    pandas.DataFrame
        One row an axis and metric: ``axis metric n excluded difference median higher lower zeros share_higher p reason
        p_bh m family``
        (study, Table 5).
    """
    rows = [
        _direction(axis, metric, pairs.loc[(pairs["axis"] == axis) & (pairs["metric"] == metric), "difference"])
        for axis in in_order(pairs, "axis", AXES)
        for metric in in_order(pairs, "metric", STUDY_METRICS)
    ]
    return with_bh(pd.DataFrame(rows, columns=_DIRECTION), "axes x metrics")


def _direction(axis: str, metric: str, values: pd.Series) -> dict[str, object]:
    test = sign_test(values.dropna().to_numpy(dtype=float), alternative="two-sided")
    counted = counts(values)
    return {
        "axis": axis,
        "metric": metric,
        **counted,
        "difference": values.mean(),
        "median": values.median(),
        "higher": test.positive,
        "lower": test.negative,
        "zeros": test.zero,
        "share_higher": test.positive / counted["n"] if counted["n"] else np.nan,
        "p": test.p,
        "reason": test.reason if counted["n"] else "no values",
    }


def intersectional(pairs: pd.DataFrame) -> pd.DataFrame:
    """Compare the disparities of intersectional pairs with those of the single axes.

    Two-sided Mann-Whitney U; the family is the metrics.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.selected` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a metric: ``metric n n_single excluded mean mean_single ratio u p reason p_bh m family`` (study, V.C); NaN
        where one of the two is missing, and p of fewer than four disparities.
    """
    is_both = pairs["axis"] == "intersectional"
    rows = []
    for metric in in_order(pairs, "metric", STUDY_METRICS):
        here = pairs["metric"] == metric
        both, single = (pairs.loc[here & chosen, "disparity"].dropna() for chosen in (is_both, ~is_both))
        excluded = int(pairs.loc[here, "disparity"].isna().sum())
        test = two_samples(both, single, "two-sided")
        means = [float(np.mean(each)) if each.size else np.nan for each in (both, single)]
        rows.append(
            {
                "metric": metric, "n": both.size, "n_single": single.size, "excluded": excluded,
                "mean": means[0], "mean_single": means[1], "ratio": means[0] / means[1] if means[1] else np.nan,
                "u": test.u, "p": test.p, "reason": test.reason,
            }
        )  # fmt: skip
    columns = ["metric", "n", "n_single", "excluded", "mean", "mean_single", "ratio", "u", "p", "reason"]
    return with_bh(pd.DataFrame(rows, columns=columns), "metrics")
