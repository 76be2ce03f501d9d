"""Intervals for a number of deals that was fixed beforehand.

None of them may be looked at again and again until it pleases: see ``sequences`` for those that may.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Self

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
from simlib.stats.accumulators import Moments, Weight


@dataclass(frozen=True)
class Estimate:
    """An estimate with its interval and what it rests on.

    Attributes
    ----------
    mean
        The point estimate, in the units of the values.
    se
        Its standard error; nan where the deals cannot tell (a single deal).
    lo, hi
        The interval; infinite where the deals cannot tell.
    n_deals
        Independent units: deals.
    n_games
        Games (or values) that went into them.
    level
        Confidence level of the interval.
    df
        Degrees of freedom of Student's t behind it; infinite for the normal distribution.
    method
        What the interval is, in words.
    """

    mean: float
    se: float
    lo: float
    hi: float
    n_deals: int
    n_games: int
    level: float = 0.95
    df: float = math.inf
    method: str = "t by deal"

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.hi - self.lo) / 2

    def excludes(self, value: float = 0.0) -> bool:
        """Whether the interval does not contain a value."""
        return not self.lo <= value <= self.hi

    def p_value(self, value: float = 0.0) -> float:
        """Two-sided p of the hypothesis that the true mean is ``value``, from Student's t of mean and se.

        1.0 where the standard error is unknown, or where it is 0 and the estimate is ``value`` itself.

        Raises
        ------
        ValueError
            Unless the interval is by t: confidence sequences have p-values of their own.
        """
        from scipy.special import stdtr

        if not self.method.startswith("t "):
            raise ValueError(f"p_value: needs an interval by t, not {self.method!r}")
        distance = abs(self.mean - value)
        if math.isnan(self.se) or distance == 0:
            return 1.0
        return float(2 * stdtr(self.df, -distance / self.se)) if self.se > 0 else 0.0

    def as_dict(self) -> dict[str, float | int | str]:
        """The attributes by name."""
        return asdict(self)

    def __neg__(self) -> Self:
        """The estimate of the negated values."""
        return replace(self, mean=-self.mean, lo=-self.hi, hi=-self.lo)

    def __str__(self) -> str:
        digits = 4 if not math.isfinite(self.half_width) or self.half_width == 0 else _digits(self.half_width)
        low, mean, high = (f"{x:.{digits}f}" for x in (self.lo, self.mean, self.hi))
        return f"{mean} [{low}, {high}] ({self.level:.4g} level, {self.n_deals:,} deals, {self.n_games:,} games)"


def t_quantile(level: float, df: float) -> float:
    """Factor of the standard error in a two-sided interval: Student's t, the normal for infinite ``df``."""
    from scipy.special import ndtri, stdtrit

    upper = 0.5 + check_open_unit(level, "level") / 2
    return float(ndtri(upper)) if math.isinf(df) else float(stdtrit(df, upper))


def t_estimate(
    mean: float,
    variance: float,
    n_deals: int,
    n_games: int,
    *,
    level: float = 0.95,
    df: float,
    method: str = "t by deal",
) -> Estimate:
    """The interval ``mean ± t sqrt(variance)``; infinite without degrees of freedom.

    Parameters
    ----------
    mean, variance
        The estimate and the variance of that estimate (not of one deal).
    """
    if not df > 0:
        check_open_unit(level, "level")
        return Estimate(mean, math.nan, -math.inf, math.inf, n_deals, n_games, level, 0.0, method)
    se = math.sqrt(variance)
    reach = t_quantile(level, df) * se
    return Estimate(mean, se, mean - reach, mean + reach, n_deals, n_games, level, df, method)


def linear_interval(
    moments: Moments, weights: Sequence[Weight] = (1,), *, level: float = 0.95, n_games: int | None = None
) -> Estimate:
    """Mean over deals of a weighted sum of columns, with a t interval (Student 1908).

    Parameters
    ----------
    moments
        Exact statistics of k columns, one row a deal.
    weights
        k weights: ``(1,)`` for the mean of a column, ``(1, -1)`` for a paired difference,
        ``(Fraction(1, 3),) * 3`` for the mean over three seatings.
    level
        Confidence level.
    n_games
        Games behind the deals; one a deal and column used, if not given.

    Returns
    -------
    Estimate
        With n - 1 degrees of freedom. It depends on the deals alone, never on how they were chunked.
    """
    mean, variance = moments.combine(weights)
    games = moments.n * sum(1 for w in weights if w) if n_games is None else n_games
    n = moments.n
    return t_estimate(float(mean), float(variance / n), n, games, level=level, df=n - 1)


