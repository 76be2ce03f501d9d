"""The rules of Big Three as kernels: deal, auction, call, play. Section numbers are those of RULES.md."""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz, popcount
from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib.game import OVER
from simlib.games.big_three.combos import (
    ABOVE,
    BID,
    BIT_OF,
    CALL,
    K_OF,
    LENGTH,
    N_ALL,
    NAMED,
    PASS,
    U,
    count_of,
    hand_word,
    moves,
    rank_of,
    span,
    take,
)
from simlib.games.big_three.view import AUCTION, CALLING, ENDED, H_NAMED, MAX_PLAYERS, PLAY
from simlib.games.big_three.words import get_word, set_word
from simlib.rng import shuffle_head

_0, _1, _16, _24, _26, _32, _40, _48, _56 = U(0), U(1), U(16), U(24), U(26), U(32), U(40), U(48), U(56)
_FF, _M13, _ALL = U(0xFF), U(0x1FFF), U(0xFFFFFFFFFFFFFFFF)
#: A pass leaves these bytes of the table's word 1: last_k, last_bit, last_seat, players, phase.
_PASS_KEEPS = U(0x00FF00FFFF00FFFF)


@kernel
def deal(state, rules, scenario, rng):
    """Shuffle and deal (1), find the first bidder (2), or set what the scenario asks for."""
    table = state.table
    if state.table.rules.digest != rules.digest:
        copy_record(state.table.rules, rules)
    state.features = scenario.features
    players = int(rules.players)
    _deal_cards(state, rules, scenario, rng)
    clear_table(table)
    table.players = players
    table.unplayed = rules.deck_word
    for seat in range(players):
        state.hand[seat] = hand_word(state.dealt[seat], rules.western)
        table.hand_n[seat] = rules.hand_size
    first_bidder(state)
    if scenario.first > 0:
        table.first = scenario.first - 1
        table.leader = table.first
        table.heart = -1
    if scenario.leader > 0:
        table.leader = scenario.leader - 1
    table.turn = table.first
    if scenario.declarer > 0:
        table.auctioned = 0
        table.high_bid = max(1, int(scenario.bid))
        table.high_seat = scenario.declarer - 1
        _declare(state, scenario.no_widow)
        if scenario.call > 0 and is_legal(state, CALL + scenario.call - 1) != 0:
            call(state, scenario.call - 1)
    return np.int64(table.turn)


@kernel
def _deal_cards(state, rules, scenario, rng):
    """Fill the dealt hands and the widow: first what the scenario fixes, the rest shuffled."""
    size = int(rules.hand_size)
    free = rules.deck & ~scenario.widow
    for seat in range(MAX_PLAYERS):
        state.dealt[seat] = scenario.hands[seat]
        free &= ~scenario.hands[seat]
    n = 0
    if free == U(0xFFFFFFFFFFFFF):
        for i in range(52):
            state.deck[i] = i
        n = 52
    else:
        word = free
        while word != _0:
            state.deck[n] = ctz(word)
            word &= word - _1
            n += 1
    players = int(rules.players)
    in_widow = int(rules.widow_size) - popcount(scenario.widow)
    last = size - popcount(state.dealt[players - 1])
    shuffle_head(state.deck, n, n - last, rng)
    widow = scenario.widow
    for i in range(in_widow):
        widow |= _1 << U(state.deck[i])
    state.widow = widow
    free &= ~widow
    at = in_widow
    for seat in range(players - 1):
        cards = state.dealt[seat]
        want = size - popcount(cards)
        for i in range(at, at + want):
            cards |= _1 << U(state.deck[i])
        at += want
        state.dealt[seat] = cards
        free &= ~cards
    state.dealt[players - 1] |= free


@kernel
def clear_table(table):
    """Bring every public field to its value before the first bid."""
    table.last_k = 0
    table.last_bit = 0
    table.leading = 0
    table.last_seat = -1
    table.phase = AUCTION
    table.passes = 0
    for seat in range(MAX_PLAYERS):
        table.hand_n[seat] = 0
        table.plays[seat] = 0
        table.passed[seat] = 0
    table.tricks = 0
    table.bombs = 0
    table.high_bid = 0
    table.high_seat = -1
    table.declarer = -1
    table.forced = 0
    table.auctioned = 1
    table.widow_taken = 0
    table.called = -1
    table.named_played = 0
    table.partner = -1
    table.bids_n = 0
    for i in range(8):
        table.bids[i] = 0
    table.history_n = 0
    for i in range(52):
        table.history[i] = 0


