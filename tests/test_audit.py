"""The `audit` command: pairs in, verdicts out, one line where it cannot."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from shared import ROOT

EXAMPLES = ROOT / "examples"
SCHEMA = json.loads((ROOT / "eftlib" / "schemas" / "verdicts.json").read_text(encoding="utf-8"))
PAIR = {"pair_id": "1", "topic": "t", "model": "m", "explanation_a": "It was late.", "explanation_b": "It was very late."}


@pytest.fixture
def audited(run, tmp_path: Path):
    def command(pairs: list[dict] | Path, *options: str):
        path = pairs if isinstance(pairs, Path) else tmp_path / "pairs.jsonl"
        if not isinstance(pairs, Path):
            path.write_text("".join(json.dumps(each) + "\n" for each in pairs), encoding="utf-8")
        return run("audit", str(path), "--no-embed", "--out", str(tmp_path / "out"), *options)

    return command


def read(tmp_path: Path) -> dict[str, dict]:
    rows = json.loads((tmp_path / "out" / "verdicts.json").read_text(encoding="utf-8"))
    jsonschema.validate(rows, SCHEMA, cls=jsonschema.Draft202012Validator)
    return {row["metric"]: row for row in rows}


def test_the_example_shows_a_disparity_and_fails_a_pipeline(audited, tmp_path: Path) -> None:
    ran = audited(EXAMPLES / "pairs.jsonl", "--null", str(EXAMPLES / "null.jsonl"), "--fail-on", "disparity")
    assert (ran.code, ran.out) == (3, "")
    found = read(tmp_path)["word_count"]
    # every B text of the example is longer: with 10 topics 2 of 1,024 flips reach it, and 1 of 1,024 one-sided
    assert (found["verdict"], found["p_direction"], found["p_magnitude"]) == ("disparity beyond noise", 2 / 1024, 1 / 1024)


def test_a_null_alone_shows_none_and_only_direction_is_judged(audited, tmp_path: Path) -> None:
    ran = audited(EXAMPLES / "null.jsonl", "--fail-on", "disparity")
    assert ran.code == 0
    for row in read(tmp_path).values():
        assert (row["verdict"], row["p_magnitude"]) == ("cannot tell", None)
    assert "magnitude cannot be judged" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{k: v for k, v in PAIR.items() if k != "model"}], "no column 'model'"),
        ([{k: v for k, v in PAIR.items() if k != "topic"}], "no column 'topic'.*--cluster"),
        ([PAIR | {"explanation_b": " "}], "explanation_b is empty in all 1 pairs"),
        ([PAIR, PAIR], "jsonl:2: the pair_id '1' is that of line 1 too"),
        ([PAIR | {"explanation_a": 5}], "explanation_a is '5'"),
        ([], "holds no pair"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(audited, tmp_path: Path, lines: list[dict], message: str) -> None:
    ran = audited(lines)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert re.search(message, ran.err)
    assert not (tmp_path / "out").exists()


def test_a_null_of_other_models_is_refused(audited, tmp_path: Path) -> None:
    (tmp_path / "null.jsonl").write_text(json.dumps(PAIR | {"model": "other"}), encoding="utf-8")
    ran = audited([PAIR], "--null", str(tmp_path / "null.jsonl"))
    assert ran.code == 2
    assert "shares no model" in ran.err


def test_text_is_shown_and_never_run(audited, tmp_path: Path) -> None:
    hostile = PAIR | {"topic": "=1+1", "axis": "<script>x</script>", "explanation_b": "<script>alert(1)</script> and more."}
    assert audited([hostile], "--with-texts").code == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    # the apostrophe of `eftlib.tables.inert`
    assert "'=1+1" in (tmp_path / "out" / "pairs.csv").read_text(encoding="utf-8")
