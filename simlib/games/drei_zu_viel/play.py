"""The rules of *3 sind eine zu viel!* as kernels. Section numbers are those of RULES.md, "A turn"."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib.game import OVER, SHARE
from simlib.games.drei_zu_viel.view import HAND, MAX_PLAYERS, N_DECK, PLAYS, STACK, clear_statistics
from simlib.rng import below, shuffle_head

_ONE, _64 = np.uint64(1), np.uint64(64)


@kernel
def deal(state, rules, scenario, rng):  # type: ignore[no-untyped-def]
    """Shuffle, lay out the opening cards, give the stacks and draw the first hands.

    The starter is drawn first and the opening cards always come from the top three cards, so that the deals of two rule variants
    agree wherever they can.
    """
    table = state.table
    copy_record(state.rules, rules)
    players = int(rules.players)
    starter = below(rng, players)
    if scenario.starter > 0:
        starter = scenario.starter - 1
    elif rules.starter >= 0:
        starter = int(rules.starter)
    _shuffle(state, players, scenario, rng)
    _clear_table(table)
    clear_statistics(state)
    table.players = players
    table.starter = starter
    table.turn = starter
    for i in range(rules.opening_cards):
        state.opening[i] = state.deck[i]
        _show(table, int(state.deck[i]))
        _insert(table, int(state.deck[i]))
    for seat in range(players):
        for i in range(STACK):
            state.stack[seat, i] = state.deck[3 + seat * STACK + i]
        table.hand_n[seat] = 0
        table.stack_n[seat] = STACK
        draw(state, seat, HAND)
    return starter


@kernel
def _shuffle(state, players, scenario, rng):  # type: ignore[no-untyped-def]
    """Shuffle as many of the 87 cards as are used; a scenario's hand is swapped into the top of its stack."""
    n = 0
    for v in range(1, 90):
        if v != 30 and v != 60:
            state.deck[n] = v
            n += 1
    shuffle_head(state.deck, N_DECK, 3 + STACK * players, rng)
    if scenario.seat > 0:
        for i in range(HAND):
            if scenario.hand[i] > 0:
                at = 3 + (scenario.seat - 1) * STACK + i
                j = 0
                while state.deck[j] != scenario.hand[i]:
                    j += 1
                swap = state.deck[at]
                state.deck[at] = state.deck[j]
                state.deck[j] = swap


@kernel
def _clear_table(table):  # type: ignore[no-untyped-def]
    table.seen[0] = 0
    table.seen[1] = 0
    table.ply = 0
    table.third = 0
    table.silver_taken = 0
    table.history_n = 0
    for r in range(3):
        table.row_n[r] = 0
    for seat in range(MAX_PLAYERS):
        table.silver[seat] = 0
        table.has_silver[seat] = 0
        table.face_down[seat] = 0
        table.neutral[seat] = 0
        table.hand_n[seat] = 0
        table.stack_n[seat] = 0
        for c in range(7):
            table.colours[seat, c] = 0


@kernel(inline=True)
def _show(table, value):  # type: ignore[no-untyped-def]
    """Record that a value is face up now."""
    if value < 64:
        table.seen[0] |= _ONE << np.uint64(value)
    else:
        table.seen[1] |= _ONE << (np.uint64(value) - _64)
    table.history[table.history_n] = value
    table.history_n += 1


@kernel(inline=True)
def _insert(table, value):  # type: ignore[no-untyped-def]
    """Lay a card at its place in its row; return that place (rule 1)."""
    r = value // 30
    n = int(table.row_n[r])
    j = n
    while j > 0 and table.row[r, j - 1] > value:
        if j < 4:
            table.row[r, j] = table.row[r, j - 1]
        j -= 1
    table.row[r, j] = value
    table.row_n[r] = n + 1
    return j


