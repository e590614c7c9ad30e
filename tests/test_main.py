"""The command line as a person meets it: what it prints, and one line where it cannot."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from shared import ROOT, SMALL

from eftlib import study as studies
from eftlib.errors import CheckError, InputError, StoppedError

# pages/interfaces.md, row `prompts`
FIELDS = ["template", "domain", "axis", "side", "draw", "decision", "condition", "repeat", "persona", "messages"]
PERSONA = ["id", "name", "pronouns", "age", "affiliation", "pair", "stratum"]


@pytest.fixture
def lines(run):
    """The JSON lines of a `prompts` command that succeeds."""

    def parsed(*arguments: str) -> list[dict]:
        ran = run("prompts", *arguments)
        assert ran.code == 0
        return [json.loads(line) for line in ran.out.splitlines()]

    return parsed


# --- what it prints


@pytest.mark.parametrize(
    ("options", "prompts", "calls"),
    [
        # 80 templates x 2 draws x 2 sides x 2 decisions x 3 conditions; baseline of five models, two mitigations of two
        ([], "1,920", "5,760"),
        # the study's own: 80 x 2 x 2 x 5 explanations, and 320 mitigated ones with both sides and decisions (IV.A, IV.D)
        (["--draws", "0"], "960", "2,880"),
        (["--conditions", "baseline", "--draws", "0"], "320", "1,600"),
        (["--study", "pilot"], "1,920", "3,840"),
    ],
)
def test_counts_of_the_shipped_studies(run, options, prompts, calls):
    ran = run("prompts", *options)
    assert len(ran.out.splitlines()) == int(prompts.replace(",", ""))
    assert ran.err.startswith(f"{prompts} prompts; {calls} calls")
    assert ran.err.count("\n") == 1


def test_as_a_process_data_and_counts_go_apart(start):
    out, err = start("prompts").communicate()
    assert len(out.splitlines()) == 1920
    assert err == "1,920 prompts; 5,760 calls over 5 models\n"


def test_every_field_is_present(lines):
    found = lines()
    assert {tuple(prompt) for prompt in found} == {tuple(FIELDS)}
    assert {tuple(prompt["persona"]) for prompt in found} == {tuple(PERSONA)}
    assert {tuple(message) for prompt in found for message in prompt["messages"]} == {("role", "content")}


def test_every_prompt_is_printed_once(lines):
    keys = [tuple(prompt[field] for field in FIELDS[:8]) for prompt in lines()]
    assert len(keys) == len(set(keys)) == 1920


def test_letters_beyond_ascii_stand_as_they_are(edit, run):
    edit("templates.yml", "two years", "naïve years")
    assert "naïve" in run("prompts", "--study", ".").out


@pytest.mark.parametrize(
    ("option", "field", "values"),
    [
        ("--template", "template", {"H001"}),
        ("--template", "template", {"H001", "M004"}),
        ("--templates", "template", {"L020"}),
        ("--conditions", "condition", {"blind"}),
        ("--condition", "condition", {"baseline", "fairness"}),
        ("--decisions", "decision", {"opposite"}),
        ("--draws", "draw", {1}),
    ],
)
def test_a_selection_leaves_the_rest_out(lines, option, field, values):
    chosen = lines(option, ",".join(str(value) for value in sorted(values, key=str)))
    assert chosen == [prompt for prompt in lines() if prompt[field] in values]


def test_options_work_together(lines):
    found = lines("--template", "H001", "--draws", "1", "--decisions", "stated", "--conditions", "blind")
    assert [(prompt["side"], prompt["draw"]) for prompt in found] == [("A", 1), ("B", 1)]


@pytest.mark.parametrize("study", ["paper", "pilot"])
@pytest.mark.parametrize("condition", ["blind", "fairness"])
def test_a_mitigated_prompt_is_the_baseline_after_one_paragraph(lines, study, condition):
    # read with yaml alone: what the file says is what a model must get
    said = yaml.safe_load((ROOT / "data" / "studies" / study / "study.yml").read_text(encoding="utf-8"))["conditions"][
        condition
    ]
    baseline, mitigated = (lines("--study", study, "--conditions", name) for name in ("baseline", condition))
    contents = [[prompt["messages"][0]["content"] for prompt in each] for each in (baseline, mitigated)]
    assert contents[1] == [f"{said}\n\n{content}" for content in contents[0]]
    assert "\n" not in said


def test_the_instruction_is_the_last_paragraph_of_the_pilot_and_all_it_adds(lines):
    paper, pilot = ([prompt["messages"][0]["content"] for prompt in lines("--study", name)] for name in ("paper", "pilot"))
    # design, "Benchmark"
    assert pilot == [f"{content}\n\nAnswer in one paragraph of at most 120 words." for content in paper]


@pytest.mark.parametrize(("study", "paragraphs"), [("paper", 2), ("pilot", 3)])
def test_a_baseline_prompt_is_one_user_message(lines, study, paragraphs):
    found = lines("--study", study, "--conditions", "baseline")
    assert {tuple(message["role"] for message in prompt["messages"]) for prompt in found} == {("user",)}
    assert {prompt["messages"][0]["content"].count("\n\n") + 1 for prompt in found} == {paragraphs}


def test_text_format_shows_each_prompt_under_its_heading(run, lines):
    options = ("--template", "H001", "--draws", "0", "--conditions", "baseline")
    text = run("prompts", *options, "--format", "text").out
    prompts = lines(*options)
    assert text.count("H001 · hiring · gender") == 1
    for prompt in prompts:
        head = f"--- {prompt['side']}0 {prompt['persona']['name']} · {prompt['decision']} · baseline\n"
        assert head + prompt["messages"][0]["content"] + "\n" in text


def test_text_format_names_repeats(edit, run):
    edit("study.yml", "repeats: 1", "repeats: 2")
    assert "· baseline · repeat 1\n" in run("prompts", "--study", ".", "--format", "text").out


@pytest.mark.parametrize(
    ("arguments", "says"), [(["--help"], "prompts"), (["prompts", "--help"], "example: python -m eftlib prompts")]
)
def test_help(start, arguments, says):
    process = start(*arguments)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert says in out


# --- readers that go away, and other ends


def test_head_is_quiet(start):
    process = start("prompts")
    process.stdout.readline()
    process.stdout.close()
    with process.stderr as err:
        assert err.read() == ""
    assert process.wait() == 0


def test_a_reader_that_takes_nothing_is_quiet_too(start):
    # few prompts stay in the buffer until the process ends: the pipe breaks only then
    reading, writing = os.pipe()
    os.close(reading)
    process = start("prompts", "--template", "H001", "--draws", "0", "--conditions", "baseline", stdout=writing)
    os.close(writing)
    _, err = process.communicate()
    assert "BrokenPipe" not in err
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line_and_not_a_found_difference(start):
    with Path("/dev/full").open("w") as full:
        process = start("prompts", stdout=full)
        _, err = process.communicate()
    assert "Traceback" not in err
    # pages/interfaces.md: 1 is "a check found a difference"
    assert process.returncode not in {0, 1}


@pytest.mark.parametrize(
    ("error", "code"),
    # pages/interfaces.md, "Exit codes everywhere"
    [(InputError("a\nb"), 2), (CheckError("a\nb"), 1), (StoppedError("a\nb"), 4)],
)
def test_an_error_is_one_line_and_its_exit_code(run, monkeypatch, error, code):
    def fail(name):
        raise error

    monkeypatch.setattr(studies, "load", fail)
    assert run("prompts") == (code, "", "error: a b\n")


def test_an_interrupt_exits_with_130(run, monkeypatch):
    def interrupt(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(studies, "load", interrupt)
    assert run("prompts") == (130, "", "interrupted\n")


# --- bad options


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "COMMAND"),
        (["prompt"], "'prompt'.*prompts"),
        (["prompts", "--drws", "0"], "--drws 0.*--help"),
        # an abbreviation would change its meaning with the next option
        (["prompts", "--temp", "H001"], "--temp.*--help"),
        (["prompts", "--draws"], "--draws.*argument"),
        (["prompts", "--draws", ""], "--draws.*names nothing"),
        (["prompts", "--draws", "2"], "--draws.*'2'.*allowed: 0, 1"),
        (["prompts", "--draws", "0,2"], "--draws.*'2'.*allowed: 0, 1"),
        (["prompts", "--draws", "both"], "--draws.*'both'.*allowed: 0, 1"),
        (["prompts", "--decisions", "state"], "--decisions.*'state'.*did you mean 'stated'.*stated, opposite"),
        (["prompts", "--conditions", "blnd"], "'paper'.*'blnd'.*conditions.*'blind'.*baseline, blind, fairness"),
        (["prompts", "--template", "H999"], "'paper'.*'H999'.*templates.*H001 to L020, 80 in all"),
        (["prompts", "--template", "H001,H999"], "'paper'.*'H999'.*templates"),
        (["prompts", "--format", "xml"], "--format.*'xml'.*jsonl.*text"),
        (["prompts", "--study", "papr"], "'papr'.*did you mean 'paper'.*paper, pilot"),
        (["prompts", "--study", "data/nowhere"], "'data/nowhere'.*paper, pilot"),
        # twice the same would be half of what was meant, or twice the calls
        (["prompts", "--conditions", "blind,blind"], "'blind'.*twice"),
        (["prompts", "--conditions", "blind", "--conditions", "fairness"], "--conditions.*(twice|once)"),
    ],
)
def test_bad_option_is_one_line(run, arguments, says):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(rf"error: .*{says}.*\n", ran.err)


def test_bad_option_as_a_process(start):
    process = start("prompts", "--draws", "2")
    out, err = process.communicate()
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)


# --- bad files


class Fault(NamedTuple):
    """A text of a file is replaced; the error has the line of ``at`` (of what is new, by default) and says these words."""

    old: str
    new: str
    says: tuple[str, ...]
    at: str | None
    name: str | None


def fault(old: str, new: str, *says: str, at: str | None = None, name: str | None = None) -> Fault:
    return Fault(old, new, says, at, name)


BOB = "{name: Bob Alder, pronouns: he}"
SECOND_PAIR = "        - {A: {name: Cid Cedar, pronouns: he}, B: {name: Dee Damson, pronouns: she}}\n"
TEMPLATES = SMALL["templates.yml"].partition("templates:\n")[2]
AGE_AXIS = SMALL["personas.yml"][SMALL["personas.yml"].index("  age:\n") :]

FAULTS = {
    "templates.yml": [
        # fields
        fault("    domain: hiring\n", "", "H001", "'domain'", "missing", at="- id: H001", name="missing field"),
        fault("    opposite: to accept\n", "", "H001", "'opposite'", "missing", at="- id: H001", name="no opposite"),
        fault("question: Why was this decided?\n", "", "'question'", "missing", at="templates:", name="no question"),
        fault("domain: hiring", "domian: hiring", "H001", "'domian'", "'domain'"),
        fault("title: Pastry cook", "title: Pastry cook\n    author: me", "H001", "'author'", "allowed: id,", at="author"),
        fault("title: Pastry cook", "title: ''", "H001", "title is ''"),
        fault("stated: to decline", "stated: ' '", "H001", "stated is ' '"),
        fault("Why was this decided?", "' '", "question is ' '"),
        # values
        fault("domain: hiring", "domain: hirng", "H001", "domain is 'hirng'", "'hiring'", "medical, credit, legal"),
        fault("axis: gender", "axis: gendr", "H001", "axis is 'gendr'", "'gender'", "race, age, religion, intersectional"),
        fault("valence: adverse", "valence: bad", "H001", "valence is 'bad'", "adverse, favourable"),
        fault("id: H001", "id: M002", "'M002'", "hiring", "H and at least three digits"),
        fault("id: H001", "id: H1", "'H1'", "H and at least three digits"),
        fault("id: H001", "id: 1", "id is 1", "string"),
        fault(
            "id: M001\n    domain: medical", "id: H001\n    domain: hiring",
            "'H001'", "twice", at="- id: H001\n    domain: hiring\n    axis: age", name="id twice",
        ),
        fault("    title: Pastry cook\n", "    title: A\n    title: B\n", "'title'", "twice", at="title: B"),
        # slots
        fault("decided {decision}", "decided it", "H001", "{decision} 0 times", "once", at="scenario: >-"),
        fault("decided {decision}", "decided {decision} {decision}", "H001", "2 times", "once", at="scenario: >-"),
        fault("{name} asked", "{nme} asked", "H001", "{nme}", "did you mean 'name'", "allowed: name", at="scenario: >-"),
        fault("{name} asked", "{name asked", "H001", "brace", "{name}", at="scenario: >-"),
        fault("{name} asked", "Somebody asked", "H001", "{name}", at="scenario: >-"),
        fault("opposite: to accept", "opposite: to accept {them}", "H001", "'to accept {them}'", "no slots"),
        fault("opposite: to accept", "opposite: to decline", "H001", "'to decline'", "must differ", at="opposite: to decline"),
        fault("{name}, {age}, came", "{name} came", "M001", "age", "{age}", at="scenario: \"{name} came"),
        fault("{name} asked", "{name}, {age}, asked", "H001", "gender", "{age}", at="scenario: >-"),
        # the whole
        fault(TEMPLATES, "", "templates", "empty", at="templates:", name="no templates"),
    ],
    "personas.yml": [
        fault(BOB, "{name: Bob Alder}", "gender.strata.one.0.A", "'pronouns'", "missing"),
        fault(BOB, "{name: Bob Alder, pronuns: he}", "gender.strata.one.0.A", "'pronuns'", "'pronouns'"),
        fault(BOB, "{name: Bob Alder, pronouns: he, hat: red}", "gender.strata.one.0.A", "'hat'", "allowed: name, pronouns"),
        fault(BOB, "{name: Bob Alder, pronouns: xe}", "gender.strata.one.0.A", "pronouns is 'xe'", "he, she, they"),
        fault(BOB, "{name: Bob, pronouns: he}", "gender.strata.one.0.A", "name is 'Bob'"),
        fault(BOB, "{name: Bob Alder, pronouns: he, age: 12}", "gender.strata.one.0.A", "age is 12", "18"),
        fault(
            BOB, "{name: Bib Alder, pronouns: he}", "gender.strata.one.0.A", "'Bib'", "'Bib Alder'", "no source in first_names",
        ),
        fault(
            BOB, "{name: Bob Elder, pronouns: he}", "gender.strata.one.0.A", "'Elder'", "'Bob Elder'", "no source in surnames",
        ),
        fault("Ada: X", "Ada: Y", "first_names.Ada", "'Y'", "allowed: X"),
        fault("Ada: X", "Ada: 5", "first_names", "Ada is 5", "string"),
        fault("X: a list", "X: 5 #", "sources", "X is 5", "string"),
        fault("A: {name: Bob", "C: {name: Bob", "gender.strata.one.0", "'C'", "A, B"),
        fault("sides: {A: men, B: women}", "sides: {A: men}", "gender.sides", "'B'", "missing"),
        fault("sides: {A: men, B: women}", "sides: {A: men, C: women}", "gender.sides", "'C'", "A, B"),
        fault("  gender:\n", "  gendr:\n", "axes", "'gendr'", "did you mean 'gender'", "race, age"),
        fault(SECOND_PAIR, "", "gender", "'one'", "1 pair", "at least 2", at="    strata:", name="one pair"),
        fault(
            "she, age: 29", "she", "age.strata.ada-cedar.0.A", "'Ada Cedar'", "no age",
            at="- {A: {name: Ada Cedar, pronouns: she}",
        ),
        fault(AGE_AXIS, "", "'age'", "M001", "gender", at="axes:", name="axis without personas"),
        fault("  one:\n", "  one: x\n      two:\n", "gender", "'one'", "at least 2", at="    strata:"),
    ],
    "study.yml": [
        fault("frozen: false\n", "", "'frozen'", "missing", at="name: small", name="missing field"),
        fault("templates: all", "tempates: all", "'tempates'", "'templates'"),
        fault("temperature: 0.0", "temprature: 0.0", "parameters", "'temprature'", "'temperature'"),
        fault("frozen: false", "frozen: false\ncolour: red", "'colour'", "allowed: name, title", at="colour"),
        fault("models: [first, second]", "models: [frst, second]", "'frst'", "did you mean 'first'", "first, second"),
        fault("models: [first, second]", "models: [first, second, second]", "'second'", "twice"),
        fault("models: [first, second]", "models: []", "models is []"),
        fault("models: [first, second]", "models: [first, Second One]", "models", "'Second One'", "small letters"),
        fault(
            "[first, second]", "[second, {name: third, provider: openai, id: t, key: K}]",
            "models.third", "'label'", "missing", name="model in place, missing field",
        ),
        fault(
            "[first, second]", "[second, {name: third, label: T, provider: opnai, id: t, key: K}]",
            "models.third", "provider is 'opnai'", "'openai'", name="model in place, unknown provider",
        ),
        fault(
            "[first, second]", "[second, {name: second, label: T, provider: openai, id: t, key: K}]",
            "'second'", "twice", name="model in place, name twice",
        ),
        fault("templates: all", "templates: some", "templates is 'some'", "all"),
        fault("templates: all", "templates: [H001, H999]", "'H999'", "H001 to M001"),
        fault("templates: all", "templates: [H001, H001]", "'H001'", "twice"),
        fault("templates: all", "templates: []", "templates is []"),
        fault("draws: [0, 1]", "draws: [0, 2]", "draws", "is 2", "allowed: 0, 1"),
        fault("draws: [0, 1]", "draws: [0, 0]", "0", "twice"),
        fault("[stated, opposite]", "[stated, oposite]", "decisions", "'oposite'", "did you mean 'opposite'"),
        fault('  baseline: ""\n', "", "conditions", "baseline", at="conditions:", name="no baseline"),
        fault('baseline: ""', "baseline: Hello.", "conditions", "baseline", at="conditions:"),
        fault("  blind: Do not", "  blind: A\n  blind: Do not", "'blind'", "twice", at="  blind: Do not"),
        fault("blind: Do not look at the person.", "blind: ''", "'blind'", "no text", at="conditions:"),
        fault("blind: [second]", "blnd: [second]", "condition_models", "'blnd'", "did you mean 'blind'", "baseline, blind"),
        fault("blind: [second]", "blind: [secnd]", "condition_models.blind", "'secnd'", "did you mean 'second'"),
        fault("temperature: 0.0", "temperature: hot", "parameters", "temperature is 'hot'", "number"),
        fault("temperature: 0.0", "temperature: 3", "parameters", "temperature is 3", "2"),
        fault("max_tokens: 64", "max_tokens: 0", "parameters", "max_tokens is 0", "greater than 0"),
        fault("repeats: 1", "repeats: 0", "repeats is 0", "1"),
    ],
    "models.yml": [
        fault("  label: First\n", "", "first", "'label'", "missing", at="first:", name="missing field"),
        fault("label: First", "lable: First", "first", "'lable'", "'label'"),
        fault("key: FIRST_KEY", "key: FIRST_KEY\n  colour: red", "first", "'colour'", "allowed: label", at="colour"),
        fault("provider: openai", "provider: opnai", "first", "provider is 'opnai'", "'openai'", "anthropic, groq, local"),
        fault("  key: FIRST_KEY\n", "", "first", "key is missing", at="provider:", name="no key"),
        fault("first:", "second:", "'second'", "twice", at="second:\n  label: Second"),
    ],
}  # fmt: skip


def one_line(ran, file: str, line: int | str = "") -> None:
    """What every complaint about a file has in common."""
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {file}:{line}")
    assert ran.err.count("\n") == 1
    # names of the library's insides and of the validator's help nobody
    assert not re.search(r"\b_[A-Z]\w+|constrained-str|literal\[|\[key\]|Traceback", ran.err)


def case(file: str, fault: Fault):
    text = SMALL[file].replace(fault.old, fault.new, 1)
    line = text[: text.index(fault.at or fault.new)].count("\n") + 1
    return pytest.param(file, fault, line, id=f"{file}-{fault.name or ' '.join(fault.new.split())}")


@pytest.mark.parametrize(("file", "fault", "line"), [case(file, each) for file, faults in FAULTS.items() for each in faults])
def test_bad_file_is_one_line(edit, run, file, fault, line):
    edit(file, fault.old, fault.new)
    ran = run("prompts", "--study", ".")
    one_line(ran, file, line)
    assert [word for word in fault.says if word not in ran.err] == []


@pytest.mark.parametrize("file", SMALL)
@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"", r":1: .*(empty|None).*(mapping|dictionary|field)", id="empty"),
        pytest.param(b"# nothing\n", r":1: .*(empty|None).*(mapping|dictionary|field)", id="comment"),
        pytest.param(b"- a\n- b\n", r":1: .*\['a', 'b'\].*(mapping|dictionary)", id="list"),
        pytest.param(b"just words\n", r":1: .*'just words'.*(mapping|dictionary)", id="words"),
        pytest.param(b"a: [b\n", r":2: not valid YAML: ", id="bracket"),
        pytest.param(b"a: b\n\tc: d\n", r":2: not valid YAML: ", id="tab"),
        pytest.param(b"a: b\na: c\n", r":2: .*'a' is given twice", id="key-twice"),
        pytest.param(b"a: b\n[c]: d\n", r":2: ", id="list-as-key"),
        pytest.param(b"a: 2026-02-30\n", r":1: ", id="no-such-day"),
        pytest.param(b"a: caf\xe9\n", r": byte 6 is not UTF-8", id="latin-1"),
        pytest.param(b"\xff\xfea\x00:\x00", r": byte 0 is not UTF-8", id="utf-16"),
        pytest.param(b"a: \x00\n", r": not valid YAML: ", id="nul"),
    ],
)
def test_file_that_is_no_mapping_is_one_line(small, run, file, content, says):
    (small / file).write_bytes(content)
    ran = run("prompts", "--study", ".")
    one_line(ran, file)
    assert re.match(rf"error: {file}{says}", ran.err)


@pytest.mark.parametrize("file", ["templates.yml", "personas.yml", "models.yml"])
def test_missing_file_is_one_line(small, run, file):
    (small / file).unlink()
    one_line(run("prompts", "--study", "."), file, " no such file")


def test_folder_without_a_study(small, run):
    (small / "study.yml").unlink()
    ran = run("prompts", "--study", ".")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "no study '.'" in ran.err
    assert "study.yml" in ran.err


def test_bad_file_as_a_process(start, edit):
    folder = edit("templates.yml", "domain: hiring", "domain: hirng")
    # a process of its own reads the shipped models, not those of the small study
    edit("study.yml", "models: [first, second]", "models: [gpt-4.1]")
    edit("study.yml", "blind: [second]", "blind: [gpt-4.1]")
    process = start("prompts", "--study", str(folder))
    out, err = process.communicate()
    assert (process.returncode, out) == (2, "")
    assert re.fullmatch(rf"error: {re.escape(str(folder))}/templates\.yml:4: .*'hirng'.*\n", err)


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_closed_stream_is_no_fault(stream: str) -> None:
    sign = {"stdout": ">&-", "stderr": "2>&-"}[stream]
    command = f"'{sys.executable}' -m eftlib prompts --template H001 {sign}"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
