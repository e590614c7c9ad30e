"""The real SDKs of OpenAI, Anthropic and Groq against a provider on the loopback interface."""

from __future__ import annotations

import datetime
import importlib
import json
import socket
import sys
from email.utils import format_datetime
from typing import Any, get_args

import pytest
from faults import (
    PARAMETERS,
    SECRET,
    Answer,
    Seen,
    ask,
    blocks,
    chat,
    client,
    entry,
    failure,
    good,
    isolate,
    provider,
)  # fmt: skip

from eftlib import clients
from eftlib.clients import Rejected, Reply, Transient, Unsupported
from eftlib.errors import EftError, StoppedError
from eftlib.responses import interpret
from eftlib.study import Provider

PROVIDERS = ["openai", "anthropic", "groq"]
CHATS = ["openai", "groq"]

every_provider = pytest.mark.parametrize("name", PROVIDERS)
every_chat = pytest.mark.parametrize("name", CHATS)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch)


def reply_of(answer: Answer, name: str = "openai", parameters: dict[str, Any] | None = None, **options: Any) -> Reply:
    with provider([answer]) as server:
        return ask(entry(server, provider=name), parameters, **options)


def error_of(answer: Answer, name: str = "openai", parameters: dict[str, Any] | None = None, **options: Any) -> EftError:
    """What a fault is read as; the SDK must have tried exactly once."""
    with provider([answer]) as server:
        with pytest.raises(EftError) as caught:
            ask(entry(server, provider=name), parameters, **options)
        assert len(server.seen) == 1, "the SDK tried again by itself"
    return caught.value


def outcome_of(reply: Reply) -> tuple[str, str | None, str, str | None]:
    return interpret(
        content=reply.content,
        reasoning=reply.reasoning,
        refusal=reply.refusal,
        finish_reason=reply.finish_reason,
        usage=reply.usage,
    )


# what is sent


def sent_to(name: str, parameters: dict[str, Any] | None = None) -> Seen:
    with provider(good) as server:
        ask(entry(server, provider=name), parameters)
        return server.seen[0]


@every_provider
def test_the_body_holds_model_messages_and_every_parameter(name: str) -> None:
    body = sent_to(name, {"temperature": 0.0, "max_tokens": 64, "top_p": 0.5}).body
    assert {field: body.get(field) for field in ("model", "messages", "temperature", "max_tokens", "top_p")} == {
        "model": "m-1",
        "messages": [{"role": "user", "content": "Why?"}],
        "temperature": 0.0,
        "max_tokens": 64,
        "top_p": 0.5,
    }


@every_provider
def test_nothing_is_sent_that_was_not_asked_for(name: str) -> None:
    assert set(sent_to(name).body) == {"model", "messages", *PARAMETERS}


@pytest.mark.parametrize(
    ("name", "path"),
    [("openai", "/v1/chat/completions"), ("groq", "/openai/v1/chat/completions"), ("anthropic", "/v1/messages")],
)
def test_each_sdk_asks_its_own_endpoint(name: str, path: str) -> None:
    assert sent_to(name).path == path


@every_provider
def test_the_key_is_sent_in_the_header_alone(name: str) -> None:
    seen = sent_to(name)
    assert seen.headers["authorization"] == f"Bearer {SECRET}"
    assert SECRET not in json.dumps([seen.path, seen.body])


