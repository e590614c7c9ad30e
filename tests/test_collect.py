"""Collecting, from the plan to the files, against providers on the loopback interface."""

from __future__ import annotations

import asyncio
import hashlib
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from faults import (
    SECRET,
    VARIABLE,
    Answer,
    Seen,
    chat,
    entry,
    failure,
    gather,
    good,
    isolate,
    provider,
    runs,
    start,
    write_study,
    written,
)  # fmt: skip

from eftlib import collect as collecting
from eftlib import study as studies
from eftlib.collect import lane, running
from eftlib.errors import InputError, StoppedError

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch)


def planned(folder: Path, **selection: Any) -> collecting.Plan:
    return collecting.plan(studies.load(str(folder)), **selection)


def outcomes(folder: Path, model: str = "m") -> list[str]:
    return [line["outcome"] for line in written(folder, model)]


# the plan

MITIGATED = {"baseline": "", "blind": "Mind the facts alone.", "fairness": "Treat all alike."}


def test_a_plan_asks_baselines_before_mitigations(tmp_path: Path) -> None:
    folder = write_study(tmp_path, entry(NOWHERE), templates=["H001", "M001"], conditions=MITIGATED)
    assert runs([call.prompt.condition for call in planned(folder).calls]) == ["baseline", "blind", "fairness"]


@pytest.mark.parametrize("limit", [4, 8, 12])
def test_a_plan_cut_short_leaves_whole_quartets(tmp_path: Path, limit: int) -> None:
    folder = write_study(tmp_path, entry(NOWHERE), templates=["H001", "M001", "C001", "L001"], draws=[0, 1])
    calls = planned(folder, draws=[0], limit=limit).calls
    quartets = Counter(call.prompt.template for call in calls)
    assert set(quartets.values()) == {4}


def test_the_order_of_templates_is_shuffled_by_the_seed_alone(tmp_path: Path) -> None:
    folder = write_study(tmp_path, entry(NOWHERE), templates="all")

    def order(seed: int) -> list[str]:
        return runs([call.prompt.template for call in planned(folder, seed=seed).calls])

    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2)) != order(1)


def test_a_plan_follows_the_models_of_a_condition(tmp_path: Path) -> None:
    models = entry(NOWHERE), entry(NOWHERE, "other")
    folder = write_study(
        tmp_path, *models, conditions={"baseline": "", "blind": "Mind the facts."}, condition_models={"blind": ["other"]}
    )
    assert Counter((call.model.name, call.prompt.condition) for call in planned(folder).calls) == {
        ("m", "baseline"): 4,
        ("other", "baseline"): 4,
        ("other", "blind"): 4,
    }


def test_repeats_are_requests_of_their_own(tmp_path: Path) -> None:
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server), repeats=2))
        assert len(server.seen) == 8
    assert len({line["key"] for line in written(tmp_path)}) == 8


def test_a_limit_bounds_the_calls(tmp_path: Path) -> None:
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 3})
        assert len(server.seen) == 3


def test_an_unknown_outcome_to_ask_again_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown outcome 'trunctaed'; did you mean 'truncated'"):
        planned(write_study(tmp_path, entry(NOWHERE)), again=["trunctaed"])


def test_the_plan_in_words_names_calls_tokens_and_the_highest_cost(tmp_path: Path) -> None:
    price = {"input": 0.0, "output": 1000.0, "date": "2026-11-30"}
    words = collecting.describe(planned(write_study(tmp_path, entry(NOWHERE, price=price))))
    assert "4 calls to make; on file: nothing" in words
    assert "at most 256 out, at most $0.26 (price of 2026-11-30)" in words


# resuming


def test_a_resumed_run_asks_only_what_is_missing(tmp_path: Path) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server))
        gather(folder, selection={"limit": 3})
        first = {seen.prompt for seen in server.seen}
        gather(folder)
        assert len(server.seen) == 4
        assert server.seen[3].prompt not in first


