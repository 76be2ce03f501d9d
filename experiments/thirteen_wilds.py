"""Claims 5 and 7 of Three-Thirteen: hold wild cards to the end; counting those seen changes the odds of the next."""

from __future__ import annotations

import numpy as np

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import GAME, curves, forest, gains, panels, table_of
from simlib.analysis.three_thirteen.claims import wild_draws
from simlib.batch import Batch
from simlib.engine import make_work
from simlib.games import get
from simlib.games.three_thirteen.view import DRAW_STOCK
from simlib.stats.intervals import Estimate, mean_interval

EXPERIMENT = Experiment(
    name="thirteen_wilds",
    question="What is it worth to hold wild cards, and to count those that have been seen?",
    hypothesis="Holding them is worth a lot whatever they cost; counting moves the odds, but hardly a decision.",
    design=(
        "`tips` without holding wild cards and `potential` without a price on discarding them, under a wild penalty of"
        " 15 and (`tips`) 0; `potential` with the stock valued by the wild cards unseen, at the same mean. The"
        " first draw of the round of 13 cards by kings in hand, many deals, beside the exact odds."
    ),
    claim="three_thirteen, claims 5, 7",
    deals=120,
    quick_deals=15,
)
WORTH = (8, 16, 32)


def first_draws(deals: int, seed: int) -> dict[int, Estimate]:
    """Return how often the first card from the stock is a king, by kings that the starter of that round has seen."""
    scenario = np.zeros(1, get(GAME).SCENARIO)
    scenario["round"] = scenario["last"] = 11
    scenario["dealer"] = 4  # seat 3, so that seat 0 begins
    states = Batch.of_work(make_work(GAME, ["greedy"] * 4, seed, scenario=scenario), deals).states
    seen = np.zeros(deals, int)
    mask = np.uint64(sum(1 << (13 * suit + 12) for suit in range(4)))
    for copy in range(2):
        for suit in range(4):
            seen += ((states["hand"][:, 0, copy] & mask) >> np.uint64(13 * suit + 12)).astype(int) & 1
    for k in range(deals):
        get(GAME).step(states[k], DRAW_STOCK)
    king = (states["drew"] % 13 == 12).astype(int)
    return {n: mean_interval(king[seen == n]) for n in range(4) if np.sum(seen == n) > 10}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found: dict[str, Estimate] = {}
    for penalty in (15, 0):
        rules = {"wild_penalty": penalty}
        text = f"(a wild card in hand costs {penalty})"
        found |= gains("tips", {f"`tips`: a card like others {text}": {"hold_wilds": 0}}, deals, seed, rules=rules)
        if penalty:  # `potential` weighs the price of a wild card in hand anyway: without it nothing changes
            found |= gains("potential", {f"`potential`: no price on it {text}": {"hold": 0}}, deals, seed, rules=rules)
    # Of 8 wild cards among about 104 a draw gives one in 1 of 13.
    stock = sl.policy(f"{GAME}/potential").params["stock"]
    counts = {f"`potential` counts: a wild is worth {w}": {"wild_draw": w, "stock": stock - w / 13} for w in WORTH}
    found |= gains("potential", counts, deals, seed)
    draws = first_draws(max(2_000, 100 * deals), seed)
    exact = [e for _, e in wild_draws(hand=13, seen_cards=1)]
    axes = panels(2, 12, 3.9, width_ratios=(1.3, 1))
    forest(axes[0], found, "Wild cards treated otherwise: points saved in a game")
    curves(
        axes[1],
        range(9),
        {"exact": exact},
        "wild cards seen, of eight",
        "the next card of the stock is wild",
        "Odds at the start of the round of 13 cards",
        percent=True,
    )
    e = list(draws.values())
    bars = [[v.mean - v.lo for v in e], [v.hi - v.mean for v in e]]
    axes[1].errorbar(list(draws), [v.mean for v in e], yerr=bars, fmt="s", color="#D55E00", label="dealt")
    axes[1].legend()
    axes[1].set_ylim(0, None)
    v = list(found.values())
    sentences = [
        (
            f"Claim 5: treating wild cards like others changes the total of `tips` by {say(v[0], 'points')} a game, and"
            f" by {say(v[2], 'points')} where they cost nothing in hand; with `potential` it is {say(v[1], 'points')}."
        ),
        (
            f"Claim 7: the chance that the first card of the stock is wild falls from {100 * exact[0].mean:.1f} % with"
            f" none of the eight seen to {100 * exact[3].mean:.1f} % with three (exact; dealt:"
            f" {say(draws[0], percent=True)} and {say(draws[max(draws)], percent=True)}, with {max(draws)})."
        ),
        (
            f"Counting them when choosing between stock and upcard changes a game by {say(v[3], 'points')},"
            f" {say(v[4], 'points')} or {say(v[5], 'points')} when a wild card is held worth 8, 16 or 32 points."
        ),
    ]
    findings = [(name, x, "points saved") for name, x in found.items() if np.isfinite(x.half_width)]
    findings += [(f"first draw is wild, {k} of eight in hand", x, "") for k, x in draws.items()]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
