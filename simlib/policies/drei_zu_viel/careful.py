"""The best hand-written policy of *3 sind eine zu viel!*: weighs what a play does to the own cards, hand and neighbour.

Everything is counted in whole units of 1/256 point, so that small tables can stand in the integers of `ctx.tmp`.
"""

from __future__ import annotations

from simlib._bits import popcount
from simlib._jit import kernel
from simlib._words import load64
from simlib.games.drei_zu_viel.play import row_of
from simlib.games.drei_zu_viel.view import PLAYS, not_above
from simlib.policies.base import policy
from simlib.policies.drei_zu_viel.values import (
    U,
    cards_taken,
    note_units,
    place_in,
    plays_left,
    row_word,
    settle,
    silver_left,
    tableau,
    units,
    worth,
    worth_with,
)

_ZERO, _ONE, _TWO, _THREE, _FOUR, _SEVEN, _EIGHT, _16 = U(0), U(1), U(2), U(3), U(4), U(7), U(8), U(16)
_BYTE, _THREE_CARDS, _NO_THIRD, _NO_FOURTH = U(0xFF), U(0xFFFFFF), U(127 << 16), U(127 << 24)
_NEUTRAL = U(3 << 56)
_FAR = 1 << 40
# Places in ctx.tmp after the worth of 0 … 7 open colours. UNITS: what comes by row and place; CARD: worth after the
# play of each card of the hand, BEST: the best gain in a row. THEIRS: what a card in a full row is worth that the next
# player has 0, 1, 2 of; neutral. LYING: what a row is worth where it lies; REST: the same without its highest and
# without its lowest card. START: where a row's cards begin in the hand.
UNITS, CARD, BEST, THEIRS, LYING, REST, START = 8, 20, 28, 32, 36, 40, 48
_UNITS, _BEST, _LYING, _REST, _START = U(UNITS), U(BEST), U(LYING), U(REST), U(START)


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
    tmp[6] += int(silver * left * p[3])
    tmp[7] += int(silver)
    for k in range(3):
        tmp[THEIRS + k] = int(256.0 * (p[8 + k] + left * p[11 + k]))
    tmp[THEIRS + 3] = 0
    single = int(256.0 * (1.0 + left * p[0]))
    pair = int(256.0 * (5.0 + left * p[1]))
    third = int(-256.0 * (3.0 + left * p[2]))
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
def full_row(row, place, value):
    """Return a row that is full after a play: a third card has come, or a fourth, and the card at one end has gone."""
    low = (_ONE << (place << _THREE)) - _ONE
    row = (row & low) | (value << (place << _THREE)) | ((row & ~low) << _EIGHT)
    top = U(place == _THREE)
    # A new highest card counts as none, as when the weights were searched.
    return ((row >> (top << _THREE)) & _THREE_CARDS) | _NO_FOURTH | (top * _NO_THIRD)


@kernel(inline=True)
def prospect(view, tmp, values, i, word, neighbour, w_best):
    """Return the merit of playing card `i` of the hand, in 1/65536 points."""
    value = U(view.hand[i])
    r = row_of(value)
    held = view.row_n[r]
    row = row_word(view, r)
    place = place_in(row, value)
    begin, end = tmp[_START + r], tmp[_START + r + _ONE]
    best = max(tmp[_BEST + U(r == _ZERO)], tmp[_BEST + _TWO - U(r == _TWO)])
    merit = tmp[CARD + i] - tmp[_LYING + r]
    full = (held == 2) | ((held == 3) & (place >= _TWO))  # the row is full after the play
    lies = tmp[_REST + _TWO * r + U(place == _THREE)] + their(view, tmp, neighbour, value)
    merit += lies if full else 0
    if full and end - begin > 1:
        word, _ = settle(word, U(tmp[_UNITS + _FOUR * r + place]))
        now = worth(tmp, values, word, 0)
        row = full_row(row, place, value)
        for k in range(begin, end - 1):
            j = k + int(k >= i)  # the other cards of this row
            taken = cards_taken(row, place_in(row, U(view.hand[j])))
            best = max(best, worth_with(tmp, values, word, units(view.rules, taken)) - now)
    elif end - begin > 1:
        best = max(best, 0)
    return 256 * merit + w_best * best


@policy(
    "drei_zu_viel",
    single=(
        9.13,
        "worth of a single colour beyond its point, with all plays to come; falls with the plays left, as all of these",
    ),
    pair=(-11.2, "worth of a pair beyond its five points: the third card threatens"),
    third=(1.79, "loss at a third card beyond its three points"),
    silver_6=(0.7, "part of the next silver bonus counted with six colours open"),
    best=(0.14, "weight of the best gain that the rest of the hand could make now"),
    best_left=(0.49, "change of it with all plays to come"),
    full=(1.69, "worth of a row left with four cards"),
    full_left=(-0.33, "change of it with all plays to come"),
    next_new=(-0.72, "worth of a card in a full row of a colour that the next player lacks"),
    next_pair=(-0.32, "worth of one that would make the next player's pair"),
    next_third=(0.35, "worth of one that would be the next player's third"),
    next_new_left=(0.09, "change of next_new with all plays to come"),
    next_pair_left=(0.47, "change of next_pair"),
    next_third_left=(0.63, "change of next_third"),
)
def careful(view, ctx):
    """Weigh own cards, the rest of the hand, what a full row holds for the next player, and the plays left.

    A tableau is worth more or less than its points while plays are left: a single can become a pair, a pair is in
    danger of its third card (the source: "Schnell wurden da auch schon gleichfarbige Kartenpaare erreicht und somit die
    potentielle dritte Karte der Farbe zur ungewünschten Karte"). The rows after the play count by what the rest of the
    hand could take from them and by what they hold for the next player. The weights come from a search over deals.
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
    full = int(256.0 * (p[6] + p[7] * left))
    w_best = int(256.0 * (p[4] + p[5] * left))
    for r in range(3):
        survey_row(view, tmp, r, neighbour, full)
    survey_hand(view, tmp, values, n, word, stay)
    best = -(1 << 62)
    choice = 0
    for i in range(n):
        merit = prospect(view, tmp, values, i, word, neighbour, w_best)
        choice = i if merit > best else choice
        best = max(best, merit)
    return choice