def test_of_a_torn_line_the_call_is_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server))
        gather(folder)
        path = folder / "responses" / "m.jsonl"
        path.write_bytes(path.read_bytes()[:-30])
        gather(folder)
        assert len(server.seen) == 5
    assert outcomes(folder) == ["ok"] * 4
    assert "line 4 was torn" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (chat("Denied because", finish="length"), "truncated"),
        (chat(None, refusal="No."), "refused"),
        (chat("The", finish="content_filter"), "filtered"),
    ],
)
def test_answers_of_a_kind_are_final(tmp_path: Path, answer: Answer, outcome: str) -> None:
    with provider([answer]) as server:
        folder = write_study(tmp_path, entry(server))
        gather(folder, selection={"limit": 1})
        assert [call.attempt for call in planned(folder, again=[outcome]).calls if call.attempt > 1] == [2]
        assert len(planned(folder).calls) == 3


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (chat(None), "empty"),
        (chat("", finish="length"), "truncated_in_reasoning"),
        (failure(400, "Too long."), "error"),
    ],
)
def test_what_is_no_answer_is_asked_again_but_at_most_three_times(tmp_path: Path, answer: Answer, outcome: str) -> None:
    with provider([answer]) as server:
        folder = write_study(tmp_path, entry(server), decisions=["stated"])
        for _ in range(5):
            gather(folder)
        assert len(server.seen) == 6
    assert outcomes(folder) == [outcome] * 6
    assert Counter(line["attempt"] for line in written(folder)) == {1: 2, 2: 2, 3: 2}
    assert planned(folder).given_up == 2


def test_what_was_tried_in_vain_is_asked_once_more_on_request(tmp_path: Path) -> None:
    with provider([chat(None)] * 6 + [chat()]) as server:
        folder = write_study(tmp_path, entry(server), decisions=["stated"])
        for _ in range(3):
            gather(folder)
        gather(folder, selection={"again": ["empty"]})
    assert outcomes(folder)[6:] == ["ok", "ok"]


def test_a_better_answer_counts_afterwards(tmp_path: Path) -> None:
    with provider([chat(None), chat()]) as server:
        folder = write_study(tmp_path, entry(server))
        gather(folder, selection={"limit": 1})
        gather(folder)
    assert planned(folder).standing == {"ok": 4}


@pytest.mark.parametrize("change", [{"parameters": {"temperature": 0.7, "max_tokens": 64}}, {"instruction": "Be brief."}])
def test_another_request_is_asked_although_one_is_on_file(tmp_path: Path, change: dict[str, Any]) -> None:
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server)))
        gather(write_study(tmp_path, entry(server), **change))
        assert len(server.seen) == 8


@pytest.fixture
def complete(tmp_path: Path) -> Path:
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server)))
    return tmp_path


def test_with_everything_on_file_no_key_client_or_network_is_needed(
    complete: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something reached for the network or a client")

    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(lane, "connect", refuse)
    before = (complete / "MANIFEST.json").read_bytes()
    ran = run("collect", "--study", str(complete))
    assert (ran.code, ran.out) == (0, "")
    assert "0 calls to make; on file: 4 ok" in ran.err
    assert (complete / "MANIFEST.json").read_bytes() == before


def test_a_manifest_that_a_killed_run_left_out_is_made_up_for(complete: Path) -> None:
    before = (complete / "MANIFEST.json").read_bytes()
    (complete / "MANIFEST.json").unlink()
    gather(complete)
    assert (complete / "MANIFEST.json").read_bytes() == before


# keys


def test_a_missing_key_is_named_before_anything_is_asked(
    tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE)
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server), entry(server, "free", key=None))
        ran = run("collect", "--study", str(folder))
        assert server.seen == []
    assert ran.code == 4
    assert f"error: nothing was asked: set the environment variable {VARIABLE} (for m), then run" in ran.err


def test_a_model_without_a_key_variable_needs_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server, key=None)))
    assert outcomes(tmp_path) == ["ok"] * 4


@pytest.mark.parametrize("secret", ["sk-pasted\u2013with-a-dash", "sk-two\nlines"], ids=["dash", "line break"])
def test_a_key_that_no_header_can_hold_stops_with_a_word_and_is_not_shown(
    tmp_path: Path, secret: str, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, secret)
    monkeypatch.setattr(lane.Lane, "_pause", lambda *_: 0.0)
    with provider(good) as server:
        ran = run("collect", "--study", str(write_study(tmp_path, entry(server))), "--limit", "1", "--timeout", "2")
    assert ran.code == 4
    assert VARIABLE in ran.err
    assert secret.strip() not in ran.err


