"""One function for each table of the study, from the score frame; every table says n, what was excluded, its family and m."""

from eftlib.analysis.axes import axis_effects, axis_ranking, directions, intersectional
from eftlib.analysis.described import lexicon_table, taxonomy, template_counts, vocabulary_table
from eftlib.analysis.differences import BY_PAIR, differences, selected
from eftlib.analysis.existence import existence
from eftlib.analysis.mitigation import mitigations, paired_mitigations
from eftlib.analysis.models import by_model_and_domain, in_common, model_ranking, worst_cells
from eftlib.analysis.noise import (
    ALL_MODELS,
    noise_axes,
    noise_conditions,
    noise_models,
    noise_pooled,
    of_condition,
    with_few_named,
)
from eftlib.analysis.outcomes import outcomes, unequal_outcomes
from eftlib.analysis.published import published_checks
from eftlib.analysis.repeats import repeats
from eftlib.analysis.robustness import agreement, alone, by_choice, shifts, specifications

__all__ = [
    "ALL_MODELS",
    "BY_PAIR",
    "agreement",
    "alone",
    "axis_effects",
    "axis_ranking",
    "by_choice",
    "by_model_and_domain",
    "differences",
    "directions",
    "existence",
    "in_common",
    "intersectional",
    "lexicon_table",
    "mitigations",
    "model_ranking",
    "noise_axes",
    "noise_conditions",
    "noise_models",
    "noise_pooled",
    "of_condition",
    "outcomes",
    "paired_mitigations",
    "published_checks",
    "repeats",
    "selected",
    "shifts",
    "specifications",
    "taxonomy",
    "template_counts",
    "unequal_outcomes",
    "vocabulary_table",
    "with_few_named",
    "worst_cells",
]
