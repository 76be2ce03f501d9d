"""What a game of *3 sind eine zu viel!* consists of, and what a seat may know of it."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib.games.drei_zu_viel.rules import RULES
from simlib.rng import shuffle_head

MAX_PLAYERS = 4
HAND, STACK, PLAYS = 8, 20, 18
N_DECK = 87

#: What everybody sees. Seats are numbered in playing order; arrays by seat have four entries, those beyond `players` are 0.
TABLE_FIELDS = [
    ("seen", np.uint64, (2,)),  # bit v % 64 of word v // 64: value v has been face up at some time
    ("ply", np.int16),  # plays made so far in the game, by all seats
    ("silver", np.int16, (4,)),  # points of the silver card a seat has taken, 0 without one
    ("players", np.int8),
    ("turn", np.int8),  # seat to act
    ("starter", np.int8),  # seat that played first
    ("third", np.int8),  # 0, 1, 2: first, second, last six plays of every player
    ("row", np.int8, (3, 4)),  # number cards of each row, ascending, without the start card
    ("row_n", np.int8, (3,)),  # how many number cards each row holds: 0 to 3 between turns
    ("colours", np.int8, (4, 7)),  # face-up cards by seat and colour: 0, 1 or 2
    ("face_down", np.int8, (4,)),  # cards turned face down: one minus point each
    ("neutral", np.int8, (4,)),  # neutral cards set aside
    ("has_silver", np.int8, (4,)),  # 1 when the seat has taken its silver card
    ("silver_taken", np.int8),  # silver cards gone: the next one is rules.silver[silver_taken]
    ("hand_n", np.int8, (4,)),  # cards in hand
    ("stack_n", np.int8, (4,)),  # cards in the face-down stack
    ("history_n", np.int8),  # entries of history
    ("history", np.int8, (75,)),  # opening cards, then every card played, in order; the first play is by `starter`
]
TABLE = np.dtype(TABLE_FIELDS, align=True)
VIEW = np.dtype(
    [
        *TABLE_FIELDS,
        ("rules", RULES),  # the options as numbers; rules.colour[v] is the colour of value v (-1: none)
        ("seat", np.int8),  # whose view this is
        ("hand", np.int8, (8,)),  # own hand, ascending; hand_n[seat] entries are valid
    ],
    align=True,
)
STATE = np.dtype(
    [
        ("table", TABLE),
        ("rules", RULES),
        ("hand", np.int8, (4, 8)),  # ascending
        ("stack", np.int8, (4, 20)),  # the next card drawn is stack[seat, 20 - stack_n[seat]]
        ("deck", np.int8, (N_DECK,)),
        ("opening", np.int8, (3,)),
        ("score", np.int16, (3, 4)),  # score after each third
        ("taken", np.int8, (3, 4)),  # cards taken by third and seat
        ("takes", np.int8, (3, 4)),  # turns on which the seat took cards
        ("full", np.int16, (3,)),  # rows standing at four cards before a play, summed over the plays of the third
        ("last_silver", np.int16),  # points of the silver card taken on the last turn, 0 without one
        ("last_took", np.int8, (4,)),  # cards taken on the last turn
        ("last_n", np.int8),
    ],
    align=True,
)
#: A counterfactual set-up; all zero: none. Seats as 1 + seat.
SCENARIO = np.dtype([("starter", np.int8), ("seat", np.int8), ("hand", np.int8, (8,))], align=True)


@kernel
def observe(state, seat, view):  # type: ignore[no-untyped-def]
    """Fill the view of a seat: the table, the rules, the own hand."""
    copy_record(view, state.table)
    if view.rules.digest != state.rules.digest:
        copy_record(view.rules, state.rules)
    view.seat = seat
    for i in range(HAND):
        view.hand[i] = state.hand[seat, i]


@kernel
def legal(view, out):  # type: ignore[no-untyped-def]
    """Every card of the hand can be played: actions 0 … n-1 are positions in the ascending hand."""
    n = int(view.hand_n[view.seat])
    for i in range(n):
        out[i] = i
    return n


@kernel
def redeal(view, rng, state):  # type: ignore[no-untyped-def]
    """Draw the hands of the others, all stacks and the cards out of play, uniformly among the unseen cards.

    Nothing public distinguishes two deals of the unseen cards, so each assignment is equally likely.
    """
    copy_record(state.table, view)
    copy_record(state.rules, view.rules)
    n = _unseen(view, state.deck)
    me = int(view.seat)
    shuffle_head(state.deck, n, n, rng)
    at = 0
    for seat in range(view.players):
        for i in range(HAND):
            if seat == me:
                state.hand[seat, i] = view.hand[i]
            elif i < view.hand_n[seat]:
                card = state.deck[at]
                at += 1
                j = i
                while j > 0 and state.hand[seat, j - 1] > card:
                    state.hand[seat, j] = state.hand[seat, j - 1]
                    j -= 1
                state.hand[seat, j] = card
        for i in range(STACK - int(view.stack_n[seat]), STACK):
            state.stack[seat, i] = state.deck[at]
            at += 1
    clear_statistics(state)
    return int(view.turn)


@kernel
def _unseen(view, out):  # type: ignore[no-untyped-def]
    """Write the values this seat has not seen into `out`; return how many."""
    low, high = view.seen[0], view.seen[1]
    one = np.uint64(1)
    for i in range(view.hand_n[view.seat]):
        v = np.uint64(view.hand[i])
        if v < np.uint64(64):
            low |= one << v
        else:
            high |= one << (v - np.uint64(64))
    n = 0
    for v in range(1, 90):
        if v != 30 and v != 60:
            word = low >> np.uint64(v) if v < 64 else high >> np.uint64(v - 64)
            if word & one == np.uint64(0):
                out[n] = v
                n += 1
    return n


@kernel
def clear_statistics(state):  # type: ignore[no-untyped-def]
    """Zero what only the RESULT needs."""
    for third in range(3):
        state.full[third] = 0
        for seat in range(MAX_PLAYERS):
            state.score[third, seat] = 0
            state.taken[third, seat] = 0
            state.takes[third, seat] = 0
    state.last_silver = 0
    state.last_n = 0
