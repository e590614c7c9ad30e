"""Outcomes, unmatched personas, and pairs from elsewhere."""

import json
import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats
from shared import EXTERNAL, needs_external
from stats_examples import GAP, MISSING, NAN, NULL, PERSONAS, UNMATCHED, deal, example

from eftlib import stats
from eftlib.errors import InputError
from eftlib.stats import _relabel

# --- outcomes


def one_each(b_only, a_only, neither):
    """Return one model, one draw: templates with B0 bad alone, with A0 bad alone, with none."""
    bad = np.full((b_only + a_only + neither, 1, 4), NAN)
    bad[:, 0, [0, 2]] = 0
    bad[:b_only, 0, 2] = 1
    bad[b_only : b_only + a_only, 0, 0] = 1
    return bad


def test_outcomes_of_the_worked_example():
    # bad(B) - bad(A) by template: 1, 1, 0, 0, 1; 2 of 8 flips reach 3
    found = stats.outcome_test(np.isnan(MISSING))
    assert (found.difference, found.informative, found.test.p, found.test.floor) == (3, 3, 0.25, 0.25)
    # 2 of 20 A texts and 5 of 20 B texts
    assert (found.rate_a, found.rate_b, found.n) == (0.1, 0.25, 20)


def test_one_model_and_draw_is_mcnemar():
    # R: mcnemar is 2 * pbinom(2, 11, .5) = .06542969
    found = stats.outcome_test(one_each(9, 2, 20))
    assert found.test.p == pytest.approx(0.06542969, rel=2e-7)
    assert found.test.p == pytest.approx(scipy_stats.binomtest(9, 11).pvalue, rel=1e-12)
    assert (found.n, found.n_excluded) == (31, 31)


def test_a_draw_counts_where_both_were_asked():
    bad = np.zeros((3, 1, 4))
    bad[:, 0, 2] = 1
    bad[0, 0, 0] = NAN
    bad[1, 0, 3] = NAN
    found = stats.outcome_test(bad)
    # template 0 loses its draw 0 with the bad B0, template 1 its draw 1 with nothing bad
    assert (found.n, found.n_excluded, found.difference) == (4, 2, 2)
    assert (found.rate_a, found.rate_b) == (0, 0.5)


def test_templates_are_the_clusters():
    # ten bad B texts in one template are one cluster, and weigh as one
    bad = np.zeros((4, 5, 4), bool)
    bad[0, :, 2:] = True
    found = stats.outcome_test(bad)
    assert (found.difference, found.informative, found.test.p) == (10, 1, 1.0)


def test_outcomes_by_persona_pair():
    bad, pairs = np.random.default_rng(3).random((12, 3, 4)) < [0.1, 0.1, 0.4, 0.4], deal(12, 5)
    found = stats.outcome_test(bad, pairs=pairs)
    draws = (bad[..., 2:].astype(int) - bad[..., :2]).sum(1)
    sums = [draws[pairs == k].sum() for k in range(5)]
    flips = np.abs([np.dot(f, sums) for f in product([1, -1], repeat=5)])
    assert found.groups.p == pytest.approx(np.mean(flips >= abs(sum(sums))))
    assert found.groups.statistic == found.difference


def test_swapped_outcomes():
    bad = np.random.default_rng(3).random((12, 3, 4)) < [0.1, 0.1, 0.4, 0.4]
    one, two = stats.outcome_test(bad), stats.outcome_test(bad[..., [2, 3, 0, 1]])
    assert (two.difference, two.rate_a, two.test.p) == (-one.difference, one.rate_b, one.test.p)


def test_no_bad_outcome_is_undefined():
    found = stats.outcome_test(np.zeros((4, 2, 4), bool))
    assert math.isnan(found.test.p)
    assert (found.rate_a, found.difference, found.reason) == (0, 0, "no variation")
    nobody = stats.outcome_test(np.full((4, 2, 4), NAN))
    assert math.isnan(nobody.rate_a)
    assert nobody.reason == "nobody was asked"


# --- unmatched personas


def test_persona_permutation_of_the_worked_example():
    found = stats.persona_permutation(UNMATCHED, personas=PERSONAS)
    assert found.statistic == pytest.approx(1.375)
    # 20 labelings, each tied with its reverse
    assert (found.p, found.floor, found.n) == (0.1, 0.1, 6)


