"""Whether the two sides lose texts (refused, empty, cut off) at unequal rates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from eftlib.errors import InputError
from eftlib.stats import persona_pairs
from eftlib.stats._checks import ArrayLike, cells, codes
from eftlib.stats.results import Significance
from eftlib.stats.sign_flip import sign_flip


@dataclass(frozen=True)
class Outcomes:
    """Bad outcomes by side.

    Attributes
    ----------
    difference : int
        Bad outcomes of B minus those of A, over the draws in which both were asked.
    rate_a, rate_b : float
        Shares bad among those; NaN if nobody was asked.
    test : Significance
        Sign flip by template, exact by convolution; p is NaN where no template differs.
    groups : Significance or None
        The same with the sums by persona pair as units, where pairs are given.
    informative : int
        Templates whose two sides differ.
    n, n_excluded : int
        Draws (template x model x draw) with both people asked, and those without.
    """

    difference: int
    rate_a: float
    rate_b: float
    test: Significance
    groups: Significance | None
    informative: int
    n: int
    n_excluded: int
    reason: str | None = None


def outcome_test(bad: ArrayLike, *, pairs: ArrayLike | None = None) -> Outcomes:
    """Clustered McNemar test of bad outcomes: d_t = bad(B) - bad(A) over models and draws, flipped by template.

    Parameters
    ----------
    bad : array_like of bool, shape (T, M, 4)
        Whether A0, A1, B0, B1 came out bad; NaN where not asked, which drops that draw's two.
    pairs : array_like, shape (T, 2), optional
        Labels of the persona pairs of draw 0 and draw 1.

    Returns
    -------
    Outcomes
        With one model and one draw this is McNemar's exact test.

    Raises
    ------
    InputError
        If the shape is wrong or an entry is neither 0, 1 nor NaN.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 7. For groups the flip of pair sums stands alone, not the
    larger of two.
    """
    values = cells(bad)
    if not (np.isnan(values) | (values == 0) | (values == 1)).all():
        wrong = values[~(np.isnan(values) | (values == 0) | (values == 1))][0]
        raise InputError(f"bad holds {wrong!r}; allowed: true, false, NaN where not asked")
    asked = ~np.isnan(values[..., :2] + values[..., 2:])
    a, b = (np.where(asked, side, 0.0) for side in (values[..., :2], values[..., 2:]))
    draws = (b - a).sum(1)
    by_template = draws.sum(1)
    test = sign_flip(by_template, method="convolution")
    groups = None
    if pairs is not None:
        labels = codes("pairs", pairs, length=len(values), width=2)
        groups = sign_flip(persona_pairs.pair_sums(draws, labels)[0], method="convolution")
    n = int(asked.sum())
    rate_a, rate_b = (float(side.sum()) / n if n else math.nan for side in (a, b))
    return Outcomes(
        difference=int(by_template.sum()), rate_a=rate_a, rate_b=rate_b, test=test, groups=groups,
        informative=int((by_template != 0).sum()), n=n, n_excluded=asked.size - n,
        reason=test.reason if n else "nobody was asked",
    )  # fmt: skip
