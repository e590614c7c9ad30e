"""Magnitude, direction, spread and equivalence: worked examples, brute force, invariances, degenerate input, size."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats as scipy_stats
from stats_examples import GROUPS, MISSING, NAMES, NAN, PAIRS, deal, example

from eftlib import stats
from eftlib.errors import InputError
from eftlib.stats import _relabel, persona_pairs

PRINTED = 5e-7  # the reference prints seven digits


def ends(interval):
    return interval.low, interval.high


# --- section 11: names


def test_magnitude_of_the_worked_example():
    found = stats.magnitude(NAMES)
    # C = 92/5, W = 78.5/5; of 3^5 = 243 splits 65 reach E
    assert (found.cross, found.within, found.energy) == pytest.approx((18.4, 15.7, 2.7))
    assert found.ratio == pytest.approx(1.171975, rel=PRINTED)
    assert (found.test.p, found.test.floor) == pytest.approx((65 / 243, 1 / 243), rel=1e-12)
    assert found.test.statistic == pytest.approx(2.7)
    assert ends(found.interval) == pytest.approx((0.5287462, 2.426785), rel=PRINTED)


def test_direction_of_the_worked_example():
    found = stats.direction(NAMES)
    assert found.differences.tolist() == [30.5, 14.5, 10, 3, 11.5]
    assert found.mean == pytest.approx(13.9)
    assert (found.test.p, found.test.floor) == (2 / 32, 2 / 32)
    # R: t.test(c(30.5, 14.5, 10, 3, 11.5))
    assert ends(found.interval) == pytest.approx((1.242029, 26.55797), rel=PRINTED)
    # sqrt(pi) / 2 * 15.7
    assert found.placebo_sd == pytest.approx(13.91376, rel=PRINTED)
    assert found.standardised.value == pytest.approx(13.9 / 13.9137627296)
    assert ends(found.standardised.interval) == pytest.approx((0.07132929, 3.181151), rel=PRINTED)


def test_spread_of_the_worked_example():
    # |B0-B1| - |A0-A1| = -5, 5, 4, 38, 9: mean 51/5, 8 of 32 flips reach 51
    found = stats.spread(NAMES)
    assert found.mean == pytest.approx(10.2)
    assert found.test.p == 0.25


def test_equivalence_of_the_worked_example():
    found = stats.equivalence(NAMES, ratio_bound=1.5, difference_bound=2).names
    assert found.difference_p == pytest.approx(0.08339689, rel=PRINTED)
    assert found.ratio_p == pytest.approx(0.1808372, rel=PRINTED)


# --- section 11: groups


def test_magnitude_for_groups_of_the_worked_example():
    found = stats.magnitude(GROUPS, pairs=PAIRS)
    assert (found.cross, found.within, found.energy) == pytest.approx((1.087673, 0.8246532, 0.2630201), rel=PRINTED)
    assert found.ratio == pytest.approx(1.318946, rel=PRINTED)
    # 331 of 3^8 = 6,561
    assert found.test.p == pytest.approx(331 / 6561)
    assert ends(found.interval) == pytest.approx((0.8726698, 1.928607), rel=PRINTED)
    assert found.groups.swap.p == found.groups.p == 0.25
    # 5 pairs in one component: 2^(1-5)
    assert found.groups.swap.floor == found.groups.floor == 0.0625
    assert ends(found.groups.interval) == pytest.approx((0.8199947, 2.121501), rel=PRINTED)


def test_direction_for_groups_of_the_worked_example():
    found = stats.direction(GROUPS, pairs=PAIRS)
    assert found.mean == pytest.approx(0.7243312, rel=PRINTED)
    assert found.test.p == 0.0234375
    assert found.groups.swap.statistic == pytest.approx(11.5893, rel=PRINTED)
    assert (found.groups.swap.p, found.groups.p, found.groups.floor) == (0.0625, 0.0625, 0.0625)
    assert found.groups.estimate.value == pytest.approx(0.7449646, rel=PRINTED)
    assert ends(found.groups.estimate.interval) == pytest.approx((0.5034998, 0.9864294), rel=PRINTED)


def test_the_group_p_is_the_larger_of_two():
    # names can make the template test reject while the swap does not: both must
    found = stats.direction(GROUPS, pairs=PAIRS)
    assert found.groups.p == max(found.test.p, found.groups.swap.p) > found.test.p
    y = GROUPS[:2]
    few = stats.direction(y, pairs=[[0, 1], [2, 3]])
    assert few.groups.p == max(few.test.p, few.groups.swap.p) == few.test.p
    gap = stats.magnitude(example(4, 1, seed=3, shift=0.8), pairs=deal(4, 6, seed=3))
    assert gap.groups.p == gap.test.p > gap.groups.swap.p
    assert gap.groups.floor == max(gap.test.floor, gap.groups.swap.floor)


# --- section 11 and 7: missing


def test_missing_of_the_worked_example():
    found = stats.magnitude(MISSING, scaled=False)
    assert (found.cross, found.within, found.energy) == pytest.approx((2.1, 1.55, 0.55))
    assert found.ratio == pytest.approx(1.354839, rel=PRINTED)
    # 24 of 243
    assert found.test.p == pytest.approx(0.09876543, rel=PRINTED)
    assert found.cells_dropped == 4
    signed = stats.direction(MISSING, scaled=False)
    assert signed.differences.tolist() == [3, 2.25, 2, 2.25, 2]
    assert signed.mean == pytest.approx(2.3)
    assert signed.test.p == 0.0625
    # template 5 of model 1 has no B text
    assert signed.cells_dropped == 1


def test_three_texts_count_for_direction_and_not_for_magnitude():
    y = NAMES.copy()
    y[0, 0, 3] = NAN
    assert stats.magnitude(y).n == 4
    assert stats.magnitude(y).n_excluded == 1
    assert stats.magnitude(y).ratio == stats.magnitude(NAMES[1:]).ratio
    # 231 - (212 + 198) / 2
    assert stats.direction(y).differences[0] == 26
    assert (stats.direction(y).n, stats.direction(y).cells_dropped) == (5, 0)


def test_a_pair_sum_needs_both_people_of_the_draw():
    y = GROUPS[:, :1].copy()
    whole = stats.direction(y, pairs=PAIRS).groups.swap.statistic
    y[0, 0, 3] = NAN  # B1 of template 0: its draw 1 (215 - 179) leaves
    assert stats.direction(y, pairs=PAIRS).groups.swap.statistic == pytest.approx(whole - 36)


def test_models_are_brought_to_one_scale_by_complete_cells():
    y = GROUPS.copy()
    # by hand for model 1: each template's six gaps, averaged over 8 templates
    gaps = [abs(row[i] - row[j]) for row in GROUPS[:, 0] for i, j in combinations(range(4), 2)]
    assert stats.model_scales(y)[0] == pytest.approx(np.mean(gaps))
    y[2, 0, 1] = NAN
    gaps = [abs(row[i] - row[j]) for row in np.delete(GROUPS[:, 0], 2, 0) for i, j in combinations(range(4), 2)]
    assert stats.model_scales(y)[0] == pytest.approx(np.mean(gaps))


def test_a_model_without_variation_leaves_and_is_counted():
    y = np.concatenate([GROUPS, np.full((8, 1, 4), 3.0)], axis=1)
    with_still, without = stats.magnitude(y), stats.magnitude(GROUPS)
    assert (with_still.models_dropped, without.models_dropped) == (1, 0)
    assert with_still.ratio == pytest.approx(without.ratio)
    assert stats.direction(y).mean == pytest.approx(stats.direction(GROUPS).mean)


# --- brute force


def brute_energy(y, split):
    """E of a template under one of the three splits, from its definition."""
    first = [(0, 1), (0, 2), (0, 3)][split]
    second = tuple(set(range(4)) - set(first))
    cross = np.mean([[abs(v[a] - v[b]) for a in first for b in second] for v in y])
    within = np.mean([(abs(v[first[0]] - v[first[1]]) + abs(v[second[0]] - v[second[1]])) / 2 for v in y])
    return cross - within


def test_the_shuffle_against_its_definition():
    y = example(5, 2, shift=0.8)
    y = y / stats.model_scales(y)[None, :, None]
    energies = np.array([[brute_energy(template, split) for split in range(3)] for template in y])
    totals = [energies[range(5), list(split)].sum() for split in product(range(3), repeat=5)]
    assert stats.magnitude(y).test.p == np.mean(np.array(totals) >= totals[0] - 1e-9)


def swap_people(y, pairs, swapped):
    """Exchange A_k and B_k wherever a swapped pair serves."""
    out = y.copy()
    for t, draws in enumerate(pairs):
        for draw, pair in enumerate(draws):
            if swapped[pair]:
                out[t, :, [draw, 2 + draw]] = y[t, :, [2 + draw, draw]]
    return out


@pytest.mark.parametrize("unscaled_models", [1, 3])
def test_the_pair_swap_against_its_definition(unscaled_models):
    y, pairs = example(9, unscaled_models, shift=0.4), deal(9, 6)
    y = y / stats.model_scales(y)[None, :, None]
    shuffled = [swap_people(y, pairs, swapped) for swapped in product([0, 1], repeat=6)]
    # under a swap E moves with the gaps A0-B1, A1-B0 against the placebo gaps alone: E = constant + 3/8 mean g
    rng = np.random.default_rng(1)
    found = stats.magnitude(y, pairs=pairs, rng=rng).groups.swap.p
    assert found == np.mean(_swap_energy(shuffled) >= _swap_energy(shuffled[:1])[0] - 1e-9)
    sums = np.array([abs(np.sum((s[..., 2:] - s[..., :2]).mean(1))) for s in shuffled])
    assert stats.direction(y, pairs=pairs).groups.swap.p == np.mean(sums >= sums[0] - 1e-9)


def _swap_energy(versions):
    return np.array([np.mean([brute_energy(template, 0) for template in y]) for y in versions])


def test_a_list_and_a_table_of_pairs_agree(monkeypatch):
    y, pairs = example(40, 1, shift=0.2), deal(40, 12)
    table = stats.magnitude(y, pairs=pairs, rng=np.random.default_rng(1)).groups.swap
    monkeypatch.setattr(persona_pairs, "DENSE", 0)
    monkeypatch.setattr(_relabel, "BLOCK", 3_000)
    assert stats.magnitude(y, pairs=pairs, rng=np.random.default_rng(1)).groups.swap == table


def brute_group_variance(y, pairs):
    units = stats.units(y)
    c, w, templates, count = units.cross, units.within, len(y), len(np.unique(pairs))
    psi = c / c.mean() - w / w.mean()
    shared = sum(
        psi[t] * psi[s] for t in range(templates) for s in range(templates) if set(pairs[t]) & set(pairs[s])
    )  # fmt: skip
    return max(count / (count - 2) * shared / templates**2, psi.var(ddof=1) / templates), count, c.mean() / w.mean()


@pytest.mark.parametrize("seed", range(6))
def test_the_groups_interval_against_its_definition(seed):
    # few pairs, so that templates share both of theirs, and some serve in both draws
    pairs = np.random.default_rng(seed).integers(0, 4, size=(12, 2))
    y = example(12, 2, seed=seed)
    variance, count, ratio = brute_group_variance(y, pairs)
    half = scipy_stats.t.ppf(0.975, count - 1) * math.sqrt(variance)
    found = stats.magnitude(y, pairs=pairs, rng=np.random.default_rng(0)).groups.interval
    assert ends(found) == pytest.approx((ratio * math.exp(-half), ratio * math.exp(half)), rel=1e-9)


# --- floors


@pytest.mark.parametrize(
    ("templates", "shuffle", "flip"),
    # pages/noise_floor.md section 4: T = 7 .00046 and .0156; T = 8 .00015 and .0078; beyond, 1 / (B + 1)
    [(7, 3.0**-7, 2.0**-6), (8, 3.0**-8, 2.0**-7), (40, 1e-4, 1e-4)],
)
def test_floors_for_names(templates, shuffle, flip):
    y = example(templates, 1, shift=100)
    rng = np.random.default_rng(1)
    for found, floor in ((stats.magnitude(y, rng=rng).test, shuffle), (stats.direction(y, rng=rng).test, flip)):
        assert found.floor == pytest.approx(floor)
        # so large a shift reaches its floor
        assert found.p == pytest.approx(floor)


def test_floors_for_groups():
    # ten pairs in two strata of five, each connected: magnitude 2^(2-10) = .0039, direction 2^(1-10) = .0020
    ring = np.array([[k, (k + 1) % 5] for k in range(5)])
    pairs = np.concatenate([ring, ring + 5, ring, ring + 5])
    y = example(20, 1, shift=100)
    rng = np.random.default_rng(1)
    assert stats.magnitude(y, pairs=pairs, rng=rng).groups.floor == stats.magnitude(y, pairs=pairs, rng=rng).groups.p == 2.0**-8
    found = stats.direction(y, pairs=pairs, rng=rng).groups
    assert found.floor == found.p == 2.0**-9
    # 8 templates of 16 pairs, none shared: 8 components, so 2^-8 for both; never below 2^-T
    alone = stats.magnitude(example(8, 1, shift=100), pairs=np.arange(16).reshape(8, 2), resamples=9, rng=rng).groups
    assert alone.swap.floor == 0.1
    few = stats.magnitude(example(3, 1, shift=100), pairs=np.arange(6).reshape(3, 2)).groups
    assert few.swap.floor == few.swap.p == 2.0**-3


# --- age: four people share a name


def test_age_flips_by_name():
    names = ["x", "x", "y", "y", "z", "z", "w", "w"]
    found = stats.direction(GROUPS, names=names)
    sums = found.differences.reshape(4, 2).sum(1)
    flips = [abs(np.dot(f, sums)) for f in product([1, -1], repeat=4)]
    assert found.groups.swap.p == np.mean(np.array(flips) >= flips[0] - 1e-9)
    assert found.groups.swap.floor == 2.0**-3
    assert found.groups.estimate.value == pytest.approx(found.differences.mean())
    assert found.groups.estimate.n == 4


def test_age_has_no_group_magnitude():
    # a name in both draws: a swap leaves every template's statistic as it is
    found = stats.magnitude(GROUPS, pairs=np.repeat(np.arange(8)[:, None], 2, axis=1)).groups
    assert math.isnan(found.p)
    assert found.reason == "no variation"
    equal = stats.equivalence(GROUPS, names=np.arange(8)).groups
    assert not equal.ratio_holds
    assert equal.ratio_limits.shape == "undefined"
    every = stats.noise_floor(GROUPS, names=np.arange(8))
    assert every.magnitude.groups is None
    assert every.direction.groups == stats.direction(GROUPS, names=np.arange(8)).groups
    assert every.equivalence.groups.n == 8


# --- equivalence


def noise(templates, models, seed=11):
    return np.random.default_rng(seed).standard_normal((templates, models, 4))


def test_much_noise_without_effect_is_equivalent():
    y, pairs = noise(400, 5), deal(400, 40)
    found = stats.equivalence(y, pairs=pairs)
    assert found.names.holds
    assert found.groups.holds
    assert not stats.equivalence(y, pairs=pairs, ratio_bound=1.001).names.holds
    assert not stats.equivalence(y, pairs=pairs, difference_bound=0.001).groups.difference_holds


def test_a_shift_breaks_the_difference_and_a_varying_shift_the_ratio():
    y = noise(400, 5)
    y[..., 2:] += 0.4
    assert (stats.equivalence(y).names.ratio_holds, stats.equivalence(y).names.difference_holds) == (True, False)
    assert not stats.equivalence(-y).names.difference_holds
    y = noise(400, 5)
    y[:, :, 2:] += np.where(np.arange(400) % 2, 1.2, -1.2)[:, None, None]
    assert (stats.equivalence(y).names.ratio_holds, stats.equivalence(y).names.difference_holds) == (False, True)


def test_limits_and_p_of_equivalence_agree():
    y = noise(30, 5)
    found = stats.equivalence(y).names
    edge = max(abs(found.difference_limits.low), abs(found.difference_limits.high))
    assert stats.equivalence(y, difference_bound=edge).names.difference_p == pytest.approx(0.05, abs=1e-9)
    assert stats.equivalence(y, difference_bound=edge * 1.001).names.difference_holds
    assert not stats.equivalence(y, difference_bound=edge * 0.999).names.difference_holds
    # one-sided nominal .025
    upper = found.ratio_limits.high
    assert stats.equivalence(y, ratio_bound=upper).names.ratio_p == pytest.approx(0.025, abs=1e-9)


def test_no_ratio_equivalence_below_fifteen_templates():
    y = noise(15, 5)
    assert stats.equivalence(y, ratio_bound=50).names.ratio_holds
    found = stats.equivalence(y[:14], pairs=deal(14, 12), ratio_bound=50)
    assert found.groups.ratio_limits.high < 50
    for level in (found.names, found.groups):
        assert not level.ratio_holds
        assert level.reason == "fewer than 15 templates"


def test_groups_ratio_needs_its_own_limits_too():
    y, pairs = noise(30, 5), deal(30, 12)
    found = stats.equivalence(y, pairs=pairs)
    between = (found.names.ratio_limits.high + found.groups.ratio_limits.high) / 2
    assert found.names.ratio_limits.high < between < found.groups.ratio_limits.high
    found = stats.equivalence(y, pairs=pairs, ratio_bound=between)
    assert found.names.ratio_holds
    assert not found.groups.ratio_holds


def test_pairs_alone_do_not_make_groups_equivalent():
    # d is ±3 by template, and each pair meets both signs: pair means hardly vary, templates do
    y = noise(40, 5)
    y[..., 2:] += np.where(np.arange(40) % 2, 3, -3)[:, None, None]
    pairs = np.repeat(np.arange(20).reshape(10, 2), 4, axis=0)
    found = stats.equivalence(y, pairs=pairs, difference_bound=0.3)
    assert -0.3 < found.groups.difference_limits.low < found.groups.difference_limits.high < 0.3
    assert not found.names.difference_holds
    assert not found.groups.difference_holds


def test_groups_need_the_templates_and_the_pairs():
    # persona effects: pair k shifts its B by ±3 in every template, so pairs vary where templates average out
    pairs = deal(400, 8)
    y = noise(400, 5)
    y[:, :, 2:] += np.where(pairs % 2, 3.0, -3.0)[:, None, :]
    found = stats.equivalence(y, pairs=pairs, difference_bound=0.3)
    assert found.names.difference_holds
    assert not found.groups.difference_holds
    s0 = stats.direction(y, rng=np.random.default_rng(0)).placebo_sd
    limits = stats.t_interval(_pair_means(y, pairs) / s0, level=0.9).interval
    assert ends(found.groups.difference_limits) == pytest.approx(ends(limits))


def _pair_means(y, pairs):
    y = y / stats.model_scales(y)[None, :, None]
    draws = (y[..., 2:] - y[..., :2]).mean(1)
    return np.array([draws[pairs == k].mean() for k in np.unique(pairs)])


# --- invariances


def results(y, pairs=None):
    return stats.noise_floor(y, pairs=pairs, rng=np.random.default_rng(3), resamples=499)


@pytest.fixture(scope="module")
def base():
    y, pairs = example(20, 3), deal(20, 16)
    return y, pairs, results(y, pairs)


def same_p(a, b):
    assert a.magnitude.test.p == b.magnitude.test.p
    assert a.magnitude.groups.p == b.magnitude.groups.p
    assert a.direction.test.p == b.direction.test.p
    assert a.direction.groups.p == b.direction.groups.p
    assert a.spread.test.p == b.spread.test.p
    assert a.equivalence.names.difference_p == pytest.approx(b.equivalence.names.difference_p)
    assert ends(a.magnitude.interval) == pytest.approx(ends(b.magnitude.interval))
    assert ends(a.magnitude.groups.interval) == pytest.approx(ends(b.magnitude.groups.interval))
    assert a.magnitude.ratio == pytest.approx(b.magnitude.ratio)


def test_swapping_the_sides_turns_direction_and_spread_alone(base):
    y, pairs, found = base
    swapped = results(y[..., [2, 3, 0, 1]], pairs)
    assert swapped.direction.mean == pytest.approx(-found.direction.mean)
    assert ends(swapped.direction.interval) == pytest.approx((-found.direction.interval.high, -found.direction.interval.low))
    assert swapped.spread.mean == pytest.approx(-found.spread.mean)
    assert swapped.precision.templates_difference == pytest.approx(found.precision.templates_difference)
    same_p(swapped, found)


@pytest.mark.parametrize(("factor", "shift"), [(1e-6, 0), (1e6, 0), (1, 1000), (-2, 5)])
def test_unit_and_origin_change_no_p_and_no_ratio(base, factor, shift):
    y, pairs, found = base
    same_p(results(y * factor + shift, pairs), found)


def test_one_model_s_unit_does_not_matter(base):
    y, pairs, found = base
    same_p(results(y * np.array([1, 1000, 0.01])[:, None], pairs), found)
    # without scaling the largest unit rules
    loud = stats.magnitude(y * np.array([1, 1000, 0.01])[:, None], scaled=False, rng=np.random.default_rng(3))
    assert loud.ratio == pytest.approx(stats.magnitude(y[:, 1:2], rng=np.random.default_rng(3)).ratio, rel=0.01)


def test_the_order_of_models_and_the_names_of_pairs_do_not_matter(base):
    y, pairs, found = base
    labels = np.array([f"race-{k:02d}" for k in range(16)], dtype=object)
    same_p(results(y[:, [2, 0, 1]], labels[pairs]), found)


def test_a_level_of_each_template_does_not_matter(base):
    y, pairs, found = base
    same_p(results(y + np.arange(20)[:, None, None] * 10, pairs), found)


def test_a_seed_gives_the_same_again(base):
    y, pairs, found = base
    again = results(y, pairs)
    assert (again.magnitude, again.equivalence, again.spread) == (found.magnitude, found.equivalence, found.spread)


# --- degenerate input


def assert_defined_or_explained(result):
    for part in (result.magnitude, result.direction, result.spread):
        assert math.isnan(part.test.p) == (part.test.reason is not None)


@pytest.mark.parametrize(
    ("y", "reason"),
    [
        (np.full((6, 2, 4), NAN), "no complete cell"),
        (np.full((6, 2, 4), 7.0), None),
        (np.full((6, 1, 4), 7.0), "no variation"),
        (np.empty((0, 2, 4)), "no complete cell"),
    ],
)
def test_nothing_to_judge_is_undefined(y, reason):
    found = stats.noise_floor(y, pairs=np.tile([0, 1], (len(y), 1)))
    assert math.isnan(found.magnitude.ratio)
    assert math.isnan(found.magnitude.test.p)
    assert math.isnan(found.magnitude.groups.p)
    assert math.isnan(found.direction.groups.p)
    assert math.isnan(found.precision.ratio)
    assert not found.equivalence.names.holds
    assert not found.equivalence.groups.holds
    if reason:
        assert found.magnitude.reason == found.magnitude.test.reason == reason
    assert_defined_or_explained(found)


def test_models_without_any_gap_all_leave():
    assert stats.magnitude(np.full((6, 2, 4), 7.0)).models_dropped == 2


def test_one_template():
    found = stats.noise_floor(NAMES[:1], pairs=[[0, 1]])
    # splits of 212 198 | 231 240: E is largest as observed: 1 of 3
    assert found.magnitude.test.p == pytest.approx(1 / 3)
    assert found.magnitude.interval.shape == "undefined"
    assert found.magnitude.reason == "fewer than two units"
    assert found.direction.test.p == 1.0
    assert found.direction.interval.shape == "undefined"
    assert math.isnan(found.precision.difference)
    assert_defined_or_explained(found)


def test_a_zero_placebo_gap_leaves_p_and_takes_the_ratio():
    y = np.tile([1.0, 1, 2, 2], (4, 1, 1))
    found = stats.magnitude(y)
    assert math.isnan(found.ratio)
    assert (found.within, found.reason) == (0, "no placebo gap")
    assert found.test.p == pytest.approx(3.0**-4)
    assert math.isnan(stats.precision(y).ratio)
    assert not stats.equivalence(y).names.holds


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: stats.magnitude(np.zeros((3, 4))), r"y has the shape \(3, 4\); it must have 3 dimension"),
        (lambda: stats.magnitude(np.zeros((3, 2, 3))), r"y has the shape \(3, 2, 3\); it must be \(templates, models, 4\)"),
        (lambda: stats.magnitude(NAMES, pairs=[[0, 1]]), r"pairs has the shape \(1, 2\); it must be \(5, 2\)"),
        (lambda: stats.magnitude(example(9, 1)), r"rng is None, but 3\^9 relabellings"),
        (lambda: stats.direction(NAMES, pairs=PAIRS[:5], names=range(5)), "pairs and names are both given"),
        (lambda: stats.equivalence(NAMES, ratio_bound=1), "ratio_bound is 1; allowed: a finite number above 1"),
        (lambda: stats.equivalence(NAMES, difference_bound=0), "difference_bound is 0"),
        (lambda: stats.magnitude(NAMES, level=95), "level is 95"),
        (lambda: stats.direction(NAMES * np.inf), "y holds an infinite value"),
    ],
)
def test_unusable_arguments_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()


# --- size and power, small: 300 studies, so that 5 % has a standard error of 1.3 %

STUDIES, CHANCE = 300, 199


def simulate(make, read):
    rng = np.random.default_rng(20260509)
    return np.mean([read(make(rng), rng) <= 0.05 for _ in range(STUDIES)])


@pytest.mark.parametrize("tail", ["normal", "t2"])
def test_size_of_the_shuffle(tail):
    def make(rng):
        return rng.standard_normal((15, 2, 4)) if tail == "normal" else rng.standard_t(2, (15, 2, 4))

    size = simulate(make, lambda y, rng: stats.magnitude(y, resamples=CHANCE, rng=rng).test.p)
    assert 0.01 <= size <= 0.10


def persona_study(rng, sd):
    """Names have effects of their own (sd), groups have none."""
    pairs = deal(40, 10, seed=int(rng.integers(1 << 30)))
    y = rng.standard_normal((40, 5, 4))
    y += np.concatenate([(sd * rng.standard_normal(10))[pairs], (sd * rng.standard_normal(10))[pairs]], axis=1)[:, None, :]
    return y, pairs


def test_size_of_direction_for_groups_where_the_template_test_has_none():
    def names(study, rng):
        return stats.direction(study[0], resamples=CHANCE, rng=rng).test.p

    def groups(study, rng):
        return stats.direction(study[0], pairs=study[1], resamples=CHANCE, rng=rng).groups.p

    # pages/noise_floor.md section 4, persona sd .3, M = 5: template .416, max .050 (80 templates)
    assert simulate(lambda rng: persona_study(rng, 0.3), names) > 0.15
    assert simulate(lambda rng: persona_study(rng, 0.3), groups) <= 0.10


def test_size_and_power_of_the_pair_swap():
    def study(rng, shift=0.0):
        y, pairs = persona_study(rng, 0.2)
        y[..., 2:] += shift
        return y, pairs

    def swap(made, rng):
        return stats.magnitude(made[0], pairs=made[1], resamples=CHANCE, rng=rng).groups.swap.p

    assert 0.01 <= simulate(study, swap) <= 0.10
    assert simulate(lambda rng: study(rng, 1.0), swap) > 0.9


def test_spread_sees_what_energy_hardly_does():
    def wide(rng):
        y = rng.standard_normal((40, 2, 4))
        y[..., 2:] *= 2
        return y

    assert simulate(wide, lambda y, rng: stats.spread(y, resamples=CHANCE, rng=rng).test.p) > 0.9
    assert simulate(wide, lambda y, rng: stats.direction(y, resamples=CHANCE, rng=rng).test.p) <= 0.10
