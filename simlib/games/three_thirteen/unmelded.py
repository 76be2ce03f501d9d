"""How few cards make up the smallest penalty of a hand."""

from __future__ import annotations

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel
from simlib.games.three_thirteen.hand import ACES_52, count_in, minus
from simlib.games.three_thirteen.melds import (
    _lanes,
    _sum,
    _twice_or_more,
    fits_tables,
    penalty,
    ranks_word,
    runs_of_all,
)
from simlib.games.three_thirteen.melds_general import fewest_unmelded
from simlib.games.three_thirteen.recursion import call_sets
from simlib.rng import U

_ZERO, _ONE = U(0), U(1)


@kernel
def penalty_and_unmelded(h0, h1, h2, h3, jokers, wild, rules):
    """Return ``penalty * 64 + n``: the smallest penalty of a hand, and the fewest unmelded cards that make it up."""
    wilds = ACES_52 << U(wild)
    natural = ~wilds
    ranked = count_in(h0, h1, h2, h3, wilds)
    w = ranked + jokers
    lanes0 = _lanes(h0 & natural)
    lanes1 = _lanes(h1 & natural)
    if rules.fast == 0 or w > 3 or not fits_tables(lanes1, h2 & natural):
        points = penalty(h0, h1, h2, h3, jokers, wild, rules)
        return points * 64 + unmelded_cards(h0, h1, h2, h3, jokers, wild, rules, points)
    total = _sum(lanes0) + _sum(lanes1)
    n = popcount(lanes0) + popcount(lanes1)
    two, three = _twice_or_more(lanes0, lanes1)
    runs = runs_of_all(U(rules.tables), lanes0, lanes1, w)
    best = call_sets(rules.search_sets, rules, lanes0, lanes1, w, ranks_word(two, three, w), runs, 0, 0, -1)
    if best == 0 and w < 3:
        points = total + ranked * np.int64(rules.wild_penalty) + jokers * np.int64(rules.joker_penalty)
        return points * 64 + n + w
    return (total - (best >> 4)) * 64 + n - (best & 15)


@kernel
def unmelded_cards(h0, h1, h2, h3, jokers, wild, rules, points):
    """Return the smallest number of unmelded cards that makes up a hand's smallest penalty, `points`."""
    wilds = ACES_52 << U(wild)
    natural = ~wilds
    w = count_in(h0, h1, h2, h3, wilds) + jokers
    lanes0 = _lanes(h0 & natural)
    lanes1 = _lanes(h1 & natural)
    if rules.fast == 0 or not fits_tables(lanes1, h2 & natural):
        return fewest_unmelded(h0, h1, h2, h3, jokers, wild, rules, points)
    if w > 3:
        return _few_left(h0, h1, h2, h3, jokers, wild, rules, points)
    two, three = _twice_or_more(lanes0, lanes1)
    ranks = ranks_word(two, three, w)
    naturals = popcount(lanes0) + popcount(lanes1)
    melded = _sum(lanes0) + _sum(lanes1) - points
    if melded <= 0 and w < 3:
        return naturals + w
    # Only arrangements that are as good as the best are looked at.
    start = 16 * melded - 1
    runs = runs_of_all(U(rules.tables), lanes0, lanes1, w)
    best = call_sets(rules.search_sets, rules, lanes0, lanes1, w, ranks, runs, 0, start, -1)
    return naturals - (best & 15)


@kernel
def _few_left(h0, h1, h2, h3, jokers, wild, rules, points):
    """The same for a hand with many wild cards: natural cards are left out one, two, three at a time until the
    rest melds.
    """
    if points == 0:
        return 0
    natural = h0 & ~(ACES_52 << U(wild))
    for a in range(52):
        if (natural >> U(a)) & _ONE != _ZERO and min(a % 13 + 1, 10) == points:
            a0, a1, a2, a3 = minus(h0, h1, h2, h3, a)
            if penalty(a0, a1, a2, a3, jokers, wild, rules) == 0:
                return 1
    for a in range(52):
        left = points - min(a % 13 + 1, 10)
        if left > 0 and (natural >> U(a)) & _ONE != _ZERO:
            a0, a1, a2, a3 = minus(h0, h1, h2, h3, a)
            for b in range(a, 52):
                if min(b % 13 + 1, 10) == left and (a0 & natural) >> U(b) & _ONE != _ZERO:
                    b0, b1, b2, b3 = minus(a0, a1, a2, a3, b)
                    if penalty(b0, b1, b2, b3, jokers, wild, rules) == 0:
                        return 2
    return fewest_unmelded(h0, h1, h2, h3, jokers, wild, rules, points)
