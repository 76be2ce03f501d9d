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
from simlib.engine import CHUNK_SECONDS, chunk_deals, default_threads, make_work
from simlib.games import GAMES, get
from simlib.policies import builtin
from simlib.rng import STREAM, below
from simlib.run import simulate

#: Numbers that the calibration loop draws: about a twentieth of a second.
_DRAWS = 20_000_000


@kernel
def _calibration(rng, n):  # type: ignore[no-untyped-def]
    """Draw bounded numbers and hash them: integer work like that of a game, the same in every version."""
    total = np.uint64(0)
    for _ in range(n):
        total = total * np.uint64(6364136223846793005) + np.uint64(below(rng, 8))
    return total


def calibrate(draws: int = _DRAWS) -> float:
    """Return the speed of the calibration loop in million draws a second."""
    rng = np.zeros(1, STREAM)
    _calibration(rng[0], 10)
    start = time.perf_counter()
    _calibration(rng[0], draws)
    return draws / (time.perf_counter() - start) / 1e6


def measure(game: str, policies: Sequence[str], deals: int, *, threads: int = 1, seed: int = 1) -> float:
    """Return complete games a second of a line-up: rows kept, manifest made, every action checked."""
    start = time.perf_counter()
    simulate(game, list(policies), deals, seed=seed, threads=threads, progress=False)
    return deals / (time.perf_counter() - start)


def bench(
    games: Sequence[str] | None = None, policies: Sequence[str] | None = None, *, seconds: float = 0.6, repeats: int = 5
) -> dict[str, Any]:
    """Measure every policy of the games in all seats, on one thread and on two.

    A machine shared with others is slower at one moment than at the next. So each repeat measures the calibration
    loop, one thread, the loop again and two threads, one after the other; the ratios are those within a repeat.

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
        ``calibration`` (median, million draws a second), ``machine``, and ``rows``: game, policy, players, games/s on
        one thread and on two (medians), ``speed_up`` (median of their ratios), and ``games_per_million_draws``, the
        ratio to the calibration loop, which compares across machines and days, with the ``lowest`` and the ``highest``
        of the repeats.
    """
    rows, speeds = [], []
    for name in games or list(GAMES):
        players = get(name).rules.model_fields["players"].default
        for policy in builtin(name):
            if policies and policy.name not in policies:
                continue
            found = _repeats(name, [policy.text] * players, seconds, repeats)
            speeds += found["calibration"]
            rows.append({"game": name, "policy": policy.name, "players": players} | _row(found))
    machine = {"processors": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    return {"calibration": round(statistics.median(speeds or [calibrate()]), 1), "machine": machine, "rows": rows}


def _repeats(game: str, line: list[str], seconds: float, repeats: int) -> dict[str, list[float]]:
    """Measure a line-up some times: speed of the loop, games/s on one thread and on two (if there are two)."""
    deals = max(1, int(chunk_deals(make_work(game, line, 1)) * seconds / CHUNK_SECONDS))
    found: dict[str, list[float]] = {"calibration": [], "one": [], "two": []}
    for seed in range(repeats):
        before = calibrate()
        found["one"].append(measure(game, line, deals, seed=seed))
        found["calibration"].append((before + calibrate()) / 2)
        if default_threads() > 1:
            found["two"].append(measure(game, line, 2 * deals, threads=2, seed=seed))
    return found


def _row(found: dict[str, list[float]]) -> dict[str, float | None]:
    """Medians, and ratios within each repeat."""
    ratios = [one / speed for one, speed in zip(found["one"], found["calibration"], strict=True)]
    gains = [two / one for two, one in zip(found["two"], found["one"], strict=False)]
    return {
        "games_per_s": round(statistics.median(found["one"]), 1),
        "games_per_s_2_threads": round(statistics.median(found["two"]), 1) if gains else None,
        "speed_up": round(statistics.median(gains), 2) if gains else None,
        "games_per_million_draws": round(statistics.median(ratios), 2),
        "lowest": round(min(ratios), 2),
        "highest": round(max(ratios), 2),
    }
