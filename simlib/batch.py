"""Many games in lockstep, for policies written in plain NumPy (or anything that takes arrays).

`Batch` steps n games at once; `play_lockstep` lets line-ups play in which some seats are compiled and others are not.
Both give exactly the games that compiled policies making the same decisions would play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib import _loop
from simlib.errors import IllegalAction, PolicyError
from simlib.game import Game
from simlib.games import get
from simlib.policies import Policy, resolve

if TYPE_CHECKING:
    from simlib.engine import Table

Array = np.ndarray[Any, Any]
#: Games that play_lockstep holds at once: enough for NumPy to pay, few enough to stay small (about 20 MB).
WIDTH = 1024


@dataclass
class VectorContext:
    """What a NumPy policy gets besides the views: parameters, and each game's own random stream of its seat.

    Attributes
    ----------
    params : ndarray of float64
        The numeric parameters in order of declaration.
    """

    params: Array
    contexts: Array
    games: Array
    seats: Array

    def below(self, bounds: Any) -> Array:
        """Return one integer a game, uniform in 0 … bound-1, from the seat's stream; `bounds` broadcasts to games."""
        return self._draw("below", _loop.below_many, bounds, 2**32 - 1)

    def pick(self, bounds: Any) -> Array:
        """Return what `below` does for bounds up to 256, eight random bits a draw: the twin of `simlib.rng.pick`."""
        return self._draw("pick", _loop.pick_many, bounds, 256)

    def _draw(self, name: str, draw: Any, bounds: Any, most: int) -> Array:
        out = np.empty(len(self.games), np.int64)
        limits = np.broadcast_to(np.asarray(bounds, np.int64), out.shape).copy()
        if len(limits) and not 1 <= limits.min() <= limits.max() <= most:
            raise ValueError(f"{name}: every bound must be 1 to {most}, not {limits.min()} to {limits.max()}")
        draw(self.contexts, self.games, self.seats, limits, out)
        return out

    def uniform(self) -> Array:
        """Return one float64 a game, uniform in [0, 1), from the seat's stream."""
        out = np.empty(len(self.games), np.float64)
        _loop.uniform_many(self.contexts, self.games, self.seats, out)
        return out


