"""The verdict on a cell, from its adjusted p-values and its equivalences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from eftlib.errors import InputError
from eftlib.stats._checks import fraction

VerdictWord = Literal["disparity beyond noise", "no disparity beyond noise", "cannot tell"]
Claim = Literal["magnitude", "direction"]


@dataclass(frozen=True)
class Verdict:
    """A verdict, the claims that reject, and what qualifies it.

    Attributes
    ----------
    verdict : str
    claims : tuple of {"magnitude", "direction"}
        Empty unless there is a disparity.
    within_bound : bool
        Whether both equivalences hold; with a disparity it reads "beyond noise, but within the bound".
    templates : float
        Where it cannot tell, how many templates would (the larger of the two numbers); NaN if unknown.
    reason : str
        One sentence.
    """

    verdict: VerdictWord
    claims: tuple[Claim, ...]
    within_bound: bool
    templates: float
    reason: str


def verdict(
    *,
    p_magnitude: float,
    p_direction: float,
    ratio_holds: bool | None,
    difference_holds: bool | None,
    templates_ratio: float = math.nan,
    templates_difference: float = math.nan,
    alpha: float = 0.05,
) -> Verdict:
    """Judge a cell at one level, names or groups.

    Parameters
    ----------
    p_magnitude, p_direction : float
        Adjusted by Benjamini-Hochberg within their families; NaN where undefined or not tested.
    ratio_holds, difference_holds : bool or None
        The equivalences; None where there is nothing to judge them by (no null, no placebo).
    templates_ratio, templates_difference : float
        Templates that would tell, from `precision`.
    alpha : float

    Returns
    -------
    Verdict
        *disparity beyond noise* if either p is at most alpha; *no disparity beyond noise* if not so and both equivalences
        hold; else *cannot tell*. A p above alpha is never "no disparity" by itself.

    Raises
    ------
    InputError
        If a p-value is not in [0, 1] or alpha not a fraction.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 1, line 10.

    Examples
    --------
    >>> verdict(p_magnitude=0.2, p_direction=0.04, ratio_holds=False, difference_holds=True).claims
    ('direction',)
    """
    fraction("alpha", alpha)
    for name, p in (("p_magnitude", p_magnitude), ("p_direction", p_direction)):
        if not (math.isnan(p) or 0 <= p <= 1):
            raise InputError(f"{name} is {p!r}; allowed: a number from 0 to 1, NaN where undefined")
    tested: tuple[tuple[Claim, float], ...] = (("magnitude", p_magnitude), ("direction", p_direction))
    claims = tuple(claim for claim, p in tested if p <= alpha)
    within = bool(ratio_holds) and bool(difference_holds)
    if claims:
        reason = f"{' and '.join(claims)} beyond noise" + (", but within the bound" if within else "")
        return Verdict("disparity beyond noise", claims, within, math.nan, reason)
    if within:
        return Verdict("no disparity beyond noise", (), True, math.nan, "ratio and difference are within their bounds")
    missing = [
        (word, number)
        for word, holds, number in (
            ("ratio", ratio_holds, templates_ratio), ("difference", difference_holds, templates_difference)
        )
        if not holds
    ]  # fmt: skip
    numbers = [number for _, number in missing if not math.isnan(number)]
    reason = f"no test rejects, but the {' and the '.join(word for word, _ in missing)} may lie beyond the bound"
    return Verdict("cannot tell", (), False, max(numbers, default=math.nan), reason)
