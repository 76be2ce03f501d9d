"""The compiled loops that play games to their end. They serve all games: game and policies are called by address."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import block_context, call2, call2_none, call3_none, call4, call5_none
from simlib._jit import kernel
from simlib.game import WHERE  # noqa: F401 (the type of `where`)
from simlib.rng import below, pick, seek, uniform

_NO_FUNCTION = np.uint64(0)


@kernel
def begin_game(contexts, subs, seed, game):
    """Put every context at the start of its own stream of this game, and clear its memory.

    `subs` holds the addresses of further blocks of contexts, each with one a seat.
    """
    players = contexts.shape[0]
    for c in range(players * (1 + subs.shape[0])):
        context = contexts[c] if c < players else block_context(subs[c // players - 1], c % players, contexts[0])
        seek(context.rng, seed, context.rng.stream, game)
        for i in range(context.mem.shape[0]):
            context.mem[i] = 0


@kernel
def decide(game, state, views, contexts, status, where):
    """Ask the policy of the seat to act; return its action, or −1 and a mark in `where` when it is illegal."""
    view = views[status]
    context = contexts[status]
    call3_none(game.observe, state, status, view)
    where.seat = status
    action = call2(context.fn, view, context)
    where.action = action
    if call2(game.is_legal, state, action) == 0:
        where.failed = 1
        return -1
    where.ply += 1
    return action


@kernel
def play_chunk(game, state, rules, scenario, views, contexts, subs, rng, first, out, where):
    """Play the games `first` … `first + len(out) - 1` and leave their results in `out`. Stops at an illegal action.

    `decide` written out: its counter and mark in memory cost 1.5 ns an action (measured).
    """
    for g in range(out.shape[0]):
        where.game = first + g
        begin_game(contexts, subs, rng.seed, first + g)
        seek(rng, rng.seed, 0, first + g)
        status = call4(game.deal, state, rules, scenario, rng)
        if game.play_on != _NO_FUNCTION:
            call5_none(game.play_on, state, status, views, contexts, where)
            if where.failed != 0:
                return
            status = -1
        ply = 0
        while status >= 0:
            view = views[status]
            context = contexts[status]
            call3_none(game.observe, state, status, view)
            where.seat = status
            where.ply = ply
            action = call2(context.fn, view, context)
            if call2(game.is_legal, state, action) == 0:
                where.action = action
                where.failed = 1
                return
            ply += 1
            status = call2(game.step, state, action)
        call2_none(game.result, state, out[g])


@kernel
def trace_game(game, state, rules, scenario, views, contexts, subs, rng, number, actions, where):
    """Play one game and write its actions down; return how many there were (−1 when `actions` is too short)."""
    where.game = number
    where.ply = 0
    begin_game(contexts, subs, rng.seed, number)
    seek(rng, rng.seed, 0, number)
    status = call4(game.deal, state, rules, scenario, rng)
    n = 0
    while status >= 0:
        action = decide(game, state, views, contexts, status, where)
        if where.failed != 0:
            return n
        if n == actions.shape[0]:
            return -1
        actions[n] = action
        n += 1
        status = call2(game.step, state, action)
    return n


@kernel
def deal_many(game, states, rules, scenario, contexts, subs, rng, first, seats):
    """Deal the games `first` … into `states`; note the seat to act of each."""
    for g in range(states.shape[0]):
        begin_game(contexts[g], subs[g], rng.seed, first + g)
        seek(rng, rng.seed, 0, first + g)
        seats[g] = call4(game.deal, states[g], rules, scenario, rng)


@kernel
def observe_many(game, states, games, seats, views):
    """Fill one view for each game listed, of the seat to act there."""
    for i in range(games.shape[0]):
        call3_none(game.observe, states[games[i]], seats[games[i]], views[i])


@kernel
def legal_many(game, views, games, mask, scratch):
    """Mark the legal actions of each view in the row of its game."""
    for i in range(games.shape[0]):
        n = call2(game.legal, views[i], scratch)
        for k in range(n):
            mask[games[i], scratch[k]] = True


@kernel
def step_many(game, states, actions, seats):
    """Play one action in each running game; return the first game with an illegal one (then none is played), or −1."""
    for g in range(states.shape[0]):
        if seats[g] >= 0 and call2(game.is_legal, states[g], actions[g]) == 0:
            return g
    for g in range(states.shape[0]):
        if seats[g] >= 0:
            seats[g] = call2(game.step, states[g], actions[g])
    return -1


@kernel
def result_many(game, states, out):
    """Fill the results of finished games."""
    for g in range(states.shape[0]):
        call2_none(game.result, states[g], out[g])


@kernel
def advance_many(game, states, views, contexts, seats, outside, first, where):
    """Play each game on until a seat marked in `outside` is to act, or it is over."""
    for g in range(states.shape[0]):
        where.game = first + g
        while seats[g] >= 0 and not outside[seats[g]]:
            action = decide(game, states[g], views[g], contexts[g], seats[g], where)
            if where.failed != 0:
                return
            seats[g] = call2(game.step, states[g], action)


@kernel
def below_many(contexts, games, seats, bounds, out):
    """Draw one bounded integer from the stream of a seat in each game."""
    for i in range(games.shape[0]):
        out[i] = below(contexts[games[i], seats[i]].rng, bounds[i])


@kernel
def pick_many(contexts, games, seats, bounds, out):
    """Draw one integer below a bound of at most 256 from the stream of a seat in each game."""
    for i in range(games.shape[0]):
        out[i] = pick(contexts[games[i], seats[i]].rng, bounds[i])


@kernel
def uniform_many(contexts, games, seats, out):
    """Draw one fraction from the stream of a seat in each game."""
    for i in range(games.shape[0]):
        out[i] = uniform(contexts[games[i], seats[i]].rng)
