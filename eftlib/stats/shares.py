"""Where the variance of a design's texts comes from: what a plan for another study starts from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eftlib.stats._checks import ArrayLike, Floats, Ints, cells, codes
from eftlib.stats.units import average, units


@dataclass(frozen=True)
class Shares:
    """Variances in squared placebo SD: text, persona_template and persona add up to 1.

    Attributes
    ----------
    text : float
        σ_e², of a text of one model around what its models share.
    persona_template : float
        σ_pt², of a name in one template, shared by the models.
    persona : float
        σ_p², of a name in all templates.
    template : float
        τ², of the difference B - A between templates.
    ratio_own, ratio_shared : float
        Variance over templates of ψ = C / C̄ - W / W̄ of one model: the part of its own, and the part that models share.
    n : int
        Templates in which two models gave all four texts.
    reason : str or None
        Why the shares are NaN.
    """

    text: float
    persona_template: float
    persona: float
    template: float
    ratio_own: float
    ratio_shared: float
    n: int
    reason: str | None = None


def variance_shares(y: ArrayLike, *, pairs: ArrayLike, strata: ArrayLike) -> Shares:
    """Split the variance of texts by the products of differences that share a source.

    δ = difference of two texts of one side: E δ² / 2 = σ_e² + σ_pt² + σ_p² = 1 by scaling, and between two models of one
    template E δ δ' / 2 = σ_pt² + σ_p². D = B_k - A_k, mean over models, less its mean over the stratum: between templates
    that share pair k E D D' = 2 σ_p², between the draws of a template E D D' = τ². An estimate below 0 is 0.

    Parameters
    ----------
    y : array_like, shape (T, M, 4)
        A0 A1 B0 B1, NaN where missing; a cell without all four is left out.
    pairs : array_like, shape (T, 2)
        Labels of the persona pairs of draw 0 and draw 1.
    strata : array_like, shape (T,)
        What may differ in its mean difference, such as the axis.

    Returns
    -------
    Shares
        NaN with the reason "no template with two models" where nothing tells what models share.

    Raises
    ------
    InputError
        If a shape is wrong.

    Notes
    -----
    Source: the model of ``pages/noise_floor.md`` section 6; moments, ours.
    """
    values = cells(y)
    labels = codes("pairs", pairs, length=len(values), width=2)
    groups = codes("strata", strata, length=len(values))
    values = np.where(np.isnan(values).any(axis=2, keepdims=True), math.nan, values)
    gaps = np.stack([values[..., 0] - values[..., 1], values[..., 2] - values[..., 3]])  # [side, T, M]
    scales = np.sqrt(average((gaps**2).reshape(-1, values.shape[1]), 0) / 2)
    n = int(((~np.isnan(gaps[0]) & (scales > 0)).sum(axis=1) > 1).sum())
    if not n:
        return Shares(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, n=0, reason="no template with two models")
    scales = np.where(scales > 0, scales, math.nan)
    common = min(1.0, max(0.0, _between_models((gaps / scales).reshape(-1, len(scales))) / 2))
    signed = units(values / scales[:, None], scaled=False).draws
    signed = signed - _means(signed, groups)[groups][:, None]
    persona = min(common, max(0.0, _between_templates(signed, labels) / 2))
    psi = _log_ratios(values)
    shared = max(0.0, _between_models(psi))
    own = max(0.0, float(np.nanmean(psi**2)) - shared)
    template = max(0.0, float(np.nanmean(signed[:, 0] * signed[:, 1])))
    return Shares(1 - common, common - persona, persona, template, own, shared, n)


def _between_models(values: Floats) -> float:
    """Mean over rows of the product of two columns: (sum² - sum of squares) over ordered pairs of what is there."""
    count = (~np.isnan(values)).sum(axis=1)
    products = np.nansum(values, axis=1) ** 2 - np.nansum(values**2, axis=1)
    ordered = int((count * (count - 1)).sum())
    return float(products[count > 1].sum()) / ordered if ordered else math.nan


def _between_templates(signed: Floats, pairs: Ints) -> float:
    """Mean product of two differences of one pair in two templates."""
    known = ~np.isnan(signed)
    count, total, square = (
        np.bincount(pairs[known], weights=weights) for weights in (np.ones(known.sum()), signed[known], signed[known] ** 2)
    )
    ordered = float((count * (count - 1)).sum())
    return float((total**2 - square).sum()) / ordered if ordered else 0.0


def _means(signed: Floats, strata: Ints) -> Floats:
    return np.array([average(signed[strata == each].ravel(), 0) for each in range(strata.max() + 1)])


def _log_ratios(values: Floats) -> Floats:
    """ψ of each model on its own, shape (T, M)."""
    columns = []
    for model in range(values.shape[1]):
        reduced = units(values[:, [model]])
        cross, within = reduced.cross, reduced.within
        varies = np.nansum(cross) > 0 and np.nansum(within) > 0
        columns.append(cross / np.nanmean(cross) - within / np.nanmean(within) if varies else np.full(len(cross), math.nan))
    return np.stack(columns, axis=1)
