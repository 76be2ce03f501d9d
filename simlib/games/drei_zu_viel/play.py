"""The rules of *3 sind eine zu viel!* as kernels. Section numbers are those of RULES.md.

A hand is one 64-bit word of ascending bytes, a row one 32-bit word, the face-up cards of a seat one word of counts by
colour, so that a turn has hardly any branches: a mispredicted branch costs as much as twenty instructions. What is read
as a word is also written as a word: a word that is read just after one of its bytes was written waits for the memory.
"""

from __future__ import annotations

import numpy as np

from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib._words import load32, load64, load64_at, load64_in, store32, store64, store64_in
from simlib.game import OVER, SHARE
from simlib.games.drei_zu_viel.view import (
    CLOCK,
    HAND,
    MAX_PLAYERS,
    N_DECK,
    PLAYS,
    STACK,
    clear_statistics,
    count,
    not_above,
    sort_word,
)
from simlib.rng import below, shuffle_head

U = np.uint64
_ZERO, _ONE, _TWO, _THREE, _FOUR, _SEVEN, _24 = U(0), U(1), U(2), U(3), U(4), U(7), U(24)
_EIGHT, _16, _32, _56, _BYTE, _16BITS, _63 = U(8), U(16), U(32), U(56), U(0xFF), U(0xFFFF), U(63)
_LOW7 = U(0x0001010101010101)  # the lowest bit of the seven colours' bytes
_THREE_CARDS = U(0xFFFFFF)
_BIT7 = _LOW7 << _SEVEN
_TO_THREE = _LOW7 * U(125)  # added to a byte: the top bit says whether it was three or more
_TO_ONE = _LOW7 * U(127)
_ROW = U(0x7F7F7F7F)
_ROW_HIGH = U(0x80808080)
_ROW_LOW = U(0x010101)
_TOP_ROW = U(0x7F) << _24
_TOP = U(0x7F) << _56
#: Changes and bits of the clock: one play more in `ply` and `history_n`, one less in `left`.
_PLAYED, _LEFT = (_ONE << _56) + (_ONE << U(48)) - (_ONE << U(40)), U(0xFF << 40)


@kernel
def deal(state, rules, scenario, rng):
    """Shuffle, lay out the opening cards, give the stacks and draw the first hands.

    The starter is drawn first and the opening cards always come from the top three cards, so that the deals of two rule
    variants agree wherever they can (7.3). `state` must be zeroed before its first game.
    """
    if state.table.rules.digest != rules.digest:
        copy_record(state.table.rules, rules)
    starter = below(rng, int(rules.players))
    if scenario.starter > 0:
        starter = scenario.starter - 1
    elif rules.starter >= 0:
        starter = int(rules.starter)
    _shuffle(state, int(rules.players), scenario, rng)
    start(state, starter)
    return starter


@kernel(inline=True)
def start(state, starter):
    """Lay out what lies in `deck` under the rules in `state`, before the first play."""
    table = state.table
    rules = state.table.rules
    players = int(rules.players)
    _clear_table(table)
    clear_statistics(state)
    table.players = players
    table.starter = starter
    table.turn = starter
    table.left = 6 * players
    for i in range(rules.opening_cards):
        value = U(state.deck[i])
        _show(table, value)
        _lay_opening(table, value)
    for seat in range(players):
        store64(state.hand, seat, sort_word(load64_at(state.deck, 3 + STACK * seat)))
        table.hand_n[seat] = HAND
        table.stack_n[seat] = STACK - HAND


@kernel(inline=True)
def _shuffle(state, players, scenario, rng):
    """Shuffle as many of the 87 cards as are used; a scenario's hand is swapped into the top of its stack."""
    for i in range(29):
        state.deck[i] = i + 1
    for i in range(29):
        state.deck[29 + i] = i + 31
    for i in range(29):
        state.deck[58 + i] = i + 61
    shuffle_head(state.deck, N_DECK, 3 + STACK * players, rng)
    if scenario.seat > 0:
        _fix_hand(state, scenario)


@kernel
def _fix_hand(state, scenario):
    """Swap the cards of a scenario's hand into the top of its stack."""
    for i in range(HAND):
        if scenario.hand[i] > 0:
            at = 3 + (scenario.seat - 1) * STACK + i
            for j in range(N_DECK):
                if state.deck[j] == scenario.hand[i]:
                    state.deck[j] = state.deck[at]
                    state.deck[at] = scenario.hand[i]
                    break


