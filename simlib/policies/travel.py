"""Carrying a user's policy to another process: by value, whatever file or notebook it comes from.

simlib's own things travel by name, compiled functions among them, so that the other process takes them from its cache
instead of compiling a copy.
"""

from __future__ import annotations

import importlib
import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import cloudpickle

_LOCK = threading.Lock()


def pack(function: Callable[..., Any]) -> bytes:
    """Return a function as bytes that need neither its file nor its module where they are read.

    What it uses from its own module, or from modules of the same package, is packed with it; numpy, numba, simlib and
    the like must be installed on the other side.
    """
    buffer = io.BytesIO()
    with _by_value(function.__module__):
        _Pickler(buffer).dump(function)
    return buffer.getvalue()


def unpack(data: bytes) -> Callable[..., Any]:
    """Return the function."""
    function: Callable[..., Any] = cloudpickle.loads(data)
    return function


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc,name-defined]
    """cloudpickle, with simlib's compiled functions by name."""

    def reducer_override(self, obj: Any) -> Any:
        """Return the name of a compiled function of simlib; leave the rest to cloudpickle."""
        module, name = getattr(obj, "__module__", None), getattr(obj, "__name__", None)
        if hasattr(obj, "py_func") and isinstance(name, str) and str(module).startswith("simlib."):
            found = getattr(sys.modules.get(str(module)), name, None)
            if found is obj:
                return _named, (module, name)
            if found is not None and getattr(getattr(found, "code", None), "_dispatcher", None) is obj:
                return _kernel, (module, name)
        return super().reducer_override(obj)


def _named(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def _kernel(module: str, name: str) -> Any:
    return _named(module, name).kernel


@contextmanager
def _by_value(name: str) -> Iterator[None]:
    """Let cloudpickle pack a module's functions, and those of its whole package, by value."""
    module = sys.modules.get(name.partition(".")[0])
    if module is None or module.__name__ in ("__main__", "simlib"):
        yield  # what cannot be imported is packed by value anyway
        return
    with _LOCK:
        known = cloudpickle.list_registry_pickle_by_value()
        if module.__name__ not in known:
            cloudpickle.register_pickle_by_value(module)
        try:
            yield
        finally:
            if module.__name__ not in known:
                cloudpickle.unregister_pickle_by_value(module)
