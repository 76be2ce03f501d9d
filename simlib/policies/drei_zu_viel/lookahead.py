"""Flat Monte Carlo for *3 sind eine zu viel!*: deal the hidden cards again, play on, take the best average."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import ask, copy_record, forget
from simlib._jit import kernel
from simlib.game import SHARE
from simlib.games.drei_zu_viel.play import RESULT, result, step
from simlib.games.drei_zu_viel.view import STATE, VIEW, observe, redeal
from simlib.policies.base import policy


@kernel
def play_out(ctx, state, views, action):
    """Play `action`, then let policy parameter 0 play every seat to the end."""
    forget(ctx, 0, views.shape[0])
    seat = step(state, action)
    while seat >= 0:
        view = views[seat]
        observe(state, seat, view)
        seat = step(state, ask(ctx, 0, seat, view))


@kernel
def judge(out, seat, players, win):
    """Return `win` parts win share and 1 - `win` parts lead over the best other seat, both about as large."""
    best = -32000
    for other in range(players):
        if other != seat:
            best = max(best, int(out.score[other]))
    lead = int(out.score[seat]) - best
    return win * (float(out.win_share[seat]) / SHARE) * 20.0 + (1.0 - win) * lead


@policy(
    "drei_zu_viel",
    samples=(32, "deals of the hidden cards per card in hand, on average"),
    win=(0.5, "1: count the share of the win, 0: the lead in points over the best other, between: both"),
    halving=(1, "1: drop the worse half of the cards after each part of the deals; 0: all get equally many"),
    playout=("greedy", "policy that plays every seat to the end"),
)
def lookahead(view, ctx):
    """Flat Monte Carlo: deal the hidden cards again many times, play each on with every card in hand, choose the best mean.

    All cards meet the same deals, so that their differences are not blurred by luck. With `halving` the deals go to the
    cards still in question (sequential halving, Karnin, Koren and Somekh 2013).
    """
    seat = int(view.seat)
    players = int(view.players)
    n = int(view.hand_n[seat])
    states = np.empty(2, STATE)
    views = np.empty(players, VIEW)
    outs = np.empty(1, RESULT)
    for s in range(players):
        views[s].rules.digest = 0
    totals = np.zeros(8)
    order = np.arange(8)
    rounds = 1
    while ctx.params[2] != 0.0 and (1 << rounds) < n:
        rounds += 1
    budget = max(1.0, ctx.params[0]) * n
    alive = n
    for _ in range(rounds):
        for _ in range(max(1, int(budget / (rounds * alive)))):
            redeal(view, ctx.rng, states[0])
            for a in range(alive):
                copy_record(states[1], states[0])
                play_out(ctx, states[1], views, order[a])
                result(states[1], outs[0])
                totals[order[a]] += judge(outs[0], seat, players, ctx.params[1])
        _sort(order, totals, alive)
        alive = (alive + 1) // 2
    # The records above live in these arrays: mention them last.
    return order[0] + 0 * (states.shape[0] + views.shape[0] + outs.shape[0])


@kernel
def _sort(order, totals, n):
    """Sort the first `n` actions by their totals, best first; of equals the lower action."""
    for i in range(1, n):
        a = order[i]
        j = i
        while j > 0 and (totals[order[j - 1]] < totals[a] or (totals[order[j - 1]] == totals[a] and order[j - 1] > a)):
            order[j] = order[j - 1]
            j -= 1
        order[j] = a
