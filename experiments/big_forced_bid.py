"""The forced bid of Big Three: who holds three 3s, or two 3s and two 2s, must declare at 3."""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._big import GAME, panels
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from simlib import plots
from simlib.stats.clusters import ratio_interval
from simlib.stats.intervals import mean_interval, paired_difference

EXPERIMENT = Experiment(
    name="big_forced_bid",
    question="Does the forced bid force anybody into what it would not do anyway?",
    hypothesis="Seldom: with such hands a bid of 3 pays.",
    design="A table of `counting` that bids by the fitted chance to win, with `forced_bid` and without it on "
    "the same deals: how often "
    "a bid was forced, how the declarer then fares, and what became of that seat in the same deals without "
    "the rule. Beside it "
    "hands that were dealt exactly the forced cards, all else shuffled, declared at 3.",
    claim="big_three, option forced_bid",
    deals=40_000,
    quick_deals=800,
)
HANDS = {"three 3s": "3s 3d 3c", "two 3s and two 2s": "3s 3d 2s 2c"}


def table_of(option: bool, deals: int, seed: int) -> np.ndarray:
    """Return the results of a table of `counting` with and without the option."""
    rules = {"forced_bid": option}
    runs = sl.simulate(GAME, ["counting"] * 3, deals, seed=seed, rules=rules, progress=False)
    return np.concatenate([rows[:, 0] for _, rows in runs.chunks()])


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    free, forced = (table_of(f, deals, seed) for f in (False, True))
    was = forced["forced"].astype(bool)
    at = np.arange(deals)
    who = forced["declarer"].astype(np.int64)
    won = forced["declarer_won"].astype(np.int64)
    same = was & (free["declarer"] == who) & (free["bid"] == 3)
    chips = [rows["score"][at, who].astype(np.int64) * was for rows in (forced, free)]
    n = was.astype(np.int64)
    shares = {
        "a bid is forced": mean_interval(n),
        "forced, and would bid 3 anyway": ratio_interval(same.astype(np.int64), n),
        "declarer wins when forced": ratio_interval(won * n, n),
        "declarer wins otherwise": ratio_interval(won * (1 - n), 1 - n),
    }
    for name, cards in HANDS.items():
        setup = sl.big_three.scenario(hands={0: cards}, declarer=0, bid=3)
        runs = sl.simulate(GAME, ["counting"] * 3, max(2, deals // 4), seed=seed, scenario=setup, progress=False)
        shares[f"declarer wins with {name}"] = mean_interval(
            np.concatenate([r[:, 0]["declarer_won"] for _, r in runs.chunks()]).astype(np.int64)
        )
    money = {
        "chips of a forced seat": ratio_interval(chips[0], n),
        "the same seat without the rule": ratio_interval(chips[1], n),
        "difference": ratio_interval(chips[0] - chips[1], n),
    }
    opener = [r["score"][at, r["first_bidder"].astype(np.int64)].astype(np.int64) for r in (forced, free)]
    money["first bidder: change over all deals"] = paired_difference(*opener)
    axes = panels(1, 2, 12, 3.8)
    for ax, part, percent, title in ((axes[0], shares, True, "Shares"), (axes[1], money, False, "Chips a deal")):
        data = pd.DataFrame([{"label": k, "mean": e.mean, "lo": e.lo, "hi": e.hi} for k, e in part.items()])
        plots.bars(data, ax, ylabel="" if percent else "chips", percent=percent, title=title)
    gain = money["difference"]
    sentences = [
        f"A bid is forced in {say(shares['a bid is forced'], percent=True)} of the deals, and "
        f"{say(shares['forced, and would bid 3 anyway'], percent=True)} "
        "of those seats declare at 3 without the rule as well.",
        f"The forced declarer wins {say(shares['declarer wins when forced'], percent=True)}; dealt three 3s "
        f"and otherwise any cards, "
        f"{say(shares['declarer wins with three 3s'], percent=True)}, two 3s and two 2s, "
        f"{say(shares['declarer wins with two 3s and two 2s'], percent=True)}.",
        f"To be forced brings the seat {say(money['chips of a forced seat'], 'chips')}, {say(gain, 'chips')} "
        f"more than the same deals without the rule: "
        + verdict(gain, "no punishment, but a push that bidders by the fitted chance would do well to give "
                        "themselves.", "a small punishment.", "it changes nothing."),
    ]  # fmt: skip
    findings = [(k, e, "") for k, e in shares.items()] + [(k, e, "chips") for k, e in money.items()]
    return Study(rows_of(shares | money), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
