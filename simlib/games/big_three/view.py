"""What a deal of Big Three consists of, and what a seat may know of it.

Seats are numbered in playing order; arrays by seat have four entries, those beyond `players` are 0. Hand words and
combination numbers are those of `simlib.games.big_three.combos`; cards are numbers of `simlib.cards`, a set of
cards is a uint64 with bit n for card n.
"""

from __future__ import annotations

import numpy as np

from simlib.game import cache_lines
from simlib.games.big_three.rules import RULES

MAX_PLAYERS = 4
AUCTION, CALLING, PLAY, ENDED = 0, 1, 2, 3
#: Parts of an entry of `history`.
H_COMBINATION, H_SEAT, H_PASSES, H_LEAD, H_NAMED = 0xFF, 8, 10, 1 << 12, 1 << 13

#: What everybody sees.
TABLE_FIELDS = [
    ("unplayed", np.uint64),  # hand word of all cards of the deck not played yet (hands and widow together)
    # The three words that every play changes; `play` writes them whole.
    ("last_k", np.uint8),  # multiplicity − 1 of the combination to beat; undefined when leading
    ("last_bit", np.uint8),  # its combination bit; undefined when leading
    ("leading", np.int8),  # 1 when the seat to act leads a trick (any combination, no pass)
    ("last_seat", np.int8),  # who played the combination to beat, or the last one before this lead (−1: nobody yet)
    ("players", np.int8),
    ("turn", np.int8),  # seat to act
    ("phase", np.int8),  # AUCTION 0, CALLING 1, PLAY 2, ENDED 3
    ("passes", np.int8),  # passes in a row, in the auction or the trick
    ("hand_n", np.int8, (4,)),  # cards each seat holds now
    ("plays", np.int8, (4,)),  # combinations each seat has played
    ("passed", np.int8, (4,)),  # passes of each seat in the play
    ("tricks", np.int8),  # tricks that are over
    ("bombs", np.int8),  # quads and straights of quads played
    ("history_n", np.int8),  # combinations played
    ("named_played", np.int8),  # 1 when the named card has been played
    ("first", np.int8),  # first bidder
    ("leader", np.int8),  # seat that leads the first trick (the first bidder, unless a scenario says otherwise)
    # The card that made the first bidder first; lower hearts are in the widow. −1: a scenario chose the seat.
    ("heart", np.int8),
    ("high_bid", np.int8),  # highest bid so far, 0: none
    ("high_seat", np.int8),  # who made it, −1: nobody
    ("declarer", np.int8),  # −1 until the auction is over
    ("forced", np.int8),  # 1 when the declarer's bid was a forced one
    ("auctioned", np.int8),  # 0 when a scenario set the declarer without an auction
    ("widow_taken", np.int8),  # 1 when the declarer has taken the widow (never with four players)
    ("called", np.int8),  # named card, −1: none (yet)
    # The declarer's partner as far as known to all, −1: unknown or none (a view adds what its seat knows).
    ("partner", np.int8),
    ("bids_n", np.int8),  # bids made
    ("bids", np.int8, (8,)),  # bids in order, 0: pass; bid i is of seat (first + i) % players
    # Combinations in order: bits 0–7 the combination number, 8–9 the seat, 10–11 the passes between it and
    # the one before in the same trick (0 for a lead: before every lead but the first there were players − 1),
    # bit 12: led a trick, bit 13: contained the named card. Passes after the last one: `passes`. Suits are
    # not told: they mean nothing.
    ("history", np.uint16, (52,)),
]
TABLE = np.dtype(TABLE_FIELDS, align=True)
VIEW = cache_lines(
    [
        *TABLE_FIELDS,
        ("hand", np.uint64),  # hand word of the own cards now
        ("dealt", np.uint64),  # set of the cards dealt to this seat (without the widow)
        ("widow", np.uint64),  # set of the widow's cards when this seat has seen them, else 0
        ("seat", np.int8),  # whose view this is
        ("has_named", np.int8),  # 1 while this seat holds the named card
        ("rules", RULES),  # the options as numbers
    ]
)
STATE = cache_lines(
    [
        (
            "table",
            VIEW,
        ),  # what everybody sees, the rules, and in the game's own loop what the seat to act knows besides
        ("hand", np.uint64, (4,)),  # hand words now
        ("dealt", np.uint64, (4,)),  # sets of the cards dealt
        ("widow", np.uint64),  # set of the widow's cards
        ("holder", np.int8),  # seat that was dealt the named card, −1: none
        ("features", np.int8),  # 1: the result shall have the costly hand features too
        ("first_out", np.int8),  # −1 until somebody is out
        ("deck", np.int8, (52,)),
    ]
)
#: A counterfactual set-up; all zero: none. Seats as 1 + seat.
SCENARIO = np.dtype(
    [
        ("hands", np.uint64, (4,)),  # cards that each seat is dealt (all of its hand or a part; 0: none given)
        ("widow", np.uint64),  # cards of the widow (all or a part)
        ("declarer", np.int8),  # 1 + seat: this seat declares, there is no auction
        ("bid", np.int8),  # the bid of that declarer, 1 … 3 (0: 1)
        ("no_widow", np.int8),  # 1: the widow stays face down, the declarer plays without it
        ("first", np.int8),  # 1 + seat that bids first and leads
        ("leader", np.int8),  # 1 + seat that leads, whoever bids first
        ("call", np.int8),  # 1 + card that the declarer names (four players; unless the declarer holds it)
        ("features", np.int8),  # 1: fill in the result's `turns` columns too
    ],
    align=True,
)
