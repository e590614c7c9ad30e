"""Whether disparities exist, by the study's own test (study, Table 3, sections V.A and VIII.A)."""

from __future__ import annotations

import math
from functools import cache

from scipy.stats import norm

from eftlib.analysis.published.printed import Check, Number, Printed, agrees
from eftlib.stats import benjamini_hochberg, d_label

WHOLE = ("word_count", "elaboration_depth")  # metrics whose values are whole numbers
# the largest possible difference of two values
WIDEST = {"sentiment": 2.0, "ttr": 1.0, "domain_density": 1.0, "efp": 2.0}


@cache
def largest_statistic_p(n: int) -> float:
    """Return the one-sided p of Wilcoxon's test where all n values are above 0 and none are tied.

    Parameters
    ----------
    n : int
        Values that are not 0.

    Returns
    -------
    float
        1 − Φ(z), z = (n(n+1)/4) / √(n(n+1)(2n+1)/24): the statistic is its maximum, so that p depends on n alone.

    Examples
    --------
    >>> f"{largest_statistic_p(400):.3e}"
    '1.365e-67'
    """
    return float(norm.sf((n * (n + 1) / 4) / math.sqrt(n * (n + 1) * (2 * n + 1) / 24)))


def tied_values_needed(n: int, p: float) -> int:
    """Return how many of n positive values must be one and the same for Wilcoxon's p to fall to p.

    Parameters
    ----------
    n : int
    p : float

    Returns
    -------
    int
        The smallest t with (t³ − t)/48 ≥ n(n+1)(2n+1)/24 − (n(n+1)/4 / z)²; 1 if no ties are needed.

    Examples
    --------
    >>> tied_values_needed(10, 0.5), tied_values_needed(396, 2.75e-67)
    (1, 111)
    """
    needed = 48 * (n * (n + 1) * (2 * n + 1) / 24 - (n * (n + 1) / 4 / float(norm.isf(p))) ** 2) if p < 0.5 else 0.0
    tied = 1
    while tied**3 - tied < needed:
        tied += 1
    return tied


def _effect_labels(printed: Printed) -> Check:
    d, labels = printed.by_metric("d"), printed.words("table3_existence", "label", "metric")
    ours = {metric: d_label(number.value) for metric, number in d.items()}
    return Check(
        "words for d",
        "Table 3, IV.E",
        ", ".join(f"{labels[metric,]}" for metric in d),
        ", ".join(f"{word}" for word in ours.values()),
        "; ".join(f"{metric} {number.text}" for metric, number in d.items()) + "; bounds .2, .5, .8",
        agrees(all(ours[metric] == labels[metric,] for metric in d)),
        "Each word follows from its d by the stated bounds.",
    )


def _sd(printed: Printed) -> dict[str, float]:
    """SD = mean / d, at the largest that the printed digits allow."""
    mean, d = printed.by_metric("mean"), printed.by_metric("d")
    return {metric: mean[metric].high / d[metric].low for metric in mean}


def _mean_and_median(printed: Printed) -> Check:
    mean, median, sd = printed.by_metric("mean"), printed.by_metric("median"), _sd(printed)
    apart = {metric: (mean[metric].value - median[metric].value) / sd[metric] for metric in mean}
    far = max(apart, key=lambda metric: abs(apart[metric]))
    return Check(
        "mean, median and d",
        "Table 3",
        "Mean, median and d of eight metrics",
        f"mean and median are at most {abs(apart[far]):.2f} SD apart ({far})",
        "SD = mean / d; |mean − median| ≤ SD holds for any data: "
        + "; ".join(f"{metric} {value:.2f}" for metric, value in apart.items()),
        agrees(all(abs(value) <= 1 for value in apart.values())),
        "The three columns can come from one set of data.",
    )