def brute_permutation(y, personas, strata):
    """Every labeling from the definition: a persona's label is drawn within its stratum."""
    y = y / stats.model_scales(y)[None, :, None]
    twos = list(combinations(range(4), 2))
    gaps = np.array([[np.mean(np.abs(row[:, i] - row[:, j])) for i, j in twos] for row in y])
    gaps -= gaps.mean(1, keepdims=True)
    people = {}
    for t, row in enumerate(personas):
        for column, who in enumerate(row):
            people[who] = (strata[t], column >= 2)
    groups = [[who for who in people if people[who][0] == s] for s in sorted(set(strata))]
    chosen = [list(combinations(group, sum(people[who][1] for who in group))) for group in groups]
    values = []
    own = tuple([who for who in group if people[who][1]] for group in groups)
    for parts in [own, *product(*chosen)]:
        b = {who for part in parts for who in part}
        cross = np.array([[(row[i] in b) != (row[j] in b) for i, j in twos] for row in personas])
        values.append(gaps[cross].mean() - gaps[~cross].mean())
    return values[0], values[1:]


def test_persona_permutation_by_stratum_against_its_definition():
    strata = [0, 0, 0, 1, 1, 1]
    personas = np.array([[0, 1, 5, 6], [1, 2, 6, 7], [0, 2, 5, 7], [3, 4, 8, 9], [4, 10, 9, 8], [3, 10, 9, 8]])
    y = example(6, 2, shift=0.7)
    observed, values = brute_permutation(y, personas, strata)
    # 20 labelings of 3 against 3, times 10 of 3 against 2
    assert len(values) == 200
    found = stats.persona_permutation(y, personas=personas, strata=strata)
    assert found.statistic == pytest.approx(observed)
    assert found.p == np.mean(np.array(values) >= observed - 1e-9)
    # the reversed labels of the even stratum split the same
    assert found.floor == 2 / 200


def test_drawn_labelings_agree_with_all(monkeypatch):
    exact = stats.persona_permutation(UNMATCHED, personas=PERSONAS).p
    monkeypatch.setattr(_relabel, "LIMIT", 10)
    drawn = stats.persona_permutation(UNMATCHED, personas=PERSONAS, resamples=4_000, rng=np.random.default_rng(1))
    # three standard errors of .1 are .014
    assert drawn.p == pytest.approx(exact, abs=0.015)
    assert drawn.method == "persona permutation, Monte Carlo 4000"


@pytest.mark.parametrize(("value", "reason"), [(NAN, "no complete cell"), (3.0, "no variation")])
def test_persona_permutation_undefined(value, reason):
    found = stats.persona_permutation(np.full((4, 1, 4), value), personas=PERSONAS)
    assert math.isnan(found.p)
    assert found.reason == reason


# --- pairs from elsewhere


def test_matched_gaps_of_the_worked_example():
    found = stats.matched_gaps(GAP, NULL)
    # 59 / 53; gap - null = 1.5 1.75 -.5 1.5 2.25 -.5, sum 6: 4 of 64 flips reach it
    assert found.ratio == pytest.approx(59 / 53)
    assert found.test.p == 0.0625
    assert (found.interval.low, found.interval.high) == pytest.approx((0.9690899, 1.239425), rel=4e-7)


def test_file_labels_of_the_worked_example():
    found = stats.unmatched_gaps(GAP, NULL)
    # 145 of choose(12, 6) = 924
    assert found.test.p == pytest.approx(145 / 924)
    assert (found.test.floor, found.n) == (1 / 924, 12)
    assert found.interval.shape == "undefined"


def test_drawn_file_labels_agree_with_all(monkeypatch):
    monkeypatch.setattr(_relabel, "LIMIT", 10)
    found = stats.unmatched_gaps(GAP, NULL, resamples=20_000, rng=np.random.default_rng(1))
    assert found.test.p == pytest.approx(145 / 924, abs=0.008)


def test_a_null_of_zeros_is_no_noise_floor():
    for test in (stats.matched_gaps, stats.unmatched_gaps):
        found = test(GAP, np.zeros(6))
        assert math.isnan(found.test.p)
        assert math.isnan(found.ratio)
        assert found.reason == "no placebo gap"


def test_gaps_of_nothing_are_undefined():
    assert math.isnan(stats.matched_gaps([NAN], [1.0]).test.p)
    assert stats.unmatched_gaps([NAN], [1.0]).reason == "a file has no topic"
    assert stats.unmatched_gaps([1.0, 1.0], [1.0]).reason == "no variation"


def test_only_common_cells_count():
    gap = np.array([[[2.0, 4.0], [30.0, NAN]], [[6.0, 6.0], [NAN, NAN]]])
    null = np.array([[[1.0], [10.0]], [[5.0], [7.0]]])
    # cells 3 and 30, 6 against 1 and 10, 5; the fourth cell is in the null alone.
    # model scales: (3 + 6 + 1 + 5) / 4 = 3.75 and (30 + 10) / 2 = 20
    found = stats.topic_gaps(gap, null)
    assert found.gap == pytest.approx([(3 / 3.75 + 30 / 20) / 2, 6 / 3.75])
    assert found.null == pytest.approx([(1 / 3.75 + 10 / 20) / 2, 5 / 3.75])
    assert (found.cells, found.cells_dropped, found.models, found.models_dropped) == (3, 1, 2, 0)
    raw = stats.topic_gaps(gap, null, scaled=False)
    assert raw.gap == pytest.approx([16.5, 6])


