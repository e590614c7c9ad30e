"""The response record, its key and outcome, and the append-only store."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest
from faults import (
    PARAMETERS,
    ROOT,
    SECRET,
    Answer,
    blocks,
    chat,
    entry,
    failure,
    gather,
    isolate,
    prompts,
    provider,
    record_of,
    write_study,
    written,
)  # fmt: skip

from eftlib import benchmark as bench
from eftlib import collect as collecting
from eftlib import responses
from eftlib import study as studies
from eftlib.clients import Reply
from eftlib.errors import InputError, StoppedError
from eftlib.responses import FINAL, OUTCOMES, Record, Store, attempts, interpret, key_of, lines, mend, read, standing
from eftlib.study import Model, Price, Weights

MODEL = entry("http://127.0.0.1:9")
SCHEMA = json.loads((ROOT / "eftlib" / "schemas" / "record.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch)


@pytest.fixture(scope="module")
def asked(shipped: bench.Benchmark) -> list[bench.Prompt]:
    return prompts(shipped)


@pytest.fixture
def prompt(asked: list[bench.Prompt]) -> bench.Prompt:
    return asked[0]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "responses" / "m.jsonl"


def valid(line: dict[str, Any]) -> None:
    jsonschema.validate(line, SCHEMA, format_checker=jsonschema.FormatChecker())


# the key


def key(prompt: bench.Prompt, model: Model = MODEL, **requested: Any) -> str:
    return key_of(prompt, model, PARAMETERS | requested)


WEIGHTS = Weights(
    file="w.gguf", sha256="0" * 64, quantisation="Q4_1", licence="MIT", source="https://example.org", server="xllamacpp 1"
)
LOCAL = Model(name="m", label="M", provider="local", id="m-1", weights=WEIGHTS)


def changed(model: Model, **fields: Any) -> Model:
    return model.model_copy(update=fields)


def test_the_key_is_a_sha256() -> None:
    assert SCHEMA["properties"]["key"]["pattern"] == "^[0-9a-f]{64}$"


@pytest.mark.parametrize(
    "model",
    [changed(MODEL, provider="groq"), changed(MODEL, id="m-2"), changed(MODEL, base_url="http://127.0.0.1:8/v1")],
    ids=["provider", "id", "address"],
)
def test_the_key_changes_with_the_model_that_is_asked(prompt: bench.Prompt, model: Model) -> None:
    assert key(prompt, model) != key(prompt)


@pytest.mark.parametrize("field", [{"sha256": "1" * 64}, {"server": "xllamacpp 2"}])
def test_the_key_changes_with_the_weights_and_the_server_of_a_local_model(prompt: bench.Prompt, field: dict[str, str]) -> None:
    other = changed(LOCAL, weights=WEIGHTS.model_copy(update=field))
    assert key(prompt, other) != key(prompt, LOCAL)


def test_the_key_changes_with_the_kind_of_endpoint(prompt: bench.Prompt, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(prompt)
    monkeypatch.setattr(Model, "endpoint", "responses")
    assert key(prompt) != before


@pytest.mark.parametrize(
    ("name", "endpoint"), [("openai", "chat.completions"), ("groq", "chat.completions"), ("anthropic", "messages")]
)
def test_each_provider_has_its_kind_of_endpoint(name: str, endpoint: str) -> None:
    assert entry("http://127.0.0.1:9", provider=name).endpoint == endpoint


@pytest.mark.parametrize(
    "requested", [{"temperature": 0.7}, {"max_tokens": 65}, {"top_p": 1.0}, {"reasoning_format": "raw"}, {"seed": None}]
)
def test_the_key_changes_with_every_requested_parameter(prompt: bench.Prompt, requested: dict[str, Any]) -> None:
    assert key(prompt, **requested) != key(prompt)


@pytest.mark.parametrize(
    "messages",
    [
        ({"role": "user", "content": "Why?"},),
        ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}),
    ],
)
def test_the_key_changes_with_the_messages(prompt: bench.Prompt, messages: tuple[dict[str, str], ...]) -> None:
    assert key(replace(prompt, messages=messages)) != key(prompt)


def test_the_key_changes_with_the_repeat(prompt: bench.Prompt) -> None:
    assert key(replace(prompt, repeat=1)) != key(prompt)


def test_one_word_edited_in_a_template_makes_other_requests_under_the_same_name(small: Path, edit: Any) -> None:
    before = {key(each) for each in studies.load(str(small)).prompts(templates=["H001"])}
    edit("templates.yml", "two years of practice", "three years of practice")
    assert before.isdisjoint(key(each) for each in studies.load(str(small)).prompts(templates=["H001"]))


@pytest.mark.parametrize(
    "model",
    [
        changed(MODEL, label="Another"),
        changed(MODEL, name="other"),
        changed(MODEL, key="OTHER_KEY"),
        changed(MODEL, refuses=("temperature",)),
        changed(MODEL, price=Price(input=1, output=1, date="2026-11-30")),
    ],
    ids=["label", "name", "variable", "refuses", "price"],
)
def test_the_key_does_not_change_with_what_is_not_asked(prompt: bench.Prompt, model: Model) -> None:
    assert key(prompt, model) == key(prompt)


def test_the_key_does_not_depend_on_the_order_of_parameters(prompt: bench.Prompt) -> None:
    assert key_of(prompt, MODEL, {"a": 1, "b": 2}) == key_of(prompt, MODEL, {"b": 2, "a": 1})


def test_the_key_does_not_change_with_versions_or_with_what_was_sent(prompt: bench.Prompt) -> None:
    one = record_of(prompt, MODEL)
    other = record_of(prompt, MODEL, versions={"sdk": "openai 99"}, sent={"max_completion_tokens": 64})
    assert one.key == other.key == key(prompt)


# the outcome


@pytest.mark.parametrize(
    ("content", "extra", "finish", "expected"),
    [
        ("Denied.", {}, "stop", ("Denied.", None, "ok", None)),
        ("Denied.", {}, None, ("Denied.", None, "ok", None)),
        ("Denied because", {}, "length", ("Denied because", None, "truncated", "cut off at the token limit")),
        ("Denied because", {}, "max_tokens", ("Denied because", None, "truncated", "cut off at the token limit")),
        ("", {}, "length", ("", None, "truncated_in_reasoning", "cut off at the token limit before any answer")),
        ("…", {}, "length", ("…", None, "truncated_in_reasoning", "cut off at the token limit before any answer")),
        (
            "<think>Rent",
            {},
            "stop",
            ("", "Rent", "truncated_in_reasoning", "cut off at the token limit before any answer"),
        ),
        (
            "<|channel|>analysis<|message|>Rent",
            {},
            "length",
            ("", "Rent", "truncated_in_reasoning", "cut off at the token limit before any answer"),
        ),
        ("<|channel|>analysis<|message|>Rent<|end|>", {}, "stop", ("", "Rent", "empty", "no answer")),
        ("<think>Rent.</think>", {}, "stop", ("", "Rent.", "empty", "no answer")),
        (None, {"reasoning": "Denied."}, "stop", ("", "Denied.", "empty", "no answer")),
        (None, {"usage": {"completion_tokens": 211}}, "stop", ("", None, "empty", "no answer, 211 tokens billed")),
        (None, {"usage": {"output_tokens": 2}}, "end_turn", ("", None, "empty", "no answer, 2 tokens billed")),
        (None, {"refusal": "I can't."}, "stop", ("I can't.", None, "refused", "the model refused")),
        (None, {}, "refusal", ("", None, "refused", "the model refused")),
        ("The person", {}, "content_filter", ("The person", None, "filtered", "the provider's filter ended the answer")),
        ("Denied.", {"reasoning": "A"}, "stop", ("Denied.", "A", "ok", None)),
        ("<think>B</think>Denied.", {"reasoning": "A"}, "stop", ("Denied.", "A\nB", "ok", None)),
    ],
)
def test_a_reply_is_read(content: str | None, extra: dict[str, Any], finish: str | None, expected: tuple[Any, ...]) -> None:
    assert interpret(**{"content": content, "finish_reason": finish, "usage": {}} | extra) == expected


def test_the_final_outcomes_are_those_that_are_answers_of_a_kind() -> None:
    assert set(OUTCOMES) - set(FINAL) == {"empty", "truncated_in_reasoning", "error"}


# the store


def test_a_record_is_one_line(path: Path, prompt: bench.Prompt) -> None:
    record = record_of(prompt, MODEL, Reply({"content": "One.\n\nTwo.\u2028Three.\r\n"}, "One.\n\nTwo.\u2028Three.\r\n"))
    with Store(path) as store:
        store.append(record)
        store.append(record)
    assert path.read_bytes().count(b"\n") == 2
    assert list(read(path)) == [record, record]


def test_a_record_is_synced_before_append_returns(path: Path, prompt: bench.Prompt, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    real = os.write
    monkeypatch.setattr(os, "write", lambda *given: (done.append("write"), real(*given))[1])
    monkeypatch.setattr(os, "fsync", lambda _: done.append("sync"))
    with Store(path) as store:
        store.append(record_of(prompt, MODEL))
    assert done == ["write", "sync"]


@pytest.mark.parametrize("text", ["é 否 🙂", "a lone half of an emoji: \ud83d", "nul \x00 and escape \x1b"])
def test_any_text_of_a_model_can_be_written_and_read_again(path: Path, prompt: bench.Prompt, text: str) -> None:
    # servers that cut at a token send half a surrogate pair as "\ud83d", which is JSON
    record = record_of(prompt, MODEL, Reply({"content": text}, text, finish_reason="length"))
    with Store(path) as store:
        store.append(record)
    assert [each.key for each in read(path)] == [record.key]


TORN = b'{"key":"b","text":"on'


def test_a_torn_last_line_is_cut_off_kept_and_reported_by_number(path: Path, prompt: bench.Prompt) -> None:
    with Store(path) as store:
        assert store.torn is None
        store.append(record_of(prompt, MODEL))
    whole = path.read_bytes()
    path.write_bytes(whole + TORN)
    with Store(path) as store:
        assert store.torn is not None
        assert "m.jsonl: line 2 was torn (21 bytes); it is kept in m.jsonl.torn" in store.torn
    assert path.read_bytes() == whole
    assert (path.parent / "m.jsonl.torn").read_bytes() == TORN + b"\n"


@pytest.mark.parametrize("torn", [TORN, b"{", b'{"key":"b","text":"\xc3', b"\x00" * 40, b"x" * 200_000])
def test_after_a_torn_line_the_next_record_starts_on_a_line_of_its_own(path: Path, prompt: bench.Prompt, torn: bytes) -> None:
    record = record_of(prompt, MODEL)
    with Store(path) as store:
        store.append(record)
    with path.open("ab") as file:
        file.write(torn)
    with Store(path) as store:
        store.append(record)
    assert list(read(path)) == [record, record]


def test_a_file_of_nothing_but_a_torn_line_becomes_empty(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(TORN)
    assert "line 1 was torn" in str(mend(path))
    assert path.read_bytes() == b""


def test_every_torn_line_is_kept(path: Path) -> None:
    path.parent.mkdir()
    for torn in (b'{"a', b'{"b'):
        path.write_bytes(torn)
        mend(path)
    assert (path.parent / "m.jsonl.torn").read_bytes() == b'{"a\n{"b\n'


def test_a_whole_last_line_that_only_lacks_its_newline_is_kept(path: Path, prompt: bench.Prompt) -> None:
    record = record_of(prompt, MODEL)
    with Store(path) as store:
        store.append(record)
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    with Store(path) as store:
        assert store.torn is None
        store.append(record)
    assert list(read(path)) == [record, record]


def test_a_damaged_last_line_with_a_newline_does_not_let_a_second_run_fail(path: Path, prompt: bench.Prompt) -> None:
    path.parent.mkdir()
    path.write_bytes(TORN + b"\n")
    # either it is mended, or it is named before anything is asked; but no record goes behind it unsaid
    try:
        list(lines(path))
        with Store(path) as store:
            store.append(record_of(prompt, MODEL))
    except InputError:
        return
    assert len(list(read(path))) == 1


@pytest.mark.parametrize("line", [TORN, b"[1]", b'"text"', b""])
def test_a_damaged_line_in_the_middle_is_named_by_number(path: Path, prompt: bench.Prompt, line: bytes) -> None:
    good = record_of(prompt, MODEL).model_dump_json(by_alias=True).encode()
    path.parent.mkdir()
    path.write_bytes(good + b"\n" + line + b"\n" + good + b"\n")
    with pytest.raises(InputError, match=r"m\.jsonl:2: not a JSON object; restore the line or delete it"):
        list(lines(path))


def test_a_record_that_does_not_fit_the_schema_is_named_with_its_field(path: Path, prompt: bench.Prompt) -> None:
    value = json.loads(record_of(prompt, MODEL).model_dump_json(by_alias=True))
    path.parent.mkdir()
    path.write_text(json.dumps(value) + "\n" + json.dumps(value | {"outcome": "fine"}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"m\.jsonl:2: outcome: Input should be 'ok'"):
        list(read(path))


HOLD = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from eftlib.responses import Store
with Store(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_a_second_collector_on_one_file_is_told_so(path: Path) -> None:
    held = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path), str(ROOT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    try:
        assert held.stdout is not None
        assert held.stdout.readline() == "open\n"
        with pytest.raises(StoppedError, match=r"m\.jsonl: another collector is writing to this file; wait for it or stop it"):
            Store(path)
    finally:
        held.communicate()


def test_within_one_process_a_file_is_open_once_too(path: Path) -> None:
    with Store(path), pytest.raises(StoppedError, match="another collector"):
        Store(path)


def test_once_closed_a_file_can_be_opened_again(path: Path) -> None:
    Store(path).close()
    Store(path).close()


def test_a_folder_that_cannot_be_made_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    # root may write anywhere, so a file stands in for a folder without permission
    (tmp_path / "responses").write_text("", encoding="utf-8")
    with pytest.raises(StoppedError, match=r"responses: cannot be written \(.+\); nothing was asked"):
        Store(tmp_path / "responses" / "m.jsonl")


def test_a_file_that_cannot_be_opened_is_named_and_not_left_locked(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StoppedError, match=r"m\.jsonl: cannot be written \(.+\); nothing was asked"):
        Store(path)
    path.rmdir()
    Store(path).close()


def _full(_: int, __: bytes) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _short(file: int, data: bytes) -> int:
    return REAL_WRITE(file, data[: len(data) // 2])


REAL_WRITE = os.write


@pytest.mark.parametrize("write", [_full, _short], ids=["full", "short"])
def test_on_a_full_disk_the_file_stays_whole_and_the_run_stops(
    path: Path, prompt: bench.Prompt, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = record_of(prompt, MODEL)
    with Store(path) as store:
        store.append(record)
        monkeypatch.setattr(os, "write", write)
        with pytest.raises(StoppedError, match=r"could not be written \(No space left on device\); make room and run the same"):
            store.append(record)
        monkeypatch.setattr(os, "write", REAL_WRITE)
        assert list(read(path)) == [record]
        store.append(record)
    assert list(read(path)) == [record, record]


# secrets


ECHOES = {
    "content": chat(f"Denied, as {SECRET} said."),
    "reasoning": chat("Denied.", reasoning=f"The key is {SECRET}."),
    "error": failure(400, f"Bad request with Bearer {SECRET}."),
    "elsewhere": chat("Denied.", odd={"headers": {"authorization": f"Bearer {SECRET}"}}),
    "html": Answer(f"<html>{SECRET}</html>"),
    "usage": chat("Denied.", usage={"note": SECRET}),
}


@pytest.mark.parametrize("answer", ECHOES.values(), ids=ECHOES)
def test_a_key_that_the_server_echoes_is_not_written(tmp_path: Path, answer: Answer) -> None:
    with provider([answer]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
    assert len(written(tmp_path)) == 1
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file


def test_a_key_that_anthropic_echoes_is_not_written(tmp_path: Path) -> None:
    with provider([blocks(f"Denied, as {SECRET} said.")]) as server:
        gather(write_study(tmp_path, entry(server, provider="anthropic")), selection={"limit": 1})
    assert written(tmp_path)[0]["text"] == "Denied, as [key removed] said."


@pytest.mark.parametrize("secret", ['quo"ted-5f0c81', "back\\slash-5f0c81"])
def test_a_key_that_json_writes_in_another_way_is_not_written_either(path: Path, prompt: bench.Prompt, secret: str) -> None:
    with Store(path, [secret]) as store:
        store.append(record_of(prompt, MODEL, Reply({}, f"Denied, as {secret} said.")))
    assert next(read(path)).text == "Denied, as [key removed] said."


@pytest.mark.parametrize("placeholder", ["key", "none", "ok", "EMPTY", "1"])
def test_a_placeholder_for_a_key_does_not_damage_the_record(path: Path, prompt: bench.Prompt, placeholder: str) -> None:
    # servers of one's own want some key, and people set such words
    record = record_of(prompt, MODEL, Reply({}, "Denied: none of the 1,100 keys was EMPTY, ok.", finish_reason="stop"))
    with Store(path, [placeholder]) as store:
        store.append(record)
    assert list(read(path)) == [record]


# what is on file


def test_attempts_count_lines_and_keep_the_outcome_that_counts(path: Path, asked: list[bench.Prompt]) -> None:
    one, two, three = (record_of(prompt, MODEL) for prompt in asked[:3])
    with Store(path) as store:
        for record, outcome in [(one, "error"), (one, "ok"), (one, "error"), (two, "empty"), (two, "error"), (three, "ok")]:
            store.append(record.model_copy(update={"outcome": outcome}))
    assert attempts(path, {one.key, two.key}) == {one.key: (3, "ok"), two.key: (2, "error")}


def test_attempts_of_a_file_that_is_not_there_are_none(path: Path) -> None:
    assert attempts(path, {"k"}) == {}


def test_the_memory_of_attempts_follows_the_plan_and_not_the_file(path: Path) -> None:
    path.parent.mkdir()
    with path.open("w", encoding="utf-8") as file:
        for number in range(5_000):
            file.write(json.dumps({"key": f"{number:064x}", "outcome": "ok", "text": "x" * 3_000}) + "\n")
    tracemalloc.start()
    try:
        found = attempts(path, {f"{number:064x}" for number in range(10)})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found) == 10
    assert peak < 500_000  # the file has 15 MB


@pytest.mark.parametrize(
    ("outcomes", "counts"),
    [
        (["ok"], 0), (["error", "ok"], 1), (["ok", "error"], 0), (["error", "empty"], 1), (["truncated", "ok"], 1),
        (["ok", "truncated", "empty"], 1), (["empty", "refused", "error", "error"], 1),
    ],
)  # fmt: skip
def test_the_record_that_counts_is_the_last_final_one_else_the_last(
    prompt: bench.Prompt, outcomes: list[Any], counts: int
) -> None:
    records = [record_of(prompt, MODEL, outcome=outcome, attempt=number) for number, outcome in enumerate(outcomes, start=1)]
    assert standing(records) == {records[0].key: records[counts]}


# frames


def file_of(folder: Path, records: list[Record], model: str = "m") -> None:
    with Store(folder / "responses" / f"{model}.jsonl") as store:
        for record in records:
            store.append(record)


def test_a_frame_has_one_row_a_request(tmp_path: Path, asked: list[bench.Prompt]) -> None:
    study = studies.load(str(write_study(tmp_path, MODEL)))
    one, two = (record_of(prompt, MODEL) for prompt in asked[:2])
    file_of(tmp_path, [one.model_copy(update={"outcome": "error", "text": ""}), two, one])
    table = responses.frame(study)
    assert list(table["key"]) == [one.key, two.key]
    assert list(table["outcome"]) == ["ok", "ok"]


def test_a_frame_has_the_fields_of_the_record_with_the_persona_spread(tmp_path: Path, asked: list[bench.Prompt]) -> None:
    study = studies.load(str(write_study(tmp_path, MODEL)))
    file_of(tmp_path, [record_of(asked[0], MODEL)])
    fields = [name for name in SCHEMA["properties"] if name != "persona"]
    persona = ["persona_id", "name", "pronouns", "age", "affiliation", "pair", "stratum"]
    assert list(responses.frame(study).columns) == fields + persona


def test_the_columns_of_a_frame_have_types(tmp_path: Path, asked: list[bench.Prompt]) -> None:
    study = studies.load(str(write_study(tmp_path, MODEL)))
    file_of(tmp_path, [record_of(prompt, MODEL) for prompt in asked])
    table = responses.frame(study)
    assert table["age"].dtype == pd.Int64Dtype()
    assert pd.api.types.is_integer_dtype(table["draw"])
    assert pd.api.types.is_float_dtype(table["latency_s"])
    assert str(table["created"].dt.tz) == "UTC"


def test_a_study_without_responses_has_an_empty_frame_with_its_columns(tmp_path: Path) -> None:
    table = responses.frame(studies.load(str(write_study(tmp_path, MODEL))))
    assert len(table) == 0
    assert {"key", "outcome", "text", "persona_id", "age"} <= set(table.columns)


def test_models_without_a_file_are_left_out_of_a_frame(tmp_path: Path, asked: list[bench.Prompt]) -> None:
    other = entry("http://127.0.0.1:9", "other")
    study = studies.load(str(write_study(tmp_path, MODEL, other)))
    file_of(tmp_path, [record_of(asked[0], other)], "other")
    assert list(responses.frame(study)["model"]) == ["other"]


def test_coverage_explains_every_cell(tmp_path: Path, asked: list[bench.Prompt]) -> None:
    study = studies.load(str(write_study(tmp_path, MODEL)))
    file_of(tmp_path, [record_of(asked[0], MODEL), record_of(asked[1], MODEL, outcome="refused")])
    table = responses.coverage(study)
    assert len(table) == 4
    assert (table["planned"] == table[[*OUTCOMES, "missing"]].sum(axis=1)).all()
    assert table[["planned", "ok", "refused", "missing"]].sum().to_dict() == {
        "planned": 4,
        "ok": 1,
        "refused": 1,
        "missing": 2,
    }


def test_coverage_of_a_study_without_responses_is_all_missing(tmp_path: Path) -> None:
    table = responses.coverage(studies.load(str(write_study(tmp_path, MODEL))))
    assert (table["missing"] == table["planned"]).all()


def test_coverage_leaves_out_models_that_are_not_asked_under_a_condition(tmp_path: Path) -> None:
    other = entry("http://127.0.0.1:9", "other")
    conditions = {"baseline": "", "blind": "Mind the facts."}
    folder = write_study(tmp_path, MODEL, other, conditions=conditions, condition_models={"blind": ["other"]})
    table = responses.coverage(studies.load(str(folder)))
    assert table.groupby(["model", "condition"])["planned"].sum().to_dict() == {
        ("m", "baseline"): 4,
        ("other", "baseline"): 4,
        ("other", "blind"): 4,
    }


@pytest.mark.parametrize("instruction", ["Answer in one sentence."])
def test_answers_to_a_prompt_that_was_edited_since_do_not_hide_what_is_missing(
    tmp_path: Path, asked: list[bench.Prompt], instruction: str
) -> None:
    write_study(tmp_path, MODEL)
    file_of(tmp_path, [record_of(prompt, MODEL) for prompt in asked])
    study = studies.load(str(write_study(tmp_path, MODEL, instruction=instruction)))
    assert len(collecting.plan(study).calls) == 4
    assert responses.coverage(study)["missing"].sum() == 4


def test_answers_to_a_prompt_that_was_edited_since_are_not_mixed_with_those_to_the_new_one(
    tmp_path: Path, asked: list[bench.Prompt]
) -> None:
    file_of(tmp_path, [record_of(prompt, MODEL) for prompt in asked])
    study = studies.load(str(write_study(tmp_path, MODEL, instruction="Answer in one sentence.")))
    new = [record_of(prompt, MODEL) for prompt in study.prompts()]
    with Store(tmp_path / "responses" / "m.jsonl") as store:
        for record in new:
            store.append(record)
    assert set(responses.frame(study)["key"]) == {record.key for record in new}


# the schema


def test_the_schema_on_file_is_that_of_the_record() -> None:
    made = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | Record.model_json_schema(by_alias=True)
    assert made == SCHEMA


def test_the_schema_is_itself_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


VARIETY = {
    "ok": chat("Denied."),
    "reasoning": chat("Denied.", reasoning_content="Rent."),
    "truncated": chat("Denied because", finish="length"),
    "truncated_in_reasoning": chat("<think>Rent", finish="length"),
    "empty": chat(None),
    "refused": chat(None, refusal="I can't."),
    "filtered": chat("The", finish="content_filter"),
    "filtered prompt": failure(400, "No.", code="content_filter"),
    "error": failure(400, "Too long."),
    "transient": failure(500, "Down."),
}


@pytest.mark.parametrize("answer", VARIETY.values(), ids=VARIETY)
def test_whatever_came_the_record_fits_the_schema(tmp_path: Path, answer: Answer) -> None:
    with provider([answer]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
    valid(written(tmp_path)[0])


def test_a_record_of_an_anthropic_model_fits_the_schema(tmp_path: Path) -> None:
    with provider([blocks({"type": "thinking", "thinking": "Rent."}, "Denied.")]) as server:
        gather(write_study(tmp_path, entry(server, provider="anthropic")), selection={"limit": 1})
    valid(written(tmp_path)[0])


def test_a_record_holds_what_was_asked_what_came_and_who_made_it(tmp_path: Path) -> None:
    with provider([chat("<think>Rent.</think>Denied.")]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
        asked = server.seen[0].body
    (line,) = written(tmp_path)
    assert line["messages"] == asked["messages"]
    assert line["sent"] == line["requested"] == {"temperature": asked["temperature"], "max_tokens": asked["max_tokens"]}
    assert line["raw"] == {"role": "assistant", "content": "<think>Rent.</think>Denied."}
    assert (line["text"], line["reasoning"], line["served_model"], line["attempt"]) == ("Denied.", "Rent.", "served-1", 1)
    assert set(line["versions"]) == {"eftlib", "parser", "python", "sdk"}
