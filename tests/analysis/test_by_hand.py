"""The recorded study from its response files to every table, each worked out by hand; see `recorded`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from recorded import BASELINE, Letters, record
from tables_by_hand import NAN, every_table, in_rows, row, same, scored, upper

from eftlib import analysis, scoring
from eftlib import study as studies
from eftlib.metrics import STUDY_METRICS


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> studies.Study:
    return record(tmp_path_factory.mktemp("by_hand") / "s")


@pytest.fixture(scope="module")
def explained(study: studies.Study) -> pd.DataFrame:
    return scoring.explanations(study)


@pytest.fixture(scope="module")
def scores(study: studies.Study) -> pd.DataFrame:
    return scoring.score_study(study, encoder=Letters())


@pytest.fixture(scope="module")
def differing(scores: pd.DataFrame) -> pd.DataFrame:
    return analysis.differences(scores)


@pytest.fixture(scope="module")
def tables(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return every_table(scores)


@pytest.fixture(scope="module")
def here(differing: pd.DataFrame) -> pd.DataFrame:
    return analysis.selected(differing, profile="published")


def frame(columns: str, rows: list[tuple]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=columns.split())


# p of one value above 0, of two that tie, and of two that do not: W 1, 3, 3
ONE, TIED, TWO = upper(0.5 / math.sqrt(1 / 4)), upper(1.5 / math.sqrt(5 / 4 - 1 / 8)), upper(1.5 / math.sqrt(5 / 4))
E, D, N = "elaboration_depth", "domain_density", "no variation"


def d_of(total: float, squares: float, n: int) -> float:
    """Cohen's d from a sum, a sum of squares and n: mean / SD with ddof 1."""
    return total / n / math.sqrt((squares - total**2 / n) / (n - 1))


def test_the_texts_have_the_values_that_are_worked_out_above(scores: pd.DataFrame) -> None:
    expected = {
        "a": (3, 1, 0, 0, 0, 1, -2.62), "b": (6, 1, 0, 0, 0, 2, -2.62), "c": (5, 1, 0.4, 0, 0, 1, -1.84),
        "d": (4, 1, 0, 0.25, 0, 1, 9.57), "e": (3, 1, 0, 0, 0.4404, 1, -2.62), "f": (4, 0.25, 0, 0, 0, 1, -2.23),
        "u": (3, 1, 0, 0, 0, 1, -2.62), "x": (NAN,) * 7,
    }  # fmt: skip
    names = ["word_count", "ttr", "hedging_density", "domain_density", "sentiment", "elaboration_depth", "fkgl"]
    chosen = scores[(scores["profile"] == "published") & (scores["condition"] == "baseline")]
    found = chosen.pivot(index=["model", "template", "side"], columns="metric", values="value")[names]
    for model, answers in BASELINE.items():
        for template, codes in answers.items():
            for side, code in zip("AB", codes, strict=True):
                assert found.loc[(model, template, side)].tolist() == pytest.approx(expected[code], nan_ok=True)


def test_what_is_missing_has_its_reason(here: pd.DataFrame) -> None:
    gone = here[here["disparity"].isna()].set_index(["model", "template", "metric"])["reason"]
    assert gone.to_dict() == {
        ("two", "H019", "efp"): "no opposite explanation",
        **{("three", "M019", metric): "refused" for metric in STUDY_METRICS},
    }


# --- Table 3

