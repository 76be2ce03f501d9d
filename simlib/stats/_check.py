"""Checks of arguments that every module of the statistics shares: what came, and what is allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def check_open_unit(value: float, name: str) -> float:
    """A number strictly between 0 and 1 (a confidence level, an error probability)."""
    number = check_number(value, name)
    if not 0.0 < number < 1.0:
        raise ValueError(f"{name}={value!r}: must lie strictly between 0 and 1")
    return number


def check_positive(value: float, name: str) -> float:
    """A finite number above 0."""
    number = check_number(value, name)
    if not number > 0.0:
        raise ValueError(f"{name}={value!r}: must be above 0")
    return number


def check_number(value: float, name: str) -> float:
    """A finite real number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={value!r}: must be a number, not {type(value).__name__}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name}={value!r}: must be finite")
    return number


def check_count(value: int, name: str, least: int = 1) -> int:
    """An integer of at least ``least``."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name}={value!r}: must be an integer, not {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name}={value!r}: must be at least {least}")
    return int(value)


def as_floats(values: ArrayLike, name: str, ndim: int | tuple[int, ...] = 1) -> Floats:
    """A finite float array of the dimensions allowed, not empty."""
    array = _numeric(values, name)
    _check_shape(array, name, ndim)
    floats = array.astype(np.float64)
    if not np.isfinite(floats).all():
        raise ValueError(f"{name}: has {int((~np.isfinite(floats)).sum())} values that are not finite")
    return floats


def as_integers(values: ArrayLike, name: str, ndim: int | tuple[int, ...] = 1, empty: bool = False) -> Ints:
    """An int64 array of the dimensions allowed. Floats are refused, whole ones too: it is to be exact."""
    array = np.asarray(values)
    if empty and array.size == 0:
        array = array.astype(np.int64)  # numpy reads an empty list as floats
    if array.dtype.kind not in "iub":
        raise TypeError(f"{name}: must be integers, not {array.dtype} (multiply fractions by a common denominator)")
    if array.dtype == np.uint64 and array.size and array.max() > np.uint64(2**63 - 1):
        raise ValueError(f"{name}: holds {array.max()}, which is above 2**63 - 1")
    _check_shape(array, name, ndim, empty)
    return array.astype(np.int64)


def is_integral(values: ArrayLike) -> bool:
    """Whether an array-like holds integers (or truth values), so that exact arithmetic applies."""
    return np.asarray(values).dtype.kind in "iub"


def check_lengths(**arrays: NDArray[Any] | Sequence[Any]) -> None:
    """All arguments, given by name, are equally long."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"{', '.join(lengths)}: must be equally long, got {', '.join(map(str, lengths.values()))}")


def _numeric(values: ArrayLike, name: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.dtype.kind not in "iubf":
        raise TypeError(f"{name}: must be numbers, not {array.dtype}")
    return array


def _check_shape(array: NDArray[Any], name: str, ndim: int | tuple[int, ...], empty: bool = False) -> None:
    allowed = (ndim,) if isinstance(ndim, int) else ndim
    if array.ndim not in allowed:
        dimensions = " or ".join(map(str, allowed))
        raise ValueError(f"{name}: must have {dimensions} dimension(s), got shape {array.shape}")
    if array.size == 0 and not empty:
        raise ValueError(f"{name}: is empty (shape {array.shape}); at least one value is needed")
