"""Tournaments: every line-up on the same deals, rankings, pay-offs, equilibria."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import simlib as sl
from simlib.analysis.equilibrium import symmetric_equilibrium
from simlib.analysis.lineups import make_schedule

NAMES = ["greedy", "filler", "lowest", "random"]


@pytest.fixture(scope="module")
def three():
    return sl.tournament("drei_zu_viel", NAMES, 40, seed=5, players=3)


def test_all_lineups_with_weights_of_independent_opponents():
    schedule = make_schedule(4, 3, 100, 0)
    assert schedule.complete and len(schedule.lineups) == 20
    assert schedule.total == (16, 16, 16, 16)  # 4 x 4 choices of two opponents
    number = schedule.lineups.index((0, 1, 2))
    assert schedule.weights[number, 0] == 2  # opponents 1 and 2 in either order


def test_a_sample_is_balanced_and_says_so():
    schedule = make_schedule(9, 4, 45, 3)
    seats = Counter(itertools.chain(*schedule.lineups))
    assert not schedule.complete and len(set(schedule.lineups)) == 45
    assert max(seats.values()) - min(seats.values()) <= 6


def test_ratings_equal_a_plain_computation(three):
    """Every line-up simulated on its own, weighted by hand."""
    total = dict.fromkeys(NAMES, 0.0)
    for lineup in itertools.combinations_with_replacement(NAMES, 3):
        seats = sl.simulate("drei_zu_viel", list(lineup), 40, seed=5, seatings="rotations").seats
        means = seats.groupby("policy", observed=True).win_share.mean()
        for name in set(lineup):
            others = list(lineup)
            others.remove(name)
            total[name] += means[name] * (2 if others[0] != others[1] else 1) / 16
    got = three.ranking().set_index("policy").win_share
    for name in NAMES:
        assert got[name] == pytest.approx(total[name], abs=1e-12)


def test_ranking_orders_and_groups(three):
    table = three.ranking()
    assert table["rank"].is_monotonic_increasing
    assert set(table.policy[:2]) == {"greedy", "filler"}
    assert not set(table.group[0]) & set(table.group[3])
    assert (table.lo < table.win_share).all() and (table.win_share < table.hi).all()


def test_the_same_on_any_number_of_threads(three):
    again = sl.tournament("drei_zu_viel", NAMES, 40, seed=5, players=3, threads=1)
    pd.testing.assert_frame_equal(three.ranking(), again.ranking(), check_exact=True)


def test_pay_offs_of_a_table_of_equals_are_equal_shares(three):
    table = three.payoffs()
    assert np.allclose(np.diag(table), 1 / 3)
    assert table.loc["greedy", "random"] > 0.5 > table.loc["random", "greedy"]
    cell = three.payoffs(intervals=True).loc["greedy", "random"]
    assert cell.lo < cell.mean < cell.hi and cell.n_deals == 40


def test_dominance_and_best_responses(three):
    edges = three.dominance()
    assert {"better": "greedy", "worse": "random"}.items() <= edges.iloc[0].to_dict().items() or (
        (edges.better == "greedy") & (edges.worse == "random")
    ).any()
    assert (edges.lo > -0.05).all() and (edges.p < 0.05).all()
    best = three.best_responses()
    assert set(best.against) == set(NAMES) and (best.gain >= 0).all()


def test_equilibrium_of_the_tournament_leaves_nothing_to_gain(three):
    found = three.equilibrium()
    assert sum(found.probabilities) == pytest.approx(1)
    assert found.regret < 1e-6
    assert found.table.shortfall.min() == 0


def test_rock_paper_scissors_is_mixed_evenly():
    beats = {(0, 2), (1, 0), (2, 1)}

    def two(line, who):
        other = line[1] if line[0] == who else line[0]
        return ((who, other) in beats) - ((other, who) in beats) + 0.0

    found = symmetric_equilibrium(["rock", "paper", "scissors"], 2, two)
    assert np.allclose(found.probabilities, 1 / 3) and found.regret < 1e-9 and "nashpy" in found.method


def test_three_players_who_avoid_each_other():
    """Each picks a place; alone there one earns 1, else 0. By symmetry each of two places has probability 1/2."""

    def alone(line, who):
        return 1.0 if list(line).count(who) == 1 else 0.0

    found = symmetric_equilibrium(["left", "right"], 3, alone)
    assert np.allclose(found.probabilities, 0.5) and found.regret < 1e-9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"policies": "greedy"}, "at least two different"),
        ({"policies": "greedy,greedy"}, "at least two different"),
        ({"deals": 1}, "deals=1"),
        ({"players": 7}, "players=7 must be from 2 to 4"),
        ({"players": 2, "rules": {"players": 3}}, "players=2, but the rules say players=3"),
        ({"lineups": 0}, "lineups=0"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        sl.tournament(**{"game": "drei_zu_viel", "policies": "greedy,random", "deals": 5, **arguments})


def test_questions_that_make_no_sense(three):
    with pytest.raises(ValueError, match="measure='wins'"):
        three.ranking("wins")
    with pytest.raises(ValueError, match="did not play"):
        three.payoff(["greedy", "highest", "random"], "greedy")
    sample = sl.tournament("drei_zu_viel", NAMES, 4, seed=5, players=3, lineups=5)
    with pytest.raises(ValueError, match="needs all line-ups"):
        sample.equilibrium()
    assert "balanced sample of 5" in repr(sample)