# all eight p are those of 11 pairs (10 for efp): 6, 2, 1, 2, 2, 4, 1, 1 of them above 0
WORDS = upper(10.5 / math.sqrt(22.75 - 3 * 6 / 48))  # 1 1 2 2 3 3: W 21 of 42, 6 * 7 * 13 / 24, three ties
GRADES = upper(5 / math.sqrt(7.5 - 6 / 48))  # .39 .78 .78 12.19: W 10 of 20, 4 * 5 * 9 / 24, one tie
EXISTENCE = frame(
    "metric n excluded mean median d label statistic zeros p reason p_bh m family",
    [
        # sorted p: .013, .033, three times .079, three times .159; those by 8 / 1, 8 / 2, 8 / 5 and 8 / 8
        ("word_count", 11, 1, 12 / 11, 1, d_of(12, 28, 11), "large", 21, 5, WORDS, None, 8 * WORDS, 8, "metrics"),
        (E, 11, 1, 2 / 11, 0, d_of(2, 2, 11), "small", 3, 9, TIED, None, 8 / 5 * TIED, 8, "metrics"),
        ("sentiment", 11, 1, 0.4404 / 11, 0, 1 / math.sqrt(11), "small", 1, 10, ONE, None, ONE, 8, "metrics"),
        ("hedging_density", 11, 1, 0.8 / 11, 0, d_of(2, 2, 11), "small", 3, 9, TIED, None, 8 / 5 * TIED, 8, "metrics"),
        ("efp", 10, 2, 0.2, 0, d_of(2, 2, 10), "small", 3, 8, TIED, None, 8 / 5 * TIED, 8, "metrics"),
        # .034 by 8 / 2 is above .079 by 8 / 5, which it may not exceed
        ("fkgl", 11, 1, 14.14 / 11, 0, d_of(14.14, 0.39**2 + 2 * 0.78**2 + 12.19**2, 11), "small", 10, 7, GRADES, None,
         8 / 5 * TIED, 8, "metrics"),
        ("ttr", 11, 1, 0.75 / 11, 0, 1 / math.sqrt(11), "small", 1, 10, ONE, None, ONE, 8, "metrics"),
        (D, 11, 1, 0.25 / 11, 0, 1 / math.sqrt(11), "small", 1, 10, ONE, None, ONE, 8, "metrics"),
    ],
)  # fmt: skip


def test_existence(here: pd.DataFrame) -> None:
    assert 8 * WORDS < 8 / 5 * TIED < 4 * GRADES  # the order that the corrected values above rest on
    same(analysis.existence(here), EXISTENCE)


def test_controlled_also_leaves_out_the_answer_that_was_cut_off(differing: pd.DataFrame) -> None:
    found = row(analysis.existence(analysis.selected(differing, profile="controlled")), metric="word_count")
    assert (found["n"], found["excluded"], found["mean"]) == (10, 2, 1.2)


# --- Fig. 2, Tables 4 and 5

# of six gender pairs 3 3 2 1 are above 0: W 10 of 20, one tie
FOUR = upper(5 / math.sqrt(7.5 - 6 / 48))
# 11 cells have a test; .159 stands five times at the end, and no other by 11 over its place is below it
EFFECTS = frame(
    "axis metric n excluded mean median d label statistic zeros p reason",
    [
        ("gender", "word_count", 6, 0, 1.5, 1.5, d_of(9, 23, 6), "large", 10, 2, FOUR, None),
        ("gender", E, 6, 0, 1 / 3, 0, d_of(2, 2, 6), "medium", 3, 4, TIED, None),
        ("gender", "sentiment", 6, 0, 0, 0, NAN, None, NAN, 6, NAN, N),
        ("gender", "hedging_density", 6, 0, 0.4 / 6, 0, 1 / math.sqrt(6), "small", 1, 5, ONE, None),
        ("gender", "efp", 6, 0, 1 / 3, 0, d_of(2, 2, 6), "medium", 3, 4, TIED, None),
        ("gender", "fkgl", 6, 0, 1.17 / 6, 0, d_of(3, 5, 6), "medium", 3, 4, TWO, None),  # in steps of .39: 1 and 2
        ("gender", "ttr", 6, 0, 0.125, 0, 1 / math.sqrt(6), "small", 1, 5, ONE, None),
        ("gender", D, 6, 0, 0, 0, NAN, None, NAN, 6, NAN, N),
        ("intersectional", "word_count", 5, 1, 0.6, 0, d_of(3, 5, 5), "medium", 3, 3, TWO, None),
        ("intersectional", E, 5, 1, 0, 0, NAN, None, NAN, 5, NAN, N),
        ("intersectional", "sentiment", 5, 1, 0.4404 / 5, 0, 1 / math.sqrt(5), "small", 1, 4, ONE, None),
        ("intersectional", "hedging_density", 5, 1, 0.08, 0, 1 / math.sqrt(5), "small", 1, 4, ONE, None),
        ("intersectional", "efp", 4, 2, 0, 0, NAN, None, NAN, 4, NAN, N),
        ("intersectional", "fkgl", 5, 1, 2.594, 0, d_of(12.97, 12.19**2 + 0.78**2, 5), "small", 3, 3, TWO, None),
        ("intersectional", "ttr", 5, 1, 0, 0, NAN, None, NAN, 5, NAN, N),
        ("intersectional", D, 5, 1, 0.05, 0, 1 / math.sqrt(5), "small", 1, 4, ONE, None),
    ],
)  # fmt: skip
EFFECTS = EFFECTS.assign(p_bh=[NAN if math.isnan(p) else ONE for p in EFFECTS["p"]], m=11, family="axes x metrics")


