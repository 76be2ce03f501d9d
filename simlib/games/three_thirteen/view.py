"""What a game of Three-Thirteen consists of, and what a seat may know of it.

Cards are the numbers of `simlib.cards`: suit * 13 + rank (suits c d h s, ace 0 … king 12), a printed joker is 52.
A hand is four words: bit c of ``hand[k]`` says that there are at least k + 1 copies of card c; printed jokers
are a count of their own (`jokers`). Cards of the round's rank (`wild`) are in the words like all others.

Actions
-------
0
    draw from the stock (phase 0)
1
    draw the upcard (phase 0)
2 + c
    discard card c (phase 1)
55 + c
    discard card c and go out (phase 1)
"""

from __future__ import annotations

import numpy as np

from simlib._dispatch import copier
from simlib.game import cache_lines
from simlib.games.three_thirteen.rules_record import RULES
from simlib.games.three_thirteen.shapes import ARRANGEMENT
from simlib.rng import STREAM

MAX_PLAYERS, MAX_ROUNDS, MAX_CARDS, MAX_HISTORY, MAX_MELDS = 8, 11, 224, 1024, 32
JOKER, KINDS = 52, 53
DRAW, DISCARD = 0, 1
DRAW_STOCK, DRAW_UPCARD, DISCARD_0, OUT_0, N_ACTIONS = 0, 1, 2, 55, 108

#: What everybody sees. Seats are numbered in playing order; arrays by seat have eight entries, those beyond
#: `players` are 0.
TABLE_FIELDS = [
    ("players", np.int8),
    ("turn", np.int8),  # seat to act
    ("phase", np.int8),  # 0: draw, 1: discard (and perhaps go out)
    ("round", np.int8),  # index of the round in the schedule, from 0
    ("rounds", np.int8),  # rounds of the game: the last one has index rounds - 1
    ("hand_size", np.int8),  # cards a hand holds between turns
    ("wild", np.int8),  # rank that is wild in this round: 0 (ace) … 12 (king)
    ("dealer", np.int8),  # the seat after the dealer started the round
    ("out", np.int8),  # seat that has gone out (the others have their last turns), -1: nobody
    ("upcard", np.int8),  # top card of the discard pile, -1 when the only card has just been taken
    ("taken", np.int8),  # upcard taken by the seat to act in this turn, -1: none
    ("reshuffles", np.int8),  # times the stock of this round has been renewed
    ("wild_seen", np.int8),  # cards of the wild rank and jokers now visible to all: in the pile, in `known`
    ("known_n", np.int8, (8,)),  # entries of `known`
    ("hand_n", np.int8, (8,)),  # cards in hand
    ("zeros", np.int8, (8,)),  # zero rounds so far
    ("pile_n", np.int16),  # cards of the discard pile
    ("stock_n", np.int16),  # cards of the stock
    ("turns", np.int16),  # finished turns of this round
    ("totals", np.int16, (8,)),  # penalty points of the finished rounds
    ("drawn", np.int16, (8,)),  # cards the seat has drawn from the stock since it was last renewed
    ("took", np.int16, (8,)),  # upcards the seat has taken in this round
    ("known", np.int8, (8, 16)),  # cards known to be in a hand: upcards taken and not discarded since; the whole
    # hand of a seat that is out or has had its last turn
    ("penalty", np.int16, (11, 8)),  # penalty points by round and seat, as they count; finished rounds only
]
TABLE = np.dtype(TABLE_FIELDS, align=True)

