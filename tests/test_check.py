"""`check`: what is wrong with a policy, in words."""

from __future__ import annotations

import numpy as np
import pytest

import simlib as sl
from simlib.checking import check
from simlib.policies import builtin


@pytest.mark.parametrize("name", [p.name for p in builtin("drei_zu_viel") if p.name != "lookahead"])
def test_simlibs_own_policies_pass(name):
    found = check(f"drei_zu_viel/{name}")
    assert found.ok and "all right" in str(found)


def test_a_good_policy_passes_and_loses_its_bounds_checks():
    @sl.policy("drei_zu_viel")
    def good(view, ctx):
        return view.hand_n[view.seat] - 1

    assert not good.code.proven
    assert check(good)
    assert good.code.proven
    assert (sl.simulate("drei_zu_viel", [good, "lowest"], 50, seed=1).games.score_0 == _highest()).all()


def _highest():
    return sl.simulate("drei_zu_viel", ["highest", "lowest"], 50, seed=1).games.score_0


def test_problems_are_said_in_words():
    @sl.policy("drei_zu_viel")
    def writer(view, ctx):
        view.hand[0] = 3
        return 0

    @sl.policy("drei_zu_viel")
    def keeps(view, ctx):
        ctx.mem[0] += 1
        return 0 if ctx.mem[0] > 1 or view.ply < 4 else 9

    @sl.policy("drei_zu_viel")
    def fraction(view, ctx):
        return 0.5

    @sl.policy("drei_zu_viel")
    def unknown_field(view, ctx):
        return view.cards[0]

    assert "writes to its view" in str(check(writer))
    assert "ctx.mem is a cache only" in str(check(keeps))
    assert "returns a fraction" in str(check(fraction))
    assert "no field 'cards'" in str(check(unknown_field))
    assert not check(writer).ok


def test_numpy_policies_are_checked_too():
    @sl.policy("drei_zu_viel", vector=True)
    def first(views, ctx):
        return np.zeros(len(views), int)

    assert check(first)


def test_arguments():
    with pytest.raises(ValueError, match="name the game too"):
        check("greedy")
    with pytest.raises(TypeError, match="decorate a function"):
        check(len)
