"""The study's printed numbers against each other: every check with its arithmetic, and what a changed digit does to it."""

from __future__ import annotations

import csv
import math
import re
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from printed_again import KEYS, Cell, cells, figures
from scipy import stats
from shared import ROOT

from eftlib import analysis
from eftlib.analysis.published.existence import largest_statistic_p, tied_values_needed
from eftlib.analysis.published.mitigation import mann_whitney_p, unpaired_size
from eftlib.errors import InputError

PUBLISHED = ROOT / "data" / "published"
FRAME = analysis.published_checks().set_index("check")
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
VERDICTS = {"consistent", "inconsistent", "open"}

# check, verdict, what is recomputed; above each its arithmetic, by hand unless it says otherwise
CHECKS = [
    # Table 2: 7+7+2+2+2, 5+7+5+1+2, 5+8+4+2+1, 4+7+4+3+2
    ("templates by domain", "consistent", ["20, 20, 20, 20"]),
    # 7+5+5+4, 7+7+8+7, 2+5+4+4, 2+1+2+3, 2+2+1+2; 21+29+15+8+7
    ("templates by axis", "consistent", ["21, 29, 15, 8, 7, 80"]),
    # 21, 29, 15, 8, 7 times 5 models
    ("pairs by axis", "consistent", ["105, 145, 75, 40, 35; all 400"]),
    # 400 - 2 - 2
    ("pairs for EFP", "consistent", ["396"]),
    ("pairs on all metrics", "inconsistent", ["396 pairs"]),
    # 80 × 2 × 2 = 320, × 2 sides = 640, × 2 decisions = 1280
    ("mitigated explanations", "open", ["320 pairs", "640 explanations", "1280"]),
    # Table 1: 2 + 1 + 1 + 1 + 3
    ("metrics by dimension", "consistent", ["8 over 5"]),
    # Table 5: 105, 145, 75, 40
    ("sizes of single axes", "inconsistent", ["40–145"]),
    ("the smallest axis", "inconsistent", ["intersectional: n = 35 from 7 templates"]),
    # IV.E: .457 < .5; .771, .675, .590, .774, .573 in [.5, .8); .810, .856 at least .8
    ("words for d", "consistent", ["small, medium, medium, large, large, medium, medium, medium"]),
    # sentiment (.364 - .078) / (.364 / .675) = .286 / .539 = .53
    ("mean, median and d", "consistent", ["0.53 SD", "(Sentiment)"]),
    # sentiment: .3645 / .6745 = .540; √(.3645 × 1.6355) = √.5961 = .772
    ("spread of bounded metrics", "consistent", ["Sentiment SD 0.540 ≤ 0.772"]),
    ("range of medium d", "consistent", ["0.573–0.774"]),
    # .0114 / .0074 = 1.54, .364 / .078 = 4.67
    ("mean above median", "consistent", ["1.54 to 4.67"]),
    ("sizes of stylistic disparities", "inconsistent", ["Verbosity (WC) small"]),
    # 338/80 = 4.225, 254/80 = 3.175, 251/80 = 3.1375, 179/20 = 8.95, 62/40 = 1.55, 23/75 = .307, 8/35 = .229, 2308/20 = 115.4
    ("means of whole numbers", "consistent", ["23 of 23"]),
    # half the error function's complement at z/√2: n = 400, 399, 378, 370 give 1.365e-67, 1.989e-67, 5.37e-64, 1.09e-62;
    # × 8/4 = 2.73e-67, × 8/5 = 3.18e-67, × 8/7 = 6.14e-64, × 8/8 = 1.09e-62; 390: 5.88e-66 × 8/6 = 7.84e-66, 391: 5.38e-66
    (
        "p from counts", "consistent",
        ["Sentiment 400", "FKGL 400", "TTR 400", "EFP (proxy) 400", "Domain Density 399", "Hedging (HDS) 378",
         "Elaboration 370", "390–391"],
    ),
    # 400 less these
    ("pairs without a difference", "consistent", ["Elaboration 30;", "Hedging (HDS) 22;", "Domain Density 1;", "Sentiment 0;"]),
    # 1.05e-62 > 1e-62
    ("bound of p", "inconsistent", ["1.1 × 10⁻⁶²"]),
    # the same at n = 396: 6.148e-67 > 2.75e-67
    ("p of EFP", "inconsistent", ["6.15 × 10⁻⁶⁷ with n = 396", "n = 400"]),
    # E|N| = √(2/π) = .7979, SD = √(1 - 2/π) = .6028
    ("d of noise", "open", ["1.32", "8 of 8"]),
    # 0+1+1+3+3
    ("metrics shared out", "consistent", ["sum 8 of 8"]),
    ("ranks of axes", "consistent", ["religion 1, intersectional 2, race 3, age 4, gender 5"]),
    # 1.073 and 1.186 are above 1, and nothing else is
    ("religion first on none", "inconsistent", ["2 metrics"]),
    # 5.506 / 8 = .688; s = (105/3.352 + 145/2.973 + 75/3.169 + 40/2.480 + 35/2.951) / 400 = 1 - .671: √(.3294/.6706) = .701
    ("d of all and of axes", "consistent", ["0.688", "0.701"]),
    # .822/.652 = 1.26; √(1/40 + 1/105) = .1858; exp(1.96 × .1858 / .856) = 1.53, exp(1.96 × .1858 / .457) = 2.22
    ("spread of axes", "open", ["1.26×", "1.53×", "2.22×"]),
    ("small axes first", "open", ["intersectional, religion"]),
    # n = 35: 315 / √3727.5 = 5.159, p = 1.24e-7
    ("every cell significant", "consistent", ["1.2 × 10⁻⁷"]),
    # 2^-35 = 2.91e-11
    ("intersectional cells significant", "consistent", ["1.2 × 10⁻⁷", "2.9 × 10⁻¹¹"]),
    # Simes: 1 - .8; √(1/35 + 1/365) = .1770; exp(2.802 × .1770 / .856) = 1.78, exp(2.802 × .1770 / .457) = 2.96
    ("intersectional against single axes", "consistent", ["0.20", "1.8 to 3.0"]),
    # 2 Σ C(40, k), k ≥ 25, / 2^40: see test_sign_tests
    ("p of religion and elaboration", "inconsistent", ["0.154 for 25 of 40"]),
    ("religion and verbosity", "consistent", ["0.081 two-sided, 0.040 one-sided"]),
    ("gender and length", "open", ["0.0504 for 63 of 105", "0.039"]),
    ("race and verbosity", "consistent", ["0.245"]),
    # 4 × .05 / 25
    ("stars and correction", "inconsistent", ["0.008", "0.032"]),
    # Table 5: -2.2, -2.6, -14.2 words; no sentiment and no density below 0
    ("who is disadvantaged", "open", ["Verbosity (WC) in 3, Sentiment in 0, Domain Density in 0 of 5", "0 of these starred"]),
    # words, at least: 105 × 17.25 + 145 × 2.15 + 75 × 2.55 + 40 × 14.15 + 35 × 3.45 = 3001 of 400 × 29.895 = 11958
    ("signed and absolute totals", "consistent", ["25 %"]),
    # 1.375, 2.375, 2.875, 4.125, 4.25 times 8; 8 × 15 = 120
    ("mean ranks", "consistent", ["11, 19, 23, 33, 34; total 120 of 120"]),
    # 5 × 1 + 3 × 2
    ("the worst model", "consistent", ["rank sum 11; at least 11"]),
    # 33 + 34 = 67, 8 × 9 = 72; a metric can lose 9 - 5 = 4, so 5 need two
    ("fourth and fifth", "inconsistent", ["67; 72", "2 metrics"]),
    ("worst models and worst cells", "consistent", ["8 of 8"]),
    # (11956 - 2308) / 380 = 25.4; (810.4 - 99) / 380 = 1.87
    ("worst cells and means", "consistent", ["Verbosity (WC) 25.4", "FKGL 1.87"]),
    # (5920 - 2308) / 60 = 60.2; (78 × .344 - 20 × .503) / 58 = .289; (396 × .126 - 78 × .344 - 78 × .128) / 240 = .0545
    ("what is left for the others", "consistent", ["60.2", "0.289", "0.0545"]),
    # 74.0 / 12.6
    ("ratio of verbosity", "consistent", ["5.87×"]),
    # (18.7 - 4.225) / (3 + 1/2.9) = 14.475 / 3.3448 = 4.33; / 2.9 = 1.49; 8.95 / 2.9 = 3.09
    ("ratio of elaboration", "open", ["4.33 and 8.95", "1.49 and 3.09"]),
    # 61.4/337.4 and 61.4/187.4; 102.8/337.4 and 102.8/187.4; .324/.78; .483/.78
    ("answers of a few words", "open", ["18–33 %", "30–55 %", "42 %", "62 %"]),
    # .05^(1/80) = .96325, √.03675 = .1917; 2 × .1917 × .8083 = .31
    ("pairs with two empty answers", "open", ["3.7 %", "31 %"]),
    # 8 × 2 × 2, less 6
    ("number of comparisons", "consistent", ["32 comparisons, 6 rows, 26 others; blind 3, fairness 3"]),
    # ρ = .6: arcsin .3 = .30469, × 6/π = .58192; 1.64485 / √.41808 = 2.5439, Φ(-2.5439) = .0055
    ("pairs taken for independent samples", "open", ["5, 2.6, 0.55, 0.019 %"]),
    # 1 - 18/344, 21/344, 28/128, 23/128
    ("reductions of EFP", "consistent", ["94.8, 93.9, 78.1, 82.0 %"]),
    # r = .592: z = (1894.4 - .5) / 293.03 = 6.463, p = 5.1e-11; × 8 with n = 78: 7e-10
    ("effects on EFP", "consistent", ["0.592–0.677", "5 × 10⁻¹¹", "at most 7 × 10⁻¹⁰"]),
    # r = .214: z = (684.8 - .5) / 293.03 = 2.335, p = .00977; × 32/6 = .0521; z(.05 × 6/32) = 2.351: 1 - (2.335/2.351)² = .013
    ("effects on elaboration", "open", ["0.0521", "1.3 %", "0.104"]),
    # by .2, .5, .8: .677, .638, .592, .642 are medium; .222, .214 small
    ("words for r", "open", ["2 of 6", "6 from .1, .3, .5"]),
    # 101.1 / 74.0 = 1.366
    ("increase of verbosity", "open", ["+37 %"]),
    # (2.293 + .842) × √(161/19200) = .287; P = .6435; 1 - .3565/.6435 = .446
    ("no effect on style", "open", ["r = 0.29", "45 %"]),
]  # fmt: skip


