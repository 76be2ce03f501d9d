"""What the source of the rules claims about Three-Thirteen, each claim measured."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from simlib.analysis.compare import compare
from simlib.analysis.study import Study, study
from simlib.engine import check_count, check_seed
from simlib.run import simulate
from simlib.stats.clusters import cluster_interval
from simlib.stats.intervals import Estimate, mean_interval

NAME = "three_thirteen"


def claims(
    policy: Any = "potential",
    deals: int = 1_000,
    seed: int | None = None,
    *,
    threads: int | None = None,
    level: float = 0.95,
) -> Study:
    """Measure the seven claims of the source (rules/three_thirteen.md, last section).

    Parameters
    ----------
    policy : str or Policy
        Who plays the experienced players of claim 1.
    deals : int
        Deals behind each number.

    Returns
    -------
    Study
        Parts ``"totals"`` (claim 1: shares of winners between 20 and 60 points, of last players beyond 150),
        ``"advice"`` (claims 1 to 6: what following each piece of advice gains in penalty points, as the switches of
        `tips`), ``"wild cards"`` (claim 7: chance that a draw is wild, by wild cards seen).
    """
    deals, seed = check_count("deals", deals, 2), check_seed(seed)
    parts = {
        "totals": _totals(policy, deals, seed, threads, level),
        "advice": _advice(deals, seed, threads, level),
        "wild cards": wild_draws(),
    }
    units = {"totals": "share of games", "advice": "penalty points saved", "wild cards": "chance of a wild card a draw"}
    return study("The source's claims, measured", parts, units, ("totals", "wild cards"))


def _totals(policy: Any, deals: int, seed: int, threads: int | None, level: float) -> list[tuple[str, Estimate]]:
    """Claim 1: typical totals at a table of four."""
    runs = simulate(NAME, [policy] * 4, deals, seed, threads=threads)
    totals = np.concatenate([rows["penalty"][:, 0, :4].astype(np.int64) for _, rows in runs.chunks()])
    low, high = totals.min(axis=1), totals.max(axis=1)
    deal = np.repeat(np.arange(len(totals)), 4)
    flat = totals.reshape(-1)
    return [
        ("the winner has 20 to 60 points", mean_interval(((low >= 20) & (low <= 60)).astype(np.int64), level=level)),
        ("the winner has fewer than 20", mean_interval((low < 20).astype(np.int64), level=level)),
        ("a seat has 20 to 60", cluster_interval(((flat >= 20) & (flat <= 60)).astype(np.int64), deal, level=level)),
        ("the last has more than 150", mean_interval((high > 150).astype(np.int64), level=level)),
        ("a loser has more than 150", cluster_interval((flat > 150).astype(np.int64), deal, level=level)),
    ]


#: Advice as it stands in the source, and the switch of `tips` that follows it.
ADVICE = {
    "1: discard what the next player does not want": "safe",
    "2: early rounds are races": "attack",
    "2: shed penalty cards in late rounds": "defend",
    "3: shed the highest unmelded card": "highest",
    "4: take the upcard only with a plan": "plan",
    "5: hold wild cards": "hold_wilds",
    "6: go out at once": "go_out",
}


def _advice(deals: int, seed: int, threads: int | None, level: float) -> list[tuple[str, Estimate]]:
    """Claims 1 to 6: the full advice against the same without one piece, on the same deals."""
    variants = {text: {switch: 0} for text, switch in ADVICE.items()}
    found = compare(NAME, "tips", variants, deals, seed=seed, threads=threads, level=level, opponents="tips")
    return [(text, -found.estimate(text, "score")) for text in ADVICE]


def wild_draws(decks: int = 2, hand: int = 13, seen_cards: int = 26) -> list[tuple[str, Estimate]]:
    """Claim 7, exactly: the chance that a draw from the stock is wild, by how many of the wild cards have been seen.

    Parameters
    ----------
    decks : int
    hand : int
        Cards of the own hand.
    seen_cards : int
        Cards in the discard pile that have been seen.
    """
    unseen = 52 * decks - hand - seen_cards
    if unseen < 4 * decks:
        raise ValueError(f"hand={hand}, seen_cards={seen_cards}: too many for {decks} decks")
    out = []
    for seen in range(4 * decks + 1):
        p = float(Fraction(4 * decks - seen, unseen))
        out.append((f"{seen} of {4 * decks} seen", Estimate(p, 0.0, p, p, 0, 0, method="exact")))
    return out
