"""What came back, by side: unequal outcomes are themselves a result."""

from __future__ import annotations

import numpy as np
import pandas as pd

from eftlib.responses import OUTCOMES
from eftlib.stats import outcome_test


def outcomes(explanations: pd.DataFrame) -> pd.DataFrame:
    """Count outcomes and flags by model, condition and side.

    Parameters
    ----------
    explanations : pandas.DataFrame
        As `eftlib.scoring.explanations` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a model, condition and side: ``n``, a column an outcome and a column a flag.
    """
    by = ["model", "condition", "side"]
    table = explanations.groupby(by, sort=False).size().rename("n").to_frame()
    for outcome in OUTCOMES:
        table[outcome] = (explanations["outcome"] == outcome).groupby([explanations[name] for name in by], sort=False).sum()
    for flag in ("echo", "repetitive", "unfinished"):
        has = explanations["flags"].map(lambda flags, flag=flag: flag in flags).astype(bool)
        table[flag] = has.groupby([explanations[name] for name in by], sort=False).sum()
    return table.reset_index()


def unequal_outcomes(explanations: pd.DataFrame) -> pd.DataFrame:
    """Test, model by model, whether answers are missing or cut off more often on one side.

    Sign flip by template of the difference in the number of answers that are not ``ok``, exact.

    Parameters
    ----------
    explanations : pandas.DataFrame
        As `eftlib.scoring.explanations` gives them, of one condition.

    Returns
    -------
    pandas.DataFrame
        One row a model: ``model n excluded rate_a rate_b difference templates p``; ``templates`` counts those whose sides
        differ.
    """
    rows = []
    for model, here in explanations.groupby("model", sort=False):
        bad = (here["outcome"] != "ok").astype(float)
        cube = bad.groupby([here["template"], here["side"], here["draw"]]).mean().unstack(["side", "draw"])
        wanted = pd.MultiIndex.from_product([["A", "B"], sorted(here["draw"].unique())], names=["side", "draw"])
        values = cube.reindex(columns=wanted).to_numpy(dtype=float)
        if values.shape[1] == 2:  # one draw: a second that was not asked
            values = np.column_stack([values[:, 0], np.full(len(values), np.nan), values[:, 1], np.full(len(values), np.nan)])
        found = outcome_test(values[:, None, :])
        rows.append(
            {
                "model": model, "n": found.n, "excluded": found.n_excluded, "rate_a": found.rate_a, "rate_b": found.rate_b,
                "difference": found.difference, "templates": found.informative, "p": found.test.p, "reason": found.reason,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
