"""The judging policies of Big Three.

Legal everywhere, deterministic, no peeking, and what they do in positions made by hand.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from big_three_helpers import Table, mask
from reference.big_three_audit import random_rules

from simlib.engine import Table as Seats
from simlib.engine import make_work, play_range
from simlib.games.big_three import GAME
from simlib.games.big_three.combos import BID, CALL, NAMED, word_of
from simlib.games.big_three.features import min_turns
from simlib.games.big_three.view import AUCTION, CALLING, PLAY
from simlib.policies import builtin, resolve

FULL = ["shed", "tips", "counting", "lookahead:samples=2,width=3", "never", "threshold", "value", "parts"]
A, B, C, D = 0, 1, 2, 3
FOUR = {"players": 4}


class Player:
    """A policy that answers for any view."""

    def __init__(self, text, players=3):
        work = make_work("big_three", [text] * players, 1)
        self.seats = Seats(work, work.seatings[0])
        self.policy = self.seats.seated[0]

    def __call__(self, view, deal=0):
        from simlib._loop import begin_game

        begin_game(self.seats.contexts, self.seats.subs, np.uint64(1), deal)
        seat = int(view["seat"])
        return int(self.policy.kernel(view, self.seats.contexts[seat]))


_players: dict = {}


def ask(text, table):
    """What a policy does at a table now."""
    key = text, table.players
    if key not in _players:
        _players[key] = Player(*key)
    return _players[key](table.view())


def position(*hands, declarer=A, leader=A, rules=None, **fields):
    """A deal in its play phase in which the seats hold just these cards and nothing else is out."""
    rules = rules or {}
    table = Table(rules, declarer=1 + declarer, leader=1 + leader, **fields)
    if table.view()["phase"] == CALLING:
        table.step(next(a for a in table.legal() if a >= CALL))
    table.set_hands(*hands)
    table.state["table"]["unplayed"] = word_of(mask(" ".join(hands)), table.western)
    return table


def does(text, table):
    """The policy's action as text, such as ``K K`` or ``pass``."""
    return GAME.describe(ask(text, table), table.view())


# ------------------------------------------------------------------------------------------------ every policy,
# every variant


@pytest.mark.parametrize("text", FULL)
def test_legal_in_random_positions_of_every_variant(text):
    """RULES.md 2, 4, 7: asked anywhere in random games, with no memory, a policy answers with a legal action."""
    phases = set()
    for seed in range(12 if "lookahead" not in text else 5):
        rng = random.Random(seed)
        options = random_rules(rng)
        options["straight_of"] = tuple(options["straight_of"])
        table = Table(options, seed=seed)
        while table.to_act >= 0:
            action = ask(text, table)
            assert GAME.is_legal(table.state, action) == 1, (options, action)
            phases.add(int(table.view()["phase"]))
            table.step(rng.choice([*table.legal(), action]))
    assert phases >= {AUCTION, PLAY} and (CALLING in phases or "lookahead" in text)


@pytest.mark.parametrize("text", FULL)
@pytest.mark.parametrize("players", [3, 4])
def test_same_seed_same_games(text, players):
    """Determinism: the same seed gives the same results, whatever was played before."""
    work = make_work("big_three", [text, *["greedy"] * (players - 1)], 3)
    rows = play_range(work, 0, 6)
    assert rows.tobytes() == play_range(work, 0, 6).tobytes()
    assert rows[3:].tobytes() == play_range(work, 3, 3).tobytes()


@pytest.mark.parametrize("text", FULL)
@pytest.mark.parametrize("options", [{}, FOUR], ids=["three", "four"])
def test_hidden_cards_do_not_matter(text, options):
    """No peeking.

    With the cards this seat cannot see dealt anew (widow and partner included) the decision is the same.
    """
    from simlib.rng import STREAM, seek

    rng = np.zeros(1, STREAM)
    other, view = np.zeros(1, GAME.STATE), np.zeros(1, GAME.VIEW)
    for seed in range(3):
        table = Table(options, seed=seed)
        chance = random.Random(seed)
        ply = 0
        while table.to_act >= 0:
            action = ask(text, table)
            if ply % 4 == seed:
                before = table.view()
                seek(rng[0], 9, 9, seed)
                GAME.redeal(before, rng[0], other[0])
                view[:] = 0
                GAME.observe(other[0], table.to_act, view[0])
                assert view[0].tobytes() == before.tobytes()
                assert _players[text, table.players](view[0]) == action
            table.step(chance.choice([*table.legal(), action]))
            ply += 1


@pytest.mark.parametrize("name", ["shed", "tips", "counting", "parts"])
def test_card_players_take_any_bidder(name):
    """Bidding and card play are separable."""
    policy = resolve("big_three", f"{name}:bid=[never]")
    assert policy.params["bid"].name == "never"
    rows = play_range(make_work("big_three", [policy] * 3, 5), 0, 3)
    assert (rows["bid"] == 1).all() and (rows["declarer"] == rows["first_bidder"]).all()


# ------------------------------------------------------------------------------------------------ bidding