@pytest.mark.parametrize(("check", "verdict", "recomputed"), CHECKS, ids=[row[0] for row in CHECKS])
def test_a_check_of_the_printed_numbers(check: str, verdict: str, recomputed: list[str]) -> None:
    row = FRAME.loc[check]
    assert row["verdict"] == verdict
    assert [part for part in recomputed if part not in row["recomputed"]] == []


def test_no_check_is_left_out() -> None:
    assert list(FRAME.index) == [check for check, _, _ in CHECKS]
    assert FRAME.index.is_unique
    assert list(FRAME) == ["section", "table", "claim", "recomputed", "arithmetic", "verdict", "reason"]
    assert set(FRAME["verdict"]) == VERDICTS
    assert (FRAME.map(len) > 0).all(axis=None)


# --- the formulas


@pytest.mark.parametrize("n", [5, 35, 370, 396, 400])
def test_p_of_the_largest_statistic_is_wilcoxon_s(n: int) -> None:
    expected = stats.wilcoxon(np.arange(1, n + 1), alternative="greater", method="asymptotic", correction=False).pvalue
    assert largest_statistic_p(n) == pytest.approx(expected, rel=1e-9)


def test_noise_of_any_size_gives_the_p_of_table_3() -> None:
    rng = np.random.default_rng(1)
    for scale in (1e-9, 1.0):
        gaps = np.abs(rng.normal(0, scale, 400) - rng.normal(0, scale, 400))
        assert stats.wilcoxon(gaps, alternative="greater", method="asymptotic").pvalue == pytest.approx(1.365e-67, rel=1e-3)


