"""Penalties of Three-Thirteen by round and way of playing."""

from __future__ import annotations

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import SIZES, curves, of_part, panels, table_of

EXPERIMENT = Experiment(
    name="thirteen_penalties",
    question="How large are the penalties of each round?",
    hypothesis="They grow with the hand, and good play saves most in the late rounds.",
    design="Tables of four alike on the same deals: mean penalty of a seat, and seats without one, by round.",
    claim="three_thirteen, penalties by round",
    deals=1_000,
)
POLICIES = ("greedy", "tips", "potential")


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = {p: sl.three_thirteen.penalties(p, deals, seed) for p in POLICIES}
    mean = {p: list(of_part(s, "round").values()) for p, s in found.items()}
    zero = {p: list(of_part(s, "zero").values()) for p, s in found.items()}
    axes = panels(2, 11, 3.7)
    curves(axes[0], SIZES, mean, "cards of a hand", "points", "Mean penalty of a seat")
    axes[0].set_ylim(0, None)
    curves(axes[1], SIZES, zero, "cards of a hand", "seats", "Seats that end a round without penalty", percent=True)
    axes[1].set_ylim(0, None)
    first, last = mean["potential"][0], mean["potential"][-1]
    peak = max(range(11), key=lambda r: mean["potential"][r].mean)
    saved = max(range(11), key=lambda r: mean["greedy"][r].mean - mean["potential"][r].mean)
    sentences = [
        (
            f"Among four `potential` a seat gets {say(first, 'points')} in the round of 3 cards and"
            f" {say(last, 'points')} in that of 13, most with {SIZES[peak]} cards"
            f" ({say(mean['potential'][peak], 'points')})."
        ),
        (
            f"Four `greedy` get {say(mean['greedy'][0], 'points')} and {say(mean['greedy'][-1], 'points')}; the gap is"
            f" widest with {SIZES[saved]} cards ({say(mean['greedy'][saved], 'points')} against"
            f" {say(mean['potential'][saved], 'points')})."
        ),
        (
            f"Without a penalty end {say(zero['potential'][0], percent=True)} of the seats with 3 cards and"
            f" {say(zero['potential'][-1], percent=True)} with 13, the one that went out among them."
        ),
    ]
    findings = [(f"{p}: penalty, {n} cards", e, "points") for p in mean for n, e in zip(SIZES, mean[p], strict=True)]
    findings += [(f"{p}: no penalty, {n} cards", e, "") for p in zero for n, e in zip(SIZES, zero[p], strict=True)]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
