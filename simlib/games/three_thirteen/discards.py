"""The best discard of n + 1 cards by one search, for the default meld rules.

The search is that of `melds.py` with one card free of charge. Which discard counts as best is that of the
policy `greedy`: the one that leaves the smallest penalty, then the highest value (a wild card at its penalty),
then the lowest number.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, ctz, popcount
from simlib._jit import kernel
from simlib._words import peek64
from simlib.games.three_thirteen.hand import ACES_52, U, card_value, count_in
from simlib.games.three_thirteen.lanes import join16, max16, top16, widen
from simlib.games.three_thirteen.melds import (
    _byte,
    _in_runs,
    _lanes,
    _sum,
    _twice_or_more,
    _word,
    cards_of,
    fits_tables,
    most_melded,
    most_runs,
    next_ranks,
    ranks_word,
    runs_of_all,
    suit_word,
)
from simlib.games.three_thirteen.recursion import call_hand, call_sets
from simlib.games.three_thirteen.tables import DROPS_AT

_ZERO, _ONE = U(0), U(1)
_LANES = U(0x0001000100010001)
_SUIT = U(0x1FFF)
_16 = U(0xFFFF)
_TENS = U(sum(0b1111 << 9 << 13 * suit for suit in range(4)))
#: Answer of the search when every natural card can be melded.
FULL = 1 << 40
#: See `lone_discard`.
SURE = 1 << 12


@kernel
def _drops_of_doubled(tables, m1, m2):
    """Return the 16-bit entries (0 … 3 wild cards) of a suit with doubled cards when one of them is discarded.

    Each card is taken out in turn.
    """
    out = _ZERO
    left = m1
    while left != _ZERO:
        bit = left & (~left + _ONE)
        left ^= bit
        rank = ctz(bit)
        word = suit_word(tables, np.int64(m1 & ~(bit & ~m2)), np.int64(m2 & ~bit))
        points = min(rank + 1, 10)
        code = 21 - rank if rank >= 9 else rank
        out = max16(out, (widen(word) + U(points) * _LANES) * U(16) + U(code) * _LANES)
    return out


@kernel(inline=True)
def _key(entry, suit):
    """Turn value * 16 + code of a suit's discard into a number that orders all discards."""
    code = entry & 15
    points = 10 if code >= 9 else code + 1
    return ((entry >> 4) << 12) | (points << 8) | ((3 - suit) << 4) | code


@kernel(inline=True)
def _best_split(others, drops, w):
    """Best of a suit that discards and the other three, with w wild cards between them: value * 16 + code."""
    if w == 0:
        return np.int64((others & _16) * U(16) + (drops & _16))
    best = _ZERO
    for i in range(w + 1):
        left = (others >> U(16 * (w - i))) & _16
        best = max(best, left * U(16) + ((drops >> U(16 * i)) & _16))
    return np.int64(best)


@kernel(inline=True)
def _dearest(lanes0):
    """Return the value of the dearest natural card, 0 when there is none."""
    ranks = lanes0 | (lanes0 >> U(32))
    ranks = (ranks | (ranks >> U(16))) & _SUIT
    return min(64 - clz(ranks), 10)


@kernel(inline=True)
def _drop_key(tables, lanes0, lanes1, suit, others, w, most, found):
    """Return the key of the best discard from a suit, at least `found`; without a discard runs are worth `most`."""
    m1 = (lanes0 >> U(16 * suit)) & _SUIT
    if m1 == _ZERO:
        return found
    points = min(64 - clz(m1), 10)
    if ((most + points) << 12) + (points << 8) + ((3 - suit) << 4) + 15 <= found:
        return found
    m2 = (lanes1 >> U(16 * suit)) & _SUIT
    if m2 == _ZERO:
        drops = peek64(tables, DROPS_AT + 2 * np.int64(m1))
    else:
        drops = _drops_of_doubled(tables, m1, m2)
    return max(found, _key(_best_split(others, drops, w), suit))


