"""The worth of dealt hands in the eyes of the bidding policies."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from simlib.analysis.big_three.tables import Array


@functools.cache
def _loop() -> Any:
    """Return the compiled loop.

    It calls a policy's function, so it may be no older than the policies: it is compiled in each process (a moment).
    """
    from numba import njit

    from simlib.policies.big_three.bidding import win_chance

    @njit(nogil=True)  # type: ignore[untyped-decorator]
    def loop(views, out):  # type: ignore[no-untyped-def]
        for g in range(views.shape[0]):
            for seat in range(views.shape[1]):
                out[g, seat] = win_chance(views[g, seat])

    return loop


def win_chances(views: Array) -> Array:
    """Return the chance to win as declarer that the policy `value` sees in each view, shape (deals, seats)."""
    out = np.zeros(views.shape)
    _loop()(views, out)
    return out
