"""Means over games clustered by deal: statsmodels, coverage, covariances."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from simlib.stats.accumulators import Moments
from simlib.stats.clusters import cluster_interval, ratio_interval, ratio_means
from simlib.stats.intervals import mean_interval


def games(rng: np.random.Generator, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores and deals of games that occur 0 to 4 times a deal, more often and higher on lucky deals."""
    luck = rng.exponential(size=deals)
    counts = rng.binomial(4, 1 - np.exp(-luck))
    labels = np.repeat(np.arange(deals), counts)
    return np.floor(3 * luck[labels] + rng.normal(size=len(labels))).astype(int), labels


@pytest.mark.parametrize("seed", range(5))
def test_standard_error_is_that_of_statsmodels(seed: int) -> None:
    scores, labels = games(np.random.default_rng(seed), 80)
    fit = sm.OLS(scores, np.ones(len(scores))).fit(cov_type="cluster", cov_kwds={"groups": labels}, use_t=True)
    for values in (scores, scores.astype(float)):
        e = cluster_interval(values, labels)
        assert e.mean == pytest.approx(fit.params[0], rel=1e-12)
        assert e.se == pytest.approx(fit.bse[0], rel=1e-10)
        assert (e.lo, e.hi) == pytest.approx(tuple(fit.conf_int()[0]), rel=1e-10)
        assert e.p_value() == pytest.approx(fit.pvalues[0], rel=1e-8)
        assert (e.n_deals, e.n_games) == (len(np.unique(labels)), len(scores))


def test_differences_are_those_of_statsmodels() -> None:
    """Two policies in the same games: OLS on two dummies, clustered by deal; every deal has both."""
    rng = np.random.default_rng(3)
    counts = rng.integers(1, 4, (60, 2))
    who = np.concatenate([np.repeat([0, 1], pair) for pair in counts])
    deal = np.repeat(np.arange(60), counts.sum(axis=1))
    scores = rng.integers(-5, 20, 60)[deal] + rng.integers(0, 9, len(deal)) + who
    design = np.column_stack([who == 0, who == 1]).astype(float)
    raw = sm.OLS(scores, design).fit(cov_type="cluster", cov_kwds={"groups": deal, "use_correction": False})
    totals = [np.bincount(deal, scores * (who == k), 60).astype(int) for k in (0, 1)]
    both = ratio_means(Moments.from_values(np.column_stack([*totals, counts])), [0, 1], [2, 3])
    np.testing.assert_allclose(both.covariance, raw.cov_params() * 60 / 59, rtol=1e-10)
    contrast = np.array([1, -1])
    assert both.difference(0, 1).se == pytest.approx(np.sqrt(contrast @ both.covariance @ contrast), rel=1e-10)
    assert both.difference(0, 1) == -both.difference(1, 0)
    same = both.difference(1, 1)
    assert (same.mean, same.se, same.lo, same.hi) == (0, 0, 0, 0)


def test_mean_over_correlated_games_is_covered() -> None:
    rng = np.random.default_rng(31)
    scores, labels = games(rng, 400_000)
    truth = scores.mean()  # of 700,000 games, against intervals from about 700
    hits = []
    for _ in range(2_500):
        scores, labels = games(rng, 400)
        e = cluster_interval(scores, labels)
        hits.append(e.lo <= truth <= e.hi)
    assert 0.94 <= np.mean(hits) <= 0.96


def test_an_interval_that_ignored_the_deals_would_not_be() -> None:
    rng = np.random.default_rng(32)
    widths = []
    for _ in range(50):
        scores, labels = games(rng, 400)
        widths.append(cluster_interval(scores, labels).half_width / mean_interval(scores).half_width)
    assert np.median(widths) > 1.3


def test_difference_between_policies_that_meet_in_some_deals_is_covered() -> None:
    """As in a tournament: a deal is played by line-ups with one, both or none of the two policies."""
    rng = np.random.default_rng(33)
    hits = []
    for _ in range(2_500):
        counts = rng.integers(0, 3, (300, 2))
        luck = rng.poisson(3, (300, 1)) ** 2
        totals = counts * luck + rng.binomial(8 * counts, [0.5, 0.75])
        both = ratio_means(Moments.from_values(np.column_stack([totals, counts])), [0, 1], [2, 3])
        e = both.difference(1, 0)
        hits.append(e.lo <= 2.0 <= e.hi)
    assert 0.94 <= np.mean(hits) <= 0.96


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 3)), min_size=2, max_size=30), st.integers(1, 840))
def test_scale_and_deals_without_the_event_change_nothing(rows: list[tuple[int, int]], scale: int) -> None:
    totals, counts = np.array([(y if c else 0, c) for y, c in rows]).T
    counts[0] = 1
    e = ratio_interval(totals, counts)
    used = counts > 0
    assert ratio_interval(totals[used], counts[used]) == e
    scaled = ratio_interval(totals * scale, counts, scale=scale)
    assert (scaled.mean, scaled.n_games) == (pytest.approx(e.mean, abs=1e-12), e.n_games)
    assert np.isclose(scaled.se, e.se, rtol=1e-12, atol=1e-12, equal_nan=True)


def test_once_a_deal_is_the_plain_mean() -> None:
    x = np.random.default_rng(1).integers(-5, 9, 40)
    e, plain = ratio_interval(x, np.ones(40, int)), mean_interval(x)
    assert (e.mean, e.se, e.lo) == (plain.mean, pytest.approx(plain.se, rel=1e-14), pytest.approx(plain.lo))


def test_chunks_change_no_bit() -> None:
    rows = np.random.default_rng(2).integers(0, 50, (100, 4))
    whole = ratio_means(Moments.from_values(rows, 840), [0, 1], [2, 3])
    parts = [Moments.from_values(part, 840) for part in np.split(rows, [13, 14, 77])]
    merged = ratio_means(parts[2] + parts[0] + (parts[3] + parts[1]), [0, 1], [2, 3])
    assert np.array_equal(whole.covariance, merged.covariance)
    assert whole.difference(0, 1) == merged.difference(0, 1)


def test_an_event_of_one_deal_has_no_interval() -> None:
    e = ratio_interval([0, 7, 0], [0, 2, 0])
    assert (e.mean, e.lo, e.hi, e.n_deals, e.n_games) == (3.5, -np.inf, np.inf, 1, 2)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="counts: are all 0"):
        ratio_interval([1, 2], [0, 0])
    with pytest.raises(ValueError, match="counts: holds -1"):
        ratio_interval([1, 2], [-1, 1])
    with pytest.raises(ValueError, match="totals, counts: must be equally long, got 1, 2"):
        ratio_interval([1.0], [1, 1])
    with pytest.raises(ValueError, match="denominators: column 1 adds up to 0"):
        ratio_means(Moments.from_values([[1, 0]]), [0], [1])
    with pytest.raises(TypeError, match="deals: must be integers"):
        cluster_interval([1, 2], [0.5, 1.0])
