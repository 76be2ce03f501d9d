"""`simulate`: play a batch and keep its results, in memory or in a run directory that can be resumed and extended."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simlib._version import __version__
from simlib.engine import (
    CHUNK_BYTES,
    CHUNK_SECONDS,
    Work,
    check_count,
    chunk_deals,
    default_threads,
    make_work,
    play_range,
    ranges,
    run_ranges,
)
from simlib.errors import ExecutorError, RunDirectoryError
from simlib.executors import check_executor, count_workers
from simlib.game import Game
from simlib.games import get
from simlib.parts import part_range
from simlib.policies import Policy, resolve
from simlib.results import Memory, Runs, encode_rows, open_run
from simlib.rundir import FORMAT, RunDirectory, differences, gaps
from simlib.sufficient import Slots, Sufficient

#: Entries of a manifest that may differ between two parts of one run.
_FREE = ("deals", "created", "simlib", "environment", "complete")
#: Runs with more chunks, or on more workers than these have longer chunks, up to so many seconds.
MANY_CHUNKS, MANY_WORKERS, LONGEST_SECONDS = 1000, 64, 30.0


def simulate(
    game: str | Game,
    policies: Any,
    deals: int,
    seed: int | None = None,
    *,
    rules: Any = None,
    seatings: str = "fixed",
    threads: int | None = None,
    executor: Any = None,
    keep: str = "rows",
    out: Any = None,
    resume: bool | str = False,
    progress: bool | None = None,
    first_deal: int = 0,
    scenario: Any = None,
    chunk_range: str | tuple[int, int] | None = None,
    chunk_deals: int | None = None,
) -> Runs:
    """Play complete games of a line-up of policies.

    Parameters
    ----------
    game : str
        Name of the game (see ``simlib.GAMES``).
    policies : list of str or Policy, or str
        One a seat; a text may hold several, separated by commas. Their number is the number of players.
    deals : int
        Number of shuffles. Each is played once in every seating.
    seed : int, optional
        0 ≤ seed < 2**64. Drawn and recorded when it is None. Deal i of a seed is the same on any machine.
    rules : Rules or dict, optional
        Rule options, as ``simlib.rules(game, …)``.
    seatings : {"fixed", "rotations", "all"}
        Play each deal once as given, with the line-up moved round the table, or in every order.
    threads : int, optional
        Number of threads; all processors by default.
    executor : concurrent.futures.Executor or dask.distributed.Client, optional
        Where chunks are played, instead of threads.
    keep : {"rows", "summary"}
        Keep every game's row, or sufficient statistics only (a fixed amount of memory).
    out : path, optional
        Run directory. Without it results stay in memory.
    resume : bool or "extend"
        Go on with the run that `out` holds: True finishes it, ``"extend"`` also raises its number of deals.
    progress : bool, optional
        Show a progress bar on stderr; by default when the work takes more than two seconds on a terminal or in a
        notebook.
    first_deal : int
        Number of the first deal, to play a part of a larger run.
    scenario : ndarray, optional
        A counterfactual set-up: an array of length 1 of the game's SCENARIO type.
    chunk_range : str or tuple of int, optional
        ``"a:b"``: play only the chunks a to b - 1 of the whole run, as one job of a batch system does. `deals` is the
        number of the whole run, `seed` must be given. ``simlib.merge`` puts the parts together.
    chunk_deals : int, optional
        Deals in a chunk of `chunk_range`; 10,000 by default.

    Returns
    -------
    Runs

    Raises
    ------
    ValueError, TypeError
        For wrong arguments, before any work starts.
    IllegalAction, PolicyError
        When a policy breaks the rules or fails; the message names policy, seat, deal and the call that shows it again.
    RunDirectoryError
        When `out` holds another run or cannot be written; chunks written so far are kept.
    ExecutorError
        When the executor lost its workers or its scheduler, or a worker has other code; chunks written so far are kept.

    Examples
    --------
    >>> import simlib as sl
    >>> runs = sl.simulate("drei_zu_viel", ["lowest", "random"], deals=100, seed=7)
    >>> len(runs.games)
    100
    """
    deals = check_count("deals", deals, 1)
    first_deal = check_count("first_deal", first_deal, 0, 2**62)
    if threads is not None:
        threads = check_count("threads", threads, 1)
    if keep not in ("rows", "summary"):
        raise ValueError(f"keep={keep!r} must be 'rows' or 'summary'")
    if resume not in (True, False, "extend"):
        raise ValueError(f"resume={resume!r} must be True, False or 'extend'")
    if out is not None and seed is None and resume:
        seed = RunDirectory(out).read_manifest()["seed"] if RunDirectory(out).exists else None
    check_executor(executor)
    whole = None
    if chunk_range is not None:
        if seed is None:
            raise ValueError("seed must be given with chunk_range: all parts of a run need the same")
        whole = {"first_deal": first_deal, "deals": deals}
        first_deal, deals = part_range(chunk_range, chunk_deals, first_deal, deals)
    elif chunk_deals is not None:
        raise ValueError("chunk_deals is of use with chunk_range only")
    work = make_work(game, policies, seed, rules=rules, seatings=seatings, scenario=scenario)
    manifest = make_manifest(work, deals, first_deal, keep)
    if whole:
        manifest["part_of"] = whole
    bar = ProgressBar(deals, progress)
    if out is None:
        chunks = _play(work, [(first_deal, first_deal + deals)], Player(keep, False), threads, executor, bar)
        source = Memory(_merged(chunks) if keep == "summary" else [(first, rows) for first, _, rows in chunks])
        return Runs({**manifest, "complete": True}, source)
    return _simulate_into(RunDirectory(out), work, manifest, resume, threads, executor, bar)


def _merged(chunks: Iterable[tuple[int, int, Sufficient]]) -> list[tuple[int, Sufficient]]:
    """Add statistics as they come: memory does not grow with their number."""
    total: list[tuple[int, Sufficient]] = []
    for first, _, part in chunks:
        total = [(min(first, total[0][0]), total[0][1] + part)] if total else [(first, part)]
    return total


def make_manifest(work: Work, deals: int, first_deal: int, keep: str) -> dict[str, Any]:
    """Return all that is needed to play a run again, as plain JSON values."""
    import datetime
    import platform

    import numba

    from simlib._jit import digest

    return {
        "format": FORMAT,
        "simlib": __version__,
        "game": work.game,
        "code": digest(f"simlib.games.{work.game}"),
        "rules": work.rules.options(),
        "policies": [_describe(p) for p in work.policies],
        "seed": work.seed,
        "seatings": [list(s) for s in work.seatings],
        "scenario": None if work.scenario is None else work.scenario.tobytes().hex(),
        "first_deal": first_deal,
        "deals": deals,
        "keep": keep,
        "environment": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "complete": False,
    }


def _describe(policy: Policy) -> dict[str, Any]:
    """Text, code digest and every parameter value of a policy."""
    values = {p.name: policy.params[p.name] for p in policy.parameters}
    plain = {k: v.text if isinstance(v, Policy) else v for k, v in values.items()}
    return {"text": policy.text, "digest": policy.digest, "parameters": plain}


def work_of(manifest: dict[str, Any]) -> Work:
    """Return the Work of a manifest.

    Raises
    ------
    ValueError
        When a policy cannot be found by its text any more, or its code has changed since.
    """
    game = get(manifest["game"])
    found = []
    for entry in manifest["policies"]:
        policy = resolve(game.name, entry["text"])
        if policy.digest != entry["digest"]:
            raise ValueError(
                f"the code of policy {entry['text']!r} has changed since this run: it would play other games"
            )
        found.append(policy)
    scenario = manifest.get("scenario")
    array = None if scenario is None else np.frombuffer(bytes.fromhex(scenario), game.SCENARIO).copy()
    plan = tuple(tuple(s) for s in manifest["seatings"])
    return Work(game.name, game.rules.make(**manifest["rules"]), tuple(found), manifest["seed"], plan, array)


@dataclass(frozen=True)
class Player:
    """Plays a chunk and brings it, where it was played, to the form in which it is kept.

    Attributes
    ----------
    keep : str
        ``"rows"`` or ``"summary"``.
    file : bool
        Return the bytes of a chunk file instead of rows or statistics.
    size : int
        Deals to be held in memory at a time; statistics of longer chunks are added up.
    """

    keep: str
    file: bool
    size: int = 1

    def __call__(self, work: Work, first: int, count: int) -> tuple[int, Any]:
        """Return (number of deals, what is kept of them)."""
        game = get(work.game)
        if self.keep == "rows":
            rows = play_range(work, first, count)
            return count, encode_rows(game, first, rows, work.players) if self.file else rows
        slots = Slots.of([p.text for p in work.policies], work.seatings)
        total = None
        for begin, n in ranges(first, first + count, self.size):
            part = Sufficient.of(game, play_range(work, begin, n), slots)
            total = part if total is None else total + part
        assert total is not None
        return count, json.dumps(total.as_dict()).encode() if self.file else total


def _play(
    work: Work, todo: Sequence[tuple[int, int]], player: Player, threads: int | None, executor: Any, bar: ProgressBar
) -> Iterator[tuple[int, int, Any]]:
    """Play ranges (first, stop); yield (first, stop, what the player keeps) of each chunk as it finishes."""
    base, workers = chunk_deals(work), count_workers(executor, threads or default_threads())
    row = get(work.game).RESULT.itemsize * len(work.seatings)
    size = base * _growth(base, sum(b - a for a, b in todo), workers, row if player.keep == "rows" else 0)
    pieces = (piece for first, stop in todo for piece in _fair(first, stop, base, size, workers))
    player = replace(player, size=base)
    with bar:
        for first, (count, data) in run_ranges(work, pieces, threads=threads, executor=executor, play=player):
            yield first, first + count, data
            bar.advance(count)


def _growth(base: int, deals: int, workers: int, row: int) -> int:
    """Return how many times longer than usual chunks are: in long runs and with many workers.

    Neither the number of files nor the number of chunks a second that one scheduler hands out may grow without end.
    Rows of a chunk must fit into memory, and half a minute of work is the most that a lost worker may cost.
    """
    wanted = max(1, deals // (base * MANY_CHUNKS), workers // MANY_WORKERS)
    fits = max(1, CHUNK_BYTES // (base * row)) if row else wanted
    return int(min(wanted, fits, LONGEST_SECONDS / CHUNK_SECONDS))


def _fair(first: int, stop: int, base: int, size: int, workers: int) -> Iterator[tuple[int, int]]:
    """Cut a range into chunks of `size`, smaller ones (not below 0.1 s) when there would be too few for all workers."""
    share = max(-(-(stop - first) // workers), -(-base // 3))
    return ranges(first, stop, max(1, min(size, share)))


def as_executor(executor: Any) -> Any:
    """Return the argument `executor`, or raise an error that names it."""
    return check_executor(executor)


def _simulate_into(
    directory: RunDirectory,
    work: Work,
    manifest: dict[str, Any],
    resume: bool | str,
    threads: int | None,
    executor: Any,
    bar: ProgressBar,
) -> Runs:
    """Play what the directory does not hold yet."""
    directory.prepare()
    with directory.lock():
        if directory.exists:
            manifest = _joined(directory, manifest, resume)
            directory.repair()
        directory.write_manifest(manifest)
        first = manifest["first_deal"]
        todo = gaps(directory.chunks(), first, first + manifest["deals"])
        bar.start(manifest["deals"] - sum(b - a for a, b in todo), manifest["deals"])
        extension = "parquet" if manifest["keep"] == "rows" else "json"
        if todo:
            try:
                for begin, stop, data in _play(work, todo, Player(manifest["keep"], True), threads, executor, bar):
                    directory.write_chunk(begin, stop, data, extension)
            except ExecutorError as error:
                raise type(error)(
                    f"{error}; {directory.path} keeps the chunks played so far: go on with resume=True (--resume)"
                ) from error
        manifest = {**manifest, "complete": True}
        directory.write_manifest(manifest)
    return open_run(directory, manifest)


def _joined(directory: RunDirectory, new: dict[str, Any], resume: bool | str) -> dict[str, Any]:
    """Check that the directory holds the same run, and return the manifest to go on with."""
    old = directory.read_manifest()
    before, now = ({k: v for k, v in m.items() if k not in _FREE} for m in (old, new))
    different = list(differences(before, now))
    if different:
        raise RunDirectoryError(f"{directory.path} holds another run: {different[0]}")
    if not resume:
        raise RunDirectoryError(
            f"{directory.path} already holds this run: resume it (--resume), or extend it to more deals (--extend)"
        )
    if new["deals"] != old["deals"] and (resume != "extend" or new["deals"] < old["deals"]):
        how = "extend it with --extend" if new["deals"] > old["deals"] else "it cannot be shortened"
        raise RunDirectoryError(
            f"{directory.path} holds this run with deals={old['deals']}, now deals={new['deals']}: {how}"
        )
    return {**old, "deals": new["deals"], "complete": False}


class ProgressBar:
    """A progress bar that appears when the work takes more than two seconds."""

    def __init__(self, total: int, show: bool | None) -> None:
        self._total, self._show, self._done = total, show, 0
        self._bar: Any = None

    def start(self, done: int, total: int) -> None:
        """Set what is done already."""
        self._done, self._total = done, total

    def __enter__(self) -> ProgressBar:
        import sys

        notebook = "ipykernel" in sys.modules
        if self._show or (self._show is None and (notebook or sys.stderr.isatty())):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # without ipywidgets it draws a bar of text, and says so
                from tqdm.auto import tqdm

            delay = 0 if self._show else 2
            self._bar = tqdm(
                total=self._total, initial=self._done, unit="deal", unit_scale=True, delay=delay, file=sys.stderr
            )
        return self

    def advance(self, deals: int) -> None:
        """Count deals that are done."""
        if self._bar is not None:
            self._bar.update(deals)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
