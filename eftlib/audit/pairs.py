"""Pairs of explanations as they come: JSON lines or CSV, under any column names, checked before anything is measured."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, StrictBool, StrictStr, ValidationError

from eftlib.errors import InputError
from eftlib.files import Strict, Text, hint, read_text, shown
from eftlib.text import is_blank

Side = Literal["a", "b"]
SIDES: tuple[Side, ...] = ("a", "b")
# what a side may have besides its explanation
KNOWN = ("name", "group", "decision", "opposite", "prompt", "finish_reason")
_ALLOWED = "allowed: JSON lines (an object a line), or CSV in a file whose name ends in .csv"
_HALF = re.compile(r"[\ud800-\udfff]")


def _label(value: Any) -> Any:
    """Take a whole number for a label: a run or a topic is often one."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Label = Annotated[Text, BeforeValidator(_label)]
Known = Annotated[StrictStr | None, BeforeValidator(_label)]


class Pair(Strict):
    """Two explanations of one decision about two people; what is not known is None."""

    pair_id: Label
    topic: Label
    model: Label
    explanation_a: StrictStr
    explanation_b: StrictStr
    axis: Label = "all"
    domain: Known = None
    same_decision: StrictBool | None = None
    name_a: Known = None
    name_b: Known = None
    group_a: Known = None
    group_b: Known = None
    decision_a: Known = None
    decision_b: Known = None
    opposite_a: Known = None
    opposite_b: Known = None
    prompt_a: Known = None
    prompt_b: Known = None
    finish_reason_a: Known = None
    finish_reason_b: Known = None

    def of(self, field: str, side: Side) -> str | None:
        """Return what a side has: its explanation, or one of `KNOWN`."""
        value: str | None = getattr(self, f"{field}_{side}")
        return value

    @property
    def equal(self) -> bool | None:
        """Whether both sides got the same decision; None where that is not known."""
        if self.same_decision is not None or self.decision_a is None or self.decision_b is None:
            return self.same_decision
        return self.decision_a == self.decision_b


def read(path: Path, columns: Mapping[str, str]) -> list[Pair]:
    """Read pairs.

    Parameters
    ----------
    path : Path
        A CSV file if it is called so, else JSON lines. Columns of no use here are ignored.
    columns : mapping of str to str
        What a field of `Pair` is called in the file, where it has another name.

    Returns
    -------
    list of Pair

    Raises
    ------
    InputError
        If a line cannot be used, an id is given twice, a group stands on both sides of an axis, a decision contradicts
        ``same_decision``, or a side has no text at all; the message names line, field and value.
    """
    for field in columns:
        if field not in Pair.model_fields:
            raise InputError(f"--columns: no field {field!r}{hint(field, Pair.model_fields)}")
    found: dict[str, tuple[int, Pair]] = {}
    sides: dict[tuple[str, str], tuple[Side, int]] = {}
    for number, row in _rows(path):
        pair = _pair(row, columns, f"{shown(path)}:{number}", number)
        if pair.pair_id in found:
            line = found[pair.pair_id][0]
            raise InputError(f"{shown(path)}:{number}: the pair_id {pair.pair_id!r} is that of line {line} too")
        _check_groups(pair, sides, path, number)
        found[pair.pair_id] = number, pair
    pairs = [pair for _, pair in found.values()]
    if not pairs:
        raise InputError(f"{shown(path)}: holds no pair")
    for side in SIDES:
        if all(is_blank(pair.of("explanation", side) or "") for pair in pairs):
            raise InputError(f"{shown(path)}: explanation_{side} is empty in all {len(pairs)} pairs; both sides need texts")
    return pairs


def _check_groups(pair: Pair, sides: dict[tuple[str, str], tuple[Side, int]], path: Path, number: int) -> None:
    if pair.group_a == pair.group_b:  # as in a null
        return
    for side in SIDES:
        if group := pair.of("group", side):
            other, line = sides.setdefault((pair.axis, group), (side, number))
            if other != side:
                raise InputError(
                    f"{shown(path)}:{number}: the group {group!r} is on side {side.upper()}, and on side {other.upper()} in "
                    f"line {line}; on an axis a group must keep its side"
                )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    text = read_text(path).removeprefix("\ufeff")
    return _csv_rows(path, text) if path.suffix.lower() == ".csv" else _json_rows(path, text)


