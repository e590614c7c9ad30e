"""The command line: ``python -m eftlib COMMAND``. Data goes to standard output, everything else to standard error."""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

from eftlib import study as studies
from eftlib.benchmark import DECISIONS, DRAWS, Prompt
from eftlib.errors import InputError, reported
from eftlib.files import hint, read_text


class _Once(argparse.Action):
    """Keep the value of an option, and refuse the option a second time, where argparse would drop the first value."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        seen = namespace.__dict__.setdefault("_seen", set())
        if self.dest in seen:
            parser.error(f"{option_string} is given twice; separate several values by commas")
        seen.add(self.dest)
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, as every other complaint here."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see {self.prog} --help")


def _several(convert: Callable[[str], Any], allowed: Sequence[Any] | None = None) -> Callable[[str], list[Any]]:
    """Return a parser for ``a,b``: a comma-separated option whose values are converted and checked."""

    def parse(text: str) -> list[Any]:
        values = [value.strip() for value in text.split(",") if value.strip()]
        if not values:
            raise argparse.ArgumentTypeError(f"{text!r} names nothing")
        for value in values:
            if allowed is not None and value not in [str(each) for each in allowed]:
                raise argparse.ArgumentTypeError(f"{value!r} is not known{hint(value, [str(each) for each in allowed])}")
        for number, value in enumerate(values):
            if value in values[:number]:
                raise argparse.ArgumentTypeError(f"{value!r} is named twice")
        return [convert(value) for value in values]

    return parse


def _positive(convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a parser for a number above zero."""

    def parse(text: str) -> Any:
        try:
            value = convert(text)
        except ValueError:
            value = None
        if value is None or not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError(f"{text!r} is no {'whole ' if convert is int else ''}number above 0")
        return value

    return parse


def _add_selection(parser: argparse.ArgumentParser, default_study: str) -> None:
    parser.add_argument("--study", default=default_study, help="a name under data/studies or a folder (default: %(default)s)")
    parser.add_argument(
        "--draws", "--draw", type=_several(int, DRAWS), help="0, 1 or 0,1: which of a template's two persona pairs"
    )
    parser.add_argument("--decisions", "--decision", type=_several(str, DECISIONS), help="stated, opposite or both")
    parser.add_argument("--conditions", "--condition", type=_several(str), help="such as baseline,blind,fairness")


def _prompts(options: argparse.Namespace) -> int:
    study = studies.load(options.study)
    prompts = list(
        study.prompts(
            templates=options.template, draws=options.draws, decisions=options.decisions, conditions=options.conditions
        )
    )
    if options.format == "jsonl":
        for prompt in prompts:
            print(json.dumps(prompt.as_dict(), ensure_ascii=False))
    else:
        _print_text(prompts)
    print(f"{len(prompts):,} prompts; {study.calls(prompts):,} calls over {len(study.models)} models", file=sys.stderr)
    return 0


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")  # whatever the terminal speaks
    except UnicodeDecodeError as error:
        raise InputError(f"standard input: byte {error.start} is not UTF-8") from None


def _measure(options: argparse.Namespace) -> int:
    from eftlib import measuring  # noqa: PLC0415 - brings the metrics' libraries

    source = "standard input" if options.file == "-" else options.file
    stream = io.StringIO(_standard_input() if options.file == "-" else read_text(Path(options.file)))
    print(measuring.measure_file(source, stream, profile=options.profile, embed=not options.no_embed, out=options.out), end="")
    return 0


