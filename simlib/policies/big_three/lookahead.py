"""Flat Monte Carlo for Big Three: deal the hidden cards again, play on, take the best average.

For bids, calls and cards.
"""

from __future__ import annotations

import math

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
    """Move the `width` actions (0: all) that leave fewest turns to the front, behind the first; return how many.

    A pass counts as losing one turn; of equals the first in order, that is of lower multiplicity and rank, stays
    first.
    """
    if width <= 0 or n <= width or view.phase != PLAY:
        return n
    for i in range(1, min(width, n)):
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
    stake = 2.0 if state.table.rules.bomb_bonus != 0 and state.table.bombs > 0 else 1.0
    return stake if wins != 0 else -stake


@kernel
def put_first(actions, n, action):  # type: ignore[no-untyped-def]
    """Move an action to the front of the list; the others keep their order."""
    at = 0
    while at < n - 1 and actions[at] != action:
        at += 1
    for j in range(at, 0, -1):
        actions[j] = actions[j - 1]
    actions[0] = action


@policy(
    "big_three",
    samples=(40, "deals of the hidden cards per action, on average"),
    width=(6, "actions looked at in the play, those that leave fewest turns; 0: all"),
    caution=(1.0, "standard errors by which an action must be better than the play-out policy's own choice"),
    playout=("counting", "policy that plays every seat to the end, and whose choice stands in doubt"),
)
def lookahead(view, ctx):  # type: ignore[no-untyped-def]
    """Flat Monte Carlo: deal the hidden cards again many times, play each on with every action, choose the best mean.

    For bids, calls and cards alike. All actions meet the same deals, so that their differences are not blurred by luck,
    and the deals go to the actions still in question (sequential halving, Karnin, Koren and Somekh 2013). What the
    play-out policy would do itself is given up only for something better beyond the noise (`caution`).
    """
    seat = int(view.seat)
    actions = np.zeros(MOST_ACTIONS, np.int64)
    n = legal(view, actions)
    if n == 1:
        return actions[0]
    put_first(actions, n, ask(ctx, 0, seat, view))
    n = shortlist(view, actions, n, int(ctx.params[1]))
    states = np.zeros(2, STATE)
    views = np.zeros(4, VIEW)
    gains = np.zeros((n, 3))  # by action: deals, sum and sum of squares of its lead over the first
    alive = n
    rounds = 1
    while (1 << rounds) < n:
        rounds += 1
    for _ in range(rounds):
        for _ in range(max(1, int(max(1.0, ctx.params[0]) * n / (rounds * alive)))):
            redeal(view, ctx.rng, states[0])
            own = 0.0
            for a in range(alive):
                copy_record(states[1], states[0])
                play_out(ctx, states[1], views, actions[a])
                gain = worth(states[1], seat, view.phase == AUCTION)
                own = gain if a == 0 else own
                gains[a, 0] += 1.0
                gains[a, 1] += gain - own
                gains[a, 2] += (gain - own) * (gain - own)
        _sort(actions, gains, alive)
        alive = max(2, (alive + 1) // 2)
    best = _surest(gains, alive, ctx.params[2])
    # The records above live in these arrays: mention them last.
    return actions[best] + 0 * (states.shape[0] + views.shape[0])


@kernel
def _surest(gains, n, caution):  # type: ignore[no-untyped-def]
    """Return the action whose mean lead over the first, less `caution` standard errors, is largest; else 0."""
    best = 0
    most = 0.0
    for a in range(1, n):
        count = gains[a, 0]
        mean = gains[a, 1] / count
        error = math.sqrt(max(0.0, gains[a, 2] / count - mean * mean) / count)
        if mean - caution * error > most:
            most = mean - caution * error
            best = a
    return best


@kernel
def _sort(actions, gains, n):  # type: ignore[no-untyped-def]
    """Sort the actions after the first one by their mean lead, best first; equals keep their order."""
    for i in range(2, n):
        j = i
        while j > 1 and gains[j - 1, 1] / gains[j - 1, 0] < gains[j, 1] / gains[j, 0]:
            actions[j], actions[j - 1] = actions[j - 1], actions[j]
            for c in range(3):
                gains[j, c], gains[j - 1, c] = gains[j - 1, c], gains[j, c]
            j -= 1
