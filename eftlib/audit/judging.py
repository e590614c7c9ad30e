"""Measured pairs, judged: by axis and metric, on rows with equal decisions and on all rows beside them."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from tqdm import tqdm

from eftlib import measuring
from eftlib.audit.pairs import SIDES, Pair, Side
from eftlib.embedding import Embedder
from eftlib.measuring import Line
from eftlib.metrics import EXTENSIONS, METRICS, STUDY_METRICS, Profile, Similarities
from eftlib.stats import (
    GapTest,
    TopicEquivalence,
    TopicGaps,
    benjamini_hochberg,
    matched_gaps,
    topic_direction,
    topic_equivalence,
    topic_gaps,
    unmatched_gaps,
    verdict,
)
from eftlib.stats.results import NO_VARIATION

Rows = Literal["equal decisions", "all"]
NO_NULL = "no null: magnitude cannot be judged"
NO_CELL = "no topic and model in both files: magnitude cannot be judged"
NO_NULL_ROW = "no row of the null with equal decisions: judged in direction only"
NO_FLOOR = "all gaps to compare are 0, which is no noise floor: magnitude cannot be judged"
NO_EQUAL = "no row with equal decisions"
NO_GAP = "the gaps of the pairs are all 0: no variation"
DISJOINT = "no topic in both files: a disparity can be found, its absence cannot be shown"


def measured(pairs: Sequence[Pair], *, profile: Profile, embed: bool) -> pd.DataFrame:
    """Measure both sides of pairs.

    Parameters
    ----------
    pairs : sequence of Pair
    profile : {"published", "controlled"}
    embed : bool
        Whether to compute the two metrics that need the embedder.

    Returns
    -------
    pandas.DataFrame
        One row a pair and metric: ``pair_id axis topic model equal metric``, ``a`` and ``b`` (NaN where undefined),
        ``outcome_a outcome_b`` and ``reason``.

    Raises
    ------
    StoppedError
        If the embedder is not there.
    """
    lines = [[_line(pair, side) for side in SIDES] for pair in pairs]
    cosines: Similarities | str = "not computed (--no-embed)"
    if embed:
        cosines = measuring.prepare([line for both in lines for line in both], profile, Embedder())
    rows: list[dict[str, Any]] = []
    progress = tqdm(zip(pairs, lines, strict=True), total=len(pairs), desc="measuring", unit="pair", delay=2, file=sys.stderr)
    for pair, both in progress:
        (first, _, a), (second, _, b) = (measuring.measured(line, profile=profile, cosines=cosines) for line in both)
        same = {"pair_id": pair.pair_id, "axis": pair.axis, "topic": pair.topic, "model": pair.model, "equal": pair.equal}
        if isinstance(cosines, str):  # one sentence has a depth without the embedder, but not these sentences alone
            absent = {metric: (math.nan, cosines) for metric, each in METRICS.items() if each.embeds}
            a, b = a | absent, b | absent
        for metric in METRICS:
            whys = dict.fromkeys(why for _, why in (a[metric], b[metric]) if why)
            values = {"a": a[metric][0], "b": b[metric][0], "outcome_a": first, "outcome_b": second}
            rows.append(same | {"metric": metric} | values | {"reason": "; ".join(whys)})
    return pd.DataFrame(rows)


def _line(pair: Pair, side: Side) -> Line:
    known = {field: pair.of(field, side) for field in ("opposite", "name", "prompt", "finish_reason")}
    return Line(text=pair.of("explanation", side) or "", domain=pair.domain, **known)


def judge(pairs: pd.DataFrame, null: pd.DataFrame | None, *, alpha: float, seed: int) -> pd.DataFrame:
    """Judge every axis and metric.

    Parameters
    ----------
    pairs : pandas.DataFrame
        As `measured` gives it.
    null : pandas.DataFrame or None
        The same of pairs that differ in nothing that matters; without it magnitude is not judged.
    alpha : float
    seed : int
        Each test begins anew with it, so that no result depends on the others.

    Returns
    -------
    pandas.DataFrame
        One row an axis, metric and row set (``rows``: "equal decisions", which leaves out unknown ones, and "all"; "all"
        alone where no decision is known): ``verdict claim``, tests, their families and floors, and what was left out. The
        verdict that counts is that of the first row set, ``rests_on``.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 9. Families for Benjamini-Hochberg: each question (magnitude, direction) over
    metrics and axes, the extensions and each row set apart.
    """
    decided = pairs["equal"].notna().any()
    sets: list[Rows] = ["equal decisions", "all"] if decided else ["all"]
    tables = []
    for chosen in sets:
        here, there = _of(pairs, chosen), None if null is None else _of(null, chosen)
        for family in (STUDY_METRICS, EXTENSIONS):
            rows = [
                {"axis": axis, "metric": metric, "rows": chosen, "rests_on": chosen == sets[0], "level": "names"}
                | _tested(here[(here["axis"] == axis) & (here["metric"] == metric)], there, metric, seed)
                for axis in dict.fromkeys(pairs["axis"])
                for metric in family
            ]
            tables.append(_judged(rows, alpha, null is not None))
    return pd.concat(tables, ignore_index=True)


def _of(table: pd.DataFrame, chosen: Rows) -> pd.DataFrame:
    if chosen == "all" or not table["equal"].notna().any():
        return table
    return table[table["equal"].eq(True)]


@dataclass(frozen=True)
class _Cubes:
    """Values by topic, model and run of the pairs, and gaps of the null by the same topics (or, disjoint, by its own)."""

    a: np.ndarray[Any, np.dtype[np.float64]]
    b: np.ndarray[Any, np.dtype[np.float64]]
    null: np.ndarray[Any, np.dtype[np.float64]] | None
    disjoint: bool


def _cubes(here: pd.DataFrame, there: pd.DataFrame | None) -> _Cubes:
    frames = [here] if there is None else [here, there]
    models = sorted({model for frame in frames for model in frame["model"]})
    own = sorted(set(here["topic"]))
    if there is None:
        return _Cubes(_cube(here, "a", own, models), _cube(here, "b", own, models), None, disjoint=False)
    other = sorted(set(there["topic"]))
    disjoint = not set(own) & set(other)
    topics = own if disjoint else sorted({*own, *other})
    a, b = (_cube(here, side, topics, models) for side in SIDES)
    x, y = (_cube(there, side, other if disjoint else topics, models) for side in SIDES)
    return _Cubes(a, b, np.abs(y - x), disjoint)


def _cube(table: pd.DataFrame, side: Side, topics: list[str], models: list[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
    runs = table.groupby(["topic", "model"]).cumcount()
    cube = np.full((len(topics), len(models), int(runs.max()) + 1 if len(runs) else 1), math.nan)
    at = {name: [names.index(each) for each in table[name]] for name, names in (("topic", topics), ("model", models))}
    cube[at["topic"], at["model"], runs.to_numpy()] = table[side].to_numpy(dtype=float)
    return cube


def _tested(here: pd.DataFrame, null: pd.DataFrame | None, metric: str, seed: int) -> dict[str, Any]:
    """Test one axis and metric; what begins with an underscore is for the verdict alone."""
    there = None if null is None else null[null["metric"] == metric]
    known = here[here["a"].notna() & here["b"].notna()]
    first: dict[str, Any] = {
        "n_pairs": len(known), "n_clusters": known["topic"].nunique(), "n_models": known["model"].nunique(),
        "pairs_without_value": len(here) - len(known), "mean_a": known["a"].mean(), "mean_b": known["b"].mean(),
    }  # fmt: skip
    cubes = _cubes(known, there)
    # the null is not used, nor are its models: one model in the pairs keeps its unit whatever the null holds
    own = _cubes(known, None)
    sign = topic_direction(own.a, own.b, rng=np.random.default_rng(seed))
    reason = sign.reason
    if here.empty:
        reason = NO_EQUAL
    elif known.empty:
        reason = f"not in this data: {here['reason'].value_counts().index[0]}"
    elif reason == NO_VARIATION and known["a"].eq(known["b"]).all():
        reason = NO_GAP
    first |= {
        "difference": sign.mean, "difference_low": sign.interval.low, "difference_high": sign.interval.high,
        "difference_unit": METRICS[metric].unit if own.a.shape[1] == 1 else "mean gap of the model",
        "p_direction": sign.test.p, "floor_direction": sign.test.floor,
    }  # fmt: skip
    return first | _magnitude(cubes, seed) | {"_reason": reason, "_absent": known.empty}


def _magnitude(cubes: _Cubes, seed: int) -> dict[str, Any]:
    names = ("ratio", "ratio_low", "ratio_high", "p_magnitude", "floor_magnitude", "difference_sd")
    columns: dict[str, Any] = {}
    columns |= dict.fromkeys((*names, "difference_sd_low", "difference_sd_high"), math.nan)
    held = int((~np.isnan(cubes.b - cubes.a)).any(2).sum())
    if cubes.null is None:
        return columns | {"cells": 0, "cells_left_out": held, "_why": NO_NULL, "_close": None}
    gaps = topic_gaps(np.abs(cubes.b - cubes.a), cubes.null, disjoint=cubes.disjoint)
    rng = np.random.default_rng(seed)
    size: GapTest = (unmatched_gaps if cubes.disjoint else matched_gaps)(gaps.gap, gaps.null, rng=rng)
    close = None if cubes.disjoint else topic_equivalence(cubes.a, cubes.b, cubes.null)
    columns |= {
        "ratio": size.ratio, "ratio_low": size.interval.low, "ratio_high": size.interval.high,
        "p_magnitude": size.test.p, "floor_magnitude": size.test.floor,
    }  # fmt: skip
    if close:
        low, high = close.interval.low, close.interval.high
        columns |= {"difference_sd": close.difference, "difference_sd_low": low, "difference_sd_high": high}
    used = gaps.cells
    if cubes.disjoint and gaps.models:
        models = np.asarray(~np.isnan(cubes.null).all((0, 2)))
        used = int((~np.isnan(cubes.b - cubes.a)[:, models]).any(2).sum())
    why = _without(cubes, gaps, size) if math.isnan(size.test.p) else DISJOINT if cubes.disjoint else None
    return columns | {"cells": used, "cells_left_out": held - used, "_why": why, "_close": close}


def _without(cubes: _Cubes, gaps: TopicGaps, size: GapTest) -> str:
    if cubes.null is not None and not len(cubes.null):
        return NO_NULL_ROW
    if cubes.null is not None and np.isnan(cubes.null).all():
        return "the null has no value of this metric: judged in direction only"
    # of several models those without any gap leave; one alone stays
    if (gaps.models_dropped and not gaps.models) or (size.test.reason == "no placebo gap" and size.gap == 0):
        return NO_FLOOR
    if not gaps.models:
        return NO_CELL
    if size.test.reason == "no placebo gap":
        return "the null's gaps are all 0, which is no noise floor: judged in direction only"
    return f"magnitude: {size.test.reason}"


def _judged(rows: list[dict[str, Any]], alpha: float, null: bool) -> pd.DataFrame:
    """Adjust within the family that the rows are, and give each its verdict."""
    table = pd.DataFrame(rows)
    for question in ("magnitude", "direction"):
        adjusted = benjamini_hochberg(table[f"p_{question}"].to_numpy(dtype=float))
        table[f"p_{question}_bh"], table[f"m_{question}"] = adjusted.p, adjusted.m
    # from the rows themselves, because a frame turns None into NaN
    names = ["p_magnitude_bh", "p_direction_bh"]
    adjusted_rows = [row | extra for row, extra in zip(rows, table[names].to_dict("records"), strict=True)]
    found = pd.DataFrame([_verdict(row, alpha, null) for row in adjusted_rows])
    return pd.concat([table.drop(columns=[name for name in table if str(name).startswith("_")]), found], axis=1)


def _verdict(row: dict[Any, Any], alpha: float, null: bool) -> dict[str, Any]:
    close: TopicEquivalence | None = row["_close"]
    judged = null and close is not None and not math.isnan(row["p_magnitude"])
    found = verdict(
        p_magnitude=row["p_magnitude_bh"],
        p_direction=row["p_direction_bh"],
        ratio_holds=close.ratio_holds if judged and close else None,
        difference_holds=close.difference_holds if judged and close else None,
        templates_ratio=close.topics_ratio if judged and close else math.nan,
        templates_difference=close.topics_difference if judged and close else math.nan,
        alpha=alpha,
    )
    topics = math.ceil(found.templates) if math.isfinite(found.templates) else math.nan
    if row["_absent"]:
        reason = str(row["_reason"])
    else:
        tested = [not math.isnan(row[f"p_{question}"]) for question in ("magnitude", "direction")]
        silent = "no test rejects" if tested[0] else "direction does not reject" if tested[1] else None  # _reason says why
        said = found.reason if found.claims or judged else silent
        few = close.reason if close and judged and not found.claims and found.verdict == "cannot tell" else None
        reason = "; ".join(text for text in (said, few, row["_why"], row["_reason"]) if text)
    # one claim a verdict: where both reject the reason names both
    claim = found.claims[0] if found.claims else "none"
    return {"verdict": found.verdict, "claim": claim, "topics_that_would_tell": topics, "reason": reason}
