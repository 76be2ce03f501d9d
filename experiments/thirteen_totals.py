"""Claim 1 of Three-Thirteen: four experienced players typically end with 20 to 60 points, losers beyond 150."""

from __future__ import annotations

import numpy as np

from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import panels, rows, table_of
from simlib.plots import style
from simlib.stats.clusters import cluster_interval
from simlib.stats.distributions import quantile_interval
from simlib.stats.intervals import Estimate, mean_interval

EXPERIMENT = Experiment(
    name="thirteen_totals",
    question="How many points do winners and losers end with at a table of four?",
    hypothesis="The winner, not the typical seat, has 20 to 60 points; the last one often has more than 150.",
    design="Whole games of four `potential`, four `tips` and four `greedy` on the same deals: totals of all seats.",
    claim="three_thirteen, claim 1",
    deals=1_000,
)
POLICIES = ("potential", "tips", "greedy")


def shares(totals: np.ndarray) -> dict[str, Estimate]:
    """Return what the claim speaks of, for totals of shape (deals, 4)."""
    low, high = totals.min(axis=1), totals.max(axis=1)
    flat, deal = totals.reshape(-1), np.repeat(np.arange(len(totals)), 4)
    return {
        "winner has 20 to 60": mean_interval(((low >= 20) & (low <= 60)).astype(int)),
        "winner has fewer than 20": mean_interval((low < 20).astype(int)),
        "a seat has 20 to 60": cluster_interval(((flat >= 20) & (flat <= 60)).astype(int), deal),
        "last one has more than 150": mean_interval((high > 150).astype(int)),
        "a seat that is not first has more than 150": mean_interval((np.sort(totals)[:, 1:] > 150).mean(axis=1)),
    }


def middle(values: np.ndarray) -> Estimate:
    """Return the median with its interval."""
    q = quantile_interval(values)
    return Estimate(q.value, float("nan"), q.lo, q.hi, len(values), values.size, method="order statistics")


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found, medians = {}, {}
    axes = panels(2, 11, 3.8)
    for i, policy in enumerate(POLICIES):
        totals = rows([policy] * 4, deals, seed)["penalty"][:, 0, :4].astype(int)
        found[policy] = shares(totals)
        medians[policy] = {"winner": middle(totals.min(axis=1)), "last": middle(totals.max(axis=1))}
        for values, dash in ((totals.min(axis=1), "-"), (totals.max(axis=1), "--")):
            at = np.sort(values)
            share = np.arange(1, deals + 1) / deals
            which = "winner" if dash == "-" else "last"
            axes[0].plot(at, share, dash, color=style.colour(i), label=f"{policy}: {which}")
    axes[0].axvspan(20, 60, color=style.GREY, alpha=0.15)
    axes[0].axvline(150, color=style.GREY, linewidth=1)
    axes[0].set_xlabel("total of a game in points (grey: 20 to 60, and 150)")
    axes[0].set_ylabel("share of games at or below")
    style.title(axes[0], "Totals of the winner and of the last one")
    style.legend(axes[0], fontsize=8)
    names = list(found["potential"])
    for i, policy in enumerate(POLICIES):
        e = [found[policy][n] for n in names]
        y = np.arange(len(names)) + 0.18 * (i - 1)
        bars = [[v.mean - v.lo for v in e], [v.hi - v.mean for v in e]]
        paint = style.colour(i)
        axes[1].errorbar([v.mean for v in e], y, xerr=bars, fmt=style.marker(i), color=paint, label=policy)
    axes[1].set_yticks(range(len(names)), [style.wrapped(n) for n in names])
    axes[1].invert_yaxis()
    style.percent(axes[1])
    axes[1].set_xlabel("share of games, or of seats")
    style.title(axes[1], "What the claim says")
    style.legend(axes[1], fontsize=8)
    best, plain, m = found["potential"], found["greedy"], medians["potential"]
    sentences = [
        (
            f"With four `potential` the winner ends with 20 to 60 points in"
            f" {say(best['winner has 20 to 60'], percent=True)} of the games (median {say(m['winner'], 'points')}), a"
            f" seat at random in {say(best['a seat has 20 to 60'], percent=True)}."
        ),
        (
            f"The last one passes 150 in {say(best['last one has more than 150'], percent=True)} of the games (median"
            f" {say(m['last'], 'points')}); with four `greedy` it is"
            f" {say(plain['last one has more than 150'], percent=True)}, and their winner has 20 to 60 in"
            f" {say(plain['winner has 20 to 60'], percent=True)}."
        ),
        "So the typical 20 to 60 are at best those of the winner, never of the typical player, whose total is higher.",
    ]
    findings = [(f"{p}: {n}", e, "") for p in POLICIES for n, e in found[p].items()]
    findings += [(f"{p}: median of the {n}", e, "points") for p in POLICIES for n, e in medians[p].items()]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
