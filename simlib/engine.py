"""Run: what to play (`Work`), playing a range of deals, and spreading ranges over threads or any executor."""

from __future__ import annotations

import itertools
import math
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from simlib import _loop
from simlib.errors import IllegalAction, PolicyError
from simlib.executors import open_pool
from simlib.game import CONTEXT, WHERE, Game, Rules, lined_zeros
from simlib.games import get
from simlib.policies import Policy, line_up
from simlib.rng import STREAM

Rows = np.ndarray[Any, Any]
#: Work per chunk that the scheduler aims at, in seconds, and the memory its rows may take, in bytes.
CHUNK_SECONDS, CHUNK_BYTES = 0.3, 32 << 20
#: How long the trial plays that finds the length of a chunk.
TRIAL_SECONDS = 0.01


@dataclass(frozen=True, eq=False)
class Work:
    """Everything that decides what is played, apart from how many deals. Picklable.

    Attributes
    ----------
    game : str
    rules : Rules
    policies : tuple of Policy
        The line-up; its length is the number of players.
    seed : int
    seatings : tuple of tuple of int
        For each seating the index into `policies` of the policy at each seat.
    scenario : ndarray or None
        SCENARIO array of length 1 (a counterfactual set-up).
    """

    game: str
    rules: Rules
    policies: tuple[Policy, ...]
    seed: int
    seatings: tuple[tuple[int, ...], ...]
    scenario: np.ndarray[Any, Any] | None = None

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.policies)

    def seated(self, policies: Sequence[Policy]) -> Work:
        """Return the same work with these policies, each in the seat of its place in the list."""
        return replace(self, policies=tuple(policies), seatings=(tuple(range(len(policies))),))


def seating_plan(policies: Sequence[Policy], how: str) -> tuple[tuple[int, ...], ...]:
    """Return the seatings: for each one the index of the policy at each seat.

    ``"fixed"`` gives the line-up as it is, ``"rotations"`` moves it round the table, ``"all"`` gives every order.
    Seatings that put equal policies in equal seats are listed once: they would be the same games again.

    Raises
    ------
    ValueError
        When `how` is none of the three.
    """
    n = len(policies)
    if how == "fixed":
        orders: Iterable[tuple[int, ...]] = [tuple(range(n))]
    elif how == "rotations":
        orders = [tuple((seat - r) % n for seat in range(n)) for r in range(n)]
    elif how == "all":
        orders = itertools.permutations(range(n))
    else:
        raise ValueError(f"seatings={how!r} must be 'fixed', 'rotations' or 'all'")
    kind = {p: i for i, p in reversed(list(enumerate(policies)))}
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for order in orders:
        found.setdefault(tuple(kind[policies[i]] for i in order), order)
    return tuple(found.values())


def check_count(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return an integer argument, or raise an error that names it."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if value < low or (high is not None and value > high):
        limit = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name}={value} must be {limit}")
    return int(value)


def check_seed(seed: int | None) -> int:
    """Return the seed, or draw one when it is None."""
    if seed is None:
        import secrets

        return secrets.randbits(64)
    return check_count("seed", seed, 0, 2**64 - 1)


def make_work(
    game: str | Game,
    policies: Any,
    seed: int | None = None,
    *,
    rules: Any = None,
    seatings: str = "fixed",
    scenario: np.ndarray[Any, Any] | None = None,
) -> Work:
    """Validate and return what is to be played. See `simlib.simulate` for the arguments.

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed.
    """
    g = get(game)
    line = line_up(g.name, policies)
    options = rules_for(g, rules, len(line))
    plan = seating_plan(line, seatings)
    if scenario is not None and getattr(scenario, "dtype", None) != g.SCENARIO:
        raise TypeError(f"scenario must be an array of {g.name}'s SCENARIO type")
    return Work(g.name, options, tuple(line), check_seed(seed), plan, scenario)


