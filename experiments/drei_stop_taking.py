"""Claim 3 of *3 sind eine zu viel!*: from the third round on players try to take nothing more."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._drei import GAME, phases
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
        " takes nothing while it can avoid it, or only what costs nothing, or whatever it can. Beside it, a table of"
        " `careful`: cards taken and points won in each third."
    ),
    claim="drei_zu_viel, claim 3",
    deals=10_000,
)
LATE = {
    "avoids every card": "filler:pays=1000",
    "takes what earns a point": "filler:pays=1",
    "takes what costs nothing": "filler:pays=0",
    "takes whatever it can": "filler:pays=-1000",
}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    variants = {
        f"{label}, last {n}": phases.with_params(plays=18 - n, first="careful", then=then)
        for n in (3, 6, 9)
        for label, then in LATE.items()
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
    avoid = paid["avoids every card, last 6"]
    turns = [by_third[f"turns that take, third {k}"] for k in (1, 2, 3)]
    does = verdict(avoid, "gains points", "costs points", "neither gains nor loses measurably")
    sentences = [
        (
            f"A table of `careful` does not stop: of six turns it takes on {say(turns[0])} in the first third,"
            f" {say(turns[1])} in the second and {say(turns[2])} in the last, which still earns"
            f" {say(by_third['points won, third 3'], 'points')} a player."
        ),
        (
            f"Avoiding every card that can be avoided in the last six plays {does}: {say(avoid, 'points')} a game"
            f" compared with careful play (last three plays: {say(paid['avoids every card, last 3'])}); taking whatever"
            f" can be had in the last six: {say(paid['takes whatever it can, last 6'], 'points')}."
        ),
        (
            "Stopping is bad advice for whoever can tell good cards from bad ones: rows stand full by then, so most"
            " plays take, and the choice is which cards, not whether."
        ),
    ]
    findings = [
        *((f"table of careful: {k}", e, "") for k, e in by_third.items()),
        *((f"{name}, against careful throughout", e, "points") for name, e in paid.items()),
    ]
    return Study(summary, ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
