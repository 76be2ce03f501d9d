"""A deal of Big Three that agrees with a view, drawn uniformly: what search policies think with.

A deal assigns every card that the viewer has not seen, suits included, to a slot: a seat (0 … 3), or in the
three-player game the widow while it is apart (slot 3). All deals that agree with what is public are equally likely:

- the first bidder was dealt the heart that made it first, and all lower hearts are in the widow;
- a seat was dealt what it has played, by rank (suits of plays are not told, they mean nothing);
- the named card is held by neither the declarer nor, unless it says so itself, the viewer, and its holder has not
  needed it for what it has played;
- with `forced_bid` every seat that bid or passed freely was not forced to bid 3, and a forced declarer was.

Cards that must lie somewhere are set apart first. How many cards of each rank go where is then drawn by dynamic
programming over the ranks: a rank is spread in a multinomial number of ways, bounded below by what was played.
(Drawing the cards still held uniformly would be wrong: a seat that has played one seven may have been dealt any of
the sevens.) The last two conditions are met by rejection.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz, popcount
from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib.games.big_three.combos import (
    BIT_OF,
    K_OF,
    LANES,
    N_RANKS,
    U,
    count_of,
    hand_word,
    minus,
    rank_of,
    span,
)
from simlib.games.big_three.play import must_bid
from simlib.games.big_three.view import H_COMBINATION, H_SEAT
from simlib.rng import below, shuffle_head, uniform

WIDOW = 3
_0, _1, _4, _16, _26, _ALL = U(0), U(1), U(4), U(16), U(26), U(0xFFFFFFFFFFFFFFFF)
_TRIES = 50_000  # of the rejection; more than that means a view that no deal agrees with
_INVERSE = np.array([1.0, 1.0, 1 / 2, 1 / 6, 1 / 24])  # 1 / n!


@kernel
def played_by(view, seat):
    """Return the hand word of all cards a seat has played (of a view or a table with rules)."""
    word = _0
    for i in range(view.history_n):
        entry = int(view.history[i])
        if (entry >> H_SEAT) & 3 == seat:
            number = U(entry & H_COMBINATION)
            ranks = span(U(BIT_OF[number]), view.rules)
            up = _16 * (U(K_OF[number]) + _1)  # k + 1 lanes up; the lanes below are filled
            shifted = (word << up) if up < U(64) else _0
            fill = LANES & ~(_ALL << up) if up < U(64) else LANES
            first = ranks & U(0x1FFF)
            word = (word & ~ranks) | (shifted & ranks) | (first * fill)
    return word


@kernel
def lower_hearts(card, western):
    """Return the set of the hearts that come before a heart in the order of the auction (2.1)."""
    rank = card - 26
    four = _1 << U(29)
    if rank == 3:
        return _0
    below_it = ((_1 << U(card)) - _1) & ~((_1 << _26) - _1)
    if western != 0:
        return below_it | four
    if rank < 3:  # A, 2, 3 come last
        return below_it | (U(0x1FF8) << _26)
    return below_it & (U(0x1FF8) << _26)


@kernel
def _set_known(view, known, me):
    """Fill in the cards whose slot the viewer knows; return the hearts known to be in the widow."""
    mine = view.dealt
    declarer = int(view.declarer)
    lower = _0
    if view.heart >= 0:
        lower = lower_hearts(int(view.heart), view.rules.western) & view.rules.deck
        known[view.first] |= _1 << U(view.heart)
    if view.widow_taken == 0:
        known[WIDOW] |= lower
    else:
        known[declarer] |= lower | view.widow
    if view.named_played != 0:
        known[view.partner] |= _1 << U(view.called)
    known[me] |= mine
    return lower


@kernel
def _spread(view, known, played, need, least, rest):
    """Fill in how many unknown cards each slot gets, the fewest of each rank, and what is left of each rank.

    Returns whether any play puts a bound on a slot.
    """
    western = view.rules.western
    unknown = view.rules.deck
    for slot in range(4):
        unknown &= ~known[slot]
    word = hand_word(unknown, western)
    bound = False
    for r in range(N_RANKS):
        rest[r] = count_of(word, r)
    for slot in range(4):
        total = int(view.hand_n[slot]) + popcount(played[slot])
        if view.players == 3 and slot == WIDOW:
            total = 0 if view.widow_taken != 0 else int(view.rules.widow_size)
        need[slot] = total - popcount(known[slot])
        has = hand_word(known[slot], western)
        for r in range(N_RANKS):
            n = max(0, count_of(played[slot], r) - count_of(has, r))
            if slot == view.seat:
                n = 0
            least[slot, r] = n
            rest[r] -= n
            bound |= n > 0
    return unknown, bound


@kernel
def _ways(least, rest, a, b, c, n_a, n_b):
    """Return the weights F[r, i, j] of spreading ranks r … 12 with i more cards to slot a and j to slot b.

    A rank with n_s cards for each slot s weighs 1 / ∏ n_s!, which is proportional to the ways to choose their suits.
    """
    table = np.zeros((N_RANKS + 1, n_a + 1, n_b + 1))
    table[N_RANKS, 0, 0] = 1.0
    for r in range(N_RANKS - 1, -1, -1):
        n = rest[r]
        for x in range(min(n, n_a) + 1):
            for y in range(min(n - x, n_b) + 1):
                weight = _INVERSE[least[a, r] + x] * _INVERSE[least[b, r] + y] * _INVERSE[least[c, r] + n - x - y]
                for i in range(x, n_a + 1):
                    for j in range(y, n_b + 1):
                        table[r, i, j] += weight * table[r + 1, i - x, j - y]
    return table


@kernel
def _draw_counts(table, least, rest, a, b, c, n_a, n_b, count, rng):
    """Draw how many cards of each rank each slot gets, with the weights of `_ways`."""
    i, j = n_a, n_b
    for r in range(N_RANKS):
        n = rest[r]
        left = uniform(rng) * table[r, i, j] if n > 0 else 0.0
        got_x, got_y = -1, -1
        for x in range(min(n, i) + 1):
            for y in range(min(n - x, j) + 1):
                weight = _INVERSE[least[a, r] + x] * _INVERSE[least[b, r] + y] * _INVERSE[least[c, r] + n - x - y]
                weight *= table[r + 1, i - x, j - y]
                if weight > 0.0 and (left >= 0.0 or got_x < 0):
                    got_x, got_y = x, y  # rounding may leave a tiny rest: then the last possible one is taken
                left -= weight
                if left < 0.0 and got_x >= 0:
                    break
            if left < 0.0 and got_x >= 0:
                break
        count[a, r] = least[a, r] + got_x
        count[b, r] = least[b, r] + got_y
        count[c, r] = least[c, r] + n - got_x - got_y
        i -= got_x
        j -= got_y


@kernel
def _deal_counts(state, unknown, count, me, rng):
    """Add to each slot of `dealt` its cards of each rank, suits at random (three players: slot 3 is the widow)."""
    deck = state.deck
    western = state.table.rules.western
    for r in range(N_RANKS):
        rank = r if western != 0 else (r + 3 if r < 10 else r - 10)
        n = 0
        for suit in range(4):
            if (unknown >> U(13 * suit + rank)) & _1 != _0:
                deck[n] = 13 * suit + rank
                n += 1
        for slot in range(4):
            if slot != me:
                for _ in range(count[slot, r]):
                    at = below(rng, n)
                    state.dealt[slot] |= _1 << U(deck[at])
                    n -= 1
                    deck[at] = deck[n]


@kernel
def _deal_free(state, unknown, need, me, rng):
    """Without bounds from plays the unknown cards are simply shuffled."""
    n = 0
    while unknown != _0:
        state.deck[n] = ctz(unknown)
        unknown &= unknown - _1
        n += 1
    shuffle_head(state.deck, n, n, rng)
    at = 0
    for slot in range(4):
        if slot != me:
            for _ in range(need[slot]):
                state.dealt[slot] |= _1 << U(state.deck[at])
                at += 1


@kernel
def _split_widow(state, view, lower, rng):
    """Part the widow from the declarer's own cards: `lower` and any of the others but the opening heart."""
    declarer = int(view.declarer)
    widow = lower
    choice = state.dealt[declarer] & ~lower
    if view.heart >= 0:
        choice &= ~(_1 << U(view.heart))
    n = 0
    while choice != _0:
        state.deck[n] = ctz(choice)
        choice &= choice - _1
        n += 1
    for _ in range(int(view.rules.widow_size) - popcount(lower)):
        at = below(rng, n)
        widow |= _1 << U(state.deck[at])
        n -= 1
        state.deck[at] = state.deck[n]
    state.widow = widow
    state.dealt[declarer] &= ~widow


