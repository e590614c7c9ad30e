"""Arguments made into arrays, or refused with their name, value and what is allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from eftlib.errors import InputError
from eftlib.files import hint

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
ArrayLike: TypeAlias = npt.ArrayLike


def floats(name: str, values: ArrayLike, *, ndim: int) -> Floats:
    """Return a float array of ``ndim`` dimensions whose entries are finite or NaN."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers ({error}); allowed: numbers, NaN where missing") from None
    if array.ndim != ndim:
        raise InputError(f"{name} has the shape {array.shape}; it must have {ndim} dimension(s)")
    if np.isinf(array).any():
        raise InputError(f"{name} holds an infinite value; allowed: finite numbers, NaN where missing")
    return array


def same_length(**arrays: npt.NDArray[Any]) -> None:
    """Refuse arrays whose first dimensions differ."""
    if len({len(array) for array in arrays.values()}) > 1:
        raise InputError("; ".join(f"{name} has {len(array)} rows" for name, array in arrays.items()) + "; they must agree")


def cells(values: ArrayLike) -> Floats:
    """Return ``y`` as float [T, M, 4]."""
    array = floats("y", values, ndim=3)
    if array.shape[1] < 1 or array.shape[2] != 4:
        raise InputError(f"y has the shape {array.shape}; it must be (templates, models, 4) in the order A0 A1 B0 B1")
    return array


def codes(name: str, values: ArrayLike, *, length: int, width: int | None = None) -> Ints:
    """Return labels of any kind as integers 0, 1, … of the shape [length] or [length, width]."""
    array = np.asarray(values)
    shape = (length,) if width is None else (length, width)
    if array.shape != shape:
        raise InputError(f"{name} has the shape {array.shape}; it must be {shape}")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise InputError(f"{name} holds NaN; allowed: a label for each row")
    if array.dtype == object and any(
        label is None or (isinstance(label, float) and math.isnan(label)) for label in array.ravel()
    ):
        raise InputError(f"{name} holds an empty label; allowed: a label for each row")
    try:
        return np.unique(array, return_inverse=True)[1].reshape(shape).astype(np.int64)
    except TypeError:
        raise InputError(f"{name} mixes kinds of labels; allowed: all numbers or all strings") from None


def one_of(name: str, value: str, allowed: Any) -> None:
    """Refuse a value that a Literal does not list."""
    names: Sequence[str] = get_args(allowed)
    if value not in names:
        raise InputError(f"{name} is {value!r}{hint(value, names)}")


def fraction(name: str, value: float) -> float:
    """Return a number strictly between 0 and 1."""
    if not 0 < value < 1:
        raise InputError(f"{name} is {value!r}; allowed: a number between 0 and 1, both excluded")
    return float(value)


def at_least(name: str, value: float, least: float) -> None:
    """Refuse a number below ``least`` (or NaN)."""
    if not value >= least:
        raise InputError(f"{name} is {value!r}; allowed: {least} or more")


def above(name: str, value: float, bound: float) -> None:
    """Refuse a number that is not greater than ``bound`` (or NaN, or infinite)."""
    if not bound < value < np.inf:
        raise InputError(f"{name} is {value!r}; allowed: a finite number above {bound}")