ECHO = {
    "content": chat(f"The key was {SECRET}."),
    "rejected": failure(400, f"Bearer {SECRET} asked for too much."),
    "refused": failure(401, f"Incorrect API key provided: {SECRET}."),
    "page": Answer(f"<html>{SECRET}</html>"),
    "limit": failure(429, f"{SECRET} is over its tokens per day (TPD)."),
    "parameter": failure(400, f"{SECRET}: temperature is not supported."),
}


@pytest.mark.parametrize("answer", ECHO.values(), ids=ECHO)
def test_the_key_is_in_no_output_and_no_file(
    tmp_path: Path, answer: Answer, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane.Lane, "_pause", lambda *_: 0.0)
    with provider([answer]) as server:
        ran = run("collect", "--study", str(write_study(tmp_path, entry(server))), "--json", "--concurrency", "1")
        assert server.seen
    assert SECRET not in ran.out + ran.err
    assert all(SECRET.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


# parameters that a model does not take


def without_max_tokens(seen: Seen) -> Answer:
    if "max_tokens" in seen.body:
        said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        return failure(400, said, param="max_tokens", code="unsupported_parameter")
    return chat()


def without_temperature(seen: Seen) -> Answer:
    if "temperature" in seen.body:
        return failure(400, "`temperature` is deprecated for this model.")
    return good(seen)


def mended(folder: Path, script: Callable[[Seen], Answer], name: str) -> tuple[list[Seen], collecting.Summary]:
    with provider(script) as server:
        summary = gather(write_study(folder, entry(server, provider=name)), concurrency=1)
        return server.seen, summary


@pytest.mark.parametrize("name", ["openai", "groq"])
def test_max_tokens_is_renamed_once_and_for_all_later_calls(tmp_path: Path, name: str) -> None:
    seen, summary = mended(tmp_path, without_max_tokens, name)
    assert [request.body.get("max_completion_tokens") for request in seen] == [None, 64, 64, 64, 64]
    assert summary.mended == ["m: max_tokens is sent as max_completion_tokens, for all sides"]


@pytest.mark.parametrize("name", ["openai", "anthropic", "groq"])
def test_a_temperature_that_is_not_taken_is_dropped_for_all_later_calls(tmp_path: Path, name: str) -> None:
    seen, summary = mended(tmp_path, without_temperature, name)
    assert ["temperature" in request.body for request in seen] == [True, False, False, False, False]
    assert summary.mended == ["m: temperature is left out, so the provider's default holds, for all sides"]


def test_what_was_sent_is_recorded_and_the_key_stays_that_of_the_request(tmp_path: Path) -> None:
    wanted = None
    with provider(without_temperature) as server:
        folder = write_study(tmp_path, entry(server))
        wanted = {call.key for call in planned(folder).calls}
        gather(folder)
    assert {line["key"] for line in written(tmp_path)} == wanted
    assert all(line["sent"] == {"max_tokens": 64} for line in written(tmp_path))
    assert all(line["requested"] == {"temperature": 0.0, "max_tokens": 64} for line in written(tmp_path))


def test_a_dropped_parameter_is_named_in_the_report_once(tmp_path: Path, run: Callable[..., Any]) -> None:
    with provider(without_temperature) as server:
        ran = run("collect", "--study", str(write_study(tmp_path, entry(server))))
    assert ran.err.count("m: temperature is left out, so the provider's default holds") == 1


def test_parameters_that_a_model_is_known_to_refuse_are_never_sent(tmp_path: Path) -> None:
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server, refuses=["temperature", "max_tokens"])))
        assert len(server.seen) == 4
        assert all(seen.body.keys() == {"model", "messages", "max_completion_tokens"} for seen in server.seen)


def test_parameters_of_a_models_own_are_requested_and_sent(tmp_path: Path) -> None:
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server, extra={"reasoning_format": "raw"})), selection={"limit": 1})
        assert server.seen[0].body["reasoning_format"] == "raw"
    assert written(tmp_path)[0]["requested"]["reasoning_format"] == "raw"


