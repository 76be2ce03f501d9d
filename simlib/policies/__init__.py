"""Decisions. A policy sees only the view of its seat. One module or package a game, each with a tuple `POLICIES`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from simlib.errors import did_you_mean
from simlib.games import GAMES
from simlib.policies.base import Policy, policy
from simlib.policies.text import parse_policy, split_policies

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Policy", "builtin", "find", "line_up", "policies", "policy", "resolve"]


def builtin(game: str) -> tuple[Policy, ...]:
    """Return simlib's own policies of a game."""
    if game not in GAMES:
        GAMES[game]  # raises with a suggestion
    found: tuple[Policy, ...] = importlib.import_module(f"simlib.policies.{game}").POLICIES
    return found


def find(game: str, name: str) -> Policy:
    """Return a policy by its bare name.

    Raises
    ------
    ValueError
        When the game has no policy of that name; the message suggests one.
    """
    known = {p.name: p for p in builtin(game)}
    if name not in known:
        raise ValueError(f"{game} has no policy {name!r}{did_you_mean(name, known)}; policies: {', '.join(known)}")
    return known[name]


def resolve(game: str, spec: Any) -> Policy:
    """Return a Policy for a text form, a file's ``path.py::name``, or a Policy of this game."""
    if isinstance(spec, Policy):
        if spec.game != game:
            raise ValueError(f"policy {spec.text!r} plays {spec.game}, not {game}")
        return spec
    if not isinstance(spec, str):
        hint = "; decorate it with @sl.policy(...)" if callable(spec) else ""
        raise TypeError(f"a policy is given by its text or as a Policy, not {spec!r}{hint}")
    return parse_policy(game, spec)


def line_up(game: str, specs: Any) -> list[Policy]:
    """Return the policies of a line-up: a list of policies and texts, or one text with commas."""
    if isinstance(specs, str):
        specs = split_policies(specs)
    if isinstance(specs, Policy):
        specs = [specs]
    return [resolve(game, spec) for spec in specs]


def policies(game: str) -> pd.DataFrame:
    """Return a table of a game's policies: name, what it does, parameters with defaults."""
    import pandas as pd

    rows = []
    for p in builtin(game):
        values = ", ".join(f"{q.name}={q.default if q.is_policy else format(q.default, 'g')}" for q in p.parameters)
        rows.append({"policy": p.name, "does": p.doc, "parameters": values})
    return pd.DataFrame(rows)
