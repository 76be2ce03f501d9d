"""Self-play of the Big Three policy `counting` with soft choices, and how its weights climb by it.

Every seat plays each move with a chance proportional to exp(weighted sum of its features). The gradient of the
expected result is the mean of (result − baseline) × (features of the move made − their expectation), summed over a
party's decisions (Williams 1992, REINFORCE); the baseline of a deal is the mean result of the other plays of the same
deal, which takes the luck of the cards out. A declarer's weights and those of the players with partners are fitted at
once, against each other, with Adam (Kingma and Ba 2015).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from simlib.games import get
from simlib.games.big_three.combos import PASS, U, lowest, number
from simlib.games.big_three.observe import move_word, observe
from simlib.games.big_three.play import deal, step
from simlib.policies.big_three.calling import best_call
from simlib.policies.big_three.scene import N_FEATURES, SCENE, look, weigh, weigh_pass, worth_a_look
from simlib.rng import STREAM, seek, uniform

F = N_FEATURES
MOST_MOVES = 240
#: A step is played in pieces, whose gradients are added in this order whatever the number of threads. Players of each:
PIECES = (3, 3, 3, 4, 3, 3, 3, 4)


@numba.njit(nogil=True)
def candidates(view, s, features, actions):
    """Write features and action of each move; return how many there are, or −1 − i when move i wins for certain."""
    n = 0
    if view.leading == 0:
        weigh_pass(view, s)
        features[0] = s.f
        actions[0] = PASS
        n = 1
    for i in range(4):
        k = U(i)
        word = move_word(view, k)
        while word != U(0):
            bit = lowest(word)
            word &= word - U(1)
            if not worth_a_look(view, s, k, bit):
                continue
            weigh(view, s, k, bit)
            features[n] = s.f
            actions[n] = number(k, bit)
            if s.sure != 0:
                return -1 - n
            n += 1
    return n


@numba.njit(nogil=True)
def soften(features, n, weights, chance):
    """Write the chance of each of n moves: proportional to exp(weighted sum of its features)."""
    most = -1e300
    for i in range(n):
        value = 0.0
        for j in range(F):
            value += features[i, j] * weights[j]
        chance[i] = value
        most = max(most, value)
    total = 0.0
    for i in range(n):
        chance[i] = math.exp(chance[i] - most)
        total += chance[i]
    for i in range(n):
        chance[i] /= total


@numba.njit(nogil=True)
def choose(features, n, weights, rng, chance, sign, score):
    """Draw one of n moves, add its score function times `sign` to `score`; return its index."""
    soften(features, n, weights, chance)
    left = uniform(rng)
    pick = 0
    while pick < n - 1 and left >= chance[pick]:
        left -= chance[pick]
        pick += 1
    for j in range(F):
        mean = 0.0
        for i in range(n):
            mean += chance[i] * features[i, j]
        score[j] += sign * (features[pick, j] - mean)
    return pick


@numba.njit(nogil=True)
def play_out(state, view, s, seat, theta, rng, features, actions, chance, score):
    """Play one deal with soft choices, add the score function to `score`; return 1 when the declarer won."""
    while seat >= 0:
        observe(state, seat, view)
        if view.phase == 1:
            seat = step(state, best_call(view))
            continue
        look(view, s)
        n = candidates(view, s, features, actions)
        if n < 0:
            seat = step(state, actions[-1 - n])
            continue
        pick = 0
        if n > 1:
            role = 0 if s.alone != 0 else 1
            sign = 1.0 if (seat == state.table.declarer) | (seat == state.holder) else -1.0
            pick = choose(features, n, theta[role], rng, chance, sign, score[role])
        seat = step(state, actions[pick])
    return int((state.first_out == state.table.declarer) | (state.first_out == state.holder))


@numba.njit(nogil=True)
def gradient(states, views, scenes, rules, scenarios, rngs, theta, seed, first, deals, reps):
    """Return the gradient of each party's chance to win by its own weights, and the declarer's chance."""
    state, view, s, rng, luck = states[0], views[0], scenes[0], rngs[0], rngs[1]
    features, actions, chance = np.zeros((MOST_MOVES, F)), np.zeros(MOST_MOVES, np.int64), np.zeros(MOST_MOVES)
    total, won = np.zeros((2, F)), 0
    scores, results = np.zeros((reps, 2, F)), np.zeros(reps)
    seek(luck, seed, 77, first)
    for g in range(first, first + deals):
        scores[:] = 0.0
        scenario = scenarios[g % rules.players]
        for r in range(reps):
            seek(rng, seed, 0, g)
            seat = deal(state, rules, scenario, rng)
            results[r] = play_out(state, view, s, seat, theta, luck, features, actions, chance, scores[r])
        for r in range(reps):
            others = (results.sum() - results[r]) / (reps - 1)
            total += (results[r] - others) * scores[r]
        won += results.sum()
    return total / (deals * reps), won / (deals * reps)


class Piece:
    """The arrays that a piece of a step needs; every seat declares in turn, whatever it holds."""

    def __init__(self, players: int) -> None:
        game = get("big_three")
        self.arrays = [np.zeros(1, game.STATE), np.zeros(1, game.VIEW), np.zeros(1, SCENE)]
        self.rules = game.encode(game.rules.make(players=players))
        self.scenarios = np.zeros(players, game.SCENARIO)
        self.scenarios["declarer"] = 1 + np.arange(players)
        self.rngs = np.zeros(2, STREAM)

    def run(self, theta: np.ndarray, seed: int, first: int, deals: int, reps: int) -> tuple[np.ndarray, float]:
        """Return (gradient, chance of the declaring party)."""
        return gradient(*self.arrays, self.rules[0], self.scenarios, self.rngs, theta, seed, first, deals, reps)


def climb(
    theta: np.ndarray, steps: int, *, seed: int, deals: int, reps: int, rate: float, slowing: float, threads: int
) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Yield, after each step: the weights, the declarer's chance to win in each piece, and the steepest slope.

    Parameters
    ----------
    theta : float array, shape (2, features)
        The start: weights of a declarer alone, of all with a partner.
    steps : int
    seed : int
        The same seed gives the same numbers, whatever `threads` is.
    deals, reps : int
        Deals of each piece, and how often each is played.
    rate, slowing : float
        Size of a step: rate / (1 + number of steps before / slowing).
    threads : int
    """
    pieces = [Piece(players) for players in PIECES]
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    with ThreadPoolExecutor(threads) as pool:
        for number_ in range(steps):
            starts = [(number_ * len(pieces) + i) * deals for i in range(len(pieces))]
            jobs = [pool.submit(p.run, theta, seed, s, deals, reps) for p, s in zip(pieces, starts, strict=True)]
            found = [job.result() for job in jobs]
            slope = np.mean([g for g, _ in found], axis=0)
            first = 0.9 * first + 0.1 * slope
            second = 0.98 * second + 0.02 * slope**2
            spread = np.sqrt(second / (1 - 0.98 ** (number_ + 1))) + 1e-5
            theta = theta + rate / (1 + number_ / slowing) * first / (1 - 0.9 ** (number_ + 1)) / spread
            yield theta, np.array([w for _, w in found]), float(np.abs(slope).max())