def test_never_bids_only_what_it_must():
    """RULES.md 2.1, 7.2: the first bidder bids 1; afterwards it passes; a forced hand bids 3."""
    table = Table(seed=4)
    assert does("never", table) == "bid 1"
    assert does("never", table.bids(1)) == "pass"
    table = Table({"forced_bid": True}, hands=["3c 3d 3h 4h"])
    for bidder in ("never", "threshold:two=99,three=99", "value:two=2,three=2", "tips", "counting"):
        assert ask(bidder, table) == BID + 3


GOOD = "3c 3d 3h 2c 2d 2h Kc Kd Qc Qd Jc Jd 9c 9d 8c 8d"
POOR = "Ac Qc Td 9h 8h 6c 4c 4d 5c 5d 7s 9s Jd Qs Kh 6d"


def first_bid(bidder, hand):
    """What a first bidder with this hand and a second bidder with it (after a bid of 1) do."""
    first = Table(hands=[hand], first=1)
    second = Table(hands=["", hand], first=1).bids(1)
    return does(bidder, first), does(bidder, second)


@pytest.mark.parametrize("bidder", ["threshold", "value", "tips:bid=[value]", "shed:bid=[value]", "parts", "counting"])
def test_bidders_bid_high_with_good_hands_and_pass_with_poor_ones(bidder):
    """Advice 1: many tops, sets and straights are worth a bid, a hand of small single cards is not."""
    assert first_bid(bidder, GOOD) == ("bid 3", "bid 3")
    assert first_bid(bidder, POOR) == ("bid 1", "pass")


def test_cautious_is_a_switch():
    """Advice 1: with `cautious` no bid on a hand of many turns, even when the bidder would."""
    eager = "tips:bid=[threshold:two=99,three=99],most_turns=5"
    hand = "3c 3d 2c Ac Kc Jd 9d 9h 8c 6c 6h 5d 4c 4d 2d 7h"
    assert first_bid(eager + ",cautious=0", hand) == ("bid 1", "pass")
    eager = eager.replace("two=99", "two=-9")
    assert first_bid(eager + ",cautious=0", hand) == ("bid 2", "bid 2")
    assert first_bid(eager, hand) == ("bid 1", "pass")


def test_chance_to_win_grows_with_the_top_cards():
    """The fitted model: a 3 in place of a 4 makes declaring better, in every game it is fitted for."""
    from simlib.policies.big_three.bidding import win_chance

    for options in ({}, FOUR, {"short_deck": True}):
        chances = []
        for top in ("4c", "3d"):
            size = 16 if not options else 13
            rest = "5c 6d 7h 8c 9d Th Jc Qd Kh 5d 6h 7c 9s 8h Js Qs"[: 3 * (size - 1)]
            chances.append(win_chance(Table(options, hands=[f"{top} {rest}"], first=1).view()))
        assert 0 < chances[0] < chances[1] < 1, options


# ------------------------------------------------------------------------------------------------ card play


def test_turns_are_exact():
    """The table of least turns equals the search, for the usual straights and for others, in both orders."""
    from simlib.policies.big_three.turns import turns

    rng = random.Random(1)
    cases = [{}, {"rank_order": "western"}, {"straight_of": (1, 2)}, {"min_straight": 4}, {"min_straight": 2}]
    for options in cases:
        table = Table(options)
        rules = table.view()["rules"]
        for _ in range(200):
            cards = sum(1 << n for n in rng.sample(range(52), rng.randint(1, 20)))
            hand = np.uint64(word_of(cards, table.western))
            assert turns(hand, rules) == min_turns(hand, rules)


@pytest.mark.parametrize("text", ["counting"])
def test_unbeatable_straight_first_when_that_wins(text):
    """Advice 2: J-Q-K cannot be beaten, so it is led before the single 4 that empties the hand."""
    table = position("Jc Qc Kc 4c", "3s 3h 5c", "2s 2h 6c")
    assert does(text, table) == "J-Q-K"


def test_counting_knows_what_cannot_be_beaten_any_more():
    """With the higher cards gone a pair of nines is as good as a pair of 3s."""
    table = position("9c 9d 5c 5d", "8c 8d 3s", "7c 7d 6c", declarer=A)
    assert does("counting", table) == "9 9"


def test_counting_blocks_a_declarer_about_to_go_out():
    """A declarer with one card left gets no single card that it could beat."""
    assert does("counting", position("Kd", "4c 9c 3s", "5c 6c 7d Qh", leader=B)) != "4"
    assert does("counting", position("Kd", "4c 4d 9c 2s", "5c 6c 3d Qh", leader=B)) == "4 4"
    # B led a 5; C, just before the declarer, beats its own partner to keep the declarer from going out
    table = position("Kd", "5c 6c 6d 9h", "7c 2c 4d 4h 8s", leader=B).plays("5")
    assert does("counting", table) in ("2", "8")
    assert does("tips", table) == "pass"