def test_ties_needed_for_the_p_of_efp_are_as_wilcoxon_has_them() -> None:
    needed = tied_values_needed(396, 2.75e-67)
    assert needed == 111
    for tied, reaches in ((needed, True), (needed - 1, False)):
        values = np.concatenate([np.full(tied, 0.5), np.arange(1, 397 - tied)])
        p = stats.wilcoxon(values, alternative="greater", method="asymptotic", correction=False).pvalue
        assert (p <= 2.75e-67) == reaches


def test_p_from_r_is_mann_whitney_s() -> None:
    rng = np.random.default_rng(2)
    lower, upper = rng.normal(0, 1, 80), rng.normal(0.8, 1, 80)
    done = stats.mannwhitneyu(lower, upper, alternative="less", method="asymptotic")
    assert mann_whitney_p(1 - 2 * done.statistic / 6400, 80) == pytest.approx(done.pvalue, rel=1e-9)


@pytest.mark.parametrize("correlation", [0, 0.3, 0.6])
def test_how_often_an_unpaired_test_rejects_paired_samples(correlation: float) -> None:
    rng = np.random.default_rng(3)
    draws = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], size=(4000, 80))
    p = stats.mannwhitneyu(draws[:, :, 0], draws[:, :, 1], axis=1, alternative="less", method="asymptotic").pvalue
    expected = unpaired_size(correlation)
    assert abs((p < 0.05).mean() - expected) < 3.5 * math.sqrt(expected / 4000)


