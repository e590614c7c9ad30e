"""What is public is documented, what is documented runs, and a module imports only from those below it."""

from __future__ import annotations

import ast
import doctest
import functools
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import eftlib
from eftlib import study

# design, "Layout": from the ground up
ROWS = [
    "errors", "files", "text", "lexicons", "embedding", "metrics", "stats", "benchmark", "study", "responses", "clients",
    "collect", "measuring", "varied", "scoring", "analysis", "calibration", "coverage", "planner", "published", "figures",
    "tables", "audit", "report", "prose", "build", "check", "__main__",
]  # fmt: skip
PACKAGE = Path(eftlib.__file__).parent
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)
MODULES = ["eftlib", *(info.name for info in pkgutil.walk_packages(eftlib.__path__, "eftlib."))]


def is_private(module: str) -> bool:
    return any(part.startswith("_") for part in module.split("."))


def public(module: str) -> Iterator[tuple[str, object]]:
    """The public functions and classes that a module defines, with the public methods and properties of the classes."""
    for name, value in vars(importlib.import_module(module)).items():
        # pydantic leaves the types it makes, such as RootModel[...], among a module's names
        named = name.isidentifier() and not name.startswith("_")
        if not (named and getattr(value, "__module__", None) == module and _documentable(value)):
            continue
        yield f"{module}.{name}", value
        for member, inner in vars(value).items() if inspect.isclass(value) else ():
            inner = getattr(inner, "__func__", inner)  # noqa: PLW2901 - what a classmethod or staticmethod wraps
            if not member.startswith("_") and _documentable(inner) and _defined_in(inner, module):
                yield f"{module}.{name}.{member}", inner


def _documentable(value: object) -> bool:
    kinds = (property, functools.cached_property)
    return inspect.isclass(value) or inspect.isfunction(inspect.unwrap(value)) or isinstance(value, kinds)


def _defined_in(value: object, module: str) -> bool:
    inner = getattr(value, "fget", None) or getattr(value, "func", None) or value
    return getattr(inner, "__module__", None) == module


PUBLIC = dict(pair for module in MODULES if not is_private(module) for pair in public(module))
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(inspect.unwrap(value))}


def is_method(name: str) -> bool:
    return name.rsplit(".", 1)[0] in PUBLIC


def section(doc: str, title: str) -> str | None:
    """The text of a numpydoc section."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", inspect.cleandoc(doc), re.MULTILINE | re.DOTALL)
    return found[1] if found else None


def exempt(name: str) -> bool:
    """A metric's docstring is its definition; a method of one or two plain parameters says all in one line."""
    doc = FUNCTIONS[name].__doc__ or ""
    if parameters(name) == ["explanation"]:
        return True
    return is_method(name) and len(parameters(name)) <= 2 and "\n" not in doc.strip()


def parameters(name: str) -> list[str]:
    return [each for each in inspect.signature(FUNCTIONS[name]).parameters if each not in {"self", "cls"}]


# --- docstrings


@pytest.mark.parametrize("module", MODULES)
def test_module_has_a_docstring(module):
    assert (importlib.import_module(module).__doc__ or "").strip()


@pytest.mark.parametrize("name", PUBLIC)
def test_public_name_has_a_docstring(name):
    doc = PUBLIC[name].__doc__ or ""
    # dataclasses make one up from the signature
    assert doc.strip()
    assert not doc.startswith(f"{name.rsplit('.', 1)[-1]}(")


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if parameters(name) and not exempt(name)])
def test_parameters_are_documented(name):
    documented = section(FUNCTIONS[name].__doc__ or "", "Parameters")
    assert documented is not None, "no section Parameters"
    heads = re.findall(r"^\S.*$", documented, re.MULTILINE)
    named = {part.strip().lstrip("*") for head in heads for part in head.split(" : ")[0].split(",")}
    assert set(parameters(name)) <= named


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if not exempt(name)])
def test_what_is_returned_is_documented(name):
    returned = inspect.signature(FUNCTIONS[name]).return_annotation
    if returned in (None, "None", "NoReturn", "Never"):
        pytest.skip("returns nothing")
    doc = FUNCTIONS[name].__doc__ or ""
    assert section(doc, "Returns") or section(doc, "Yields")


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_run(module):
    assert doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_the_walk_sees_functions_methods_properties_and_cached_functions():
    expected = {
        "benchmark.segments",
        "benchmark.Benchmark.template",
        "benchmark.Benchmark.deal",
        "lexicons.hedging",
        "errors.InputError",
    }
    assert {f"eftlib.{name}" for name in expected} <= set(PUBLIC)


