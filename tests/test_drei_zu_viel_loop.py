"""The game's own loop plays what the loop for all games plays, and marks an illegal action in the same way."""

from __future__ import annotations

import numpy as np
import pytest

from simlib.checking import check
from simlib.engine import Table, make_work
from simlib.errors import IllegalAction
from simlib.games.drei_zu_viel import GAME
from simlib.policies.base import policy

LINES = [["random"] * 4, ["greedy", "careful", "filler"], ["lowest", "random"]]


@policy("drei_zu_viel")
def beyond(view, ctx):
    """Play on the fifth turn of a hand a card that is not there."""
    return 0 if view.hand_n[view.seat] > 4 else 8


@policy("drei_zu_viel")
def thief(view, ctx):
    """Put all colours before the own seat, and play the first card."""
    for colour in range(7):
        view.colours[view.seat, colour] = 2
    return 0


def tables(line):
    """Two tables for the same games: the first with the game's own loop, the second without."""
    own, common = (Table(make_work("drei_zu_viel", line, 5), range(len(line))) for _ in range(2))
    common.functions = common.functions.copy()
    common.functions["play_on"] = 0
    assert own.functions["play_on"][0] != 0
    return own, common


@pytest.mark.parametrize("line", LINES, ids=",".join)
def test_both_loops_play_the_same_games(line):
    rows = []
    for table in tables(line):
        out = np.zeros(200, GAME.RESULT)
        table.play(11, out)
        rows.append(out)
    assert np.array_equal(rows[0], rows[1])


def test_both_loops_mark_an_illegal_action_alike():
    marks = []
    beyond.code.prove()
    for table in tables(["lowest", beyond, "greedy"]):
        out = np.zeros(3, GAME.RESULT)
        with pytest.raises(IllegalAction, match=r"'beyond' at seat 1 returned the illegal action 8 \(deal 7,"):
            table.play(7, out)
        marks.append((table.where.copy(), out))
    assert marks[0][0] == marks[1][0]
    assert np.array_equal(marks[0][1], marks[1][1])


def test_a_policy_that_writes_to_its_view_harms_only_itself():
    """It is not proven, so it gets a copy of the table; what counts is played as if it had not written."""
    rows = []
    for line in ([thief, "lowest", "lowest"], ["lowest"] * 3):
        table = Table(make_work("drei_zu_viel", line, 5), range(3))
        assert bool(table.functions["play_on"][0]) == (thief not in line)
        out = np.zeros(50, GAME.RESULT)
        table.play(0, out)
        rows.append(out)
    assert np.array_equal(rows[0], rows[1])
    assert "writes to its view" in str(check(thief))