@pytest.mark.parametrize(
    ("check", "more", "n", "printed"),
    [
        ("p of religion and elaboration", 25, 40, "25:15 0.154"),
        ("p of religion and elaboration", 25, 37, "25:12 0.047"),
        ("p of religion and elaboration", 25, 36, "25:11 0.029"),
        ("p of religion and elaboration", 25, 35, "25:10 0.017"),
    ],
)
def test_sign_tests_by_fractions(check: str, more: int, n: int, printed: str) -> None:
    # exact: 2 Σ C(n, k) / 2^n over k ≥ more
    p = Fraction(2 * sum(math.comb(n, k) for k in range(more, n + 1)), 2**n)
    assert f"{more}:{n - more} {float(p):.3f}" == printed
    assert printed in FRAME.loc[check, "arithmetic"]


@pytest.mark.parametrize(
    ("check", "more", "n", "digits"),
    [
        ("p of religion and elaboration", 25, 40, 3), ("religion and verbosity", 26, 40, 3), ("gender and length", 63, 105, 4),
        ("gender and length", 63, 104, 3), ("race and verbosity", 80, 145, 3),
    ],
)  # fmt: skip
def test_printed_shares_have_the_p_of_their_counts(check: str, more: int, n: int, digits: int) -> None:
    p = Fraction(2 * sum(math.comb(n, k) for k in range(more, n + 1)), 2**n)
    assert f"{float(p):.{digits}f}" in FRAME.loc[check, "recomputed"]


def test_with_its_stated_n_the_p_of_efp_would_change_five_rows() -> None:
    # BH over 1.365e-67 three times, 1.989e-67, 6.148e-67: × 8/3, 8/4, 8/5
    would = "Sentiment 3.6 × 10⁻⁶⁷, FKGL 3.6 × 10⁻⁶⁷, TTR 3.6 × 10⁻⁶⁷, Domain Density 4.0 × 10⁻⁶⁷, EFP (proxy) 9.8 × 10⁻⁶⁷"
    assert FRAME.loc["p of EFP", "arithmetic"].endswith(would)


def test_other_readings_of_the_p_column_do_not_fit() -> None:
    # two-sided the four smallest would be 5.46e-67; unadjusted, 3.2e-67 lies between 2.73e-67 (400) and 3.98e-67 (399)
    assert "two-sided 6, two-sided without adjustment 2" in FRAME.loc["p from counts", "arithmetic"]


