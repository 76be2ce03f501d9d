"""Advice 1 of Big Three: bid only with many sets and straights; the widow is luck."""

from __future__ import annotations

import simlib as sl
from experiments._big import GAME, differences, estimates, long_table, panels
from experiments._frame import Experiment, Study, run, say, verdict
from simlib import plots

EXPERIMENT = Experiment(
    name="big_sets_straights",
    question="Should one bid only with many sets and straights?",
    hypothesis="Yes: with equal 3s and 2s a hand of few turns wins more often; but top cards matter at least as much.",
    design="Every deal is declared by every seat at a bid of 1 (`counting`): hands that need fewer turns "
    "than the middle hand "
    "against those that need more, within equal numbers of 3s and 2s. And bidders compared, one seat of "
    "three moved round a "
    "table of `counting`: who bids by a plain hand value, and who heeds the advice on top of it (no bid with "
    "more than "
    "4 … 8 turns), bids by turns alone, never more than it must, or by the fitted chance to win. The same "
    "for `tips`, a weaker player.",
    claim="big_three, advice 1",
    deals=15_000,
    quick_deals=300,
)
NEVER = "never more than it must"
PLAIN = "counting:bid=threshold"
WAYS = {f"hand value, at most {n} turns": f"counting:bid=[tips:most_turns={n}]" for n in (4, 5, 6, 7, 8)} | {
    "any hand of at most 5 turns": "counting:bid=[tips:most_turns=5,bid_threshold=-99,"
    "bid=[threshold:two=-99,three=-99]]",
    NEVER: "counting:bid=never",
    "fitted chance to win of one half": "counting:bid=value",
}
WEAKER = {f"hand value, at most {n} turns": {"cautious": 1, "most_turns": n} for n in (4, 5, 6, 7, 8)} | {
    NEVER: "tips:bid=never"
}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    shape = sl.big_three.shape_cost(deals, seed)
    cost, chance = estimates(shape, "cost"), estimates(shape, "chance")
    played = sl.compare(GAME, PLAIN, WAYS, deals, opponents="counting", seed=seed, progress=False)
    gains = {name: played.estimate(name) for name in WAYS}
    weaker = sl.compare(GAME, "tips:cautious=0", WEAKER, deals, opponents="counting", seed=seed, progress=False)
    weak = {name: weaker.estimate(name) for name in WEAKER}
    axes = panels(1, 3, 17, 4.6)
    plots.forest(differences(weak), axes[2], unit="chips", title="The same for a weaker player, `tips` at that table")
    plots.forest(
        differences(cost), axes[0], unit="%", title="Chance to win as declarer: few sets and straights, not many"
    )
    plots.forest(
        differences(gains), axes[1], unit="chips", title="Chips a deal, instead of bidding by a plain hand value"
    )
    equal = cost["few rather than many, with equal 3s and 2s"]
    limits = {n: gains[f"hand value, at most {n} turns"] for n in (4, 5, 6, 7, 8)}
    best = max(limits, key=lambda n: limits[n].mean)
    alone, must = gains["any hand of at most 5 turns"], gains[NEVER]
    tight = "hand value, at most 5 turns"
    model = gains["fitted chance to win of one half"]
    advice = verdict(limits[best], "pays", "costs", "changes nothing that can be seen")
    sentences = [
        f"With equally many 3s and 2s a declarer with few sets and straights wins {say(-equal, percent=True)} "
        "less of its games than one with many, so the advice is right about what makes a hand."
        if equal.hi < 0
        else f"With equally many 3s and 2s, few sets and straights change the chance to win by "
        f"{say(equal, percent=True)}.",
        f"On top of a hand value that counts turns already, a limit to them {advice}: the best one, {best} "
        f"turns, brings "
        f"{say(limits[best], 'chips')} a deal, the strict one of 4 turns {say(limits[4], 'chips')}.",
        f"Sets and straights alone are no reason to bid (any hand of five turns: {say(alone, 'chips')}); the fitted "
        f"chance to win brings {say(model, 'chips')}, never bidding {say(must, 'chips')}, but to a weaker "
        f"player (`tips` among "
        f"`counting`) {say(weak[NEVER], 'chips')}, and a limit of 5 turns {say(weak[tight], 'chips')}.",
    ]
    findings = [(f"chance to win: {k}", e, "") for k, e in (chance | cost).items()]
    findings += [(f"instead of the hand value: {k}", e, "chips") for k, e in gains.items()]
    findings += [(f"`tips` among `counting`: {k}", e, "chips") for k, e in weak.items()]
    parts = {"chance to win": chance, "difference in the chance": cost, "chips": gains, "chips of `tips`": weak}
    table = long_table(parts)
    return Study(table, axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
