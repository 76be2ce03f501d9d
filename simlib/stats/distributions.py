"""Distributions of a value over deals: quantiles, distribution functions, and means of weighted samples."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import Floats, as_floats, check_lengths, check_open_unit
from simlib.stats.intervals import Estimate, t_quantile


@dataclass(frozen=True)
class Quantile:
    """A quantile with an interval.

    Attributes
    ----------
    q
        Which quantile, 0…1.
    value
        The sample quantile: the least observed value that a share q of the values does not exceed.
    lo, hi
        The interval, observed values; infinite on a side for which the deals are too few.
    level
        Confidence level: for independent values covered at least so often, whatever their distribution.
    n_deals
        Independent units.
    """

    q: float
    value: float
    lo: float
    hi: float
    level: float
    n_deals: int


def quantile_interval(values: ArrayLike, q: float = 0.5, *, level: float = 0.95) -> Quantile:
    """A quantile and its interval.

    Parameters
    ----------
    values
        Shape (deals,): one value a deal; the interval is the exact one from order statistics and the
        binomial distribution (Thompson 1936), conservative where values are tied. Or shape (deals, games):
        the distribution of a single game, with Woodruff's (1952) interval from the standard error by deal
        of the share of values below.
    q
        Which quantile, strictly between 0 and 1.
    level
        Confidence level.

    Examples
    --------
    >>> quantile_interval(range(1, 101), 0.5)
    Quantile(q=0.5, value=50.0, lo=40.0, hi=61.0, level=0.95, n_deals=100)
    """
    array = as_floats(np.asarray(values), "values", (1, 2))
    check_open_unit(q, "q"), check_open_unit(level, "level")
    ordered, n = np.sort(array, axis=None), len(array)
    below, above = _woodruff_ranks(array, q, level) if array.ndim == 2 else _binomial_ranks(n, q, level)
    lo = float(ordered[below - 1]) if below >= 1 else -math.inf
    hi = float(ordered[above - 1]) if above <= len(ordered) else math.inf
    return Quantile(q, float(np.quantile(ordered, q, method="inverted_cdf")), lo, hi, level, n)


def _binomial_ranks(n: int, q: float, level: float) -> tuple[int, int]:
    """Ranks (from 1) of the order statistics that enclose the quantile; 0 or n + 1 where there is none."""
    from scipy.stats import binom

    tail = (1 - level) / 2
    # P(fewer than l values up to the quantile) < tail, P(at least u of them) <= tail.
    return int(binom.ppf(tail, n, q)), int(binom.isf(tail, n, q)) + 1


def _woodruff_ranks(array: Floats, q: float, level: float) -> tuple[int, int]:
    n, size = len(array), array.size
    if n < 2:
        return 0, size + 1
    value = np.quantile(array, q, method="inverted_cdf")
    share = (array <= value).mean(axis=1)
    reach = t_quantile(level, n - 1) * float(share.std(ddof=1)) / math.sqrt(n)
    return math.ceil(size * (q - reach)), math.ceil(size * (q + reach))


@dataclass(frozen=True, eq=False)
class DistributionBand:
    """An empirical distribution function within a band that holds at all values at once.

    Attributes
    ----------
    x
        Distinct observed values in increasing order, shape (v,).
    cdf, lo, hi
        Share of the values up to x, and the band, 0…1, each of shape (v,).
    level
        Confidence level of the whole band.
    n_deals
        Independent units.
    """

    x: Floats
    cdf: Floats
    lo: Floats
    hi: Floats
    level: float
    n_deals: int


def distribution_band(values: ArrayLike, *, level: float = 0.95) -> DistributionBand:
    """Empirical distribution function with the band of Dvoretzky, Kiefer and Wolfowitz (Massart 1990).

    The half-width is sqrt(log(2 m / alpha) / (2 n)) for n deals of m games each. For m games the inequality
    is applied to each of them (n independent values) and the errors are added up (Bonferroni):
    conservative, as it must be when nothing is known of how the games of a deal depend on each other.

    Parameters
    ----------
    values
        Shape (deals,) or (deals, games).
    level
        Confidence level.
    """
    array = as_floats(values, "values", (1, 2))
    alpha, n = 1 - check_open_unit(level, "level"), len(array)
    reach = math.sqrt(math.log(2 * (array.size // n) / alpha) / (2 * n))
    x, counts = np.unique(array, return_counts=True)
    cdf = np.cumsum(counts) / array.size
    return DistributionBand(x, cdf, np.maximum(cdf - reach, 0), np.minimum(cdf + reach, 1), level, n)


@dataclass(frozen=True)
class WeightedEstimate(Estimate):
    """An estimate from weighted deals.

    Attributes
    ----------
    ess
        Effective sample size (Kish 1965): so many equally weighted deals would know as much. The interval has
        ess - 1 degrees of freedom; below about 30 it is no more than a hint.
    """

    ess: float = math.nan


def weighted_mean(values: ArrayLike, weights: ArrayLike, *, level: float = 0.95) -> WeightedEstimate:
    """Mean under another distribution than the one drawn from: self-normalised importance sampling.

    With m = sum(w y) / sum(w), the variance is sum(w² (y - m)²) / sum(w)² (Owen 2013, chapter 9), here times
    ess / (ess - 1), so that equal weights give the interval of `mean_interval` exactly but for rounding.

    Parameters
    ----------
    values
        Shape (deals,): one value a deal.
    weights
        Shape (deals,): each deal's likelihood up to a common factor, 0 or more, not all 0.
    level
        Confidence level.

    Returns
    -------
    WeightedEstimate
        ``n_deals`` counts the deals of weight above 0. An effective sample size of 1 has an infinite
        interval.
    """
    y, w = as_floats(values, "values"), as_floats(weights, "weights")
    check_lengths(values=y, weights=w)
    if w.min() < 0 or w.max() == 0:
        raise ValueError(f"weights: lie between {w.min():g} and {w.max():g}; must be 0 or more, and not all 0")
    w = w / w.max()  # so that squares neither overflow nor vanish
    share = w / w.sum()
    ess, used = float(1 / (share @ share)), int(np.count_nonzero(w))
    mean, df = float(share @ y), ess - 1
    method, n = "t by weighted deal", len(y)
    if used == 1 or df < 1e-9:
        return WeightedEstimate(mean, math.nan, -math.inf, math.inf, used, n, level, 0.0, method, ess)
    se = math.sqrt(float(share**2 @ (y - mean) ** 2) * ess / df)
    # Student's quantile explodes below one degree of freedom; a wider interval would say no more.
    reach = t_quantile(level, df) * se
    return WeightedEstimate(mean, se, mean - reach, mean + reach, used, n, level, df, method, ess)
