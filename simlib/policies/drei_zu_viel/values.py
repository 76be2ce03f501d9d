"""What a turn of *3 sind eine zu viel!* brings: shared by the policies.

The face-up cards of a seat are one 64-bit word, the *tableau*: byte c counts the open cards of colour c (0, 1 or 2);
byte 7 counts neutral cards taken since the view.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel
from simlib._words import load32, load64
from simlib.games.drei_zu_viel.view import not_above

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
    """Return the tableau when cards have come (a word of `units`) and triples are turned, and how many triples."""
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
    """Return 1 when all seven colours lie open after one of the cards, taken one by one, but no more after the last."""
    hit = 0
    while cards != U(0):
        word, _ = settle(word, rules.unit[cards & _BYTE])
        hit |= int(singles(word) + pairs(word) == 7)
        cards >>= _EIGHT
    return hit & int(singles(word) + pairs(word) != 7)


@kernel(inline=True)
def worth(tmp, values, word, down):
    """Return what a tableau is worth, `down` triples turned on the way.

    `values` are those of a single colour, a pair, three cards face down, and a neutral card; tmp[0] … tmp[7] that of
    0 … 7 open colours.
    """
    one, two = singles(word), pairs(word)
    return values[0] * one + values[1] * two + tmp[one + two] + values[2] * down + values[3] * np.int64(word >> _56)


@kernel(inline=True)
def worth_with(tmp, values, word, extra):
    """Return what a tableau is worth after cards have come (a word of `units`)."""
    after, down = settle(word, extra)
    return worth(tmp, values, after, down)


@kernel(inline=True)
def note_units(view, tmp, at, r):
    """Write the `units` that a play at place 0 … 3 of row `r` takes, 0 for nothing, to tmp[at] … tmp[at + 3]."""
    row = row_word(view, r)
    full = U(0) - U(view.row_n[r] == 3)
    unit = view.rules.unit
    low, high = unit[row & _BYTE] & full, unit[(row >> _16) & _BYTE] & full
    two = (unit[(row >> _EIGHT) & _BYTE] & full) + high
    tmp[at] = np.int64(low + two)
    tmp[at + 1] = np.int64(two)
    tmp[at + 2] = np.int64(high)
    tmp[at + 3] = np.int64(low)


@kernel(inline=True)
def fill_row(view, tmp, at, r, values, word, stay, silver):
    """Write what the tableau is worth after a play at place 0 … 3 of row `r` to tmp[at] … tmp[at + 3].

    `stay` is its worth when nothing is taken, `silver` the worth of the silver card to be had.
    """
    if view.row_n[r] != 3:
        for place in range(4):
            tmp[at + place] = stay
        return
    rules = view.rules
    row = row_word(view, r)
    low, high = rules.unit[row & _BYTE], rules.unit[(row >> _16) & _BYTE]
    two = rules.unit[(row >> _EIGHT) & _BYTE] + high
    tmp[at] = worth_with(tmp, values, word, low + two)
    tmp[at + 1] = worth_with(tmp, values, word, two)
    tmp[at + 2] = worth_with(tmp, values, word, high)
    tmp[at + 3] = worth_with(tmp, values, word, low)
    if rules.check_each_card != 0:
        for place in range(4):
            tmp[at + place] += silver * seven_on_the_way(rules, word, cards_taken(row, U(place)))
