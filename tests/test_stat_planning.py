"""Variance-reduction factor, control variates, deals needed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from simlib.stats.accumulators import Moments
from simlib.stats.intervals import mean_interval, paired_difference
from simlib.stats.planning import (
    adjusted_mean,
    adjusted_moments,
    deals_needed,
    variance_reduction,
    variance_reduction_of_games,
)


def played(rng: np.random.Generator, deals: int, seatings: int) -> tuple[np.ndarray, np.ndarray]:
    """Games of two variants: luck of the deal and seat with variance 3², of the game with variance 1."""
    luck = 3 * rng.normal(size=(deals, seatings))
    return luck + rng.normal(size=luck.shape), luck + rng.normal(size=luck.shape)


@pytest.mark.parametrize("seatings", [1, 3])
def test_factor_is_what_independent_games_would_need(seatings: int) -> None:
    """Variance of a game 10, so unpaired 20 a pair; paired 2: a factor of 10 for any number of seatings."""
    a, b = played(np.random.default_rng(1), 50_000, seatings)
    assert variance_reduction_of_games(a, b) == pytest.approx(10, rel=0.02)


def test_factor_is_the_ratio_of_squared_errors_seen_in_repetition() -> None:
    """Equal numbers of games: 50 deals played by both, against 50 deals for each."""
    rng = np.random.default_rng(2)
    shape = (4_000, 50)
    luck, other = rng.poisson(2, shape) ** 2, rng.poisson(2, shape) ** 2
    a, b = luck + rng.integers(0, 4, shape), luck + rng.integers(0, 5, shape)
    unpaired = (a.mean(axis=1) - (other + rng.integers(0, 5, shape)).mean(axis=1)).var()
    paired = (a - b).mean(axis=1).var()
    assert variance_reduction_of_games(a.ravel(), b.ravel()) == pytest.approx(unpaired / paired, rel=0.08)


def test_factor_from_exact_statistics_equals_that_of_games() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 9, (40, 3)), rng.integers(0, 9, (40, 3))
    moments = Moments.from_values(np.hstack([a, b]))
    weights = np.repeat([1 / 3, -1 / 3], 3)
    assert variance_reduction(moments.covariance, weights) == pytest.approx(variance_reduction_of_games(a, b))


def test_factor_where_nothing_varies() -> None:
    assert variance_reduction_of_games([1, 5, 9], [1, 5, 9]) == math.inf
    assert math.isnan(variance_reduction_of_games([2, 2, 2], [1, 1, 1]))
    assert variance_reduction([[1, 1], [1, 1]], [1, -1]) == math.inf
    assert math.isnan(variance_reduction([[0, 0], [0, 0]], [1, -1]))


def regression_sample(rng: np.random.Generator, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores that hang on two features (means 2.5 and 3), not quite linearly."""
    x = np.column_stack([rng.integers(0, 6, deals), rng.poisson(3, deals)])
    return 4 * x[:, 0] - x[:, 1] ** 2 + rng.poisson(4, deals), x


def test_adjusted_mean_is_the_ols_intercept_of_statsmodels() -> None:
    y, x = regression_sample(np.random.default_rng(4), 60)
    fit = sm.OLS(y, sm.add_constant(x - [2.5, 3])).fit()
    e = adjusted_mean(y, x, [2.5, 3])
    assert (e.mean, e.se) == pytest.approx((fit.params[0], fit.bse[0]), rel=1e-10)
    assert (e.lo, e.hi) == pytest.approx(tuple(fit.conf_int()[0]), rel=1e-10)
    exact = adjusted_moments(
        Moments.from_values(np.column_stack([x[:, 1], y, x[:, 0]])), [2.5, 3], value=1, features=[2, 0]
    )
    assert (exact.mean, exact.lo, exact.df) == pytest.approx((e.mean, e.lo, e.df), rel=1e-10)