@kernel
def _agrees(state, view, played):
    """Whether the named card and the bids made fit the deal; sets the holder of the named card."""
    me = int(view.seat)
    western = view.rules.western
    if view.called >= 0:
        for seat in range(view.players):
            if (state.dealt[seat] >> U(view.called)) & _1 != _0:
                state.holder = seat
        holder = int(state.holder)
        if holder == view.declarer:
            return False
        if view.named_played == 0 and holder != me:
            rank = rank_of(int(view.called), western)
            if count_of(hand_word(state.dealt[holder], western), rank) <= count_of(played[holder], rank):
                return False
    if view.rules.forced_bid != 0 and view.auctioned != 0:
        for i in range(min(int(view.bids_n), int(view.players))):
            seat = (int(view.first) + i) % int(view.players)
            wanted = 1 if view.forced != 0 and seat == view.high_seat else 0
            if seat != me and must_bid(hand_word(state.dealt[seat], western), view.rules) != wanted:
                return False
    return True


@kernel
def _finish(state, view, played):
    """Fill in the hands as they are now and what a state has besides."""
    western = view.rules.western
    for seat in range(4):
        cards = state.dealt[seat]
        if view.widow_taken != 0 and seat == view.declarer:
            cards |= state.widow
        state.hand[seat] = minus(hand_word(cards, western), played[seat])
    state.first_out = -1
    state.features = 0
    if view.named_played == 0:
        state.table.partner = -1


