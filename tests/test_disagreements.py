"""Disagreements: found where they are, priced by play-outs with everything else equal, readable."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import simlib as sl
from simlib.engine import make_work, play_range


@sl.policy("drei_zu_viel")
def late(view, ctx):
    """Play the lowest card, but the highest on the last play."""
    n = int(view.hand_n[view.seat])
    return n - 1 if n == 3 and view.stack_n[view.seat] == 0 else 0


@pytest.fixture(scope="module")
def once():
    """`lowest` and `late` differ exactly once a game: on the last of eighteen plays, where three cards are left."""
    return sl.disagreements("drei_zu_viel", "lowest", late, 50, seed=4, players=2)


def test_they_are_found_exactly_where_they_are(once):
    assert len(once) == 100 and once.games == 100 and once.decisions == 100 * 18
    assert once.rate.mean == 1 and once.rate.se == 0
    assert set(once.table("third").third) == {"3"}


def test_the_cost_is_the_difference_of_the_two_games(once):
    """The games differ in that one action, so the cost is known from playing both whole."""
    found = {(s.deal, s.seat): s.score for s in once.examples(200)}
    a = play_range(make_work("drei_zu_viel", ["lowest", "lowest"], 4), 0, 50)[:, 0]
    for seat, line in ((0, [late, "lowest"]), (1, ["lowest", late])):
        b = play_range(make_work("drei_zu_viel", line, 4), 0, 50)[:, 0]
        difference = b["score"][:, seat].astype(int) - a["score"][:, seat]
        assert [found[deal, seat] for deal in range(50)] == difference.tolist()


def test_a_policy_never_differs_from_itself():
    none = sl.disagreements("drei_zu_viel", "greedy", "greedy", 5, seed=4)
    assert len(none) == 0 and none.rate.mean == 0 and len(none.table()) == 0
    assert "0 of 360 decisions" in repr(none)


def test_the_same_on_any_number_of_threads(once):
    again = sl.disagreements("drei_zu_viel", "lowest", late, 50, seed=4, players=2, threads=1)
    pd.testing.assert_frame_equal(once.table(), again.table(), check_exact=True)


@pytest.mark.parametrize(
    ("game", "a", "b", "by"),
    [
        ("drei_zu_viel", "greedy", "filler", "full rows"),
        ("big_three", "greedy", "random", "phase"),
        ("three_thirteen", "greedy", "random", "phase"),
    ],
)
def test_every_game_has_kinds_and_readable_situations(game, a, b, by):
    found = sl.disagreements(game, a, b, 3, seed=4, threads=1)
    table = found.table(by)
    assert table.cases.sum() == len(found) > 0
    assert np.isclose(table.per_game.sum(), len(found) / found.games)
    example = found.examples(1)[0]
    assert "hand:" in str(example) and example.first != example.second
    label = by.replace(" ", "_")
    some = found.examples(3, **{label: table.iloc[0][by]})
    assert some and all(s.kind[by] == table.iloc[0][by] for s in some)


def test_opponents_and_seats():
    found = sl.disagreements("drei_zu_viel", "lowest", late, 4, seed=4, opponents="random,greedy")
    assert {s.seat for s in found.examples(50)} == {0, 1, 2} and len(found) == 12


def test_bad_arguments_are_named(once):
    with pytest.raises(ValueError, match="by='fourth' must be among third"):
        once.table("fourth")
    with pytest.raises(ValueError, match="'colour' must be among"):
        once.examples(1, colour="red")
    with pytest.raises(ValueError, match="deals=1"):
        sl.disagreements("drei_zu_viel", "greedy", "filler", 1)

    @sl.policy("drei_zu_viel")
    def wrong(view, ctx):
        return 77

    with pytest.raises(sl.IllegalAction, match=r"'wrong' at seat . returned the illegal action 77"):
        sl.disagreements("drei_zu_viel", "greedy", wrong, 2, seed=1)
