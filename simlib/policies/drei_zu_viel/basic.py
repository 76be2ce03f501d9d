"""Baselines of *3 sind eine zu viel!*: chance, fixed habits, the best immediate gain, and the source's first claim."""

from __future__ import annotations

from simlib._jit import kernel
from simlib._words import load64
from simlib.games.drei_zu_viel.play import row_of
from simlib.policies.base import policy
from simlib.policies.drei_zu_viel.values import PLAYS, U, place_in, plays_left, row_word, silver_left, standing, tableau
from simlib.rng import below

_BYTE, _THREE = U(0xFF), U(3)
_FAR = 1 << 40


@policy("drei_zu_viel")
def random(view, ctx):
    """Play any card of the hand, each equally likely."""
    return below(ctx.rng, int(view.hand_n[view.seat]))


@policy("drei_zu_viel")
def lowest(view, ctx):
    """Always play the lowest card."""
    return 0


@policy("drei_zu_viel")
def highest(view, ctx):
    """Always play the highest card."""
    return int(view.hand_n[view.seat]) - 1


@kernel(inline=True)
def gold_units(view, seat, part):
    """Return what six open colours count now, in 1/256 points: `part` of the gold bonus, in proportion to the plays made."""
    return int(1280.0 / PLAYS * part) * (PLAYS + 1 - plays_left(view, seat))


@policy("drei_zu_viel", gold=(1, "part of the gold bonus that counts for enough open colours at the end; proportionally less before"))
def greedy(view, ctx):
    """Take the best immediate change of score, bonuses included; of equals play the lowest card.

    The silver bonus counts in full, the gold bonus in proportion to the part of the game that is over.
    """
    seat = int(view.seat)
    word = tableau(view, seat)
    silver = silver_left(view, seat)
    gold = gold_units(view, seat, ctx.params[0])
    hand = load64(view.hand, 0)
    best = -_FAR
    choice = 0
    for i in range(view.hand_n[seat]):
        value = hand & _BYTE
        hand >>= U(8)
        r = row_of(value)
        row = row_word(view, r)
        full = U((int(view.row_n[r]) + 1) >> 2)
        score = standing(view, word, row, place_in(row, value), full, silver, gold)
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

    The source: early on "alle Kartenreihen so aufgefüllt, dass möglichst lange kein Spieler Karten aufnehmen konnte". When all
    its cards must take, it plays the one with the best change of score.
    """
    seat = int(view.seat)
    word = tableau(view, seat)
    silver = silver_left(view, seat)
    gold = gold_units(view, seat, 1.0)
    # A play into a row that is not full leaves the score as it is.
    pays = 256.0 * ctx.params[0] + standing(view, word, U(0), U(0), U(0), silver, gold)
    best = -_FAR
    choice = 0
    for i in range(view.hand_n[seat]):
        value = U(view.hand[i])
        r = row_of(value)
        held = int(view.row_n[r])
        if held == 3:
            row = row_word(view, r)
            merit = standing(view, word, row, place_in(row, value), U(1), silver, gold)
            # Taking ranks above filling when it pays, and below when it does not.
            merit += (1 << 20) if merit >= pays else -(1 << 20)
        else:
            merit = 3 - held if ctx.params[1] != 0.0 else held
        choice = i if merit > best else choice
        best = max(best, merit)
    return choice
