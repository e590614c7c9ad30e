"""A collection that is killed at random moments and resumed; ``python tests/test_collect_kill.py --kills 30`` kills more often.

Whatever the moment: no line is unreadable, no answer that was written is asked for again, and at the end each request has one.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from faults import Answer, Seen, Server, chat, entry, provider, start, write_study

from eftlib import responses
from eftlib import study as studies
from eftlib.responses import FINAL

# 50 templates, two draws, two sides, two decisions
TEMPLATES = [f"{domain}{number:03d}" for domain in "HMCL" for number in range(1, 14)][:50]
CALLS = 400


def _answer(seen: Seen) -> Answer:
    # some answers are long, so that a kill may fall into a write
    return chat("word " * (10 if len(seen.prompt) % 3 else 2000), usage={"prompt_tokens": 9, "completion_tokens": 9})


def _written(path: Path) -> set[str]:
    """The prompts whose answers are on file; a last line without its newline is torn and does not count."""
    whole = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    records = [json.loads(line) for line in whole.splitlines()]
    return {record["messages"][-1]["content"] for record in records if record["outcome"] in FINAL}


def _until(server: Server, requests: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while len(server.seen) < requests and process.poll() is None:
        if time.monotonic() > until:
            raise TimeoutError(f"{len(server.seen)} requests arrived, {requests} were awaited")
        time.sleep(0.002)


def kill_and_resume(folder: Path, kills: int, seed: int) -> int:
    """Kill a collection so often, resume it each time, and check what is left; return the kills that met a running process."""
    rng = random.Random(seed)
    met = 0
    on_file_at: list[tuple[int, set[str]]] = []  # after so many requests these prompts had their answers on file
    with provider(_answer) as server:
        write_study(folder, entry(server), templates=TEMPLATES, draws=[0, 1])
        study = studies.load(str(folder))
        path = responses.path_of(study, study.models[0])
        for number in range(kills):
            left = CALLS - len(_written(path))
            process = start("collect", "--study", str(folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _until(server, len(server.seen) + rng.randint(1, max(1, 2 * left // (kills - number + 1))), process)
            time.sleep(rng.uniform(0.0, 0.01))
            met += process.poll() is None
            process.kill()
            process.wait()
            on_file_at.append((len(server.seen), _written(path)))
        process = start("collect", "--study", str(folder), "--json")
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert json.loads(out)["missing"] == 0
        for asked, on_file in on_file_at:
            again = [seen.prompt for seen in server.seen[asked:] if seen.prompt in on_file]
            assert again == [], f"{len(again)} answers that were on file were asked for again"
    final = Counter(record.key for record in responses.read(path) if record.outcome in FINAL)
    assert len(final) == CALLS
    assert set(final.values()) == {1}
    return met


def test_a_collection_that_is_killed_five_times_ends_with_one_answer_a_request(tmp_path: Path) -> None:
    assert kill_and_resume(tmp_path, kills=5, seed=20260509) >= 4


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=20260509)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        met = kill_and_resume(Path(folder), options.kills, options.seed)
    print(f"{met} of {options.kills} kills met a running collection; every request has one answer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
