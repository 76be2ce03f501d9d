"""McNeely's scoring of Big Three: only the declarer scores, and a match goes to 20 points."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._big import GAME, panels
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from simlib import plots
from simlib.stats.intervals import mean_interval

EXPERIMENT = Experiment(
    name="big_mcneely",
    question="Does McNeely's scoring, a match to 20 points, reward other play than chips do?",
    hypothesis="Defenders win nothing, so bidding is worth more; but skill shows all the same, and matches are long.",
    design="Bidders of three kinds (never more than they must, the fitted chance to win from one half on, "
    "and from 0.35 on) at one table, "
    "all playing their cards by `counting`, moved round the seats: mean score a deal by chips and by "
    "McNeely's points on the same "
    "deals. And matches to 20 points by McNeely's scoring of the same three against matches of 20 deals for chips.",
    claim="big_three, option scoring and matches",
    deals=6_000,
    quick_deals=200,
)
BIDDERS = {"shy": "counting:bid=never", "even": "counting", "eager": "counting:bid=[value:two=0.35,three=0.35]"}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    line = list(BIDDERS.values())
    found, score = {}, {}
    for scoring in ("chips", "mcneely"):
        runs = sl.simulate(
            GAME, line, deals, seed=seed, rules={"scoring": scoring}, seatings="rotations", progress=False
        )
        points = np.concatenate([r["score"][..., :3].astype(np.int64) for _, r in runs.chunks()])
        for i, name in enumerate(BIDDERS):
            mine = np.array([[p == i for p in seating] for seating in runs.seatings])
            score[name, scoring] = (points * mine).sum(axis=2)
            found[f"{name}, {scoring}"] = mean_interval(score[name, scoring])
    matches = max(20, deals // 10)
    played = {
        "mcneely": sl.big_three.match(
            line, points=20, matches=matches, seed=seed, rules={"scoring": "mcneely"}, seatings="rotations"
        ),
        "chips": sl.big_three.match(line, deals=20, matches=matches, seed=seed, seatings="rotations"),
    }
    wins, rows = {}, []
    for scoring, m in played.items():
        for name, r in zip(BIDDERS, m.table.to_dict("records"), strict=True):
            rows.append({"label": f"{name}: {scoring}", "mean": r["wins"], "lo": r["wins_lo"], "hi": r["wins_hi"]})
            wins[name, scoring] = r
    axes = panels(1, 2, 12.5, 3.8)
    data = [{"label": k, "difference": e.mean, "lo": e.lo, "hi": e.hi} for k, e in found.items()]
    plots.forest(pd.DataFrame(data), axes[0], title="Mean score a deal")
    axes[0].set_xlabel("chips, or McNeely's points, a deal")
    plots.bars(
        pd.DataFrame(rows),
        axes[1],
        ylabel="share of matches won",
        percent=True,
        title="Matches: to 20 points; 20 deals for chips",
    )
    length = played["mcneely"].length
    gap = mean_interval(score["eager", "mcneely"] - score["even", "mcneely"])
    gap_chips = mean_interval(score["eager", "chips"] - score["even", "chips"])

    def won(name: str, scoring: str) -> str:
        r = wins[name, scoring]
        return f"{100 * r['wins']:.1f} % [{100 * r['wins_lo']:.1f}, {100 * r['wins_hi']:.1f}]"

    sentences = [
        f"A match to 20 points by McNeely's scoring takes {say(length)} deals at a table of a shy, an even "
        f"and an eager bidder.",
        f"The shy one wins {won('shy', 'mcneely')} of those matches (of 20 deals for chips "
        f"{won('shy', 'chips')}), the even one "
        f"{won('even', 'mcneely')} ({won('even', 'chips')}), the eager one {won('eager', 'mcneely')} "
        f"({won('eager', 'chips')}).",
        f"A deal brings the eager bidder {say(gap, 'points')} more than the even one by McNeely's scoring "
        f"and {say(gap_chips, 'chips')} more "
        "for chips: " + verdict(gap, "where defenders score nothing, eagerness pays.", "eagerness does not "
        "pay even where defenders score nothing.",
                                "by points it makes no difference that can be seen."),
    ]  # fmt: skip
    findings = [
        (f"mean score a deal of the bidder: {k}", e, "points" if k.endswith("mcneely") else "chips")
        for k, e in found.items()
    ]
    findings += [("deals of a match to 20 points", length, "deals"), ("eager less even, McNeely", gap, "points"),
                 ("eager less even, chips", gap_chips, "chips")]  # fmt: skip
    table = pd.concat(
        [rows_of(found), pd.DataFrame(rows).rename(columns={"label": "what", "mean": "estimate"})], ignore_index=True
    )
    return Study(table, axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
