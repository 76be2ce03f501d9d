"""The smallest penalty of a hand, and the best discard, exactly and fast.

For the default meld rules (no limit of wild cards, no contract, aces low). Wild cards are a mere count: what is
melded at best is a choice of sets over the ranks, and for each choice the best runs of the four suits from a
table (`tables.py`), with the wild cards split among them. Two facts keep the choices few. A natural card that
no run can use belongs in its rank's set whenever there is one. And one natural card with two wild cards is a
run as well as a set, so that sets need at most one wild card. Wild cards left over join any meld, so they cost
something only when nothing can be melded.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, popcount
from simlib._jit import kernel
from simlib._words import peek8, peek64
from simlib.games.three_thirteen.hand import ACES_52, count_in, minus
from simlib.games.three_thirteen.lanes import join16, top16, widen
from simlib.games.three_thirteen.melds_general import (
    EVERYTHING,
    INFINITE,
    arrange_cost,
    general_penalty,
)
from simlib.games.three_thirteen.recursion import call_hand, call_sets
from simlib.games.three_thirteen.tables import COUNTS_AT, IDS_AT, N_IDS, SUIT, deep_word

U = np.uint64
_ZERO, _ONE = U(0), U(1)
#: The aces in four lanes of 16 bits, one a suit: shifted by a rank, all cards of that rank.
_LANES = U(0x0001000100010001)
_M0, _M1, _M2, _M3 = U(0x1FFF), U(0x1FFF << 13), U(0x1FFF << 26), U(0x1FFF << 39)
_SUIT = U(0x1FFF)
#: No limit.
ANY = 1 << 30
#: Ranks whose value has bit 0, 1, 2, 3.
_V0 = U(0x1FFF & sum(1 << r for r in range(13) if min(r + 1, 10) & 1)) * _LANES
_V1 = U(0x1FFF & sum(1 << r for r in range(13) if min(r + 1, 10) & 2)) * _LANES
_V2 = U(0x1FFF & sum(1 << r for r in range(13) if min(r + 1, 10) & 4)) * _LANES
_V3 = U(0x1FFF & sum(1 << r for r in range(13) if min(r + 1, 10) & 8)) * _LANES


@kernel(inline=True)
def _lanes(word):
    """Spread the 52 bits of a word over four lanes of 16 bits."""
    return (word & _M0) | ((word & _M1) << U(3)) | ((word & _M2) << U(6)) | ((word & _M3) << U(9))


@kernel(inline=True)
def _sum(lanes):
    """Return the value of the natural cards in a word of lanes."""
    return popcount(lanes & _V0) + 2 * popcount(lanes & _V1) + 4 * popcount(lanes & _V2) + 8 * popcount(lanes & _V3)


@kernel(inline=True)
def natural_value(h0, h1, h2, h3, natural):
    """Return what the cards of a hand in the mask `natural` are worth."""
    value = _sum(_lanes(h0 & natural)) + _sum(_lanes(h1 & natural))
    if h2 & natural != _ZERO:
        value += _sum(_lanes(h2 & natural)) + _sum(_lanes(h3 & natural))
    return value


@kernel(inline=True)
def _twice_or_more(lanes0, lanes1):
    """Return the ranks of which there are at least two, and at least three cards, as masks of 13 bits.

    The eight masks of a rank (four suits, first and second copies) are added bit by bit.
    """
    ones = _ZERO
    twos = _ZERO
    more = _ZERO
    for k in range(4):
        a = (lanes0 >> U(16 * k)) & _SUIT
        more |= twos & ones & a
        carry = ones & a
        ones ^= a
        more |= twos & carry
        twos ^= carry
        twos |= more
    if lanes1 != _ZERO:
        for k in range(4):
            a = (lanes1 >> U(16 * k)) & _SUIT
            carry = ones & a
            more |= twos & carry
            ones ^= a
            twos |= carry
    three = more | (twos & ones)
    return twos | three, three


@kernel(inline=True)
def _in_runs(lanes, w):
    """Return the cards that share some run with another natural card, given `w` wild cards."""
    if w == 0:
        middle = lanes & (lanes >> _ONE) & (lanes >> U(2))
        return middle | (middle << _ONE) | (middle << U(2))
    if w == 1:
        near = (lanes << _ONE) | (lanes >> _ONE) | (lanes << U(2)) | (lanes >> U(2))
        return lanes & near
    if w == 2:
        near = (lanes << _ONE) | (lanes >> _ONE) | (lanes << U(2)) | (lanes >> U(2)) | (lanes << U(3)) | (lanes >> U(3))
        return lanes & near
    return lanes


@kernel(inline=True)
def suit_word(tables, m1, m2):
    """Return the table's word for the runs of a suit that holds the ranks `m1`, twice those of `m2`."""
    if m2 == 0:
        return peek64(tables, m1)
    number = np.int64(peek8(tables, 8 * IDS_AT + m2))
    if number >= N_IDS:
        return deep_word(tables, m1, m2, 0, 8)
    return peek64(tables, number * SUIT + m1)


