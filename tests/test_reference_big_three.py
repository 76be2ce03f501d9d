"""Tests of the slow reference of Big Three, worked by hand from the rules; each docstring cites their section.

Anna, Ben and Carla of the German text are seats 0, 1 and 2. Cards and combinations are tested in
test_reference_big_three_cards.py, audit and random play in test_reference_big_three_records.py.
"""

import sys
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from reference import big_three as ref
from reference.big_three_tables import FOUR, A, B, C, deal_with, run, table

# ---------------------------------------------------------------------------------------------------- auction


def test_holder_of_the_four_of_hearts_bids_first():
    """rules/big_three.md, Auction 1; the heart is public."""
    game = ref.Game({}, deal_with({}, "5h", "4h"))
    assert (game.to_act, game.opening_heart) == (B, "4h")


def test_lowest_heart_dealt_bids_first_without_the_four():
    """rules/big_three.md, Auction 1."""
    game = ref.Game({}, deal_with({}, "7h", "8h", "6h", widow="4h 5h"))
    assert (game.to_act, game.opening_heart) == (C, "6h")


@pytest.mark.parametrize(
    ("rules", "hearts"),
    [
        ({}, "4 5 6 7 8 9 T J Q K A 2 3"),
        ({"rank_order": "western"}, "4 A 2 3 5 6 7 8 9 T J Q K"),
        ({"short_deck": True}, "4 5 6 7 8 9 T J Q K 3"),
        ({"short_deck": True, "rank_order": "western"}, "4 3 5 6 7 8 9 T J Q K"),
    ],
)
def test_order_of_hearts(rules, hearts):
    """rules/big_three.md, Auction 1: hearts in rank order, in western order 4♥, then A, 2, 3, 5, …, K."""
    hearts = [rank + "h" for rank in hearts.split()]
    for low, high in pairwise(hearts):
        assert ref.first_bidder(rules, [["4s"], [high], [low]]) == (C, low)


def test_first_bidder_must_bid():
    """rules/big_three.md, Auction 1: 1, 2 or 3, no pass."""
    game = ref.Game({}, deal_with({}, "4h"))
    assert game.legal() == [1, 2, 3]
    with pytest.raises(ValueError, match="at least 1"):
        game.bid(0)


def test_bids_rise():
    """rules/big_three.md, Auction 2: pass or more than the highest bid so far."""
    game = run(ref.Game({}, deal_with({}, "4h")), [2])
    assert game.legal() == [0, 3]
    for too_low in (1, 2):
        with pytest.raises(ValueError, match="no more than"):
            game.bid(too_low)
    assert run(ref.Game({}, deal_with({}, "4h")), [1, 0]).legal() == [0, 2, 3]


@pytest.mark.parametrize("no_bid", [4, -1, True, 1.0, "1", None])
def test_only_numbers_are_bids(no_bid):
    """rules/big_three.md, Auction 1: bids are 1, 2 and 3."""
    with pytest.raises(ValueError, match="is not 0"):
        ref.Game({}, deal_with({}, "4h")).bid(no_bid)


def test_bidding_again_after_a_pass():
    """rules/big_three.md, Auction 2: a player who passed may bid again."""
    game = run(ref.Game({}, deal_with({}, "4h")), [1, 0, 2, 0])
    assert (game.phase, game.to_act) == ("auction", B)
    game.bid(3)
    assert (game.declarer, game.high_bid, game.phase) == (B, 3, "play")


def test_two_passes_in_a_row_end_the_auction():
    """rules/big_three.md, Auction 3; passes with a bid between are not in a row."""
    game = run(ref.Game({}, deal_with({}, "4h")), [1, 0])
    assert game.phase == "auction"
    game.bid(0)
    assert (game.declarer, game.high_bid, game.phase) == (A, 1, "play")
    apart = run(ref.Game({}, deal_with({}, "4h")), [1, 0, 2, 0])
    assert apart.phase == "auction"
    assert run(apart, [0]).declarer == C


