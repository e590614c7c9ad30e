"""What the study's printed numbers imply about each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from scipy import stats

from eftlib.files import data_dir
from eftlib.stats import wilcoxon_one_sample

Verdict = Literal["consistent", "inconsistent", "ambiguous"]
Row = tuple[str, str, str, str, Verdict, str]
COLUMNS = ["check", "table", "printed", "recomputed", "arithmetic", "verdict", "reason"]
MODELS, METRICS, TEMPLATES, COMPARISONS = 5, 8, 80, 32  # study, IV and VII.A
NAMES = [
    "table2_templates", "table3_existence", "table4_axes", "table5_direction", "table6_models", "table7_worst_cells",
    "table8_mitigation", "text_claims",
]  # fmt: skip


def published_checks(folder: Path | None = None) -> pd.DataFrame:
    """Recompute what the study's printed numbers imply about each other.

    Parameters
    ----------
    folder : Path, optional
        Where the transcribed tables lie, by default ``data/published``.

    Returns
    -------
    pandas.DataFrame
        One row a check: ``check table printed recomputed arithmetic verdict reason``; the verdict is ``consistent``,
        ``inconsistent`` or ``ambiguous``.

    Notes
    -----
    Source: the study, Tables 2 to 8 and sections IV to VII.
    """
    place = data_dir() / "published" if folder is None else folder
    tables = {name: pd.read_csv(place / f"{name}.csv", keep_default_na=False) for name in NAMES}
    return pd.DataFrame([(name, *check(tables)) for name, check in _CHECKS.items()], columns=COLUMNS)


Tables = dict[str, pd.DataFrame]


def _verdict(holds: object) -> Verdict:
    return "consistent" if holds else "inconsistent"


def _said(tables: Tables, claim: str) -> float:
    return float(tables["text_claims"].set_index("claim")["value"].loc[claim])


def _template_totals(tables: Tables) -> Row:
    table = tables["table2_templates"].set_index("domain")
    cells = table.drop(index="total", columns="total")
    holds = (cells.sum() == table.loc["total"].drop("total")).all() and (
        cells.sum(axis=1) == table["total"].drop("total")
    ).all()
    found, printed = int(cells.to_numpy().sum()), int(table["total"].loc["total"])
    return "Table 2", str(printed), str(found), "sums of rows and columns", _verdict(holds and found == printed), ""


def _pairs_per_axis(tables: Tables) -> Row:
    templates = tables["table2_templates"].set_index("domain").loc["total"].drop("total")
    printed = tables["table5_direction"].groupby("axis", sort=False)["n"].unique().map(list)
    found = {axis: MODELS * int(templates[axis]) for axis in printed.index}
    holds = all(printed[axis] == [n] for axis, n in found.items())
    shown = ", ".join("/".join(map(str, each)) for each in printed)
    return "Tables 2 and 5", shown, ", ".join(map(str, found.values())), "templates x 5 models", _verdict(holds), ""


def _smallest_axis(tables: Tables) -> Row:
    templates = tables["table2_templates"].set_index("domain").loc["total"].drop("total").astype(int)
    found = str(templates.idxmin())
    reason = "" if found == "religion" else f"{found} has {templates.min()} templates, religion {templates['religion']}"
    return "Table 2, V.B", "religion", found, "axis with the fewest templates", _verdict(found == "religion"), reason


def _labels(tables: Tables) -> Row:
    table = tables["table3_existence"]
    found = ["negligible" if d < 0.2 else "small" if d < 0.5 else "medium" if d < 0.8 else "large" for d in table["d"]]
    holds = found == list(table["label"])
    return "Table 3", ", ".join(table["label"]), ", ".join(found), "d against 0.2, 0.5, 0.8 (IV.E)", _verdict(holds), ""


def _mean_above_median(tables: Tables) -> Row:
    table = tables["table3_existence"]
    above = int((table["mean"] > table["median"]).sum())
    return "Table 3, V.A", str(METRICS), str(above), "metrics with mean > median", _verdict(above == METRICS), ""


def _p_bound(tables: Tables) -> Row:
    bound, largest = _said(tables, "p_bound"), tables["table3_existence"]["p_bh"].max()
    reason = "" if largest < bound else "one printed p is just above the bound; nothing depends on it"
    return "Table 3, abstract", f"all p < {bound:g}", f"{largest:g}", "largest printed p", _verdict(largest < bound), reason


def _efp_pairs(tables: Tables) -> Row:
    table = tables["table3_existence"].set_index("metric")
    n, p = int(table["n"].loc["efp"]), float(table["p_bh"].loc["efp"])
    smallest = wilcoxon_one_sample(np.arange(1, n + 1), alternative="greater").p
    holds = p >= smallest * 0.98  # the printed p has two digits
    reason = "" if holds else "an adjusted p is never below the raw one; without many equal values, this p needs more pairs"
    arithmetic = "smallest one-sided p of n positive values, no ties: z = sqrt(6 n (n+1) / (2n+1)) / 2"
    return "Table 3", f"n {n}, p {p:g}", f"p at least {smallest:.3g}", arithmetic, _verdict(holds), reason


def _worst_axes(tables: Tables) -> Row:
    found = int(tables["table4_axes"]["worst"].sum())
    return "Table 4", str(METRICS), str(found), "sum of '# worst'", _verdict(found == METRICS), ""


def _religion_worst(tables: Tables) -> Row:
    printed = int(tables["table4_axes"].set_index("axis")["worst"].loc["religion"])
    # the only cells above 1 are religion's, so they are the first of their metrics
    cells = [_said(tables, "religion_elaboration_d"), _said(tables, "religion_fkgl_d")]
    found = sum(d > 1 for d in cells) if _said(tables, "cells_above_one") == len(cells) else 0
    reason = "" if printed >= found else "'# worst' may count another quantity than d; the study does not say"
    return "Table 4, V.B", str(printed), f"at least {found}", "cells with d > 1", _verdict(printed >= found), reason


def _religion_sign_test(tables: Tables) -> Row:
    share, p = _said(tables, "religion_elaboration_share"), _said(tables, "religion_elaboration_p")
    n = int(tables["table5_direction"].query("axis == 'religion'")["n"].iloc[0])
    found = [
        stats.binomtest(less, less + more, alternative=kind).pvalue
        for less in range(1, n + 1)
        for more in range(n - less + 1)
        if share in (round(less / n, 2), round(less / (less + more), 2))
        for kind in ("two-sided", "greater")
    ]
    nearest = min(found, key=lambda each: abs(each - p), default=math.nan)
    holds = abs(nearest - p) <= 0.0005
    reason = "" if holds else "no split of the pairs gives this share and this p; the counts would settle it"
    arithmetic = "exact sign tests, one- and two-sided, of every split with this share"
    return "V.D", f"{share:.0%}, p {p:g}", f"nearest p {nearest:.4f}", arithmetic, _verdict(holds), reason


def _mean_ranks(tables: Tables) -> Row:
    sums = tables["table6_models"]["mean_rank"] * METRICS
    found, expected = int(sums.round().sum()), METRICS * MODELS * (MODELS + 1) // 2
    holds = found == expected and (abs(sums - sums.round()) <= 0.005 * METRICS + 1e-9).all()
    shown = ", ".join(f"{each:.0f}" for each in sums)
    return "Table 6", str(expected), f"{shown}: {found}", "mean ranks x 8 are whole, sum 8 x 15", _verdict(holds), ""


def _last_two(tables: Tables) -> Row:
    ranks = tables["table6_models"].set_index("model")["mean_rank"]
    found = round(float(ranks[["gpt-4.1", "llama-3.3-70b"]].sum()) * METRICS)
    expected = METRICS * (MODELS + MODELS - 1)
    reason = "" if found == expected else "one of the two is third or better on some metric; they are last on average"
    return (
        "Table 6, VI.A",
        str(expected),
        str(found),
        "rank sum if always 4th and 5th: 8 x 9",
        _verdict(found == expected),
        reason,
    )


def _worst_models(tables: Tables) -> Row:
    cells = dict(zip(tables["table7_worst_cells"]["metric"], tables["table7_worst_cells"]["model"], strict=True))
    ranked = tables["table6_models"]
    worst = {metric: row.model for row in ranked.itertuples() for metric in str(row.worst_on).split()}
    same = sum(cells.get(metric) == model for metric, model in worst.items())
    return "Tables 6 and 7", str(METRICS), str(same), "metrics with the same worst model", _verdict(same == METRICS), ""


def _words_ratio(tables: Tables) -> Row:
    printed = _said(tables, "words_ratio")
    found = _said(tables, "qwen_words") / _said(tables, "llama_words")
    return (
        "VI.A",
        f"{printed:g}",
        f"{found:.3f}",
        f"{_said(tables, 'qwen_words'):g} / {_said(tables, 'llama_words'):g}",
        _verdict(abs(found - printed) <= 0.05),
        "",
    )


def _reductions(tables: Tables) -> Row:
    table = tables["table8_mitigation"].query("metric == 'efp'")
    cuts = 1 - table["mitigated"] / table["baseline"]
    printed = (_said(tables, "reduction_lowest"), _said(tables, "reduction_highest"))
    holds = (round(cuts.min(), 2), round(cuts.max(), 2)) == printed
    shown = f"{printed[0]:.0%} to {printed[1]:.0%}"
    return "Table 8, VII.B", shown, f"{cuts.min():.1%} to {cuts.max():.1%}", "1 - mitigated / baseline", _verdict(holds), ""


def _whole_clusters(tables: Tables) -> Row:
    table = tables["table8_mitigation"].query("metric == 'elaboration_depth'")
    means = [*table["baseline"], *table["mitigated"]]
    holds = all(abs(round(mean * TEMPLATES) / TEMPLATES - mean) <= 0.0005 + 1e-9 for mean in means)
    found = ", ".join(f"{mean * TEMPLATES:.2f}" for mean in means)
    return "Table 8", ", ".join(map(str, means)), found, "mean x 80 is whole, within rounding", _verdict(holds), ""


def _rank_p(r: float) -> float:
    """One-sided p of Mann-Whitney's U with 80 against 80, from r = 1 - 2 U / 6400, without ties."""
    deviation = math.sqrt(TEMPLATES**2 * (2 * TEMPLATES + 1) / 12)
    return float(stats.norm.sf(r * TEMPLATES**2 / 2 / deviation))


