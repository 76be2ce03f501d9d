"""What a seat sees, what it may do, and a game drawn at random that agrees with what it sees."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib._words import load64, store64
from simlib.games.three_thirteen.discards import best_discard
from simlib.games.three_thirteen.hand import has_card, minus
from simlib.games.three_thirteen.melds import all_melded
from simlib.games.three_thirteen.play import is_forbidden
from simlib.games.three_thirteen.view import DISCARD_0, DRAW, MAX_HISTORY, OUT_0, copy_table


@kernel(inline=True)
def _copy_bytes(target, source, n):
    """Copy `n` bytes, rounded up to whole words, of two arrays of the same length (a multiple of eight)."""
    for i in range((n + 7) >> 3):
        store64(target, i, load64(source, i))


@kernel(inline=True)
def copy_public(target, source, table):
    """Copy what everybody sees besides the table, as far as it is filled."""
    _copy_bytes(target.pile, source.pile, int(table.pile_n))
    _copy_bytes(target.history, source.history, min(int(table.turns), MAX_HISTORY))
    if table.reshuffles > 0:
        _copy_bytes(target.reshuffled, source.reshuffled, 56)


@kernel
def observe(state, seat, view):
    """Fill the view of a seat."""
    table = state.table
    copy_table(view, table)
    copy_public(view, table, table)
    if state.table.rules.lay_off != 0 and table.out >= 0:
        copy_record(view.melds, state.table.melds)
    if view.rules.digest != state.table.rules.digest or view.rules.tables != state.table.rules.tables:
        copy_record(view.rules, state.table.rules)
    show_own(state, seat, view)


@kernel(inline=True)
def show_own(state, seat, view):
    """Put into a view, which shows the table already, what a seat knows besides."""
    view.seat = seat
    view.drew = state.drew if seat == view.turn else np.int8(-1)
    view.jokers = state.jokers[seat]
    for k in range(4):
        view.hand[k] = state.hand[seat, k]
    if view.reshuffles > 0:
        for i in range(56):
            view.own_drawn[i] = state.own_drawn[seat, i]


@kernel
def legal(view, out):
    """Write the legal actions of the view's seat, which is to act."""
    if view.phase == DRAW:
        n = 0
        if view.stock_n > 0 or view.pile_n > 1:
            out[0] = 0
            n = 1
        out[n] = 1
        return n + 1
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    jokers = int(view.jokers)
    n = 0
    for card in range(53):
        if has_card(h0, jokers, card) and not is_forbidden(int(view.taken), view.rules, h0, jokers, card):
            out[n] = DISCARD_0 + card
            n += 1
    if view.out >= 0 or best_discard(h0, h1, h2, h3, jokers, int(view.wild), view.rules, -1, 1) >= 64:
        return n
    for i in range(n):
        card = out[i] - DISCARD_0
        if can_go_out(view, card):
            out[n] = OUT_0 + card
            n += 1
    return n


@kernel
def can_go_out(view, card):
    """Return whether all cards but `card` (which is in the hand) can be melded; whether going out is open is
    not looked at.
    """
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    jokers = int(view.jokers)
    if card == 52:
        jokers -= 1
    else:
        h0, h1, h2, h3 = minus(h0, h1, h2, h3, card)
    return all_melded(h0, h1, h2, h3, jokers, int(view.wild), view.rules)


__all__ = ["can_go_out", "copy_public", "legal", "observe", "show_own"]
