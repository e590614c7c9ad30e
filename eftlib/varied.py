"""Explanations changed in one way, to see what that way alone does to each metric."""

from __future__ import annotations

import re

import pandas as pd

from eftlib.text import sentences

_MARKER = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
KEPT, HALF, CUT, LISTED = CHANGES = ("name kept", "second half left out", "cut off in the middle", "made a list")


def sample(table: pd.DataFrame) -> pd.DataFrame:
    """Return the explanations that are changed: one a template and model, so that no template counts more than once.

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.scoring.explanations` gives it.

    Returns
    -------
    pandas.DataFrame
        The rows of the baseline, side A and draw 0 that are ``ok`` and have two sentences or more, so that each change applies.
    """
    whole = table["outcome"].eq("ok") & table["answer"].map(lambda answer: len(sentences(answer)) > 1).astype(bool)
    first = table["condition"].eq("baseline") & table["side"].eq("A") & table["draw"].eq(0) & table["repeat"].eq(0)
    return table[whole & first]


def cut_off_measured(table: pd.DataFrame) -> pd.DataFrame:
    """Return explanations in which an answer that was cut off passes for a whole one.

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.scoring.explanations` gives it.

    Returns
    -------
    pandas.DataFrame
    """
    read = {"truncated": "ok"}
    return table.assign(outcome=table["outcome"].replace(read), opposite_outcome=table["opposite_outcome"].replace(read))


def name_kept(table: pd.DataFrame) -> pd.DataFrame:
    """Return explanations without the person's name to mask, which the controlled profile therefore leaves in the text.

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.scoring.explanations` gives it.

    Returns
    -------
    pandas.DataFrame
    """
    return table.assign(name=None)


def changed(table: pd.DataFrame, change: str) -> pd.DataFrame:
    """Return explanations, of the stated decision and of the opposite one, after one change.

    Parameters
    ----------
    table : pandas.DataFrame
        As `eftlib.scoring.explanations` gives it.
    change : str
        One of `CHANGES`: the name kept; the second half of the sentences left out; cut off after half of the words, as a token
        limit does; every sentence made an item of a list.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    ValueError
        If there is no such change.
    """
    if change not in CHANGES:
        raise ValueError(f"there is no change {change!r}; allowed: {', '.join(CHANGES)}")
    if change == KEPT:
        return name_kept(table)
    alter = {HALF: _half, CUT: _cut, LISTED: _listed}[change]
    return table.assign(**{column: table[column].map(alter, na_action="ignore") for column in ("answer", "opposite")})


def _half(text: str) -> str:
    parts = sentences(text)
    return " ".join(parts[: (len(parts) + 1) // 2])


def _cut(text: str) -> str:
    words = text.split()
    return " ".join(words[: len(words) // 2])


def _listed(text: str) -> str:
    # without full stops, as lists mostly are; what is an item already stays one
    return "\n".join(f"- {_MARKER.sub('', part).rstrip('.')}" for part in sentences(text))
