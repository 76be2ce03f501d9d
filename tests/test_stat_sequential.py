"""Stopping: the grid of looks, the rules, and a monitor that chunks and threads cannot move."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.stats.accumulators import Histogram
from simlib.stats.multiple import split_alpha
from simlib.stats.sequences import BettingSequence, NormalMixture
from simlib.stats.sequential import Monitor, StopByInterval, StopBySprt, Verdict, look_grid
from simlib.stats.sprt import Sprt

RULES = {
    "interval": StopByInterval(NormalMixture(), margin=0.2),
    "betting": StopByInterval(BettingSequence(-6, 7)),
    "sprt": StopBySprt(Sprt(0, 0.4)),
}
LOOKS = look_grid(6_000, first=300)


def watched(rule_name: str, values: np.ndarray, starts: list[int], order: list[int]) -> Monitor:
    """A monitor that got the deals in chunks that begin at ``starts``, in some order."""
    monitor = Monitor(RULES[rule_name], LOOKS)
    edges = [*starts, len(values)]
    for i in order:
        monitor.add(edges[i], values[edges[i] : edges[i + 1]])
    return monitor


@pytest.mark.parametrize("rule_name", RULES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_chunks_and_their_order_change_no_bit(rule_name: str, seed: int) -> None:
    shuffle = random.Random(seed)
    values = np.random.default_rng(seed % 7).integers(-6, 7, 6_000) + (seed % 2)
    starts = [0, *sorted(shuffle.sample(range(1, 6_000), shuffle.randint(0, 12)))]
    order = list(range(len(starts)))
    shuffle.shuffle(order)
    whole, pieces = watched(rule_name, values, [0], [0]), watched(rule_name, values, starts, order)
    assert whole.stopped
    assert pieces.verdict == whole.verdict
    assert pieces.history == whole.history


@pytest.mark.parametrize("rule_name", RULES)
def test_deals_after_the_stop_change_nothing(rule_name: str) -> None:
    values = np.random.default_rng(60).integers(-6, 7, 6_000) + 1
    monitor = watched(rule_name, values, [0], [0])
    verdict = monitor.verdict
    assert verdict is not None
    assert verdict.deals < 6_000
    alone = watched(rule_name, values[: verdict.deals], [0], [0])
    assert alone.verdict == verdict
    assert alone.add(verdict.deals, [1_000_000] * 500)
    assert alone.verdict == verdict


def test_the_verdict_is_that_of_the_first_deals() -> None:
    values = np.random.default_rng(61).integers(-6, 7, 6_000) + 1
    verdict = watched("interval", values, [0], [0]).verdict
    assert verdict == RULES["interval"].look(Histogram.from_values(values[: verdict.deals]))
    assert verdict.reason == "above"
    assert verdict.deals in LOOKS


def test_nothing_is_decided_while_deals_are_missing() -> None:
    values = np.full(5_000, 3) + np.arange(5_000) % 2
    monitor = Monitor(RULES["interval"], LOOKS)
    assert not monitor.add(1, values[1:])
    assert (monitor.deals, monitor.history, monitor.verdict) == (0, (), None)
    assert monitor.add(0, values[:1])
    assert monitor.verdict.deals == 300


def test_without_a_reason_the_deals_run_out() -> None:
    monitor = Monitor(StopByInterval(NormalMixture()), look_grid(2_000))
    assert monitor.add(0, np.zeros(2_000, int))
    verdict = monitor.verdict
    assert (verdict.deals, verdict.reason, verdict.estimate.mean) == (2_000, None, 0)
    assert [v.deals for v in monitor.history] == [1000, 1250, 1563, 1954, 2000]


def test_deals_may_not_come_twice() -> None:
    monitor = Monitor(RULES["interval"], LOOKS)
    monitor.add(0, [1, 2, 3])
    monitor.add(10, [1, 2, 3])
    for first, values in ((2, [1]), (8, [1, 2, 3]), (12, [5]), (0, [9] * 20)):
        with pytest.raises(ValueError, match=f"first_deal={first}: deals .* have been added before"):
            monitor.add(first, values)
    assert monitor.deals == 3
    monitor.add(3, np.ones(7, int))
    assert monitor.deals == 13


@given(st.integers(1, 10**6), st.integers(1, 5_000), st.fractions(Fraction(21, 20), 3))
def test_grid_increases_and_ends_at_the_last_deal(last: int, first: int, growth: Fraction) -> None:
    grid = look_grid(last, first, growth)
    assert grid[-1] == last
    assert all(a < b for a, b in itertools.pairwise(grid))
    assert all(b >= a * growth for a, b in itertools.pairwise(grid[:-1]))


@given(st.integers(1, 10**5), st.integers(1, 10**5))
def test_extending_a_run_moves_no_look(last: int, more: int) -> None:
    short, long = look_grid(last), look_grid(last + more)
    assert short[:-1] == long[: len(short) - 1]


def verdict_at(shift: float, spread: float, **rule: float | None) -> Verdict:
    deals = Histogram.from_values(np.random.default_rng(62).normal(100 * shift, 100 * spread, 4_000).astype(int), 100)
    return StopByInterval(NormalMixture(), **rule).look(deals)


def test_reasons_to_stop() -> None:
    assert verdict_at(1, 3).reason == "above"
    assert verdict_at(-1, 3).reason == "below"
    assert verdict_at(1, 3, reference=1.0).reason is None
    assert verdict_at(0, 3, margin=0.5).reason == "equivalent"
    assert verdict_at(0, 3, margin=0.1).reason is None
    assert verdict_at(1, 3, reference=None, half_width=0.2).reason == "precise"
    assert verdict_at(1, 3, reference=None, half_width=0.1).reason is None
    # A difference that is there but too small to matter: it is told first that it is there.
    assert verdict_at(0.3, 3, margin=0.6).reason == "above"
    assert verdict_at(0.3, 3, margin=0.6, reference=None).reason == "equivalent"


def test_sprt_verdict_has_a_ratio_and_an_honest_interval() -> None:
    deals = Histogram.from_values(np.random.default_rng(63).integers(-6, 7, 3_000))
    verdict = RULES["sprt"].look(deals)
    assert verdict.reason == "h0"
    assert verdict.llr == Sprt(0, 0.4).llr(deals)
    assert verdict.estimate == NormalMixture().interval(deals)


def test_several_variants_together_err_at_most_five_percent() -> None:
    """Five variants without effect, stopped one by one: how often is any called different?"""
    rng = np.random.default_rng(64)
    rule = StopByInterval(NormalMixture(alpha=split_alpha(0.05, 5)))
    looks = look_grid(8_000, growth=2)
    wrong = 0
    for _ in range(200):
        shared = rng.integers(-3, 4, 8_000)
        verdicts = []
        for _ in range(5):
            monitor = Monitor(rule, looks)
            monitor.add(0, shared + rng.integers(-2, 3, 8_000))
            verdicts.append(monitor.verdict.reason)
        wrong += any(verdicts)
    assert wrong / 200 <= 0.05


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: look_grid(0), "last=0: must be at least 1"),
        (lambda: look_grid(10, growth=1), "growth=1: must be above 1"),
        (lambda: Monitor(RULES["sprt"], ()), r"looks=\(\): must be increasing"),
        (lambda: Monitor(RULES["sprt"], (5, 5)), r"looks=\(5, 5\): must be increasing"),
        (lambda: Monitor(RULES["sprt"], (5,)).add(-1, [1]), "first_deal=-1: must be at least 0"),
        (
            lambda: StopByInterval(NormalMixture(), reference=None),
            "reference, margin, half_width: at least one",
        ),
        (lambda: StopByInterval(NormalMixture(), margin=0.0), "margin=0.0: must be above 0"),
        (lambda: StopByInterval(NormalMixture(), reference=math.nan), "reference=nan: must be finite"),
    ],
)
def test_bad_arguments_are_named(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
