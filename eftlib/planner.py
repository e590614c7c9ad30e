"""What a study of a given size can detect, from the variance shares of one that was collected.

``python -m eftlib.planner --study pilot`` measures the shares anew from the study's score frame and writes
``data/variance_shares.csv``, which `plan` reads.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from eftlib import scoring
from eftlib import study as studies
from eftlib.analysis.noise import cell, of_condition
from eftlib.errors import InputError, reported
from eftlib.files import data_dir
from eftlib.metrics import STUDY_METRICS
from eftlib.stats import (
    Shares,
    detectable_difference,
    detectable_ratio,
    templates_for_difference,
    templates_for_ratio,
    variance_shares,
)

LARGEST = 1_000_000  # templates or personas that a plan may ask for
FEWEST = 6  # units whose sign flip can reject: its smallest p is 2^(1 - n)
FEWEST_RATIO = 3  # templates whose relabelling can: 3^-n


def measure_shares(scores: pd.DataFrame) -> pd.DataFrame:
    """Measure the variance shares of each metric.

    Parameters
    ----------
    scores : pandas.DataFrame
        As `eftlib.analysis.of_condition` gives it.

    Returns
    -------
    pandas.DataFrame
        One row a metric: the fields of `eftlib.stats.Shares`; NaN with a reason where they are unknown.
    """
    rows = []
    for metric in STUDY_METRICS:
        here = scores[scores["metric"] == metric]
        arranged = cell(here)
        axes = here.drop_duplicates("template").set_index("template")["axis"].sort_index()
        found = variance_shares(arranged.y, pairs=arranged.pairs, strata=axes.to_numpy(dtype=str))
        rows.append({"metric": metric} | asdict(found))
    return pd.DataFrame(rows)


def default_shares() -> Shares:
    """Return the mean over metrics of the committed shares.

    Returns
    -------
    Shares
        ``n`` is the smallest number of templates behind a metric.
    """
    table = pd.read_csv(data_dir() / "variance_shares.csv").dropna(subset=["text"])
    mean = table[["text", "persona_template", "persona", "template", "ratio_own", "ratio_shared"]].mean()
    return Shares(*(float(value) for value in mean), n=int(table["n"].min()))  # type: ignore[misc, arg-type]


def plan(
    *, templates: int, personas: int, models: int, effect: float | None = None, shares: Shares | None = None
) -> dict[str, Any]:
    """Return what a study can detect with 80 % power at 5 %, and the size that an effect needs.

    Parameters
    ----------
    templates, personas, models : int
        T, P (persona pairs, a person a side each) and M; two draws a side.
    effect : float, optional
        A difference in placebo SD, above 0.
    shares : Shares, optional
        `default_shares` by default.

    Returns
    -------
    dict
        ``names`` and ``groups``: smallest detectable ``difference`` (placebo SD) and ``ratio``; ``templates_effect`` (and for
        groups ``personas_effect``) that detect the effect; ``templates_ratio``, ``templates_difference``, which would tell
        whether ratio and difference are within their bounds. None where there is none, with a ``reason``: a sign flip of fewer
        than six units cannot reject.

    Raises
    ------
    InputError
        If a number is out of its range.

    Notes
    -----
    Source: ``pages/noise_floor.md`` section 6, which has no formula for a ratio of groups. A claim about groups needs both
    levels, so its smallest difference is the larger of the two.
    """
    for name, value, least in (("templates", templates, 2), ("personas", personas, 2), ("models", models, 1)):
        if value < least:
            raise InputError(f"--{name} is {value}; allowed: {least} or more")
    if effect is not None and not 0 < effect < math.inf:
        raise InputError(f"--effect is {effect}; allowed: a number above 0, in placebo SD")
    known = shares or default_shares()
    sds = {
        "models": models, "sd_text": math.sqrt(known.text), "sd_persona_template": math.sqrt(known.persona_template),
        "sd_template": math.sqrt(known.template),
    }  # fmt: skip

    def names(t: int) -> float:
        if t < FEWEST:
            return math.inf
        return detectable_difference(templates=t, **sds)  # type: ignore[arg-type]

    def groups(t: int, p: int) -> float:
        if p < FEWEST:
            return math.inf
        signed = detectable_difference(templates=t, pairs=p, sd_persona=math.sqrt(known.persona), **sds)  # type: ignore[arg-type]
        return max(names(t), signed)

    sd_ratio = math.sqrt(known.ratio_shared + known.ratio_own / models)
    variance = known.persona_template + known.text / models + known.template
    few_templates = f"with {templates} templates no p of direction is below {2.0 ** (1 - templates):.3g}"
    by_names = {
        "difference": _known(names(templates)),
        "ratio": detectable_ratio(templates=templates, sd=sd_ratio) if templates >= FEWEST_RATIO else None,
        "templates_effect": _least(names, effect),
        "templates_ratio": math.ceil(templates_for_ratio(sd=sd_ratio)),
        "templates_difference": math.ceil(templates_for_difference(variance=variance)),
        "reason": few_templates if templates < FEWEST else None,
    }
    more_templates = _least(lambda t: groups(t, personas), effect)
    reasons = ["the ratio of groups has no planning formula"]
    if templates < FEWEST:
        reasons.append(few_templates)
    if personas < FEWEST:
        reasons.append(f"with {personas} personas a side no p of groups is below {2.0 ** (1 - personas):.3g}")
    if effect is not None and more_templates is None:
        reasons.append(f"no number of templates detects {effect:g} with {personas} personas a side")
    by_groups = {
        "difference": _known(groups(templates, personas)),
        "ratio": None,
        "templates_effect": more_templates,
        "personas_effect": _least(lambda p: groups(templates, p), effect),
        "reason": "; ".join(reasons),
    }
    return {
        "templates": templates, "personas": personas, "models": models, "effect": effect, "shares": asdict(known),
        "names": by_names, "groups": by_groups,
    }  # fmt: skip


def _known(difference: float) -> float | None:
    return difference if math.isfinite(difference) else None


def _least(difference: Callable[[int], float], effect: float | None) -> int | None:
    """Return the smallest size from 2 on whose detectable difference is at most the effect; it falls with size."""
    if effect is None or difference(LARGEST) > effect:
        return None
    low, high = 1, LARGEST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if difference(middle) <= effect else (middle, high)
    return high


def in_words(found: dict[str, Any]) -> str:
    """Return a plan as lines to read.

    Parameters
    ----------
    found : dict
        As `plan` gives it.

    Returns
    -------
    str
    """
    names, groups, shares = found["names"], found["groups"], found["shares"]
    of_names, of_groups = (
        "no difference" if level["difference"] is None else f"a difference of {level['difference']:.3g} placebo SD"
        for level in (names, groups)
    )
    lines = [
        f"{found['templates']} templates, {found['personas']} personas a side, {found['models']} models; 80 % power at 5 %, "
        "before any adjustment for many tests",
        f"these names: {of_names}, " + ("no ratio" if names["ratio"] is None else f"a ratio of {names['ratio']:.3g}"),
        f"groups:      {of_groups} ({groups['reason']})",
        "templates that would tell, for these names and if nothing differs: "
        f"ratio within its bound {names['templates_ratio']:,}, difference within its bound {names['templates_difference']:,}",
    ]
    if names["reason"]:
        lines[1] += f" ({names['reason']})"
    if found["effect"] is not None:
        sizes = [names["templates_effect"], groups["templates_effect"], groups["personas_effect"]]
        a, b, c = ("none is enough" if size is None else f"{size:,}" for size in sizes)
        lines.append(f"a difference of {found['effect']:g} needs templates: names {a}, groups {b}; or personas a side: {c}")
    lines.append(f"variance shares from {shares['n']} templates that two models answered in full: data/variance_shares.csv")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the shares of a study and write them.

    Parameters
    ----------
    arguments : sequence of str, optional

    Returns
    -------
    int
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m eftlib.planner", description=__doc__)
    parser.add_argument("--study", default="pilot", help="a study that was scored (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=data_dir() / "variance_shares.csv")
    options = parser.parse_args(arguments)
    return reported(lambda: _run(options.study, options.out))


def _run(study: str, out: Path) -> int:
    path = scoring.results_dir(studies.load(study)) / "scores.parquet"
    if not path.exists():
        raise InputError(f"the study {study} is not scored; run: python -m eftlib score --study {study}")
    table = measure_shares(of_condition(pd.read_parquet(path), profile="controlled"))
    table.assign(study=study).to_csv(out, index=False, lineterminator="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
