"""The audit as one page that stands alone: no script, nothing loaded, everything that came from outside escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd

from eftlib import tables
from eftlib.audit.pairs import Pair, groups
from eftlib.metrics import METRICS, Profile

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #57606a; --line: #d0d7de; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #a3adb8; --line: #3d444d; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 70rem;
  padding: 1rem; overflow-wrap: anywhere; }
p, li { max-width: 45rem; } .scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 3px solid currentColor; }
table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
caption { text-align: left; color: var(--soft); padding: .3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
blockquote { border-left: 3px solid var(--line); margin: .5rem 0; padding-left: 1rem; white-space: pre-wrap; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_COLUMNS = (
    "metric", "verdict", "claim", "ratio", "difference", "p_magnitude_bh", "m_magnitude", "p_direction_bh", "m_direction",
    "n_pairs", "n_clusters", "cells_left_out", "reason",
)  # fmt: skip
_WORDS = ("metric", "verdict", "claim", "reason")


def report(
    judged: pd.DataFrame,
    table: pd.DataFrame,
    pairs: Sequence[Pair],
    texts: Mapping[str, Pair],
    *,
    said: Sequence[str],
    profile: Profile,
    alpha: float,
    null: bool,
) -> str:
    """Return the page.

    Parameters
    ----------
    judged, table : pandas.DataFrame
        As `judge` and `measured` of `eftlib.audit.judging` give them.
    pairs : sequence of Pair
    texts : mapping of str to Pair
        Pairs whose texts may be shown, by id; empty shows none.
    said : sequence of str
        What was read.
    profile : {"published", "controlled"}
    alpha : float
    null : bool
        Whether there is a null.

    Returns
    -------
    str
        HTML.
    """
    main = judged[judged["rests_on"]]
    counts = main["verdict"].value_counts()
    headline = "; ".join(f"{word}: {number}" for word, number in counts.items())
    unequal, unknown = (sum(pair.equal is value for pair in pairs) for value in (False, None))
    parts = [
        "<h1>Audit of explanation pairs</h1>",
        f"<p><strong>Verdicts by metric and axis: {_text(headline)}.</strong></p>",
        f"<ul>{''.join(f'<li>{_text(each)}</li>' for each in said)}</ul>",
        f"<p>Measured in the profile {profile}; α = {alpha:g} after Benjamini–Hochberg. The claim is about these names (or "
        "whatever differs between the sides of these pairs), not about groups in general. Topics are the independent "
        "units.</p>",
        ""
        if null
        else "<p><strong>Without a null, magnitude cannot be judged: direction alone is, and a verdict is "
        "“disparity beyond noise” or “cannot tell”.</strong></p>",
        f"<p>Verdicts rest on {_text(main['rows'].iloc[0])} rows. Pairs with unequal decisions: {unequal:,}; with an unknown "
        f"decision: {unknown:,}. To choose rows by their decision is a selection after the fact, so all rows stand beside.</p>",
    ]
    for axis in dict.fromkeys(judged["axis"]):
        here = [pair for pair in pairs if pair.axis == axis]
        sides = " and ".join(f"{side.upper()} {', '.join(groups(here, side)) or 'unnamed'}" for side in ("a", "b"))
        parts.append(f"<h2>{_text(axis)}</h2><p>Sides: {_text(sides)}. Differences are B − A.</p>")
        for rows in dict.fromkeys(judged["rows"]):
            parts.append(_table(judged[(judged["axis"] == axis) & (judged["rows"] == rows)], f"{axis}: {rows} rows"))
    if texts:
        parts.append(_examples(table, texts))
    parts.append(
        "<h2>How to read it</h2><p>Ratio: the gap between sides over the gap of the null, in topics and models that both hold; "
        "1 is no disparity. Differences are in the model's mean gap where there are several models. <em>No disparity beyond "
        "noise</em> needs both ratio and difference within their bounds (1.10; 0.2 placebo SD); a test that does not reject "
        "shows nothing by itself and reads <em>cannot tell</em>.</p>"
    )
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{_POLICY}"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Audit of explanation pairs</title><style>{_STYLE}</style></head><body><main>"
    )
    return f"{head}\n{chr(10).join(part for part in parts if part)}\n</main></body></html>\n"


def _text(value: str) -> str:
    return escape(_CONTROL.sub("\ufffd", value))


def _table(rows: pd.DataFrame, caption: str) -> str:
    text = tables.shown(rows, _COLUMNS)
    head = "".join(f'<th scope="col">{_text(str(name))}</th>' for name in text)
    body = ""
    for values in text.itertuples(index=False):
        cells = [
            f'<th scope="row">{_text(value)}</th>' if name == "metric"
            else f"<td>{_text(value)}</td>" if name in _WORDS
            else f'<td class="number">{_text(value)}</td>'
            for name, value in zip(_COLUMNS, values, strict=True)
        ]  # fmt: skip
        body += f"<tr>{''.join(cells)}</tr>"
    name = _text(caption)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{name}"><table><caption>{name}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _examples(table: pd.DataFrame, texts: Mapping[str, Pair]) -> str:
    """Show, of each metric, the pair with the largest gap."""
    gaps = table.assign(gap=(table["b"] - table["a"]).abs()).dropna(subset=["gap"])
    parts = ["<h2>The pair with the largest gap</h2>"]
    for metric, here in gaps.groupby("metric", sort=False):
        pair = texts[str(here["pair_id"].iloc[int(here["gap"].to_numpy().argmax())])]
        both = "".join(f"<p>{side}</p><blockquote><bdi>{_text(said)}</bdi></blockquote>" for side, said in (
            ("A", pair.explanation_a), ("B", pair.explanation_b)))  # fmt: skip
        parts.append(f"<details><summary>{_text(METRICS[str(metric)].label)}: {_text(pair.pair_id)}</summary>{both}</details>")
    return "".join(parts)
