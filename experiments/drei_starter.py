"""Does it matter in *3 sind eine zu viel!* who plays first? The source lets the youngest begin, this library chance."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._drei import GAME
from experiments._frame import Experiment, Study, rows_of, run, say
from simlib.game import SHARE
from simlib.plots import style
from simlib.stats.intervals import Estimate, mean_interval

EXPERIMENT = Experiment(
    name="drei_starter",
    question="Is it an advantage to play first?",
    hypothesis="Places in the order of play differ little; if so, it hardly matters who begins.",
    design=(
        "Tables of two, three and four `careful`: win rate and score by place in the order of play (1: who begins), and"
        " how much who begins is above or below an equal share."
    ),
    claim="drei_zu_viel, assumption starter",
    deals=150_000,
)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    import matplotlib.pyplot as plt

    wins: dict[str, Estimate] = {}
    scores: dict[str, Estimate] = {}
    with style.style():
        _, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for line, players in enumerate((2, 3, 4)):
        runs = sl.simulate(GAME, ["careful"] * players, deals, seed=seed, progress=False)
        rows = np.concatenate([r[:, 0] for _, r in runs.chunks()])
        place = (np.arange(players) + rows["starter"][:, None]) % players
        share = np.take_along_axis(rows["win_share"].astype(np.int64), place, axis=1)
        points = np.take_along_axis(rows["score"].astype(np.int64), place, axis=1)
        apart = players * points - points.sum(axis=1, keepdims=True)
        names = [f"{players} players, place {k + 1}" for k in range(players)]
        win = [mean_interval(players * share[:, k] - SHARE, scale=players * SHARE) for k in range(players)]
        more = [mean_interval(apart[:, k], scale=players) for k in range(players)]
        wins |= dict(zip(names, win, strict=True))
        scores |= dict(zip(names, more, strict=True))
        for ax, e in zip(axes, (win, more), strict=True):
            x = np.arange(1, players + 1) + 0.1 * (line - 1)
            style.points(ax, x, [v.mean for v in e], [v.lo for v in e], [v.hi for v in e], line, f"{players} players")
    style.percent(axes[0], "y")
    for ax, title in zip(axes, ("Win rate above an equal share", "Points above the table's mean"), strict=True):
        ax.axhline(0, color=style.GREY, linewidth=0.8)
        ax.set_xticks((1, 2, 3, 4))
        ax.set_xlabel("place in the order of play")
        style.title(ax, title)
    style.legend(axes[1])
    first = {n: wins[f"{n} players, place 1"] for n in (2, 3, 4)}
    last = {n: wins[f"{n} players, place {n}"] for n in (2, 3, 4)}
    sentences = [
        (
            f"Counted from an equal share, who begins wins {say(first[4], percent=True)} of the games with four"
            f" players, {say(first[3], percent=True)} with three and {say(first[2], percent=True)} with two; who plays"
            f" last {say(last[4], percent=True)}, {say(last[3], percent=True)} and {say(last[2], percent=True)}."
        ),
        (
            f"In points with four players the first is {say(scores['4 players, place 1'], 'points')} above the mean of"
            f" the table, and the last {say(scores['4 players, place 4'], 'points')}."
        ),
        (
            f"So the largest advantage of a place is {100 * max(abs(e.mean) for e in wins.values()):.1f} % of the"
            " games; comparisons here sit every policy in every seat, so who begins cannot tilt them."
        ),
    ]
    findings = [(f"win rate above an equal share, {k}", e, "") for k, e in wins.items()]
    findings += [(f"points above the table's mean, {k}", e, "points") for k, e in scores.items()]
    table = pd.concat([rows_of({f"{t}": e for t, e, _ in findings})], ignore_index=True)
    return Study(table, axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