def _score(options: argparse.Namespace) -> int:
    from eftlib import scoring  # noqa: PLC0415 - as above
    from eftlib.embedding import Embedder  # noqa: PLC0415
    from eftlib.metrics import PROFILES  # noqa: PLC0415

    study = studies.load(options.study)
    if options.verify:
        table = scoring.explanations(study)
        stored = scoring.StoredCosines(study.folder / "similarities.parquet")
        wanted = scoring.needs(table)
        differences = scoring.verify(stored, wanted, Embedder(), sample=options.sample)
        print("\n".join(differences) or f"cosines agree with those on file ({len(stored):,} on file)", file=sys.stderr)
        return int(bool(differences))
    profiles = [options.profile] if options.profile else PROFILES
    scores = scoring.score_study(study, profiles=profiles, encoder=None if options.no_embed else Embedder())
    undefined = scores["value"].isna()
    print(
        f"{len(scores):,} scores of {len(scores.drop_duplicates(list(scoring.IDENTITY))):,} explanations, "
        f"{undefined.sum():,} undefined; in {scoring.results_dir(study) / 'scores.parquet'}",
        file=sys.stderr,
    )
    return 0


def _check(options: argparse.Namespace) -> int:
    from eftlib import check  # noqa: PLC0415 - brings what executes notebooks

    found = check.check(options.study)
    for line in found:
        print(line)
    what = f"{len(found)} difference{'s' * (len(found) > 1)} in" if found else "nothing differs in"
    print(f"{what} the study {options.study}", file=sys.stderr)
    return int(bool(found))


def _power(options: argparse.Namespace) -> int:
    from eftlib import planner  # noqa: PLC0415 - brings pandas and scipy

    found = planner.plan(templates=options.templates, personas=options.personas, models=options.models, effect=options.effect)
    print(json.dumps(found) if options.json else planner.in_words(found))
    return 0


def _audit(options: argparse.Namespace) -> int:
    from eftlib.audit import audit  # noqa: PLC0415 - brings the metrics' libraries

    columns = dict(options.columns or [])
    if options.cluster is not None:
        columns["topic"] = options.cluster
    judged, said = audit(
        Path(options.pairs), null=options.null, columns=columns, profile=options.profile, embed=not options.no_embed,
        alpha=options.alpha, with_texts=options.with_texts, out=options.out, seed=options.seed,
    )  # fmt: skip
    found = judged[judged["rests_on"]]
    lines = [f"{row.axis}, {row.metric}: {row.verdict} ({row.reason})" for row in found.itertuples()]
    print("\n".join([*said, *lines, f"written to {options.out}"]), file=sys.stderr)
    return 3 if options.fail_on and (found["verdict"] == "disparity beyond noise").any() else 0


