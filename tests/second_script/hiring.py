"""Audit the public hiring pairs against their null a second time, with no line of the library.

``python tests/second_script/hiring.py FOLDER`` reads ``hiring_race_black.jsonl`` and ``null_pairs.jsonl`` of the folder (the
Hiring-Bias data set of re:cinq, CC BY 4.0) and prints the table that is kept as ``hiring.csv``. The procedure is that of
``pages/noise_floor.md`` section 9, written down anew: plain dictionaries, all 131,072 flips of 17 topics, Student's t by scipy.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t as student

# what the library calls a word (3.5, 24/7, 802.1X, e.g., debt-to-income, don't), written another way
WORD = re.compile(r"(?:[^\W\d_]{1,2}\.){2,}|\d+(?:[.,:/]\d+)*(?:['’‑-]?[^\W_]+)*|[^\W_]+(?:['’‑-][^\W_]+)*")
METRICS: dict[str, Callable[[list[str]], float]] = {
    "word_count": lambda words: float(len(words)),
    "ttr": lambda words: len({word.lower().replace("’", "'").replace("‑", "-") for word in words}) / len(words),
}
Gaps = dict[tuple[str, str], list[float]]


def gaps(rows: list[dict[str, Any]], metric: str) -> tuple[Gaps, Gaps]:
    """Signed differences B - A of each topic and model, and their sizes."""
    signed: Gaps = defaultdict(list)
    for row in rows:
        a, b = (METRICS[metric](WORD.findall(row[f"explanation_{side}"])) for side in "ab")
        signed[row["topic"], row["model"]].append(b - a)
    return signed, {cell: [abs(value) for value in values] for cell, values in signed.items()}


def by_topic(cells: dict[tuple[str, str], float], scale: dict[str, float]) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for (topic, model), value in cells.items():
        found[topic].append(value / scale[model])
    return {topic: statistics.fmean(values) for topic, values in found.items()}


def scales(*files: dict[tuple[str, str], float]) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for (_, model), value in itertools.chain.from_iterable(each.items() for each in files):
        found[model].append(value)
    return {model: statistics.fmean(values) for model, values in found.items()}


def flips(values: list[float]) -> np.ndarray[Any, Any]:
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=len(values))))
    return signs @ np.array(values)


def fieller(c: list[float], w: list[float]) -> tuple[float, float]:
    limit = student.ppf(0.975, len(c) - 1) ** 2 / len(c)
    (cc, cw), (_, ww) = np.cov(c, w)
    mc, mw = statistics.fmean(c), statistics.fmean(w)
    a, b, constant = mw**2 - limit * ww, mc * mw - limit * cw, mc**2 - limit * cc
    root = math.sqrt(b**2 - a * constant)
    return (b - root) / a, (b + root) / a


def audit(folder: Path) -> list[dict[str, Any]]:
    """One row a metric and row set."""
    pairs, null = (
        [json.loads(line) for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for name in ("hiring_race_black", "null_pairs")
    )
    rows = []
    for chosen, metric in itertools.product(("equal decisions", "all"), METRICS):
        here, there = ([row for row in each if chosen == "all" or row["same_decision"]] for each in (pairs, null))
        signed, sizes = gaps(here, metric)
        _, placebo = gaps(there, metric)
        mean = {cell: statistics.fmean(values) for cell, values in sizes.items()}
        other = {cell: statistics.fmean(values) for cell, values in placebo.items()}
        common = mean.keys() & other.keys()
        first, second = ({cell: each[cell] for cell in sorted(common)} for each in (mean, other))
        both = scales(first, second)
        gap, noise = by_topic(first, both), by_topic(second, both)
        c, w = ([each[topic] for topic in sorted(gap)] for each in (gap, noise))
        excess = [x - y for x, y in zip(c, w, strict=True)]
        reached = flips(excess) >= sum(excess) - 1e-9
        low, high = fieller(c, w)
        d = by_topic({cell: statistics.fmean(values) for cell, values in signed.items()}, scales(mean))
        total = sum(d.values())
        rows.append({
            "metric": metric, "rows": chosen, "n_pairs": len(here), "cells": len(common), "ratio": sum(c) / sum(w),
            "ratio_low": low, "ratio_high": high, "p_magnitude": float(reached.mean()),
            "difference": total / len(d),
            "p_direction": float((np.abs(flips(list(d.values()))) >= abs(total) - 1e-9).mean()),
        })  # fmt: skip
    return rows


if __name__ == "__main__":
    found = audit(Path(sys.argv[1]))
    writer = csv.DictWriter(sys.stdout, list(found[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(found)
