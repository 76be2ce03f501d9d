"""Search the weights that `careful` ships with, from nothing, and say what they are worth on fresh deals."""

from __future__ import annotations

import pandas as pd

import simlib as sl
from experiments._drei import GAME
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from experiments._shipped import weight_rows
from simlib import plots
from simlib.plots import style

EXPERIMENT = Experiment(
    name="drei_tune_careful",
    question="Where do the weights of `careful` come from, and what are they worth?",
    hypothesis="CMA-ES from no weights gains points, which hold up on fresh deals and among better players.",
    design=(
        "`careful` with all weights 0 against three `greedy`; 18 weights within limits, 250 generations of 14"
        " candidates, each on so many deals in every seat, every generation on deals of its own. The weights found,"
        " rounded to hundredths, are those that the package ships (a test compares them). Then, on fresh deals of"
        " another seed, twenty times as many: the weights found against none, among `greedy` and among `careful`"
        " opponents, and against `greedy` itself."
    ),
    claim="drei_zu_viel, weights of careful",
    deals=1_000,
)
#: Limits of the search, in points (best: a part).
LIMITS = {
    "single": (0.0, 20.0),
    "pair": (-20.0, 5.0),
    "third": (-5.0, 15.0),
    "best": (-0.5, 1.0),
    "take": (-3.0, 3.0),
    "take_left": (-4.0, 4.0),
    "full": (-3.0, 3.0),
    "full_left": (-4.0, 4.0),
    "full_above": (-1.0, 4.0),
    "full_above_left": (-3.0, 3.0),
    "full_below": (-1.0, 3.0),
    "full_below_left": (-3.0, 3.0),
    "three": (-3.0, 3.0),
    "three_above": (-1.0, 4.0),
    "three_above_left": (-3.0, 3.0),
    **dict.fromkeys(("next_new", "next_pair", "next_third"), (-2.0, 2.0)),
}
GENERATIONS = 250


def study(deals: int, seed: int) -> Study:
    """Search, compare on fresh deals, and return what was found."""
    start = sl.policy(f"{GAME}/careful", **dict.fromkeys(LIMITS, 0.0))
    tuned = sl.tune(
        start,
        LIMITS,
        opponents=["greedy"] * 3,
        deals=deals,
        generations=GENERATIONS if deals >= 100 else 2,  # a try-out only shows that it works
        population=14,
        step=0.2,
        measure="score",
        seed=seed,
        validation=10 * deals,
        progress=False,
    )
    found = start.with_params(**{name: round(tuned.policy.params[name], 2) for name in LIMITS})
    fresh = seed + 1  # the deals of another seed: neither the search nor its own validation saw them
    checked = {}
    for field in ("greedy", "careful"):
        gains = sl.compare(GAME, start, {"found": found}, 20 * deals, opponents=[field] * 3, seed=fresh, progress=False)
        checked[f"against no weights, among {field}"] = gains.estimate("found")
    rival = sl.compare(
        GAME, "greedy", {"found": found}, 20 * deals, opponents=["greedy"] * 3, seed=fresh, progress=False
    )
    checked["against greedy, among greedy"] = rival.estimate("found")
    weights = weight_rows({name: found.params[name] for name in LIMITS})
    import matplotlib.pyplot as plt

    with style.style():
        _, axes = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained", width_ratios=(1, 1.1))
    axes[0].plot(tuned.history.generation + 1, tuned.history["mean"], color=style.colour(0))
    axes[0].set_xlabel("generation")
    axes[0].set_ylabel("mean score of the candidates")
    style.title(axes[0], "Search: no evidence, each generation has its own deals")
    shown = [{"label": k, "difference": e.mean, "lo": e.lo, "hi": e.hi} for k, e in checked.items()]
    plots.forest(pd.DataFrame(shown), axes[1], unit="points", title="Fresh deals: what the weights are worth")
    gains = list(checked.values())
    judged = verdict(gains[1], "hold up", "do harm", "show nothing")
    sentences = [
        (
            f"On fresh deals the weights found gain {say(gains[0], 'points')} among `greedy` over no weights. Among"
            f" `careful`, which the search never met, they {judged}: {say(gains[1], 'points')}."
        ),
        f"With them `careful` scores {say(gains[2], 'points')} more than `greedy` in the same seats.",
        (
            "The mean of the candidates rises with the search, but only the fresh deals say by how much: weights chosen"
            " by luck of the deals would show there as no gain."
        ),
    ]
    findings = [(k, e, "points") for k, e in checked.items()]
    return Study(pd.concat([rows_of(checked), weights]), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