def test_a_server_that_takes_neither_name_of_the_token_cap_is_not_asked_for_ever(tmp_path: Path) -> None:
    def neither(seen: Seen) -> Answer:
        name = "max_tokens" if "max_tokens" in seen.body else "max_completion_tokens"
        return failure(400, f"Unsupported parameter: '{name}'", param=name, code="unsupported_parameter")

    with provider(neither) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
        assert len(server.seen) == 2
    assert written(tmp_path)[0]["reason"].startswith("without a cap on tokens nothing is asked")


# cost

PRICE = {"input": 0.0, "output": 1000.0, "date": "2026-11-30"}  # 64 tokens are $0.064, the 8 that come $0.008


@pytest.mark.parametrize("concurrency", [1, 4])
def test_no_call_is_made_that_could_pass_the_cap(tmp_path: Path, concurrency: int) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server, price=PRICE))
        summary = gather(folder, max_cost=0.076, concurrency=concurrency)
        # after one call $0.008 are spent and a second fits (0.072), after two a third does not (0.080)
        assert len(server.seen) == 2
    assert summary.cost == pytest.approx(0.016)
    assert summary.stopped == ["openai: the next call could pass this run's cost cap of $0.076; raise --max-cost to go on"]


def test_a_reached_cap_exits_with_4_and_a_higher_one_resumes(tmp_path: Path, run: Callable[..., Any]) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server, price=PRICE))
        assert run("collect", "--study", str(folder), "--max-cost", "0.076").code == 4
        assert run("collect", "--study", str(folder), "--max-cost", "1").code == 0
        assert len(server.seen) == 4


def test_a_cap_needs_a_price(tmp_path: Path) -> None:
    with provider(good) as server:
        with pytest.raises(InputError, match="--max-cost cannot be kept: the model 'm' has no price"):
            gather(write_study(tmp_path, entry(server)), max_cost=1.0)
        assert server.seen == []


# concurrency


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_calls_are_under_way_than_allowed(tmp_path: Path, concurrency: int) -> None:
    def slow(_: Seen) -> Answer:
        return Answer(chat().body, delay=0.03)

    with provider(slow, at_most=concurrency) as server:
        gather(write_study(tmp_path, entry(server), templates=["H001", "M001", "C001"]), concurrency=concurrency)
        assert server.most == concurrency
    assert outcomes(tmp_path) == ["ok"] * 12


def test_two_models_of_one_provider_share_its_bound(tmp_path: Path) -> None:
    with provider(lambda _: Answer(chat().body, delay=0.03), at_most=2) as server:
        gather(write_study(tmp_path, entry(server), entry(server, "other")), concurrency=2)
        assert (server.most, len(server.seen)) == (2, 8)


def test_two_providers_are_asked_at_the_same_time(tmp_path: Path) -> None:
    both = threading.Barrier(2, timeout=20)

    def meet(seen: Seen) -> Answer:
        both.wait()  # breaks, and fails the call, where the other provider is not asked meanwhile
        return good(seen)

    with provider(meet) as server:
        gather(write_study(tmp_path, entry(server), entry(server, "other", "anthropic")), concurrency=1)
    assert outcomes(tmp_path) == outcomes(tmp_path, "other") == ["ok"] * 4


def test_every_record_of_many_threads_is_whole(tmp_path: Path) -> None:
    with provider(lambda _: chat("word " * 3000)) as server:
        gather(write_study(tmp_path, entry(server), templates="all", decisions=["stated"]), concurrency=8)
    assert outcomes(tmp_path) == ["ok"] * 160


# faults


def by_model(**scripts: Callable[[Seen], Answer]) -> Callable[[Seen], Answer]:
    return lambda seen: scripts[seen.body["model"].removesuffix("-1")](seen)


def day_limit(_: Seen) -> Answer:
    return failure(429, "Rate limit reached on tokens per day (TPD): Limit 100000.", {"retry-after": "2"})


def test_a_day_limit_stops_its_lane_while_another_finishes(tmp_path: Path, run: Callable[..., Any]) -> None:
    with provider(by_model(tired=day_limit, m=good)) as server:
        folder = write_study(tmp_path, entry(server, "tired", "groq"), entry(server, "m", "anthropic"))
        ran = run("collect", "--study", str(folder), "--concurrency", "1")
        assert Counter(seen.body["model"] for seen in server.seen) == {"tired-1": 1, "m-1": 4}
    assert ran.code == 4
    assert "stopped: groq: a day limit is reached: Rate limit reached on tokens per day (TPD)" in ran.err
    assert "4 answers are still missing; the same command resumes" in ran.err
    assert (outcomes(folder), outcomes(folder, "tired")) == (["ok"] * 4, [])


