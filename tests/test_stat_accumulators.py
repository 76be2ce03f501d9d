"""Exact accumulators: any chunking and any order of merging give the same bits."""

from __future__ import annotations

import functools
import json
import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.stats.accumulators import Histogram, Moments

SMALL = st.integers(-1000, 1000)
HUGE = st.integers(-(2**63), 2**63 - 1)


@st.composite
def chunked(draw: st.DrawFn, numbers: st.SearchStrategy[int] = SMALL) -> tuple[np.ndarray, list[np.ndarray]]:
    """Rows, and the same rows cut into chunks that come in some other order."""
    columns = draw(st.integers(1, 3))
    row = st.lists(numbers, min_size=columns, max_size=columns)
    rows = np.array(draw(st.lists(row, min_size=1, max_size=30)), np.int64)
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=5)))
    return rows, draw(st.permutations(np.split(rows, cuts)))


@given(chunked(HUGE))
def test_moments_do_not_depend_on_chunks_even_where_int64_overflows(data: tuple) -> None:
    rows, chunks = data
    merged = functools.reduce(
        operator.add, (Moments.from_values(c, 3) for c in chunks), Moments.empty(rows.shape[1], 3)
    )
    plain = rows.astype(object)
    assert merged == Moments.from_values(rows, 3)
    assert merged.sums == tuple(int(total) for total in plain.sum(axis=0))
    assert [list(row) for row in merged.products] == (plain.T @ plain).tolist()
    assert merged.nonzero == tuple(np.count_nonzero(rows, axis=0))


@pytest.mark.parametrize("size", [1, 2**20, 2**23, 2**26, 2**31, 2**62])
def test_every_size_of_number_is_added_exactly(size: int) -> None:
    rows = np.random.default_rng(size).integers(-size, size, (300, 2), endpoint=True)
    plain = rows.astype(object)
    assert [list(row) for row in Moments.from_values(rows).products] == (plain.T @ plain).tolist()


@given(chunked())
def test_means_and_covariance_equal_numpy(data: tuple) -> None:
    rows, _ = data
    moments = Moments.from_values(rows, scale=4)
    np.testing.assert_allclose(moments.means, rows.mean(axis=0) / 4, rtol=1e-13, atol=1e-13)
    if len(rows) > 1:
        expected = np.cov(rows / 4, rowvar=False).reshape(moments.columns, -1)
        np.testing.assert_allclose(moments.covariance, expected, rtol=1e-9, atol=1e-7)


def test_variance_survives_a_large_mean() -> None:
    """Squares of 10^12 with a spread of 1: floats would have lost it all."""
    moments = Moments.from_values(10**12 + np.array([0, 1, 2]))
    assert moments.covariance == [[1.0]]


def test_combine_is_exact() -> None:
    moments = Moments.from_values([[1, 2], [4, 3], [9, 5]], scale=2)
    third = Fraction(1, 3)
    mean, variance = moments.combine([third, -third])
    values = [Fraction(-1, 6), Fraction(1, 6), Fraction(4, 6)]
    assert mean == sum(values) / 3
    assert variance == sum((v - mean) ** 2 for v in values) / 2


def test_moments_survive_json() -> None:
    moments = Moments.from_values([[2**62, 0], [-5, 7]], scale=840)
    assert Moments.from_dict(json.loads(json.dumps(moments.as_dict()))) == moments


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": None}, "lacks n"),
        ({"sums": [1]}, "must agree in size"),
        ({"products": [[1, 2], [3]]}, "must agree"),
    ],
)
def test_damaged_statistics_are_refused(change: dict, message: str) -> None:
    data = Moments.from_values([[1, 2], [3, 4]]).as_dict() | change
    with pytest.raises(ValueError, match=message):
        Moments.from_dict({key: value for key, value in data.items() if value is not None})


@given(st.lists(SMALL, min_size=1, max_size=60), st.integers(0, 60))
def test_histogram_merges_exactly_and_knows_the_moments(values: list[int], cut: int) -> None:
    whole = Histogram.from_values(values, 840)
    left, right = (Histogram.from_values(part, 840) for part in (values[:cut], values[cut:]))
    assert left + right == right + left == whole
    assert hash(left + right) == hash(whole)
    assert whole.moments() == Moments.from_values(values, 840)
    assert whole.n == len(values)


@settings(max_examples=50)
@given(st.lists(SMALL, min_size=2, max_size=60))
def test_largest_share_is_that_of_the_farthest_deal(values: list[int]) -> None:
    squares = (np.array(values) - np.mean(values)) ** 2
    expected = squares.max() / squares.sum() if len(set(values)) > 1 else 1.0
    assert Histogram.from_values(values, 7).largest_share == pytest.approx(expected)


def test_k_deals_alike_have_a_share_of_one_kth() -> None:
    values = np.zeros(100_000, int)
    values[:25], values[25:50] = 1, -1
    assert Histogram.from_values(values).largest_share == pytest.approx(1 / 50)


def test_floats_are_refused_rather_than_rounded() -> None:
    for kind in (Moments, Histogram):
        with pytest.raises(TypeError, match="values: must be integers, not float64"):
            kind.from_values([1.0, 2.0])


def test_shapes_and_scales_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"values: must have 1 or 2 dimension\(s\), got shape \(1, 1, 1\)"):
        Moments.from_values(np.zeros((1, 1, 1), int))
    with pytest.raises(ValueError, match=r"has 1 column\(s\) at scale 2; must have 1 at scale 1"):
        Moments.empty() + Moments.empty(scale=2)
    with pytest.raises(ValueError, match="has scale 2; must have 1"):
        Histogram.from_values([1]) + Histogram.from_values([1], 2)
    with pytest.raises(ValueError, match="above 2"):
        Moments.from_values(np.array([2**63], np.uint64))
    with pytest.raises(ValueError, match=r"hold 0 deal\(s\); at least 1 needed"):
        _ = Moments.empty().means
    with pytest.raises(ValueError, match="weights: got 1, must be 2"):
        Moments.from_values([[1, 2]]).combine([1])
    with pytest.raises(TypeError):
        _ = Moments.empty() + 1
