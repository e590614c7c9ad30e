"""What several test files share: the shipped benchmark, a small hand-made study, and a way to run the command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from shared import ROOT, SMALL

from eftlib import benchmark as bench
from eftlib import study as studies
from eftlib.__main__ import main

# the built book is tested on request alone: EFTLIB_TEST_BOOK names the folder of its pages (make check)
BOOK = os.environ.get("EFTLIB_TEST_BOOK")
CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
)  # fmt: skip
# a conftest.py of the folder's own would be collected before this one, which pytest takes for the same module
collect_ignore_glob = [] if BOOK else ["book"]


def pytest_collection_modifyitems() -> None:
    """Once asked for, the tests of the book fail with one line, and do not skip, where the browser is not there."""
    if BOOK and CHROMIUM is None:
        raise pytest.UsageError("the book is tested in chromium, which is not on the PATH (Debian: apt-get install chromium)")


class Ran(NamedTuple):
    """What a run of the command line gave."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def shipped() -> bench.Benchmark:
    return bench.load(ROOT / "data" / "benchmark")


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a hand-made study with its own benchmark and models; it is also the current folder."""
    for name, text in SMALL.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(studies, "data_dir", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def edit(small: Path) -> Callable[[str, str, str], Path]:
    """Replace a text that a file of the small study has."""

    def replace(file: str, old: str, new: str) -> Path:
        path = small / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} has no {old!r}: the test is out of date"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return small

    return replace


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process."""

    def command(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main(arguments)
        return Ran(code, *capsys.readouterr())

    return command


@pytest.fixture
def start() -> Callable[..., subprocess.Popen[str]]:
    """Start a command as a process of its own, in the project's folder."""

    def command(*arguments: str, **options: object) -> subprocess.Popen[str]:
        # buffered output, as a person's shell has it: what is left in the buffer at exit is where closed pipes hurt
        env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return subprocess.Popen([sys.executable, "-m", "eftlib", *arguments], cwd=ROOT, env=env, encoding="utf-8", **streams)

    return command


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """A headless chromium; the driver is imported here, since all other tests do without it."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, chromium_sandbox=False)
        yield started
        started.close()
