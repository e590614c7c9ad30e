"""Tables as files that a spreadsheet can open, and as a reader sees them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from eftlib.metrics import METRICS

# what a column is called on a page; any other is shown with spaces for underscores
HEADINGS: Mapping[str, str] = {
    "p_bh": "p (BH)",
    "d": "d",
    "r": "r",
    "u": "U",
    "m": "m",
    "n": "n",
    "n_common": "common: n",
    "mean_rank_common": "common: mean rank",
    "worst_on_common": "common: worst on",
}
_P_COLUMNS = re.compile(r"(?:^|_)p(?:_|$)")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def inert(value: Any) -> Any:
    """Return a cell that a spreadsheet shows and does not run: text that begins like a formula gets an apostrophe.

    A carriage return, which the CSV writer leaves unquoted and readers take for the end of a row, becomes a line feed.

    Parameters
    ----------
    value : object

    Returns
    -------
    object
        Numbers, and text that is a number, as they are.

    Examples
    --------
    >>> inert("=1+1"), inert("-3.5"), inert("word")
    ("'=1+1", '-3.5', 'word')
    """
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    if not text.startswith(("=", "+", "-", "@", "\t", "\n")):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text


def write(table: pd.DataFrame, folder: Path, name: str, labels: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write a table as ``<name>.csv`` at full precision and as ``<name>.tex``.

    Parameters
    ----------
    table : pandas.DataFrame
    folder : Path
        Made if it is not there.
    name : str
    labels : mapping of str to str
        As for `shown`; the CSV file keeps the names.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table.map(inert).to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
    shown(table, labels=labels).to_latex(folder / f"{name}.tex", index=False, escape=True)


def shown(
    table: pd.DataFrame, columns: Sequence[str] | None = None, *, labels: Mapping[str, str] = MappingProxyType({})
) -> pd.DataFrame:
    """Return a table as a reader sees it: labels, sensible digits, a dash where there is no value.

    Parameters
    ----------
    table : pandas.DataFrame
    columns : sequence of str, optional
        Which, in which order; all by default. One that has limits (``ratio``: ``ratio_low``, ``ratio_high``) shows them in
        brackets, unless they are columns of their own.
    labels : mapping of str to str
        Names of models to what a reader sees, in the columns of models and scopes.

    Returns
    -------
    pandas.DataFrame
        Of text.
    """
    chosen = [str(name) for name in (table.columns if columns is None else columns)]
    text = pd.DataFrame({name: [cell(name, value) for value in table[name]] for name in chosen}, dtype=object)
    for name in chosen:
        if name.removeprefix("study_") in ("model", "scope"):
            text[name] = [labels.get(value, value) for value in text[name]]
    for name in chosen:
        limits = [f"{name}_low", f"{name}_high"]
        if set(limits) <= set(table) and not set(limits) & set(chosen):
            low, high = ([cell(name, value) for value in table[limit]] for limit in limits)
            text[name] = [
                value if "–" in (value, a) else f"{value} [{a}, {b}]" for value, a, b in zip(text[name], low, high, strict=True)
            ]
    return text.rename(columns={name: heading(name) for name in chosen})


def heading(column: str) -> str:
    """Return what a column is called on a page.

    Parameters
    ----------
    column : str

    Returns
    -------
    str

    Examples
    --------
    >>> heading("p_magnitude_bh"), heading("study_d")
    ('p magnitude (BH)', 'study: d')
    """
    if column.startswith("study_"):  # what the published study prints
        return f"study: {heading(column.removeprefix('study_'))}"
    if column in METRICS:
        return METRICS[column].label
    return HEADINGS.get(column, re.sub(r" bh$", " (BH)", column.replace("_", " ")))


def occurring(table: pd.DataFrame, counts: Sequence[str]) -> list[str]:
    """Return the columns of a table without those counts that are 0 in every row.

    Parameters
    ----------
    table : pandas.DataFrame
    counts : sequence of str

    Returns
    -------
    list of str

    Examples
    --------
    >>> occurring(pd.DataFrame({"n": [2, 0], "ok": [2, 0], "empty": [0, 0]}), ["ok", "empty"])
    ['n', 'ok']
    """
    return [str(name) for name in table if name not in counts or table[name].any()]


def cell(column: str, value: Any) -> str:
    """Return a cell as a reader sees it.

    Parameters
    ----------
    column : str
        Its name decides: p-values in powers of ten, metrics by their labels (names of several stand with spaces between).
    value : object

    Returns
    -------
    str
    """
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        named = value.split() if column.removeprefix("study_").startswith(("metric", "worst_on")) else []
        if named and set(named) <= set(METRICS):
            return ", ".join(METRICS[name].label for name in named)
        return p_value(float(value)) if column == "study_p_bh" else value  # any other number that the study prints as it is
    if isinstance(value, Integral):
        return f"{int(value):,}"
    return p_value(float(value)) if _P_COLUMNS.search(column) else number(float(value))


def as_numbers(values: pd.Series) -> pd.Series:
    """Return a column of what the study prints (``study_…``) as numbers, if it is of numbers; any other as it is.

    Parameters
    ----------
    values : pandas.Series

    Returns
    -------
    pandas.Series
    """
    if not str(values.name).startswith("study_"):
        return values
    numbers = pd.to_numeric(values, errors="coerce")
    return numbers if numbers.notna().equals(values.notna()) else values


def number(value: float) -> str:
    """Return a number with three significant digits; a whole one without decimals, a power of ten below 0.0001.

    Parameters
    ----------
    value : float

    Returns
    -------
    str

    Examples
    --------
    >>> number(29.893), number(0.00962), number(-1234.5), number(90.0), number(0.0)
    ('29.9', '0.00962', '-1,234', '90', '0')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == math.floor(value):  # such as a median of words
        return f"{value:,.0f}" if value else "0"
    rounded = float(f"{value:.3g}") if abs(value) < 1000 else value
    if rounded == 0:
        return "0"
    if abs(rounded) < 1e-4:
        return _power(value, digits=2)
    return f"{rounded:,.{max(0, 2 - math.floor(math.log10(abs(rounded))))}f}"