@kernel
def first_bidder(state):
    """Find the lowest heart dealt to a seat and its holder (2.1), and reset what depends on the deal alone."""
    table = state.table
    hearts = ((state.table.rules.deck & ~state.widow) >> _26) & _M13
    # Hearts by rank A … K are bits 0 … 12. Both orders begin with the four; the western one goes on with the ace.
    if state.table.rules.western == 0 and (hearts >> U(3)) != _0:
        rank = ctz(hearts & U(0x1FF8))
    elif (hearts >> U(3)) & _1 != _0:
        rank = 3
    else:
        rank = ctz(hearts)
    card = 26 + rank
    table.heart = card
    seat = 0
    for k in range(1, MAX_PLAYERS):  # no search that stops: where it stops is as good as chance to the processor
        seat += k * np.int64((state.dealt[k] >> U(card)) & _1)
    table.first = seat
    table.leader = seat
    state.holder = -1
    state.first_out = -1


@kernel
def must_bid(hand, rules):
    """Return 1 when a hand word is forced to bid 3 (7.2): three 3s, or two 3s and two 2s, at least."""
    threes = count_of(hand, rules.three)
    return 1 if threes >= 3 or (threes == 2 and count_of(hand, rules.two) >= 2) else 0


@kernel
def lowest_bid(rules, hand, high_bid):
    """Return the lowest legal bid from 1 to 3 of a seat to bid (a forced hand: 3); those above it are legal too."""
    if rules.forced_bid != 0 and must_bid(hand, rules) != 0:
        return 3
    return int(high_bid) + 1


@kernel
def may_decline(rules, hand, high_bid):
    """Return 1 when a seat to bid may pass: not the first bidder on the first turn (2.1), not a forced hand (7.2)."""
    if high_bid == 0 or (rules.forced_bid != 0 and must_bid(hand, rules) != 0):
        return 0
    return 1


@kernel(inline=True)
def may_call(card, held):
    """Return 1 when a card number 0 … 51 may be named (7.1): rank 4 to 10, not among the cards held."""
    return 1 if 3 <= card % 13 <= 9 and (held >> U(card)) & _1 == _0 else 0


@kernel
def named_choice(hand, k, bit, called, rules):
    """Return 1 when the holder of the named card may play a combination both with and without it (7.1)."""
    rank = U(rank_of(int(called), rules.western))
    if (span(bit, rules) >> rank) & _1 == _0:
        return 0
    return 1 if count_of(hand, rank) > np.int64(k) + 1 else 0


@kernel(inline=True)
def _may_play(state, combination):
    """Return 1 when the seat to act holds a combination (a number below 232) and may lay it now (4.1, 4.2)."""
    table = state.table
    if combination < 0:
        return 0
    k = U(K_OF[U(combination)])
    bit = U(BIT_OF[U(combination)])
    word = get_word(table, 1)
    lead = _0 - ((word >> _16) & _1)
    can = moves(state.hand[(word >> _40) & _FF], k, state.table.rules) & (ABOVE[(word >> U(8)) & U(63)] | lead)
    same = _1 if k == word & _FF else _0
    return np.int64((can >> bit) & (same | lead) & _1)


@kernel(inline=True)
def is_legal(state, action):
    """Return 1 when the seat to act may do this, for any 64-bit integer."""
    table = state.table
    if table.phase == PLAY:
        if action == PASS:
            return 1 - np.int64(table.leading)
        if action < PASS:
            return _may_play(state, action)
    return _is_legal_other(state, action)


@kernel
def _is_legal_other(state, action):
    """Everything but passes in a trick and plain combinations: bids, calls, combinations with the named card."""
    table = state.table
    turn = U(table.turn)
    if table.phase == PLAY:
        if action < NAMED or action >= NAMED + N_ALL or table.turn != state.holder or table.named_played != 0:
            return 0
        plain = U(action - NAMED)
        if _may_play(state, action - NAMED) == 0:
            return 0
        return named_choice(state.hand[turn], U(K_OF[plain]), U(BIT_OF[plain]), table.called, state.table.rules)
    if table.phase == AUCTION:
        if action == BID:
            return may_decline(state.table.rules, state.hand[turn], table.high_bid)
        return 1 if BID + lowest_bid(state.table.rules, state.hand[turn], table.high_bid) <= action <= BID + 3 else 0
    if table.phase == CALLING and CALL <= action < CALL + 52:
        return may_call(action - CALL, state.dealt[turn])
    return 0


@kernel(inline=True)
def step(state, action):
    """Carry out a legal action; return the next seat or OVER."""
    if action == PASS:
        return _pass(state)
    if action < PASS or action >= NAMED:
        return _play(state, action)
    if action < CALL:
        return bid(state, action - BID)
    return call(state, action - CALL)