@every_provider
def test_without_a_key_no_key_of_the_environment_is_sent_to_another_address(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "GROQ_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(variable, SECRET)
    with provider(good) as server:
        ask(entry(server, provider=name, key=None), key=None)
        assert SECRET not in json.dumps(server.seen[0].headers)


@pytest.mark.parametrize(
    ("name", "variable", "path"),
    [("openai", "OPENAI_BASE_URL", "/v1"), ("groq", "GROQ_BASE_URL", ""), ("anthropic", "ANTHROPIC_BASE_URL", "")],
)
def test_an_address_in_the_environment_changes_nothing_about_who_is_asked(
    name: str, variable: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the record and its key would say that the provider itself had answered
    def nowhere(*_: object, **__: object) -> None:
        raise OSError("no network in tests")

    with provider(good) as server:
        monkeypatch.setenv(variable, server.url + path)
        real = socket.getaddrinfo
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda host, *more, **options: (real if host == "127.0.0.1" else nowhere)(host, *more, **options),
        )
        with pytest.raises(Transient, match="the connection failed"):
            ask(entry(server, provider=name, base_url=None))
        assert server.seen == []


@every_provider
def test_a_client_names_its_sdk_and_version(name: str) -> None:
    with client(entry("http://127.0.0.1:9", provider=name)) as connected:
        assert connected.sdk == f"{name} {importlib.import_module(name).__version__}"


def test_every_provider_that_a_study_may_name_has_a_client() -> None:
    assert set(clients.PROVIDERS) == set(get_args(Provider))


@every_provider
def test_an_sdk_that_is_not_installed_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(StoppedError, match=f"package '{name}' is not installed; pip install"):
        ask(entry("http://127.0.0.1:9", provider=name))


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_an_sdk_needs_no_package_that_only_another_sdk_brings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # openai 3 and anthropic 2 bring httpx2; httpx comes with groq alone
    monkeypatch.setitem(sys.modules, "httpx", None)
    with provider(good) as server:
        assert ask(entry(server, provider=name)).content == "Denied: the rent is high."


# what comes back


@every_provider
def test_an_answer_comes_back_with_all_that_is_recorded(name: str) -> None:
    with provider(good) as server:
        reply = ask(entry(server, provider=name))
    assert (reply.content, reply.served_model, reply.reasoning) == ("Denied: the rent is high.", "served-1", None)
    assert reply.usage
    assert reply.finish_reason in ("stop", "end_turn")


@every_chat
def test_the_raw_message_is_kept_untouched(name: str) -> None:
    answer = chat("Denied.", odd={"a": [1, None]}, annotations=[])
    assert reply_of(answer, name).raw == answer.body["choices"][0]["message"]


@every_chat
@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_reasoning_in_a_field_of_its_own_is_read(name: str, field: str) -> None:
    reply = reply_of(chat("Denied.", **{field: "Rent first."}), name)
    assert outcome_of(reply)[:3] == ("Denied.", "Rent first.", "ok")


@pytest.mark.parametrize(
    "answer",
    [
        chat("<think>\nRent first.\n</think>\n\nDenied: the rent is high."),
        chat("Denied: the rent is high.", reasoning="Rent first."),
        chat("Denied: the rent is high.", reasoning_content="Rent first."),
        chat("Denied: the rent is high."),
    ],
    ids=["raw", "parsed", "parsed elsewhere", "hidden"],
)
def test_however_reasoning_comes_the_answer_is_the_same(answer: Answer) -> None:
    assert outcome_of(reply_of(answer, "groq"))[0] == "Denied: the rent is high."


@every_chat
@pytest.mark.parametrize(
    ("parts", "answer"),
    [
        ([{"type": "text", "text": "Denied: "}, {"type": "text", "text": "the rent."}], "Denied: the rent."),
        ([], ""),
        ([{"type": "text", "text": None}], ""),
        # Mistral's reasoning models
        (
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": "Rent first."}]},
                {"type": "text", "text": "Denied: the rent."},
            ],
            "Denied: the rent.",
        ),
        ([{"type": "reasoning", "text": "Rent first."}, {"type": "text", "text": "Denied: the rent."}], "Denied: the rent."),
    ],
    ids=["texts", "none", "null", "thinking", "reasoning"],
)
def test_a_content_of_parts_is_put_together_from_its_texts(name: str, parts: list[Any], answer: str) -> None:
    assert outcome_of(reply_of(chat(parts), name))[0] == answer


@every_chat
def test_reasoning_of_parts_is_read_as_text(name: str) -> None:
    reply = reply_of(chat("Denied.", reasoning=[{"type": "text", "text": "Rent first."}]), name)
    assert outcome_of(reply)[:3] == ("Denied.", "Rent first.", "ok")


@pytest.mark.parametrize(
    ("content", "answer", "reasoning"),
    [
        (["Denied. ", "The rent is high."], "Denied. The rent is high.", None),
        (
            [
                {"type": "thinking", "thinking": "The file looks weak.", "signature": "x"},
                {"type": "redacted_thinking", "data": "x"},
                "Denied. ",
                "The rent is high.",
            ],
            "Denied. The rent is high.",
            "The file looks weak.",
        ),
        ([{"type": "text", "text": None}], "", None),
        ([], "", None),
    ],
    ids=["texts", "thinking", "null", "none"],
)
def test_the_answer_of_a_message_is_all_its_text_blocks_in_order(
    content: list[Any], answer: str, reasoning: str | None
) -> None:
    assert outcome_of(reply_of(blocks(*content), "anthropic"))[:2] == (answer, reasoning)


# outcomes, told by an answer with status 200


