"""Tests, effect sizes, corrections and resampling: pure functions of arrays, frozen results, nothing rounded.

====================  ==================================================================================================
as published          `wilcoxon_one_sample` `cohen_d` `d_label` `r_label` `mann_whitney` `sign_test` `benjamini_hochberg`
resampling            `sign_flip` `cluster_bootstrap` `t_interval` `t_test` `tost` `fieller`
noise floor           `noise_floor`, which asks `magnitude` `direction` `spread` `equivalence` `precision`; `outcome_test`
                      `persona_permutation` `verdict` `rejections_needed`
planning              `detectable` `detectable_difference` `detectable_ratio` `templates_for_ratio`
                      `templates_for_difference` `variance_shares`
pairs from elsewhere  `topic_gaps` `matched_gaps` `unmatched_gaps` `topic_direction` `topic_equivalence`
====================  ==================================================================================================

Undefined is NaN with a ``reason``. Where chance is needed ``rng`` is an argument; where all relabellings can be tried (2^14 at
most) it is not needed.
"""

from eftlib.stats.bootstrap import cluster_bootstrap
from eftlib.stats.correction import Adjusted, benjamini_hochberg, rejections_needed
from eftlib.stats.direction import Direction, GroupDirection, direction
from eftlib.stats.effect_size import CohenD, cohen_d, d_label, r_label
from eftlib.stats.elsewhere import (
    GapTest,
    TopicDirection,
    TopicEquivalence,
    TopicGaps,
    matched_gaps,
    topic_direction,
    topic_equivalence,
    topic_gaps,
    unmatched_gaps,
)
from eftlib.stats.equivalence import Equivalence, Equivalences, equivalence
from eftlib.stats.fieller import fieller
from eftlib.stats.magnitude import GroupMagnitude, Magnitude, magnitude
from eftlib.stats.mann_whitney import MannWhitney, mann_whitney
from eftlib.stats.noise_floor import NoiseFloor, noise_floor
from eftlib.stats.outcomes import Outcomes, outcome_test
from eftlib.stats.persona_permutation import persona_permutation
from eftlib.stats.power import (
    Precision,
    detectable,
    detectable_difference,
    detectable_ratio,
    precision,
    templates_for_difference,
    templates_for_ratio,
)
from eftlib.stats.results import Estimate, Interval, Significance
from eftlib.stats.shares import Shares, variance_shares
from eftlib.stats.sign_flip import sign_flip
from eftlib.stats.sign_test import SignTest, sign_test
from eftlib.stats.spread import Spread, spread
from eftlib.stats.student import t_interval, t_test, tost
from eftlib.stats.units import Units, model_scales, units
from eftlib.stats.verdict import Verdict, verdict
from eftlib.stats.wilcoxon import wilcoxon_one_sample

__all__ = [
    "Adjusted",
    "CohenD",
    "Direction",
    "Equivalence",
    "Equivalences",
    "Estimate",
    "GapTest",
    "GroupDirection",
    "GroupMagnitude",
    "Interval",
    "Magnitude",
    "MannWhitney",
    "NoiseFloor",
    "Outcomes",
    "Precision",
    "Shares",
    "SignTest",
    "Significance",
    "Spread",
    "TopicDirection",
    "TopicEquivalence",
    "TopicGaps",
    "Units",
    "Verdict",
    "benjamini_hochberg",
    "cluster_bootstrap",
    "cohen_d",
    "d_label",
    "detectable",
    "detectable_difference",
    "detectable_ratio",
    "direction",
    "equivalence",
    "fieller",
    "magnitude",
    "mann_whitney",
    "matched_gaps",
    "model_scales",
    "noise_floor",
    "outcome_test",
    "persona_permutation",
    "precision",
    "r_label",
    "rejections_needed",
    "sign_flip",
    "sign_test",
    "spread",
    "t_interval",
    "t_test",
    "templates_for_difference",
    "templates_for_ratio",
    "topic_direction",
    "topic_equivalence",
    "topic_gaps",
    "tost",
    "units",
    "unmatched_gaps",
    "variance_shares",
    "verdict",
    "wilcoxon_one_sample",
]
