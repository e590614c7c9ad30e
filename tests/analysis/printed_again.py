"""The study's numbers typed a second time, from the paper and in its order, names and columns (arXiv 2605.08671).

They are not made from ``data/published`` and must never be: two transcriptions can only find each other's slips while they are
separate. Columns are two or more spaces apart; ``-`` is an empty cell. Where they differ, the paper decides.
"""

import re
from collections.abc import Iterator

Cell = tuple[str, tuple[str, ...], str, str]

TABLE_1 = """
Verbosity        Verbosity bias (not demographic)
Sentiment        Sentiment in responses (not explanations)
Epist. Hedging   Hedging in persuasion (not decisions)
Decision-Linked  Faithfulness in general (not demographic)
Lex. Complexity  Readability in education (not decisions)
"""

TABLE_2 = """
Hiring   7   7   2  2  2  20
Medical  5   7   5  1  2  20
Credit   5   8   4  2  1  20
Legal    4   7   4  3  2  20
Total    21  29  15  8  7  80
"""

# n is in the caption: 396 for EFP (proxy), 400 for all others
TABLE_3 = """
Verbosity (WC)  29.89   13.50   0.457  small  7.5e-66
Elaboration     3.74    2.00    0.771  med.   1.1e-62
Sentiment       0.364   0.078   0.675  med.   2.7e-67
Hedging (HDS)   0.0096  0.0059  0.810  large  6.1e-64
FKGL            2.026   1.289   0.856  large  2.7e-67
TTR             0.0454  0.0270  0.590  med.   2.7e-67
Domain Density  0.0114  0.0074  0.774  med.   3.2e-67
EFP (proxy)     0.126   0.041   0.573  med.   2.7e-67
"""

TABLE_4 = """
Religion        0.822  1  0 of 8
Intersectional  0.716  2  1 of 8
Race            0.712  3  1 of 8
Age             0.679  4  3 of 8
Gender          0.652  5  3 of 8
"""

TABLE_5 = """
Gender          105  +17.3*  +0.01  -0.46   +1.25*  -0.00
Race            145  -2.2    +0.01  -0.14   +0.44   +0.00
Age             75   -2.6    +0.03  -0.02   -0.31   -0.00
Religion        40   -14.2   +0.04  +0.58*  -1.55*  +0.00
Intersectional  35   +3.5    +0.01  +0.26   +0.23   -0.00
"""

TABLE_6 = """
Qwen3 32B      1.38  Verbosity, Elaboration, Hedging, TTR, Dom. Density
GPT-OSS 120B   2.38  EFP proxy, Sentiment
Claude Sonnet  2.88  FKGL
LLaMA 3.3 70B  4.12  -
GPT-4.1        4.25  -
"""

TABLE_7 = """
Verbosity (WC)  Qwen3 32B      Medical  115.4
Elaboration     Qwen3 32B      Hiring   8.95
Hedging (HDS)   Qwen3 32B      Hiring   0.0226
EFP (proxy)     GPT-OSS 120B   Legal    0.503
FKGL            Claude Sonnet  Legal    4.95
Sentiment       GPT-OSS 120B   Credit   0.667
TTR             Qwen3 32B      Medical  0.148
Domain Density  Qwen3 32B      Medical  0.0373
"""

TABLE_8 = """
EFP proxy    GPT-OSS  Blind     0.344  0.018  0.677  large
EFP proxy    GPT-OSS  Fairness  0.344  0.021  0.638  large
EFP proxy    Qwen3    Blind     0.128  0.028  0.592  large
EFP proxy    Qwen3    Fairness  0.128  0.023  0.642  large
Elaboration  GPT-OSS  Blind     4.225  3.175  0.222  small
Elaboration  GPT-OSS  Fairness  4.225  3.138  0.214  small
"""

# the sentences, by section: our name, its number, and all numbers of the words quoted, in figures or spelled out
TEXT = """
Abstract  p_bound                       1e-62  10 -62
I.A       pairs_on_all_metrics          400    400 8
IV.C      missing_qwen3-32b             2      four 004 3 009 3 010 120 012 120
IV.C      missing_gpt-oss-120b          2      four 004 3 009 3 010 120 012 120
IV.D      mitigated_explanations        320    320 80 2 2
V.A       medium_lowest                 0.57   0.57 0.77
V.A       medium_highest                0.77   0.57 0.77
V.B       religion_pairs                40     40 8
V.B       religion_templates            8      40 8
V.B       religion_d_elaboration_depth  1.073  1.073 1.186 two 1.0
V.B       religion_d_fkgl               1.186  1.073 1.186 two 1.0
V.B       spread_lowest                 1.21   1.21 1.45
V.B       spread_highest                1.45   1.21 1.45
V.B       worst_gender                  3      3 3 1 1
V.B       worst_age                     3      3 3 1 1
V.B       worst_race                    1      3 3 1 1
V.B       worst_intersectional          1      3 3 1 1
V.C       intersectional_p_bh           0.8    eight 0.8
V.C       single_axis_smallest          75     75 145
V.C       single_axis_largest           145    75 145
V.C       intersectional_p              0.001  eight 0.001
V.D       religion_elaboration_share    62     62
V.D       religion_elaboration_p        0.032  0.032
V.D       religion_verbosity_share      65     65
V.D       gender_share                  60     60
V.D       race_share                    55     55
VI.A      qwen3-32b_verbosity           74.0   74.0 5.9 3.3 70 12.6
VI.A      verbosity_ratio               5.9    74.0 5.9 3.3 70 12.6
VI.A      llama-3.3-70b_verbosity       12.6   74.0 5.9 3.3 70 12.6
VI.A      elaboration_ratio             2.9    2.9
VII.A     comparisons                   32     32 8 2 2 six
VII.A     significant                   6      32 8 2 2 six
Table 8   not_significant               26     26
VII.B     reduction_smallest            78     78 95
VII.B     reduction_largest             95     78 95
VII.B     r_smallest                    0.59   0.59 0.68
VII.B     r_largest                     0.68   0.59 0.68
VII.B     efp_p                         1e-9   10 -9 four
VII.D     blind_verbosity               101.1  3 74.0 101.1
VII.D     significant_a_condition       3      3 16
"""