def _power(value: float, digits: int) -> str:
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPT)}"


def p_value(value: float) -> str:
    """Return a p-value: three decimals, or a power of ten below 0.001.

    Parameters
    ----------
    value : float

    Returns
    -------
    str

    Examples
    --------
    >>> p_value(0.0312), p_value(7.46e-66), p_value(0.0)
    ('0.031', '7.5 × 10⁻⁶⁶', '< 10⁻³⁰⁰')
    """
    if value == 0:
        return "< 10⁻³⁰⁰"
    if value >= 0.001:
        return f"{value:.3f}"
    return _power(value, digits=1)


def markdown(table: pd.DataFrame, numeric: Sequence[bool]) -> str:
    """Return a table of text as a markdown table; what a cell holds stays text.

    Parameters
    ----------
    table : pandas.DataFrame
        As `shown` gives it.
    numeric : sequence of bool
        Which columns stand to the right.

    Returns
    -------
    str
    """
    head = "| " + " | ".join(literal(str(name)) for name in table) + " |"
    rule = "|" + "|".join("---:" if right else ":---" for right in numeric) + "|"
    rows = ["| " + " | ".join(literal(value) for value in row) + " |" for row in table.itertuples(index=False)]
    return "\n".join([head, rule, *rows])


def literal(text: str) -> str:
    """Return text as markdown that shows it and nothing else.

    Parameters
    ----------
    text : str
        Of anyone, a model included.

    Returns
    -------
    str
        One line.
    """
    return literal_within(" ".join(str(text).split())) or " "


def literal_within(text: str) -> str:
    """Return a piece of a line as markdown that shows it and nothing else.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        With its spaces as they are.
    """
    return re.sub(r"([\\`*_{}\[\]<>()#+.!|$~@^&-])", r"\\\1", text)