@kernel
def _leaf(tables, lanes0, lanes1, w, value, best, total):
    """Return the best key with the sets chosen, at least `best`, or FULL. See `search_drop`."""
    kept = _dearest(lanes0)
    lone = max(-total, 0) >> 12
    dearest = max(kept, lone)
    a = _word(tables, lanes0, lanes1, 0)
    b = _word(tables, lanes0, lanes1, 1)
    c = _word(tables, lanes0, lanes1, 2)
    d = _word(tables, lanes0, lanes1, 3)
    if w < 2:
        a0, b0, c0, d0 = _byte(a, 0), _byte(b, 0), _byte(c, 0), _byte(d, 0)
        base = a0 + b0 + c0 + d0
        oa, ob, oc, od = U(base - a0), U(base - b0), U(base - c0), U(base - d0)
        runs = base
        if w == 1:
            # What the wild card gains in each suit; it goes to the best of those that do not discard, or to the
            # one that does.
            ga, gb, gc, gd = _byte(a, 1) - a0, _byte(b, 1) - b0, _byte(c, 1) - c0, _byte(d, 1) - d0
            ab = max(ga, gb)
            cd = max(gc, gd)
            runs = base + max(ab, cd)
            oa |= (oa + U(max(gb, cd))) << U(16)
            ob |= (ob + U(max(ga, cd))) << U(16)
            oc |= (oc + U(max(gd, ab))) << U(16)
            od |= (od + U(max(gc, ab))) << U(16)
        if value + runs == total:
            return FULL
        if ((value + runs + dearest) << 12) + 4095 <= best:
            return best
    else:
        a, b, c, d = widen(a), widen(b), widen(c), widen(d)
        p = join16(a, b, w)
        q = join16(c, d, w)
        runs = top16(p, q, w)
        if value + runs == total:
            return FULL
        # The discard is worth 10 at most, and without it no more can be melded.
        if ((value + runs + dearest) << 12) + 4095 <= best:
            return best
        oa, ob, oc, od = join16(b, q, w), join16(a, q, w), join16(d, p, w), join16(c, p, w)
    found = max(best - (value << 12), 0)
    if total < 0:
        found = max(found, (runs << 12) - total)
        if kept < lone:
            return max(best, found + (value << 12))
    found = _drop_key(tables, lanes0, lanes1, 0, oa, w, runs, found)
    found = _drop_key(tables, lanes0, lanes1, 1, ob, w, runs, found)
    found = _drop_key(tables, lanes0, lanes1, 2, oc, w, runs, found)
    found = _drop_key(tables, lanes0, lanes1, 3, od, w, runs, found)
    return max(best, found + (value << 12)) if found > 0 else best


@kernel
def search_drop(rules, lanes0, lanes1, w, ranks, runs, value, best, total):
    """The search of `melds.search_sets` with one card discarded; returns the best key, or FULL.

    The bound `runs` includes the value of the dearest card, which may be the discard. A negative `total` is minus the
    key of the best discard of the cards that can be in no meld, which are not among these.

    A card that no run can use need not be left out of its set to be discarded: if another natural card is left
    over, that one is the better discard; if none is, the answer is FULL.
    """
    while ranks & _16 != _ZERO:
        if ((value + most_melded(lanes0, lanes1, w, ranks, runs)) << 12) + 4095 <= best:
            return best
        rank = U(63 - clz(ranks & _16))
        points = min(np.int64(rank) + 1, 10)
        second, free, forced = cards_of(lanes0, lanes1, w, rank)
        fewest = 2 if w > 0 else 3
        only = popcount(free | forced) == fewest
        part = free
        while True:
            chosen = part | forced
            n = popcount(chosen)
            one = chosen & _LANES
            two = (chosen >> _ONE) & _LANES
            if n >= fewest and one & second & ~two == _ZERO:
                left = w - (1 if n == 2 else 0)
                best = call_sets(
                    rules.search_drop, rules, lanes0 & ~(one << rank), lanes1 & ~(two << rank), left,
                    next_ranks(ranks, rank, left), runs, value + n * points, best, total,
                )  # fmt: skip
                if best == FULL:
                    return best
            if part == _ZERO or only:
                break
            part = (part - _ONE) & free
        if free == _ZERO and popcount(forced) >= 3:
            return best
        # Go on without a set of this rank.
        ranks = next_ranks(ranks, rank, w)
    if ((value + most_runs(runs, w)) << 12) + 4095 <= best:
        return best
    return _leaf(U(rules.tables), lanes0, lanes1, w, value, best, total)


