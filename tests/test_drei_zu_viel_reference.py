"""The kernels against the slow reference, event by event, over all options and numbers of players."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from drei_zu_viel_games import VARIANTS, deal_of, dealt, hand
from reference import drei_zu_viel as ref

from simlib.games.drei_zu_viel import GAME
from simlib.games.drei_zu_viel.record import play_event, rows_of, write

GAMES_EACH = 60


def same_position(state, game):
    """Compare everything on the table and in the hands."""
    table, seats = state["table"], range(game.players)
    assert rows_of(state) == game.rows
    assert [hand(state, s) for s in seats] == game.hands
    stacks = [state["deck"][23 + 20 * s - table["stack_n"][s] : 23 + 20 * s].tolist() for s in seats]
    assert stacks == game.stacks
    assert table["colours"][: game.players, :7].tolist() == game.face_up
    assert table["colours"][: game.players, 7].tolist() == game.neutral
    assert table["face_down"][: game.players].tolist() == game.face_down
    assert table["silver"][: game.players].tolist() == game.silver
    assert table["has_silver"][: game.players].tolist() == game.has_silver
    assert table["ply"] == len(game.events)
    if game.to_act is not None:
        assert table["third"] == len(game.events) // (6 * game.players)
        assert table["turn"] == game.to_act


def same_result(state, game):
    """Compare the RESULT with what the reference kept."""
    out = np.zeros(1, GAME.RESULT)
    GAME.result(state, out[0])
    row, n, want = out[0], game.players, game.result()
    assert row["score"][:n].tolist() == want["scores"]
    assert (row["win_share"][:n] / 840).tolist() == want["win_share"]
    for name in ("face_down", "neutral", "silver", "gold"):
        assert row[name][:n].tolist() == want[name]
    assert row["singles"][:n].tolist() == [counts.count(1) for counts in want["face_up"]]
    assert row["pairs"][:n].tolist() == [counts.count(2) for counts in want["face_up"]]
    assert row["third_score"][:, :n].tolist() == game.score_after_third
    assert row["third_taken"][:, :n].T.tolist() == game.taken_by_third
    assert row["third_takes"][:, :n].sum(1).tolist() == game.full_rows_by_third
    takes = [[0] * n for _ in range(3)]
    for number, event in enumerate(game.events):
        takes[number // (6 * n)][event["seat"]] += bool(event["took"])
    assert row["third_takes"][:, :n].tolist() == takes
    for name in GAME.RESULT.names:
        if row[name].shape[-1:] == (4,):
            assert not row[name][..., n:].any()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_event_equals_the_reference(options, players):
    """RULES.md, all sections."""
    rules = GAME.rules.make(players=players, **options)
    rng = random.Random(players)
    for number in range(GAMES_EACH):
        state, seat = dealt(rules, number)
        game = ref.Game(rules.options(), deal_of(state))
        full = [0, 0, 0]
        same_position(state, game)
        while seat >= 0:
            assert seat == game.to_act
            full[state["table"]["third"]] += [len(row) for row in game.rows].count(4)
            action = rng.randrange(len(game.legal()))
            event, seat = play_event(state, action)
            assert event == game.play(game.legal()[action])
            same_position(state, game)
        assert game.to_act is None
        assert state["full"].tolist() == full
        same_result(state, game)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_records_pass_the_audit_of_the_reference(options, players):
    """RULES.md, all sections; docs/game-records.md."""
    rules = GAME.rules.make(players=players, **options)
    rng = random.Random(players)
    for number in range(5):
        state, _ = dealt(rules, number, seed=11)
        game = ref.Game(rules.options(), deal_of(state))
        actions = []
        while game.to_act is not None:
            actions.append(rng.randrange(len(game.legal())))
            game.play(game.legal()[actions[-1]])
        states = np.zeros(1, GAME.STATE)
        states[0] = state
        head = {
            "format": "simlib-record/1",
            "game": "drei_zu_viel",
            "rules": rules.options(),
            "seed": 11,
            "index": number,
            "policies": ["random"] * players,
        }
        record = {**head, **write(rules, states, actions)}
        assert ref.audit(record) == []
        assert record["events"] == game.events
        lines = list(GAME.codec.replay(rules, record))
        assert len(lines) == 1 + players + 3 + 18 * players + players