@kernel(inline=True)
def _word(tables, lanes0, lanes1, k):
    """Return the table's word for the runs of suit `k`."""
    index = np.int64((lanes0 >> U(16 * k)) & _SUIT)
    if lanes1 == _ZERO:
        return peek64(tables, index)
    return suit_word(tables, index, np.int64((lanes1 >> U(16 * k)) & _SUIT))


@kernel(inline=True)
def _byte(word, k):
    return np.int64((word >> U(8 * k)) & U(255))


@kernel
def _join(a, b, w):
    """Best value of two suits with 0 … w wild cards between them, one byte each."""
    out = _ZERO
    for k in range(w + 1):
        best = 0
        for i in range(k + 1):
            best = max(best, _byte(a, i) + _byte(b, k - i))
        out |= U(best) << U(8 * k)
    return out


@kernel(inline=True)
def _runs_value(tables, lanes0, lanes1, w):
    """Return the largest value of cards melded in runs with at most w ≤ 7 wild cards."""
    a = _word(tables, lanes0, lanes1, 0)
    b = _word(tables, lanes0, lanes1, 1)
    c = _word(tables, lanes0, lanes1, 2)
    d = _word(tables, lanes0, lanes1, 3)
    if w == 0:
        return _byte(a + b + c + d, 0)
    if w == 1:
        p0 = _byte(a, 0) + _byte(b, 0)
        p1 = max(_byte(a, 1) + _byte(b, 0), _byte(a, 0) + _byte(b, 1))
        q0 = _byte(c, 0) + _byte(d, 0)
        q1 = max(_byte(c, 1) + _byte(d, 0), _byte(c, 0) + _byte(d, 1))
        return max(p0 + q1, p1 + q0)
    p = _join(a, b, w)
    q = _join(c, d, w)
    best = 0
    for i in range(w + 1):
        best = max(best, _byte(p, i) + _byte(q, w - i))
    return best


@kernel
def _count_word(tables, lanes0, lanes1, k):
    m1 = np.int64((lanes0 >> U(16 * k)) & _SUIT)
    m2 = np.int64((lanes1 >> U(16 * k)) & _SUIT)
    number = np.int64(peek8(tables, 8 * IDS_AT + m2))
    if number >= N_IDS:
        return deep_word(tables, m1, m2, COUNTS_AT, 16)
    return peek64(tables, COUNTS_AT + number * SUIT + m1)


@kernel
def _runs_count(tables, lanes0, lanes1, w):
    """Return the largest value melded in runs with at most w ≤ 3 wild cards, times 16, plus the most cards it
    can take.
    """
    p = join16(_count_word(tables, lanes0, lanes1, 0), _count_word(tables, lanes0, lanes1, 1), w)
    q = join16(_count_word(tables, lanes0, lanes1, 2), _count_word(tables, lanes0, lanes1, 3), w)
    return top16(p, q, w)


@kernel(inline=True)
def ranks_word(two, three, w):
    """Return the ranks of which a set can be made (two cards need a wild card) and, 16 bits higher, those with
    three cards.
    """
    return (three if w == 0 else two) | (three << U(16))


