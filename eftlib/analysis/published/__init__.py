"""The study's printed numbers checked against each other: arithmetic on ``data/published`` alone, no model and no answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from eftlib.analysis.published import axes, design, direction, existence, mitigation, models
from eftlib.analysis.published.printed import Check, Printed
from eftlib.metrics import METRICS

SECTIONS: Mapping[str, Sequence[Callable[[Printed], Check]]] = {
    "design": design.CHECKS,
    "existence": existence.CHECKS,
    "axes": axes.CHECKS,
    "direction": direction.CHECKS,
    "models": models.CHECKS,
    "mitigation": mitigation.CHECKS,
}


def published_checks(folder: Path | None = None) -> pd.DataFrame:
    """Check the study's printed numbers against each other.

    A printed number stands for all that round to it: 0.457 is anything from 0.4565 to 0.4575, and a check allows for that.

    Parameters
    ----------
    folder : Path, optional
        Where the tables are; ``data/published`` by default.

    Returns
    -------
    pandas.DataFrame
        One row a check: ``section check table claim recomputed arithmetic verdict reason``. The verdict is ``consistent`` (the
        printed numbers agree), ``inconsistent`` (they exclude each other) or ``open`` (what is printed neither bears the claim
        out nor excludes it); ``recomputed`` and ``arithmetic`` are words with the numbers in them.

    Raises
    ------
    InputError
        If a table is missing, lacks a row or column, or holds what is not a number; the message names file and line.
    """
    printed = Printed(folder)
    rows = [{"section": section, **asdict(check(printed))} for section, checks in SECTIONS.items() for check in checks]
    table = pd.DataFrame(rows)
    numbers = ["claim", "recomputed", "arithmetic"]
    return table.assign(**{column: table[column].map(_readable) for column in numbers})


_METRIC = re.compile(rf"“[^”]*”|\b({'|'.join(METRICS)})\b")  # what is quoted stays as it is
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _readable(text: str) -> str:
    """Return text with metrics by their labels and powers of ten as a reader writes them."""
    text = _METRIC.sub(lambda found: METRICS[found[1]].label if found[1] else found[0], text)
    text = re.sub(r"(?<=\d)e(-\d+)", lambda found: f" × 10^{int(found[1])}", text)
    return re.sub(r"\^(-\d+)", lambda found: found[1].translate(_SUPERSCRIPT), text)
