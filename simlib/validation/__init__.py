"""A self-test against exact probabilities: what a right simulator must reproduce, expected beside got.

Each game has a module here with a function ``facts(deals, seed) -> list of Fact``.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Fact:
    """One known number and what this library gets for it.

    Attributes
    ----------
    game, name : str
    expected : Fraction
        Exact.
    got : float
    se : float
        Standard error of `got` if the expectation is right; 0 when `got` was computed exactly.
    n : int
        Deals behind `got`; 0 when exact.
    """

    game: str
    name: str
    expected: Fraction
    got: float
    se: float
    n: int

    @property
    def z(self) -> float:
        """Distance in standard errors; for an exact number 0 when it agrees, infinite when not."""
        difference = self.got - float(self.expected)
        if self.se == 0:
            return 0.0 if abs(difference) < 1e-9 else math.inf
        return difference / self.se


def share(game: str, name: str, expected: Fraction, hits: Any) -> Fact:
    """A probability, from one 0/1 outcome a deal."""
    hits = np.asarray(hits)
    p = float(expected)
    return Fact(game, name, expected, float(hits.mean()), math.sqrt(p * (1 - p) / len(hits)), len(hits))


def mean(game: str, name: str, expected: Fraction, values: Any) -> Fact:
    """A mean, from one value a deal."""
    values = np.asarray(values, float)
    return Fact(
        game, name, expected, float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values))), len(values)
    )


def exact(game: str, name: str, expected: Fraction, got: Fraction) -> Fact:
    """A number that the library computes exactly."""
    return Fact(game, name, expected, float(got), 0.0, 0)


def validate(games: Sequence[str] | str | None = None, *, deals: int = 200_000, seed: int = 1) -> pd.DataFrame:
    """Compare what the library gets with every exact number known for its games.

    Parameters
    ----------
    games : str or list of str, optional
        All games by default.
    deals : int
        Deals behind each number that is simulated.
    seed : int
        Seed of these deals.

    Returns
    -------
    DataFrame
        ``game, fact, expected, got, z, deals, ok``. Among all facts together a z beyond the Bonferroni limit at
        1 in 1,000 is a failure, so that a right library is called wrong once in a thousand seeds.
    """
    import pandas as pd
    from scipy.stats import norm

    from simlib.engine import check_count, check_seed
    from simlib.games import GAMES, get

    check_count("deals", deals, 100)
    names = [games] if isinstance(games, str) else list(games or GAMES)
    found: list[Fact] = []
    for name in names:
        module = importlib.import_module(f"simlib.validation.{get(name).name}")
        found += module.facts(deals, check_seed(seed))
    limit = float(norm.isf(0.001 / (2 * max(1, len(found)))))
    rows = [
        {
            "game": f.game,
            "fact": f.name,
            "expected": float(f.expected),
            "got": f.got,
            "z": round(f.z, 2),
            "deals": f.n or "exact",
            "ok": abs(f.z) <= limit,
        }
        for f in found
    ]
    return pd.DataFrame(rows)
