"""The question of Big Three: what is a bid worth with this hand?"""

from __future__ import annotations

import pandas as pd

import simlib as sl
from experiments._big import panels
from experiments._frame import Experiment, Study, run, say
from simlib.plots.models import bid_values
from simlib.stats.clusters import cluster_interval

EXPERIMENT = Experiment(
    name="big_bid_worth",
    question="What is a bid worth with this hand?",
    hypothesis="Threes and few turns make a declarer; the middle hand loses chips at any bid.",
    design="Every deal is declared by every seat at 1, 2 and 3, everybody playing by `counting`; chips by "
    "the least number "
    "of combinations that empties the dealt hand, by its 3s, and by the chance to win that a logistic model "
    "fitted to the "
    "first 70 % of the deals gives the rest. Its calibration is judged on those.",
    claim="big_three, headline question",
    deals=12_000,
    quick_deals=300,
)
STRENGTHS = {"turns": "turns that empty the hand", "threes": "3s in the hand"}
LEAST = 30


def by_chance(found: sl.big_three.Counterfactuals) -> pd.DataFrame:
    """Return what each bid brought, in steps of the fitted chance to win, on deals that the model has not seen."""
    model = found.model()
    unseen = found.rows[found.rows.deal >= round(0.7 * found.setting.deals)]
    step = (10 * model.chance(unseen)).astype(int) / 10 + 0.05
    out = []
    for x, group in unseen.groupby(step):
        for b in found.bids:
            if len(group) >= LEAST:
                e = cluster_interval(group[f"chips_{b}"], group["deal"])
                out.append({"x": x, "series": f"bid {b}", "mean": e.mean, "lo": e.lo, "hi": e.hi, "n": len(group)})
    return pd.DataFrame(out)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = sl.big_three.counterfactuals(deals, seed)
    model = found.model()
    parts = []
    for feature in STRENGTHS:
        t = found.by(feature)
        for b in found.bids:
            part = t[["n"]].assign(
                strength=feature, x=t[feature].astype(float), series=f"bid {b}", mean=t[f"chips_{b}"]
            )
            parts.append(part.assign(lo=t[f"chips_{b}_lo"], hi=t[f"chips_{b}_hi"], won=t.won))
    parts.append(by_chance(found).assign(strength="chance"))
    table = pd.concat(parts, ignore_index=True)
    axes = panels(1, 3, 12.5, 3.9)
    shown = table[table.n >= LEAST]
    for ax, (feature, words) in zip(axes, (STRENGTHS | {"chance": "fitted chance to win"}).items(), strict=True):
        bid_values(shown[shown.strength == feature], ax, strength=words, title=f"By {words}")
    axes[2].axvline(0.5, color="0.4", linewidth=1, linestyle=":")
    rows = found.rows

    def among(chosen: pd.Series, column: str = "chips_1") -> object:
        return cluster_interval(rows[column][chosen], rows.deal[chosen])

    anyone = among(rows.turns > 0, "won")
    chips = among(rows.turns > 0)
    good, bad = among((rows.threes >= 2) & (rows.turns <= 6)), among((rows.threes == 0) & (rows.turns >= 9))
    share = cluster_interval((model.chance(rows) >= 0.5).astype(int), rows.deal)
    gap = model.calibration(5)
    worst = float((gap.predicted - gap.observed).abs().max()) if {"predicted", "observed"} <= set(gap.columns) else None
    sentences = [
        f"A hand taken at random wins {say(anyone, percent=True)} of its games as declarer, so that "
        f"declaring at 1 brings "
        f"{say(chips, 'chips')}; at 2 and 3 twice and three times as much, for the cards are played alike.",
        f"With two 3s or more and at most six turns a bid of 1 brings {say(good, 'chips')} (of 3: three "
        f"times that), without "
        f"a 3 and with nine turns or more {say(bad, 'chips')}.",
        f"A bid pays from an even chance on, which the model gives {say(share, percent=True)} of the hands"
        + (f"; in groups of hands it is right to {100 * worst:.1f} percentage points." if worst is not None else "."),
    ]
    findings = [
        ("chance of any hand to win as declarer", anyone, ""), ("declaring at 1 with any hand", chips, "chips"),
        ("declaring at 1 with two 3s and at most six turns", good, "chips"),
        ("declaring at 1 without a 3 and with nine turns or more", bad, "chips"),
        ("hands with a fitted chance of one half", share, ""),
    ]  # fmt: skip
    return Study(table, axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
