"""`counting`: the strongest hand-written way to play.

It weighs every move by what it leaves and by the cards still out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib._dispatch import ask
from simlib._jit import kernel
from simlib.games.big_three.combos import PASS, U, lowest
from simlib.games.big_three.observe import move_word
from simlib.games.big_three.view import AUCTION, CALLING
from simlib.policies.base import policy
from simlib.policies.big_three.calling import best_call
from simlib.policies.big_three.cards import play
from simlib.policies.big_three.counting_weights import WEIGHTS
from simlib.policies.big_three.scene import FEATURES, N_FEATURES, SCENE, look, weigh, weigh_pass, worth_a_look

_0, _1 = U(0), U(1)


def _parameters() -> dict[str, Any]:
    """The policy's parameters.

    A weight for each feature, first for a lone declarer, then for everybody with a partner.
    """
    parameters: dict[str, Any] = {"bid": ("value", "policy that bids")}
    for role, who in (("alone", "declarer alone"), ("team", "with a partner")):
        for name, doc in FEATURES.items():
            parameters[f"{role}_{name}"] = (WEIGHTS[role].get(name, 0.0), f"{who}: {doc}")
    parameters["show"] = (0, "1: plays the named card with the first combination that can have it")
    return parameters


_SHOW = 2 * N_FEATURES


@kernel
def total(s, ctx):  # type: ignore[no-untyped-def]
    """Return the weighted sum of the features of a scene."""
    first = 0 if s.alone != 0 else N_FEATURES
    value = 0.0
    for i in range(N_FEATURES):
        value += s.f[i] * ctx.params[first + i]
    return value


@policy("big_three", **_parameters())
def counting(view, ctx):  # type: ignore[no-untyped-def]
    """Count the cards: take a certain win, else weigh what each move leaves, what can beat it, and whom that helps.

    The source's advice 2 to 4 follow from it: a straight that nobody can beat, a partner left alone, top cards kept.
    The weights were fitted in self-play by ``experiments/big_fit_counting.py``.
    """
    if view.phase == AUCTION:
        return ask(ctx, 0, view.seat, view)
    if view.phase == CALLING:
        return best_call(view)
    scenes = np.zeros(1, SCENE)
    s = scenes[0]
    look(view, s)
    action = PASS
    best = -1e300
    if view.leading == 0:
        weigh_pass(view, s)
        best = total(s, ctx)
    for i in range(4):
        k = U(i)
        word = move_word(view, k)
        while word != _0:
            bit = lowest(word)
            word &= word - _1
            if not worth_a_look(view, s, k, bit):
                continue
            weigh(view, s, k, bit)
            value = total(s, ctx) + 1e6 * s.sure
            if value > best:
                best = value
                action = play(view, k, bit, ctx.params[_SHOW])
    return action if scenes.size == 1 else PASS  # the array must outlive its record
