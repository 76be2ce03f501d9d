"""What single choices are worth in Three-Thirteen: taking the upcard, going out or waiting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simlib.analysis.disagreements import disagreements
from simlib.analysis.study import Study, study
from simlib.analysis.three_thirteen.hands import outcomes
from simlib.batch import Batch
from simlib.engine import Table, check_count, make_work
from simlib.games import get
from simlib.games.three_thirteen.view import DRAW_STOCK, DRAW_UPCARD
from simlib.policies import resolve
from simlib.stats.intervals import Estimate, paired_difference

NAME = "three_thirteen"
Array = np.ndarray[Any, Any]


def upcard_value(
    policy: Any = "greedy",
    deals: int = 400,
    seed: int | None = None,
    *,
    players: int = 4,
    rules: Any = None,
    rounds: tuple[int, ...] | None = None,
    level: float = 0.95,
) -> Study:
    """Estimate what taking the first upcard is worth against drawing from the stock, by round.

    The first player of a round does both on the same deals, then everybody plays on by `policy`.

    Parameters
    ----------
    policy : str or Policy
    deals : int
        Deals a round.
    rounds : tuple of int, optional
        Numbers of the rounds from 1; all by default.

    Returns
    -------
    Study
        Points of penalty saved by the upcard: parts ``"all"`` (whatever it is), ``"wanted"`` (where the policy
        takes it) and ``"unwanted"`` (where it does not).
    """
    deals = check_count("deals", deals, 10)
    p = resolve(NAME, policy)
    parts: dict[str, list[tuple[str, Estimate]]] = {"all": [], "wanted": [], "unwanted": []}
    line = [p] * players
    count = _number_of_rounds(make_work(NAME, line, seed, rules=rules))
    for number in rounds or range(1, count + 1):
        check_count("rounds", number, 1, count)
        scenario = np.zeros(1, get(NAME).SCENARIO)
        scenario["round"] = scenario["last"] = number
        scenario["dealer"] = players
        work = make_work(NAME, line, seed, rules=rules, scenario=scenario)
        batch = Batch.of_work(work, deals)
        table = Table(work, range(players))
        name = f"round {number}"
        wants = _wants(table, batch.states)
        saved = {a: outcomes(table, batch.states, a, number - 1)[0] for a in (DRAW_STOCK, DRAW_UPCARD)}
        for part, chosen in (("all", np.ones(deals, bool)), ("wanted", wants), ("unwanted", ~wants)):
            if chosen.sum() > 1:
                e = paired_difference(saved[DRAW_STOCK][chosen], saved[DRAW_UPCARD][chosen], level=level)
                parts[part].append((name, e))
    unit = "penalty points saved by taking the upcard"
    return study("What is the upcard worth?", parts, dict.fromkeys(parts, unit))


def _number_of_rounds(work: Any) -> int:
    return int(Batch.of_work(work, 1).states["table"]["rounds"][0])


def _wants(table: Table, states: Array) -> Array:
    """Where the first seat's policy takes the upcard."""
    view = np.zeros(1, table.game.VIEW)
    out = np.zeros(len(states), bool)
    policy = table.seated[0]
    for k in range(len(states)):
        table.game.observe(states[k], 0, view[0])
        out[k] = policy.kernel(view[0], table.contexts[0]) == DRAW_UPCARD
    return out


def waiting(
    deals: int = 100,
    seed: int | None = None,
    *,
    out: Any = "greedy",
    wait: Any = "tips:go_out=0",
    level: float = 0.95,
    **more: Any,
) -> Study:
    """Estimate when waiting beats going out: wherever one policy goes out and another waits, both are played on.

    Parameters
    ----------
    out, wait : str or Policy
        A policy that goes out when it can, and one that sometimes waits.
    **more
        As for `simlib.disagreements`.

    Returns
    -------
    Study
        Score gained by waiting (a penalty point is one point of score): parts ``"hand size"`` and ``"stage"``.
    """
    found = disagreements(NAME, out, wait, deals, seed=seed, **more)
    parts: dict[str, list[tuple[str, Estimate]]] = {}
    for label in ("hand size", "stage"):
        table = found.table("phase", "first", "second", label, level=level)
        rows = table[(table["first"] == "goes out") & (table.second == "discards")] if len(table) else table
        parts[label] = [
            (f"{label} {r[label]}", _estimate(r, level)) for r in rows.sort_values(label).to_dict("records")
        ]
    return study("Going out or waiting?", parts, dict.fromkeys(parts, "points of score gained by waiting"))


def _estimate(row: Mapping[Any, Any], level: float) -> Estimate:
    deals, cases = int(row["deals"]), int(row["cases"])
    return Estimate(row["score"], row["score_se"], row["score_lo"], row["score_hi"], deals, cases, level)
