"""The game's own loop plays what the loop for all games plays; what `greedy` remembers changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from simlib.checking import decide_alone
from simlib.engine import Table, make_work
from simlib.errors import IllegalAction
from simlib.games.three_thirteen import GAME
from simlib.games.three_thirteen.observe import legal
from simlib.games.three_thirteen.view import OUT_0
from simlib.policies.base import policy
from tests.three_thirteen_help import GAME_VARIANTS, Player


@policy("three_thirteen")
def hasty(view, ctx):
    """Play the first legal action, and from the ninth turn of a round on discard before drawing."""
    legal(view, ctx.tmp)
    return 2 if view.phase == 0 and view.turns > 7 else ctx.tmp[0]


def tables(line, options):
    """Two tables for the same games: the first with the game's own loop, the second without."""
    work = make_work("three_thirteen", line, 5, rules=options)
    own, common = (Table(work, range(len(line))) for _ in range(2))
    common.functions = common.functions.copy()
    common.functions["play_on"] = 0
    assert own.functions["play_on"][0] != 0
    return own, common


@pytest.mark.parametrize("options", GAME_VARIANTS, ids=str)
def test_both_loops_play_the_same_games(options):
    options = dict(options)
    players = options.pop("players", 4)
    line = (["greedy", "random", "tips", "potential"] * 2)[:players]
    rows = []
    for table in tables(line, options):
        out = np.zeros(4, GAME.RESULT)
        table.play(11, out)
        rows.append(out.tobytes())
    assert rows[0] == rows[1]


def test_both_loops_mark_an_illegal_action_alike():
    hasty.code.prove()
    marks = []
    for table in tables(["greedy", hasty], {}):
        out = np.zeros(1, GAME.RESULT)
        with pytest.raises(IllegalAction, match="'hasty' at seat 1 returned the illegal action"):
            table.play(7, out)
        marks.append((table.where.tobytes(), out.tobytes()))
    assert marks[0] == marks[1]


@pytest.mark.parametrize("options", GAME_VARIANTS, ids=str)
def test_what_greedy_remembers_changes_nothing(options):
    """Asked in the middle of a game with no memory it does what it did with one (RULES.md, 3)."""
    options = dict(options)
    player = Player(["greedy"] * options.pop("players", 4), **options)
    slow = any(name in options for name in ("contract", "max_wilds_per_meld"))
    actions = player.actions(2)
    seat = player.deal(2)
    asked = 0
    for ply, action in enumerate(actions):
        if ply % (41 if slow else 3) == 0:
            view = np.zeros(1, GAME.VIEW)
            GAME.observe(player.state[0], seat, view[0])
            assert decide_alone(player.line, view, seat, 2) == action, (ply, action >= OUT_0)
            asked += 1
        seat = int(GAME.step(player.state[0], action))
    assert asked > 0
