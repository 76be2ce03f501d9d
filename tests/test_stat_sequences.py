"""Confidence sequences: they miss at most as often as they say, over all looks together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.stats.accumulators import Histogram
from simlib.stats.sequences import (
    BettingSequence,
    NormalMixture,
    log_wealth,
    mixture_radius,
    mixture_variance,
)
from simlib.stats.sequential import look_grid

#: Values of a deal with their chances: win-share differences, skewed scores, variants that seldom differ.
DEALS = {
    "win shares": ([-840, -420, 0, 420, 840], [0.05, 0.2, 0.45, 0.2, 0.1]),
    "skewed": ([-8, -3, 0, 1, 4, 40], [0.1, 0.2, 0.3, 0.25, 0.13, 0.02]),
    "rarely different": ([-1, 0, 3], [0.03, 0.96, 0.01]),
}


def prefixes(name: str, runs: int, looks: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Values, counts of each value at each look of each run (runs, looks, values), and the true mean."""
    values, chances = map(np.array, DEALS[name])
    steps = np.random.default_rng(seed).multinomial(np.diff(looks, prepend=0), chances, size=(runs, len(looks)))
    return values, steps.cumsum(axis=1), float(values @ chances)


def mixture_misses(values: np.ndarray, counts: np.ndarray, truth: float, rule: NormalMixture) -> np.ndarray:
    """`NormalMixture.interval` for all runs and looks at once: whether it misses."""
    n = counts.sum(axis=-1)
    mean = counts @ values / n
    squares = (counts * (values - mean[..., None]) ** 2).sum(axis=-1)
    farthest = np.where(counts > 0, (values - mean[..., None]) ** 2, 0).max(axis=-1)
    told = (squares > 0) & (farthest <= rule.max_share * squares)
    radius = mixture_radius(n, rule.alpha, rule.tight_at) * np.sqrt(squares / (n - 1))
    return told & (np.abs(mean - truth) > radius)


@pytest.mark.parametrize("name", DEALS)
def test_normal_mixture_misses_at_most_five_percent_over_all_looks(name: str) -> None:
    looks = np.array(look_grid(100_000))
    missed = mixture_misses(*prefixes(name, 3_000, looks, 41), NormalMixture()).any(axis=1).mean()
    assert 0.003 < missed <= 0.05


def test_repeated_fixed_intervals_would_miss_far_more_often() -> None:
    looks = np.array(look_grid(100_000))
    values, counts, truth = prefixes("win shares", 1_000, looks, 42)
    mean = counts @ values / looks
    sd = np.sqrt(counts @ values**2 / looks - mean**2)
    assert (np.abs(mean - truth) > 1.96 * sd / np.sqrt(looks)).any(axis=1).mean() > 0.25


@pytest.mark.parametrize("name", DEALS)
def test_betting_misses_at_most_five_percent_from_the_first_deal_on(name: str) -> None:
    """Looked at after each of the first 50 deals and then on a grid."""
    looks = np.array([*range(1, 51), *look_grid(50_000, first=60)])
    values, counts, truth = prefixes(name, 2_000, looks, 43)
    needed = math.log(2 / 0.05)
    low = log_wealth(values - values[0], counts, truth - values[0]) >= needed
    high = log_wealth(values[-1] - values, counts, values[-1] - truth) >= needed
    assert 0 < (low | high).any(axis=1).mean() <= 0.05


@pytest.mark.parametrize("name", DEALS)
def test_intervals_are_those_that_the_simulations_test(name: str) -> None:
    looks = np.array([60, 1_000, 30_000])
    values, counts, truth = prefixes(name, 5, looks, 44)
    bounds = float(values[0]), float(values[-1])
    for run in counts:
        for count in run:
            deals = Histogram.from_values(np.repeat(values, count))
            mixture, betting = NormalMixture(), BettingSequence(*bounds)
            for point in (truth, truth + 0.3, truth - 0.1):
                missed = mixture_misses(values, count[None], point, mixture)[0]
                assert mixture.interval(deals).excludes(point) == missed
            e = betting.interval(deals)
            assert log_wealth(values - bounds[0], count, e.lo - bounds[0]) == pytest.approx(math.log(40), abs=1e-6)
            assert log_wealth(bounds[1] - values, count, bounds[1] - e.hi) == pytest.approx(math.log(40), abs=1e-6)


def test_radius_is_smallest_in_standard_errors_where_it_is_meant_to_be() -> None:
    n = np.arange(1, 40_000)
    in_errors = mixture_radius(n, 0.05, 5_000) * np.sqrt(n)
    assert abs(n[in_errors.argmin()] - 5_000) <= 1
    assert in_errors.min() == pytest.approx(3.035, abs=1e-3)
    assert in_errors[499] / in_errors.min() == pytest.approx(1.26, abs=0.01)


