"""The registry: each metric stands once, in the design's order, with its definition."""

from __future__ import annotations

import importlib
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
from shared import ROOT

from eftlib import metrics
from eftlib.errors import InputError
from eftlib.metrics import EXTENSIONS, METRICS, PROFILES, STUDY_METRICS, Explanation, get, measure
from eftlib.metrics.base import metric

# design, "Words used everywhere"
STUDY = ["word_count", "elaboration_depth", "sentiment", "hedging_density", "efp", "fkgl", "ttr", "domain_density"]
OWN = ["naming_rate", "pronoun_rate"]
TESTS = Path(__file__).parent


def test_ten_metrics_in_the_order_of_the_design() -> None:
    assert list(METRICS) == [*STUDY, *OWN]
    assert (list(STUDY_METRICS), list(EXTENSIONS)) == (STUDY, OWN)


def test_the_order_is_not_that_of_imports() -> None:
    # whoever imports one metric first must not move it to the front of every table
    code = "import eftlib.metrics.ttr, eftlib.metrics as m; print(*m.METRICS)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [*STUDY, *OWN]


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_says_what_it_is(name: str) -> None:
    each = METRICS[name]
    # the formula or definition, its unit, and its source: the study, or that it is this project's own
    assert each.definition.split("\n")[0].endswith(".")
    assert each.unit
    assert (
        re.search(r"Source: study, (III\.[A-F]|Eq\. [12])", each.definition)
        or "extension of this project" in each.definition.lower()
    )
    assert each.label


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_is_a_module_of_its_name_with_a_test(name: str) -> None:
    module = importlib.import_module(f"eftlib.metrics.{name}")
    assert METRICS[name].measure is getattr(module, name)
    assert (TESTS / f"test_{name}.py").is_file()


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_takes_its_dimension_from_the_taxonomy(name: str) -> None:
    # Table 1 of the study
    dimensions = {
        "word_count": "Verbosity", "elaboration_depth": "Verbosity", "sentiment": "Sentiment",
        "hedging_density": "Epistemic hedging", "efp": "Decision-linked", "fkgl": "Lexical complexity",
        "ttr": "Lexical complexity", "domain_density": "Lexical complexity",
    }  # fmt: skip
    assert METRICS[name].dimension == dimensions.get(name, "Extension")
    assert METRICS[name].extension == (name in OWN)


def test_two_metrics_embed() -> None:
    assert [name for name, each in METRICS.items() if each.embeds] == ["elaboration_depth", "efp"]


def test_a_name_is_registered_once() -> None:
    def ttr(explanation: Explanation) -> float:
        return 0.0

    before = dict(metrics.base.registered())
    with pytest.raises(ValueError, match="'ttr' is registered twice"):
        metric(label="Other", dimension="Extension", unit="none")(ttr)
    assert metrics.base.registered() == before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "word_cuont",
            r"no metric 'word_cuont'; did you mean 'word_count'\? allowed: word_count, elaboration_depth, .*pronoun_rate$",
        ),
        ("TTR", r"no metric 'TTR'; .*allowed: word_count, "),
        ("", r"no metric ''; .*allowed: word_count, "),
    ],
)
def test_an_unknown_name_lists_the_known_ones(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        get(name)
    with pytest.raises(InputError, match=message):
        measure(Explanation("The loan was refused."), [name])


@pytest.mark.parametrize("profile", PROFILES)
def test_measure_gives_all_in_order_or_those_asked_for(profile: str) -> None:
    explanation = Explanation("The loan was refused.", profile)
    assert list(measure(explanation)) == [*STUDY, *OWN]
    assert list(measure(explanation, ["ttr", "word_count"])) == ["ttr", "word_count"]
    assert measure(explanation, []) == {}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_value_has_no_reason_and_no_value_has_one(profile: str) -> None:
    for found, reason in measure(Explanation("The loan was refused.", profile)).values():
        assert math.isnan(found) == (reason is not None)
        # numpy's own numbers print their type, which no CSV can bear
        assert type(found) is float
