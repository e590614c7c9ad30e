"""Collecting from a loopback server that answers after 200 ms and takes 8 requests at a time; answers are synthetic."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

CALLS, LATENCY_S, AT_ONCE = 400, 0.2, 8
ON_FILE = 100_000


def run() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as scratch, _server() as (url, seen):
        folder = _write_study(Path(scratch) / "speed", url)
        _collect(folder)
        ideal = CALLS / AT_ONCE * LATENCY_S
        took = max(seen["ended"]) - min(seen["began"])
        yield f"{CALLS} calls, {AT_ONCE} at a time, {LATENCY_S * 1e3:.0f} ms each: {took:.2f} s against {ideal:.1f} s ideal"
        yield f"ratio from the first request: {took / ideal:.3f} (at most 1.15); most at once: {seen['most']}"
        line = (folder / "responses" / "bench.jsonl").read_text(encoding="utf-8").splitlines()[0]
        empty = _peak_mib(_write_study(Path(scratch) / "empty", url))
        full = _write_study(Path(scratch) / "full", url)
        _fill(full / "responses" / "bench.jsonl", line)
        peak = _peak_mib(full)
        yield f"peak memory, 0 responses on file: {empty:.0f} MiB; {ON_FILE:,} on file: {peak:.0f} MiB"
        yield f"ratio: {peak / empty:.3f} (does not grow: 1)"


def _collect(folder: Path) -> None:
    command = [sys.executable, "-m", "eftlib", "collect", "--study", str(folder), "--concurrency", str(AT_ONCE)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def _peak_mib(folder: Path) -> float:
    """Collect in a process of its own and return its peak memory."""
    code = (
        "import resource, sys; from eftlib.__main__ import main; code = main(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024); sys.exit(code)"
    )
    command = [sys.executable, "-c", code, "collect", "--study", str(folder), "--limit", "40", "--concurrency", str(AT_ONCE)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def _fill(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True)
    record = json.loads(line)
    with path.open("w", encoding="utf-8") as file:
        for number in range(ON_FILE):
            file.write(json.dumps(record | {"key": f"{number:064x}"}) + "\n")


def _write_study(folder: Path, url: str) -> Path:
    folder.mkdir(parents=True)
    study = {
        "name": "bench", "title": "synthetic", "templates": "all", "draws": [0, 1], "decisions": ["stated", "opposite"],
        "models": [{"name": "bench", "label": "Bench", "provider": "openai", "id": "bench", "base_url": f"{url}/v1"}],
        "conditions": {"baseline": ""}, "parameters": {"temperature": 0.0, "max_tokens": 64}, "frozen": False,
    }  # fmt: skip
    # 400 of the 640 calls: 50 templates, both draws, sides and decisions
    study["templates"] = [f"{letter}{number:03d}" for letter in "HMCL" for number in range(1, 21)][:50]
    (folder / "study.yml").write_text(json.dumps(study), encoding="utf-8")
    return folder


@contextmanager
def _server() -> Iterator[tuple[str, dict[str, Any]]]:
    gate = threading.Semaphore(AT_ONCE)
    lock = threading.Lock()
    seen: dict[str, Any] = {"began": [], "ended": [], "now": 0, "most": 0}
    body = json.dumps(
        {
            "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "A synthetic answer."}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 5},
        }
    ).encode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # or each answer waits 40 ms for an acknowledgement

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                seen["began"].append(time.monotonic())
                seen["now"] += 1
                seen["most"] = max(seen["most"], seen["now"])
            with gate:
                time.sleep(LATENCY_S)
            with lock:
                seen["now"] -= 1
                seen["ended"].append(time.monotonic())
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
