"""How many templates, pairs and explanations there are (study, Tables 1, 2 and 5, sections I.A, IV.C, IV.D, V.B and V.C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from eftlib.analysis.published.printed import Check, Printed, agrees
from eftlib.benchmark import AXES, DOMAINS
from eftlib.metrics import METRICS


def _templates(printed: Printed) -> dict[str, dict[str, int]]:
    columns = {name: printed.column("table2_templates", name, "domain") for name in (*AXES, "total")}
    return {row: {name: int(column[(row,)].value) for name, column in columns.items()} for row in (*DOMAINS, "total")}


def _sums(parts: Mapping[str, list[int]]) -> str:
    return "; ".join(f"{name} {' + '.join(map(str, values))} = {sum(values)}" for name, values in parts.items())


def _templates_by_domain(printed: Printed) -> Check:
    table = _templates(printed)
    parts: dict[str, list[int]] = {domain: [table[domain][axis] for axis in AXES] for domain in DOMAINS}
    return Check(
        "templates by domain",
        "Table 2",
        "Totals " + ", ".join(f"{table[domain]['total']}" for domain in DOMAINS),
        ", ".join(f"{sum(values)}" for values in parts.values()),
        _sums(parts),
        agrees(all(sum(values) == table[domain]["total"] for domain, values in parts.items())),
        "Every domain has the templates that the text says.",
    )


def _templates_by_axis(printed: Printed) -> Check:
    table = _templates(printed)
    parts: dict[str, list[int]] = {axis: [table[domain][axis] for domain in DOMAINS] for axis in AXES}
    total = table["total"]
    fits = all(sum(values) == total[axis] for axis, values in parts.items())
    return Check(
        "templates by axis",
        "Table 2",
        "Totals " + ", ".join(f"{total[name]}" for name in (*AXES, "total")),
        ", ".join(str(sum(values)) for values in [*parts.values(), [total[axis] for axis in AXES]]),
        _sums(parts) + "; " + _sums({"total": [total[axis] for axis in AXES]}),
        agrees(fits and sum(total[axis] for axis in AXES) == total["total"]),
        "The axes differ in size by a factor of four, which matters wherever they are compared.",
    )


def _pairs_by_axis(printed: Printed) -> Check:
    total, n = _templates(printed)["total"], printed.pairs()
    every = printed.column("table5_direction", "n", "axis", "metric")
    models = len(printed.words("table6_models", "mean_rank", "model"))
    pairs: dict[str, int] = {axis: total[axis] * models for axis in AXES}
    fits = all(number.value == pairs[axis] for (axis, _), number in every.items()) and n == pairs
    largest = printed.most()
    return Check(
        "pairs by axis",
        "Tables 2, 3, 5",
        "n = " + ", ".join(str(n[axis]) for axis in AXES) + f"; all {largest}",
        ", ".join(map(str, pairs.values())) + f"; all {sum(pairs.values())}",
        "; ".join(f"{axis} {total[axis]} × {models} = {pairs[axis]}" for axis in AXES),
        agrees(fits and sum(pairs.values()) == largest),
        "A pair is a template and a model. The five pairs of a template share its scenario and names, so that they are not "
        "independent observations.",
    )


def _pairs_for_efp(printed: Printed) -> Check:
    n = {metric: int(number.value) for metric, number in printed.by_metric("n").items()}
    missing = [int(printed.said(f"missing_{model}").value) for model in ("qwen3-32b", "gpt-oss-120b")]
    others = {count for metric, count in n.items() if metric != "efp"}
    full = max(others)
    return Check(
        "pairs for EFP",
        "Table 3, IV.C",
        f"n = {n['efp']} for EFP, {full} elsewhere",
        f"{full - sum(missing)}",
        f"{full} − {sum(missing)} missing contrastive explanations = {full - sum(missing)}",
        agrees(n["efp"] == full - sum(missing) and len(others) == 1),
        "The count itself is right; the p-value printed for EFP does not go with it (see “p of EFP”).",
    )


def _pairs_on_all_metrics(printed: Printed) -> Check:
    claim, n = printed.said("pairs_on_all_metrics"), printed.by_metric("n")
    fewest = min(n.values(), key=lambda number: number.value)
    return Check(
        "pairs on all metrics",
        "Table 3, I.A",
        printed.quote("pairs_on_all_metrics"),
        f"{fewest.text} pairs have all eight",
        f"the smallest n of Table 3, against {claim.text}",
        agrees(fewest.value == claim.value),
        "The abstract's “up to 400” is the right wording; nothing else depends on it.",
    )


def _mitigated_explanations(printed: Printed) -> Check:
    claim, templates = printed.said("mitigated_explanations"), _templates(printed)["total"]["total"]
    rows = printed.table("table8_mitigation")
    cells = templates * rows["model"].nunique() * rows["condition"].nunique()
    return Check(
        "mitigated explanations",
        "IV.D, Table 8",
        printed.quote("mitigated_explanations"),
        f"{cells} pairs, hence {2 * cells} explanations, and {4 * cells} with the contrastive ones that EFP needs",
        f"{templates} × 2 models × 2 conditions = {cells}; × 2 sides = {2 * cells}; × 2 decisions = {4 * cells}",
        "open" if cells == claim.value else "inconsistent",
        "If the number counts pairs, all is well. If it counts texts, no difference of a pair could be taken. Whether "
        "contrastive explanations were collected under mitigation is not said, and the mitigated EFP rests on them.",
    )


def _metrics_by_dimension(printed: Printed) -> Check:
    found = Counter(METRICS[metric].dimension for metric in printed.by_metric("n") if metric in METRICS)
    return Check(
        "metrics by dimension",
        "Tables 1, 3",
        "Eight metrics over five dimensions",
        f"{found.total()} over {len(found)}",
        " + ".join(map(str, found.values())) + f" = {found.total()}",
        agrees(found.total() == 8 and len(found) == 5),
        "The families of tests have the size that the text gives them.",
    )


def _single_axis_sizes(printed: Printed) -> Check:
    n = [count for axis, count in printed.pairs().items() if axis != "intersectional"]
    low, high = printed.said("single_axis_smallest").value, printed.said("single_axis_largest").value
    return Check(
        "sizes of single axes",
        "Table 5, V.C",
        printed.quote("single_axis_smallest"),
        f"n = {min(n)}–{max(n)}",
        f"smallest and largest n of the axes but the intersectional one, against {low:.0f}–{high:.0f}",
        agrees((min(n), max(n)) == (low, high)),
        "Religion is a single axis too, and hardly larger than the intersectional sample.",
    )


def _smallest_axis(printed: Printed) -> Check:
    n, total = printed.pairs(), _templates(printed)["total"]
    smallest = min(n, key=lambda axis: n[axis])
    stated = (printed.said("religion_pairs").value, printed.said("religion_templates").value)
    return Check(
        "the smallest axis",
        "Tables 2, 5, V.B",
        printed.quote("religion_pairs"),
        f"{smallest}: n = {n[smallest]} from {total[smallest]} templates",
        f"religion n = {n['religion']} from {total['religion']} templates (the text: {stated[0]:.0f} from {stated[1]:.0f}); "
        f"{smallest} n = {n[smallest]}",
        agrees(smallest == "religion" and stated == (n["religion"], total["religion"])),
        "The caution that the text attaches to religion applies to the intersectional axis as well; it has the "
        "second-highest mean d.",
    )


CHECKS = (
    _templates_by_domain, _templates_by_axis, _pairs_by_axis, _pairs_for_efp, _pairs_on_all_metrics, _mitigated_explanations,
    _metrics_by_dimension, _single_axis_sizes, _smallest_axis,
)  # fmt: skip