def test_three_ends_the_auction_at_once():
    """rules/big_three.md, Auction 3."""
    game = run(ref.Game({}, deal_with({}, "", "4h")), [3])
    assert (game.declarer, game.phase, game.to_act) == (B, "play", B)
    with pytest.raises(ValueError, match="phase"):
        game.bid(0)


def test_german_auction():
    """seeds/big-three.de.txt, Reizen, Beispiel: Carla 1, Anna 2, two passes; Anna has 20 cards and Carla leads."""
    deal = deal_with({}, "", "", "4h")
    game = run(ref.Game({}, deal), [1, 2, 0, 0])
    assert (game.declarer, game.high_bid, game.to_act) == (A, 2, C)
    assert sorted(game.hands[A]) == sorted(deal["hands"][A] + deal["widow"])
    assert [len(hand) for hand in game.hands] == [20, 16, 16]


# ---------------------------------------------------------------------------------------------------- play


@pytest.mark.parametrize(("bids", "declarer"), [([1, 0, 0], C), ([1, 3], A), ([1, 0, 2, 0, 0], B)])
def test_first_bidder_leads(bids, declarer):
    """rules/big_three.md, Play 1: whoever won the auction."""
    game = run(ref.Game({}, deal_with({}, "", "", "4h")), bids)
    assert (game.declarer, game.to_act) == (declarer, C)


def test_leader_must_play():
    """rules/big_three.md, Play 1: a combination of any kind, no pass when leading."""
    game = table("4c 5c 5d 6c", "9c", "9d")
    assert game.legal() == [(1, 1, "4"), (1, 1, "5"), (1, 1, "6"), (1, 3, "6"), (2, 1, "5")]
    with pytest.raises(ValueError, match="leader"):
        game.pass_()


def test_german_straights():
    """seeds/big-three.de.txt, Spielablauf, first Beispiel: what may be laid on 6-7-8-9."""
    ben = "7c 8c 9c Tc Jc Jd Jh Js Qc Kc 6d 8d 9d Td Qd"
    for cards in ("7c 8c 9c Tc", "Tc Jc Qc Kc"):
        game = run(table("6h 7h 8h 9h 4h", ben, "4d"), ["6h 7h 8h 9h"])
        assert game.play(cards.split()) == {"seat": B, "play": cards.split()}
    for cards in ("8c 9c Tc Jc Qc", "6d 7c 8d 9d", "Jc Jd Jh Js"):
        game = run(table("6h 7h 8h 9h 4h", ben, "4d"), ["6h 7h 8h 9h"])
        with pytest.raises(ValueError, match="does not beat"):
            game.play(cards.split())


def test_german_trick():
    """seeds/big-three.de.txt, Spielablauf, second Beispiel: partners, passes, and J-Q-K unbeaten."""
    game = table("5c 5d Kc Kd 9h Th", "2c 2d 5h 6h 7h 4s 8c Tc Qc", "9c 9d Jh Qh Kh 4c 6c", bid=2)
    run(game, ["5c 5d", "-", "9c 9d", "Kc Kd", "2c 2d", "-"])
    assert game.to_act == A
    run(game, ["-"])
    assert (game.to_act, game.last) == (B, None)
    run(game, ["5h 6h 7h", "Jh Qh Kh"])
    assert game.legal() == ["pass"]
    run(game, ["-"])
    assert game.legal() == ["pass"]
    run(game, ["-"])
    assert (game.to_act, game.last) == (C, None)
    assert game.play(["4c"]) == {"seat": C, "play": ["4c"]}


@pytest.mark.parametrize("cards", ["5d", "5h 5d", "9c", "6c 6d 6h", "7c 7d 7h 7s", "8c 9d Tc"])
def test_same_kind_as_many_and_higher(cards):
    """rules/big_three.md, Play 2: a pair of 5s is beaten by higher pairs only; a quad beats a lower quad only."""
    game = run(table("5c 5s 4c", "5d 5h 9c 9d 6c 6d 6h 7c 7d 7h 7s 8c Tc", "4d"), ["5c 5s"])
    with pytest.raises(ValueError, match="does not beat"):
        game.play(cards.split())
    assert {m for m in game.legal() if m != "pass"} == {(2, 1, rank) for rank in "679"}


