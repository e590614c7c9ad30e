"""What is committed of a study is checked: a change of any file, number or cell is named and is the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eftlib import build, check, responses
from eftlib import study as studies
from eftlib.__main__ import main

NUMBERS = {"a.rows": 3, "a.mean": 0.5, "a.none": None}
TABLE = "metric,mean\nword_count,0.25\nttr,\n"


def write_results(folder: Path, numbers: dict[str, Any] = NUMBERS, table: str = TABLE) -> None:
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    (folder / "numbers.json").write_text(json.dumps(numbers), encoding="utf-8")
    (folder / "tables" / "table.csv").write_text(table, encoding="utf-8")


@pytest.fixture
def frozen(small: Path, edit: Callable[[str, str, str], Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small study, frozen, whose results are always built as above."""
    edit("study.yml", "frozen: false", "frozen: true")
    write_results(small / "results")
    responses.write_manifest(studies.load(str(small)))
    monkeypatch.setattr(build, "results", lambda study, *_: write_results(Path(study) / "results"))
    return small


def test_a_study_as_committed_has_no_difference(frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--study", str(frozen)]) == 0
    assert capsys.readouterr().out == ""


def test_a_study_that_is_not_frozen_says_so(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    responses.write_manifest(studies.load(str(small)))
    assert main(["check", "--study", str(small)]) == 0
    assert "is not frozen" in capsys.readouterr().err


def test_a_changed_file_is_named_with_both_hashes(frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = frozen / "study.yml"
    before = json.loads((frozen / "MANIFEST.json").read_text("utf-8"))["files"]["study.yml"]["sha256"]
    path.write_text(path.read_text("utf-8") + "\n", encoding="utf-8")
    after = responses.manifest(studies.load(str(frozen)))["files"]["study.yml"]["sha256"]
    assert main(["check", "--study", str(frozen)]) == 1
    assert capsys.readouterr().out == f'study.yml: sha256: expected "{before}", found "{after}"\n'


@pytest.mark.parametrize("name", ["fourth.jsonl", "first (copy).jsonl.bak"])
def test_a_file_of_responses_that_belongs_to_no_model_is_named(
    frozen: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (frozen / "responses").mkdir(exist_ok=True)
    (frozen / "responses" / name).write_text("{}\n", encoding="utf-8")
    (frozen / "responses" / "first.jsonl.lock").touch()
    assert main(["check", "--study", str(frozen)]) == 1
    assert capsys.readouterr().out == (
        f"responses/{name}: no model of study.yml has this file, so nobody reads it; add the model there, or take it away\n"
    )


def test_a_study_without_a_manifest_is_refused(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--study", str(small)]) == 2
    assert capsys.readouterr().err == "error: MANIFEST.json: no such file\n"


def test_a_frozen_study_without_results_is_a_difference(frozen: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (frozen / "results" / "numbers.json").unlink()
    assert main(["check", "--study", str(frozen)]) == 1
    assert "results/numbers.json: expected the results of a frozen study, found nothing" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("numbers", "table", "said"),
    [
        ({**NUMBERS, "a.mean": 0.5000001}, TABLE, []),
        ({**NUMBERS, "a.mean": 0.50001}, TABLE, ["results/numbers.json: a.mean: expected 0.50001, found 0.5"]),
        ({"a.rows": 3, "a.mean": 0.5}, TABLE, ["results/numbers.json: a.none: expected nothing, found null"]),
        (NUMBERS, TABLE.replace("0.25", "0.26"), ['results/tables/table.csv: row 1: mean: expected "0.26", found "0.25"']),
        (NUMBERS, TABLE.replace("ttr,", "ttr,1"), ['results/tables/table.csv: row 2: mean: expected "1", found ""']),
        (NUMBERS, TABLE.replace("ttr,\n", ""), ["results/tables/table.csv: row 2: expected nothing, found"]),
    ],
)
def test_a_result_that_does_not_come_out_again_is_named(
    frozen: Path, numbers: dict[str, Any], table: str, said: list[str]
) -> None:
    write_results(frozen / "results", numbers, table)
    found = check.check(str(frozen))
    assert len(found) == len(said)
    assert all(line.startswith(start) for line, start in zip(found, said, strict=True))


def test_a_table_that_is_not_committed_is_named(frozen: Path) -> None:
    (frozen / "results" / "tables" / "table.csv").unlink()
    assert [line.split(": ")[:2] for line in check.check(str(frozen))] == [
        ["results/tables/table.csv", 'expected nothing, found {"row 1"']
    ]


def test_a_result_that_was_changed_after_the_build_is_named_and_built_again(
    small: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path_factory.mktemp("book")
    responses.write_manifest(studies.load(str(small)))
    monkeypatch.setattr(build, "STAMP", there / "stamp.json")
    monkeypatch.setattr(build, "HTML", there / "html")
    monkeypatch.setattr(build, "results", lambda study, *_: write_results(Path(study) / "results"))
    (there / "html").mkdir()
    monkeypatch.setattr(build, "book", lambda: (there / "html" / "index.html").write_text("<p>", encoding="utf-8"))
    assert build.build(str(small), {})
    assert not build.build(str(small), {})
    assert main(["check", "--study", str(small)]) == 0
    (small / "results" / "tables" / "table.csv").write_text(TABLE.replace("0.25", "0.26"), encoding="utf-8")
    (there / "html" / "index.html").unlink()
    capsys.readouterr()
    assert main(["check", "--study", str(small)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line.split(": ")[1] for line in said] == ["not as make book wrote it; run it again"] * 2
    assert {Path(line.split(": ")[0]).name for line in said} == {"table.csv", "index.html"}
    assert build.build(str(small), {})
    assert main(["check", "--study", str(small)]) == 0
