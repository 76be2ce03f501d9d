"""Shapes of melds card by card, and the record of an arrangement."""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, ctz
from simlib._jit import kernel
from simlib.games.three_thirteen.hand import U

#: Melds in the order of their tuples (at most five of fifteen cards), the cards left over, those laid off, the penalty.
ARRANGEMENT = np.dtype(
    [
        ("n", np.int64),
        ("size", np.int8, (8,)),
        ("kind", np.int8, (8,)),  # bit 0: a set, bit 1: a run
        ("cards", np.int8, (6, 16)),
        ("left_n", np.int64),
        ("left", np.int8, (16,)),  # cards in none of the own melds; those laid off among them
        ("to", np.int8, (16,)),  # 1 + number of the meld on the table to which the card was laid off, 0: none
        ("laid_n", np.int64),
        ("penalty", np.int64),
        ("hand", np.uint64, (4,)),  # scratch: cards not placed yet
        ("jokers", np.int64),
        ("cost", np.int64),
        ("counts", np.int64),
        ("pool", np.int8, (16,)),
        ("choice", np.int8, (16,)),
    ],
    align=True,
)


@kernel
def span(ranks, aces):
    """Return how many places of a run the ranks of a mask (not empty) stretch over; 14: they fit in none."""
    low = ctz(U(ranks))
    high = 63 - clz(U(ranks))
    best = high - low + 1
    if aces == 0 or best == 1:
        return best
    if aces == 1:
        if ranks & 1 and ranks != 1:
            best = min(best, 14 - ctz(U(ranks & ~1)))
        return best
    # Round the corner: leave out the widest gap between neighbours on the circle of 13.
    gap = 0
    before = high - 13
    for rank in range(13):
        if (ranks >> rank) & 1:
            gap = max(gap, rank - before)
            before = rank
    return 14 - gap


@kernel
def kind_of(cards, n, wild, rules):
    """Return what `n` cards together are: bit 0 a set, bit 1 a run, bit 2 can become one with more cards; −1: never."""
    ranks = 0
    suits = 0
    naturals = 0
    doubled = False
    for i in range(n):
        card = cards[i]
        if card < 52 and card % 13 != wild:
            doubled |= (ranks >> (card % 13)) & 1 != 0
            ranks |= 1 << (card % 13)
            suits |= 1 << (card // 13)
            naturals += 1
    if n - naturals > rules.max_wilds:
        return -1
    is_set = naturals == 0 or ranks & (ranks - 1) == 0
    is_run = naturals > 0 and suits & (suits - 1) == 0 and not doubled
    if is_run:
        wide = span(ranks, int(rules.aces))
        if wide > 13 or n > 13:
            is_run = False
        elif wide > n:
            return 1 if is_set and n >= 3 else 4
    if n < 3:
        return 4 if is_set or is_run else -1
    return (1 if is_set else 0) + (2 if is_run else 0) if is_set or is_run else -1
