"""What came back: the response record, its outcome, and the append-only store that is cache, record and released data in one.

A model's file under ``responses/`` has one line an attempt. A line is written in one piece and synced before anything else
is done with the answer, so a stop at any moment loses at most the calls under way.
"""

from __future__ import annotations

import datetime
import errno
import hashlib
import json
import os
import re
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, get_args

import pandas as pd
from filelock import FileLock, Timeout
from pydantic import ConfigDict, Field, ValidationError

from eftlib.benchmark import Axis, Decision, Domain, Draw, Prompt, Side, digest
from eftlib.errors import InputError, StoppedError
from eftlib.files import Strict, shown
from eftlib.study import Model, Study
from eftlib.text import is_blank, split_reasoning

SCHEMA = 1
PARSER = 2
MAX_ATTEMPTS = 3

Outcome = Literal["ok", "truncated", "truncated_in_reasoning", "empty", "refused", "filtered", "error"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
# these are answers of a kind: the same request is not made again unless it is asked for (`--again`)
FINAL: tuple[Outcome, ...] = ("ok", "truncated", "refused", "filtered")

_HALF = re.compile("[\ud800-\udfff]")
_LENGTH = {"length", "max_tokens", "model_length"}
_FILTERED = {"content_filter", "content_filtered", "safety"}
_REFUSED = {"refusal"}


class PersonaRecord(Strict):
    """The persona of a record: see `eftlib.benchmark.Persona`."""

    id: str
    name: str
    pronouns: str
    age: int | None
    affiliation: str | None
    pair: str
    stratum: str


class Record(Strict):
    """One attempt at one request; a line of ``responses/<model>.jsonl``.

    ``raw`` is the message as the provider sent it (or the error), so a better parser costs nothing; ``text`` and ``reasoning``
    are what `interpret` made of it. ``requested`` are the study's parameters, ``sent`` those that the model took.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"$id": "record"})

    # named so in every file and script; pydantic's own attribute of that name is long deprecated
    schema_: int = Field(alias="schema")
    key: str = Field(pattern=r"^[0-9a-f]{64}$")
    template: str
    domain: Domain
    axis: Axis
    side: Side
    draw: Draw
    decision: Decision
    condition: str
    repeat: int = Field(ge=0)
    persona: PersonaRecord
    messages: tuple[dict[str, str], ...]
    provider: str
    endpoint: str
    model: str
    identity: dict[str, str]
    requested: dict[str, Any]
    sent: dict[str, Any]
    text: str
    reasoning: str | None
    raw: Any
    finish_reason: str | None
    outcome: Outcome
    reason: str | None
    flags: tuple[str, ...]
    usage: dict[str, Any]
    served_model: str | None
    attempt: int = Field(ge=1)
    created: datetime.datetime
    latency_s: float = Field(ge=0)
    versions: dict[str, str]


def key_of(prompt: Prompt, model: Model, requested: dict[str, Any]) -> str:
    """Return the key of a request: the sha256 of all that is asked, and of nothing else.

    Parameters
    ----------
    prompt : eftlib.benchmark.Prompt
        Its messages and its repeat count; its template's name does not, so an edited template is another request.
    model : eftlib.study.Model
        Its provider, its kind of endpoint and its identity.
    requested : dict
        Every requested parameter.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    asked = {
        "provider": model.provider,
        "endpoint": model.endpoint,
        "model": identity_of(model),
        "messages": [dict(message) for message in prompt.messages],
        "requested": requested,
        "repeat": prompt.repeat,
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def identity_of(model: Model) -> dict[str, str]:
    """Return what answers: the provider's id, and the address or the weights and the server where that matters.

    Parameters
    ----------
    model : eftlib.study.Model

    Returns
    -------
    dict of str to str
    """
    identity = {"id": model.id}
    if model.weights:
        identity |= {"sha256": model.weights.sha256, "server": model.weights.server}
    elif model.base_url:
        identity |= {"base_url": model.base_url}
    return identity


def interpret(
    *,
    content: str | None,
    reasoning: str | None = None,
    refusal: str | None = None,
    finish_reason: str | None,
    usage: dict[str, Any],
) -> tuple[str, str | None, Outcome, str | None]:
    """Read a reply: the answer, the reasoning, the outcome, and the reason where the outcome is not ``ok``.

    Parameters
    ----------
    content : str or None
        The content of the reply, with reasoning in it or not.
    reasoning : str, optional
        What the provider put in a field of its own.
    refusal : str, optional
        The text of a refusal, where the provider has a field for it.
    finish_reason : str or None
        Why generation ended, in the provider's word.
    usage : dict
        Token counts; named in the reason of an empty answer.

    Returns
    -------
    text : str
        The answer; of a refusal, its text.
    reasoning : str or None
    outcome : str
        One of `OUTCOMES`.
    reason : str or None

    Examples
    --------
    >>> interpret(content="", finish_reason="length", usage={})[2:]
    ('truncated_in_reasoning', 'cut off at the token limit before any answer')
    """
    split = split_reasoning(content or "")
    thoughts = "\n".join(part for part in (reasoning, split.reasoning) if part) or None
    outcome, reason = _outcome(split.answer, split.state, refusal, finish_reason, usage)
    return (refusal if refusal and not split.answer else split.answer), thoughts, outcome, reason


def _outcome(
    answer: str, state: str, refusal: str | None, finish_reason: str | None, usage: dict[str, Any]
) -> tuple[Outcome, str | None]:
    cut_off = finish_reason in _LENGTH
    if finish_reason in _FILTERED:
        return "filtered", "the provider's filter ended the answer"
    if refusal or finish_reason in _REFUSED:
        return "refused", "the model refused"
    if not is_blank(answer):
        return ("truncated", "cut off at the token limit") if cut_off else ("ok", None)
    if cut_off or state == "open_only":
        return "truncated_in_reasoning", "cut off at the token limit before any answer"
    billed = usage.get("completion_tokens", usage.get("output_tokens"))
    return "empty", "no answer" + (f", {billed} tokens billed" if billed else "")


class Store:
    """The responses of one model, open for appending; one process at a time.

    Parameters
    ----------
    path : Path
        ``responses/<model>.jsonl``; made with its folder if it is not there.
    secrets : collection of str
        Strings that must never reach the file, such as the key; they are replaced wherever they stand.

    Raises
    ------
    StoppedError
        If another collector has the file open, or the folder cannot be written.
    """

    def __init__(self, path: Path, secrets: Collection[str] = ()) -> None:
        self.path = path
        self._writing = threading.Lock()
        # a word such as "none", which local servers take for a key, is no secret and may well be in an answer
        self._secrets = [form for secret in secrets if len(secret) >= 8 for form in {secret, json.dumps(secret)[1:-1]}]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path.with_name(path.name + ".lock"))
            self._lock.acquire(blocking=False)
        except Timeout:
            raise StoppedError(f"{shown(path)}: another collector is writing to this file; wait for it or stop it") from None
        except OSError as error:
            raise StoppedError(f"{shown(path.parent)}: cannot be written ({error.strerror}); nothing was asked") from None
        try:
            self.torn = mend(path)
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        except OSError as error:
            self._lock.release()
            raise StoppedError(f"{shown(path)}: cannot be written ({error.strerror}); nothing was asked") from None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, record: Record) -> None:
        """Write one record: one line, one write, synced.

        Parameters
        ----------
        record : Record

        Raises
        ------
        StoppedError
            If the disk is full or the file cannot be written; what was written of the line is taken back.
        """
        line = json.dumps(record.model_dump(mode="json", by_alias=True), ensure_ascii=False)
        for secret in self._secrets:
            line = line.replace(secret, "[key removed]")
        # half an emoji, which a model cut off in its middle can send, has no UTF-8 and is written as an escape
        data = line.encode(errors="backslashreplace") + b"\n"
        with self._writing:
            before = os.fstat(self._file).st_size
            try:
                if os.write(self._file, data) < len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(self._file)
            except OSError as error:
                os.truncate(self.path, before)
                raise StoppedError(
                    f"{shown(self.path)}: an answer could not be written ({error.strerror}); make room and run the same command"
                ) from None

    def close(self) -> None:
        """Close the file and let the next collector in."""
        with self._writing:
            os.close(self._file)
            self._lock.release()


