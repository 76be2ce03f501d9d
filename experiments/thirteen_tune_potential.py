"""Search the weights that the Three-Thirteen policy `potential` comes with, and say what they are worth.

It is this search whose weights are shipped: run as a script, it fails when the policy comes with others.

    python -m experiments.thirteen_tune_potential
"""

from __future__ import annotations

import sys

import pandas as pd

import simlib as sl
from experiments._frame import Experiment, Study, run, say, verdict
from experiments._shipped import compare_shipped, weight_rows
from experiments._thirteen import GAME, forest, panels, table_of
from simlib.plots import style

EXPERIMENT = Experiment(
    name="thirteen_tune_potential",
    question="Where do the weights of `potential` come from, and what are they worth on fresh deals?",
    hypothesis="A search from weights that see little but the penalty gains some points, and not only among `tips`.",
    design=(
        "CMA-ES from weights that see little but the penalty, against three `tips`: nine weights within limits, 50"
        " generations of 12 candidates, each on so many deals in every seat, every generation on deals of its own; the"
        " other weights are set by hand. The centre of the last generation, rounded, is what `potential` comes with."
        " Then, on fresh deals of another seed, ten times as many: these weights and those of the start against `tips`,"
        " and these against those of the start, among `greedy`, `tips` and `potential`."
    ),
    claim="three_thirteen, weights of potential",
    deals=400,
    quick_deals=3,
)
#: Limits of the search. Not searched: `penalty` (the unit of the others), `hold` (so much that no wild card is given
#: away), `wild_share` and `wild_draw` (0: `draws` and `stock` say about the same), `wait` (a switch).
LIMITS = {
    "card": (0.0, 16.0),
    "draws": (0.1, 6.0),
    "draws_n": (0.0, 0.6),
    "draws_turn": (-0.2, 1.0),
    "melded": (0.0, 1.0),
    "next": (0.0, 4.0),
    "stock": (-3.0, 6.0),
    "stock_n": (-0.3, 1.2),
    "ready": (0.0, 20.0),
}
START = {
    "card": 0.1, "draws": 0.2, "draws_n": 0.01, "draws_turn": 0.0, "melded": 0.05, "next": 0.1, "stock": 0.0,
    "stock_n": 0.0, "ready": 0.5,
}  # fmt: skip
GENERATIONS = 50


def search(deals: int, seed: int) -> sl.Tuned:
    """Return what CMA-ES finds from the start."""
    return sl.tune(
        sl.policy(f"{GAME}/potential", **START),
        LIMITS,
        opponents=["tips"] * 3,
        deals=deals,
        generations=GENERATIONS if deals >= 10 else 2,  # a try-out only shows that it works
        population=12,
        step=0.2,
        measure="score",
        seed=seed,
        validation=4,  # the real validation follows, on deals of another seed
        progress=False,
    )


def study(deals: int, seed: int) -> Study:
    """Search, compare on fresh deals, and return what was found."""
    tuned = search(deals, seed)
    weights = {name: round(tuned.policy.params[name], 2) + 0.0 for name in LIMITS}
    found = tuned.start.with_params(**weights)
    checked = {}
    for field, other in (("greedy", "greedy"), ("tips", "tips"), ("potential", found)):
        more = {"opponents": [other] * 3, "seed": seed + 1, "progress": False}
        played = sl.compare(GAME, "tips", {"found": found, "start": tuned.start}, 10 * deals, **more)
        rival = sl.compare(GAME, tuned.start, {"found": found}, 10 * deals, **more)
        checked[f"found over tips, among {field}"] = played.estimate("found")
        checked[f"start over tips, among {field}"] = played.estimate("start")
        checked[f"found over start, among {field}"] = rival.estimate("found")
    axes = panels(2, 11, 3.8)
    axes[0].plot(tuned.history.generation + 1, tuned.history["mean"], color=style.colour(0))
    axes[0].set_xlabel("generation")
    axes[0].set_ylabel("mean score of the candidates")
    style.title(axes[0], "Search: no evidence, each generation has its own deals")
    forest(axes[1], checked, "Fresh deals: points saved in a game")
    gain = [checked[f"found over start, among {field}"] for field in ("tips", "greedy", "potential")]
    judged = [verdict(e, "gain too", "lose", "neither gain nor lose beyond doubt") for e in gain]
    sentences = [
        (
            "The search, among `tips`, ended at "
            + ", ".join(f"{name} {value:g}" for name, value in weights.items())
            + f", which on fresh deals save {say(gain[0], 'points')} a game over the weights of the start."
        ),
        (
            f"Among `greedy` they {judged[1]} ({say(gain[1], 'points')}), among their like they {judged[2]}"
            f" ({say(gain[2], 'points')})."
        ),
        (
            f"Over `tips`, among `tips`, they save {say(checked['found over tips, among tips'], 'points')} a game, the"
            f" weights of the start {say(checked['start over tips, among tips'], 'points')}."
        ),
    ]
    findings = [(k, v, "points saved") for k, v in checked.items()]
    return Study(pd.concat([table_of(findings), weight_rows(weights)]), axes[0], sentences, findings)


def main() -> int:
    """Run from the command line; the exit code is 1 when the policy comes with other weights."""
    directory = run(EXPERIMENT, study)
    return compare_shipped(directory, sl.policy(f"{GAME}/potential").params)


if __name__ == "__main__":
    sys.exit(main())