@kernel
def draw(state, seat, n):  # type: ignore[no-untyped-def]
    """Move up to `n` cards from the top of a stack into the ascending hand."""
    table = state.table
    held = int(table.hand_n[seat])
    left = int(table.stack_n[seat])
    if n > left:
        n = left
    for i in range(n):
        card = state.stack[seat, STACK - left + i]
        j = held
        while j > 0 and state.hand[seat, j - 1] > card:
            state.hand[seat, j] = state.hand[seat, j - 1]
            j -= 1
        state.hand[seat, j] = card
        held += 1
    table.hand_n[seat] = held
    table.stack_n[seat] = left - n


@kernel
def is_legal(state, action):  # type: ignore[no-untyped-def]
    """Return 1 when `action` is a position of the hand of the seat to act."""
    table = state.table
    return 1 if 0 <= action < table.hand_n[table.turn] else 0


@kernel
def step(state, action):  # type: ignore[no-untyped-def]
    """Play the card at position `action` of the hand, take what must be taken, refill; return the next seat or OVER."""
    table = state.table
    rules = state.rules
    seat = int(table.turn)
    value = int(state.hand[seat, action])
    n = int(table.hand_n[seat]) - 1
    for i in range(action, n):
        state.hand[seat, i] = state.hand[seat, i + 1]
    table.hand_n[seat] = n
    third = int(table.third)
    state.full[third] += int(table.row_n[0] == 3) + int(table.row_n[1] == 3) + int(table.row_n[2] == 3)
    _show(table, value)
    place = _insert(table, value)
    state.last_n = 0
    state.last_silver = 0
    if table.row_n[value // 30] == 4:
        _collect(state, seat, value // 30, place)
    if rules.each_turn != 0:
        if table.stack_n[seat] > 0:
            draw(state, seat, 1)
    elif n == 2:
        draw(state, seat, 6)
    return _advance(state, seat)


@kernel
def _collect(state, seat, r, place):  # type: ignore[no-untyped-def]
    """The row holds five cards: take its lowest when the played card is its highest, else all above it (rule 3)."""
    table = state.table
    first = place + 1
    end = 4
    if place == 3:
        first = 0
        end = 1
    for i in range(first, end):
        card = int(table.row[r, i])
        state.last_took[state.last_n] = card
        state.last_n += 1
        _lay_open(table, state.rules, seat, card)
        if state.rules.check_each_card != 0:
            _claim_silver(state, seat)
    if place == 3:
        for i in range(3):
            table.row[r, i] = table.row[r, i + 1]
    table.row_n[r] = 4 - (end - first)
    if state.rules.check_each_card == 0:
        _claim_silver(state, seat)
    state.taken[table.third, seat] += end - first
    state.takes[table.third, seat] += 1


@kernel(inline=True)
def _lay_open(table, rules, seat, card):  # type: ignore[no-untyped-def]
    """Lay a taken card face up by colour; the third of a colour turns the three face down (rule 4)."""
    colour = int(rules.colour[card])
    if colour < 0:
        table.neutral[seat] += 1
    elif table.colours[seat, colour] == 2:
        table.colours[seat, colour] = 0
        table.face_down[seat] += 3
    else:
        table.colours[seat, colour] += 1


@kernel(inline=True)
def colours_open(table, seat):  # type: ignore[no-untyped-def]
    """Return how many colours lie face up before a seat."""
    n = 0
    for c in range(7):
        n += int(table.colours[seat, c] > 0)
    return n


@kernel
def _claim_silver(state, seat):  # type: ignore[no-untyped-def]
    """With all seven colours face up a seat takes the top silver card, once (rule 5)."""
    table = state.table
    if table.has_silver[seat] == 0 and table.silver_taken < state.rules.n_silver and colours_open(table, seat) == 7:
        points = state.rules.silver[table.silver_taken]
        table.silver[seat] = points
        table.has_silver[seat] = 1
        table.silver_taken += 1
        state.last_silver = points


@kernel
def _advance(state, seat):  # type: ignore[no-untyped-def]
    """Pass the turn on; note the scores at the end of each third."""
    table = state.table
    players = int(table.players)
    table.ply += 1
    each = 6 * players
    if table.ply % each == 0:
        third = int(table.third)
        for s in range(players):
            state.score[third, s] = score(table, state.rules, s, third == 2)
        if third == 2:
            return OVER
        table.third = third + 1
    seat += 1
    table.turn = 0 if seat == players else seat
    return int(table.turn)


@kernel
def score(table, rules, seat, final):  # type: ignore[no-untyped-def]
    """Return the points of a seat as the table stands; with the gold bonus when `final`.

    `table` may be a view. 1 for a single colour, 5 for a pair, −1 a face-down card, silver, neutral points, gold 5.
    """
    points = int(table.silver[seat]) - int(table.face_down[seat]) + int(table.neutral[seat]) * int(rules.neutral_points)
    for c in range(7):
        n = int(table.colours[seat, c])
        points += 5 if n == 2 else n
    if final and colours_open(table, seat) >= rules.gold_min_colours:
        points += 5
    return points


RESULT = np.dtype(
    [
        ("score", np.int16, (MAX_PLAYERS,)),
        ("win_share", np.int16, (MAX_PLAYERS,)),
        ("silver", np.int16, (MAX_PLAYERS,)),
        ("gold", np.int8, (MAX_PLAYERS,)),
        ("face_down", np.int8, (MAX_PLAYERS,)),
        ("neutral", np.int8, (MAX_PLAYERS,)),
        ("singles", np.int8, (MAX_PLAYERS,)),
        ("pairs", np.int8, (MAX_PLAYERS,)),
        ("third_score", np.int16, (3, MAX_PLAYERS)),
        ("third_taken", np.int8, (3, MAX_PLAYERS)),
        ("third_takes", np.int8, (3, MAX_PLAYERS)),
        ("third_full", np.int16, (3,)),
        ("starter", np.int8),
        ("lead_changes", np.int8),
    ],
    align=True,
)


@kernel
def result(state, out):  # type: ignore[no-untyped-def]
    """Fill the RESULT of a finished game."""
    table = state.table
    players = int(table.players)
    best = -32000
    winners = 0
    for seat in range(players):
        points = int(state.score[2, seat])
        if points > best:
            best = points
            winners = 0
        winners += int(points == best)
    out.starter = table.starter
    for seat in range(players):
        out.score[seat] = state.score[2, seat]
        out.win_share[seat] = SHARE // winners if state.score[2, seat] == best else 0
        out.silver[seat] = table.silver[seat]
        out.gold[seat] = 5 if colours_open(table, seat) >= state.rules.gold_min_colours else 0
        out.face_down[seat] = table.face_down[seat]
        out.neutral[seat] = table.neutral[seat]
        singles = 0
        pairs = 0
        for c in range(7):
            singles += int(table.colours[seat, c] == 1)
            pairs += int(table.colours[seat, c] == 2)
        out.singles[seat] = singles
        out.pairs[seat] = pairs
    for third in range(3):
        out.third_full[third] = state.full[third]
        for seat in range(players):
            out.third_score[third, seat] = state.score[third, seat]
            out.third_taken[third, seat] = state.taken[third, seat]
            out.third_takes[third, seat] = state.takes[third, seat]
    out.lead_changes = _lead_changes(state, players)


@kernel
def _lead_changes(state, players):  # type: ignore[no-untyped-def]
    """Count the thirds after which nobody of those who led before leads still."""
    changes = 0
    for third in range(1, 3):
        best = -32000
        before = -32000
        for seat in range(players):
            best = max(best, int(state.score[third, seat]))
            before = max(before, int(state.score[third - 1, seat]))
        kept = 0
        for seat in range(players):
            kept |= int(state.score[third, seat] == best and state.score[third - 1, seat] == before)
        changes += 1 - kept
    return changes


__all__ = ["PLAYS", "RESULT", "colours_open", "deal", "draw", "is_legal", "result", "score", "step"]
