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
        One row a model, the highest disparities first: ``model metrics mean_rank worst_on`` (study, Table 6); equal means share
        a rank, and ``metrics`` counts those in which the model has a mean.
    """
    if pairs.empty:
        return pd.DataFrame(columns=["model", "metrics", "mean_rank", "worst_on"])
    metrics = in_order(pairs, "metric", STUDY_METRICS)
    means = pairs.groupby(["model", "metric"], sort=False)["disparity"].mean().unstack().reindex(columns=metrics)
    means = means.reindex(in_order(pairs, "model", models))
    ranks = means.rank(ascending=False, method="average")
    # with one model nothing is ranked, so nothing is worst
    worst = means.apply(lambda row: row == means[row.index].max(), axis=1) if len(means) > 1 else means.notna() & False
    table = pd.DataFrame(
        {
            "metrics": means.notna().sum(axis=1),
            "mean_rank": ranks.mean(axis=1),
            "worst_on": [" ".join(worst.columns[row]) for row in worst.to_numpy()],
        }
    )
    return table.sort_values("mean_rank", kind="stable").reset_index(names="model")


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