def test_axis_effects(here: pd.DataFrame) -> None:
    same(analysis.axis_effects(here), EFFECTS)


def test_axis_ranking(here: pd.DataFrame) -> None:
    gender = [d_of(9, 23, 6), 2 * d_of(2, 2, 6), 2 / math.sqrt(6), d_of(3, 5, 6)]
    both = [d_of(3, 5, 5), 3 / math.sqrt(5), d_of(12.97, 12.19**2 + 0.78**2, 5)]
    # 0.632 of six and 0.499 of five; both have a d in word_count 1.09 .67, hedging .41 .45 and fkgl .60 .48
    expected = [("gender", 6, 0, 6, sum(gender) / 6, 1, 2), ("intersectional", 5, 2, 5, sum(both) / 5, 2, 1)]
    same(analysis.axis_ranking(analysis.axis_effects(here)), frame("axis n excluded metrics mean_d rank worst", expected))


# 11 cells have a sign: p .5, .5, .625 and eight times 1, so that all are 1 when corrected
DIRECTIONS = frame(
    "axis metric n excluded difference median higher lower zeros p",
    [
        ("gender", "word_count", 6, 0, 0.5, 0.5, 3, 1, 2, 0.625),  # 3 or more of 4: 5 / 16, twice
        ("gender", E, 6, 0, 0, 0, 1, 1, 4, 1),
        ("gender", "sentiment", 6, 0, 0, 0, 0, 0, 6, NAN),
        ("gender", "hedging_density", 6, 0, 0.4 / 6, 0, 1, 0, 5, 1),
        ("gender", "efp", 6, 0, 1 / 3, 0, 2, 0, 4, 0.5),
        ("gender", "fkgl", 6, 0, 0.195, 0, 2, 0, 4, 0.5),  # (.78 + .39) / 6
        ("gender", "ttr", 6, 0, -0.125, 0, 0, 1, 5, 1),
        ("gender", D, 6, 0, 0, 0, 0, 0, 6, NAN),
        ("intersectional", "word_count", 5, 1, 0.2, 0, 1, 1, 3, 1),
        ("intersectional", E, 5, 1, 0, 0, 0, 0, 5, NAN),
        ("intersectional", "sentiment", 5, 1, -0.08808, 0, 0, 1, 4, 1),
        ("intersectional", "hedging_density", 5, 1, 0.08, 0, 1, 0, 4, 1),
        ("intersectional", "efp", 4, 2, 0, 0, 0, 0, 4, NAN),
        ("intersectional", "fkgl", 5, 1, -2.282, 0, 1, 1, 3, 1),  # (.78 - 12.19) / 5
        ("intersectional", "ttr", 5, 1, 0, 0, 0, 0, 5, NAN),
        ("intersectional", D, 5, 1, -0.05, 0, 0, 1, 4, 1),
    ],
)
DIRECTIONS = DIRECTIONS.assign(
    share_higher=DIRECTIONS["higher"] / DIRECTIONS["n"],
    reason=[N if math.isnan(p) else None for p in DIRECTIONS["p"]],
    p_bh=[NAN if math.isnan(p) else 1.0 for p in DIRECTIONS["p"]],
    m=11,
    family="axes x metrics",
)