@kernel(inline=True)
def best_discard(h0, h1, h2, h3, jokers, wild, rules, banned, limit):
    """Return ``penalty * 64 + card`` of the best discard of a hand, exact under every rule option (lay-offs apart).

    Parameters
    ----------
    h0, h1, h2, h3 : uint64
        The words of a hand after the draw.
    jokers : int
        Its printed jokers.
    wild : int
        The wild rank, 0 … 12.
    rules : RULES record
    banned : int
        A card that may not be discarded (−1: none); if there is no other card it may.
    limit : int
        Only a penalty below this one is of interest; when there is none, any answer not below it may come back.
        A large number: the best discard in any case.
    """
    return call_hand(rules.search_best, h0, h1, h2, h3, jokers, wild, rules, banned, limit)


@kernel
def search_best(h0, h1, h2, h3, jokers, wild, rules, banned, limit):
    """See `best_discard`."""
    wilds = ACES_52 << U(wild)
    natural = ~wilds
    lanes0 = _lanes(h0 & natural)
    lanes1 = _lanes(h1 & natural)
    ranked = count_in(h0, h1, h2, h3, wilds)
    w = ranked + jokers
    if rules.fast == 0 or banned >= 0 or w > 3 or lanes0 == _ZERO or not fits_tables(lanes1, h2 & natural):
        return _try_all(h0, h1, h2, h3, jokers, wild, rules, banned)
    total = _sum(lanes0) + _sum(lanes1)
    two, three = _twice_or_more(lanes0, lanes1)
    ranks = ranks_word(two, three, w)
    dearest = _LANES * U(_dearest(lanes0))
    key = 0
    if w < 2:
        lonely = _lonely(lanes0, w, two, three)
        if lonely == lanes0:
            return _no_melds(lonely, h0 & wilds, total, ranked, jokers, rules)
        if lonely != _ZERO:
            key = _lonely_key(lonely)
            lanes0 &= ~lonely
            lanes1 &= ~lonely
    # Keys of penalties below the limit are larger than this.
    start = max(((total - limit + 1) << 12) - 1, 0)
    if ranks & _16 == _ZERO:
        best = _leaf(U(rules.tables), lanes0, lanes1, w, 0, start, -key if key > 0 else total)
    else:
        runs = runs_of_all(U(rules.tables), lanes0, lanes1, w) + dearest
        most = -key if key > 0 else total
        best = call_sets(rules.search_drop, rules, lanes0, lanes1, w, ranks, runs, 0, start, most)
    if best == start and start > 0:
        return limit << 6
    left = total - (best >> 12)
    points = (best >> 8) & 15
    if best == FULL or (w > 0 and left + points == total):
        # Everything melds, or nothing does: wild cards are discards to think of as well.
        return _try_all(h0, h1, h2, h3, jokers, wild, rules, banned)
    return left * 64 + _card_of(best)


@kernel(inline=True)
def _card_of(key):
    """Return the number of the card in a key."""
    code = key & 15
    rank = 21 - code if code >= 9 else code
    return (3 - ((key >> 4) & 3)) * 13 + rank


@kernel(inline=True)
def _lonely_key(lonely):
    """Return the key of the best discard of cards that are in no meld."""
    points = _dearest(lonely)
    cards = lonely & ((U(0x1E00) if points == 10 else _ONE << U(points - 1)) * _LANES)
    at = ctz(cards)
    rank = at & 15
    code = 21 - rank if rank >= 9 else rank
    return (points << 12) | (points << 8) | ((3 - (at >> 4)) << 4) | code


