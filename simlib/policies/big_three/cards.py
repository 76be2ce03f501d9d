"""What the judging policies of Big Three see in a view.

Who is on whose side, which cards are out, what can be beaten.
"""

from __future__ import annotations

import numpy as np

from simlib._jit import kernel
from simlib.games.big_three.combos import ABOVE, LENGTH, NAMED, U, count_of, lowest, minus, moves, number, span, take
from simlib.games.big_three.play import named_choice
from simlib.policies.big_three.turns import turns

_0, _1, _13 = U(0), U(1), U(13)
FRIEND, UNKNOWN, FOE = 1, 0, -1


@kernel(inline=True)
def unseen_cards(view):  # type: ignore[no-untyped-def]
    """Return the hand word of the cards that are neither played nor held by the seat that looks."""
    return minus(view.unplayed, view.hand)


@kernel
def side(view, seat):  # type: ignore[no-untyped-def]
    """Return FRIEND, FOE or, with a partner still secret, UNKNOWN for a seat as the viewer sees it."""
    me = view.seat
    if seat == me:
        return FRIEND
    if view.players == 3:
        return FOE if (seat == view.declarer) | (me == view.declarer) else FRIEND
    if view.partner >= 0:
        mine = (me == view.declarer) | (me == view.partner)
        theirs = (seat == view.declarer) | (seat == view.partner)
        return FRIEND if mine == theirs else FOE
    return FOE if seat == view.declarer else UNKNOWN


@kernel(inline=True)
def without(hand, k, bit, rules):  # type: ignore[no-untyped-def]
    """Return a hand word without the cards of combination `bit` of multiplicity k + 1 (both uint64)."""
    return take(hand, span(bit, rules), k)


@kernel(inline=True)
def size_of(k, bit):  # type: ignore[no-untyped-def]
    """Return how many cards a combination has (int64)."""
    return np.int64(LENGTH[bit]) * (np.int64(k) + 1)


@kernel
def play(view, k, bit, show):  # type: ignore[no-untyped-def]
    """Return the action of a combination.

    The named card goes with it when `show` is set and there is a choice (7.1).
    """
    action = number(k, bit)
    if view.has_named != 0 and show != 0 and named_choice(view.hand, k, bit, view.called, view.rules) != 0:
        return NAMED + action
    return action


@kernel
def unbeaten(hand, unseen, k, largest, rules):  # type: ignore[no-untyped-def]
    """Return the word of a hand's combinations of multiplicity k + 1 that no hand of `largest` cards out of `unseen`
    can beat.
    """
    word = moves(hand, k, rules)
    out = moves(unseen, k, rules)
    found = _0
    while word != _0:
        bit = lowest(word)
        word &= word - _1
        if out & ABOVE[bit] == _0 or size_of(k, bit) > largest:
            found |= _1 << bit
    return found


@kernel
def weak_turns(hand, best1, best2, best3, best4, rules):  # type: ignore[no-untyped-def]
    """Return how many combinations of a shortest way to empty a hand somebody could beat.

    `best1` … `best4` are the words of the combinations, by multiplicity, that nobody can beat (`unbeaten` of this
    hand or of one that contains it). They are taken out one after the other as long as each one shortens the way.
    With at most one weak combination left whoever leads has won: first all that nobody can beat, the weak one last.
    """
    left = turns(hand, rules)
    weak = left
    for i in range(4):
        k = U(3 - i)
        best = best4 if i == 0 else (best3 if i == 1 else (best2 if i == 2 else best1))
        word = moves(hand, k, rules) & best
        while word != _0:
            bit = lowest(word)
            word &= word - _1
            rest = without(hand, k, bit, rules)
            if turns(rest, rules) < left:
                hand = rest
                left -= 1
                weak -= 1
                word &= moves(hand, k, rules)
    return weak


@kernel
def at_least(n, k, p):  # type: ignore[no-untyped-def]
    """Return the chance that of n cards (up to 4), each at a place with chance p, at least k + 1 are there."""
    if n <= k:
        return 0.0
    q = 1.0 - p
    if k == 0:
        none = q
        for _ in range(n - 1):
            none *= q
        return 1.0 - none
    if k == 1:
        if n == 2:
            return p * p
        return p * p * (3.0 - 2.0 * p) if n == 3 else 1.0 - q * q * q * (q + 4.0 * p)
    if k == 2:
        return p * p * p if n == 3 else p * p * p * (p + 4.0 * q)
    return p * p * p * p


@kernel
def _none_in(unseen, word, k, p, rules):  # type: ignore[no-untyped-def]
    """Return the chance that a hand with share p of the cards out has none of the combinations of `word` (taken as
    independent).
    """
    none = 1.0
    while word != _0:
        bit = lowest(word)
        word &= word - _1
        ranks = span(bit, rules) & U(0x1FFF)
        has = 1.0
        while ranks != _0:
            has *= at_least(count_of(unseen, lowest(ranks)), np.int64(k), p)
            ranks &= ranks - _1
        none *= 1.0 - has
        if none < 0.001:
            return 0.0
    return none


@kernel
def safety(view, unseen, out_n, foes, k, bit):  # type: ignore[no-untyped-def]
    """Return the chance that no seat of the mask `foes` can beat a combination, each card out being anywhere with
    equal chance.

    Parameters
    ----------
    unseen : uint64
        Hand word of the cards out.
    out_n : int64
        How many they are.
    """
    word = moves(unseen, k, view.rules) & ABOVE[bit]
    if word == _0:
        return 1.0
    size = size_of(k, bit)
    safe = 1.0
    share = 0.0
    for seat in range(view.players):
        n = int(view.hand_n[seat])
        if (foes >> seat) & 1 != 0 and n >= size:
            share += n / out_n
            if k != _0 or bit >= _13:
                safe *= _none_in(unseen, word, k, n / out_n, view.rules)
    if k == _0 and bit < _13:  # single cards: the foes' shares add up exactly
        return _none_in(unseen, word, k, min(share, 1.0), view.rules)
    return safe
