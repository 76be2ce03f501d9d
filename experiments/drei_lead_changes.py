"""Claim 4 of *3 sind eine zu viel!*: another player looks like the winner in each of the three rounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import simlib as sl
from experiments._drei import GAME
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from simlib.game import SHARE
from simlib.plots import style
from simlib.stats.intervals import Estimate, mean_interval

EXPERIMENT = Experiment(
    name="drei_lead_changes",
    question="How often does another player look like the winner in each of the three rounds?",
    hypothesis="The lead changes often with four players, yet not in every game, and a lead is worth something.",
    design=(
        "Tables of two, three and four `careful`, and of four `greedy`: who leads after each third of the game. For"
        " comparison the same gains with all thirds drawn from different deals, so that a lead neither grows nor falls"
        " by itself."
    ),
    claim="drei_zu_viel, claim 4",
    deals=100_000,
)
LINES = {
    "2 careful": ["careful"] * 2,
    "3 careful": ["careful"] * 3,
    "4 careful": ["careful"] * 4,
    "4 greedy": ["greedy"] * 4,
}


def leads(score: np.ndarray) -> np.ndarray:
    """Return who leads after each third, shared leads too: bool, shape (games, thirds, seats)."""
    return np.asarray(score == score.max(axis=2, keepdims=True))


def changes(score: np.ndarray) -> np.ndarray:
    """Return in how many of the two later thirds nobody leads who led before, shape (games,)."""
    lead = leads(score)
    return np.asarray((~(lead[:, 1:] & lead[:, :-1]).any(axis=2)).sum(axis=1))


def measures(score: np.ndarray, share: np.ndarray) -> dict[str, Estimate]:
    """Return what the scores after each third (games, 3, seats) and the win shares × 840 say."""
    lead, changed = leads(score), changes(score)
    gain = np.diff(score, axis=1, prepend=0)
    strangers = np.stack([np.roll(gain[:, k], 1 + k, axis=0) for k in range(3)], axis=1).cumsum(axis=1)
    ahead = [(share * lead[:, k]).sum(axis=1) / lead[:, k].sum(axis=1) / SHARE for k in (0, 1)]
    # Three different leaders: nobody leads after two of the thirds.
    different = (lead.sum(axis=1) <= 1).all(axis=1)
    return {
        "the lead never changes": mean_interval((changed == 0).astype(np.int64)),
        "it changes in both later thirds": mean_interval((changed == 2).astype(np.int64)),
        "nobody leads after two of the thirds": mean_interval(different.astype(np.int64)),
        "lead changes a game": mean_interval(changed.astype(np.int64)),
        "lead changes a game, thirds of different deals": mean_interval(changes(strangers).astype(np.int64)),
        "win rate of who leads after the first third": mean_interval(ahead[0]),
        "win rate of who leads after the second third": mean_interval(ahead[1]),
    }


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    import matplotlib.pyplot as plt

    found: dict[str, dict[str, Estimate]] = {}
    for name, line in LINES.items():
        runs = sl.simulate(GAME, line, deals, seed=seed, progress=False)
        rows = np.concatenate([r for _, r in runs.chunks()])[:, 0]
        n = len(line)
        found[name] = measures(
            rows["third_score"][:, :, :n].astype(np.int64), rows["win_share"][:, :n].astype(np.int64)
        )
    with style.style():
        _, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    shown = (("lead changes a game", "lead changes a game, thirds of different deals"), list(found["4 careful"])[5:])
    titles = ("Lead changes a game, of at most two", "Win rate of the leader")
    labels = (("as played", "thirds shuffled"), ("after the first third", "after the second third"))
    for ax, what, title, label in zip(axes, shown, titles, labels, strict=True):
        for i, (key, text) in enumerate(zip(what, label, strict=True)):
            e = [found[name][key] for name in LINES]
            x = np.arange(len(e)) + 0.2 * (i - 0.5)
            style.points(ax, x, [v.mean for v in e], [v.lo for v in e], [v.hi for v in e], i, text)
        ax.set_xticks(range(len(LINES)), LINES)
        ax.set_ylim(0, None)
        style.title(ax, title)
        style.legend(ax, loc="lower left")
    style.percent(axes[1], "y")
    four, two = found["4 careful"], found["2 careful"]
    first, second = (four[f"win rate of who leads after the {k} third"] for k in ("first", "second"))
    share = replace(first, mean=first.mean - 0.25, lo=first.lo - 0.25, hi=first.hi - 0.25)
    early = verdict(share, "more than", "even a little less than", "about")
    sentences = [
        (
            "With four `careful` players the lead changes in both later thirds in"
            f" {say(four['it changes in both later thirds'], percent=True)} of the games (three different leaders:"
            f" {say(four['nobody leads after two of the thirds'], percent=True)}), and in"
            f" {say(four['the lead never changes'], percent=True)} it never does; with two players in"
            f" {say(two['it changes in both later thirds'], percent=True)} and"
            f" {say(two['the lead never changes'], percent=True)}."
        ),
        (
            f"Who leads after the first third wins {say(first, percent=True)} of the games, {early} an equal share of"
            f" 25 %, and who leads after the second {say(second, percent=True)}."
        ),
        (
            f"The claim holds often, not always: {say(four['lead changes a game'])} changes a game compare with"
            f" {say(four['lead changes a game, thirds of different deals'])} when the thirds have nothing to do with"
            " each other, so cards taken early do count against a player later."
        ),
    ]
    findings = [(f"{name}: {k}", e, "") for name in LINES for k, e in found[name].items()]
    table = rows_of({f"{name}: {k}": e for name in LINES for k, e in found[name].items()})
    return Study(table, axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
