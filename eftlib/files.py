"""Where the project's data lie, and YAML read against a schema with errors a person can act on."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, RootModel, StringConstraints, ValidationError

from eftlib.errors import InputError

_PACKAGE = Path(__file__).resolve().parent

Schema = TypeVar("Schema", bound=BaseModel)


def data_dir() -> Path:
    """Return the folder with ``benchmark``, ``lexicons``, ``models.yml`` and ``studies``.

    In a checkout that is ``data/`` beside the package; in an installed wheel it is the copy inside the package.

    Returns
    -------
    Path
    """
    checkout = _PACKAGE.parent / "data"
    return checkout if (checkout / "benchmark").is_dir() else _PACKAGE / "_data"


def shown(path: Path) -> str:
    """Return ``path`` relative to the current folder where it lies below it, else as it is: for messages.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str
    """
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def hint(value: object, allowed: Iterable[str]) -> str:
    """Return ``; did you mean 'x'? allowed: x, y`` for a value that is not among the allowed ones.

    Parameters
    ----------
    value : object
        What was given.
    allowed : iterable of str

    Returns
    -------
    str
    """
    names = list(allowed)
    close = get_close_matches(str(value), names, n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    return f"; {guess}allowed: {', '.join(names)}"


class Strict(BaseModel):
    """Base of every schema: no field beyond those named, no change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
"""A string that says something."""


class PlacedError(ValueError):
    """A fault that a schema finds between fields; ``place`` leads from the checked object to it."""

    def __init__(self, message: str, *place: str | int) -> None:
        super().__init__(message)
        self.place = place


class _Loader(yaml.CSafeLoader):
    """A safe loader that refuses a key given twice, where YAML itself would keep the last without a word.

    Dates stay text until a schema asks for a date, so that a day that does not exist is found with its place.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's own class attribute
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(None, None, "a key must be a word, not a list or mapping", key.start_mark)
        if key.value in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key.value!r} is given twice", key.start_mark)
        seen.add(key.value)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def read_text(path: Path) -> str:
    """Return the UTF-8 text of a file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the file is missing, is a folder, cannot be read or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{shown(path)}: no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{shown(path)}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise InputError(f"{shown(path)}: cannot be read ({error.strerror})") from None


def read_yaml(path: Path, schema: type[Schema]) -> Schema:
    """Read a YAML file and validate it.

    Parameters
    ----------
    path : Path
        The file.
    schema : type of pydantic.BaseModel
        What it must hold; see `Strict`.

    Returns
    -------
    pydantic.BaseModel
        An instance of ``schema``.

    Raises
    ------
    InputError
        One line with the file, the line number, the place, the value and what is allowed.
    """
    text = read_text(path)
    try:
        data = yaml.load(text, Loader=_Loader)  # noqa: S506 - _Loader derives from the safe loader
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{shown(path)}:{line}: not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise InputError(f"{shown(path)}: not valid YAML: {' '.join(str(error).split())}") from None
    try:
        return schema.model_validate(data)
    except ValidationError as error:
        raise InputError(_one_line(error, path, text, data, schema=schema)) from None


def located(path: Path, *place: str | int) -> str:
    """Return ``file:line`` of a place in a YAML file, for a fault that only another file reveals.

    Parameters
    ----------
    path : Path
    *place : str or int
        Keys and positions from the top.

    Returns
    -------
    str
    """
    return f"{shown(path)}:{_line_of(read_text(path), place)}"


def _one_line(error: ValidationError, path: Path, text: str, data: Any, *, schema: type[BaseModel]) -> str:
    details = error.errors(include_url=False)
    first = _most_telling(details)
    raised = first.get("ctx", {}).get("error")
    place = _in_file(first["loc"], data) + list(raised.place if isinstance(raised, PlacedError) else ())
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    line = _line_of(text, place)
    # a fault of an entry as a whole is named by the entry, one of a field by the field
    whole = first["type"] == "value_error" and isinstance(_at(data, place), dict | list)
    return f"{shown(path)}:{line}: {_named(data, place if whole else place[:-1])}{_what(first, place, schema)}{more}"