def mean_interval(values: ArrayLike, *, level: float = 0.95, scale: int = 1, n_games: int | None = None) -> Estimate:
    """Mean of one value a deal, with a t interval.

    Parameters
    ----------
    values
        Shape (deals,), or (deals, seatings), which is averaged over seatings first. Integers are added
        exactly.
    level
        Confidence level.
    scale
        Denominator of integer values: a stored v means v / scale.
    n_games
        Games behind the deals; the number of values, if not given.

    Raises
    ------
    TypeError, ValueError
        If the values are not finite numbers, or there are none.

    Examples
    --------
    >>> print(mean_interval([3, 5, 4, 8]))
    5.0 [1.6, 8.4] (0.95 level, 4 deals, 4 games)
    """
    sums, seatings = _deal_sums(values, "values")
    games = len(sums) * seatings if n_games is None else n_games
    return _interval(sums, check_count(scale, "scale") * seatings, level, games)


def paired_difference(
    a: ArrayLike, b: ArrayLike, *, level: float = 0.95, scale: int = 1, n_games: int | None = None
) -> Estimate:
    """Mean over deals of ``a - b``, both played on the same deals, with a t interval.

    The shared luck of the deal cancels in each difference, which no interval of the two means alone would
    show. ``paired_difference(b, a)`` is the exact negation, and a policy against itself gives 0 with se 0.

    Parameters
    ----------
    a, b
        Shape (deals,) or (deals, seatings), row i the same deal in both. The numbers of seatings may differ.
    level, scale, n_games
        As in `mean_interval`.
    """
    (first, s), (second, t) = _deal_sums(a, "a"), _deal_sums(b, "b")
    check_lengths(a=first, b=second)
    games = len(first) * (s + t) if n_games is None else n_games
    return _interval(first * t - second * s, check_count(scale, "scale") * s * t, level, games)


def wilson_interval(successes: int, trials: int, *, level: float = 0.95) -> Estimate:
    """A probability from independent 0/1 outcomes, one a deal (Wilson 1927).

    Parameters
    ----------
    successes, trials
        Counts. The outcomes must be those of different deals: games that share a deal are not independent,
        and `mean_interval` or `ratio_interval` is right for them.
    level
        Confidence level.

    Returns
    -------
    Estimate
        ``mean`` is successes / trials; the interval is Wilson's, which is not centred on it and stays
        within 0…1.
    """
    n = check_count(trials, "trials")
    k = check_count(successes, "successes", least=0)
    if k > n:
        raise ValueError(f"successes={successes!r}: must not exceed trials={trials!r}")
    z2, p = t_quantile(level, math.inf) ** 2, k / n
    centre = (k + z2 / 2) / (n + z2)
    reach = math.sqrt(z2 * (k * (n - k) / n + z2 / 4)) / (n + z2)
    lo = 0.0 if k == 0 else max(0.0, centre - reach)
    hi = 1.0 if k == n else min(1.0, centre + reach)
    return Estimate(p, math.sqrt(p * (1 - p) / n), lo, hi, n, n, level, math.inf, "Wilson")


def _deal_sums(values: ArrayLike, name: str) -> tuple[Ints | Floats, int]:
    """Sum of each deal's values over its seatings, and how many seatings there are."""
    array = as_integers(values, name, (1, 2)) if is_integral(values) else as_floats(values, name, (1, 2))
    columns = array[:, None] if array.ndim == 1 else array
    if array.dtype == np.int64 and max(int(array.max()), -int(array.min())) >= 2**40:
        raise ValueError(f"{name}: holds integers of 2**40 or more; give floats, or a smaller scale")
    return columns.sum(axis=1), columns.shape[1]


def _interval(sums: Ints | Floats, divisor: int, level: float, games: int) -> Estimate:
    games = check_count(games, "n_games")
    if sums.dtype == np.int64:
        return linear_interval(Moments.from_values(sums, divisor), level=level, n_games=games)
    values, n = sums / divisor, len(sums)
    variance = float(values.var(ddof=1)) / n if n > 1 else 0.0
    return t_estimate(float(values.mean()), variance, n, games, level=level, df=n - 1)


def _digits(half_width: float) -> int:
    """Decimals that show two digits of a half-width."""
    return max(0, 1 - math.floor(math.log10(half_width)))