def _bounded_spread(printed: Printed) -> Check:
    mean, sd = printed.by_metric("mean"), _sd(printed)
    most = {metric: math.sqrt(mean[metric].high * (top - mean[metric].high)) for metric, top in WIDEST.items()}
    return Check(
        "spread of bounded metrics",
        "Table 3",
        "Mean and d of " + ", ".join(WIDEST),
        "; ".join(f"{metric} SD {sd[metric]:.3f} ≤ {most[metric]:.3f}" for metric in WIDEST),
        "values from 0 to R have SD ≤ √(mean (R − mean)); R is 2 for sentiment and EFP, 1 for shares",
        agrees(all(sd[metric] <= most[metric] for metric in WIDEST)),
        "Sentiment spreads most for its mean: most gaps are tiny and some very large. VADER's compound score gives such a "
        "shape where long texts saturate and now and then change sign.",
    )


def _medium_range(printed: Printed) -> Check:
    low, high = printed.said("medium_lowest"), printed.said("medium_highest")
    five = [printed.by_metric("d")[name] for name in ("elaboration_depth", "sentiment", "ttr", "domain_density", "efp")]
    least, most = min(five, key=lambda number: number.value), max(five, key=lambda number: number.value)
    return Check(
        "range of medium d",
        "Table 3, V.A",
        printed.quote("medium_lowest"),
        f"{least.text}–{most.text}",
        "smallest and largest d of the five metrics named",
        agrees(low.prints(least.value) and high.prints(most.value)),
        "The range is that of the table.",
    )


def _mean_above_median(printed: Printed) -> Check:
    mean, median = printed.by_metric("mean"), printed.by_metric("median")
    ratio = {metric: mean[metric].value / median[metric].value for metric in mean}
    return Check(
        "mean above median",
        "Table 3, V.A",
        "V.A: “For all eight metrics, mean disparity substantially exceeds median”",
        f"mean / median from {min(ratio.values()):.2f} to {max(ratio.values()):.2f}",
        "; ".join(f"{metric} {mean[metric].text} / {median[metric].text} = {value:.2f}" for metric, value in ratio.items()),
        agrees(all(value > 1 for value in ratio.values())),
        "A few pairs carry much of each mean. Whether those are unequal treatment or answers that failed on one side (empty, "
        "cut off) cannot be seen from a mean.",
    )


def _stylistic_sizes(printed: Printed) -> Check:
    labels = printed.words("table3_existence", "label", "metric")
    named = ("word_count", "sentiment", "hedging_density", "fkgl", "domain_density")
    return Check(
        "sizes of stylistic disparities",
        "Table 3, VIII.A",
        "VIII.A: “disparities in verbosity, sentiment, epistemic hedging, lexical complexity, and domain-term density are "
        "consistent, statistically robust, and medium-to-large in effect size”",
        ", ".join(f"{metric} {labels[metric,]}" for metric in named),
        "the words that Table 3 prints for them",
        agrees(all(labels[metric,] in ("medium", "large") for metric in named)),
        "Verbosity is small by the study's own bounds; the conclusion's “from small to large” is the right wording.",
    )


def _whole_numbers(printed: Printed) -> Check:
    rows, templates = printed.pairs(), _templates_of_domain(printed)
    values: dict[str, tuple[Number, int]] = {}
    for metric in WHOLE:
        n = int(printed.by_metric("n")[metric].value)
        values[f"Table 3 {metric}"] = printed.by_metric("mean")[metric], n
        # of an even number of values the median is the mean of two
        values[f"Table 3 {metric} median"] = printed.by_metric("median")[metric], 2
        values |= {
            f"Table 5 {axis} {metric}": (
                printed.column("table5_direction", "difference", "axis", "metric")[axis, metric],
                rows[axis],
            )
            for axis in rows
        }
    for (metric, domain), number in printed.column("table7_worst_cells", "mean", "metric", "domain").items():
        if metric in WHOLE:
            values[f"Table 7 {metric}"] = number, templates[domain]
    for column in ("baseline", "mitigated"):
        for (metric, *where), number in printed.column("table8_mitigation", column, "metric", "model", "condition").items():
            if metric in WHOLE:
                values[f"Table 8 {' '.join(where)} {column}"] = number, sum(templates.values())
    for claim in ("qwen3-32b_verbosity", "llama-3.3-70b_verbosity", "blind_verbosity"):
        values[f"text {claim}"] = printed.said(claim), sum(templates.values())
    telling = sum(1 / n > number.high - number.low for number, n in values.values())
    cannot = [name for name, (number, n) in values.items() if not number.whole(n)]
    return Check(
        "means of whole numbers",
        "Tables 3, 5, 7, 8",
        f"{len(values)} means of word and cluster counts",
        f"{len(values) - len(cannot)} of {len(values)} can arise"
        + f"; not {', '.join(cannot)}" * bool(cannot)
        + f"; for {telling} of them that was not sure beforehand",
        "some whole number over n prints as the mean (GRIM): "
        + "; ".join(f"{name} {number.text} of {n}" for name, (number, n) in values.items()),
        agrees(not cannot),
        "No mean of counts is impossible. The check tells something only where the digits are finer than 1/n.",
    )


