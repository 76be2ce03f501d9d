"""Quantiles, distribution functions and weighted means."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from simlib.stats.distributions import distribution_band, quantile_interval, weighted_mean
from simlib.stats.intervals import mean_interval


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantile_is_covered_whatever_the_distribution(q: float) -> None:
    rng = np.random.default_rng(80)
    samples = rng.exponential(size=(1_500, 200))
    intervals = [quantile_interval(x, q) for x in samples]
    truth = -math.log(1 - q)
    assert 0.94 <= np.mean([e.lo <= truth <= e.hi for e in intervals]) <= 0.98


@given(st.integers(1, 300), st.floats(0.02, 0.98), st.sampled_from([0.8, 0.95]))
def test_ranks_enclose_with_at_least_the_binomial_probability(n: int, q: float, level: float) -> None:
    e = quantile_interval(np.arange(1, n + 1), q, level=level)
    low, high = max(e.lo, 0), min(e.hi, n + 1)
    tails = stats.binom.cdf(low - 1, n, q), stats.binom.sf(high - 1, n, q)
    assert max(tails) <= (1 - level) / 2 + 1e-9
    assert e.lo <= e.value <= e.hi
    # One rank nearer on either side would promise too much.
    assert stats.binom.cdf(low, n, q) >= (1 - level) / 2 - 1e-9
    assert stats.binom.sf(high - 2, n, q) >= (1 - level) / 2 - 1e-9


def test_quantile_of_games_counts_deals() -> None:
    """Four games a deal with the same luck: an interval as if they were independent is too narrow."""
    rng = np.random.default_rng(81)
    hits, blind = [], []
    for _ in range(1_500):
        games = 10 * rng.normal(size=(150, 1)) + rng.normal(size=(150, 4))
        for found, e in (
            (hits, quantile_interval(games, 0.5)),
            (blind, quantile_interval(games.ravel(), 0.5)),
        ):
            found.append(e.lo <= 0 <= e.hi)
    assert 0.93 <= np.mean(hits) <= 0.97
    assert np.mean(blind) < 0.8


def test_too_few_deals_have_open_ends() -> None:
    e = quantile_interval([3, 1, 2], 0.5)
    assert (e.value, e.lo, e.hi) == (2, -math.inf, math.inf)
    assert quantile_interval([[1, 2]], 0.5).hi == math.inf


def test_band_holds_everywhere_at_once() -> None:
    rng = np.random.default_rng(82)
    points = np.arange(9)
    truth = stats.binom.cdf(points, 8, 0.4)
    held = []
    for _ in range(1_000):
        band = distribution_band(rng.binomial(8, 0.4, 120))
        place = np.searchsorted(band.x, points, side="right") - 1
        low, high = (np.where(place < 0, edge, side[place]) for side, edge in ((band.lo, 0), (band.hi, 1)))
        # Below the smallest value seen the band reaches from 0 to its half-width.
        high = np.where(place < 0, band.hi[0] - band.cdf[0], high)
        held.append(np.all((low <= truth + 1e-12) & (truth <= high + 1e-12)))
    assert np.mean(held) >= 0.95


def test_band_by_hand_and_for_games_of_a_deal() -> None:
    band = distribution_band([1, 1, 2, 5])
    assert band.x.tolist() == [1, 2, 5]
    assert band.cdf.tolist() == [0.5, 0.75, 1]
    reach = math.sqrt(math.log(2 / 0.05) / 8)
    np.testing.assert_allclose(band.hi, np.minimum(band.cdf + reach, 1))
    games = np.random.default_rng(83).integers(0, 100, (10_000, 3))
    by_deal = distribution_band(games)
    expected = math.sqrt(math.log(2 * 3 / 0.05) / 20_000)
    assert by_deal.cdf[50] - by_deal.lo[50] == pytest.approx(expected)
    assert by_deal.n_deals == 10_000


def test_weighted_mean_of_another_distribution_is_covered() -> None:
    """Hands drawn uniformly, weighted by how likely the others' bids make them."""
    rng = np.random.default_rng(84)
    strength = np.arange(10)
    likelihood = 0.8**strength
    truth = float((strength**2 * likelihood).sum() / likelihood.sum())
    hits = []
    for _ in range(3_000):
        hand = rng.integers(0, 10, 300)
        e = weighted_mean(hand**2, likelihood[hand])
        hits.append(e.lo <= truth <= e.hi)
    assert 0.94 <= np.mean(hits) <= 0.96
    assert 200 < e.ess < 270


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30), st.floats(1e-200, 1e200))
def test_equal_weights_are_no_weights(values: list[int], weight: float) -> None:
    e, plain = weighted_mean(values, np.full(len(values), weight)), mean_interval(values)
    assert (e.mean, e.lo, e.hi) == pytest.approx((plain.mean, plain.lo, plain.hi), rel=1e-9, abs=1e-9)
    assert (e.ess, e.df) == pytest.approx((len(values), len(values) - 1))


def test_impossible_hands_do_not_count() -> None:
    e, without = weighted_mean([5, 99, 7, 2], [1, 0, 2, 1]), weighted_mean([5, 7, 2], [1, 2, 1])
    assert (e.mean, e.se, e.n_deals, e.n_games) == (without.mean, pytest.approx(without.se), 3, 4)


def test_one_hand_of_all_the_weight_has_no_interval() -> None:
    for weights in ([0, 1, 0], [1e-30, 1, 1e-30]):
        e = weighted_mean([4, 8, 9], weights)
        assert (e.mean, e.lo, e.hi, e.ess) == (8, -math.inf, math.inf, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantile_interval([1, 2], 1.0), "q=1.0: must lie strictly between 0 and 1"),
        (lambda: quantile_interval([]), "values: is empty"),
        (lambda: distribution_band([1.0, math.inf]), "values: has 1 values that are not finite"),
        (lambda: weighted_mean([1, 2], [1, -1]), "weights: lie between -1 and 1; must be 0 or more"),
        (lambda: weighted_mean([1, 2], [0, 0]), "and not all 0"),
        (lambda: weighted_mean([1, 2], [1]), "values, weights: must be equally long, got 2, 1"),
    ],
)
def test_bad_arguments_are_named(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
