"""Compiled loops that ask a second policy at every decision of the first, and play on from where the two differ."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import call2, call2_none, call3_none, call4, copy_record
from simlib._jit import kernel
from simlib._loop import begin_game, decide
from simlib.rng import seek

#: One disagreement: the game, its action number, the seat, both actions, and where the state is kept.
FOUND = np.dtype(
    [("deal", np.int64), ("ply", np.int64), ("seat", np.int64), ("a", np.int64), ("b", np.int64)], align=True
)
#: Play-outs use streams of their own, the same for both branches.
_OTHER = np.uint64(1 << 62)


@kernel
def scan_game(
    game,
    state,
    rules,
    scenario,
    views,
    contexts,
    subs,
    rng,
    others,
    other_subs,
    hero,
    number,
    states,
    found,
    counts,
    where,
):
    """Play one game by `contexts`; where a seat marked in `hero` acts, ask `others` too, keep the state if they differ.

    Returns how many disagreements are in `found` now, starting from ``counts[1]``; ``counts[0]`` counts the hero's
    decisions. Disagreements beyond the room in `found` are counted (``counts[2]``) and not kept.
    """
    where.game = number
    where.ply = 0
    begin_game(contexts, subs, rng.seed, number)
    begin_game(others, other_subs, rng.seed, number)
    seek(rng, rng.seed, 0, number)
    status = call4(game.deal, state, rules, scenario, rng)
    while status >= 0:
        ply = where.ply
        action = decide(game, state, views, contexts, status, where)
        if where.failed != 0:
            return
        if hero[status]:
            counts[0] += 1
            other = call2(others[status].fn, views[status], others[status])
            if call2(game.is_legal, state, other) == 0:
                where.failed = 2
                where.action = other
                return
            if other != action:
                k = counts[1]
                if k < found.shape[0]:
                    copy_record(states[k], state)
                    entry = found[k]
                    entry.deal = number
                    entry.ply = ply
                    entry.seat = status
                    entry.a = action
                    entry.b = other
                    counts[1] = k + 1
                else:
                    counts[2] += 1
        status = call2(game.step, state, action)


@kernel
def play_on(game, states, actions, work, views, contexts, subs, rng, numbers, out, where):
    """From each state play the given action, then let the policies finish the game; leave the results in `out`."""
    for k in range(states.shape[0]):
        where.game = numbers[k]
        where.ply = 0
        state = work[0]
        copy_record(state, states[k])
        begin_game(contexts, subs, rng.seed, np.uint64(numbers[k]) ^ _OTHER)
        status = call2(game.step, state, actions[k])
        while status >= 0:
            action = decide(game, state, views, contexts, status, where)
            if where.failed != 0:
                return
            status = call2(game.step, state, action)
        call2_none(game.result, state, out[k])


@kernel
def observe_states(game, states, seats, views):
    """Fill one view for each state, of the seat given."""
    for k in range(states.shape[0]):
        call3_none(game.observe, states[k], seats[k], views[k])