def test_the_walk_leaves_out_what_is_inherited_or_imported():
    assert not {"eftlib.benchmark.Template.model_dump", "eftlib.benchmark.read_yaml"} & set(PUBLIC)


# --- the order of modules


def imported(source: str, module: str) -> set[str]:
    """The rows of the order that a module of the package imports from, wherever in its code."""
    package = module.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            start = (base + (node.module or "")).strip(".")
            found |= {f"{start}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in found if re.match(r"eftlib\.(?!__version__)", name)}


def dotted(path: Path) -> str:
    """``eftlib.metrics.words`` for a file, ``eftlib.metrics.__init__`` for a package's own."""
    return ".".join(("eftlib", *path.relative_to(PACKAGE).with_suffix("").parts))


@pytest.mark.parametrize(
    ("source", "module", "expected"),
    [
        ("from eftlib import benchmark as b, study", "eftlib.collect", {"benchmark", "study"}),
        ("from eftlib.files import hint", "eftlib.study", {"files"}),
        ("import eftlib.stats", "eftlib.analysis", {"stats"}),
        ("from . import errors", "eftlib.files", {"errors"}),
        ("from .errors import InputError", "eftlib.files", {"errors"}),
        ("from ..stats import rank", "eftlib.metrics.words", {"stats"}),
        ("def f():\n    from eftlib import build", "eftlib.stats", {"build"}),
        ("import json\nfrom eftlib import __version__", "eftlib.stats", set()),
    ],
)
def test_imports_are_seen(source, module, expected):
    assert imported(source, module) == expected


@pytest.mark.parametrize("path", FILES, ids=dotted)
def test_module_has_a_place_in_the_order(path):
    row = dotted(path).split(".")[1]
    assert row in {*ROWS, "__init__"}


@pytest.mark.parametrize("path", FILES, ids=dotted)
def test_module_imports_only_from_below(path):
    row = dotted(path).split(".")[1]
    # a package's files may import one another; the package eftlib itself imports nothing of its own
    below = set() if row == "__init__" else set(ROWS[: ROWS.index(row)]) if row in ROWS else set(ROWS)
    own = {row} if path.parent != PACKAGE else set()
    assert imported(path.read_text(encoding="utf-8"), dotted(path)) - below - own == set()


# --- the examples of pages/extend.md, as written


def extensions(language: str) -> list[str]:
    text = (PACKAGE.parent / "pages/extend.md").read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_models_of_the_page_on_extensions_can_be_used(tmp_path):
    known, listed = extensions("yaml")
    pilot = (PACKAGE.parent / "data/studies/pilot/study.yml").read_text("utf-8")
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.yml").write_text(re.sub(r"^models:.*\n", listed, pilot, flags=re.MULTILINE), encoding="utf-8")
    inline = study.load(str(folder)).model("my-model")
    assert inline.id == "my-model-2026"
    # the entry of models.yml is one of the same model, with a price
    (tmp_path / "models.yml").write_text(known, encoding="utf-8")
    assert study.models(tmp_path / "models.yml")["my-model"].model_copy(update={"price": None}) == inline


def test_the_metric_of_the_page_on_extensions_measures():
    (example,) = extensions("python")
    code = f"{example}\nprint(question_rate(Explanation('Why? It was so. Was it?', 'published')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == (str(2 / 3), "")