@kernel(inline=True)
def _pass(state):
    """Pass; players − 1 passes in a row end the trick, the last to play leads the next (4.4)."""
    table = state.table
    word = get_word(table, 1)
    turn = (word >> _40) & _FF
    players = (word >> _32) & _FF
    after = turn + _1
    after = _0 if after == players else after
    passes = (word >> _56) + _1
    end = passes + _1 == players
    turn_next = (word >> _24) & _FF if end else after
    over = _1 if end else _0
    passes = _0 if end else passes
    set_word(table, 1, (word & _PASS_KEEPS) | over << _16 | turn_next << _40 | passes << _56)
    set_word(table, 3, get_word(table, 3) + (_1 << (turn << U(3))) + (over << _32))
    return np.int64(turn_next)


@kernel(inline=True)
def _play(state, action):
    """Lay a combination; the deal ends when the hand is empty (4.5)."""
    table = state.table
    plain = U(action - NAMED if action >= NAMED else action)
    k = U(K_OF[plain])
    bit = U(BIT_OF[plain])
    ranks = span(bit, state.table.rules)
    word = get_word(table, 1)
    seat = (word >> _40) & _FF
    counts = get_word(table, 3)
    entry = plain | seat << U(8) | (word >> _56) << U(10) | ((word >> _16) & _1) << U(12)
    holds_named = np.int64(seat) == state.holder and table.named_played == 0
    if holds_named and (action >= NAMED or _needs_named(state, ranks, k)):
        entry |= U(H_NAMED)
        counts |= _1 << _56
        table.partner = np.int64(seat)
    hand = take(state.hand[seat], ranks, k)
    state.hand[seat] = hand
    set_word(table, 0, take(get_word(table, 0), ranks, k))
    table.history[(counts >> _48) & _FF] = entry
    set_word(table, 3, counts + (_1 << _48) + ((_1 << _40) if k == U(3) else _0))
    place = seat << U(3)
    set_word(table, 2, get_word(table, 2) - ((U(LENGTH[bit]) * (k + _1)) << place) + (_1 << (place + _32)))
    players = (word >> _32) & _FF
    after = seat + _1
    after = _0 if after == players else after
    set_word(table, 1, k | bit << U(8) | seat << _24 | players << _32 | after << _40 | U(PLAY) << _48)
    if hand == _0:
        table.phase = ENDED
        table.turn = np.int64(seat)
        state.first_out = np.int64(seat)
        return OVER
    return np.int64(after)


@kernel
def _needs_named(state, ranks, k):
    """Whether a combination of the named card's holder needs all cards of its rank, so that the card falls (7.1)."""
    rank = U(rank_of(int(state.table.called), state.table.rules.western))
    return (ranks >> rank) & _1 != _0 and count_of(state.hand[U(state.table.turn)], rank) == np.int64(k) + 1


@kernel
def bid(state, value):
    """Bid or pass (value 0); players − 1 passes in a row or a 3 end the auction (2.3)."""
    table = state.table
    turn = int(table.turn)
    table.bids[table.bids_n] = value
    table.bids_n += 1
    if value == 0:
        table.passes += 1
    else:
        table.passes = 0
        table.high_bid = value
        table.high_seat = turn
        forced = table.rules.forced_bid != 0 and must_bid(state.hand[turn], table.rules) != 0
        table.forced = 1 if forced else 0
    if value == 3 or table.passes == table.players - 1:
        _declare(state, 0)
    else:
        table.turn = 0 if turn + 1 == table.players else turn + 1
    return np.int64(table.turn)


@kernel
def _declare(state, no_widow):
    """The highest bidder becomes the declarer and takes the widow (2.4); then the call, or the first lead."""
    table = state.table
    declarer = int(table.high_seat)
    table.declarer = declarer
    if state.table.rules.widow_size > 0 and no_widow == 0:
        table.widow_taken = 1
        table.hand_n[declarer] += state.table.rules.widow_size
        state.hand[declarer] = hand_word(state.dealt[declarer] | state.widow, state.table.rules.western)
    table.passes = 0
    if table.players == 4:
        table.phase = CALLING
        table.turn = declarer
    else:
        _first_lead(table)


@kernel
def call(state, card):
    """Name a card; its holder is the secret partner (7.1)."""
    table = state.table
    table.called = card
    for seat in range(table.players):
        if (state.dealt[seat] >> U(card)) & _1 != _0:
            state.holder = seat
    _first_lead(table)
    return np.int64(table.turn)


@kernel(inline=True)
def _first_lead(table):
    """Who bid first leads, whoever declares (4.1)."""
    table.phase = PLAY
    table.leading = 1
    table.turn = table.leader
