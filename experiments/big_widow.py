"""Advice 5 of Big Three: what is the widow worth? Twenty cards sound worse than sixteen."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._big import declared, differences, estimates, long_table, panels
from experiments._frame import Experiment, Study, run, say, verdict
from simlib import plots
from simlib.stats.clusters import cluster_interval
from simlib.stats.intervals import paired_difference

EXPERIMENT = Experiment(
    name="big_widow",
    question="What is the widow worth: are twenty cards worse than sixteen?",
    hypothesis="The widow helps, mostly by the 3s in it; shown to everyone it helps a little less.",
    design="Every deal is declared by every seat with the widow and once more with the widow left face down, "
    "everybody "
    "playing by `counting`; the gain by the 3s in the widow and by the turns it costs. Whether it is shown "
    "to everyone "
    "(assumption `widow_shown`) is tried on a fortieth of the deals, declared by the first seat against two "
    "`lookahead` "
    "(12 play-outs of 4 candidates), who make use of what they see.",
    claim="big_three, advice 5 and assumption widow_shown",
    deals=12_000,
    quick_deals=300,
)
WATCHER = "lookahead:samples=12,width=4"


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    played = sl.big_three.counterfactuals(deals, seed, bids=(1,))
    found = sl.big_three.widow_value(played)
    parts = {part: estimates(found, part) for part in found.parts}
    rows = played.rows
    gain = rows.won - rows.won_bare
    by_hand = {
        f"dealt hand of {n} turns": cluster_interval(
            gain[rows.turns == n].to_numpy(), rows.deal[rows.turns == n].to_numpy()
        )
        for n in range(4, 12)
        if (rows.turns == n).sum() >= 100
    }
    few = max(2, deals // 40)  # only `lookahead` makes use of a widow that it sees, and takes its time
    line = ["counting", WATCHER, WATCHER]
    hidden, shown = (
        declared(line, few, seed, rules={"widow_shown": s})["declarer_won"].astype(np.int64) for s in (False, True)
    )
    seen = paired_difference(shown, hidden)
    axes = panels(1, 2, 12.5, 5.2)
    plots.forest(differences(parts["gain"]), axes[0], unit="%", title="What the widow adds to the declarer's chance")
    plots.forest(differences(by_hand), axes[1], unit="%", title="The same, by the dealt hand")
    every, none = parts["gain"]["all deals"], parts["gain"]["0 threes in the widow"]
    turns, free = parts["turns"]["turns more"], parts["turns"]["no turn more"]
    chance = parts["chance"]
    sentences = [
        f"Twenty cards are better than sixteen: the widow lifts the declarer's chance to win from "
        f"{say(chance['without it'], percent=True)} to {say(chance['with the widow'], percent=True)}, by "
        f"{say(every, percent=True)}.",
        f"It costs {say(turns)} turns on average and none at all for {say(free, percent=True)} of the hands; "
        f"without a 3 in it "
        f"it still adds {say(none, percent=True)}, with one "
        f"{say(parts['gain']['1 threes in the widow'], percent=True)}.",
        f"Showing it to everyone (assumption `widow_shown`) changes the declarer's chance by "
        f"{say(seen, percent=True)}: "
        + verdict(seen, "it helps the declarer.", "a little, against the declarer.", "no difference that can be seen."),
    ]
    findings = [(f"{part}: {k}", e, "") for part in ("chance", "gain", "turns") for k, e in parts[part].items()]
    findings.append(("widow shown to everyone: change of the declarer's chance", seen, ""))
    parts |= {"gain by hand": by_hand, "widow_shown": {"change of the declarer's chance": seen}}
    return Study(pd.DataFrame(long_table(parts)), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
