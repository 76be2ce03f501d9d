"""Rules of Big Three worked by hand, cited by section of RULES.md. Anna, Ben, Carla, Dora are seats 0 to 3."""

from __future__ import annotations

import numpy as np
import pytest
from big_three_helpers import Table, mask, scenario
from reference.big_three_tables import deal_with

from simlib.cards import card_number
from simlib.games.big_three import GAME
from simlib.games.big_three.combos import BID, CALL, NAMED, PASS
from simlib.games.big_three.scenario import make_scenario

A, B, C, D = 0, 1, 2, 3
FOUR = {"players": 4}


def dealt(options, *hands, widow="", **fields):
    """A deal in which the seats hold at least these cards, the rest in deck order."""
    deal = deal_with(options, *hands, widow=widow)
    return Table(options, [" ".join(h) for h in deal["hands"]], " ".join(deal["widow"]), **fields)


def table(*hands, options=None, declarer=A, bid=1, leader=A, **fields):
    """A deal in its play phase in which the seats hold just these cards."""
    game = Table(options, declarer=1 + declarer, bid=bid, first=1 + leader, **fields)
    return game.set_hands(*hands)


# ------------------------------------------------------------------------------------------------ options


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 5}, "players"),
        ({"players": 3.0}, "players"),
        ({"players": True}, "players"),
        ({"forced_bid": 1}, "forced_bid"),
        ({"scoring": "points"}, "scoring"),
        ({"rank_order": "german"}, "rank_order"),
        ({"straight_of": (5,)}, "straight_of"),
        ({"straight_of": (1, 1)}, "twice"),
        ({"min_straight": 1}, "min_straight"),
        ({"min_straight": 11}, "min_straight"),
        ({"short_deck": True, "players": 4}, "three players only"),
        ({"forced": True}, "did you mean 'forced_bid'"),
    ],
)
def test_wrong_options(options, reason):
    """RULES.md 7: each option says what is allowed; the short deck is for three players only."""
    with pytest.raises(ValueError, match=reason):
        GAME.rules.make(**options)


def test_defaults():
    """RULES.md 1 to 5: the plain game."""
    assert GAME.rules.make().options() == {
        "players": 3,
        "forced_bid": False,
        "bomb_bonus": False,
        "short_deck": False,
        "scoring": "chips",
        "rank_order": "chinese",
        "straight_of": [1, 2, 3, 4],
        "min_straight": 3,
        "widow_shown": False,
    }


# ------------------------------------------------------------------------------------------------ deal


@pytest.mark.parametrize(
    ("options", "size", "widow", "cards"),
    [({}, 16, 4, 52), (FOUR, 13, 0, 52), ({"short_deck": True}, 13, 4, 43)],
)
def test_deal(options, size, widow, cards):
    """RULES.md 1.2, 7.1, 7.4: every card is dealt once."""
    for seed in range(20):
        game = Table(options, seed=seed)
        parts = [int(game.state["dealt"][seat]) for seat in range(game.players)] + [int(game.state["widow"])]
        assert [p.bit_count() for p in parts] == [size] * game.players + [widow]
        whole = 0
        for part in parts:
            assert whole & part == 0
            whole |= part
        assert whole == int(game.rules["deck"]) and whole.bit_count() == cards
    if options.get("short_deck"):
        assert whole & mask("Ac 2c 3c Ad 2d Ah 2h As 2s") == 0 and whole & mask("3d 3h 3s") == mask("3d 3h 3s")


# ------------------------------------------------------------------------------------------------ auction


