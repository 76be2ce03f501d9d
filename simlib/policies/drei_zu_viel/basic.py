"""Baselines of *3 sind eine zu viel!*: chance, fixed habits, the best immediate gain, and the source's first claim."""

from __future__ import annotations

from simlib.policies.base import policy
from simlib.policies.drei_zu_viel.values import PLAYS, gain, place_of, plays_left, tableau
from simlib.rng import below


@policy("drei_zu_viel")
def random(view, ctx):  # type: ignore[no-untyped-def]
    """Play any card of the hand, each equally likely."""
    return below(ctx.rng, int(view.hand_n[view.seat]))


@policy("drei_zu_viel")
def lowest(view, ctx):  # type: ignore[no-untyped-def]
    """Always play the lowest card."""
    return 0


@policy("drei_zu_viel")
def highest(view, ctx):  # type: ignore[no-untyped-def]
    """Always play the highest card."""
    return int(view.hand_n[view.seat]) - 1


@policy("drei_zu_viel", gold=(1.0, "share of the gold bonus that six open colours count at the end of the game; less before"))
def greedy(view, ctx):  # type: ignore[no-untyped-def]
    """Take the best immediate change of score, bonuses included; of equals play the lowest card.

    The silver bonus counts in full, the gold bonus in proportion to the part of the game that is over.
    """
    seat = int(view.seat)
    word = tableau(view, seat)
    gold = 5.0 * ctx.params[0] * (PLAYS + 1 - plays_left(view, seat)) / PLAYS
    best = -1e9
    choice = 0
    for i in range(view.hand_n[seat]):
        value = int(view.hand[i])
        r = value // 30
        change = 0.0
        if view.row_n[r] == 3:
            change = gain(view, seat, word, r, place_of(view, r, value), gold)
        if change > best:
            best = change
            choice = i
    return choice


@policy(
    "drei_zu_viel",
    pays=(3, "least change of score for which cards are taken"),
    spread=(1, "1: fill the emptiest row first, so that rows stay open for long; 0: the fullest first"),
)
def filler(view, ctx):  # type: ignore[no-untyped-def]
    """Fill rows so that nobody takes for as long as possible; take when it pays.

    The source: early on "alle Kartenreihen so aufgefüllt, dass möglichst lange kein Spieler Karten aufnehmen konnte".
    Forced to take, it takes what changes its score for the best.
    """
    seat = int(view.seat)
    word = tableau(view, seat)
    gold = 5.0 * (PLAYS + 1 - plays_left(view, seat)) / PLAYS
    best = -1e9
    choice = 0
    for i in range(view.hand_n[seat]):
        value = int(view.hand[i])
        r = value // 30
        n = int(view.row_n[r])
        if n == 3:
            merit = gain(view, seat, word, r, place_of(view, r, value), gold)
            # Taking ranks above filling when it pays, below when not.
            merit += 1000.0 if merit >= ctx.params[0] else -1000.0
        else:
            merit = float(3 - n) if ctx.params[1] != 0.0 else float(n)
        if merit > best:
            best = merit
            choice = i
    return choice
