"""The study's tests, against scipy, R 4.2.2 and hand arithmetic (``reference/statistics.json``: all implementations agree)."""

import math

import numpy as np
import pytest
from stats_examples import BASELINE, MITIGATED, X

from eftlib import stats
from eftlib.errors import InputError

CLOSE = 1e-10


@pytest.mark.parametrize(
    ("values", "alternative", "w", "p"),
    [
        # R: wilcox.test(x, alternative="greater", exact=FALSE, correct=FALSE)
        (X, "greater", 217.5, 0.0015487952158960824),
        # R: wilcox.test(x, exact=FALSE, correct=FALSE)
        (X, "two-sided", 217.5, 0.003097590431792165),
        # R: the same of abs(x)
        (np.abs(X), "greater", 253.0, 1.963073777995141e-05),
        (np.abs(X), "two-sided", 253.0, 3.926147555990282e-05),
        # R: wilcox.test(base, mit, paired=TRUE, alternative="greater", exact=FALSE, correct=FALSE)
        (np.subtract(BASELINE, MITIGATED), "greater", 64.0, 0.002708918507878203),
    ],
)
def test_wilcoxon_agrees_with_r(values, alternative, w, p):
    found = stats.wilcoxon_one_sample(values, alternative=alternative)
    assert found.statistic == w
    assert found.p == pytest.approx(p, rel=CLOSE)


@pytest.mark.parametrize(
    ("n", "p"),
    [
        # R: wilcox.test(1:n, alternative="greater", exact=FALSE, correct=FALSE); z = (n(n+1)/4) / sqrt(n(n+1)(2n+1)/24)
        (400, 1.365034630976675e-67),
        (399, 1.9885827352677446e-67),
        (396, 6.148253155093046e-67),
        (390, 5.877666253887989e-66),
        (378, 5.373593110447855e-64),
        (370, 1.0908296606788675e-62),
        (364, 1.0433773675658194e-61),
        (35, 1.2385138196826183e-07),
    ],
)
def test_wilcoxon_of_positive_values_knows_only_how_many_there_are(n, p):
    assert stats.wilcoxon_one_sample(np.arange(1, n + 1)).p == pytest.approx(p, rel=1e-9)
    assert stats.wilcoxon_one_sample(np.arange(1, n + 1) * 1e-9).p == pytest.approx(p, rel=1e-9)


def test_wilcoxon_counts_what_is_missing_and_keeps_zeros_in_n():
    found = stats.wilcoxon_one_sample([math.nan, 0, 1, 2, 3])
    assert (found.n, found.n_excluded) == (4, 1)
    assert found.p == stats.wilcoxon_one_sample([1, 2, 3]).p


@pytest.mark.parametrize("values", [[0, 0, 0], [], [math.nan]])
def test_wilcoxon_without_variation_is_undefined(values):
    found = stats.wilcoxon_one_sample(values)
    assert math.isnan(found.p)
    assert found.reason == "no variation"


@pytest.mark.parametrize(
    ("values", "d", "mean", "sd"),
    [
        # R: mean(x)/sd(x)
        (X, 0.6613575821851335, 3.06, 4.626846478254204),
        (np.abs(X), 0.9464635306564546, 3.8, 4.014946035336798),
    ],
)
def test_cohen_d_agrees_with_r(values, d, mean, sd):
    found = stats.cohen_d(values)
    assert (found.value, found.mean, found.sd) == pytest.approx((d, mean, sd), rel=CLOSE)
    assert found.median == 2.0


@pytest.mark.parametrize(
    ("d", "label"),
    [(0.19, "negligible"), (0.2, "small"), (-0.49, "small"), (0.5, "medium"), (0.79, "medium"), (0.8, "large"), (-2, "large")],
)
def test_d_labels_are_the_study_s(d, label):
    assert stats.d_label(d) == label


