"""Advice 2 of Big Three: a straight up to the king cannot be beaten; use it to take the lead."""

from __future__ import annotations

import numpy as np
import pandas as pd

from experiments._big import declared, long_table, tried, tried_figure
from experiments._frame import Experiment, Study, run, say, verdict
from simlib.stats.intervals import mean_interval, paired_difference

EXPERIMENT = Experiment(
    name="big_king_straights",
    question="Is a straight up to the king worth keeping, to take the lead with it?",
    hypothesis="A J-Q-K in the hand wins games, a little more than lower straights do; keeping it back is "
    "worth little.",
    design="`tips` with the advice switched on against `tips` without it, on the same deals: in each role of "
    "forced deals, and "
    "one seat moved round with the auction, among `tips` and among `counting`. Beside it the chance of a "
    "declarer who was "
    "dealt a certain straight of three (no hearts), by its top, all else being shuffled; everybody plays by "
    "`counting`.",
    claim="big_three, advice 2",
    deals=10_000,
    quick_deals=100,
)
STRAIGHTS = ["4s 5d 6c", "5s 6d 7c", "6s 7d 8c", "7s 8d 9c", "8s 9d Tc", "9s Td Jc", "Ts Jd Qc", "Js Qd Kc"]


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = tried({"keeps it to take the lead": "tips"}, "tips:straights=0", deals, seed)
    won = {s: declared(["counting"] * 3, deals, seed, hands={0: s})["declarer_won"].astype(np.int64) for s in STRAIGHTS}
    held = {s: mean_interval(w) for s, w in won.items()}
    king = paired_difference(won[STRAIGHTS[-1]], won[STRAIGHTS[-2]])
    queen = paired_difference(won[STRAIGHTS[-2]], won[STRAIGHTS[-3]])
    ax = tried_figure(found, "Keeping a straight that nobody can beat, to take the lead: gain")
    role, chips = found["chance, counting"]["declarer"], found["chips, counting"]["keeps it to take the lead"]
    word = verdict(chips, "pays", "costs a little", "neither pays nor costs anything that can be seen")
    low, high = held[STRAIGHTS[0]], held[STRAIGHTS[-1]]
    sentences = [
        f"Keeping an unbeatable straight to take the lead {word}: {say(chips, 'chips')} a deal among `counting`, and "
        f"{say(role, percent=True)} in the chance to win as declarer.",
        f"Who is dealt J-Q-K wins {say(high, percent=True)} as declarer, with 4-5-6 "
        f"{say(low, percent=True)}; from 10-J-Q to J-Q-K "
        f"it is {say(king, percent=True)}, from 9-10-J to 10-J-Q {say(queen, percent=True)}.",
        "The worth of a straight grows with its top; that nothing beats the last one "
        + verdict(
            king,
            "adds more than that to the hand.",
            "adds nothing to the hand: a step lower is worth more.",
            "adds nothing to the hand that can be seen.",
        ),
    ]
    findings = [(f"advice heeded, among {p.split(', ')[1]}: {k}", e, "chips" if p[:5] == "chips" else "")
                for p, g in found.items() for k, e in g.items() if e.df > 0]  # fmt: skip
    findings += [(f"declarer's chance with {s} in the hand", e, "") for s, e in held.items()]
    findings += [("J-Q-K rather than 10-J-Q", king, ""), ("10-J-Q rather than 9-10-J", queen, "")]
    table = pd.concat([long_table(found), long_table({"declarer's chance, holding": held})], ignore_index=True)
    return Study(table, ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
