"""Executors: where chunks are played. Threads of this process, a `concurrent.futures` executor, or a dask cluster.

What travels to another process is a `Parcel`: the work and the function that plays it, pickled once a run, beside the
identity of the code that must play it. A process with other code refuses it: it might play other games.
"""

from __future__ import annotations

import functools
import hashlib
import pathlib
import pickle
import platform
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from simlib._version import __version__
from simlib.errors import ExecutorError, WorkerError

_ROOT = pathlib.Path(__file__).resolve().parent
#: What a chunk holds depends on these files, besides those of its game (and of the analysis that asks for it).
_SHARED = (
    *("_jit", "_bits", "_words", "_dispatch", "_loop", "_scan", "rng", "cards", "game", "rulebook", "engine", "batch"),
    *("executors", "run", "results", "sufficient", "tables"),
)
#: Workers taken for granted when an executor does not say how many it has.
UNKNOWN_WORKERS = 16
#: For how long the number of a cluster's threads is remembered, in seconds.
WIDTH_SECONDS = 2.0

Play = Callable[[Any, int, int], Any]


@functools.cache
def identity(game: str, analysis: bool = False) -> dict[str, str]:
    """Return what must be equal in every process that plays chunks of one run.

    Parameters
    ----------
    game : str
        Name of the game.
    analysis : bool
        Whether an analysis (a comparison, a tournament) adds the games up where they are played.
    """
    import numba

    files = [_ROOT / f"{name}.py" for name in _SHARED]
    for folder in ("games", "policies"):
        files += (_ROOT / folder / game).rglob("*.*")
        files += (_ROOT / folder).glob("*.py")
    for folder in ("stats", "analysis") if analysis else ("stats",):
        files += (_ROOT / folder).glob("*.py")
    sha = hashlib.sha256()
    for path in sorted(set(files)):
        if path.suffix in (".py", ".json") and path.is_file():
            sha.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return {
        "simlib": __version__,
        "numba": numba.__version__,
        "python": ".".join(platform.python_version_tuple()[:2]),
        "digest of simlib's code": sha.hexdigest()[:16],
    }


@dataclass(frozen=True)
class Parcel:
    """A work and the function that plays it, packed for another process.

    Attributes
    ----------
    game : str
    analysis : bool
    identity : dict
        ``identity(game, analysis)`` of the process that packed it.
    payload : bytes
        Compressed pickle of (play, work).
    """

    game: str
    analysis: bool
    identity: dict[str, str]
    payload: bytes

    @classmethod
    def pack(cls, play: Play, work: Any) -> Parcel:
        """Pack; policies that are not simlib's own travel by value.

        Raises
        ------
        TypeError
            When something that a policy uses cannot be pickled.
        """
        import cloudpickle

        try:
            data = cloudpickle.dumps((play, work))
        except (TypeError, pickle.PicklingError, AttributeError) as error:
            raise TypeError(f"executor: the policies cannot be sent to another process: {error}") from error
        game = work.game if isinstance(work.game, str) else work.game.name
        analysis = ".analysis." in str(getattr(play, "__module__", ""))
        return cls(game, analysis, identity(game, analysis), zlib.compress(data, 1))

    def open(self) -> tuple[Play, Any]:
        """Unpack, in the process that is to play.

        Raises
        ------
        WorkerError
            When this process has other code, or lacks a module that a policy imports.
        """
        mine = identity(self.game, self.analysis)
        for key, wanted in self.identity.items():
            if mine.get(key) != wanted:
                raise WorkerError(
                    f"the worker on {platform.node()} runs other code and is refused: it has {key} {mine.get(key)}, "
                    f"the run has {wanted}; install the same versions there and restart it"
                )
        try:
            return _unpacked(self.payload)
        except (ImportError, AttributeError) as error:
            raise WorkerError(
                f"the worker on {platform.node()} cannot load the policies ({error}); a policy's own file travels "
                "with it, other modules that it imports must be installed on every worker"
            ) from error


@functools.lru_cache(maxsize=16)
def _unpacked(payload: bytes) -> tuple[Play, Any]:
    found: tuple[Play, Any] = pickle.loads(zlib.decompress(payload))
    return found


def play_parcel(parcel: Parcel, first: int, count: int) -> Any:
    """Play a chunk in another process. What `Parcel.open` returns is kept, so a policy is compiled once a process."""
    play, work = parcel.open()
    return play(work, first, count)


class _Call:
    """A call of `play_parcel` that takes place when it is unpickled.

    Workers are asked to run ``pickle.loads`` on it. So a worker without simlib can take the task and fail it with an
    error that says so; a task that names a function of simlib makes a dask worker without it hang.
    """

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments

    def __reduce__(self) -> Any:
        return play_parcel, self._arguments


