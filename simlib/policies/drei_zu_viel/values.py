"""What a turn of *3 sind eine zu viel!* brings: shared by the policies.

The face-up cards of a seat are one 64-bit word, the *tableau*: byte c counts the open cards of colour c (0, 1 or 2); byte 7 counts neutral
cards taken since the view.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel
from simlib._words import load32, load64
from simlib.games.drei_zu_viel.view import PLAYS, not_above

U = np.uint64
_ONE, _TWO, _THREE, _SEVEN, _EIGHT, _16, _56 = U(1), U(2), U(3), U(7), U(8), U(16), U(56)
_BYTE, _THREE_CARDS, _ROW_HIGH = U(0xFF), U(0xFFFFFF), U(0x80808080)
#: The lowest bit of the bytes of the seven colours.
ONES = U(0x01010101010101)
_COLOURS = ONES * _BYTE
_TO_THREE, _BIT7 = ONES * U(125), ONES << _SEVEN


@kernel(inline=True)
def tableau(view, seat):
    """Return the face-up cards of a seat as a word."""
    return load64(view.colours, seat) & _COLOURS


@kernel(inline=True)
def singles(word):
    """Return the number of colours with one open card."""
    return popcount(word & ONES)


@kernel(inline=True)
def pairs(word):
    """Return the number of colours with two open cards."""
    return popcount(word & (ONES << _ONE))


@kernel(inline=True)
def row_word(view, r):
    """Return the cards of a row as a word of ascending bytes, padded with NO_CARD."""
    return U(load32(view.row, r))


@kernel(inline=True)
def place_in(row, value):
    """Return how many cards of a row lie below a value (uint64)."""
    return U(popcount(not_above(row, value) & _ROW_HIGH))


@kernel(inline=True)
def cards_taken(row, place):
    """Return the cards that a fifth card at `place` takes from a row of three: its lowest at 3, all above otherwise."""
    highest = (place + _ONE) >> _TWO
    return (row >> ((place * (_ONE - highest)) << _THREE)) & (_THREE_CARDS >> (highest << U(4)))


@kernel(inline=True)
def units(rules, cards):
    """Return how many cards of each colour there are among up to three cards."""
    return rules.unit[cards & _BYTE] + rules.unit[(cards >> _EIGHT) & _BYTE] + rules.unit[cards >> _16]


@kernel(inline=True)
def triples(word):
    """Return a bit in the byte of each colour with three cards or more; `word` is a tableau with `units` added."""
    return ((word + _TO_THREE) & _BIT7) >> _SEVEN


@kernel(inline=True)
def settle(word, extra):
    """Return the tableau when cards have come (a word of `units`) and triples are turned face down, and how many triples."""
    word += extra
    third = triples(word)
    return word - _THREE * third, popcount(third)


@kernel(inline=True)
def silver_left(view, seat):
    """Return the points of the silver card that this seat would get now: 0 when it has one or none is left."""
    if view.has_silver[seat] != 0 or view.silver_taken >= view.rules.n_silver:
        return 0
    return int(view.rules.silver[U(view.silver_taken)])


@kernel(inline=True)
def plays_left(view, seat):
    """Return how many plays a seat still has, a play under way included."""
    return int(view.hand_n[seat]) + int(view.stack_n[seat]) - 2


@kernel
def seven_on_the_way(rules, word, cards):
    """Return 1 when all seven colours lie open after one of the cards, taken one by one (silver_check = "card")."""
    hit = 0
    while cards != U(0):
        word, _ = settle(word, rules.unit[cards & _BYTE])
        hit |= int(singles(word) + pairs(word) == 7)
        cards >>= _EIGHT
    return hit


@kernel(inline=True)
def standing(view, word, row, place, full, silver, gold):
    """Return the score of a seat after its play, less all that no play changes, in 1/256 points.

    Parameters
    ----------
    word : uint64
        The seat's tableau.
    row, place, full : uint64
        The row that the card goes to, its place there, and 1 when the row is full so that cards are taken, 0 when not.
    silver, gold : int
        Points of the silver card to be had; what enough colours for the gold bonus count, in 1/256 points.
    """
    rules = view.rules
    cards = cards_taken(row, place) & (U(0) - full)
    after, down = settle(word, units(rules, cards))
    one, two = singles(after), pairs(after)
    points = one + 5 * two - 3 * down + np.int64(after >> _56) * int(rules.neutral_points)
    if rules.check_each_card != 0:
        points += silver * seven_on_the_way(rules, word, cards)
    else:
        points += silver * int(one + two == 7)
    return 256 * points + gold * int(one + two >= int(rules.gold_min_colours))
