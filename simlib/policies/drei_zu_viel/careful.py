"""The best hand-written policy of *3 sind eine zu viel!*: weighs what a play does to the own cards, hand and neighbours.

Everything is counted in whole units of 1/256 point, so that small tables can stand in the integers of `ctx.tmp`. A tableau is a word whose byte c
counts the open cards of colour c; byte 7, which neutral cards fall into, always holds 3.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel
from simlib.policies.base import policy
from simlib.policies.drei_zu_viel.values import PLAYS, place_of, plays_left, silver_left, tableau

U = np.uint64
UNIT = 256.0
_THREE, _SEVEN, _NEUTRAL = U(3), U(7), U(3 << 56)
_OPEN, _ONE = U(0x01010101010101), U(1)
#: Two bits each: the count after one more card of a colour that has 0, 1, 2 open cards; 3 (neutral) stays.
_AFTER = U(0b11001001)
_FAR = 1 << 40
# Places in ctx.tmp. COLOURS: what 0 … 7 open colours promise. CARD: what a card brings to a colour with 0, 1, 2 open cards, and a neutral
# one; THEIRS: the same for the next player. GAIN: by row and place, of the rows as they lie. NEW: of one row after a play.
# TOTAL, BEST, WORST: gains of the hand's cards in a row; THREAT: what a row holds for the next player. START: where a row's cards begin
# in the hand. W: weights.
COLOURS, CARD, THEIRS, GAIN, NEW, TOTAL, BEST, WORST, THREAT, START, W = 0, 8, 12, 16, 28, 32, 36, 40, 44, 48, 52
W_BEST, W_MEAN, W_WORST, W_FULL, W_CROWD, W_MIDDLE = W, W + 1, W + 2, W + 3, W + 4, W + 5


@kernel(inline=True)
def shift_of(view, value):  # type: ignore[no-untyped-def]
    """Return where a card's colour lies in a tableau, in bits."""
    return (U(view.rules.colour[value]) & _SEVEN) << _THREE


@kernel(inline=True)
def count(word, shift):  # type: ignore[no-untyped-def]
    """Return how many cards of a colour lie open (3: neutral)."""
    return (word >> shift) & _THREE


@kernel(inline=True)
def lay(word, shift):  # type: ignore[no-untyped-def]
    """Return the tableau with one more card; the third of a colour clears it."""
    n = count(word, shift)
    return word ^ ((n ^ ((_AFTER >> (n << _ONE)) & _THREE)) << shift)


@kernel(inline=True)
def colours(tmp, word):  # type: ignore[no-untyped-def]
    """Return what the number of open colours promises."""
    return tmp[COLOURS + popcount((word | (word >> _ONE)) & _OPEN)]


@kernel(inline=True)
def gains(tmp, at, word, a, b, c):  # type: ignore[no-untyped-def]
    """Write the gains of taking at places 0 … 3 of a full row, with colours at the shifts a, b, c, to tmp[at] … tmp[at + 3]."""
    base = colours(tmp, word)
    tmp[at + 3] = tmp[CARD + np.int64(count(word, a))] + colours(tmp, lay(word, a)) - base
    total = tmp[CARD + np.int64(count(word, c))] - base
    word = lay(word, c)
    tmp[at + 2] = total + colours(tmp, word)
    total += tmp[CARD + np.int64(count(word, b))]
    word = lay(word, b)
    tmp[at + 1] = total + colours(tmp, word)
    total += tmp[CARD + np.int64(count(word, a))]
    tmp[at] = total + colours(tmp, lay(word, a))


@kernel(inline=True)
def threat(tmp, word, first, a, b, c, sa, sb, sc):  # type: ignore[no-untyped-def]
    """Return what a full row of the values a < b < c holds for the next player: each card by the gaps that take it, of 32."""
    low = tmp[THEIRS + np.int64(count(word, sa))] * (29 + a - c)
    return low + tmp[THEIRS + np.int64(count(word, sb))] * (b - first) + tmp[THEIRS + np.int64(count(word, sc))] * (c - first)


@kernel
def prepare(view, ctx, seat, left):  # type: ignore[no-untyped-def]
    """Turn the weights into the tables for this moment of the game; `left` is the part of the plays still to come."""
    p = ctx.params
    tmp = ctx.tmp
    one = UNIT * (1.0 + left * (p[0] + p[1] * left))
    two = UNIT * (5.0 + left * (p[2] + p[3] * left))
    tmp[CARD] = int(one)
    tmp[CARD + 1] = int(two - one)
    tmp[CARD + 2] = int(-two - UNIT * (3.0 + left * p[4]))
    tmp[CARD + 3] = int(UNIT) * int(view.rules.neutral_points)
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
    tmp[W_MEAN] = int(UNIT * (p[13] + p[14] * left)) // (int(view.hand_n[seat]) - 1)
    tmp[W_WORST] = int(UNIT * (p[15] + p[16] * left))
    tmp[W_FULL] = int(UNIT * (p[17] + p[18] * left))
    tmp[W_CROWD] = int(UNIT * p[19])
    tmp[W_MIDDLE] = int(UNIT / 15.0 * p[20])
    for k in range(3):
        tmp[THEIRS + k] = int(UNIT / 32.0 * (p[21 + k] + left * p[24 + k]))
    tmp[THEIRS + 3] = 0


