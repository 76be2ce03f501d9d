"""Claim 6 of Three-Thirteen: going out early on one high card beats waiting for a perfect discard."""

from __future__ import annotations

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import forest, gains, of_part, panels, table_of
from simlib.plots import style

EXPERIMENT = Experiment(
    name="thirteen_going_out",
    question="Is it better to go out at once than to wait for a perfect discard?",
    hypothesis="At once: who waits gains nothing himself, for the discard does not count, and lets others go out.",
    design=(
        "`tips` that waits for a discard of at most so many points which the next player does not need, and `potential`"
        " that never goes out, in every seat of the same deals. Beside it every decision of `tips` where the two part,"
        " both ways played on from there with the same cards."
    ),
    claim="three_thirteen, claim 6",
    deals=120,
    quick_deals=12,
)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    waits = {f"waits for a discard of {n} points or fewer": {"go_out": 0, "perfect": n} for n in (1, 4, 9)}
    waits["waits until the next player does not need it"] = {"go_out": 0, "perfect": 99}
    found = gains("tips", waits, deals, seed)
    found |= gains("potential", {"never goes out (`potential`)": {"wait": 1}}, max(2, deals // 4), seed)
    choices = sl.three_thirteen.waiting(max(10, deals // 3), seed, out="tips", wait="tips:go_out=0")
    size = of_part(choices, "hand size")
    axes = panels(2, 12, 3.8)
    forest(axes[0], found, "Waiting instead of going out: points saved in a game")
    with style.style():
        choices.plot(axes[1], part="hand size")
    style.title(axes[1], "The same choice, decision by decision")
    axes[1].axvline(0, color=style.GREY, linewidth=1)
    e = list(found.values())
    worst = min(size.items(), key=lambda item: item[1].mean)
    sentences = [
        (
            f"Waiting for a discard of 4 points or fewer changes the total of `tips` by {say(e[1], 'points')} a game,"
            f" of 9 or fewer by {say(e[2], 'points')}, and waiting for any that the next player does not need by"
            f" {say(e[3], 'points')}."
        ),
        (
            f"Where both are possible waiting costs most at {worst[0]}: {say(worst[1], 'points')} for one decision;"
            f" never going out changes a game of `potential` by {say(e[4], 'points')}."
        ),
        "The claim holds: the card that one goes out with is never counted, so that there is nothing to wait for.",
    ]
    findings = [(name, v, "points saved") for name, v in found.items()]
    findings += [(f"waiting once, {n}", v, "points saved") for n, v in size.items()]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