@pytest.mark.parametrize(
    ("options", "hearts"),
    [
        ({}, "4 5 6 7 8 9 T J Q K A 2 3"),
        ({"rank_order": "western"}, "4 A 2 3 5 6 7 8 9 T J Q K"),
        ({"short_deck": True}, "4 5 6 7 8 9 T J Q K 3"),
    ],
)
def test_lowest_heart_bids_first(options, hearts):
    """RULES.md 2.1, 7.6: the 4 of hearts, else the lowest heart dealt; lower ones are in the widow."""
    ordered = [rank + "h" for rank in hearts.split()]
    for n in range(5):
        for seat in range(3):
            hands = [""] * 3
            hands[seat] = ordered[n]
            hands[(seat + 1) % 3] = " ".join(ordered[n + 1 : n + 4])
            game = dealt(options, *hands, widow=" ".join(ordered[:n]))
            assert (game.to_act, game.state["table"]["heart"]) == (seat, card_number(ordered[n]))


def test_first_bidder_must_bid():
    """RULES.md 2.1."""
    assert dealt({}, "", "4h").legal() == [BID + 1, BID + 2, BID + 3]


def test_bids_rise_and_passed_players_return():
    """RULES.md 2.2: pass or more; who has passed may bid again."""
    game = dealt({}, "4h").bids(1)
    assert game.legal() == [BID, BID + 2, BID + 3]
    game.bids(0, 2)
    assert game.legal() == [BID, BID + 3]
    game.bids(0)
    assert game.to_act == B and game.state["table"]["phase"] == 0
    game.bids(3)
    assert (game.state["table"]["declarer"], game.state["table"]["high_bid"]) == (B, 3)


def test_end_of_the_auction():
    """RULES.md 2.3: two passes in a row, or a 3 at once."""
    assert dealt({}, "4h").bids(1, 0, 2, 0).state["table"]["declarer"] == -1
    assert dealt({}, "4h").bids(1, 0, 2, 0, 0).state["table"]["declarer"] == C
    assert dealt({}, "4h").bids(3).state["table"]["declarer"] == A


def test_german_auction():
    """RULES.md 2.4 and the German example: Carla 1, Anna 2, two passes; Anna has 20 cards, Carla leads."""
    game = dealt({}, "", "", "4h").bids(1, 2, 0, 0)
    t = game.state["table"]
    assert (t["declarer"], t["high_bid"], game.to_act) == (A, 2, C)
    assert t["hand_n"].tolist() == [20, 16, 16, 0]
    assert game.legal()[0] < PASS and PASS not in game.legal()


# ------------------------------------------------------------------------------------------------ play


def test_german_straights():
    """RULES.md 4.2 and the German example: on 6-7-8-9 lie 7-8-9-T and T-J-Q-K, nothing else."""
    ben = "7c 8c 9c Tc Jc Jd Jh Js Qc Kc 6d 8d 9d Td Qd"
    game = table("6h 7h 8h 9h 4h", ben, "4d").plays("6 7 8 9")
    wanted = [game.action(m) for m in ("7 8 9 T", "8 9 T J", "9 T J Q", "T J Q K", "-")]
    assert game.legal() == sorted(wanted)


def test_german_trick():
    """RULES.md 4.1 to 4.4 and the German example: partners, passes, J-Q-K unbeaten."""
    game = table("5c 5d Kc Kd 9h Th", "2c 2d 5h 6h 7h 4s 8c Tc Qc", "9c 9d Jh Qh Kh 4c 6c", bid=2)
    game.plays("5 5", "-", "9 9", "K K", "2 2", "-", "-")
    assert game.to_act == B and game.state["table"]["leading"] == 1
    game.plays("5 6 7", "J Q K")
    assert game.legal() == [PASS]
    game.plays("-", "-", "4")
    assert game.state["table"]["tricks"] == 2


def test_quads_beat_lower_quads_only():
    """RULES.md 4.2."""
    game = table("5c 5d 5h 5s 4c", "6c 6d 6h 6s 4d 7c 8c 9c Tc", "4h").plays("5 5 5 5")
    assert game.legal() == [game.action("6 6 6 6"), PASS]
    game = table("5c 4c", "6c 6d 6h 6s 4d", "4h").plays("5")
    assert game.legal() == [game.action("6"), PASS]