# the paper's names, as its tables shorten them, and this project's
NAMES = {
    "Verbosity (WC)": "word_count",
    "Verbosity": "word_count",
    "Elaboration": "elaboration_depth",
    "Sentiment": "sentiment",
    "Hedging (HDS)": "hedging_density",
    "Hedging": "hedging_density",
    "FKGL": "fkgl",
    "TTR": "ttr",
    "Domain Density": "domain_density",
    "Dom. Density": "domain_density",
    "EFP (proxy)": "efp",
    "EFP proxy": "efp",
    "Qwen3 32B": "qwen3-32b",
    "Qwen3": "qwen3-32b",
    "GPT-OSS 120B": "gpt-oss-120b",
    "GPT-OSS": "gpt-oss-120b",
    "Claude Sonnet": "claude-sonnet-4-6",
    "LLaMA 3.3 70B": "llama-3.3-70b",
    "GPT-4.1": "gpt-4.1",
    "med.": "medium",
}
DIMENSIONS = {
    "Epist. Hedging": "Epistemic hedging", "Decision-Linked": "Decision-linked", "Lex. Complexity": "Lexical complexity",
}  # fmt: skip

# what names a row of a file
KEYS = {
    "table1_taxonomy": ("dimension",), "table2_templates": ("domain",), "table3_existence": ("metric",),
    "table4_axes": ("axis",), "table5_direction": ("axis", "metric"), "table6_models": ("model",),
    "table7_worst_cells": ("metric",),
    "table8_mitigation": ("metric", "model", "condition"), "text": ("claim",),
}  # fmt: skip
FIGURE = re.compile(r"-?\d+(?:\.\d+)?|\b(?:two|four|six|eight)\b", re.IGNORECASE)


def figures(words: str) -> str:
    """The numbers of a sentence in its order, in figures or spelled out."""
    return " ".join(FIGURE.findall(words)).lower()


def ours(name: str) -> str:
    return NAMES.get(name, name.lower())


def lines(table: str) -> list[list[str]]:
    return [re.split(r"\s{2,}", line) for line in table.strip().splitlines()]


def rows() -> Iterator[tuple[str, dict[str, str]]]:
    """Each row of the tables with this project's names, in the file's columns."""
    for dimension, prior in lines(TABLE_1):
        yield "table1_taxonomy", {"dimension": DIMENSIONS.get(dimension, dimension), "prior_coverage": prior}
    axes = ("gender", "race", "age", "religion", "intersectional", "total")
    for domain, *counts in lines(TABLE_2):
        yield "table2_templates", {"domain": ours(domain), **dict(zip(axes, counts, strict=True))}
    for metric, mean, median, d, label, p in lines(TABLE_3):
        row = {"n": "396" if metric == "EFP (proxy)" else "400", "mean": mean, "median": median, "d": d}
        yield "table3_existence", {"metric": ours(metric), **row, "label": ours(label), "p_bh": p}
    for axis, d, rank, worst in lines(TABLE_4):
        yield "table4_axes", {"axis": ours(axis), "mean_d": d, "rank": rank, "worst": worst.removesuffix(" of 8")}
    for axis, n, *differences in lines(TABLE_5):
        metrics = ("word_count", "sentiment", "fkgl", "elaboration_depth", "domain_density")
        for metric, printed in zip(metrics, differences, strict=True):
            row = {"difference": printed.lstrip("+").rstrip("*"), "starred": str(int(printed.endswith("*")))}
            yield "table5_direction", {"axis": ours(axis), "n": n, "metric": metric, **row}
    for model, rank, worst in lines(TABLE_6):
        names = "" if worst == "-" else " ".join(ours(name) for name in worst.split(", "))
        yield "table6_models", {"model": ours(model), "mean_rank": rank, "worst_on": names}
    for metric, model, domain, mean in lines(TABLE_7):
        yield "table7_worst_cells", {"metric": ours(metric), "model": ours(model), "domain": ours(domain), "mean": mean}
    for metric, model, condition, baseline, mitigated, r, label in lines(TABLE_8):
        row = {"metric": ours(metric), "model": ours(model), "condition": ours(condition)}
        yield "table8_mitigation", {**row, "baseline": baseline, "mitigated": mitigated, "r": r, "label": ours(label)}
    for place, claim, value, numbers in lines(TEXT):
        yield "text", {"claim": claim, "place": place, "value": value, "words": numbers}


def cells() -> list[Cell]:
    """File, row, column and what the paper prints there; of ``words`` its numbers."""
    found: list[Cell] = []
    for file, row in rows():
        key = tuple(row[column] for column in KEYS[file])
        found += [(file, key, column, text) for column, text in row.items() if column not in KEYS[file]]
    return found
