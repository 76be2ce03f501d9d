"""What a turn of *3 sind eine zu viel!* is worth: shared by the policies.

A seat's face-up cards travel as one 64-bit word, the *tableau*: byte c counts the open cards of colour c (0, 1 or 2). Its top byte
collects what has happened since the view: bits 56–59 cards turned face down, bits 60–61 neutral cards taken,
bit 62 whether all seven colours lay open when the silver bonus was checked.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel

U = np.uint64
_ONE, _TWO, _THREE, _63 = U(1), U(2), U(3), U(63)
_SINGLES, _PAIRS = U(0x01010101010101), U(0x02020202020202)
_DOWN, _NEUTRAL, _SEVEN = U(56), U(60), U(62)
PLAYS = 18


@kernel(inline=True)
def tableau(view, seat):  # type: ignore[no-untyped-def]
    """Return the face-up cards of a seat as a word."""
    word = U(0)
    for c in range(7):
        word |= U(view.colours[seat, c]) << U(8 * c)
    return word


@kernel(inline=True)
def singles(word):  # type: ignore[no-untyped-def]
    """Return the number of colours with one open card."""
    return popcount(word & _SINGLES)


@kernel(inline=True)
def pairs(word):  # type: ignore[no-untyped-def]
    """Return the number of colours with two open cards."""
    return popcount(word & _PAIRS)


@kernel(inline=True)
def add_card(word, colour):  # type: ignore[no-untyped-def]
    """Lay one more card of a colour open; the third turns all three face down. −1 is a neutral card."""
    if colour < 0:
        return word + (_ONE << _NEUTRAL)
    shift = U(8 * colour)
    third = (word >> shift) & _TWO
    return word + (_ONE << shift) - ((_THREE * (third >> _ONE)) << shift) + ((_THREE * (third >> _ONE)) << _DOWN)


@kernel(inline=True)
def place_of(view, r, value):  # type: ignore[no-untyped-def]
    """Return how many cards of a row of three lie below a value."""
    return int(view.row[r, 0] < value) + int(view.row[r, 1] < value) + int(view.row[r, 2] < value)


@kernel
def take(view, word, r, place):  # type: ignore[no-untyped-def]
    """Return the tableau after a fifth card was laid at `place` of row `r`: the lowest card is taken at 3, all above otherwise."""
    first = 0 if place == 3 else place
    end = 1 if place == 3 else 3
    each = int(view.rules.check_each_card)
    hit = U(0)
    for i in range(first, end):
        word = add_card(word, int(view.rules.colour[view.row[r, i]]))
        if each != 0 or i == end - 1:
            hit |= U(popcount(word & _SINGLES) + popcount(word & _PAIRS) == 7)
    return word | hit << _SEVEN


@kernel(inline=True)
def face_down(word):  # type: ignore[no-untyped-def]
    """Return how many cards were turned face down since the view."""
    return int((word >> _DOWN) & U(15))


@kernel(inline=True)
def neutral(word):  # type: ignore[no-untyped-def]
    """Return how many neutral cards were taken since the view."""
    return int((word >> _NEUTRAL) & _THREE)


@kernel(inline=True)
def seven(word):  # type: ignore[no-untyped-def]
    """Return 1 when all seven colours lay open at a check for the silver bonus since the view."""
    return int((word >> _SEVEN) & _ONE)


@kernel(inline=True)
def silver_left(view, seat):  # type: ignore[no-untyped-def]
    """Return the points of the silver card that this seat would get now: 0 when it has one or none is left."""
    if view.has_silver[seat] != 0 or view.silver_taken >= view.rules.n_silver:
        return 0
    return int(view.rules.silver[view.silver_taken])


@kernel(inline=True)
def plays_left(view, seat):  # type: ignore[no-untyped-def]
    """Return how many plays a seat still has, a play under way included."""
    return int(view.hand_n[seat]) + int(view.stack_n[seat]) - 2


@kernel(inline=True)
def points(view, word):  # type: ignore[no-untyped-def]
    """Return the points of a tableau without bonuses: 1 a single colour, 5 a pair, −1 a card turned face down since the view."""
    return singles(word) + 5 * pairs(word) - face_down(word) + neutral(word) * int(view.rules.neutral_points)


@kernel
def gain(view, seat, word, r, place, gold):  # type: ignore[no-untyped-def]
    """Return the change of score of taking at `place` of the full row `r`, silver included.

    `gold` is what crossing the number of colours needed for the gold bonus counts.
    """
    after = take(view, word, r, place)
    change = float(points(view, after) - points(view, word)) + seven(after) * silver_left(view, seat)
    need = int(view.rules.gold_min_colours)
    return change + gold * (int(singles(after) + pairs(after) >= need) - int(singles(word) + pairs(word) >= need))