class Batch:
    """n games of one kind, stepped together.

    Parameters
    ----------
    game : str
    n : int
        Number of games.
    seed : int
        Game i of the batch is deal ``first + i`` of this seed: the same game that `simlib.simulate` plays.
    rules : Rules or dict, optional
    players : int, optional
        Defaults to what the rules say.
    first : int
        Number of the first deal.

    Attributes
    ----------
    seat : ndarray of int64, shape (n,)
        Seat to act in each game, −1 when it is over.
    states : ndarray of STATE, shape (n,)

    Examples
    --------
    >>> import numpy as np, simlib as sl
    >>> batch = sl.Batch("drei_zu_viel", 3, seed=7)
    >>> while not batch.done:
    ...     batch.step(np.where(batch.seat >= 0, 0, -1))
    >>> batch.results()["score"].shape
    (3, 4)
    """

    def __init__(
        self,
        game: str | Game,
        n: int,
        seed: int | None = None,
        *,
        rules: Any = None,
        players: int | None = None,
        first: int = 0,
    ) -> None:
        from simlib.engine import check_count, check_seed, make_work

        g = get(game)
        n = check_count("n", n, 1)
        first = check_count("first", first, 0)
        if players is None:
            given = rules.get("players") if isinstance(rules, dict) else getattr(rules, "players", None)
            players = given if given is not None else g.rules.model_fields["players"].default
        check_count("players", players, g.min_players, g.max_players)
        seats = [_unplayed(g.name)] * players
        self._setup(make_work(g, seats, check_seed(seed), rules=rules), n, first)

    @classmethod
    def of_work(cls, work: Any, n: int, first: int = 0) -> Batch:
        """Return the deals `first` … `first + n` - 1 of a `simlib.engine.Work`, dealt and not begun."""
        batch = object.__new__(cls)
        batch._setup(work, n, first)
        return batch

    def _setup(self, work: Any, n: int, first: int) -> None:
        from simlib.engine import Table

        table = Table(work, range(work.players))
        self.game, self.work, self.first = table.game, work, first
        self._table = table
        self.contexts, self.subs = _many_contexts(table, n)
        self.states = np.zeros(n, self.game.STATE)
        self.views = np.zeros((n, work.players), self.game.VIEW)
        self.seat = np.full(n, -1, np.int64)
        _loop.deal_many(
            table.functions[0],
            self.states,
            table.rules[0],
            table.scenario[0],
            self.contexts,
            self.subs,
            table.rng[0],
            first,
            self.seat,
        )

    def __len__(self) -> int:
        return len(self.states)

    @property
    def done(self) -> bool:
        """Whether every game is over."""
        return bool((self.seat < 0).all())

    def observe(self, games: Array | None = None) -> Array:
        """Return the view of the seat to act in each game (of `games` only, if given), a VIEW array. Not for games
        that are over.
        """
        games = self._running(games)
        out = np.zeros(len(games), self.game.VIEW)
        _loop.observe_many(self._table.functions[0], self.states, games, self.seat, out)
        return out

    def _running(self, games: Array | None) -> Array:
        if games is None:
            return np.flatnonzero(self.seat >= 0)
        games = np.asarray(games, np.int64)
        if len(games) and (games.min() < 0 or games.max() >= len(self) or (self.seat[games] < 0).any()):
            raise ValueError("games must be numbers of games of this batch that are not over")
        return games

    def legal_mask(self) -> Array:
        """Return which actions are legal: bool, shape (n, n_actions); all False for games that are over."""
        mask = np.zeros((len(self), self.game.n_actions), np.bool_)
        scratch = np.empty(self.game.n_actions, np.int64)
        running = np.flatnonzero(self.seat >= 0)
        views = self.observe(running)
        _loop.legal_many(self._table.functions[0], views, running, mask, scratch)
        return mask

    def step(self, actions: Any) -> None:
        """Play one action in every game that is not over.

        Parameters
        ----------
        actions : array of int, shape (n,)
            Entries of games that are over are ignored.

        Raises
        ------
        IllegalAction
            Names the first game with an illegal action; nothing is played then.
        """
        actions = _as_actions(actions, len(self))
        bad = _loop.step_many(self._table.functions[0], self.states, actions, self.seat)
        if bad >= 0:
            raise IllegalAction(
                f"actions[{bad}]={actions[bad]} is illegal for seat {self.seat[bad]} (deal {self.first + bad})"
            )

    def results(self) -> Array:
        """Return the RESULT array, shape (n,).

        Raises
        ------
        ValueError
            While a game is not over.
        """
        if not self.done:
            raise ValueError(f"{int((self.seat >= 0).sum())} games are not over yet")
        out = np.zeros(len(self), self.game.RESULT)
        _loop.result_many(self._table.functions[0], self.states, out)
        return out

    def below(self, bounds: Any) -> Array:
        """Return one uniform integer below the bound for each game, from the stream of the seat to act (0 for games
        that are over).
        """
        return self._draw("below", bounds)

    def pick(self, bounds: Any) -> Array:
        """Return what `below` does for bounds up to 256, as the compiled `simlib.rng.pick` draws it."""
        return self._draw("pick", bounds)

    def _draw(self, name: str, bounds: Any) -> Array:
        out = np.zeros(len(self), np.int64)
        games = np.flatnonzero(self.seat >= 0)
        limits = np.broadcast_to(np.asarray(bounds, np.int64), out.shape)[games]
        draws = VectorContext(np.zeros(0), self.contexts, games, self.seat[games])
        out[games] = getattr(draws, name)(limits)
        return out

    def play(self, policies: Sequence[Any]) -> Array:
        """Play all games to their end with these policies, compiled or NumPy, by seat; return the RESULT array."""
        line = [resolve(self.game.name, p) for p in policies]
        if len(line) != self.work.players:
            raise ValueError(f"{len(line)} policies were given for {self.work.players} players")
        if not all(p.vector for p in line):
            raise ValueError("Batch.play takes NumPy policies; use sl.simulate for line-ups with compiled ones")
        _play_on(self, line)
        return self.results()

    def finish(self) -> Array:
        """Play all games to their end with the policies of the work that the batch was made of (`of_work`); return the
        RESULT array. `states` then holds the finished games, with what the game keeps of its history.
        """
        _play_on(self, self._table.seated)
        return self.results()