def test_disjoint_files_share_models_alone():
    gap = np.array([[[2.0], [4.0], [NAN]], [[4.0], [NAN], [NAN]], [[NAN], [2.0], [5.0]]])
    null = np.array([[[1.0], [NAN], [NAN]]])
    # model 0 is in both: scale (3 + 1) / 2 = 2; models 1 and 2 are in one file
    found = stats.topic_gaps(gap, null, disjoint=True)
    assert found.gap == pytest.approx([1, 2, NAN], nan_ok=True)
    assert found.null == pytest.approx([0.5])
    assert (found.cells, found.cells_dropped, found.models) == (3, 3, 1)


def test_a_silent_model_leaves():
    gap, null = np.ones((4, 2, 1)), np.ones((4, 2, 1))
    gap[:, 1] = null[:, 1] = 0
    found = stats.topic_gaps(gap, null)
    assert found.gap.tolist() == [1, 1, 1, 1]
    assert (found.models, found.models_dropped, found.cells) == (1, 1, 4)


def test_direction_by_topic():
    rng = np.random.default_rng(6)
    a, b = rng.standard_normal((6, 2, 3)), rng.standard_normal((6, 2, 3)) + 0.5
    a[0, 0, 1] = NAN
    signed = np.nanmean(b - a, axis=2)
    scales = np.nanmean(np.abs(b - a), axis=2).mean(0)
    d = (signed / scales).mean(1)
    found = stats.topic_direction(a, b)
    assert found.differences == pytest.approx(d)
    flips = np.abs([np.dot(f, d) for f in product([1, -1], repeat=6)])
    assert found.test.p == np.mean(flips >= abs(d.sum()) - 1e-9)
    back = stats.topic_direction(b, a)
    assert (back.mean, back.test.p) == (pytest.approx(-found.mean), found.test.p)


def column(values):
    """One model, one run."""
    return np.asarray(values, float)[:, None, None]


def test_equivalence_by_hand():
    # B - A = 1, -1, 2, 2: mean 1, SD sqrt(6 / 3), SE sqrt(2) / 2; t(.95, 3) = 2.353363 of any table; 1 -+ 1.664079.
    # Every null gap is 20: a placebo SD is 20 sqrt(pi) / 2 = 17.724539
    found = stats.topic_equivalence(column([5, 5, 5, 5]), column([6, 4, 7, 7]), column([20, 20, 20, 20]))
    assert found.difference == pytest.approx(1 / 17.724539, rel=1e-7)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.664079 / 17.724539, 2.664079 / 17.724539), rel=1e-6)
    assert found.difference_holds
    # the gaps 1, 1, 2, 2 are far below 20, which four topics cannot show
    assert (found.ratio_holds, found.n, found.reason) == (False, 4, "fewer than 15 topics")
    # (2.93 / .2)² 2 / (100 pi), and gaps over their mean have the SD sqrt(4 / 27): (2.80 sqrt(4 / 27) / log 1.1)²
    assert found.topics_difference == pytest.approx(214.6225 * 2 / 314.159265, rel=1e-7)
    assert found.topics_ratio == pytest.approx(7.84 * 4 / 27 / 0.09531018**2, rel=1e-6)
    # half the null, twice the difference: 2.664079 / 8.862269 = .30
    assert not stats.topic_equivalence(column([5, 5, 5, 5]), column([6, 4, 7, 7]), column([10] * 4)).difference_holds


@pytest.mark.parametrize(("shift", "holds"), [(0.1, True), (0.6, False)])
def test_equivalence_is_two_one_sided_t_tests(shift, holds):
    rng = np.random.default_rng(8)
    a, null = rng.standard_normal((18, 2, 1)), np.abs(rng.standard_normal((18, 2, 1))) + 1
    b = a + shift + 0.3 * rng.standard_normal((18, 2, 1))
    found = stats.topic_equivalence(a, b, null)
    scales = (np.abs(b - a).mean((0, 2)) + null.mean((0, 2))) / 2
    d, w = ((values[..., 0] / scales).mean(1) for values in (b - a, null * math.sqrt(math.pi) / 2))
    sides = [
        scipy_stats.ttest_1samp(d - 0.2 * w, 0, alternative="less").pvalue,
        scipy_stats.ttest_1samp(d + 0.2 * w, 0, alternative="greater").pvalue,
    ]
    assert found.difference_holds == (max(sides) < 0.05) == holds
    assert found.difference == pytest.approx(d.mean() / w.mean())
    for limit in (found.interval.low, found.interval.high):
        assert scipy_stats.ttest_1samp(d - limit * w, 0).pvalue == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize(("times", "holds"), [(1 + 1e-6, True), (1 - 1e-6, False)])
