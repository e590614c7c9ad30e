"""Check what is committed: ``python -m eftlib check``, which ``make check`` runs.

The manifest must fit the study's files, no number may be typed into the prose of a results page, a built study with answers
must have every table and figure that is promised, as the build wrote them, and, once the study is frozen, the committed
results must come out again.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from eftlib import build, prose, responses, scoring
from eftlib import study as studies
from eftlib.errors import InputError
from eftlib.files import read_text, shown
from eftlib.study import Study

TOLERANCE = 1e-6
# what pages/interfaces.md promises of a study with answers, and what is there only where a condition or a second draw was asked
TABLES = (
    "table1_taxonomy", "table2_templates", "table3_existence", "table4_axes", "table5_direction", "table6_models",
    "table7_worst_cells", "table8_mitigation", "table9_lexicon", "noise_floor_pooled",
)  # fmt: skip
FIGURES = ("figure1_effect_sizes", "figure2_axes", "figure3_model_domain", "figure4_mitigation", "noise_floor")
_NOTHING = object()  # apart from null, which is a value


def manifest_differences(study: Study) -> Iterator[str]:
    """Name each place where ``MANIFEST.json`` and the study's files differ.

    Parameters
    ----------
    study : eftlib.study.Study

    Yields
    ------
    str
        The file, the key, what the manifest says and what is there.

    Raises
    ------
    InputError
        If there is no manifest or it is not JSON.
    """
    path = study.folder / "MANIFEST.json"
    expected, found = _json(path), responses.manifest(study)
    files, there = expected.pop("files", {}), found.pop("files")
    yield from differences(expected, found, shown(path))
    for extra in sorted((study.folder / "responses").glob("*")):
        # locks and torn lines are a collector's own
        if f"responses/{extra.name}" not in files.keys() | there.keys() and extra.suffix not in (".lock", ".torn"):
            of = shown(study.folder / "study.yml")
            yield f"{shown(extra)}: no model of {of} has this file, so nobody reads it; add the model there, or take it away"
    for name in sorted(files.keys() | there.keys()):
        yield from differences(files.get(name, _NOTHING), there.get(name, _NOTHING), shown(study.folder / name))


def result_differences(committed: Path, rebuilt: Path) -> Iterator[str]:
    """Name each place where two folders of results differ in ``numbers.json`` or ``tables/*.csv``.

    Parameters
    ----------
    committed, rebuilt : Path

    Yields
    ------
    str
        The file, the key or the row and column, what is committed and what was rebuilt.
    """
    names = {"numbers.json"} | {
        f"tables/{path.name}" for folder in (committed, rebuilt) for path in folder.glob("tables/*.csv")
    }
    for name in sorted(names):
        yield from differences(_content(committed / name), _content(rebuilt / name), shown(committed / name))


def differences(expected: Any, found: Any, place: str) -> Iterator[str]:
    """Compare two values as JSON or a table has them: numbers to a relative `TOLERANCE`, all else exactly.

    Parameters
    ----------
    expected, found : object
    place : str
        Where they are, for the message.

    Yields
    ------
    str

    Examples
    --------
    >>> list(differences({"a": [1.0, 2]}, {"a": [1.0000001, 3]}, "numbers.json"))
    ['numbers.json: a: 1: expected 2, found 3']
    """
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key in {**expected, **found}:
            yield from differences(expected.get(key, _NOTHING), found.get(key, _NOTHING), f"{place}: {key}")
    elif isinstance(expected, list) and isinstance(found, list):
        for number, pair in enumerate(itertools.zip_longest(expected, found, fillvalue=_NOTHING)):
            yield from differences(*pair, f"{place}: {number}")
    elif not _alike(expected, found):
        yield f"{place}: expected {_said(expected)}, found {_said(found)}"


def _alike(expected: Any, found: Any) -> bool:
    if expected == found:
        return True
    try:
        one, other = float(expected), float(found)
    except (TypeError, ValueError):
        return False
    return math.isclose(one, other, rel_tol=TOLERANCE)


def _said(value: Any) -> str:
    return "nothing" if value is _NOTHING else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _content(path: Path) -> Any:
    """Return a results file as nested mappings, a missing one as nothing; a table's rows go by number from 1."""
    if not path.exists():
        return _NOTHING
    if path.suffix == ".json":
        return _json(path)
    rows = csv.DictReader(read_text(path).splitlines(keepends=True), restkey="further cells")
    return {f"row {number}": row for number, row in enumerate(rows, start=1)}


def _json(path: Path) -> Any:
    try:
        found = json.loads(read_text(path))
    except ValueError as error:
        raise InputError(f"{shown(path)}: not JSON: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{shown(path)}: holds {type(found).__name__}; allowed: an object")
    return found


def missing_results(folder: Path) -> Iterator[str]:
    """Name each promised table and figure that a built study with answers lacks.

    Parameters
    ----------
    folder : Path
        Of its results. Without ``scores.parquet`` nothing is asked of it.

    Yields
    ------
    str
    """
    if not (folder / "scores.parquet").exists() or not (folder / "numbers.json").exists():
        return
    scores = pd.read_parquet(folder / "scores.parquet").dropna(subset=["value"])
    sides = scores.groupby(["model", "template", "condition", "draw"])["side"].nunique()
    paired = sides[sides == 2].index.to_frame()  # an answer alone is compared with nothing
    baseline = paired["condition"] == "baseline"
    asked = {"mitigation": not baseline.all(), "noise_floor": paired.loc[baseline, "draw"].nunique() > 1}
    if not baseline.any():
        return
    for kind, names, endings in (("tables", TABLES, ("csv", "tex")), ("figures", FIGURES, ("svg", "pdf"))):
        for name in names:
            if all(given for part, given in asked.items() if part in name):
                for path in (folder / kind / f"{name}.{ending}" for ending in endings):
                    if not path.exists():
                        yield f"{shown(path)}: promised by pages/interfaces.md, and no notebook has written it"


def rebuilt_differences(study: Study) -> Iterator[str]:
    """Build a frozen study's results again from a copy of the study and name what differs from the committed ones.

    Parameters
    ----------
    study : eftlib.study.Study

    Yields
    ------
    str
    """
    with tempfile.TemporaryDirectory() as scratch:
        # a study that lies elsewhere keeps its results beside it, so the committed ones are not touched
        folder = Path(scratch) / study.name
        shutil.copytree(study.folder, folder, ignore=shutil.ignore_patterns("results"))
        build.results(str(folder), {}, Path(scratch) / "executed")
        yield from result_differences(scoring.results_dir(study), folder / "results")


def check(name: str) -> list[str]:
    """Check a study and the pages that show it.

    Parameters
    ----------
    name : str
        A name under ``data/studies``, or a folder.

    Returns
    -------
    list of str
        A line a difference.
    """
    study = studies.load(name)
    found = [*manifest_differences(study), *(line for page in prose.pages() for line in prose.typed_numbers(page))]
    found += [*missing_results(scoring.results_dir(study)), *build.altered(name)]
    committed = scoring.results_dir(study) / "numbers.json"
    if not study.frozen:
        print(f"{study.name} is not frozen: its results are not committed and not compared", file=sys.stderr)
    elif not committed.exists():
        found.append(f"{shown(committed)}: expected the results of a frozen study, found nothing")
    else:
        found += rebuilt_differences(study)
    return found
