"""RQ4: whether a paragraph before the prompt narrows disparities (study, VII)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from eftlib.analysis.differences import in_order, with_bh
from eftlib.analysis.two_samples import two_samples
from eftlib.errors import InputError
from eftlib.metrics import STUDY_METRICS
from eftlib.stats import fieller, sign_flip

EQUIVALENT = (0.8, 1.25)  # limits of the ratio within which a mitigation leaves the gaps as they are


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
        x 2 conditions). ``change`` is the relative change of the mean; r and p are undefined, with a reason, of fewer than
        three disparities.

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
    test = two_samples(after, before, "less")
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


def paired_mitigations(pairs: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Compare the gap of each template under a mitigation with its own gap under the baseline.

    The published test takes the two as independent samples and can only find a decrease. Here each template is its own control
    and the test has two sides: sign flip by template of ``|A - B|`` mitigated less baseline, and the ratio of the mean gaps
    with Fieller's interval over templates.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.differences` gives them, of one profile and of the study's metrics, all conditions; a template's
        gaps are averaged over the draws that have both.
    seed : int
        Of the flips, where they are too many to try all.

    Returns
    -------
    pandas.DataFrame
        One row a metric, model and mitigation that was asked: ``metric model condition n excluded baseline mitigated change
        ratio ratio_low ratio_high equivalent floor p reason p_bh m family``. ``n`` counts templates with both gaps,
        ``excluded`` those with one; ``change`` is the mean difference in the metric's unit; ``equivalent`` whether the 95 %
        limits lie within `EQUIVALENT`, None without limits; ``floor`` the smallest p that the test can give.

    Raises
    ------
    InputError
        If the pairs are of several profiles.

    Notes
    -----
    Source: ``pages/analysis_plan.md`` (Mitigations).
    """
    if pairs["profile"].nunique() > 1:
        raise InputError(f"mitigations are compared within one profile; these pairs have {sorted(pairs['profile'].unique())}")
    wide = pairs.pivot_table(
        index=["metric", "model", "template", "draw"], columns="condition", values="disparity", dropna=False, observed=True
    )
    rows = [
        _paired(metric, model, condition, wide, seed)
        for metric in in_order(pairs, "metric", STUDY_METRICS)
        for model in dict.fromkeys(pairs["model"])
        for here in [pairs[(pairs["metric"] == metric) & (pairs["model"] == model)]]
        for condition in dict.fromkeys(here["condition"])
        if condition != "baseline" and "baseline" in set(here["condition"])
    ]
    columns = [
        *("metric", "model", "condition", "n", "excluded", "baseline", "mitigated", "change", "ratio", "ratio_low"),
        *("ratio_high", "equivalent", "floor", "p", "reason"),
    ]
    return with_bh(pd.DataFrame(rows, columns=columns), "metrics x models x mitigations")


def _paired(metric: str, model: str, condition: str, wide: pd.DataFrame, seed: int) -> dict[str, object]:
    gaps = wide.loc[(metric, model), ["baseline", condition]]
    both = gaps.dropna().groupby("template").mean()
    before, after = (both[name].to_numpy(dtype=float) for name in ("baseline", condition))
    test = sign_flip(after - before, rng=np.random.default_rng(seed))
    ratio = fieller(after, before)
    low, high = ratio.interval.low, ratio.interval.high
    some = gaps.dropna(how="all").index.get_level_values("template").nunique()
    return {
        "metric": metric,
        "model": model,
        "condition": condition,
        "n": len(both),
        "excluded": some - len(both),
        "baseline": before.mean() if len(both) else float("nan"),
        "mitigated": after.mean() if len(both) else float("nan"),
        "change": (after - before).mean() if len(both) else float("nan"),
        "ratio": ratio.value,
        "ratio_low": low,
        "ratio_high": high,
        "equivalent": None if np.isnan(low) else bool(EQUIVALENT[0] <= low and high <= EQUIVALENT[1]),
        "floor": test.floor,
        "p": test.p,
        "reason": test.reason or ratio.reason,
    }
