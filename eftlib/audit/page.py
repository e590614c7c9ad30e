"""The audit as one page that stands alone: no script, nothing loaded, everything that came from outside escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

import pandas as pd

from eftlib import tables
from eftlib.audit.pairs import SIDES, Pair, Side, groups
from eftlib.metrics import METRICS, Profile

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #57606a; --line: #d0d7de; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #a3adb8; --line: #3d444d; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; max-width: 78rem;
  padding: 1rem; overflow-wrap: anywhere; }
p, li, dd { max-width: 45rem; } dt { font-weight: 600; } dd { margin: 0 0 .5rem 1rem; }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 3px solid currentColor; }
table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
caption { text-align: left; color: var(--soft); padding: .3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
td:nth-child(2) { min-width: 14rem; } small { display: block; color: var(--soft); font-weight: 400; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
@media (max-width: 50rem) {
  table, caption, tbody, tr, th, td { display: block; } thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } th, td { border: 0; padding: .1rem 0; }
  td.number { display: flex; justify-content: space-between; gap: 1rem; white-space: normal; }
  td.number::before { content: attr(data-name); color: var(--soft); text-align: left; }
}
blockquote { border-left: 3px solid var(--line); margin: .5rem 0; padding-left: 1rem; white-space: pre-wrap; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_HEADS = {
    "metric": "Metric", "verdict": "Verdict", "ratio": "Ratio of gaps [95\u00a0%]",
    "difference": "Difference B − A [95\u00a0%]", "difference_sd": "Difference in placebo SD [90\u00a0%]",
    "p_magnitude_bh": "p, magnitude", "p_direction_bh": "p, direction", "n_pairs": "Pairs",
    "n_clusters": "Topics",
}  # fmt: skip
_ROWS = {"equal decisions": "pairs with equal decisions", "all": "all pairs"}
_VERDICTS = {
    "disparity beyond noise": "a test rejects: the sides are further apart than the sides of the null (magnitude), or one side "
    "has more, on average over topics (direction).",
    "no disparity beyond noise": "no test rejects, and ratio and difference are both shown to lie within their bounds (below "
    "1.10; within ± 0.2 placebo SD, the spread of one text within the null).",
    "cannot tell": "neither is shown. A test that does not reject is no evidence that there is nothing.",
}


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
    seen = main[main["n_pairs"] > 0]
    counts = [f"{word}: {number}" for word, number in seen["verdict"].value_counts().items()]
    counts += [f"not measured: {len(main) - len(seen)}"] if len(seen) < len(main) else []
    unequal, unknown = (sum(pair.equal is value for pair in pairs) for value in (False, None))
    parts = [
        "<h1>Audit of explanation pairs</h1>",
        f"<p><strong>Verdicts by metric and axis: {_text('; '.join(counts))}.</strong></p>",
        f"<ul>{''.join(f'<li>{_text(each)}</li>' for each in said)}</ul>",
        f"<dl>{''.join(f'<dt>{_text(word)}</dt><dd>{_text(means)}</dd>' for word, means in _VERDICTS.items())}</dl>",
        "<p>The claim is about these names (or whatever differs between the sides of these pairs), not about groups in "
        "general. Topics are the independent units.</p>",
        "<p>The null is one draw of edits that should not matter. So a disparity in magnitude means more than this edit makes, "
        "and not more than any such edit would.</p>"
        if null
        else "<p><strong>Without a null, magnitude cannot be judged: direction alone is, and a verdict is "
        "“disparity beyond noise” or “cannot tell”.</strong></p>",
        _decisions(len(pairs), unequal, unknown),
    ]
    for axis in dict.fromkeys(judged["axis"]):
        here = [pair for pair in pairs if pair.axis == axis]
        sides = "; ".join(f"{side.upper()}: {', '.join(groups(here, side)) or 'unnamed'}" for side in SIDES)
        parts.append(f"<h2>Axis: {_text(axis)}</h2><p>Sides: {_text(sides)}.</p>")
        # where all decisions are equal the second row set is the first once more
        for rows in dict.fromkeys(judged["rows"]) if unequal or unknown else [main["rows"].iloc[0]]:
            parts.append(
                _table(judged[(judged["axis"] == axis) & (judged["rows"] == rows)], f"{axis}: {_ROWS[rows]}", null=null)
            )
    parts.append(_notes(main, profile, alpha, null=null))
    if texts:
        parts.append(_examples(table, texts))
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{_POLICY}"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Audit of explanation pairs</title><style>{_STYLE}</style></head><body><main>"
    )
    return f"{head}\n{chr(10).join(part for part in parts if part)}\n</main></body></html>\n"


def _text(value: str) -> str:
    return escape(_CONTROL.sub("\ufffd", value))


def _decisions(pairs: int, unequal: int, unknown: int) -> str:
    if unknown == pairs:
        return "<p>Decisions are not known, so verdicts rest on all rows.</p>"
    if not unequal and not unknown:
        return "<p>Both sides of every pair got the same decision.</p>"
    return (
        f"<p>Verdicts rest on rows with equal decisions. Pairs with unequal decisions: {unequal:,}; with an unknown decision: "
        f"{unknown:,}. To choose rows by their decision is a selection after the fact, so all rows stand beside.</p>"
    )


def _notes(main: pd.DataFrame, profile: Profile, alpha: float, *, null: bool) -> str:
    left, families = int(main["cells_left_out"].max()), dict.fromkeys(main.loc[main["m_direction"] > 0, "m_direction"])
    sizes = " and ".join(str(int(each)) for each in families) or "0"
    lost = f" At most {left:,} cells (topic and model) of the pairs have none to compare with, or no gap but 0." if left else ""
    bound = (
        "<li>Difference in placebo SD: the difference in topics and models that both files hold, over the spread of one text "
        "within the null, with 90\u00a0% limits; the bound of “no disparity beyond noise” is about this one.</li>"
    )
    return (
        "<h2>How to read the columns</h2><ul>"
        "<li>Ratio: the gap between the sides over the gap within the null, in topics and models that both files hold; 1 is no "
        f"disparity.{lost}</li>"
        "<li>Difference: where there are several models, in the mean gap of the model, so that models of any scale weigh the "
        f"same; else in the unit of the metric.</li>{bound if null else ''}"
        f"<li>p: after Benjamini–Hochberg, over families of {sizes} metrics and axes for each question; α = {alpha:g}.</li>"
        f"<li>Metrics are those of the profile {profile}; under each stands what it measures and its unit. A dash: not known, "
        "for the reason given.</li></ul>"
    )


def _table(rows: pd.DataFrame, caption: str, *, null: bool) -> str:
    columns = [name for name in _HEADS if null or name != "difference_sd"]
    heads = [_HEADS[name] for name in columns]
    text = tables.shown(rows, columns)
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in heads)
    body = ""
    for row, (metric, _, *values) in zip(rows.to_dict("records"), text.itertuples(index=False), strict=True):
        each = METRICS[row["metric"]]
        said = row["verdict"] if row["claim"] == "none" else f"{row['verdict']}, by {row['claim']}"
        numbers = "".join(
            f'<td class="number" data-name="{_text(name)}">{_text(value)}</td>'
            for name, value in zip(heads[2:], values, strict=True)
        )
        body += (
            f'<tr><th scope="row">{_text(metric)}<small>{_text(f"{each.dimension}; {each.unit}")}</small></th>'
            f"<td>{_text(said)}<small>{_text(row['reason'])}</small></td>{numbers}</tr>"
        )
    name = _text(caption)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{name}"><table><caption>{name}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _examples(table: pd.DataFrame, texts: Mapping[str, Pair]) -> str:
    """Show, of each metric, the pair with the largest gap."""
    gaps = table.assign(gap=(table["b"] - table["a"]).abs()).dropna(subset=["gap"])
    parts = ["<h2>The pair with the largest gap, by metric</h2>"]
    for metric, here in gaps.groupby("metric", sort=False):
        row = here.iloc[int(here["gap"].to_numpy().argmax())]
        pair, each = texts[str(row["pair_id"])], METRICS[str(metric)]
        both = "".join(_side(pair, side, float(row[side]), each.unit) for side in SIDES)
        parts.append(f"<details><summary>{_text(each.label)}: pair {_text(pair.pair_id)}</summary>{both}</details>")
    return "".join(parts)


def _side(pair: Pair, side: Side, value: float, unit: str) -> str:
    shown = f"{value:,.0f}" if value.is_integer() else tables.number(value)
    who = ", ".join(said for field in ("name", "group") if (said := pair.of(field, side)))
    quoted = f"<blockquote><bdi>{_text(pair.of('explanation', side) or '')}</bdi></blockquote>"
    return f"<p>{side.upper()}{_text(f' ({who})') if who else ''}: {_text(shown)} {_text(unit)}</p>{quoted}"
