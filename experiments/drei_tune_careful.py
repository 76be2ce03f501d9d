"""Search the weights of `careful` again from nothing, and say honestly what they are worth on fresh deals."""

from __future__ import annotations

import pandas as pd

import simlib as sl
from experiments._drei import GAME
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from simlib import plots
from simlib.plots import style

EXPERIMENT = Experiment(
    name="drei_tune_careful",
    question="Does a search from nothing find weights as good as those that `careful` comes with?",
    hypothesis=(
        "CMA-ES gains some points over no weights at all, and ends close to the published weights, if not at them."
    ),
    design=(
        "`careful` with all weights 0 against three `greedy`; 14 weights within limits, 60 generations of 11"
        " candidates, each on so many deals in every seat, every generation on deals of its own. Then on fresh deals,"
        " forty times as many: the weights found and the published ones against those of the start, and the weights"
        " found against the published ones, among `greedy` and among `careful` opponents."
    ),
    claim="drei_zu_viel, weights of careful",
    deals=250,
)
#: Limits of the search. In points: worth of a single, a pair, a third card, a full row and the next player's cards.
LIMITS = {
    "single": (-5.0, 15.0),
    "pair": (-20.0, 10.0),
    "third": (-5.0, 10.0),
    "silver_6": (0.0, 1.0),
    "best": (-0.5, 1.0),
    "best_left": (-1.0, 1.0),
    "full": (-3.0, 5.0),
    "full_left": (-3.0, 3.0),
    **dict.fromkeys(("next_new", "next_pair", "next_third"), (-2.0, 2.0)),
    **dict.fromkeys(("next_new_left", "next_pair_left", "next_third_left"), (-2.0, 2.0)),
}
GENERATIONS = 60


def study(deals: int, seed: int) -> Study:
    """Search, compare on fresh deals, and return what was found."""
    start = sl.policy(f"{GAME}/careful", **dict.fromkeys(LIMITS, 0.0))
    tuned = sl.tune(
        start,
        LIMITS,
        opponents=["greedy"] * 3,
        deals=deals,
        generations=GENERATIONS if deals >= 100 else 2,  # a try-out only shows that it works
        population=11,
        step=0.2,
        measure="score",
        seed=seed,
        validation=40 * deals,
        progress=False,
    )
    fresh = seed + 1  # the deals of another seed: neither the search nor its own validation saw them
    published = sl.policy(f"{GAME}/careful")
    checked = {}
    for field in ("greedy", "careful"):
        versions = {"found": tuned.policy, "published": published}
        found = sl.compare(GAME, start, versions, 40 * deals, opponents=[field] * 3, seed=fresh, progress=False)
        checked |= {f"{name} weights against none, among {field}": found.estimate(name) for name in versions}
        rival = sl.compare(
            GAME, published, {"found": tuned.policy}, 40 * deals, opponents=[field] * 3, seed=fresh, progress=False
        )
        checked[f"found weights against published ones, among {field}"] = rival.estimate("found")
    weights = pd.DataFrame(
        {"what": f"weight {name}", "estimate": tuned.policy.params[name], "published": published.params[name]}
        for name in LIMITS
    )
    import matplotlib.pyplot as plt

    with style.style():
        _, axes = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained", width_ratios=(1, 1.1))
    axes[0].plot(tuned.history.generation + 1, tuned.history["mean"], color=style.colour(0))
    axes[0].set_xlabel("generation")
    axes[0].set_ylabel("mean score of the candidates")
    style.title(axes[0], "Search: no evidence, each generation has its own deals")
    shown = [{"label": k, "difference": e.mean, "lo": e.lo, "hi": e.hi} for k, e in checked.items()]
    plots.forest(pd.DataFrame(shown), axes[1], unit="points", title="Fresh deals: what the weights are worth")
    gain = checked["found weights against none, among greedy"]
    rival = [checked[f"found weights against published ones, among {f}"] for f in ("greedy", "careful")]
    judged = [verdict(e, "better than", "worse than", "not to be told apart from") for e in rival]
    sentences = [
        (
            f"On fresh deals the weights found gain {say(gain, 'points')} among `greedy` over no weights"
            f" ({say(checked['found weights against none, among careful'], 'points')} among `careful`, which the search"
            " never met)."
        ),
        (
            f"Against the published weights they are {judged[0]} them among `greedy` ({say(rival[0], 'points')}) and"
            f" {judged[1]} them among `careful` ({say(rival[1], 'points')})."
        ),
        (
            "The mean of the candidates rises with the search, but only the fresh deals say by how much: weights chosen"
            " by luck of the deals would show there as no gain."
        ),
    ]
    findings = [(k, e, "points") for k, e in checked.items()]
    return Study(pd.concat([rows_of(checked), weights]), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
