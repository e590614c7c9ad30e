"""Build the book: notebooks to executed notebooks to pages; ``python -m eftlib.build``, which ``make book`` runs.

Everything that the book shows comes from committed files, so what it was built from has one hash. If that is the hash of the
last build, there is nothing to do.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import papermill

from eftlib import scoring
from eftlib import study as studies
from eftlib.errors import CheckError, InputError, reported
from eftlib.files import data_dir, hint, shown
from eftlib.report import Page

PARAMETERS = ("models", "profile", "alpha", "seed")  # of every notebook, besides the study
ROOT = data_dir().parent
EXECUTED = ROOT / "executed"
_OTHER_PATHS = tuple(path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path != str(ROOT))
STAMP = EXECUTED / "stamp.json"
HTML = ROOT / "_build" / "html"
_SIDE_BY_SIDE = 4  # notebooks at a time, where there are so many cores; each takes up to 400 MB
_SOURCES = (
    "eftlib", "data", "notebooks", "pages", "vendor", "index.md", "references.bib", "_config.yml", "_toc.yml",
    "requirements.txt",
)  # fmt: skip


def notebooks() -> list[Path]:
    """Return the notebooks in their order: the numbered ones, then the pages that are notebooks.

    Returns
    -------
    list of Path
    """
    return [*sorted((ROOT / "notebooks").glob("*.py")), *sorted((ROOT / "pages").glob("*.py"))]


def fingerprint(study: str) -> str:
    """Return the sha256 of everything that a build reads.

    Parameters
    ----------
    study : str

    Returns
    -------
    str
    """
    digest = hashlib.sha256(json.dumps([study, sys.version]).encode())
    for path in _files(study):
        digest.update(f"\0{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _files(study: str) -> Iterator[Path]:
    folders = [ROOT / name for name in _SOURCES]
    loaded = studies.load(study)
    if not loaded.folder.resolve().is_relative_to(ROOT):
        folders.append(loaded.folder.resolve())
    # which lie in the folder of a study that lies elsewhere
    results = scoring.results_dir(loaded).resolve()
    for folder in folders:
        files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else [folder]
        for path in files:
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".lock" and results not in path.parents:
                yield path


def made(study: str) -> dict[str, str]:
    """Return the sha256 of everything that a build writes: the tables, figures and numbers of a study, and the pages.

    Parameters
    ----------
    study : str

    Returns
    -------
    dict of str to str
        By path.
    """
    there = scoring.results_dir(studies.load(study))
    written = [there / "numbers.json", *(there / "tables").rglob("*"), *(there / "figures").rglob("*"), *HTML.rglob("*")]
    # by whole paths, since the command may run in any folder
    return {str(path.resolve()): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(written) if path.is_file()}


def altered(study: str) -> list[str]:
    """Name what is no longer as the last build of a study wrote it.

    Parameters
    ----------
    study : str

    Returns
    -------
    list of str
        A line a file; empty if the last build was of another study, or there was none.
    """
    mark = json.loads(STAMP.read_text("utf-8")) if STAMP.exists() else {}
    # the stamp tells by its files which study was built: its name may mean another one elsewhere
    if str((scoring.results_dir(studies.load(study)) / "numbers.json").resolve()) not in mark.get("made", {}):
        return []
    then, now = mark["made"], made(study)
    return [
        f"{shown(Path(name))}: not as make book wrote it; run it again"
        for name in sorted({**then, **now})
        if then.get(name) != now.get(name)
    ]


def execute(notebook: Path, parameters: Mapping[str, Any], folder: Path | None = None) -> Path:
    """Execute one notebook and write it beside the others.

    Parameters
    ----------
    notebook : Path
        A percent script.
    parameters : mapping of str to object
        By the names in the notebook's parameters cell.
    folder : Path, optional
        Where the executed notebook goes, and what it shows; `EXECUTED` by default.

    Returns
    -------
    Path
        The executed notebook, without anything that differs from run to run.

    Raises
    ------
    InputError
        If the notebook has no parameter of a name.
    CheckError
        If a cell fails; the message names notebook, cell and error.
    """
    folder = folder or EXECUTED
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{notebook.stem}.ipynb"
    content = jupytext.read(notebook)
    for number, each in enumerate(content.cells):
        each["id"] = f"cell-{number:03d}"
    nbformat.write(content, target)
    known = papermill.inspect_notebook(str(target))
    for name in parameters:
        if name not in known:
            raise InputError(f"{shown(notebook)}: no parameter {name!r}{hint(name, known)}")
    # the kernel must run this checkout, whatever else is installed
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(ROOT), *_OTHER_PATHS)))
    try:
        papermill.execute_notebook(
            str(target),
            str(target),
            dict(parameters),
            kernel_name="python3",
            progress_bar=False,
            cwd=str(folder),
            extra_arguments=["--log-level=40"],  # the kernel warns of its transport at every start
        )
    except papermill.PapermillExecutionError as error:
        target.unlink()
        raise CheckError(f"{shown(notebook)}: cell {error.cell_index} failed: {error.ename}: {error.evalue}") from None
    _strip(target)
    return target


def _strip(path: Path) -> None:
    """Take out times and durations, so that two builds give the same bytes."""
    content = nbformat.read(path, as_version=4)
    content.metadata.pop("papermill", None)
    content.cells = [cell for cell in content.cells if "injected-parameters" not in cell.metadata.get("tags", [])]
    for number, cell in enumerate(content.cells):
        cell["id"] = f"cell-{number:03d}"
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
    nbformat.write(content, path)


def book() -> None:
    """Build the pages with every warning an error.

    Raises
    ------
    CheckError
        If the builder reports a warning or fails; its words come before.
    """
    shutil.rmtree(ROOT / "_build", ignore_errors=True)
    program = str(Path(sys.executable).with_name("jupyter-book"))
    command = [program, "build", "-W", "-n", "--keep-going", "--quiet", str(ROOT)]
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1780000000", "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words
    if done.returncode:
        print(*(_in_sources(words) for words in (done.stdout[-4000:], done.stderr[-6000:])), file=sys.stderr)
        raise CheckError("the pages could not be built without warnings; the words above name the place")
    if not (HTML / "index.html").is_file():
        raise CheckError(f"{shown(HTML / 'index.html')} was not built")


def _in_sources(words: str) -> str:
    """Name a place in an executed notebook by the file and line that its author edits."""

    def place(found: re.Match[str]) -> str:
        # the builder counts ten thousand a cell, and one line more
        cell, line = divmod(int(found["line"]), 10_000)
        for path in notebooks():
            lines = path.read_text(encoding="utf-8").splitlines()
            marks = [number for number, text in enumerate(lines, start=1) if text.startswith("# %%")]
            if path.stem == found["name"] and 0 < cell <= len(marks):
                return f"{path.relative_to(ROOT)}:{marks[cell - 1] + line - 1}"
        return found[0]

    return re.sub(rf"{re.escape(str(EXECUTED))}/(?P<name>\w+)\.ipynb:(?P<line>\d+)", place, words)


def results(study: str, parameters: Mapping[str, Any], folder: Path | None = None) -> None:
    """Score a study and execute the notebooks, which write its results.

    Parameters
    ----------
    study : str
    parameters : mapping of str to object
        Of the notebooks, besides ``study``.
    folder : Path, optional
        Where the executed notebooks go; `EXECUTED` by default.

    Raises
    ------
    InputError, CheckError
    """
    for name in parameters:
        if name not in PARAMETERS:
            raise InputError(f"no notebook has a parameter {name!r}{hint(name, PARAMETERS)}")
    Page("build", study, **parameters)  # refuses a wrong value before anything is deleted
    shutil.rmtree(folder or EXECUTED, ignore_errors=True)
    loaded = studies.load(study)
    there = scoring.results_dir(loaded)
    (there / "numbers.json").unlink(missing_ok=True)
    shutil.rmtree(there / "tables", ignore_errors=True)
    shutil.rmtree(there / "figures", ignore_errors=True)
    began = time.monotonic()
    try:
        scoring.score_study(loaded)
    except InputError as error:
        (there / "scores.parquet").unlink(missing_ok=True)
        print(f"no results yet: {error}", file=sys.stderr)
    _note(began, "scored")
    _execute_all(notebooks(), {"study": study, **parameters}, folder, began)


def _execute_all(paths: Sequence[Path], parameters: Mapping[str, Any], folder: Path | None, began: float) -> None:
    # processes, because papermill changes the folder of the one that it runs in
    with ProcessPoolExecutor(
        min(_SIDE_BY_SIDE, os.cpu_count() or 1), get_context("spawn"), initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_IGN),
    ) as pool:  # fmt: skip
        jobs = {pool.submit(execute, path, parameters, folder): path for path in paths}
        try:
            for job in as_completed(jobs):
                job.result()
                _note(began, shown(jobs[job]))
        except BaseException as error:
            # nothing that runs is of use any more; a kernel ends with its process
            for process in active_children():
                process.terminate()
            if isinstance(error, BrokenProcessPool):
                raise CheckError("the process of a notebook ended before it was done; was there too little memory?") from None
            raise


def build(study: str, parameters: Mapping[str, Any], *, force: bool = False) -> bool:
    """Build the book of a study, unless nothing has changed since the last build.

    Parameters
    ----------
    study : str
    parameters : mapping of str to object
        Of the notebooks, besides ``study``.
    force : bool

    Returns
    -------
    bool
        Whether there was something to do.

    Raises
    ------
    InputError, CheckError
    """
    mark = {"study": study, "parameters": dict(parameters), "fingerprint": fingerprint(study)}
    if not force and STAMP.exists() and json.loads(STAMP.read_text("utf-8")) == mark | {"made": made(study)}:
        return False
    began = time.monotonic()
    results(study, parameters)
    book()
    _note(began, "pages")
    STAMP.write_text(json.dumps(mark | {"made": made(study)}), encoding="utf-8")
    return True


def _note(began: float, what: str) -> None:
    print(f"{time.monotonic() - began:6.1f} s  {what}", file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional

    Returns
    -------
    int
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m eftlib.build", description=__doc__)
    parser.add_argument("--study", default="pilot")
    parser.add_argument("--force", action="store_true", help="build even if nothing has changed")
    parser.add_argument("-p", "--parameter", nargs=2, action="append", default=[], metavar=("NAME", "VALUE"))
    options = parser.parse_args(arguments)
    return reported(lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    parameters = {name: _value(text) for name, text in options.parameter}
    changed = build(options.study, parameters, force=options.force)
    print(f"the book is in {shown(HTML / 'index.html')}{'' if changed else ' (nothing has changed)'}", file=sys.stderr)
    return 0


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


if __name__ == "__main__":
    sys.exit(main())
