"""Claim 6 of *3 sind eine zu viel!*: two players control the layout a little; with three or four it changes fast."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._drei import GAME, gather
from experiments._frame import Experiment, Study, rows_of, run, say
from simlib.plots import style
from simlib.stats.intervals import Estimate

EXPERIMENT = Experiment(
    name="drei_table_size",
    question="How much of the layout is left when it is one's turn again, with two, three and four players?",
    hypothesis="With two players most rows that one has filled wait for one; with four few do.",
    design=(
        "Tables of two, three and four `careful`, played once more card by card: rows that a play filled up, when the"
        " same player is to play again. Beside it `careful` against `greedy` opponents, in every seat of the same"
        " deals: what skill is worth at each number of players."
    ),
    claim="drei_zu_viel, claim 6",
    deals=15_000,
)
WHAT = ("a row one has filled up lies there untouched", "a row one has filled up is harvested by oneself at once")


def kept(tables: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Return sums and counts: of the rows that a player filled up, those untouched, and harvested, at the next turn."""
    players = int(tables["players"][0, 0])
    row, held = tables["row"].astype(np.int64), tables["row_n"][:, :, :3]
    filled = ((held[1:] == 3) & (held[:-1] == 2))[:-players]
    untouched = filled & (row[1:-players] == row[players:-1]).all(axis=3)
    harvested = untouched & (row[players:-1] != row[players + 1 :]).any(axis=3)
    times = filled.sum(axis=(0, 2))
    return np.array([(x.sum(axis=(0, 2)), times) for x in (untouched, harvested)]).transpose(2, 0, 1)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    import matplotlib.pyplot as plt

    left: dict[int, dict[str, Estimate]] = {}
    skill: dict[int, Estimate] = {}
    for players in (2, 3, 4):
        left[players] = gather(["careful"] * players, deals, seed, kept, WHAT)
        found = sl.compare(
            GAME, "greedy", ["careful"], 2 * deals, seed=seed, rules={"players": players}, progress=False
        )
        skill[players] = found.estimate("careful")
    with style.style():
        _, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for i, what in enumerate(WHAT):
        e = [left[n][what] for n in left]
        x = np.array(list(left)) + 0.12 * (i - 0.5)
        style.points(
            axes[0], x, [v.mean for v in e], [v.lo for v in e], [v.hi for v in e], i, ("untouched", "harvested")[i]
        )
    e = list(skill.values())
    style.points(axes[1], list(skill), [v.mean for v in e], [v.lo for v in e], [v.hi for v in e], 0, "")
    for ax, title in zip(
        axes, ("Rows one has filled up, at one's next turn", "careful against greedy opponents"), strict=True
    ):
        ax.set_xticks((2, 3, 4))
        ax.set_ylim(0, None)
        ax.set_xlabel("players")
        style.title(ax, title)
    style.percent(axes[0], "y")
    style.legend(axes[0], loc="upper right")
    axes[1].set_ylim(0, 8)
    axes[1].set_ylabel("points more than greedy")
    there, taken = ([left[n][w] for n in (2, 3, 4)] for w in WHAT)
    grows, falls = skill[4].lo > skill[2].hi, skill[4].hi < skill[2].lo
    change = "grows with" if grows else "falls with" if falls else "hardly depends on"
    sentences = [
        (
            f"A row that one has filled up lies untouched when it is one's turn again in {say(there[0], percent=True)}"
            f" of the cases with two players, {say(there[1], percent=True)} with three and"
            f" {say(there[2], percent=True)} with four; `careful` then harvests it in {say(taken[0], percent=True)},"
            f" {say(taken[1], percent=True)} and {say(taken[2], percent=True)}."
        ),
        (
            f"Careful play is worth {say(skill[2], 'points')} a game against one greedy opponent,"
            f" {say(skill[3], 'points')} against two and {say(skill[4], 'points')} against three."
        ),
        (
            "The claim holds: with two players a row set up for the next turn mostly waits, with four it mostly does"
            f" not; what skill is worth {change} the number of players, though."
        ),
    ]
    findings = [(f"{n} players: {w}", left[n][w], "") for n in left for w in WHAT]
    findings += [(f"{n} players: careful instead of greedy", skill[n], "points") for n in skill]
    table = pd.concat(
        [rows_of({t: v for t, v, _ in findings[:6]}), rows_of({t: v for t, v, _ in findings[6:]})], ignore_index=True
    )
    return Study(table, axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
