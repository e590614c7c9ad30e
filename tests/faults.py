"""A provider on the loopback interface that answers, fails and stalls as told; and the small studies that are asked of it."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from shared import ROOT

from eftlib import benchmark as bench
from eftlib import collect as collecting
from eftlib import study as studies
from eftlib.clients import Client, Reply, connect
from eftlib.collect.lane import make_record
from eftlib.collect.planning import Call
from eftlib.responses import Record, key_of
from eftlib.study import Model

VARIABLE = "FAULTS_API_KEY"
SECRET = "planted-no-key-5f0c81d2a9e7"  # what the tests look for where no key may be
# what would lead an SDK elsewhere than to the loopback server
STRAY = (
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "GROQ_API_KEY", "GROQ_BASE_URL"),
    *("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "EFTLIB_MODELS"),
)


@dataclass(frozen=True)
class Seen:
    """A request as it arrived; ``at`` is the monotonic time."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Answer:
    """What is sent back; ``cut`` closes the connection in the middle of the body, ``hang`` sends nothing at all.

    With ``drip`` the body comes a byte at a time, that many seconds apart.
    """

    body: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: bool = False
    hang: bool = False
    drip: float = 0.0

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


Script = Callable[[Seen], Answer] | Sequence[Answer]


class Server(ThreadingHTTPServer):
    """The provider. ``seen`` holds its requests, ``most`` how many there were at once."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, script: Script, at_most: int | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.at_most = at_most
        self.seen: list[Seen] = []
        self.now = self.most = 0
        self.lock = threading.Lock()
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def answer_to(self, seen: Seen) -> Answer:
        with self.lock:
            number = len(self.seen)
            self.seen.append(seen)
            self.now += 1
            self.most = max(self.most, self.now)
            crowded = self.at_most is not None and self.now > self.at_most
        if crowded:
            return failure(503, f"more than {self.at_most} requests at once")
        if callable(self.script):
            return self.script(seen)
        return self.script[min(number, len(self.script) - 1)]

    def wait_for(self, requests: int, timeout: float = 30.0) -> None:
        """Wait until so many requests have arrived."""
        until = time.monotonic() + timeout
        while len(self.seen) < requests:
            if time.monotonic() > until:
                raise TimeoutError(f"{len(self.seen)} requests arrived, {requests} were awaited")
            time.sleep(0.005)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that is killed or gives up is part of the tests, and no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        raw = self.rfile.read(length)
        if len(raw) < length:  # the client was killed while it asked
            self.close_connection = True
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.answer_to(Seen(self.path, headers, json.loads(raw), time.monotonic()))
        try:
            self._send(answer)
        finally:
            with self.server.lock:
                self.server.now -= 1

    def _send(self, answer: Answer) -> None:
        if answer.delay or answer.hang:
            self.server.closing.wait(60.0 if answer.hang else answer.delay)
        if answer.hang:
            self.close_connection = True
            return
        data = answer.encoded()
        headers = {"content-type": "application/json", "content-length": str(len(data))} | answer.headers
        head = f"HTTP/1.1 {answer.status} Scripted\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        if answer.drip:
            self.wfile.write(head.encode() + b"\r\n")
            for byte in data:
                self.wfile.write(bytes([byte]))
                if self.server.closing.wait(answer.drip):
                    return
            return
        self.wfile.write(head.encode() + b"\r\n" + (data[: len(data) // 2] if answer.cut else data))
        if answer.cut:
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def provider(script: Script, at_most: int | None = None) -> Iterator[Server]:
    """Serve a script: a function of the request, or replies in order of which the last one stays."""
    server = Server(script, at_most)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def chat(text: Any = "Denied: the rent is high.", *, finish: str | None = "stop", usage: Any = None, **message: Any) -> Answer:
    """A chat completion."""
    counts = {"prompt_tokens": 40, "completion_tokens": 8} if usage is None else usage
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text} | message}
    return Answer({"id": "c-1", "object": "chat.completion", "model": "served-1", "choices": [choice], "usage": counts})


def blocks(*content: Any, stop: str = "end_turn", **fields: Any) -> Answer:
    """A message of Anthropic's; a string is a text block."""
    listed = [{"type": "text", "text": each} if isinstance(each, str) else each for each in content]
    usage = {"input_tokens": 40, "output_tokens": 8}
    return Answer(
        {"id": "m-1", "type": "message", "role": "assistant", "model": "served-1", "content": listed}
        | {"stop_reason": stop, "usage": usage}
        | fields
    )


