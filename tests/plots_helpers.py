"""Runs with made-up results: figures and reports are tested without playing a game."""

from __future__ import annotations

import numpy as np

from simlib.game import SHARE
from simlib.games import get
from simlib.games.three_thirteen.rules import SCHEDULES
from simlib.results import Memory, Runs
from simlib.sufficient import Slots, Sufficient

LINES = {
    "drei_zu_viel": ["careful", "greedy", "filler", "random"],
    "big_three": ["tips", "greedy", "random"],
    "three_thirteen": ["greedy", "tips", "random", "random"],
}
LONG = "mine/policies/experimental.py::a_policy_with_a_very_long_name:threshold=2.5,playout=[greedy]"


def made_up(game, line=None, deals=300, *, keep="rows", seed=1, strength=1.0, seatings=None, **rules):
    """Return Runs whose i-th policy is better the smaller i is, the more so the larger `strength`."""
    g = get(game)
    line = line or LINES[game]
    players = len(line)
    plan = seatings or [[(i + k) % players for i in range(players)] for k in range(players)]
    rng = np.random.default_rng(seed)
    rows = np.zeros((deals, len(plan)), g.RESULT)
    skill = strength * (players - np.array(plan, float))
    skill -= skill.mean()
    options = g.rules.make(players=players, **rules) if "players" in g.rules.model_fields else g.rules.make(**rules)
    {"drei_zu_viel": _drei, "big_three": _big, "three_thirteen": _thirteen}[game](rows, skill, rng, players, options)
    manifest = {
        "simlib": "0.1.0", "game": game, "code": "c" * 16, "deals": deals, "first_deal": 0, "seed": seed, "keep": keep,
        "policies": [{"text": t, "digest": "d" * 16, "parameters": {}} for t in line],
        "seatings": plan, "rules": options.options(), "created": "2026-01-01T00:00:00+00:00",
        "environment": {"python": "3", "numpy": "2", "numba": "0"},
    }  # fmt: skip
    half = max(1, deals // 2)
    chunks = [(0, rows[:half])] + ([(half, rows[half:])] if deals > 1 else [])
    if keep == "summary":
        slots = Slots.of(line, plan)
        chunks = [(first, Sufficient.of(g, part, slots)) for first, part in chunks]
    return Runs(manifest, Memory(chunks))


def _win_shares(rows, best):
    rows["win_share"][..., : best.shape[-1]] = np.where(best, SHARE // best.sum(axis=-1, keepdims=True), 0)


def _drei(rows, skill, rng, players, options):
    third = rng.integers(-5, 20, (*rows.shape, 3, players)) + np.round(2 * skill).astype(int)[None, :, None, :]
    after = np.cumsum(third, axis=2)
    rows["third_score"][..., :players] = after
    rows["third_taken"][..., :players] = rng.integers(2, 9, third.shape)
    rows["score"][..., :players] = after[:, :, -1]
    rows["lead_changes"] = 1
    _win_shares(rows, after[:, :, -1] == after[:, :, -1].max(axis=2, keepdims=True))


def _big(rows, skill, rng, players, options):
    shape = rows.shape
    rows["first_bidder"] = rng.integers(0, players, shape)
    rows["declarer"] = rng.integers(0, players, shape)
    rows["bid"] = rng.integers(1, 4, shape)
    own = np.take_along_axis(np.broadcast_to(skill, (*shape, players)), rows["declarer"][..., None].astype(int), 2)[
        ..., 0
    ]
    won = rng.random(shape) < 1 / (1 + np.exp(-own))
    rows["declarer_won"] = won
    rows["partner"] = (rows["declarer"] + 1) % players if players == 4 else -1
    seats = np.arange(players)
    party = (seats == rows["declarer"][..., None]) | (seats == rows["partner"][..., None])
    wins = party == won[..., None]
    rows["won"][..., :players] = wins
    rows["score"][..., :players] = np.where(wins, 1, -1) * rows["bid"][..., None] * np.where(party, 2, 1)
    rows["bombs"] = rng.poisson(0.3, shape)
    rows["called"] = -1
    rows["cards_left"][..., :players] = rng.integers(0, 12, (*shape, players))
    _win_shares(rows, wins)


def _thirteen(rows, skill, rng, players, options):
    sizes = SCHEDULES[options.schedule]
    n = len(sizes)
    penalty = rng.integers(0, 30, (*rows.shape, n, players)) - np.round(skill).astype(int)[None, :, None, :]
    penalty = np.maximum(0, penalty)
    out = np.argmin(penalty, axis=3)
    penalty[np.arange(players) == out[..., None]] = 0
    rows["round_penalty"][:, :, :n, :players] = penalty
    rows["round_out"][:, :, :n, :players] = np.arange(players) == out[..., None]
    rows["out_seat"][:, :, :n], rows["out_seat"][:, :, n:] = out, -1
    rows["hand_size"][:, :, :n] = sizes
    rows["turns"][:, :, :n] = rng.integers(8, 40, (*rows.shape, n))
    rows["turn_out"][:, :, :n] = rows["turns"][:, :, :n] // players
    rows["rounds"] = n
    rows["penalty"][..., :players] = penalty.sum(axis=2)
    rows["score"][..., :players] = -penalty.sum(axis=2)
    rows["rounds_out"][..., :players] = (np.arange(players) == out[..., None]).sum(axis=2)
    rows["zero_rounds"][..., :players] = (penalty == 0).sum(axis=2)
    rows["stalled"][:, :, 0] = rng.random(rows.shape) < 0.1
    rows["stalled_rounds"] = rows["stalled"].sum(axis=2)
    total = penalty.sum(axis=2)
    _win_shares(rows, total == total.min(axis=2, keepdims=True))
