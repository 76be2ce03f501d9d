"""No peeking, for the policies of every game: what a seat cannot see must not change what it decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from simlib.checking import decide_alone, walk
from simlib.engine import Table, make_work
from simlib.games import get
from simlib.policies import Policy
from simlib.rng import STREAM, seek


def table_of(policy: Policy, players: int, rules: Mapping[str, Any] | None = None, seed: int = 11) -> Table:
    """A table with the policy in every seat."""
    work = make_work(policy.game, [policy] * players, seed, rules=dict(rules or {}))
    return Table(work, work.seatings[0])


def positions(
    game: str,
    players: int,
    rules: Mapping[str, Any] | None = None,
    *,
    deals: int = 2,
    every: int = 7,
    by: str = "random",
) -> Iterator[tuple[int, int, np.ndarray[Any, Any]]]:
    """Positions in the middle of games of the policy `by`: (deal, seat to act, state)."""
    from simlib.policies import resolve

    table = table_of(resolve(game, by), players, rules)
    for deal in range(deals):
        for ply, (seat, state) in enumerate(walk(table, deal)):
            if (ply + deal) % every == 0:
                yield deal, seat, state


def seen_by(game: str, seat: int, state: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The view of a seat, as an array of length 1."""
    view = np.zeros(1, get(game).VIEW)
    get(game).observe(state[0], seat, view[0])
    return view


def redealt(view: np.ndarray[Any, Any], game: str, number: int) -> np.ndarray[Any, Any]:
    """A state with other hidden cards that agrees with a view."""
    rng, state = np.zeros(1, STREAM), np.zeros(1, get(game).STATE)
    seek(rng[0], 99, 500, number)
    get(game).redeal(view[0], rng[0], state[0])
    return state


def assert_sound(
    policy: Policy, players: int, rules: Mapping[str, Any] | None = None, *, redeals: int = 3, **where: Any
) -> int:
    """Assert for every position that the policy acts legally, twice alike, leaves its view alone and does not peek.

    The streams of the policy stand at the same place and its memory is empty each time. Returns how many were tried.
    """
    game = get(policy.game)
    table = table_of(policy, players, rules)
    tried = 0
    for deal, seat, state in positions(policy.game, players, rules, **where):
        view = seen_by(policy.game, seat, state)
        before = view.tobytes()
        action = decide_alone(table, view, seat, deal)
        assert view.tobytes() == before, f"{policy.text} writes to its view"
        assert game.is_legal(state[0], action), f"{policy.text} plays {action} in deal {deal}"
        assert decide_alone(table, view, seat, deal) == action, f"{policy.text} is not deterministic"
        for k in range(redeals):
            again = seen_by(policy.game, seat, redealt(view, policy.game, 1000 * tried + k))
            assert again.tobytes() == before, f"redeal of {policy.game} does not agree with the view"
            assert decide_alone(table, again, seat, deal) == action, f"{policy.text} peeks in deal {deal}"
        tried += 1
    return tried
