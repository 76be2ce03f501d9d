"""The stock: dealing a round, drawing, renewing.

With `aligned_stock` the shuffled stock is dealt into one lane a seat, and each seat draws from its own lane; when that is empty, from the end
of the fullest one (the lowest seat's of several). Which place of a shuffled stock is drawn next depends on public
numbers only, so each card drawn is uniform among those left: in distribution the same as drawing from the top. Yet the next card a
seat will draw no longer depends on what the others do.
"""

from __future__ import annotations

import numpy as np

from simlib._jit import kernel
from simlib.games.three_thirteen.hand import add_card
from simlib.games.three_thirteen.view import KINDS, MAX_PLAYERS
from simlib.rng import CHANCE_STREAM, U, seek, shuffle_head


@kernel
def chance_for(state, part):
    """Point `state.chance` at the stream of this round's deal (part 0) or of its reshuffle number `part`."""
    number = U(int(state.table.round) * 4096 + part)
    seek(state.chance, state.seed, U(CHANCE_STREAM) + number, state.game)


@kernel
def lay_lanes(state, n):
    """Make `n` cards of `state.stock` the stock."""
    lanes = state.table.players if state.rules.aligned != 0 else 1
    state.lanes = lanes
    for k in range(lanes):
        state.first[k] = 0
        state.end[k] = (n - k + lanes - 1) // lanes if n > k else 0
    state.table.stock_n = n


@kernel
def draw_card(state, seat):
    """Take the seat's next card off the stock, which is not empty."""
    lanes = state.lanes
    k = seat if lanes > 1 else 0
    state.table.stock_n -= 1
    if state.first[k] < state.end[k]:
        i = int(state.first[k])
        state.first[k] = i + 1
        return int(state.stock[i * lanes + k])
    best = 0
    for lane in range(lanes):
        if state.end[lane] - state.first[lane] > state.end[best] - state.first[best]:
            best = lane
    i = int(state.end[best]) - 1
    state.end[best] = i
    return int(state.stock[i * lanes + best])


@kernel
def reshuffle(state):
    """The discard pile except its top card becomes the new stock."""
    table = state.table
    n = int(table.pile_n) - 1
    for card in range(KINDS):
        state.reshuffled[card] = 0
        for seat in range(MAX_PLAYERS):
            state.own_drawn[seat, card] = 0
    for seat in range(MAX_PLAYERS):
        table.drawn[seat] = 0
    # In the order of the cards' numbers, so that the same cards give the same stock whatever order they were discarded in.
    for i in range(n):
        card = int(state.pile[i])
        state.reshuffled[card] += 1
        if card == 52 or card % 13 == table.wild:
            table.wild_seen -= 1
    at = 0
    for card in range(KINDS):
        for _ in range(state.reshuffled[card]):
            state.stock[at] = card
            at += 1
    state.pile[0] = state.pile[n]
    table.pile_n = 1
    table.reshuffles += 1
    chance_for(state, int(table.reshuffles))
    shuffle_head(state.stock, n, n, state.chance)
    lay_lanes(state, n)
    state.last_reshuffle = 1


@kernel
def _place(state, n, at, card, first, end):
    """Swap a wanted card to position `at` of the shuffled pack, from a place outside `first` … `end` - 1."""
    for j in range(n):
        if state.stock[j] == card and not first <= j < end and (j > 0 or at == 0):
            state.stock[j] = state.stock[at]
            state.stock[at] = card
            return


@kernel
def shuffle_pack(state, rng):
    """Shuffle the whole pack."""
    rules = state.rules
    n = int(rules.cards)
    at = 0
    for _ in range(rules.decks):
        for card in range(52):
            state.stock[at + card] = card
        at += 52
    for i in range(at, n):
        state.stock[i] = 52
    shuffle_head(state.stock, n, n, rng)


@kernel
def set_up(state, scenario):
    """Swap the scenario's upcard and hand to the places of the shuffled pack from which they are dealt."""
    n = int(state.rules.cards)
    if scenario.upcard > 0:
        _place(state, n, 0, scenario.upcard - 1, 0, 0)
    if scenario.seat > 0:
        first = 1 + (scenario.seat - 1) * int(state.table.hand_size)
        given = 0
        for i in range(state.table.hand_size):
            if scenario.hand[i] > 0:
                _place(state, n, first + given, scenario.hand[i] - 1, first, first + given)
                given += 1


@kernel
def deal_hands(state):
    """Deal from the shuffled pack: its first card is the upcard, then the hands by seat, then the stock."""
    table = state.table
    size = int(table.hand_size)
    wild = int(table.wild)
    n = int(state.rules.cards)
    at = 1
    for seat in range(table.players):
        for k in range(4):
            state.hand[seat, k] = U(0)
        state.jokers[seat] = 0
        for i in range(size):
            add_card(state.hand, state.jokers, seat, int(state.stock[at + i]))
        at += size
        table.hand_n[seat] = size
        table.known_n[seat] = 0
        table.drawn[seat] = 0
        table.took[seat] = 0
    up = int(state.stock[0])
    state.pile[0] = up
    table.pile_n = 1
    table.upcard = up
    table.wild_seen = np.int8(up == 52 or up % 13 == wild)
    left = n - at
    for i in range(left):
        state.stock[i] = state.stock[at + i]
    lay_lanes(state, left)