@every_chat
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (chat("Denied."), "ok"),
        (chat("Denied because the", finish="length"), "truncated"),
        (chat("", finish="length"), "truncated_in_reasoning"),
        (chat(None, finish="length", reasoning="Rent fi"), "truncated_in_reasoning"),
        (chat("<think>Rent first. Let me", finish="length"), "truncated_in_reasoning"),
        (chat(None, refusal="I can't help with that."), "refused"),
        (chat("The person has", finish="content_filter"), "filtered"),
        (chat(None, finish="content_filter"), "filtered"),
        (chat(""), "empty"),
        (chat(None), "empty"),
        (chat(" …\n"), "empty"),
        (chat(None, reasoning_content="Denied: the rent is high."), "empty"),
        (chat("Denied.", finish=None), "ok"),
    ],
)
def test_the_outcome_of_a_chat_completion(name: str, answer: Answer, outcome: str) -> None:
    assert outcome_of(reply_of(answer, name))[2] == outcome


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (blocks("Denied."), "ok"),
        (blocks("Denied because", stop="max_tokens"), "truncated"),
        (blocks({"type": "thinking", "thinking": "Rent fi"}, stop="max_tokens"), "truncated_in_reasoning"),
        (blocks(), "empty"),
        (blocks(stop="refusal", stop_details={"type": "refusal", "category": "other"}), "refused"),
        (blocks("I cannot", stop="refusal"), "refused"),
    ],
)
def test_the_outcome_of_a_message(answer: Answer, outcome: str) -> None:
    assert outcome_of(reply_of(answer, "anthropic"))[2] == outcome


def test_the_text_of_a_refusal_is_kept() -> None:
    assert outcome_of(reply_of(chat(None, refusal="I can't help with that.")))[0] == "I can't help with that."


def test_an_empty_answer_names_the_tokens_that_were_billed() -> None:
    assert outcome_of(reply_of(chat(None, usage={"completion_tokens": 211})))[3] == "no answer, 211 tokens billed"


@every_chat
def test_a_prompt_that_the_filter_refuses_with_400_is_filtered(name: str) -> None:
    refused = failure(400, "The prompt triggered the content management policy.", code="content_filter", param="prompt")
    reply = reply_of(refused, name)
    assert outcome_of(reply)[2] == "filtered"


# faults that may pass


@every_provider
@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_status_that_may_pass_is_transient(name: str, status: int) -> None:
    error = error_of(failure(status, "try later"), name)
    assert isinstance(error, Transient)
    assert str(error) == f"the provider answered {status}: try later"


@pytest.mark.parametrize(("status", "limited"), [(429, True), (500, False), (529, False)])
def test_a_429_alone_counts_as_a_limit(status: int, limited: bool) -> None:
    error = error_of(failure(status, "try later"))
    assert isinstance(error, Transient)
    assert error.limited is limited


@every_provider
@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "90"}, 90.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, 0.0),
        ({}, None),
    ],
)
def test_the_pause_that_a_provider_asks_for_is_read(name: str, headers: dict[str, str], pause: float | None) -> None:
    error = error_of(failure(429, "slow down", headers), name)
    assert isinstance(error, Transient)
    assert error.pause == pause


@every_provider
def test_a_pause_given_as_a_date_is_read(name: str) -> None:
    at = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=120)
    error = error_of(failure(429, "slow down", {"Retry-After": format_datetime(at, usegmt=True)}), name)
    assert isinstance(error, Transient)
    assert error.pause == pytest.approx(119, abs=3)


def test_a_pause_until_a_date_that_is_over_is_none_at_all() -> None:
    error = error_of(failure(429, "slow down", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}))
    assert isinstance(error, Transient)
    assert error.pause == 0.0


@every_provider
def test_a_connection_cut_in_the_middle_of_the_answer_is_transient(name: str) -> None:
    answer = Answer(chat("Denied. " * 400).body, cut=True)
    error = error_of(answer, name)
    assert isinstance(error, Transient)
    assert str(error).startswith("the connection ")


@every_provider
def test_no_answer_within_the_time_limit_is_transient(name: str) -> None:
    error = error_of(Answer(hang=True), name, timeout=0.3)
    assert isinstance(error, Transient)
    assert str(error) == "no answer within the time limit"


@every_provider
def test_nobody_listening_is_transient(name: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{probe.getsockname()[1]}"
        with pytest.raises(Transient, match="the connection failed"):
            ask(entry(address, provider=name))


@every_provider
@pytest.mark.parametrize("body", ["<html><body>Bad gateway</body></html>", "", "[]", '"Denied."', "{"])
def test_an_answer_that_is_no_json_object_is_transient(name: str, body: str) -> None:
    error = error_of(Answer(body, headers={"content-type": "text/html"}), name)
    assert isinstance(error, Transient)
    assert str(error).startswith("the answer is not ")


@every_chat
@pytest.mark.parametrize(
    "body",
    [
        {"choices": None, "error": {"message": "overloaded"}},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"finish_reason": "stop"}]},
        {"choices": [{"message": None}]},
        {"error": {"code": 502, "message": "overloaded"}},
    ],
)
def test_an_answer_without_a_message_is_transient(name: str, body: dict[str, Any]) -> None:
    error = error_of(Answer(body), name)
    assert isinstance(error, Transient)
    assert str(error).startswith("the answer holds no message")