@kernel(inline=True)
def _clear_table(table):
    """An empty table: no cards in the rows, nothing before the seats."""
    table.seen[0] = 0
    table.seen[1] = 0
    table.ply = 0
    table.third = 0
    table.silver_taken = 0
    table.history_n = 0
    for r in range(3):
        store32(table.row, r, np.uint32(_ROW))
    for seat in range(MAX_PLAYERS):
        store64(table.colours, seat, _ZERO)
        table.row_n[seat] = 0
        table.silver[seat] = 0
        table.has_silver[seat] = 0
        table.face_down[seat] = 0
        table.hand_n[seat] = 0
        table.stack_n[seat] = 0


@kernel(inline=True)
def _show(table, value):
    """Record that a value is face up now."""
    table.seen[value >> U(6)] |= _ONE << (value & _63)
    table.history[U(table.history_n)] = value
    table.history_n += 1


@kernel(inline=True)
def row_of(value):
    """Return value // 30 of a value 0 to 89 (uint64)."""
    return U(value >= U(30)) + U(value >= U(60))


@kernel(inline=True)
def _lay_opening(table, value):
    """Lay an opening card at its place in its row; it takes nothing (RULES.md 2.2)."""
    r = row_of(value)
    row = U(load32(table.row, r))
    low = (_ONE << (count(not_above(row, value) & _ROW_HIGH) << _THREE)) - _ONE
    store32(table.row, r, np.uint32((row & low) | (value * (low + _ONE)) | ((row & ~low) << U(8))))
    table.row_n[r] += 1


@kernel(inline=True)
def is_legal(state, action):
    """Return 1 when `action` is a position of the hand of the seat to act."""
    table = state.table
    return 1 if U(action) < U(table.hand_n[U(table.turn)]) else 0


@kernel(inline=True)
def step(state, action):
    """Play the card at position `action` of the hand, take what must be taken, refill; return the next seat or OVER."""
    table = state.table
    seat = U(table.turn)
    hand = load64(state.hand, seat)
    shift = U(action) << _THREE
    value = (hand >> shift) & _BYTE
    low = (_ONE << shift) - _ONE
    hand = (hand & low) | ((hand >> _EIGHT) & ~low) | _TOP
    counts = U(load32(table.row_n, 0))
    tally = (_ONE << _32) * count(counts & (counts >> _ONE) & _ROW_LOW)  # rows that stand at three cards
    clock = load64_in(table, CLOCK)
    table.seen[value >> U(6)] |= _ONE << (value & _63)
    table.history[clock >> _56] = value
    following = seat + _ONE
    following = _ZERO if following == U(table.players) else following
    clock += _PLAYED + ((following - seat) << _24)
    store64_in(table, CLOCK, clock)
    r = row_of(value)
    row = U(load32(table.row, r))
    place = count(not_above(row, value) & _ROW_HIGH)  # how many cards of the row are lower (3.1)
    low = (_ONE << (place << _THREE)) - _ONE
    kept = (row & low) | (value * (low + _ONE))
    at = r << _THREE
    five = (((counts >> at) & _THREE) + _ONE) >> _TWO  # 1 when the row holds five with the start card (3.2, 3.3)
    highest = (place + _ONE) >> _TWO
    number = (_THREE - place + highest) & (_ZERO - five)
    cards = (row >> ((place & (highest - _ONE)) << _THREE)) & (_THREE_CARDS >> (highest << _FOUR)) & (_ZERO - five)
    after = (kept | (_ROW << ((place + _ONE) << _THREE))) >> (highest << _THREE)
    row = after if five != _ZERO else kept | ((row & ~low) << _EIGHT)
    store32(table.row, r, np.uint32(row))
    store32(table.row_n, 0, np.uint32(counts + ((_ONE - number) << at)))
    state.tally[seat] += tally + (five << _16) + number
    if state.table.rules.check_each_card == 0:  # what is no card counts 0, so all three bytes can be added
        unit = state.table.rules.unit
        _lay_open(state, seat, unit[cards & _BYTE] + unit[(cards >> _EIGHT) & _BYTE] + unit[cards >> _16])

    held = U(load32(table.hand_n, 0)) - (_ONE << (seat << _THREE))
    store32(table.hand_n, 0, np.uint32(held))
    store64(state.hand, seat, hand)
    if (held >> (seat << _THREE)) & _BYTE == _TWO or (clock & _LEFT) == _ZERO or state.table.rules.special != 0:
        return _finish_turn(state, seat, cards, following)
    return np.int64(following)


