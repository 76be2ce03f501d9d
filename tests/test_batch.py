"""Lockstep batches: the same games as compiled policies play, line-ups mixed at will."""

from __future__ import annotations

import numpy as np
import pytest

import simlib as sl
from simlib._dispatch import ask
from simlib.engine import make_work, play_range


@sl.policy("drei_zu_viel", vector=True)
def np_lowest(views, ctx):
    """Play the lowest card."""
    return np.zeros(len(views), np.int64)


@sl.policy("drei_zu_viel", vector=True)
def np_random(views, ctx):
    """Play any card."""
    return ctx.pick(views["hand_n"][np.arange(len(views)), views["seat"]])


@sl.policy("drei_zu_viel", vector=True, place=(1, "position in the hand"))
def np_at(views, ctx):
    """Play the card at a fixed position."""
    return np.minimum(int(ctx.params[0]), views["hand_n"][np.arange(len(views)), views["seat"]] - 1)


@sl.policy("drei_zu_viel", place=(1, "position in the hand"))
def at(view, ctx):
    """Play the card at a fixed position."""
    return min(int(ctx.params[0]), view.hand_n[view.seat] - 1)


@sl.policy("drei_zu_viel", inner=("random", "whom to ask"))
def asks(view, ctx):
    """Do as another policy does."""
    return ask(ctx, 0, int(view.seat), view)


def rows(line, deals=1500, **more):
    return play_range(make_work("drei_zu_viel", line, 3, seatings="rotations", **more), 5, deals).tobytes()


@pytest.mark.parametrize(
    ("numpy_line", "compiled"),
    [
        ([np_random, np_lowest, np_random], ["random", "lowest", "random"]),
        ([np_random, "lowest", "random"], ["random", "lowest", "random"]),
        (["greedy", np_at, np_random, asks], ["greedy", at, "random", asks]),
        ([np_at.with_params(place=3), asks], [at.with_params(place=3), asks]),
    ],
)
def test_numpy_policies_play_the_same_games_as_their_compiled_twins(numpy_line, compiled):
    assert rows(numpy_line) == rows(compiled)


def test_simulate_takes_mixed_line_ups():
    mixed = sl.simulate("drei_zu_viel", [np_random, "greedy"], 300, seed=9, threads=2)
    compiled = sl.simulate("drei_zu_viel", ["random", "greedy"], 300, seed=9)
    assert (mixed.games.score_0 == compiled.games.score_0).all()


def test_stepping_a_batch_by_hand_gives_the_games_of_simulate():
    batch = sl.Batch("drei_zu_viel", 50, seed=3)
    while not batch.done:
        mask = batch.legal_mask()
        assert (mask.sum(axis=1) == batch.states["table"]["hand_n"][np.arange(50), batch.seat]).all()
        views = batch.observe()
        assert (views["seat"] == batch.seat).all()
        batch.step(batch.pick(mask.sum(axis=1)))
    expected = play_range(make_work("drei_zu_viel", ["random"] * 4, 3), 0, 50)
    assert batch.results().tobytes() == expected[:, 0].tobytes()


def test_batches_refuse_what_makes_no_sense():
    batch = sl.Batch("drei_zu_viel", 4, seed=1, players=2)
    with pytest.raises(sl.IllegalAction, match=r"actions\[2\]=8 is illegal for seat .* \(deal 2\)"):
        batch.step(np.array([0, 0, 8, 0]))
    with pytest.raises(ValueError, match=r"shape \(4,\)"):
        batch.step(np.zeros(3, int))
    with pytest.raises(TypeError, match="whole numbers"):
        batch.step(np.zeros(4))
    with pytest.raises(ValueError, match="4 games are not over yet"):
        batch.results()
    with pytest.raises(ValueError, match="n=0 must be at least 1"):
        sl.Batch("drei_zu_viel", 0)
    with pytest.raises(ValueError, match="players=5 must be from 2 to 4"):
        sl.Batch("drei_zu_viel", 1, players=5)
    with pytest.raises(ValueError, match="NumPy policies"):
        batch.play(["random", "random"])


def test_a_numpy_policy_that_returns_nonsense_is_named():
    @sl.policy("drei_zu_viel", vector=True)
    def short(views, ctx):
        return np.zeros(1 + len(views), int)

    with pytest.raises(sl.PolicyError, match=r"NumPy policy 'short' at seat 0: actions must have shape"):
        sl.simulate("drei_zu_viel", [short, "random"], 10, seed=1)
    with pytest.raises(sl.PolicyError, match="plain NumPy"):
        sl.simulate("drei_zu_viel", [asks.with_params(inner=np_lowest), "random"], 10, seed=1)
