"""Audit pairs of explanations from elsewhere: the `audit` command. Texts never leave the machine."""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd

from eftlib.audit.judging import judge, measured
from eftlib.audit.page import report
from eftlib.audit.pairs import Pair, read, used
from eftlib.errors import InputError
from eftlib.files import shown
from eftlib.metrics import Profile
from eftlib.tables import inert

__all__ = ["audit", "verdicts"]

_FIELDS = (
    "metric", "axis", "level", "rows", "claim", "verdict", "ratio", "ratio_low", "ratio_high", "difference", "difference_low",
    "difference_high", "difference_unit", "difference_sd", "difference_sd_low", "difference_sd_high", "p_magnitude",
    "p_magnitude_bh", "p_direction", "p_direction_bh",
)  # fmt: skip


def audit(
    path: Path,
    *,
    null: Path | None,
    columns: Mapping[str, str],
    profile: Profile,
    embed: bool,
    alpha: float,
    with_texts: bool,
    out: Path,
    seed: int,
) -> tuple[pd.DataFrame, list[str]]:
    """Read pairs, measure and judge them, and write ``summary.csv``, ``pairs.csv``, ``report.html`` and ``verdicts.json``.

    Where ``verdicts.json`` is, the four are of one audit: it is removed before the others are replaced, and written last.

    Parameters
    ----------
    path : Path
    null : Path or None
        Pairs that differ in nothing that matters.
    columns : mapping of str to str
        What a field is called in both files.
    profile : {"published", "controlled"}
    embed : bool
    alpha : float
    with_texts : bool
        Whether texts are repeated in ``pairs.csv`` and on the page.
    out : Path
        A folder; made if it is not there.
    seed : int

    Returns
    -------
    (pandas.DataFrame, list of str)
        The summary (see `eftlib.audit.judging.judge`), and what was read, in words.

    Raises
    ------
    InputError
        If a file or the seed cannot be used or ``out`` cannot be written; no file is half-written then.
    StoppedError
        If the embedder is not there.
    """
    if seed < 0:
        raise InputError(f"--seed is {seed}; allowed: whole numbers from 0 on")
    pairs = read(path, columns)
    others = read(null, columns) if null else None
    if others and null and not {pair.model for pair in pairs} & {pair.model for pair in others}:
        theirs = ", ".join(sorted({pair.model for pair in others})[:5])
        raise InputError(f"{shown(null)}: shares no model with {shown(path)}; its models are {theirs}")
    said = [_read_words(each, many, columns) for each, many in ((path, pairs), (null, others)) if each and many]
    table = measured(pairs, profile=profile, embed=embed)
    judged = judge(table, measured(others, profile=profile, embed=embed) if others else None, alpha=alpha, seed=seed)
    texts = {pair.pair_id: pair for pair in pairs} if with_texts else {}
    page = report(judged, table, pairs, texts, said=said, profile=profile, alpha=alpha, null=null is not None)
    _write(out, {
        "summary.csv": _csv(judged), "pairs.csv": _csv(_per_pair(table, texts)), "report.html": page,
        "verdicts.json": json.dumps(verdicts(judged), indent=1, ensure_ascii=False, allow_nan=False) + "\n",
    })  # fmt: skip
    return judged, said


def verdicts(judged: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the verdicts of the row set that they rest on, as in ``verdicts.json``.

    Parameters
    ----------
    judged : pandas.DataFrame
        As `eftlib.audit.judging.judge` gives it.

    Returns
    -------
    list of dict
        ``m`` and ``p_floor`` are those of magnitude where it was tested, else of direction; undefined and infinite is None.
    """
    found = []
    for row in judged[judged["rests_on"]].to_dict("records"):
        sized = not math.isnan(row["p_magnitude"])
        question = "magnitude" if sized else "direction"
        found.append(
            {name: _plain(row[name]) for name in _FIELDS}
            | {
                "m": int(row[f"m_{question}"]), "n_pairs": int(row["n_pairs"]), "n_clusters": int(row["n_clusters"]),
                "p_floor": _plain(row[f"floor_{question}"]), "reason": str(row["reason"]),
            }
        )  # fmt: skip
    return found


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _read_words(path: Path, pairs: list[Pair], columns: Mapping[str, str]) -> str:
    _, ignored = used(path, columns)
    left = f"; columns ignored: {', '.join(ignored)}" if ignored else ""
    topics, models = (len({getattr(pair, field) for pair in pairs}) for field in ("topic", "model"))
    counts = (("pair", len(pairs)), ("topic", topics), ("model", models))
    said = ", ".join(f"{n:,} {word}{'s' * (n != 1)}" for word, n in counts)
    return f"{path.name}: {said}{left}"


def _per_pair(table: pd.DataFrame, texts: Mapping[str, Pair]) -> pd.DataFrame:
    table = table.assign(difference=table["b"] - table["a"], gap=(table["b"] - table["a"]).abs())
    if texts:
        for side in ("a", "b"):
            table[f"explanation_{side}"] = [texts[each].of("explanation", side) for each in table["pair_id"]]
    return table


def _csv(table: pd.DataFrame) -> str:
    return str(table.map(inert).to_csv(index=False, lineterminator="\n"))


def _write(out: Path, files: Mapping[str, str]) -> None:
    """Write all files beside their places, then move them there; where the last one is, the set is whole."""
    draft: Path | None = None
    try:
        out.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".new-", dir=out))
        for name, text in files.items():
            if (out / name).is_dir():
                raise IsADirectoryError(21, "Is a directory")
            (draft / name).write_text(text, encoding="utf-8")
        # four moves are not one: the last file of an older audit goes first, so that it never stands among newer ones
        (out / list(files)[-1]).unlink(missing_ok=True)
        for name in files:
            (draft / name).replace(out / name)
    except OSError as error:
        raise InputError(f"{shown(out)}: cannot be written ({error.strerror})") from None
    finally:
        if draft:
            with suppress(OSError):
                shutil.rmtree(draft)
