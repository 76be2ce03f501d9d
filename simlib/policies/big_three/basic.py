"""Policies of Big Three that play without judging their hand."""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, popcount
from simlib._jit import kernel
from simlib.games.big_three.combos import ABOVE, BID, CALL, LENGTH, NAMED, PASS, SHAPE, U, lowest, moves, number
from simlib.games.big_three.observe import move_word
from simlib.games.big_three.play import lowest_bid, may_decline, named_choice
from simlib.games.big_three.view import AUCTION, PLAY
from simlib.games.big_three.words import nth_bit
from simlib.policies.base import policy
from simlib.rng import pick

_0, _1, _2, _3, _13 = U(0), U(1), U(2), U(3), U(13)
_LOW49, _M13 = U((1 << 49) - 1), U(0x1FFF)
#: The 28 cards of rank 4 to 10 that may be named.
CALLABLE = U(sum(1 << 13 * suit + rank for suit in range(4) for rank in range(3, 10)))


@kernel
def random_bid(view, ctx):
    """Return one of the legal bids, each equally likely."""
    low = lowest_bid(view.rules, view.hand, view.high_bid)
    passes = may_decline(view.rules, view.hand, view.high_bid)
    k = pick(ctx.rng, 4 - low + passes)
    return BID if k < passes else BID + low + k - passes


@kernel
def random_call(view, ctx):
    """Name one of the cards that may be named, each equally likely."""
    cards = CALLABLE & ~view.dealt
    return CALL + int(nth_bit(cards, pick(ctx.rng, popcount(cards))))


@kernel
def _random_holder(view, ctx):
    """The holder of the named card chooses between each combination with and without it, too."""
    n = 1 - int(view.leading)
    for k in range(4):
        word = move_word(view, U(k))
        while word != _0:
            n += 1 + named_choice(view.hand, U(k), lowest(word), view.called, view.rules)
            word &= word - _1
    left = pick(ctx.rng, n)
    for k in range(4):
        word = move_word(view, U(k))
        while word != _0:
            both = named_choice(view.hand, U(k), lowest(word), view.called, view.rules)
            if left == 0:
                return number(U(k), lowest(word))
            if left == both:
                return NAMED + number(U(k), lowest(word))
            left -= 1 + both
            word &= word - _1
    return PASS


@kernel(inline=True)
def _random_lead(view, ctx):
    a = moves(view.hand, _0, view.rules)
    b = moves(view.hand, _1, view.rules)
    c = moves(view.hand, _2, view.rules)
    d = moves(view.hand, _3, view.rules)
    n1 = popcount(a)
    n2 = n1 + popcount(b)
    n3 = n2 + popcount(c)
    choice = pick(ctx.rng, n3 + popcount(d))
    k = U(choice >= n1) + U(choice >= n2) + U(choice >= n3)
    word = a if choice < n1 else b
    word = word if choice < n2 else c
    word = word if choice < n3 else d
    before = 0 if choice < n1 else n1
    before = before if choice < n2 else n2
    before = before if choice < n3 else n3
    return number(k, nth_bit(word, choice - before))


@policy("big_three")
def random(view, ctx):
    """Any legal bid, any card to name, any legal combination or pass, each equally likely."""
    if view.phase != PLAY:
        return random_bid(view, ctx) if view.phase == AUCTION else random_call(view, ctx)
    if view.has_named != 0:
        return _random_holder(view, ctx)
    if view.leading != 0:
        return _random_lead(view, ctx)
    k = U(view.last_k)
    word = moves(view.hand, k, view.rules) & ABOVE[U(view.last_bit)]
    n = popcount(word)
    if n == 0:
        return PASS
    choice = pick(ctx.rng, n + 1)
    return PASS if choice == n else number(k, nth_bit(word, choice))


@kernel(inline=True)
def lowest_beating(view):
    """Return the lowest combination that beats the last one, or PASS."""
    k = U(view.last_k)
    word = moves(view.hand, k, view.rules) & ABOVE[U(view.last_bit)]
    return PASS if word == _0 else number(k, lowest(word))


def _lead_tables() -> tuple[np.ndarray, np.ndarray]:
    """Mask of the bits with the same length, and the top rank (in Chinese order), by combination bit."""
    same, top = np.zeros(64, U), np.zeros(64, np.int64)
    for bit, (length, start) in enumerate(SHAPE):
        same[bit] = sum(1 << b for b, (other, _) in enumerate(SHAPE) if other == length)
        top[bit] = start + length - 1
    return same, top


SAME_LENGTH, TOP = _lead_tables()


@kernel
def longest_lead(view):
    """Return the combination of most cards; ties by the lowest top rank, then by the lowest multiplicity."""
    best = 0
    action = PASS
    for k in range(4):
        word = moves(view.hand, U(k), view.rules)
        if word == _0:
            break
        long = word & _LOW49
        if long <= _M13 and word != long:  # no straight longer than two
            long = word & ~_LOW49
        bit = lowest(word & SAME_LENGTH[U(63 - clz(long))])
        top = TOP[bit] + (int(view.rules.base) if bit >= _13 else 0)
        key = (int(LENGTH[bit]) * (k + 1)) << 8 | (15 - top) << 4 | (3 - k)
        if key > best:
            best = key
            action = number(U(k), bit)
    return action


@kernel
def lowest_bid_or_pass(view):
    """Pass where that is allowed, else make the lowest legal bid."""
    if may_decline(view.rules, view.hand, view.high_bid) != 0:
        return BID
    return BID + lowest_bid(view.rules, view.hand, view.high_bid)


@kernel
def lowest_call(view):
    """Name the lowest card that may be named (by rank, then clubs, diamonds, hearts, spades)."""
    for rank in range(3, 10):
        for suit in range(4):
            if (view.dealt >> U(13 * suit + rank)) & _1 == _0:
                return CALL + 13 * suit + rank
    return CALL


@policy("big_three")
def greedy(view, ctx):
    """Bid only what it must, lead the combination of most cards, follow with the lowest that beats.

    Ties of a lead go to the lowest top rank, then to the lowest multiplicity. With four players it names the
    lowest card it may, and holds the named card back when it is the partner.
    """
    if view.phase != PLAY:
        return lowest_bid_or_pass(view) if view.phase == AUCTION else lowest_call(view)
    return longest_lead(view) if view.leading != 0 else lowest_beating(view)


POLICIES = (random, greedy)
