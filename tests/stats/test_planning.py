"""Detectable differences, templates that would tell, and the verdict."""

import math

import numpy as np
import pytest
from stats_examples import GROUPS, NAMES, NAN, PAIRS

from eftlib import stats
from eftlib.errors import InputError


@pytest.mark.parametrize(
    ("design", "expected"),
    [
        # R: (qt(.975, T-1) + qt(.8, T-1)) * sqrt((s_pt^2 + s_e^2 / M) / T), groups + 2 s_p^2 / P and df P - 1
        ({"templates": 80}, 0.3171466),
        ({"templates": 80, "models": 5}, 0.1418323),
        ({"templates": 29, "models": 5, "sd_text": 0.8660254, "sd_persona_template": 0.5}, 0.3409465),
        ({"templates": 8}, 1.152815),
        ({"templates": 80, "models": 5, "sd_persona": 0.2, "pairs": 10}, 0.3223241),
    ],
)
def test_detectable_difference(design, expected):
    assert stats.detectable_difference(**design) == pytest.approx(expected, rel=5e-7)


@pytest.mark.parametrize(
    # pages/noise_floor.md section 6, T = 80/29/21/15/8/7, printed to two digits
    ("models", "row"),
    [(1, [0.32, 0.54, 0.64, 0.78, 1.15, 1.27]), (5, [0.14, 0.24, 0.29, 0.35, 0.52, 0.57])],
)
def test_detectable_difference_table(models, row):
    for templates, expected in zip([80, 29, 21, 15, 8, 7], row, strict=True):
        found = stats.detectable_difference(templates=templates, models=models)
        # the table rounds down at T = 8, M = 5 (.5156) and elsewhere to the nearest
        assert found == pytest.approx(expected, abs=0.0051)


def test_groups_and_correction_cost():
    assert stats.detectable_difference(templates=29, models=5, sd_persona=0.2, pairs=10) == pytest.approx(0.38, abs=0.005)
    assert stats.detectable_difference(templates=80, m=40) > stats.detectable_difference(templates=80)
    # four draws a side halve the noise of two: same as half the variance
    assert stats.detectable_difference(templates=80, draws=4) == pytest.approx(0.3171466 / math.sqrt(2), rel=5e-7)
    # tau adds to V_t
    assert stats.detectable_difference(templates=80, sd_template=1) == pytest.approx(0.3171466 * math.sqrt(2), rel=5e-7)
    assert math.isnan(stats.detectable_difference(templates=1))


@pytest.mark.parametrize(
    ("templates", "sd", "expected"),
    [
        # exp((t.95 + t.8) sd / sqrt T) with R's qt(c(.95, .8), 7) = 1.894579, .8960296 and, of 79, 1.664371, .8461948
        (8, 0.48, math.exp((1.894579 + 0.8960296) * 0.48 / math.sqrt(8))),
        (80, 0.22, math.exp((1.664371 + 0.8461948) * 0.22 / math.sqrt(80))),
    ],
)
def test_detectable_ratio(templates, sd, expected):
    assert stats.detectable_ratio(templates=templates, sd=sd) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    # pages/noise_floor.md section 6 for T = 80 and 29; its rows for T = 15 and 8 come from simulated sd(psi), below .48 and .22
    ("sd", "row"),
    [(0.48, [1.15, 1.25]), (0.22, [1.06, 1.11])],
)
def test_detectable_ratio_table(sd, row):
    for templates, expected in zip([80, 29], row, strict=True):
        assert stats.detectable_ratio(templates=templates, sd=sd) == pytest.approx(expected, abs=0.0075)


@pytest.mark.parametrize(("models", "templates", "expected"), [(1, 15, 1.37), (1, 8, 1.54), (5, 15, 1.15), (5, 8, 1.22)])
def test_detectable_ratio_from_few_templates(models, templates, expected):
    # the same section: from data, whose sd(psi) is smaller with few templates, so that one of 8 has too little power there
    rng = np.random.default_rng(6)
    found = [stats.precision(rng.standard_normal((templates, models, 4))).ratio for _ in range(2000)]
    assert np.median(found) == pytest.approx(expected, abs=0.0151)


def test_detectable_ratio_by_models():
    assert stats.detectable_ratio(templates=80) == stats.detectable_ratio(templates=80, sd=0.48)
    assert stats.detectable_ratio(templates=80, models=4) == pytest.approx(stats.detectable_ratio(templates=80, sd=0.24))


