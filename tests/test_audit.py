"""The `audit` command: pairs in, verdicts out, one line where it cannot."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shlex
from pathlib import Path
from typing import Any

import audit_example
import jsonschema
import pandas as pd
import pytest
from shared import EXTERNAL, ROOT, needs_external

from eftlib.tables import number

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


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def lengthened(pairs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Synthetic pairs: those given, with a sentence more in every B text."""
    more = "This was also weighed by those who had to decide it then."
    return [pair | {"explanation_b": f"{pair['explanation_b']} {' '.join([more] * 12)}"} for pair in pairs]


def test_the_example_is_made_of_the_responses_by_its_rule() -> None:
    made = audit_example.example()
    assert {name: len(lines) for name, lines in made.items()} == {"pairs.jsonl": 40, "null.jsonl": 40}
    for name, lines in made.items():
        assert (EXAMPLES / name).read_text(encoding="utf-8") == audit_example.text(lines)
    # the same answers, each in one pair of either file
    used = [sorted(line[f"explanation_{side}"] for line in lines for side in "ab") for lines in made.values()]
    assert used[0] == used[1]


def test_the_example_reads_as_its_readme_says(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = re.search(r"^\$ \.venv/bin/python -m eftlib (.+) --out audit$", (EXAMPLES / "README.md").read_text("utf-8"), re.M)
    assert command
    monkeypatch.chdir(ROOT)
    ran = run(*shlex.split(command[1]), "--out", str(tmp_path / "out"), "--fail-on", "disparity")
    assert (ran.code, ran.out) == (0, "")
    assert {row["verdict"] for row in read(tmp_path).values()} == {"cannot tell"}
    tested = [row for row in read(tmp_path).values() if row["p_magnitude"] is not None]
    assert len(tested) == 8  # all but the two that need the embedder
    for row in tested:
        assert row["n_clusters"] == 10
        assert "fewer than 15 topics" in row["reason"]


def test_longer_texts_on_one_side_are_a_disparity_and_fail_a_pipeline(audited, tmp_path: Path) -> None:
    pairs = lengthened(lines_of(EXAMPLES / "pairs.jsonl"))
    ran = audited(pairs, "--null", str(EXAMPLES / "null.jsonl"), "--fail-on", "disparity")
    assert (ran.code, ran.out) == (3, "")
    found = read(tmp_path)["word_count"]
    # every topic is longer on side B: 2 of 1,024 flips reach it, and 1 of 1,024 one-sided
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
        ([PAIR | {"explanation_a": None}], "explanation_a is empty in all 1 pairs"),
        ([PAIR, PAIR], "jsonl:2: the pair_id '1' is that of line 1 too"),
        ([PAIR | {"explanation_a": 5}], "explanation_a is 5; it must be a text$"),
        ([PAIR | {"topic": 1.5}], r"topic is 1\.5; it must be a text or a whole number$"),
        ([PAIR | {"model": True}], "model is true; it must be a text or a whole number$"),
        ([PAIR | {"topic": None}], "topic is null; it must be a text or a whole number$"),
        ([PAIR | {"topic": " "}], "topic is ' '; it must be a text that says something$"),
        ([PAIR | {"domain": 1.5}], r"domain is 1\.5; it must be a text or a whole number$"),
        ([], "holds no pair"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(audited, tmp_path: Path, lines: list[dict], message: str) -> None:
    ran = audited(lines)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert re.search(message, ran.err)
    assert not (tmp_path / "out").exists()


ALLOWED = "; allowed: JSON lines (an object a line), or CSV in a file whose name ends in .csv"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.tsv", "topic\tmodel\nt\tm\n", f"p.tsv:1: not JSON (Expecting value: line 1 column 1 (char 0)){ALLOWED}"),
        ("p.json", json.dumps([PAIR], indent=1), f"p.json:1: not JSON (Expecting value: line 1 column 2 (char 1)){ALLOWED}"),
        ("p.json", json.dumps([1]), f"p.json:1: a line must be an object, but it is '[1]'{ALLOWED}"),
        ("p.jsonl", '{"topic": "t", "model": "m", "topic": "u"}', "p.jsonl:1: the key 'topic' is given twice"),
    ],
)
def test_a_file_of_another_kind_is_told_what_is_allowed(audited, tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    ran = audited(tmp_path / name)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.endswith(f"{message}\n")
    assert not (tmp_path / "out").exists()


def test_a_negative_seed_is_refused_in_one_line(audited, tmp_path: Path) -> None:
    ran = audited([PAIR], "--seed", "-1")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "--seed is -1; allowed: whole numbers from 0 on" in ran.err
    assert not (tmp_path / "out").exists()


def test_a_bad_null_is_named_and_nothing_is_written(audited, tmp_path: Path) -> None:
    (tmp_path / "null.jsonl").write_text(f"{json.dumps(PAIR)}\n{json.dumps(PAIR)}\n", encoding="utf-8")
    ran = audited([PAIR], "--null", str(tmp_path / "null.jsonl"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "null.jsonl:2: the pair_id '1' is that of line 1 too" in ran.err
    assert not (tmp_path / "out").exists()


def test_a_null_of_other_models_is_refused(audited, tmp_path: Path) -> None:
    (tmp_path / "null.jsonl").write_text(json.dumps(PAIR | {"model": "other"}), encoding="utf-8")
    ran = audited([PAIR], "--null", str(tmp_path / "null.jsonl"))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert re.search(r"null\.jsonl: shares no model with .*pairs\.jsonl; its models are other$", ran.err.strip())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("gaps", "p", "verdict"),
    # the null's gaps are 1 to 4: of choose(8, 4) = 70 labels one puts the largest four together; all reach the least
    [((20, 21, 22, 23), 1 / 70, "disparity beyond noise"), ((0, 0, 0, 0), 1.0, "cannot tell")],
)
def test_a_null_of_other_topics_can_find_a_disparity_and_never_its_absence(
    audited, tmp_path: Path, gaps: tuple[int, ...], p: float, verdict: str
) -> None:
    null = tmp_path / "null.jsonl"
    null.write_text("\n".join(map(json.dumps, lengths_of([(f"n{gap}", 30, 30 + gap) for gap in (1, 2, 3, 4)]))), "utf-8")
    # each side is the longer one in half of the topics, so that direction shows nothing
    pairs = lengths_of([(f"t{k}", 30, 30 + gap * (-1) ** k) for k, gap in enumerate(gaps)])
    assert audited(pairs, "--null", str(null)).code == 0
    found = read(tmp_path)["word_count"]
    assert (found["p_magnitude"], found["verdict"]) == (pytest.approx(p), verdict)
    assert "no topic in both files: a disparity can be found, its absence cannot be shown" in found["reason"]
    assert "direction does not reject" not in found["reason"]
    assert ("no test rejects" in found["reason"]) == (verdict == "cannot tell")


def test_a_null_that_shares_topics_and_models_but_no_cell_leaves_magnitude_unjudged(audited, tmp_path: Path) -> None:
    null = tmp_path / "null.jsonl"
    here = lengths_of([("t", 10, 14)]) + [row | {"pair_id": "x", "model": "k"} for row in lengths_of([("u", 10, 13)])]
    there = lengths_of([("u", 10, 14)]) + [row | {"pair_id": "x", "model": "k"} for row in lengths_of([("t", 10, 13)])]
    null.write_text("\n".join(map(json.dumps, there)), encoding="utf-8")
    assert audited(here, "--null", str(null)).code == 0
    found = read(tmp_path)["word_count"]
    assert (found["verdict"], found["p_magnitude"]) == ("cannot tell", None)
    assert "no topic and model in both files: magnitude cannot be judged" in found["reason"]


def test_the_page_says_what_one_null_can_show_and_only_where_there_is_one(audited, tmp_path: Path) -> None:
    # pages/noise_floor.md section 9, 3
    caveat = "The null is one draw of edits that should not matter. So a disparity in magnitude means more than this edit makes"
    for options, there in (((), False), (("--null", str(EXAMPLES / "null.jsonl")), True)):
        assert audited(EXAMPLES / "pairs.jsonl", *options).code == 0
        assert (caveat in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")) == there


def test_the_page_shows_the_difference_that_the_bound_is_about(audited, tmp_path: Path) -> None:
    page = tmp_path / "out" / "report.html"
    assert audited(EXAMPLES / "pairs.jsonl", "--null", str(EXAMPLES / "null.jsonl")).code == 0
    # all decisions of the example are equal, so that the page has one table
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r'data-name="Difference in placebo SD \[90\xa0%\]">([^<]*)<', text)
    found = pd.read_csv(tmp_path / "out" / "summary.csv").query("rests_on")
    names = ("difference_sd", "difference_sd_low", "difference_sd_high")
    rows = [[number(row[name]) for name in names] for row in found.to_dict("records") if row["n_pairs"]]
    assert [each for each in shown if each != "–"] == [f"{value} [{low}, {high}]" for value, low, high in rows]
    assert len(rows) == 8
    assert "<li>Difference in placebo SD: " in text
    # without a null there is no placebo SD
    assert audited(EXAMPLES / "pairs.jsonl").code == 0
    assert "Difference in placebo SD" not in page.read_text(encoding="utf-8")


def test_text_is_shown_and_never_run(audited, tmp_path: Path) -> None:
    hostile = PAIR | {"topic": "=1+1", "axis": "<script>x</script>", "explanation_b": "<script>alert(1)</script> and more."}
    assert audited([hostile], "--with-texts").code == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    # the apostrophe of `eftlib.tables.inert`
    assert "'=1+1" in (tmp_path / "out" / "pairs.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_a_carriage_return_in_a_text_begins_no_row_of_a_table(audited, tmp_path: Path, end: str) -> None:
    hostile = PAIR | {"topic": f"t0{end}=1+1", "explanation_a": f'Fine text.{end}=HYPERLINK("http://x")'}
    assert audited([hostile, PAIR | {"pair_id": "2"}], "--with-texts").code == 0
    written = (tmp_path / "out" / "pairs.csv").read_bytes().decode()
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert len(rows) == 1 + 2 * 10  # a head, and each pair's ten metrics
    assert {len(row) for row in rows} == {len(rows[0])}
    assert not [cell for row in rows for cell in row if cell.startswith("=")]
    table = pd.read_csv(tmp_path / "out" / "pairs.csv")
    assert set(table["topic"]) == {"t0\n=1+1", "t"}
    assert set(table["explanation_a"]) == {'Fine text.\n=HYPERLINK("http://x")', PAIR["explanation_a"]}


# --- public data, beside this checkout where they are: never committed


@needs_external
def test_the_hiring_pairs_agree_with_a_second_script(audited, tmp_path: Path) -> None:
    # tests/second_script/hiring.py shares no code with the library; it tries all 131,072 flips, the library draws 9,999
    ran = audited(EXTERNAL / "hiring_race_black.jsonl", "--null", str(EXTERNAL / "null_pairs.jsonl"), "--profile", "published")
    assert ran.code == 0
    found = pd.read_csv(tmp_path / "out" / "summary.csv").set_index(["metric", "rows"])
    expected = pd.read_csv(ROOT / "tests" / "second_script" / "hiring.csv").set_index(["metric", "rows"])
    assert len(expected) == 4
    for place, row in expected.iterrows():
        own = found.loc[place]
        for name in ("n_pairs", "cells", "ratio", "ratio_low", "ratio_high", "difference"):
            assert own[name] == pytest.approx(row[name], rel=1e-9), (place, name)
        for name in ("p_magnitude", "p_direction"):
            assert own[name] == pytest.approx(row[name], abs=4 * math.sqrt(row[name] * (1 - row[name]) / 9_999)), (place, name)


@needs_external
def test_the_public_null_alone_shows_nothing_and_a_shifted_side_is_found(audited, tmp_path: Path) -> None:
    assert audited(EXTERNAL / "null_pairs.jsonl", "--fail-on", "disparity").code == 0
    assert {row["verdict"] for row in read(tmp_path).values()} == {"cannot tell"}
    pairs = [json.loads(line) for line in (EXTERNAL / "null_pairs.jsonl").read_text("utf-8").splitlines()]
    lengths = [[len(pair[f"explanation_{side}"].split()) for side in "ab"] for pair in pairs]
    # a placebo SD: sqrt(pi) / 2 of the mean gap between two texts that differ in nothing
    shift = round(math.sqrt(math.pi) / 2 * sum(abs(a - b) for a, b in lengths) / len(lengths))
    more = " ".join(["This was also weighed by those who had to decide it then."] * 9).split()[:shift]
    longer = [pair | {"explanation_b": f"{pair['explanation_b']} {' '.join(more)}"} for pair in pairs]
    assert audited(longer, "--fail-on", "disparity").code == 3
    row = read(tmp_path)["word_count"]
    assert (row["verdict"], row["claim"]) == ("disparity beyond noise", "direction")


# --- made here: numbers that a pencil gives


def lengths_of(pairs: list[tuple[str, int, int]], **more: Any) -> list[dict[str, Any]]:
    """Pairs of one model whose texts have so many words."""
    return [
        {
            "pair_id": str(number), "topic": topic, "model": "m",
            "explanation_a": "word " * a + ".", "explanation_b": "word " * b + ".",
        } | more
        for number, (topic, a, b) in enumerate(pairs)
    ]  # fmt: skip


def test_cells_without_a_match_in_the_null_are_counted_and_left_out(audited, tmp_path: Path) -> None:
    null = tmp_path / "null.jsonl"
    same = lengths_of([("t", 10, 12), ("u", 10, 11), ("v", 9, 10)])
    null.write_text("\n".join(map(json.dumps, same)), encoding="utf-8")
    assert audited(lengths_of([("t", 10, 14), ("u", 10, 13), ("w", 10, 90)]), "--null", str(null)).code == 0
    found = pd.read_csv(tmp_path / "out" / "summary.csv").set_index("metric").loc["word_count"]
    assert (found["n_pairs"], found["cells"], found["cells_left_out"]) == (3, 2, 1)
    # gaps 4 and 3 over null gaps 2 and 1; the topic w, of which the null knows nothing, is in neither
    assert found["ratio"] == pytest.approx(7 / 3)


def test_further_models_in_the_null_do_not_change_the_unit_of_the_difference(audited, tmp_path: Path) -> None:
    null = tmp_path / "null.jsonl"
    both = lengths_of([("t", 10, 12), ("u", 10, 11)])
    both += [row | {"pair_id": f"k{row['pair_id']}", "model": "k"} for row in both]
    null.write_text("\n".join(map(json.dumps, both)), encoding="utf-8")
    ran = audited(lengths_of([("t", 10, 14), ("u", 10, 13)]), "--null", str(null))
    assert ran.code == 0
    assert "pairs.jsonl: 2 pairs, 2 topics, 1 model\nnull.jsonl: 4 pairs, 2 topics, 2 models\n" in ran.err
    found = pd.read_csv(tmp_path / "out" / "summary.csv").set_index("metric").loc["word_count"]
    assert (found["difference"], found["difference_unit"]) == (3.5, "words")


def test_unequal_decisions_are_left_out_and_all_rows_stand_beside(audited, tmp_path: Path) -> None:
    equal = lengths_of([("t", 10, 14), ("u", 10, 12), ("v", 10, 11)], decision_a="no", decision_b="no")
    unequal = lengths_of([("t", 10, 50)], decision_a="no", decision_b="yes")
    assert audited([*equal, unequal[0] | {"pair_id": "x"}]).code == 0
    found = pd.read_csv(tmp_path / "out" / "summary.csv").set_index(["metric", "rows"]).loc["word_count"]
    assert found["n_pairs"].to_dict() == {"equal decisions": 3, "all": 4}
    assert found.loc["equal decisions", "difference"] == pytest.approx(7 / 3)
    assert found.loc["all", "difference"] == pytest.approx((22 + 2 + 1) / 3)  # t has 4 and 40
    assert read(tmp_path)["word_count"]["rows"] == "equal decisions"


def test_an_unknown_decision_is_not_an_equal_one(audited, tmp_path: Path) -> None:
    null = tmp_path / "null.jsonl"
    same = lengths_of([("t", 10, 12), ("u", 10, 11)], same_decision=True)
    unknown = lengths_of([("t", 10, 50)])[0] | {"pair_id": "x"}
    null.write_text("\n".join(map(json.dumps, [*same, unknown])), encoding="utf-8")
    pairs = lengths_of([("t", 10, 14), ("u", 10, 13)], decision_a="no", decision_b="no")
    assert audited([*pairs, unknown | {"decision_a": "no"}], "--null", str(null)).code == 0
    found = pd.read_csv(tmp_path / "out" / "summary.csv").set_index(["metric", "rows"]).loc["word_count"]
    assert found["n_pairs"].to_dict() == {"equal decisions": 2, "all": 3}
    # gaps 4 and 3 over null gaps 2 and 1; with the unknown ones t has 22 over 21
    assert found["ratio"].to_dict() == pytest.approx({"equal decisions": 7 / 3, "all": 25 / 22})
    assert "with an unknown decision: 1." in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_where_no_decision_of_a_file_is_known_all_its_rows_count(audited, tmp_path: Path) -> None:
    null = tmp_path / "null.jsonl"
    null.write_text("\n".join(map(json.dumps, lengths_of([("t", 10, 12), ("u", 10, 11)]))), encoding="utf-8")
    # decisions of the pairs alone
    pairs = lengths_of([("t", 10, 14), ("u", 10, 13)])
    assert audited([row | {"same_decision": True} for row in pairs], "--null", str(null)).code == 0
    assert (read(tmp_path)["word_count"]["rows"], read(tmp_path)["word_count"]["ratio"]) == ("equal decisions", 7 / 3)
    assert audited(pairs, "--null", str(null)).code == 0
    assert (read(tmp_path)["word_count"]["rows"], read(tmp_path)["word_count"]["ratio"]) == ("all", 7 / 3)


def test_where_no_row_has_equal_decisions_the_reason_says_so(audited, tmp_path: Path) -> None:
    assert audited(lengths_of([("t", 10, 14), ("u", 10, 12)], same_decision=False)).code == 0
    assert {row["reason"] for row in read(tmp_path).values()} == {"no row with equal decisions"}
    # the same of an axis whose decisions alone are unknown
    known = lengths_of([("t", 10, 14), ("u", 10, 12)], same_decision=True)
    assert audited([*known, PAIR | {"pair_id": "x", "axis": "other"}]).code == 0
    found = pd.read_csv(tmp_path / "out" / "summary.csv").set_index(["axis", "rows", "metric"])["reason"]
    assert found["other", "equal decisions", "word_count"] == "no row with equal decisions"
    assert "no row" not in found["all", "equal decisions", "word_count"]


def test_a_null_without_equal_decisions_leaves_magnitude_unjudged_and_is_named(audited, tmp_path: Path) -> None:
    null = tmp_path / "null.jsonl"
    null.write_text("\n".join(map(json.dumps, lengths_of([("t", 10, 12), ("u", 10, 11)], same_decision=False))), "utf-8")
    assert audited(lengths_of([("t", 10, 14), ("u", 10, 13)], same_decision=True), "--null", str(null)).code == 0
    found = read(tmp_path)["word_count"]
    assert (found["rows"], found["p_magnitude"]) == ("equal decisions", None)
    assert "no row of the null with equal decisions: judged in direction only" in found["reason"]


@pytest.mark.parametrize("models", [1, 2])
@pytest.mark.parametrize("topics", ["tu", "vw"])
def test_gaps_that_are_all_zero_are_called_so(audited, tmp_path: Path, models: int, topics: str) -> None:
    def same(names: str) -> list[dict[str, Any]]:
        one = lengths_of([(name, 10, 10) for name in names])
        return [row | {"pair_id": f"{row['pair_id']} {k}", "model": f"m{k}"} for row in one for k in range(models)]

    null = tmp_path / "null.jsonl"
    null.write_text("\n".join(map(json.dumps, same(topics))), encoding="utf-8")
    assert audited(same("tu"), "--null", str(null)).code == 0
    found = read(tmp_path)["word_count"]
    assert (found["verdict"], found["p_magnitude"], found["p_direction"]) == ("cannot tell", None, None)
    assert found["reason"] == (
        "all gaps to compare are 0, which is no noise floor: magnitude cannot be judged; "
        "the gaps of the pairs are all 0: no variation"
    )
    # of several models those without any gap leave, and no cell is left
    used = pd.read_csv(tmp_path / "out" / "summary.csv").set_index("metric").loc["word_count"]
    assert (used["cells"], used["cells_left_out"]) == ((2, 0) if models == 1 else (0, 4))


def test_gaps_that_only_cancel_are_not_called_zero(audited, tmp_path: Path) -> None:
    assert audited(lengths_of([("t", 10, 14), ("t", 14, 10)])).code == 0
    reason = read(tmp_path)["word_count"]["reason"]
    assert "no variation" in reason
    assert "all 0" not in reason


@pytest.mark.parametrize("sign", "=+-@")
def test_a_csv_under_other_names_is_read_and_what_is_written_is_inert(audited, tmp_path: Path, sign: str) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(f"job,llm,left,right\n{sign}x,m,One word more.,One.\nu,m,Two words.,Two.\n", encoding="utf-8")
    names = "explanation_a=left,explanation_b=right,model=llm"
    assert audited(path, "--columns", names, "--cluster", "job", "--with-texts").code == 0
    written = pd.read_csv(tmp_path / "out" / "pairs.csv")
    assert set(written["topic"]) == {f"'{sign}x", "u"}
    assert written["difference"].dtype == float  # a negative number stays one
    assert (written.loc[written["metric"] == "word_count", "difference"] == [-2, -1]).all()


def test_a_folder_that_cannot_be_written_is_one_line(run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = run("audit", str(EXAMPLES / "null.jsonl"), "--no-embed", "--out", str(tmp_path / "file" / "out"))
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be written" in ran.err.splitlines()[-1]


FILES = ("summary.csv", "pairs.csv", "report.html", "verdicts.json")


@pytest.mark.parametrize("moved", range(5))
def test_an_audit_that_is_interrupted_leaves_no_verdicts_beside_other_files(
    audited, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    out = tmp_path / "out"
    assert audited([PAIR]).code == 0
    old = {name: (out / name).read_bytes() for name in FILES}
    move, done = Path.replace, []

    def stopped(self: Path, target: Path) -> Path:
        if len(done) == moved:
            raise KeyboardInterrupt
        done.append(target.name)
        return move(self, target)

    monkeypatch.setattr(Path, "replace", stopped)
    assert audited([PAIR | {"topic": "other", "explanation_b": "Long before."}]).code == (0 if moved == 4 else 130)
    changed = {name for name in FILES if not (out / name).exists() or (out / name).read_bytes() != old[name]}
    # verdicts.json is gone before the first file is replaced, and is there again once all are
    assert changed == {*FILES[:moved], "verdicts.json"}
    assert (out / "verdicts.json").exists() == (moved == 4)
    assert sorted(path.name for path in out.iterdir()) == sorted(name for name in FILES if (out / name).exists())


def test_an_audit_that_cannot_be_drafted_leaves_the_older_one_whole(
    audited, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert audited([PAIR]).code == 0
    old = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    write = Path.write_text

    def full(self: Path, text: str, encoding: str) -> int:
        if self.name == "verdicts.json":
            raise OSError(28, "No space left on device")
        return write(self, text, encoding)

    path = tmp_path / "others.jsonl"
    path.write_text(json.dumps(PAIR | {"topic": "other"}), encoding="utf-8")
    monkeypatch.setattr(Path, "write_text", full)
    ran = audited(path)
    assert ran.code == 2
    assert "out: cannot be written (No space left on device)" in ran.err
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == old
