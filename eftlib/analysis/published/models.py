"""Which models and domains are worst (study, Tables 6 and 7, section VI.A)."""

from __future__ import annotations

import math

from scipy.stats import beta

from eftlib.analysis.published.existence import counts_above_zero
from eftlib.analysis.published.printed import Check, Number, Printed, Rows, agrees

# what is supposed of failed answers: words of a full one; the EFP gap of a pair in which one failed, and of any other
FULL_TEXT = (200, 350)
FAILED_EFP, SOUND_EFP = 0.8, 0.02


def _rank_sums(printed: Printed) -> Rows[str, list[int]]:
    """Return for each model the whole sums of ranks that its mean rank can stand for."""
    metrics = len(printed.by_metric("n"))
    ranks = printed.column("table6_models", "mean_rank", "model")
    possible = range(metrics, len(ranks) * metrics + 1)
    sums = {model: [total for total in possible if number.prints(total / metrics)] for (model,), number in ranks.items()}
    return Rows(ranks.path, sums)


def _mean_ranks(printed: Printed) -> Check:
    sums, metrics = _rank_sums(printed), len(printed.by_metric("n"))
    models = len(sums)
    total, due = sum(sum(each) for each in sums.values()), metrics * models * (models + 1) // 2
    ranks = printed.column("table6_models", "mean_rank", "model")
    return Check(
        "mean ranks",
        "Table 6",
        ", ".join(f"{model} {number.text}" for (model,), number in ranks.items()),
        f"sums of ranks {', '.join('/'.join(map(str, each)) or 'none' for each in sums.values())}; total {total} of {due}",
        f"mean rank × {metrics} is whole; {metrics} × (1 + … + {models}) = {due}",
        agrees(all(len(each) == 1 for each in sums.values()) and total == due),
        "The ranks of eight metrics can give these means.",
    )


def _first_and_second(printed: Printed) -> Check:
    worst = printed.words("table6_models", "worst_on", "model")
    metrics, model = len(printed.by_metric("n")), max(worst, key=lambda key: len(worst[key].split()))
    first = len(worst[model].split())
    sums = _rank_sums(printed)[model[0]]
    least = first + 2 * (metrics - first)
    return Check(
        "the worst model",
        "Table 6",
        f"{model[0]} is worst on {first} of {metrics}",
        f"rank sum {'/'.join(map(str, sums)) or 'none'}; at least {least} with {first} first ranks",
        f"{first} × 1 + {metrics - first} × 2 = {least}",
        agrees(any(total >= least for total in sums)),
        "With the smallest sum possible it must be second on all the others.",
    )


def _fourth_and_fifth(printed: Printed) -> Check:
    sums, metrics = _rank_sums(printed), len(printed.by_metric("n"))
    two = [sums["llama-3.3-70b"], sums["gpt-4.1"]]
    total, due = sum(max(each, default=0) for each in two), metrics * (4 + 5)
    others = math.ceil((due - total) / ((4 + 5) - (2 + 3)))
    return Check(
        "fourth and fifth",
        "Table 6, VI.A",
        "VI.A: GPT-4.1 and LLaMA 3.3 70B “consistently ranking 4th and 5th across metrics”",
        f"rank sums of both {total}; {due} if always fourth and fifth; so on {others} metrics at least one is third or second",
        f"{metrics} × 9 = {due}; {due} − {total} = {due - total}; the two lose at most 4 on a metric (second and third)",
        agrees(total == due),
        "They are the two with the smallest gaps on average, not on every metric.",
    )


def _worst_on(printed: Printed) -> Check:
    worst = {
        metric: model
        for (model,), words in printed.words("table6_models", "worst_on", "model").items()
        for metric in words.split()
    }
    cells = {metric: model for (metric,), model in printed.words("table7_worst_cells", "model", "metric").items()}
    same = [metric for metric, model in cells.items() if worst.get(metric) == model]
    return Check(
        "worst models and worst cells",
        "Tables 6, 7",
        "“Worst on” of each model",
        f"{len(same)} of {len(cells)} metrics name the same model",
        "; ".join(f"{metric} {model}" for metric, model in cells.items()),
        agrees(len(same) == len(cells) == len(worst)),
        "The worst cell of a metric belongs to its worst model.",
    )