def test_a_model_that_is_not_there_does_not_stop_another_address(tmp_path: Path) -> None:
    # anything that speaks OpenAI's API is of the provider "openai", wherever it runs
    with provider([failure(404, "No such model.")]) as gone, provider(good) as server:
        gather(write_study(tmp_path, entry(gone, "gone"), entry(server)))
    assert outcomes(tmp_path) == ["ok"] * 4


@pytest.mark.parametrize("headers", [{"Retry-After": "2"}, {"retry-after-ms": "2000"}])
def test_the_pause_that_a_provider_asks_for_is_waited(tmp_path: Path, headers: dict[str, str]) -> None:
    with provider([failure(429, "slow down", headers), chat()]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 2}, concurrency=1)
        first, second, third = (seen.at for seen in server.seen)
    assert 2.0 <= second - first < 4.0
    assert third - second < 1.0
    assert outcomes(tmp_path) == ["ok", "ok"]


def test_everyone_in_the_lane_waits_for_the_pause(tmp_path: Path) -> None:
    begun = threading.Event()

    def script(seen: Seen) -> Answer:
        if not begun.is_set():
            begun.set()
            return failure(429, "slow down", {"Retry-After": "1"})
        return good(seen)

    with provider(script) as server:
        folder = write_study(tmp_path, entry(server), templates=["H001", "M001", "C001"])
        gather(folder, concurrency=2)
        # but for the call that was under way with the one that was refused
        early = [seen for seen in server.seen if seen.at < server.seen[0].at + 1.0]
    assert len(early) <= 3
    assert outcomes(tmp_path) == ["ok"] * 12


def test_to_wait_for_limits_uses_up_no_retries(tmp_path: Path) -> None:
    with provider([failure(429, "slow down", {"retry-after-ms": "5"})] * 6 + [chat()]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, retries=0)
    assert outcomes(tmp_path) == ["ok"]


def test_limits_that_do_not_pass_stop_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "PATIENCE_S", 0.2)
    with provider([failure(429, "slow down", {"retry-after-ms": "50"})]) as server:
        summary = gather(write_study(tmp_path, entry(server)), selection={"limit": 1})
    assert [reason.partition(" within")[0] for reason in summary.stopped] == ["openai: its limits did not pass"]
    assert written(tmp_path) == []


@pytest.mark.parametrize(
    "fault",
    [
        failure(500, "down"),
        failure(529, "overloaded"),
        Answer("<html>"),
        Answer({"choices": None}),
        Answer(chat().body, cut=True),
    ],
    ids=["500", "529", "page", "no choices", "cut"],
)
def test_a_fault_that_passes_leaves_one_good_record(tmp_path: Path, fault: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane.Lane, "_pause", lambda *_: 0.0)
    with provider([fault, fault, chat()]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, retries=2)
        assert len(server.seen) == 3
    assert outcomes(tmp_path) == ["ok"]


@pytest.mark.parametrize("retries", [0, 2])
def test_a_fault_that_stays_is_recorded_after_the_stated_tries(
    tmp_path: Path, retries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane.Lane, "_pause", lambda *_: 0.0)
    with provider([failure(500, "down")]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, retries=retries)
        assert len(server.seen) == retries + 1
    (line,) = written(tmp_path)
    assert (line["outcome"], line["reason"], line["text"]) == ("error", "the provider answered 500: down", "")


def test_the_wait_between_tries_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    real = lane.Lane._sleep
    monkeypatch.setattr(lane.Lane, "_sleep", lambda self, seconds: (waits.append(seconds), real(self, 0.0))[1])
    with provider([failure(500, "down")]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, retries=4)
    assert [round(wait) for wait in waits if wait > 0] == pytest.approx([1, 2, 4, 8], rel=0.3)