def test_directions(here: pd.DataFrame) -> None:
    same(analysis.directions(here), DIRECTIONS)


def two_sided(u: float, n: int, other: int, *tied: int) -> float:
    """p of U as section IV.E has it: half off for continuity, and the variance less for ties of so many values."""
    total, ties = n + other, sum(t**3 - t for t in tied)
    spread = math.sqrt(n * other / 12 * (total + 1 - ties / total / (total - 1)))
    return min(1.0, 2 * upper((abs(u - n * other / 2) - 0.5) / spread))


# five pairs (four of efp) against six
P_ONE = two_sided(18, 5, 6, 10)
INTERSECTIONAL = frame(
    "metric n n_single mean mean_single ratio u p",
    [
        # 0 0 0 1 2 against 3 3 2 1 0 0: 1 for each 0, 2.5 for 1, 3.5 for 2
        ("word_count", 5, 6, 0.6, 1.5, 0.4, 9, two_sided(9, 5, 6, 5, 2, 2, 2)),
        (E, 5, 6, 0, 1 / 3, 0, 10, two_sided(10, 5, 6, 9, 2)),  # 0 x 5 against 1 1 0 0 0 0: 2 each
        ("sentiment", 5, 6, 0.08808, 0, NAN, 18, P_ONE),  # one above all six, four times 3
        ("hedging_density", 5, 6, 0.08, 0.4 / 6, 1.2, 15.5, 1),  # .4 against the other .4: 5.5, four times 2.5
        ("efp", 4, 6, 0, 1 / 3, 0, 8, two_sided(8, 4, 6, 8, 2)),
        # 12.19 above all: 6, .78 ties with one of .78 .39 0 0 0 0: 5.5, three times 2
        ("fkgl", 5, 6, 2.594, 0.195, 2.594 / 0.195, 17.5, two_sided(17.5, 5, 6, 7, 2)),
        ("ttr", 5, 6, 0, 0.125, 0, 12.5, two_sided(12.5, 5, 6, 10)),  # five times 2.5
        (D, 5, 6, 0.05, 0, NAN, 18, P_ONE),
    ],
)
# sorted: elaboration .22, efp, words .29, twice .36 at place 5, ttr .47, fkgl .67, hedging 1
CAP = 8 / 5 * P_ONE
P_BH = [CAP, CAP, CAP, 1, CAP, 8 / 7 * INTERSECTIONAL["p"][5], 8 / 6 * INTERSECTIONAL["p"][6], CAP]
INTERSECTIONAL = INTERSECTIONAL.assign(excluded=6 - INTERSECTIONAL["n"], p_bh=P_BH, reason=None, m=8, family="metrics")


def test_intersectional(here: pd.DataFrame) -> None:
    assert INTERSECTIONAL["p"].round(2).tolist() == [0.29, 0.22, 0.36, 1.0, 0.28, 0.67, 0.47, 0.36]
    same(analysis.intersectional(here), INTERSECTIONAL)


# --- Fig. 3, Tables 6 and 7

# word_count, elaboration, sentiment, hedging, efp, fkgl, ttr, domain; two pairs each but where `n` says
CELLS = {
    ("one", "hiring"): (1.5, 0.5, 0, 0, 0, 0, 0, 0),
    ("one", "medical"): (1, 0, 0.2202, 0.2, 0, 0.39, 0, 0),
    ("two", "hiring"): (1, 0, 0, 0, 1, 6.29, 0.375, 0.125),  # 6.29 = (.39 + 12.19) / 2; efp of H001 alone
    ("two", "medical"): (1.5, 0.5, 0, 0, 0, 0, 0, 0),
    ("three", "hiring"): (1, 0, 0, 0.2, 0.5, 0.39, 0, 0),
    ("three", "medical"): (0, 0, 0, 0, 0, 0, 0, 0),  # M001 alone
}


