"""Exact numbers of Big Three: 52 cards, three hands of 16 and a widow of 4."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from simlib.batch import Batch
from simlib.validation import Fact, exact, mean, share

NAME = "big_three"
#: P(number of 3s in a hand of 16).
_THREES = (Fraction(99, 455), Fraction(192, 455), Fraction(432, 1547), Fraction(576, 7735), Fraction(4, 595))
_HEARTS = {5: Fraction(16, 221), 6: Fraction(24, 5525), 7: Fraction(48, 270725)}
_FOUR_OF_HEARTS = 29


def facts(deals: int, seed: int) -> list[Fact]:
    """Who bids first, 3s, straights and quads of hands of 16 and 20 cards, and the number of combinations."""
    from simlib.games.big_three.rules import RULES, BigThreeRules, encode

    states = Batch(NAME, deals, seed).states
    heart = states["table"]["heart"]
    hands = [_counts(states["dealt"][:, seat]) for seat in range(3)]
    hand, more = hands[0], _counts(states["dealt"][:, 0] | states["widow"])
    out = [share(NAME, "the 4 of hearts is in the widow", Fraction(1, 13), heart != _FOUR_OF_HEARTS)]
    out += [share(NAME, f"the first bidder's heart is the {n}", p, heart == 26 + n - 1) for n, p in _HEARTS.items()]
    out += [share(NAME, f"hand of 16: {n} threes", p, hand[:, 2] == n) for n, p in enumerate(_THREES)]
    four = np.stack([h[:, 2] == 4 for h in hands]).any(axis=0)
    out.append(share(NAME, "one player holds all four threes", Fraction(12, 595), four))
    straight = Fraction(589507809601, 609599676595), Fraction(3213650018679, 3230631484465)
    pairs = Fraction(2126460150097, 10363194502115), Fraction(132702718763, 260858442845)
    quads = Fraction(52, 595), Fraction(57, 245)
    for i, (name, counts) in enumerate((("hand of 16", hand), ("20 cards", more))):
        out.append(share(NAME, f"{name}: a straight", straight[i], _straight(counts, 1)))
        out.append(share(NAME, f"{name}: a straight of pairs", pairs[i], _straight(counts, 2)))
        out.append(mean(NAME, f"{name}: quads", quads[i], (counts == 4).sum(axis=1)))
    rules = np.zeros(1, RULES)
    encode(BigThreeRules(), rules[0])
    there = sum(int(word).bit_count() for word in rules["allowed"][0])
    out.append(exact(NAME, "combinations", Fraction(196), Fraction(there)))
    return out


def _counts(cards: Any) -> Any:
    """Return how many cards of each rank, A to K, sets of cards hold; shape (deals, 13)."""
    bits = (cards[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    return bits.reshape(len(cards), 4, 13).sum(axis=1).astype(np.int64)


def _straight(counts: Any, multiplicity: int) -> Any:
    """Whether three neighbouring ranks within 4 … K are held so many times."""
    there = counts[:, 3:] >= multiplicity
    return (there[:, :-2] & there[:, 1:-1] & there[:, 2:]).any(axis=1)