def rules_for(game: Game, rules: Any, players: int) -> Rules:
    """Return the options for this number of players; `rules` may be None, a mapping of options, or a Rules object."""
    if not game.min_players <= players <= game.max_players:
        allowed = f"{game.min_players} to {game.max_players}"
        raise ValueError(f"{game.name} is played by {allowed} players; the line-up has {players} policies")
    if rules is None:
        return game.rules.make(players=players)
    if isinstance(rules, game.rules):
        given = {name: getattr(rules, name) for name in rules.model_fields_set}
    elif isinstance(rules, dict):
        given = dict(rules)
    else:
        raise TypeError(
            f"rules must be {game.name}'s rules (sl.rules({game.name!r}, …)) or a dict of options, not {rules!r}"
        )
    if given.setdefault("players", players) != players:
        raise ValueError(f"rules say players={given['players']}, but the line-up has {players} policies")
    return game.rules.make(**given)


def build_contexts(policies: Sequence[Policy], players: int, seed: int) -> tuple[Rows, list[Rows]]:
    """Return one context a seat, and the contexts of the policies that they may call (to be reset with them).

    A policy parameter gets one context a seat, since in a play-out it acts for all of them. Stream numbers depend
    only on the seat and on the policy itself, so that a seat's draws do not change with the other seats' policies.
    """
    roots = np.zeros(players, CONTEXT)
    blocks: list[Rows] = []
    for seat, policy in enumerate(policies):
        roots[seat]["rng"]["stream"] = 1 + seat
        roots[seat]["seat"] = seat
        roots[seat]["fn"] = 0 if policy.vector else policy.code.address
        _set_params(roots, seat, policy)
        nodes = itertools.count(1)
        if not policy.vector:
            _attach(roots, [seat], policy, players, 1 + seat, nodes, blocks)
    for block in [roots, *blocks]:
        block["rng"]["seed"] = np.uint64(seed)
    return roots, blocks


def _set_params(contexts: Rows, at: int, policy: Policy) -> None:
    numbers = policy.numbers
    contexts[at]["params"][: len(numbers)] = numbers


def _attach(
    holders: Rows,
    at: Iterable[int],
    policy: Policy,
    players: int,
    stream: int,
    nodes: Iterator[int],
    blocks: list[Rows],
) -> None:
    """Give the contexts `holders[at]` the contexts of the policy's own policy parameters."""
    places = list(at)
    for k, sub in enumerate(policy.policies):
        block = np.zeros(players, CONTEXT)
        blocks.append(block)
        node = next(nodes)
        for seat in range(players):
            block[seat]["rng"]["stream"] = stream + 16 * (8 * node + seat)
            block[seat]["seat"] = seat
            block[seat]["fn"] = sub.code.address
            _set_params(block, seat, sub)
        for place in places:
            holders[place]["sub"][k] = block.ctypes.data
        _attach(block, range(players), sub, players, stream, nodes, blocks)


class Table:
    """The arrays that one seating of a Work needs to be played: allocated once, used for many games."""

    def __init__(self, work: Work, seating: Sequence[int]) -> None:
        game = get(work.game)
        self.game, self.work, self.seating = game, work, tuple(seating)
        self.rules = game.encode(work.rules)
        self.scenario = np.zeros(1, game.SCENARIO) if work.scenario is None else work.scenario
        self.state = lined_zeros(1, game.STATE)
        self.views = lined_zeros(work.players, game.VIEW)
        self.seated = [work.policies[i] for i in seating]
        self.functions = game.functions
        if not all(p.code.proven for seated in self.seated for p in seated.walk()):
            # In a game's own loop the table itself may be the view: not for a policy that might write to it.
            self.functions = game.functions.copy()
            self.functions["play_on"] = 0
        self.contexts, self.blocks = build_contexts(self.seated, work.players, work.seed)
        self.subs = np.concatenate([np.array([b.ctypes.data for b in self.blocks], np.uint64), np.zeros(0, np.uint64)])
        self.rng = np.zeros(1, STREAM)
        self.rng["seed"] = np.uint64(work.seed)
        self.where = np.zeros(1, WHERE)

    def arguments(self) -> tuple[Any, ...]:
        """Leading arguments of the loops in `simlib._loop`."""
        return (
            self.functions[0],
            self.state[0],
            self.rules[0],
            self.scenario[0],
            self.views,
            self.contexts,
            self.subs,
            self.rng[0],
        )

    def play(self, first: int, out: Rows) -> None:
        """Play the deals from `first` on, one for each row of `out`."""
        self.where["failed"] = 0
        try:
            _loop.play_chunk(*self.arguments(), first, out, self.where[0])
        except Exception as error:
            raise PolicyError(self.trouble(f"failed with {type(error).__name__}: {error}")) from error
        if self.where["failed"][0]:
            raise IllegalAction(self.trouble(f"returned the illegal action {self.where['action'][0]}"))

    def trouble(self, what: str) -> str:
        """Describe what a policy did wrong: policy, seat, game, and the call that shows it again."""
        game, seat = int(self.where["game"][0]), int(self.where["seat"][0])
        ply = int(self.where["ply"][0])
        names = [p.text for p in self.seated]
        rules = "".join(f", {k}={v!r}" for k, v in self.work.rules.changed().items() if k != "players")
        again = f"sl.simulate({self.work.game!r}, {names}, deals=1, seed={self.work.seed}, first_deal={game}"
        again += f", rules=sl.rules({self.work.game!r}{rules}))" if rules else ")"
        return f"policy {names[seat]!r} at seat {seat} {what} (deal {game}, action {ply} of the game); again: {again}"


