"""Laying off: the smallest penalty when cards may also join melds on the table, and which cards do (RULES.md,
section 5).

Which natural card goes to which meld on the table is tried out; what is left is arranged by the search of
`melds_general.py`, in which the room left in those melds takes wild cards. A meld on the table that can be read
in two ways (with one natural card, or none) is settled by what joins it.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.games.three_thirteen.hand import ACES_52, U, card_value, count_in, minus
from simlib.games.three_thirteen.melds_general import DETAIL, constants, rank_cost
from simlib.games.three_thirteen.recursion import call_general
from simlib.games.three_thirteen.shapes import span

_ZERO, _ONE = U(0), U(1)
_INVALID = -1


@kernel
def joined(melds, p, cards, choice, n, wild, rules, extra):
    """Return what meld `p` and the cards laid off to it (``choice == p + 1``) need and take, or −1 when they
    are no meld.

    Returns
    -------
    int
        Wild cards needed to close gaps, times 256, plus the wild cards that fit in then. With `extra` 0 no gap
        may be left.
    """
    kind = int(melds.kind[p])
    ranks = int(melds.ranks[p])
    suit = int(melds.suit[p])
    rank = int(melds.rank[p])
    naturals = int(melds.naturals[p])
    wilds = int(melds.wilds[p])
    for i in range(n):
        if choice[i] == p + 1:
            card = int(cards[i])
            if card == 52 or card % 13 == wild:
                wilds += 1
                continue
            if naturals == 0:
                suit = card // 13
                rank = card % 13
            elif card % 13 != rank:
                kind &= ~1
            if naturals > 0 and (card // 13 != suit or (ranks >> (card % 13)) & 1):
                kind &= ~2
            ranks |= 1 << (card % 13)
            naturals += 1
    limit = int(rules.max_wilds)
    if wilds > limit or kind == 0:
        return _INVALID
    if kind & 1:
        return min(limit - wilds, 99)
    total = naturals + wilds
    wide = span(ranks, int(rules.aces))
    gaps = max(0, wide - total)
    if wide > 13 or total + gaps > 13 or wilds + gaps > limit or (gaps > 0 and extra == 0):
        return _INVALID
    return gaps * 256 + min(limit - wilds - gaps, 13 - total - gaps)


@kernel
def _fill_pool(out, wild):
    """Collect the natural cards in none of the melds made: those left already, then those not placed yet.
    Returns both numbers.
    """
    n = 0
    for i in range(out.left_n):
        card = int(out.left[i])
        if card < 52 and card % 13 != wild:
            out.pool[n] = card
            n += 1
    barred = n
    for k in range(4):
        word = out.hand[k] & ~(ACES_52 << U(wild))
        while word != _ZERO:
            out.pool[n] = ctz(word)
            n += 1
            word &= word - _ONE
    return barred, n


@kernel
def _could_join(melds, p, card):
    """Return whether a natural card has anything in common with meld `p`."""
    if melds.naturals[p] == 0:
        return True
    if melds.kind[p] & 1 and card % 13 == melds.rank[p]:
        return True
    if melds.kind[p] & 2 == 0 or card // 13 != melds.suit[p]:
        return False
    return (int(melds.ranks[p]) >> (card % 13)) & 1 == 0


@kernel
def lay_best(out, melds, counts, wild, rules, best):
    """Return the smallest objective (penalty, melds, runs) of the cards of `out` with lay-offs, at most `best`.

    The cards ``out.left`` are in none of the own melds: they are laid off or cost; `counts` are the melds made.
    """
    barred, n = _fill_pool(out, wild)
    i = 0
    if n == 0:
        return _rest(out, melds, counts, wild, rules, best, barred, n)
    out.choice[0] = -1
    while i >= 0:
        p = int(out.choice[i]) + 1
        while 0 < p <= melds.n and not _could_join(melds, p - 1, int(out.pool[i])):
            p += 1
        if p > melds.n:
            i -= 1
            continue
        out.choice[i] = p
        if i + 1 < n:
            i += 1
            out.choice[i] = -1
        else:
            best = _rest(out, melds, counts, wild, rules, best, barred, n)
    return best


@kernel
def _rest(out, melds, counts, wild, rules, best, barred, n):
    """Arrange what is not laid off, wild cards between all; return the smaller objective."""
    need = 0
    room = 0
    for p in range(melds.n):
        each = joined(melds, p, out.pool, out.choice, n, wild, rules, 1)
        if each < 0:
            # A meld is not spoilt when nothing joins it.
            return best
        need += each >> 8
        room += each & 255
    h0, h1, h2, h3 = out.hand[0], out.hand[1], out.hand[2], out.hand[3]
    wilds = ACES_52 << U(wild)
    ranked = count_in(h0, h1, h2, h3, wilds)
    h0, h1, h2, h3 = h0 & ~wilds, h1 & ~wilds, h2 & ~wilds, h3 & ~wilds
    free = ranked + out.jokers
    const = constants(DETAIL, wild, ranked, out.jokers, rules)
    cost = 0
    for i in range(n):
        card = int(out.pool[i])
        if i < barred:
            cost += rank_cost(card % 13, const) if out.choice[i] == 0 else 0
        elif out.choice[i] > 0:
            h0, h1, h2, h3 = minus(h0, h1, h2, h3, card)
    barred_wilds = int(out.left_n) - barred
    for laid in range(min(barred_wilds, need + room) + 1):
        closing = max(0, need - laid)
        if closing <= free:
            space = room - max(0, laid - need)
            more = _dearest_laid(out, wild, rules, laid)
            best = call_general(
                rules.search_general, rules, h0, h1, h2, h3, free - closing, space, counts, cost + more, best, 0, const
            )
    return best


@kernel
def _dearest_laid(out, wild, rules, laid):
    """Return what the wild cards of ``out.left`` cost when the `laid` dearest of them are laid off."""
    ranked = 0
    jokers = 0
    for i in range(out.left_n):
        card = int(out.left[i])
        jokers += int(card == 52)
        ranked += int(card < 52 and card % 13 == wild)
    a, b = int(rules.wild_penalty), int(rules.joker_penalty)
    stay = ranked + jokers - laid
    cheap = ranked if a <= b else jokers
    first = min(stay, cheap)
    return first * min(a, b) + (stay - first) * max(a, b)


@kernel
def settle(out, melds, wild, rules):
    """Choose the lay-offs among ``out.left``: as few as reach the penalty, then the first by (card, meld on the
    table).
    """
    n = int(out.left_n)
    for i in range(n):
        out.pool[i] = out.left[i]
    for few in range(n + 1):
        if _settle(out, melds, wild, rules, n, few):
            break
    for i in range(n):
        out.to[i] = out.choice[i]
        out.laid_n += np.int64(out.choice[i] > 0)


@kernel
def _settle(out, melds, wild, rules, n, few):
    """Find the first way to lay off exactly `few` cards that leaves the penalty: the lowest card first, to the
    first meld.
    """
    i = 0
    laid = 0
    cost = 0
    if n == 0:
        return True
    out.choice[0] = 0
    fresh = True
    while i >= 0:
        card = int(out.pool[i])
        points = card_value(card, wild, rules)
        is_wild = card == 52 or card % 13 == wild
        # The order of choices is 1, 2, …, melds, then 0: not laid off.
        if fresh:
            p = 1
        else:
            p = int(out.choice[i])
            if p == 0:
                cost -= points
                i -= 1
                continue
            laid -= 1
            p += 1
        while p <= melds.n and not (is_wild or _could_join(melds, p - 1, card)):
            p += 1
        if p <= melds.n and laid < few:
            out.choice[i] = p
            laid += 1
        else:
            out.choice[i] = 0
            cost += points
        fresh = False
        if cost > out.penalty or laid + n - i - 1 < few:
            continue
        if i + 1 < n:
            i += 1
            fresh = True
        elif cost == out.penalty and laid == few and _all_valid(out, melds, wild, rules, n):
            return True
    return False


@kernel
def _all_valid(out, melds, wild, rules, n):
    wrong = 0
    for p in range(melds.n):
        wrong += int(joined(melds, p, out.pool, out.choice, n, wild, rules, 0) < 0)
    return wrong == 0


@kernel
def put_on_table(melds, out, seat, wild):
    """Add the lay-offs and the own melds of an arrangement to the melds on the table."""
    for i in range(out.left_n):
        if out.to[i] > 0:
            _join(melds, out.to[i] - 1, int(out.left[i]), wild)
    for m in range(out.n):
        p = int(melds.n)
        melds.owner[p] = seat
        melds.place[p] = m
        melds.kind[p] = 3
        melds.suit[p] = -1
        melds.rank[p] = -1
        melds.ranks[p] = 0
        melds.naturals[p] = 0
        melds.wilds[p] = 0
        melds.n = p + 1
        for i in range(out.size[m]):
            _join(melds, p, int(out.cards[m, i]), wild)
        if out.size[m] > 13:
            melds.kind[p] &= 1


@kernel
def _join(melds, p, card, wild):
    """Add one card to a meld on the table."""
    if card == 52 or card % 13 == wild:
        melds.wilds[p] += 1
        return
    suit = card // 13
    rank = card % 13
    if melds.naturals[p] == 0:
        melds.suit[p] = suit
        melds.rank[p] = rank
    else:
        if rank != melds.rank[p]:
            melds.kind[p] &= ~1
        if suit != melds.suit[p] or (int(melds.ranks[p]) >> rank) & 1:
            melds.kind[p] &= ~2
    melds.ranks[p] = int(melds.ranks[p]) | 1 << rank
    melds.naturals[p] += 1
