"""Settlement of a deal of Big Three (5), and what it leaves for analysis."""

from __future__ import annotations

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel
from simlib.game import SHARE
from simlib.games.big_three.combos import U, count_of, hand_word, lane
from simlib.games.big_three.features import count_straights, longest_straight, min_turns
from simlib.games.big_three.view import MAX_PLAYERS

_SEAT = (MAX_PLAYERS,)
RESULT = np.dtype(
    [
        ("score", np.int16, _SEAT),
        ("win_share", np.int16, _SEAT),
        ("auction", np.int32),
        ("won", np.int8, _SEAT),
        ("plays", np.int8, _SEAT),
        ("passes", np.int8, _SEAT),
        ("cards_left", np.int8, _SEAT),
        ("declarer", np.int8),
        ("bid", np.int8),
        ("forced", np.int8),
        ("declarer_won", np.int8),
        ("partner", np.int8),
        ("called", np.int8),
        ("named_played", np.int8),
        ("first_out", np.int8),
        ("first_bidder", np.int8),
        ("leader", np.int8),
        ("heart", np.int8),
        ("tricks", np.int8),
        ("bombs", np.int8),
        ("threes", np.int8, _SEAT),
        ("twos", np.int8, _SEAT),
        ("aces", np.int8, _SEAT),
        ("pairs", np.int8, _SEAT),
        ("triples", np.int8, _SEAT),
        ("quads", np.int8, _SEAT),
        ("longest", np.int8, _SEAT),
        ("straights", np.int8, _SEAT),
        ("turns", np.int8, _SEAT),
        ("after_threes", np.int8),
        ("after_twos", np.int8),
        ("after_aces", np.int8),
        ("after_pairs", np.int8),
        ("after_triples", np.int8),
        ("after_quads", np.int8),
        ("after_longest", np.int8),
        ("after_straights", np.int8),
        ("after_turns", np.int8),
    ],
    align=True,
)
_1, _2, _3 = U(1), U(2), U(3)


@kernel
def result(state, out):
    """Fill the RESULT of a finished deal."""
    table = state.table
    players = int(table.players)
    declarer = int(table.declarer)
    partner = int(state.holder)
    won = int(state.first_out == declarer or (state.first_out == partner and partner >= 0))
    out.declarer = declarer
    out.bid = table.high_bid
    out.forced = table.forced
    out.declarer_won = won
    out.partner = partner
    out.called = table.called
    out.named_played = table.named_played
    out.first_out = state.first_out
    out.first_bidder = table.first
    out.leader = table.leader
    out.heart = table.heart
    out.tricks = table.tricks
    out.bombs = table.bombs
    auction = 0
    for i in range(table.bids_n):
        auction = 10 * auction + int(table.bids[i])
    out.auction = auction
    for seat in range(MAX_PLAYERS):
        out.score[seat] = 0
        out.win_share[seat] = 0
        out.won[seat] = 0
    winners = 1 if players == 3 else 2
    winners = winners if won != 0 else players - winners
    for seat in range(players):
        wins = int((seat in (declarer, partner)) == (won != 0))
        out.won[seat] = wins
        out.win_share[seat] = SHARE // winners if wins != 0 else 0
        out.score[seat] = chips(state, seat, wins)
        out.plays[seat] = table.plays[seat]
        out.passes[seat] = table.passed[seat]
        out.cards_left[seat] = table.hand_n[seat]
    _hand_columns(state, out)
    _declarer_columns(state, out)


@kernel
def chips(state, seat, wins):
    """Return what a seat gets (5.1, 5.2; 7.1, 7.3, 7.5); `wins` is 1 when its party is the one that went out first."""
    table = state.table
    value = int(table.high_bid)
    if state.table.rules.bomb_bonus != 0 and table.bombs > 0:
        value *= 2
    sign = 1 if wins != 0 else -1
    if state.table.rules.mcneely != 0:
        if table.players == 4:
            return 2 * value if wins != 0 else 0
        return 2 * value * sign if seat == table.declarer else 0
    if table.players == 3 and seat == table.declarer:
        return 2 * value * sign
    return value * sign


@kernel
def _hand_columns(state, out):
    """Features of each dealt hand."""
    rules = state.table.rules
    for seat in range(state.table.players):
        hand = hand_word(state.dealt[seat], rules.western)
        two, three, four = lane(hand, _1), lane(hand, _2), lane(hand, _3)
        out.threes[seat] = count_of(hand, rules.three)
        out.twos[seat] = count_of(hand, rules.two)
        out.aces[seat] = count_of(hand, rules.ace)
        out.pairs[seat] = popcount(two & ~three)
        out.triples[seat] = popcount(three & ~four)
        out.quads[seat] = popcount(four)
        out.longest[seat] = longest_straight(hand, rules)
        out.straights[seat] = count_straights(hand, rules)
        out.turns[seat] = min_turns(hand, rules) if state.features != 0 else -1


@kernel
def _declarer_columns(state, out):
    """Features of the hand with which the declarer plays."""
    rules = state.table.rules
    cards = state.dealt[state.table.declarer]
    if state.table.widow_taken != 0:
        cards |= state.widow
    hand = hand_word(cards, rules.western)
    two, three, four = lane(hand, _1), lane(hand, _2), lane(hand, _3)
    out.after_threes = count_of(hand, rules.three)
    out.after_twos = count_of(hand, rules.two)
    out.after_aces = count_of(hand, rules.ace)
    out.after_pairs = popcount(two & ~three)
    out.after_triples = popcount(three & ~four)
    out.after_quads = popcount(four)
    out.after_longest = longest_straight(hand, rules)
    out.after_straights = count_straights(hand, rules)
    out.after_turns = min_turns(hand, rules) if state.features != 0 else -1