def _as_actions(actions: Any, n: int) -> Array:
    """Check an array of actions for n games."""
    out = np.asarray(actions)
    if out.shape != (n,):
        raise ValueError(f"actions must have shape ({n},), not {out.shape}")
    if out.dtype.kind not in "iub":
        raise TypeError(f"actions must be whole numbers, not {out.dtype}")
    return out.astype(np.int64)


def _unplayed(game: str) -> Policy:
    """A stand-in for seats that are played from outside."""
    from simlib.policies.base import make_policy

    def outside(views: Array, ctx: VectorContext) -> Array:
        return np.zeros(len(views), np.int64)

    return make_policy(outside, game, {}, vector=True)


def _many_contexts(table: Table, n: int) -> tuple[Array, Array]:
    """Copy a table's contexts for n games, each pointing to its own copies of the policies it may call.

    Returns
    -------
    contexts : ndarray of CONTEXT, shape (n, players)
    subs : ndarray of uint64, shape (n, blocks)
        Addresses of each game's blocks.
    """
    roots = np.repeat(table.contexts[None], n, axis=0)
    copies = [np.repeat(block[None], n, axis=0) for block in table.blocks]
    table.copies = copies  # type: ignore[attr-defined]  # keeps the memory behind the addresses alive
    old = [block.ctypes.data for block in table.blocks]
    step = table.contexts.nbytes
    subs = np.zeros((n, len(copies)), np.uint64)
    for j, copy in enumerate(copies):
        subs[:, j] = copy.ctypes.data + step * np.arange(n, dtype=np.uint64)
    for holder in [roots, *copies]:
        for j, address in enumerate(old):
            game, seat, k = np.nonzero(holder["sub"] == address)
            holder["sub"][game, seat, k] = subs[game, j]
    return roots, subs


def play_lockstep(table: Table, first: int, out: Array) -> None:
    """Play `len(out)` games from deal `first` on in lockstep; some seats of the table's line-up are NumPy policies."""
    for start in range(0, len(out), WIDTH):
        part = out[start : start + WIDTH]
        batch = Batch.of_work(table.work.seated(table.seated), len(part), first + start)
        _play_on(batch, table.seated)
        part[:] = batch.results()


def _play_on(batch: Batch, line: Sequence[Policy]) -> None:
    """Play a batch to its end: compiled seats run on their own, NumPy seats decide for all games in which it is their
    turn.
    """
    vector = np.array([p.vector for p in line], np.bool_)
    table = batch._table
    while True:
        table.where["failed"] = 0
        _loop.advance_many(
            table.functions[0],
            batch.states,
            batch.views,
            batch.contexts,
            batch.seat,
            vector,
            batch.first,
            table.where[0],
        )
        if table.where["failed"][0]:
            raise IllegalAction(table.trouble(f"returned the illegal action {table.where['action'][0]}"))
        waiting = np.flatnonzero(batch.seat >= 0)
        if not len(waiting):
            return
        actions = np.zeros(len(batch), np.int64)
        for seat in np.unique(batch.seat[waiting]):
            games = waiting[batch.seat[waiting] == seat]
            actions[games] = _decide(batch, line[seat], games, int(seat))
        batch.step(actions)


def _decide(batch: Batch, policy: Policy, games: Array, seat: int) -> Array:
    """Ask a NumPy policy for its actions in the given games, in all of which `seat` is to act."""
    views = batch.observe(games)
    context = VectorContext(np.array(policy.numbers), batch.contexts, games, np.full(len(games), seat, np.int64))
    try:
        return _as_actions(policy.function(views, context), len(games))
    except (ValueError, TypeError) as error:
        raise PolicyError(f"NumPy policy {policy.text!r} at seat {seat}: {error}") from error
