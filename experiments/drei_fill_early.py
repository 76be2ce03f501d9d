"""Claim 1 of *3 sind eine zu viel!*: early on rows are filled so that nobody takes for as long as possible."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._drei import GAME, gather, open_cards, phases, restrained
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from simlib import plots

EXPERIMENT = Experiment(
    name="drei_fill_early",
    question="Does it pay to fill the rows at first, so that nobody takes for as long as possible?",
    hypothesis="Tables of good players leave the rows to fill up, and filling early earns points.",
    design=(
        "One seat of four at a table of `careful`, in every seat of the same deals: it plays to the emptiest row"
        " whenever it would take though it need not (or takes whatever it can) with its first 1, 2, 3 or 6 plays and is"
        " `careful` afterwards. Beside it, tables of one kind: plays before the first card is taken; six free places"
        " are the most there can be."
    ),
    claim="drei_zu_viel, claim 1",
    deals=20_000,
)
TABLES = ("careful", "greedy", "filler", "filler:pays=1000", "random")


def before_first(tables: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Count the plays before a card is taken, and the games in which nobody takes while a place is free.

    Three rows hold nine cards besides their start cards; with three laid out, six plays can be made without taking.
    """
    taken = open_cards(tables).sum(axis=2) > 0
    waits = taken.argmax(axis=0) - 1
    one = np.ones_like(waits)
    return np.stack([np.stack([waits, one], 1), np.stack([(waits >= 6).astype(np.int64), one], 1)], 1)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    waits = {
        kind: list(gather([kind] * 4, max(2, deals // 5), seed, before_first, ("waits", "filled")).values())
        for kind in TABLES
    }
    names = {"fills with the first play": restrained.with_params(end=1)}
    names |= {f"fills with the first {n}": restrained.with_params(end=n) for n in (2, 3, 6)}
    takes = phases.with_params(first="filler:pays=-1000")
    names |= {f"takes with the first {n}": takes.with_params(plays=n) for n in (3, 6)}
    found = sl.compare(GAME, "careful", names, deals, seed=seed, progress=False)
    paid = {name: found.estimate(name) for name in names}
    table = pd.concat(
        [
            rows_of({f"{k}: plays before the first card is taken": w[0] for k, w in waits.items()}),
            rows_of({f"{k}: share of games with all places filled first": w[1] for k, w in waits.items()}),
            rows_of({f"{k}: points against careful": e for k, e in paid.items()}),
        ]
    )
    ax = plots.forest(found, title="Points gained by filling or taking early, then playing carefully")
    three, six, grab = (paid[k] for k in ("fills with the first 3", "fills with the first 6", "takes with the first 6"))
    words = ("gains points", "costs points", "neither gains nor loses measurably")
    sentences = [
        (
            f"Good players do not wait: at a table of `careful` {say(waits['careful'][0])} plays pass before the first"
            f" card is taken (`greedy`: {say(waits['greedy'][0])}; players who fill while they can:"
            f" {say(waits['filler:pays=1000'][0])} of at most six)."
        ),
        (
            f"Filling with the first three plays {verdict(three, *words)} ({say(three, 'points')} a game), filling with"
            f" the first six {verdict(six, *words)} ({say(six, 'points')}), and taking whatever can be taken for as"
            f" long {verdict(grab, *words)} ({say(grab, 'points')})."
        ),
        (
            verdict(
                six,
                "So the habit is sound, though worth little: ",
                "So the habit is no gain: ",
                "So the habit does no harm: ",
            )
            + "what matters early on is not to take cards only because one can."
        ),
    ]
    findings = [
        ("plays before the first card is taken, table of careful", waits["careful"][0], "plays"),
        ("the same, table of greedy", waits["greedy"][0], "plays"),
        ("the same, players who fill while they can", waits["filler:pays=1000"][0], "plays"),
        ("share of games of careful in which all six places are filled first", waits["careful"][1], ""),
        *((f"{name}, then careful, against careful throughout", e, "points") for name, e in paid.items()),
    ]
    return Study(table, ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
