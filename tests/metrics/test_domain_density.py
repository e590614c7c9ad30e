"""Domain density: by hand, and against a regular expression that marks what it covers."""

from __future__ import annotations

import re

import pytest
import yaml
from shared import ROOT
from texts import KNOWN, NOTHING, reason, value

TERMS = {
    domain: [*each["published"], *each["added"]]
    for domain, each in yaml.safe_load((ROOT / "data" / "lexicons" / "domains.yml").read_text(encoding="utf-8")).items()
}

# domain, text, covered words, words
BY_HAND = [
    ("credit", "The loan was refused.", 0, 4),
    ("credit", "The credit score is low.", 2, 5),
    ("credit", "A DEBT-TO-INCOME ratio, and collateral.", 2, 5),
    ("credit", "debt‑to‑income and loan‐to‐value", 2, 3),  # with typographic hyphens
    ("credit", "credit history, credit report", 4, 4),
    ("credit", "credit credit score", 2, 3),
    ("credit", "Borrowers default on repayments.", 1, 4),  # no stemming: neither plural is listed
    ("legal", "Parole was granted despite recidivism.", 2, 5),
    ("legal", "The risk assessment and criminal history", 4, 6),
    ("medical", "Vital signs: blood pressure, heart rate.", 6, 6),
    ("medical", "acute acutely subacute", 1, 3),
    ("hiring", "A cross-functional leader with leadership experience", 3, 6),
    ("hiring", "The résumé and the **job description**", 3, 6),
    ("hiring", "experience " * 3000, 3000, 3000),
]


@pytest.mark.parametrize(("domain", "text", "covered", "words"), BY_HAND)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_by_hand(domain: str, text: str, covered: int, words: int, profile: str) -> None:
    assert value("domain_density", text, profile, domain=domain) == pytest.approx(covered / words)


def by_pattern(text: str, domain: str) -> int:
    """Words that stand inside a term: each match is struck out with as many signs as it has words, once."""
    longest = sorted(TERMS[domain], key=lambda term: -len(term.split()))
    pattern = "|".join(re.escape(term) for term in longest)
    return sum(len(each.split()) for each in re.findall(rf"(?<![\w-])(?:{pattern})(?![\w-])", text.lower()))


@pytest.mark.parametrize("domain", TERMS)
@pytest.mark.parametrize("known", KNOWN)
def test_known_texts_have_the_terms_that_the_pattern_finds(known: str, domain: str) -> None:
    plain = " ".join(sentence for sentence, _ in KNOWN[known].sentences)
    expected = by_pattern(plain, domain) / len(KNOWN[known].words)
    assert value("domain_density", KNOWN[known].text, domain=domain) == pytest.approx(expected)


@pytest.mark.parametrize(("domain", "term"), [(domain, term) for domain, terms in TERMS.items() for term in terms])
def test_each_term_is_found(domain: str, term: str) -> None:
    words = len(term.split())
    assert value("domain_density", f"Some {term} here", domain=domain) == pytest.approx(words / (words + 2))


@pytest.mark.parametrize("text", ["It concerns credit. History tells.", "A heart. Rate it."])
def test_a_term_does_not_reach_over_a_full_stop(text: str) -> None:
    domain = "medical" if "heart" in text else "credit"
    assert value("domain_density", text, domain=domain) == 0


@pytest.mark.parametrize("domain", ["evaluation", "Credit", "credit ", "housing", ""])
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_another_domain_is_no_value(domain: str, profile: str) -> None:
    assert re.match(r"no (vocabulary for the )?domain", reason("domain_density", "A low credit score.", profile, domain=domain))


def test_no_domain_is_no_value() -> None:
    assert reason("domain_density", "A low credit score.") == "no domain"


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("profile", ["published", "controlled"])
def test_no_word_is_no_value(nothing: str, profile: str) -> None:
    assert reason("domain_density", NOTHING[nothing], profile, domain="credit") == "empty"
