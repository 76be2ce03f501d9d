"""Claim 5 of *3 sind eine zu viel!*: early pairs bring late minus points; who took little can take full rows late."""

from __future__ import annotations

import numpy as np
import pandas as pd

from experiments._drei import gather, open_cards, pairs
from experiments._frame import Experiment, Study, rows_of, run, say
from simlib import plots
from simlib.game import SHARE
from simlib.plots import style
from simlib.stats.intervals import Estimate

EXPERIMENT = Experiment(
    name="drei_early_pairs",
    question="Who gathers pairs early: are minus points sure in the last round, and does who took little catch up?",
    hypothesis=(
        "The more pairs, the more likely a minus in the last third, but not surely; few cards leave room for a late"
        " catch-up."
    ),
    design=(
        "A table of four `careful`, played once more card by card: each player by the pairs that lie open after the"
        " first and second third, and by the cards taken in the first third (0–3, 4–5, 6 or more)."
    ),
    claim="drei_zu_viel, claim 5",
    deals=60_000,
)
GROUPS = {"0 to 3": (0, 3), "4 to 5": (4, 5), "6 or more": (6, 99)}
MOST = 6
WHAT = ("minus points in the last third", "share with a third card in the last third", "cards taken in the last third",
        "points won in the last third", "win rate")  # fmt: skip


def facts(tables: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Return sums and counts of WHAT by pairs after the first and second third, then by cards taken in the first."""
    players = results["score"].shape[1]
    ends = tables[[6 * players, 12 * players, 18 * players]]
    down = ends["face_down"].astype(np.int64)
    minus = down[2] - down[1]
    score = results["third_score"].astype(np.int64)
    taken, share = (x.astype(np.int64) for x in (results["third_taken"][:, 2], results["win_share"]))
    values = (minus, (minus > 0).astype(np.int64), taken, score[:, 2] - score[:, 1], share)
    doubled, early = np.minimum(pairs(ends), MOST), open_cards(ends[0])
    chosen = [doubled[k] == n for k in (0, 1) for n in range(MOST + 1)]
    chosen += [(early >= lo) & (early <= hi) for lo, hi in GROUPS.values()]
    return np.array([[(v * who).sum(axis=1), who.sum(axis=1)] for who in chosen for v in values]).transpose(2, 0, 1)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    import matplotlib.pyplot as plt

    names = [f"{n} pairs after third {k}" for k in (1, 2) for n in range(MOST + 1)]
    names += [f"{g} cards taken in the first third" for g in GROUPS]
    keys = [f"{name}: {w}" for name in names for w in WHAT]
    scales = [SHARE if k.endswith("win rate") else 1 for k in keys]
    found = gather(["careful"] * 4, deals, seed, facts, keys, scales=scales)
    with style.style():
        _, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    rows = [
        {"x": n, "series": f"after third {k}", "mean": e.mean, "lo": e.lo, "hi": e.hi}
        for k in (1, 2)
        for n in range(MOST + 1)
        if (e := found.get(f"{n} pairs after third {k}: {WHAT[1]}")) is not None and e.n_deals >= 20
    ]
    plots.curve(pd.DataFrame(rows), axes[0], xlabel="pairs that lie open", ylabel="share of players", percent=True,
                title="A third card in the last third")  # fmt: skip
    by_early = {g: found[f"{g} cards taken in the first third: {WHAT[3]}"] for g in GROUPS}
    rows = [{"label": g, "mean": e.mean, "lo": e.lo, "hi": e.hi} for g, e in by_early.items()]
    plots.bars(pd.DataFrame(rows), axes[1], xlabel="cards taken in the first third", ylabel="points in the last third",
               title="Points won in the last third")  # fmt: skip

    def pick(name: str, w: int) -> Estimate:
        return found[f"{name}: {WHAT[w]}"]

    none, two = pick("0 pairs after third 1", 1), pick("2 pairs after third 1", 1)
    few, many = (f"{g} cards taken in the first third" for g in ("0 to 3", "6 or more"))
    sentences = [
        (
            "Minus points late in the game are likely for everybody: in the last third a third card turns up for"
            f" {say(none, percent=True)} of the players with no pair after the first third, for"
            f" {say(two, percent=True)} of those with two, and for"
            f" {say(pick('4 pairs after third 2', 1), percent=True)} of those with four pairs after the second."
        ),
        (
            f"Who took at most three cards in the first third takes {say(pick(few, 2))} in the last and wins"
            f" {say(pick(few, 3), 'points')} there; who took six or more takes {say(pick(many, 2))} and wins"
            f" {say(pick(many, 3), 'points')}."
        ),
        (
            f"In the end the first win {say(pick(few, 4), percent=True)} of their games and the second"
            f" {say(pick(many, 4), percent=True)}, where 25 % would be even: that is what the late harvest is worth"
            " against the early start."
        ),
    ]
    findings = [(k, e, "") for k, e in found.items() if e.n_deals >= 30]
    return Study(rows_of(found), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