def test_equivalence_turns_at_its_bounds(times, holds):
    # a null without variation: the limits are those of a t interval, and this null puts each upper one on its bound
    b = np.tile([1.0, -1, 2, 2, 1], 3)
    d = scipy_stats.t.interval(0.90, 14, b.mean(), b.std(ddof=1) / math.sqrt(15))[1]
    null = column([d / (0.2 * math.sqrt(math.pi) / 2) * times] * 15)
    assert stats.topic_equivalence(column([0] * 15), column(b), null).difference_holds is holds
    gap = np.abs(b)
    upper = scipy_stats.t.interval(0.95, 14, gap.mean(), gap.std(ddof=1) / math.sqrt(15))[1]
    null = column([upper / 1.10 * times] * 15)
    assert stats.topic_equivalence(column([0] * 15), column(b), null).ratio_holds is holds


def test_the_ratio_holds_from_15_topics_on_in_cells_of_both_files():
    b, null = np.tile([1.0, -1], 10)[:16] + 0.01 * np.arange(16), np.full(16, 2.0)
    null[15] = NAN  # a topic of one file alone
    found = stats.topic_equivalence(column([0] * 16), column(b), column(null))
    assert (found.ratio_holds, found.n, found.reason) == (True, 15, None)
    null[14] = NAN
    found = stats.topic_equivalence(column([0] * 16), column(b), column(null))
    assert (found.ratio_holds, found.n, found.reason) == (False, 14, "fewer than 15 topics")


@pytest.mark.parametrize(
    # pages/noise_floor.md section 9, 5: words split at white space, 17 topics, 7 common models
    ("equal", "ratio", "interval", "p"),
    [(True, 1.094, (0.995, 1.199), 0.030), (False, 1.037, (0.964, 1.112), 0.15)],
)
@needs_external
def test_public_hiring_pairs(equal, ratio, interval, p):
    files = [_read(EXTERNAL / name, equal) for name in ("hiring_race_black.jsonl", "null_pairs.jsonl")]
    topics, models = (sorted({row[key] for rows in files for row in rows}) for key in ("topic", "model"))
    words = [_cube(rows, topics, models) for rows in files]
    gaps = stats.topic_gaps(*(np.abs(b - a) for a, b in words))
    found = stats.matched_gaps(gaps.gap, gaps.null, resamples=40_000, rng=np.random.default_rng(1))
    assert (found.n, gaps.models) == (17, 7)
    assert found.ratio == pytest.approx(ratio, abs=5e-4)
    assert (found.interval.low, found.interval.high) == pytest.approx(interval, abs=5e-4)
    assert found.test.p == pytest.approx(p, abs=0.005)
    direction = stats.topic_direction(*words[0], rng=np.random.default_rng(1))
    assert direction.test.p == pytest.approx(0.66 if equal else 0.71, abs=0.02)


def _read(path, equal):
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["same_decision"] or not equal]


def _cube(rows, topics, models):
    cube = np.full((2, len(topics), len(models), 10), NAN)
    used = np.zeros((len(topics), len(models)), int)
    for row in rows:
        at = topics.index(row["topic"]), models.index(row["model"])
        for side, key in enumerate(("explanation_a", "explanation_b")):
            cube[side, *at, used[at]] = len(row[key].split())
        used[at] += 1
    return cube


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.outcome_test(np.full((2, 1, 4), 2.0)), r"bad holds .*2\.0.*allowed: true, false"),
        (lambda: stats.persona_permutation(UNMATCHED, personas=PERSONAS[:, ::-1][:, [0, 2, 1, 3]]), "someone on both sides"),
        (lambda: stats.persona_permutation(UNMATCHED, personas=PERSONAS, strata=[0, 0, 0, 1]), "someone in two strata"),
        (lambda: stats.matched_gaps(GAP, NULL[:3]), "gap has 6 rows; null has 3 rows"),
        (lambda: stats.topic_gaps(-np.ones((2, 1, 1)), np.ones((2, 1, 1))), r"gap holds .*-1\.0"),
        (lambda: stats.topic_gaps(np.ones((2, 1, 1)), np.ones((3, 1, 1))), "they must share topics and models"),
        (lambda: stats.topic_direction(np.ones((2, 1, 1)), np.ones((2, 2, 1))), "they must agree"),
        (lambda: stats.matched_gaps(np.arange(20.0), np.ones(20)), "rng is None"),
    ],
)
def test_unusable_arguments_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
