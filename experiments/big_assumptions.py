"""How much the conclusions on Big Three depend on what its rule text assumes, and on its options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import simlib as sl
from experiments._big import GAME, declared, panels
from experiments._frame import Experiment, Study, run, say
from simlib import plots
from simlib.stats.intervals import Estimate, mean_interval, paired_difference
from simlib.stats.multiple import holm

EXPERIMENT = Experiment(
    name="big_assumptions",
    question="Which assumptions and options of the rule text do the conclusions depend on?",
    hypothesis="The widow, the lead and careful play help under all of them; how much depends most on the "
    "deck and on the number of "
    "players, hardly on who sees the widow or which straights there are.",
    design="Every option away from its default, one at a time, from the same shuffles: the chance of a "
    "declarer with any hand to win "
    "(`counting`), what the widow and what leading adds to it, and the lead of one `counting` over two (or "
    "three) `shed` moved "
    "round the table with the auction. Differences from the default are paired by deal; p is adjusted over "
    "all (Holm).",
    claim="big_three, assumptions and options straight_of, min_straight, bomb_bonus, "
    "forced_bid, short_deck, "
    "rank_order, scoring, players",
    deals=2_500,
)
MEASURES = ("declarer's chance", "gain by the widow", "gain by the lead", "counting's lead over shed")
OPTIONS: list[dict[str, Any]] = [
    {"straight_of": (1, 2, 3)}, {"straight_of": (1, 2)}, {"straight_of": (1,)}, {"straight_of": ()},
    {"min_straight": 4}, {"min_straight": 5}, {"bomb_bonus": True}, {"forced_bid": True}, {"short_deck": True},
    {"rank_order": "western"}, {"scoring": "mcneely"}, {"players": 4},
    {"forced_bid": True, "bomb_bonus": True, "straight_of": (1, 2)},
]  # fmt: skip


def by_deal(options: dict[str, Any], deals: int, seed: int) -> list[np.ndarray | None]:
    """Return the measures of each deal under some options; None where there is no widow."""
    n = options.get("players", 3)
    line = ["counting"] * n

    def won(**scenario: Any) -> np.ndarray:
        return declared(line, deals, seed, rules=options, **scenario)["declarer_won"].astype(float)

    natural = won()
    widow = natural - won(no_widow=True) if n == 3 else None
    lead = won(leader=0) - sum(won(leader=k) for k in range(1, n)) / (n - 1)
    mixed = sl.simulate(GAME, ["counting"] + ["shed:bid=value"] * (n - 1), deals, seed=seed, rules=options,
                        seatings="rotations", progress=False)  # fmt: skip
    score = np.concatenate([rows["score"][..., :n].astype(float) for _, rows in mixed.chunks()])
    mine = np.array([[mixed.policies[i] == "counting" for i in seating] for seating in mixed.seatings])
    ahead = (score * mine).sum(axis=(1, 2)) / n - (score * ~mine).sum(axis=(1, 2)) / (n * (n - 1))
    return [natural, widow, lead, ahead]


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    default = by_deal({}, deals, seed)
    base = [mean_interval(x) for x in default]
    level: dict[tuple[str, int], Estimate] = {}
    change: dict[tuple[str, int], Estimate] = {}
    for options in OPTIONS:
        name = ", ".join(f"{k}={v}" for k, v in options.items())
        for i, x in enumerate(by_deal(options, deals, seed)):
            if x is not None:
                level[name, i], change[name, i] = mean_interval(x), paired_difference(x, default[i])
    p = dict(zip(change, holm([e.p_value() for e in change.values()]), strict=True))
    rows = [
        {"option": "default", "measure": m, "estimate": e.mean, "lo": e.lo, "hi": e.hi}
        for m, e in zip(MEASURES, base, strict=True)
    ]
    rows += [
        {"option": n, "measure": MEASURES[i], "estimate": level[n, i].mean, "lo": level[n, i].lo, "hi": level[n, i].hi}
        | {"change": e.mean, "change_lo": e.lo, "change_hi": e.hi, "p_holm": p[n, i]}
        for (n, i), e in change.items()
    ]
    axes = panels(1, 4, 17, 7)
    for ax, i in zip(axes, (0, 2, 3, 1), strict=True):  # the last one has a row less and labels of its own
        shown = [{"label": n, "difference": e.mean, "lo": e.lo, "hi": e.hi} for (n, k), e in change.items() if k == i]
        plots.forest(pd.DataFrame(shown), ax, unit="chips" if i == 3 else "%", title=f"{MEASURES[i]}: change")
        if i in (2, 3):
            ax.set_yticklabels([])
    moved = [[n for (n, k) in change if k == i and p[n, k] < 0.05] for i in range(4)]
    signs = [min((level[key].lo, key[0]) for key in level if key[1] == i) for i in (1, 2, 3)]
    sentences = [
        f"By the rules as they stand a declarer with any hand wins {say(base[0], percent=True)}, the widow adds "
        f"{say(base[1], percent=True)}, the lead {say(base[2], percent=True)}, and careful play "
        f"{say(base[3], 'chips')} a deal.",
        "Beyond doubt these change the declarer's chance: " + ", ".join(f"{n} "
        f"({say(change[n, 0], percent=True)})" for n in moved[0]) + "; "
        "the gain by the widow: " + (", ".join(moved[1]) or "none") + "; the gain by the lead: " + (", "
        "".join(moved[2]) or "none") + ".",
        "The widow, the lead and careful play help under every one of them."
        if all(lo > 0 for lo, _ in signs)
        else "Not certain to help: "
        + "; ".join(f"{m} under {n}" for (lo, n), m in zip(signs, MEASURES[1:], strict=True) if lo <= 0) + ".",
    ]  # fmt: skip
    findings = [
        (f"default: {m}", e, "chips" if i == 3 else "") for i, (m, e) in enumerate(zip(MEASURES, base, strict=True))
    ]
    findings += [(f"{n}: change of {MEASURES[i]}", e, "chips" if i == 3 else "") for (n, i), e in change.items()]
    return Study(pd.DataFrame(rows), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
