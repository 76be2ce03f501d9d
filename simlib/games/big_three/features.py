"""What a hand is worth by simple counts, and the least number of combinations that empty it."""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, popcount
from simlib._jit import kernel
from simlib.games.big_three.combos import _FIRST_BIT, LANES, LENGTH, U, lane, moves, take

_0, _1, _13, _63 = U(0), U(1), U(13), U(63)
_LOW49 = U((1 << 49) - 1)
_M10 = U(0x3FF)
#: First combination bit of the straights of each length.
FIRST_BIT = np.array([0, 0] + [_FIRST_BIT[length] for length in range(2, 11)], np.int64)


@kernel
def longest_straight(hand, rules):
    """Return how many ranks the longest straight of a hand word has (of any multiplicity), 0 without one."""
    word = _0
    for k in range(4):
        word |= moves(hand, U(k), rules) >> _13
    long = word & (_LOW49 >> _13)
    if long != _0:
        return np.int64(LENGTH[U(63 - clz(long)) + _13])
    return 2 if word != _0 else 0


@kernel
def count_straights(hand, rules):
    """Return how many different straights, of any multiplicity and length, a hand word contains."""
    n = 0
    for k in range(4):
        n += popcount(moves(hand, U(k), rules) >> _13)
    return n


@kernel
def _runs(mask):
    """Return how many runs of neighbouring ranks a mask has: no combination reaches over a gap."""
    return popcount(mask & ~(mask << _1))


@kernel
def _push_straights(stack, top, hand, used, rules):
    """Push what each straight from the lowest rank leaves of a hand; return the new height of the stack."""
    base = int(rules.base)
    low = hand & (_0 - hand)
    start = 63 - clz(low) - base
    for k in range(4):
        lane_k = lane(hand, U(k))
        taken = hand
        length = 0
        while lane_k & (low << U(length)) != _0 and start + length < 10:
            taken = take(taken, (low << U(length)) * LANES, U(k))
            length += 1
            if length > 1 and (rules.allowed[k] >> U(FIRST_BIT[length] + start)) & _1 != _0:
                stack[top] = taken
                stack[top + 1] = U(used + 1)
                top += 2
        if length == 0:
            break
    return top


@kernel
def min_turns(hand, rules):
    """Return the least number of combinations that together are exactly the cards of a hand word.

    Exact, by branch and bound (about 0.2 µs for 16 cards): the lowest rank left must go in combinations that begin
    there, and what its straights leave of it goes as one set, so only the straights are chosen. A branch ends when
    the runs of neighbouring ranks that are left, each at least one turn, cannot beat the best. Aces, twos and
    threes are one set each whatever else is done.
    """
    within = (_M10 << U(rules.base)) * LANES
    rest = popcount(lane(hand & ~within, _0))
    hand &= within
    best = popcount(lane(hand, _0))  # every rank as a set
    stack = np.empty(1024, np.uint64)  # a branch pushes at most 37 pairs at each of at most 10 ranks
    stack[0] = hand
    stack[1] = _0
    top = 2
    while top > 0:
        top -= 2
        hand = stack[top]
        used = np.int64(stack[top + 1])
        mask = lane(hand, _0)
        if used + _runs(mask) >= best:
            continue
        if mask == _0:
            best = used
            continue
        low = mask & (_0 - mask)
        stack[top] = hand & ~(low * LANES)
        stack[top + 1] = U(used + 1)
        top = _push_straights(stack, top + 2, hand, used, rules)
    return rest + best
