"""The best hand-written policy of *3 sind eine zu viel!*: weighs what a play does to the own cards, hand and neighbour.

Everything is counted in whole units of 1/256 point, so that small tables can stand in the integers of `ctx.tmp`.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel
from simlib._words import load64
from simlib.games.drei_zu_viel.play import row_of
from simlib.games.drei_zu_viel.view import PLAYS, not_above
from simlib.policies.base import policy
from simlib.policies.drei_zu_viel.values import (
    U,
    note_units,
    place_in,
    plays_left,
    row_word,
    silver_left,
    tableau,
    worth,
    worth_with,
)

_ZERO, _ONE, _TWO, _THREE, _FOUR, _SEVEN, _EIGHT, _16 = U(0), U(1), U(2), U(3), U(4), U(7), U(8), U(16)
_BYTE = U(0xFF)
_NEUTRAL = U(3 << 56)
_FAR = 1 << 40
# Places in ctx.tmp after the worth of 0 … 7 open colours. UNITS: what comes by row and place; CARD: worth after the
# play of each card of the hand, BEST: the best gain in a row. THEIRS: what a card in a full row is worth that the next
# player has 0, 1, 2 of; neutral. LYING: what a row is worth where it lies; REST: the same without its highest and
# without its lowest card. START: where a row's cards begin in the hand.
UNITS, CARD, BEST, THEIRS, LYING, REST, START = 8, 20, 28, 32, 36, 40, 48
_UNITS, _BEST, _LYING, _REST, _START = U(UNITS), U(BEST), U(LYING), U(REST), U(START)
#: Where the parameters stand in `ctx.params`.
_SINGLE, _PAIR, _THIRD, _BEST_GAIN, _TAKE, _TAKE_LEFT, _FULL, _FULL_LEFT, _ABOVE, _ABOVE_LEFT = range(10)
_BELOW, _BELOW_LEFT, _THREE_CARDS, _THREE_ABOVE, _THREE_ABOVE_LEFT, _NEXT = range(10, 16)


@kernel(inline=True)
def prepare(view, ctx, seat, left):
    """Fill the tables of bonuses and of the next player's cards; return the values of `worth`.

    `left` is the part of the seat's plays that are still to come after this one.
    """
    p = ctx.params
    tmp = ctx.tmp
    need = int(view.rules.gold_min_colours)
    for k in range(8):
        tmp[k] = 1280 if k >= need else 0
    silver = 256.0 * silver_left(view, seat)
    tmp[7] += int(silver)
    for k in range(3):
        tmp[THEIRS + k] = int(256.0 * p[_NEXT + k])
    tmp[THEIRS + 3] = 0
    single = int(256.0 * (1.0 + left * p[_SINGLE]))
    pair = int(256.0 * (5.0 + left * p[_PAIR]))
    third = int(-256.0 * (3.0 + left * p[_THIRD]))
    return single, pair, third, 256 * int(view.rules.neutral_points)


@kernel(inline=True)
def their(view, tmp, word, value):
    """Return what a card in a full row is worth by what the next player has of its colour."""
    shift = (U(view.rules.colour[value]) & _SEVEN) << _THREE  # neutral cards: byte 7
    return tmp[U(THEIRS) + (((word | _NEUTRAL) >> shift) & _THREE)]


@kernel(inline=True)
def survey_row(view, tmp, r, neighbour, full):
    """Note what row `r` brings by place, and what it is worth lying there and, with two or three cards, without an end.

    Written with hardly any branches: what the rows hold is as good as chance to the processor.
    """
    note_units(view, tmp, UNITS + 4 * r, r)
    held = int(view.row_n[r])
    row = row_word(view, r) & ((_ONE << (U(held) << _THREE)) - _ONE)  # no card: value 0, which counts as neutral
    a, b = their(view, tmp, neighbour, row & _BYTE), their(view, tmp, neighbour, (row >> _EIGHT) & _BYTE)
    c = their(view, tmp, neighbour, row >> _16)
    tmp[LYING + r] = full + a + b + c if held == 3 else 0
    tmp[REST + 2 * r] = full + a + b
    tmp[REST + 2 * r + 1] = full + b + c if held == 3 else full + a + b


@kernel(inline=True)
def survey_hand(view, tmp, values, n, word, stay):
    """Note what each card of the hand leads to in the rows as they lie, and the best gain of each row."""
    hand = load64(view.hand, 0)
    tmp[START] = 0
    for r in range(3):
        tmp[BEST + r] = -_FAR - stay
        tmp[START + r + 1] = popcount(not_above(hand, U(30 * r + 29)))
    for i in range(n):
        value = hand & _BYTE
        hand >>= _EIGHT
        r = row_of(value)
        tmp[CARD + i] = worth_with(tmp, values, word, U(tmp[_UNITS + _FOUR * r + place_in(row_word(view, r), value)]))
        tmp[_BEST + r] = max(tmp[_BEST + r], tmp[CARD + i] - stay)


@kernel(inline=True)
def weight(ctx, k, left):
    """Return a weight that changes with the plays left, in 1/256 point; its change stands behind it."""
    return int(256.0 * (ctx.params[k] + ctx.params[k + 1] * left))


@kernel(inline=True)
def prospect(view, tmp, i, neighbour, weights):
    """Return the merit of playing card `i` of the hand, in 1/65536 points."""
    best_gain, take, full_above, full_below, three, three_above = weights
    value = U(view.hand[i])
    r = row_of(value)
    held = view.row_n[r]
    place = place_in(row_word(view, r), value)
    above, below = tmp[_START + r + _ONE] - 1 - i, i - tmp[_START + r]  # the other cards of the hand for this row
    best = max(tmp[_BEST + U(r == _ZERO)], tmp[_BEST + _TWO - U(r == _TWO)])
    best = max(best, 0 if above + below > 0 else best)
    top = np.int64(place == _THREE)
    merit = tmp[CARD + i] - tmp[_LYING + r] + (take * (3 - np.int64(place) + top) if held == 3 else 0)
    full = (held == 2) | ((held == 3) & (place >= _TWO))  # the row holds four cards after the play
    lies = tmp[_REST + _TWO * r + U(top)] + their(view, tmp, neighbour, value) + full_above * above + full_below * below
    merit += lies if full else 0
    merit += three + three_above * above if held == 1 else 0
    return 256 * merit + best_gain * best


@policy(
    "drei_zu_viel",
    single=(
        9.96,
        "worth of a single colour beyond its point, with all plays to come; falls with the plays left, as the next two",
    ),
    pair=(-7.83, "worth of a pair beyond its five points: the third card threatens"),
    third=(7.45, "loss at a third card beyond its three points"),
    best=(0.22, "weight of the best gain that the hand could make in the other rows now"),
    take=(1.05, "worth of each card taken, beside what it does to the own colours"),
    take_left=(-3.02, "change of it with all plays to come"),
    full=(1.87, "worth of a row left with four cards"),
    full_left=(-0.57, "change of it with all plays to come"),
    full_above=(1.52, "worth, in a row left with four cards, of each higher card of the hand for this row"),
    full_above_left=(0.47, "change of it with all plays to come"),
    full_below=(0.49, "the same for each lower card of the hand for this row"),
    full_below_left=(-0.09, "change of it with all plays to come"),
    three=(2.11, "worth of a row left with three cards"),
    three_above=(0.83, "worth, in a row left with three cards, of each higher card of the hand for this row"),
    three_above_left=(0.8, "change of it with all plays to come"),
    next_new=(-0.18, "worth of a card in a row left with four of a colour that the next player lacks"),
    next_pair=(-0.24, "worth of one that would make the next player's pair"),
    next_third=(-0.2, "worth of one that would be the next player's third"),
)
def careful(view, ctx):
    """Weigh own cards, the rest of the hand, what a full row holds for the next player, and the plays left.

    A tableau is worth more or less than its points while plays are left: a single can become a pair, a pair is in
    danger of its third card (the source: "Schnell wurden da auch schon gleichfarbige Kartenpaare erreicht und somit die
    potentielle dritte Karte der Farbe zur ungewünschten Karte"). A row after the play counts by the cards of the hand
    that could follow there, higher ones above all since they take few cards, and by what it holds for the next player.
    The weights come from a search over deals: experiments/drei_tune_careful.py.
    """
    p = ctx.params
    tmp = ctx.tmp
    seat = int(view.seat)
    n = int(view.hand_n[seat])
    following = seat + 1 if seat + 1 < view.players else 0
    word, neighbour = tableau(view, seat), tableau(view, following)
    left = (plays_left(view, seat) - 1) * (1.0 / PLAYS)
    values = prepare(view, ctx, seat, left)
    stay = worth(tmp, values, word, 0)
    full = weight(ctx, _FULL, left)
    weights = (
        int(256.0 * p[_BEST_GAIN]),
        weight(ctx, _TAKE, left),
        weight(ctx, _ABOVE, left),
        weight(ctx, _BELOW, left),
        int(256.0 * p[_THREE_CARDS]),
        weight(ctx, _THREE_ABOVE, left),
    )
    for r in range(3):
        survey_row(view, tmp, r, neighbour, full)
    survey_hand(view, tmp, values, n, word, stay)
    best = -(1 << 62)
    choice = 0
    for i in range(n):
        merit = prospect(view, tmp, i, neighbour, weights)
        choice = i if merit > best else choice
        best = max(best, merit)
    return choice