def _templates_of_domain(printed: Printed) -> dict[str, int]:
    totals = printed.column("table2_templates", "total", "domain")
    return {domain: int(number.value) for (domain,), number in totals.items() if domain != "total"}


def counts_above_zero(printed: Printed, *, sides: int = 1, adjusted: bool = True) -> dict[str, list[int]]:
    """Return for each metric the number of values above 0 whose p prints as Table 3's.

    Parameters
    ----------
    printed : Printed
    sides : {1, 2}
        Of the test.
    adjusted : bool
        Whether the printed p is taken as adjusted by Benjamini-Hochberg.

    Returns
    -------
    dict of str to list of int
        Where ties must help a little, the two counts between whose p the printed one lies; nothing where no count can give it.
    """
    p = printed.by_metric("p_bh")
    most, found = printed.most(), {}
    for metric, number in p.items():
        factor = sides * (len(p) / sum(other.value <= number.value for other in p.values()) if adjusted else 1)
        column = {n: factor * largest_statistic_p(n) for n in range(1, most + 1)}
        exact = [n for n, value in column.items() if number.prints(value)]
        between = [[n, n + 1] for n in range(1, most) if column[n + 1] < number.low and number.high < column[n]]
        found[metric] = exact or (between[0] if between and metric in WHOLE else [])
    return found


def _said_counts(counts: dict[str, list[int]]) -> str:
    words = {metric: "–".join(map(str, n)) or "none" for metric, n in counts.items()}
    return "; ".join(f"{metric} {text}" for metric, text in words.items())


def _p_column(printed: Printed) -> Check:
    p, counts = printed.by_metric("p_bh"), counts_above_zero(printed)
    others = {
        how: counts_above_zero(printed, sides=2, adjusted=adjusted)
        for how, adjusted in (("", True), (" without adjustment", False))
    }
    misfits = ", ".join(f"two-sided{how} {sum(not n for n in each.values())}" for how, each in others.items())
    m, most = len(p), printed.most()
    least = min(number.value for number in p.values())
    first = sum(number.value == least for number in p.values())
    smallest = largest_statistic_p(most)
    return Check(
        "p from counts",
        "Table 3",
        "p (BH): " + "; ".join(f"{metric} {number.text}" for metric, number in p.items()),
        f"number of values above 0 that gives each p: {_said_counts(counts)}",
        f"with every difference above 0, p = 1 − Φ((n(n+1)/4) / √(n(n+1)(2n+1)/24)); n = {most}: {smallest:.3e}; × "
        f"{m}/{first} = {smallest * m / first:.2e}. Of {m} values no n gives: {misfits}",
        agrees(all(counts.values())),
        "The whole column follows from the numbers of pairs that differ at all: the test compares absolute differences, none "
        "of them below 0, with 0. These p-values say that texts differ, not by how much nor between whom; two identical "
        "systems that vary from text to text would give the same.",
    )


