"""Several comparisons at once, and rankings in which what cannot be told apart is tied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.stats._check import Floats, Ints, as_floats, check_count, check_open_unit
from simlib.stats.clusters import JointMeans
from simlib.stats.intervals import Estimate, t_estimate

Bools = NDArray[np.bool_]


def holm(p_values: ArrayLike) -> Floats:
    """p-values adjusted for their number (Holm 1979), through statsmodels.

    Rejecting those of at most alpha keeps the chance of any false rejection at alpha, whatever their
    dependence.

    Parameters
    ----------
    p_values
        Shape (k,), each in 0…1. None at all is allowed.

    Returns
    -------
    ndarray
        Shape (k,), never below the given p-values, at most 1.
    """
    p = np.asarray(p_values, np.float64)
    if p.size == 0:
        return np.empty(0)
    as_floats(p, "p_values")
    if p.min() < 0 or p.max() > 1:
        raise ValueError(f"p_values: lie between {p.min()} and {p.max()}; must lie in 0…1")
    from statsmodels.stats.multitest import multipletests

    adjusted: Floats = multipletests(p, method="holm")[1]
    return adjusted


def split_alpha(alpha: float, variants: int) -> float:
    """Error probability for each of several sequential tests that together keep alpha (Bonferroni).

    Holm's steps need all p-values at one time, which tests that stop at different deals do not have.
    """
    return check_open_unit(alpha, "alpha") / check_count(variants, "variants")


def simultaneous(estimates: Sequence[Estimate], level: float = 0.95) -> list[Estimate]:
    """The same t-based estimates with wider intervals that all hold at once (Bonferroni).

    Raises
    ------
    ValueError
        For a Wilson interval or a confidence sequence: compute those anew at the level ``1 - (1 - level) /
        k``.
    """
    if not estimates:
        return []
    for e in estimates:
        if not e.method.startswith("t "):
            raise ValueError(f"estimates: hold one by {e.method!r}; must all be t intervals")
    each = 1 - split_alpha(1 - check_open_unit(level, "level"), len(estimates))
    return [t_estimate(e.mean, e.se**2, e.n_deals, e.n_games, level=each, df=e.df, method=e.method) for e in estimates]


def indistinguishable(separated: ArrayLike) -> list[tuple[int, ...]]:
    """The maximal sets of items of which no two are separated.

    Sets overlap: a may not be told apart from b, nor b from c, while a and c are. They are the maximal
    cliques of the graph of pairs not separated (Bron and Kerbosch 1973), the letters of a compact letter
    display (Piepho 2004).

    Parameters
    ----------
    separated
        Shape (k, k), symmetric, true where items i and j differ: ``(lo > 0) | (hi < 0)`` for intervals of
        their difference, or ``Pairwise.separated``.

    Returns
    -------
    list of tuple of int
        Each set in increasing order, the sets in lexicographic order; every item is in at least one.
    """
    apart = np.asarray(separated)
    if apart.ndim != 2 or apart.shape[0] != apart.shape[1]:
        raise ValueError(f"separated: has shape {apart.shape}; must be square")
    if apart.dtype != np.bool_ or not np.array_equal(apart, apart.T) or apart.diagonal().any():
        raise ValueError("separated: must be a symmetric array of truth values, false on the diagonal")
    near = [{int(j) for j in np.flatnonzero(~row)} - {i} for i, row in enumerate(apart)]
    found: list[tuple[int, ...]] = []

    def extend(chosen: set[int], open_: set[int], done: set[int]) -> None:
        if not open_ and not done:
            found.append(tuple(sorted(chosen)))
            return
        pivot = max(open_ | done, key=lambda item: (len(near[item] & open_), -item))
        for item in sorted(open_ - near[pivot]):
            extend(chosen | {item}, open_ & near[item], done & near[item])
            open_ = open_ - {item}
            done = done | {item}

    if near:
        extend(set(), set(range(len(near))), set())
    return sorted(found)


def ranks(means: ArrayLike) -> Ints:
    """Places from the highest mean down; equal means share the better place (1, 2, 2, 4)."""
    from scipy.stats import rankdata

    places: Ints = rankdata(-as_floats(means, "means"), method="min").astype(np.int64)
    return places


@dataclass(frozen=True, eq=False)
class Pairwise:
    """All pairwise differences of several means on the same deals.

    Attributes
    ----------
    difference, lo, hi
        Shape (k, k): mean i minus mean j with intervals that hold for all pairs at once (Bonferroni).
        Antisymmetric.
    p
        Shape (k, k): Holm-adjusted p over the k (k - 1) / 2 pairs; symmetric, 1 on the diagonal.
    level
        Simultaneous confidence level.
    """

    difference: Floats
    lo: Floats
    hi: Floats
    p: Floats
    level: float

    @property
    def separated(self) -> Bools:
        """Shape (k, k): the pairs whose adjusted p is below 1 - level."""
        return self.p < 1 - self.level

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The maximal sets that cannot be told apart."""
        return indistinguishable(self.separated)


def pairwise(means: JointMeans, level: float = 0.95) -> Pairwise:
    """Differences of every pair, simultaneous intervals and adjusted p-values.

    Holm's p decides which pairs are separated; it is at least as sharp as the Bonferroni intervals, so that
    an interval may contain 0 where p is just below 1 - level, never the reverse.

    Parameters
    ----------
    means
        From `ratio_means`.
    level
        Level at which all intervals hold at once.
    """
    k = len(means.means)
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    single = [means.difference(i, j) for i, j in pairs]
    adjusted = holm([e.p_value() for e in single])
    difference, lo, hi, p = (np.zeros((k, k)) for _ in range(4))
    np.fill_diagonal(p, 1.0)
    for (i, j), e, adjusted_p in zip(pairs, simultaneous(single, level), adjusted, strict=True):
        difference[i, j], lo[i, j], hi[i, j] = e.mean, e.lo, e.hi
        difference[j, i], lo[j, i], hi[j, i] = -e.mean, -e.hi, -e.lo
        p[i, j] = p[j, i] = adjusted_p
    return Pairwise(difference, lo, hi, p, check_open_unit(level, "level"))