def play_range(work: Work, first: int, count: int) -> Rows:
    """Play `count` deals from `first` on in every seating.

    Returns
    -------
    ndarray of RESULT, shape (count, seatings), in Fortran order: a seating's rows are played where they stay
    """
    out = np.zeros((count, len(work.seatings)), get(work.game).RESULT, order="F")
    for s, seating in enumerate(work.seatings):
        if any(p.vector for p in work.policies):
            from simlib.batch import play_lockstep

            play_lockstep(Table(work, seating), first, out[:, s])
        else:
            Table(work, seating).play(first, out[:, s])
    return out


def default_threads() -> int:
    """Number of processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def chunk_deals(work: Work) -> int:
    """Return how many deals make a chunk of about `CHUNK_SECONDS`, from a short trial. Compiles what is needed."""
    play_range(work, 0, 1)
    row = get(work.game).RESULT.itemsize * len(work.seatings)
    most = max(1, CHUNK_BYTES // row)
    n, seconds = 1, 0.0
    while n < most:
        start = time.perf_counter()
        play_range(work, 0, n)
        seconds = time.perf_counter() - start
        if seconds > TRIAL_SECONDS:
            break
        n = min(most, n * max(2, min(64, math.ceil(1.5 * TRIAL_SECONDS / seconds))))
    rate = n / max(seconds, 1e-9)
    return int(min(most, max(1, 2 ** round(np.log2(max(1.0, rate * CHUNK_SECONDS))))))


def ranges(first: int, stop: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut the deals `first` … `stop` - 1 into (first, count) pieces; the cuts lie on multiples of `size`."""
    while first < stop:
        end = min(stop, (first // size + 1) * size)
        yield first, end - first
        first = end


def run_ranges(
    work: Work,
    pieces: Iterable[tuple[int, int]],
    *,
    threads: int | None = None,
    executor: Any = None,
    play: Any = play_range,
) -> Iterator[tuple[int, Any]]:
    """Play pieces (first, count) on threads or an executor; yield (first, result) as they finish, in any order.

    At most two pieces a worker are under way, so that results wait for nobody in memory. When the consumer stops
    (an error, Ctrl-C) pieces not begun are cancelled.

    Parameters
    ----------
    play : callable
        ``play(work, first, count)``; where another process plays, it travels there with the work.

    Raises
    ------
    ExecutorError
        When the executor lost its workers or its scheduler, or a worker has other code.
    """
    pool = open_pool(executor, default_threads() if threads is None else threads, play, work)
    todo = iter(pieces)
    running: dict[Future[Any], tuple[int, int]] = {}
    finished: SimpleQueue[Future[Any]] = SimpleQueue()
    piece = (0, 0)
    try:
        while True:
            for piece in itertools.islice(todo, max(0, 2 * pool.workers - len(running))):
                future = pool.submit(*piece)
                running[future] = piece
                future.add_done_callback(finished.put)
            if not running:
                return
            try:  # a bounded wait lets Ctrl-C through, and workers that join get something to do
                future = finished.get(timeout=0.2)
            except Empty:
                continue
            piece = running.pop(future)
            yield piece[0], future.result()
    except Exception as error:
        explained = pool.explain(error, *piece)
        if explained is error:
            raise
        raise explained from error
    finally:
        for future in running:
            future.cancel()
        pool.close()