def test_partners_are_left_alone():
    """Advice 3: as a defender do not beat your partner; a switch of `tips`."""
    table = position("5c 6c 8d Kd Ks", "Ac 7d 7h", "2c 4d 4h 9s 9c 6d", leader=A).plays("5", "A")
    assert does("tips", table) == "pass"
    assert does("tips:partner=0", table) == "2"
    assert does("shed", table) == "2"
    assert does("counting", table) == "pass"
    # on a king that the declarer could beat only the literal reading passes
    table = position("5c 6c 8d Kd As", "Kh 7d 7h 8h 8c 9d", "2c 4d 4h 9s 9c 6d 6s", leader=A).plays("5", "K")
    assert does("tips", table) == "2" and does("tips:partner=2", table) == "pass"


@pytest.mark.parametrize("text", ["tips", "counting"])
def test_partner_with_one_card_is_fed(text):
    """Advice 3: help the one who is closer to going out. C, next to play, has one card left."""
    table = position("5c 6c 8d Td Js Jd", "4c 9d 9h 2s", "Qs", leader=B)
    assert does(text, table) == "4"


def test_tips_straights_switch():
    """Advice 2: an unbeatable straight is played to take the lead even where it is no part of the shortest way."""
    hands = "5c 6c 7c 4d 4h 9s 8c", "Jc Qc Kc Qd Qh 6d 8d Ts 9c 5h 7h", "8s 9d Tc 3c 3d 3h"
    table = position(*hands).plays("5 6 7")
    assert does("tips:straights=1,keep_three=0", table) in ("J-Q-K", "6-7-8")
    lead = position("Jc Qc Kc 4c 6d 8d Td 2s", "5c 5d 7c 7d 9h 9s 3s 3h", "8s 9d Tc 3c 3d Ah As Ac")
    assert does("tips:end=4", lead) == "4"


def test_tips_keep_switch():
    """Advice 4: the last 3 is kept until near the end (and no pair is strong enough to stand in for it)."""
    cards = "3c 9d 7h 7d 4c 5c Tc Td 4d"
    table = position("6c 6d 8h 8d Kc Kd Ks 8c 6h Jh", cards, "Ac 9c 5d 5h Qs Qd 2s", declarer=A, leader=A)
    table.plays("J")
    assert does("tips:keep_three=0", table) == "3"
    assert does("tips", table) == "pass"
    assert does("tips:end=9", table) == "3"


# ------------------------------------------------------------------------------------------------ four players


def test_named_card_is_held_back_or_shown():
    """RULES.md 7.1: the partner chooses whether a combination contains the named card."""
    table = Table(FOUR, hands=["4c 4d", "4h 4s 5c 5d"], declarer=1, first=2, call=1 + 29)
    assert table.view()["has_named"] == 1
    for shown in (0, 1):
        action = ask(f"counting:show={shown},team_lead_height=-99", table)
        assert GAME.is_legal(table.state, action) and (action < NAMED or shown)


def test_calls_are_cards_one_does_not_hold():
    """RULES.md 7.1: rank 4 to 10, not held; `counting` names a card of the rank it has most of."""
    hand = "8c 8d 8h 4c 5c Kc Kd Ac 2c 3c Qd Js Jd"
    table = Table(FOUR, hands=[hand], declarer=1)
    assert does("counting", table) == "name 8s"
    for text in FULL:
        assert GAME.is_legal(table.state, ask(text, table))


# ------------------------------------------------------------------------------------------------ parameters,
# strength


def test_parameters():
    """Parameters are named, have texts, and mistakes are refused by name."""
    for policy in builtin("big_three"):
        assert all(p.doc for p in policy.parameters), policy.name
        assert resolve("big_three", policy.text) == policy
    with pytest.raises(ValueError, match="did you mean 'keep_three'"):
        resolve("big_three", "tips:keep_thre=0")
    assert resolve("big_three", "parts:bid=[never],play=[shed]").text == "parts:bid=[never],play=[shed]"


def declarer_wins(declarer, others, deals, seed=8):
    """Share of deals the declarer wins, over every seat as declarer."""
    won = []
    for seat in range(3):
        scenario = np.zeros(1, GAME.SCENARIO)
        scenario["declarer"], scenario["bid"] = 1 + seat, 1
        line = [others] * 3
        line[seat] = declarer
        won.append(play_range(make_work("big_three", line, seed, scenario=scenario), 0, deals)["declarer_won"].mean())
    return np.mean(won)


MARGINS = [("counting", "shed"), ("counting", "tips"), ("shed", "greedy"), ("tips", "greedy")]


@pytest.mark.parametrize(("better", "worse"), MARGINS)
def test_better_policies_win_more_as_declarer_and_as_defenders(better, worse):
    """On the same deals, margins far beyond chance (a standard error here is below 0.02)."""
    base = declarer_wins(worse, worse, 400)
    assert declarer_wins(better, worse, 400) > base + 0.08
    assert declarer_wins(worse, better, 400) < base - 0.08


def test_lookahead_beats_its_playout_policy():
    """Flat Monte Carlo over `redeal` is better than the policy it plays out with."""
    assert declarer_wins("lookahead:samples=8,playout=[shed]", "shed", 40) > declarer_wins("shed", "shed", 40) + 0.05