def test_quads_beat_lower_quads():
    """rules/big_three.md, Play 2."""
    game = run(table("5c 5d 5h 5s 4c", "6c 6d 6h 6s 4d", "4h"), ["5c 5d 5h 5s"])
    assert game.legal() == [(4, 1, "6"), "pass"]


def test_playing_again_after_a_pass():
    """rules/big_three.md, Play 3: a player who passed may play later in the same trick."""
    game = run(table("4c 9c Tc", "5c Kc 2c", "6c 7c"), ["4c", "-", "6c", "9c"])
    assert game.legal() == [(1, 1, "K"), (1, 1, "2"), "pass"]
    assert game.play(["Kc"]) == {"seat": B, "play": ["Kc"]}


def test_two_passes_in_a_row_end_the_trick():
    """rules/big_three.md, Play 4: the last to play leads the next, with any combination."""
    game = run(table("4c 9c", "5c Kc", "6c 7c 7d"), ["4c", "-", "6c", "-"])
    assert game.to_act == B  # one pass after the 6
    run(game, ["-"])
    assert (game.to_act, game.legal()) == (C, [(1, 1, "7"), (2, 1, "7")])
    run(game, ["7c 7d"])
    assert game.phase == "over"


@pytest.mark.parametrize(("cards", "reason"), [("Kc", "hold"), ("4c 5c", "no combination"), ("", "no combination")])
def test_impossible_plays(cards, reason):
    """rules/big_three.md, Play 1 and 2: only own cards, only combinations."""
    with pytest.raises(ValueError, match=reason):
        table("4c 5c", "Kc", "Kd").play(cards.split())


def test_deal_ends_when_a_hand_is_empty():
    """rules/big_three.md, Play 5: at once, the others do not answer."""
    game = run(table("4c 5c", "9c 9d", "6c"), ["4c", "-", "6c"])
    assert (game.phase, game.to_act, game.first_out, game.legal()) == ("over", None, C, [])
    for move in ("-", "9c"):
        with pytest.raises(ValueError, match="phase"):
            run(game, [move])
    with pytest.raises(ValueError, match="phase"):
        table("4c", "5c", "6c").result()


# ---------------------------------------------------------------------------------------------------- settlement


@pytest.mark.parametrize(
    ("declarer", "bid", "rules", "won", "scores"),
    [
        (A, 2, {}, True, [4, -2, -2]),
        (B, 3, {}, False, [3, -6, 3]),
        (A, 2, {"scoring": "mcneely"}, True, [4, 0, 0]),
        (C, 1, {"scoring": "mcneely"}, False, [0, 0, -2]),
    ],
)
def test_settlement(declarer, bid, rules, won, scores):
    """rules/big_three.md, Settlement; Variants, scoring: seat 0 is out first."""
    result = run(table("4c", "5c", "6c", rules=rules, declarer=declarer, bid=bid), ["4c"]).result()
    assert result == {
        "declarer": declarer,
        "bid": bid,
        "forced": False,
        "partner": None,
        "first_out": A,
        "bombs": 0,
        "declarer_won": won,
        "scores": scores,
    }


def test_german_settlement():
    """seeds/big-three.de.txt, Ende eines Spiels, Beispiel: Anna has bid 2, Carla is out first."""
    assert run(table("4c 5c", "6c", "7c", bid=2), ["4c", "-", "7c"]).result()["scores"] == [-4, 2, 2]
    assert run(table("4c", "6c", "7c", bid=2), ["4c"]).result()["scores"] == [4, -2, -2]


@pytest.mark.parametrize(
    ("rules", "declarer", "scores"),
    [
        ({}, A, [4, -2, -2]),
        ({"bomb_bonus": True}, A, [8, -4, -4]),
        ({"bomb_bonus": True}, B, [4, -8, 4]),
        ({"bomb_bonus": True, "scoring": "mcneely"}, A, [8, 0, 0]),
        ({"bomb_bonus": True, "scoring": "mcneely"}, B, [0, -8, 0]),
    ],
)
def test_bombs_double_once(rules, declarer, scores):
    """rules/big_three.md, Variants, bomb_bonus: two bombs, counted with or without it, double only once."""
    game = table("4c 4d 4h 4s Kc", "5c 5d 5h 5s 6c 7c", "8c", rules=rules, declarer=declarer, bid=2)
    result = run(game, ["4c 4d 4h 4s", "5c 5d 5h 5s", "-", "-", "6c", "-", "Kc"]).result()
    assert (result["bombs"], result["scores"]) == (2, scores)