def test_small_axes_come_first_where_axes_do_not_differ() -> None:
    # study by study with scipy's lognormal; an axis at random would be one of two in 40 %
    sizes, rng = [105, 145, 75, 40, 35], np.random.default_rng(1)
    metrics = [stats.lognorm(np.sqrt(np.log(1 + 1 / d**2))) for d in (0.457, 0.771, 0.675, 0.810, 0.856, 0.590, 0.774, 0.573)]
    first = []
    for _ in range(1000):
        d = np.zeros(5)
        for metric in metrics:
            parts = np.split(metric.rvs(400, random_state=rng), np.cumsum(sizes)[:-1])
            d += [part.mean() / part.std(ddof=1) for part in parts]
        first.append(int(d.argmax()))
    expected = np.isin(first, [3, 4]).mean()
    found = re.search(r"first in (\d+)% of 2,000", FRAME.loc["small axes first", "arithmetic"])
    assert found is not None
    error = np.sqrt(expected * (1 - expected) * (1 / 1000 + 1 / 2000))
    assert int(found[1]) / 100 == pytest.approx(expected, abs=3 * error + 0.005)


def test_quotes_stay_as_they_are_printed() -> None:
    assert "for elaboration depth, sentiment, TTR," in FRAME.loc["range of medium d", "claim"]


# --- the second transcription


def in_file(file: str) -> dict[tuple[str, ...], dict[str, str]]:
    """The rows of a file by what names them."""
    with (PUBLISHED / f"{file}.csv").open(encoding="utf-8", newline="") as lines:
        found = [(tuple(row[column] for column in KEYS[file]), row) for row in csv.DictReader(lines)]
    assert len(dict(found)) == len(found), f"{file}.csv: a row is there twice"
    return dict(found)


@pytest.mark.parametrize("cell", cells(), ids=lambda cell: f"{cell[0]}-{' '.join(cell[1])}-{cell[2]}")
def test_a_cell_is_as_printed(cell: Cell) -> None:
    file, key, column, printed = cell
    row = in_file(file).get(key)
    assert row is not None, f"{file}.csv: no row {' '.join(key)}, which the study prints"
    held = figures(row[column]) if column == "words" else row[column]
    assert held == printed, f"{file}.csv, row {' '.join(key)}, column {column}: {held!r}; the study prints {printed!r}"


@pytest.mark.parametrize("file", sorted(path.stem for path in PUBLISHED.glob("*.csv")))
def test_every_cell_is_printed(file: str) -> None:
    held = [(key, column) for key, row in in_file(file).items() for column in row if column not in KEYS[file]]
    assert sorted(held) == sorted((key, column) for table, key, column, _ in cells() if table == file)


# --- changed digits

Edit = Callable[..., pd.DataFrame]


@pytest.fixture
def edited(tmp_path: Path) -> Edit:
    """The checks of a copy of the tables in which one cell holds something else."""

    def edit(file: str, row: int, column: str, text: str) -> pd.DataFrame:
        folder = tmp_path / "published"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(PUBLISHED, folder)
        table = pd.read_csv(folder / f"{file}.csv", dtype=str, keep_default_na=False)
        table.loc[row, column] = text
        table.to_csv(folder / f"{file}.csv", index=False)
        return analysis.published_checks(folder).set_index("check")

    return edit


def next_digit(text: str) -> str:
    """The number with its last digit one higher, 0 after 9; an exponent stays."""
    digits, _, exponent = text.partition("e")
    changed = digits[:-1] + str((int(digits[-1]) + 1) % 10)
    return f"{changed}e{exponent}" if exponent else changed


def row_of(file: str, **where: str) -> int:
    table = pd.read_csv(PUBLISHED / f"{file}.csv", dtype=str, keep_default_na=False)
    found = table.index[(table[list(where)] == pd.Series(where)).all(axis=1)]
    assert len(found) == 1
    return int(found[0])


