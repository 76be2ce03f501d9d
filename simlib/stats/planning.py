"""What a design is worth, and how many deals it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import (
    Floats,
    as_floats,
    check_lengths,
    check_open_unit,
    check_positive,
)
from simlib.stats.accumulators import Moments
from simlib.stats.intervals import Estimate, t_estimate, t_quantile


def variance_reduction(covariance: ArrayLike, weights: ArrayLike) -> float:
    """How many times more games unpaired play needs for the same standard error.

    The comparison is at equal numbers of games: on one side every deal is played in all its versions
    (variants and seatings), on the other the same versions are played equally often, each game on a deal of
    its own.

    Parameters
    ----------
    covariance
        Shape (k, k): covariance over deals of the values of the k games played on each deal, for instance
        ``Moments.covariance``.
    weights
        Shape (k,): the quantity of interest is the weighted sum of the k values; for a paired difference
        over s seatings 1/s for the games of one variant and -1/s for those of the other.

    Returns
    -------
    float
        sum(w² diag) / (w' covariance w): 4.0 means that a quarter of the games suffices; 1.0 that pairing
        is worth nothing; inf if the paired quantity never varies though the games do; nan if nothing varies
        at all.
    """
    cov, w = as_floats(covariance, "covariance", 2), as_floats(np.asarray(weights, np.float64), "weights")
    if cov.shape != (len(w), len(w)):
        raise ValueError(f"covariance: has shape {cov.shape}; must be {(len(w), len(w))}, square in the weights")
    unpaired, paired = float(w**2 @ np.diag(cov)), float(w @ cov @ w)
    if paired <= 0:
        return math.inf if unpaired > 0 else math.nan
    return unpaired / paired


def variance_reduction_of_games(a: ArrayLike, b: ArrayLike) -> float:
    """`variance_reduction` of the paired difference of two variants, from their games.

    Parameters
    ----------
    a, b
        Shape (deals,) or (deals, seatings), row i the same deal in both; at least two deals.
    """
    first, second = (_columns(values, name) for values, name in ((a, "a"), (b, "b")))
    check_lengths(a=first, b=second)
    if len(first) < 2:
        raise ValueError(f"a, b: hold {len(first)} deal(s); at least 2 needed")
    (s, t), d = (first.shape[1], second.shape[1]), first.mean(axis=1) - second.mean(axis=1)
    unpaired = float(first.var(axis=0, ddof=1).sum() / s**2 + second.var(axis=0, ddof=1).sum() / t**2)
    paired = float(d.var(ddof=1))
    if paired == 0:
        return math.inf if unpaired > 0 else math.nan
    return unpaired / paired


def adjusted_mean(values: ArrayLike, features: ArrayLike, feature_means: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Mean over deals after regression on features whose true means are known (control variates).

    Features of the dealt hand, such as its number of 3s, have exactly known expectations; where they
    happened to come out too high in this sample, the mean is corrected by their least-squares effect
    (Lavenberg and Welch 1981). The features must be chosen before the values are seen.

    Parameters
    ----------
    values
        Shape (deals,).
    features
        Shape (deals,) or (deals, p), p features of each deal.
    feature_means
        Shape (p,) or a number: their known expectations.
    level
        Confidence level.

    Returns
    -------
    Estimate
        The intercept of OLS on the centred features, with its classical standard error and n - 1 - p
        degrees of freedom. The bias is of order 1 / n; with thousands of deals it does not count.

    Raises
    ------
    ValueError
        If features are constant or collinear, or there are not more than p + 1 deals.
    """
    y, x = as_floats(values, "values"), _columns(features, "features")
    check_lengths(values=y, features=x)
    n, p = x.shape
    if n <= p + 1:
        raise ValueError(f"values: hold {n} deal(s); at least {p + 2} needed for {p} feature(s)")
    joined = np.column_stack([y, x])
    return _adjust(joined.mean(axis=0), np.cov(joined, rowvar=False), n, feature_means, level)


def adjusted_moments(
    moments: Moments,
    feature_means: ArrayLike,
    *,
    value: int = 0,
    features: Sequence[int] | None = None,
    level: float = 0.95,
) -> Estimate:
    """`adjusted_mean` from exact statistics, for runs that do not fit into memory.

    Parameters
    ----------
    moments
        Columns of the value and of the features, one row a deal, all stored × the same scale.
    feature_means
        Known expectations of the features, in units of the features.
    value, features
        Column numbers; all other columns are the features if not given.
    level
        Confidence level.
    """
    chosen = [i for i in range(moments.columns) if i != value] if features is None else list(features)
    order = [value, *chosen]
    if moments.n <= len(order):
        raise ValueError(f"moments: hold {moments.n} deal(s); at least {len(order) + 1} needed")
    covariance = moments.covariance[np.ix_(order, order)]
    return _adjust(moments.means[order], covariance, moments.n, feature_means, level)


def deals_needed(
    pilot: Estimate, half_width: float, *, level: float | None = None, assurance: float | None = None
) -> int:
    """How many deals give an interval of this half-width, judging by a pilot.

    Parameters
    ----------
    pilot
        An estimate by deal (mean, difference, adjusted mean, ratio) of the same design, from at least two
        deals.
    half_width
        Half the length wanted, in the units of the estimate.
    level
        Confidence level wanted; that of the pilot if not given.
    assurance
        Without it, the pilot's standard deviation is taken as the truth, and the result falls short about
        half of the time. With it (0.9, say), the upper confidence limit of the variance at this level is
        taken instead (from the chi-squared distribution; Kupper and Hafner 1989), which is right for
        roughly normal values of a deal.

    Returns
    -------
    int
        The least n ≥ 2 with t(n - 1) sd / sqrt(n) ≤ half_width.
    """
    target, wanted = check_positive(half_width, "half_width"), pilot.level if level is None else level
    check_open_unit(wanted, "level")
    if not math.isfinite(pilot.se):
        raise ValueError(f"pilot: has standard error {pilot.se} from {pilot.n_deals} deal(s); at least 2 needed")
    sd = pilot.se * math.sqrt(pilot.n_deals)
    if assurance is not None:
        from scipy.special import chdtri

        df = min(pilot.df, pilot.n_deals - 1)
        sd *= math.sqrt(df / float(chdtri(df, check_open_unit(assurance, "assurance"))))
    lo, hi = 1, 2  # hi suffices in the end, lo never does
    while t_quantile(wanted, hi - 1) * sd > target * math.sqrt(hi):
        lo, hi = hi, 2 * hi
    while hi - lo > 1:
        middle = (lo + hi) // 2
        enough = t_quantile(wanted, middle - 1) * sd <= target * math.sqrt(middle)
        lo, hi = (lo, middle) if enough else (middle, hi)
    return hi


def _columns(values: ArrayLike, name: str) -> Floats:
    array = as_floats(values, name, (1, 2))
    return array[:, None] if array.ndim == 1 else array


def _adjust(means: Floats, covariance: Floats, n: int, feature_means: ArrayLike, level: float) -> Estimate:
    """Adjusted mean from the means and covariance of (value, features)."""
    known = np.atleast_1d(as_floats(feature_means, "feature_means", (0, 1)))
    p = len(means) - 1
    if len(known) != p:
        raise ValueError(f"feature_means: got {len(known)}, must be {p}, one a feature")
    spread = covariance[1:, 1:]
    scale = np.sqrt(np.diag(spread))
    if not scale.all() or np.linalg.cond(spread / np.outer(scale, scale)) > 1e10:
        raise ValueError("features: are constant or collinear in these deals; drop some")
    off = means[1:] - known
    slope, leverage = np.linalg.solve(spread, np.column_stack([covariance[1:, 0], off])).T
    residual = max(0.0, float(covariance[0, 0] - slope @ covariance[1:, 0])) * (n - 1) / (n - 1 - p)
    variance = residual * (1 / n + float(off @ leverage) / (n - 1))
    mean = float(means[0] - slope @ off)
    return t_estimate(mean, variance, n, n, level=level, df=n - 1 - p, method=f"t by deal, adjusted for {p} feature(s)")