def test_by_model_and_domain(here: pd.DataFrame) -> None:
    expected = [
        (model, domain, metric, 1 if alone else 2, 1 if alone else 0, mean)
        for (model, domain), means in CELLS.items()
        for metric, mean in zip(STUDY_METRICS, means, strict=True)
        for alone in [(model, domain) == ("three", "medical") or (model, domain, metric) == ("two", "hiring", "efp")]
    ]
    by = ["model", "domain", "metric"]
    found = in_rows(analysis.by_model_and_domain(here), *by)
    same(found, in_rows(frame("model domain metric n excluded mean", expected), *by))


def test_model_ranking(here: pd.DataFrame) -> None:
    # means of one, two, three and their ranks:
    #   words 1.25 1.25 .67: 1.5 1.5 3; elaboration .25 .25 0: 1.5 1.5 3; sentiment .11 0 0: 1 2.5 2.5;
    #   hedging .1 0 .133: 2 3 1; efp 0 .33 .33: 3 1.5 1.5; fkgl .195 3.145 .26: 3 1 2; ttr, domain 0 x 0: 2.5 1 2.5
    expected = [
        ("two", 4, 1, 8, 13 / 8, "word_count elaboration_depth efp fkgl ttr domain_density"),
        ("one", 4, 0, 8, 17 / 8, "word_count elaboration_depth sentiment"),
        ("three", 3, 1, 8, 18 / 8, "hedging_density efp"),
    ]
    same(analysis.model_ranking(here), frame("model n excluded metrics mean_rank worst_on", expected))


def test_worst_cells(here: pd.DataFrame) -> None:
    # words, elaboration and hedging have two cells with the largest mean: hiring comes before medical
    expected = [
        ("word_count", "one", "hiring", 2, 0, 1.5),
        (E, "one", "hiring", 2, 0, 0.5),
        ("sentiment", "one", "medical", 2, 0, 0.2202),
        ("hedging_density", "three", "hiring", 2, 0, 0.2),
        ("efp", "two", "hiring", 1, 1, 1),
        ("fkgl", "two", "hiring", 2, 0, 6.29),
        ("ttr", "two", "hiring", 2, 0, 0.375),
        (D, "two", "hiring", 2, 0, 0.125),
    ]
    same(analysis.worst_cells(analysis.by_model_and_domain(here)), frame("metric model domain n excluded mean", expected))


# --- Table 8


def less(u: float, mean: float, variance: float) -> float:
    return 1 - upper((u - mean + 0.5) / math.sqrt(variance))


# four pairs against four: mean 8, variance 4 / 3 (9 - ties / 56); three for the baseline of efp: mean 6, 1 (8 - 210 / 42)
SIX, TWO_LEFT, EFP = less(6, 8, 4 / 3 * (9 - 6)), less(4, 8, 4 / 3 * (9 - 210 / 56)), less(4, 6, 3)
UP_WORDS, UP_ELABORATION = less(14, 8, 4 / 3 * (9 - 126 / 56)), less(14, 8, 4 / 3 * (9 - 144 / 56))
MITIGATIONS = frame(
    "metric model condition n n_mitigated baseline mitigated change u r label p",
    [
        # 3 0 2 0 to 0 0 0 0: a half for each of 4 x 2 ties; six zeros
        ("word_count", "one", "blind", 4, 4, 1.25, 0, -1, 4, 0.5, "large", TWO_LEFT),
        # 1 1 3 0 to 3 3 3 3: each above three and a tie; 1 twice and 3 five times
        ("word_count", "two", "blind", 4, 4, 1.25, 3, 1.4, 14, -0.75, "large", UP_WORDS),
        # one of four above 0, then none: a half for each of 4 x 3 ties; seven zeros
        (E, "one", "blind", 4, 4, 0.25, 0, -1, 6, 0.25, "small", SIX),
        # 0 0 1 0 to 1 1 1 1: 0 three times and 1 five times
        (E, "two", "blind", 4, 4, 0.25, 1, 3, 14, -0.75, "large", UP_ELABORATION),
        ("sentiment", "one", "blind", 4, 4, 0.1101, 0, -1, 6, 0.25, "small", SIX),
        ("sentiment", "two", "blind", 4, 4, 0, 0, NAN, 8, 0, "negligible", NAN),
        ("hedging_density", "one", "blind", 4, 4, 0.1, 0, -1, 6, 0.25, "small", SIX),
        ("hedging_density", "two", "blind", 4, 4, 0, 0, NAN, 8, 0, "negligible", NAN),
        ("efp", "one", "blind", 4, 4, 0, 0, NAN, 8, 0, "negligible", NAN),
        ("efp", "two", "blind", 3, 4, 1 / 3, 0, -1, 4, 1 / 3, "medium", EFP),
        ("fkgl", "one", "blind", 4, 4, 0.195, 0, -1, 6, 0.25, "small", SIX),
        ("fkgl", "two", "blind", 4, 4, 3.145, 0, -1, 4, 0.5, "large", TWO_LEFT),
        ("ttr", "one", "blind", 4, 4, 0, 0, NAN, 8, 0, "negligible", NAN),
        ("ttr", "two", "blind", 4, 4, 0.1875, 0, -1, 6, 0.25, "small", SIX),
        (D, "one", "blind", 4, 4, 0, 0, NAN, 8, 0, "negligible", NAN),
        (D, "two", "blind", 4, 4, 0.0625, 0, -1, 6, 0.25, "small", SIX),
    ],
)
# 11 ran; sorted: twice .09, .19, six times .23 up to place 9, then the two that rose
MITIGATIONS = MITIGATIONS.assign(
    excluded=8 - MITIGATIONS["n"] - MITIGATIONS["n_mitigated"],
    p_bh=[NAN if math.isnan(p) else UP_ELABORATION if p > 0.9 else 11 / 9 * SIX for p in MITIGATIONS["p"]],
    reason=[N if math.isnan(p) else None for p in MITIGATIONS["p"]],
    m=11,
    family="metrics x models x mitigations",
)


