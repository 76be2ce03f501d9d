"""Compiling a policy's function for its game, and saying in words what is wrong when that fails."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable
from typing import Any

from simlib._jit import digest as source_digest
from simlib._jit import kernel
from simlib.errors import PolicyError


class Code:
    """The compiled side of a policy, shared by all its parameter variants.

    simlib's own policies are compiled once and cached on disk. A user's policy is compiled in each process, with
    bounds checks until `simlib.check` has passed it (`proven`).
    """

    def __init__(self, function: Callable[..., Any], game: str, vector: bool) -> None:
        self.function = function
        self.game = game
        self.vector = vector
        self.builtin = str(getattr(function, "__module__", "")).startswith("simlib.policies.")
        self.proven = self.builtin
        self._dispatcher: Any = kernel(function) if self.builtin and not vector else None
        self._address: int | None = None

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher."""
        if self.vector:
            raise PolicyError(f"policy {self.function.__name__!r} is plain NumPy: it cannot be called from a kernel or play in a play-out")
        if self._dispatcher is None:
            from numba import njit

            self._dispatcher = njit(nogil=True, boundscheck=not self.proven)(self.function)
        return self._dispatcher

    @property
    def address(self) -> int:
        """Entry address of the compiled function (compiled, or loaded from the cache, on first use)."""
        if self._address is None:
            self._address = self._compile()
        return self._address

    def prove(self) -> None:
        """Drop the bounds checks: the policy has passed its tests."""
        if not self.proven:
            self.proven = True
            self._dispatcher = None
            self._address = None

    @property
    def digest(self) -> str:
        """Hex digest of the code: of all compiled sources it may use for a built-in, of its own source otherwise."""
        if self.builtin:
            return source_digest(self.function.__module__) + self.function.__qualname__
        try:
            text = inspect.getsource(self.function)
        except (OSError, TypeError):
            code = self.function.__code__
            text = repr((code.co_code, code.co_consts, code.co_names))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _compile(self) -> int:
        from numba import types

        from simlib._dispatch import address_of, natural_return
        from simlib.game import CONTEXT
        from simlib.games import get

        arguments = (get(self.game).VIEW, CONTEXT)
        dispatcher = self.dispatcher
        try:
            returned = natural_return(dispatcher, arguments)
        except Exception as error:
            raise PolicyError(explain(self.function, error)) from None
        self._check_return(returned)
        if returned != types.int64:
            dispatcher = _widened(dispatcher)
        return address_of(dispatcher, types.int64, arguments)

    def _check_return(self, returned: Any) -> None:
        from numba import types

        if isinstance(returned, (types.Integer, types.Boolean)):
            return
        name, line = self.function.__name__, self.function.__code__.co_firstlineno
        if isinstance(returned, types.Float):
            raise PolicyError(f"policy {name!r} (line {line}) returns a fraction; an action is a whole number: use int(…)")
        if returned is types.none or isinstance(returned, types.Optional):
            raise PolicyError(f"policy {name!r} (line {line}) does not return an action on every path")
        raise PolicyError(f"policy {name!r} (line {line}) returns {returned}; an action is a whole number")


def _widened(dispatcher: Any) -> Any:
    """Wrap a function that returns a narrower integer so that it returns int64."""
    import numpy as np
    from numba import njit

    @njit(nogil=True)
    def wide(a, b):  # type: ignore[no-untyped-def]
        return np.int64(dispatcher(a, b))

    return wide


def explain(function: Callable[..., Any], error: Exception) -> str:
    """Turn one of numba's errors into a sentence that names the policy's line."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    name = function.__name__
    lines = re.findall(r'File "([^"]*)", line (\d+)', text)
    own = [int(n) for path, n in lines if path == function.__code__.co_filename or path.startswith("<")]
    at = own[-1] if own else function.__code__.co_firstlineno
    unknown = re.search(r"NameError: name '(\w+)' is not defined", text)
    field = re.search(r"Unknown attribute '(\w+)' of type Record", text) or re.search(r"Field '(\w+)' was not found in record", text)
    other = re.search(r"Cannot determine Numba type of <class '([^']*)'>", text) or re.search(
        r"Untyped global name '(\w+)'", text
    )
    if unknown:
        reason = f"the name {unknown.group(1)!r} is not defined"
    elif field:
        reason = f"a view (or context) has no field {field.group(1)!r}"
    elif other:
        reason = f"it uses {other.group(1)!r}, which compiled code cannot call: compile helpers with numba.njit, use .kernel of a policy"
    else:
        useful = [s.strip() for s in text.split("\n") if s.strip() and "Failed in nopython" not in s and "File " not in s]
        reason = useful[0] if useful else type(error).__name__
    return f"policy {name!r} cannot be compiled, line {at}: {reason}"