#: The melds on the table (filled only with the option `lay_off`): those of the player who went out and of last
#: turns since, with all that was laid off. A meld is a set when `kind` has bit 0, a run when it has bit 1
#: (both: one natural card with wild cards, or wild cards alone, which a run can still grow from).
MELDS = np.dtype(
    [
        ("n", np.int64),
        ("owner", np.int8, (MAX_MELDS,)),  # seat that laid it
        ("place", np.int8, (MAX_MELDS,)),  # its number among the melds of that seat
        ("kind", np.int8, (MAX_MELDS,)),  # bit 0: can be read as a set, bit 1: can be read as a run
        ("suit", np.int8, (MAX_MELDS,)),  # suit of the natural cards of a run, else of the first natural card; -1: none
        ("rank", np.int8, (MAX_MELDS,)),  # rank of the natural cards of a set, else of the first natural card; -1: none
        ("ranks", np.int16, (MAX_MELDS,)),  # bit r: the run holds a natural card of rank r
        ("naturals", np.int8, (MAX_MELDS,)),  # natural cards
        ("wilds", np.int8, (MAX_MELDS,)),  # wild cards
    ],
    align=True,
)
#: Public too, but copied only as far as they are filled.
PUBLIC_FIELDS = [
    ("pile", np.int8, (MAX_CARDS,)),  # discard pile from the bottom; pile_n entries are valid
    (
        "history",
        np.uint8,
        (MAX_HISTORY,),
    ),  # finished turns in order, turn i at i % 1024: the card discarded, + 64 when the
    # upcard was taken before. Turn i was that of seat (dealer + 1 + i) % players
    ("reshuffled", np.int8, (56,)),  # by card: what the last renewed stock consisted of (valid when reshuffles > 0)
    ("melds", MELDS),  # valid when somebody is out and the rules have lay_off
]
VIEW = cache_lines(
    [
        *TABLE_FIELDS,
        *PUBLIC_FIELDS,
        ("rules", RULES),  # the options as numbers
        ("seat", np.int8),  # whose view this is
        ("drew", np.int8),  # card this seat has just drawn (phase 1, its own turn), else -1
        ("jokers", np.int8),  # printed jokers of the own hand
        ("hand", np.uint64, (4,)),  # own hand: bit c of hand[k]: at least k + 1 copies of card c (0 … 51)
        ("own_drawn", np.int8, (56,)),  # by card: own draws from the stock since it was renewed (when reshuffles > 0)
    ]
)
copy_table = copier(TABLE)
#: Figures of the finished rounds that only the RESULT needs.
STATISTICS = np.dtype(
    [
        ("turn_out", np.int16, (MAX_ROUNDS,)),  # turn (of that seat, from 1) on which it went out, 0: nobody did
        ("turns", np.int16, (MAX_ROUNDS,)),  # turns of all seats, last turns included
        ("out", np.int8, (MAX_ROUNDS,)),  # seat that went out, -1
        ("stalled", np.int8, (MAX_ROUNDS,)),
        ("reshuffles", np.int8, (MAX_ROUNDS,)),
        ("hand_size", np.int8, (MAX_ROUNDS,)),  # 0: a round that was not played
        ("took", np.int16, (MAX_ROUNDS, MAX_PLAYERS)),
        ("wilds", np.int8, (MAX_ROUNDS, MAX_PLAYERS)),
        ("unmelded", np.int8, (MAX_ROUNDS, MAX_PLAYERS)),
    ],
    align=True,
)
STATE = cache_lines(
    [
        ("table", VIEW),  # what everybody sees, the rules, and in the game's own loop what the seat to act sees besides
        ("hand", np.uint64, (MAX_PLAYERS, 4)),
        ("jokers", np.int8, (MAX_PLAYERS,)),
        ("drew", np.int8),
        (
            "stock",
            np.int8,
            (MAX_CARDS,),
        ),  # card i of lane k is stock[i * lanes + k]; lane k holds first[k] … end[k] - 1
        ("lanes", np.int64),  # players with `aligned_stock` (a lane for each seat), else 1
        ("first", np.int16, (MAX_PLAYERS,)),
        ("end", np.int16, (MAX_PLAYERS,)),
        ("own_drawn", np.int8, (MAX_PLAYERS, 56)),
        ("seed", np.uint64),  # seed and game of the chance still to come: later rounds, reshuffles
        ("game", np.uint64),
        ("chance", STREAM),  # scratch
        ("arranged", ARRANGEMENT),  # scratch
        ("last_reshuffle", np.int8),  # 1 when the last action renewed the stock (for the record)
        ("stats", STATISTICS),
    ]
)
#: A counterfactual set-up; all zero: none. Rounds, seats and cards as 1 + number.
SCENARIO = np.dtype(
    [
        ("round", np.int8),  # start with this round of the schedule (1: the first one)
        ("last", np.int8),  # end after this round (0: play to the end of the schedule)
        ("dealer", np.int8),  # dealer of the first round played
        ("seat", np.int8),  # seat that gets `hand` in the first round played
        ("hand", np.int8, (16,)),  # its cards, as many as are given (0: a random card)
        ("upcard", np.int8),  # first upcard of the first round played
        ("totals", np.int16, (MAX_PLAYERS,)),  # penalty points brought along
    ],
    align=True,
)