def mend(path: Path) -> str | None:
    """Cut a torn last line off a file, so that the next line starts on its own; keep what was torn beside it.

    Parameters
    ----------
    path : Path
        A JSONL file; it need not exist.

    Returns
    -------
    str or None
        What was found, with the line's number, or None.
    """
    if not path.exists() or path.stat().st_size == 0:
        return None
    with path.open("r+b") as file:
        start = _last_line_start(file)
        file.seek(start)
        last = file.read()
        if _is_json(last):
            if not last.endswith(b"\n"):
                file.write(b"\n")
            return None
        with path.with_name(path.name + ".torn").open("ab") as kept:
            kept.write(last.rstrip(b"\n") + b"\n")
        file.truncate(start)
    with path.open("rb") as file:
        number = sum(1 for _ in file) + 1
    return (
        f"{shown(path)}: line {number} was torn ({len(last)} bytes); it is kept in {path.name}.torn and its call is made again"
    )


def _last_line_start(file: Any, block: int = 65536) -> int:
    """Return where the last line of a binary file starts, reading from its end."""
    end = file.seek(0, os.SEEK_END)
    position = end
    while position > 0:
        size = min(block, position)
        position -= size
        file.seek(position)
        found = file.read(size).rfind(b"\n", 0, size - 1 if position + size == end else size)
        if found >= 0:
            return int(position + found + 1)
    return 0


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the lines of a response file with their numbers, one at a time; a torn last line is left out.

    Parameters
    ----------
    path : Path

    Yields
    ------
    (int, dict)

    Raises
    ------
    InputError
        If a line that is not the last is no JSON object; the message names it.
    """
    if not path.exists():
        return
    broken: int | None = None
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if broken is not None:
                raise InputError(f"{shown(path)}:{broken}: not a JSON object; restore the line or delete it")
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                broken = number
                continue
            if not isinstance(value, dict):
                raise InputError(f"{shown(path)}:{number}: not a JSON object; restore the line or delete it")
            yield number, _whole(value) if b"\\ud" in line else value


def _whole(value: Any) -> Any:
    """Return a JSON value with U+FFFD for each half of a surrogate pair: what has no UTF-8 fits in no table and no page."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(each) for name, each in value.items()}
    return value


