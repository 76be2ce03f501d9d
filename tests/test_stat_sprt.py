"""SPRT by deal: likelihood ratios against numerical ones, and error rates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from simlib.stats.accumulators import Histogram
from simlib.stats.sequential import look_grid
from simlib.stats.sprt import Sprt, effect_llr, mean_llr, sprt_bounds


def likelihood(values: np.ndarray, mean_of_sigma) -> float:
    """Highest normal log-likelihood over sigma, by a search that knows no closed form."""

    def loss(log_sigma: float) -> float:
        sigma = math.exp(log_sigma)
        return -stats.norm.logpdf(values, mean_of_sigma(sigma), sigma).sum()

    return -optimize.minimize_scalar(loss, bounds=(-5, 6), method="bounded", options={"xatol": 1e-10}).fun


@pytest.mark.parametrize(("h0", "h1"), [(0, 0.5), (-0.3, 0.1), (1, 2)])
def test_ratios_are_those_of_the_likelihoods(h0: float, h1: float) -> None:
    x = np.random.default_rng(50).normal(0.4, 2, 300)
    sufficient = len(x), x.mean(), (x**2).mean()
    by_mean = likelihood(x, lambda s: h1) - likelihood(x, lambda s: h0)
    by_effect = likelihood(x, lambda s: h1 * s) - likelihood(x, lambda s: h0 * s)
    assert mean_llr(*sufficient, h0, h1) == pytest.approx(by_mean, abs=1e-6)
    assert effect_llr(*sufficient, h0, h1) == pytest.approx(by_effect, abs=1e-6)


@given(
    st.lists(st.integers(-20, 20), min_size=2, max_size=40),
    st.floats(0.01, 2),
    st.sampled_from(["value", "sd"]),
)
def test_exchanging_the_players_exchanges_the_hypotheses(values: list[int], h1: float, unit: str) -> None:
    test = Sprt(-h1, h1, unit=unit)
    forth, back = (
        test.llr(Histogram.from_values(values)),
        test.llr(Histogram.from_values([-v for v in values])),
    )
    assert forth == pytest.approx(-back, rel=1e-9, abs=1e-9)
    if not any(values):
        assert forth == 0


def test_scale_is_only_a_unit() -> None:
    x = np.random.default_rng(51).integers(-5, 9, 200)
    plain, scaled = Histogram.from_values(x), Histogram.from_values(840 * x, 840)
    assert Sprt(0, 0.5).llr(scaled) == pytest.approx(Sprt(0, 0.5).llr(plain), rel=1e-12)
    in_halves = Histogram.from_values(x, 2)
    assert Sprt(0, 0.25).llr(in_halves) == pytest.approx(Sprt(0, 0.5).llr(plain), rel=1e-12)
    assert Sprt(0, 0.2, unit="sd").llr(in_halves) == pytest.approx(Sprt(0, 0.2, unit="sd").llr(plain), rel=1e-12)


def test_bounds_are_walds() -> None:
    assert sprt_bounds(0.05, 0.05) == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert sprt_bounds(0.05, 0.1) == pytest.approx((math.log(0.1 / 0.95), math.log(18)))


def errors(values: list[int], chances: list[float], effect: float, hypothesis: int, unit: str) -> tuple[float, float]:
    """Share of runs that accept the wrong hypothesis, and of those that end undecided."""
    v, p = np.array(values), np.array(chances)
    sd = math.sqrt(p @ v**2 - (p @ v) ** 2)
    # The true mean is that of the values; the hypotheses are put around it.
    looks = np.array(look_grid(60_000))
    steps = np.random.default_rng(52 + hypothesis).multinomial(np.diff(looks, prepend=0), p, (3_000, len(looks)))
    counts = steps.cumsum(axis=1)
    mean, square = counts @ v / looks, counts @ v**2 / looks
    if unit == "value":
        h0 = p @ v - effect * sd * hypothesis
        llr = mean_llr(looks, mean, square, h0, h0 + effect * sd)
    else:
        h0 = p @ v / sd - effect * hypothesis
        llr = effect_llr(looks, mean, square, h0, h0 + effect)
    centred = np.where(counts > 0, (v - mean[..., None]) ** 2, 0).max(axis=-1)
    told = centred <= 0.04 * looks * (square - mean**2)
    low, high = sprt_bounds(0.05, 0.05)
    ended = told & ((llr <= low) | (llr >= high))
    first = ended.argmax(axis=1)
    accepted = np.where(ended.any(axis=1), llr[np.arange(len(llr)), first] >= high, np.nan)
    return float(np.mean(accepted == 1 - hypothesis)), float(np.isnan(accepted).mean())


@pytest.mark.parametrize("unit", ["value", "sd"])
@pytest.mark.parametrize("hypothesis", [0, 1])
@pytest.mark.parametrize(
    ("values", "chances"),
    [
        ([-840, -420, 0, 420, 840], [0.1, 0.2, 0.4, 0.2, 0.1]),
        ([-8, -3, 0, 1, 4, 40], [0.1, 0.2, 0.3, 0.25, 0.13, 0.02]),
    ],
)
def test_error_rates_are_at_most_five_percent(
    values: list[int], chances: list[float], hypothesis: int, unit: str
) -> None:
    wrong, undecided = errors(values, chances, 0.04, hypothesis, unit)
    assert 0 < wrong <= 0.05
    assert undecided < 0.01


def test_decisions() -> None:
    rng = np.random.default_rng(53)
    worse, better = (Histogram.from_values(rng.integers(-5, 6, 4_000) + shift) for shift in (0, 1))
    test = Sprt(0, 0.5)
    assert test.decide(worse) == "h0"
    assert test.decide(better) == "h1"
    assert Sprt(0, 0.01).decide(worse) is None
    # A policy against itself: no deal differs, and no test of a likelihood can tell from that how far.
    same = Histogram.from_values(np.zeros(10_000, int))
    assert test.llr(same) == 0
    assert test.decide(same) is None
    assert test.llr(Histogram.from_values([])) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Sprt(1, 1), "h0=1, h1=1: h0 must be below h1"),
        (lambda: Sprt(0, 1, alpha=0.6, beta=0.5), "alpha=0.6, beta=0.5: must add up to less than 1"),
        (lambda: Sprt(0, 1, unit="points"), "unit='points': must be 'value' or 'sd'"),
        (lambda: Sprt(0, math.inf), "h1=inf: must be finite"),
    ],
)
def test_bad_arguments_are_named(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
