"""Errors that a user can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SimlibError(Exception):
    """Something went wrong during the work (mistakes in the arguments are ValueError or TypeError)."""


class IllegalAction(SimlibError, ValueError):
    """A policy returned an action that the rules do not allow."""


class PolicyError(SimlibError, ValueError):
    """A policy could not be compiled, or raised an error while it was deciding."""


class RunDirectoryError(SimlibError, ValueError):
    """A run directory is damaged, belongs to another run, or cannot be written."""


class ExecutorError(SimlibError, RuntimeError):
    """An executor lost its workers or its scheduler; what has been written is kept."""


class WorkerError(ExecutorError):
    """A worker has other code than the run, or lacks something that the run needs."""


class RecordError(SimlibError, ValueError):
    """A game record is damaged or holds an illegal move; the message names file and line."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` or an empty text."""
    close = difflib.get_close_matches(str(given), list(known), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""
