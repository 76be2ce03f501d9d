"""Elo, normalised Elo and their sequential test, as chess-engine testers compute them.

Counts are of units (deals) with g games each, by score: from all lost to all won in 2 g + 1 equal steps.
Three counts (loss, draw, win) are single games, the trinomial model; five are pairs of games, the
pentanomial one. Units are independent, the games of a unit need not be. Source: Van den Bergh 2020,
"Comments on Normalized Elo", to which the numbers below refer; the conventions are those of the fastchess
match runner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import Floats, as_floats, check_number
from simlib.stats.intervals import t_quantile

#: Normalised Elo of an effect of one standard deviation of a game.
NELO = 800 / math.log(10)
#: Largest effect that `elo_llr` is solved for, in standard deviations of a unit.
MOST = 2.8


@dataclass(frozen=True)
class Elo:
    """Strength difference from match results; ± errors are half-widths at ``level``.

    Attributes
    ----------
    elo, elo_error
        Logistic Elo, and half the length of the interval of the score on the Elo scale.
    nelo, nelo_error
        Normalised Elo: the mean score in standard deviations of a game, × 800 / log 10.
    los
        Likelihood of superiority: the normal probability of a score above one half, 0…1.
    score
        Mean score of a game, 0…1.
    units
        Independent units counted.
    level
        Confidence level.
    """

    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    los: float
    score: float
    units: int
    level: float = 0.95


def elo_from_counts(counts: ArrayLike, *, level: float = 0.95) -> Elo:
    """Elo, normalised Elo and likelihood of superiority.

    Parameters
    ----------
    counts
        Shape (2 g + 1,): units by score, lowest first.
    level
        Confidence level of the errors.

    Returns
    -------
    Elo
        Infinite Elo where all games were won or lost; an infinite error where the interval reaches 0 or 1.

    Examples
    --------
    >>> e = elo_from_counts([96, 111, 136])
    >>> print(f"{e.elo:.2f} ± {e.elo_error:.2f}, nElo {e.nelo:.2f} ± {e.nelo_error:.2f}, LOS {e.los:.2%}")
    40.70 ± 30.43, nElo 49.77 ± 36.77, LOS 99.60%
    """
    from scipy.special import ndtr

    units, scores, games = _counts(counts)
    n, z = float(units.sum()), t_quantile(level, math.inf)
    score = float(units @ scores) / n
    sd = math.sqrt(float(units @ (scores - score) ** 2) / n)
    reach, off = z * sd / math.sqrt(n), score - 0.5
    per_sd = NELO / math.sqrt(games)
    nelo = per_sd * off / sd if sd > 0 else math.copysign(math.inf, off) if off else 0.0
    los = float(ndtr(off * math.sqrt(n) / sd)) if sd > 0 else 0.5 + math.copysign(0.5, off) if off else 0.5
    lo, hi = score_to_elo(score - reach), score_to_elo(score + reach)
    error = (hi - lo) / 2 if math.isfinite(hi - lo) else math.inf
    return Elo(score_to_elo(score), error, nelo, per_sd * z / math.sqrt(n), los, score, int(n), level)


def score_to_elo(score: float) -> float:
    """Logistic Elo difference that expects this score; infinite at 0 and 1 and beyond."""
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def elo_to_score(elo: float) -> float:
    """Score of a game, 0…1, expected at a logistic Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_llr(
    counts: ArrayLike, elo0: float, elo1: float, *, model: Literal["normalized", "logistic"] = "normalized"
) -> float:
    """Generalised log-likelihood ratio of two strength differences (GSPRT).

    Each hypothesis is given the distribution over the scores that fits the counts best among those of its
    strength. Compare the result with `sprt_bounds`.

    Parameters
    ----------
    counts
        Shape (2 g + 1,): units by score, lowest first. Empty classes count as 0.001, as in fastchess.
    elo0, elo1
        The hypotheses, elo0 < elo1, on the scale of the model.
    model
        ``"normalized"``: normalised Elo; ``"logistic"``: logistic Elo.

    Returns
    -------
    float
        Positive in favour of ``elo1``.

    Examples
    --------
    >>> print(f"{elo_llr([379, 10170, 21828, 10640, 343], 0, 2):.3f}")
    2.945
    """
    if not check_number(elo0, "elo0") < check_number(elo1, "elo1"):
        raise ValueError(f"elo0={elo0!r}, elo1={elo1!r}: elo0 must be below elo1")
    units, scores, games = _counts(counts)
    units = np.where(units == 0, 1e-3, units)
    share = units / units.sum()
    if model == "normalized":
        p0, p1 = (_fit_effect(share, scores, math.sqrt(games) * elo / NELO) for elo in (elo0, elo1))
    elif model == "logistic":
        p0, p1 = (_fit_moment(share, scores - elo_to_score(elo)) for elo in (elo0, elo1))
    else:
        raise ValueError(f"model={model!r}: must be 'normalized' or 'logistic'")
    return float(units @ (np.log(p1) - np.log(p0)))


