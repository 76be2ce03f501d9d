"""Assumption of Big Three with four players: the auction ends after three passes in a row. What if it ended "
"after two?"""

from __future__ import annotations

import numpy as np
import pandas as pd

import simlib as sl
from experiments._big import GAME, panels
from experiments._frame import Experiment, Study, rows_of, run, say, verdict
from simlib import plots
from simlib.stats.intervals import mean_interval, paired_difference

EXPERIMENT = Experiment(
    name="big_four_auction",
    question="With four players, does it matter that the auction ends after three passes in a row rather than two?",
    hypothesis="It moves some auctions from the fourth seat to the first bidder, and so some chips; who "
    "plays well is ahead all the same.",
    design="Auctions of a table of `counting` (bids by the fitted chance to win, 2 from one threshold and 3 "
    "from a higher one) are cut off "
    "after two passes in a row; the declarer and bid that stand then are played on the same deals. The same "
    "with eager "
    "and with shy bidders, whose auctions are longer and shorter.",
    claim="big_three, assumption: with four players the auction ends after three passes",
    deals=12_000,
    quick_deals=300,
)
BIDDERS = {
    "value": "counting:bid=[value:two=0.5,three=0.6]",
    "eager": "counting:bid=[value:two=0.4,three=0.5]",
    "shy": "counting:bid=[value:two=0.6,three=0.75]",
}


def cut_off(code: int, first: int) -> tuple[int, int]:
    """Return declarer and bid of an auction, its bids as decimal digits, that ends after two passes in a row."""
    who, high, passes = first, 0, 0
    for k, digit in enumerate(str(code)):
        bid = int(digit)
        who, high, passes = (who, high, passes + 1) if bid == 0 else ((first + k) % 4, bid, 0)
        if passes == 2 or high == 3:
            break
    return who, high


def settled(bidder: str, deals: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return whether the outcome changes, and chips by place in the auction by both rules (deals, 4), and "
    "the bids."""
    rules = {"players": 4}
    runs = sl.simulate(GAME, [bidder] * 4, deals, seed=seed, rules=rules, progress=False)
    rows = np.concatenate([r[:, 0] for _, r in runs.chunks()])
    first = rows["first_bidder"].astype(np.int64)
    short = np.array([cut_off(int(c), int(f)) for c, f in zip(rows["auction"], first, strict=True)])
    changed = (short[:, 0] != rows["declarer"]) | (short[:, 1] != rows["bid"])
    chips = rows["score"][:, :4].astype(np.int64)
    other = chips.copy()
    for who in range(4):  # a deal is played alike at any bid, so that one game at 1 serves all
        setup = sl.big_three.scenario(sl.rules(GAME, **rules), declarer=who, bid=1)
        forced = sl.simulate(GAME, [bidder] * 4, deals, seed=seed, rules=rules, scenario=setup, progress=False)
        at_one = np.concatenate([r[:, 0] for _, r in forced.chunks()])["score"][:, :4].astype(np.int64)
        here = changed & (short[:, 0] == who)
        other[here] = at_one[here] * short[here, 1:2]
    place = (first[:, None] + np.arange(4)) % 4
    return changed, np.take_along_axis(chips, place, 1), np.take_along_axis(other, place, 1), short


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    shares, moved = {}, {}
    for name, bidder in BIDDERS.items():
        changed, long, short, _ = settled(bidder, deals, seed)
        shares[name] = mean_interval(changed.astype(np.int64))
        for k, seat in enumerate(("first bidder", "second", "third", "fourth")):
            moved[f"{name}: {seat}"] = paired_difference(short[:, k], long[:, k])
    axes = panels(1, 2, 12, 4.6)
    data = pd.DataFrame([{"label": k, "mean": e.mean, "lo": e.lo, "hi": e.hi} for k, e in shares.items()])
    plots.bars(
        data, axes[0], xlabel="bidders", ylabel="share of the deals", percent=True, title="Auctions that end otherwise"
    )
    rows = [{"label": k, "difference": e.mean, "lo": e.lo, "hi": e.hi} for k, e in moved.items()]
    plots.forest(pd.DataFrame(rows), axes[1], unit="chips", title="Two passes instead of three: change by place")
    first, fourth = moved["value: first bidder"], moved["value: fourth"]
    sentences = [
        f"Cut off after two passes in a row, {say(shares['value'], percent=True)} of the auctions end with "
        f"another declarer or bid "
        f"({say(shares['eager'], percent=True)} among eager bidders, {say(shares['shy'], percent=True)} "
        f"among shy ones).",
        f"To the first bidder the shorter auction is worth {say(first, 'chips')} a deal, to the fourth seat "
        f"{say(fourth, 'chips')}.",
        "So the assumption "
        + verdict(first, "helps the later seats: with two passes the first bidder would be better off.",
                  "spares the first bidder: with two passes it would be left with its duty more often.",
                  "moves no chips that can be seen from one place to another, though declarers change."),
    ]  # fmt: skip
    findings = [(f"{k} bidders: auctions that end otherwise", e, "") for k, e in shares.items()]
    findings += [(f"two passes instead of three, {k}", e, "chips") for k, e in moved.items()]
    return Study(rows_of(shares | moved), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
