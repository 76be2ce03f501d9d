"""Three-Thirteen's own questions: advice on a hand, penalties, leads, rules and claims, each with intervals."""

from __future__ import annotations

import json

import numpy as np
import pytest

import simlib as sl
from simlib import cli
from simlib.analysis.three_thirteen.claims import ADVICE, wild_draws
from simlib.analysis.three_thirteen.hands import deal_states, position
from simlib.engine import make_work, play_range

tt = sl.three_thirteen


@pytest.fixture(scope="module")
def advice():
    return tt.advise("4h 5h 3c 9d", "6h", policy="greedy", deals=200, seed=3)


def test_advice_takes_the_card_that_completes_the_hand(advice):
    """4h is wild: 4h 5h 6h leaves 3c and 9d; the dearer one goes."""
    assert advice.best == "take the 6h" and advice.clear
    draws = advice.table[advice.table.phase == "draw"].set_index("action")
    assert draws.penalty["take the 6h"] < draws.penalty["draw from the stock"]
    discards = advice.table[advice.table.phase == "discard"]
    assert discards.action.iloc[0] == "discard 9d" and len(discards) == 5
    assert (advice.table.lo <= advice.table.penalty).all() and (advice.table.penalty <= advice.table.hi).all()


def test_advice_is_what_the_games_say(advice):
    """The value of the policy's own way is its mean penalty over the same deals, played as whole rounds."""
    scenario = np.zeros(1, sl.GAMES["three_thirteen"].SCENARIO)
    scenario["round"] = scenario["last"] = 2
    scenario["dealer"], scenario["seat"] = 4, 1
    hand, up = [3 + 26 + 1, 4 + 26 + 1, 2 + 1, 8 + 13 + 1], 5 + 26 + 1
    scenario["hand"][0, :4], scenario["upcard"] = hand, up
    rows = play_range(make_work("three_thirteen", ["greedy"] * 4, 3, scenario=scenario), 0, 200)
    best = advice.table[advice.table.phase == "discard"].penalty.iloc[0]
    assert rows["round_penalty"][:, 0, 1, 0].mean() == pytest.approx(best)


def test_advice_after_the_draw_values_discards_only():
    found = tt.advise(["4h", "5h", "3c", "9d", "6h"], policy="greedy", deals=50, seed=3)
    assert set(found.table.phase) == {"discard"} and found.best == "discard 9d"
    assert "<p>" in found._repr_html_() and "discard 9d" in repr(found)


def test_a_given_hand_leaves_the_other_copies_where_chance_puts_them():
    """Two decks: the other copies of three given cards lie anywhere among the 100 places that are left."""
    deals, hand = 6_000, [3 + 26, 4 + 26, 5 + 26]
    where = position(hand, 0, players=4, rules=None, policy="random", opponents=None, seed=8)
    states = deal_states(where, deals)[1]
    words = states["hand"][:, 1:4]  # the others' nine cards
    held = sum((words >> np.uint64(c) & np.uint64(1)).sum(axis=(1, 2)) for c in hand)
    expected, n = 3 * 9 / 100, deals * 3
    assert abs(held.mean() - expected) < 4 * (0.09 * 0.91 * n) ** 0.5 / deals
    mine = states["hand"][:, 0]
    assert all(((mine[:, 0] >> np.uint64(c)) & np.uint64(1)).all() for c in hand)
    first = states["stock"][np.arange(deals), 0]  # next card of seat 0's lane
    assert abs(np.isin(first, hand).sum() - deals * 0.03) < 4 * (deals * 0.03) ** 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("4h 5h", "6h"), "2 cards; the rounds of these rules have 3 to 13"),
        (("4h 5h xx", "6h"), "hand: 'xx' is no card"),
        (("4h 4h 4h", "6h"), "4h is there 3 times; the pack holds 2"),
        (("4h 5h 6h", "*"), r"\* is there 1 times; the pack holds 0"),
        (("4h",), "upcard must be given"),
    ],
)
def test_hands_that_are_none(arguments, message):
    with pytest.raises(ValueError, match=message):
        tt.advise(*arguments, deals=20)


def test_the_command(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(
            ["advise", "4h 5h 3c 9d", "6h", "--policy", "greedy", "--deals", "40", "--seed", "3", "--format", "json"]
        )
    rows = json.loads(capsys.readouterr().out)
    assert stop.value.code == 0 and rows[0]["action"] == "take the 6h"


def test_penalties_by_round_agree_with_the_rounds_table():
    found = tt.penalties("greedy", 30, seed=5)
    rounds = sl.simulate("three_thirteen", ["greedy"] * 4, 30, seed=5).rounds
    means = rounds.groupby("round").penalty.mean()
    assert np.allclose(found.part("round")["mean"], means)
    assert len(found.part("total")) == 5 and found.part("total")["mean"].is_monotonic_increasing
    assert found.part("zero")["lo"].min() >= 0


def test_going_out_agrees_with_the_games():
    found = tt.going_out("greedy", 30, seed=5)
    chance = found.part("chance")["mean"]
    assert (chance <= 0.25).all() and (chance > 0.15).all()
    assert (found.part("turn")["mean"] >= 1).all() and (found.part("stalled")["mean"] < 0.2).all()


def test_leads_grow_more_certain():
    found = tt.leads("greedy", 60, seed=5)
    leader, last = found.part("leader wins")["mean"], found.part("last wins")["mean"]
    assert leader.iloc[-2] > leader.iloc[0] > last.iloc[0] > last.iloc[-1] - 1e-9
    assert len(found.part("changes")) == 10


def test_rule_effects_have_the_right_sign():
    found = tt.rule_effects(
        "greedy", 25, seed=5, variants=["wild cards in hand cost 0", "rounds 3 to 10", "laying off"]
    )
    penalty = found.part("penalty").set_index("what")["mean"]
    assert penalty["rounds 3 to 10"] < 0 and penalty["laying off"] < 0
    with pytest.raises(ValueError, match="variants: 'nothing' must be one of"):
        tt.rule_effects("greedy", 5, variants=["nothing"])


def test_the_upcard_is_worth_more_where_it_is_wanted():
    found = tt.upcard_value("greedy", 150, seed=5, rounds=(1, 3))
    wanted, unwanted = found.part("wanted"), found.part("unwanted")
    assert (wanted["mean"].to_numpy() > unwanted["mean"].to_numpy()).all()
    assert wanted.deals.sum() + unwanted.deals.sum() == found.part("all").deals.sum()


def test_waiting_and_going_out_are_compared_where_they_differ():
    found = tt.waiting(4, seed=5, wait="potential:wait=1")
    assert set(found.parts) == {"hand size", "stage"}
    assert found.part("hand size")["mean"].max() <= 5


def test_every_claim_has_its_number():
    found = tt.claims("greedy", 12, seed=5)
    assert len(found.part("totals")) == 5 and list(found.part("advice").what) == list(ADVICE)
    assert {text[0] for text in ADVICE} == set("123456")
    exact = found.part("wild cards")
    assert exact["mean"].iloc[0] == pytest.approx(8 / 65) and exact["mean"].iloc[-1] == 0


def test_wild_draws_need_enough_cards():
    with pytest.raises(ValueError, match="too many for 2 decks"):
        wild_draws(2, 13, 90)


def test_validation_agrees_with_the_exact_numbers():
    found = sl.validate("three_thirteen", deals=20_000, seed=3)
    assert len(found) == 10 and found.ok.all(), found
