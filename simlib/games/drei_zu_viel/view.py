"""What a game of *3 sind eine zu viel!* consists of, and what a seat may know of it."""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz, popcount
from simlib._dispatch import copier, copy_record
from simlib._jit import kernel
from simlib._words import load32, load64, load64_at, store32, store64
from simlib.game import cache_lines
from simlib.games.drei_zu_viel.rules import RULES
from simlib.rng import shuffle_head

MAX_PLAYERS = 4
HAND, STACK, PLAYS = 8, 20, 18
N_DECK = 87
#: Stands where a row or a hand has no card; it is higher than every value.
NO_CARD = 127

#: What everybody sees. Seats are numbered in playing order; arrays by seat have four entries, 0 beyond `players`.
TABLE_FIELDS = [
    ("seen", np.uint64, (2,)),  # bit v % 64 of word v // 64: value v has been face up at some time
    ("colours", np.int8, (4, 8)),  # face-up cards by seat and colour 0 to 6: 0, 1 or 2; entry 7 counts neutral cards
    ("hand_n", np.int8, (4,)),  # cards in hand
    ("stack_n", np.int8, (4,)),  # cards in the face-down stack
    ("row", np.int8, (3, 4)),  # number cards of each row, ascending, without the start card; NO_CARD beyond row_n
    ("row_n", np.int8, (4,)),  # how many number cards each row holds: 0 to 3 between turns (entry 3 is unused)
    ("face_down", np.int8, (4,)),  # cards turned face down: one minus point each
    ("has_silver", np.int8, (4,)),  # 1 when the seat has taken its silver card
    ("silver", np.int16, (4,)),  # points of the silver card a seat has taken, 0 without one
    ("silver_taken", np.int8),  # silver cards gone: the next one is rules.silver[silver_taken]
    ("players", np.int8),
    ("starter", np.int8),  # seat that played first
    ("turn", np.int8),  # seat to act
    ("third", np.int8),  # 0, 1, 2: first, second, last six plays of every player
    ("left", np.int8),  # plays left in this third, by all seats
    ("ply", np.int8),  # plays made so far in the game, by all seats
    ("history_n", np.int8),  # entries of history
    ("history", np.int8, (75,)),  # opening cards, then every card played, in order; the first play is by `starter`
]
TABLE = np.dtype(TABLE_FIELDS, align=True)
#: Where the clock of the game stands: eight small fields that `step` reads and writes as one word.
CLOCK = TABLE.fields["silver_taken"][1]  # type: ignore[index]
VIEW = cache_lines(
    [
        *TABLE_FIELDS,
        ("seat", np.int8),  # whose view this is
        ("hand", np.int8, (8,)),  # own hand, ascending; NO_CARD beyond hand_n[seat]
        ("rules", RULES),  # the options as numbers; rules.colour[v] is the colour of value v (-1: none)
    ]
)
copy_table = copier(TABLE)
STATE = cache_lines(
    [
        ("table", VIEW),  # what everybody sees, the rules, and in the game's own loop the hand of the seat to act
        ("hand", np.int8, (4, 8)),  # ascending, NO_CARD beyond hand_n
        (
            "deck",
            np.int8,
            (96,),
        ),  # 3 opening cards, then the stack of each seat, top first; the rest is out of play
        ("tally", np.uint64, (4,)),  # this third by seat, 16 bits each: cards taken, turns that took, full rows met
        ("spare", np.int8, (96,)),  # scratch of redeal
        ("score", np.int16, (3, 4)),  # score after each third
        ("taken", np.int8, (3, 4)),  # cards taken by third and seat
        ("takes", np.int8, (3, 4)),  # turns on which the seat took cards
        ("full", np.int16, (3,)),  # rows standing at four cards before a play, summed over the plays of the third
    ]
)
#: A counterfactual set-up; all zero: none. `starter` and `seat` are 1 + seat; `hand` holds cards that `seat` is
#: dealt, 0 where a card is left to chance.
SCENARIO = np.dtype([("starter", np.int8), ("seat", np.int8), ("hand", np.int8, (8,))], align=True)

