"""The best hand-written policy of *3 sind eine zu viel!*: weighs what a play does to the own cards, hand and neighbours.

Everything is counted in whole units of 1/256 point, so that small tables can stand in the integers of `ctx.tmp`.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.policies.base import policy
from simlib.policies.drei_zu_viel.values import (
    PLAYS,
    U,
    cards_taken,
    pairs,
    place_in,
    plays_left,
    row_word,
    settle,
    silver_left,
    singles,
    tableau,
    units,
)

UNIT = 256.0
_ONE, _TWO, _THREE, _EIGHT, _16, _24, _56 = U(1), U(2), U(3), U(8), U(16), U(24), U(56)
_BYTE, _TWO_CARDS, _THREE_CARDS, _NO_FOURTH, _NEUTRAL = U(0xFF), U(0xFFFF), U(0xFFFFFF), U(127 << 24), U(3 << 56)
_FAR = 1 << 40
# Places in ctx.tmp. COLOURS: what 0 … 7 open colours promise. SINGLE, PAIR, THIRD, POINT: what a single colour, a pair and a neutral card
# are worth and three face-down cards cost. THEIRS: what a card means to the next player who has 0, 1, 2 of its colour; neutral.
# GAIN: of each card of the hand in the rows as they lie; BEST, WORST: of the cards that belong to a row. THREAT: what a row is worth
# where it lies. START: where a row's cards begin in the hand. W: weights.
COLOURS, SINGLE, PAIR, THIRD, POINT, THEIRS, GAIN = 0, 8, 9, 10, 11, 12, 16
BEST, WORST, THREAT, START = 36, 40, 44, 48
W_BEST, W_WORST, W_FULL = 52, 53, 54


@kernel(inline=True)
def worth(tmp, word, down):
    """Return what a tableau promises, with `down` triples turned."""
    one, two = singles(word), pairs(word)
    neutral = np.int64(word >> _56) * tmp[POINT]
    return tmp[SINGLE] * one + tmp[PAIR] * two + tmp[COLOURS + one + two] - tmp[THIRD] * down + neutral


@kernel(inline=True)
def with_cards(tmp, word, extra):
    """Return what a tableau promises after cards have come."""
    after, down = settle(word, extra)
    return worth(tmp, after, down)


@kernel(inline=True)
def after_take(view, tmp, word, row, value):
    """Return what a tableau promises after the card of this value is played into a full row."""
    after, down = settle(word, units(view.rules, cards_taken(row, place_in(row, value))))
    return worth(tmp, after, down)


@kernel(inline=True)
def their(tmp, word, unit):
    """Return what a card means to the next player with this tableau."""
    return tmp[THEIRS + np.int64((word >> U(ctz(unit))) & _THREE)]


@kernel(inline=True)
def threat(tmp, word, row, first, a, b, c):
    """Return what a full row means for the next player: each card by the width of the gaps that take it, in 1/32."""
    low, mid, high = np.int64(row & _BYTE), np.int64((row >> _EIGHT) & _BYTE), np.int64((row >> _16) & _BYTE)
    word |= _NEUTRAL
    return their(tmp, word, a) * (29 + low - high) + their(tmp, word, b) * (mid - first) + their(tmp, word, c) * (high - first)


@kernel(inline=True)
def prepare(view, ctx, seat, left):
    """Turn the weights into the tables for this moment of the game; `left` is the part of the plays still to come."""
    p = ctx.params
    tmp = ctx.tmp
    tmp[SINGLE] = int(UNIT * (1.0 + left * (p[0] + p[1] * left)))
    tmp[PAIR] = int(UNIT * (5.0 + left * (p[2] + p[3] * left)))
    tmp[THIRD] = int(UNIT * (3.0 + left * p[4]))
    tmp[POINT] = int(UNIT) * int(view.rules.neutral_points)
    silver = float(silver_left(view, seat))
    need = int(view.rules.gold_min_colours)
    for k in range(8):
        tmp[COLOURS + k] = int(UNIT * (5.0 + left * p[7])) if k >= need else 0
    if 1 < need < 9:
        tmp[COLOURS + need - 2] = int(UNIT * left * p[5])
        tmp[COLOURS + need - 1] = int(UNIT * left * p[6])
    tmp[COLOURS + 5] += int(UNIT * left * silver * p[8])
    tmp[COLOURS + 6] += int(UNIT * left * silver * p[9])
    tmp[COLOURS + 7] += int(UNIT * (left * p[10] + silver))
    tmp[W_BEST] = int(UNIT * (p[11] + p[12] * left))
    tmp[W_WORST] = int(UNIT * (p[13] + p[14] * left))
    tmp[W_FULL] = int(UNIT * (p[15] + p[16] * left))
    for k in range(3):
        tmp[THEIRS + k] = int(UNIT / 32.0 * (p[17 + k] + left * p[20 + k]))
    tmp[THEIRS + 3] = 0


@kernel(inline=True)
def lying(view, tmp, row, first, neighbour):
    """Return what it is worth to leave a full row to the next player."""
    unit = view.rules.unit
    a, b, c = unit[row & _BYTE], unit[(row >> _EIGHT) & _BYTE], unit[(row >> _16) & _BYTE]
    return threat(tmp, neighbour, row, first, a, b, c) + tmp[W_FULL]


@kernel(inline=True)
def survey(view, tmp, n, word, neighbour):
    """Fill the tables for the rows as they lie."""
    base = worth(tmp, word, 0)
    i = 0
    for r in range(3):
        tmp[START + r] = i
        end = U(30 * r + 30)
        best, worst = -_FAR, _FAR
        tmp[THREAT + r] = 0
        full = view.row_n[r] == 3
        row = row_word(view, r)
        if full:
            tmp[THREAT + r] = lying(view, tmp, row, 30 * r, neighbour)
        while i < n and U(view.hand[i]) < end:
            gain = after_take(view, tmp, word, row, U(view.hand[i])) - base if full else 0
            tmp[GAIN + i] = gain
            best = max(best, gain)
            worst = min(worst, gain)
            i += 1
        tmp[BEST + r] = best
        tmp[WORST + r] = worst
    tmp[START + 3] = i


@kernel(inline=True)
def laid(row, place, value):
    """Return a row with a value laid at its place."""
    low = (_ONE << (place << _THREE)) - _ONE
    return (row & low) | (value << (place << _THREE)) | ((row & ~low) << _EIGHT)


@kernel(inline=True)
def prospect(view, tmp, i, r, word, neighbour):
    """Return the merit of the play of card `i` into row `r`, in 1/65536 points."""
    value = U(view.hand[i])
    held = int(view.row_n[r])
    r1, r2 = int(r == 0), 2 - int(r == 2)
    best = max(tmp[BEST + r1], tmp[BEST + r2])
    worst = min(tmp[WORST + r1], tmp[WORST + r2])
    begin, end = tmp[START + r], tmp[START + r + 1]
    merit = tmp[GAIN + i] - tmp[THREAT + r]
    row = row_word(view, r)
    place = place_in(row, value)
    if held == 2 or (held == 3 and place >= _TWO):  # the row is full after the play
        if held == 3:  # the card at one end goes
            word, _ = settle(word, view.rules.unit[cards_taken(row, place) & _BYTE])
            row = (row | (value << _24)) >> _EIGHT if place == _THREE else (row & _TWO_CARDS) | (value << _16)
        else:
            row = laid(row, place, value)
        row = (row & _THREE_CARDS) | _NO_FOURTH
        merit += lying(view, tmp, row, 30 * r, neighbour)
        base = worth(tmp, word, 0)
        for j in range(begin, end):
            if j != i:
                gain = after_take(view, tmp, word, row, U(view.hand[j])) - base
                best = max(best, gain)
                worst = min(worst, gain)
    elif end - begin > 1:
        best = max(best, 0)
        worst = min(worst, 0)
    return 256 * merit + tmp[W_BEST] * best + tmp[W_WORST] * worst


@policy(
    "drei_zu_viel",
    single=(8.97, "worth of a single colour beyond its point, with all plays to come; falls with the plays left, as all of these"),
    single_2=(1.68, "the same, falling with the square of the plays left"),
    pair=(-7.53, "worth of a pair beyond its five points: the third card threatens"),
    pair_2=(-1.2, "the same, falling with the square"),
    third=(2.06, "loss at a third card beyond its three points"),
    colours_5=(2.83, "worth of two colours fewer than the gold bonus needs"),
    colours_6=(-2.35, "worth of one colour fewer"),
    gold=(-0.48, "worth of enough colours for gold beyond five points"),
    silver_5=(0.09, "part of the next silver bonus counted with five colours open"),
    silver_6=(0.39, "part of it counted with six"),
    colours_7=(-3.62, "worth of all seven colours beyond the bonuses"),
    best=(0.34, "weight of the best gain that the rest of the hand could make now"),
    best_left=(-0.52, "change of it with all plays to come"),
    worst=(0.0, "weight of the worst gain of the rest of the hand"),
    worst_left=(0.25, "change of it with all plays to come"),
    full=(3.95, "worth of a row left with four cards"),
    full_left=(-2.2, "change of it with all plays to come"),
    next_new=(-1.92, "worth of a card in a full row of a colour that the next player lacks"),
    next_pair=(-1.0, "worth of one that would make the next player's pair"),
    next_third=(-0.36, "worth of one that would be the next player's third"),
    next_new_left=(1.83, "change of next_new with all plays to come"),
    next_pair_left=(0.17, "change of next_pair"),
    next_third_left=(-1.21, "change of next_third"),
)
def careful(view, ctx):
    """Weigh own cards, the rest of the hand, the next player's danger and the plays left.

    A tableau is worth more or less than its points while plays are left: a single can become a pair, a pair is in danger of its third
    card (the source: "Schnell wurden da auch schon gleichfarbige Kartenpaare erreicht und somit die potentielle dritte Karte der
    Farbe zur ungewünschten Karte"). The rows after the play count by what the rest of the hand could take from them
    and by what they hold for the next player. The weights come from a search over common deals.
    """
    tmp = ctx.tmp
    seat = int(view.seat)
    n = int(view.hand_n[seat])
    following = seat + 1 if seat + 1 < view.players else 0
    word = tableau(view, seat)
    neighbour = tableau(view, following)
    prepare(view, ctx, seat, (plays_left(view, seat) - 1) / PLAYS)
    survey(view, tmp, n, word, neighbour)
    best = -(1 << 62)
    choice = 0
    for r in range(3):
        for i in range(tmp[START + r], tmp[START + r + 1]):
            merit = prospect(view, tmp, i, r, word, neighbour)
            if merit > best:
                best = merit
                choice = i
    return choice