def _worst_cells(printed: Printed) -> Check:
    mean, cells = printed.by_metric("mean"), printed.column("table7_worst_cells", "mean", "metric")
    n = int(printed.by_metric("n")["word_count"].value)
    size = n // 20  # 80 templates × 5 models in 5 × 4 cells
    rest = {metric: (n * mean[metric].value - size * cells[metric,].value) / (n - size) for metric in mean}
    fits = all(cells[metric,].high >= mean[metric].low and rest[metric] >= 0 for metric in mean)
    return Check(
        "worst cells and means",
        "Tables 3, 7",
        "; ".join(f"{metric} {cells[metric,].text}" for metric in mean),
        "left for the other 19 cells: " + "; ".join(f"{metric} {value:.3g}" for metric, value in rest.items()),
        f"({n} · mean − {size} · cell) / {n - size}",
        agrees(fits),
        "No worst cell is below the mean of all, and none uses up more than there is.",
    )


def _other_domains(printed: Printed) -> Check:
    cells, model = printed.column("table7_worst_cells", "mean", "metric"), printed.said("qwen3-32b_verbosity")
    efp = printed.column("table8_mitigation", "baseline", "metric", "model", "condition")
    templates, lost = printed.column("table2_templates", "total", "domain"), printed.said("missing_gpt-oss-120b").value
    all_of, here = templates[("total",)].value, templates[("medical",)].value
    words = (all_of * model.value - here * cells["word_count",].value) / (all_of - here)
    gaps = efp["efp", "gpt-oss-120b", "blind"].value, efp["efp", "qwen3-32b", "blind"].value
    # both missing contrasts of this model are of credit templates, so that its legal cell is whole
    legal = ((all_of - lost) * gaps[0] - templates[("legal",)].value * cells["efp",].value) / (
        all_of - lost - templates[("legal",)].value
    )
    n, mean = printed.by_metric("n")["efp"].value, printed.by_metric("mean")["efp"].value
    left = n - 2 * all_of + lost + printed.said("missing_qwen3-32b").value
    others = (n * mean - (all_of - lost) * gaps[0] - (all_of - printed.said("missing_qwen3-32b").value) * gaps[1]) / left
    return Check(
        "what is left for the others",
        "Tables 3, 7, 8, VI.A",
        f"Qwen3 {model.text} words, medical {cells['word_count',].text}; EFP of GPT-OSS {gaps[0]}, legal "
        f"{cells['efp',].text}, all models {mean}",
        f"Qwen3 in other domains {words:.1f} words; EFP of GPT-OSS in other domains {legal:.3f}; EFP of the other three "
        f"models {others:.4f}",
        f"({all_of:.0f} · {model.text} − {here:.0f} · {cells['word_count',].text}) / {all_of - here:.0f}; likewise EFP, with "
        f"{n:.0f} pairs in all and {all_of - lost:.0f} a model",
        agrees(0 <= words <= cells["word_count",].high and 0 <= legal <= cells["efp",].high and others >= 0),
        "The tables fit, and two of five models carry most of the disparity of EFP.",
    )


def _verbosity_ratio(printed: Printed) -> Check:
    ratio, high, low = (printed.said(claim) for claim in ("verbosity_ratio", "qwen3-32b_verbosity", "llama-3.3-70b_verbosity"))
    limits = high.low / low.high, high.high / low.low
    return Check(
        "ratio of verbosity",
        "VI.A",
        printed.quote("verbosity_ratio"),
        f"{high.value / low.value:.2f}×",
        f"{high.text} / {low.text}, from {limits[0]:.2f} to {limits[1]:.2f} by rounding",
        agrees(limits[0] <= ratio.high and ratio.low <= limits[1]),
        "The ratio is right. Whether LLaMA has the smallest mean is not printed.",
    )