@pytest.mark.parametrize("body", [{"type": "error"}, {"content": None}, {"content": "Denied."}])
def test_a_message_without_content_blocks_is_transient(body: dict[str, Any]) -> None:
    error = error_of(Answer(body), "anthropic")
    assert isinstance(error, Transient)
    assert str(error).startswith("the answer holds no content")


# faults that stop the run

GROQ = "Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on"
GROQ_BILLING = "Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing"


@every_provider
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (failure(401, "Incorrect API key provided."), r"refuses the key \(401\): Incorrect API key"),
        (failure(403, "No access."), r"refuses the key \(403\)"),
        (failure(402, "Payment required."), "reports no credit: Payment required"),
        (failure(429, "You exceeded your current quota, check your plan.", code="insufficient_quota"), "reports no credit"),
        (failure(429, "Out of quota.", type="insufficient_quota"), "reports no credit"),
        (failure(400, "Your credit balance is too low to access the API."), "reports no credit"),
        (failure(404, "The model `m-1` does not exist."), r"model or the address is not there \(404\): The model `m-1`"),
        (Answer("<html>Not found</html>", 404), r"model or the address is not there \(404\)"),
        (failure(429, "slow down", {"Retry-After": "86400"}), r"asks for a pause of 86400\.0 s, longer than 600 s"),
        (failure(503, "down", {"Retry-After": "3600"}), r"asks for a pause of 3600\.0 s"),
        (failure(429, f"{GROQ} tokens per day (TPD): Limit 100000, Used 99990.", {"retry-after": "2"}), "day limit is reached"),
        (failure(429, f"{GROQ} requests per day (RPD): Limit 1000, Used 1000. {GROQ_BILLING}"), "day limit is reached"),
    ],
)
def test_a_fault_that_no_further_call_can_pass_stops(name: str, answer: Answer, reason: str) -> None:
    error = error_of(answer, name)
    assert isinstance(error, StoppedError)
    with pytest.raises(StoppedError, match=reason):
        raise error


@pytest.mark.parametrize("limit", ["tokens per minute (TPM): Limit 6000, Used 5800", "requests per minute (RPM): Limit 30"])
def test_a_minute_limit_is_no_lack_of_credit_although_it_names_the_billing_page(limit: str) -> None:
    error = error_of(failure(429, f"{GROQ} {limit}. Please try again in 7.66s. {GROQ_BILLING}", {"retry-after": "8"}), "groq")
    assert isinstance(error, Transient)
    assert (error.limited, error.pause) == (True, 8.0)


# parameters that a model does not take


@pytest.mark.parametrize(
    ("name", "answer", "parameter"),
    [
        (
            "openai",
            failure(
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                param="max_tokens",
                code="unsupported_parameter",
            ),
            "max_tokens",
        ),
        (
            "openai",
            failure(
                400,
                "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) is supported.",
                param="temperature",
                code="unsupported_value",
            ),
            "temperature",
        ),
        ("groq", failure(400, "'temperature' is not supported with this model"), "temperature"),
        ("anthropic", failure(400, "`temperature` is deprecated for this model."), "temperature"),
        ("anthropic", failure(400, "temperature: Extra inputs are not permitted"), "temperature"),
        ("openai", failure(422, "unknown field temperature"), "temperature"),
    ],
)
def test_a_refused_parameter_is_named(name: str, answer: Answer, parameter: str) -> None:
    error = error_of(answer, name)
    assert isinstance(error, Unsupported)
    assert error.parameter == parameter


def test_a_parameter_that_was_not_sent_is_not_taken_for_refused() -> None:
    answer = failure(400, "Unsupported parameter: 'top_k' is not supported.", param="top_k", code="unsupported_parameter")
    assert isinstance(error_of(answer), Rejected)


@every_provider
@pytest.mark.parametrize(
    "answer",
    [
        failure(400, "The prompt is too long: 9000 tokens are more than 8192."),
        failure(413, "Request too large."),
        failure(422, "messages must not be empty"),
        Answer("<html>Bad request</html>", 400),
        Answer('{"error": "bad request"}', 400),
        Answer('{"error": null}', 400),
    ],
)
def test_any_other_refusal_is_a_rejection_with_what_was_said(name: str, answer: Answer) -> None:
    error = error_of(answer, name)
    assert isinstance(error, Rejected)
    assert error.raw["status"] == answer.status
