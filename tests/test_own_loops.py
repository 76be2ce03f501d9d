"""A game's own loop plays what the loop for all games plays: the same views, the same games, the same marks."""

from __future__ import annotations

import numpy as np
import pytest

import simlib as sl
from simlib._words import load64_in
from simlib.engine import Table, make_work
from simlib.errors import IllegalAction
from simlib.games import GAMES, get
from simlib.policies.base import policy

#: Line-ups of shipped policies, and rules, that bring every phase and every private knowledge into play.
LINES = [
    ("drei_zu_viel", ["random"] * 4, {}),
    ("drei_zu_viel", ["greedy", "careful", "filler"], {"silver_check": "card", "refill": "each_turn"}),
    ("big_three", ["counting", "tips", "random"], {"bomb_bonus": True}),
    ("big_three", ["random", "counting", "shed", "tips"], {"forced_bid": True}),
    ("three_thirteen", ["greedy", "tips", "potential"], {"jokers": True}),
    ("three_thirteen", ["random", "greedy"], {"lay_off": True}),
]


def filled(game):
    """Words of a view that are always filled: those before the first number, and from the second to the third."""
    view = get(game).VIEW
    if game == "three_thirteen":  # piles and history only as far as they go
        return view.fields["pile"][1] // 8, view.fields["seat"][1] // 8, view.fields["own_drawn"][1] // 8
    return view.itemsize // 8, 0, 0


def reader(game, players):
    """A policy whose every action depends on all of its view: whatever differs there leads to another game."""
    first, second, end = filled(game)
    legal = get(game).legal

    def reads(view, ctx):
        """Play the legal action whose number is a checksum of the view."""
        found = np.uint64(players)
        for i in range(max(first, end)):
            if i < first or second <= i < end:
                found = (found ^ load64_in(view, 8 * i)) * np.uint64(0x9E3779B97F4A7C15)
                found ^= found >> np.uint64(29)
        actions = np.empty(512, np.int64)
        n = legal(view, actions)
        return actions[found % np.uint64(n)]

    made = policy(game)(reads)
    made.code.prove()
    return made


def tables(game, line, rules):
    """Two tables for the same games: the first with the game's own loop, the second without."""
    own, common = (Table(make_work(game, line, 5, rules=rules), range(len(line))) for _ in range(2))
    common.functions = common.functions.copy()
    common.functions["play_on"] = 0
    assert own.functions["play_on"][0] != 0
    return own, common


def both(game, line, rules, deals):
    """Results of the same games in both loops."""
    rows = []
    for table in tables(game, line, rules):
        out = np.zeros(deals, get(game).RESULT)
        table.play(11, out)
        rows.append(out)
    return rows


@pytest.mark.parametrize(("game", "line", "rules"), LINES, ids=str)
def test_both_loops_play_the_same_games(game, line, rules):
    own, common = both(game, line, rules, 60)
    assert np.array_equal(own, common)


@pytest.mark.parametrize("game", [name for name in GAMES if get(name).play_on is not None])
def test_both_loops_show_the_same_views(game):
    for players in {get(game).min_players, min(4, get(game).max_players)}:
        own, common = both(game, [reader(game, players)] * players, None, 200)
        assert np.array_equal(own, common)
        assert len({row.tobytes() for row in own}) > 190


@pytest.mark.parametrize("game", [name for name in GAMES if get(name).play_on is not None])
def test_both_loops_mark_an_illegal_action_alike(game):
    def beyond(view, ctx):
        """Do the first legal thing five times, then what nobody may do."""
        ctx.mem[0] += 1
        actions = np.empty(512, np.int64)
        legal(view, actions)
        return actions[0] if ctx.mem[0] < 6 else 1_000_000

    legal = get(game).legal
    bad = policy(game)(beyond)
    bad.code.prove()
    players = get(game).min_players
    marks = []
    for table in tables(game, ["random"] * (players - 1) + [bad], None):
        out = np.zeros(3, get(game).RESULT)
        with pytest.raises(IllegalAction, match=rf"'beyond' at seat {players - 1} returned the illegal action 1000000"):
            table.play(7, out)
        marks.append((table.where.copy(), out))
    assert marks[0][0] == marks[1][0]
    assert np.array_equal(marks[0][1], marks[1][1])


def test_a_policy_that_writes_to_its_view_harms_only_itself():
    """It is not proven, so it gets a copy of the table; what counts is played as if it had not written."""

    @policy("drei_zu_viel")
    def thief(view, ctx):
        """Put all colours before the own seat, and play the first card."""
        for colour in range(7):
            view.colours[view.seat, colour] = 2
        return 0

    rows = []
    for line in ([thief, "lowest", "lowest"], ["lowest"] * 3):
        table = Table(make_work("drei_zu_viel", line, 5), range(3))
        assert bool(table.functions["play_on"][0]) == (thief not in line)
        out = np.zeros(50, get("drei_zu_viel").RESULT)
        table.play(0, out)
        rows.append(out)
    assert np.array_equal(rows[0], rows[1])
    assert "writes to its view" in str(sl.check(thief))
