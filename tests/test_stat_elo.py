"""Elo, normalised Elo and their likelihood ratios: the published outputs of chess-engine testers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from simlib.stats.elo import NELO, elo_from_counts, elo_llr, elo_to_score, score_to_elo


def printed(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}f}"


def test_published_trinomial() -> None:
    e = elo_from_counts([96, 111, 136])
    assert [printed(x) for x in (e.elo, e.elo_error, e.nelo, e.nelo_error)] == [
        "40.70",
        "30.43",
        "49.77",
        "36.77",
    ]
    assert printed(100 * e.los) == "99.60"


def test_published_pentanomial() -> None:
    e = elo_from_counts([34, 54, 63, 64, 75])
    assert [printed(x) for x in (e.elo, e.elo_error, e.nelo, e.nelo_error)] == [
        "55.58",
        "27.65",
        "57.94",
        "28.28",
    ]


def test_published_sequential_test() -> None:
    counts = [379, 10170, 21828, 10640, 343]
    e = elo_from_counts(counts)
    assert [printed(x) for x in (e.nelo, e.nelo_error)] == ["3.05", "2.31"]
    assert printed(elo_llr(counts, 0, 2), 3) == "2.945"


@pytest.mark.parametrize(
    ("counts", "bounds", "model", "llr"),
    [
        ([36027, 68692, 36433], (0, 2), "normalized", 0.92),
        ([10650, 20431, 10871], (-1.75, 0.25), "normalized", 2.30),
        ([21184, 40708, 21404], (0.5, 2.5), "logistic", -1.57),
        ([57030, 106593, 57433], (0, 2), "logistic", -2.59),
        ([365, 16618, 36229, 16974, 390], (0, 2), "normalized", 2.25),
        ([127, 4883, 10712, 5150, 104], (-1.75, 0.25), "normalized", 3.01),
        ([223, 9863, 21279, 10037, 246], (0.5, 2.5), "logistic", -3.07),
        ([871, 26175, 55983, 26678, 821], (0, 2), "logistic", -4.98),
    ],
)
def test_likelihood_ratios_in_the_tests_of_fastchess(counts: list[int], bounds: tuple, model: str, llr: float) -> None:
    assert printed(elo_llr(counts, *bounds, model=model)) == printed(llr)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 300), min_size=5, max_size=5), st.sampled_from(["normalized", "logistic"]))
def test_ratio_is_that_of_constrained_maximisation(counts: list[int], model: str) -> None:
    """Against a general optimiser over distributions."""
    scores = np.linspace(0, 1, 5)

    def best(elo: float) -> float:
        def strength(p: np.ndarray) -> float:
            mean = p @ scores
            if model == "logistic":
                return mean - elo_to_score(elo)
            sd = math.sqrt(max(p @ (scores - mean) ** 2, 1e-12))
            return mean - 0.5 - math.sqrt(2) * elo / NELO * sd

        share = np.array(counts) / sum(counts)
        result = optimize.minimize(
            lambda p: -share @ np.log(p),
            share,
            jac=lambda p: -share / p,
            bounds=[(1e-9, 1)] * 5,
            constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": strength}],
            options={"ftol": 1e-13, "maxiter": 500},
        )
        return -sum(counts) * result.fun

    assert elo_llr(counts, -5, 15, model=model) == pytest.approx(best(15) - best(-5), abs=2e-3, rel=2e-3)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3).flatmap(lambda g: st.lists(st.integers(0, 50), min_size=2 * g + 1, max_size=2 * g + 1)))
def test_exchanging_the_players_changes_signs(counts: list[int]) -> None:
    counts[0] += 1
    e, mirrored = elo_from_counts(counts), elo_from_counts(counts[::-1])
    assert mirrored.elo == pytest.approx(-e.elo, abs=1e-6)
    assert mirrored.nelo == pytest.approx(-e.nelo, abs=1e-6)
    assert mirrored.los == pytest.approx(1 - e.los, abs=1e-9)
    for model in ("normalized", "logistic"):
        llr, back = elo_llr(counts, -20, 10, model=model), elo_llr(counts[::-1], -10, 20, model=model)
        assert back == pytest.approx(-llr, abs=1e-8, rel=1e-8)


def test_a_pair_of_independent_games_is_two_games() -> None:
    """Pentanomial counts of unrelated games say the same as the trinomial ones."""
    p = np.array([0.2, 0.3, 0.5])
    single, paired = elo_from_counts(2e4 * p), elo_from_counts(1e4 * np.convolve(p, p))
    assert paired.elo == pytest.approx(single.elo)
    assert (paired.nelo, paired.nelo_error) == pytest.approx((single.nelo, single.nelo_error))
    assert paired.elo_error == pytest.approx(single.elo_error)
    assert paired.los == pytest.approx(single.los)


def test_equal_players_are_at_zero() -> None:
    e = elo_from_counts([10, 20, 10])
    assert (e.elo, e.nelo, e.los) == (0, 0, 0.5)
    assert elo_llr([10, 20, 10], -3, 3) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "sign"),
    [([8, 0, 0], -1), ([0, 0, 4211], 1), ([0, 0, 3213, 0, 0], -1), ([0, 7, 0, 0, 0, 0, 8], -1)],
)
def test_lopsided_matches_have_a_ratio(counts: list[int], sign: int) -> None:
    """All lost speaks for the weaker hypothesis, all won for the stronger, else for no difference."""
    assert math.copysign(1, elo_llr(counts, 0, 300)) == sign


def test_extremes() -> None:
    lost, drawn = elo_from_counts([5, 0, 0]), elo_from_counts([0, 5, 0])
    assert (lost.elo, lost.elo_error, lost.nelo, lost.los) == (-math.inf, math.inf, -math.inf, 0)
    assert (drawn.elo, drawn.nelo, drawn.los) == (0, 0, 0.5)
    assert score_to_elo(elo_to_score(123.0)) == pytest.approx(123)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: elo_from_counts([1, 2]), "counts: got 2 classes; must be an odd number of at least 3"),
        (lambda: elo_from_counts([0, 0, 0]), "must be 0 or more, and not all 0"),
        (lambda: elo_llr([1, 2, 3], 2, 2), "elo0=2, elo1=2: elo0 must be below elo1"),
        (
            lambda: elo_llr([1, 2, 3], 0, 2, model="bayesian"),
            "model='bayesian': must be 'normalized' or 'logistic'",
        ),
        (
            lambda: elo_llr([1, 2, 3], 0, 5_000),
            r"elo0, elo1: are 14\.4 standard deviations of a unit; at most 2\.8",
        ),
    ],
)
def test_bad_arguments_are_named(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
