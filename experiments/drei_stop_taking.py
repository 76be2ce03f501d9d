"""Claim 3 of *3 sind eine zu viel!*: from the third round on players try to take nothing more."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._drei import GAME, phases, restrained
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from simlib import plots
from simlib.stats.intervals import mean_interval

EXPERIMENT = Experiment(
    name="drei_stop_taking",
    question="Should one stop taking cards from the third round on?",
    hypothesis=(
        "Good players still take in the last third, since single colours become pairs and six colours earn gold."
    ),
    design=(
        "One seat of four at a table of `careful`, in every seat of the same deals: in its last 3, 6 or 9 plays it"
        " plays to the emptiest row whenever it would take though it need not. For comparison its last six plays by"
        " simpler rules of what to take. Beside it, a table of `careful`: cards taken and points won in each third."
    ),
    claim="drei_zu_viel, claim 3",
    deals=10_000,
)
LATE = {
    "takes only what earns a point": "filler:pays=1",
    "takes all that costs nothing": "filler:pays=0",
    "takes whatever it can": "filler:pays=-1000",
}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    variants = {f"last {n}: avoids every card": restrained.with_params(begin=18 - n) for n in (3, 6, 9)}
    variants |= {
        f"last 6: {label}": phases.with_params(plays=12, first="careful", then=then) for label, then in LATE.items()
    }
    found = sl.compare(GAME, "careful", variants, deals, seed=seed, progress=False)
    paid = {name: found.estimate(name) for name in variants}
    table = sl.simulate(GAME, ["careful"] * 4, deals, seed=seed, progress=False)
    rows = np.concatenate([r for _, r in table.chunks()])[:, 0]
    score = rows["third_score"].astype(np.int64)
    gain = np.diff(score, axis=1, prepend=0)
    by_third = {}
    for k in range(3):
        by_third[f"turns that take, third {k + 1}"] = mean_interval(rows["third_takes"][:, k].astype(np.int64))
        by_third[f"cards taken, third {k + 1}"] = mean_interval(rows["third_taken"][:, k].astype(np.int64))
        by_third[f"points won, third {k + 1}"] = mean_interval(gain[:, k])
    summary = pd.concat([rows_of(by_third), rows_of({f"{k}: points against careful": e for k, e in paid.items()})])
    ax = plots.forest(found, title="Points gained by another way to end the game")
    avoid, early = paid["last 6: avoids every card"], paid["last 9: avoids every card"]
    turns = [by_third[f"turns that take, third {k}"] for k in (1, 2, 3)]
    words = ("gains points", "costs points", "neither gains nor loses measurably")
    sentences = [
        (
            f"A table of `careful` does not stop: of six turns it takes on {say(turns[0])} in the first third,"
            f" {say(turns[1])} in the second and {say(turns[2])} in the last, which still earns"
            f" {say(by_third['points won, third 3'], 'points')} a player."
        ),
        (
            f"To be careful but avoid every card that can be avoided in the last six plays {verdict(avoid, *words)}:"
            f" {say(avoid, 'points')} a game (in the last three: {say(paid['last 3: avoids every card'])}; in the last"
            f" nine: {say(early)}); to take whatever can be had in the last six:"
            f" {say(paid['last 6: takes whatever it can'], 'points')}."
        ),
        (
            "Rows stand full by then, so that most plays take whether one likes it or not: which cards they take is"
            " worth far more than how few."
        ),
    ]
    findings = [
        *((f"table of careful: {k}", e, "") for k, e in by_third.items()),
        *((f"{name}, against careful throughout", e, "points") for name, e in paid.items()),
    ]
    return Study(summary, ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
