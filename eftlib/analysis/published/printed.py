"""The study's printed numbers with the range that prints as each, and what a check of them says."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar

import pandas as pd

from eftlib.errors import InputError
from eftlib.files import data_dir, hint, read_text, shown

Verdict = Literal["consistent", "inconsistent", "open"]
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
# what is divided by, or counted
_ABOVE_0 = {"n", "total", "mean", "median", "d", "p_bh", "mean_d", "baseline"}


@dataclass(frozen=True)
class Check:
    """One check: what is printed, what follows from other printed numbers and how, the verdict, and what it means."""

    check: str
    table: str
    claim: str
    recomputed: str
    arithmetic: str
    verdict: Verdict
    reason: str


def agrees(ok: bool) -> Verdict:
    """Return the verdict of a check that can only agree or not.

    Parameters
    ----------
    ok : bool

    Returns
    -------
    {"consistent", "inconsistent"}
    """
    return "consistent" if ok else "inconsistent"


@dataclass(frozen=True)
class Number:
    """A printed number; what prints as it lies from ``low`` to ``high``, half a unit of its last digit either way."""

    value: float
    low: float
    high: float
    text: str

    def prints(self, value: float) -> bool:
        """Whether a value would be printed like this, a half rounded either way."""
        slack = 1e-9 * (self.high - self.low)
        return self.low - slack <= value <= self.high + slack

    def whole(self, n: int) -> bool:
        """Whether the mean of n whole numbers can be printed like this (the GRIM test)."""
        return any(self.prints(total / n) for total in range(int(self.low * n) - 1, int(self.high * n) + 2))


class Rows(dict[K, V]):
    """What stands in the rows of a file, by the words that name a row; a row that is not there is bad input."""

    def __init__(self, path: Path, rows: Mapping[K, V]) -> None:
        super().__init__(rows)
        self.path = path

    def __missing__(self, key: K) -> V:
        raise InputError(f"{shown(self.path)}: no row {_name(key)!r}{hint(_name(key), map(_name, self))}")


class Printed:
    """The tables and sentences of the study, as ``data/published`` holds them.

    Parameters
    ----------
    folder : Path, optional
        ``data/published`` by default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or data_dir() / "published"
        self.column = cache(self._column)
        self.table = cache(self._table)

    def _table(self, name: str) -> pd.DataFrame:
        path = self.folder / f"{name}.csv"
        read_text(path)  # says in one line why a file cannot be read
        try:
            return pd.read_csv(path, dtype=str, keep_default_na=False)
        except ValueError as error:
            raise InputError(f"{shown(path)}: not a table: {' '.join(str(error).split())}") from None

    def words(self, name: str, column: str, *by: str) -> Rows[tuple[str, ...], str]:
        """Return a column as it is printed, by the columns that name a row.

        Parameters
        ----------
        name, column : str
            Of the file, without its ending, and of the column.
        *by : str
            Columns that name a row.

        Returns
        -------
        Rows
            Of text, by tuples of words.

        Raises
        ------
        InputError
            If the file cannot be read, lacks a column or names a row twice.
        """
        table, path = self.table(name), self.folder / f"{name}.csv"
        for each in (column, *by):
            if each not in table:
                raise InputError(f"{shown(path)}: no column {each!r}{hint(each, table.columns)}")
        keys = list(zip(*(table[each] for each in by), strict=True))
        if twice := [key for key in keys if keys.count(key) > 1]:
            raise InputError(
                f"{shown(path)}: the row {_name(twice[0])!r} is there {keys.count(twice[0])} times; once is allowed"
            )
        return Rows(path, dict(zip(keys, table[column], strict=True)))

    def _column(self, name: str, column: str, *by: str) -> Rows[tuple[str, ...], Number]:
        words, numbers = self.words(name, column, *by), {}
        for line, (key, text) in enumerate(words.items(), start=2):
            place = f"{shown(words.path)}:{line}: {column}"
            numbers[key] = _number(text, place)
            if column in _ABOVE_0 and numbers[key].value <= 0:
                raise InputError(f"{place} is {text!r}; it must be above 0")
        return Rows(words.path, numbers)

    def _by(self, name: str, column: str, by: str) -> Rows[str, Number]:
        rows = self.column(name, column, by)
        return Rows(rows.path, {key[0]: number for key, number in rows.items()})

    def by_metric(self, column: str) -> Rows[str, Number]:
        """Return a column of Table 3 by metric."""
        return self._by("table3_existence", column, "metric")

    def by_axis(self, column: str) -> Rows[str, Number]:
        """Return a column of Table 4 by axis."""
        return self._by("table4_axes", column, "axis")

    def templates(self) -> int:
        """Return the number of templates, Table 2's total: the pairs of one model."""
        return int(self.column("table2_templates", "total", "domain")[("total",)].value)

    def pairs(self) -> Rows[str, int]:
        """Return the pairs of each axis, as Table 5 prints them."""
        rows = self.column("table5_direction", "n", "axis", "metric")
        return Rows(rows.path, {axis: int(number.value) for (axis, _), number in rows.items()})

    def most(self) -> int:
        """Return the largest n of Table 3."""
        return int(max(number.value for number in self.by_metric("n").values()))

    def said(self, claim: str) -> Number:
        """Return a number that a sentence of the study states."""
        return self.column("text", "value", "claim")[(claim,)]

    def quote(self, claim: str) -> str:
        """Return where and how a sentence of the study states a number."""
        place, words = (self.words("text", column, "claim")[(claim,)] for column in ("place", "words"))
        return f"{place}: “{words}”"


def _name(key: object) -> str:
    return " ".join(key) if isinstance(key, tuple) else str(key)


def _number(text: str, place: str) -> Number:
    try:
        exact = Decimal(text)
        exponent = exact.as_tuple().exponent
    except InvalidOperation:
        exponent = "n"
    if not isinstance(exponent, int):
        raise InputError(f"{place} is {text!r}; it must be a number as the study prints it")
    half = Decimal(5).scaleb(exponent - 1)
    return Number(float(exact), float(exact - half), float(exact + half), text)