def test_a_server_that_never_answers_costs_the_time_limit_for_each_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane.Lane, "_pause", lambda *_: 0.0)
    with provider([Answer(hang=True)]) as server:
        summary = gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, timeout=0.4, retries=1)
        assert len(server.seen) == 2
    assert 0.8 <= summary.seconds < 4
    assert written(tmp_path)[0]["reason"] == "no answer within the time limit"


def test_a_rejected_request_is_recorded_and_not_made_again(tmp_path: Path) -> None:
    with provider([failure(400, "The prompt is too long.")]) as server:
        gather(write_study(tmp_path, entry(server)), selection={"limit": 1}, retries=4)
        assert len(server.seen) == 1
    (line,) = written(tmp_path)
    assert (line["outcome"], line["raw"]["status"]) == ("error", 400)


def test_five_errors_in_a_row_stop_the_lane(tmp_path: Path, run: Callable[..., Any]) -> None:
    with provider([failure(400, "The prompt is too long.")]) as server:
        folder = write_study(tmp_path, entry(server), draws=[0, 1])
        ran = run("collect", "--study", str(folder), "--concurrency", "1")
        assert len(server.seen) == 5
    assert ran.code == 4
    assert "stopped: openai: 5 calls in a row failed, the last one so: the provider answered 400: The prompt is" in ran.err
    assert outcomes(folder) == ["error"] * 5


def test_errors_with_an_answer_between_them_do_not_stop(tmp_path: Path) -> None:
    bad = failure(400, "The prompt is too long.")
    with provider([bad] * 4 + [chat()] + [bad] * 3) as server:
        summary = gather(write_study(tmp_path, entry(server), draws=[0, 1]), concurrency=1)
    assert (summary.stopped, len(written(tmp_path))) == ([], 8)


@pytest.mark.parametrize(
    "answer",
    [
        chat("half an emoji \ud83d", finish="length"),
        chat("Denied.", reasoning=[{"type": "text", "text": "Rent."}]),
        chat({"text": "Denied."}),
        chat("Denied.", finish=7),
        chat("Denied.", usage=[1]),
        chat("Denied.", usage={"prompt_tokens": "many"}),
    ],
    ids=["surrogate", "reasoning parts", "content object", "finish number", "usage list", "usage words"],
)
def test_an_answer_of_an_odd_shape_does_not_end_the_run_of_all(tmp_path: Path, answer: Answer) -> None:
    with provider([answer, chat()]) as server:
        gather(write_study(tmp_path, entry(server)), concurrency=1)
    assert outcomes(tmp_path)[-3:] == ["ok"] * 3


def test_a_full_disk_before_the_run_is_said_and_nothing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = running.shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(running.shutil, "disk_usage", lambda _: usage)
    with provider(good) as server:
        with pytest.raises(StoppedError, match=r"0\.0 MB are free, the answers need about 0\.0; nothing was asked"):
            gather(write_study(tmp_path, entry(server)))
        assert server.seen == []


def test_a_second_collector_on_the_same_study_asks_nothing(tmp_path: Path) -> None:
    inner: list[str] = []

    def script(_: Seen) -> Answer:
        if not inner:
            try:
                gather(tmp_path)
            except StoppedError as error:
                inner.append(str(error))
        return chat()

    with provider(script) as server:
        gather(write_study(tmp_path, entry(server)), concurrency=1)
        assert len(server.seen) == 4
    assert "another collector is writing to this file" in inner[0]


# stopping


def interrupted(folder: Path, script: Callable[[Seen], Answer], numbers: list[int], *options: str) -> tuple[int, str, int]:
    """Collect in another process, send it signals once two calls are under way; return code, stderr and requests."""
    with provider(script) as server:
        write_study(folder, entry(server), templates=["H001", "M001", "C001", "L001"])
        process = start("collect", "--study", str(folder), "--concurrency", "2", *options)
        server.wait_for(2)
        for number in numbers:
            process.send_signal(number)
            time.sleep(0.1)
        _, err = process.communicate(timeout=20)
        return process.returncode, err, len(server.seen)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_lets_the_calls_under_way_finish(tmp_path: Path, number: int) -> None:
    code, err, requests = interrupted(tmp_path, lambda _: Answer(chat().body, delay=0.8), [number])
    assert code == 130
    assert "stopping: the calls under way are finished first" in err
    assert requests == 2
    assert outcomes(tmp_path) == ["ok", "ok"]
    assert "14 answers are still missing; the same command resumes" in err
    assert "Traceback" not in err


