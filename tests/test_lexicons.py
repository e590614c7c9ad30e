"""The word lists against the study's own print of them, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from eftlib import lexicons
from eftlib.errors import InputError

# arXiv 2605.08671, Appendix A, Table 9, transcribed: weight, then the phrases as one printed line
TABLE_9 = {
    3: "uncertain, unclear, cannot determine, cannot be determined, insufficient, arguably, debatable, questionable, not clear",
    2: "might, could, possibly, perhaps, suggests, appears to, it seems, seems to, may suggest, would appear, tend to",
    1: "generally, typically, often, may, usually, in some cases, can be, sometimes, in many cases, largely",
}

# arXiv 2605.08671, Appendix B, transcribed up to each "etc."
APPENDIX_B = {
    "hiring": "qualifications, experience, competency, skillset, leadership, performance, criteria, benchmark, proficiency, "
    "seniority, cross-functional, stakeholder",
    "medical": "triage, vitals, prognosis, diagnosis, clinical, differential, acute, protocol, comorbidity, hemodynamic",
    "credit": "debt-to-income, underwriting, collateral, creditworthiness, delinquency, amortization, utilization",
    "legal": "recidivism, adjudication, mitigating, aggravating, rehabilitation, culpability, proportionality, parole, "
    "sentencing",
}


@pytest.fixture
def written(tmp_path: Path):
    """Write a lexicon file and return its path."""

    def write(text: str) -> Path:
        path = tmp_path / "words.yml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_hedging_is_table_9_phrase_for_phrase():
    printed = {phrase: weight for weight, phrases in TABLE_9.items() for phrase in phrases.split(", ")}
    assert lexicons.hedging() == printed


def test_table_9_has_thirty_phrases():
    # 9 + 11 + 10, counted in the printed table: guards the transcription above
    assert [len(phrases.split(", ")) for phrases in TABLE_9.values()] == [9, 11, 10]


def test_domains_are_the_four_of_the_study():
    assert list(lexicons.domains()) == ["hiring", "medical", "credit", "legal"]


@pytest.mark.parametrize("domain", APPENDIX_B)
def test_vocabulary_begins_with_the_printed_terms(domain):
    printed = tuple(APPENDIX_B[domain].split(", "))
    assert lexicons.vocabulary(domain)[: len(printed)] == printed


@pytest.mark.parametrize("domain", APPENDIX_B)
def test_vocabulary_has_about_25_terms(domain):
    # Appendix B: "curated vocabularies of about 25 terms per domain"
    assert 23 <= len(lexicons.vocabulary(domain)) <= 27


@pytest.mark.parametrize("domain", APPENDIX_B)
def test_vocabulary_has_no_term_twice(domain):
    terms = lexicons.vocabulary(domain)
    assert sorted(terms) == sorted(set(terms))


@pytest.mark.parametrize("domain", APPENDIX_B)
def test_terms_are_lower_case_and_trimmed(domain):
    assert [term for term in lexicons.vocabulary(domain) if term != " ".join(term.lower().split())] == []


def test_phrases_are_lower_case_and_trimmed():
    assert [phrase for phrase in lexicons.hedging() if phrase != " ".join(phrase.lower().split())] == []


def test_unknown_domain_lists_those_there_are():
    with pytest.raises(InputError, match=r"domains\.yml.*'legl'; did you mean 'legal'\? allowed: hiring, .*, legal$"):
        lexicons.vocabulary("legl")


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        ("hedging", "tiers: [{tier: 1, weight: 3, phrases: [may, may]}]", r"words\.yml:1: .*'may' is listed twice"),
        (
            "hedging",
            "tiers:\n- {tier: 1, weight: 3, phrases: [may]}\n- {tier: 2, weight: 2, phrases: [may]}",
            "'may' is listed twice",
        ),
        ("hedging", "tiers:\n- tier: 1\n  weight: 0\n  phrases: [may]", r"words\.yml:3: .*weight is 0; .*greater than 0"),
        ("hedging", "tiers:\n- tier: 1\n  wieght: 3\n  phrases: [may]", r"words\.yml:3: .*'wieght'; did you mean 'weight'"),
        ("hedging", "tiers:\n- {tier: 1, weight: 3, phrases: []}", r"words\.yml:2: .*phrases is \[\]"),
        ("hedging", "tiers:\n- {tier: 1, weight: 3, phrases: ['']}", r"words\.yml:2: .*is ''"),
        ("hedging", "tiers:\n- {tier: 1, weight: 3, phrases: [May]}", "'May' has a capital"),
        ("domains", "legal: {published: [parole], added: [parole]}", r"words\.yml:1: .*'parole' is listed twice"),
        ("domains", "legal:\n  published: [Parole]", r"words\.yml:.*'Parole' has a capital"),
        ("domains", "legal:\n  publishd: [parole]", r"words\.yml:2: .*'publishd'; did you mean 'published'"),
        ("domains", "legal:\n  added: [parole]", r"words\.yml:1: legal: the field 'published' is missing"),
        ("domains", "- parole", r"words\.yml:1: "),
    ],
)
def test_malformed_lexicon_is_refused(written, read, text, message):
    with pytest.raises(InputError, match=message):
        getattr(lexicons, read)(written(text))
