"""Claim 2 of Three-Thirteen: early rounds are races; with eleven cards and more you seldom win, so shed penalties."""

from __future__ import annotations

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import SIZES, curves, forest, gains, of_part, panels, table_of

EXPERIMENT = Experiment(
    name="thirteen_races",
    question="Are early rounds races, and are rounds of eleven cards and more seldom won?",
    hypothesis=(
        "Somebody goes out in nearly every round of any size, so that each seat wins a quarter of them; what grows with"
        " the hand is how long it takes. Racing early and shedding late gain a few points."
    ),
    design=(
        "Tables of four `tips` and four `potential`: who goes out, on which turn, by round. `tips` without the race,"
        " without shedding, and with other limits, against `tips` in every seat of the same deals."
    ),
    claim="three_thirteen, claim 2",
    deals=200,
    quick_deals=20,
)
VARIANTS = {
    "no races (attack=0)": {"attack": 0},
    "races up to 7 cards": {"early": 7},
    "all rounds are races": {"early": 13, "defend": 0},
    "no shedding (defend=0)": {"defend": 0},
    "shedding from 9 cards on": {"late": 9},
    "shedding in all rounds": {"attack": 0, "late": 3},
}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    out = {p: sl.three_thirteen.going_out(p, 2 * deals, seed) for p in ("tips", "potential")}
    chance = {p: list(of_part(s, "chance").values()) for p, s in out.items()}
    turn = {p: list(of_part(s, "turn").values()) for p, s in out.items()}
    found = gains("tips", VARIANTS, deals, seed)
    axes = panels(2, 12, 3.9, width_ratios=(1, 1.25))
    curves(axes[0], SIZES, turn, "cards of a hand", "turns of one's own", "Turn on which somebody goes out")
    axes[0].set_ylim(0, None)
    forest(axes[1], found, "Races and shedding otherwise: points saved")
    late, early = chance["tips"][8], chance["tips"][0]
    e = list(found.values())
    sentences = [
        (
            f"A seat wins {say(early, percent=True)} of the rounds with 3 cards and {say(late, percent=True)} of those"
            f" with 11 (four `tips`): big hands are won as often as small ones, but on turn {say(turn['tips'][8])}"
            f" instead of {say(turn['tips'][0])}."
        ),
        (
            f"Giving up the races changes the total of `tips` by {say(e[0], 'points')} a game, giving up shedding"
            " (any upcard that lowers the penalty) from"
            f" 11 cards on by {say(e[3], 'points')}, shedding in all rounds by {say(e[5], 'points')} and racing in all"
            f" by {say(e[2], 'points')}."
        ),
        (
            f"Rounds of 5, 8 and 11 cards take longest ({say(turn['tips'][2])}, {say(turn['tips'][5])} and"
            f" {say(turn['tips'][8])} turns): a hand that is no multiple of three needs a longer meld, which matters"
            " more than its size."
        ),
    ]
    findings = [(f"{p}: a seat goes out, {n} cards", v, "") for p in out for n, v in zip(SIZES, chance[p], strict=True)]
    findings += [(f"{p}: turn, {n} cards", v, "turns") for p in out for n, v in zip(SIZES, turn[p], strict=True)]
    findings += [(name, v, "points saved") for name, v in found.items()]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