@kernel(inline=True)
def next_ranks(ranks, rank, w):
    """Return the ranks still to decide after `rank`, when `w` wild cards are left."""
    ranks &= ~((U(0x10001)) << rank)
    return ranks & ((ranks >> U(16)) | U(0xFFFF0000)) if w == 0 else ranks


@kernel(inline=True)
def cards_of(lanes0, lanes1, w, rank):
    """Return what decides the sets of a rank: its second copies, the cards that a run could use too, those none can.

    Each is a word of four lanes, one a suit; in the last two a lane's bit 0 is the first copy and bit 1 the second.
    """
    second = (lanes1 >> rank) & _LANES
    cards = (lanes0 >> rank) & _LANES | (second << _ONE)
    useful = (_in_runs(lanes0, w) >> rank) & _LANES
    free = cards & (useful | (useful << _ONE))
    return second, free, cards & ~free


@kernel(inline=True)
def most_runs(runs, w):
    """Return the value of runs that the whole hand could have with `w` wild cards: what is left of it has no more."""
    return np.int64((runs >> U(16 * min(w, 3))) & U(0xFFFF))


@kernel(inline=True)
def most_melded(lanes0, lanes1, w, ranks, runs):
    """Return a bound of what the ranks left to decide and the runs can still add.

    Each set of two cards takes a wild card from the runs, and is worth no more than the dearest rank's.
    """
    points = min(64 - clz(ranks & U(0xFFFF)), 10)
    bound = most_runs(runs, w)
    for j in range(1, min(w, 3) + 1):
        bound = max(bound, most_runs(runs, w - j) + 2 * j * points)
    three = ranks & (ranks >> U(16))
    if three != _ZERO:
        three *= _LANES
        bound += _sum(lanes0 & three) + _sum(lanes1 & three)
    return bound


@kernel(inline=True)
def _no_better(value, more, best, total):
    """Return whether `value`, with `more` points at most, is no better than `best` (see `search_sets`)."""
    if total < 0:
        # At most 15 cards make up the number of cards.
        return (((value >> 4) + more) << 4) + 15 <= best
    return value + more <= best


@kernel
def search_sets(rules, lanes0, lanes1, w, ranks, runs, value, best, total):
    """Try every set of the dearest rank of `ranks`, or none; return the largest value melded, at least `best`.

    `ranks` is a `ranks_word`, `runs` a bound for `most_runs`. With a negative `total` values are times 16, plus
    the number of cards melded.
    """
    while ranks & U(0xFFFF) != _ZERO:
        if _no_better(value, most_melded(lanes0, lanes1, w, ranks, runs), best, total):
            return best
        rank = U(63 - clz(ranks & U(0xFFFF)))
        points = min(np.int64(rank) + 1, 10)
        second, free, forced = cards_of(lanes0, lanes1, w, rank)
        if total < 0:
            points = 16 * points + 1
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
                    rules.search_sets, rules, lanes0 & ~(one << rank), lanes1 & ~(two << rank), left,
                    next_ranks(ranks, rank, left), runs, value + n * points, best, total,
                )  # fmt: skip
                if best == total:
                    return best
            if part == _ZERO or only:
                break
            part = (part - _ONE) & free
        if free == _ZERO and popcount(forced) >= 3:
            return best
        # Go on without a set of this rank.
        ranks = next_ranks(ranks, rank, w)
    if _no_better(value, most_runs(runs, w), best, total):
        return best
    if total < 0:
        return max(best, value + _runs_count(U(rules.tables), lanes0, lanes1, w))
    return max(best, value + _runs_value(U(rules.tables), lanes0, lanes1, w))


@kernel(inline=True)
def runs_of_all(tables, lanes0, lanes1, w):
    """Return the runs of a whole hand for `most_runs`."""
    if w > 3:
        return U(0x00FF00FF00FF00FF)
    a, b = _word(tables, lanes0, lanes1, 0), _word(tables, lanes0, lanes1, 1)
    c, d = _word(tables, lanes0, lanes1, 2), _word(tables, lanes0, lanes1, 3)
    if w < 2:
        runs = _byte(a + b + c + d, 0)
        ab = max(_byte(a, 1) - _byte(a, 0), _byte(b, 1) - _byte(b, 0))
        cd = max(_byte(c, 1) - _byte(c, 0), _byte(d, 1) - _byte(d, 0))
        return U(runs) | U(runs + max(ab, cd)) << U(16)
    p = join16(widen(a), widen(b), w)
    q = join16(widen(c), widen(d), w)
    return join16(p, q, w)


