"""What a study asks of whom: its ``study.yml``, its models, its folder."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Discriminator, Field, RootModel, StringConstraints, Tag, field_validator, model_validator

from eftlib import benchmark as bench
from eftlib.errors import InputError
from eftlib.files import PlacedError, Strict, Text, data_dir, hint, located, read_yaml

Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
Provider = Literal["openai", "anthropic", "groq", "local"]


class Price(Strict):
    """Dollars a million tokens, and the day they were read."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    date: datetime.date


class Weights(Strict):
    """The file that a local model runs from and the server that runs it; both are verified before anything is asked."""

    file: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    quantisation: str
    licence: str
    source: str
    server: str
    package: str | None = None


class _ModelFields(Strict):
    label: Text
    provider: Provider
    id: Text
    key: str | None = Field(default=None, pattern=r"^[A-Z][A-Z0-9_]*$")
    base_url: str | None = Field(default=None, pattern=r"^https?://")
    refuses: tuple[str, ...] = Field(default=())
    extra: dict[str, Any] = Field(default_factory=dict)
    price: Price | None = None
    weights: Weights | None = None

    @model_validator(mode="after")
    def _complete(self) -> _ModelFields:
        if (self.provider == "local") != (self.weights is not None):
            raise PlacedError("weights belong to the provider 'local', which needs them, and to no other", "weights")
        if self.base_url and "@" in urlsplit(self.base_url).netloc:
            raise PlacedError(
                "base_url holds a name or a password, which would be recorded; keys come from the environment", "base_url"
            )
        if self.provider == "anthropic" and "max_tokens" in self.refuses:
            raise PlacedError("'max_tokens' cannot be left out at this provider; allowed: other parameters", "refuses")
        cap = self.extra.get("max_tokens", 1)
        if not isinstance(cap, int) or isinstance(cap, bool) or cap < 1:
            raise PlacedError(f"max_tokens is {cap!r}; allowed: whole numbers from 1", "extra", "max_tokens")
        if self.provider != "local" and self.base_url is None and self.key is None:
            raise PlacedError("key is missing: name the environment variable that holds the key of this provider", "provider")
        return self


class Model(_ModelFields):
    """A model that can be asked: see ``data/models.yml`` for the meaning of each field."""

    name: Name

    @property
    def endpoint(self) -> str:
        """The kind of endpoint that the provider offers: part of what is asked."""
        return "messages" if self.provider == "anthropic" else "chat.completions"


class _ModelsFile(RootModel[dict[Name, _ModelFields]]):
    """Models by name."""