def test_passed_players_return_to_the_trick():
    """RULES.md 4.3."""
    game = table("4c 9c Tc", "5c Kc 2c", "6c 7c").plays("4", "-", "6", "9")
    assert game.legal() == [game.action("K"), game.action("2"), PASS]


def test_over_at_once():
    """RULES.md 4.5."""
    game = table("4c 5c", "9c 9d", "6c").plays("4", "-", "6")
    assert (game.to_act, game.state["table"]["phase"], game.legal()) == (-1, 3, [])
    assert game.result()["first_out"] == C


# ------------------------------------------------------------------------------------------------ settlement


@pytest.mark.parametrize(
    ("declarer", "bid", "options", "scores"),
    [
        (A, 2, {}, [4, -2, -2]),
        (A, 1, {}, [2, -1, -1]),
        (B, 3, {}, [3, -6, 3]),
        (C, 2, {}, [2, 2, -4]),
        (A, 2, {"scoring": "mcneely"}, [4, 0, 0]),
        (C, 1, {"scoring": "mcneely"}, [0, 0, -2]),
    ],
)
def test_settlement(declarer, bid, options, scores):
    """RULES.md 5.1, 5.2, 7.5: seat 0 is out first."""
    result = table("4c", "5c", "6c", options=options, declarer=declarer, bid=bid).plays("4").result()
    assert result["score"].tolist() == [*scores, 0]
    assert result["declarer_won"] == (declarer == A)
    assert result["won"].tolist() == [1 if (s == declarer) == (declarer == A) else 0 for s in range(3)] + [0]
    assert result["win_share"].sum() == 840


def test_german_settlement():
    """RULES.md 5.2 and the German example: Anna has bid 2, Carla is out first."""
    assert table("4c 5c", "6c", "7c", bid=2).plays("4", "-", "7").result()["score"].tolist() == [-4, 2, 2, 0]


@pytest.mark.parametrize(
    ("options", "declarer", "scores"),
    [
        ({}, A, [4, -2, -2, 0]),
        ({"bomb_bonus": True}, A, [8, -4, -4, 0]),
        ({"bomb_bonus": True}, B, [4, -8, 4, 0]),
        ({"bomb_bonus": True, "scoring": "mcneely"}, A, [8, 0, 0, 0]),
        ({"bomb_bonus": True, "scoring": "mcneely"}, B, [0, -8, 0, 0]),
    ],
)
def test_bombs(options, declarer, scores):
    """RULES.md 7.3: counted always, double once, McNeely too."""
    game = table("4c 4d 4h 4s Kc", "5c 5d 5h 5s 6c 7c", "8c", options=options, declarer=declarer, bid=2)
    result = game.plays("4 4 4 4", "5 5 5 5", "-", "-", "6", "-", "K").result()
    assert (result["bombs"], result["score"].tolist()) == (2, scores)


def test_straight_of_quads_is_one_bomb():
    """RULES.md 7.3."""
    quads = "4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s"
    result = table(quads, "7c", "8c", options={"bomb_bonus": True}).plays("4 4 4 4 5 5 5 5 6 6 6 6").result()
    assert (result["bombs"], result["score"].tolist()) == (1, [4, -2, -2, 0])


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize(
    ("first_out", "chips", "mcneely"),
    [
        (A, [2, -2, 2, -2], [4, 0, 4, 0]),
        (B, [-2, 2, -2, 2], [0, 4, 0, 4]),
        (C, [2, -2, 2, -2], [4, 0, 4, 0]),
        (D, [-2, 2, -2, 2], [0, 4, 0, 4]),
    ],
)
def test_settlement_of_four(first_out, chips, mcneely, double):
    """RULES.md 7.1, 7.3, 7.5: Anna and Carla against Ben and Dora, bid 2."""
    for scoring, scores in (("chips", chips), ("mcneely", mcneely)):
        options = {"players": 4, "scoring": scoring, "bomb_bonus": double}
        game = dealt(options, "Ac", "Ad", "8s", "Ah", declarer=1 + A, bid=2, first=1 + first_out)
        game.step(CALL + card_number("8s"))
        hands = ["4c 5c", "4d 5d", "4s 8s", "4h 5h"]
        hands[first_out] = "9c 9d 9h 9s"
        result = game.set_hands(*hands).plays("9 9 9 9").result()
        assert (result["partner"], result["first_out"]) == (C, first_out)
        assert result["score"].tolist() == [s * (2 if double else 1) for s in scores]
        assert result["win_share"].tolist() == [420 if s == max(chips) else 0 for s in chips]


