"""Fit the weights of the Big Three policy `counting` in self-play, and write them to its module.

Every seat plays each move with a chance proportional to exp(weighted sum of its features). The gradient of the
expected result is the mean of (result − baseline) × (features of the move made − their expectation), summed over a
party's decisions (Williams 1992, REINFORCE); the baseline of a deal is the mean result of the other plays of the same
deal, which takes the luck of the cards out. A declarer's weights and those of the players with partners are fitted at
once, against each other, with Adam (Kingma and Ba 2015). A quarter of the deals are of the four-player game.

    python experiments/fit_big_three_counting.py --minutes 5 --seed 1
"""

from __future__ import annotations

import argparse
import pathlib
import time
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

from simlib.games import get
from simlib.games.big_three.combos import PASS, U, lowest, number
from simlib.games.big_three.observe import move_word, observe
from simlib.games.big_three.play import deal, step
from simlib.policies.big_three import counting_weights
from simlib.policies.big_three.calling import best_call
from simlib.policies.big_three.scene import (
    FEATURES,
    GIFT_CHOICE,
    N_FEATURES,
    SCENE,
    look,
    weigh,
    weigh_pass,
    worth_a_look,
)
from simlib.rng import STREAM, seek, uniform

F = N_FEATURES
MOST_MOVES = 240
ROLES = ("alone", "team")


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
def play_out(state, view, s, seat, theta, rng, features, actions, chance, score):
    """Play one deal with soft choices, add the score function to `score`; return 1 when the declarer won."""
    while seat >= 0:
        observe(state, seat, view)
        if view.phase == 1:
            seat = step(state, best_call(view))
            continue
        look(view, s)
        role = 0 if s.alone != 0 else 1
        n = candidates(view, s, features, actions)
        if n < 0:
            seat = step(state, actions[-1 - n])
            continue
        pick = 0
        if n > 1:
            chance[:n] = features[:n] @ theta[role]
            chance[:n] = np.exp(chance[:n] - chance[:n].max())
            chance[:n] /= chance[:n].sum()
            left = uniform(rng)
            while pick < n - 1 and left >= chance[pick]:
                left -= chance[pick]
                pick += 1
            sign = 1.0 if (seat == state.table.declarer) | (seat == state.holder) else -1.0
            score[role] += sign * (features[pick] - chance[:n] @ features[:n])
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


class Worker:
    """The arrays that one thread needs."""

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


def fit(theta: np.ndarray, a: argparse.Namespace) -> np.ndarray:
    """Return the mean of the weights over the second half of the steps."""
    workers = [Worker(3 if t % 4 != 3 else 4) for t in range(4 * a.threads)]
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    end, step_number, kept = time.time() + 60 * a.minutes, 0, []
    with ThreadPoolExecutor(a.threads) as pool:
        while time.time() < end:
            starts = [(step_number * len(workers) + i) * a.deals for i in range(len(workers))]
            jobs = [
                pool.submit(w.run, theta, a.seed, start, a.deals, a.reps)
                for w, start in zip(workers, starts, strict=True)
            ]
            found = [job.result() for job in jobs]
            slope = np.mean([g for g, _ in found], axis=0)
            step_number += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.98 * second + 0.02 * slope**2
            size = a.rate / (1 + step_number / 150)
            spread = np.sqrt(second / (1 - 0.98**step_number)) + 1e-5
            theta = theta + size * first / (1 - 0.9**step_number) / spread
            kept.append(theta)
            if step_number % 10 == 1:
                wins = [round(float(np.mean([w for _, w in found[i::4]])), 3) for i in range(4)]
                print(f"step {step_number}: declarer wins {wins}, |slope| {np.abs(slope).max():.4f}", flush=True)
    return np.mean(kept[len(kept) // 2 :], axis=0)


def write(theta: np.ndarray) -> None:
    """Write the weights as Python source."""
    # A rule rather than a fitted weight (play is too sure by then to explore): no needless gift by who has a partner.
    theta[1, GIFT_CHOICE] = -100.0
    weights = {
        role: {name: round(float(w), 3) for name, w in zip(FEATURES, theta[i], strict=True)}
        for i, role in enumerate(ROLES)
    }
    rows = []
    for role, row in weights.items():
        lines = "".join(f'        "{name}": {weight},\n' for name, weight in row.items())
        rows.append(f'    "{role}": {{\n{lines}    }},\n')
    text = '"""Weights of `counting`, written by experiments/fit_big_three_counting.py."""\n\n'
    text += "from __future__ import annotations\n\n"
    text += "WEIGHTS: dict[str, dict[str, float]] = {\n" + "".join(rows) + "}\n"
    pathlib.Path(counting_weights.__file__).write_text(text, encoding="utf-8")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=250, help="deals of each piece; eight pieces a step")
    parser.add_argument("--reps", type=int, default=6, help="plays of each deal")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rate", type=float, default=0.1, help="size of the first steps")
    parser.add_argument("--cool", type=float, default=0.8, help="factor on the first weights: below 1 explores")
    a = parser.parse_args()
    weights = counting_weights.WEIGHTS
    start = np.array([[weights[role].get(name, 0.0) for name in FEATURES] for role in ROLES])
    write(fit(a.cool * start, a))


if __name__ == "__main__":
    main()
