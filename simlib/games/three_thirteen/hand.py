"""Hands as words: adding, removing, counting cards. See `view.py` for the representation.

Functions take a `hand` array of four words (a field of a record) or its words h0 … h3.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz, popcount
from simlib._jit import kernel

U = np.uint64
_ONE, _ZERO = U(1), U(0)
#: The ace of each suit; shifted by a rank: all four cards of that rank.
ACES_52 = U(1 | 1 << 13 | 1 << 26 | 1 << 39)


@kernel(inline=True)
def add_card(hand, jokers, seat, card):
    """Add a card to the words ``hand[seat]`` (or the count ``jokers[seat]``)."""
    if card == 52:
        jokers[seat] += 1
    else:
        bit = _ONE << U(card)
        for k in range(4):
            old = hand[seat, k]
            hand[seat, k] = old | bit
            bit &= old


@kernel(inline=True)
def remove_card(hand, jokers, seat, card):
    """Remove a card that is in the hand."""
    if card == 52:
        jokers[seat] -= 1
    else:
        bit = _ONE << U(card)
        for k in range(3, -1, -1):
            old = hand[seat, k]
            hand[seat, k] = old & ~bit
            bit &= ~old


@kernel(inline=True)
def plus(h0, h1, h2, h3, card):
    """Return the four words with one more `card` (0 … 51)."""
    bit = _ONE << U(card)
    b1 = bit & h0
    b2 = b1 & h1
    b3 = b2 & h2
    return h0 | bit, h1 | b1, h2 | b2, h3 | b3


@kernel(inline=True)
def minus(h0, h1, h2, h3, card):
    """Return the four words without one `card` (0 … 51) that is there."""
    bit = _ONE << U(card)
    b2 = bit & ~h3
    b1 = b2 & ~h2
    b0 = b1 & ~h1
    return h0 & ~b0, h1 & ~b1, h2 & ~b2, h3 & ~bit


@kernel(inline=True)
def has_card(h0, jokers, card):
    """Return whether a hand holds a card (0 … 52)."""
    if card == 52:
        return jokers > 0
    return (h0 >> U(card)) & _ONE != _ZERO


@kernel(inline=True)
def count_in(h0, h1, h2, h3, mask):
    """Return how many cards of a hand lie in a mask of cards."""
    return popcount(h0 & mask) + popcount(h1 & mask) + popcount(h2 & mask) + popcount(h3 & mask)


@kernel(inline=True)
def card_value(card, wild, rules):
    """Return what a card costs when it is left in hand."""
    if card == 52:
        return np.int64(rules.joker_penalty)
    rank = card % 13
    if rank == wild:
        return np.int64(rules.wild_penalty)
    return min(rank + 1, 10)


@kernel(inline=True)
def ranks_of(word):
    """Return the ranks of the cards of a word, as a mask of 13 bits."""
    word |= word >> U(26)
    return (word | (word >> U(13))) & U(0x1FFF)


@kernel(inline=True)
def lowest_card(word):
    """Return the lowest card of a word that is not empty."""
    return ctz(word)
