"""The planner: against section 6 of ``pages/noise_floor.md``, and shares against studies whose shares are known."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from eftlib.calibration import deal
from eftlib.planner import in_words, plan
from eftlib.stats import Shares, variance_shares

INDEPENDENT = Shares(1, 0, 0, 0, 0.48**2, 0, n=0)


def test_worked_values_of_the_procedure():
    # section 11, formulas
    assert plan(templates=80, personas=10, models=1, shares=INDEPENDENT)["names"]["difference"] == pytest.approx(0.3171466)
    persona = Shares(1, 0, 0.04, 0, 0.48**2, 0, n=0)
    assert plan(templates=80, personas=10, models=5, shares=persona)["groups"]["difference"] == pytest.approx(0.3223241)


@pytest.mark.parametrize(("templates", "expected"), [(80, 0.20), (29, 0.34), (21, 0.41), (15, 0.49), (8, 0.73), (7, 0.80)])
def test_name_noise_shared_by_models(templates, expected):
    # section 6: M = 5, σ_pt = .5, σ_e² = .75
    shares = Shares(0.75, 0.25, 0, 0, 0.48**2, 0, n=0)
    found = plan(templates=templates, personas=10, models=5, shares=shares)
    assert found["names"]["difference"] == pytest.approx(expected, abs=0.005)


@pytest.mark.parametrize(("templates", "expected"), [(80, 1.15), (29, 1.25), (15, 1.385)])
def test_ratio_of_one_model(templates, expected):
    # section 6 for 80 and 29, whose sd(ψ) is .48; 15 by hand: exp((1.7613 + .8681) .48 / √15)
    found = plan(templates=templates, personas=10, models=1, shares=INDEPENDENT)
    assert found["names"]["ratio"] == pytest.approx(expected, abs=0.01)


def test_templates_that_would_tell():
    # section 6: 199 for one model's ratio; 214 / M for the difference
    names = plan(templates=80, personas=10, models=1, shares=INDEPENDENT)["names"]
    assert names["templates_ratio"] == pytest.approx(199, abs=1)
    assert names["templates_difference"] == pytest.approx(214.6, abs=1)


def test_the_size_that_an_effect_needs_is_the_first_that_detects_it():
    found = plan(templates=80, personas=10, models=1, effect=0.3171466, shares=INDEPENDENT)
    assert found["names"]["templates_effect"] in (80, 81)  # section 11: 80 templates detect .3171466, as printed


def test_names_alone_can_put_an_effect_out_of_reach():
    # √(2 σ_p² / P) (t + t), df 1: with two pairs (12.71 + 1.38) √.04 = 2.8 whatever the templates
    persona = Shares(1, 0, 0.04, 0, 0.48**2, 0, n=0)
    groups = plan(templates=80, personas=2, models=5, effect=0.5, shares=persona)["groups"]
    assert groups["templates_effect"] is None
    assert "no number of templates" in groups["reason"]


def test_shares_of_a_simulated_study_come_out():
    rng, t, p = np.random.default_rng(1), 4000, 400
    pairs = deal(t, p)
    y = math.sqrt(0.5) * rng.standard_normal((t, 3, 2, 2)) + math.sqrt(0.3) * rng.standard_normal((t, 1, 2, 2))
    y += math.sqrt(0.2) * rng.standard_normal((p, 2))[pairs].transpose(0, 2, 1)[:, None]
    y[:, :, 1] += 1 + 0.4 * rng.standard_normal((t, 1, 1))
    found = variance_shares(y.reshape(t, 3, 4) * np.array([[[1], [2], [5]]]), pairs=pairs, strata=np.zeros(t))
    shares = (found.text, found.persona_template, found.persona, found.template)
    assert shares == pytest.approx((0.5, 0.3, 0.2, 0.16), abs=0.04)
    # section 6: sd(ψ) of one model of normal texts is about .48
    assert math.sqrt(found.ratio_own + found.ratio_shared) == pytest.approx(0.6, abs=0.15)


def test_one_model_cannot_tell_what_models_share():
    found = variance_shares(np.ones((5, 1, 4)), pairs=deal(5, 3), strata=np.zeros(5))
    assert math.isnan(found.text)
    assert found.reason == "no template with two models"


def test_the_command_gives_json(run):
    ran = run("power", "--templates", "80", "--personas", "10", "--models", "5", "--effect", "0.5", "--json")
    found = json.loads(ran.out)
    assert ran.code == 0
    assert set(found) == {"templates", "personas", "models", "effect", "shares", "names", "groups"}
    assert found["groups"]["difference"] >= found["names"]["difference"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--templates", "-3"], "'-3' is no whole number above 0"), (["--personas", "1"], "--personas is 1; allowed: 2 or more")],
)
def test_bad_sizes_are_one_line(run, arguments, message):
    ran = run("power", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_claim_about_groups_is_no_cheaper_than_one_about_names() -> None:
    # with a thousand pairs of persons who are alike the pairs cost nothing, and eight templates cost what they do
    found = plan(templates=8, personas=1000, models=1, shares=INDEPENDENT)
    assert found["groups"]["difference"] == found["names"]["difference"] == pytest.approx(1.152815)


def test_a_design_that_cannot_reject_detects_nothing() -> None:
    # noise-floor section 4: floors 2^(1-T) and 2^(1-P), .0625 of five and .03125 of six
    few = plan(templates=80, personas=5, models=5, effect=1, shares=INDEPENDENT)
    assert few["groups"]["difference"] is None
    assert "no p of groups is below 0.0625" in few["groups"]["reason"]
    assert few["groups"]["personas_effect"] == 6
    assert few["names"]["difference"] is not None
    assert plan(templates=80, personas=6, models=5, shares=INDEPENDENT)["groups"]["difference"] is not None
    short = plan(templates=3, personas=10, models=5, effect=3, shares=INDEPENDENT)
    assert short["names"]["difference"] is short["groups"]["difference"] is None
    assert short["names"]["templates_effect"] == short["groups"]["templates_effect"] == 6
    assert "with 3 templates no p of direction is below 0.25" in in_words(short)
    # section 4: 3^-T of magnitude, .111 of two templates and .037 of three
    assert short["names"]["ratio"] is not None
    two = plan(templates=2, personas=10, models=5, shares=INDEPENDENT)
    assert two["names"]["ratio"] is None
    assert "no difference, no ratio" in in_words(two)