def read(path: Path) -> Iterator[Record]:
    """Yield the records of a response file, validated.

    Parameters
    ----------
    path : Path

    Yields
    ------
    Record

    Raises
    ------
    InputError
        If a line does not fit the schema; the message names file, line and field.
    """
    for number, value in lines(path):
        try:
            yield Record.model_validate(value)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise InputError(f"{shown(path)}:{number}: {place}: {first['msg']}") from None


def attempts(path: Path, keys: Collection[str]) -> dict[str, tuple[int, Outcome]]:
    """Return how often each of the given keys was tried and what stands for it now.

    The file is streamed and only the given keys are kept, so memory follows the plan and not the file.

    Parameters
    ----------
    path : Path
    keys : collection of str

    Returns
    -------
    dict of str to (int, str)
        Number of lines, and the outcome of the line that counts: the last final one, else the last.

    Raises
    ------
    InputError
        If a line has no key or none of the known outcomes.
    """
    found: dict[str, tuple[int, Outcome]] = {}
    for number, line in lines(path):
        key, outcome = line.get("key"), line.get("outcome")
        if not isinstance(key, str) or not isinstance(outcome, str) or outcome not in OUTCOMES:
            said = f"key {str(key)[:40]!r}, outcome {str(outcome)[:40]!r}"
            raise InputError(
                f"{shown(path)}:{number}: {said}: no record of an answer; allowed outcomes: {', '.join(OUTCOMES)}; "
                "restore the line or delete it"
            )
        if key in keys:
            tries, standing = found.get(key, (0, outcome))
            found[key] = (tries + 1, outcome if outcome in FINAL or standing not in FINAL else standing)
    return found


def standing(records: Iterable[Record]) -> dict[str, Record]:
    """Return the record that counts for each key: the last final one, else the last.

    Parameters
    ----------
    records : iterable of Record

    Returns
    -------
    dict of str to Record
    """
    kept: dict[str, Record] = {}
    for record in records:
        if record.key not in kept or record.outcome in FINAL or kept[record.key].outcome not in FINAL:
            kept[record.key] = record
    return kept


def path_of(study: Study, model: Model) -> Path:
    """Return the response file of a model in a study.

    Parameters
    ----------
    study : eftlib.study.Study
    model : eftlib.study.Model

    Returns
    -------
    Path
    """
    return study.folder / "responses" / f"{model.name}.jsonl"