def test_radius_is_where_robbins_martingale_reaches_one_over_alpha() -> None:
    """The mixture of exp(b s - b² n / 2) over normal b, integrated numerically."""
    from scipy.integrate import quad

    n, alpha, tight_at = 700, 0.03, 2_000
    s, u = n * float(mixture_radius(n, alpha, tight_at)), mixture_variance(alpha, tight_at)

    def density(b: float) -> float:
        return math.exp(b * s - b * b * n / 2 - b * b / (2 * u)) / math.sqrt(2 * math.pi * u)

    mixed, _ = quad(density, -1, 1, points=[s / n])
    assert mixed == pytest.approx(1 / alpha, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-10, 10), min_size=1, max_size=80))
def test_sequences_are_antisymmetric_and_hold_their_mean(values: list[int]) -> None:
    deals, mirrored = Histogram.from_values(values, 4), Histogram.from_values([-v for v in values], 4)
    for rule in (NormalMixture(max_share=0.5), BettingSequence(-2.5, 2.5)):
        e = rule.interval(deals)
        assert e.lo <= e.mean <= e.hi
        other = -rule.interval(mirrored)
        assert (other.mean, other.lo, other.hi) == (e.mean, e.lo, e.hi)
    assert -2.5 <= e.lo <= e.hi <= 2.5


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 20), min_size=2, max_size=50), st.integers(0, 50))
def test_order_and_chunks_change_no_bit(values: list[int], cut: int) -> None:
    parts = Histogram.from_values(values[:cut]) + Histogram.from_values(values[cut:])
    backwards = Histogram.from_values(values[::-1])
    for rule in (NormalMixture(max_share=0.9), BettingSequence(0, 20)):
        assert rule.interval(parts) == rule.interval(backwards)


@pytest.mark.parametrize("name", DEALS)
def test_p_value_is_the_level_at_which_the_interval_ends(name: str) -> None:
    values, counts, _ = prefixes(name, 1, np.array([20_000]), 46)
    deals = Histogram.from_values(np.repeat(values, counts[0, 0]))
    for rule in (NormalMixture(alpha=0.03), BettingSequence(float(values[0]), float(values[-1]), alpha=0.03)):
        e = rule.interval(deals)
        assert rule.p_value(deals, e.lo) == pytest.approx(0.03, rel=1e-6)
        assert rule.p_value(deals, e.hi) == pytest.approx(0.03, rel=1e-6)
        assert rule.p_value(deals, e.mean) == 1
        assert rule.p_value(deals, e.hi + e.half_width) < 0.001


def test_p_value_says_nothing_while_the_interval_is_infinite() -> None:
    zeros = Histogram.from_values(np.zeros(500, int))
    assert NormalMixture().p_value(zeros, 3.0) == 1
    betting = BettingSequence(0, 1)
    assert (betting.p_value(zeros), betting.p_value(zeros, 1.0), betting.p_value(zeros, -2.0)) == (1, 0, 0)


def test_agreement_so_far_is_not_certainty() -> None:
    """Two variants that have agreed on 1,000 deals: an honest interval is not [0, 0]."""
    deals = Histogram.from_values(np.zeros(1_000, int))
    e = NormalMixture().interval(deals)
    assert (e.mean, e.lo, e.hi) == (0, -math.inf, math.inf)
    bounded = BettingSequence(-1, 1).interval(deals)
    assert -0.02 < bounded.lo < 0 < bounded.hi < 0.02


def test_a_few_high_scores_are_waited_for() -> None:
    values = np.zeros(5_000, int)
    values[:24] = 100
    assert NormalMixture().interval(Histogram.from_values(values)).half_width == math.inf
    values[24:30] = 100
    assert NormalMixture().interval(Histogram.from_values(values)).half_width < 1


def test_wide_bounds_cost_nothing_in_the_long_run() -> None:
    rng = np.random.default_rng(45)
    deals = Histogram.from_values(np.round(15 * rng.normal(size=200_000)).astype(int))
    narrow, wide = (BettingSequence(-b, b).interval(deals).half_width for b in (100, 1_000))
    assert wide < 1.1 * narrow
    assert narrow < 1.3 * NormalMixture().interval(deals).half_width


def test_values_on_the_bound_leave_the_bound_in() -> None:
    e = BettingSequence(0, 1).interval(Histogram.from_values(np.zeros(500, int)))
    assert e.lo == 0
    assert 0 < e.hi < 0.03


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="deals: hold values from -2 to 2; must lie in -1…1"):
        BettingSequence(-1, 1).interval(Histogram.from_values([-2, 2]))
    with pytest.raises(ValueError, match="lower=1, upper=1: lower must be below upper"):
        BettingSequence(1, 1)
    with pytest.raises(ValueError, match="alpha=0: must lie strictly between 0 and 1"):
        NormalMixture(alpha=0)
    with pytest.raises(ValueError, match="at least 1 needed"):
        NormalMixture().interval(Histogram.from_values([]))
