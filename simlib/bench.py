"""How many complete games a second, beside a fixed calibration loop so that machines and days can be compared."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from simlib._jit import kernel
from simlib.engine import chunk_deals, default_threads, make_work
from simlib.games import GAMES, get
from simlib.policies import builtin
from simlib.rng import STREAM, below
from simlib.run import simulate

#: Numbers that the calibration loop draws: about a third of a second.
_DRAWS = 100_000_000


@kernel
def _calibration(rng, n):  # type: ignore[no-untyped-def]
    """Draw bounded numbers and hash them: integer work like that of a game, the same in every version."""
    total = np.uint64(0)
    for _ in range(n):
        total = total * np.uint64(6364136223846793005) + np.uint64(below(rng, 8))
    return total


def calibrate(draws: int = _DRAWS) -> float:
    """Return the speed of the calibration loop in million draws a second (the best of three)."""
    rng = np.zeros(1, STREAM)
    _calibration(rng[0], 10)
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        _calibration(rng[0], draws)
        best = max(best, draws / (time.perf_counter() - start) / 1e6)
    return best


def measure(
    game: str, policies: Sequence[str], *, threads: int = 1, seconds: float = 1.0, repeats: int = 3, rules: Any = None
) -> float:
    """Return complete games a second of a line-up: rows kept, manifest made, every action checked; the median of some
    repeats.
    """
    work = make_work(game, list(policies), 1, rules=rules)
    deals = max(threads, int(chunk_deals(work) * seconds / 0.3 * threads))
    rates = []
    for r in range(repeats):
        start = time.perf_counter()
        simulate(game, list(policies), deals, seed=r, threads=threads, progress=False, rules=rules)
        rates.append(deals / (time.perf_counter() - start))
    return statistics.median(rates)


def bench(
    games: Sequence[str] | None = None, policies: Sequence[str] | None = None, *, seconds: float = 1.0, repeats: int = 3
) -> dict[str, Any]:
    """Measure every policy of the games in all seats, on one thread and on two.

    Parameters
    ----------
    games : list of str, optional
        All games by default.
    policies : list of str, optional
        Names; all of simlib's own by default.
    seconds : float
        About how long one repeat plays on one thread.
    repeats : int
        The median of these is reported.

    Returns
    -------
    dict
        ``calibration`` (million draws a second), ``machine``, and ``rows``: game, policy, players, games/s on one
        thread and on two, their ratio, and games per million calibration draws, which compares across machines.
    """
    rows = []
    speed = calibrate()
    for name in games or list(GAMES):
        game = get(name)
        players = game.rules.model_fields["players"].default
        for policy in builtin(name):
            if policies and policy.name not in policies:
                continue
            one = measure(name, [policy.text] * players, seconds=seconds, repeats=repeats)
            two = (
                measure(name, [policy.text] * players, threads=2, seconds=seconds, repeats=repeats)
                if default_threads() > 1
                else None
            )
            rows.append(
                {
                    "game": name,
                    "policy": policy.name,
                    "players": players,
                    "games_per_s": round(one, 1),
                    "games_per_s_2_threads": None if two is None else round(two, 1),
                    "speed_up": None if two is None else round(two / one, 2),
                    "games_per_million_draws": round(one / speed, 2),
                }
            )
    machine = {"processors": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    return {"calibration": round(speed, 1), "machine": machine, "rows": rows}