@kernel
def melded_value(rules, lanes0, lanes1, w, start, total):
    """Return the largest total value of natural cards that can be melded with at most w ≤ 7 wild cards, at
    least `start`.
    """
    two, three = _twice_or_more(lanes0, lanes1)
    ranks = ranks_word(two, three, w)
    if ranks & U(0xFFFF) == _ZERO:
        return max(start, _runs_value(U(rules.tables), lanes0, lanes1, w))
    runs = runs_of_all(U(rules.tables), lanes0, lanes1, w)
    return call_sets(rules.search_sets, rules, lanes0, lanes1, w, ranks, runs, 0, start, total)


@kernel(inline=True)
def fits_tables(lanes1, h2):
    """Return whether the tables hold this hand: no card three times, at most four doubled cards a suit."""
    if lanes1 == _ZERO:
        return True
    if h2 != _ZERO:
        return False
    return (
        popcount(lanes1 & _SUIT) <= 4
        and popcount((lanes1 >> U(16)) & _SUIT) <= 4
        and popcount((lanes1 >> U(32)) & _SUIT) <= 4
        and popcount(lanes1 >> U(48)) <= 4
    )


@kernel(inline=True)
def penalty(h0, h1, h2, h3, jokers, wild, rules):
    """Return the smallest penalty of a hand, exact under every rule option (lay-offs apart).

    Parameters
    ----------
    h0, h1, h2, h3 : uint64
        The hand's words (`view.py`).
    jokers : int
        Its printed jokers.
    wild : int
        The wild rank, 0 … 12.
    rules : RULES record
    """
    return call_hand(rules.search_penalty, h0, h1, h2, h3, jokers, wild, rules, -1, ANY)


@kernel
def search_penalty(h0, h1, h2, h3, jokers, wild, rules, card, limit):
    """Return the smallest penalty of a hand without `card` (−1: as it is) if it is below `limit`, else some
    number not below it, the sooner for it.
    """
    if card == 52:
        jokers -= 1
    elif card >= 0:
        h0, h1, h2, h3 = minus(h0, h1, h2, h3, card)
    if rules.fast == 0:
        return general_penalty(h0, h1, h2, h3, jokers, wild, rules)
    wilds = ACES_52 << U(wild)
    ranked = count_in(h0, h1, h2, h3, wilds)
    w = ranked + jokers
    natural = ~wilds
    lanes0 = _lanes(h0 & natural)
    lanes1 = _lanes(h1 & natural)
    if w > 7 or not fits_tables(lanes1, h2 & natural):
        return general_penalty(h0, h1, h2, h3, jokers, wild, rules)
    total = _sum(lanes0) + _sum(lanes1)
    start = max(total - limit, 0)
    melded = melded_value(rules, lanes0, lanes1, w, start, total)
    if melded == 0 and w < 3:
        return total + ranked * np.int64(rules.wild_penalty) + jokers * np.int64(rules.joker_penalty)
    return total - melded


@kernel
def all_melded(h0, h1, h2, h3, jokers, wild, rules):
    """Return whether every card of a hand can be laid in valid melds (with the round's pattern, where there is one)."""
    wilds = ACES_52 << U(wild)
    natural = ~wilds
    w = count_in(h0, h1, h2, h3, wilds) + jokers
    lanes0 = _lanes(h0 & natural)
    lanes1 = _lanes(h1 & natural)
    if rules.fast == 0 or w > 7 or not fits_tables(lanes1, h2 & natural):
        return arrange_cost(h0, h1, h2, h3, jokers, wild, rules, EVERYTHING, INFINITE) < INFINITE
    total = _sum(lanes0) + _sum(lanes1)
    if total == 0:
        return w == 0 or w > 2
    return melded_value(rules, lanes0, lanes1, w, total - 1, total) == total
