"""Sign flips, the cluster bootstrap, t and Fieller intervals."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats as scipy_stats
from stats_examples import X

from eftlib import stats
from eftlib.errors import InputError
from eftlib.stats import _relabel

EQUAL = np.repeat(np.arange(5), 5)
UNEQUAL = np.repeat(np.arange(5), [7, 3, 6, 5, 4])
INTERLEAVED = np.tile(np.arange(5), 5)
SUMS = [3, -1, 2, 2, -4, 6, 0, 5]


@pytest.mark.parametrize(
    ("values", "clusters", "alternative", "p"),
    [
        # all five cluster sums positive: 2 / 2^5
        (X, EQUAL, "two-sided", 0.0625),
        (X, UNEQUAL, "two-sided", 0.0625),
        # R: f <- as.matrix(expand.grid(rep(list(c(-1, 1)), 8))); mean(abs(f %*% s) >= 13), mean(f %*% s >= 13)
        (SUMS, None, "two-sided", 0.234375),
        (SUMS, None, "greater", 0.1171875),
        (np.negative(SUMS), None, "less", 0.1171875),
    ],
)
def test_sign_flip_by_enumeration(values, clusters, alternative, p):
    found = stats.sign_flip(values, clusters=clusters, alternative=alternative)
    assert found.p == p
    assert found.method == "sign flip, exact"


@pytest.mark.parametrize(
    # python and R dynamic programs over the 22 non-zero quarters: counts / 2^22
    ("alternative", "p"),
    [("greater", 0.0008592605590820312), ("two-sided", 0.0017185211181640625)],
)
def test_sign_flip_by_convolution(alternative, p):
    found = stats.sign_flip(X * 4, method="convolution", alternative=alternative)
    assert found.p == p
    assert (found.n, found.statistic) == (25, 4 * X.sum())


def test_convolution_and_enumeration_agree():
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = rng.integers(-4, 5, size=10)
        values[0] = 1
        for alternative in ("two-sided", "greater", "less"):
            one = stats.sign_flip(values, alternative=alternative)
            two = stats.sign_flip(values, alternative=alternative, method="convolution")
            assert one.p == pytest.approx(two.p, abs=1e-12)


def test_convolution_of_very_many_is_the_binomial():
    # 2,100 clusters of one size: twice the upper binomial tail, as McNemar's exact test
    values = [1] * 1_100 + [-1] * 1_000
    assert stats.sign_flip(values, method="convolution").p == pytest.approx(
        scipy_stats.binomtest(1_100, 2_100).pvalue, rel=1e-9
    )


def test_drawn_flips_agree_with_the_exact_p():
    found = stats.sign_flip(X, resamples=20_000, rng=np.random.default_rng(1))
    assert found.method == "sign flip, Monte Carlo 20000"
    # exact .00172; three standard errors are .0009
    assert found.p == pytest.approx(0.0017185, abs=0.0009)
    assert found.p * 20_001 == pytest.approx(round(found.p * 20_001))
    assert found.floor == 1 / 20_001


def test_a_p_from_drawn_flips_is_never_zero():
    found = stats.sign_flip(np.arange(1, 101), resamples=99, rng=np.random.default_rng(1))
    assert found.p == found.floor == 0.01


def test_fourteen_clusters_are_enumerated_and_fifteen_are_not():
    assert stats.sign_flip(np.ones(14)).p == 2 / 2**14
    with pytest.raises(InputError, match=r"rng is None, but 2\^15 relabellings"):
        stats.sign_flip(np.ones(15))


def test_zeros_cost_no_enumeration_and_do_not_lower_the_floor():
    found = stats.sign_flip([0.0] * 20 + [1, 2, 3, 4])
    assert (found.p, found.floor, found.n) == (2 / 2**4, 2 / 2**4, 24)


def test_ties_survive_rounding_in_any_unit():
    # .1 + .2 - .3 is 5.6e-17: of 8 flips |sum| is 0 for two, .6 for two, .4 for two, .2 for two
    for unit in (1e-9, 1.0, 1e9):
        assert stats.sign_flip(np.array([0.1, 0.2, -0.3]) * unit).p == 1.0
        assert stats.sign_flip(np.array([0.1, 0.2, 0.3]) * unit).p == 0.25


def test_sign_flip_leaves_missing_values_out():
    found = stats.sign_flip([3, math.nan, 2, math.nan], clusters=["a", "a", "b", "c"])
    assert (found.n, found.n_excluded, found.statistic, found.p) == (2, 2, 5, 0.5)


@pytest.mark.parametrize("values", [[], [math.nan], [0, 0]])
def test_sign_flip_without_variation_is_undefined(values):
    found = stats.sign_flip(values)
    assert math.isnan(found.p)
    assert found.reason == "no variation"


def test_blocks_change_nothing(monkeypatch):
    values = np.random.default_rng(2).standard_normal(30)
    whole = stats.cluster_bootstrap(values, resamples=1_001, rng=np.random.default_rng(9))
    monkeypatch.setattr(_relabel, "BLOCK", 1_000)
    assert stats.cluster_bootstrap(values, resamples=1_001, rng=np.random.default_rng(9)) == whole
    # flips drawn in blocks are other flips, but as many
    found = stats.sign_flip(values, resamples=1_001, rng=np.random.default_rng(9))
    assert found.p * 1_002 == pytest.approx(round(found.p * 1_002))


@pytest.mark.parametrize(
    ("clusters", "exact", "exact_se", "seeded", "seeded_se"),
    [
        # R: all 5^5 rows of expand.grid, quantile(type = 7); numpy: default_rng(12345), B = 10,000
        (EQUAL, (0.93, 5.45), 1.1514686274493109, (0.93, 5.43), 1.143874966886673),
        (
            UNEQUAL, (1.0603448275862069, 6.304347826086956), 1.3160918872800798,
            (1.0603448275862069, 6.304347826086956), 1.3139100087071842,
        ),
        # the exact se is not in the reference here: computed from its definition below
        (INTERLEAVED, (1.47, 4.99), None, (1.47, 4.91), 0.8884971190550124),
    ],
)  # fmt: skip
def test_cluster_bootstrap(clusters, exact, exact_se, seeded, seeded_se):
    found = stats.cluster_bootstrap(X, clusters=clusters, method="exact")
    assert (found.interval.low, found.interval.high) == pytest.approx(exact, rel=1e-10)
    # of equal clusters the variance is that of one sum: se = sd0(sums) / 5 / sqrt(5)
    expected = exact_se or np.bincount(clusters, X).std() / 5 / math.sqrt(5)
    assert found.se == pytest.approx(expected, rel=1e-10)
    assert found.value == pytest.approx(3.06)
    drawn = stats.cluster_bootstrap(X, clusters=clusters, rng=np.random.default_rng(12345))
    assert (drawn.interval.low, drawn.interval.high) == pytest.approx(seeded, rel=1e-10)
    assert drawn.se == pytest.approx(seeded_se, rel=1e-10)


def test_cluster_bootstrap_of_one_cluster_is_undefined():
    found = stats.cluster_bootstrap([1, 2, math.nan], clusters=[1, 1, 2], method="exact")
    assert (found.value, found.n, found.n_excluded, found.interval.shape) == (1.5, 1, 1, "undefined")
    assert found.reason == "fewer than two clusters"


def test_t_interval_and_test_agree_with_scipy():
    found, expected = stats.t_interval(X, level=0.9), scipy_stats.ttest_1samp(X, 0)
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(expected.confidence_interval(0.9)), rel=1e-9)
    for alternative in ("two-sided", "greater", "less"):
        wanted = scipy_stats.ttest_1samp(X, 0, alternative=alternative).pvalue
        assert stats.t_test(X, alternative=alternative).p == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("values", "reason"), [([], "fewer than two units"), ([3], "fewer than two units"), ([0.1 + 0.2, 0.3], "no variation")]
)
def test_t_without_spread_is_undefined(values, reason):
    assert stats.t_interval(values).interval.shape == "undefined"
    assert stats.t_interval(values).reason == reason
    assert math.isnan(stats.t_test(values).p)
    assert math.isnan(stats.tost(values, bound=1).p)


def test_tost_is_the_larger_one_sided_p():
    for bound in (3.5, 6):
        sides = [
            scipy_stats.ttest_1samp(X, bound, alternative="less").pvalue,
            scipy_stats.ttest_1samp(X, -bound, alternative="greater").pvalue,
        ]
        assert stats.tost(X, bound=bound).p == pytest.approx(max(sides), rel=1e-9)
        assert stats.tost(X, bound=np.full(25, bound)).p == stats.tost(X, bound=bound).p


def test_fieller_limits_are_where_the_t_test_turns():
    rng = np.random.default_rng(4)
    c, w = 2 + rng.standard_normal(12), 1.5 + 0.5 * rng.standard_normal(12)
    found = stats.fieller(c, w, level=0.9)
    assert found.interval.bounded
    for limit in (found.interval.low, found.interval.high):
        assert scipy_stats.ttest_1samp(c - limit * w, 0).pvalue == pytest.approx(0.1, abs=1e-9)
    assert found.value in found.interval


@pytest.mark.parametrize("unit", [1e-150, 1, 1e150])
def test_fieller_has_no_unit(unit):
    rng = np.random.default_rng(4)
    c, w = 2 + rng.standard_normal(12), 1.5 + 0.5 * rng.standard_normal(12)
    plain, scaled = stats.fieller(c, w).interval, stats.fieller(c * unit, w * unit).interval
    assert (scaled.low, scaled.high) == pytest.approx((plain.low, plain.high), rel=1e-9)


def test_fieller_says_when_it_is_unbounded():
    c = np.array([1.0, 2, 3, 4])
    # the denominator's mean 0.25 has t = .26, the numerator's 2.5 has t = 3.9: no finite interval, 0 is left out
    rays = stats.fieller(c, [2.0, -1, 2, -2]).interval
    assert (rays.shape, rays.low, rays.high, rays.bounded) == ("rays", -math.inf, math.inf, False)
    assert 0 not in rays
    assert 1e9 in rays
    for edge in rays.excluded:
        residual = c - edge * np.array([2.0, -1, 2, -2])
        assert scipy_stats.ttest_1samp(residual, 0).pvalue == pytest.approx(0.05, abs=1e-9)
    # neither mean differs from 0: nothing is left out
    line = stats.fieller([1.0, -2, 3, -1], [2.0, -1, -2, 2]).interval
    assert (line.shape, line.low, line.high, line.excluded) == ("line", -math.inf, math.inf, None)
    for r in (-1e6, -3.0, -1.0, 0.0, 0.5, 2.0, 1e6):
        assert r in line
        assert scipy_stats.ttest_1samp(np.array([1.0, -2, 3, -1]) - r * np.array([2.0, -1, -2, 2]), 0).pvalue > 0.05


@pytest.mark.parametrize(
    ("c", "w", "reason"),
    [
        ([], [], "no units"),
        ([1.0, 2.0], [0.0, 0.0], "the denominator is 0"),
        ([1.0, math.nan], [2.0, 1.0], "fewer than two units"),
        ([1.0, 2.0, 3.0], [2.0, 4.0, 6.0], "no variation"),
    ],
)
def test_fieller_undefined(c, w, reason):
    found = stats.fieller(c, w)
    assert (found.interval.shape, found.reason) == ("undefined", reason)


@pytest.mark.parametrize("units", [1, 4, 8])
def test_every_relabelling_is_tried_once(units):
    rows = np.concatenate(list(_relabel.labels(3, units, resamples=1, rng=None)))
    assert sorted(map(tuple, rows.tolist())) == sorted(product(range(3), repeat=units))


@pytest.mark.parametrize("base", [2, 3])
def test_drawn_relabellings_are_fair(base):
    rows = np.concatenate(list(_relabel.labels(base, 21, resamples=20_000, rng=np.random.default_rng(8))))
    assert rows.shape == (20_000, 21)
    for value in range(base):
        # five standard errors of a share are .018
        assert np.abs((rows == value).mean(0) - 1 / base).max() < 0.018
    assert np.abs(np.corrcoef(rows.T.astype(float)) - np.eye(21)).max() < 0.04


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.sign_flip([0.5, 1], method="convolution"), r"values hold .*0\.5.*integers"),
        (lambda: stats.sign_flip([1, 2], method="exact"), "method is 'exact'; .*allowed: auto, convolution"),
        (lambda: stats.sign_flip([1, 2], clusters=[1]), r"clusters has the shape \(1,\); it must be \(2,\)"),
        (lambda: stats.sign_flip([1, 2], clusters=[1, math.nan]), "clusters holds NaN"),
        (lambda: stats.sign_flip([1, 2], clusters=np.array(["a", None], dtype=object)), "clusters holds an empty label"),
        (lambda: stats.sign_flip([1, 2], clusters=np.array(["a", 1], dtype=object)), "clusters mixes kinds of labels"),
        (lambda: stats.sign_flip(np.ones(20), resamples=0, rng=np.random.default_rng(1)), "resamples is 0; allowed: 1 or more"),
        (lambda: stats.cluster_bootstrap(np.arange(6), method="exact"), "values have 6 clusters; allowed .*5 at most"),
        (lambda: stats.cluster_bootstrap([1, 2]), "rng is None, but the bootstrap draws"),
        (lambda: stats.t_interval([1, 2], level=95), "level is 95; allowed: a number between 0 and 1"),
        (lambda: stats.tost([1, 2], bound=-1), "bound is -1"),
        (lambda: stats.fieller([1, 2], [1]), "numerator has 2 rows; denominator has 1 rows"),
    ],
)
def test_unusable_arguments_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
