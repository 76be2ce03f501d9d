"""A game that agrees with a view, drawn uniformly: what search policies think with."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib.games.three_thirteen.hand import add_card, count_in
from simlib.games.three_thirteen.observe import copy_public
from simlib.games.three_thirteen.stock import lay_lanes
from simlib.games.three_thirteen.view import KINDS, MAX_PLAYERS, MAX_ROUNDS, copy_table
from simlib.rng import U, below, next64, shuffle_head

_ONE = U(1)
#: Redraws before the limits of what each seat can have drawn since a reshuffle are given up.
_TRIES = 1000


@kernel
def redeal(view, rng, state):
    """Fill `state` with a game that agrees with everything public and with the seat's own cards.

    Every assignment of the unseen cards to the unseen places is equally likely among those in which known cards
    (upcards taken, hands shown) are where they are known to be, and, after the stock was renewed, the stock
    holds only cards of the pile it was made of and no hand holds more of those than the seat has drawn since.
    """
    table = state.table
    copy_table(table, view)
    copy_public(table, view, view)
    copy_record(state.table.melds, view.melds)
    if state.table.rules.digest != view.rules.digest or state.table.rules.tables != view.rules.tables:
        copy_record(state.table.rules, view.rules)
    state.drew = view.drew if view.seat == view.turn else np.int8(-1)
    state.seed = next64(rng)
    state.game = next64(rng)
    state.last_reshuffle = 0
    _own_and_known(view, state)
    n = _unseen(view, state)
    if view.reshuffles > 0:
        _after_reshuffle(view, state, n, rng)
    else:
        shuffle_head(state.stock, n, n, rng)
        hidden = n - int(view.stock_n)
        _give(view, state, int(view.stock_n), hidden)
        lay_lanes(state, int(view.stock_n))
    for r in range(MAX_ROUNDS):
        state.stats.hand_size[r] = 0
    return int(view.turn)


@kernel
def _own_and_known(view, state):
    """Set the own hand, and the known cards of the others."""
    for seat in range(MAX_PLAYERS):
        for k in range(4):
            state.hand[seat, k] = view.hand[k] if seat == view.seat else U(0)
        state.jokers[seat] = view.jokers if seat == view.seat else np.int8(0)
        if seat < view.players and seat != view.seat:
            for i in range(view.known_n[seat]):
                add_card(state.hand, state.jokers, seat, int(view.known[seat, i]))


@kernel
def _held(state, seat, card):
    """Return how many copies of a card a hand holds."""
    if card == 52:
        return int(state.jokers[seat])
    return count_in(state.hand[seat, 0], state.hand[seat, 1], state.hand[seat, 2], state.hand[seat, 3], _ONE << U(card))


@kernel
def _unseen(view, state):
    """Write the cards that are neither in the pile nor in the hands set so far into `state.stock`; return their
    number.
    """
    n = 0
    for card in range(KINDS):
        left = int(view.rules.jokers) if card == 52 else int(view.rules.decks)
        for seat in range(view.players):
            left -= _held(state, seat, card)
        for i in range(view.pile_n):
            left -= int(view.pile[i] == card)
        for _ in range(left):
            state.stock[n] = card
            n += 1
    return n


@kernel
def _give(view, state, at, n):
    """Fill the other hands with the `n` cards from place `at` of `state.stock`."""
    for seat in range(view.players):
        if seat != view.seat:
            for _ in range(int(view.hand_n[seat]) - int(view.known_n[seat])):
                add_card(state.hand, state.jokers, seat, int(state.stock[at]))
                at += 1


@kernel
def _after_reshuffle(view, state, n, rng):
    """Deal the unseen cards when some can only be in hands, and the renewed stock is known by its cards.

    Copies of a card that may have come from the renewed stock are counted as if they had: they stand first in the array
    and alone can be in the stock; they are marked by + 64 while the hands are drawn.
    """
    left = int(view.stock_n)
    marked = _mark(view, state, n)
    _split(state, n)
    shuffle_head(state.stock, marked, marked, rng)
    hidden = n - left
    for attempt in range(_TRIES + 1):
        # Places left … n-1 are the hands'; what is in them is shuffled until no seat has more marked cards than draws.
        for i in range(hidden - 1):
            j = i + below(rng, hidden - i)
            swap = state.stock[left + i]
            state.stock[left + i] = state.stock[left + j]
            state.stock[left + j] = swap
        if attempt == _TRIES or _within_draws(view, state, left):
            break
    for seat in range(MAX_PLAYERS):
        for card in range(KINDS):
            state.own_drawn[seat, card] = view.own_drawn[card] if seat == view.seat else np.int8(0)
    at = left
    for seat in range(view.players):
        if seat != view.seat:
            for _ in range(int(view.hand_n[seat]) - int(view.known_n[seat])):
                card = int(state.stock[at])
                if card >= 64:
                    card -= 64
                    state.own_drawn[seat, card] += 1
                add_card(state.hand, state.jokers, seat, card)
                at += 1
    for i in range(left):
        if state.stock[i] >= 64:
            state.stock[i] -= 64
    lay_lanes(state, left)


@kernel
def _mark(view, state, n):
    """Mark the cards that may stem from the renewed stock; return their number. Equal cards stand together in
    the array.
    """
    marked = 0
    i = 0
    while i < n:
        card = int(state.stock[i])
        could = int(view.reshuffled[card]) - int(view.own_drawn[card])
        while i < n and int(state.stock[i]) == card:
            if could > 0:
                state.stock[i] = card + 64
                could -= 1
                marked += 1
            i += 1
    return marked


@kernel
def _split(state, n):
    """Move the marked cards to the front."""
    at = 0
    for i in range(n):
        if state.stock[i] >= 64:
            swap = state.stock[at]
            state.stock[at] = state.stock[i]
            state.stock[i] = swap
            at += 1


@kernel
def _within_draws(view, state, at):
    """Return whether no other hand would hold more marked cards than the seat has drawn since the stock was renewed."""
    for seat in range(view.players):
        if seat != view.seat:
            marked = 0
            for _ in range(int(view.hand_n[seat]) - int(view.known_n[seat])):
                marked += int(state.stock[at] >= 64)
                at += 1
            if marked > view.drawn[seat]:
                return False
    return True
