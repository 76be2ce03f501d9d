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
    samples=(32, "play-outs per card in hand, on average"),
    win=(0.3, "1: count the share of the win, 0: the lead in points over the best other, between: both"),
    halving=(1, "1: drop the worse half of the cards after each part of the deals; 0: all get equally many"),
    doubt=(1, "standard errors by which a card must beat the choice of the play-out policy to be played instead"),
    playout=("careful", "policy that plays every seat to the end"),
)
def lookahead(view, ctx):
    """Flat Monte Carlo: deal the hidden cards again many times, play on with every card in hand, choose the best mean.

    All cards meet the same deals and are compared with the card that the play-out policy would play, so that luck does
    not blur their differences. With `halving` the deals go to the cards still in question (sequential halving, Karnin,
    Koren and Somekh 2013).
    """
    seat, players, n = int(view.seat), int(view.players), int(view.hand_n[view.seat])
    states, views, outs = np.empty(2, STATE), np.empty(players, VIEW), np.empty(1, RESULT)
    for s in range(players):
        views[s].rules.digest = 0
    order, total, square, number = np.arange(8), np.zeros(8), np.zeros(8), np.zeros(8)
    copy_record(views[seat], view)
    order[0] = ask(ctx, 0, seat, views[seat])
    order[order[0]] = 0
    rounds = 1
    while ctx.params[2] != 0.0 and (1 << rounds) < n:
        rounds += 1
    alive = n - 1  # besides order[0]
    for _ in range(rounds):
        for _ in range(max(1, int(ctx.params[0] * n / (rounds * (alive + 1))))):
            redeal(view, ctx.rng, states[0])
            base = 0.0
            for k in range(alive + 1):
                a = order[k]
                copy_record(states[1], states[0])
                play_out(ctx, states[1], views, a)
                result(states[1], outs[0])
                value = judge(outs[0], seat, players, ctx.params[1]) - base
                base = value if k == 0 else base
                if k > 0:
                    total[a] += value
                    square[a] += value * value
                    number[a] += 1.0
        sort(order, total, 1, alive + 1)
        alive = (alive + 1) // 2
    # The records above live in these arrays: mention them last.
    kept = 0 * (states.shape[0] + views.shape[0] + outs.shape[0])
    return kept + (order[1] if beats(total[order[1]], square[order[1]], number[order[1]], ctx.params[3]) else order[0])


@kernel
def beats(total, square, number, doubt):
    """Return whether a mean difference is positive by more than `doubt` standard errors; a single one has none."""
    mean = total / number
    error = np.sqrt(max(0.0, square / number - mean * mean) / (number - 1.0)) if number > 1.0 else 0.0
    return mean > doubt * error


@kernel
def sort(order, total, begin, end):
    """Sort the actions in order[begin] … order[end - 1] by their totals, best first; of equals the lower action."""
    for i in range(begin + 1, end):
        a = order[i]
        j = i
        while j > begin and (total[order[j - 1]] < total[a] or (total[order[j - 1]] == total[a] and order[j - 1] > a)):
            order[j] = order[j - 1]
            j -= 1
        order[j] = a
