"""The word lists that two metrics count, read from ``data/lexicons``.

Hedging tiers are Table 9 of the study; domain vocabularies begin with the terms of its Appendix B.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field, RootModel, model_validator

from eftlib.errors import InputError
from eftlib.files import Strict, Text, data_dir, hint, read_yaml, shown


class _Tier(Strict):
    tier: int
    weight: float = Field(gt=0)
    phrases: tuple[Text, ...] = Field(min_length=1)


class _Hedging(Strict):
    tiers: tuple[_Tier, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _each_phrase_once(self) -> _Hedging:
        _refuse_twice([phrase for tier in self.tiers for phrase in tier.phrases])
        return self


class _Vocabulary(Strict):
    published: tuple[Text, ...] = Field()
    added: tuple[Text, ...] = Field(default=())

    @model_validator(mode="after")
    def _each_term_once(self) -> _Vocabulary:
        _refuse_twice([*self.published, *self.added])
        return self


class _Domains(RootModel[dict[str, _Vocabulary]]):
    """Vocabularies by domain."""


def _refuse_twice(phrases: list[str]) -> None:
    for phrase in phrases:
        if phrase != phrase.lower():
            raise ValueError(f"{phrase!r} has a capital; write phrases in lower case, as they are matched")
        if phrases.count(phrase) > 1:
            raise ValueError(f"{phrase!r} is listed twice; keep one")


@cache
def hedging(path: Path | None = None) -> dict[str, float]:
    """Return the hedging phrases with their weights, in the order of the file.

    Parameters
    ----------
    path : Path, optional
        A YAML file with ``tiers``; by default ``data/lexicons/hedging.yml``.

    Returns
    -------
    dict of str to float
        Lower-case phrase to weight (3, 2 or 1 in the study: Eq. 1 and Table 9).

    Raises
    ------
    InputError
        If the file is malformed or lists a phrase twice.

    Examples
    --------
    >>> lexicon = hedging()
    >>> lexicon["cannot determine"], lexicon["might"], lexicon["often"]
    (3.0, 2.0, 1.0)
    """
    file = path or data_dir() / "lexicons" / "hedging.yml"
    tiers = read_yaml(file, _Hedging).tiers
    return {phrase: tier.weight for tier in tiers for phrase in tier.phrases}


@cache
def domains(path: Path | None = None) -> dict[str, tuple[str, ...]]:
    """Return the vocabulary of each domain, the study's own terms first.

    Parameters
    ----------
    path : Path, optional
        A YAML file with a mapping of domains to ``published`` and ``added`` terms; by default ``data/lexicons/domains.yml``.

    Returns
    -------
    dict of str to tuple of str
        Domain to lower-case terms (study, Appendix B, and this project's additions).

    Raises
    ------
    InputError
        If the file is malformed or lists a term twice in a domain.
    """
    file = path or data_dir() / "lexicons" / "domains.yml"
    return {name: (*each.published, *each.added) for name, each in read_yaml(file, _Domains).root.items()}


def vocabulary(domain: str, path: Path | None = None) -> tuple[str, ...]:
    """Return the vocabulary of one domain.

    Parameters
    ----------
    domain : str
        A domain that the file has.
    path : Path, optional
        See `domains`.

    Returns
    -------
    tuple of str
        Lower-case terms.

    Raises
    ------
    InputError
        If the domain has no vocabulary; the message lists those that have.

    Examples
    --------
    >>> vocabulary("legal")[:2]
    ('recidivism', 'adjudication')
    """
    known = domains(path)
    if domain not in known:
        file = path or data_dir() / "lexicons" / "domains.yml"
        raise InputError(f"{shown(file)}: no vocabulary for the domain {domain!r}{hint(domain, known)}")
    return known[domain]