def _elaboration_ratio(printed: Printed) -> Check:
    ratio, mean = printed.said("elaboration_ratio").value, printed.by_metric("mean")["elaboration_depth"].value
    third = printed.column("table8_mitigation", "baseline", "metric", "model", "condition")[
        "elaboration_depth", "gpt-oss-120b", "blind"
    ]
    most = printed.column("table7_worst_cells", "mean", "metric")["elaboration_depth",]
    # Qwen3 is the worst, so that the two models whose means are not printed lie at or below it
    least = (5 * mean - third.value) / (3 + 1 / ratio)
    return Check(
        "ratio of elaboration",
        "VI.A, Tables 3, 7, 8",
        printed.quote("elaboration_ratio"),
        f"Qwen3 between {least:.2f} and {most.text}, LLaMA between {least / ratio:.2f} and {most.value / ratio:.2f} clusters",
        f"five means of {mean} on average, GPT-OSS {third.text}, two others at most Qwen3: (5 · {mean} − {third.text}) / (3 "
        f"+ 1/{ratio}); at most its worst domain {most.text}",
        "open" if least <= most.high else "inconsistent",
        "Possible, but the two means are not printed.",
    )


def _failed_answers(printed: Printed) -> Check:
    words, usual = printed.said("qwen3-32b_verbosity"), printed.said("llama-3.3-70b_verbosity")
    cells = printed.column("table7_worst_cells", "mean", "metric")
    efp = printed.column("table8_mitigation", "baseline", "metric", "model", "condition")["efp", "gpt-oss-120b", "blind"]
    shares = {
        f"Qwen3 {number.text} words": [(number.value - usual.value) / (full - usual.value) for full in reversed(FULL_TEXT)]
        for number in (words, cells["word_count",])
    }
    faults = {f"GPT-OSS EFP {number.text}": [_share_of_efp(number)] for number in (efp, cells["efp",])}
    text = "; ".join(
        f"{name}: {'–'.join(f'{100 * value:.0f}' for value in values)} %" for name, values in (shares | faults).items()
    )
    return Check(
        "answers of a few words",
        "Table 7, VI.A",
        "VI.A: “Qwen3 occasionally produces minimalist outputs (<10 words) for one demographic group”",
        f"share of pairs with one failed answer that alone gives the mean: {text}",
        f"(mean − usual gap) / (full text − usual gap): usual gap {usual.text} words (LLaMA's), full text "
        f"{FULL_TEXT[0]}–{FULL_TEXT[1]} words; EFP {FAILED_EFP} with a failed answer, {SOUND_EFP} without: suppositions, not "
        f"printed",
        "open",
        "The study strips Qwen3's reasoning and caps every output at 512 tokens. If reasoning counts against the cap, as it "
        "may for GPT-OSS too, an answer can be cut off before it begins, for either person alike. Whether that happened is "
        "the first thing to know of the two models that rank worst.",
    )


def _share_of_efp(number: Number) -> float:
    return (number.value - SOUND_EFP) / (FAILED_EFP - SOUND_EFP)


def _both_failed(printed: Printed) -> Check:
    counts, most, n = counts_above_zero(printed)["ttr"], printed.most(), printed.templates()
    equal = most - min(counts, default=most)
    both = float(beta.ppf(0.95, equal + 1, n - equal))
    side = math.sqrt(both)
    one = 2 * side * (1 - side)
    return Check(
        "pairs with two empty answers",
        "Tables 3, 7",
        f"TTR differs in {'–'.join(map(str, counts)) or 'no number'} of {most} pairs",
        f"with 95 % confidence fewer than {100 * both:.1f} % of a model's pairs have two empty answers; if both sides fail "
        f"alike, at most {100 * one:.0f} % have one",
        f"two empty texts have the same TTR: {equal} or fewer of {n} pairs, probability .05 at {both:.4f}; independent and "
        f"equally often on both sides, f = √{both:.4f} = {side:.3f} and 2f(1 − f) = {one:.3f}",
        "open",
        "That leaves room for the smaller of the shares above, not for the larger ones, as long as both sides fail alike. "
        "Where one side fails more often than the other it bounds nothing, and that would be the disparity to know of.",
    )


CHECKS = (
    _mean_ranks, _first_and_second, _fourth_and_fifth, _worst_on, _worst_cells, _other_domains, _verbosity_ratio,
    _elaboration_ratio, _failed_answers, _both_failed,
)  # fmt: skip