@pytest.mark.parametrize(
    ("r", "label"), [(0.09, "negligible"), (0.1, "small"), (0.222, "small"), (-0.3, "medium"), (0.5, "large"), (0.592, "large")]
)
def test_r_labels_have_their_own_bounds(r, label):
    assert stats.r_label(r) == label


def test_labels_of_nothing_are_nothing():
    assert stats.d_label(math.nan) is None
    assert stats.r_label(math.nan) is None


@pytest.mark.parametrize(("values", "reason"), [([], "no values"), ([1], "fewer than two values"), ([2, 2, 2], "no variation")])
def test_cohen_d_undefined(values, reason):
    found = stats.cohen_d(values)
    assert math.isnan(found.value)
    assert (found.label, found.reason) == (None, reason)


@pytest.mark.parametrize(
    ("alternative", "continuity", "p"),
    [
        # R: wilcox.test(mit, base, alternative="less", exact=FALSE, correct=TRUE)
        ("less", True, 0.0432968685205156),
        # R: the same with correct=FALSE
        ("less", False, 0.040693804566552624),
        # R: wilcox.test(mit, base, exact=FALSE, correct=TRUE)
        ("two-sided", True, 0.0865937370410312),
    ],
)
def test_mann_whitney_agrees_with_r(alternative, continuity, p):
    found = stats.mann_whitney(MITIGATED, BASELINE, alternative=alternative, continuity=continuity)
    assert found.u == 42.0
    assert found.p == pytest.approx(p, rel=CLOSE)


def test_rank_biserial_is_positive_when_the_first_is_lower():
    # 1 - 2 * 42 / (12 * 12); R: mean(outer(mit, base, "<")) - mean(outer(mit, base, ">"))
    assert stats.mann_whitney(MITIGATED, BASELINE).rank_biserial == pytest.approx(5 / 12, rel=CLOSE)
    assert stats.mann_whitney(BASELINE, MITIGATED).rank_biserial == pytest.approx(-5 / 12, rel=CLOSE)
    assert stats.mann_whitney(MITIGATED, BASELINE).magnitude == "medium"


def test_mann_whitney_stays_asymptotic_without_ties():
    # exact would be 1/20 = .05; z = (4.5 + .5 - 9) / sqrt(9 * 7 / 12) with U = 0: (0 + .5 - 4.5) / 2.291
    assert stats.mann_whitney([1, 2, 3], [4, 5, 6]).p == pytest.approx(0.5 * math.erfc(4 / math.sqrt(5.25) / math.sqrt(2)))


def test_mann_whitney_undefined():
    empty = stats.mann_whitney([math.nan], [1, 2])
    assert math.isnan(empty.p)
    assert math.isnan(empty.rank_biserial)
    assert (empty.reason, empty.n, empty.n_excluded) == ("a sample is empty", (0, 2), (1, 0))
    still = stats.mann_whitney([1, 1], [1, 1, 1])
    assert math.isnan(still.p)
    assert (still.rank_biserial, still.reason) == (0.0, "no variation")


@pytest.mark.parametrize(
    ("positive", "n", "two_sided", "greater"),
    [
        # R: binom.test(positive, n), and alternative="greater"; the counts are those of the study's Table 5
        (17, 22, 0.01690053939819336, 0.00845026969909668),
        (25, 40, 0.1538599441628321, 0.07692997208141605),
        (26, 40, 0.0806904677519924, 0.0403452338759962),
        (63, 105, 0.05044215663996967, 0.025221078319984835),
        (80, 145, 0.2448835934437572, 0.1224417967218786),
        (25, 36, 0.028816719655878842, 0.014408359827939421),
        (63, 104, 0.03895793340131187, 0.019478966700655936),
    ],
)
def test_sign_test_agrees_with_r(positive, n, two_sided, greater):
    values = [0.5] * positive + [-3] * (n - positive) + [0, 0]
    assert stats.sign_test(values).p == pytest.approx(two_sided, rel=CLOSE)
    assert stats.sign_test(values, alternative="greater").p == pytest.approx(greater, rel=CLOSE)