def planned(study: Study, model: Model) -> Iterator[tuple[str, Prompt]]:
    """Yield every request that a study makes of a model, with its key.

    Parameters
    ----------
    study : eftlib.study.Study
    model : eftlib.study.Model

    Yields
    ------
    (str, eftlib.benchmark.Prompt)
    """
    requested = study.requested(model)
    for prompt in study.prompts():
        if study.asked(prompt.condition, model.name):
            yield key_of(prompt, model, requested), prompt


def frame(study: Study) -> pd.DataFrame:
    """Load the responses of a study: one row a request that it makes, with the record that counts for it.

    Answers to a prompt or with settings that have changed since are on file and are not in the frame.

    Parameters
    ----------
    study : eftlib.study.Study

    Returns
    -------
    pandas.DataFrame
        The fields of `Record` as columns, in the order of models and of the files; ``persona`` is spread over ``persona_id``,
        ``name``, ``pronouns``, ``age``, ``affiliation``, ``pair``, ``stratum``. Without responses the frame is empty.

    Raises
    ------
    InputError
        If a line of a file does not fit the schema.
    """
    rows = []
    for model in study.models:
        asked = {key for key, _ in planned(study, model)}
        rows += [_row(record) for record in standing(read(path_of(study, model))).values() if record.key in asked]
    columns = [name for field, name in _columns() if field != "persona"]
    table = pd.DataFrame(rows, columns=[*columns, *_PERSONA.values()])
    return table.astype({"age": "Int64"})


_PERSONA = {name: ("persona_id" if name == "id" else name) for name in PersonaRecord.model_fields}


def _columns() -> list[tuple[str, str]]:
    return [(name, field.alias or name) for name, field in Record.model_fields.items()]


def _row(record: Record) -> dict[str, Any]:
    values = {name: getattr(record, field) for field, name in _columns() if field != "persona"}
    return values | {column: getattr(record.persona, field) for field, column in _PERSONA.items()}


def coverage(study: Study) -> pd.DataFrame:
    """Count what was asked for and what stands, by model, condition, decision, side and draw.

    Parameters
    ----------
    study : eftlib.study.Study

    Returns
    -------
    pandas.DataFrame
        One row a cell with ``planned``, a column an outcome, and ``missing`` = planned less all outcomes.
    """
    names = ["model", "condition", "decision", "side", "draw"]
    asked = Counter(
        (model.name, prompt.condition, prompt.decision, prompt.side, prompt.draw)
        for model in study.models
        for _, prompt in planned(study, model)
    )
    came = Counter(frame(study)[[*names, "outcome"]].itertuples(index=False, name=None))
    rows = [(*cell, number, *(came[(*cell, each)] for each in OUTCOMES)) for cell, number in asked.items()]
    table = pd.DataFrame(rows, columns=[*names, "planned", *OUTCOMES])
    table["missing"] = table["planned"] - table[list(OUTCOMES)].sum(axis=1)
    return table


def manifest(study: Study) -> dict[str, Any]:
    """Return what ``MANIFEST.json`` holds: sha256 and counts of every file of the study, and the versions that made them.

    Parameters
    ----------
    study : eftlib.study.Study

    Returns
    -------
    dict
        It depends on the study's files alone.
    """
    files, versions = {}, set()
    for model in study.models:
        path = path_of(study, model)
        if path.exists():
            outcomes: Counter[str] = Counter()
            made: Counter[str] = Counter()
            for _, line in lines(path):
                outcomes[line["outcome"]] += 1
                made[", ".join(f"{name} {each}" for name, each in sorted(line["versions"].items()))] += 1
            files[f"responses/{path.name}"] = {
                "sha256": _sha256(path),
                "lines": sum(outcomes.values()),
                "outcomes": dict(sorted(outcomes.items())),
                "identity": identity_of(model),
            }
            versions |= set(made)
    for name in ("study.yml", "similarities.parquet"):
        if (study.folder / name).exists():
            files[name] = {"sha256": _sha256(study.folder / name)}
    return {"study": study.name, "benchmark_sha256": digest(study.benchmark), "versions": sorted(versions), "files": files}


def write_manifest(study: Study) -> Path:
    """Write ``MANIFEST.json`` as `manifest` gives it.

    Parameters
    ----------
    study : eftlib.study.Study

    Returns
    -------
    Path
        The file; its bytes depend on the study's files alone.
    """
    path = study.folder / "MANIFEST.json"
    text = json.dumps(manifest(study), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    # replaced in one step, so that a stop leaves the old manifest or the new one
    draft = path.with_name(path.name + ".new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
