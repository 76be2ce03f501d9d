"""What the analyses of Big Three share: line-ups, tables that play their own loops, rules, percentages."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from simlib.engine import Table, Work, check_count, default_threads
from simlib.errors import IllegalAction, PolicyError
from simlib.games import get
from simlib.games.big_three.rules import BigThreeRules
from simlib.policies import Policy, find, resolve

NAME = "big_three"
Array = np.ndarray[Any, Any]
SEAT_NAMES = ("first bidder", "second", "third", "fourth")


def guarded(table: Table, loop: Any, *arguments: Any) -> None:
    """Call one of the loops in `kernels` on a table; a policy that fails or acts against the rules is named."""
    table.where["failed"] = 0
    try:
        loop(*table.arguments(), *arguments, table.where[0])
    except Exception as error:
        raise PolicyError(table.trouble(f"failed with {type(error).__name__}: {error}")) from error
    if table.where["failed"][0]:
        raise IllegalAction(table.trouble(f"returned the illegal action {table.where['action'][0]}"))


def table_of(work: Work) -> Table:
    """Return a table of the line-up as it is given."""
    return Table(work, range(work.players))


def spread(pieces: list[Any], play: Any, threads: int | None) -> list[Any]:
    """Return ``play(piece)`` of each piece in order, worked at by several threads."""
    if len(pieces) < 2:
        return [play(piece) for piece in pieces]
    with ThreadPoolExecutor(default_threads() if threads is None else threads) as pool:
        return list(pool.map(play, pieces))


def cuts(n: int, threads: int | None, size: int = 600) -> Iterator[slice]:
    """Cut n deals into even pieces of about `size` at most, one a thread at least where there is work for it."""
    workers = default_threads() if threads is None else threads
    pieces = max(min(workers, -(-n // 64)), -(-n // size), 1)
    edges = np.linspace(0, n, pieces + 1).astype(int)
    for a, b in itertools.pairwise(edges):
        yield slice(int(a), int(b))


def rules_of(rules: Any, players: int | None = None) -> BigThreeRules:
    """Return the rules from None, a dict of options or a Rules object, and a number of players that may be given."""
    if rules is None or isinstance(rules, dict):
        given = dict(rules or {})
    elif isinstance(rules, BigThreeRules):
        given = {name: getattr(rules, name) for name in rules.model_fields_set}
    else:
        raise TypeError(
            f"rules must be big_three's rules (sl.rules('big_three', …)) or a dict of options, not {rules!r}"
        )
    if players is not None:
        check_count("players", players, 3, 4)
        if given.setdefault("players", players) != players:
            raise ValueError(f"players={players}, but the rules say players={given['players']}")
    return BigThreeRules.make(**given)


def compiled(name: str, spec: Any) -> Policy:
    """Return a policy of Big Three; NumPy policies are refused, since they cannot be asked in the middle of a loop."""
    policy = resolve(NAME, spec)
    if any(p.vector for p in policy.walk()):
        raise ValueError(f"{name}: {policy.text!r} is a NumPy policy; only compiled ones can be asked here")
    return policy


def parts(bid: Policy, play: Policy) -> Policy:
    """Return the policy that bids like one and plays like the other."""
    return bid if bid == play else find(NAME, "parts").with_params(bid=bid, play=play)


def unit_of(rules: BigThreeRules) -> str:
    """What is won: chips, or points with McNeely's scoring."""
    return "points" if rules.scoring == "mcneely" else get(NAME).score_unit


def check_threads(threads: int | None) -> int | None:
    """Return the number of threads or None."""
    return None if threads is None else check_count("threads", threads, 1)
