"""The `measure` command: JSON lines in, CSV out, one line where it cannot."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shared import ROOT
from texts import BAG, KNOWN, NOTHING, Bag

from eftlib import measuring
from eftlib.errors import StoppedError
from eftlib.metrics import Explanation, measure

# interfaces.md, row `measure`; metrics in the order of design.md
METRICS = ["word_count", "elaboration_depth", "sentiment", "hedging_density", "efp", "fkgl", "ttr", "domain_density"]
EXTENSIONS = ["naming_rate", "pronoun_rate"]
COLUMNS = ["id", "outcome", "flags", *METRICS, *EXTENSIONS, "reason"]
ANSWER = "Ada Birch was denied: the income is too low. It might rise."
FULL = {
    "text": ANSWER, "opposite": "Ada Birch was granted the loan.", "domain": "credit", "name": "Ada Birch",
    "prompt": "Why?", "finish_reason": "stop", "id": "first",
}  # fmt: skip


class Fake(Bag):
    """Stands in for the real embedder, which takes a gigabyte."""

    def embed(self, texts: Any, *, progress: bool = False) -> dict[str, Any]:
        if progress:
            print("embedding", file=sys.stderr)
        return super().embed(texts)


@pytest.fixture(autouse=True)
def _no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(measuring, "Embedder", Fake)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., str]:
    """Write lines (objects, or text as it is) to a file and return its name."""

    def write(*lines: dict | str, name: str = "in.jsonl") -> str:
        texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
        return name

    return write


@pytest.fixture
def table(run, put) -> Callable[..., list[dict[str, str]]]:
    """Measure lines with a command that succeeds, and read its CSV."""

    def measured(*lines: dict | str, options: tuple[str, ...] = ("--no-embed",)) -> list[dict[str, str]]:
        ran = run("measure", put(*lines), *options)
        assert ran.code == 0, ran.err
        return list(csv.DictReader(io.StringIO(ran.out, newline="")))

    return measured


def reasons(row: dict[str, str]) -> dict[str, str]:
    return dict(part.split(": ", 1) for part in row["reason"].split("; ") if part)


# --- what it gives


def test_columns_are_those_of_the_interface(run, put) -> None:
    for options in ([], ["--no-embed"], ["--profile", "controlled"], ["--profile", "published"]):
        assert run("measure", put(FULL), *options).out.splitlines()[0].split(",") == COLUMNS


@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_values_are_the_metrics_own_to_the_last_digit(table, profile: str) -> None:
    (row,) = table(FULL, options=("--profile", profile))
    known = {"name": FULL["name"], "domain": "credit", "opposite": FULL["opposite"], "similarities": BAG}
    expected = measure(Explanation(ANSWER, profile, **known))
    assert {name: float(row[name]) for name in expected} == {name: found for name, (found, _) in expected.items()}
    assert all(row[name] == repr(float(row[name])) for name in expected)
    assert (row["id"], row["outcome"], row["flags"], row["reason"]) == ("first", "ok", "", "")


def test_published_is_the_default(run, put) -> None:
    file = put(FULL)
    assert run("measure", file, "--no-embed").out == run("measure", file, "--no-embed", "--profile", "published").out
    assert run("measure", file, "--no-embed").out != run("measure", file, "--no-embed", "--profile", "controlled").out


def test_by_hand(table) -> None:
    # 7 words; may: 1; no comma, bracket or quote in any number
    (row,) = table({"text": "Low credit score, and he may wait.", "domain": "credit", "name": "Ada Birch"})
    expected = {
        "word_count": 7,
        "hedging_density": 1 / 7,
        "ttr": 1,
        "domain_density": 2 / 7,
        "naming_rate": 0,
        "pronoun_rate": 1,
    }
    assert {name: float(row[name]) for name in expected} == pytest.approx(expected)


def test_what_has_no_value_is_an_empty_field_with_a_reason(table) -> None:
    (row,) = table({"text": ANSWER})
    empty = {name for name in METRICS + EXTENSIONS if not row[name]}
    assert empty == {"elaboration_depth", "efp", "domain_density", "naming_rate"} == set(reasons(row))
    assert reasons(row)["domain_density"] == "no domain"
    assert reasons(row)["naming_rate"] == "no name"
    assert reasons(row)["efp"] == "no opposite explanation"
    assert reasons(row)["elaboration_depth"] == "not computed (--no-embed)"


def test_an_unknown_domain_is_named_as_the_reason(table) -> None:
    (row,) = table({"text": ANSWER, "domain": "housing"})
    assert reasons(row)["domain_density"] == "no vocabulary for the domain 'housing'"


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_an_empty_text_has_no_value_at_all(table, nothing: str, profile: str) -> None:
    (row,) = table(FULL | {"text": NOTHING[nothing]}, options=("--profile", profile))
    assert row["outcome"] == "empty"
    assert [row[name] for name in METRICS + EXTENSIONS] == [""] * 10
    assert set(reasons(row)) == {*METRICS, *EXTENSIONS}


def test_no_number_is_ever_the_word_nan(run, put) -> None:
    # C70, C72
    out = run("measure", put({"text": ""}, {"text": "x", "opposite": "..."}, {"text": "…", "name": None}), "--no-embed").out
    assert not re.search(r"\b(nan|None|inf|null|np)\b", out, re.IGNORECASE)


@pytest.mark.parametrize("field", ["opposite", "domain", "name", "prompt", "finish_reason", "id"])
def test_null_is_not_known(table, field: str) -> None:
    assert table(FULL | {field: None}) == table({key: value for key, value in FULL.items() if key != field})


def test_lines_without_an_id_are_numbered(table) -> None:
    rows = table({"text": "one"}, {"text": "two", "id": 7}, "", {"text": "three", "id": "c"}, {"text": "four"})
    assert [row["id"] for row in rows] == ["1", "7", "c", "4"]


def test_rows_keep_the_order_of_the_lines_also_of_one_id(table) -> None:
    rows = table({"text": "one", "id": "b"}, {"text": "one two", "id": "a"}, {"text": "one two three", "id": "b"})
    assert [(row["id"], row["word_count"]) for row in rows] == [("b", "1.0"), ("a", "2.0"), ("b", "3.0")]


def test_no_lines_give_the_header(run, put) -> None:
    assert run("measure", put("")).out.splitlines() == [",".join(COLUMNS)]


# an id that a spreadsheet would run comes back as well: whoever joins by it needs it letter for letter
@pytest.mark.parametrize("identifier", ["=1+1", "@SUM(A1)", "a,b", 'a"b', "a\nb", "é 🙂", " a ", "", "-1", "a;b"])
def test_an_id_comes_back_as_it_was(table, identifier: str) -> None:
    assert table({"text": "x", "id": identifier})[0]["id"] == identifier


@pytest.mark.parametrize("text", ['=1+1, "x"', "@SUM(A1)", "+cmd|' /C calc'!A0", "-2", "\t=x"])
def test_a_text_never_reaches_the_table(run, put, text: str) -> None:
    # a spreadsheet runs a cell that begins with one of = + - @
    line = {"text": text, "opposite": text, "prompt": text, "name": f"{text} Roe", "finish_reason": text}
    for row in csv.DictReader(io.StringIO(run("measure", put(line), "--no-embed").out)):
        assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in row.values())
        assert text.strip() not in row.values()


def test_known_texts_in_one_go(table) -> None:
    rows = table(*[{"text": known.text, "id": name} for name, known in KNOWN.items()], options=("--profile", "controlled"))
    assert {row["id"]: float(row["word_count"]) for row in rows} == {name: len(known.words) for name, known in KNOWN.items()}


def test_standard_error_and_output_go_apart(run, put) -> None:
    ran = run("measure", put(FULL))
    assert ran.err == "embedding\n"
    assert ran.out.startswith("id,")


# --- reasoning, echoes, outcomes

DENIED = "Denied: the rent is too high."


@pytest.mark.parametrize(
    "text",
    [
        f"<think>\nRent 1,900.\n</think>\n\n{DENIED}",
        f"<think>\n\n</think>\n\n{DENIED}",
        f"Rent is high.\n</think>\n\n{DENIED}",
        f"[THINK]Rent first.[/THINK]{DENIED}",
        f"<thought>Rent.</thought>{DENIED}",
        f"<reasoning>Rent.</reasoning>\n{DENIED}",
        f"<|channel|>analysis<|message|>Rent.<|end|><|start|>assistant<|channel|>final<|message|>{DENIED}<|return|>",
    ],
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_reasoning_is_never_measured(table, text: str, profile: str) -> None:
    # C44, C47, C49, C52, C53
    options = ("--profile", profile)
    known = {"opposite": "Granted: the rent is low.", "domain": "credit", "name": "Ada Birch", "id": 1}
    assert table({"text": text} | known, options=options) == table({"text": DENIED} | known, options=options)
    # and not in the opposite explanation
    plain = {"text": "Granted: the rent is low.", "opposite": DENIED}
    assert table(plain | {"opposite": text}, options=options) == table(plain, options=options)


def test_tags_that_are_merely_mentioned_are_measured(table) -> None:
    # C51
    text = "Granted. The form asks for tags such as <think> and </think> around notes."
    assert float(table({"text": text})[0]["word_count"]) == 13


@pytest.mark.parametrize(
    ("text", "finish", "outcome"),
    [
        ("<think>\nThe rent is high. Let me see the", None, "truncated_in_reasoning"),
        ("<think>\nThe rent is high. Let me see the", "length", "truncated_in_reasoning"),
        ("", "length", "truncated_in_reasoning"),
        ("<|channel|>analysis<|message|>The rent is", None, "empty"),
        ("<think>Rent.</think>", "stop", "empty"),
        ("I will not say.", "refusal", "refused"),
        ("The defendant has", "content_filter", "filtered"),
    ],
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_what_is_no_explanation_is_not_measured(table, text: str, finish: str | None, outcome: str, profile: str) -> None:
    (row,) = table(FULL | {"text": text, "finish_reason": finish}, options=("--profile", profile))
    assert row["outcome"] == outcome
    assert [row[name] for name in METRICS + EXTENSIONS] == [""] * 10
    assert set(reasons(row)) == {*METRICS, *EXTENSIONS}


@pytest.mark.parametrize("finish", ["length", "max_tokens"])
def test_an_answer_that_was_cut_off_is_measured_in_published_alone(table, finish: str) -> None:
    cut = FULL | {"text": "The rent is too high and", "finish_reason": finish}
    (published,), (controlled,) = table(cut), table(cut, options=("--no-embed", "--profile", "controlled"))
    assert (published["outcome"], published["flags"], published["word_count"]) == ("truncated", "unfinished", "6.0")
    assert (controlled["outcome"], controlled["word_count"]) == ("truncated", "")
    assert set(reasons(controlled).values()) == {"truncated"}


PROMPT = (
    "Ada Birch asked a bank for a loan of 900 dollars. The bank decided to decline.\n\nExplain the reasons for this decision."
)


@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_an_echo_of_the_prompt_is_cut_in_both_profiles(table, profile: str) -> None:
    # C82
    options = ("--profile", profile)
    (echoed,) = table({"text": f"{PROMPT}\n\n{DENIED}", "prompt": PROMPT}, options=options)
    (alone,) = table({"text": DENIED}, options=options)
    assert (echoed["flags"], alone["flags"]) == ("echo", "")
    assert {**echoed, "flags": ""} == alone
    assert float(table({"text": f"{PROMPT}\n\n{DENIED}"}, options=options)[0]["word_count"]) == 6 + 22


def test_an_answer_that_is_an_echo_alone_has_no_value(table) -> None:
    (row,) = table({"text": PROMPT, "prompt": PROMPT})
    assert row["flags"].split()[0] == "echo"
    assert set(reasons(row).values()) == {"empty"}


def test_flags_of_damage(table) -> None:
    loop = "The bank had no money left for a loan. "
    rows = table({"text": loop * 3}, {"text": f"{loop * 3}and so"}, {"text": "and so"}, {"text": "So."})
    assert [row["flags"] for row in rows] == ["repetitive", "repetitive unfinished", "unfinished", ""]


# --- opposites that are no explanation, in a run that embeds


@pytest.mark.parametrize(
    "opposite", ["", " ", "...", "🙂", "<think>Rent.</think>", "<think>Rent", "**", "[1]: https://example.org"]
)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_an_opposite_without_a_word_leaves_efp_alone_empty(table, opposite: str, profile: str) -> None:
    if profile == "published" and "example" in opposite:
        pytest.skip("published reads markup")
    (row,) = table(FULL | {"opposite": opposite}, options=("--profile", profile))
    assert reasons(row) == {"efp": "no opposite explanation"}


# --- standard input and --out


def piped(data: bytes, *options: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "eftlib", "measure", "-", "--no-embed", *options]
    return subprocess.run(command, cwd=ROOT, input=data, capture_output=True, env={**os.environ, **env}, check=False)


def test_a_dash_reads_standard_input(run, put, monkeypatch: pytest.MonkeyPatch) -> None:
    file = put(FULL, {"text": "x"})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(file).read_bytes())))
    assert run("measure", "-", "--no-embed").out == run("measure", file, "--no-embed").out


LOCALES = [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}]


@pytest.mark.parametrize("locale", LOCALES, ids=lambda each: "=".join(*each.items()))
def test_standard_input_is_utf8_whatever_the_terminal_speaks(locale: dict[str, str]) -> None:
    line = json.dumps({"text": "The résumé is good.", "domain": "hiring", "id": "é"}, ensure_ascii=False).encode()
    ran = piped(line, **locale)
    assert (ran.returncode, ran.stderr) == (0, b"")
    (row,) = csv.DictReader(io.StringIO(ran.stdout.decode()))
    assert (row["id"], row["domain_density"]) == ("é", "0.25")


def test_standard_input_that_is_not_utf8_is_one_line() -> None:
    # in the C locale Python lets such bytes through as half characters
    ran = piped(b'{"text": "caf\xe9"}\n', LC_ALL="C")
    assert (ran.returncode, ran.stdout, ran.stderr.count(b"\n")) == (2, b"", 1)
    assert b"UTF-8" in ran.stderr


def test_out_gets_what_standard_output_would(run, put, tmp_path: Path) -> None:
    file = put(FULL)
    expected = run("measure", file).out
    ran = run("measure", file, "--out", "table.csv")
    assert (ran.code, ran.out) == (0, "")
    assert (tmp_path / "table.csv").read_text(encoding="utf-8") == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "table.csv"]


def test_out_replaces_what_was_there(run, put, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("old " * 1000, encoding="utf-8")
    run("measure", put(FULL), "--out", "table.csv")
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").startswith("id,outcome")


def test_out_may_be_the_input(run, put, tmp_path: Path) -> None:
    assert run("measure", put(FULL), "--out", "in.jsonl").code == 0
    assert (tmp_path / "in.jsonl").read_text(encoding="utf-8").startswith("id,outcome")


# --- bad input

BAD = {
    "no JSON": ("Denied.", r"in\.jsonl:2: not JSON"),
    "half a line": ('{"text": "Den', r"in\.jsonl:2: not JSON"),
    "two objects": ('{"text": "a"} {"text": "b"}', r"in\.jsonl:2: not JSON"),
    "a list": ('["Denied."]', r"in\.jsonl:2: .*object.*'text'"),
    "a string": ('"Denied."', r"in\.jsonl:2: .*object.*'text'"),
    "null": ("null", r"in\.jsonl:2: .*object.*'text'"),
    "no text": ("{}", r"in\.jsonl:2: the field 'text' is missing"),
    "another name": ('{"txt": "Denied."}', r"in\.jsonl:2: .*'te?xt'"),
    "null text": ('{"text": null}', r"in\.jsonl:2: text is 'None'; it must be a text"),
    "a number": ('{"text": 5}', r"in\.jsonl:2: text is '5'; it must be a text"),
    "a boolean": ('{"text": true}', r"in\.jsonl:2: text is 'True'; it must be a text"),
    "parts": ('{"text": ["Denied."]}', r"in\.jsonl:2: text is .*; it must be a text"),
    "NaN": ('{"text": NaN}', r"in\.jsonl:2: not JSON \(NaN is no JSON\)"),
    "Infinity": ('{"text": "x", "id": -Infinity}', r"in\.jsonl:2: not JSON \(-Infinity is no JSON\)"),
    "unknown field": (
        '{"text": "x", "colour": "red"}',
        r"in\.jsonl:2: unknown field 'colour'; allowed: text, opposite, domain",
    ),
    "domain": ('{"text": "x", "domain": 3}', r"in\.jsonl:2: domain is '3'; it must be a text"),
    "opposite": ('{"text": "x", "opposite": {"a": 1}}', r"in\.jsonl:2: opposite is .*; it must be a text"),
    "name": ('{"text": "x", "name": ["Ada"]}', r"in\.jsonl:2: name is .*; it must be a text"),
    "id": ('{"text": "x", "id": [1]}', r"in\.jsonl:2: id is '\[1\]'; it must be"),
    "id, a fraction": ('{"text": "x", "id": 1.5}', r"in\.jsonl:2: id is '1\.5'; it must be"),
    "id, a boolean": ('{"text": "x", "id": true}', r"in\.jsonl:2: id is 'True'; it must be"),
    "depth": ('{"text": ' + "[" * 100_000, r"in\.jsonl:2: not JSON"),
    "a huge number": ('{"text": "x", "id": ' + "9" * 5000 + "}", r"in\.jsonl:2: "),
    "a field twice": ('{"text": "x", "text": "y"}', r"in\.jsonl:2: .*twice"),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("out", [[], ["--out", "table.csv"]], ids=["", "--out"])
def test_a_line_that_cannot_be_used_is_one_line(run, put, tmp_path: Path, bad: str, out: list[str]) -> None:
    line, message = BAD[bad]
    (tmp_path / "table.csv").write_text("what was there", encoding="utf-8")
    ran = run("measure", put({"text": "A good line."}, line, {"text": "Another."}), "--no-embed", *out)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert re.match(f"error: {message}", ran.err)
    assert len(ran.err) < 400
    # nothing is half-written, and what was there stays
    assert (tmp_path / "table.csv").read_text(encoding="utf-8") == "what was there"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "table.csv"]


@pytest.mark.parametrize("name", ["", "  "])
def test_a_name_that_says_nothing_is_refused_or_no_name(run, put, name: str) -> None:
    ran = run("measure", put({"text": "The loan was refused.", "name": name}), "--no-embed")
    assert ran.code == 2 or "naming_rate: no name" in ran.out


@pytest.mark.parametrize("name", ["Van Le", "de la", "Al"])
def test_any_name_that_says_something_is_measured(table, name: str) -> None:
    assert table({"text": "The loan was refused.", "name": name})[0]["naming_rate"] == "0.0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.jsonl"], r"missing\.jsonl: no such file"),
        (["."], r"\.: cannot be read"),
        (["latin.jsonl"], r"latin\.jsonl: byte 13 is not UTF-8"),
        (["good.jsonl", "--profile", "publshed"], r".*--profile: invalid choice: 'publshed'.*published.*controlled"),
        (["good.jsonl", "--prof", "published"], r"unrecognized arguments: --prof"),
        ([], r".*required: FILE"),
        (["good.jsonl", "--out"], r".*--out: expected one argument"),
        (["good.jsonl", "--out", "no/such/folder/table.csv"], r"no/such/folder/table\.csv: cannot be written \(No such file"),
        (["good.jsonl", "--out", "good.jsonl/table.csv"], r"good\.jsonl/table\.csv: cannot be written \(Not a directory"),
        (["good.jsonl", "--out", "folder"], r"folder: cannot be written \(Is a directory"),
    ],
)
def test_a_command_that_cannot_be_done_is_one_line(run, tmp_path: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "good.jsonl").write_text('{"text": "Denied."}\n', encoding="utf-8")
    (tmp_path / "latin.jsonl").write_bytes(b'{"text": "caf\xe9"}\n')
    (tmp_path / "folder").mkdir()
    before = sorted(path.name for path in tmp_path.iterdir())
    ran = run("measure", *arguments, *(["--no-embed"] if arguments else []))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert re.match(f"error: {message}", ran.err)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


HALF = '{"text": "\\ud83d is low.", "id": "\\ud83d"}'


def test_half_an_emoji_is_measured(table) -> None:
    # a model that is cut off within one leaves such a text
    assert float(table('{"text": "Granted \\ud83d"}')[0]["word_count"]) == 1


@pytest.mark.parametrize("out", [[], ["--out", "table.csv"]], ids=["", "--out"])
def test_half_an_emoji_in_an_id_is_no_crash(run, put, tmp_path: Path, out: list[str]) -> None:
    ran = run("measure", put(HALF), "--no-embed", *out)
    assert ran.code == 0 or (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "table.csv.new").exists()


# --- the embedder


def test_without_the_embedder_it_stops_and_says_what_brings_it(
    run, put, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EFTLIB_MODELS", str(tmp_path / "nowhere"))
    (tmp_path / "table.csv").write_text("what was there", encoding="utf-8")
    ran = run("measure", put(FULL), "--out", "table.csv")
    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1)
    assert "make model" in ran.err
    assert (tmp_path / "table.csv").read_text(encoding="utf-8") == "what was there"
    assert run("measure", put(FULL), "--no-embed").code == 0


def test_bad_input_is_told_before_the_embedder_is_loaded(run, put, monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> None:
        raise StoppedError("loaded")

    monkeypatch.setattr(measuring, "Embedder", never)
    assert run("measure", put("{}")).code == 2


@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_all_that_is_needed_is_embedded_in_one_go(run, put, monkeypatch: pytest.MonkeyPatch, profile: str) -> None:
    fake = Fake()
    monkeypatch.setattr(measuring, "Embedder", lambda: fake)
    lines = [FULL | {"id": number, "text": f"{ANSWER} Reason {number}. {'word ' * 500}"} for number in range(5)]
    assert run("measure", put(*lines), "--profile", profile).code == 0
    assert [len(block) > 0 for block in fake.asked].count(True) == 1


def test_values_do_not_depend_on_the_other_lines(table) -> None:
    lines = [{"text": f"{ANSWER} Reason {number}.", "opposite": DENIED, "id": number} for number in range(4)]
    together = table(*lines, options=())
    assert together == [row for line in lines for row in table(line, options=())]
    assert all(math.isfinite(float(row["efp"])) for row in together)


def test_help_has_an_example(run, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run("measure", "--help")
    assert stop.value.code == 0
    assert "example: python -m eftlib measure" in capsys.readouterr().out