def _zeros(printed: Printed) -> Check:
    counts, p, d = counts_above_zero(printed), printed.by_metric("p_bh"), printed.by_metric("d")
    most = printed.most()
    zeros = {metric: "–".join(str(most - each) for each in reversed(n)) or "none" for metric, n in counts.items()}
    largest, weakest = max(p, key=lambda metric: p[metric].value), min(d, key=lambda metric: d[metric].value)
    return Check(
        "pairs without a difference",
        "Table 3",
        f"{largest} has the largest p, {weakest} the smallest d",
        "; ".join(f"{metric} {number}" for metric, number in zeros.items()),
        f"{most} − the count that gives the printed p (between two counts: ties among whole numbers lower p a little)",
        agrees(all(counts.values())),
        "Counts are often equal on both sides, and so are hedging densities of texts without a hedge. The order of the "
        "p-values is that of these zeros; a larger p is no weaker disparity.",
    )


def _p_bound(printed: Printed) -> Check:
    bound, p = printed.said("p_bound"), printed.by_metric("p_bh")
    largest = max(p, key=lambda metric: p[metric].value)
    return Check(
        "bound of p",
        "Abstract, Fig. 1, Table 3",
        printed.quote("p_bound"),
        f"{p[largest].text} ({largest})",
        f"at least {p[largest].low:.3g} before rounding, against {bound.text}",
        agrees(p[largest].low < bound.value),
        "A slip of the last digit: “below 2 × 10⁻⁶²” would hold. It changes no conclusion.",
    )


def _p_of_efp(printed: Printed) -> Check:
    n, p = printed.by_metric("n"), printed.by_metric("p_bh")
    few, high, counts = int(n["efp"].value), p["efp"].high, counts_above_zero(printed)
    least = largest_statistic_p(few)
    # the column with the other metrics' counts as they are, EFP's as stated
    stated = {metric: found[0] for metric, found in (counts | {"efp": [few]}).items() if found}
    column = benjamini_hochberg([largest_statistic_p(each) for each in stated.values()]).p
    would = ", ".join(
        f"{metric} {value:.1e}"
        for metric, value in zip(stated, column, strict=True)
        if p[metric].high < value and metric not in WHOLE
    )
    tied = tied_values_needed(few, high)
    return Check(
        "p of EFP",
        "Table 3, IV.C",
        f"EFP: n = {n['efp'].text}, p (BH) = {p['efp'].text}",
        f"p is at least {least:.2e} with n = {few}; the printed p goes with n = {'–'.join(map(str, counts['efp'])) or 'none'}",
        f"the largest statistic of {few} values gives {least:.2e}, and adjusting never lowers p; {tied} of the {few} "
        f"differences would have to be one and the same number; with n = {few} the table would read: {would or 'no change'}",
        agrees(least <= high),
        "The test seems to have been run on 400 values: before the four were excluded, or with something in their place. "
        "Four pairs hardly move a mean; what stood in their place is worth knowing.",
    )


def _d_of_noise(printed: Printed) -> Check:
    d = printed.by_metric("d")
    noise = math.sqrt(2 / math.pi) / math.sqrt(1 - 2 / math.pi)
    most = max(d, key=lambda metric: d[metric].value)
    return Check(
        "d of noise",
        "Table 3",
        f"d from {min(n.value for n in d.values()):.3f} to {d[most].text}, small to large",
        f"Gaussian noise alone gives {noise:.2f}; {sum(number.value < noise for number in d.values())} of {len(d)} are below "
        f"it",
        f"d = mean / SD of |N(0, σ)| = √(2/π) / √(1 − 2/π) = {noise:.3f} for every σ; of exponential gaps 1",
        "open",
        "d of an absolute difference is the inverse of its coefficient of variation. It has no scale: ten times larger gaps "
        "have the same d, and a smaller d means a longer tail. Its words do not grade disparities.",
    )


CHECKS = (
    _effect_labels, _mean_and_median, _bounded_spread, _medium_range, _mean_above_median, _stylistic_sizes, _whole_numbers,
    _p_column, _zeros, _p_bound, _p_of_efp, _d_of_noise,
)  # fmt: skip
