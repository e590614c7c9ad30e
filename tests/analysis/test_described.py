"""Tables 1, 2 and 9: what the study says of its instruments is what the code and the data hold."""

from __future__ import annotations

import pandas as pd
import pytest
from shared import ROOT, SMALL
from tables_by_hand import row

from eftlib import analysis
from eftlib import benchmark as bench
from eftlib.metrics import METRICS

# Table 9, as printed
PHRASES = {
    3: "uncertain, unclear, cannot determine, cannot be determined, insufficient, arguably, debatable, questionable, not clear",
    2: "might, could, possibly, perhaps, suggests, appears to, it seems, seems to, may suggest, would appear, tend to",
    1: "generally, typically, often, may, usually, in some cases, can be, sometimes, in many cases, largely",
}
# Table 1, in this project's names
DIMENSIONS = {
    "Verbosity": ["word_count", "elaboration_depth"],
    "Sentiment": ["sentiment"],
    "Epistemic hedging": ["hedging_density"],
    "Decision-linked": ["efp"],
    "Lexical complexity": ["fkgl", "ttr", "domain_density"],
}


def test_templates_are_spread_as_in_the_study(shipped: bench.Benchmark) -> None:
    published = pd.read_csv(ROOT / "data" / "published" / "table2_templates.csv")
    pd.testing.assert_frame_equal(analysis.template_counts(shipped), published, check_dtype=False)


def test_a_benchmark_that_lacks_domains_and_axes_counts_0(tmp_path) -> None:
    for name in ("templates.yml", "personas.yml"):
        (tmp_path / name).write_text(SMALL[name], encoding="utf-8")
    table = analysis.template_counts(bench.load(tmp_path))
    # one template on hiring and gender, one on medical and age
    assert table.drop(columns="domain").to_numpy().tolist() == [
        [1, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 1], [0] * 6, [0] * 6, [1, 0, 1, 0, 0, 2],
    ]  # fmt: skip


@pytest.mark.parametrize(("tier", "weight"), [(1, 3), (2, 2), (3, 1)])
def test_the_lexicon_is_the_study_s(tier: int, weight: int) -> None:
    found = row(analysis.lexicon_table(), tier=tier)
    assert (found["weight"], found["phrases"]) == (weight, PHRASES[weight])


def test_there_are_three_tiers() -> None:
    assert len(analysis.lexicon_table()) == 3


@pytest.mark.parametrize(
    ("domain", "first"),
    [
        # Appendix B, as printed
        (
            "hiring",
            "qualifications, experience, competency, skillset, leadership, performance, criteria, benchmark, proficiency",
        ),
        ("medical", "triage, vitals, prognosis, diagnosis, clinical, differential, acute, protocol, comorbidity, hemodynamic"),
        ("credit", "debt-to-income, underwriting, collateral, creditworthiness, delinquency, amortization, utilization"),
        ("legal", "recidivism, adjudication, mitigating, aggravating, rehabilitation, culpability, proportionality, parole"),
    ],
)
def test_a_vocabulary_begins_with_the_study_s_terms_and_has_25(domain: str, first: str) -> None:
    found = row(analysis.vocabulary_table(), domain=domain)
    assert found["vocabulary"].startswith(first + ", ")
    assert found["terms"] == len(found["vocabulary"].split(", ")) == 25


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_dimensions_have_the_study_s_metrics(dimension: str) -> None:
    table = analysis.taxonomy()
    assert table.loc[table["dimension"] == dimension, "metric"].tolist() == DIMENSIONS[dimension]


def test_what_is_none_of_the_study_s_is_an_extension() -> None:
    table = analysis.taxonomy()
    rest = table.loc[~table["dimension"].isin(DIMENSIONS), ["dimension", "metric"]]
    assert rest.to_numpy().tolist() == [["Extension", "naming_rate"], ["Extension", "pronoun_rate"]]


@pytest.mark.parametrize("metric", METRICS)
def test_each_metric_is_defined_in_one_line(metric: str) -> None:
    found = row(analysis.taxonomy(), metric=metric)
    assert found["label"]
    assert found["unit"]
    assert found["definition"].endswith(".")
    assert "\n" not in found["definition"]
    assert "  " not in found["definition"]
    assert "Source:" not in found["definition"]
