"""Bombs in Big Three: how many there are, what the bonus does, and whether straights of quads matter."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._big import GAME, panels
from experiments._frame import Experiment, Study, rows_of, run, say
from simlib import plots
from simlib.stats.clusters import ratio_interval
from simlib.stats.intervals import mean_interval, paired_difference, wilson_interval

EXPERIMENT = Experiment(
    name="big_bombs",
    question="How often does a bomb double the payment, and does it matter whether straights of quads count "
    "and that it doubles once?",
    hypothesis="A bomb falls in a good part of the deals; straights of quads are too rare to matter, a "
    "second bomb is not.",
    design="A table of `counting` with and without `bomb_bonus` on the same deals. A straight of quads needs "
    "three quads in one "
    "hand: the share of deals in which a hand (or the declarer's with the widow) has so many bounds from "
    "above what the "
    "assumption can change. Two bombs or more are what doubling for each of them would change.",
    claim="big_three, option bomb_bonus and its assumptions (straights of quads count, payment doubles once)",
    deals=40_000,
    quick_deals=500,
)


def table_of(option: bool, deals: int, seed: int) -> np.ndarray:
    """Return the results of a table of `counting` with and without the option."""
    rules = {"bomb_bonus": option}
    runs = sl.simulate(GAME, ["counting"] * 3, deals, seed=seed, rules=rules, progress=False)
    return np.concatenate([rows[:, 0] for _, rows in runs.chunks()])


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    plain, bonus = (table_of(b, deals, seed) for b in (False, True))
    bombs = bonus["bombs"].astype(np.int64)
    some, more = bombs > 0, bombs > 1
    quads = np.maximum(bonus["quads"][:, :3].max(axis=1), bonus["after_quads"]) >= 3
    at = np.arange(len(bombs))
    stake = [np.abs(rows["score"][at, rows["declarer"].astype(np.int64)]).astype(np.int64) for rows in (plain, bonus)]
    won = bonus["declarer_won"].astype(np.int64)
    each = stake[1] // np.where(some, 2, 1) * 2 ** np.minimum(bombs, 6)  # as if every bomb doubled
    found = {
        "a bomb is played": wilson_interval(int(some.sum()), len(some)),
        "two bombs or more": wilson_interval(int(more.sum()), len(more)),
        "a hand with three quads": wilson_interval(int(quads.sum()), len(quads)),
        "declarer wins, with a bomb": ratio_interval(won * some, some.astype(np.int64)),
        "declarer wins, without": ratio_interval(won * ~some, (~some).astype(np.int64)),
    }
    money = {
        "declarer's stake": mean_interval(stake[0]),
        "declarer's stake with the bonus": mean_interval(stake[1]),
        "the bonus adds": paired_difference(stake[1], stake[0]),
        "doubling for every bomb would add to that": paired_difference(each, stake[1]),
    }
    axes = panels(1, 2, 11.5, 3.8)
    for ax, part, percent, title in (
        (axes[0], found, True, "Share of the deals"),
        (axes[1], money, False, "Chips at stake"),
    ):
        data = pd.DataFrame([{"label": k, "mean": e.mean, "lo": e.lo, "hi": e.hi} for k, e in part.items()])
        plots.bars(data, ax, ylabel="share" if percent else "chips", percent=percent, title=title)
    bomb, plain_win = found["declarer wins, with a bomb"], found["declarer wins, without"]
    sentences = [
        f"A bomb falls in {say(found['a bomb is played'], percent=True)} of the deals and two or more in "
        f"{say(found['two bombs or more'], percent=True)}; "
        f"the bonus raises what the declarer wins or loses by {say(money['the bonus adds'], 'chips')}, and "
        f"doubling for every bomb would add "
        f"{say(money['doubling for every bomb would add to that'], 'chips')} more.",
        f"The declarer wins {say(bomb, percent=True)} of the deals with a bomb and "
        f"{say(plain_win, percent=True)} of those without.",
        f"A hand holds the three quads that a straight of quads needs in "
        f"{say(found['a hand with three quads'], percent=True)} of the deals, "
        "in a row more rarely still: whether it counts as a bomb changes nothing that a player could notice.",
    ]
    findings = [(k, e, "") for k, e in found.items()] + [(k, e, "chips") for k, e in money.items()]
    return Study(rows_of(found | money), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
