"""Claim 6 of Three-Thirteen: going out early on one high card beats waiting for a perfect discard."""

from __future__ import annotations

import numpy as np

from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import forest, panels, rows, table_of
from simlib.stats.intervals import Estimate, paired_difference

EXPERIMENT = Experiment(
    name="thirteen_going_out",
    question="Is it better to go out at once than to wait for a perfect discard?",
    hypothesis="At once: who waits gains nothing himself, for the discard does not count, and lets others catch up.",
    design=(
        "`tips` that waits for a discard of at most so many points which the next player does not need, and `potential`"
        " that never goes out, in every seat of the same deals: games won, one's own points, and points of the others."
    ),
    claim="three_thirteen, claim 6",
    deals=200,
    quick_deals=12,
)
VARIANTS = {
    "waits for a discard of 1 point (`tips`)": ("tips", "tips:go_out=0,perfect=1"),
    "waits for 4 points or fewer (`tips`)": ("tips", "tips:go_out=0,perfect=4"),
    "waits for 9 points or fewer (`tips`)": ("tips", "tips:go_out=0,perfect=9"),
    "never goes out (`potential`)": ("potential", "potential:wait=1"),
}


def differences(baseline: str, variant: str, deals: int, seed: int) -> list[Estimate]:
    """Return what the variant changes in games won, in its own points and in the mean of the others' points."""
    per_deal = []
    for hero in (baseline, variant):
        wins, own, others = [], [], []
        for seat in range(4):
            line = [baseline] * 4
            line[seat] = hero
            row = rows(line, deals, seed)[:, 0]
            total = row["penalty"][:, :4].astype(float)
            wins.append(row["win_share"][:, seat] / 840)
            own.append(total[:, seat])
            others.append((total.sum(axis=1) - total[:, seat]) / 3)
        per_deal.append([np.mean(x, axis=0) for x in (wins, own, others)])
    return [paired_difference(new, old) for old, new in zip(*per_deal, strict=True)]


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = {name: differences(*pair, deals, seed) for name, pair in VARIANTS.items()}
    wins, own, others = ({name: e[k] for name, e in found.items()} for k in range(3))
    axes = panels(2, 12, 3.8)
    forest(axes[0], wins, "Waiting instead of going out: games won", "%")
    forest(axes[1], others, "What the others' totals change by")
    axes[0].set_xlabel("difference in percentage points of games won")
    w, o, mine = (list(x.values()) for x in (wins, others, own))
    sentences = [
        (
            f"`tips` that waits for a discard of one point wins {say(w[0], percent=True)} of all games more or fewer,"
            f" for one of 4 or fewer {say(w[1], percent=True)}, of 9 or fewer {say(w[2], percent=True)}; `potential`"
            f" that never goes out {say(w[3], percent=True)}."
        ),
        (
            f"The waiting seat's own total changes by {mine[1].mean:.2f} points (4 or fewer) and {mine[3].mean:.2f}"
            f" (never), for a hand that is melded stays so; but each of the others changes by {say(o[1], 'points')} and"
            f" by {say(o[3], 'points')} a game."
        ),
        "Going out is worth what it costs the others: the discard is never counted, so waiting for a better one has no"
        " gain to set against that.",
    ]
    findings = [(f"{n}: games won", v, "") for n, v in wins.items()]
    findings += [(f"{n}: points of each of the others", v, "points") for n, v in others.items()]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