def test_straight_of_quads_is_one_bomb():
    """rules/big_three.md, Variants, bomb_bonus, assumption; four cards of a triple and a single are none."""
    quads = "4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s"
    result = run(table(quads, "7c", "8c", rules={"bomb_bonus": True}), [quads]).result()
    assert (result["bombs"], result["scores"]) == (1, [4, -2, -2])
    game = run(table("4c 4d 4h 4s", "7c", "8c", rules={"bomb_bonus": True}), ["4c 4d 4h", "-", "-", "4s"])
    assert (game.result()["bombs"], game.result()["scores"]) == (0, [2, -1, -1])


# ---------------------------------------------------------------------------------------------------- forced bid


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
@pytest.mark.parametrize("rules", [{}, {"rank_order": "western"}, {"scoring": "mcneely"}, FOUR])
def test_forced_bid(cards, forced, rules):
    """rules/big_three.md, Variants, forced_bid: at least three 3s, or two 3s and two 2s, whatever the other options."""
    others = " ".join(c for c in ref.deck({}) if c[0] in "23" and c not in cards.split())
    deal = deal_with(rules, "4h", "5c " + cards, others[:5])  # two at most of the others in one hand
    game = run(ref.Game({**rules, "forced_bid": True}, deal), [1])
    assert game.legal() == ([3] if forced else [0, 2, 3])
    if forced:
        for other in (0, 2):
            with pytest.raises(ValueError, match="forced"):
                game.bid(other)
    assert game.bid(3) == {"seat": B, "bid": 3}
    assert (game.declarer, game.forced) == (B, forced)
    assert game.phase == ("call" if game.players == 4 else "play")


def test_forced_bid_is_an_option():
    """rules/big_three.md, Variants, forced_bid: False by default, then a 3 is never forced."""
    game = run(ref.Game({}, deal_with({}, "4h 3c 3d 3h 3s")), [1, 0, 2])
    assert game.legal() == [0, 3]
    assert run(game, [3]).forced is False


def test_forced_bid_of_the_first_bidder():
    """rules/big_three.md, Variants, forced_bid: as soon as it is their turn, here the very first."""
    game = ref.Game({"forced_bid": True}, deal_with({}, "4h 3c 3d 3h"))
    assert game.legal() == [3]


def test_a_three_before_their_turn_comes_first():
    """rules/big_three.md, Variants, forced_bid, with Auction 3: a bid of 3 ends the auction before it."""
    game = run(ref.Game({"forced_bid": True}, deal_with({}, "4h", "3c 3d 3h")), [3])
    assert (game.declarer, game.forced) == (A, False)


def test_first_of_two_forced_hands():
    """rules/big_three.md, Variants, forced_bid: two hands of two 3s and two 2s, the first in turn."""
    game = ref.Game({"forced_bid": True}, deal_with({}, "3c 3d 2c 2d", "4h", "3h 3s 2h 2s"))
    run(game, [2])
    assert (game.to_act, game.legal()) == (C, [3])


def test_forced_bid_in_the_short_deck():
    """rules/big_three.md, Variants, forced_bid and short_deck: without 2s only all three 3s left force."""
    rules = {"forced_bid": True, "short_deck": True}
    assert ref.Game(rules, deal_with(rules, "4h 3d 3h 3s")).legal() == [3]
    assert ref.Game(rules, deal_with(rules, "4h 3d 3h", "3s")).legal() == [1, 2, 3]


def test_the_widow_does_not_force():
    """rules/big_three.md, Variants, forced_bid: the hand at one's turn to bid counts."""
    game = ref.Game({"forced_bid": True}, deal_with({}, "4h 3c 3d", widow="3h 3s"))
    assert run(game, [3]).forced is False