_ZERO, _ONE, _THREE, _64, _BYTE = np.uint64(0), np.uint64(1), np.uint64(3), np.uint64(64), np.uint64(0xFF)
_NO_CARD = np.uint64(NO_CARD)
_EACH = np.uint64(0x0101010101010101)  # 1 in each byte
_HIGH = np.uint64(0x8080808080808080)
NO_CARDS = np.uint64(0x7F7F7F7F7F7F7F7F)
#: The 87 shuffled values as bits: 1 to 63, 64 to 89, without 30 and 60.
_DECK_LOW = np.uint64(sum(1 << v for v in range(1, 64) if v not in (30, 60)))
_DECK_HIGH = np.uint64((1 << 26) - 1)


@kernel(inline=True)
def count(word):
    """Return the number of set bits as uint64 (mixed with int64 it would turn into a float)."""
    return np.uint64(popcount(word))


@kernel(inline=True)
def not_above(word, value):
    """Return a word with the top bit of each byte of `word` that is at most `value` (all below 128)."""
    return ((value * _EACH | _HIGH) - word) & _HIGH


@kernel(inline=True)
def sort_word(word):
    """Sort the eight bytes of a word, different values or NO_CARD, each by the number of bytes not above it."""
    out = NO_CARDS
    for i in range(8):
        value = (word >> np.uint64(8 * i)) & _BYTE
        place = count(not_above(word, value)) - _ONE
        out ^= (value ^ _NO_CARD) << (place << _THREE)  # nothing changes for NO_CARD
    return out


@kernel(inline=True)
def observe(state, seat, view):
    """Fill the view of a seat: the table, the rules, the own hand."""
    copy_table(view, state.table)
    if view.rules.digest != state.table.rules.digest:
        copy_record(view.rules, state.table.rules)
    view.seat = seat
    store32(view.hand_n, 0, load32(state.table.hand_n, 0))
    store32(view.row_n, 0, load32(state.table.row_n, 0))
    for r in range(3):
        store32(view.row, r, load32(state.table.row, r))
    store64(view.hand, 0, load64(state.hand, seat))


@kernel
def legal(view, out):
    """Every card of the hand can be played: actions 0 … n-1 are positions in the ascending hand."""
    n = int(view.hand_n[view.seat])
    for i in range(n):
        out[i] = i
    return n


@kernel
def redeal(view, rng, state):
    """Draw the hands of the others, all stacks and the cards out of play, uniformly among the unseen cards.

    Nothing public distinguishes two deals of the unseen cards, so each assignment is equally likely.
    """
    copy_record(state.table, view)
    me = int(view.seat)
    n, needed = _unseen(view, state.spare), 0
    for seat in range(view.players):
        needed += int(view.stack_n[seat]) + (int(view.hand_n[seat]) if seat != me else 0)
    shuffle_head(state.spare, n, needed, rng)
    at = 0
    for seat in range(view.players):
        if seat == me:
            store64(state.hand, seat, load64(view.hand, 0))
        else:
            held = int(view.hand_n[seat])
            word = load64_at(state.spare, at)
            if held < HAND:
                word |= NO_CARDS << np.uint64(8 * held)
            store64(state.hand, seat, sort_word(word & NO_CARDS))
            at += held
        left = int(view.stack_n[seat])
        top = 3 + STACK * (seat + 1) - left
        for i in range(left):
            state.deck[top + i] = state.spare[at + i]
        at += left
    clear_statistics(state)
    return int(view.turn)


@kernel
def _unseen(view, out):
    """Write the values this seat has not seen into `out`, ascending; return how many."""
    low, high = view.seen[0], view.seen[1]
    for i in range(view.hand_n[view.seat]):
        v = np.uint64(view.hand[i])
        if v < _64:
            low |= _ONE << v
        else:
            high |= _ONE << (v - _64)
    n = 0
    low = _DECK_LOW & ~low
    while low != _ZERO:
        out[n] = ctz(low)
        low &= low - _ONE
        n += 1
    high = _DECK_HIGH & ~high
    while high != _ZERO:
        out[n] = ctz(high) + _64
        high &= high - _ONE
        n += 1
    return n


@kernel(inline=True)
def clear_statistics(state):
    """Zero what only the RESULT needs."""
    for seat in range(MAX_PLAYERS):
        state.tally[seat] = 0
    for third in range(3):
        state.full[third] = 0
        for seat in range(MAX_PLAYERS):
            state.score[third, seat] = 0
            state.taken[third, seat] = 0
            state.takes[third, seat] = 0
