"""Notebooks are executed with parameters, and whatever is wrong in one is named with its place."""

from __future__ import annotations

import os
import time
from pathlib import Path

import nbformat
import pytest
from faults import entry, write_study
from shared import ROOT

from eftlib import build
from eftlib.errors import CheckError, InputError

NOTEBOOK = """\
# ---
# jupyter:
#   jupytext:
#     text_representation: {{extension: .py, format_name: percent}}
#   kernelspec: {{name: python3, display_name: Python 3, language: python}}
# ---

# %% tags=["parameters"]
alpha = 0.05

# %%
{code}
"""


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(build, "EXECUTED", tmp_path / "executed")
    path = tmp_path / "09_example.py"
    path.write_text(NOTEBOOK.format(code="print(alpha * 2)"), encoding="utf-8")
    return path


def test_a_notebook_is_executed_with_its_parameters(notebook: Path) -> None:
    executed = nbformat.read(build.execute(notebook, {"alpha": 0.2}), as_version=4)
    assert executed.cells[-1]["outputs"][0]["text"] == "0.4\n"


def test_two_executions_give_the_same_bytes(notebook: Path) -> None:
    once, again = (build.execute(notebook, {}).read_bytes() for _ in range(2))
    assert once == again


def test_a_misspelt_parameter_is_named(notebook: Path) -> None:
    with pytest.raises(InputError, match=r"09_example.py: no parameter 'alpa'.*alpha"):
        build.execute(notebook, {"alpa": 0.1})


def test_a_broken_cell_is_named_and_leaves_nothing(notebook: Path) -> None:
    notebook.write_text(NOTEBOOK.format(code="alpha / 0"), encoding="utf-8")
    with pytest.raises(CheckError, match=r"09_example.py: cell \d+ failed: ZeroDivisionError: "):
        build.execute(notebook, {})
    assert not list(build.EXECUTED.glob("*.ipynb"))


def several(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **codes: str) -> str:
    """Write notebooks, which are then all there are, and a study without answers; return its folder."""
    paths = [tmp_path / f"{name}.py" for name in codes]
    for path, code in zip(paths, codes.values(), strict=True):
        path.write_text(NOTEBOOK.format(code=code).replace("alpha = 0.05", "alpha = 0.05\nstudy = ''"), encoding="utf-8")
    monkeypatch.setattr(build, "notebooks", lambda: paths)
    return str(write_study(tmp_path / "s", entry("http://127.0.0.1:9/v1")))


def test_notebooks_run_each_with_its_parameters_and_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = {"a": "print(alpha, study)", "b": "import os; print(os.path.basename(os.getcwd()))"}
    study = several(tmp_path, monkeypatch, **codes)
    build.results(study, {"alpha": 0.2}, tmp_path / "executed")
    said = [nbformat.read(tmp_path / f"executed/{name}.ipynb", 4).cells[-1]["outputs"][0]["text"] for name in codes]
    assert said == [f"0.2 {study}\n", "executed\n"]


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core runs one notebook at a time")
def test_notebooks_run_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # each waits for the other
    wait = (
        "import pathlib, time; pathlib.Path('{0}').touch(); end = time.monotonic() + 60\n"
        "while not pathlib.Path('{1}').exists(): time.sleep(0.1); assert time.monotonic() < end"
    )
    study = several(tmp_path, monkeypatch, a=wait.format("a", "b"), b=wait.format("b", "a"))
    build.results(study, {}, tmp_path / "executed")


def test_a_notebook_that_fails_is_named_and_ends_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late = "import pathlib, time; time.sleep(30); pathlib.Path('late').touch()"
    study = several(tmp_path, monkeypatch, a="alpha / 0", b=late, c=late)
    began = time.monotonic()
    with pytest.raises(CheckError, match=r"a.py: cell \d+ failed: ZeroDivisionError"):
        build.results(study, {}, tmp_path / "executed")
    assert time.monotonic() - began < 30
    assert not (tmp_path / "executed" / "late").exists()


def test_a_notebook_whose_process_dies_is_a_line_and_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # a worker is the kernel's parent
    study = several(tmp_path, monkeypatch, a="import os, signal; os.kill(os.getppid(), signal.SIGKILL)")
    with pytest.raises(CheckError, match="process of a notebook ended"):
        build.results(study, {}, tmp_path / "executed")


def test_the_fingerprint_is_that_of_the_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    page = tmp_path / "index.md"
    page.write_text("one", encoding="utf-8")
    before = build.fingerprint("pilot")
    page.write_text("two", encoding="utf-8")
    assert build.fingerprint("pilot") != before
    page.write_text("one", encoding="utf-8")
    assert build.fingerprint("pilot") == before


@pytest.mark.parametrize("path", build.notebooks(), ids=lambda path: path.stem)
def test_notebooks_define_nothing_and_take_the_same_parameters(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    names = ("study", "models", "profile", "alpha", "seed")
    assert not [line for line in lines if line.startswith(("def ", "class ", "import os"))]
    assert [line.split(" = ")[0] for line in lines if line.startswith(tuple(f"{name} = " for name in names))] == list(names)


FAULTY = """\
# A page

```{figure} shown/missing.svg
:alt: nothing
There is no such figure.
```

See {numref}`tbl-unknown` and {doc}`nowhere`, and {glue:text}`unglued`.
"""


def test_what_is_missing_on_a_page_fails_the_build_and_is_named_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("_config.yml", "references.bib", "vendor"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n", encoding="utf-8")
    (tmp_path / "index.md").write_text(FAULTY, encoding="utf-8")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "HTML", tmp_path / "_build" / "html")
    with pytest.raises(CheckError, match="the words above name the place"):
        build.book()
    said = capsys.readouterr().err
    for line, what in ((3, "missing.svg"), (8, "tbl-unknown"), (8, "nowhere"), (8, "unglued")):
        assert any(f"index.md:{line}" in each and what in each for each in said.splitlines()), f"{what}: {said}"


def test_a_place_in_an_executed_notebook_is_named_in_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pages").mkdir()
    source = tmp_path / "pages" / "some.py"
    lines = ["# %% [markdown]", "# # Title", "#", "# %%", "x = 1", "# %% [markdown]", "# Second", "#", "# See {ref}`nowhere`."]
    source.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "EXECUTED", tmp_path / "executed")
    # as the builder reports the third cell's third line, tried with jupyter-book 1.0
    said = f"{tmp_path}/executed/some.ipynb:30004: WARNING: undefined label"
    assert build._in_sources(said) == "pages/some.py:9: WARNING: undefined label"
    assert lines[9 - 1].startswith("# See")
    other = f"{tmp_path}/executed/other.ipynb:30004: WARNING"
    assert build._in_sources(other) == other
