"""Whether prompts reduce disparities (study, Table 8, sections VII.A to VII.D)."""

from __future__ import annotations

import math
from collections import Counter

from scipy.stats import norm

from eftlib.analysis.published.printed import Check, Number, Printed, agrees
from eftlib.stats import d_label, r_label

BY = ("metric", "model", "condition")
EFP = "efp"


def _rows(printed: Printed, column: str, metric: str) -> dict[tuple[str, ...], Number]:
    return {key: number for key, number in printed.column("table8_mitigation", column, *BY).items() if key[0] == metric}


def mann_whitney_p(r: float, n: int) -> float:
    """Return the one-sided p of the Mann-Whitney test of n values against n that goes with a rank-biserial r.

    Parameters
    ----------
    r : float
        Positive where the first sample is the lower one.
    n : int

    Returns
    -------
    float
        1 − Φ(z), z = (r n²/2 − 1/2) / √(n²(2n+1)/12): U is (1 − r) n²/2; no ties, with the continuity correction.

    Examples
    --------
    >>> round(mann_whitney_p(0.214, 80), 4)
    0.0098
    """
    return float(norm.sf((r * n * n / 2 - 0.5) / math.sqrt(n * n * (2 * n + 1) / 12)))


def _comparisons(printed: Printed) -> Check:
    rows, metrics = printed.table("table8_mitigation"), len(printed.by_metric("n"))
    keys = list(printed.words("table8_mitigation", "r", *BY))
    all_of = metrics * rows["model"].nunique() * rows["condition"].nunique()
    each = Counter(condition for _, _, condition in keys)
    said = {
        name: printed.said(name).value for name in ("comparisons", "significant", "not_significant", "significant_a_condition")
    }
    return Check(
        "number of comparisons",
        "Table 8, VII.A, VII.D",
        f"{printed.quote('comparisons')}; {said['not_significant']:.0f} are not; {printed.quote('significant_a_condition')}",
        f"{all_of} comparisons, {len(keys)} rows, {all_of - len(keys)} others; "
        f"{', '.join(f'{name} {count}' for name, count in each.items())}",
        f"{metrics} × 2 × 2 = {all_of}; {all_of} − {len(keys)} = {all_of - len(keys)}",
        agrees(list(said.values()) == [all_of, len(keys), all_of - len(keys), *set(each.values())]),
        "The counts agree.",
    )


def _efp_reductions(printed: Printed) -> Check:
    before, after = _rows(printed, "baseline", EFP), _rows(printed, "mitigated", EFP)
    lost = [100 * (1 - after[key].value / before[key].value) for key in before]
    low, high = printed.said("reduction_smallest"), printed.said("reduction_largest")
    return Check(
        "reductions of EFP",
        "Table 8, VII.B",
        printed.quote("reduction_smallest"),
        ", ".join(f"{value:.1f}" for value in lost) + " %",
        "; ".join(f"1 − {after[key].text} / {before[key].text}" for key in before),
        agrees(low.prints(min(lost)) and high.prints(max(lost))),
        "As printed. If baseline answers failed on one side, or the prefix merely made texts blander, the gap would fall "
        "likewise; the text names the second.",
    )


def _efp_effects(printed: Printed) -> Check:
    r, n, bound = _rows(printed, "r", EFP), printed.templates(), printed.said("efp_p")
    m, tests = printed.said("comparisons").value, len(r)
    p = {key: mann_whitney_p(number.value, n) for key, number in r.items()}
    few = n - int(printed.said("missing_qwen3-32b").value)
    adjusted = m / tests * max(mann_whitney_p(number.value, few) for number in r.values())
    low, high = printed.said("r_smallest"), printed.said("r_largest")
    values = [number.value for number in r.values()]
    return Check(
        "effects on EFP",
        "Table 8, VII.B",
        f"{printed.quote('r_smallest')}; {printed.quote('efp_p')}",
        f"r = {min(values)}–{max(values)}; p = {', '.join(f'{value:.0e}' for value in p.values())}; adjusted at most "
        f"{adjusted:.0e}",
        f"U = (1 − r) n²/2, z = (r n²/2 − ½) / √(n²(2n + 1)/12), n = {n}; adjusted × {m:.0f}/{tests}, n = {few}; against "
        f"{bound.text}",
        agrees(low.prints(min(values)) and high.prints(max(values)) and adjusted < bound.value),
        "The statement holds. The test treats both conditions as different samples though they are the same templates; a "
        "paired test would use that.",
    )


def unpaired_size(correlation: float, *, alpha: float = 0.05) -> float:
    """Return how often the one-sided Mann-Whitney test of paired samples rejects where nothing differs.

    Parameters
    ----------
    correlation : float
        Of a pair's two values, which are normal after some increasing transformation; below 1.
    alpha : float
        The test's nominal level.

    Returns
    -------
    float
        Φ(z_α / √(1 − ρ_S)), ρ_S = 6/π arcsin(ρ/2) Spearman's correlation: U/n² is, but for what vanishes with n, the difference
        of two means of ranks, whose variance is (1 − ρ_S)/(6n) where the test takes it for 1/(6n).

    Examples
    --------
    >>> [round(unpaired_size(rho), 4) for rho in (0, 0.3, 0.6)]
    [0.05, 0.0257, 0.0055]
    """
    spearman = 6 / math.pi * math.asin(correlation / 2)
    return float(norm.cdf(norm.ppf(alpha) / math.sqrt(1 - spearman)))