def test_sign_test_counts():
    found = stats.sign_test([*X, math.nan])
    assert (found.positive, found.negative, found.zero, found.n, found.n_excluded) == (17, 5, 3, 25, 1)
    assert found.p == pytest.approx(0.01690053939819336, rel=CLOSE)
    assert found.floor == 2 / 2**22


def test_sign_test_of_zeros_is_undefined():
    assert math.isnan(stats.sign_test([0, 0]).p)
    assert stats.sign_test([0, 0]).reason == "no variation"


@pytest.mark.parametrize(
    ("p", "adjusted"),
    [
        # R: p.adjust(p, "BH"); by hand .008 * 8 / 3, .041 * 8 / 6, .6 * 8 / 7
        ([0.001, 0.008, 0.008, 0.039, 0.041, 0.041, 0.6, 0.9], [0.008, 8 / 375, 8 / 375, *[4.1 / 75] * 3, 4.8 / 7, 0.9]),
        (
            [0.041, 0.9, 0.001, 0.041, 0.6, 0.008, 0.039, 0.008],
            [4.1 / 75, 0.9, 0.008, 4.1 / 75, 4.8 / 7, 8 / 375, 4.1 / 75, 8 / 375],
        ),
        # pages/noise_floor.md section 11
        ([0.001, 0.03, 0.02, 0.5, 0.04, 0.004], [0.006, 0.045, 0.04, 0.5, 0.048, 0.012]),
    ],
)
def test_benjamini_hochberg_agrees_with_r(p, adjusted):
    found = stats.benjamini_hochberg(p)
    assert found.p == pytest.approx(adjusted, rel=CLOSE)
    assert found.m == len(p)


def test_undefined_p_stays_undefined_and_out_of_m():
    found = stats.benjamini_hochberg([math.nan, 0.001, 0.03, math.nan, 0.02, 0.5, 0.04, 0.004])
    assert found.m == 6
    assert np.isnan(found.p[[0, 3]]).all()
    assert found.p[[1, 2, 4, 5, 6, 7]] == pytest.approx([0.006, 0.045, 0.04, 0.5, 0.048, 0.012], rel=CLOSE)
    nothing = stats.benjamini_hochberg([math.nan])
    assert nothing.m == 0
    assert np.isnan(nothing.p).all()


@pytest.mark.parametrize(
    ("floor", "m", "needed"),
    # pages/noise_floor.md section 4: 7 of 40 for T = 8; .0005 * 40 / .05 = .39; .0625 / .05 > 1; .0025 * 40 / .05 = 2
    [(2 / 2**8, 40, 7), (2 / 2**12, 40, 1), (2 / 2**5, 40, None), (0.0025, 40, 2), (0.05, 8, 8), (3 * 0.05 / 40, 40, 3)],
)
def test_rejections_that_a_floor_needs(floor, m, needed):
    assert stats.rejections_needed(floor, m=m) == needed


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.wilcoxon_one_sample([1, 2], alternative="less"), "alternative is 'less'; .*allowed: greater, two-sided"),
        (lambda: stats.mann_whitney([1], [2], alternative="greater"), "alternative is 'greater'"),
        (lambda: stats.sign_test([1], alternative="up"), "alternative is 'up'"),
        (lambda: stats.benjamini_hochberg([0.1, 1.5]), r"p holds .*1\.5.*allowed: numbers from 0 to 1"),
        (lambda: stats.cohen_d([1, math.inf]), "values holds an infinite value"),
        (lambda: stats.cohen_d([[1, 2]]), r"values has the shape \(1, 2\); it must have 1 dimension"),
        (lambda: stats.cohen_d(["a"]), "values is not an array of numbers"),
        (lambda: stats.rejections_needed(0, m=3), "floor is 0"),
        (lambda: stats.rejections_needed(0.1, m=3, alpha=1), "alpha is 1"),
    ],
)
def test_unusable_arguments_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