# ------------------------------------------------------------------------------------------------ forced bid


@pytest.mark.parametrize(
    ("cards", "forced"),
    [
        ("3c 3d 3h", True),
        ("3c 3d 3h 3s", True),
        ("3c 3d 2c 2d", True),
        ("3c 3d 2c 2d 2h", True),
        ("3c 3d 2c Ac", False),
        ("3c 2c 2d 2h 2s", False),
        ("3c 3d Ac Ad", False),
    ],
)
@pytest.mark.parametrize("options", [{}, {"rank_order": "western"}, {"scoring": "mcneely"}, FOUR])
def test_forced_bid(cards, forced, options):
    """RULES.md 7.2: three 3s, or two 3s and two 2s, at least, whatever the other options."""
    rest = " ".join(c for c in ["2c", "2d", "2h", "2s", "3c", "3d", "3h", "3s"] if c not in cards.split())
    seats = [f"4h {rest[:5]}", "5c " + cards]
    game = dealt({**options, "forced_bid": True}, *seats).bids(1)
    assert game.legal() == ([BID + 3] if forced else [BID, BID + 2, BID + 3])
    game.bids(3)
    assert (game.state["table"]["declarer"], game.state["table"]["forced"]) == (B, forced)


def test_forced_bid_edges():
    """RULES.md 7.2: an option; the first bidder too; an earlier 3 comes first; the widow does not count."""
    assert dealt({}, "4h 3c 3d 3h").legal() == [BID + 1, BID + 2, BID + 3]
    on = {"forced_bid": True}
    assert dealt(on, "4h 3c 3d 3h").legal() == [BID + 3]
    earlier = dealt(on, "4h", "3c 3d 3h").bids(3)
    assert (earlier.state["table"]["declarer"], earlier.state["table"]["forced"]) == (A, 0)
    assert dealt(on, "4h 3c 3d", widow="3h 3s").bids(3).state["table"]["forced"] == 0
    assert dealt({**on, "short_deck": True}, "4h 3d 3h 3s").legal() == [BID + 3]


# ------------------------------------------------------------------------------------------------ four players


def test_auction_and_call_of_four():
    """RULES.md 7.1: three passes end the auction; the declarer names a card; the first bidder leads."""
    game = dealt(FOUR, "4h", "8c 8d Jc", "8s").bids(1, 0, 0)
    assert game.state["table"]["phase"] == 0
    game = dealt(FOUR, "4h", "8c 8d Jc", "8s").bids(1, 3)
    assert (game.to_act, game.state["table"]["phase"]) == (B, 1)
    own = int(game.state["dealt"][B])
    names = [CALL + 13 * suit + rank for suit in range(4) for rank in range(3, 10)]
    assert game.legal() == [a for a in names if not own >> (a - CALL) & 1]
    for card in ("8c", "Jd", "3h"):
        assert GAME.is_legal(game.state, CALL + card_number(card)) == 0
    game.step(CALL + card_number("8s"))
    assert (game.to_act, game.state["holder"]) == (A, C)


def test_trick_of_four_ends_after_three_passes():
    """RULES.md 7.1."""
    game = dealt(FOUR, "", "", "", "8s", declarer=1, call=1 + card_number("8s"), first=1)
    game.set_hands("4c 9c", "5c 5d", "6c 6d", "7c 8s").plays("4", "5", "-", "-")
    assert (game.to_act, game.state["table"]["leading"]) == (A, 0)
    assert game.plays("-").to_act == B and game.state["table"]["leading"] == 1