@kernel
def redeal(view, rng, state):
    """Fill `state` with a deal that agrees with a view, uniformly; return the seat to act."""
    copy_record(state.table, view)
    me = int(view.seat)
    known, played = np.zeros(4, np.uint64), np.zeros(4, np.uint64)
    need, rest = np.zeros(4, np.int64), np.zeros(N_RANKS, np.int64)
    least, count = np.zeros((4, N_RANKS), np.int64), np.zeros((4, N_RANKS), np.int64)
    for seat in range(view.players):
        played[seat] = played_by(view, seat)
    lower = _set_known(view, known, me)
    unknown, bound = _spread(view, known, played, need, least, rest)
    a, b, c = (me + 1) & 3, (me + 2) & 3, (me + 3) & 3
    if view.players == 3:
        a, b, c = (me + 1) % 3, WIDOW, (me + 2) % 3
    n_a, n_b = need[a], need[b]
    for r in range(N_RANKS):
        n_a -= least[a, r]
        n_b -= least[b, r]
    ways = _ways(least, rest, a, b, c, n_a, n_b) if bound else np.zeros((1, 1, 1))
    for _ in range(_TRIES):
        state.holder = -1
        for slot in range(4):
            state.dealt[slot] = known[slot]
        if bound:
            _draw_counts(ways, least, rest, a, b, c, n_a, n_b, count, rng)
            _deal_counts(state, unknown, count, me, rng)
        else:
            _deal_free(state, unknown, need, me, rng)
        _part_widow(state, view, lower, me, rng)
        if _agrees(state, view, played):
            break
    _finish(state, view, played)
    return np.int64(view.turn)


@kernel
def _part_widow(state, view, lower, me, rng):
    """Move the widow's cards to where a state keeps them."""
    if view.players == 4:
        state.widow = _0
        return
    if view.widow_taken == 0:
        state.widow = state.dealt[WIDOW]
    elif view.widow != _0:
        state.widow = view.widow
        state.dealt[view.declarer] &= ~view.widow
    else:
        _split_widow(state, view, lower, rng)
    state.dealt[WIDOW] = _0