class Parameters(Strict):
    """Sampling parameters that every model of a study is sent."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    max_tokens: int = Field(gt=0, strict=True)


# told apart by what is written, so that a fault in one reading is not reported as a fault in the other
_NameOrModel = Annotated[
    Annotated[Name, Tag("name")] | Annotated[Model, Tag("model")],
    Discriminator(lambda value: "name" if isinstance(value, str) else "model"),
]
_AllOrIds = Annotated[
    Annotated[Literal["all"], Tag("all")] | Annotated[tuple[str, ...], Field(min_length=1), Tag("ids")],
    Discriminator(lambda value: "ids" if isinstance(value, list | tuple) else "all"),
]


class _StudyFile(Strict):
    name: Name
    title: Text
    models: tuple[_NameOrModel, ...] = Field(min_length=1)
    templates: _AllOrIds
    draws: tuple[bench.Draw, ...] = Field(min_length=1)
    decisions: tuple[bench.Decision, ...] = Field(min_length=1)
    conditions: dict[Name, str]
    condition_models: dict[Name, tuple[Name, ...]] = Field(default_factory=dict)
    instruction: str | None = None
    repeats: int = Field(default=1, ge=1)
    parameters: Parameters
    frozen: bool
    benchmark: str | None = Field(default=None, pattern=r"^[^\x00]+$")

    @field_validator("draws", mode="before")
    @classmethod
    def _numbers(cls, values: Any) -> Any:
        for number, each in enumerate(values if isinstance(values, list) else []):
            if isinstance(each, bool):  # which Python takes for 0 and 1
                raise PlacedError(f"{each!r} is no draw; allowed: 0, 1", number)
        return values

    @field_validator("models", "draws", "decisions", "templates")
    @classmethod
    def _each_once(cls, values: Any) -> Any:
        names = [getattr(value, "name", value) for value in values] if isinstance(values, tuple) else []
        for number, name in enumerate(names):
            if name in names[:number]:
                raise PlacedError(f"{name!r} is listed twice; keep one", number)
        return values

    @field_validator("conditions")
    @classmethod
    def _baseline_is_bare(cls, conditions: dict[str, str]) -> dict[str, str]:
        if conditions.get("baseline") != "":
            raise ValueError('conditions must hold baseline: "" (the prompt without a first paragraph)')
        for name, text in conditions.items():
            if name != "baseline" and not text.strip():
                raise ValueError(f"the condition {name!r} has no text; it would be the baseline under another name")
        return conditions

    @model_validator(mode="after")
    def _condition_models_exist(self) -> _StudyFile:
        names = [model if isinstance(model, str) else model.name for model in self.models]
        for condition, models in self.condition_models.items():
            if condition not in self.conditions:
                raise PlacedError(
                    f"unknown condition {condition!r}{hint(condition, self.conditions)}", "condition_models", condition
                )
            for number, model in enumerate(models):
                if model not in names:
                    raise PlacedError(f"unknown model {model!r}{hint(model, names)}", "condition_models", condition, number)
        return self


@dataclass(frozen=True)
class Study:
    """A study: what its file says, with its models and its benchmark found.

    Attributes
    ----------
    folder : Path
        Where ``study.yml`` lies; responses and results of the study are found from it.
    models : tuple of Model
    benchmark : eftlib.benchmark.Benchmark
    """

    folder: Path
    name: str
    title: str
    models: tuple[Model, ...]
    templates: tuple[str, ...]
    draws: tuple[bench.Draw, ...]
    decisions: tuple[bench.Decision, ...]
    conditions: Mapping[str, str]
    condition_models: Mapping[str, tuple[str, ...]]
    instruction: str | None
    repeats: int
    parameters: Parameters
    frozen: bool
    benchmark: bench.Benchmark

    def model(self, name: str) -> Model:
        """Return a model of the study by name.

        Parameters
        ----------
        name : str

        Returns
        -------
        Model

        Raises
        ------
        InputError
            If the study does not ask that model.
        """
        for model in self.models:
            if model.name == name:
                return model
        raise InputError(f"no model {name!r} in the study {self.name!r}{hint(name, [model.name for model in self.models])}")

    def requested(self, model: Model) -> dict[str, Any]:
        """Return the parameters that the study requests of a model: the study's, and the model's own."""
        shared = {name: value for name, value in self.parameters.model_dump().items() if value is not None}
        return shared | model.extra

    def asked(self, condition: str, model: str) -> bool:
        """Return whether a model is asked under a condition."""
        return model in self.condition_models.get(condition, (model,))

    def prompts(
        self,
        *,
        templates: Sequence[str] | None = None,
        draws: Sequence[bench.Draw] | None = None,
        decisions: Sequence[bench.Decision] | None = None,
        conditions: Sequence[str] | None = None,
    ) -> Iterator[bench.Prompt]:
        """Yield the study's prompts, or those of them that are asked for.

        Parameters
        ----------
        templates, draws, decisions, conditions : sequence, optional
            Keep these alone; each must be one of the study's.

        Yields
        ------
        eftlib.benchmark.Prompt

        Raises
        ------
        InputError
            If something is asked for that the study does not have.
        """
        names = _chosen("conditions", conditions, self.conditions, self.name)
        return bench.prompts(
            self.benchmark,
            conditions={name: self.conditions[name] for name in names},
            instruction=self.instruction,
            templates=_chosen("templates", templates, self.templates, self.name),
            draws=_chosen("draws", draws, self.draws, self.name),
            decisions=_chosen("decisions", decisions, self.decisions, self.name),
            repeats=self.repeats,
        )

    def calls(self, prompts: Sequence[bench.Prompt]) -> int:
        """Return how many requests the prompts make over the models that are asked under each condition."""
        asked = {name: sum(self.asked(name, model.name) for model in self.models) for name in self.conditions}
        return sum(asked[prompt.condition] for prompt in prompts)


def _chosen(what: str, wanted: Sequence[Any] | None, known: Any, study: str) -> list[Any]:
    if wanted is None:
        return list(known)
    for number, each in enumerate(wanted):
        if each in wanted[:number]:
            raise InputError(f"{what}: {each!r} is named twice; name it once")
        if each not in known:
            listed = [str(value) for value in known]
            allowed = hint(each, listed) if len(listed) <= 20 else f"; it has {listed[0]} to {listed[-1]}, {len(listed)} in all"
            raise InputError(f"the study {study!r} has no {each!r} among its {what}{allowed}")
    return list(wanted)


def models(path: Path | None = None) -> dict[str, Model]:
    """Read the models by name.

    Parameters
    ----------
    path : Path, optional
        By default ``data/models.yml``.

    Returns
    -------
    dict of str to Model

    Raises
    ------
    InputError
        If the file is malformed.
    """
    entries = read_yaml(path or data_dir() / "models.yml", _ModelsFile).root
    return {name: Model(name=name, **dict(entry)) for name, entry in entries.items()}


def names() -> list[str]:
    """Return the names of the studies under ``data/studies``.

    Returns
    -------
    list of str
    """
    return sorted(path.parent.name for path in (data_dir() / "studies").glob("*/study.yml"))


def load(study: str) -> Study:
    """Read a study with its models and its benchmark.

    Parameters
    ----------
    study : str
        A name under ``data/studies``, or the path of a folder that holds a ``study.yml``.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        If there is no such study, its file is malformed, or it asks for a model or a template that does not exist.
    """
    folder = _folder(study)
    path = folder / "study.yml"
    file = read_yaml(path, _StudyFile)
    known = models()
    for number, each in enumerate(file.models):
        if isinstance(each, str) and each not in known:
            raise InputError(f"{located(path, 'models', number)}: models: unknown model {each!r}{hint(each, known)}")
    chosen = tuple(known[each] if isinstance(each, str) else each for each in file.models)
    benchmark = bench.load(folder / file.benchmark if file.benchmark else data_dir() / "benchmark")
    every = tuple(template.id for template in benchmark.templates)
    templates = every if file.templates == "all" else file.templates
    for number, each in enumerate(templates):
        if each not in every:
            raise InputError(
                f"{located(path, 'templates', number)}: templates: unknown template {each!r}"
                f"; the benchmark has {every[0]} to {every[-1]}, {len(every)} in all"
            )
    fields = {name: getattr(file, name) for name in _StudyFile.model_fields if name in Study.__dataclass_fields__}
    return Study(**fields | {"folder": folder, "models": chosen, "templates": templates, "benchmark": benchmark})


def _folder(study: str) -> Path:
    named = data_dir() / "studies" / study
    for folder in (named, Path(study)):
        if (folder / "study.yml").is_file():
            return folder
    raise InputError(f"no study {study!r}{hint(study, names())}, or the path of a folder that holds a study.yml")
