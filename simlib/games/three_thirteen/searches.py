"""Addresses of tables and searches, for the RULES record."""

from __future__ import annotations

import functools

from numba import types

from simlib._dispatch import address_of
from simlib.games.three_thirteen.count import count_seat
from simlib.games.three_thirteen.discards import search_best, search_drop
from simlib.games.three_thirteen.each import search_each
from simlib.games.three_thirteen.melds import search_penalty, search_sets
from simlib.games.three_thirteen.melds_general import search, search_cost
from simlib.games.three_thirteen.recursion import GENERAL_ARGUMENTS, HAND_ARGUMENTS, SETS_ARGUMENTS
from simlib.games.three_thirteen.tables import table_address
from simlib.games.three_thirteen.view import STATE


@functools.cache
def addresses() -> dict[str, int]:
    """Return the address of each by its name in the RULES record; compiles (or loads from the cache) on first use."""
    return {
        "tables": table_address(),
        "search_sets": address_of(search_sets, types.int64, SETS_ARGUMENTS),
        "search_each": address_of(search_each, types.int64, SETS_ARGUMENTS),
        "search_drop": address_of(search_drop, types.int64, SETS_ARGUMENTS),
        "search_general": address_of(search, types.int64, GENERAL_ARGUMENTS),
        "search_cost": address_of(search_cost, types.int64, HAND_ARGUMENTS),
        "search_penalty": address_of(search_penalty, types.int64, HAND_ARGUMENTS),
        "search_best": address_of(search_best, types.int64, HAND_ARGUMENTS),
        "count_seat": address_of(count_seat, types.none, (STATE, types.int64, types.int64)),
    }
