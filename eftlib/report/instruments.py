"""Pages about the instruments: the metrics with real examples, the people, the templates."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from eftlib import tables
from eftlib.benchmark import DRAWS, SIDES, Benchmark, Persona, Template, usage
from eftlib.metrics import METRICS, Metric
from eftlib.report.page import Page


def metric_examples(page: Page) -> None:
    """Show each metric's definition, and the texts and values of a pair that shows it.

    Of the pairs whose sides differ and are both other than 0 it is the one whose disparity is nearest their median; where no
    pair is so, of those that differ; and where none differs, of all.

    Parameters
    ----------
    page : Page
    """
    here = page.differences
    here = here[(here["condition"] == "baseline") & (here["draw"] == 0)].dropna(subset=["disparity"])
    for name, metric in METRICS.items():
        about = f"`{name}` · {metric.dimension} · unit: {metric.unit}"
        page.say(f"### {metric.label}\n\n{about}\n\n{_definition(metric.definition)}")
        page.say(_example(page, metric, here[here["metric"] == name]))


def _example(page: Page, metric: Metric, pairs: pd.DataFrame) -> str:
    known = pairs[pairs["profile"] == "controlled"]
    if known.empty:
        return "*No pair has been measured yet.*"
    differ = known["disparity"] > 0
    both = differ & (known["a"] != 0) & (known["b"] != 0)
    known = known[both if both.any() else differ if differ.any() else differ | True].reset_index(drop=True)
    nearest = (known["disparity"] - known["disparity"].median()).abs().to_numpy().argmin()
    model, template = known["model"].iloc[nearest], known["template"].iloc[nearest]
    same = pairs[(pairs["model"] == model) & (pairs["template"] == template)].sort_values("profile", ascending=False)
    rows = [
        f"| {row['profile']} | {' | '.join(tables.number(row[name]) for name in ('a', 'b', 'disparity'))} |"
        for row in same.to_dict("records")
    ]
    head = f"{tables.literal(page.labels[str(model)])}, template {template}"
    return "\n".join(
        [
            "| profile | A | B | disparity |", "|:---|---:|---:|---:|", *rows, "",
            f":::{{admonition}} The explanations: {head}", ":class: dropdown", "",
            *_texts(page, model, template, opposite=metric is METRICS["efp"]), ":::",
        ]
    )  # fmt: skip


def published_checks(page: Page, checks: pd.DataFrame) -> None:
    """Show checks of the published numbers: what the study prints, what follows from it, the arithmetic and the reason.

    Parameters
    ----------
    page : Page
    checks : pandas.DataFrame
        Rows of `eftlib.analysis.published_checks`.
    """
    parts = {"The study": "claim", "Recomputed": "recomputed", "Arithmetic": "arithmetic"}
    for row in checks.to_dict("records"):
        said = {name: tables.literal(text) for name, text in row.items()}
        lines = [*(f"> *{name}:* {said[column]}" for name, column in parts.items()), f"> {said['reason']}"]
        page.say(f"**{said['check']}** · {said['table']} · **{said['verdict']}**\n\n" + "\\\n".join(lines))


def _texts(page: Page, model: Any, template: Any, *, opposite: bool) -> list[str]:
    rows = page.explanations
    rows = rows[(rows["model"] == model) & (rows["template"] == template) & (rows["draw"] == 0)]
    rows = rows[rows["condition"] == "baseline"].sort_values("side")
    which = {"answer": ""} | ({"opposite": ", opposite decision"} if opposite else {})
    return [
        f"**{row['side']}**, {tables.literal(row['name'])}{what}:\n\n> {tables.literal(row[column])}\n"
        for row in rows.to_dict("records")
        for column, what in which.items()
    ]


def _definition(docstring: str) -> str:
    """Return a docstring as paragraphs: what stands in code marks is code, nothing else is markup."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", docstring))
    return "\n\n".join(
        "".join(f"`{part}`" if number % 2 else tables.literal_within(part) for number, part in enumerate(text.split("``")))
        for text in paragraphs
    )


def persona_table(benchmark: Benchmark) -> pd.DataFrame:
    """List the persona pairs.

    Parameters
    ----------
    benchmark : eftlib.benchmark.Benchmark

    Returns
    -------
    pandas.DataFrame
        One row a pair: ``axis stratum pair A B templates``.
    """
    used = {pair: times for pairs in usage(benchmark).values() for pair, times in pairs.items()}
    rows = [
        {"axis": axis, "stratum": stratum, "pair": pair.id, "A": who(pair.A), "B": who(pair.B), "templates": used[pair.id]}
        for axis, strata in benchmark.strata.items()
        for stratum, pairs in strata.items()
        for pair in pairs
    ]
    return pd.DataFrame(rows)


def who(person: Persona) -> str:
    """Return a person in words.

    Parameters
    ----------
    person : eftlib.benchmark.Persona

    Returns
    -------
    str
    """
    about = [person.pronouns, *(str(each) for each in (person.age, person.affiliation) if each is not None)]
    return f"{person.name} ({', '.join(about)})"


def all_templates(page: Page) -> None:
    """Show every template with its decisions and its people.

    Parameters
    ----------
    page : Page
    """
    benchmark = page.study.benchmark
    for domain in dict.fromkeys(template.domain for template in benchmark.templates):
        page.say(f"### {domain.capitalize()}")
        for template in benchmark.templates:
            if template.domain == domain:
                page.say(_template(benchmark, template))


def _template(benchmark: Benchmark, template: Template) -> str:
    people = ", ".join(
        f"{side}{draw} {tables.literal(who(benchmark.persona(template.id, side, draw)))}" for draw in DRAWS for side in SIDES
    )
    about = f"{template.axis}; the stated decision is {template.valence}"
    return (
        f"**{template.id} · {tables.literal(template.title)}** ({about})\n\n> {tables.literal(template.scenario)}\n\n"
        f"Stated: *{tables.literal(template.stated)}*. Opposite: *{tables.literal(template.opposite)}*. People: {people}."
    )
