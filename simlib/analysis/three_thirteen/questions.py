"""How penalties and leads come about in Three-Thirteen: each question a function that returns a Study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simlib.analysis.study import Study, study
from simlib.engine import check_count
from simlib.games import get
from simlib.results import Runs
from simlib.run import simulate
from simlib.stats.clusters import cluster_interval
from simlib.stats.distributions import quantile_interval
from simlib.stats.intervals import Estimate, mean_interval, paired_difference

NAME = "three_thirteen"
Array = np.ndarray[Any, Any]


def _runs(policies: Any, deals: int, seed: int | None, players: int | None = None, **more: Any) -> Runs:
    """Play games; one policy is put into every seat."""
    if isinstance(policies, str) and "," not in policies:
        rules = more.get("rules")
        given = rules.get("players") if isinstance(rules, dict) else getattr(rules, "players", None)
        policies = [policies] * (players or given or 4)
    return simulate(NAME, policies, check_count("deals", deals, 2), seed, **more)


def _rows(runs: Runs) -> Array:
    """All RESULT rows, shape (deals, seatings)."""
    return np.concatenate([rows for _, rows in runs.chunks()])


def _rounds(runs: Runs, rows: Array) -> list[tuple[int, str]]:
    """Index and name of each round that was played."""
    sizes = rows["hand_size"][0, 0]
    return [(r, f"{int(size)} cards") for r, size in enumerate(sizes) if size > 0]


def penalties(
    policies: Any = "greedy",
    deals: int = 2_000,
    seed: int | None = None,
    *,
    players: int | None = None,
    level: float = 0.95,
    **more: Any,
) -> Study:
    """Estimate the penalty of a seat by round, and how the totals are distributed.

    Parameters
    ----------
    policies : str or list
        A line-up, or one policy for every seat.
    deals : int
    seed, players
    level : float
    **more
        As for `simlib.simulate`.

    Returns
    -------
    Study
        Parts ``"round"`` (mean penalty), ``"zero"`` (share of seats without a penalty), ``"total"`` (quantiles of
        the total penalty).
    """
    runs = _runs(policies, deals, seed, players, **more)
    rows, n = _rows(runs), len(runs.policies)
    deal = np.repeat(np.arange(len(rows)), rows.shape[1] * n)
    by_round, zero = [], []
    for r, name in _rounds(runs, rows):
        values = rows["round_penalty"][:, :, r, :n].astype(np.int64).reshape(-1)
        by_round.append((name, cluster_interval(values, deal, level=level)))
        zero.append((name, cluster_interval((values == 0).astype(np.int64), deal, level=level)))
    totals = rows["penalty"][:, :, :n].astype(float).reshape(len(rows), -1)
    quantiles = [(f"{q:.0%} of the totals are below", _quantile(totals, q, level)) for q in (0.1, 0.25, 0.5, 0.75, 0.9)]
    units = {"round": "penalty points", "zero": "share of seats", "total": "penalty points"}
    return study("Penalties by round", {"round": by_round, "zero": zero, "total": quantiles}, units, ("zero",))


def _quantile(values: Array, q: float, level: float) -> Estimate:
    found = quantile_interval(values, q, level=level)
    return Estimate(
        found.value, float("nan"), found.lo, found.hi, len(values), values.size, level, method="order statistics"
    )


def going_out(
    policies: Any = "greedy",
    deals: int = 2_000,
    seed: int | None = None,
    *,
    players: int | None = None,
    level: float = 0.95,
    **more: Any,
) -> Study:
    """Estimate how long rounds are, how often a seat goes out, and how rounds end.

    Returns
    -------
    Study
        Parts ``"chance"`` (that a given seat is the one that goes out), ``"turn"`` (on which turn of its own, where
        somebody did), ``"stalled"`` (rounds that ended with nobody out).
    """
    runs = _runs(policies, deals, seed, players, **more)
    rows, n = _rows(runs), len(runs.policies)
    game = np.repeat(np.arange(len(rows)), rows.shape[1])
    chance, turn, stalled = [], [], []
    for r, name in _rounds(runs, rows):
        out = rows["round_out"][:, :, r, :n].astype(np.int64).reshape(-1)
        chance.append((name, cluster_interval(out, np.repeat(game, n), level=level)))
        turns = rows["turn_out"][:, :, r].astype(np.int64).reshape(-1)
        if (turns > 0).sum() > 1:
            turn.append((name, cluster_interval(turns[turns > 0], game[turns > 0], level=level)))
        ended = rows["stalled"][:, :, r].astype(np.int64).reshape(-1)
        stalled.append((name, cluster_interval(ended, game, level=level)))
    units = {"chance": "chance of a seat to go out", "turn": "turns", "stalled": "share of rounds"}
    return study("When rounds end", {"chance": chance, "turn": turn, "stalled": stalled}, units, ("chance", "stalled"))


def leads(
    policies: Any = "greedy",
    deals: int = 2_000,
    seed: int | None = None,
    *,
    players: int | None = None,
    level: float = 0.95,
    **more: Any,
) -> Study:
    """Estimate what a lead is worth after each round, and how often the lead changes.

    Returns
    -------
    Study
        Parts ``"leader wins"`` (win share of a seat with the lowest total so far), ``"last wins"`` (with the
        highest), ``"margin"`` (points between first and second), ``"changes"`` (rounds after which nobody of those
        who led still leads).
    """
    runs = _runs(policies, deals, seed, players, **more)
    rows, n = _rows(runs), len(runs.policies)
    totals = np.cumsum(rows["round_penalty"][..., :n].astype(np.int64), axis=2)
    share = rows["win_share"][..., :n].astype(np.int64)
    first, last, margin, changes = [], [], [], []
    before: Array | None = None
    for r, name in _rounds(runs, rows):
        now = totals[:, :, r]
        ahead, behind = now == now.min(axis=2, keepdims=True), now == now.max(axis=2, keepdims=True)
        first.append((f"after {name}", _share_of(share, ahead, level)))
        last.append((f"after {name}", _share_of(share, behind, level)))
        ordered = np.sort(now, axis=2)
        margin.append((f"after {name}", mean_interval(ordered[:, :, 1] - ordered[:, :, 0], level=level)))
        if before is not None:
            changed = ~(before & ahead).any(axis=2)
            changes.append((f"after {name}", mean_interval(changed.astype(np.int64), level=level)))
        before = ahead
    units = {"leader wins": "win share", "last wins": "win share", "margin": "points", "changes": "share of games"}
    parts = {"leader wins": first, "last wins": last, "margin": margin, "changes": changes}
    return study("What a lead is worth", parts, units, ("leader wins", "last wins", "changes"))


def _share_of(share: Array, chosen: Array, level: float) -> Estimate:
    """Mean win share of the chosen seats, clustered by deal."""
    deal = np.nonzero(chosen)[0]
    return cluster_interval(share[chosen], deal, level=level, scale=840)


#: Rule options one at a time, as `rule_effects` tries them.
VARIANTS: dict[str, dict[str, Any]] = {
    "wild cards in hand cost 0": {"wild_penalty": 0},
    "one wild card a meld": {"max_wilds_per_meld": 1},
    "two jokers a deck": {"jokers": 2},
    "laying off": {"lay_off": True},
    "contract": {"contract": "default"},
    "last round doubled": {"double_last_round": True},
    "aces high too": {"aces": "high_low"},
    "runs wrap": {"aces": "wrap"},
    "taken card not returned": {"may_return_discard": False},
    "six to fourteen cards": {"schedule": "six_fourteen"},
    "rounds 3 to 10": {"schedule": "short"},
    "three decks": {"decks": 3},
}


def rule_effects(
    policy: Any = "greedy",
    deals: int = 1_000,
    seed: int | None = None,
    *,
    variants: Mapping[str, dict[str, Any]] | Sequence[str] | None = None,
    players: int = 4,
    level: float = 0.95,
    threads: int | None = None,
) -> Study:
    """Estimate what each rule option changes in length and penalties, against the default rules on the same deals.

    Parameters
    ----------
    policy : str or Policy
        In every seat.
    variants : mapping of name to options, or names of `VARIANTS`, optional

    Returns
    -------
    Study
        Parts ``"penalty"`` (change of a seat's total), ``"winner"`` (change of the lowest total), ``"turns"``
        (change of all turns of a game).
    """
    if variants is None or not isinstance(variants, Mapping):
        names = list(VARIANTS) if variants is None else list(variants)
        unknown = [name for name in names if name not in VARIANTS]
        if unknown:
            raise ValueError(f"variants: {unknown[0]!r} must be one of {', '.join(VARIANTS)}")
        variants = {name: VARIANTS[name] for name in names}
    options = {name: get(NAME).rules.make(players=players, **given) for name, given in variants.items()}
    line = [policy] * players
    base_runs = simulate(NAME, line, check_count("deals", deals, 2), seed, threads=threads)
    base = _figures(base_runs, players)
    parts: dict[str, list[tuple[str, Estimate]]] = {"penalty": [], "winner": [], "turns": []}
    for name, rules in options.items():
        runs = simulate(NAME, line, deals, base_runs.manifest["seed"], rules=rules, threads=threads)
        for part, values in _figures(runs, players).items():
            parts[part].append((name, paired_difference(values, base[part], level=level)))
    units = {"penalty": "points of a seat's total", "winner": "points of the lowest total", "turns": "turns of a game"}
    return study("What rule options change", parts, units)


def _figures(runs: Runs, players: int) -> dict[str, Array]:
    """By deal: mean total of a seat, lowest total, turns of the game."""
    rows = _rows(runs)[:, 0]
    totals = rows["penalty"][:, :players].astype(float)
    return {
        "penalty": totals.mean(axis=1),
        "winner": totals.min(axis=1),
        "turns": rows["turns"].sum(axis=1).astype(float),
    }