class Pool:
    """Threads of this process: the work is handed on as it is.

    Parameters
    ----------
    executor : concurrent.futures.Executor or None
        None makes threads and ends them.
    workers : int
    """

    def __init__(self, executor: Any, workers: int, play: Play, work: Any) -> None:
        self._own = executor is None
        self._executor = ThreadPoolExecutor(workers) if self._own else executor
        self._workers = workers
        self._play, self._work = play, work

    @property
    def workers(self) -> int:
        """How many chunks can be played at once."""
        return self._workers

    def submit(self, first: int, count: int) -> Future[Any]:
        """Begin a chunk."""
        future: Future[Any] = self._executor.submit(self._play, self._work, first, count)
        return future

    def explain(self, error: BaseException, first: int, count: int) -> BaseException:
        """Return the error to be raised for one that came with a chunk."""
        return error

    def close(self) -> None:
        """End own threads; somebody else's executor stays as it is."""
        if self._own:
            self._executor.shutdown(wait=True, cancel_futures=True)


class Processes(Pool):
    """Any other executor of the kind of `concurrent.futures`: the work travels as a parcel."""

    def __init__(self, executor: Any, workers: int, play: Play, work: Any) -> None:
        super().__init__(executor, workers, play, work)
        self._parcel = Parcel.pack(play, work)

    def submit(self, first: int, count: int) -> Future[Any]:
        """Begin a chunk."""
        future: Future[Any] = self._executor.submit(pickle.loads, pickle.dumps(_Call(self._parcel, first, count)))
        return future

    def explain(self, error: BaseException, first: int, count: int) -> BaseException:
        """Say in words that workers died, or are not what they should be."""
        if isinstance(error, ImportError):
            return WorkerError(f"a worker cannot load simlib {__version__} ({error}); install it on every worker")
        if isinstance(error, BrokenExecutor):
            return ExecutorError(
                "a worker process of the executor died (killed, or out of memory), and the executor cannot go on"
            )
        if isinstance(error, CancelledError):
            return ExecutorError(f"the executor gave up deals {first} to {first + count - 1}")
        return error


class Cluster(Processes):
    """A dask cluster. Its scheduler plays the chunk of a lost worker again on another one."""

    def __init__(self, client: Any, play: Play, work: Any) -> None:
        if getattr(client, "asynchronous", False):
            raise TypeError("executor: a dask client made with asynchronous=True cannot be used; make an ordinary one")
        super().__init__(client.get_executor(pure=False), 0, play, work)
        self._client = client
        self._asked = float("-inf")

    @property
    def workers(self) -> int:
        """Number of threads of the cluster, which may grow and shrink while a run goes on."""
        if time.monotonic() - self._asked > WIDTH_SECONDS and self._client.status == "running":
            with suppress(OSError):  # what happened shows in the chunks under way
                self._workers = sum(self._client.nthreads().values())
            self._asked = time.monotonic()
        return max(1, self._workers)

    def explain(self, error: BaseException, first: int, count: int) -> BaseException:
        """Say in words what happened to the cluster."""
        deals = f"deals {first} to {first + count - 1}"
        kind = type(error).__name__
        if isinstance(error, CancelledError) or kind == "CommClosedError":
            return ExecutorError("the connection to the dask scheduler was lost")
        if kind == "KilledWorker":
            return ExecutorError(
                f"the scheduler gave up {deals}: worker after worker died while playing them "
                "(too little memory? the scheduler's log names the workers)"
            )
        return super().explain(error, first, count)


def open_pool(executor: Any, threads: int, play: Play, work: Any) -> Pool:
    """Return the pool for an executor, for a dask client, or for None (threads of this process)."""
    if executor is None or isinstance(executor, ThreadPoolExecutor):
        return Pool(executor, getattr(executor, "_max_workers", threads), play, work)
    if hasattr(executor, "get_executor"):
        return Cluster(executor, play, work)
    return Processes(executor, getattr(executor, "_max_workers", UNKNOWN_WORKERS), play, work)


def count_workers(executor: Any, threads: int) -> int:
    """Return how many chunks an executor can play at once."""
    if executor is not None and hasattr(executor, "nthreads"):
        return max(1, int(sum(executor.nthreads().values())))
    return int(getattr(executor, "_max_workers", threads if executor is None else UNKNOWN_WORKERS))


def check_executor(executor: Any) -> Any:
    """Return the argument `executor`, or raise an error that names it."""
    if executor is not None and not hasattr(executor, "submit"):
        raise TypeError(f"executor must be a concurrent.futures executor or a dask client, not {executor!r}")
    return executor


@contextmanager
def connect(address: str, timeout: float = 20.0) -> Iterator[Any]:
    """Connect to a running dask scheduler.

    Parameters
    ----------
    address : str
        ``tcp://host:port``, or the path of the scheduler's JSON file.
    timeout : float
        How long to wait for an answer, in seconds.

    Yields
    ------
    dask.distributed.Client

    Raises
    ------
    ValueError
        When dask is not installed, or no scheduler answers.
    """
    try:
        from dask import distributed
    except ImportError:
        raise ValueError(
            f"scheduler={address!r} needs dask: install simlib with the extra 'cluster' (simlib[cluster])"
        ) from None
    make: Any = distributed.Client
    where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
    if address.endswith(".json") and not pathlib.Path(address).is_file():
        raise ValueError(f"scheduler={address!r}: there is no such file")
    try:
        client: Any = make(**where, timeout=timeout, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(f"scheduler={address!r}: no dask scheduler answers there ({_first_line(error)})") from None
    try:
        yield client
    finally:
        client.close()


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).split("\n", 1)[0]
