"""Sufficient statistics that are exact and mergeable.

Everything is kept as Python integers (values × a common ``scale``), so that the same deals give the same
bits however they were cut into chunks and in whatever order the chunks were merged. Rounding happens once,
in the final division.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import Floats, Ints, as_integers, check_count

Weight = int | float | Fraction


@dataclass(frozen=True)
class Moments:
    """Count, sums and sums of products of k integer columns, one row a deal.

    Attributes
    ----------
    n
        Rows (deals).
    sums
        k sums of the stored integers.
    products
        k rows of k sums of products; symmetric.
    nonzero
        For each column the number of rows that are not zero: how many deals differed, in how many a policy
        occurred.
    scale
        What one unit is stored as: a stored integer v means v / scale. Win shares have scale 840.
    """

    n: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]
    nonzero: tuple[int, ...]
    scale: int = 1

    @classmethod
    def empty(cls, columns: int = 1, scale: int = 1) -> Self:
        """No deals yet: the neutral element of merging."""
        k = check_count(columns, "columns")
        return cls(0, (0,) * k, ((0,) * k,) * k, (0,) * k, check_count(scale, "scale"))

    @classmethod
    def from_values(cls, values: ArrayLike, scale: int = 1) -> Self:
        """Statistics of integers of shape (deals,) or (deals, columns), each a value × ``scale``.

        Raises
        ------
        TypeError
            If the values are not integers.
        """
        array = as_integers(values, "values", ndim=(1, 2), empty=True)
        rows = array[:, None] if array.ndim == 1 else array
        nonzero = tuple(int(count) for count in np.count_nonzero(rows, axis=0))
        return cls(len(rows), _exact_sums(rows), _exact_products(rows), nonzero, check_count(scale, "scale"))

    @property
    def columns(self) -> int:
        """Number of columns k."""
        return len(self.sums)

    def __add__(self, other: Moments) -> Self:
        """The statistics of both sets of deals together. Exact, hence associative and commutative."""
        if not isinstance(other, Moments):
            return NotImplemented
        if (self.columns, self.scale) != (other.columns, other.scale):
            raise ValueError(
                f"other: has {other.columns} column(s) at scale {other.scale}; "
                f"must have {self.columns} at scale {self.scale}"
            )
        return type(self)(
            self.n + other.n,
            _add(self.sums, other.sums),
            tuple(_add(mine, its) for mine, its in zip(self.products, other.products, strict=True)),
            _add(self.nonzero, other.nonzero),
            self.scale,
        )

    @property
    def means(self) -> Floats:
        """Means of the columns, shape (k,), in units of the value; needs one deal."""
        self._need(1)
        return np.array([total / (self.n * self.scale) for total in self.sums])

    @property
    def covariance(self) -> Floats:
        """Sample covariance of one deal's values, shape (k, k), divisor n - 1; needs two deals."""
        self._need(2)
        divisor = self.n * (self.n - 1) * self.scale**2
        return np.array(
            [
                [(self.n * q - s * t) / divisor for t, q in zip(self.sums, row, strict=True)]
                for s, row in zip(self.sums, self.products, strict=True)
            ]
        )

    def combine(self, weights: Sequence[Weight]) -> tuple[Fraction, Fraction]:
        """Exact mean and sample variance of a weighted sum of the columns.

        Parameters
        ----------
        weights
            k weights; use ``Fraction(1, 3)`` rather than ``1 / 3`` where the weight is meant exactly.

        Returns
        -------
        tuple of Fraction
            Mean, and variance of one deal's weighted sum (divisor n - 1; 0 for a single deal).
        """
        self._need(1)
        if len(weights) != self.columns:
            raise ValueError(f"weights: got {len(weights)}, must be {self.columns}, one a column")
        exact = [Fraction(weight) / self.scale for weight in weights]
        used = [i for i, weight in enumerate(exact) if weight]
        total = sum((exact[i] * self.sums[i] for i in used), Fraction(0))
        squares = sum((exact[i] * exact[j] * self.products[i][j] for i in used for j in used), Fraction(0))
        spread = (self.n * squares - total**2) / (self.n * (self.n - 1)) if self.n > 1 else Fraction(0)
        return total / self.n, spread

    def as_dict(self) -> dict[str, Any]:
        """Plain integers and lists, for a JSON file."""
        return {
            "n": self.n,
            "sums": list(self.sums),
            "products": [list(row) for row in self.products],
            "nonzero": list(self.nonzero),
            "scale": self.scale,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `as_dict`."""
        missing = {"n", "sums", "products", "nonzero", "scale"} - set(data)
        if missing:
            raise ValueError(f"data: lacks {', '.join(sorted(missing))}")
        products = tuple(tuple(map(int, row)) for row in data["products"])
        sums, nonzero = tuple(map(int, data["sums"])), tuple(map(int, data["nonzero"]))
        if {len(sums), len(nonzero), len(products), *map(len, products)} != {len(sums)}:
            raise ValueError(f"data: sums, nonzero and products must agree in size, got {len(sums)} sums")
        return cls(int(data["n"]), sums, products, nonzero, int(data["scale"]))

    def _need(self, deals: int) -> None:
        if self.n < deals:
            raise ValueError(f"moments: hold {self.n} deal(s); at least {deals} needed")


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each integer value of one column occurred: the whole sample but for its order.

    Attributes
    ----------
    values
        Distinct stored integers in increasing order, int64, shape (v,).
    counts
        Deals with each value, int64 above zero, shape (v,).
    scale
        A stored integer v means v / scale.
    """

    values: Ints
    counts: Ints
    scale: int = 1

    @classmethod
    def from_values(cls, values: ArrayLike, scale: int = 1) -> Self:
        """Counts of integers of shape (deals,), each a value × ``scale``. None at all is allowed."""
        array = as_integers(values, "values", empty=True)
        distinct, counts = np.unique(array, return_counts=True)
        return cls(distinct, counts.astype(np.int64), check_count(scale, "scale"))

    @property
    def n(self) -> int:
        """Deals counted."""
        return int(self.counts.sum())

    @property
    def largest_share(self) -> float:
        """Largest part that a single deal has in the sum of squares about the mean; 1 if nothing varies yet.

        Small values are what the central limit theorem asks for. It is 1 / k when k deals alike stand out.
        """
        if len(self.values) < 2:
            return 1.0
        mean, variance = self.moments().combine((self.scale,))
        farthest = max(mean - int(self.values[0]), int(self.values[-1]) - mean)
        return float(farthest**2 / (variance * (self.n - 1)))

    @property
    def nonzero(self) -> int:
        """Deals whose value is not zero."""
        return int(self.counts[self.values != 0].sum())

    def __add__(self, other: Histogram) -> Self:
        """Counts of both together. Exact, hence associative and commutative."""
        if not isinstance(other, Histogram):
            return NotImplemented
        if self.scale != other.scale:
            raise ValueError(f"other: has scale {other.scale}; must have {self.scale}")
        both = np.concatenate([self.values, other.values])
        distinct, place = np.unique(both, return_inverse=True)
        counts = np.zeros(len(distinct), np.int64)
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        return type(self)(distinct, counts, self.scale)

    def __eq__(self, other: object) -> bool:
        """Same values, same counts, same scale."""
        if not isinstance(other, Histogram):
            return NotImplemented
        same = np.array_equal(self.values, other.values) and np.array_equal(self.counts, other.counts)
        return same and self.scale == other.scale

    def __hash__(self) -> int:
        """Hash of the content, which nobody may change."""
        return hash((self.values.tobytes(), self.counts.tobytes(), self.scale))

    def moments(self) -> Moments:
        """The same deals as `Moments` of one column, exactly."""
        pairs = [(int(v), int(c)) for v, c in zip(self.values, self.counts, strict=True)]
        total, squares = sum(v * c for v, c in pairs), sum(v * v * c for v, c in pairs)
        return Moments(self.n, (total,), ((squares,),), (self.nonzero,), self.scale)


def _add(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _largest(rows: Ints) -> int:
    # In Python integers, because -(-2**63) does not fit into int64.
    return max(int(rows.max()), -int(rows.min())) if rows.size else 0


def _exact_sums(rows: Ints) -> tuple[int, ...]:
    if _largest(rows) * len(rows) < 2**63:
        return tuple(int(total) for total in rows.sum(axis=0))
    return tuple(sum(column.tolist()) for column in rows.T)


def _exact_products(rows: Ints) -> tuple[tuple[int, ...], ...]:
    """``rows.T @ rows`` in exact integers.

    A float64 product of integer matrices is exact, whatever the order of additions, while every partial sum
    stays below 2**53; it runs in BLAS, which integer products do not. So blocks are cut short enough for
    that.
    """
    k = rows.shape[1]
    block = (2**53 - 1) // max(_largest(rows) ** 2, 1)
    if block < 64:  # values so large that Python's integers are the quicker way
        columns = [column.tolist() for column in rows.T]
        return tuple(tuple(sum(a * b for a, b in zip(x, y, strict=True)) for y in columns) for x in columns)
    totals = [[0] * k for _ in range(k)]
    for start in range(0, len(rows), block):
        part = rows[start : start + block].astype(np.float64)
        product = part.T @ part
        totals = [[t + int(p) for t, p in zip(*pair, strict=True)] for pair in zip(totals, product, strict=True)]
    return tuple(map(tuple, totals))