def holder(cards="8c 8s 9c Tc Jc"):
    game = dealt(FOUR, "", "8s", declarer=1, call=1 + card_number("8s"), first=1 + B)
    return game.set_hands("4c 5c", cards, "4d", "4h")


def test_partner_hidden_until_the_named_card_falls():
    """RULES.md 7.1: the holder knows at once, everybody when the card is played."""
    game = holder()
    assert [int(game.view(s)["partner"]) for s in range(4)] == [-1, B, -1, -1]
    game.plays("8")
    assert [int(game.view(s)["partner"]) for s in range(4)] == [-1, B, -1, -1]
    assert holder().plays("8+").state["table"]["partner"] == B
    both = holder().plays("8 8")
    assert [int(both.view(s)["partner"]) for s in range(4)] == [B] * 4


def test_holder_chooses():
    """RULES.md 7.1: where a combination does not need all cards of the rank, with or without the named one."""
    game = holder()
    plain = ["8", "9", "T", "J", "8 8", "8 9 T", "9 T J", "8 9 T J"]
    named = ["8+", "8 9 T+", "8 9 T J+"]
    assert game.legal() == sorted(game.action(m) for m in plain + named)
    game.plays("8 9 T")
    assert game.state["table"]["named_played"] == 0
    assert holder("8s 9c Tc Jc").plays("8 9 T").state["table"]["named_played"] == 1
    assert all(a < NAMED for a in holder("8s 9c Tc Jc").legal())
    game = holder("8c 8s 9c").plays("8+", "-", "-", "-")
    assert game.legal() == [game.action("8"), game.action("9")]


# ------------------------------------------------------------------------------------------------ straights, orders


def test_western_order():
    """RULES.md 7.6: K high, A low; A, 2, 3 in no straight."""
    game = table("4c 9c", "Ac 2c 3c 5c Kc", "6c", options={"rank_order": "western"}).plays("4")
    assert game.legal() == sorted([game.action("5"), game.action("K"), PASS])
    game = table("Ac 2c 3c 4c 5c", "6c", "7c", options={"rank_order": "western"})
    assert game.legal() == sorted(game.action(r) for r in "A2345")


def test_straight_options():
    """RULES.md 7.7: which multiplicities, and how long at least."""
    hand = "4c 4d 5c 5d 6c 6d 7c"
    qq = table(hand, "9c", "Tc", options={"straight_of": (1,)})
    assert qq.action("4 4 5 5 6 6") not in qq.legal() and qq.action("4 5 6") in qq.legal()
    long = table(hand, "9c", "Tc", options={"min_straight": 4})
    assert long.action("4 5 6") not in long.legal() and long.action("4 5 6 7") in long.legal()
    short = table(hand, "9c", "Tc", options={"min_straight": 2})
    assert short.action("4 5") in short.legal() and short.action("4 4 5 5") in short.legal()
    assert short.plays("4 5").to_act == B and short.state["table"]["hand_n"][A] == 5
    none = table(hand, "9c", "Tc", options={"straight_of": ()})
    assert len(none.legal()) == 7


@pytest.mark.parametrize("shown", [False, True])
def test_who_sees_the_widow(shown):
    """RULES.md 2.4, 7.8: nobody before, then the declarer, with `widow_shown` everybody."""
    game = dealt({"widow_shown": shown}, "4h")
    widow = int(game.state["widow"])
    assert [int(game.view(s)["widow"]) for s in range(3)] == [0, 0, 0]
    game.bids(1, 3)
    others = widow if shown else 0
    assert [int(game.view(s)["widow"]) for s in range(3)] == [others, widow, others]


# ------------------------------------------------------------------------------------------------ counterfactuals


