"""What a metric is, what it sees, and the registry in which each stands once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from eftlib.errors import InputError
from eftlib.files import hint
from eftlib.text import mask_name, plain, sentences, stretches, words

Profile = Literal["published", "controlled"]
PROFILES: tuple[Profile, ...] = ("published", "controlled")
Dimension = Literal["Verbosity", "Sentiment", "Epistemic hedging", "Decision-linked", "Lexical complexity", "Extension"]


class UndefinedError(Exception):
    """The metric has no value for this text; the message says why. It becomes NaN with a reason, never 0."""


class Similarities(Protocol):
    """Where the two metrics that need an embedder get their cosines: from the embedder, or from what it left on file."""

    def between_sentences(self, parts: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return the condensed cosines of all pairs of sentences, in the order of `scipy.spatial.distance.pdist`.

        Parameters
        ----------
        parts : sequence of str

        Returns
        -------
        array of float, shape (n (n - 1) / 2,)
        """
        ...

    def between_texts(self, text: str, other: str, profile: Profile) -> float:
        """Return the cosine of two whole texts, embedded as the profile embeds them.

        Parameters
        ----------
        text, other : str
        profile : {"published", "controlled"}

        Returns
        -------
        float
        """
        ...


@dataclass(frozen=True)
class Explanation:
    """A text as a metric sees it.

    Attributes
    ----------
    raw : str
        The answer as it came.
    profile : {"published", "controlled"}
        How it is measured.
    name : str, optional
        The person's full name; without it nothing is masked.
    domain : str, optional
        One with a vocabulary, or any other label.
    opposite : str, optional
        The explanation of the opposite decision, as it came.
    similarities : Similarities or str, optional
        Where cosines come from, or why there are none.
    """

    raw: str
    profile: Profile = "published"
    name: str | None = None
    domain: str | None = None
    opposite: str | None = None
    similarities: Similarities | str = "no embedder"

    @cached_property
    def text(self) -> str:
        """The text that is measured: as it came, or masked and without markup."""
        return prepared(self.raw, self.name, self.profile)

    @cached_property
    def opposite_text(self) -> str:
        """The explanation of the opposite decision, prepared in the same way.

        Raises
        ------
        UndefinedError
            If there is none.
        """
        text = prepared(self.opposite or "", self.name, self.profile)
        if not words(text):
            raise UndefinedError("no opposite explanation")
        return text

    @cached_property
    def _written(self) -> list[list[str]]:
        # without markup a line is a block, so no phrase reaches over its end
        blocks = self.text.split("\n") if self.profile == "controlled" else [self.text]
        return [stretch for block in blocks for stretch in stretches(block)]

    @cached_property
    def words(self) -> list[str]:
        """The words of the text that is measured."""
        return list(chain.from_iterable(self._written))

    @cached_property
    def stretches(self) -> list[list[str]]:
        """The tokens, a list a stretch without punctuation: a phrase stands within one."""
        return [[_token(word) for word in stretch] for stretch in self._written]

    @cached_property
    def tokens(self) -> list[str]:
        """The words in lower case, with plain apostrophes and hyphens."""
        return list(chain.from_iterable(self.stretches))

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences of the text that is measured."""
        return sentences(self.text)

    @property
    def cosines(self) -> Similarities:
        """Where cosines come from.

        Raises
        ------
        UndefinedError
            If there are none, with the reason.
        """
        if isinstance(self.similarities, str):
            raise UndefinedError(self.similarities)
        return self.similarities


def _token(word: str) -> str:
    return word.lower() if word.isascii() else word.lower().translate(_TYPOGRAPHY)


_TYPOGRAPHY = str.maketrans({"’": "'", "ʼ": "'", "‐": "-", "‑": "-"})


def prepared(text: str, name: str | None, profile: Profile) -> str:
    """Return a text as a profile measures it.

    Parameters
    ----------
    text : str
    name : str or None
        The name to mask; None masks nothing.
    profile : {"published", "controlled"}

    Returns
    -------
    str
    """
    if profile == "published":
        return text
    # after the markup is gone, because a marker can stand in the middle of a name
    return mask_name(plain(text), name) if name else plain(text)


Measure = Callable[[Explanation], float]


@dataclass(frozen=True)
class Metric:
    """A registered metric; its docstring is its definition.

    Attributes
    ----------
    name : str
        As in every file, option and column.
    label : str
        As the study's tables write it.
    dimension : str
        Of the taxonomy (study, Table 1), or "Extension".
    unit : str
    measure : callable
        `Explanation` to float; raises `UndefinedError`.
    embeds : bool
        Whether it needs the embedder.
    """

    name: str
    label: str
    dimension: Dimension
    unit: str
    measure: Measure
    embeds: bool = False

    @property
    def extension(self) -> bool:
        """Whether it is this project's and not one of the study's eight."""
        return self.dimension == "Extension"

    @property
    def definition(self) -> str:
        """The docstring of the function that measures it."""
        return (self.measure.__doc__ or "").strip()


@dataclass
class _Registry:
    metrics: dict[str, Metric] = field(default_factory=dict)


_REGISTRY = _Registry()


def metric(*, label: str, dimension: Dimension, unit: str, embeds: bool = False) -> Callable[[Measure], Measure]:
    """Register a function as the metric of its name.

    Parameters
    ----------
    label, dimension, unit : str
    embeds : bool
        See `Metric`.

    Returns
    -------
    callable
        A decorator that returns the function as it is.

    Raises
    ------
    ValueError
        If the name is taken.
    """

    def register(measure: Measure) -> Measure:
        name = measure.__name__
        if name in _REGISTRY.metrics:
            raise ValueError(f"the metric {name!r} is registered twice")
        _REGISTRY.metrics[name] = Metric(name, label, dimension, unit, measure, embeds)
        return measure

    return register


def registered() -> dict[str, Metric]:
    """Return all metrics by name, in the order of registration.

    Returns
    -------
    dict of str to Metric
    """
    return dict(_REGISTRY.metrics)


def get(name: str) -> Metric:
    """Return a metric by name.

    Parameters
    ----------
    name : str

    Returns
    -------
    Metric

    Raises
    ------
    InputError
        If there is none; the message lists those there are.
    """
    if name not in _REGISTRY.metrics:
        raise InputError(f"no metric {name!r}{hint(name, _REGISTRY.metrics)}")
    return _REGISTRY.metrics[name]
