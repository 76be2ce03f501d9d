"""Fixed-size intervals: coverage in simulation, and what must hold exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from simlib.stats.intervals import Estimate, mean_interval, paired_difference, wilson_interval

#: Scores of a deal: skewed, whole numbers, seldom very high (skewness 2.9).
SCORES = np.array([-8, -3, 0, 1, 4, 30])
CHANCES = np.array([0.1, 0.2, 0.3, 0.25, 0.12, 0.03])
VALUES = st.lists(st.integers(-50, 50), min_size=2, max_size=40)


def coverage(intervals: list[Estimate], truth: float) -> float:
    """Share of the intervals that hold the truth."""
    return float(np.mean([e.lo <= truth <= e.hi for e in intervals]))


def test_mean_of_skewed_scores_is_covered() -> None:
    rng = np.random.default_rng(20)
    samples = rng.choice(SCORES, (5_000, 500), p=CHANCES)
    assert 0.94 <= coverage([mean_interval(x) for x in samples], float(SCORES @ CHANCES)) <= 0.96


def test_paired_difference_over_correlated_seatings_is_covered() -> None:
    """Three seatings share the luck of the deal; variant b gains 1 in every third deal."""
    rng = np.random.default_rng(21)
    luck = rng.choice(SCORES, (4_000, 300, 1), p=CHANCES)
    a = luck + rng.integers(-2, 3, (4_000, 300, 3))
    b = luck + rng.integers(-2, 3, (4_000, 300, 3)) + (rng.random((4_000, 300, 1)) < 1 / 3)
    intervals = [paired_difference(y, x) for x, y in zip(a, b, strict=True)]
    assert 0.94 <= coverage(intervals, 1 / 3) <= 0.96


def test_level_is_what_is_covered() -> None:
    samples = np.random.default_rng(22).integers(0, 3, (4_000, 60))
    assert 0.79 <= coverage([mean_interval(x, level=0.8) for x in samples], 1.0) <= 0.81


def test_wilson_is_covered_also_for_rare_events() -> None:
    """Averaged over probabilities, as no interval for counts covers evenly (Brown, Cai and DasGupta 2001)."""
    rng = np.random.default_rng(23)
    truths = rng.uniform(0.01, 0.99, 5_000)
    hits = rng.binomial(200, truths)
    intervals = [wilson_interval(int(k), 200) for k in hits]
    assert 0.94 <= np.mean([e.lo <= p <= e.hi for e, p in zip(intervals, truths, strict=True)]) <= 0.96


@given(VALUES)
def test_mean_interval_equals_scipy(values: list[int]) -> None:
    e = mean_interval(values, level=0.9)
    assert e.mean == pytest.approx(np.mean(values), abs=1e-12)
    if len(set(values)) > 1:
        low, high = stats.t.interval(0.9, len(values) - 1, np.mean(values), stats.sem(values))
        assert (e.lo, e.hi) == pytest.approx((low, high), rel=1e-10, abs=1e-10)


@given(VALUES)
def test_integers_and_floats_agree(values: list[int]) -> None:
    exact, rounded = mean_interval(values, scale=4), mean_interval(np.array(values) / 4)
    assert (exact.lo, exact.hi) == pytest.approx((rounded.lo, rounded.hi), rel=1e-9, abs=1e-9)


@given(st.permutations(list(range(12))))
def test_order_of_deals_changes_no_bit(order: list[int]) -> None:
    assert mean_interval(np.array(order) ** 3, scale=7) == mean_interval(np.arange(12) ** 3, scale=7)


@given(VALUES, st.sampled_from([int, float]))
def test_difference_is_antisymmetric_to_the_bit(values: list[int], kind: type) -> None:
    a, b = np.array(values, kind), np.array(values[::-1], kind) * 3
    assert paired_difference(a, b) == -paired_difference(b, a)


@given(VALUES, st.sampled_from([int, float]))
def test_a_policy_against_itself_is_zero(values: list[int], kind: type) -> None:
    e = paired_difference(np.array(values, kind), np.array(values, kind))
    assert (e.mean, e.se, e.lo, e.hi, e.p_value()) == (0, 0, 0, 0, 1)


def test_seatings_are_averaged_within_the_deal() -> None:
    games = np.array([[0, 2, 4], [3, 3, 9], [1, 0, -1]])
    e, by_hand = mean_interval(games), mean_interval([2.0, 5.0, 0.0])
    assert (e.mean, e.lo, e.n_deals, e.n_games) == (
        pytest.approx(by_hand.mean),
        pytest.approx(by_hand.lo),
        3,
        9,
    )
    unequal = paired_difference(games, games[:, :1])
    assert unequal.mean == pytest.approx(np.mean([2, 2, -1]))
    assert unequal.n_games == 12


def test_one_deal_says_nothing_about_the_spread() -> None:
    e = mean_interval([7])
    assert math.isnan(e.se)
    assert (e.mean, e.lo, e.hi, e.p_value()) == (7, -math.inf, math.inf, 1)


@given(st.integers(1, 500), st.data())
def test_wilson_equals_statsmodels(trials: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, trials))
    e = wilson_interval(wins, trials)
    low, high = proportion_confint(wins, trials, method="wilson")
    assert (e.lo, e.hi) == pytest.approx((max(low, 0), min(high, 1)), abs=1e-12)
    assert 0 <= e.lo <= e.mean <= e.hi <= 1


def test_p_value_and_interval_agree() -> None:
    x = np.random.default_rng(5).integers(-3, 5, 50)
    e = mean_interval(x)
    assert e.p_value() == pytest.approx(stats.ttest_1samp(x, 0).pvalue, rel=1e-10)
    assert mean_interval(x, level=1 - e.p_value()).lo == pytest.approx(0, abs=1e-9)
    assert mean_interval([2, 2, 2]).p_value(1.0) == 0


def test_an_estimate_can_be_read() -> None:
    e = mean_interval([3, 5, 4, 8])
    assert str(e) == "5.0 [1.6, 8.4] (0.95 level, 4 deals, 4 games)"
    assert str(mean_interval([3, 3])) == "3.0000 [3.0000, 3.0000] (0.95 level, 2 deals, 2 games)"
    assert e.as_dict()["n_deals"] == 4
    assert (e.excludes(1.0), e.excludes(2.0), e.half_width) == (True, False, pytest.approx(3.437, abs=1e-3))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: mean_interval([]), ValueError, "values: is empty"),
        (lambda: mean_interval(["a"]), TypeError, "values: must be numbers"),
        (lambda: mean_interval([1.0, math.nan]), ValueError, "values: has 1 values that are not finite"),
        (lambda: mean_interval([1, 2], level=95), ValueError, "level=95: must lie strictly between 0 and 1"),
        (lambda: mean_interval([1, 2], level="x"), TypeError, "level='x': must be a number, not str"),
        (lambda: mean_interval([1, 2], scale=0), ValueError, "scale=0: must be at least 1"),
        (lambda: mean_interval([1, 2], scale=1.5), TypeError, "scale=1.5: must be an integer, not float"),
        (lambda: mean_interval([2**60]), ValueError, r"values: holds integers of 2\*\*40 or more"),
        (lambda: paired_difference([1, 2], [1]), ValueError, "a, b: must be equally long, got 2, 1"),
        (lambda: wilson_interval(3, 2), ValueError, "successes=3: must not exceed trials=2"),
        (lambda: wilson_interval(1, 2).p_value(), ValueError, "p_value: needs an interval by t, not 'Wilson'"),
        (lambda: wilson_interval(True, 2), TypeError, "successes=True: must be an integer"),
    ],
)
def test_bad_arguments_are_named(call, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