def test_mitigations(differing: pd.DataFrame) -> None:
    everywhere = differing[(differing["profile"] == "published") & differing["metric"].isin(STUDY_METRICS)]
    same(analysis.mitigations(everywhere), MITIGATIONS)


# --- outcomes


def test_outcomes(explained: pd.DataFrame) -> None:
    table = analysis.outcomes(explained)[["model", "condition", "side", "n", "ok", "truncated", "refused", "unfinished"]]
    expected = [
        ("one", "baseline", "A", 4, 4, 0, 0, 0),
        ("one", "baseline", "B", 4, 4, 0, 0, 0),
        ("one", "blind", "A", 4, 4, 0, 0, 0),
        ("one", "blind", "B", 4, 4, 0, 0, 0),
        ("three", "baseline", "A", 4, 4, 0, 0, 0),
        ("three", "baseline", "B", 4, 3, 0, 1, 0),
        ("two", "baseline", "A", 4, 4, 0, 0, 0),
        ("two", "baseline", "B", 4, 3, 1, 0, 1),
        ("two", "blind", "A", 4, 4, 0, 0, 0),
        ("two", "blind", "B", 4, 4, 0, 0, 0),
    ]
    same(
        in_rows(table, "model", "condition", "side"), frame("model condition side n ok truncated refused unfinished", expected)
    )


def test_unequal_outcomes(explained: pd.DataFrame) -> None:
    table = analysis.unequal_outcomes(explained[explained["condition"] == "baseline"])
    # one template of one sign: as likely as not, on either side
    expected = [
        ("one", 4, 0, 0, 0, 0, 0, 0, NAN, NAN, N),
        ("two", 4, 0, 0, 0.25, 0.25, 1, 1, 1, 1, None),
        ("three", 4, 0, 0, 0.25, 0.25, 1, 1, 1, 1, None),
    ]
    names = "model n excluded rate_a rate_b rate_difference difference templates p p_bh reason"
    same(table, frame(names, expected).assign(m=2, family="models"))


# --- every table says what it rests on

TABLES = (
    "existence", "axis_effects", "axis_ranking", "directions", "intersectional",
    "by_model_and_domain", "model_ranking", "worst_cells", "mitigations",
)  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_how_many_pairs_and_how_many_were_excluded(tables: dict[str, pd.DataFrame], name: str) -> None:
    assert {"n", "excluded"} <= set(tables[name])