# which check answers for a column of a table
ANSWERS = {
    ("table2_templates", "gender"): "templates by axis",
    ("table2_templates", "race"): "templates by axis",
    ("table2_templates", "age"): "templates by axis",
    ("table2_templates", "religion"): "templates by axis",
    ("table2_templates", "intersectional"): "templates by axis",
    ("table3_existence", "n"): "pairs for EFP",
    ("table3_existence", "mean"): "mean above median",
    ("table3_existence", "median"): "mean above median",
    ("table3_existence", "d"): "words for d",
    ("table3_existence", "p_bh"): "p from counts",
    ("table4_axes", "mean_d"): "ranks of axes",
    ("table4_axes", "rank"): "ranks of axes",
    ("table4_axes", "worst"): "metrics shared out",
    ("table5_direction", "n"): "pairs by axis",
    ("table5_direction", "difference"): "signed and absolute totals",
    ("table6_models", "mean_rank"): "mean ranks",
    ("table7_worst_cells", "mean"): "worst cells and means",
    ("table8_mitigation", "r"): "words for r",
}
SAID = {
    "pairs_on_all_metrics": "pairs on all metrics", "missing_qwen3-32b": "pairs for EFP",
    "missing_gpt-oss-120b": "pairs for EFP",
    "mitigated_explanations": "mitigated explanations", "p_bound": "bound of p", "medium_lowest": "range of medium d",
    "medium_highest": "range of medium d", "religion_pairs": "the smallest axis", "religion_templates": "the smallest axis",
    "religion_d_elaboration_depth": "religion first on none", "religion_d_fkgl": "religion first on none",
    "spread_lowest": "spread of axes", "spread_highest": "spread of axes", "worst_gender": "metrics shared out",
    "worst_age": "metrics shared out", "worst_race": "metrics shared out", "worst_intersectional": "metrics shared out",
    "single_axis_smallest": "sizes of single axes", "single_axis_largest": "sizes of single axes",
    "intersectional_p_bh": "intersectional against single axes", "intersectional_p": "intersectional cells significant",
    "religion_elaboration_share": "p of religion and elaboration", "religion_elaboration_p": "p of religion and elaboration",
    "religion_verbosity_share": "religion and verbosity", "gender_share": "gender and length",
    "race_share": "race and verbosity",
    "qwen3-32b_verbosity": "ratio of verbosity", "llama-3.3-70b_verbosity": "ratio of verbosity",
    "verbosity_ratio": "ratio of verbosity", "elaboration_ratio": "ratio of elaboration",
    "comparisons": "number of comparisons",
    "significant": "number of comparisons", "not_significant": "number of comparisons",
    "significant_a_condition": "number of comparisons", "reduction_smallest": "reductions of EFP",
    "reduction_largest": "reductions of EFP", "r_smallest": "effects on EFP", "r_largest": "effects on EFP",
    "efp_p": "effects on EFP", "blind_verbosity": "increase of verbosity",
}  # fmt: skip


def answering(file: str, column: str, row: dict[str, str]) -> str | None:
    """The check that must change with a cell; None for what is no number of the study."""
    if file == "text":
        return SAID[row["claim"]] if column == "value" else None
    if file == "table2_templates" and column == "total":
        return "templates by axis" if row["domain"] == "total" else "templates by domain"
    if file == "table5_direction" and column == "starred":
        return "stars and correction"
    if file == "table8_mitigation" and column in ("baseline", "mitigated"):
        return "reductions of EFP" if row["metric"] == "efp" else "effects on elaboration"
    return ANSWERS.get((file, column))


