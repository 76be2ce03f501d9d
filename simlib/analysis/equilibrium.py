"""Mixed equilibria of the empirical game whose moves are policies."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Equilibrium:
    """A symmetric mixed equilibrium: everybody draws a policy with these probabilities, nobody gains by another.

    Attributes
    ----------
    policies : tuple of str
    probabilities : tuple of float
    payoffs : tuple of float
        What each policy earns when all others draw from the equilibrium.
    value : float
        What the equilibrium earns.
    regret : float
        What the best single policy would gain; 0 up to rounding in an exact equilibrium.
    method : str
        How it was found.
    """

    policies: tuple[str, ...]
    probabilities: tuple[float, ...]
    payoffs: tuple[float, ...]
    value: float
    regret: float
    method: str

    @property
    def table(self) -> pd.DataFrame:
        """One row a policy: probability, pay-off, and what it falls short of the best."""
        import pandas as pd

        best = max(self.payoffs)
        return pd.DataFrame(
            {
                "policy": self.policies,
                "probability": self.probabilities,
                "payoff": self.payoffs,
                "shortfall": [best - p for p in self.payoffs],
            }
        )

    def __repr__(self) -> str:
        parts = [f"{p:.3f} {name}" for name, p in zip(self.policies, self.probabilities, strict=True) if p > 5e-4]
        return f"<equilibrium: {' + '.join(parts)}; regret {self.regret:.2g}>"


def _tensor(k: int, players: int, payoff: Callable[[Sequence[int], int], float]) -> Array:
    """Pay-off of the first policy for every choice of all: shape (k,) * players."""
    out = np.zeros((k,) * players)
    for who in range(k):
        for others in itertools.combinations_with_replacement(range(k), players - 1):
            value = payoff([who, *others], who)
            for order in set(itertools.permutations(others)):
                out[(who, *order)] = value
    return out


def _earned(tensor: Array, x: Array) -> Array:
    """What each policy earns when every other seat draws from x."""
    for _ in range(tensor.ndim - 1):
        tensor = tensor @ x
    return tensor


def symmetric_equilibrium(
    policies: Sequence[str], players: int, payoff: Callable[[Sequence[int], int], float]
) -> Equilibrium:
    """Find a symmetric mixed equilibrium; one exists in every symmetric game (Nash 1951).

    Parameters
    ----------
    policies : sequence of str
    players : int
    payoff : callable
        ``payoff(line_up, who)``: what policy `who` earns in a line-up that holds it.

    Notes
    -----
    Two players: nashpy's support enumeration, the symmetric equilibrium with the most even probabilities. More: the
    equations "all policies in use earn the same" are solved by scipy for every support, smallest supports first.
    """
    k = len(policies)
    tensor = _tensor(k, players, payoff)
    if players == 2:
        x, method = _two_players(tensor), "nashpy, support enumeration"
    else:
        x, method = None, ""
    if x is None:
        x, method = _by_support(tensor), "scipy, equations by support"
    earned = _earned(tensor, x)
    value = float(earned @ x)
    regret = float(earned.max() - value)
    return Equilibrium(tuple(policies), tuple(map(float, x)), tuple(map(float, earned)), value, regret, method)


def _two_players(matrix: Array) -> Array | None:
    """Return a symmetric equilibrium of the two-player game, or None when the enumeration finds none."""
    import warnings

    import nashpy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate games: the regret is reported anyway
        pairs = list(nashpy.Game(matrix, matrix.T).support_enumeration(tol=1e-12))
    found = [x for x, y in pairs if np.allclose(x, y, atol=1e-9)]
    return max(found, key=lambda x: -np.sum(x[x > 0] * np.log(x[x > 0]))) if found else None


def _by_support(tensor: Array) -> Array:
    """Try supports of growing size; return the first solution that no other policy beats, else that of least regret."""
    from scipy.optimize import root

    k = tensor.shape[0]
    best, least = np.full(k, 1 / k), np.inf
    for size in range(1, k + 1):
        for support in itertools.combinations(range(k), size):
            places = list(support)

            def excess(w: Array, places: list[int] = places) -> Array:
                x = np.zeros(k)
                x[places] = w
                earned = _earned(tensor, x)[places]
                return np.concatenate([earned[1:] - earned[0], [w.sum() - 1]])

            w = np.ones(1) if size == 1 else root(excess, np.full(size, 1 / size), tol=1e-13).x
            if (w < -1e-9).any() or abs(w.sum() - 1) > 1e-6:
                continue
            x = np.zeros(k)
            x[places] = np.clip(w, 0, None) / np.clip(w, 0, None).sum()
            earned = _earned(tensor, x)
            regret = float(earned.max() - earned @ x)
            if regret < least - 1e-12:
                best, least = x, regret
            if least < 1e-9:
                return best
    return best