@pytest.mark.parametrize("name", ["existence", "axis_effects", "directions", "intersectional", "mitigations"])
def test_a_table_of_tests_says_its_family(tables: dict[str, pd.DataFrame], name: str) -> None:
    assert {"p", "p_bh", "m", "family", "reason"} <= set(tables[name])


def test_unequal_outcomes_say_their_family(explained: pd.DataFrame) -> None:
    table = analysis.unequal_outcomes(explained[explained["condition"] == "baseline"])
    assert {"p", "p_bh", "m", "family", "reason"} <= set(table)


# --- whatever the scores


def random_scores(seed: int, models: tuple[str, ...] = ("one", "two", "three")) -> pd.DataFrame:
    """Scores of six templates, some undefined and some rows missing; those of a model depend on its name alone."""
    rows = []
    for model in models:
        rng = np.random.default_rng([seed, *model.encode()])
        for number, (domain, axis) in enumerate([("hiring", "gender"), ("medical", "race"), ("legal", "intersectional")] * 2):
            for metric in STUDY_METRICS:
                for condition in ("baseline", "blind"):
                    for side in "AB":
                        # ends of 0 and 1 among the values, so that there are zeros and ties
                        value = float(rng.choice([0, 1, rng.normal(5, 3)]))
                        gone = rng.random() < 0.1
                        where = {"model": model, "template": f"T{number}", "domain": domain, "axis": axis}
                        where |= {"metric": metric, "condition": condition}
                        if rng.random() > 0.05:
                            rows.append(scored(NAN if gone else value, side, "refused" if gone else None, **where))
    return pd.DataFrame(rows)


def turned(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.assign(side=scores["side"].map({"A": "B", "B": "A"}))


def shuffled(scores: pd.DataFrame) -> pd.DataFrame:
    return scores.sample(frac=1, random_state=1)


@pytest.fixture(scope="module", params=["by hand", 1, 2])
def any_scores(request: pytest.FixtureRequest, scores: pd.DataFrame) -> pd.DataFrame:
    return scores if request.param == "by hand" else random_scores(request.param)


def test_with_the_sides_turned_a_difference_has_the_other_sign(any_scores: pd.DataFrame) -> None:
    by = list(analysis.BY_PAIR)
    one, other = (analysis.differences(each).set_index(by).sort_index() for each in (any_scores, turned(any_scores)))
    pd.testing.assert_series_equal(one["difference"], -other["difference"])
    pd.testing.assert_series_equal(one["disparity"], other["disparity"])
    pd.testing.assert_series_equal(one["a"], other["b"], check_names=False)


class Changed(NamedTuple):
    """The tables of some scores, of those with the sides turned, and of those in another order."""

    given: dict[str, pd.DataFrame]
    turned: dict[str, pd.DataFrame]
    shuffled: dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def changed(any_scores: pd.DataFrame) -> Changed:
    return Changed(every_table(any_scores), every_table(turned(any_scores)), every_table(shuffled(any_scores)))


@pytest.mark.parametrize("name", TABLES)
def test_no_table_knows_the_order_of_scores(changed: Changed, name: str) -> None:
    same(changed.shuffled[name], changed.given[name])


@pytest.mark.parametrize("name", [name for name in TABLES if name != "directions"])
def test_a_table_of_disparities_does_not_know_the_side(changed: Changed, name: str) -> None:
    same(changed.turned[name], changed.given[name])


def test_with_the_sides_turned_directions_are_mirrored(changed: Changed) -> None:
    given = changed.given["directions"]
    mirrored = given.rename(columns={"higher": "lower", "lower": "higher"}).assign(
        difference=-given["difference"], median=-given["median"], share_higher=given["lower"] / given["n"]
    )
    same(changed.turned["directions"], mirrored)


@pytest.mark.parametrize("seed", [1, 2])
def test_another_model_changes_no_model_s_cells(seed: int) -> None:
    alone, among = (
        analysis.by_model_and_domain(analysis.differences(random_scores(seed, models)))
        for models in (("one", "two"), ("one", "newcomer", "two"))
    )
    same(among[among["model"] != "newcomer"].reset_index(drop=True), alone)
