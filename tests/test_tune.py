"""Tuning: the search finds what helps, and says when it found nothing."""

from __future__ import annotations

import pytest

import simlib as sl


@sl.policy("drei_zu_viel", mix=(0, "0: the lowest card; 1: as greedy plays"), other=("greedy", "whom to ask"))
def mixed(view, ctx):
    """Ask another policy when `mix` is above a half."""
    return ask(ctx, 0, int(view.seat), view) if ctx.params[0] > 0.5 else 0


from simlib._dispatch import ask  # noqa: E402  a name the policy finds when it is compiled


def test_it_finds_a_better_value_and_validates_it():
    found = sl.tune(
        mixed.with_params(mix=0.2), {"mix": (0, 1)}, opponents="lowest", deals=60, generations=6, seed=3, validation=300
    )
    assert found.policy.params["mix"] > 0.5
    assert found.holds and "is better than" in found.verdict
    assert found.gain.n_deals == 300
    assert list(found.table.parameter) == ["mix"]
    assert len(found.history) <= 6 and found.history["mean"].iloc[-1] > found.history["mean"].iloc[0]


def test_nothing_to_gain_is_said():
    found = sl.tune(mixed.with_params(mix=0.9), {"mix": (0.6, 1)}, opponents="random", deals=10,
                    generations=2, seed=3, validation=50)  # fmt: skip
    assert not found.holds and "does not hold up" in repr(found)
    assert found.gain.mean == 0 and found.gain.se == 0


def test_the_same_seed_finds_the_same():
    runs = [
        sl.tune(
            "filler", "pays", game="drei_zu_viel", players=2, deals=20, generations=2, seed=9, validation=20, threads=t
        )
        for t in (1, 2)
    ]
    assert runs[0].policy == runs[1].policy


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"policy": "filler"}, "name the game too"),
        ({"params": "pay"}, "'pay' is no numeric parameter of 'filler'"),
        ({"params": {"pays": (5, 9)}}, "limits around the start"),
        ({"policy": "drei_zu_viel/random"}, "no numeric parameters"),
        ({"measure": "wins"}, "measure='wins'"),
        ({"step": 0}, "step=0"),
        ({"deals": 1}, "deals=1"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        sl.tune(**{"policy": "drei_zu_viel/filler", **arguments})
