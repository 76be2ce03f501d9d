"""The documented arrangement of a hand: its melds card by card.

Among the arrangements with the smallest penalty: the fewest melds, then the most runs (a meld that can be read as a run
counts as one), then the lexicographically first, a meld being the ascending tuple of its cards' numbers and an arrangement the ascending
tuple of its melds. So the lowest card left opens the next meld whenever that leads to the smallest objective, and its meld is the first
tuple that does; the search of `melds_general.py` says what a beginning can lead to.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.games.three_thirteen.hand import ACES_52, U, card_value, count_in, minus, plus
from simlib.games.three_thirteen.melds_general import (
    DETAIL,
    EVERYTHING,
    INFINITE,
    arrange_cost,
    constants,
    search,
)

_ZERO, _ONE = U(0), U(1)
#: Melds in the order of their tuples (at most five of fifteen cards), the cards left over, the penalty.
ARRANGEMENT = np.dtype(
    [
        ("n", np.int64),
        ("size", np.int64, (6,)),
        ("kind", np.int64, (6,)),  # bit 0: a set, bit 1: a run
        ("cards", np.int64, (6, 16)),
        ("left_n", np.int64),
        ("left", np.int64, (16,)),
        ("penalty", np.int64),
        ("hand", np.uint64, (4,)),  # scratch: cards not placed yet
        ("jokers", np.int64),
        ("cost", np.int64),
        ("counts", np.int64),
    ],
    align=True,
)


@kernel
def span(ranks, aces):
    """Return how many places of a run the ranks of a mask (not empty) stretch over; 14: they fit in none."""
    low = ctz(U(ranks))
    high = 63 - _leading(ranks)
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


@kernel(inline=True)
def _leading(ranks):
    """Return the number of leading zeros of a mask of ranks in 64 bits."""
    n = 63
    while ranks > 1:
        ranks >>= 1
        n -= 1
    return n


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


@kernel(inline=True)
def _added(kind):
    """Return a meld of this kind in the form of `search`'s counts."""
    return 1 if kind == 1 else (1 << 8 if kind == 2 else 1 << 16)


@kernel
def _leads_to(out, counts, target, wild, rules, mode):
    """Return whether the cards not placed yet can complete an arrangement with the smallest objective."""
    h0, h1, h2, h3 = out.hand[0], out.hand[1], out.hand[2], out.hand[3]
    wilds = ACES_52 << U(wild)
    ranked = count_in(h0, h1, h2, h3, wilds)
    const = constants(mode, wild, ranked, out.jokers, rules)
    found = search(
        rules, h0 & ~wilds, h1 & ~wilds, h2 & ~wilds, h3 & ~wilds, ranked + out.jokers, 0, counts, out.cost, target + 1, 0, const
    )
    return found == target


@kernel(inline=True)
def _put(out, card, change):
    """Return a card to those not placed yet (1), or take it away (−1)."""
    if card == 52:
        out.jokers += change
    else:
        h0, h1, h2, h3 = out.hand[0], out.hand[1], out.hand[2], out.hand[3]
        if change > 0:
            h0, h1, h2, h3 = plus(h0, h1, h2, h3, card)
        else:
            h0, h1, h2, h3 = minus(h0, h1, h2, h3, card)
        out.hand[0] = h0
        out.hand[1] = h1
        out.hand[2] = h2
        out.hand[3] = h3


@kernel(inline=True)
def _next_card(out, start):
    """Return the lowest card from `start` on that is not placed yet; 53: none."""
    if start < 52:
        rest = out.hand[0] >> U(start)
        if rest != _ZERO:
            return start + ctz(rest)
        start = 52
    return 52 if start == 52 and out.jokers > 0 else 53


@kernel
def _first_meld(out, lowest, target, wild, rules, mode):
    """Find the first meld (in the order of tuples) that `lowest` opens and that leads to the target; return its kind or 0."""
    row = out.n
    out.cards[row, 0] = lowest
    _put(out, lowest, -1)
    n = 1
    kind = 4
    fresh = True
    start = lowest
    while n > 0:
        if fresh:
            kind = kind_of(out.cards[row], n, wild, rules)
            if 0 < kind < 4 and _leads_to(out, out.counts + _added(kind), target, wild, rules, mode):
                out.size[row] = n
                return kind
        card = 53
        if kind > 0 and n < 15:
            card = _next_card(out, start)
        if card < 53:
            out.cards[row, n] = card
            _put(out, card, -1)
            n += 1
            start = card
            fresh = True
            kind = 4
        else:
            n -= 1
            last = out.cards[row, n]
            _put(out, last, 1)
            start = last + 1
            fresh = False
            kind = 4
    return 0


@kernel
def arrange(h0, h1, h2, h3, jokers, wild, rules, everything, out):
    """Fill an ARRANGEMENT record with the documented arrangement; return its penalty, −1 when not all can be melded.

    With `everything` no card may be left over (the hand of a player who goes out).
    """
    mode = EVERYTHING if everything else DETAIL
    target = arrange_cost(h0, h1, h2, h3, jokers, wild, rules, mode, INFINITE)
    out.n = 0
    out.left_n = 0
    if target >= INFINITE:
        return -1
    out.penalty = target >> 12
    out.hand[0] = h0
    out.hand[1] = h1
    out.hand[2] = h2
    out.hand[3] = h3
    out.jokers = jokers
    out.cost = 0
    out.counts = 0
    melds = (target >> 6) & 63
    card = _next_card(out, 0)
    while card < 53:
        kind = _first_meld(out, card, target, wild, rules, mode) if out.n < melds else 0
        if kind > 0:
            out.kind[out.n] = kind
            out.counts += _added(kind)
            out.n += 1
        else:
            out.left[out.left_n] = card
            out.left_n += 1
            out.cost += card_value(card, wild, rules)
            _put(out, card, -1)
        card = _next_card(out, 0)
    return out.penalty


__all__ = ["ARRANGEMENT", "arrange", "kind_of", "span"]
