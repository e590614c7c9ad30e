"""What came back, by side: unequal outcomes are themselves a result."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from eftlib.analysis.differences import with_bh
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
        One row a model: ``model n excluded rate_a rate_b rate_difference difference templates p reason p_bh m family``;
        ``rate_difference`` is B less A, ``difference`` the same as a number of answers; ``templates`` counts those whose
        sides differ, ``excluded`` answers whose other side was not asked.
    """
    rows = []
    for model, here in explanations.groupby("model", sort=False):
        bad = _bad(here)
        found = outcome_test(bad)
        asked = ~np.isnan(bad)
        one_sided = int((asked[..., 0] ^ asked[..., 2]).sum())
        rows.append(
            {
                "model": model, "n": found.n, "excluded": one_sided, "rate_a": found.rate_a, "rate_b": found.rate_b,
                "rate_difference": found.rate_b - found.rate_a, "difference": found.difference, "templates": found.informative,
                "p": found.test.p, "reason": found.reason,
            }
        )  # fmt: skip
    columns = ["model", "n", "excluded", "rate_a", "rate_b", "rate_difference", "difference", "templates", "p", "reason"]
    return with_bh(pd.DataFrame(rows, columns=columns), "models")


def _bad(here: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return whether answers are not ok, shape (T, K, 4): A0 A1 B0 B1; repeats, and single draws, are further columns of K.

    With one draw the second is a copy that was not asked of anybody, so each draw is put into a cell of its own.
    """
    bad = (here["outcome"] != "ok").astype(float)
    by = [here[name] for name in ("template", "draw", "repeat", "side")]
    wide = bad.groupby(by).first().unstack("side").reindex(columns=["A", "B"])
    cells = wide.unstack(["draw", "repeat"])
    a, b = (cells[side].to_numpy(dtype=float) for side in "AB")
    return np.stack([a, np.full_like(a, np.nan), b, np.full_like(b, np.nan)], axis=-1)
