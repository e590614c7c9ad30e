"""The tables that describe the study's instruments: drawn from the code and data that they describe (study, Tables 1, 2, 9)."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from eftlib.benchmark import AXES, DOMAINS, Benchmark
from eftlib.lexicons import domains, hedging
from eftlib.metrics import METRICS


def taxonomy() -> pd.DataFrame:
    """List the metrics with their dimension, unit and definition, from the registry.

    Returns
    -------
    pandas.DataFrame
        One row a metric: ``dimension metric label unit definition`` (study, Table 1); ``definition`` is the first paragraph of
        its docstring.
    """
    rows = [
        {
            "dimension": each.dimension, "metric": name, "label": each.label, "unit": each.unit,
            "definition": each.definition.split("\n\n")[0].replace("\n", " "),
        }
        for name, each in METRICS.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def template_counts(benchmark: Benchmark) -> pd.DataFrame:
    """Count the templates by domain and axis.

    Parameters
    ----------
    benchmark : eftlib.benchmark.Benchmark

    Returns
    -------
    pandas.DataFrame
        One row a domain and one for the total; a column an axis and ``total`` (study, Table 2).
    """
    found = Counter((template.domain, template.axis) for template in benchmark.templates)
    table = pd.DataFrame([{"domain": domain, **{axis: found[domain, axis] for axis in AXES}} for domain in DOMAINS])
    table["total"] = table[list(AXES)].sum(axis=1)
    total = {"domain": "total", **table.drop(columns="domain").sum().to_dict()}
    return pd.concat([table, pd.DataFrame([total])], ignore_index=True)


def lexicon_table() -> pd.DataFrame:
    """List the hedging lexicon by weight.

    Returns
    -------
    pandas.DataFrame
        One row a tier: ``tier weight phrases`` (study, Table 9).
    """
    by_weight: dict[float, list[str]] = {}
    for phrase, weight in hedging().items():
        by_weight.setdefault(weight, []).append(phrase)
    rows = [
        {"tier": tier, "weight": weight, "phrases": ", ".join(phrases)}
        for tier, (weight, phrases) in enumerate(by_weight.items(), start=1)
    ]
    return pd.DataFrame(rows)


def vocabulary_table() -> pd.DataFrame:
    """List the domain vocabularies.

    Returns
    -------
    pandas.DataFrame
        One row a domain: ``domain terms vocabulary`` (study, Appendix B).
    """
    return pd.DataFrame(
        [{"domain": domain, "terms": len(terms), "vocabulary": ", ".join(terms)} for domain, terms in domains().items()]
    )
