"""Scores of two sides to differences of pairs."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from eftlib.errors import InputError
from eftlib.metrics import STUDY_METRICS, Profile, get
from eftlib.stats import benjamini_hochberg

# what identifies a pair of explanations and what is measured of it
BY_PAIR = ("model", "template", "domain", "axis", "condition", "draw", "profile", "metric")


def differences(scores: pd.DataFrame) -> pd.DataFrame:
    """Pair the two sides.

    Parameters
    ----------
    scores : pandas.DataFrame
        As `eftlib.scoring.score` gives it; repeats of a request are averaged.

    Returns
    -------
    pandas.DataFrame
        One row a pair and metric: `BY_PAIR`, ``a`` and ``b`` (the sides' values), ``difference`` m(B) - m(A), ``disparity``
        ``|m(A) - m(B)|`` (study, IV.C), and ``reason`` where they are NaN.
    """
    by = [*BY_PAIR, "side"]
    grouped = scores.groupby(by, sort=False, observed=True, dropna=False)
    # the mean of repeats can differ in its last digits between equal numbers, which would make a difference out of nothing
    wide = grouped["value"].mean().round(12).unstack("side").reindex(columns=["A", "B"])
    table = wide.rename(columns={"A": "a", "B": "b"}).rename_axis(columns=None).reset_index()
    table["difference"] = table["b"] - table["a"]
    table["disparity"] = table["difference"].abs()
    table["reason"] = _reasons(scores, table)
    return table


def _reasons(scores: pd.DataFrame, table: pd.DataFrame) -> pd.Series:
    """Return why a pair has no difference: the reason of side A, else that of side B, else that a side was never asked."""
    missing = scores.loc[scores["value"].isna(), [*BY_PAIR, "side", "reason"]]
    first = missing.sort_values("side", kind="stable").drop_duplicates(list(BY_PAIR))
    found = table[list(BY_PAIR)].merge(first, on=list(BY_PAIR), how="left")["reason"].astype(object)
    return found.where(found.notna(), "a side is missing").where(table["difference"].isna(), None)


def selected(
    table: pd.DataFrame,
    *,
    profile: Profile,
    condition: str = "baseline",
    draws: Sequence[int] = (0,),
    metrics: Sequence[str] = STUDY_METRICS,
) -> pd.DataFrame:
    """Select the pairs of an analysis.

    Parameters
    ----------
    table : pandas.DataFrame
        As `differences` gives it.
    profile : {"published", "controlled"}
    condition : str
    draws : sequence of int
        The study's tables use draw 0 alone.
    metrics : sequence of str

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    InputError
        If a metric is unknown, or nothing is left; the message says what there is.
    """
    for metric in metrics:
        get(metric)  # or its name, and those there are, in the error
    keep = (
        (table["profile"] == profile)
        & (table["condition"] == condition)
        & table["draw"].isin(list(draws))
        & table["metric"].isin(list(metrics))
    )
    if not keep.any():
        there = ", ".join(f"{name}: {sorted(map(str, table[name].unique()))}" for name in ("profile", "condition", "draw"))
        raise InputError(f"no pairs of profile {profile!r}, condition {condition!r}, draws {list(draws)}; there are {there}")
    return table[keep]


def counts(values: pd.Series) -> dict[str, int]:
    """Return ``n`` and ``excluded`` of a column with NaN where there is no value.

    Parameters
    ----------
    values : pandas.Series

    Returns
    -------
    dict of str to int
    """
    return {"n": int(values.notna().sum()), "excluded": int(values.isna().sum())}


def with_bh(table: pd.DataFrame, family: str) -> pd.DataFrame:
    """Add ``p_bh``, ``m`` and ``family`` for the tests of a table, taken as one family.

    Parameters
    ----------
    table : pandas.DataFrame
        With a column ``p``, NaN where a test did not run.
    family : str
        In words.

    Returns
    -------
    pandas.DataFrame
    """
    if table.empty:
        return table.assign(p_bh=pd.Series(dtype=float), m=pd.Series(dtype=int), family=pd.Series(dtype=str))
    adjusted = benjamini_hochberg(table["p"].to_numpy(dtype=float))
    return table.assign(p_bh=adjusted.p, m=adjusted.m, family=family)


def in_order(table: pd.DataFrame, column: str, order: Sequence[str]) -> list[str]:
    """Return the values of a column in a given order, those it does not name last.

    Parameters
    ----------
    table : pandas.DataFrame
    column : str
    order : sequence of str

    Returns
    -------
    list of str
    """
    there = list(dict.fromkeys(table[column]))
    return [name for name in order if name in there] + [name for name in there if name not in order]
