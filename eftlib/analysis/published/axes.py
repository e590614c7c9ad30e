"""Which axes show the greatest disparity (study, Table 4, sections V.B and V.C)."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from eftlib.analysis.published.existence import largest_statistic_p
from eftlib.analysis.published.printed import Check, Printed, agrees

_SIMULATED = 2_000


def _times_worst(printed: Printed) -> Check:
    worst = printed.by_axis("worst")
    total, metrics = sum(int(number.value) for number in worst.values()), len(printed.by_metric("n"))
    same = all(printed.said(f"worst_{axis}").value == number.value for axis, number in worst.items() if axis != "religion")
    return Check(
        "metrics shared out",
        "Table 4, V.B",
        "“# worst”: " + ", ".join(f"{axis} {number.text}" for axis, number in worst.items()),
        f"sum {total} of {metrics}; the text {'has the same' if same else 'differs'}",
        " + ".join(number.text for number in worst.values()) + f" = {total}",
        agrees(same and total == metrics),
        "Each metric is given to one axis, and text and table agree.",
    )


def _ranks(printed: Printed) -> Check:
    d, rank = printed.by_axis("mean_d"), printed.by_axis("rank")
    order = sorted(d, key=lambda axis: -d[axis].value)
    return Check(
        "ranks of axes",
        "Table 4",
        ", ".join(f"{axis} {number.text}" for axis, number in rank.items()),
        ", ".join(f"{axis} {order.index(axis) + 1}" for axis in rank),
        " > ".join(f"{axis} {d[axis].text}" for axis in order),
        agrees(all(rank[axis].value == order.index(axis) + 1 for axis in d)),
        "The ranks follow from the means.",
    )


def _religion_first(printed: Printed) -> Check:
    cells = {metric: printed.said(f"religion_d_{metric}") for metric in ("elaboration_depth", "fkgl")}
    above = [metric for metric, number in cells.items() if number.value > 1]
    worst = printed.by_axis("worst")["religion"]
    return Check(
        "religion first on none",
        "Table 4, V.B",
        f"Religion: {worst.text} of 8 worst; {printed.quote('religion_d_fkgl')}",
        f"by d religion is first on {len(above)} metrics at least",
        "; ".join(f"{metric} {number.text}" for metric, number in cells.items()) + "; no other axis has a cell above 1",
        agrees(len(above) <= worst.value),
        "“# worst” and d cannot be about one quantity. If the column counts the largest mean gap, all is well and the "
        "caption should say so; its “rather than extreme on any single one” does not go with the only two cells above 1.",
    )


def _weights(printed: Printed) -> dict[str, float]:
    n = printed.pairs()
    return {axis: count / sum(n.values()) for axis, count in n.items()}


def _pooled_d(printed: Printed) -> Check:
    pooled = [number.value for number in printed.by_metric("d").values()]
    mean, share = sum(pooled) / len(pooled), _weights(printed)
    d = {axis: number.value for axis, number in printed.by_axis("mean_d").items()}
    weighted = sum(share[axis] * d[axis] for axis in d)
    equal = sum(share[axis] / d[axis] ** 2 for axis in d) ** -0.5
    # of the second moments 1 + 1/d² the harmonic mean, which axes' means in inverse proportion to them reach
    inverse = sum(share[axis] / (1 + d[axis] ** -2) for axis in d)
    most = math.sqrt(inverse / (1 - inverse))
    return Check(
        "d of all and of axes",
        "Tables 3, 4",
        "Mean d: " + ", ".join(f"{axis} {value}" for axis, value in d.items()),
        f"mean of the pooled d {mean:.3f}; at most {most:.3f} by the axes",
        f"({' + '.join(number.text for number in printed.by_metric('d').values())}) / {len(pooled)} = {mean:.3f}; axes "
        f"weighted by n {weighted:.3f}; with equal means (Σ w/d²)^(−1/2) = {equal:.3f}; over all means √(s / (1 − s)), s = Σ "
        f"w/(1 + 1/d²), = {most:.3f}",
        agrees(mean <= most + 0.0005),
        "The two tables fit. The bound is exact for one metric and is applied here to means over eight.",
    )


def _spread_of_axes(printed: Printed) -> Check:
    low, high = printed.said("spread_lowest"), printed.said("spread_highest")
    d, n = printed.by_axis("mean_d"), printed.pairs()
    ends = [n[pick(d, key=lambda axis: d[axis].value)] for pick in (max, min)]
    chance = {
        metric: math.exp(1.96 / number.value * math.sqrt(sum(1 / each for each in ends)))
        for metric, number in printed.by_metric("d").items()
    }
    least = min(chance, key=lambda metric: chance[metric])
    values = [number.value for number in d.values()]
    inside = low.low <= max(values) / min(values) <= high.high
    return Check(
        "spread of axes",
        "Table 4, V.B",
        printed.quote("spread_lowest"),
        f"{max(values) / min(values):.2f}× for mean d; by chance two equal axes of {ends[0]} and {ends[1]} pairs reach "
        f"{chance[least]:.2f}× ({least}) to {max(chance.values()):.2f}×",
        f"{max(values)} / {min(values)}, within {low.text}–{high.text}; chance: exp(1.96 · (1/d) · √(1/{ends[0]} + "
        f"1/{ends[1]})), the 95 % limit of the ratio of two "
        "means that are equal, SD = mean / d",
        "open" if inside else "inconsistent",
        "Which disparity is meant (mean gap, or d) is not said. If mean gaps: none of the ratios is larger than axes without "
        "any difference give by chance (more so as pairs of a template are alike), so they are no evidence that axes differ, "
        "nor that they do not.",
    )


def _smallest_first(printed: Printed) -> Check:
    d, n = printed.by_axis("mean_d"), printed.pairs()
    first = sorted(d, key=lambda axis: -d[axis].value)[:2]
    small = sorted(n, key=lambda axis: n[axis])[:2]
    pooled = tuple(number.value for number in printed.by_metric("d").values())
    chance = _chance_of_first(tuple(n.values()), pooled, tuple(list(n).index(axis) for axis in small))
    return Check(
        "small axes first",
        "Tables 4, 5, V.B",
        f"Highest mean d: {', '.join(first)}",
        f"fewest pairs: {', '.join(small)}",
        "; ".join(f"{axis} n = {n[axis]}, mean d {number.text}" for axis, number in d.items())
        + f"; where axes do not differ, one of the two smallest comes first in {chance:.0%} of "
        f"{_SIMULATED:,} simulated studies (lognormal gaps with the d of Table 3, metrics independent)",
        "open" if set(first) == set(small) else "consistent",
        "In a small sample with a long tail the SD comes out too small and d = mean / SD too large. A ranking that puts the "
        "smallest samples first is what this tends to give where axes do not differ.",
    )


@cache
def _chance_of_first(sizes: tuple[int, ...], d: tuple[float, ...], axes: tuple[int, ...]) -> float:
    """Return the share of simulated studies of equal axes in which one of these has the highest mean d."""
    rng = np.random.default_rng(20260509)
    total = np.zeros((_SIMULATED, len(sizes)))
    for value in d:
        sigma = math.sqrt(math.log1p(value**-2))  # of the lognormal whose mean / SD is d
        for axis, size in enumerate(sizes):
            gaps = np.exp(sigma * rng.standard_normal((_SIMULATED, size)))
            total[:, axis] += gaps.mean(axis=1) / gaps.std(axis=1, ddof=1)
    return float(np.isin(total.argmax(axis=1), axes).mean())


def _every_cell(printed: Printed) -> Check:
    n = printed.pairs()
    fewest, cells = min(n.values()), len(n) * len(printed.by_metric("n"))
    enough = next(each for each in range(1, fewest + 1) if largest_statistic_p(each) <= 0.05)
    return Check(
        "every cell significant",
        "Table 4, Fig. 2",
        f"All {cells} cells significant after BH correction",
        f"p = {largest_statistic_p(fewest):.1e} in the smallest axis, whatever the answers",
        f"largest statistic of {fewest} values; {enough} of them above 0 would do (p = {largest_statistic_p(enough):.3f})",
        agrees(largest_statistic_p(fewest) <= 0.05),
        "True, and true of any two sets of texts that differ: it says nothing about an axis.",
    )


def _intersectional_cells(printed: Printed) -> Check:
    n, bound = printed.pairs()["intersectional"], printed.said("intersectional_p")
    return Check(
        "intersectional cells significant",
        "Table 5, V.C",
        printed.quote("intersectional_p"),
        f"p = {largest_statistic_p(n):.1e} (exact {2.0**-n:.1e}), whatever the answers",
        f"largest statistic of {n} values; exact 2^−{n}; against {bound.text}",
        agrees(largest_statistic_p(n) < bound.value),
        "True by construction. That the pattern “extends robustly” to intersectional identities does not follow from it.",
    )


def _intersectional_null(printed: Printed) -> Check:
    bound, m = printed.said("intersectional_p_bh"), len(printed.by_metric("n"))
    n, d = printed.pairs(), printed.by_metric("d")
    small, large = n["intersectional"], sum(n.values()) - n["intersectional"]
    error = math.sqrt(1 / small + 1 / large)
    factor = [math.exp((1.96 + 0.842) / number.value * error) for number in d.values()]
    chance = 1 - bound.value
    return Check(
        "intersectional against single axes",
        "V.C",
        printed.quote("intersectional_p_bh"),
        f"probability {chance:.2f} if nothing differs and metrics are independent; to be found with power .8 a mean gap "
        f"would have to be about {min(factor):.1f} to {max(factor):.1f} times as large",
        f"all adjusted p of m = {m} above {bound.text}: 1 − {bound.text} (Simes); factor exp(2.80 · (1/d) · √(1/{small} + "
        f"1/{large}))",
        agrees(chance >= 0.05),
        "An unremarkable result, and no evidence of absence. The limitations say so of modest effects; by this rough "
        "measure, of means, the sample would miss a gap half as large again in half of all cases or more.",
    )


CHECKS = (
    _times_worst, _ranks, _religion_first, _pooled_d, _spread_of_axes, _smallest_first, _every_cell, _intersectional_cells,
    _intersectional_null,
)  # fmt: skip
