"""The noise floor from the score frame: the worked examples of ``pages/noise_floor.md`` section 11, and the plan's families."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from stats_examples import GROUPS, MISSING, NAMES, PAIRS
from tables_by_hand import NAN, row

from eftlib.analysis import noise

PRINTED = 2e-6  # the examples are printed with seven digits
SEED = 20260509


def frame(y: np.ndarray, pairs: np.ndarray | None = None, **where: Any) -> pd.DataFrame:
    """The score frame whose values are y, shape (T, M, 4)."""
    rows = []
    for (template, model, place), value in np.ndenumerate(y):
        side, draw = "AB"[place // 2], place % 2
        pair = f"pair-{pairs[template, draw]}" if pairs is not None else f"T{template}/{draw}"
        rows.append(
            {
                "template": f"T{template}", "model": f"model-{model}", "side": side, "draw": draw, "value": value, "pair": pair,
                "repeat": 0, "domain": "hiring", "axis": "gender", "stratum": "s", "metric": "word_count",
                "condition": "baseline", "profile": "controlled", "outcome": "ok", "reason": None,
            } | where
        )  # fmt: skip
    return pd.DataFrame(rows).sample(frac=1, random_state=1)  # the order of rows is nothing to rely on


def test_a_cell_has_the_values_and_pairs_in_their_places() -> None:
    found = noise.cell(frame(GROUPS, PAIRS))
    order = [int(name.removeprefix("model-")) for name in dict.fromkeys(frame(GROUPS, PAIRS)["model"])]
    np.testing.assert_array_equal(found.y, GROUPS[:, order])
    assert found.pairs.tolist() == [[f"pair-{label}" for label in both] for both in PAIRS]


def test_repeats_of_a_request_are_averaged() -> None:
    twice = pd.concat([frame(NAMES, repeat=0), frame(NAMES + 2, repeat=1)])
    np.testing.assert_array_equal(noise.cell(twice).y, NAMES + 1)


def test_the_worked_example_of_names() -> None:
    found = row(noise.noise_pooled(frame(NAMES), seed=SEED), metric="word_count")
    assert found["scope"] == "model-0"  # one model is not pooled with itself
    assert (found["ratio"], found["ratio_low"], found["ratio_high"]) == pytest.approx(
        (1.171975, 0.5287462, 2.426785), rel=PRINTED
    )
    assert found["at_most"] == pytest.approx(1.426785, rel=PRINTED)
    assert found["p_magnitude"] == pytest.approx(65 / 243)
    assert found["floor_magnitude"] == pytest.approx(3**-5)
    assert found["p_direction"] == found["floor_direction"] == 2 / 32
    assert (found["difference_low"], found["difference_high"]) == pytest.approx((0.07132929, 3.181151), rel=PRINTED)
    assert found["p_spread"] == 0.25
    assert found["verdict"] == "cannot tell"
    assert found["claim"] == "none"


def test_the_worked_example_of_groups() -> None:
    both = noise.noise_axes(frame(GROUPS, PAIRS), seed=SEED)
    names, groups = (row(both, level=level) for level in ("names", "groups"))
    assert (names["ratio"], names["p_magnitude"]) == pytest.approx((1.318946, 0.05044963), rel=PRINTED)
    assert names["p_direction"] == 0.0234375
    assert (groups["p_magnitude"], groups["floor_magnitude"]) == (0.25, 0.0625)
    assert (groups["ratio_low"], groups["ratio_high"]) == pytest.approx((0.8199947, 2.121501), rel=PRINTED)
    assert (groups["p_direction"], groups["floor_direction"], groups["units"]) == (0.0625, 0.0625, 5)
    assert names["detectable_ratio"] == pytest.approx(1.559925, rel=PRINTED)
    # names: a direction at .0234, one test in the family; groups: none
    assert (names["verdict"], names["claim"]) == ("disparity beyond noise", "direction")
    assert groups["verdict"] == "cannot tell"


def test_the_limits_of_groups_direction_are_in_placebo_sd() -> None:
    found = row(noise.noise_axes(frame(GROUPS, PAIRS), seed=SEED), level="groups")
    # section 11: pair t 95 % [.5034998, .9864294] of values on the models' common scale; their placebo SD by hand
    scaled = GROUPS / [[np.mean([abs(t[i] - t[j]) for t in GROUPS[:, m] for i in range(4) for j in range(i)])] for m in (0, 1)]
    within = (abs(scaled[..., 0] - scaled[..., 1]) + abs(scaled[..., 2] - scaled[..., 3])) / 2
    sd = math.sqrt(math.pi) / 2 * within.mean()
    limits = (found["difference_low"] * sd, found["difference_high"] * sd)
    assert limits == pytest.approx((0.5034998, 0.9864294), rel=PRINTED)
    # their middle is the mean over pairs; the mean over templates, .7243312, is that of these names
    assert found["difference"] * sd == pytest.approx((0.5034998 + 0.9864294) / 2, rel=PRINTED)
    assert math.isnan(found["detectable_ratio"])


def test_incomplete_cells_are_counted() -> None:
    one = frame(MISSING[:, :1])
    found = row(noise.noise_pooled(one, seed=SEED), metric="word_count")
    # of the first model templates 0, 1 and 4 lack a value
    assert (found["n"], found["excluded"], found["cells_dropped"]) == (2, 3, 3)


def test_a_value_that_is_nowhere_is_undefined_with_a_reason() -> None:
    found = row(noise.noise_pooled(frame(NAMES * np.nan), seed=SEED), metric="word_count")
    assert math.isnan(found["ratio"])
    assert math.isnan(found["p_magnitude_bh"])
    assert (found["m_magnitude"], found["m_direction"]) == (0, 0)
    assert "no complete cell" in found["reason"]
    assert found["verdict"] == "cannot tell"


def test_ages_have_no_magnitude_of_groups_and_are_flipped_by_name() -> None:
    y = np.arange(32.0).reshape(8, 1, 4) ** 1.5 % 7
    table = pd.concat(
        [frame(y[2 * k : 2 * k + 2], axis="age", stratum=f"name-{k}").assign(template=lambda t, k=k: t["template"] + f"-{k}")
         for k in range(4)]
    )  # fmt: skip
    groups = row(noise.noise_axes(table, seed=SEED), level="groups")
    assert math.isnan(groups["p_magnitude"])
    assert "share one name" in groups["reason"]
    assert groups["units"] == 4
    assert groups["floor_direction"] == 2**-3  # four names
    assert groups["m_magnitude"] == 0


def test_families_are_a_level_and_a_question_of_axes_by_metrics() -> None:
    rng = np.random.default_rng(3)
    axes, metrics = ("gender", "race", "age"), ("word_count", "ttr")
    table = pd.concat(
        [frame(rng.normal(size=(6, 2, 4)), axis=axis, metric=metric).assign(template=lambda t, axis=axis: axis + t["template"])
         for axis in axes for metric in metrics]
    )  # fmt: skip
    found = noise.noise_axes(table, seed=SEED)
    assert len(found) == 2 * 6
    by_level = found.groupby("level")[["m_magnitude", "m_direction"]].max()
    assert by_level.loc["names"].tolist() == [6, 6]
    assert by_level.loc["groups"].tolist() == [4, 6]  # age has no magnitude of groups
    for level, here in found.groupby("level"):
        ranked = here["p_direction"].sort_values()
        by_hand = (ranked * len(ranked) / np.arange(1, len(ranked) + 1))[::-1].cummin().clip(upper=1)
        assert here["p_direction_bh"].to_dict() == pytest.approx(by_hand.to_dict()), level


def test_a_clear_shift_is_found_and_its_absence_is_said_with_enough_templates() -> None:
    rng = np.random.default_rng(8)
    noise_alone = rng.normal(size=(80, 5, 4))
    same = row(noise.noise_pooled(frame(noise_alone), seed=SEED, resamples=999), scope=noise.ALL_MODELS)
    assert same["verdict"] == "no disparity beyond noise"
    assert same["ratio_high"] < 1.10
    apart = noise_alone + np.array([0, 0, 1, 1])
    shifted = row(noise.noise_pooled(frame(apart), seed=SEED, resamples=999), scope=noise.ALL_MODELS)
    assert (shifted["verdict"], shifted["claim"]) == ("disparity beyond noise", "magnitude and direction")


def test_where_one_side_is_also_more_variable_the_verdict_says_so() -> None:
    y = np.random.default_rng(5).normal(size=(80, 3, 4)) * [1, 1, 3, 3]
    found = row(noise.noise_pooled(frame(y), seed=SEED, resamples=999), scope=noise.ALL_MODELS)
    assert "magnitude" in found["claim"]
    assert "more variable" in found["why"]


def test_each_model_and_axis_has_neither_adjustment_nor_verdict() -> None:
    found = noise.noise_models(frame(GROUPS, PAIRS), seed=SEED)
    assert found["model"].tolist() == list(dict.fromkeys(frame(GROUPS, PAIRS)["model"]))
    assert not [name for name in found if name.startswith("_") or "bh" in name or name in ("verdict", "m_magnitude")]


def test_conditions_with_one_draw_have_no_noise_floor() -> None:
    table = pd.concat([frame(NAMES), frame(NAMES, condition="blind"), frame(NAMES, condition="fairness")])
    table = table[(table["condition"] != "fairness") | (table["draw"] == 0)]
    found = noise.noise_conditions(table, profile="controlled", seed=SEED)
    assert sorted(found["condition"]) == ["baseline", "blind"]
    assert found["ratio"].tolist() == pytest.approx([1.171975] * 2, rel=PRINTED)


def test_rows_in_which_no_test_can_reject_are_named() -> None:
    assert noise.with_few_named(pd.DataFrame(), alpha=0.05).empty
    table = pd.DataFrame(
        {
            "floor_magnitude": [0.11, 0.004, 0.11, NAN, NAN],
            "floor_direction": [0.5, 0.0625, 0.5, 0.5, NAN],
            "reason": [None, None, "no variation", None, None],
        }
    )
    assert noise.with_few_named(table, alpha=0.05)["reason"].fillna("").tolist() == [
        "too few templates to reject", "", "no variation", "too few templates to reject", "",
    ]  # fmt: skip
