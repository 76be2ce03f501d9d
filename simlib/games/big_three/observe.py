"""What a seat sees of a deal of Big Three, and what it may do."""

from __future__ import annotations

from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib.games.big_three.combos import ABOVE, BID, CALL, NAMED, PASS, U, lowest, moves, number
from simlib.games.big_three.play import lowest_bid, may_call, may_decline, named_choice
from simlib.games.big_three.view import AUCTION, CALLING, PLAY, TABLE
from simlib.games.big_three.words import get_word, rest_copier, set_word

_0, _1 = U(0), U(1)
_copy_rest = rest_copier(TABLE)


@kernel
def observe(state, seat, view):
    """Fill the view of a seat: the table, its hand, the widow where it has seen it, the partner where it knows it."""
    table = state.table
    _copy_rest(view, table)
    for i in range(4):  # written as words by the last step: read as words they are there at once
        set_word(view, i, get_word(table, i))
    if view.rules.digest != table.rules.digest:
        copy_record(view.rules, table.rules)
    show_own(state, seat, view)


@kernel(inline=True)
def show_own(state, seat, view):
    """Put into a view, which shows the table already, what a seat knows besides."""
    table = state.table
    view.seat = seat
    view.hand = state.hand[U(seat)]
    view.dealt = state.dealt[U(seat)]
    seen = U(table.widow_taken) & (U(seat == table.declarer) | U(table.rules.widow_shown))
    view.widow = state.widow & (_0 - seen)
    view.has_named = 0
    if seat == state.holder:
        view.partner = seat
        view.has_named = 1 - int(table.named_played)


@kernel
def legal(view, out):
    """Write the legal actions, ascending; return how many."""
    if view.phase == PLAY:
        return _legal_plays(view, out)
    n = 0
    if view.phase == AUCTION:
        if may_decline(view.rules, view.hand, view.high_bid) != 0:
            out[0] = BID
            n = 1
        for b in range(lowest_bid(view.rules, view.hand, view.high_bid), 4):
            out[n] = BID + b
            n += 1
    elif view.phase == CALLING:
        for card in range(52):
            if may_call(card, view.dealt) != 0:
                out[n] = CALL + card
                n += 1
    return n


@kernel
def move_word(view, k):
    """Return the word of the combinations of multiplicity k + 1 (k: uint64) that the seat may play now.

    Nothing else is needed to choose a play: bits are combinations (`combos`), and `combos.number(k, bit)` is
    the action.
    """
    word = moves(view.hand, k, view.rules)
    if view.leading == 0:
        word = word & ABOVE[U(view.last_bit)] if k == U(view.last_k) else _0
    return word


@kernel
def _legal_plays(view, out):
    """Combinations below 196, then straights of two, then the pass, then those with the named card."""
    n = 0
    low = (_1 << U(49)) - _1
    for part in range(2):
        for k in range(4):
            word = move_word(view, U(k)) & (low if part == 0 else ~low)
            while word != _0:
                out[n] = number(U(k), lowest(word))
                word &= word - _1
                n += 1
    if view.leading == 0:
        out[n] = PASS
        n += 1
    if view.has_named != 0:
        n = _legal_named(view, out, n, low)
    return n


@kernel
def _legal_named(view, out, n, low):
    for part in range(2):
        for k in range(4):
            word = move_word(view, U(k)) & (low if part == 0 else ~low)
            while word != _0:
                bit = lowest(word)
                if named_choice(view.hand, U(k), bit, view.called, view.rules) != 0:
                    out[n] = NAMED + number(U(k), bit)
                    n += 1
                word &= word - _1
    return n
