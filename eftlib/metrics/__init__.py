"""The study's eight metrics and two extensions, in two profiles.

A metric is one function of an `Explanation` with a docstring that defines it; its module is named below, and it shows up in
every table. ``published`` is the study's definition to the letter; ``controlled`` is the same quantity without its artefacts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module

from eftlib.metrics.base import (
    PROFILES,
    Explanation,
    Metric,
    Profile,
    Similarities,
    UndefinedError,
    get,
    registered,
)
from eftlib.text import is_blank

__all__ = [
    "EXTENSIONS",
    "METRICS",
    "PROFILES",
    "STUDY_METRICS",
    "Explanation",
    "Metric",
    "Profile",
    "Similarities",
    "UndefinedError",
    "get",
    "measure",
]

# one line a metric, in the order of the study's tables; to import its module registers it
_MODULES = (
    "word_count",
    "elaboration_depth",
    "sentiment",
    "hedging_density",
    "efp",
    "fkgl",
    "ttr",
    "domain_density",
    "naming_rate",
    "pronoun_rate",
)
for _module in _MODULES:
    import_module(f"eftlib.metrics.{_module}")

METRICS: dict[str, Metric] = registered()
STUDY_METRICS: tuple[str, ...] = tuple(name for name, each in METRICS.items() if not each.extension)
EXTENSIONS: tuple[str, ...] = tuple(name for name, each in METRICS.items() if each.extension)


def measure(explanation: Explanation, metrics: Sequence[str] | None = None) -> dict[str, tuple[float, str | None]]:
    """Measure one explanation.

    Parameters
    ----------
    explanation : Explanation
    metrics : sequence of str, optional
        Names; all by default.

    Returns
    -------
    dict of str to (float, str or None)
        Value and, where it is NaN, the reason.

    Raises
    ------
    InputError
        If a name is unknown.
    """
    chosen = [get(name) for name in metrics] if metrics is not None else list(METRICS.values())
    if is_blank(explanation.raw) or not explanation.words:
        return {each.name: (math.nan, "empty") for each in chosen}
    return {each.name: _value(each, explanation) for each in chosen}


def _value(each: Metric, explanation: Explanation) -> tuple[float, str | None]:
    try:
        return each.measure(explanation), None
    except UndefinedError as reason:
        return math.nan, str(reason)
