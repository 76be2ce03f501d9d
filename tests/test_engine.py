"""The engine: seatings, chunks, threads, executors, errors that name what happened."""

from __future__ import annotations

import hashlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import simlib as sl
from simlib.engine import make_work, play_range, ranges, run_ranges, seating_plan
from simlib.policies import line_up

LINE = ["random", "lowest", "highest", "greedy"]


def hash_of(pieces) -> str:
    """Hash of rows in order of deals."""
    sha = hashlib.sha256()
    for _, rows in sorted(pieces, key=lambda p: p[0]):
        sha.update(rows.tobytes())
    return sha.hexdigest()


@pytest.fixture(scope="module")
def work():
    return make_work("drei_zu_viel", LINE, seed=11, seatings="rotations")


@pytest.fixture(scope="module")
def expected(work):
    return hash_of([(0, play_range(work, 0, 500))])


@pytest.mark.parametrize(("threads", "size"), [(1, 500), (1, 7), (2, 64), (2, 1), (3, 499)])
def test_same_games_on_any_number_of_threads_and_chunks(work, expected, threads, size):
    assert hash_of(run_ranges(work, ranges(0, 500, size), threads=threads)) == expected


def test_same_games_in_any_order(work, expected):
    pieces = list(ranges(0, 500, 50))
    assert hash_of(run_ranges(work, reversed(pieces), threads=2)) == expected


def test_same_games_on_other_executors(work, expected):
    with ThreadPoolExecutor(2) as pool:
        assert hash_of(run_ranges(work, ranges(0, 500, 100), executor=pool)) == expected
    with ProcessPoolExecutor(2) as pool:
        assert hash_of(run_ranges(work, ranges(0, 500, 250), executor=pool)) == expected


def test_any_single_game_can_be_played_alone(work):
    rows = play_range(work, 0, 40)
    for deal in (0, 17, 39):
        assert play_range(work, deal, 1).tobytes() == rows[deal : deal + 1].tobytes()


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_every_seed_is_its_own_set_of_games(seed):
    rows = play_range(make_work("drei_zu_viel", LINE, seed), 0, 20)
    other = play_range(make_work("drei_zu_viel", LINE, seed ^ 1), 0, 20)
    assert rows.tobytes() == play_range(make_work("drei_zu_viel", LINE, seed), 0, 20).tobytes()
    assert rows.tobytes() != other.tobytes()


def test_the_deal_does_not_depend_on_the_policies():
    """Same stream 0, same starter: the deal of game i is the same whatever is played."""
    a = play_range(make_work("drei_zu_viel", ["lowest"] * 4, 3), 0, 200)
    b = play_range(make_work("drei_zu_viel", ["random"] * 4, 3), 0, 200)
    assert (a["starter"] == b["starter"]).all()


def test_seating_plans():
    a, b, c = line_up("drei_zu_viel", "random,lowest,highest")
    assert seating_plan([a, b, c], "fixed") == ((0, 1, 2),)
    assert seating_plan([a, b, c], "rotations") == ((0, 1, 2), (2, 0, 1), (1, 2, 0))
    assert len(seating_plan([a, b, c], "all")) == 6
    assert len(seating_plan([a, a, b], "all")) == 3
    assert seating_plan([a, a, a], "rotations") == ((0, 1, 2),)
    with pytest.raises(ValueError, match="seatings='round' must be"):
        seating_plan([a, b], "round")


@pytest.mark.parametrize("how", ["rotations", "all"])
def test_every_policy_sits_equally_often_in_every_seat(how):
    line = line_up("drei_zu_viel", "random,random,highest,lowest")
    plan = np.array(seating_plan(line, how))
    texts = np.array([p.text for p in line])[plan]
    for name in ("highest", "lowest"):
        counts = (texts == name).sum(axis=0)
        assert (counts == counts[0]).all() and counts[0] > 0


def test_an_illegal_action_stops_the_batch_and_says_how_to_see_it_again():
    @sl.policy("drei_zu_viel")
    def wrong(view, ctx):
        return 99 if view.ply >= 30 else 0

    with pytest.raises(sl.IllegalAction) as caught:
        sl.simulate("drei_zu_viel", ["lowest", wrong], deals=10, seed=5, threads=1)
    text = str(caught.value)
    assert "policy 'wrong' at seat 1 returned the illegal action 99" in text
    assert "sl.simulate('drei_zu_viel', ['lowest', 'wrong'], deals=1, seed=5, first_deal=0)" in text


def test_an_index_outside_an_array_stops_the_batch():
    @sl.policy("drei_zu_viel")
    def outside(view, ctx):
        return view.hand[20 + view.ply]

    with pytest.raises(sl.PolicyError, match=r"policy 'outside' at seat . failed with IndexError.*deal 0"):
        sl.simulate("drei_zu_viel", [outside, "lowest"], deals=3, seed=5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "drei"}, "unknown game 'drei' .did you mean 'drei_zu_viel'"),
        ({"policies": "randm,lowest"}, "has no policy 'randm' .did you mean 'random'"),
        ({"policies": "greedy:gld=1,lowest"}, "has no parameter 'gld' .did you mean 'gold'"),
        ({"policies": "greedy:gold=x,lowest"}, "parameter gold of policy 'greedy' must be a number, not 'x'"),
        ({"policies": "random"}, "2 to 4 players; the line-up has 1"),
        ({"policies": ["random"] * 5}, "2 to 4 players; the line-up has 5"),
        ({"deals": 0}, "deals=0 must be at least 1"),
        ({"deals": -1}, "deals=-1 must be at least 1"),
        ({"deals": 2.5}, "deals must be a whole number"),
        ({"seed": -1}, "seed=-1 must be from 0"),
        ({"seed": 2**64}, "must be from 0 to 18446744073709551615"),
        ({"seed": "7"}, "seed must be a whole number, not '7'"),
        ({"threads": 0}, "threads=0 must be at least 1"),
        ({"keep": "all"}, "keep='all' must be"),
        ({"seatings": "each"}, "seatings='each' must be"),
        ({"resume": "yes"}, "resume='yes' must be"),
        ({"rules": {"opening": 3}}, "no rule option 'opening'.*opening_cards"),
        ({"rules": {"opening_cards": 4}}, "opening_cards=4"),
        ({"rules": {"players": 3}}, "rules say players=3, but the line-up has 2"),
        ({"rules": 3}, "rules must be drei_zu_viel's rules"),
        ({"executor": 3}, "executor must be"),
        ({"scenario": 3}, "scenario must be"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    good = {"game": "drei_zu_viel", "policies": "random,lowest", "deals": 2, "seed": 1}
    with pytest.raises((ValueError, TypeError), match=message):
        sl.simulate(**{**good, **arguments})