class _TwiceError(Exception):
    """A key that an object has twice, of which JSON's own reader would keep the last without a word."""


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(items)
    if len(row) < len(items):
        names = [name for name, _ in items]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return row


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, object_pairs_hook=_object)
        except _TwiceError as error:
            raise InputError(f"{shown(path)}:{number}: the key {error.args[0]!r} is given twice") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{shown(path)}:{number}: not JSON ({error}); {_ALLOWED}") from None
        if not isinstance(row, dict):
            raise InputError(f"{shown(path)}:{number}: a line must be an object, but it is {str(row)[:40]!r}; {_ALLOWED}")
        yield number, row


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    # an explanation may be longer than the reader's 128 KB, and no longer than the file
    csv.field_size_limit(max(len(text), 131_072))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        head = next(reader, [])
        for name in head:
            if head.count(name) > 1:
                raise InputError(f"{shown(path)}:1: the column {name!r} is given twice")
        for values in reader:
            if len(values) not in (0, len(head)):
                raise InputError(f"{shown(path)}:{reader.line_num}: {len(values)} fields; the first line has {len(head)}")
            if values:
                yield reader.line_num, dict(zip(head, values, strict=True))
    except csv.Error as error:
        raise InputError(f"{shown(path)}:{reader.line_num}: not CSV ({error})") from None


def _pair(row: Mapping[str, Any], columns: Mapping[str, str], place: str, number: int) -> Pair:
    called = {field: columns.get(field, field) for field in Pair.model_fields}
    values = {field: _whole(row[name]) for field, name in called.items() if name in row}
    for field in ("axis", "pair_id", "same_decision"):
        if values.get(field, "") in ("", None):
            values.pop(field, None)
    if str(values.get("same_decision")).lower() in ("true", "false"):
        values["same_decision"] = str(values["same_decision"]).lower() == "true"
    for field in ("explanation_a", "explanation_b"):
        if field in values and values[field] is None:  # no answer came
            values[field] = ""
    # an empty field of a CSV says that something is not known
    optional = [f"{field}_{side}" for field in KNOWN for side in SIDES]
    values |= dict.fromkeys([name for name in optional if values.get(name) == ""])
    try:
        pair = Pair.model_validate({"pair_id": str(number)} | values)
    except ValidationError as error:
        raise InputError(f"{place}: {_fault(error, called, row)}") from None
    decisions = (pair.decision_a, pair.decision_b)
    if None not in decisions and pair.same_decision not in (None, decisions[0] == decisions[1]):
        both = " and ".join(map(repr, decisions))
        raise InputError(f"{place}: same_decision is {pair.same_decision}, but the decisions are {both}")
    return pair


def _whole(value: Any) -> Any:
    # half a surrogate pair has no UTF-8, so it fits in no table and no page
    return _HALF.sub("\ufffd", value) if isinstance(value, str) else value


def _fault(error: ValidationError, called: Mapping[str, str], row: Mapping[str, Any]) -> str:
    first = error.errors(include_url=False)[0]
    field = str(first["loc"][0])
    name = called[field]
    if first["type"] == "missing":
        there = ", ".join(str(each) for each in list(row)[:20])
        way = f"--columns {field}=NAME" + (" or --cluster NAME" if field == "topic" else "")
        return f"no column {name!r} for {field}; name it with {way}; the columns are {there}"
    value = first["input"]
    # a text stands in quotes; anything else as JSON has it
    given = repr(value[:40]) if isinstance(value, str) else json.dumps(value)[:40]
    allowed = "a text or a whole number"
    if field == "same_decision":
        allowed = "true or false"
    elif field in ("explanation_a", "explanation_b"):
        allowed = "a text"
    elif isinstance(value, str):
        allowed = "a text that says something"
    return f"{name} is {given}; it must be {allowed}"


def used(path: Path, columns: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return which columns of a file are used and which are ignored, so that a misspelt one is seen.

    Parameters
    ----------
    path : Path
    columns : mapping of str to str
        As in `read`.

    Returns
    -------
    (list of str, list of str)
    """
    names = dict.fromkeys(str(name) for _, row in _rows(path) for name in row)
    wanted = {columns.get(field, field) for field in Pair.model_fields}
    return [name for name in names if name in wanted], [name for name in names if name not in wanted]


def groups(pairs: Sequence[Pair], side: Side) -> list[str]:
    """Return the groups of a side, or the names where no groups are given.

    Parameters
    ----------
    pairs : sequence of Pair
    side : {"a", "b"}

    Returns
    -------
    list of str
        In their order; empty where neither is known.
    """
    return list(dict.fromkeys(said for pair in pairs if (said := pair.of("group", side) or pair.of("name", side))))
