"""Wald's sequential probability ratio test for a mean by deal, with the variance estimated on the way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import Floats, check_number, check_open_unit
from simlib.stats.accumulators import Histogram

Outcome = Literal["h0", "h1"]


def sprt_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Where H0 and H1 are accepted: log(beta / (1 - alpha)) and log((1 - beta) / alpha) of likelihood ratio.

    Parameters
    ----------
    alpha, beta
        Probabilities of accepting H1 under H0, and H0 under H1 (Wald 1945); their sum must be below 1.
    """
    a, b = check_open_unit(alpha, "alpha"), check_open_unit(beta, "beta")
    if a + b >= 1:
        raise ValueError(f"alpha={alpha!r}, beta={beta!r}: must add up to less than 1")
    return math.log(b / (1 - a)), math.log((1 - b) / a)


def mean_llr(n: ArrayLike, mean: ArrayLike, mean_square: ArrayLike, h0: float, h1: float) -> Floats:
    """Generalised log-likelihood ratio of two means of a normal distribution with unknown variance.

    n / 2 × log(S(h0) / S(h1)), S(h) = mean of (x - h)²: each hypothesis with its own best variance.

    Parameters
    ----------
    n, mean, mean_square
        Deals, mean and mean of squares (not centred) of the values; any one shape.
    h0, h1
        The means under the two hypotheses.

    Returns
    -------
    ndarray
        Positive in favour of ``h1``; 0 where all values are 0.
    """
    m, q = np.asarray(mean, np.float64), np.asarray(mean_square, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        spreads = [np.maximum(q - 2 * h * m + h * h, 0.0) for h in (h0, h1)]
        llr = np.asarray(n) / 2 * (np.log(spreads[0]) - np.log(spreads[1]))
    result: Floats = np.where(q > 0, llr, 0.0)
    return result


def effect_llr(n: ArrayLike, mean: ArrayLike, mean_square: ArrayLike, h0: float, h1: float) -> Floats:
    """As `mean_llr`, for hypotheses about the mean in standard deviations of a deal (like normalised Elo).

    For a given effect t the likelihood is highest at 1 / sigma = (t m + sqrt(t² m² + 4 q)) / (2 q), with m
    the mean and q the mean square.
    """
    m, q = np.asarray(mean, np.float64), np.asarray(mean_square, np.float64)

    def best(t: float) -> Floats:
        u = (t * m + np.sqrt(t * t * m * m + 4 * q)) / (2 * q)
        likelihood: Floats = np.log(u) - q * u * u / 2 + t * m * u - t * t / 2
        return likelihood

    with np.errstate(divide="ignore", invalid="ignore"):
        llr = np.asarray(n) * (best(h1) - best(h0))
    result: Floats = np.where(q > 0, llr, 0.0)
    return result


@dataclass(frozen=True)
class Sprt:
    """Sequential probability ratio test of H0: mean ≤ ``h0`` against H1: mean ≥ ``h1``.

    The generalised SPRT with normal approximation that chess-engine testers use, on the values of deals: a
    paired difference of scores or of win shares. Its error probabilities hold approximately, for small |h1
    - h0| in standard deviations; looks on a grid rather than after every deal make it err less. Sources:
    Wald 1945; Li, Liu and Ying 2014 ("Generalized sequential probability ratio test for separate families
    of hypotheses"); Van den Bergh 2020, "Comments on Normalized Elo".

    Attributes
    ----------
    h0, h1
        Means under the hypotheses, h0 < h1, in units of the values, or of their standard deviation.
    alpha, beta
        Probabilities of accepting H1 under H0, and H0 under H1. Divide both among several variants.
    unit
        ``"value"`` or ``"sd"``: what h0 and h1 are given in.
    max_share
        Undecided until no single deal has a larger part in the sum of squares about the mean, as in
        `NormalMixture`.
    """

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    unit: Literal["value", "sd"] = "value"
    max_share: float = 0.04

    def __post_init__(self) -> None:
        if not check_number(self.h0, "h0") < check_number(self.h1, "h1"):
            raise ValueError(f"h0={self.h0!r}, h1={self.h1!r}: h0 must be below h1")
        sprt_bounds(self.alpha, self.beta)
        if self.unit not in ("value", "sd"):
            raise ValueError(f"unit={self.unit!r}: must be 'value' or 'sd'")
        check_open_unit(self.max_share, "max_share")

    def llr(self, deals: Histogram) -> float:
        """Log-likelihood ratio after these deals."""
        moments = deals.moments()
        if moments.n == 0:
            return 0.0
        n, scale = moments.n, moments.scale
        mean, square = moments.sums[0] / (n * scale), moments.products[0][0] / (n * scale**2)
        ratio = mean_llr if self.unit == "value" else effect_llr
        return float(ratio(n, mean, square, self.h0, self.h1))

    def decide(self, deals: Histogram) -> Outcome | None:
        """``"h0"`` or ``"h1"`` if one is accepted after these deals, else None."""
        if deals.largest_share > self.max_share:
            return None
        llr, (accept_h0, accept_h1) = self.llr(deals), sprt_bounds(self.alpha, self.beta)
        return "h0" if llr <= accept_h0 else "h1" if llr >= accept_h1 else None
