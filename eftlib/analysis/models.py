"""RQ3: which models, and which of their domains, have the largest disparities (study, VI)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from eftlib.analysis.differences import in_order
from eftlib.benchmark import DOMAINS
from eftlib.metrics import STUDY_METRICS


def by_model_and_domain(pairs: pd.DataFrame) -> pd.DataFrame:
    """Average disparities by model, domain and metric.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.selected` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a model, domain and metric: ``model domain metric n excluded mean`` (study, Fig. 3).
    """
    grouped = pairs.groupby(["model", "domain", "metric"], sort=False)["disparity"]
    table = grouped.agg(n="count", asked="size", mean="mean").reset_index()
    table["excluded"] = table["asked"] - table["n"]
    return table[["model", "domain", "metric", "n", "excluded", "mean"]]


def in_common(pairs: pd.DataFrame) -> pd.DataFrame:
    """Keep what can be compared between models: the pairs whose template has a disparity for every model, metric by metric.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.selected` gives them.

    Returns
    -------
    pandas.DataFrame
        Of the same columns; a model without any pair is no reason to drop those of the others.
    """
    known = pairs.dropna(subset=["disparity"])
    having = known.groupby(["template", "draw", "metric"])["model"].transform("nunique")
    return known[having == pairs["model"].nunique()]


def model_ranking(pairs: pd.DataFrame, models: Sequence[str] = ()) -> pd.DataFrame:
    """Rank the models by their mean rank over the metrics, 1 the largest mean disparity.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `eftlib.analysis.selected` gives them.
    models : sequence of str
        In which order models of one rank stand.

    Returns
    -------
    pandas.DataFrame
        One row a model, the highest disparities first: ``model n excluded metrics mean_rank worst_on`` (study, Table 6); equal
        means share a rank, ``n`` and ``excluded`` are the largest over the metrics, and ``metrics`` counts those in which the
        model is ranked against another.
    """
    columns = ["model", "n", "excluded", "metrics", "mean_rank", "worst_on"]
    if pairs.empty:
        return pd.DataFrame(columns=columns)
    metrics = in_order(pairs, "metric", STUDY_METRICS)
    order = in_order(pairs, "model", models)
    grouped = pairs.groupby(["model", "metric"], sort=False)["disparity"]
    # means of equal numbers in another order can differ in their last digits
    means = grouped.mean().round(12).unstack().reindex(index=order, columns=metrics)
    # a model that is alone with a mean is ranked against nobody
    compared = means.columns[means.notna().sum() > 1]
    ranks = means[compared].rank(ascending=False, method="average").reindex(columns=means.columns)
    worst = (means == means.max()) & means.columns.isin(compared) & (means.max() > 0)
    known = grouped.count().unstack().reindex(order)
    asked = grouped.size().unstack().reindex(order)
    table = pd.DataFrame(
        {
            "n": known.max(axis=1),
            "excluded": (asked - known).max(axis=1),
            "metrics": ranks.notna().sum(axis=1),
            "mean_rank": ranks.mean(axis=1),
            "worst_on": [" ".join(worst.columns[row]) for row in worst.to_numpy()],
        }
    )
    return table.sort_values("mean_rank", kind="stable").reset_index(names="model")[columns]


def worst_cells(cells: pd.DataFrame) -> pd.DataFrame:
    """Find the model and domain with the largest mean disparity in each metric.

    Parameters
    ----------
    cells : pandas.DataFrame
        As `by_model_and_domain` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a metric: ``metric model domain n excluded mean`` (study, Table 7); a metric without values is left out.
    """
    known = cells.dropna(subset=["mean"]).reset_index(drop=True)
    order = {name: place for place, name in enumerate(DOMAINS)}
    known = known.sort_values("domain", key=lambda names: names.map(order), kind="stable")
    found = known.loc[known.groupby("metric", sort=False)["mean"].idxmax()].set_index("metric")
    columns = ["metric", "model", "domain", "n", "excluded", "mean"]
    return found.loc[in_order(known, "metric", STUDY_METRICS)].reset_index()[columns]