def test_adjusted_mean_is_covered_and_narrower() -> None:
    rng = np.random.default_rng(5)
    truth = 4 * 2.5 - (3 + 9) + 4
    adjusted, plain = [], []
    for _ in range(2_000):
        y, x = regression_sample(rng, 400)
        adjusted.append(adjusted_mean(y, x, [2.5, 3]))
        plain.append(mean_interval(y))
    assert 0.94 <= np.mean([e.lo <= truth <= e.hi for e in adjusted]) <= 0.96
    assert np.mean([e.half_width for e in adjusted]) < 0.6 * np.mean([e.half_width for e in plain])


def test_a_feature_that_came_out_as_expected_moves_nothing() -> None:
    e = adjusted_mean([1.0, 4.0, 2.0, 9.0], [0, 1, 2, 3], 1.5)
    assert e.mean == pytest.approx(4.0)


@given(st.floats(0.01, 3), st.integers(5, 400), st.sampled_from([0.8, 0.95, 0.99]))
def test_deals_needed_is_the_least_number_that_suffices(target: float, pilot_deals: int, level: float) -> None:
    from scipy import stats

    pilot = mean_interval(np.arange(pilot_deals) % 7)
    sd = pilot.se * math.sqrt(pilot_deals)
    n = deals_needed(pilot, target, level=level)

    def half_width(deals: int) -> float:
        return stats.t.ppf(0.5 + level / 2, deals - 1) * sd / math.sqrt(deals)

    assert half_width(n) <= target * (1 + 1e-12)
    assert n == 2 or half_width(n - 1) > target * (1 - 1e-12)


def test_assurance_is_how_often_the_width_is_reached() -> None:
    """Without it about half of the runs come out wider than planned; with it one in ten."""
    rng = np.random.default_rng(6)
    reached = {None: [], 0.9: []}
    for _ in range(400):
        a, b = (rng.normal(size=30) for _ in range(2))
        pilot = paired_difference(a, b)
        for assurance, hits in reached.items():
            n = deals_needed(pilot, 0.2, assurance=assurance)
            hits.append(mean_interval(math.sqrt(2) * rng.normal(size=n)).half_width <= 0.2)
    assert 0.3 < np.mean(reached[None]) < 0.6
    assert 0.85 < np.mean(reached[0.9]) < 0.95


def test_a_pilot_without_spread_needs_two_deals() -> None:
    assert deals_needed(mean_interval([3, 3, 3]), 0.1) == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: variance_reduction(np.eye(2), [1]), r"covariance: has shape \(2, 2\); must be \(1, 1\)"),
        (lambda: variance_reduction_of_games([1], [2]), r"a, b: hold 1 deal\(s\); at least 2"),
        (lambda: adjusted_mean([1, 2], [1, 2], 0), r"values: hold 2 deal\(s\); at least 3 needed"),
        (lambda: adjusted_mean([1, 2, 4], [5, 5, 5], 0), "features: are constant or collinear"),
        (lambda: adjusted_mean([1, 2, 4], [5, 6, 8], [0, 1]), "feature_means: got 2, must be 1"),
        (lambda: adjusted_moments(Moments.from_values([[1, 2]]), 0), r"hold 1 deal\(s\); at least 3"),
        (lambda: deals_needed(mean_interval([1]), 1), r"pilot: has standard error nan from 1 deal\(s\)"),
        (lambda: deals_needed(mean_interval([1, 2]), 0), "half_width=0: must be above 0"),
    ],
)
def test_bad_arguments_are_named(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_collinear_features_are_found_whatever_their_scale() -> None:
    x = np.arange(10.0)
    with pytest.raises(ValueError, match="collinear"):
        adjusted_mean(x**2, np.column_stack([x, 1e9 * x]), [0, 0])
    assert adjusted_mean(x**2, np.column_stack([x, 1e9 * x**3]), [0, 0]).df == 7


def test_weights_may_be_exact_fractions() -> None:
    moments = Moments.from_values([[1, 4], [2, 2], [0, 7]])
    weights = [Fraction(1), Fraction(-1)]
    assert variance_reduction(moments.covariance, weights) == pytest.approx(
        variance_reduction(moments.covariance, [1, -1])
    )
