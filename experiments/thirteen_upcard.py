"""Claim 4 of Three-Thirteen: do not draw from the discard pile without a plan."""

from __future__ import annotations

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import GAME, SIZES, curves, forest, gains, of_part, panels, table_of
from simlib.games.three_thirteen.view import DRAW, DRAW_STOCK, DRAW_UPCARD

EXPERIMENT = Experiment(
    name="thirteen_upcard",
    question="What does each rule for taking the upcard cost?",
    hypothesis="Taking whatever lies there is ruinous, never taking it costs much less; a plan is best.",
    design=(
        "`potential` with other rules for drawing (`parts`), against `potential` in every seat of the same deals, and"
        " `tips` without its plan against `tips`. Beside it the first upcard of a round, taken and left on the same"
        " deals, where `potential` wants it and where it does not."
    ),
    claim="three_thirteen, claim 4",
    deals=120,
    quick_deals=12,
)


@sl.policy(GAME)
def never(view, ctx):
    """Draw from the stock as long as there is one."""
    return DRAW_STOCK if view.phase == DRAW and view.stock_n > 0 else DRAW_UPCARD


@sl.policy(GAME)
def always(view, ctx):
    """Take the upcard."""
    return DRAW_UPCARD


DRAWS = {
    "never": never,
    "only if it is melded at once": "tips",
    "if it fits at all": "tips:plan=0",
    "if the penalty falls": "greedy",
    "at random": "random",
    "always": always,
}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    rules = {f"takes it: {name}": sl.policy(f"{GAME}/parts", draw=p) for name, p in DRAWS.items()}
    found = gains("potential", rules, deals, seed)
    found |= gains("tips", {"`tips` without its plan": {"plan": 0}}, deals, seed)
    value = sl.three_thirteen.upcard_value("potential", 2 * deals, seed)
    wanted, unwanted = of_part(value, "wanted"), of_part(value, "unwanted")
    series = {"wanted": wanted, "not wanted": unwanted}
    axes = panels(2, 12, 3.9)
    forest(axes[0], found, "Rules for taking the upcard: points saved in a game against `potential`")
    there = [n for n in SIZES if all(f"round {n - 2}" in s for s in series.values())]
    lines = {name: [s[f"round {n - 2}"] for n in there] for name, s in series.items()}
    curves(axes[1], there, lines, "cards of a hand", "points saved in the round", "Taking the first upcard")
    axes[1].axhline(0, color="#777777", linewidth=1)
    e = list(found.values())
    last = f"round {there[-1] - 2}"
    sentences = [
        (
            f"Against the rule of `potential`, taking the upcard always changes a game by {say(e[5], 'points')}, at"
            f" random by {say(e[4], 'points')}, never by {say(e[0], 'points')}, only when the penalty falls by"
            f" {say(e[3], 'points')}, and `tips` without its plan by {say(e[6], 'points')}."
        ),
        (
            f"In the round of {there[-1]} cards a first upcard that `potential` wants saves"
            f" {say(wanted[last], 'points')} against a draw from the stock, one that it does not want"
            f" {say(unwanted[last], 'points')}."
        ),
        (
            f"The claim holds: an upcard without a plan is worse than a card unseen, and how narrow the plan is matters"
            f" less (only what is melded at once: {say(e[1], 'points')})."
        ),
    ]
    findings = [(name, v, "points saved") for name, v in found.items()]
    findings += [(f"first upcard {k}, {n}", v, "points saved") for k, s in series.items() for n, v in s.items()]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
