"""Disparities against the noise floor, by the rules of the analysis plan: what the study asks, with a test that can say no."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from eftlib.analysis.differences import in_order
from eftlib.benchmark import AXES
from eftlib.metrics import STUDY_METRICS, Profile
from eftlib.stats import Interval, NoiseFloor, benjamini_hochberg, noise_floor, verdict

Level = Literal["names", "groups"]
ALL_MODELS = "all models"

_AGE = "age"  # whose four people share one name, so that the unit for groups is the name


@dataclass(frozen=True)
class Cell:
    """Values of one metric on part of the design.

    Attributes
    ----------
    y : ndarray, shape (T, M, 4)
        A0 A1 B0 B1, NaN where undefined.
    pairs : ndarray, shape (T, 2)
        Labels of the persona pairs of draw 0 and draw 1.
    names : ndarray, shape (T,)
        Labels of the strata; on the age axis a stratum is a name.
    """

    y: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.str_]
    names: npt.NDArray[np.str_]


def of_condition(scores: pd.DataFrame, *, profile: Profile, condition: str = "baseline") -> pd.DataFrame:
    """Select the scores of one profile and condition.

    Parameters
    ----------
    scores : pandas.DataFrame
        As `eftlib.scoring.score` gives it.
    profile : {"published", "controlled"}
    condition : str

    Returns
    -------
    pandas.DataFrame
    """
    return scores[(scores["profile"] == profile) & (scores["condition"] == condition)]


def cell(scores: pd.DataFrame) -> Cell:
    """Arrange the scores of one metric as the tests of the noise floor take them.

    Parameters
    ----------
    scores : pandas.DataFrame
        As `of_condition` gives it, of one metric; repeats of a request are averaged, a pair that was not dealt is labelled by
        its template and draw.

    Returns
    -------
    Cell
    """
    # by hand and not by a pivot, since the robustness page asks for this hundreds of times
    model, models = pd.factorize(scores["model"])
    template, templates = pd.factorize(scores["template"], sort=True)
    draw = scores["draw"].to_numpy(dtype=int)
    place = 2 * scores["side"].eq("B").to_numpy(dtype=int) + draw
    values = scores["value"].to_numpy(dtype=float)
    known = ~np.isnan(values)
    where = (template[known], model[known], place[known])
    total, count = np.zeros((2, len(templates), len(models), 4))
    np.add.at(total, where, values[known])
    np.add.at(count, where, 1)
    y = np.divide(total, count, out=np.full_like(total, math.nan), where=count > 0)
    pairs = np.array([[f"{name}/{number}" for number in (0, 1)] for name in templates], dtype=object).reshape(-1, 2)
    pairs[template, draw] = scores["pair"].to_numpy()
    names = np.empty(len(templates), dtype=object)
    names[template] = scores["stratum"].to_numpy()
    return Cell(y, pairs.astype(str), names.astype(str))


def noise_pooled(
    scores: pd.DataFrame, *, metrics: Sequence[str] = STUDY_METRICS, seed: int, alpha: float = 0.05, resamples: int = 9_999
) -> pd.DataFrame:
    """Ask of each metric, over all templates, whether the sides differ by more than people of one side do: the headline.

    Parameters
    ----------
    scores : pandas.DataFrame
        As `of_condition` gives it.
    metrics : sequence of str
    seed : int
        Each cell begins anew with it, so that no result depends on the others.
    alpha : float
    resamples : int

    Returns
    -------
    pandas.DataFrame
        One row a metric and scope (all models, then each; one model alone is its own): see `noise_axes`; the level is that of
        names. ``at_most`` is the upper 95 % limit of the ratio less 1: the gap between groups is at most so much above the
        noise.
    """
    models = list(dict.fromkeys(scores["model"]))
    scopes = [(ALL_MODELS, scores)] * (len(models) > 1) + [(model, scores[scores["model"] == model]) for model in models]
    tables = [
        judged([{"scope": scope} | row for row in headline(here, metrics, seed=seed, resamples=resamples)], alpha)
        for scope, here in scopes
    ]
    table = pd.concat(tables, ignore_index=True) if tables else judged([], alpha)
    return table.assign(at_most=table["ratio_high"] - 1)


def headline(
    scores: pd.DataFrame, metrics: Sequence[str] = STUDY_METRICS, *, seed: int, resamples: int = 9_999
) -> list[dict[str, Any]]:
    """Compute each metric's cell of all templates and models, at the level of names.

    Parameters
    ----------
    scores, metrics, seed, resamples
        As in `noise_pooled`.

    Returns
    -------
    list of dict
        A row a metric, for `judged`.
    """
    return [
        {"metric": metric} | _row(_found(scores[scores["metric"] == metric], None, seed, resamples), "names")
        for metric in in_order(scores, "metric", metrics)
        if metric in metrics
    ]


def noise_axes(
    scores: pd.DataFrame, *, metrics: Sequence[str] = STUDY_METRICS, seed: int, alpha: float = 0.05, resamples: int = 9_999
) -> pd.DataFrame:
    """Ask the same of each metric and axis, models pooled, for these names and for groups.

    Parameters
    ----------
    scores, metrics, seed, alpha, resamples
        As in `noise_pooled`.

    Returns
    -------
    pandas.DataFrame
        One row a level, axis and metric: ``n`` and ``excluded`` templates (for groups ``units``: persona pairs or names),
        ``cells_dropped`` and ``models_dropped``; ``ratio`` ΣC / ΣW with its 95 % limits; ``difference`` B - A in placebo SD
        with its 95 % limits (for groups the mean over pairs of people); ``detectable_difference``, and for names
        ``detectable_ratio``; ``equal_low`` and ``equal_high``, the 90 % limits of the difference that its equivalence rests
        on, and whether it and the ratio are ``within`` their bounds; p of magnitude, direction and spread, the floors of the
        first two, their adjusted p and m of its family, which is the level; ``verdict claim templates reason why``. On the
        age axis a magnitude of groups does not exist.

    Notes
    -----
    Source: ``pages/analysis_plan.md`` (Against the noise floor); ``pages/noise_floor.md`` sections 1 to 6.
    """
    rows: dict[Level, list[dict[str, Any]]] = {"names": [], "groups": []}
    for axis in in_order(scores, "axis", AXES):
        for metric in in_order(scores, "metric", metrics):
            here = scores[(scores["axis"] == axis) & (scores["metric"] == metric)]
            if metric in metrics and len(here):
                found = _found(here, axis, seed, resamples)
                for level, kept in rows.items():
                    kept.append({"axis": axis, "metric": metric} | _row(found, level))
    return pd.concat([judged(kept, alpha) for kept in rows.values()], ignore_index=True)


def noise_models(
    scores: pd.DataFrame, *, metrics: Sequence[str] = STUDY_METRICS, seed: int, resamples: int = 9_999
) -> pd.DataFrame:
    """Show the cells of one model and axis: secondary, so without adjustment and without a verdict.

    Parameters
    ----------
    scores, metrics, seed, resamples
        As in `noise_pooled`.

    Returns
    -------
    pandas.DataFrame
        One row a model, axis and metric: the columns of `noise_axes` at the level of names, but for those of the verdict.
    """
    rows = [
        {"model": model, "axis": axis, "metric": metric} | _row(_found(here, str(axis), seed, resamples), "names")
        for (model, axis, metric), here in scores.groupby(["model", "axis", "metric"], sort=False)
        if metric in metrics
    ]
    return _unjudged(rows)


def with_few_named(table: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """Name the rows in which no test can reject: their floors, the smallest p that their templates can give, are above alpha.

    Parameters
    ----------
    table : pandas.DataFrame
        As `noise_models` or `noise_conditions` gives it.
    alpha : float

    Returns
    -------
    pandas.DataFrame
        The same, with a ``reason`` where there was none.
    """
    if table.empty:
        return table
    few = table[["floor_magnitude", "floor_direction"]].min(axis=1) > alpha
    return table.assign(reason=table["reason"].mask(table["reason"].isna() & few, "too few templates to reject"))


def noise_conditions(
    scores: pd.DataFrame, *, profile: Profile, metrics: Sequence[str] = STUDY_METRICS, seed: int, resamples: int = 9_999
) -> pd.DataFrame:
    """Show the noise floor of each model under each condition, without adjustment and without a verdict.

    Parameters
    ----------
    scores : pandas.DataFrame
        As `eftlib.scoring.score` gives it.
    profile : {"published", "controlled"}
    metrics, seed, resamples
        As in `noise_pooled`.

    Returns
    -------
    pandas.DataFrame
        One row a condition, model and metric that has both draws: the columns of `noise_models`.
    """
    here = scores[(scores["profile"] == profile) & scores["metric"].isin(list(metrics))]
    rows = [
        {"condition": condition, "model": model, "metric": metric} | _row(_found(cells, None, seed, resamples), "names")
        for (condition, model, metric), cells in here.groupby(["condition", "model", "metric"], sort=False)
        if cells["draw"].nunique() > 1
    ]
    return _unjudged(rows)


def _unjudged(rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([{name: value for name, value in row.items() if not name.startswith("_")} for row in rows])


def _found(scores: pd.DataFrame, axis: str | None, seed: int, resamples: int) -> NoiseFloor:
    arranged = cell(scores)
    units: dict[str, Any] = {}
    if axis is not None:
        units = {"names": arranged.names} if axis == _AGE else {"pairs": arranged.pairs}
    return noise_floor(arranged.y, **units, resamples=resamples, rng=np.random.default_rng(seed))


def _row(found: NoiseFloor, level: Level) -> dict[str, Any]:
    """Return one level of a cell; what begins with an underscore is for the verdict alone."""
    size, sign, close, reach = found.magnitude, found.direction, found.equivalence, found.precision
    first = {"level": level, "n": size.n, "excluded": size.n_excluded, "units": size.n}
    limits: Interval | None
    equal = close.names if level == "names" else close.groups
    first |= {"cells_dropped": size.cells_dropped, "models_dropped": size.models_dropped}
    if level == "names":
        limits, p_size, floor_size = size.interval, size.test.p, size.test.floor
        p_sign, floor_sign, why = (
            sign.test.p,
            sign.test.floor,
            [size.reason or size.test.reason, sign.reason or sign.test.reason],
        )
        value = sign.standardised.value
        low, high = sign.standardised.interval.low, sign.standardised.interval.high
        detectable, detectable_ratio = reach.difference, reach.ratio
    else:
        groups, signed = size.groups, sign.groups
        limits = groups.interval if groups else None
        p_size, floor_size = (groups.p, groups.floor) if groups else (math.nan, math.nan)
        p_sign, floor_sign = (signed.p, signed.floor) if signed else (math.nan, math.nan)
        why = [
            groups.reason if groups else "no magnitude of groups where all share one name",
            signed.reason if signed else None,
        ]
        scale = sign.placebo_sd or math.nan
        # the mean over pairs of people, which is what their interval is about; a template counts once in the mean over names
        value, low, high = (
            (end / scale for end in (signed.estimate.value, signed.estimate.interval.low, signed.estimate.interval.high))
            if signed else (math.nan, math.nan, math.nan)
        )  # fmt: skip
        detectable, detectable_ratio = reach.difference_groups, math.nan  # no formula for a ratio of groups
        first["units"] = signed.swap.n if signed else 0
    return first | {
        "ratio": size.ratio,
        "ratio_low": limits.low if limits else math.nan,
        "ratio_high": limits.high if limits else math.nan,
        "p_magnitude": p_size,
        "difference": value,
        "difference_low": low,
        "difference_high": high,
        "p_direction": p_sign,
        "p_spread": found.spread.test.p,
        "floor_magnitude": floor_size,
        "floor_direction": floor_sign,
        "detectable_ratio": detectable_ratio,
        "detectable_difference": detectable,
        "ratio_within": equal.ratio_holds if equal else None,
        "equal_low": equal.difference_limits.low if equal else math.nan,
        "equal_high": equal.difference_limits.high if equal else math.nan,
        "difference_within": equal.difference_holds if equal else None,
        "reason": "; ".join(dict.fromkeys(text for text in why if text)) or None,
        "_templates_ratio": reach.templates_ratio,
        "_templates_difference": reach.templates_difference,
    }


def judged(rows: Sequence[Mapping[str, Any]], alpha: float) -> pd.DataFrame:
    """Adjust within the family that the rows are, and give each its verdict.

    Parameters
    ----------
    rows : sequence of mapping
        As `headline` gives them.
    alpha : float

    Returns
    -------
    pandas.DataFrame
        The columns of `noise_axes`.
    """
    columns = ("level", "n", "ratio", "ratio_high", "p_magnitude", "p_direction", "p_spread", "reason", "verdict")
    table = pd.DataFrame(rows) if rows else pd.DataFrame(columns=list(columns))
    for question in ("magnitude", "direction"):
        adjusted = benjamini_hochberg(table[f"p_{question}"].to_numpy(dtype=float))
        table[f"p_{question}_bh"], table[f"m_{question}"] = adjusted.p, adjusted.m
    judged = [_verdict(row, alpha) for row in table.to_dict("records")] if rows else []
    table = table.drop(columns=[name for name in table if str(name).startswith("_")])
    return table.assign(**{name: [each[name] for each in judged] for name in ("verdict", "claim", "templates", "why")})


def _verdict(row: Mapping[Any, Any], alpha: float) -> dict[str, Any]:
    found = verdict(
        p_magnitude=row["p_magnitude_bh"],
        p_direction=row["p_direction_bh"],
        ratio_holds=row["ratio_within"],
        difference_holds=row["difference_within"],
        templates_ratio=row["_templates_ratio"],
        templates_difference=row["_templates_difference"],
        alpha=alpha,
    )
    why = found.reason
    if "magnitude" in found.claims and row["p_spread"] <= alpha:
        why += "; the texts of one side are also more variable, so this may be more different or more variable"
    templates = math.ceil(found.templates) if math.isfinite(found.templates) else math.nan
    return {"verdict": found.verdict, "claim": " and ".join(found.claims) or "none", "templates": templates, "why": why}
