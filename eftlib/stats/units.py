"""Four texts a template and model, turned into the numbers a template brings to each test.

``y[t, m]`` holds a metric's values of A0, A1, B0, B1: two people a side, of the template's two persona pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eftlib.stats._checks import ArrayLike, Floats, cells

# the three ways to split four texts into two twos; the first is A against B, its twos are the placebos
MATCHINGS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


@dataclass(frozen=True)
class Units:
    """What each template brings, averaged over its models; NaN where no model of it counts.

    Attributes
    ----------
    matchings : ndarray, shape (T, 3)
        Sum of the two gaps within each of `MATCHINGS`:
        ``|A0-A1| + |B0-B1|``, ``|A0-B0| + |A1-B1|``, ``|A0-B1| + |A1-B0|``.
    spread : ndarray, shape (T,)
        ``|B0-B1| - |A0-A1|``.
    difference : ndarray, shape (T,)
        d: mean of the B texts that are there minus mean of the A texts.
    draws : ndarray, shape (T, 2)
        B_k - A_k of draw 0 and of draw 1.
    cells, incomplete, one_sided : int
        Model x template cells; those without all four texts, which magnitude drops; those with no text on a side, which
        direction drops.
    models, still : int
        Models, and those left out because none of their gaps differs from 0 or none of their cells is complete.
    """

    matchings: Floats
    spread: Floats
    difference: Floats
    draws: Floats
    cells: int
    incomplete: int
    one_sided: int
    models: int
    still: int

    @property
    def cross(self) -> Floats:
        """C: the mean of the four cross gaps."""
        return np.asarray((self.matchings[:, 1] + self.matchings[:, 2]) / 4)

    @property
    def within(self) -> Floats:
        """W: the mean of the two placebo gaps."""
        return np.asarray(self.matchings[:, 0] / 2)

    @property
    def swap(self) -> Floats:
        """g: the gaps A0-B1 and A1-B0 minus the placebo gaps; an exchange within one pair turns its sign."""
        return np.asarray(self.matchings[:, 2] - self.matchings[:, 0])


def average(values: Floats, axis: int) -> Floats:
    """Return the mean over what is there, NaN where nothing is (and no warning).

    Parameters
    ----------
    values : array of float
    axis : int

    Returns
    -------
    array of float
    """
    known = ~np.isnan(values)
    count = known.sum(axis)
    total = np.where(known, values, 0.0).sum(axis)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), math.nan))


def model_scales(y: ArrayLike) -> Floats:
    """Return each model's mean gap over all six pairs of its complete cells: label-free, so safe under relabelling.

    Parameters
    ----------
    y : array_like, shape (T, M, 4)

    Returns
    -------
    ndarray, shape (M,)
        NaN for a model without a complete cell.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 2.
    """
    return average(_matchings(cells(y)).sum(2) / 6, 0)


def units(y: ArrayLike, *, scaled: bool = True) -> Units:
    """Reduce a cell of the design to what each template brings.

    Parameters
    ----------
    y : array_like, shape (T, M, 4)
        A0 A1 B0 B1, NaN where missing.
    scaled : bool
        Whether several models are divided by `model_scales` before they are averaged; one model never is. A model whose
        scale is 0 or undefined then leaves, and is counted.

    Returns
    -------
    Units

    Raises
    ------
    InputError
        If ``y`` has another shape or holds an infinite value.

    Notes
    -----
    Source: ``pages/noise_floor.md`` sections 2 and 7. A model x template cell counts for magnitude (and for spread) when
    all four texts are there, for direction when each side has one.
    """
    values = cells(y)
    templates, models = values.shape[:2]
    incomplete = int(np.isnan(values).any(2).sum())
    one_sided = int((np.isnan(values[..., :2]).all(2) | np.isnan(values[..., 2:]).all(2)).sum())
    still = 0
    if scaled and models > 1:
        scales = model_scales(values)
        usable = scales > 0
        still = int((~usable).sum())
        values = np.where(usable[:, None], values / np.where(usable, scales, 1.0)[:, None], math.nan)
    a, b = values[..., :2], values[..., 2:]
    gaps = np.abs(b[..., 1] - b[..., 0]) - np.abs(a[..., 1] - a[..., 0])
    return Units(
        matchings=average(_matchings(values), 1), spread=average(gaps, 1),
        difference=average(average(b, 2) - average(a, 2), 1), draws=average(b - a, 1),
        cells=templates * models, incomplete=incomplete, one_sided=one_sided, models=models, still=still,
    )  # fmt: skip


def _matchings(values: Floats) -> Floats:
    sums = [sum(np.abs(values[..., i] - values[..., j]) for i, j in twos) for twos in MATCHINGS]
    return np.stack([np.asarray(each) for each in sums], axis=2)


def placebo_sd(within: Floats) -> float:
    """Return s0 = (√π / 2) mean W, which is the SD of one text if texts are normal.

    Parameters
    ----------
    within : array of float, shape (T,)
        W of each template, NaN where there is none.

    Returns
    -------
    float
    """
    known = within[~np.isnan(within)]
    return float(known.mean()) * math.sqrt(math.pi) / 2 if known.size else math.nan
