"""Fit the weights that the Big Three policy `counting` comes with, from nothing, and say what they are worth.

The same command gives the same weights, on any number of threads. Without ``--write`` it says whether they are those
of ``simlib/policies/big_three/counting_weights.py``, and fails when they are not:

    python -m experiments.big_fit_counting
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time

import numpy as np
import pandas as pd

import simlib as sl
from experiments._big import GAME, differences, panels
from experiments._big_self_play import PIECES, climb
from experiments._frame import RESULTS, Experiment, Study, rows_of, run, say, verdict
from experiments._shipped import compare_shipped, found_weights, weight_rows
from simlib import plots
from simlib.engine import default_threads
from simlib.plots import style
from simlib.policies.big_three import counting_weights
from simlib.policies.big_three.scene import FEATURES, GIFT_CHOICE
from simlib.stats.intervals import Estimate

ROLES = ("alone", "team")
STEPS = 1500
#: Deals of each piece of a step, plays of each deal, size of the first steps, and after how many they are half as long.
FIT = {"deals": 250, "reps": 6, "rate": 0.2, "slowing": 200}
MARKS = (25, 50, 100, 200, 400, 800, 1500)

EXPERIMENT = Experiment(
    name="big_fit_counting",
    question="Where do the weights of `counting` come from, and what are they worth on fresh deals?",
    hypothesis=(
        "Self-play from weights of zero finds weights far better than `tips`, whatever the other seats play; the gain"
        " comes early, and little is left to find at the end."
    ),
    design=(
        f"Policy gradient: {STEPS} steps from weights of zero, each {len(PIECES)} x {FIT['deals']} deals played"
        f" {FIT['reps']} times with soft choices by all seats, a quarter of them with four players; the weights are the"
        " mean over the second half of the steps (`team_gift_choice` is a rule and not fitted). Then, on fresh"
        " deals with the auction, each seat in turn plays them rather than those of the start, or rather than `tips`,"
        " among others of one kind."
    ),
    claim="big_three, weights of counting",
    deals=20_000,
)


def fit(steps: int, seed: int, threads: int, log: int = 10) -> list[np.ndarray]:
    """Return the weights after each step, the start first; every `log` steps a line says how it goes."""
    kept = [np.zeros((len(ROLES), len(FEATURES)))]
    began = time.perf_counter()
    for theta, wins, slope in climb(kept[0], steps, seed=seed, threads=threads, **FIT):
        kept.append(theta)
        if len(kept) % log == 2 % log:
            three, four = (np.mean(wins[np.array(PIECES) == players]) for players in (3, 4))
            # The sum of the weights is there to see at once whether two runs are the same.
            print(
                f"step {len(kept) - 1}: declarer wins {three:.4f} of three players, {four:.4f} of four;"
                f" slope {slope:.6f}, sum {theta.sum():.9f}; {time.perf_counter() - began:.0f} s",
                flush=True,
            )
    return kept


def weights_at(kept: list[np.ndarray], step: int) -> dict[str, float]:
    """Return the weights after so many steps by parameter: the mean over the second half of them, rounded."""
    theta = np.mean(kept[step // 2 + 1 : step + 1], axis=0) if step else kept[0].copy()
    if step:
        # A rule, no fitted weight (play is too sure by then to explore): no needless gift by who has a partner.
        theta[1, GIFT_CHOICE] = -100.0
    return {
        f"{role}_{name}": round(float(w), 3) + 0.0
        for role, row in zip(ROLES, theta, strict=True)
        for name, w in zip(FEATURES, row, strict=True)
    }


def write(weights: dict[str, float]) -> None:
    """Write the weights as Python source."""
    rows = []
    for role in ROLES:
        lines = "".join(f'        "{name}": {weights[f"{role}_{name}"]},\n' for name in FEATURES)
        rows.append(f'    "{role}": {{\n{lines}    }},\n')
    text = '"""Weights of `counting`, written by experiments/big_fit_counting.py."""\n\n'
    text += "from __future__ import annotations\n\n"
    text += "WEIGHTS: dict[str, dict[str, float]] = {\n" + "".join(rows) + "}\n"
    pathlib.Path(counting_weights.__file__).write_text(text, encoding="utf-8")


def gains(found: sl.Policy, start: sl.Policy, deals: int, seed: int) -> dict[str, Estimate]:
    """Return what the weights found gain in chips a deal, by what they replace, the number of players and the rest."""
    checked = {}
    for replaced, baseline in (("start", start), ("tips", "tips")):
        for players in (3, 4):
            for name, rest in (("greedy", "greedy"), ("tips", "tips"), ("counting", found)):
                played = sl.compare(
                    GAME, baseline, {"found": found}, deals, opponents=[rest] * (players - 1),
                    rules={"players": players}, seed=seed, progress=False,
                )  # fmt: skip
                checked[f"over {replaced}, among {players - 1} {name}"] = played.estimate("found")
    return checked


def study(deals: int, seed: int, threads: int | None = None) -> Study:
    """Fit, compare on fresh deals, and return what was found."""
    steps = STEPS if deals >= 1000 else 2  # a try-out only shows that it works
    kept = fit(steps, seed, threads or default_threads())
    marks = [0, *sorted({min(mark, steps) for mark in MARKS})]
    at = {step: sl.policy(f"{GAME}/counting", **weights_at(kept, step)) for step in marks}
    fresh = seed + 1  # the deals of another seed: the search saw none of them
    curve = {}
    for step in marks:
        played = sl.compare(
            GAME, "tips", {"found": at[step]}, deals, opponents=["tips"] * 2, seed=fresh, progress=False
        )
        curve[step] = played.estimate("found")
    half = marks[-2]
    rival = sl.compare(GAME, at[half], {"found": at[steps]}, deals, opponents=["tips"] * 2, seed=fresh, progress=False)
    late = rival.estimate("found")
    checked = gains(at[steps], at[0], deals, fresh)
    shown = pd.DataFrame(
        {"x": step, "mean": e.mean, "lo": e.lo, "hi": e.hi, "series": "over tips, among tips"}
        for step, e in curve.items()
    )
    axes = panels(1, 2, 12.5, 6.5)
    with style.style():
        plots.curve(shown, axes[0], xlabel="steps", ylabel="chips a deal", title="Gain on fresh deals, three players")
        plots.forest(differences(checked), axes[1], unit="chips", title="Fresh deals: what the weights are worth")
    least = min(checked.values(), key=lambda e: e.mean)
    sentences = [
        (
            f"Weights of zero gain {say(curve[0], 'chips')} a deal over `tips` among `tips`, those after {steps} steps"
            f" of self-play {say(curve[steps], 'chips')}."
        ),
        (
            f"With three or four players, among `greedy`, `tips` or their like, over the start or over `tips`: in"
            f" {sum(e.lo > 0 for e in checked.values())} of {len(checked)} cases the gain is beyond doubt, and it is at"
            f" least {say(least, 'chips')}."
        ),
        (
            f"The steps after the first {half} add {say(late, 'chips')} of this:"
            f" {verdict(late, 'the search was not at its end there', 'they were too many', 'little is left to find')}."
        ),
    ]
    findings = [(f"after {step} steps, over tips among tips", e, "chips") for step, e in curve.items()]
    findings += [(f"after {steps} steps, over after {half}, among tips", late, "chips")]
    findings += [(what, e, "chips") for what, e in checked.items()]
    table = pd.concat([
        rows_of({what: e for what, e, _ in findings}),
        weight_rows(weights_at(kept, steps)),
    ])  # fmt: skip
    return Study(table, axes[0], sentences, findings)


def shipped() -> dict[str, float]:
    """Return the weights that the policy comes with, by parameter."""
    weights = counting_weights.WEIGHTS
    return {f"{role}_{name}": weights[role][name] for role in ROLES for name in FEATURES}


def main() -> int:
    """Run from the command line; the exit code is 1 when the policy comes with other weights."""
    parser = argparse.ArgumentParser(description=f"{EXPERIMENT.question} {EXPERIMENT.design}")
    parser.add_argument("--write", action="store_true", help="write the weights found to the policy's module")
    parser.add_argument("--steps", type=int, help="only print how the first steps go, to compare with another run")
    parser.add_argument("--threads", type=int, default=default_threads())
    parser.add_argument("--out", type=pathlib.Path, default=RESULTS, help="directory of results")
    a = parser.parse_args()
    if a.steps:
        fit(a.steps, EXPERIMENT.seed, a.threads)
        return 0
    directory = run(EXPERIMENT, lambda deals, seed: study(deals, seed, a.threads), ["--out", str(a.out)])
    if a.write:
        write(found_weights(directory))
        return 0
    return compare_shipped(directory, shipped())


if __name__ == "__main__":
    sys.exit(main())
