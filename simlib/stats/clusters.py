"""Means over games clustered by deal: conditional means, and several means estimated on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import (
    Floats,
    Ints,
    as_floats,
    as_integers,
    check_count,
    check_lengths,
    check_open_unit,
    is_integral,
)
from simlib.stats.accumulators import Moments
from simlib.stats.intervals import Estimate, t_estimate

CLUSTERED = "t clustered by deal"


def ratio_interval(totals: ArrayLike, counts: ArrayLike, *, level: float = 0.95, scale: int = 1) -> Estimate:
    """Mean over games of something that happens an unequal number of times a deal, clustered by deal.

    "The mean score of the declarer", "the win rate of games with a bomb": a policy or an event occurs
    ``counts`` times in a deal and adds up to ``totals`` there. The mean is sum(totals) / sum(counts); its
    standard error is the cluster-robust one (Liang and Zeger 1986) with the correction G / (G - 1), where G
    counts the deals in which it occurs at all. It equals that of OLS on a constant with clusters by deal
    (statsmodels, ``use_correction``).

    Parameters
    ----------
    totals
        Shape (deals,): sum over the games of the deal, × ``scale`` if integers.
    counts
        Shape (deals,): how many games those are, integers; 0 is allowed, not everywhere.
    level, scale
        As in `mean_interval`.

    Returns
    -------
    Estimate
        With G - 1 degrees of freedom; ``n_deals`` is G and ``n_games`` the sum of the counts.
    """
    times = as_integers(counts, "counts")
    if times.min() < 0:
        raise ValueError(f"counts: holds {times.min()}; must be 0 or more")
    if not times.any():
        raise ValueError("counts: are all 0, so there is nothing to average")
    if is_integral(totals):
        values = as_integers(totals, "totals")
        check_lengths(totals=values, counts=times)
        pair = Moments.from_values(np.column_stack([values, times * check_count(scale, "scale")]), scale)
        return ratio_means(pair, [0], [1], level=level).estimate(0)
    sums = as_floats(totals, "totals")
    check_lengths(totals=sums, counts=times)
    mean, groups = float(sums.sum() / times.sum()), int(np.count_nonzero(times))
    residual = float(((sums - mean * times) ** 2).sum()) / float(times.sum()) ** 2
    variance = residual * groups / max(groups - 1, 1)
    return t_estimate(mean, variance, groups, int(times.sum()), level=level, df=groups - 1, method=CLUSTERED)


def cluster_interval(values: ArrayLike, deals: ArrayLike, *, level: float = 0.95, scale: int = 1) -> Estimate:
    """`ratio_interval` of a table with one row a game.

    Parameters
    ----------
    values
        Shape (games,): one value a game, × ``scale`` if integers.
    deals
        Shape (games,): the deal of each game, integers in any order.
    level, scale
        As in `mean_interval`.
    """
    labels = as_integers(deals, "deals")
    rows = as_integers(values, "values") if is_integral(values) else as_floats(values, "values")
    check_lengths(values=rows, deals=labels)
    _, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
    totals = np.zeros(len(counts), rows.dtype)
    np.add.at(totals, place, rows)
    return ratio_interval(totals, counts, level=level, scale=scale)


@dataclass(frozen=True, eq=False)
class JointMeans:
    """Several means estimated on the same deals, with their covariance: what a tournament compares.

    Attributes
    ----------
    means
        Shape (k,).
    covariance
        Covariance of the estimates (not of one deal's values), shape (k, k).
    df
        Degrees of freedom of each, shape (k,).
    n_deals, n_games
        Deals in which each occurs, and how often; shape (k,), integers.
    level
        Confidence level of the intervals made from them.
    """

    means: Floats
    covariance: Floats
    df: Ints
    n_deals: Ints
    n_games: Ints
    level: float = 0.95

    def estimate(self, i: int) -> Estimate:
        """The i-th mean with its t interval."""
        return self._t(self.means[i], self.covariance[i, i], i, int(self.n_games[i]))

    def difference(self, i: int, j: int) -> Estimate:
        """Mean i minus mean j, with their covariance by deal; t with the fewer degrees of freedom.

        Antisymmetric, and exactly 0 with se 0 for i = j.
        """
        c = self.covariance
        # Grouped so that exchanging i and j gives the same bits.
        variance = max(0.0, (c[i, i] + c[j, j]) - (c[i, j] + c[j, i]))
        fewer = i if self.df[i] <= self.df[j] else j
        games = int(self.n_games[i] + self.n_games[j])
        return self._t(self.means[i] - self.means[j], variance, fewer, games)

    def _t(self, mean: float, variance: float, which: int, games: int) -> Estimate:
        deals, df = int(self.n_deals[which]), int(self.df[which])
        return t_estimate(float(mean), float(variance), deals, games, level=self.level, df=df, method=CLUSTERED)


def ratio_means(
    moments: Moments, numerators: Sequence[int], denominators: Sequence[int], *, level: float = 0.95
) -> JointMeans:
    """Several ratio means from the same deals, each as in `ratio_interval`, with their covariance by deal.

    Parameters
    ----------
    moments
        Columns of totals and of counts, one row a deal, all at the same scale (a count c is stored as c ×
        scale).
    numerators, denominators
        Column numbers; mean i is the total of column ``numerators[i]`` over that of ``denominators[i]``.
    level
        Confidence level.

    Returns
    -------
    JointMeans
        Covariance (i, j) is the sum over deals of the products of the influences (y - r c) / C, times the
        square root of G_i / (G_i - 1) × G_j / (G_j - 1).
    """
    check_lengths(numerators=numerators, denominators=denominators)
    check_open_unit(level, "level")
    sums, cross = moments.sums, moments.products
    for d in denominators:
        if sums[d] <= 0:
            raise ValueError(f"denominators: column {d} adds up to {sums[d]}; must be above 0")
    pairs = list(zip(numerators, denominators, strict=True))
    deals = np.array([moments.nonzero[d] for d in denominators], np.int64)
    # sum (y - r c)(y' - r' c') with r = Y / C, all × C C', in exact integers: one rounding, no cancellation.
    influence = np.array([[_cross_residual(sums, cross, p, q) for q in pairs] for p in pairs])
    correction = np.sqrt(deals / np.maximum(deals - 1, 1))
    return JointMeans(
        means=np.array([sums[y] / sums[c] for y, c in pairs]),
        covariance=influence * np.outer(correction, correction),
        df=deals - 1,
        n_deals=deals,
        n_games=np.array([sums[c] // moments.scale for _, c in pairs], np.int64),
        level=level,
    )


def _cross_residual(
    sums: tuple[int, ...], cross: tuple[tuple[int, ...], ...], p: tuple[int, int], q: tuple[int, int]
) -> float:
    (y, c), (v, d) = p, q
    exact = (
        cross[y][v] * sums[c] * sums[d]
        - cross[y][d] * sums[c] * sums[v]
        - cross[c][v] * sums[y] * sums[d]
        + cross[c][d] * sums[y] * sums[v]
    )
    return exact / (sums[c] * sums[d]) ** 2