def _pairing(printed: Printed) -> Check:
    n = printed.templates()
    sizes = {rho: unpaired_size(rho) for rho in (0.0, 0.3, 0.6, 0.8)}
    return Check(
        "pairs taken for independent samples",
        "IV.E, Table 8",
        "IV.E: “Mitigation effectiveness uses two-sample Mann-Whitney U”",
        f"rejects where nothing differs, if gaps of a template correlate by {', '.join(f'{rho:g}' for rho in sizes)}: "
        f"{', '.join(f'{100 * size:.2g}' for size in sizes.values())} %",
        f"Φ(z / √(1 − ρ_S)), z = {norm.ppf(0.05):.3f}, ρ_S = 6/π · arcsin(ρ/2); both samples are of the same {n} templates",
        "open",
        "Where the two gaps of a template are alike, a false star is rarer than stated, and effects are missed that a paired "
        "test would find.",
    )


def _elaboration_effects(printed: Printed) -> Check:
    r, n, m = _rows(printed, "r", "elaboration_depth"), printed.templates(), printed.said("comparisons").value
    rank = len(printed.words("table8_mitigation", "r", *BY))
    p = {key: mann_whitney_p(number.value, n) for key, number in r.items()}
    weakest = max(p, key=lambda key: p[key])
    adjusted, two_sided = p[weakest] * m / rank, 2 * p[weakest] * m / rank
    z, due = float(norm.isf(p[weakest])), float(norm.isf(0.05 * rank / m))
    before, after = (_rows(printed, column, "elaboration_depth") for column in ("baseline", "mitigated"))
    return Check(
        "effects on elaboration",
        "Table 8, VII.C",
        "Significant for GPT-OSS: " + ", ".join(f"r = {number.text}" for number in r.values()),
        f"adjusted p = {adjusted:.4f} without ties; below .05 if ties take {100 * (1 - (z / due) ** 2):.1f} % off the "
        f"variance; two-sided {two_sided:.3f}",
        "; ".join(f"{before[key].text} to {after[key].text}: p = {value:.4f}" for key, value in p.items())
        + f"; {p[weakest]:.4f} × {m:.0f}/{rank} = {adjusted:.4f}",
        "consistent" if two_sided < 0.05 else "open",
        "Counts of clusters are tied often enough that the two stars can stand, one-sided. They depend on that choice: "
        "two-sided neither would be significant.",
    )


def _words_for_r(printed: Printed) -> Check:
    r, labels = printed.column("table8_mitigation", "r", *BY), printed.words("table8_mitigation", "label", *BY)
    by_d = [key for key, number in r.items() if d_label(number.value) == labels[key]]
    by_r = [key for key, number in r.items() if r_label(number.value) == labels[key]]
    return Check(
        "words for r",
        "Table 8, IV.E",
        "; ".join(f"{number.text} {labels[key]}" for key, number in r.items()),
        f"{len(by_d)} of {len(r)} words follow from the bounds of IV.E, {len(by_r)} from .1, .3, .5",
        "bounds .2, .5, .8 are stated for d; none are for r",
        "open" if len(by_r) == len(r) else "inconsistent",
        "Presumably the usual bounds for correlations; one clause would say so.",
    )


def _increase(printed: Printed) -> Check:
    before, after = printed.said("qwen3-32b_verbosity"), printed.said("blind_verbosity")
    return Check(
        "increase of verbosity",
        "VII.D, IV.E",
        f"{printed.quote('blind_verbosity')}, “not statistically significant”",
        f"{after.value / before.value - 1:+.0%}; no p of a test that could reject is printed".replace("%", " %"),
        f"{after.text} / {before.text} = {after.value / before.value:.3f}; IV.E tests whether mitigated gaps are smaller",
        "open",
        "A one-sided test for a decrease is never significant for an increase, however large. The sentence needs a two-sided "
        "test.",
    )


def _stylistic_null(printed: Printed) -> Check:
    n, m = printed.templates(), printed.said("comparisons").value
    rank = len(printed.words("table8_mitigation", "r", *BY)) + 1
    error = math.sqrt((2 * n + 1) / (3 * n * n))
    r = (float(norm.isf(0.05 * rank / m)) + float(norm.isf(0.2))) * error
    lower = (1 + r) / 2
    return Check(
        "no effect on style",
        "Table 8, VII.D, abstract",
        "Abstract: “no significant effect on stylistic dimensions”",
        f"power .8 needs r = {r:.2f}: for exponential gaps a reduction by {100 * (1 - (1 - lower) / lower):.0f} %",
        f"(z(.05 × {rank}/{m:.0f}) + z(.2)) · √((2n + 1)/(3n²)), n = {n}; P(mitigated < baseline) = (1 + r)/2 = {lower:.3f}; "
        f"ratio of "
        "exponential means (1 − P)/P",
        "open",
        "A reduction by a third would have gone unseen more often than not, so the absence of a significant effect does not "
        "show that prompts leave style alone.",
    )


CHECKS = (
    _comparisons, _pairing, _efp_reductions, _efp_effects, _elaboration_effects, _words_for_r, _increase, _stylistic_null,
)  # fmt: skip