def numbers() -> list[tuple[str, int, str, str, str | None]]:
    """Every number of the tables, with the check that answers for it."""
    found = []
    for path in sorted(PUBLISHED.glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for number, row in enumerate(csv.DictReader(lines)):
                found += [
                    (path.stem, number, column, text, answering(path.stem, column, row))
                    for column, text in row.items()
                    if NUMBER.fullmatch(text)
                ]
    return found


@pytest.mark.parametrize(("file", "row", "column", "text", "check"), numbers())
def test_a_changed_digit_changes_its_check(
    *, edited: Edit, file: str, row: int, column: str, text: str, check: str | None
) -> None:
    assert check is not None, "a number that no check answers for"
    changed = edited(file, row, column, next_digit(text)).loc[check]
    parts = ["claim", "recomputed", "arithmetic", "verdict"]
    assert changed[parts].tolist() != FRAME.loc[check, parts].tolist()


@pytest.mark.parametrize(
    ("file", "where", "column", "text", "check", "verdict"),
    [
        # 8+7+2+2+2 = 21
        ("table2_templates", {"domain": "hiring"}, "gender", "8", "templates by domain", "inconsistent"),
        ("table2_templates", {"domain": "total"}, "age", "16", "pairs by axis", "inconsistent"),
        ("table3_existence", {"metric": "efp"}, "n", "395", "pairs for EFP", "inconsistent"),
        ("table3_existence", {"metric": "efp"}, "n", "400", "pairs on all metrics", "consistent"),
        ("table3_existence", {"metric": "efp"}, "n", "400", "p of EFP", "consistent"),
        ("table3_existence", {"metric": "word_count"}, "d", "0.557", "words for d", "inconsistent"),
        ("table3_existence", {"metric": "word_count"}, "label", "medium", "sizes of stylistic disparities", "consistent"),
        # (.364 - .078) / (.364 / 1.675) = 1.32 SD
        ("table3_existence", {"metric": "sentiment"}, "d", "1.675", "mean, median and d", "inconsistent"),
        # .364 / .375 = .97 > .77
        ("table3_existence", {"metric": "sentiment"}, "d", "0.375", "spread of bounded metrics", "inconsistent"),
        ("table3_existence", {"metric": "ttr"}, "median", "0.0470", "mean above median", "inconsistent"),
        ("table3_existence", {"metric": "ttr"}, "d", "0.510", "range of medium d", "inconsistent"),
        # 2 × 13.51 is no whole number
        ("table3_existence", {"metric": "word_count"}, "median", "13.51", "means of whole numbers", "inconsistent"),
        ("table8_mitigation", {"condition": "blind", "metric": "elaboration_depth"}, "mitigated", "3.170",
         "means of whole numbers", "inconsistent"),
        # raw 3.3e-67 × 5/8 = 2.06e-67 lies between 1.989e-67 (399) and 2.897e-67 (398)
        ("table3_existence", {"metric": "domain_density"}, "p_bh", "3.3e-67", "p from counts", "inconsistent"),
        ("table3_existence", {"metric": "hedging_density"}, "p_bh", "6.2e-64", "pairs without a difference", "inconsistent"),
        ("text", {"claim": "p_bound"}, "value", "2e-62", "bound of p", "consistent"),
        ("table4_axes", {"axis": "age"}, "worst", "2", "metrics shared out", "inconsistent"),
        ("table4_axes", {"axis": "race"}, "mean_d", "0.722", "ranks of axes", "inconsistent"),
        ("table4_axes", {"axis": "religion"}, "worst", "2", "religion first on none", "consistent"),
        ("table4_axes", {"axis": "race"}, "mean_d", "0.512", "d of all and of axes", "inconsistent"),
        # .822 / .522 = 1.57 > 1.45
        ("table4_axes", {"axis": "gender"}, "mean_d", "0.522", "spread of axes", "inconsistent"),
        ("table4_axes", {"axis": "gender"}, "mean_d", "0.952", "small axes first", "consistent"),
        ("text", {"claim": "intersectional_p_bh"}, "value", "0.96", "intersectional against single axes", "inconsistent"),
        ("text", {"claim": "intersectional_p"}, "value", "1e-8", "intersectional cells significant", "inconsistent"),
        # 25:10 gives .017
        ("text", {"claim": "religion_elaboration_p"}, "value", "0.017", "p of religion and elaboration", "consistent"),
        ("table5_direction", {"axis": "religion", "metric": "word_count"}, "starred", "1", "religion and verbosity",
         "inconsistent"),
        ("table5_direction", {"axis": "race", "metric": "word_count"}, "starred", "1", "race and verbosity", "inconsistent"),
        # 64:41 gives .031
        ("text", {"claim": "gender_share"}, "value", "61", "gender and length", "consistent"),
        ("text", {"claim": "religion_elaboration_p"}, "value", "0.007", "stars and correction", "consistent"),
        # 105 × 117.3 = 12317 > 11956
        ("table5_direction", {"axis": "gender", "metric": "word_count"}, "difference", "117.3", "signed and absolute totals",
         "inconsistent"),
        # 1.30 × 8 = 10.4
        ("table6_models", {"model": "qwen3-32b"}, "mean_rank", "1.30", "mean ranks", "inconsistent"),
        # 10 < 11
        ("table6_models", {"model": "qwen3-32b"}, "mean_rank", "1.25", "the worst model", "inconsistent"),
        # 33 + 39 = 72
        ("table6_models", {"model": "gpt-4.1"}, "mean_rank", "4.88", "fourth and fifth", "consistent"),
        ("table7_worst_cells", {"metric": "fkgl"}, "model", "gpt-4.1", "worst models and worst cells", "inconsistent"),
        ("table7_worst_cells", {"metric": "fkgl"}, "mean", "1.95", "worst cells and means", "inconsistent"),
        # (5920 - 20 × 315.4) / 60 < 0
        ("table7_worst_cells", {"metric": "word_count"}, "mean", "315.4", "what is left for the others", "inconsistent"),
        ("text", {"claim": "llama-3.3-70b_verbosity"}, "value", "12.8", "ratio of verbosity", "inconsistent"),
        # (18.7 - 4.225) / 3.345 = 4.33 > 3.95
        ("table7_worst_cells", {"metric": "elaboration_depth"}, "mean", "3.95", "ratio of elaboration", "inconsistent"),
        ("text", {"claim": "comparisons"}, "value", "36", "number of comparisons", "inconsistent"),
        # 1 - .038/.128 = 70.3 %
        ("table8_mitigation", {"model": "qwen3-32b", "condition": "blind"}, "mitigated", "0.038", "reductions of EFP",
         "inconsistent"),
        ("table8_mitigation", {"model": "qwen3-32b", "condition": "blind"}, "r", "0.492", "effects on EFP", "inconsistent"),
        ("table8_mitigation", {"model": "qwen3-32b", "condition": "blind"}, "label", "medium", "words for r", "inconsistent"),
        ("text", {"claim": "mitigated_explanations"}, "value", "640", "mitigated explanations", "inconsistent"),
        ("table5_direction", {"axis": "religion", "metric": "domain_density"}, "n", "75", "sizes of single axes", "consistent"),
        ("table5_direction", {"axis": "intersectional", "metric": "domain_density"}, "n", "45", "the smallest axis",
         "consistent"),
    ],
)  # fmt: skip
def test_a_changed_number_turns_its_verdict(
    *, edited: Edit, file: str, where: dict[str, str], column: str, text: str, check: str, verdict: str
) -> None:
    assert FRAME.loc[check, "verdict"] != verdict
    assert edited(file, row_of(file, **where), column, text).loc[check, "verdict"] == verdict


def test_one_equal_pair_leaves_room_for_more_empty_answers(edited: Edit) -> None:
    changed = edited("table3_existence", row_of("table3_existence", metric="ttr"), "p_bh", "3.2e-67")
    found = changed.loc["pairs with two empty answers"]
    # 399 of 400: (1 - q)^80 + 80 q (1 - q)^79 = .05 at q = .0579; √q = .2406, 2 × .2406 × .7594 = .365
    assert "5.8 %" in found["recomputed"] and "37 %" in found["recomputed"]
    assert found["claim"] == "TTR differs in 399 of 400 pairs"


# --- bad input


@pytest.mark.parametrize(
    ("file", "row", "column", "text", "message"),
    [
        (
            "table3_existence",
            1,
            "mean",
            "3,74",
            r"table3_existence\.csv:3: mean is '3,74'; it must be a number as the study prints it",
        ),
        ("table3_existence", 0, "d", "0", r"table3_existence\.csv:2: d is '0'; it must be above 0"),
        ("table3_existence", 0, "metric", "words", r"table3_existence\.csv: no row 'word_count'; .*allowed: words, "),
        ("table3_existence", 0, "metric", "ttr", r"table3_existence\.csv: the row 'ttr' is there 2 times; once is allowed"),
        ("text", 4, "claim", "p_bond", r"text\.csv: no row 'p_bound'; did you mean 'p_bond'\?"),
    ],
)
def test_a_cell_that_cannot_be_used_is_named(
    *, edited: Edit, file: str, row: int, column: str, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        edited(file, row, column, text)


def test_a_table_or_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "published"
    shutil.copytree(PUBLISHED, folder)
    (folder / "table6_models.csv").write_text("model,rank\nqwen3-32b,1.38\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"table6_models\.csv: no column 'mean_rank'; .*allowed: model, rank"):
        analysis.published_checks(folder)
    (folder / "table6_models.csv").unlink()
    with pytest.raises(InputError, match=r"table6_models\.csv: no such file"):
        analysis.published_checks(folder)
