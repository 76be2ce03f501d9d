"""The documented arrangement of a hand: its melds card by card.

Among the arrangements with the smallest penalty: the fewest melds, then the most runs (a meld that can be read as a run
counts as one), then the lexicographically first, a meld being the ascending tuple of its cards' numbers and an
arrangement the ascending tuple of its melds. So the lowest card left opens the next meld whenever that leads to
the smallest objective, and its meld is the first tuple that does; the search of `melds_general.py` says what a
beginning can lead to.
"""

from __future__ import annotations

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.games.three_thirteen.hand import ACES_52, U, card_value, count_in, minus, plus
from simlib.games.three_thirteen.layoff import lay_best, settle
from simlib.games.three_thirteen.melds_general import (
    DETAIL,
    EVERYTHING,
    INFINITE,
    arrange_cost,
    constants,
)
from simlib.games.three_thirteen.recursion import call_general
from simlib.games.three_thirteen.shapes import kind_of

_ZERO, _ONE = U(0), U(1)


@kernel(inline=True)
def _added(kind):
    """Return a meld of this kind in the form of `search`'s counts."""
    return 1 if kind == 1 else (1 << 8 if kind == 2 else 1 << 16)


@kernel
def _leads_to(out, melds, counts, target, wild, rules, mode):
    """Return whether the cards not placed yet can complete an arrangement with the smallest objective."""
    if melds.n > 0:
        return lay_best(out, melds, counts, wild, rules, target + 1) == target
    h0, h1, h2, h3 = out.hand[0], out.hand[1], out.hand[2], out.hand[3]
    wilds = ACES_52 << U(wild)
    ranked = count_in(h0, h1, h2, h3, wilds)
    const = constants(mode, wild, ranked, out.jokers, rules)
    found = call_general(
        rules.search_general,
        rules,
        h0 & ~wilds,
        h1 & ~wilds,
        h2 & ~wilds,
        h3 & ~wilds,
        ranked + out.jokers,
        0,
        counts,
        out.cost,
        target + 1,
        0,
        const,
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
def _first_meld(out, melds, lowest, target, wild, rules, mode):
    """Find the first meld (in the order of tuples) that `lowest` opens and that leads to the target; return its
    kind or 0.
    """
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
            if 0 < kind < 4 and _leads_to(out, melds, out.counts + _added(kind), target, wild, rules, mode):
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
def arrange(h0, h1, h2, h3, jokers, wild, rules, everything, melds, out):
    """Fill an ARRANGEMENT record with the documented arrangement; return its penalty, −1 when not all can be melded.

    With `everything` no card may be left over (the hand of a player who goes out). `melds` (a MELDS record) are
    the melds on the table to which cards may be laid off; it is not changed.
    """
    mode = EVERYTHING if everything else DETAIL
    out.n = 0
    out.left_n = 0
    out.laid_n = 0
    out.hand[0] = h0
    out.hand[1] = h1
    out.hand[2] = h2
    out.hand[3] = h3
    out.jokers = jokers
    out.cost = 0
    out.counts = 0
    target = arrange_cost(h0, h1, h2, h3, jokers, wild, rules, mode, INFINITE)
    if melds.n > 0:
        target = lay_best(out, melds, 0, wild, rules, target)
    if target >= INFINITE:
        return -1
    out.penalty = target >> 12
    count = (target >> 6) & 63
    card = _next_card(out, 0)
    while card < 53:
        kind = _first_meld(out, melds, card, target, wild, rules, mode) if out.n < count else 0
        if kind > 0:
            out.kind[out.n] = kind
            out.counts += _added(kind)
            out.n += 1
        else:
            out.left[out.left_n] = card
            out.to[out.left_n] = 0
            out.left_n += 1
            out.cost += card_value(card, wild, rules)
            _put(out, card, -1)
        card = _next_card(out, 0)
    if melds.n > 0:
        settle(out, melds, wild, rules)
    return out.penalty


__all__ = ["arrange"]
