"""What a hand is worth by simple counts, and the least number of combinations that empty it."""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, popcount
from simlib._jit import kernel
from simlib.games.big_three.combos import _FIRST_BIT, LANES, LENGTH, U, lane, moves

_0, _1, _13, _63 = U(0), U(1), U(13), U(63)
_LOW49 = U((1 << 49) - 1)
_M10, _16 = U(0x3FF), U(16)
#: First combination bit of the straights of each length.
FIRST_BIT = np.array([0, 0] + [_FIRST_BIT[length] for length in range(2, 11)], np.int64)


@kernel
def longest_straight(hand, rules):  # type: ignore[no-untyped-def]
    """Return how many ranks the longest straight of a hand word has (of any multiplicity), 0 without one."""
    word = _0
    for k in range(4):
        word |= moves(hand, U(k), rules) >> _13
    long = word & (_LOW49 >> _13)
    if long != _0:
        return np.int64(LENGTH[U(63 - clz(long)) + _13])
    return 2 if word != _0 else 0


@kernel
def count_straights(hand, rules):  # type: ignore[no-untyped-def]
    """Return how many different straights, of any multiplicity and length, a hand word contains."""
    n = 0
    for k in range(4):
        n += popcount(moves(hand, U(k), rules) >> _13)
    return n


@kernel
def _runs(mask):  # type: ignore[no-untyped-def]
    """Return how many runs of neighbouring ranks a mask has: no combination reaches over a gap."""
    return popcount(mask & ~(mask << _1))


@kernel
def _search(hand, rules, base, used, best):  # type: ignore[no-untyped-def]
    """Return the smaller of `best` and `used` + the least number of combinations that empty the straight ranks of `hand`.

    The lowest rank left must go in combinations that begin there. What stays of it when its straights are taken goes as one
    set, so it is enough to choose the straights; a branch ends when the runs that are left cannot beat `best`.
    """
    mask = lane(hand, _0)
    if used + _runs(mask) >= best:
        return best
    if mask == _0:
        return used
    low = mask & (_0 - mask)
    ranks = low * LANES
    best = _search(hand & ~ranks, rules, base, used + 1, best)
    for k in range(4):
        lane_k = lane(hand, U(k))
        if lane_k & low == _0:
            break
        start = 63 - clz(low) - base
        straight = low
        taken = hand
        length = 1
        while True:  # grow the straight of k + 1 cards a rank from the lowest rank upwards
            step = low << U(length - 1)
            if lane_k & step == _0 or start + length > 10:
                break
            straight |= step
            taken = (taken & ~(step * LANES)) | (((taken >> (U(k) * _16)) >> _16) & (step * LANES))
            if length > 1 and (rules.allowed[k] >> U(FIRST_BIT[length] + start)) & _1 != _0:
                best = _search(taken, rules, base, used + 1, best)
            length += 1
    return best


@kernel
def min_turns(hand, rules):  # type: ignore[no-untyped-def]
    """Return the least number of combinations that together are exactly the cards of a hand word.

    Exact: branch and bound over the straights; sets of aces, twos and threes cost one turn each whatever else is done.
    """
    base = int(rules.base)
    within = (_M10 << U(base)) * LANES
    rest = popcount(lane(hand & ~within, _0))
    inside = hand & within
    mask = lane(inside, _0)
    return rest + _search(inside, rules, base, 0, popcount(mask) + 1 if mask != _0 else 1)
