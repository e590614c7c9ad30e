"""What a provider may do that nobody promised: no count, no end, too deep, too large, elsewhere; and what a run makes of it."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from faults import Answer, Seen, blocks, chat, entry, failure, gather, good, isolate, provider, write_study, written

from eftlib import collect as collecting
from eftlib import responses
from eftlib import study as studies
from eftlib.clients import base
from eftlib.collect import lane
from eftlib.collect.lane import Budget, tokens
from eftlib.errors import InputError, StoppedError
from eftlib.files import read_yaml

PRICE = {"input": 0.0, "output": 1000.0, "date": "2026-11-30"}  # 64 tokens are $0.064, the 8 that come $0.008


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch)


# cost


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)])
def test_a_budget_is_empty_when_every_call_is_back(order: tuple[int, ...]) -> None:
    # 0.1 + 0.2 + 0.3 + 0.7 less the same in another order is not 0 in floating point
    amounts = [0.1, 0.2, 0.3, 0.7]
    budget, stop = Budget(1.35), threading.Event()
    assert all(budget.reserve(amount, stop) for amount in amounts)
    for place in order:
        budget.settle(amounts[place], amounts[place])
    with pytest.raises(StoppedError, match="cost cap"):
        budget.reserve(0.1, stop)


def test_a_wish_to_stop_ends_the_wait_for_room() -> None:
    budget, stop = Budget(1.0), threading.Event()
    assert budget.reserve(0.8, stop)
    stop.set()
    assert not budget.reserve(0.8, stop)


def test_many_calls_at_once_stop_at_the_cap(tmp_path: Path) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server, price=PRICE), templates="all", draws=[0, 1])
        summary = gather(folder, max_cost=0.5)
    assert 0.5 - 0.064 - 1e-9 < summary.cost <= 0.5
    assert "cost cap" in summary.stopped[0]


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": -5, "completion_tokens": -2_000_000_000}, {"completion_tokens": 8}])
def test_an_answer_without_a_count_may_have_cost_the_most(tmp_path: Path, usage: dict[str, Any]) -> None:
    with provider([chat(usage=usage)]) as server:
        gather(write_study(tmp_path, entry(server, price=PRICE)), max_cost=0.130, concurrency=1)
        assert len(server.seen) == 2  # twice 0.064; a third could pass


@pytest.mark.parametrize("count", [-1, 10**400, float("inf"), float("nan"), "8", None])
def test_what_is_no_count_counts_nothing(count: Any) -> None:
    assert tokens({"completion_tokens": count}, "output") == 0


# time and size


def test_an_answer_that_drips_is_given_up_after_the_time_limit(tmp_path: Path) -> None:
    slow = Answer(good(Seen("/v1/chat/completions", {}, {}, 0.0)).body, drip=0.05)
    with provider([slow]) as server:
        began = time.monotonic()
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, timeout=0.5)
    assert time.monotonic() - began < 5
    assert written(tmp_path)[0]["reason"] == "no answer within the time limit"


def test_an_answer_without_an_end_is_not_read_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "LARGEST_BYTES", 2_000_000)
    with provider([chat("word " * 1_000_000)]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
    assert written(tmp_path)[0]["reason"] == "the answer is larger than 2 MB"


@pytest.mark.parametrize("depth", [200, 100_000])
def test_an_answer_that_is_nested_deeply_is_an_error(tmp_path: Path, depth: int) -> None:
    deep = '{"choices": [{"message": {"content": "x", "more": ' + "[" * depth + "]" * depth + "}}]}"
    with provider([Answer(deep)]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
        assert len(server.seen) == 1
    assert "nested" in written(tmp_path)[0]["reason"]
    responses.frame(studies.load(str(tmp_path)))


def test_utf8_is_read_whatever_the_header_says(tmp_path: Path) -> None:
    answer = good(Seen("/v1/chat/completions", {}, {}, 0.0)).encoded().replace(b"Denied", "\ufeffDénied".encode())
    body = b"\xef\xbb\xbf" + answer
    with provider([Answer(body, headers={"content-type": "application/json; charset=iso-8859-1"})]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
    assert "Dénied" in written(tmp_path)[0]["text"]


def test_a_limit_without_a_pause_is_met_ever_more_rarely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "PATIENCE_S", 3.0)
    with provider([failure(429, "Slow down.", {"retry-after": "0"})]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, concurrency=1)
        assert 4 <= len(server.seen) <= 12


# elsewhere


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("sdk", ["openai", "groq", "anthropic"])
def test_a_redirect_is_not_followed(tmp_path: Path, status: int, sdk: str) -> None:
    with provider(good) as elsewhere, provider([Answer("", status, {"location": f"{elsewhere.url}/v1/messages"})]) as server:
        gather(write_study(tmp_path, entry(server, provider=sdk)), selection={"limit": 1})
        assert not elsewhere.seen
    assert [line["outcome"] for line in written(tmp_path)] == ["error"]


@pytest.mark.parametrize("sdk", ["openai", "groq", "anthropic"])
@pytest.mark.parametrize("variable", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_proxy_does_not_come_between_this_machine_and_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sdk: str, variable: str
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server, provider=sdk)), selection={"limit": 1})
    assert [line["outcome"] for line in written(tmp_path)] == ["ok"]


def test_what_the_environment_says_of_an_organisation_goes_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-planted")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-planted")
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
        assert "planted" not in str(server.seen[0].headers).replace("planted-no-key", "")


def test_what_one_address_refuses_says_nothing_of_another(tmp_path: Path) -> None:
    with provider([failure(401, "Incorrect key.")]) as shut, provider(good) as open_:
        summary = gather(write_study(tmp_path, entry(shut, "a"), entry(open_, "b")))
    assert [line["outcome"] for line in written(tmp_path, "b")] == ["ok"] * 4
    assert summary.stopped == [f"openai at {shut.url}/v1: the provider refuses the key (401): Incorrect key."]


def test_a_model_whose_requests_are_rejected_does_not_stop_its_neighbour(tmp_path: Path) -> None:
    def script(seen: Seen) -> Answer:
        return failure(413, "Too large.") if seen.body["model"] == "a-1" else chat()

    with provider(script) as server:
        gather(write_study(tmp_path, entry(server, "a"), entry(server, "b"), draws=[0, 1]))
    assert [line["outcome"] for line in written(tmp_path, "b")] == ["ok"] * 8


# what is on file


def test_half_an_emoji_is_kept_and_can_be_loaded(tmp_path: Path) -> None:
    half = Answer(chat("cut here \\ud83d").encoded().replace(b"\\\\ud83d", b"\\ud83d"))
    with provider([half]) as server:
        gather(write_study(tmp_path, entry(server)))
    assert b"\\ud83d" in (tmp_path / "responses" / "m.jsonl").read_bytes()
    assert set(responses.frame(studies.load(str(tmp_path)))["text"]) == {"cut here \ufffd"}


def test_a_plan_that_is_older_than_the_answers_asks_nothing_twice(tmp_path: Path) -> None:
    with provider(good) as server:
        planned = collecting.plan(studies.load(str(write_study(tmp_path, entry(server)))))
        for _ in range(2):
            summary = collecting.collect(planned, progress=False)
        assert len(server.seen) == 4
    assert (summary.asked, summary.missing) == (0, 0)


@pytest.mark.parametrize("line", ["{}", '{"key": "k", "outcome": ["ok"]}', '{"key": "k", "outcome": "fine"}', "[" * 100_000])
def test_a_line_that_is_no_record_stops_before_anything_is_asked(tmp_path: Path, line: str) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server))
        (folder / "responses").mkdir()
        (folder / "responses" / "m.jsonl").write_text(f"{line}\n{line}\n", encoding="utf-8")
        with pytest.raises(InputError, match=r"responses/m.jsonl:1: "):
            gather(folder)
        assert not server.seen


def test_a_manifest_that_cannot_be_written_does_not_hide_what_was_done(tmp_path: Path) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server))
        (folder / "MANIFEST.json.new").mkdir()
        summary = gather(folder)
    assert summary.asked == 4
    assert "MANIFEST.json cannot be written" in summary.stopped[0]


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"base_url": "http://me:secret@127.0.0.1/v1"}, "base_url holds a name or a password"),
        ({"extra": {"max_tokens": "many"}}, "max_tokens is 'many'"),
        ({"extra": {"max_tokens": None}}, "max_tokens is None"),
        ({"provider": "anthropic", "refuses": ["max_tokens"]}, "cannot be left out"),
    ],
)
def test_a_model_that_cannot_be_asked_is_named(tmp_path: Path, field: dict[str, Any], words: str) -> None:
    path = tmp_path / "models.yml"
    path.write_text(
        json.dumps({"m": {"label": "M", "provider": "openai", "id": "m-1", "key": "KEY"} | field}), encoding="utf-8"
    )
    with pytest.raises(InputError, match=words):
        read_yaml(path, studies._ModelsFile)


@pytest.mark.parametrize(
    "change", [{"parameters": {"max_tokens": True}}, {"parameters": {"max_tokens": "512"}}, {"draws": [False, True]}]
)
def test_numbers_are_numbers(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"study.yml"):
        studies.load(str(write_study(tmp_path, entry("http://127.0.0.1:9"), **change)))


def test_blocks_of_an_unknown_kind_are_no_answer(tmp_path: Path) -> None:
    with provider([blocks({"type": "server_tool_use", "text": "not this"})]) as server:
        gather(write_study(tmp_path, entry(server, provider="anthropic")), selection={"limit": 1})
    assert [line["outcome"] for line in written(tmp_path)] == ["empty"]
