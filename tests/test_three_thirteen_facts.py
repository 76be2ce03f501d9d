"""Exact probabilities of the first two rounds, by enumeration of every hand (facts computed by independent
programs).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from simlib._jit import kernel
from simlib.games.three_thirteen.discards import best_discard
from simlib.games.three_thirteen.hand import plus
from simlib.games.three_thirteen.melds import all_melded, penalty
from tests.three_thirteen_help import encoded

ZERO = np.uint64(0)


@kernel
def _copies(a, b, c, d, card):
    return int(a == card) + int(b == card) + int(c == card) + int(d == card)


@kernel
def enumerate_hands(size, decks, rules, out):
    """Sum over all hands of 3 or 4 cards, by kinds with their multiplicities.

    out: hands, fully melded hands, penalty; (hand, further card) pairs that can go out; (hand, two further
    cards in order) with which the first player can go out on the first turn.
    """
    wild = size - 1
    cards = 52 * decks
    for a in range(52):
        for b in range(a, 52):
            for c in range(b, 52):
                for d in range(c, 52) if size == 4 else range(52, 53):
                    weight = 1
                    last = -1
                    for card in (a, b, c, d):
                        if card < 52 and card != last:
                            n = _copies(a, b, c, d, card)
                            ways = 1
                            for k in range(n):
                                ways = ways * (decks - k) // (k + 1)
                            weight *= ways
                        last = card
                    if weight == 0:
                        continue
                    h0, h1, h2, h3 = plus(ZERO, ZERO, ZERO, ZERO, a)
                    h0, h1, h2, h3 = plus(h0, h1, h2, h3, b)
                    h0, h1, h2, h3 = plus(h0, h1, h2, h3, c)
                    if d < 52:
                        h0, h1, h2, h3 = plus(h0, h1, h2, h3, d)
                    out[0] += weight
                    out[1] += weight * int(all_melded(h0, h1, h2, h3, 0, wild, rules))
                    out[2] += weight * penalty(h0, h1, h2, h3, 0, wild, rules)
                    good = 0
                    for e in range(52):
                        left = decks - _copies(a, b, c, d, e)
                        if left > 0:
                            g0, g1, g2, g3 = plus(h0, h1, h2, h3, e)
                            good += left * int(best_discard(g0, g1, g2, g3, 0, wild, rules, -1, 1) < 64)
                    rest = cards - size
                    out[3] += weight * good
                    out[4] += weight * (good * (rest - 1) + (rest - good) * good)


def enumerated(size, decks, **options):
    _, record, _ = encoded(decks=decks, **options)
    out = np.zeros(5, np.int64)
    enumerate_hands(size, decks, record[0], out)
    cards = 52 * decks
    hands, rest = comb(cards, size), cards - size
    assert out[0] == hands
    return {
        "melded": Fraction(int(out[1]), hands),
        "penalty": Fraction(int(out[2]), hands),
        "first turn": Fraction(int(out[4]), hands * rest * (rest - 1)),
        "next card": Fraction(int(out[3]), hands * rest),
    }


def test_round_one():
    facts = enumerated(3, 2)
    assert facts["melded"] == Fraction(1099, 22763)
    assert facts["penalty"] == Fraction(475648, 22763)
    assert facts["first turn"] == Fraction(2406319, 11495315)
    assert facts["next card"] == Fraction(321287, 2299063)


def test_round_one_with_wild_cards_for_nothing():
    assert enumerated(3, 2, wild_penalty=0)["penalty"] == Fraction(416848, 22763)


def test_round_one_with_one_deck():
    facts = enumerated(3, 1)
    assert facts["melded"] == Fraction(241, 5525)
    assert facts["first turn"] == Fraction(31769, 162435)


@pytest.mark.parametrize("decks", [2])
def test_round_two(decks):
    facts = enumerated(4, decks)
    assert facts["melded"] == Fraction(1507, 176851)
    assert facts["penalty"] == Fraction(58145016, 2299063)
    assert facts["first turn"] == Fraction(101616143, 1896726975)
