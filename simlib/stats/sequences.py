"""Confidence sequences: intervals for a mean that hold at every number of deals at once.

Whoever watches one and stops when it pleases still misses the truth with at most probability alpha over the
whole watch. Two kinds, and what each may honestly be used for:

`BettingSequence`
    When the values of a deal have known bounds (win shares, their differences, capped penalties). No
    approximation: valid for every distribution within the bounds and from the first deal on.
`NormalMixture`
    When no useful bounds are known (scores). Valid asymptotically, as the first look moves to more and more
    deals, for any distribution with slightly more than two moments. The deals are independent and alike by
    construction, so that is all it assumes; but at the first looks it is as good as a normal interval at so
    many deals is.

Both depend on the deals so far as a set, never on their order or chunks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import Floats, check_count, check_number, check_open_unit
from simlib.stats.accumulators import Histogram
from simlib.stats.intervals import Estimate

#: Fractions of the stake that are bet, all at once: a geometric grid, since the best one falls as 1 /
#: sqrt(deals) and lies between those for a fair coin and for an event of probability 1e-4 at up to 1e8
#: deals.
FRACTIONS: Floats = np.array([0.9, *(0.5**k for k in range(1, 21))])


class ConfidenceSequence(Protocol):
    """Anything that turns the deals so far into an interval that holds at all times."""

    @property
    def alpha(self) -> float:
        """Bound of the probability of ever missing the truth."""
        ...

    def interval(self, deals: Histogram) -> Estimate:
        """The interval after these deals."""
        ...

    def p_value(self, deals: Histogram, value: float = 0.0) -> float:
        """Two-sided p of the mean ``value``, valid at any time: up to alpha where the interval excludes it."""
        ...


@dataclass(frozen=True)
class NormalMixture:
    """Asymptotic confidence sequence for a mean: Robbins' normal mixture with the sample variance.

    After n deals the half-width is sd × `mixture_radius`. Source: Robbins 1970; Waudby-Smith, Arbour,
    Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit theory and asymptotic confidence sequences".

    Attributes
    ----------
    alpha
        Bound of the probability of ever missing the mean, for a first look at many deals.
    tight_at
        Number of deals at which the half-width is the smallest possible (about 3.0 standard errors at alpha
        0.05); a tenfold number of deals either way costs 7 % and 26 %. To be fixed before looking.
    max_share
        The interval is infinite until no single deal has a larger part in the sum of squares about the
        mean. Two variants that seldom differ agree on all of the first deals, whose variance of 0 would
        otherwise pass for certainty; a few rare high scores make an average that is far from normal.
        Leaving looks out cannot make a sequence miss more often. What no rule can see is an event so rare
        that it has not happened by the first look: its size is only covered by `BettingSequence`.
    """

    alpha: float = 0.05
    tight_at: int = 5_000
    max_share: float = 0.04

    def __post_init__(self) -> None:
        check_open_unit(self.alpha, "alpha")
        check_count(self.tight_at, "tight_at")
        check_open_unit(self.max_share, "max_share")

    def interval(self, deals: Histogram) -> Estimate:
        """The interval after these deals (at least one)."""
        mean, variance = deals.moments().combine((1,))
        n, sd = deals.n, math.sqrt(variance)
        told = deals.largest_share <= self.max_share
        reach = sd * float(mixture_radius(n, self.alpha, self.tight_at)) if told else math.inf
        se = sd / math.sqrt(n) if n > 1 else math.nan
        m, method = float(mean), "asymptotic confidence sequence"
        return Estimate(m, se, m - reach, m + reach, n, n, 1 - self.alpha, math.inf, method)

    def p_value(self, deals: Histogram, value: float = 0.0) -> float:
        """Two-sided p of the mean ``value``, valid at any time: up to alpha where the interval excludes it.

        The inverse of the mixture martingale; 1 while the interval is infinite.
        """
        if deals.largest_share > self.max_share:
            return 1.0
        mean, variance = deals.moments().combine((1,))
        n, r = deals.n, mixture_variance(self.alpha, self.tight_at)
        log_p = 0.5 * math.log(n * r + 1) - (n * (float(mean) - value)) ** 2 * r / (2 * float(variance) * (n * r + 1))
        return math.exp(min(0.0, log_p))


def mixture_radius(n: ArrayLike, alpha: float, tight_at: float) -> Floats:
    """Half-width of the normal-mixture confidence sequence for standard deviation 1 after ``n`` deals.

    sqrt((n r + 1) / (n² r) × log((n r + 1) / alpha²)), where r is the `mixture_variance`.

    Parameters
    ----------
    n
        Numbers of deals, any shape.
    alpha
        Probability of ever missing.
    tight_at
        Number of deals of the smallest half-width in standard errors.
    """
    count = np.asarray(n, np.float64)
    scaled = count * mixture_variance(alpha, tight_at)
    radius: Floats = np.sqrt((scaled + 1) / (scaled * count) * np.log((scaled + 1) / alpha**2))
    return radius


def mixture_variance(alpha: float, tight_at: float) -> float:
    """Variance r of the mixture that makes the radius smallest, in standard errors, at ``tight_at`` deals."""
    from scipy.special import lambertw

    # With u = n r + 1 the squared radius in standard errors is u / (u - 1) log(u / alpha²), which is
    # smallest where u - log u = 1 - log alpha².
    return (-float(lambertw(-(alpha**2) / math.e, k=-1).real) - 1) / tight_at


@dataclass(frozen=True)
class BettingSequence:
    """Confidence sequence for the mean of values with known bounds; valid at every n, without approximation.

    For a candidate mean m and values x of at least a, the stake of a gambler who always bets the fraction f
    on x being above m grows as the product of 1 - f + f (x - a) / (m - a). If m is the true mean, that is a
    martingale, and so is the average over several f; by Ville's inequality it ever reaches 2 / alpha with
    probability at most alpha / 2. Candidates at which it does are excluded from below, and likewise from
    above. With fixed fractions the stake does not depend on the order of the deals, only on how often each
    value occurred.

    Source: Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting";
    mixtures of constant bets are those of universal portfolios (Cover 1991; Orabona and Jun 2024).

    Attributes
    ----------
    lower, upper
        The bounds, in units of the values. Nothing is lost by wide ones once there are many more deals than
        (upper - lower)² / variance.
    alpha
        Bound of the probability of ever missing the mean.
    """

    lower: float
    upper: float
    alpha: float = 0.05

    def __post_init__(self) -> None:
        check_open_unit(self.alpha, "alpha")
        if not check_number(self.lower, "lower") < check_number(self.upper, "upper"):
            raise ValueError(f"lower={self.lower!r}, upper={self.upper!r}: lower must be below upper")

    def interval(self, deals: Histogram) -> Estimate:
        """The interval after these deals (at least one).

        Raises
        ------
        ValueError
            If a value lies outside the bounds, so that the sequence would not be valid.
        """
        mean, variance = deals.moments().combine((1,))
        values = self._checked(deals)
        n, m = deals.n, float(mean)
        lo = self.lower + _excluded(values - self.lower, deals.counts, self.alpha / 2)
        hi = self.upper - _excluded(self.upper - values[::-1], deals.counts[::-1], self.alpha / 2)
        # Rounding of the bounds' arithmetic must not push the mean out of its own interval.
        lo, hi = min(max(lo, self.lower), m), max(min(hi, self.upper), m)
        se = math.sqrt(variance / n) if n > 1 else math.nan
        return Estimate(m, se, lo, hi, n, n, 1 - self.alpha, math.inf, "confidence sequence by betting")

    def p_value(self, deals: Histogram, value: float = 0.0) -> float:
        """Two-sided p of the mean ``value``, valid at any time: up to alpha where the interval excludes it."""
        values, v = self._checked(deals), check_number(value, "value")
        if not self.lower < v < self.upper:
            # Only values that all sit on the bound can have their mean there.
            return 1.0 if bool(np.all(values == v)) else 0.0
        up = log_wealth(values - self.lower, deals.counts, v - self.lower)
        down = log_wealth(self.upper - values, deals.counts, self.upper - v)
        return min(1.0, 2 * math.exp(-max(float(up), float(down))))

    def _checked(self, deals: Histogram) -> Floats:
        values = deals.values / deals.scale
        if values[0] < self.lower or values[-1] > self.upper:
            span, allowed = f"{values[0]:g} to {values[-1]:g}", f"{self.lower:g}…{self.upper:g}"
            raise ValueError(f"deals: hold values from {span}; must lie in {allowed}")
        return values


def log_wealth(excess: ArrayLike, counts: ArrayLike, candidate: float) -> Floats:
    """Logarithm of the stake of the mixed bets on a mean above ``candidate``, from a stake of 1.

    Parameters
    ----------
    excess
        Shape (v,): distinct values minus their lower bound, all ≥ 0.
    counts
        Shape (..., v): how often each occurred.
    candidate
        Candidate mean minus the lower bound, above 0.

    Returns
    -------
    ndarray
        Shape (...): decreasing in ``candidate``, at most 0 at the sample mean.
    """
    from scipy.special import logsumexp

    growth = np.log1p(np.multiply.outer(np.asarray(excess, np.float64) / candidate - 1, FRACTIONS))
    wealth: Floats = logsumexp(np.asarray(counts) @ growth, axis=-1) - math.log(len(FRACTIONS))
    return wealth


def _excluded(excess: Floats, counts: ArrayLike, alpha: float) -> float:
    """The largest candidate (minus the lower bound) that is excluded, rounded downwards by 1e-12 of it."""
    from scipy.optimize import brentq

    weights = np.asarray(counts, np.float64)
    top = float(weights @ excess / weights.sum())
    needed = -math.log(alpha)
    bottom = top
    # Halving finds a candidate that is excluded; none is when all values sit on the bound.
    while bottom > 0 and log_wealth(excess, weights, bottom) < needed:
        bottom /= 2
        if bottom < 1e-15 * max(top, 1e-300):
            return 0.0
    if bottom == 0:
        return 0.0
    root = brentq(lambda c: float(log_wealth(excess, weights, c)) - needed, bottom, top, xtol=1e-300, rtol=1e-13)
    return float(root) * (1 - 1e-12)
