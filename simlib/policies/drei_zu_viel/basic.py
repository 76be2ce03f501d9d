"""Baselines of *3 sind eine zu viel!*: chance, fixed habits, the best immediate gain, and the source's first claim."""

from __future__ import annotations

from simlib._jit import kernel
from simlib._words import load64
from simlib.games.drei_zu_viel.play import row_of
from simlib.games.drei_zu_viel.view import PLAYS
from simlib.policies.base import policy
from simlib.policies.drei_zu_viel.values import (
    U,
    cards_taken,
    fill_row,
    note_units,
    place_in,
    plays_left,
    row_word,
    seven_on_the_way,
    silver_left,
    tableau,
    worth,
    worth_with,
)
from simlib.rng import pick

_EIGHT, _BYTE = U(8), U(0xFF)
_FAR, _FILL = 1 << 40, 1 << 30


@policy("drei_zu_viel")
def random(view, ctx):
    """Play any card of the hand, each equally likely."""
    return pick(ctx.rng, view.hand_n[U(view.seat)])


@policy("drei_zu_viel")
def lowest(view, ctx):
    """Always play the lowest card."""
    return 0


@policy("drei_zu_viel")
def highest(view, ctx):
    """Always play the highest card."""
    return int(view.hand_n[view.seat]) - 1


#: Points of a single colour, a pair, three face-down cards, in the unit of `worth`: 1/256 point.
_POINTS = (256, 1280, -768)


@kernel(inline=True)
def score_rows(view, tmp, part):
    """Write the score after a play, by row and place, to tmp[8] …; return it for a play that takes nothing.

    Left out is all that no play changes. The gold bonus counts by `part` at the end, in proportion less before.
    """
    seat = int(view.seat)
    word = tableau(view, seat)
    silver = 256 * silver_left(view, seat)
    values = (_POINTS[0], _POINTS[1], _POINTS[2], 256 * int(view.rules.neutral_points))
    gold = int(1280.0 / PLAYS * part) * (PLAYS + 1 - plays_left(view, seat))
    need = int(view.rules.gold_min_colours)
    for k in range(8):
        tmp[k] = gold if k >= need else 0
    tmp[7] += silver
    stay = worth(tmp, values, word, 0)
    for r in range(3):
        fill_row(view, tmp, 8 + 4 * r, r, values, word, stay, silver)
    return stay


@policy(
    "drei_zu_viel",
    gold=(1, "part of the gold bonus that counts for enough open colours at the end; proportionally less before"),
)
def greedy(view, ctx):
    """Take the best immediate change of score, bonuses included; of equals play the lowest card.

    The silver bonus counts in full, the gold bonus in proportion to the part of the game that is over.
    """
    seat = int(view.seat)
    rules = view.rules
    word = tableau(view, seat)
    silver = 256 * silver_left(view, seat)
    gold = int(1280.0 / PLAYS * ctx.params[0]) * (PLAYS + 1 - plays_left(view, seat))
    need = int(rules.gold_min_colours)
    neutral = 256 * int(rules.neutral_points)
    tmp = ctx.tmp
    for k in range(8):
        tmp[k] = gold if k >= need else 0
    tmp[7] += silver
    for r in range(3):
        note_units(view, tmp, 8 + 4 * r, r)
    values = (_POINTS[0], _POINTS[1], _POINTS[2], neutral)
    hand = load64(view.hand, 0)
    best = -_FAR
    choice = 0
    for i in range(view.hand_n[seat]):
        value = hand & _BYTE
        hand >>= _EIGHT
        r = row_of(value)
        row = row_word(view, r)
        place = place_in(row, value)
        score = worth_with(tmp, values, word, U(tmp[_EIGHT + U(4) * r + place]))
        if rules.check_each_card != 0 and view.row_n[r] == 3:
            cards = cards_taken(row, place)
            score += silver * seven_on_the_way(rules, word, cards)
        choice = i if score > best else choice
        best = max(best, score)
    return choice


@policy(
    "drei_zu_viel",
    pays=(1, "least change of score for which cards are taken"),
    spread=(1, "1: fill the emptiest row first, so that rows stay open for long; 0: the fullest first"),
)
def filler(view, ctx):
    """Fill rows so that nobody takes for as long as possible; take when it pays.

    The source: early on "alle Kartenreihen so aufgefüllt, dass möglichst lange kein Spieler Karten aufnehmen konnte".
    When all its cards must take, it plays the one with the best change of score.
    """
    tmp = ctx.tmp
    pays = score_rows(view, tmp, 1.0) + 256.0 * ctx.params[0]
    best = -_FAR
    choice = 0
    for i in range(view.hand_n[view.seat]):
        value = U(view.hand[i])
        r = row_of(value)
        held = int(view.row_n[r])
        if held == 3:
            merit = tmp[U(8) + U(4) * r + place_in(row_word(view, r), value)]
            # Taking ranks above filling when it pays, and below when it does not.
            merit += _FILL if merit >= pays else -_FILL
        else:
            merit = 3 - held if ctx.params[1] != 0.0 else held
        choice = i if merit > best else choice
        best = max(best, merit)
    return choice
