"""The stock: dealing a round, drawing, renewing.

With `aligned_stock` the shuffled stock is dealt into one lane a seat, and each seat draws from its own lane;
when that is empty, from the end of the fullest one (the lowest seat's of several). Which place of a shuffled
stock is drawn next depends on public numbers only, so each card drawn is uniform among those left: in
distribution the same as drawing from the top. Yet the next card a seat will draw no longer depends on what the
others do.
"""

from __future__ import annotations

import numpy as np

from simlib._jit import kernel
from simlib.games.three_thirteen.view import KINDS, MAX_PLAYERS
from simlib.rng import CHANCE_STREAM, U, below, seek, shuffle_head


@kernel
def chance_for(state, part):
    """Point `state.chance` at the stream of this round's deal (part 0) or of its reshuffle number `part`."""
    number = U(int(state.table.round) * 4096 + part)
    seek(state.chance, state.seed, U(CHANCE_STREAM) + number, state.game)


@kernel
def lay_lanes(state, n):
    """Make `n` cards of `state.stock` the stock."""
    lanes = state.table.players if state.table.rules.aligned != 0 else 1
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
        state.table.reshuffled[card] = 0
        for seat in range(MAX_PLAYERS):
            state.own_drawn[seat, card] = 0
    for seat in range(MAX_PLAYERS):
        table.drawn[seat] = 0
    # In the order of the cards' numbers, so that the same cards give the same stock whatever order they were
    # discarded in.
    for i in range(n):
        card = int(state.table.pile[i])
        state.table.reshuffled[card] += 1
        if card == 52 or card % 13 == table.wild:
            table.wild_seen -= 1
    at = 0
    for card in range(KINDS):
        for _ in range(state.table.reshuffled[card]):
            state.stock[at] = card
            at += 1
    state.table.pile[0] = state.table.pile[n]
    table.pile_n = 1
    table.reshuffles += 1
    chance_for(state, int(table.reshuffles))
    shuffle_head(state.stock, n, n, state.chance)
    lay_lanes(state, n)
    state.last_reshuffle = 1


@kernel
def _place(state, n, at, card, first, end, upcard, rng):
    """Swap a wanted card to place `at` of the shuffled pack, from one outside `first` … `end` - 1 that is not
    `upcard`'s. Each copy is chosen equally likely: always the first one would leave the others too far back.
    """
    copies = 0
    found = -1
    for j in range(n):
        if state.stock[j] == card and not first <= j < end and j != upcard:
            copies += 1
            if below(rng, copies) == 0:
                found = j
    if found >= 0:
        state.stock[found] = state.stock[at]
        state.stock[at] = card


@kernel
def shuffle_pack(state, rng):
    """Shuffle the whole pack."""
    rules = state.table.rules
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
def set_up(state, scenario, rng):
    """Swap the scenario's upcard and hand to the places of the shuffled pack from which they are dealt.

    With a given copy in a given place all orders of the other cards stay equally likely.
    """
    n = int(state.table.rules.cards)
    size = int(state.table.hand_size)
    up = n - 1 - size * int(state.table.players)
    if scenario.upcard > 0:
        _place(state, n, up, scenario.upcard - 1, 0, 0, -1, rng)
    else:
        up = -1
    if scenario.seat > 0:
        first = n - int(scenario.seat) * size
        given = 0
        for i in range(size):
            if scenario.hand[i] > 0:
                _place(state, n, first + given, scenario.hand[i] - 1, first, first + given, up, rng)
                given += 1


@kernel(inline=True)
def _deal_hand(state, seat, first, n):
    """Make the `n` cards from place `first` of the pack a seat's hand."""
    h0, h1, h2, h3 = U(0), U(0), U(0), U(0)
    jokers = 0
    for i in range(first, first + n):
        card = np.int64(state.stock[i])
        bit = U(1) << U(card) if card < 52 else U(0)
        jokers += np.int64(card == 52)
        b1 = bit & h0
        b2 = b1 & h1
        h3 |= b2 & h2
        h2 |= b2
        h1 |= b1
        h0 |= bit
    state.hand[seat, 0] = h0
    state.hand[seat, 1] = h1
    state.hand[seat, 2] = h2
    state.hand[seat, 3] = h3
    state.jokers[seat] = jokers


@kernel
def deal_hands(state):
    """Deal from the end of the shuffled pack: its last cards are the hands by seat, before them the upcard,
    then the stock.
    """
    table = state.table
    size = int(table.hand_size)
    n = int(state.table.rules.cards)
    for seat in range(table.players):
        _deal_hand(state, seat, n - (seat + 1) * size, size)
        table.hand_n[seat] = size
        table.known_n[seat] = 0
        table.drawn[seat] = 0
        table.took[seat] = 0
    left = n - 1 - size * int(table.players)
    up = int(state.stock[left])
    state.table.pile[0] = up
    table.pile_n = 1
    table.upcard = up
    table.wild_seen = np.int8(up == 52 or up % 13 == table.wild)
    lay_lanes(state, left)
