"""Where the project's data lie, and YAML read against a schema with errors a person can act on."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from eftlib.errors import InputError

_PACKAGE = Path(__file__).resolve().parent

Schema = TypeVar("Schema", bound=BaseModel)


def data_dir() -> Path:
    """Return the folder with ``benchmark``, ``lexicons``, ``models.yml`` and ``studies``.

    In a checkout that is ``data/`` beside the package; in an installed wheel it is the copy inside the package.
    """
    checkout = _PACKAGE.parent / "data"
    return checkout if (checkout / "benchmark").is_dir() else _PACKAGE / "_data"


def shown(path: Path) -> str:
    """Return ``path`` relative to the current folder where it lies below it, else as it is: for messages."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def hint(value: object, allowed: Iterable[str]) -> str:
    """Return ``; did you mean 'x'? allowed: x, y`` for a value that is not among the allowed ones."""
    names = list(allowed)
    close = get_close_matches(str(value), names, n=1)
    guess = f"did you mean {close[0]!r}? " if close else ""
    return f"; {guess}allowed: {', '.join(names)}"


class Strict(BaseModel):
    """Base of every schema: no field beyond those named, no change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Loader(yaml.CSafeLoader):
    """A safe loader that refuses a key given twice, where YAML itself would keep the last without a word."""


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    seen: set[str] = set()
    for key, _ in node.value:
        if key.value in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key.value!r} is given twice", key.start_mark)
        seen.add(key.value)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def read_text(path: Path) -> str:
    """Return the UTF-8 text of a file.

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
    except yaml.YAMLError as error:
        raise InputError(f"{shown(path)}: not valid YAML: {' '.join(str(error).split())}") from None
    try:
        return schema.model_validate(data)
    except ValidationError as error:
        raise InputError(_one_line(error, path, text, data, schema)) from None


def _one_line(error: ValidationError, path: Path, text: str, data: Any, schema: type[BaseModel]) -> str:
    details = error.errors(include_url=False)
    first = details[0]
    place = [part for part in first["loc"] if not _is_type_tag(part)]
    line = _line_of(text, place)
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    where = _named(data, place)
    return f"{shown(path)}:{line}: {where}{_what(first, place, schema)}{more}"


def _is_type_tag(part: object) -> bool:
    # pydantic adds the branch it tried of a union ("str", "Model") to the location; no such key is in the file
    return isinstance(part, str) and (part in {"str", "int", "float"} or (part[:1].isupper() and part not in {"A", "B"}))


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
    message = str(detail["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        return message
    return f"{name} is {_short(value)}; {message[:1].lower()}{message[1:]}"


def _fields_at(schema: Any, place: list[Any]) -> list[str]:
    """Return the field names that the schema allows at a place, following lists, mappings and unions."""
    candidates = [schema]
    for part in place:
        following = []
        for each in candidates:
            if hasattr(each, "model_fields"):
                if part in each.model_fields:
                    following += _models_in(each.model_fields[part].annotation)
            else:
                following.append(each)
        candidates = following or candidates
    return [name for each in candidates if hasattr(each, "model_fields") for name in each.model_fields]


def _models_in(annotation: Any) -> list[Any]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in getattr(annotation, "__args__", ()) for model in _models_in(inner)]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _named(data: Any, place: list[Any]) -> str:
    """Return the place in words: ``H003: `` where an entry has an id, ``axes.gender.sides: `` elsewhere."""
    words: list[str] = []
    here = data
    for part in place[:-1]:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            words.append(str(part))
            continue
        words.append(str(here["id"]) if isinstance(here, dict) and isinstance(here.get("id"), str) else str(part))
    return ".".join(words) + ": " if words else ""


def _line_of(text: str, place: list[Any]) -> int:
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