def test_a_signal_ends_a_wait_for_limits(tmp_path: Path) -> None:
    began = time.monotonic()
    script = lambda _: failure(429, "slow down", {"Retry-After": "300"})  # noqa: E731
    code, err, _ = interrupted(tmp_path, script, [signal.SIGINT])
    assert (code, written(tmp_path)) == (130, [])
    assert time.monotonic() - began < 15
    assert "Traceback" not in err


def test_a_second_interrupt_leaves_at_once_and_keeps_the_file_whole(tmp_path: Path) -> None:
    began = time.monotonic()
    code, err, _ = interrupted(tmp_path, lambda _: Answer(hang=True), [signal.SIGINT, signal.SIGINT])
    assert (code, written(tmp_path)) == (130, [])
    assert time.monotonic() - began < 15
    assert "Traceback" not in err


def test_handlers_of_signals_are_put_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with provider(good) as server:
        gather(write_study(tmp_path, entry(server)))
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


# where it is called from


def test_a_run_can_be_started_inside_a_running_event_loop(tmp_path: Path) -> None:
    async def notebook() -> collecting.Summary:
        return gather(tmp_path)

    with provider(good) as server:
        write_study(tmp_path, entry(server), entry(server, "other", "anthropic"))
        assert asyncio.run(notebook()).asked == 8


def test_a_run_can_be_started_outside_the_main_thread(tmp_path: Path) -> None:
    with provider(good) as server:
        write_study(tmp_path, entry(server))
        thread = threading.Thread(target=gather, args=[tmp_path])
        thread.start()
        thread.join(20)
    assert outcomes(tmp_path) == ["ok"] * 4


# the command line


def test_the_command_collects_a_study(tmp_path: Path) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server), entry(server, "c", "anthropic"), entry(server, "g", "groq"))
        process = start("collect", "--study", str(folder), "--json")
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    summary = json.loads(out)
    assert (summary["asked"], summary["outcomes"], summary["missing"]) == (12, {"ok": 12}, 0)
    assert "given up after 120 s and tried again up to 4 times" in err
    assert SECRET not in out + err
    assert all(outcomes(folder, name) == ["ok"] * 4 for name in ("m", "c", "g"))


def test_standard_output_stays_empty_without_json(tmp_path: Path, run: Callable[..., Any]) -> None:
    with provider(good) as server:
        ran = run("collect", "--study", str(write_study(tmp_path, entry(server))))
    assert (ran.code, ran.out) == (0, "")
    assert "4 ok; 160 tokens in, 32 out" in ran.err


def test_the_summary_as_json_is_one_object(tmp_path: Path, run: Callable[..., Any]) -> None:
    with provider([failure(400, "Too long."), chat()]) as server:
        ran = run("collect", "--study", str(write_study(tmp_path, entry(server))), "--json", "--concurrency", "1")
    assert {"asked": 4, "outcomes": {"error": 1, "ok": 3}, "missing": 1, "interrupted": False}.items() <= json.loads(
        ran.out
    ).items()


