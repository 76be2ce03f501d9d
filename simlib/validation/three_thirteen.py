"""Exact numbers of Three-Thirteen: two decks, wild rank = hand size, ace low; the first two rounds by enumeration."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from simlib._dispatch import copy_record
from simlib._jit import kernel
from simlib.batch import Batch
from simlib.engine import make_work
from simlib.games import get
from simlib.games.three_thirteen.api import best_discard, hand_penalty
from simlib.games.three_thirteen.observe import can_go_out, observe
from simlib.games.three_thirteen.play import step
from simlib.games.three_thirteen.view import DRAW_STOCK, DRAW_UPCARD
from simlib.validation import Fact, mean, share

NAME = "three_thirteen"


@kernel
def _measure(states, work, views, penalties, with_upcard, first_turn):
    """For the first player of each deal: penalty as dealt, out with the upcard, out on the first turn at all.

    On the first turn the upcard is taken only when it completes the hand.
    """
    for g in range(states.shape[0]):
        state, view = work[0], views[0]
        seat = int(states[g].table.turn)
        observe(states[g], seat, view)
        penalties[g] = hand_penalty(view)
        for action in (DRAW_UPCARD, DRAW_STOCK):
            copy_record(state, states[g])
            step(state, action)
            observe(state, seat, view)
            out = int(can_go_out(view, best_discard(view) & 63))
            if action == DRAW_UPCARD:
                with_upcard[g] = out
            first_turn[g] = max(first_turn[g], out)


def _deals(deals: int, seed: int, number: int, rules: dict[str, Any], players: int = 4) -> tuple[Any, Any, Any]:
    """Measure the first player of a round in many deals; the number of players changes none of the numbers."""
    scenario = np.zeros(1, get(NAME).SCENARIO)
    scenario["round"] = scenario["last"] = number
    work = make_work(NAME, ["random"] * players, seed, rules=rules, scenario=scenario)
    batch = Batch.of_work(work, deals)
    penalties, with_upcard, first_turn = (np.zeros(deals, np.int64) for _ in range(3))
    state, view = np.zeros(1, batch.game.STATE), np.zeros(1, batch.game.VIEW)
    _measure(batch.states, state, view, penalties, with_upcard, first_turn)
    return penalties, with_upcard, first_turn


def facts(deals: int, seed: int) -> list[Fact]:
    """Dealt hands that are fully melded, smallest penalties, going out on the first turn."""
    deals = min(deals, 100_000)  # a state takes three kilobytes
    one, upcard, turn = _deals(deals, seed, 1, {})
    free, _, _ = _deals(deals, seed, 1, {"wild_penalty": 0})
    two, _, turn_two = _deals(deals, seed, 2, {})
    single, _, turn_single = _deals(deals, seed, 1, {"decks": 1}, players=3)
    melded = "dealt hand fully melded"
    # Going out after a draw needs a meld of three among hand and one more card, in round 1.
    return [
        share(NAME, f"round 1: {melded}", Fraction(1099, 22763), one == 0),
        share(NAME, "round 1: hand and upcard contain a meld of three", Fraction(321287, 2299063), upcard),
        share(NAME, "round 1: can go out on the first turn", Fraction(2406319, 11495315), turn),
        mean(NAME, "round 1: smallest penalty", Fraction(475648, 22763), one),
        mean(NAME, "round 1: smallest penalty, wild cards cost 0", Fraction(416848, 22763), free),
        share(NAME, f"round 2: {melded}", Fraction(1507, 176851), two == 0),
        mean(NAME, "round 2: smallest penalty", Fraction(58145016, 2299063), two),
        share(NAME, "round 2: can go out on the first turn", Fraction(101616143, 1896726975), turn_two),
        share(NAME, f"round 1 with one deck: {melded}", Fraction(241, 5525), single == 0),
        share(NAME, "round 1 with one deck: can go out on the first turn", Fraction(31769, 162435), turn_single),
    ]
