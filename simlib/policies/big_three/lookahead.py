"""Flat Monte Carlo for Big Three: deal the hidden cards again, play on, take the best average.

For bids, calls and cards.
"""

from __future__ import annotations

import numpy as np

from simlib._dispatch import ask, copy_record, forget
from simlib._jit import kernel
from simlib.games.big_three.combos import BIT_OF, K_OF, N_ALL, NAMED, PASS, U
from simlib.games.big_three.observe import legal, observe
from simlib.games.big_three.play import step
from simlib.games.big_three.redeal import redeal
from simlib.games.big_three.settle import chips
from simlib.games.big_three.view import AUCTION, PLAY, STATE, VIEW
from simlib.policies.base import policy
from simlib.policies.big_three.cards import without
from simlib.policies.big_three.turns import turns

#: All that can be legal at once: every combination with and without the named card, and a pass.
MOST_ACTIONS = 2 * N_ALL + 1


@kernel
def shortlist(view, actions, n, width):  # type: ignore[no-untyped-def]
    """Move the `width` actions (0: all) that leave fewest turns to the front of `actions`; return how many.

    A pass counts as losing one turn; of equals the first in order, that is of lower multiplicity and rank, stays
    first.
    """
    if width <= 0 or n <= width or view.phase != PLAY:
        return n
    for i in range(min(width, n)):
        best = i
        for j in range(i + 1, n):
            if _left(view, actions[j]) < _left(view, actions[best]):
                best = j
        picked = actions[best]
        for j in range(best, i, -1):
            actions[j] = actions[j - 1]
        actions[i] = picked
    return min(width, n)


@kernel
def _left(view, action):  # type: ignore[no-untyped-def]
    """Return the turns that the hand needs after an action."""
    if action == PASS:
        return turns(view.hand, view.rules)
    plain = U(action - NAMED if action >= NAMED else action)
    return turns(without(view.hand, U(K_OF[plain]), U(BIT_OF[plain]), view.rules), view.rules)


@kernel
def play_out(ctx, state, views, action):  # type: ignore[no-untyped-def]
    """Carry out `action`, then let policy parameter 0 play every seat to the end."""
    forget(ctx, 0, int(state.table.players))
    seat = step(state, action)
    while seat >= 0:
        view = views[seat]
        observe(state, seat, view)
        seat = step(state, ask(ctx, 0, seat, view))


@kernel
def worth(state, seat, bidding):  # type: ignore[no-untyped-def]
    """Return what a finished deal is worth to a seat: its chips in the auction, else the win, doubled where bombs
    double it.

    (McNeely scoring gives a defender nothing either way, but it still wants to win.)
    """
    first = int(state.first_out)
    declarer = int(state.table.declarer)
    partner = int(state.holder)
    won = first == declarer or (partner >= 0 and first == partner)
    mine = seat == declarer or (partner >= 0 and seat == partner)
    wins = 1 if won == mine else 0
    if bidding:
        return float(chips(state, seat, wins))
    stake = 2.0 if state.rules.bomb_bonus != 0 and state.table.bombs > 0 else 1.0
    return stake if wins != 0 else -stake


@policy(
    "big_three",
    samples=(24, "deals of the hidden cards per action, on average"),
    width=(10, "actions looked at in the play, those that leave fewest turns; 0: all"),
    halving=(1, "1: drop the worse half of the actions after each part of the deals; 0: all get equally many"),
    playout=("shed:bid=[value]", "policy that plays every seat to the end"),
)
def lookahead(view, ctx):  # type: ignore[no-untyped-def]
    """Flat Monte Carlo: deal the hidden cards again many times, play each on with every action, choose the best mean.

    All actions meet the same deals, so that their differences are not blurred by luck. With `halving` the deals go
    to the actions still in question (sequential halving, Karnin, Koren and Somekh 2013).
    """
    seat = int(view.seat)
    actions = np.zeros(MOST_ACTIONS, np.int64)
    n = shortlist(view, actions, legal(view, actions), int(ctx.params[1]))
    if n == 1:
        return actions[0]
    states = np.zeros(2, STATE)
    views = np.zeros(4, VIEW)
    totals = np.zeros(n)
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
                play_out(ctx, states[1], views, actions[a])
                totals[a] += worth(states[1], seat, view.phase == AUCTION)
        _sort(actions, totals, alive)
        alive = (alive + 1) // 2
    # The records above live in these arrays: mention them last.
    return actions[0] + 0 * (states.shape[0] + views.shape[0])


@kernel
def _sort(actions, totals, n):  # type: ignore[no-untyped-def]
    """Sort the first `n` actions by their totals, best first; equals keep their order."""
    for i in range(1, n):
        action, total = actions[i], totals[i]
        j = i
        while j > 0 and totals[j - 1] < total:
            actions[j], totals[j] = actions[j - 1], totals[j - 1]
            j -= 1
        actions[j], totals[j] = action, total