@kernel
def survey(view, tmp, n, word, neighbour):  # type: ignore[no-untyped-def]
    """Fill the tables for the rows as they lie."""
    i = 0
    for r in range(3):
        tmp[START + r] = i
        first = 30 * r
        total, best, worst = 0, -_FAR, _FAR
        tmp[THREAT + r] = 0
        if view.row_n[r] == 3:
            a, b, c = int(view.row[r, 0]), int(view.row[r, 1]), int(view.row[r, 2])
            sa, sb, sc = shift_of(view, a), shift_of(view, b), shift_of(view, c)
            gains(tmp, GAIN + 4 * r, word, sa, sb, sc)
            tmp[THREAT + r] = threat(tmp, neighbour, first, a, b, c, sa, sb, sc) + tmp[W_FULL]
            while i < n and view.hand[i] < first + 30:
                gain = tmp[GAIN + 4 * r + place_of(view, r, int(view.hand[i]))]
                total += gain
                best = max(best, gain)
                worst = min(worst, gain)
                i += 1
        else:
            while i < n and view.hand[i] < first + 30:
                best, worst = 0, 0
                i += 1
        tmp[TOTAL + r] = total
        tmp[BEST + r] = best
        tmp[WORST + r] = worst
    tmp[START + 3] = i


@kernel(inline=True)
def new_row(view, r, held, place, value):  # type: ignore[no-untyped-def]
    """Return the three cards of a row that stays full, or becomes so, after the play."""
    a, b, c = int(view.row[r, 0]), int(view.row[r, 1]), int(view.row[r, 2])
    if held == 3:
        return (b, c, value) if place == 3 else (a, b, value)
    return min(a, value), max(a, min(b, value)), max(b, value)


@kernel
def prospect(view, tmp, i, r, word, neighbour):  # type: ignore[no-untyped-def]
    """Return the merit of the play of card `i` into row `r`, in units of 1/256 points times 256."""
    value = int(view.hand[i])
    held = int(view.row_n[r])
    r1, r2 = int(r == 0), 2 - int(r == 2)
    total = tmp[TOTAL + r1] + tmp[TOTAL + r2]
    best = max(tmp[BEST + r1], tmp[BEST + r2])
    worst = min(tmp[WORST + r1], tmp[WORST + r2])
    begin, end = tmp[START + r], tmp[START + r + 1]
    merit = -tmp[THREAT + r] - (tmp[W_CROWD] if held == 2 else 0)
    place = place_of(view, r, value)
    after = held + 1
    if held == 3:
        merit += tmp[GAIN + 4 * r + place]
        after = min(place + 1, 3)
    if after == 3:
        a, b, c = new_row(view, r, held, place, value)
        if held == 3:
            word = lay(word, shift_of(view, int(view.row[r, 0 if place == 3 else 2])))
        sa, sb, sc = shift_of(view, a), shift_of(view, b), shift_of(view, c)
        gains(tmp, NEW, word, sa, sb, sc)
        merit += threat(tmp, neighbour, 30 * r, a, b, c, sa, sb, sc) + tmp[W_FULL]
        for j in range(begin, end):
            if j != i:
                u = int(view.hand[j])
                gain = tmp[NEW + int(a < u) + int(b < u) + int(c < u)]
                total += gain
                best = max(best, gain)
                worst = min(worst, gain)
    elif end - begin > 1:
        best = max(best, 0)
        worst = min(worst, 0)
    merit += (tmp[W_CROWD] if after == 2 else 0) + tmp[W_MIDDLE] * abs(value - 30 * r - 15)
    return 256 * merit + tmp[W_BEST] * best + tmp[W_MEAN] * total + tmp[W_WORST] * worst


@policy(
    "drei_zu_viel",
    single=(8.0, "worth of a single colour beyond its point, with all plays to come; falls with the plays left, as all of these"),
    single_2=(2.3, "the same, falling with the square of the plays left"),
    pair=(-8.4, "worth of a pair beyond its five points: the third card threatens"),
    pair_2=(-1.4, "the same, falling with the square"),
    third=(1.2, "loss at a third card beyond its three points"),
    colours_5=(3.1, "worth of two colours fewer than the gold bonus needs"),
    colours_6=(-2.2, "worth of one colour fewer"),
    gold=(0.0, "worth of enough colours for gold beyond five points"),
    silver_5=(0.1, "part of the next silver bonus counted with five colours open"),
    silver_6=(0.27, "part of it counted with six"),
    colours_7=(-4.5, "worth of all seven colours beyond the bonuses"),
    best=(0.49, "weight of the best gain that the rest of the hand could make now"),
    best_left=(-0.7, "change of it with all plays to come"),
    mean=(0.31, "weight of the mean gain of the rest of the hand"),
    mean_left=(-0.34, "change of it with all plays to come"),
    worst=(-0.18, "weight of the worst gain of the rest of the hand"),
    worst_left=(0.25, "change of it with all plays to come"),
    full=(3.9, "worth of a row left with four cards"),
    full_left=(-2.4, "change of it with all plays to come"),
    crowd=(0.5, "worth of a row left with three cards"),
    middle=(0.8, "worth of keeping cards from the middle of a row"),
    next_new=(0.0, "worth of a card in a full row of a colour that the next player lacks"),
    next_pair=(0.0, "worth of one that would make the next player's pair"),
    next_third=(0.0, "worth of one that would be the next player's third"),
    next_new_left=(0.0, "change of next_new with all plays to come"),
    next_pair_left=(0.0, "change of next_pair"),
    next_third_left=(0.0, "change of next_third"),
)
def careful(view, ctx):  # type: ignore[no-untyped-def]
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
    word = tableau(view, seat) | _NEUTRAL
    neighbour = tableau(view, following) | _NEUTRAL
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