def test_scenarios():
    """RULES.md 8.2: hands, widow, declarer, bid, first bidder, leader, and a widow left face down."""
    game = Table({}, hands=["", "3c 3d 3h", ""], widow="4h", seed=4, declarer=1 + B, bid=2, leader=1 + C)
    assert int(game.state["dealt"][B]) & mask("3c 3d 3h") == mask("3c 3d 3h")
    assert int(game.state["widow"]) & mask("4h")
    t = game.state["table"]
    assert (t["declarer"], t["high_bid"], game.to_act, t["hand_n"][B], t["auctioned"]) == (B, 2, C, 20, 0)
    alone = Table({}, seed=4, declarer=1 + B, no_widow=1)
    assert alone.state["table"]["hand_n"].tolist() == [16, 16, 16, 0] and alone.view(B)["widow"] == 0
    plain = Table({}, seed=4)
    forced = Table({}, seed=4, declarer=1 + B)
    assert (plain.state["dealt"] == forced.state["dealt"]).all() and plain.to_act == forced.to_act
    first = Table({}, seed=4, first=1 + (plain.to_act + 1) % 3)
    assert first.to_act == (plain.to_act + 1) % 3 and first.state["table"]["heart"] == -1
    assert first.bids(3).to_act == first.state["table"]["first"]


@pytest.mark.parametrize(
    ("options", "given", "message"),
    [
        ({}, {"hands": {3: "4h"}}, "no seat of 3"),
        ({}, {"hands": {0: "4h 4h"}}, "twice"),
        ({}, {"hands": {0: "4h", 1: "4h"}}, "two places"),
        ({}, {"hands": {0: "4h"}, "widow": "4h"}, "two places"),
        ({}, {"widow": "4h 5h 6h 7h 8h"}, "at most 4"),
        (FOUR, {"widow": "4h"}, "at most 0"),
        ({"short_deck": True}, {"hands": {0: "2c"}}, "not in the deck"),
        ({}, {"hands": {0: "*"}}, "not in the deck"),
        ({}, {"hands": {0: "1h"}}, "no card"),
        ({}, {"declarer": 3}, "declarer: 3"),
        ({}, {"first": True}, "first: True"),
        ({}, {"declarer": 0, "bid": 4}, "1, 2 or 3"),
        ({}, {"bid": 1}, "need a declarer"),
        ({}, {"declarer": 0, "call": "8s"}, "four players"),
        (FOUR, {"declarer": 0, "call": "Js"}, "rank 4 to 10"),
        (FOUR, {"declarer": 0, "no_widow": True}, "no widow"),
    ],
)
def test_wrong_scenarios(options, given, message):
    """RULES.md 8.2: each mistake is named."""
    with pytest.raises(ValueError, match=message):
        make_scenario(GAME.rules.make(**options), **given)


def test_made_scenarios():
    """RULES.md 8.2: the validated form is the record."""
    made = make_scenario(hands={1: "3c 3d 3h"}, widow="4h", declarer=1, bid=2, leader=2, features=True)
    wanted = scenario(["", "3c 3d 3h"], "4h", declarer=2, bid=2, leader=3, features=1)
    assert made[0] == wanted
    assert (make_scenario() == np.zeros(1, GAME.SCENARIO)).all()
    four = make_scenario(GAME.rules.make(players=4), declarer=0, call="8s")
    assert four["call"][0] == 1 + card_number("8s")


def test_results_and_texts():
    """The contract: every RESULT field has a column; actions have a text."""
    assert set(GAME.RESULT.names) == set(GAME.columns)
    view = np.zeros(1, GAME.VIEW)[0]
    names = [GAME.describe(a, view) for a in range(GAME.n_actions)]
    assert len(set(names[:232])) == 232
    assert (names[PASS], names[BID], names[BID + 2], names[0], names[49 + 9]) == ("pass", "pass", "bid 2", "4", "K K")
    assert (names[13], names[CALL + card_number("8s")]) == ("4-5-6", "name 8s")
    with pytest.raises(ValueError, match="no action"):
        GAME.describe(GAME.n_actions, view)
