"""Texts from anywhere, measured: JSON lines in, CSV out; the `measure` command."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from pydantic import StrictInt, StrictStr, ValidationError

from eftlib.embedding import Embedder, LiveCosines, chunked
from eftlib.errors import InputError
from eftlib.files import Strict, shown
from eftlib.metrics import METRICS, Explanation, Profile, Similarities, UndefinedError, measure
from eftlib.responses import Outcome, interpret
from eftlib.text import cut_echo, flags, split_reasoning

COLUMNS = ("id", "outcome", "flags", *METRICS, "reason")
# what a profile measures: the study seems to have measured answers that were cut off, `controlled` leaves them out
MEASURED: dict[Profile, tuple[Outcome, ...]] = {"published": ("ok", "truncated"), "controlled": ("ok",)}


class Line(Strict):
    """A line of input: a text, and what is known about it."""

    text: str
    opposite: str | None = None
    domain: str | None = None
    name: str | None = None
    prompt: str | None = None
    finish_reason: str | None = None
    id: StrictStr | StrictInt | None = None


def read_lines(stream: Iterable[str], source: str) -> Iterator[Line]:
    """Yield the lines of a JSONL input, validated.

    Parameters
    ----------
    stream : iterable of str
    source : str
        What to call it in a message.

    Yields
    ------
    Line

    Raises
    ------
    InputError
        If a line is no JSON object, has no text, or has a field of another kind; the message names line, field and value.
    """
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line, parse_constant=_no_constant, object_pairs_hook=_each_once)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{source}:{number}: not JSON ({error})") from None
        if not isinstance(value, dict):
            raise InputError(
                f"{source}:{number}: a line must be an object with the field 'text', but it is {str(value)[:40]!r}"
            )
        try:
            yield Line.model_validate(value)
        except ValidationError as error:
            raise InputError(f"{source}:{number}: {_fault(error)}") from None


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the field {name!r} is given twice")
    return dict(pairs)


def _fault(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    name = first["loc"][0]
    if first["type"] == "missing":
        return f"the field {name!r} is missing"
    if first["type"] == "extra_forbidden":
        return f"unknown field {name!r}; allowed: {', '.join(Line.model_fields)}"
    return f"{name} is {str(first['input'])[:40]!r}; it must be a text"


def rows(lines: Iterable[Line], *, profile: Profile, cosines: Similarities | str) -> Iterator[dict[str, str]]:
    """Measure lines one by one.

    Parameters
    ----------
    lines : iterable of Line
    profile : {"published", "controlled"}
    cosines : Similarities or str
        Where cosines come from, or why there are none.

    Yields
    ------
    dict of str to str
        The columns of `COLUMNS`: values at full precision, an empty field where there is none, and ``reason`` with
        ``metric: why; …``.
    """
    for number, line in enumerate(lines, start=1):
        outcome, signs, values = measured(line, profile=profile, cosines=cosines)
        identifier = str(line.id) if line.id is not None else str(number)
        row = {"id": identifier, "outcome": outcome, "flags": " ".join(signs)}
        row |= {name: "" if math.isnan(value) else repr(value) for name, (value, _) in values.items()}
        row["reason"] = "; ".join(f"{name}: {reason}" for name, (_, reason) in values.items() if reason)
        yield row


def measured(
    line: Line, *, profile: Profile, cosines: Similarities | str
) -> tuple[Outcome, list[str], dict[str, tuple[float, str | None]]]:
    """Measure a line.

    Parameters
    ----------
    line : Line
    profile : {"published", "controlled"}
    cosines : Similarities or str
        Where cosines come from, or why there are none.

    Returns
    -------
    (str, list of str, dict of str to (float, str or None))
        Its outcome, its flags, and by metric the value and, where it is NaN, the reason.
    """
    text, _, outcome, _ = interpret(content=line.text, finish_reason=line.finish_reason, usage={})
    signs = flags(text, line.prompt or "")
    if outcome not in MEASURED[profile]:
        return outcome, signs, dict.fromkeys(METRICS, (math.nan, outcome))
    return outcome, signs, measure(explanation_of(line, text, profile, cosines))


def explanation_of(line: Line, text: str, profile: Profile, cosines: Similarities | str) -> Explanation:
    """Return what is measured of a line: its answer, without an echo of its prompt.

    Parameters
    ----------
    line : Line
    text : str
        The answer, without reasoning.
    profile : {"published", "controlled"}
    cosines : Similarities or str

    Returns
    -------
    eftlib.metrics.Explanation
    """
    opposite = split_reasoning(line.opposite).answer if line.opposite is not None else None
    answer = cut_echo(text, line.prompt) if line.prompt else text
    return Explanation(answer, profile, name=line.name, domain=line.domain, opposite=opposite, similarities=cosines)


def prepare(lines: Iterable[Line], profile: Profile, embedder: Embedder) -> LiveCosines:
    """Embed all that the lines need in one go.

    Parameters
    ----------
    lines : iterable of Line
    profile : {"published", "controlled"}
    embedder : eftlib.embedding.Embedder

    Returns
    -------
    eftlib.embedding.LiveCosines
    """
    cosines = LiveCosines(embedder)
    strings: list[str] = []
    for line in lines:
        explanation = explanation_of(line, split_reasoning(line.text).answer, profile, cosines)
        if len(explanation.sentences) > 1:
            strings += explanation.sentences
        with suppress(UndefinedError):  # no opposite, no cosine
            for whole in (explanation.opposite_text, explanation.text):
                strings += chunked(whole, embedder) if profile == "controlled" else [whole]
    cosines.prepare(strings, progress=True)
    return cosines


def write(stream: TextIO, measured: Iterable[dict[str, str]]) -> None:
    """Write rows as CSV.

    Parameters
    ----------
    stream : file
    measured : iterable of dict
    """
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(measured)


def measure_file(source: str, stream: TextIO, *, profile: Profile, embed: bool, out: Path | None) -> str:
    """Measure a JSONL input and return the CSV, or write it to a file in one step.

    Parameters
    ----------
    source : str
        What to call the input in a message.
    stream : file
    profile : {"published", "controlled"}
    embed : bool
        Whether to compute the two metrics that need the embedder.
    out : Path or None

    Returns
    -------
    str
        The CSV, or "" where it was written to ``out``.

    Raises
    ------
    InputError
        If a line cannot be used, or ``out`` cannot be written; nothing is half-written then.
    StoppedError
        If the embedder is not there.
    """
    lines = list(read_lines(stream, source))
    cosines: Similarities | str = prepare(lines, profile, Embedder()) if embed else "not computed (--no-embed)"
    text = io.StringIO(newline="")
    write(text, rows(lines, profile=profile, cosines=cosines))
    if out is None:
        return text.getvalue()
    draft = out.with_name(out.name + ".new")
    try:
        draft.write_text(text.getvalue(), encoding="utf-8", errors="backslashreplace")
        draft.replace(out)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise InputError(f"{shown(out)}: cannot be written ({error.strerror})") from None
    return ""
