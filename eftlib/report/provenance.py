"""Which notebook and function make each table and figure, read from the notebooks' code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from eftlib.files import data_dir

_MODULES = ("analysis", "figures", "instruments", "provenance")


def map_table(root: Path | None = None) -> pd.DataFrame:
    """List the tables and figures of the book.

    Parameters
    ----------
    root : Path, optional
        The checkout.

    Returns
    -------
    pandas.DataFrame
        One row a table or figure: ``kind name notebook made_by``.
    """
    root = root or data_dir().parent
    paths = sorted([*root.glob("notebooks/*.py"), *root.glob("pages/*.py")])
    return pd.DataFrame([row for path in paths for row in shown_by(path)])


def shown_by(path: Path) -> Iterator[dict[str, str]]:
    """Yield what a notebook shows.

    Parameters
    ----------
    path : Path

    Yields
    ------
    dict of str to str
        A row of `map_table`.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    made = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (kind := _attribute(node.func, "page")) in ("table", "figure"):
            name = ast.unparse(node.args[0]).removeprefix("f").strip("'\"").replace("{other}", "controlled")
            functions = dict.fromkeys(_functions(node.args[1], made))
            yield {"kind": str(kind), "name": name, "notebook": path.stem, "made_by": ", ".join(functions)}


def _attribute(node: ast.AST, owner: str) -> str | None:
    """Return the name of an attribute of ``owner``, or None for anything else."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == owner:
        return node.attr
    return None


def _functions(node: ast.AST, made: dict[str, ast.expr], depth: int = 3) -> Iterator[str]:
    """Yield the functions of the library that an expression calls, following the names that it uses."""
    for inner in ast.walk(node):
        for module in _MODULES:
            if name := _attribute(inner, module):
                yield f"{module}.{name}"
        if (name := _attribute(inner, "page")) and (name.endswith("_table") or name == "coverage"):
            yield f"Page.{name}"
        if isinstance(inner, ast.Name) and inner.id in made and depth:
            yield from _functions(made[inner.id], made, depth - 1)