def test_templates_that_would_tell():
    # ((1.96 + .84) * .48 / log 1.1)^2 = 198.8; with .22 41.8; (2.93 / .2)^2 = 214.6
    assert stats.templates_for_ratio() == pytest.approx(198.84, abs=0.02)
    assert stats.templates_for_ratio(sd=0.22) == pytest.approx(41.77, abs=0.02)
    assert stats.templates_for_difference(variance=1) == pytest.approx(214.6225)
    assert stats.templates_for_difference(variance=1 / 5, bound=0.4) == pytest.approx(214.6225 / 20)


def test_precision_from_data():
    found = stats.precision(GROUPS, pairs=PAIRS)
    assert found.ratio == pytest.approx(1.559925, rel=5e-7)
    # from the worked example's intervals: half width / t = sd / sqrt n; qt(.975, 7) = 2.364624, qt(.8, 7) = .8960296
    sd_d = (1.300576612936438 - 0.7243311695434106) / 2.364624
    assert found.difference == pytest.approx((2.364624 + 0.8960296) * sd_d / 0.7308299100461076, rel=1e-6)
    # qt(.975, 4) = 2.776445, qt(.8, 4) = .9409646
    sd_v = (0.9864294 - 0.7449646) / 2.776445
    assert found.difference_groups == pytest.approx((2.776445 + 0.9409646) * sd_v / 0.73082991, rel=1e-6)
    assert found.templates_difference == pytest.approx((2.93 / 0.2) ** 2 * 8 * sd_d**2 / 0.73082991**2, rel=1e-6)
    assert found.templates_ratio == pytest.approx((2.8 * found.sd_ratio / math.log(1.1)) ** 2)
    assert math.isnan(stats.precision(NAMES).difference_groups)
    assert stats.precision(GROUPS, m=40).difference > found.difference


def test_precision_undefined():
    assert stats.precision(np.full((4, 1, 4), NAN)).reason == "fewer than two templates"
    assert stats.precision(np.ones((4, 1, 4))).reason == "no variation"


def judge(p_magnitude=0.5, p_direction=0.5, ratio_holds=False, difference_holds=False, **options):
    return stats.verdict(
        p_magnitude=p_magnitude, p_direction=p_direction, ratio_holds=ratio_holds, difference_holds=difference_holds, **options
    )


@pytest.mark.parametrize(
    ("found", "word", "claims", "within"),
    [
        (judge(p_magnitude=0.05), "disparity beyond noise", ("magnitude",), False),
        (judge(p_direction=0.01), "disparity beyond noise", ("direction",), False),
        (judge(0.01, 0.01, True, True), "disparity beyond noise", ("magnitude", "direction"), True),
        (judge(ratio_holds=True, difference_holds=True), "no disparity beyond noise", (), True),
        (judge(NAN, NAN, True, True), "no disparity beyond noise", (), True),
        (judge(ratio_holds=True), "cannot tell", (), False),
        (judge(difference_holds=True), "cannot tell", (), False),
        (judge(0.0501, 1.0), "cannot tell", (), False),
        (judge(NAN, NAN, None, None), "cannot tell", (), False),
        (judge(NAN, 0.04, None, None), "disparity beyond noise", ("direction",), False),
        (judge(0.05, alpha=0.01), "cannot tell", (), False),
    ],
)
def test_verdicts(found, word, claims, within):
    assert (found.verdict, found.claims, found.within_bound) == (word, claims, within)


def test_a_verdict_says_how_many_templates_would_tell():
    found = judge(templates_ratio=199.0, templates_difference=43.0)
    assert found.templates == 199
    assert found.reason == "no test rejects, but the ratio and the difference may lie beyond the bound"
    assert judge(ratio_holds=True, templates_ratio=199.0, templates_difference=43.0).templates == 43
    assert math.isnan(judge().templates)
    assert judge(0.01, 0.5, True, True).reason == "magnitude beyond noise, but within the bound"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: judge(p_magnitude=1.5), r"p_magnitude is 1\.5; allowed: a number from 0 to 1"),
        (lambda: judge(alpha=0), "alpha is 0"),
        (lambda: stats.detectable_difference(templates=0), "templates is 0; allowed: 1 or more"),
        (lambda: stats.detectable_difference(templates=8, sd_persona=-1), "sd_persona is -1"),
        (lambda: stats.detectable_ratio(templates=8, models=0), "models is 0"),
        (lambda: stats.templates_for_ratio(bound=1), "bound is 1"),
        (lambda: stats.templates_for_difference(variance=NAN), "variance is nan"),
        (lambda: stats.detectable(1, units=5, power=1), "power is 1"),
    ],
)
def test_unusable_arguments_are_named(call, message):
    with pytest.raises(InputError, match=message):
        call()