def _named(text: str) -> list[tuple[str, str]]:
    """Parse ``field=name,field=name``."""
    parts = [part.partition("=") for part in text.split(",")]
    if not all(field.strip() and name.strip() for field, _, name in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form field=name,field=name")
    return [(field.strip(), name.strip()) for field, _, name in parts]


def _fraction(text: str) -> float:
    value = float(_positive(float)(text))
    if value >= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number between 0 and 1")
    return value


def _collect(options: argparse.Namespace) -> int:
    from eftlib import collect  # noqa: PLC0415 - brings pandas and the SDKs' helpers, which `prompts` does without

    study = studies.load(options.study)
    planned = collect.plan(
        study,
        models=options.models,
        draws=options.draws,
        decisions=options.decisions,
        conditions=options.conditions,
        limit=options.limit,
        again=options.again or (),
        seed=options.seed,
    )
    print(collect.describe(planned), file=sys.stderr)
    if options.dry_run:
        summary = collect.Summary(missing=len(planned.calls))
    else:
        tries = f"given up after {options.timeout:.0f} s and tried again up to {collect.RETRIES} times"
        print(f"  a call without an answer is {tries}; limits are waited out", file=sys.stderr)
        summary = collect.collect(planned, max_cost=options.max_cost, concurrency=options.concurrency, timeout=options.timeout)
        print(collect.report(summary), file=sys.stderr)
    if options.json:
        print(json.dumps(summary.as_dict()))
    # answers that are still missing after errors are for the same command, not for the next step of a script
    return 130 if summary.interrupted else 4 if summary.stopped or summary.outcomes["error"] else 0


def _print_text(prompts: list[Prompt]) -> None:
    for template, group in groupby(prompts, key=lambda prompt: (prompt.template, prompt.domain, prompt.axis)):
        print("\n".join(("=" * 72, " · ".join(template), "=" * 72)))
        for prompt in group:
            head = f"{prompt.side}{prompt.draw} {prompt.persona.name} · {prompt.decision} · {prompt.condition}"
            print(f"\n--- {head}{f' · repeat {prompt.repeat}' if prompt.repeat else ''}\n{prompt.messages[-1]['content']}")
        print()


def _add_audit(commands: Any) -> None:
    audit = commands.add_parser(
        "audit",
        help="judge pairs of explanations of your own",
        description="Judge pairs of explanations: JSON lines or CSV with 'topic', 'model', 'explanation_a', 'explanation_b' "
        "and, where known, 'pair_id', 'axis', 'domain', 'same_decision', and for each side 'name', 'group', 'decision', "
        "'opposite', 'prompt', 'finish_reason'. Writes summary.csv, pairs.csv, verdicts.json and report.html.",
        epilog="example: python -m eftlib audit examples/pairs.jsonl --null examples/null.jsonl --no-embed --fail-on disparity",
    )
    audit.add_argument("pairs", metavar="PAIRS", help="a JSONL or CSV file")
    audit.add_argument("--null", type=Path, help="pairs that differ in nothing that matters; magnitude needs it")
    audit.add_argument("--cluster", help="the column whose values are the independent units (default: topic)")
    audit.add_argument("--columns", type=_named, help="other names of columns: explanation_a=text1,model=llm")
    audit.add_argument("--profile", choices=("published", "controlled"), default="controlled", help="default: %(default)s")
    audit.add_argument("--no-embed", action="store_true", help="leave out the two metrics that need the embedder")
    audit.add_argument("--alpha", type=_fraction, default=0.05, help="default: %(default)s")
    audit.add_argument("--fail-on", choices=("disparity",), help="exit with 3 if there is one beyond noise")
    audit.add_argument("--with-texts", action="store_true", help="repeat texts in pairs.csv and report.html")
    audit.add_argument("--out", type=Path, default=Path("audit"), help="a folder (default: %(default)s)")
    audit.add_argument("--seed", type=int, default=20260509, help="default: %(default)s")
    audit.set_defaults(run=_audit)


def _parser() -> _Parser:
    parser = _Parser(prog="python -m eftlib", description=__doc__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    prompts = commands.add_parser(
        "prompts",
        help="print every prompt of a study with all its fields",
        description="Print every prompt of a study with all its fields, as JSON lines or as text to read.",
        epilog="example: python -m eftlib prompts --template H001 --draws 0 --conditions baseline --format text",
    )
    _add_selection(prompts, "paper")
    prompts.add_argument("--template", "--templates", type=_several(str), help="such as H001 or H001,M004")
    prompts.add_argument("--format", choices=("jsonl", "text"), default="jsonl", help="default: %(default)s")
    prompts.set_defaults(run=_prompts)
    measure = commands.add_parser(
        "measure",
        help="measure texts of your own",
        description="Measure texts: JSON lines with 'text' and, where known, 'opposite', 'domain', 'name', 'prompt', "
        "'finish_reason', 'id'. Gives CSV with the eight metrics, two extensions and the reason of every empty field.",
        epilog="example: python -m eftlib measure answers.jsonl --profile controlled --no-embed --out measures.csv",
    )
    measure.add_argument("file", metavar="FILE|-", help="a JSONL file, or - for standard input")
    measure.add_argument("--profile", choices=("published", "controlled"), default="published", help="default: %(default)s")
    measure.add_argument("--no-embed", action="store_true", help="leave out the two metrics that need the embedder")
    measure.add_argument("--out", type=Path, help="write here instead of to standard output")
    measure.set_defaults(run=_measure)
    _add_audit(commands)
    score = commands.add_parser(
        "score",
        help="measure the responses of a study",
        description="Measure the responses of a study: fills in what is missing of similarities.parquet (for which "
        "the embedder is needed) and writes the score frame, one row an explanation and metric.",
        epilog="example: python -m eftlib score --study pilot --no-embed",
    )
    score.add_argument("--study", default="pilot", help="a name under data/studies or a folder (default: %(default)s)")
    score.add_argument("--profile", choices=("published", "controlled"), help="one of them; both by default")
    score.add_argument("--no-embed", action="store_true", help="use the cosines on file and embed nothing")
    score.add_argument("--verify", action="store_true", help="embed again and compare with what is on file; 1 if it differs")
    score.add_argument("--sample", type=_positive(int), help="with --verify: so many, always the same")
    score.set_defaults(run=_score)
    check = commands.add_parser(
        "check",
        help="check what is committed of a study",
        description="Check what is committed: the manifest fits the study's files, no number is typed into the prose of a "
        "results page, and the results of a frozen study come out again. Lists each difference; 1 if there is one.",
        epilog="example: python -m eftlib check --study pilot",
    )
    check.add_argument("--study", default="pilot", help="a name under data/studies or a folder (default: %(default)s)")
    check.set_defaults(run=_check)
    power = commands.add_parser(
        "power",
        help="plan a study: what a size can detect, what size an effect needs",
        description="Say what a study can detect with 80 % power at 5 %: the smallest difference (in placebo SD) and "
        "ratio, for these names and for groups, and the templates that would tell. Variance shares are those of the pilot.",
        epilog="example: python -m eftlib power --templates 80 --personas 10 --models 5 --effect 0.25 --json",
    )
    power.add_argument("--templates", type=_positive(int), default=80, help="default: %(default)s")
    power.add_argument("--personas", type=_positive(int), default=12, help="a side, matched in pairs (default: %(default)s)")
    power.add_argument("--models", type=_positive(int), default=5, help="default: %(default)s")
    power.add_argument(
        "--effect", type=_positive(float), metavar="SD", help="a difference in placebo SD: what size does it need?"
    )
    power.add_argument("--json", action="store_true", help="print JSON on standard output")
    power.set_defaults(run=_power)
    collect = commands.add_parser(
        "collect",
        help="ask the models of a study for what is missing",
        description="Ask the models of a study for what is missing. What is on file is never asked again, so the same "
        "command resumes a run that was stopped. Keys come from the environment variables that models.yml names.",
        epilog="example: python -m eftlib collect --study pilot --models smollm2-135m --conditions baseline --limit 40",
    )
    _add_selection(collect, "paper")
    collect.add_argument("--models", "--model", type=_several(str), help="names of the study's models; all by default")
    collect.add_argument("--limit", type=_positive(int), help="make at most so many calls")
    collect.add_argument("--dry-run", action="store_true", help="print the plan and ask nothing")
    collect.add_argument(
        "--max-cost", type=_positive(float), metavar="DOLLARS", help="make no call that could pass this in this run"
    )
    collect.add_argument("--again", type=_several(str), metavar="OUTCOME", help="ask once more where this came back")
    collect.add_argument("--concurrency", type=_positive(int), default=4, help="calls under way at a provider (%(default)s)")
    collect.add_argument("--timeout", type=_positive(float), default=120.0, help="seconds a call may take (%(default)s)")
    collect.add_argument("--seed", type=int, default=20260509, help="of the order of the templates (%(default)s)")
    collect.add_argument("--json", action="store_true", help="print the summary as JSON on standard output")
    collect.set_defaults(run=_collect)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.

    Returns
    -------
    int
        The exit code: 0 done; 1 a check found a difference; 2 bad input; 3 ``audit --fail-on`` met; 4 stopped for a
        reason outside; 130 interrupted.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, who does not want to hear
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - for the life of the process
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # JSON is UTF-8 whatever the terminal speaks
    return reported(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
        code = int(options.run(options))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) has seen enough
        _silence_output()
        return 0
    except OSError:
        _silence_output()
        raise
    return code


def _silence_output() -> None:
    # or Python complains once more while it shuts down
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