def _most_telling(details: list[Any]) -> Any:
    """Return the error to show: of a misspelt field, the name that is there rather than the one that is missing."""
    first = details[0]
    if first["type"] == "missing":
        parent = first["loc"][:-1]
        return next((each for each in details if each["type"] == "extra_forbidden" and each["loc"][:-1] == parent), first)
    return first


def _in_file(location: Sequence[Any], data: Any) -> list[Any]:
    """Return the parts of an error's location that are in the file: pydantic adds the branch of a union that it tried."""
    place: list[Any] = []
    here = data
    for number, part in enumerate(location):
        found = _at(here, [part], default=_MISSING)
        if found is not _MISSING:
            place.append(part)
            here = found
        elif number == len(location) - 1 and isinstance(here, dict) and part != "[key]":
            place.append(part)  # a field that is missing
    return place


_MISSING = object()


def _at(data: Any, place: Sequence[Any], default: Any = None) -> Any:
    for part in place:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return default
    return data


def _what(detail: Any, place: list[Any], schema: type[BaseModel]) -> str:
    kind, value = detail["type"], detail.get("input")
    name = place[-1] if place else "the file"
    if kind == "missing":
        return f"the field {name!r} is missing"
    if kind == "extra_forbidden":
        return f"unknown field {name!r}{hint(name, _fields_at(schema, place[:-1]))}"
    if kind == "literal_error":
        allowed = detail["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
        return f"{name} is {value!r}{hint(value, allowed)}"
    if kind in ("model_type", "model_attributes_type", "dict_type"):
        fields = _fields_at(schema, place)
        wanted = f" with the fields {', '.join(fields)}" if fields else " of names"
        return f"{name} is {_short(value)}; it must be a mapping{wanted}"
    message = str(detail["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return message
    return f"{name} is {_short(value)}; {_in_words(detail, message)}"


def _in_words(detail: Any, message: str) -> str:
    """Return what is allowed, in words for the kinds whose own message shows a pattern or a bare minimum."""
    pattern = detail.get("ctx", {}).get("pattern")
    known = {
        r"\S": "it must say something",
        r"^\S+( \S+)+$": "it must be a first name and a surname",
        r"^https?://": "it must begin with http:// or https://",
        r"^[A-Z][A-Z0-9_]*$": "it must be the name of an environment variable, in capitals",
        r"^[a-z0-9][a-z0-9._-]*$": "a name has small letters, digits, points, hyphens and underscores",
        r"^[0-9a-f]{64}$": "it must be 64 hexadecimal digits",
    }
    return known.get(str(pattern), message[:1].lower() + message[1:])


def _fields_at(schema: Any, place: Sequence[Any]) -> list[str]:
    """Return the field names that the schema allows at a place, following lists, mappings and unions."""
    candidates = _models_in(schema)
    for part in place:
        following = []
        for each in candidates:
            known = each.model_fields.get(part)
            # below a list's position or a mapping's key stand the same models as before it
            following += _models_in(known.annotation) if known else [each] if not _has_fields(each, part) else []
        candidates = following or candidates
    return [name for each in candidates for name in each.model_fields]


def _has_fields(model: Any, part: Any) -> bool:
    return isinstance(part, str) and part in model.model_fields


def _models_in(annotation: Any) -> list[Any]:
    if isinstance(annotation, type) and issubclass(annotation, RootModel):
        return _models_in(annotation.model_fields["root"].annotation)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in getattr(annotation, "__args__", ()) for model in _models_in(inner)]


def _short(value: object) -> str:
    if value is None:
        return "empty"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _named(data: Any, place: Sequence[Any]) -> str:
    """Return the place in words: ``templates.H003: `` where an entry has an id or a name, ``axes.gender: `` elsewhere."""
    words = []
    for number, part in enumerate(place, start=1):
        here = _at(data, place[:number])
        label = here.get("name") or here.get("id") if isinstance(here, dict) and isinstance(part, int) else None
        words.append(label if isinstance(label, str) else str(part))
    return ".".join(words) + ": " if words else ""


def _line_of(text: str, place: Sequence[Any]) -> int:
    """Return the line of the deepest node of ``place`` that the file has (1 for an empty file)."""
    node = yaml.compose(text, Loader=yaml.CSafeLoader)
    line = 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(part)), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line
