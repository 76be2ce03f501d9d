"""The kernel decorator: nopython functions with an on-disk cache that cannot go stale.

numba's cache looks only at a function's own file, so an edited import would leave an old kernel behind. Here the
cache directory is named after a digest of every compiled source a kernel can depend on, numba's version and the
bounds-check mode. The digest is per game, so that editing one game does not recompile the others.
"""

from __future__ import annotations

import functools
import hashlib
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import numba
from numba import njit

from simlib._cache import KernelCache, cache_root

_ROOT = pathlib.Path(__file__).resolve().parent
_CORE = ("_jit.py", "_bits.py", "_words.py", "_dispatch.py", "rng.py", "_loop.py")


def _sources(module: str) -> list[pathlib.Path]:
    """Compiled sources that a kernel in `module` may depend on."""
    files = [_ROOT / name for name in _CORE if (_ROOT / name).exists()]
    parts = module.split(".")
    if len(parts) >= 3 and parts[1] in ("games", "policies"):
        files += sorted((_ROOT / "games" / parts[2]).glob("*.py"))
        if parts[1] == "policies":
            files += sorted((_ROOT / "policies" / parts[2]).glob("*.py"))
            files += sorted((_ROOT / "policies").glob(f"{parts[2]}*.py"))
    elif len(parts) == 2:
        files.append(_ROOT / f"{parts[1]}.py")
    else:  # analysis kernels may use any game
        files += sorted((_ROOT / "games").rglob("*.py")) + sorted((_ROOT / parts[1]).rglob("*.py"))
    return [f for f in files if f.exists()]


def _mode() -> str:
    """Everything besides the sources that changes the machine code of a kernel."""
    flags = [numba.__version__, sys.implementation.cache_tag, numba.config.BOUNDSCHECK, numba.config.OPT]
    return "|".join(map(str, flags))


@functools.cache
def digest(module: str) -> str:
    """Return 16 hex digits that name the compiled code of `module` and all it may depend on."""
    sha = hashlib.sha256(_mode().encode())
    for path in _sources(module):
        sha.update(path.name.encode() + b"\0" + path.read_bytes())
    return sha.hexdigest()[:16]


def kernel(fn: Callable[..., Any] | None = None, *, inline: bool = False) -> Any:
    """Compile a simlib function in nopython mode, releasing the GIL, cached on disk.

    Parameters
    ----------
    fn : callable
        The Python function.
    inline : bool
        Always inline it in its callers. Small functions in hot loops need this (measured: up to ten times).

    Notes
    -----
    Compilation stays lazy: nothing is compiled at import. Divisions follow NumPy's error model, so kernels never
    raise; they return status codes.
    """
    if fn is None:
        return functools.partial(kernel, inline=inline)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if inline:
        options["forceinline"] = True
    dispatcher = njit(**options)(fn)
    root = cache_root()
    # What stands outside simlib is not in the digest, and is compiled in each process.
    if root is None or numba.config.DISABLE_JIT or not fn.__module__.startswith("simlib."):
        return dispatcher
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(root / f"{fn.__module__.rpartition('.')[2]}-{digest(fn.__module__)}")
    try:
        dispatcher._cache = KernelCache(fn)
    except RuntimeError:  # numba finds no place for this function: compiled in each process, but it works
        pass
    finally:
        numba.config.CACHE_DIR = before
    return dispatcher
