"""When to stop: rules, the grid of deals at which they are asked, and the monitor of a run played in chunks.

A decision depends on the deals 0, 1, 2, … in their own order and on the grid alone. Chunks may be of any
size and may finish in any order on any number of threads; the monitor looks only when all deals up to a
look are there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from simlib.stats._check import (
    Ints,
    as_integers,
    check_count,
    check_number,
    check_positive,
)
from simlib.stats.accumulators import Histogram
from simlib.stats.intervals import Estimate
from simlib.stats.sequences import ConfidenceSequence, NormalMixture
from simlib.stats.sprt import Sprt

Reason = Literal["above", "below", "equivalent", "precise", "h0", "h1"]


def look_grid(last: int, first: int = 1_000, growth: Fraction | float = Fraction(5, 4)) -> tuple[int, ...]:
    """Numbers of deals at which a run may be stopped.

    Parameters
    ----------
    last
        Deals of the whole run; always the last look.
    first
        The first look. What is asymptotic rests on it: every kind of deal that matters to the mean should
        have occurred several times by then.
    growth
        Each look is this factor after the one before, rounded up. The looks below ``last`` do not depend on
        it, so that a run extended to more deals is asked at the same places.

    Returns
    -------
    tuple of int
        Increasing. 1,000 … 100,000 deals at 5/4 are 22 looks.

    Examples
    --------
    >>> look_grid(3_000)
    (1000, 1250, 1563, 1954, 2443, 3000)
    """
    end, look = check_count(last, "last"), check_count(first, "first")
    factor = Fraction(growth)
    if factor <= 1:
        raise ValueError(f"growth={growth!r}: must be above 1")
    looks = []
    while look < end:
        looks.append(look)
        look = math.ceil(look * factor)
    return (*looks, end)


@dataclass(frozen=True)
class Verdict:
    """What a rule says at one look.

    Attributes
    ----------
    deals
        Deals it has seen: 0 … deals - 1.
    reason
        Why to stop, or None to go on.
    estimate
        The mean with an interval that holds in spite of the looks before it.
    llr
        The log-likelihood ratio, for an SPRT.
    """

    deals: int
    reason: Reason | None
    estimate: Estimate
    llr: float | None = None


class StoppingRule(Protocol):
    """Anything that can be asked at a look."""

    def look(self, deals: Histogram) -> Verdict:
        """The verdict after these deals."""
        ...


@dataclass(frozen=True)
class StopByInterval:
    """Stop once a confidence sequence tells what one wants to know.

    Attributes
    ----------
    sequence
        `NormalMixture` or `BettingSequence`; with several variants, each with its share of alpha
        (`split_alpha`).
    reference
        Stop as ``"above"`` or ``"below"`` when the interval excludes this value; None never to.
    margin
        Stop as ``"equivalent"`` when the whole interval is nearer to the reference (or to 0) than this.
    half_width
        Stop as ``"precise"`` when half its length is at most this.
    """

    sequence: ConfidenceSequence
    reference: float | None = 0.0
    margin: float | None = None
    half_width: float | None = None

    def __post_init__(self) -> None:
        if self.reference is not None:
            check_number(self.reference, "reference")
        for name in ("margin", "half_width"):
            if getattr(self, name) is not None:
                check_positive(getattr(self, name), name)
        if self.reference is None and self.margin is None and self.half_width is None:
            raise ValueError("reference, margin, half_width: at least one must be given")

    def look(self, deals: Histogram) -> Verdict:
        """The verdict after these deals."""
        e = self.sequence.interval(deals)
        return Verdict(deals.n, self._reason(e), e)

    def _reason(self, e: Estimate) -> Reason | None:
        centre = self.reference or 0.0
        if self.reference is not None and e.excludes(centre):
            return "above" if e.mean > centre else "below"
        if self.margin is not None and max(e.hi - centre, centre - e.lo) < self.margin:
            return "equivalent"
        return "precise" if self.half_width is not None and e.half_width <= self.half_width else None


@dataclass(frozen=True)
class StopBySprt:
    """Stop once a sequential probability ratio test accepts a hypothesis.

    Attributes
    ----------
    test
        The test.
    sequence
        Where the interval of the verdict comes from: the usual interval after a test that stopped at an
        extreme would be too narrow and off centre. By default a `NormalMixture` at alpha 0.05.
    """

    test: Sprt
    sequence: ConfidenceSequence = field(default_factory=NormalMixture)

    def look(self, deals: Histogram) -> Verdict:
        """The verdict after these deals."""
        return Verdict(deals.n, self.test.decide(deals), self.sequence.interval(deals), self.test.llr(deals))


class Monitor:
    """Watches a run that comes in chunks, and says when to stop.

    Parameters
    ----------
    rule
        Asked at each look until it gives a reason to stop.
    looks
        Increasing numbers of deals, from `look_grid`.
    scale
        Denominator of the integer values.

    Notes ----- Only the contiguous deals from 0 on count. Deals beyond the one at which the rule stopped
    are ignored, however many were played: a run reports ``verdict.deals`` deals, and reports the same on
    any number of threads.
    """

    def __init__(self, rule: StoppingRule, looks: tuple[int, ...], scale: int = 1) -> None:
        if not looks or list(looks) != sorted(set(looks)) or looks[0] < 1:
            raise ValueError(f"looks={looks!r}: must be increasing numbers of deals from 1 on")
        self._rule, self._looks = rule, looks
        self._seen = Histogram.from_values([], scale)
        self._waiting: dict[int, Ints] = {}
        self._history: list[Verdict] = []

    @property
    def deals(self) -> int:
        """Contiguous deals taken in so far."""
        return self._seen.n

    @property
    def history(self) -> tuple[Verdict, ...]:
        """The verdicts at the looks so far."""
        return tuple(self._history)

    @property
    def stopped(self) -> bool:
        """Whether the rule gave a reason to stop, or the last look is over."""
        return len(self._history) == len(self._looks) or bool(self._history and self._history[-1].reason)

    @property
    def verdict(self) -> Verdict | None:
        """The final verdict once stopped (its reason is None if the deals ran out), else None."""
        return self._history[-1] if self.stopped else None

    def add(self, first_deal: int, values: ArrayLike) -> bool:
        """Take in the values of deals ``first_deal``, ``first_deal + 1``, …; returns `stopped`.

        Parameters
        ----------
        first_deal
            Number of the first deal, from 0.
        values
            Shape (deals,): integers, value × scale, one a deal.

        Raises
        ------
        ValueError
            If some of the deals came before.
        """
        start, chunk = (
            check_count(first_deal, "first_deal", least=0),
            as_integers(values, "values", empty=True),
        )
        if self.stopped or not len(chunk):
            return self.stopped
        spans = [(0, self.deals), *((s, s + len(waiting)) for s, waiting in self._waiting.items())]
        for lo, hi in spans:
            if start < hi and lo < start + len(chunk):
                raise ValueError(f"first_deal={start}: deals {max(lo, start)} … have been added before")
        self._waiting[start] = chunk
        while self.deals in self._waiting:
            self._take(self._waiting.pop(self.deals))
        return self.stopped

    def _take(self, chunk: Ints) -> None:
        """Take in the next contiguous deals, looking wherever the grid says."""
        while chunk.size > 0 and not self.stopped:
            until = self._looks[len(self._history)]
            part, chunk = np.split(chunk, [until - self.deals])
            self._seen = self._seen + Histogram.from_values(part, self._seen.scale)
            if self.deals == until:
                self._history.append(self._rule.look(self._seen))
        if self.stopped:
            self._waiting.clear()
