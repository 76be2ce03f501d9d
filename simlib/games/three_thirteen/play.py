"""The rules of Three-Thirteen as kernels. Section numbers are those of RULES.md."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import call3_none, copy_record
from simlib._jit import kernel
from simlib.game import OVER
from simlib.games.three_thirteen.hand import add_card, has_card, minus, remove_card
from simlib.games.three_thirteen.melds import all_melded
from simlib.games.three_thirteen.stock import chance_for, deal_hands, draw_card, reshuffle, set_up, shuffle_pack
from simlib.games.three_thirteen.view import DISCARD, DISCARD_0, DRAW, MAX_HISTORY, MAX_PLAYERS, MAX_ROUNDS, OUT_0
from simlib.rng import U, below


@kernel
def deal(state, rules, scenario, rng):
    """Draw the first dealer and deal the first round (section 2). Later rounds have streams of their own."""
    if state.table.rules.digest != rules.digest or state.table.rules.tables != rules.tables:
        copy_record(state.table.rules, rules)
    table = state.table
    state.seed = rng.seed
    state.game = rng.game
    players = int(rules.players)
    first = max(int(scenario.round) - 1, 0)
    dealer = below(rng, players)
    if rules.first_dealer >= 0:
        dealer = int(rules.first_dealer)
    dealer = (dealer + first) % players
    if scenario.dealer > 0:
        dealer = scenario.dealer - 1
    table.players = players
    table.rounds = min(int(rules.rounds), int(scenario.last)) if scenario.last > 0 else int(rules.rounds)
    table.dealer = dealer
    table.round = first
    for seat in range(MAX_PLAYERS):
        table.totals[seat] = scenario.totals[seat]
        table.zeros[seat] = 0
        table.hand_n[seat] = 0
        table.known_n[seat] = 0
        table.drawn[seat] = 0
        table.took[seat] = 0
    for r in range(MAX_ROUNDS):
        state.stats.hand_size[r] = 0
        for seat in range(MAX_PLAYERS):
            table.penalty[r, seat] = 0
    _begin_round(state)
    if first > 0:
        chance_for(state, 0)
        shuffle_pack(state, state.chance)
        set_up(state, scenario, state.chance)
    else:
        shuffle_pack(state, rng)
        set_up(state, scenario, rng)
    deal_hands(state)
    return int(table.turn)


@kernel
def _begin_round(state):
    """Set the table for the round `table.round`; its cards are not dealt yet."""
    table = state.table
    size = int(state.table.rules.hand_size[table.round])
    table.hand_size = size
    table.wild = size - 1 if size < 14 else 0
    table.phase = DRAW
    table.out = -1
    table.taken = -1
    table.reshuffles = 0
    table.turns = 0
    seat = int(table.dealer) + 1
    table.turn = 0 if seat == table.players else seat
    state.drew = -1
    state.last_reshuffle = 0
    state.table.melds.n = 0


@kernel
def is_forbidden(taken, rules, h0, jokers, card):
    """Return whether `card` may not be discarded because it was just taken from the pile (`may_return_discard`,
    section 3).
    """
    if rules.may_return != 0 or card != taken:
        return False
    if card == 52:
        return h0 != U(0)
    return jokers > 0 or h0 != U(1) << U(card)


@kernel
def is_legal(state, action):
    """Return 1 when `action` is legal for the seat to act (see `view.py` for the numbers)."""
    table = state.table
    if table.phase == DRAW:
        if action == 0:
            return 1 if table.stock_n > 0 or table.pile_n > 1 else 0
        return 1 if action == 1 else 0
    if action < DISCARD_0 or action > OUT_0 + 52:
        return 0
    out = action >= OUT_0
    card = action - (OUT_0 if out else DISCARD_0)
    seat = int(table.turn)
    h0 = state.hand[seat, 0]
    jokers = int(state.jokers[seat])
    if not has_card(h0, jokers, card) or is_forbidden(int(table.taken), state.table.rules, h0, jokers, card):
        return 0
    if not out:
        return 1
    if table.out >= 0:
        return 0
    h1, h2, h3 = state.hand[seat, 1], state.hand[seat, 2], state.hand[seat, 3]
    if card == 52:
        jokers -= 1
    else:
        h0, h1, h2, h3 = minus(h0, h1, h2, h3, card)
    return 1 if all_melded(h0, h1, h2, h3, jokers, int(table.wild), state.table.rules) else 0


@kernel
def step(state, action):
    """Play a legal action; return the seat to act next, or OVER."""
    state.last_reshuffle = 0
    if state.table.phase == DRAW:
        return _draw(state, action)
    out = action >= OUT_0
    return _discard(state, action - (OUT_0 if out else DISCARD_0), out)


@kernel(inline=True)
def _draw(state, action):
    """Take a card from the stock (action 0) or the pile (1) (section 3.1; the empty stock: 4)."""
    table = state.table
    seat = int(table.turn)
    if action == 0:
        if table.stock_n == 0:
            reshuffle(state)
        card = draw_card(state, seat)
        table.drawn[seat] += 1
        if table.reshuffles > 0:
            state.own_drawn[seat, card] += 1
    else:
        n = int(table.pile_n) - 1
        card = int(state.table.pile[n])
        table.pile_n = n
        table.upcard = state.table.pile[n - 1] if n > 0 else np.int8(-1)
        table.taken = card
        table.took[seat] += 1
        table.known[seat, table.known_n[seat]] = card
        table.known_n[seat] += 1
    add_card(state.hand, state.jokers, seat, card)
    table.hand_n[seat] += 1
    state.drew = card
    table.phase = DISCARD
    return seat


@kernel(inline=True)
def _forget_known(table, seat, card):
    """A discarded card is no longer known to be in hand; return 1 when it had been."""
    n = int(table.known_n[seat])
    for i in range(n):
        if table.known[seat, i] == card:
            for j in range(i, n - 1):
                table.known[seat, j] = table.known[seat, j + 1]
            table.known_n[seat] = n - 1
            return 1
    return 0


@kernel(inline=True)
def _count(state, seat, out):
    """Call `count_seat` by its address: it is large, and compiled once."""
    call3_none(state.table.rules.count_seat, state, np.int64(seat), np.int64(out))


@kernel(inline=True)
def _discard(state, card, out):
    """Discard a card, going out with it or not (sections 3.2, 3.3), and pass the turn on."""
    table = state.table
    seat = int(table.turn)
    remove_card(state.hand, state.jokers, seat, card)
    table.hand_n[seat] -= 1
    was_known = _forget_known(table, seat, card)
    if (card == 52 or card % 13 == table.wild) and was_known == 0:
        table.wild_seen += 1
    n = int(table.pile_n)
    state.table.pile[n] = card
    table.pile_n = n + 1
    table.upcard = card
    turn = int(table.turns)
    state.table.history[turn % MAX_HISTORY] = card + (64 if table.taken >= 0 else 0)
    table.turns = turn + 1
    table.taken = -1
    state.drew = -1
    table.phase = DRAW
    after = seat + 1
    if after == table.players:
        after = 0
    table.turn = after
    if out:
        table.out = seat
        state.stats.turn_out[table.round] = turn // int(table.players) + 1
        _count(state, seat, 1)
    elif table.out >= 0:
        _count(state, seat, 0)
        if after == table.out:
            return _end_round(state, 0)
    elif turn + 1 == int(table.players) * int(state.table.rules.max_turns):
        for other in range(table.players):
            _count(state, other, 0)
        return _end_round(state, 1)
    return after


@kernel
def _end_round(state, stalled):
    """Write the round down and start the next one, or end the game (sections 1, 6)."""
    table = state.table
    stats = state.stats
    r = int(table.round)
    stats.out[r] = table.out
    stats.stalled[r] = stalled
    stats.turns[r] = table.turns
    stats.hand_size[r] = table.hand_size
    stats.reshuffles[r] = table.reshuffles
    if table.out < 0:
        stats.turn_out[r] = 0
    for seat in range(table.players):
        points = int(table.penalty[r, seat])
        table.totals[seat] += points
        table.zeros[seat] += np.int8(points == 0)
        stats.took[r, seat] = table.took[seat]
    if r + 1 == table.rounds:
        return OVER
    table.round = r + 1
    dealer = int(table.dealer) + 1
    table.dealer = 0 if dealer == table.players else dealer
    _begin_round(state)
    chance_for(state, 0)
    shuffle_pack(state, state.chance)
    deal_hands(state)
    return int(table.turn)
