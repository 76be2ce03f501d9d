"""Fill the on-disk cache of kernels: ``python -m simlib._warm``.

Plays a game under each policy there is, so that tests running side by side find every kernel compiled.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context


def warm(game: str) -> float:
    """Compile (or load) a game's kernels and policies; return the seconds it took."""
    from simlib.engine import make_work, play_range
    from simlib.games import get
    from simlib.policies import builtin

    start = time.perf_counter()
    players = get(game).min_players
    for policy in builtin(game):
        play_range(make_work(game, [policy] * players, 0), 0, 1)
    return time.perf_counter() - start


def main() -> None:
    """Warm every game, each in a process of its own: numba compiles on one thread."""
    from simlib.engine import default_threads
    from simlib.games import GAMES

    with ProcessPoolExecutor(min(default_threads(), len(GAMES)), mp_context=get_context("spawn")) as pool:
        jobs = {pool.submit(warm, game): game for game in GAMES}
        for job in as_completed(jobs):
            print(f"{jobs[job]}: kernels ready after {job.result():.1f} s", flush=True)


if __name__ == "__main__":
    main()