@kernel
def _finish_turn(state, seat, cards, following):
    """Do what few turns need: lay cards open one by one, draw, end a third. Return the next seat or OVER."""
    if state.table.rules.check_each_card != 0:
        for i in range(3):
            _lay_open(state, seat, state.table.rules.unit[(cards >> U(8 * i)) & _BYTE])
    _refill(state, seat)
    if state.table.left == 0 and _end_third(state) != 0:
        return OVER
    return np.int64(following)


@kernel(inline=True)
def _lay_open(state, seat, units):
    """Lay taken cards face up by colour; the third of a colour turns three face down (3.4); then look for silver (3.5).

    `units` counts the taken cards by colour, a byte each. At most two lie there and at most three come: a colour is
    turned once.
    """
    table = state.table
    colours = load64(table.colours, seat) + units
    triples = ((colours + _TO_THREE) & _BIT7) >> _SEVEN
    colours -= triples * _THREE
    store64(table.colours, seat, colours)
    table.face_down[seat] += count(triples) * _THREE
    if ((colours + _TO_ONE) & _BIT7) - U(table.has_silver[seat]) == _BIT7:
        _take_silver(table, state.table.rules, seat)


@kernel
def _take_silver(table, rules, seat):
    """A seat with all seven colours takes the top silver card, if one is left (3.5)."""
    if table.silver_taken < rules.n_silver:
        table.silver[seat] = rules.silver[U(table.silver_taken)]
        table.has_silver[seat] = 1
        table.silver_taken += 1


@kernel(inline=True)
def _refill(state, seat):
    """Draw six cards at two in hand, or one a turn, while the stack lasts (3.6)."""
    table = state.table
    left = int(table.stack_n[seat])
    hand = load64(state.hand, seat)
    held = load32(table.hand_n, 0)
    if left > 0:
        drawn = load64_at(state.deck, 3 + STACK * (int(seat) + 1) - left)
        if state.table.rules.each_turn != 0:
            hand = (hand & ~_TOP) | (drawn << _56)
            number = 1
        elif (U(held) >> (seat << _THREE)) & _BYTE == _TWO:
            hand = (hand & _16BITS) | (drawn << _16)
            number = 6
        else:
            number = 0
        store64(state.hand, seat, sort_word(hand))
        store32(table.hand_n, 0, np.uint32(U(held) + (U(number) << (seat << _THREE))))
        table.stack_n[seat] = left - number


@kernel
def _end_third(state):
    """Note the scores at the end of a third; return 1 when it was the last."""
    table = state.table
    third = int(table.third)
    for seat in range(table.players):
        state.score[third, seat] = score(table, state.table.rules, seat, third == 2)
        tally = state.tally[seat]
        state.taken[third, seat] = tally & _16BITS
        state.takes[third, seat] = (tally >> _16) & _16BITS
        state.full[third] += np.int64(tally >> _32)
        state.tally[seat] = 0
    if third == 2:
        return 1
    table.third = third + 1
    table.left = 6 * int(table.players)
    return 0


@kernel(inline=True)
def colours_open(table, seat):
    """Return how many colours lie face up before a seat. `table` may be a view."""
    return np.int64(count((load64(table.colours, seat) + _TO_ONE) & _BIT7))


@kernel
def score(table, rules, seat, final):
    """Return the points of a seat as the table stands; with the gold bonus when `final`.

    `table` may be a view. 1 for a single colour, 5 for a pair, −1 a face-down card, silver, neutral points, gold 5
    (section 5).
    """
    colours = load64(table.colours, seat)
    points = np.int64(count(colours & _LOW7)) + 5 * np.int64(count(colours & (_LOW7 << _ONE)))
    points += (
        int(table.silver[seat]) - int(table.face_down[seat]) + int(table.colours[seat, 7]) * int(rules.neutral_points)
    )
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
def result(state, out):
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
        out.gold[seat] = 5 if colours_open(table, seat) >= state.table.rules.gold_min_colours else 0
        out.face_down[seat] = table.face_down[seat]
        out.neutral[seat] = table.colours[seat, 7]
        colours = load64(table.colours, seat)
        out.singles[seat] = count(colours & _LOW7)
        out.pairs[seat] = count(colours & (_LOW7 << _ONE))
    for third in range(3):
        out.third_full[third] = state.full[third]
        for seat in range(players):
            out.third_score[third, seat] = state.score[third, seat]
            out.third_taken[third, seat] = state.taken[third, seat]
            out.third_takes[third, seat] = state.takes[third, seat]
    out.lead_changes = _lead_changes(state, players)


@kernel
def _lead_changes(state, players):
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


__all__ = ["PLAYS", "RESULT", "colours_open", "deal", "is_legal", "result", "score", "step"]
