"""`check`: play a policy through the contract's tests and say in words what is wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.engine import Table, Work, make_work, play_range
from simlib.errors import SimlibError
from simlib.game import Game
from simlib.games import get
from simlib.policies import Policy, builtin, resolve
from simlib.rng import seek

_GAMES, _POSITIONS, _REDEALS = 20, 40, 4


@dataclass(frozen=True)
class Check:
    """What `check` found.

    Attributes
    ----------
    policy : str
    problems : tuple of str
        What is wrong, a sentence each; empty when all is well.
    games : int
        Games played.
    seconds_per_game : float
        Time of one game with the policy in every seat.
    """

    policy: str
    problems: tuple[str, ...]
    games: int
    seconds_per_game: float

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        if self.ok:
            return (
                f"{self.policy}: all right in {self.games} games ({1 / max(self.seconds_per_game, 1e-9):,.0f} games/s)"
            )
        return "\n".join([f"{self.policy}: {len(self.problems)} problem(s)", *(f"  - {p}" for p in self.problems)])

    __repr__ = __str__


def check(policy: Any, game: str | None = None, *, seed: int = 1) -> Check:
    """Play a policy through the contract's tests.

    It must compile, return a legal action in every position at every number of players, play the same game twice in
    the same way, leave its view as it is, and decide in the same way whatever the cards are that it cannot see. A
    user's policy that passes is compiled without bounds checks from then on.

    Parameters
    ----------
    policy : Policy or str
        A policy, or ``"game/name"``.
    game : str, optional
        The game, when `policy` is a bare name.
    seed : int
        Seed of the games it is tried in.

    Returns
    -------
    Check
        True when all is well; ``print`` it to read what is wrong.
    """
    p = _fetch(policy, game)
    g = get(p.game)
    problems: list[str] = []
    games, started = 0, time.perf_counter()
    for players in range(g.min_players, g.max_players + 1):
        try:
            work = make_work(g, [p] * players, seed)
            start = time.perf_counter()
            rows = play_range(work, 0, _GAMES)
            started = time.perf_counter() - start
            games += _GAMES
            if rows.tobytes() != play_range(work, 0, _GAMES).tobytes():
                problems.append(
                    f"with {players} players the same game was played differently the second time: "
                    "it keeps something between games"
                )
            mixed = [p, *([builtin(p.game)[0]] * (players - 1))]
            play_range(make_work(g, mixed, seed, seatings="rotations"), 0, _GAMES)
            games += _GAMES * players
            if not p.vector:
                problems += list(_positions(make_work(g, mixed, seed)))
        except SimlibError as error:
            problems.append(str(error))
        if problems:
            break
    if not problems:
        p.code.prove()
    return Check(p.text, tuple(dict.fromkeys(problems)), games, started / _GAMES)


def _fetch(policy: Any, game: str | None) -> Policy:
    if isinstance(policy, str) and game is None:
        game, mark, policy = policy.partition("/")
        if not mark:
            raise ValueError(f'policy={game!r}: name the game too, as check("drei_zu_viel/greedy")')
    if isinstance(policy, Policy):
        return policy
    if game is None:
        raise TypeError(
            f"policy must be a Policy or its text, not {policy!r}; decorate a function with @sl.policy(game)"
        )
    return resolve(game, policy)


def _positions(work: Work) -> Iterator[str]:
    """Try the policy in positions of a few games: it must not write to its view nor see hidden cards."""
    table = Table(work, work.seatings[0])
    seen = 0
    for deal in range(_GAMES):
        for seat, state in walk(table, deal):
            if seat != 0 or seen >= _POSITIONS:
                continue
            seen += 1
            problem = _try_position(table, state, deal)
            if problem:
                yield problem
                return


def walk(table: Table, deal: int) -> Iterator[tuple[int, np.ndarray[Any, Any]]]:
    """Play one deal and yield (seat to act, state) before each action; the state array may be kept, it is a copy."""
    from simlib.records import trace

    state, actions = trace(table, deal)
    seek(table.rng[0], table.rng[0]["seed"], 0, deal)
    seat = int(table.game.deal(state[0], table.rules[0], table.scenario[0], table.rng[0]))
    for action in actions:
        yield seat, state.copy()
        seat = int(table.game.step(state[0], action))


def decide_alone(table: Table, view: np.ndarray[Any, Any], seat: int, deal: int) -> int:
    """Ask the policy of a seat at a view, with an empty memory and its streams at their start."""
    from simlib._loop import begin_game

    begin_game(table.contexts, table.subs, table.rng[0]["seed"], deal)
    policy = table.seated[seat]
    return int(policy.kernel(view[0], table.contexts[seat]))


def _try_position(table: Table, state: np.ndarray[Any, Any], deal: int) -> str | None:
    game: Game = table.game
    view = np.zeros(1, game.VIEW)
    game.observe(state[0], 0, view[0])
    before = view.tobytes()
    action = decide_alone(table, view, 0, deal)
    name = table.seated[0].text
    if view.tobytes() != before:
        return f"{name} writes to its view: copy what you want to change"
    if not game.is_legal(state[0], action):
        return (
            f"{name} returns the illegal action {action} when asked in the middle of a game (deal {deal}): "
            "ctx.mem is a cache only"
        )
    other, again = np.zeros(1, game.STATE), np.zeros(1, game.VIEW)
    for k in range(_REDEALS):
        seek(table.rng[0], table.rng[0]["seed"], 1_000 + k, deal)
        game.redeal(view[0], table.rng[0], other[0])
        again[:] = 0
        game.observe(other[0], 0, again[0])
        if again.tobytes() != before:
            return f"{game.name}'s redeal does not agree with the view (deal {deal}): please report this"
        if decide_alone(table, again, 0, deal) != action:
            return f"{name} decides differently when hidden cards change (deal {deal})"
    return None