def failure(status: int, message: str, headers: dict[str, str] | None = None, **error: Any) -> Answer:
    """An error in the shape that all three providers share."""
    body = {"type": "error", "error": {"message": message, "type": "invalid_request_error"} | error}
    return Answer(body, status, headers or {})


def good(seen: Seen) -> Answer:
    """The answer of whichever endpoint was asked."""
    return blocks("Denied: the rent is high.") if seen.path.endswith("/messages") else chat()


BASES = {"openai": "/v1", "groq": "", "anthropic": ""}


def entry(server: Server | str, name: str = "m", provider: str = "openai", key: str | None = VARIABLE, **more: Any) -> Model:
    """A model that is asked at the server."""
    url = server if isinstance(server, str) else server.url
    given = {"name": name, "label": name.upper(), "provider": provider, "id": f"{name}-1", "key": key}
    return Model(**given | {"base_url": url + BASES[provider]} | more)


def write_study(folder: Path, *models: Model, **changes: Any) -> Path:
    """Write a study of four calls a model: template H001, draw 0, both sides, both decisions."""
    listed = [model.model_dump(mode="json", exclude_none=True, exclude_defaults=True) for model in models]
    given = {
        "name": "loopback", "title": "A study of the tests", "models": listed, "templates": ["H001"], "draws": [0],
        "decisions": ["stated", "opposite"], "conditions": {"baseline": ""},
        "parameters": {"temperature": 0.0, "max_tokens": 64}, "frozen": False,
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    # JSON is YAML
    (folder / "study.yml").write_text(json.dumps(given | changes), encoding="utf-8")
    return folder


def gather(folder: Path, *, selection: dict[str, Any] | None = None, **options: Any) -> collecting.Summary:
    """Plan and collect in this process."""
    planned = collecting.plan(studies.load(str(folder)), **selection or {})
    return collecting.collect(planned, **{"progress": False, "timeout": 10.0, "retries": 0} | options)


def written(folder: Path, model: str = "m") -> list[dict[str, Any]]:
    """The lines of a response file; every one must be JSON and end its line."""
    path = folder / "responses" / f"{model}.jsonl"
    if not path.exists():
        return []
    data = path.read_bytes()
    assert data == b"" or data.endswith(b"\n"), "the last line is torn"
    return [json.loads(line) for line in data.splitlines()]


@contextmanager
def client(model: Model, key: str | None = SECRET, timeout: float = 10.0) -> Iterator[Client]:
    with connect(model, key=key, timeout=timeout) as connected:
        yield connected


PARAMETERS = {"temperature": 0.0, "max_tokens": 64}


def ask(model: Model, parameters: dict[str, Any] | None = None, **options: Any) -> Reply:
    """Ask one question through the model's real SDK."""
    with client(model, **options) as connected:
        return connected.ask([{"role": "user", "content": "Why?"}], PARAMETERS if parameters is None else parameters)


def prompts(benchmark: bench.Benchmark, **selection: Any) -> list[bench.Prompt]:
    return list(bench.prompts(benchmark, **{"conditions": {"baseline": ""}, "templates": ["H001"]} | selection))


def record_of(prompt: bench.Prompt, model: Model, reply: Reply | None = None, **changes: Any) -> Record:
    """The record of an answer, as a lane makes it."""
    call = Call(model, prompt, key_of(prompt, model, PARAMETERS), PARAMETERS, attempt=1)
    given = reply or Reply({"content": "Denied."}, "Denied.", finish_reason="stop", usage={"prompt_tokens": 9})
    return make_record(call, given, PARAMETERS, sdk="openai 0", seconds=0.1).model_copy(update=changes)


def isolate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what could lead an SDK elsewhere; set the planted key."""
    for variable in STRAY:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(VARIABLE, SECRET)
    # each SDK client reads the certificates anew, for 30 ms; the loopback server speaks plain HTTP
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *_, **__: None)


def clean_env(**more: str) -> dict[str, str]:
    """The environment without what could lead an SDK elsewhere, with the planted key."""
    return {name: value for name, value in os.environ.items() if name not in STRAY} | {VARIABLE: SECRET} | more


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start ``python -m eftlib`` as a person would."""
    given = {"cwd": ROOT, "env": clean_env(), "encoding": "utf-8", "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "eftlib", *arguments], **given | options)


def runs(values: Sequence[Any]) -> list[Any]:
    """The values with neighbours that are equal taken together."""
    return [value for value, _ in groupby(values)]