def _efp_bound(tables: Tables) -> Row:
    bound = _said(tables, "efp_p_bound")
    p = max(_rank_p(r) for r in tables["table8_mitigation"].query("metric == 'efp'")["r"]) * COMPARISONS / 4
    return "Table 8, VII.B", f"p < {bound:g}", f"{p:.2g}", "p of the smallest r, x 32 / 4", _verdict(p < bound), ""


def _elaboration_p(tables: Tables) -> Row:
    r = tables["table8_mitigation"].query("metric == 'elaboration_depth'")["r"].min()
    p = _rank_p(r) * COMPARISONS / len(tables["table8_mitigation"])
    verdict: Verdict = "consistent" if p <= 0.05 else "ambiguous"
    reason = "" if p <= 0.05 else "without ties just above 0.05; ties lower it, so the verdict hangs on their number"
    return "Table 8", "p <= 0.05", f"{p:.4f}", "p of the smaller r, x 32 / 6, no ties", verdict, reason


_CHECKS: dict[str, Callable[[Tables], Row]] = {
    "template totals": _template_totals,
    "pairs per axis": _pairs_per_axis,
    "smallest axis": _smallest_axis,
    "labels of d": _labels,
    "mean above median": _mean_above_median,
    "bound on p": _p_bound,
    "EFP's pairs": _efp_pairs,
    "worst axes": _worst_axes,
    "religion worst": _religion_worst,
    "religion's sign test": _religion_sign_test,
    "mean ranks": _mean_ranks,
    "last two models": _last_two,
    "worst models": _worst_models,
    "ratio of words": _words_ratio,
    "reductions of EFP": _reductions,
    "whole clusters": _whole_clusters,
    "p of EFP's reductions": _efp_bound,
    "p of elaboration's reductions": _elaboration_p,
}