def _counts(counts: ArrayLike) -> tuple[Floats, Floats, int]:
    """Counts, the score of each class, and games a unit."""
    units = as_floats(counts, "counts")
    if len(units) < 3 or len(units) % 2 == 0:
        raise ValueError(f"counts: got {len(units)} classes; must be an odd number of at least 3")
    if units.min() < 0 or units.sum() == 0:
        raise ValueError(f"counts={counts!r}: must be 0 or more, and not all 0")
    return units, np.linspace(0, 1, len(units)), len(units) // 2


def _fit_moment(share: Floats, phi: Floats) -> Floats:
    """The distribution nearest to ``share`` in likelihood that gives ``phi`` the mean 0 (proposition 1.1)."""
    from scipy.optimize import brentq

    if not phi.min() < 0 < phi.max():
        raise ValueError("elo0, elo1: are beyond what any distribution over these scores can have")
    # p = share / (1 + x phi); the sum falls from +inf to -inf between the poles, so a root is bracketed
    # just inside.
    lo, hi = -1 / phi.max(), -1 / phi.min()
    inside = 1e-12 * (hi - lo)

    def slope(x: float) -> float:
        return float((share * phi / (1 + x * phi)).sum())

    x = brentq(slope, lo + inside, hi - inside, xtol=1e-16 * (hi - lo), rtol=1e-14)
    fitted: Floats = share / (1 + x * phi)
    return fitted


def _fit_effect(share: Floats, scores: Floats, effect: float) -> Floats:
    """The distribution nearest in likelihood whose mean is one half plus ``effect`` standard deviations.

    At the solution the constraint equals its linearisation there, which hangs on the solution's standard
    deviation alone (section 4.1). So the fit for an assumed deviation is compared with the one it turns out
    to have. Almost always one deviation agrees; with nearly all counts in one class there may be three.
    """
    from scipy.optimize import brentq

    if effect < 0:
        return _fit_effect(share[::-1], scores, -effect)[::-1]
    x = scores - 0.5
    if effect == 0:
        return _fit_moment(share, x)

    def fitted(sd: float) -> Floats:
        return _fit_moment(share, x - effect / (2 * sd) * (sd**2 + (x - effect * sd) ** 2))

    def gap(sd: float) -> float:
        return float(fitted(sd) @ (x - effect * sd) ** 2) - sd**2

    # The constraint can be met for deviations of (1 ± root) x / effect, for some x above 0. Beyond 2.8
    # those of the lowest and of the highest x no longer join.
    root = 1 / math.sqrt(1 + effect**2)
    if effect > MOST:
        raise ValueError(f"elo0, elo1: are {effect:.3g} standard deviations of a unit; at most {MOST} is allowed")
    above = x[x > 0]
    grid = np.geomspace(above[0] * (1 - root) * (1 + 1e-9), above[-1] * (1 + root) * (1 - 1e-9), 32) / effect
    signs = np.sign([gap(sd) for sd in grid])
    fits = [fitted(brentq(gap, grid[i], grid[i + 1], rtol=1e-13)) for i in np.flatnonzero(np.diff(signs))]
    return max(fits, key=lambda p: float(share @ np.log(p)))
