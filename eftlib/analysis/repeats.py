"""Whether a model that is asked the same twice answers the same."""

from __future__ import annotations

import pandas as pd


def repeats(answers: pd.DataFrame) -> pd.DataFrame:
    """Count, model by model, the requests whose repeats have the same text.

    Parameters
    ----------
    answers : pandas.DataFrame
        As `eftlib.responses.frame` gives them.

    Returns
    -------
    pandas.DataFrame
        One row a model with repeats: ``model n equal``; ``n`` requests that were asked more than once, and those of them whose
        answers are equal to the letter.
    """
    request = ["model", "template", "axis", "side", "draw", "decision", "condition"]
    grouped = answers.groupby(request, sort=False)["text"].agg(asked="size", texts=lambda texts: texts.nunique(dropna=False))
    again = grouped[grouped["asked"] > 1].reset_index()
    again["equal"] = again["texts"] == 1
    counted: pd.DataFrame = again.groupby("model", sort=False)["equal"].agg(n="size", equal="sum").reset_index()
    return counted
