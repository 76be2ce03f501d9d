"""Searches called through their address, which the RULES record holds.

numba 0.65 crashes when a function that calls itself is loaded from the on-disk cache, so the searches that do call
themselves through their address. And numba compiles all that a function calls anew with each caller: a search called
through its address is compiled once, for one set of types, and stays in the processor's cache of instructions.
"""

from __future__ import annotations

import numba
from numba import types
from numba.extending import intrinsic

from simlib._dispatch import _callee
from simlib.games.three_thirteen.rules_record import RULES

_RULES, _U, _I = numba.from_dtype(RULES), types.uint64, types.int64
#: Arguments of `melds.search_sets` and `discards.search_drop`, and of `melds_general.search`; all return int64.
SETS_ARGUMENTS = (_RULES, _U, _U, _I, _U, _U, _I, _I, _I)
GENERAL_ARGUMENTS = (_RULES, _U, _U, _U, _U, _I, _I, _I, _I, _I, _I, _I)
#: Arguments of `melds_general.search_cost`, `melds.search_penalty` and `discards.search_best`: a hand (four words,
#: jokers, wild rank), the rules and two numbers.
HAND_ARGUMENTS = (_U, _U, _U, _U, _I, _I, _RULES, _I, _I)


@intrinsic
def call_sets(  # type: ignore[no-untyped-def]
    typingctx, address, rules, a, b, c, d, e, f, g, h
):
    """Call a function of type `SETS_ARGUMENTS` at an address."""
    return types.int64(types.uint64, *SETS_ARGUMENTS), _callee(types.int64, types.int64(*SETS_ARGUMENTS))


@intrinsic
def call_general(  # type: ignore[no-untyped-def]
    typingctx, address, rules, a, b, c, d, e, f, g, h, i, j, k
):
    """Call a function of type `GENERAL_ARGUMENTS` at an address."""
    return types.int64(types.uint64, *GENERAL_ARGUMENTS), _callee(types.int64, types.int64(*GENERAL_ARGUMENTS))


@intrinsic
def call_hand(  # type: ignore[no-untyped-def]
    typingctx, address, h0, h1, h2, h3, jokers, wild, rules, a, b
):
    """Call a function of type `HAND_ARGUMENTS` at an address."""
    return types.int64(types.uint64, *HAND_ARGUMENTS), _callee(types.int64, types.int64(*HAND_ARGUMENTS))
