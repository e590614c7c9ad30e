"""The command line: ``python -m eftlib COMMAND``. Data goes to standard output, everything else to standard error."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NoReturn

from eftlib import study as studies
from eftlib.benchmark import DECISIONS, DRAWS, Prompt
from eftlib.errors import EftError, InputError
from eftlib.files import hint


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line, as every other complaint here."""

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
        return [convert(value) for value in dict.fromkeys(values)]

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


def _print_text(prompts: list[Prompt]) -> None:
    for template, group in groupby(prompts, key=lambda prompt: (prompt.template, prompt.domain, prompt.axis)):
        print("\n".join(("=" * 72, " · ".join(template), "=" * 72)))
        for prompt in group:
            head = f"{prompt.side}{prompt.draw} {prompt.persona.name} · {prompt.decision} · {prompt.condition}"
            print(f"\n--- {head}{f' · repeat {prompt.repeat}' if prompt.repeat else ''}\n{prompt.messages[-1]['content']}")
        print()


def _parser() -> _Parser:
    parser = _Parser(prog="python -m eftlib", description=__doc__, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    prompts = commands.add_parser(
        "prompts",
        allow_abbrev=False,
        help="print every prompt of a study with all its fields",
        description="Print every prompt of a study with all its fields, as JSON lines or as text to read.",
        epilog="example: python -m eftlib prompts --template H001 --draws 0 --conditions baseline --format text",
    )
    _add_selection(prompts, "paper")
    prompts.add_argument("--template", "--templates", type=_several(str), help="such as H001 or H001,M004")
    prompts.add_argument("--format", choices=("jsonl", "text"), default="jsonl", help="default: %(default)s")
    prompts.set_defaults(run=_prompts)
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
    try:
        options = _parser().parse_args(arguments)
        return int(options.run(options))
    except EftError as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # the reader (head, less) has seen enough; without this, Python complains once more while it shuts down
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