def test_a_dry_run_asks_and_writes_nothing(tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    with provider(good) as server:
        ran = run("collect", "--study", str(write_study(tmp_path, entry(server))), "--dry-run", "--json")
        assert server.seen == []
    assert (ran.code, json.loads(ran.out)["missing"]) == (0, 4)
    assert "4 calls to make" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["study.yml"]


@pytest.mark.parametrize(
    ("option", "value", "calls"),
    [
        ("--models", "other", 12), ("--draws", "1", 12), ("--decisions", "stated", 12), ("--conditions", "baseline", 16),
        ("--limit", "5", 5), ("--models", "m,other", 24),
    ],
)  # fmt: skip
def test_options_choose_what_is_asked(tmp_path: Path, run: Callable[..., Any], option: str, value: str, calls: int) -> None:
    models = entry(NOWHERE), entry(NOWHERE, "other")
    conditions = {"baseline": "", "blind": "Mind the facts."}
    folder = write_study(tmp_path, *models, draws=[0, 1], conditions=conditions, condition_models={"blind": ["other"]})
    # m: 8 baseline; other: 8 baseline, 8 blind
    expected = {"--models other": 16}.get(f"{option} {value}", calls)
    ran = run("collect", "--study", str(folder), "--dry-run", "--json", option, value)
    assert json.loads(ran.out)["missing"] == expected


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--limit", "0"], "'0' is no whole number above 0"),
        (["--limit", "two"], "'two' is no whole number above 0"),
        (["--concurrency", "-1"], "'-1' is no whole number above 0"),
        (["--timeout", "0"], "'0' is no number above 0"),
        (["--timeout", "nan"], "'nan' is no number above 0"),
        (["--max-cost", "free"], "'free' is no number above 0"),
        (["--draws", "2"], "'2' is not known; allowed: 0, 1"),
        (["--decisions", "statd"], "did you mean 'stated'?"),
        (["--models", "n"], "no model 'n' in the study 'loopback'; allowed: m"),
        (["--models", ","], "names nothing"),
        (["--conditions", "blind"], "no 'blind' among its conditions; did you mean 'baseline'?"),
        (["--again", "okay"], "unknown outcome 'okay'; did you mean 'ok'?"),
        (["--lmit", "3"], "unrecognized arguments: --lmit 3"),
        (["--max-cost", "1"], "--max-cost cannot be kept: the model 'm' has no price"),
    ],
)
def test_a_bad_option_is_one_line_and_exit_code_2(
    tmp_path: Path, run: Callable[..., Any], options: list[str], said: str
) -> None:
    with provider(good) as server:
        ran = run("collect", "--study", str(write_study(tmp_path, entry(server))), *options)
        assert server.seen == []
    *_, last = ran.err.splitlines()
    assert (ran.code, ran.out, last[:7]) == (2, "", "error: ")
    assert said in last
    assert len(ran.err.splitlines()) == 1 or "--max-cost" in options


def test_a_damaged_file_is_named_before_anything_is_asked(complete: Path, run: Callable[..., Any]) -> None:
    path = complete / "responses" / "m.jsonl"
    path.write_text("{\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    ran = run("collect", "--study", str(complete))
    assert ran.code == 2
    assert "m.jsonl:1: not a JSON object; restore the line or delete it" in ran.err


def test_without_a_terminal_progress_does_not_flood_the_log(tmp_path: Path) -> None:
    with provider(good) as server:
        folder = write_study(tmp_path, entry(server), templates="all", decisions=["stated"])
        process = start("collect", "--study", str(folder), stderr=subprocess.STDOUT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert len(out.replace("\r", "\n").splitlines()) < 15


# the manifest


def test_the_manifest_describes_the_files(complete: Path) -> None:
    manifest = json.loads((complete / "MANIFEST.json").read_text(encoding="utf-8"))
    assert set(manifest["files"]) == {"study.yml", "responses/m.jsonl"}
    for name, said in manifest["files"].items():
        assert said["sha256"] == hashlib.sha256((complete / name).read_bytes()).hexdigest()
    said = manifest["files"]["responses/m.jsonl"]
    assert (said["lines"], said["outcomes"]) == (4, {"ok": 4})


def test_the_manifest_names_the_versions_that_made_the_files(complete: Path) -> None:
    (versions,) = json.loads((complete / "MANIFEST.json").read_text(encoding="utf-8"))["versions"]
    assert "sdk openai " in versions
    assert f"python {sys.version.split()[0]}" in versions


def test_the_manifest_is_brought_up_to_date_by_a_run_that_stops(tmp_path: Path) -> None:
    with provider([chat(), failure(401, "No.")]) as server:
        gather(write_study(tmp_path, entry(server)), concurrency=1)
    manifest = json.loads((tmp_path / "MANIFEST.json").read_text(encoding="utf-8"))
    assert manifest["files"]["responses/m.jsonl"]["lines"] == 1


def test_the_bytes_of_a_manifest_depend_on_the_files_alone(complete: Path) -> None:
    from eftlib.responses import write_manifest  # noqa: PLC0415

    before = (complete / "MANIFEST.json").read_bytes()
    write_manifest(studies.load(str(complete)))
    assert (complete / "MANIFEST.json").read_bytes() == before
