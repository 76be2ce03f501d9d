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

    def __init__(
        self, function: Callable[..., Any], game: str, vector: bool, *, digest: str | None = None, proven: bool = False
    ) -> None:
        self.function = function
        self.game = game
        self.vector = vector
        self.builtin = str(getattr(function, "__module__", "")).startswith("simlib.policies.")
        self.proven = self.builtin or proven
        self._digest = digest  # of a policy from another process, whose source is not here
        self._dispatcher: Any = kernel(function) if self.builtin and not vector else None
        self._address: int | None = None

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher."""
        if self.vector:
            raise PolicyError(
                f"policy {self.function.__name__!r} is plain NumPy: it cannot be called "
                "from a kernel or play in a play-out"
            )
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
        if self._digest is not None:
            return self._digest
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
            raise PolicyError(
                f"policy {name!r} (line {line}) returns a fraction; an action is a whole number: use int(…)"
            )
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
    file = function.__code__.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
    lines = [int(n) for path, n in re.findall(r'File "([^"]*)", line (\d+)', text) if path.rsplit("/", 1)[-1] == file]
    lines += [
        int(n)
        for path, n in re.findall(r"typing of [^\n]* at (\S+) \((\d+)\)", text)
        if path.rsplit("/", 1)[-1] == file
    ]
    line = lines[-1] if lines else function.__code__.co_firstlineno
    missing = error.args[0] if isinstance(error, KeyError) and error.args else None
    if missing is not None:  # numba's answer to a record field that does not exist
        line = _line_of(function, f".{missing}") or line
        reason = f"a view or context has no field {missing!r}"
    else:
        reason = _reason(text)
    return f"policy {function.__name__!r} cannot be compiled, line {line}: {reason}"


def _reason(text: str) -> str:
    """Return what numba's message means, without its layout."""
    unknown = re.search(r"NameError: name '(\w+)' is not defined", text)
    if unknown:
        return f"the name {unknown[1]!r} is not defined"
    untyped = re.search(r"Untyped global name '(\w+)'", text)
    if untyped:
        hint = "compile a helper with numba.njit, and call another policy by its .kernel"
        return f"compiled code cannot use {untyped[1]!r}: {hint}"
    signature = re.search(r"No implementation of function Function\((.*?)\) found for signature:\s*>>> (.*)", text)
    if signature:
        return f"compiled code cannot do {signature[2].strip()}"
    noise = ("Failed in nopython", "File ", "During:", "Traceback")
    useful = [part.strip() for part in text.split("\n") if part.strip() and not part.strip().startswith(noise)]
    return useful[0] if useful else "numba gives no reason"


def _line_of(function: Callable[..., Any], needle: str) -> int | None:
    """Return the line of a function's source in which some text stands."""
    try:
        source, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return None
    return next((first + i for i, line in enumerate(source) if needle in line), None)
