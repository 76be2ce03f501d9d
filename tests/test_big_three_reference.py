"""Big Three against the slow reference: event by event over random games of every variant."""

from __future__ import annotations

import random

import numpy as np
import pytest
from big_three_helpers import Table, reference_actions
from reference import big_three as ref
from reference.big_three_audit import random_deal, random_rules

from simlib.cards import card_number
from simlib.games.big_three import GAME
from simlib.games.big_three.combos import N_ACTIONS, word_of


def table_of(rules, deal, seed=1):
    """The same deal through the kernels, every card set by the scenario."""
    options = {**rules, "straight_of": tuple(rules["straight_of"])}
    return Table(options, hands=[" ".join(hand) for hand in deal["hands"]], widow=" ".join(deal["widow"]), seed=seed)


def assert_same(game, table):
    """Everything both know agrees: seat, phase, hands, auction, trick, counts."""
    t = table.state["table"]
    western = table.western
    for seat, hand in enumerate(game.hands):
        assert int(table.state["hand"][seat]) == word_of(sum(1 << card_number(c) for c in hand), western)
        assert t["hand_n"][seat] == len(hand)
    assert ["auction", "call", "play", "over"][t["phase"]] == game.phase
    assert table.to_act == (-1 if game.to_act is None else game.to_act)
    assert (t["first"], t["heart"]) == (game.first_bidder, card_number(game.opening_heart))
    assert t["declarer"] == (-1 if game.declarer is None else game.declarer)
    assert (t["high_bid"], bool(t["forced"])) == (game.high_bid, game.forced)
    assert t["called"] == (-1 if game.called is None else card_number(game.called))
    assert bool(t["named_played"]) == game.named_played
    assert (t["passes"], t["bombs"]) == (game.passes, game.bombs)
    if game.phase == "play":
        assert bool(t["leading"]) == (game.last is None)
        if game.last is not None:
            assert t["last_seat"] == game.last_player


def play_both(game, table, rng, probe):
    """Random moves in both until the deal is over, with the legal actions compared at each."""
    while game.phase != "over":
        moves = reference_actions(game)
        assert table.legal() == sorted(moves)
        if probe:
            legal = {a for a in range(-3, N_ACTIONS + 3) if GAME.is_legal(table.state, a)}
            assert legal == set(moves)
        action = rng.choice(list(moves))
        move = moves[action]
        if game.phase == "auction":
            game.bid(move)
        elif game.phase == "call":
            game.call(move)
        elif move == "pass":
            game.pass_()
        else:
            game.play(game.cards_for(move))
        table.step(action)
        assert_same(game, table)


def assert_same_result(game, table):
    wanted, got = game.result(), table.result()
    assert got["score"].tolist()[: game.players] == wanted["scores"]
    for name in ("declarer", "bid", "first_out", "bombs"):
        assert got[name] == wanted[name]
    assert (bool(got["forced"]), bool(got["declarer_won"])) == (wanted["forced"], wanted["declarer_won"])
    assert got["partner"] == (-1 if wanted["partner"] is None else wanted["partner"])
    bids = [e["bid"] for e in game.events if "bid" in e]
    assert str(int(got["auction"])) == "".join(map(str, bids))
    for seat in range(game.players):
        assert got["plays"][seat] == sum("play" in e and e["seat"] == seat for e in game.events)
        assert got["passes"][seat] == sum("pass" in e and e["seat"] == seat for e in game.events)
        assert got["cards_left"][seat] == len(game.hands[seat])


@pytest.mark.parametrize("seed", range(10))
def test_random_games_equal_the_reference(seed):
    """RULES.md 1 to 7: every option at random; positions, legal actions and results alike."""
    rng = random.Random(seed)
    for number in range(200):
        rules = ref.full_rules(random_rules(rng))
        deal = random_deal(rules, rng)
        game, table = ref.Game(rules, deal), table_of(rules, deal)
        assert_same(game, table)
        play_both(game, table, rng, probe=number % 40 == 0)
        assert_same_result(game, table)


@pytest.mark.parametrize("number", [np.iinfo(np.int64).min, -1, N_ACTIONS, 10**6, np.iinfo(np.int64).max])
def test_no_other_number_is_legal(number):
    """The contract: `is_legal` is right for any 64-bit integer, in every phase."""
    table = Table({"players": 4}, seed=3)
    phases = set()
    while table.to_act >= 0:
        phases.add(int(table.state["table"]["phase"]))
        assert GAME.is_legal(table.state, number) == 0
        table.step(table.legal()[-1])
    assert phases == {0, 1, 2}