@kernel(inline=True)
def _lonely(lanes0, w, two, three):
    """Return the natural cards that can be in no meld with w ≤ 1 wild cards; see `_twice_or_more`."""
    return lanes0 & ~(_in_runs(lanes0, w) | (two if w == 1 else three) * _LANES)


@kernel
def lone_discard(h0, h1, h2, h3, jokers, wild, rules):
    """Return ``value * 64 + card`` of the dearest card (the lowest number of several) that is plainly in no meld.

    `SURE` is added when it is the best discard, 0 comes back when there is no such card. The penalty without the card
    is less by its value.
    """
    wilds = ACES_52 << U(wild)
    natural = ~wilds
    w = count_in(h0, h1, h2, h3, wilds) + jokers
    if rules.fast == 0 or w > 1:
        return 0
    lanes0 = _lanes(h0 & natural)
    two, three = _twice_or_more(lanes0, _lanes(h1 & natural))
    lonely = _lonely(lanes0, w, two, three)
    if lonely == _ZERO or h2 & natural != _ZERO:
        return 0
    key = _lonely_key(lonely)
    points = key >> 12
    lanes0 &= ~lonely
    # With nothing to meld the wild card may be the best discard.
    sure = _dearest(lanes0) < points and (w == 0 or lanes0 != _ZERO)
    return points * 64 + _card_of(key) + (SURE if sure else 0)


@kernel(inline=True)
def _no_melds(lanes0, wilds, total, ranked, jokers, rules):
    """Return the best discard of natural cards, with one wild card or none, that make no meld, in the form of
    `best_discard`.
    """
    best = _lonely_key(lanes0)
    points = best >> 12
    card = _card_of(best)
    if ranked + jokers > 0:
        cost = np.int64(rules.wild_penalty if ranked > 0 else rules.joker_penalty)
        total += cost
        other = ctz(wilds) if ranked > 0 else 52
        if cost > points or (cost == points and other < card):
            points = cost
            card = other
    return (total - points) * 64 + card


@kernel(inline=True)
def _nothing_but(h0, jokers, card):
    """Return whether a hand consists of copies of one card."""
    if card == 52:
        return h0 == _ZERO
    return jokers == 0 and h0 == _ONE << U(card)


@kernel
def _try_all(h0, h1, h2, h3, jokers, wild, rules, banned):
    """The best discard by trying every card, the dearest first; cards of the wild rank are alike but for their
    number.
    """
    only = banned >= 0 and _nothing_but(h0, jokers, banned)
    if only:
        banned = -1
    best = np.int64(1) << 40
    wilds = h0 & (ACES_52 << U(wild))
    if jokers > 0 and banned != 52:
        best = _try(h0, h1, h2, h3, jokers, wild, rules, np.int64(52), best)
    if banned >= 0 and banned < 52:
        wilds &= ~(_ONE << U(banned))
    if wilds != _ZERO:
        best = _try(h0, h1, h2, h3, jokers, wild, rules, ctz(wilds), best)
    for points in range(10, 0, -1):
        if best < (1000 - points) << 6:
            break  # nothing is left over, and all cards still to try are cheaper
        cards = h0 & (_TENS if points == 10 else ACES_52 << U(points - 1)) & ~(ACES_52 << U(wild))
        while cards != _ZERO:
            card = ctz(cards)
            cards &= cards - _ONE
            if card != banned:
                best = _try(h0, h1, h2, h3, jokers, wild, rules, card, best)
                if best < (1000 - points + 1) << 6:
                    break
    return ((best >> 20) << 6) | (best & 63)


@kernel
def _try(h0, h1, h2, h3, jokers, wild, rules, card, best):
    """Return the smaller of `best` and the key of a discard: penalty, then dearest first, then number."""
    left = call_hand(rules.search_penalty, h0, h1, h2, h3, jokers, wild, rules, card, (best >> 20) + 1)
    return min(best, (left << 20) | ((1000 - card_value(card, wild, rules)) << 6) | card)
