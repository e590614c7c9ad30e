"""What the tests of the analysis share: pairs and scores made by hand, and each table of the study by name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd

from eftlib import analysis
from eftlib.metrics import STUDY_METRICS

NAN = float("nan")
PAIR = {
    "model": "one", "domain": "hiring", "axis": "gender", "condition": "baseline",
    "draw": 0, "profile": "published", "metric": "word_count",
}  # fmt: skip


def upper(z: float) -> float:
    """The chance of a standard normal deviate above z, from the error function."""
    return math.erfc(z / math.sqrt(2)) / 2


def cell(differences: Sequence[float | None], **where: Any) -> list[dict[str, Any]]:
    """Pairs that differ so, a template each; None where there is no difference."""
    return [
        {"template": f"T{number}"} | PAIR | where | {"difference": NAN if value is None else value}
        for number, value in enumerate(differences, start=1)
    ]


def pairs(*cells: list[dict[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame([row for rows in cells for row in rows]).astype({"difference": float})
    return table.assign(a=0.0, b=table["difference"], disparity=table["difference"].abs(), reason=None)


def scored(value: float, side: str, reason: str | None = None, **where: Any) -> dict[str, Any]:
    """A row of the score frame."""
    return {"template": "T1", "repeat": 0} | PAIR | {"side": side, "value": value, "reason": reason} | where


def row(table: pd.DataFrame, **where: Any) -> dict[str, Any]:
    """The one row of a table that has these values."""
    for name, value in where.items():
        table = table[table[name] == value]
    assert len(table) == 1, f"{len(table)} rows have {where}"
    return table.iloc[0].to_dict()


def same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Compare tables, whatever the order of their columns; NaN and None are one."""
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, check_like=True, rtol=1e-9, atol=1e-12)


def every_table(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Each table of the study as it is made from scores, its rows in an order that the scores' order does not decide."""
    table = analysis.differences(scores)
    here = analysis.selected(table, profile="published")
    everywhere = table[(table["profile"] == "published") & (table["draw"] == 0) & table["metric"].isin(STUDY_METRICS)]
    effects = analysis.axis_effects(here)
    cells = analysis.by_model_and_domain(here)
    names = sorted(here["model"].unique())
    return {
        "existence": analysis.existence(here),
        "axis_effects": effects,
        "axis_ranking": analysis.axis_ranking(effects),
        "directions": analysis.directions(here),
        "intersectional": analysis.intersectional(here),
        "by_model_and_domain": in_rows(cells, "model", "domain", "metric"),
        "model_ranking": analysis.model_ranking(here, names),
        "worst_cells": analysis.worst_cells(cells),
        "mitigations": in_rows(analysis.mitigations(everywhere), "model", "condition", "metric"),
    }


def in_rows(table: pd.DataFrame, *by: str) -> pd.DataFrame:
    return table.sort_values(list(by), ignore_index=True)
