"""The penalty left by every discard of n + 1 cards at once.

Under the default meld rules one search over the n + 1 cards serves all natural discards: at the end of each choice of
sets every card that is left over is a discard, and what is melded without it is kept if it is the most so far. The wild
cards are alike: the hand without one of them is one hand. Other meld rules look at one discard after the other: what
makes the general search fast is to give up what costs more than the best, and without some cards a hand costs so much
more than without others that one search for all could give up next to nothing.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, ctz, popcount
from simlib._jit import kernel
from simlib._words import address_of_words, peek64, poke64
from simlib.games.three_thirteen.hand import ACES_52, U, card_value, count_in, has_card
from simlib.games.three_thirteen.lanes import join16, top16, widen
from simlib.games.three_thirteen.melds import (
    ANY,
    _in_runs,
    _lanes,
    _sum,
    _twice_or_more,
    _word,
    cards_of,
    fits_tables,
    most_melded,
    next_ranks,
    ranks_word,
    runs_of_all,
    suit_word,
)
from simlib.games.three_thirteen.recursion import call_hand, call_sets

_ZERO, _ONE = U(0), U(1)
_LANES = U(0x0001000100010001)
_SUIT = U(0x1FFF)
_16 = U(0xFFFF)


@kernel(inline=True)
def penalty_without(h0, h1, h2, h3, jokers, wild, rules, card, limit):
    """Return the smallest penalty of a hand without one of its cards (0 … 52), or, from `limit` on, some number
    not below it.
    """
    return call_hand(rules.search_penalty, h0, h1, h2, h3, jokers, wild, rules, card, limit)


@kernel(inline=True)
def _raise_to(address, at, melded):
    """Keep the larger of what is melded without the card at place `at` of the lanes, card by card at an address."""
    card = 13 * (at >> 4) + (at & 15)
    if melded > np.int64(peek64(address, card)):
        poke64(address, card, U(melded))


@kernel(inline=True)
def _least(address, lanes0):
    """Return the least that is melded so far without a card of these."""
    least = ANY
    while lanes0 != _ZERO:
        at = ctz(lanes0)
        lanes0 &= lanes0 - _ONE
        least = min(least, np.int64(peek64(address, 13 * (at >> 4) + (at & 15))))
    return least


@kernel(inline=True)
def _without(lanes0, lanes1, bit):
    """Return the lanes without one copy of a card."""
    return lanes0 & ~(bit & ~lanes1), lanes1 & ~bit


@kernel
def _leaf(tables, lanes0, lanes1, w, value, address, dropped):
    """Keep what is melded with the sets chosen, for each card left over (or the one that is discarded already)."""
    a, b = widen(_word(tables, lanes0, lanes1, 0)), widen(_word(tables, lanes0, lanes1, 1))
    c, d = widen(_word(tables, lanes0, lanes1, 2)), widen(_word(tables, lanes0, lanes1, 3))
    p, q = join16(a, b, w), join16(c, d, w)
    most = value + top16(p, q, w)
    if dropped >= 0:
        _raise_to(address, dropped, most)
        return
    # With two wild cards each card may be a run alone.
    runs = _in_runs(lanes0, w) if w < 2 else lanes0
    left = lanes0
    while left != _ZERO:
        at = ctz(left)
        bit = left & (~left + _ONE)
        left ^= bit
        melded = most
        if runs & bit != _ZERO and most > np.int64(peek64(address, 13 * (at >> 4) + (at & 15))):
            suit = at >> 4
            o0, o1 = _without(lanes0, lanes1, bit)
            m1 = np.int64((o0 >> U(16 * suit)) & _SUIT)
            word = widen(suit_word(tables, m1, np.int64((o1 >> U(16 * suit)) & _SUIT)))
            if suit < 2:
                melded = value + top16(join16(b if suit == 0 else a, word, w), q, w)
            else:
                melded = value + top16(p, join16(d if suit == 2 else c, word, w), w)
        _raise_to(address, at, melded)


@kernel
def search_each(rules, lanes0, lanes1, w, ranks, runs, value, address, dropped):
    """The search of `melds.search_sets` that keeps, for each card, the most that is melded without it.

    A card that no run can use is in the set of its rank whenever there is one; so it is a discard of its own before
    the sets of its rank are tried. `dropped` is the place of such a card, −1: none.
    """
    table = U(address)
    while ranks & _16 != _ZERO:
        least = _least(table, lanes0) if dropped < 0 else np.int64(peek64(table, 13 * (dropped >> 4) + (dropped & 15)))
        if value + most_melded(lanes0, lanes1, w, ranks, runs) <= least:
            return 0
        rank = U(63 - clz(ranks & _16))
        second, free, forced = cards_of(lanes0, lanes1, w, rank)
        if dropped < 0 and popcount(free | forced) > 2:
            _drop_forced(rules, lanes0, lanes1, w, ranks, runs, value, address, (forced & _LANES) << rank)
        points = min(np.int64(rank) + 1, 10)
        fewest = 2 if w > 0 else 3
        part = free
        while True:
            chosen = part | forced
            n = popcount(chosen)
            one = chosen & _LANES
            two = (chosen >> _ONE) & _LANES
            if n >= fewest and one & second & ~two == _ZERO:
                left = w - (1 if n == 2 else 0)
                call_sets(
                    rules.search_each, rules, lanes0 & ~(one << rank), lanes1 & ~(two << rank), left,
                    next_ranks(ranks, rank, left), runs, value + n * points, address, dropped,
                )  # fmt: skip
            if part == _ZERO:
                break
            part = (part - _ONE) & free
        if free == _ZERO and popcount(forced) >= 3:
            return 0
        # Go on without a set of this rank.
        ranks = next_ranks(ranks, rank, w)
    _leaf(U(rules.tables), lanes0, lanes1, w, value, table, dropped)
    return 0


@kernel(inline=True)
def _drop_forced(rules, lanes0, lanes1, w, ranks, runs, value, address, cards):
    """Search on without each of some cards."""
    while cards != _ZERO:
        bit = cards & (~cards + _ONE)
        cards ^= bit
        o0, o1 = _without(lanes0, lanes1, bit)
        two, three = _twice_or_more(o0, o1)
        call_sets(
            rules.search_each, rules, o0, o1, w, ranks & ranks_word(two, three, w), runs, value, address, ctz(bit)
        )


@kernel
def discard_penalties(h0, h1, h2, h3, jokers, wild, rules, out):
    """Write into ``out[0 … 52]`` the smallest penalty left by each possible discard; −1 for cards not in the hand.

    `out` is an array of int64.
    """
    wilds = ACES_52 << U(wild)
    natural = ~wilds
    lanes0 = _lanes(h0 & natural)
    lanes1 = _lanes(h1 & natural)
    ranked = count_in(h0, h1, h2, h3, wilds)
    w = ranked + np.int64(jokers)
    at_once = rules.fast != 0 and w < 4 and fits_tables(lanes1, h2 & natural)
    total = _sum(lanes0) + _sum(lanes1) if at_once else 0
    for card in range(53):
        out[card] = 0
    if at_once and lanes0 != _ZERO:
        two, three = _twice_or_more(lanes0, lanes1)
        runs = runs_of_all(U(rules.tables), lanes0, lanes1, w)
        address = np.int64(address_of_words(out))
        ranks = ranks_word(two, three, w)
        call_sets(rules.search_each, rules, lanes0, lanes1, w, ranks, runs, 0, address, -1)
    if w < 3:
        unmelded = ranked * np.int64(rules.wild_penalty) + np.int64(jokers) * np.int64(rules.joker_penalty)
    else:
        unmelded = 0
    wild_done = -1
    for card in range(53):
        left = -1
        if has_card(h0, jokers, card):
            if card < 52 and card % 13 == wild:
                if wild_done < 0:
                    wild_done = penalty_without(h0, h1, h2, h3, jokers, wild, rules, card, ANY)
                left = wild_done
            elif card == 52 or not at_once:
                left = penalty_without(h0, h1, h2, h3, jokers, wild, rules, card, ANY)
            else:
                left = total - card_value(card, wild, rules) - out[card]
                if out[card] == 0:
                    left += unmelded
        out[card] = left
