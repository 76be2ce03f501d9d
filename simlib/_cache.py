"""Where compiled kernels are kept on disk, and a cache that no full disk, damaged file or second process can upset."""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
import stat
import tempfile
from collections.abc import Iterator
from typing import Any

from numba.core.caching import FunctionCache

#: How long one process waits for another that is writing, in seconds; after that it does without saving.
LOCK_SECONDS = 10.0


def _candidates() -> Iterator[tuple[pathlib.Path, bool]]:
    """Directories to try, and whether others may write beside them."""
    import platformdirs

    chosen = os.environ.get("SIMLIB_CACHE_DIR")
    if chosen:
        yield pathlib.Path(chosen).absolute(), False
    yield pathlib.Path(platformdirs.user_cache_dir("simlib")), False
    with contextlib.suppress(OSError):  # there may be no temporary directory either
        user = os.getuid() if hasattr(os, "getuid") else "user"
        yield pathlib.Path(tempfile.gettempdir(), f"simlib-{user}"), True


def _usable(path: pathlib.Path, shared: bool) -> bool:
    """Whether a directory exists or can be made, and can be written by us (in a shared place: by us alone)."""
    if not path.is_absolute():
        return False
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700 if shared else 0o777)
        if shared and hasattr(os, "getuid"):
            # Cached code is executed: it must not come from a directory that somebody else prepared.
            info = path.lstat()
            if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.getuid() or info.st_mode & 0o022:
                return False
        with tempfile.TemporaryFile(dir=path) as probe:
            probe.write(b"x")
    except OSError:
        return False
    return True


@functools.cache
def cache_root() -> pathlib.Path | None:
    """Return the first usable cache directory, or None when there is none (then nothing is cached).

    Tried in this order: the environment variable SIMLIB_CACHE_DIR, the user's cache directory, the system's temporary
    directory.
    """
    return next((path for path, shared in _candidates() if _usable(path, shared)), None)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one function, with two differences.

    A cache that cannot be read or written costs compile time, never the run. And only one process at a time writes:
    numba's index of a function is read, changed and written back without a lock, so that two processes that compile it
    for different types could leave an index that gives one the other's machine code.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, or None."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged file can fail in any way while it is unpickled
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a compiled function, unless that is impossible."""
        from filelock import FileLock, Timeout

        with contextlib.suppress(OSError, NotImplementedError, Timeout):
            os.makedirs(self.cache_path, exist_ok=True)
            with FileLock(os.path.join(self.cache_path, ".lock"), timeout=LOCK_SECONDS):
                super().save_overload(sig, data)
