"""Several comparisons at once: Holm, simultaneous intervals, groups that cannot be told apart, ties."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.stats.accumulators import Moments
from simlib.stats.clusters import ratio_means
from simlib.stats.intervals import mean_interval, wilson_interval
from simlib.stats.multiple import holm, indistinguishable, pairwise, ranks, simultaneous, split_alpha


@pytest.fixture(autouse=True, scope="module")
def _without_collecting() -> Iterator[None]:
    """Statsmodels collects garbage in every adjustment: 0.1 s each, which simulations cannot spare."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "collect", lambda: 0)
        yield


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_by_hand(p_values: list[float]) -> None:
    k = len(p_values)
    expected, worst = np.empty(k), 0.0
    for step, i in enumerate(np.argsort(p_values, kind="stable")):
        worst = max(worst, min(1.0, (k - step) * p_values[i]))
        expected[i] = worst
    np.testing.assert_allclose(holm(p_values), expected, rtol=1e-12)


def tournament(rng: np.random.Generator, deals: int, strengths: np.ndarray) -> Moments:
    """Each policy plays each deal once or twice; all share the luck of the deal."""
    counts = rng.integers(1, 3, (deals, len(strengths)))
    totals = counts * rng.poisson(4, (deals, 1)) + rng.binomial(10 * counts, strengths / 10)
    return Moments.from_values(np.column_stack([totals, counts]))


def compared(rng: np.random.Generator, deals: int, strengths: np.ndarray):
    k = len(strengths)
    return pairwise(ratio_means(tournament(rng, deals, strengths), range(k), range(k, 2 * k)))


def test_all_intervals_hold_and_no_equals_are_parted() -> None:
    rng = np.random.default_rng(70)
    strengths = np.array([5.0, 5.0, 5.0, 6.0])
    truth = strengths[:, None] - strengths
    held, parted = [], []
    for _ in range(700):
        result = compared(rng, 150, strengths)
        held.append(np.all((result.lo <= truth) & (truth <= result.hi)))
        parted.append(result.separated[:3, :3].any())
        assert result.separated[3, :3].all()
    assert np.mean(held) >= 0.94
    assert np.mean(parted) <= 0.06


def test_pairwise_is_antisymmetric_and_its_groups_are_the_equals() -> None:
    result = compared(np.random.default_rng(71), 400, np.array([5.0, 3.0, 5.0, 8.0]))
    assert np.array_equal(result.difference, -result.difference.T)
    assert np.array_equal(result.lo, -result.hi.T)
    assert np.array_equal(result.p, result.p.T)
    assert result.groups == [(0, 2), (1,), (3,)]
    assert result.groups == indistinguishable((result.lo > 0) | (result.hi < 0))


def test_holm_is_at_least_as_sharp_as_the_intervals() -> None:
    rng = np.random.default_rng(72)
    for _ in range(30):
        result = compared(rng, 60, np.array([4.8, 5.0, 5.2, 5.4]))
        assert not ((result.lo > 0) & ~result.separated).any()


@st.composite
def graphs(draw: st.DrawFn) -> np.ndarray:
    k = draw(st.integers(0, 7))
    apart = np.zeros((k, k), bool)
    for i, j in itertools.combinations(range(k), 2):
        apart[i, j] = apart[j, i] = draw(st.booleans())
    return apart


@given(graphs())
def test_groups_are_all_the_maximal_sets(apart: np.ndarray) -> None:
    k = len(apart)
    subsets = [set(s) for size in range(1, k + 1) for s in itertools.combinations(range(k), size)]
    alike = [s for s in subsets if not any(apart[i, j] for i, j in itertools.combinations(s, 2))]
    maximal = sorted(tuple(sorted(s)) for s in alike if not any(s < other for other in alike))
    assert indistinguishable(apart) == maximal


def test_groups_overlap_where_they_must() -> None:
    apart = np.zeros((3, 3), bool)
    apart[0, 2] = apart[2, 0] = True
    assert indistinguishable(apart) == [(0, 1), (1, 2)]


def test_ties_are_ties() -> None:
    assert ranks([3.0, 7.5, 3.0, 1.0, 7.5]).tolist() == [3, 1, 3, 5, 1]


def test_simultaneous_intervals_are_bonferronis() -> None:
    x = np.random.default_rng(73).integers(0, 9, (5, 30))
    wide = simultaneous([mean_interval(row) for row in x], level=0.9)
    assert [e.lo for e in wide] == pytest.approx([mean_interval(row, level=0.98).lo for row in x])
    assert simultaneous([]) == []
    assert split_alpha(0.05, 5) == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: holm([0.5, 1.2]), "p_values: lie between 0.5 and 1.2; must lie in 0…1"),
        (lambda: split_alpha(0.05, 0), "variants=0: must be at least 1"),
        (lambda: indistinguishable(np.zeros((2, 3), bool)), r"separated: has shape \(2, 3\); must be square"),
        (
            lambda: indistinguishable(np.ones((2, 2), bool)),
            "separated: must be a symmetric array of truth values",
        ),
        (
            lambda: simultaneous([wilson_interval(1, 2)]),
            "estimates: hold one by 'Wilson'; must all be t intervals",
        ),
    ],
)
def test_bad_arguments_are_named(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
