"""Counting a hand when it is out, has had its last turn, or the round has stalled (RULES.md, sections 5 and 6)."""

from __future__ import annotations

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.games.three_thirteen.arrange import arrange
from simlib.games.three_thirteen.hand import ACES_52, U, count_in
from simlib.games.three_thirteen.layoff import put_on_table
from simlib.games.three_thirteen.unmelded import penalty_and_unmelded

_ZERO, _ONE = U(0), U(1)


@kernel
def count_seat(state, seat, out):
    """Note what a hand costs (`out` 1: its owner has just gone out with it), and show it to all."""
    table = state.table
    rules = state.table.rules
    wild = int(table.wild)
    h0, h1, h2, h3 = state.hand[seat, 0], state.hand[seat, 1], state.hand[seat, 2], state.hand[seat, 3]
    jokers = int(state.jokers[seat])
    points = 0
    unmelded = 0
    if rules.lay_off != 0 and table.out >= 0:
        arranged = state.arranged
        points = arrange(h0, h1, h2, h3, jokers, wild, rules, out != 0, state.table.melds, arranged)
        unmelded = arranged.left_n - arranged.laid_n
        put_on_table(state.table.melds, arranged, seat, wild)
    elif out == 0:
        both = penalty_and_unmelded(h0, h1, h2, h3, jokers, wild, rules)
        points = both >> 6
        unmelded = both & 63
    r = int(table.round)
    double = rules.double_last != 0 and r + 1 == rules.rounds
    table.penalty[r, seat] = 2 * points if double else points
    state.stats.unmelded[r, seat] = unmelded
    state.stats.wilds[r, seat] = count_in(h0, h1, h2, h3, ACES_52 << U(wild)) + jokers
    _show(state, seat)


@kernel
def _show(state, seat):
    """All cards of a counted hand are known from now on."""
    table = state.table
    for i in range(table.known_n[seat]):
        card = int(table.known[seat, i])
        if card == 52 or card % 13 == table.wild:
            table.wild_seen -= 1
    n = 0
    for k in range(4):
        word = state.hand[seat, k]
        while word != _ZERO:
            card = ctz(word)
            word &= word - _ONE
            table.known[seat, n] = card
            n += 1
    for _ in range(state.jokers[seat]):
        table.known[seat, n] = 52
        n += 1
    table.known_n[seat] = n
    table.wild_seen += state.stats.wilds[table.round, seat]


__all__ = ["count_seat"]
