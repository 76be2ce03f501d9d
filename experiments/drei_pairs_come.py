"""Claim 2 of *3 sind eine zu viel!*: players grab many cards a turn; pairs come quickly, the third is the danger."""

from __future__ import annotations

import numpy as np
import pandas as pd

from experiments._drei import gather, of_actor, open_cards, pairs
from experiments._frame import Experiment, Study, rows_of, run, say
from simlib import plots
from simlib.plots import style
from simlib.stats.intervals import Estimate

EXPERIMENT = Experiment(
    name="drei_pairs_come",
    question="How fast do pairs come, and when does the third card become the danger?",
    hypothesis="Pairs grow fastest in the second third, and from then on many of the cards taken are third ones.",
    design=(
        "Tables of four `careful` and of four `greedy`, played once more card by card; after every play of a player: "
        "cards taken, pairs that lie open, third cards among those taken."
    ),
    claim="drei_zu_viel, claim 2",
    deals=40_000,
)
KINDS = ("careful", "greedy")


def by_play(tables: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Return sums and counts by own play 1 … 18: cards, turns with cards, cards at once, pairs, third cards a card."""
    players = tables["face_down"].shape[2]
    taken = of_actor(tables, np.diff(open_cards(tables), axis=0), players)
    thirds = of_actor(tables, np.diff(tables["face_down"].astype(np.int64), axis=0), players) // 3
    own_pairs = of_actor(tables, pairs(tables[1:]), players)
    shape = (18, players, taken.shape[1])
    cards, triples, doubled = (x.reshape(shape).sum(axis=1).T for x in (taken, thirds, own_pairs))
    turns = (taken > 0).reshape(shape).sum(axis=1).T
    plays = np.full_like(cards, players)
    kinds = [(cards, plays), (turns, plays), (cards, turns), (doubled, plays), (triples, cards)]
    return np.stack([np.stack(k, axis=2) for k in kinds], axis=1).reshape(len(cards), -1, 2)


def by_third(tables: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Return the same by third of the game; pairs as they stand at its end."""
    found = by_play(tables, results).reshape(len(results), 5, 3, 6, 2)
    out = found.sum(axis=3)
    out[:, 3] = found[:, 3, :, -1]
    return out.reshape(len(results), -1, 2)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    what = (
        "cards taken a play",
        "share of plays that take",
        "cards taken at once",
        "pairs open",
        "third cards among those taken",
    )
    labels = [f"{w}, play {k + 1}" for w in what for k in range(18)] + [
        f"{w}, third {k + 1}" for w in what for k in range(3)
    ]

    def count(tables: np.ndarray, results: np.ndarray) -> np.ndarray:
        return np.concatenate([by_play(tables, results), by_third(tables, results)], axis=1)

    labelled: dict[str, Estimate] = {}
    for kind in KINDS:
        labelled |= {f"{kind}: {k}": e for k, e in gather([kind] * 4, deals, seed, count, labels).items()}
    import matplotlib.pyplot as plt

    with style.style():
        _, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for ax, i in zip(axes, (3, 4), strict=True):
        rows = [
            {"x": k, "series": kind, "mean": e.mean, "lo": e.lo, "hi": e.hi}
            for kind in KINDS
            for k in range(1, 19)
            if (e := labelled.get(f"{kind}: {what[i]}, play {k}")) is not None
        ]
        plots.curve(pd.DataFrame(rows), ax, xlabel="play of a player", ylabel=what[i], percent=i == 4, marks=False)
        ax.set_xticks(range(3, 19, 3))
        for edge in (6.5, 12.5):
            ax.axvline(edge, color=style.GREY, linewidth=0.8)
    get = {k: labelled[f"careful: {k}"] for k in (f"{w}, third {t}" for w in what for t in (1, 2, 3))}
    sentences = [
        (
            f"At a table of `careful` a player has {say(get['pairs open, third 1'])} pairs after the first third,"
            f" {say(get['pairs open, third 2'])} after the second and {say(get['pairs open, third 3'])} at the end, and"
            f" takes {say(get['cards taken at once, third 1'])}, {say(get['cards taken at once, third 2'])} and"
            f" {say(get['cards taken at once, third 3'])} cards at once."
        ),
        (
            f"Of the cards taken, {say(get['third cards among those taken, third 1'], percent=True)} turn a pair over"
            f" in the first third, {say(get['third cards among those taken, third 2'], percent=True)} in the second and"
            f" {say(get['third cards among those taken, third 3'], percent=True)} in the last."
        ),
        (
            "Both halves of the claim hold, except that nobody takes many cards at once: good players pick one or two"
            " cards that fit."
        ),
    ]
    findings = [(f"careful: {k}", e, "") for k, e in get.items()]
    return Study(rows_of(labelled), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
