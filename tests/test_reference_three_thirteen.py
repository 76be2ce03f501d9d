"""The slow reference of Three-Thirteen: rules, play, scores and audit in hand-worked cases."""

import copy
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from reference import three_thirteen as tt


def c(text):
    """Cards from text."""
    return text.split()


def keep_order(cards, _round_index, _reshuffle_number):
    """A shuffle that leaves the cards as they are."""
    return cards


def scripted(rules, hands, upcard, stock="", dealer=0, shuffle=keep_order):
    """A game whose first round is given (the rest of the pack follows in the stock)."""
    hands = [c(hand) for hand in hands]
    rules = {"players": len(hands), **rules}
    rounds = tt.random_rounds({**rules, "first_dealer": dealer}, random.Random(1))
    rest = Counter(tt.pack(rules)) - Counter(sum(hands, []) + [upcard] + c(stock))
    stock = c(stock) + sorted(rest.elements())
    rounds[0] = {"dealer": dealer, "hands": hands, "upcard": upcard, "stock": stock}
    return tt.Game(rules, rounds, shuffle)


def finish(game):
    """Play on without going out; the record of the whole game."""
    while game.phase != "over":
        if game.phase == "draw":
            game.draw(game.legal()[0])
        else:
            game.discard(next(card for card, out in game.legal() if not out))
    return tt.record_of(game, ["somebody"] * game.players)


def turn(game, source, card, out=False):
    """Draw and discard; the events."""
    return game.draw(source) + game.discard(card, out)


# ---------------------------------------------------------------------------------------------
# Players, decks, rounds
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 9))
def test_decks_by_number_of_players(players):
    """rules/three_thirteen.md, head: 2 decks of 52 up to 6 players, 3 decks with 7 or 8."""
    pack = tt.pack({"players": players})
    assert len(pack) == (104 if players <= 6 else 156)
    assert set(Counter(pack).values()) == {2 if players <= 6 else 3}


def test_defaults():
    """rules/three_thirteen.md, Variants: the list of defaults."""
    assert tt.DEFAULTS == {
        "players": 4, "decks": "auto", "schedule": "standard", "wild_penalty": 15,
        "max_wilds_per_meld": None, "jokers": 0, "joker_penalty": 20, "lay_off": False,
        "contract": None, "double_last_round": False, "aces": "low",
        "may_return_discard": True, "max_turns": 100, "first_dealer": "random",
    }  # fmt: skip


def test_standard_schedule():
    """rules/three_thirteen.md, Rounds: in round n n+2 cards, the rank of the hand size is wild."""
    assert tt.schedule({}) == list(zip(range(3, 14), "3456789TJQK", strict=True))


def test_six_fourteen_schedule():
    """rules/three_thirteen.md, Variants, schedule: nine rounds, 6 to 14; at 14 aces are wild."""
    assert tt.schedule({"schedule": "six_fourteen"}) == list(zip(range(6, 15), "6789TJQKA", strict=True))


def test_short_schedule():
    """rules/three_thirteen.md, Variants, schedule: only rounds 3 to 10, eight rounds."""
    assert tt.schedule({"schedule": "short"}) == list(zip(range(5, 13), "56789TJQ", strict=True))


def test_jokers_are_added_per_deck():
    """rules/three_thirteen.md, Variants, jokers: two a deck."""
    assert Counter(tt.pack({"jokers": 2}))["*"] == 4
    assert Counter(tt.pack({"jokers": 2, "decks": 3}))["*"] == 6


@pytest.mark.parametrize(
    "rules",
    [
        {"no_such_option": 1}, {"players": 1}, {"players": 9}, {"players": True},
        {"decks": 0}, {"decks": 5}, {"decks": "two"}, {"schedule": "long"}, {"schedule": ["short"]},
        {"wild_penalty": -1}, {"wild_penalty": 1.5}, {"max_wilds_per_meld": -1}, {"jokers": -1},
        {"joker_penalty": "20"}, {"lay_off": 1}, {"double_last_round": None}, {"aces": "high"},
        {"may_return_discard": "yes"}, {"max_turns": 0}, {"first_dealer": 4},
        {"first_dealer": "cut"}, {"contract": "hard"}, {"contract": {3: (1, 1)}},
        {"contract": {3: (1, 0)}}, {"contract": {"x": (1, 0)}}, {"contract": {3: 1}},
        {"contract": {3: (1, -1)}}, {"contract": {**tt.CONTRACT, "3": (0, 1)}},
        {"decks": 1}, {"decks": 1, "players": 8}, {"decks": 2, "players": 8},
    ],
)  # fmt: skip
def test_nonsensical_rules_are_refused(rules):
    """rules/three_thirteen.md, Variants: an unknown, senseless or undealable choice."""
    assert isinstance(tt.nonsensical(rules), str)
    with pytest.raises(ValueError):
        tt.Game(rules, [])


@pytest.mark.parametrize(
    "rules",
    [
        {}, {"players": 8}, {"decks": 4, "players": 2}, {"decks": 1, "players": 3},
        {"decks": 1, "players": 4, "jokers": 1}, {"decks": 1, "players": 4, "schedule": "short"},
        {"players": 6, "schedule": "six_fourteen"}, {"contract": "default"},
        {"contract": {str(size): [0, 1] for size in range(3, 14)}}, {"max_wilds_per_meld": 1},
        {"first_dealer": 3}, {"aces": "wrap", "jokers": 2, "joker_penalty": 25},
    ],
)  # fmt: skip
def test_sensible_rules_are_accepted(rules):
    """rules/three_thirteen.md, Variants; decks: just enough for the deal and an upcard will do."""
    assert tt.nonsensical(rules) is None


def test_shipped_contract_can_be_held():
    """rules/three_thirteen.md, Variants, contract: patterns that hands of that size can hold."""
    assert sorted(tt.CONTRACT) == list(range(3, 15))
    assert all(3 * sum(pattern) <= size for size, pattern in tt.CONTRACT.items())
    assert tt.pattern_for("A", {"contract": "default"}) == (2, 2)
    assert tt.pattern_for("6", {"contract": "default"}) == (1, 1)
    assert tt.pattern_for("6", {}) == (0, 0)


# ---------------------------------------------------------------------------------------------
# Rounds
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_player_left_of_the_dealer_starts_and_play_is_clockwise(dealer):
    """rules/three_thirteen.md, Rounds: the player left of the dealer starts; clockwise."""
    game = scripted({}, ["Kc Qd 9h", "Ac 7d 5h", "2c 8d Th"], "4s", dealer=dealer)
    order = []
    for _ in range(6):
        order.append(game.to_act)
        turn(game, "stock", game.hand[0])
    first = (dealer + 1) % 3
    assert order == [first, (first + 1) % 3, dealer] * 2


def test_deal_moves_on_by_one_seat_each_round():
    """rules/three_thirteen.md, Rounds: the deal moves on by one seat each round."""
    rules = {"players": 3, "max_turns": 1, "first_dealer": 2}
    record = tt.random_record(rules, random.Random(1))
    assert [played["dealer"] for played in record["rounds"]] == [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]
    assert all(p["events"][0]["seat"] == (p["dealer"] + 1) % 3 for p in record["rounds"])


def test_first_dealer_is_random_or_given():
    """rules/three_thirteen.md, Rounds: option first_dealer."""
    rng = random.Random(1)
    drawn = {tt.random_rounds({"players": 3}, rng)[0]["dealer"] for _ in range(60)}
    assert drawn == {0, 1, 2}
    rounds = tt.random_rounds({"players": 3, "first_dealer": 1}, rng)
    assert rounds[0]["dealer"] == 1
    with pytest.raises(ValueError, match="first dealer"):
        tt.Game({"players": 3, "first_dealer": 2}, rounds)


def test_every_player_gets_the_cards_of_the_round():
    """rules/three_thirteen.md, Rounds: n+2 cards each, one card up, the rest is the stock."""
    for rules in ({}, {"players": 7}, {"schedule": "six_fourteen", "jokers": 2}):
        for (size, _), deal in zip(tt.schedule(rules), tt.random_rounds(rules, random.Random(1)), strict=True):
            assert {len(hand) for hand in deal["hands"]} == {size}
            cards = sum(deal["hands"], []) + [deal["upcard"]] + deal["stock"]
            assert Counter(cards) == Counter(tt.pack(rules))


def test_wrong_deals_are_refused():
    """rules/three_thirteen.md, Rounds: the deal of another game."""
    good = tt.random_rounds({"players": 2}, random.Random(1))
    for change in ({"dealer": 2}, {"hands": good[1]["hands"]}, {"stock": good[0]["stock"][1:]}):
        with pytest.raises(ValueError):
            tt.Game({"players": 2}, [{**good[0], **change}])


# ---------------------------------------------------------------------------------------------
# A turn
# ---------------------------------------------------------------------------------------------


def test_draw_from_stock_or_pile_then_discard():
    """rules/three_thirteen.md, A turn 1 and 3: draw either top card, discard one face up."""
    game = scripted({}, ["Kc Qd 9h", "Ac 7d 5h"], "4s", "2c 8d")
    assert (game.phase, game.to_act, game.legal()) == ("draw", 1, ["stock", "discard"])
    assert game.draw("stock") == [{"seat": 1, "draw": "stock", "card": "2c"}]
    assert game.phase == "discard"
    assert game.legal() == [(card, False) for card in c("Ac 2c 7d 5h")]
    assert game.discard("7d", False) == [{"seat": 1, "discard": "7d", "out": False}]
    assert game.draw("discard") == [{"seat": 0, "draw": "discard", "card": "7d"}]
    game.discard("Kc")
    assert game.draw("stock")[0]["card"] == "8d"
    assert game.pile == c("4s Kc")


def test_illegal_moves_are_refused_and_change_nothing():
    """rules/three_thirteen.md, A turn: first draw, then discard a card of the hand."""
    game = scripted({}, ["Kc Qd 9h", "Ac 7d 5h"], "4s", "2c 8d")
    for move in (("discard", "Ac"), ("draw", "hand")):
        with pytest.raises(ValueError):
            getattr(game, move[0])(move[1])
    game.draw("stock")
    for move in (("draw", "stock"), ("discard", "Kc"), ("discard", "Ac", True)):
        with pytest.raises(ValueError):
            getattr(game, move[0])(*move[1:])
    assert (game.phase, game.to_act) == ("discard", 1)
    assert sorted(game.hand) == sorted(c("Ac 7d 5h 2c"))
    assert len(game.rounds[0]["events"]) == 1


def test_going_out_and_last_turns():
    """rules/three_thirteen.md, A turn 2 and 3: lay all but one, score 0; one last turn each."""
    game = scripted({}, ["Kc Kd 9h", "4h 5h 9c", "2c 4d 4s"], "6h", "Ks 8d")
    game.draw("discard")
    assert ("9c", True) in game.legal()
    assert ("6h", True) not in game.legal()
    assert game.discard("9c", True) == [{"seat": 1, "discard": "9c", "out": True}]
    assert (game.phase, game.to_act) == ("draw", 2)
    turn(game, "stock", "2c")  # draws Ks: 4d 4s Ks
    game.draw("stock")
    with pytest.raises(ValueError):
        game.discard("9h", True)
    game.discard("9h")  # Kc Kd 8d
    played = game.rounds[0]
    assert played["penalties"] == [28, 0, 18]
    assert (played["out"], played["stalled"]) == (1, False)
    assert played["melds"] == [[], [c("4h 5h 6h")], []]
    assert played["unmelded"] == [c("Kc 8d Kd"), [], c("4d 4s Ks")]
    assert (len(game.rounds), game.phase, game.to_act) == (2, "draw", 2)


def test_nobody_else_can_go_out_but_a_fully_melded_hand_scores_zero():
    """rules/three_thirteen.md, A turn: nobody else can go out in a last turn; 0 all the same."""
    game = scripted({}, ["Kc Kd 9h", "4h 5h 9c"], "6h", "Ks")
    turn(game, "discard", "9c", True)
    game.draw("stock")
    assert all(not out for _, out in game.legal())
    with pytest.raises(ValueError, match="nobody else"):
        game.discard("9h", True)
    game.discard("9h")
    assert game.rounds[0]["penalties"] == [0, 0]
    assert game.rounds[0]["melds"][0] == [c("Kc Kd Ks")]


def test_going_out_is_a_choice():
    """rules/three_thirteen.md, A turn 2: going out is a choice, not a duty."""
    game = scripted({}, ["Kc Kd 9h", "4h 5h 9c"], "6h", "Ks")
    game.draw("discard")
    assert {("9c", False), ("9c", True), ("4h", False)} <= set(game.legal())
    game.discard("9c", False)
    assert game.rounds[0]["out"] is None


def test_hand_counts_as_it_is_after_the_last_turn():
    """rules/three_thirteen.md, A turn, assumptions: a last turn may spoil a melded hand."""
    game = scripted({}, ["Kc Kd Kh", "4h 5h 9c"], "6h", "8s")
    turn(game, "discard", "9c", True)
    turn(game, "stock", "Kh")
    assert game.rounds[0]["penalties"] == [28, 0]


def test_wild_card_at_no_cost_prevents_going_out():
    """rules/three_thirteen.md, A turn 2: every one, also where a wild card costs nothing."""
    rules = {"wild_penalty": 0, "max_wilds_per_meld": 1}
    game = scripted(rules, ["Kc Kd 9h", "3c 3d 9c"], "3h")
    game.draw("discard")
    assert all(not out for _, out in game.legal())
    with pytest.raises(ValueError, match="laid"):
        game.discard("9c", True)


def test_who_goes_out_lays_every_wild_card():
    """rules/three_thirteen.md, A turn 2: lay them, every one; then the documented arrangement."""
    game = scripted({"wild_penalty": 0}, ["3c 3d 3s", "3c 3d 9c"], "3h", "Ks")
    turn(game, "discard", "9c", True)
    turn(game, "stock", "Ks")
    assert game.rounds[0]["melds"] == [[], [c("3c 3d 3h")]]
    assert game.rounds[0]["unmelded"] == [c("3c 3d 3s"), []]
    assert game.rounds[0]["penalties"] == [0, 0]


def test_card_just_drawn_may_be_discarded():
    """rules/three_thirteen.md, A turn 3: it may be the one just drawn."""
    game = scripted({}, ["Kc Qd 9h", "Ac 7d 5h"], "4s", "2c")
    turn(game, "discard", "4s")
    assert turn(game, "stock", "2c")[-1]["discard"] == "2c"


def test_may_return_discard_false():
    """rules/three_thirteen.md, A turn 3: no card equal to the one just taken from the pile."""
    rules = {"may_return_discard": False, "decks": 3}
    game = scripted(rules, ["4s 6s 9h", "4s 7d 5h"], "4s", "2c")
    game.draw("discard")
    assert game.legal() == [("7d", False), ("5h", False)]  # neither of the two 4s
    with pytest.raises(ValueError, match="just taken"):
        game.discard("4s")
    game.discard("7d")
    turn(game, "stock", "2c")  # drawn from the stock: free
    turn(game, "stock", game.hand[0])  # 4s: taken in an earlier turn


def test_may_return_discard_false_when_going_out_and_in_last_turns():
    """rules/three_thirteen.md, A turn 3: the option forbids the card, whatever the turn is."""
    rules = {"may_return_discard": False}
    game = scripted(rules, ["Kc Kd Kh", "4s 5s 6s"], "7s", "2c")
    game.draw("discard")
    assert game.legal() == [("4s", False), ("4s", True), ("5s", False), ("6s", False)]
    with pytest.raises(ValueError, match="just taken"):
        game.discard("7s", True)
    game.discard("4s", True)
    game.draw("discard")
    assert ("4s", False) not in game.legal()
    game.discard("Kc")
    assert game.rounds[0]["penalties"] == [24, 0]


def test_hand_of_equal_cards_keeps_a_legal_discard():
    """rules/three_thirteen.md, A turn 3: one card must be discarded, so the prohibition lapses."""
    rules = {"may_return_discard": False, "decks": 4}
    game = scripted(rules, ["4s 6s 9h", "8d 8d 8d"], "8d")
    game.draw("discard")
    assert game.legal() == [("8d", False), ("8d", True)]
    game.discard("8d", True)
    assert game.rounds[0]["melds"][1] == [c("8d 8d 8d")]


# ---------------------------------------------------------------------------------------------
# Stock exhausted, endless rounds
# ---------------------------------------------------------------------------------------------


def drain(game):
    """Draw from the stock, discard the drawn card, until the stock is empty."""
    while game.stock:
        game.discard(game.draw("stock")[-1]["card"])


def test_reshuffle_only_when_the_empty_stock_is_chosen():
    """rules/three_thirteen.md, Stock exhausted: the pile but its top card, just before the draw."""
    asked = []

    def shuffle(cards, round_index, reshuffle_number):
        asked.append((list(cards), round_index, reshuffle_number))
        return cards[::-1]

    game = scripted({"decks": 1}, ["Kc Qd 9h", "Ac 7d 5h"], "4s", shuffle=shuffle)
    drain(game)
    assert asked == []
    pile = list(game.pile)
    assert len(pile) == 46
    assert game.legal() == ["stock", "discard"]
    turn(game, "discard", game.pile[-1])  # the upcard can still be taken
    assert asked == []
    assert game.draw("stock") == [
        {"reshuffle": pile[-2::-1]},
        {"seat": game.to_act, "draw": "stock", "card": pile[-2]},
    ]
    assert asked == [(pile[:-1], 0, 0)]
    assert game.pile == pile[-1:]
    game.discard(pile[-2])
    drain(game)
    game.draw("stock")
    assert [entry[1:] for entry in asked] == [(0, 0), (0, 1)]


def test_wrong_shuffles_are_refused():
    """rules/three_thirteen.md, Stock exhausted: the same cards in a new order."""
    for shuffle in (lambda cards, *_: cards[1:], None):
        game = scripted({"decks": 1}, ["Kc Qd 9h", "Ac 7d 5h"], "4s", shuffle=shuffle)
        drain(game)
        with pytest.raises(ValueError):
            game.draw("stock")


@pytest.mark.parametrize("may_return", [True, False])
def test_nothing_to_shuffle(may_return):
    """rules/three_thirteen.md, Stock exhausted: then the player must take the upcard."""
    # One deck and a joker: the last round deals all cards but the upcard.
    rules = {"decks": 1, "jokers": 1, "max_turns": 2, "may_return_discard": may_return}
    game = tt.Game(rules, tt.random_rounds(rules, random.Random(1)), keep_order)
    while game.round_index < 10:
        turn(game, "stock", game.hand[0])
    assert (game.stock, len(game.pile)) == ([], 1)
    for _ in range(8):
        assert game.legal() == ["discard"]
        with pytest.raises(ValueError, match="take the upcard"):
            game.draw("stock")
        turn(game, "discard", game.hand[0])
    assert game.phase == "over"
    assert tt.audit(tt.record_of(game, ["somebody"] * 4), strict=True) == []


def test_endless_round_ends_stalled():
    """rules/three_thirteen.md, Endless rounds: players x max_turns turns with nobody out."""
    game = scripted({"max_turns": 2}, ["Kc Kd Kh", "4h 5h 9c"], "2h", "As 2s Ts Js")
    for card in c("As 2s Ts"):
        turn(game, "stock", card)
    assert game.round_index == 0
    turn(game, "stock", "Js")
    played = game.rounds[0]
    assert (played["out"], played["stalled"], played["penalties"]) == (None, True, [0, 18])
    assert (played["melds"], played["unmelded"]) == ([[c("Kc Kd Kh")], []], [[], c("9c 4h 5h")])
    assert game.round_index == 1


def test_last_turns_are_not_counted_as_turns():
    """rules/three_thirteen.md, Endless rounds: out in the last turn allowed; last turns follow."""
    game = scripted({"max_turns": 1}, ["4h 5h 9c", "Kc Kd 9h", "Ac Ah 9d"], "2h", "2s 8s 6h Ks As")
    turn(game, "stock", "2s")
    turn(game, "stock", "8s")
    turn(game, "stock", "9c", True)
    turn(game, "stock", "9h")
    turn(game, "stock", "9d")
    played = game.rounds[0]
    assert (played["out"], played["stalled"], played["penalties"]) == (0, False, [0, 0, 0])


# ---------------------------------------------------------------------------------------------
# Lay-offs and contract in play
# ---------------------------------------------------------------------------------------------

LAY_OFF_HANDS = ["7h Kc 9s", "4h 5h 9c", "8h 9h Qd"]


def test_no_lay_offs_unless_chosen():
    """rules/three_thirteen.md, Variants: lay_off = False."""
    game = scripted({}, LAY_OFF_HANDS, "6h", "Ks 7h")
    turn(game, "discard", "9c", True)
    turn(game, "stock", "Ks")
    turn(game, "stock", "Kc")
    assert game.rounds[0]["penalties"] == [23, 0, 27]
    assert game.rounds[0]["laid_off"] == [[], [], []]


def test_lay_offs_in_last_turns():
    """rules/three_thirteen.md, Variants, lay_off: onto all melds on the table, one after another."""
    game = scripted({"lay_off": True}, LAY_OFF_HANDS, "6h", "7h Ts")
    turn(game, "discard", "9c", True)
    turn(game, "stock", "Qd")  # seat 2: 7h 8h 9h; nothing left: fewest melds, all laid off
    turn(game, "stock", "Kc")  # seat 0: 7h 9s Ts; the run on the table already has its 7h
    played = game.rounds[0]
    assert played["melds"] == [[], [c("4h 5h 6h")], []]
    assert played["laid_off"][2] == [{"card": card, "to_seat": 1, "to_meld": 0} for card in c("7h 8h 9h")]
    assert played["laid_off"][0] == []
    assert played["penalties"] == [26, 0, 0]


def test_lay_offs_onto_melds_of_last_turns():
    """rules/three_thirteen.md, Variants, lay_off: also those laid in last turns since."""
    hands = ["7s 7d 9s", "4h 5h 9c", "7c 7h Qd"]
    game = scripted({"lay_off": True}, hands, "6h", "7d Ts")
    turn(game, "discard", "9c", True)
    turn(game, "stock", "Qd")  # seat 2: 7c 7h 7d: a set (laying off 7h leaves two)
    turn(game, "stock", "Ts")
    played = game.rounds[0]
    assert played["melds"][2] == [c("7c 7d 7h")]
    assert played["laid_off"][0] == [{"card": card, "to_seat": 2, "to_meld": 0} for card in c("7d 7s")]
    assert (played["unmelded"][0], played["penalties"]) == (c("9s"), [9, 0, 0])


def test_no_lay_offs_in_a_stalled_round():
    """rules/three_thirteen.md, Variants, lay_off: only in a last turn; stalled has none."""
    rules = {"lay_off": True, "max_turns": 1}
    game = scripted(rules, ["4h 5h 6h", "7h 8h Kd"], "2h", "As 2s")
    turn(game, "stock", "As")
    turn(game, "stock", "2s")
    assert game.rounds[0]["penalties"] == [0, 25]
    assert game.rounds[0]["laid_off"] == [[], []]


def test_contract_in_play():
    """rules/three_thirteen.md, Variants, contract: out only with the pattern; else all counts."""
    rules = {"contract": "default", "schedule": "six_fourteen"}
    hands = ["9c 9d 9h 9s 9c Ac", "2h 3h 4h 8c 8d Kc", "2c 3c 4c Tc Jc Qc"]
    game = scripted(rules, hands, "8s", "Kc As Kd")
    game.draw("discard")
    assert [move for move in game.legal() if move[1]] == [("Kc", True)]
    game.discard("Kc", True)
    turn(game, "stock", "Kc")  # two runs, no set
    turn(game, "stock", "Ac")  # a set of five and an ace, no run
    played = game.rounds[0]
    assert played["penalties"] == [46, 0, 39]
    assert (played["melds"][0], played["melds"][2]) == ([], [])
    assert len(played["unmelded"][2]) == 6


# ---------------------------------------------------------------------------------------------
# Result
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("penalties", "totals", "zeros", "shares"),
    [
        ([[5, 0], [0, 9]], [5, 9], [1, 1], [1, 0]),
        ([[5, 0, 7], [2, 7, 0]], [7, 7, 7], [0, 1, 1], [0, 0.5, 0.5]),
        ([[5, 0, 7], [3, 8, 0], [0, 0, 1]], [8, 8, 8], [1, 2, 1], [0, 1, 0]),
        ([[4, 4], [4, 4]], [8, 8], [0, 0], [0.5, 0.5]),
        ([[0, 1], [0, 0]], [0, 1], [2, 1], [1, 0]),
    ],
)
def test_result(penalties, totals, zeros, shares):
    """rules/three_thirteen.md, Penalties: lowest total, more zero rounds, shared."""
    result = tt.result_of(penalties)
    assert result == {"totals": totals, "zero_rounds": zeros, "win_share": shares}


@pytest.mark.parametrize("schedule", ["standard", "short", "six_fourteen"])
def test_last_round_counts_double(schedule):
    """rules/three_thirteen.md, Variants, double_last_round."""
    rules = {"players": 2, "schedule": schedule, "max_turns": 2}
    plain = tt.random_record(rules, random.Random(8))
    double = tt.random_record({**rules, "double_last_round": True}, random.Random(8))
    single = [played["penalties"] for played in plain["rounds"]]
    doubled = [played["penalties"] for played in double["rounds"]]
    assert doubled[:-1] == single[:-1]
    assert doubled[-1] == [2 * penalty for penalty in single[-1]]
    assert double["result"]["totals"] == [sum(seat) for seat in zip(*doubled, strict=True)]


# ---------------------------------------------------------------------------------------------
# Self-play and audit
# ---------------------------------------------------------------------------------------------

COMBINATIONS = [
    {"players": 2, "max_turns": 30},
    {"players": 3, "max_turns": 20, "decks": 1, "schedule": "short"},
    {"players": 4, "max_turns": 12, "lay_off": True, "jokers": 4},
    {"players": 3, "max_turns": 12, "lay_off": True, "jokers": 8, "contract": "default"},
    {"players": 2, "max_turns": 20, "wild_penalty": 0, "max_wilds_per_meld": 1, "jokers": 2},
    {"players": 5, "max_turns": 8, "aces": "wrap", "schedule": "six_fourteen", "jokers": 6},
    {"players": 8, "max_turns": 5, "aces": "high_low", "may_return_discard": False, "decks": 4},
    {"players": 4, "max_turns": 8, "decks": 1, "jokers": 1, "may_return_discard": False},
    {"players": 7, "max_turns": 3, "lay_off": True, "jokers": 6, "wild_penalty": 0},
    {"players": 2, "max_turns": 15, "double_last_round": True, "first_dealer": 1, "jokers": 9},
    {
        "players": 3, "max_turns": 15, "lay_off": True, "jokers": 6, "max_wilds_per_meld": 2,
        "contract": {size: (size // 6, 1) for size in range(3, 14)},
    },
]  # fmt: skip


@pytest.mark.parametrize("rules", COMBINATIONS)
def test_random_play_conserves_cards_and_passes_the_audit(rules):
    """rules/three_thirteen.md, all of it: cards in hands, stock and pile always are the pack."""
    rng = random.Random(9)
    pack = Counter(tt.pack(rules))

    def choose(game, moves):
        held = Counter(sum(game.hands, []) + game.stock + game.pile)
        assert moves
        assert held == pack
        ways_out = [move for move in moves if move[1] is True]
        return rng.choice(ways_out or moves)

    game = tt.play(rules, rng, choose)
    record = tt.record_of(game, ["random"] * game.players)
    assert tt.audit(record, strict=True) == []
    assert len(record["rounds"]) == len(tt.schedule(rules))
    assert sum(record["result"]["win_share"]) == pytest.approx(1)
    for played in record["rounds"]:
        check_round(played, rules)


def check_round(played, rules):
    """What holds in every round, whatever the rules."""
    out, penalties = played["out"], played["penalties"]
    discards = [event for event in played["events"] if "discard" in event and "out" in event]
    players = len(penalties)
    assert (out is None) == played["stalled"]
    assert sum(event["out"] for event in discards) == (out is not None)
    if out is None:
        assert len(discards) == players * rules["max_turns"]
    else:
        last = [event["seat"] for event in discards[-players:]]
        assert last == [(out + i) % players for i in range(players)]
        assert (penalties[out], played["unmelded"][out]) == (0, [])
    for seat in range(players):
        laid = sum(played["melds"][seat], []) + [x["card"] for x in played["laid_off"][seat]]
        assert len(laid) + len(played["unmelded"][seat]) == played["hand_size"]


def test_random_play_meets_everything_worth_meeting():
    """The self-play above is no use if it never goes out, lays off, stalls or reshuffles."""
    seen = Counter()
    for rules in COMBINATIONS[:4]:
        for played in tt.random_record(rules, random.Random(9))["rounds"]:
            seen["out"] += played["out"] is not None
            seen["stalled"] += played["stalled"]
            seen["reshuffle"] += sum("reshuffle" in event for event in played["events"])
            seen["laid off"] += sum(map(len, played["laid_off"]))
            seen["melds"] += sum(map(len, played["melds"]))
    assert min(seen.values()) >= 5, seen
    assert len(seen) == 5


def test_random_records_without_going_out_on_purpose():
    """random_record(go_out_when_possible=False) still is a legal game."""
    record = tt.random_record({"players": 2, "max_turns": 8}, random.Random(3), False)
    assert tt.audit(record) == tt.audit(record, strict=True) == []


def replace(path, change):
    """A tampering that changes what is at this path of the record."""

    def tamper(record):
        place = record
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = change(place[path[-1]])

    return tamper


def is_rich(played):
    """Does a round hold everything worth tampering with?"""
    kinds = {key for event in played["events"] for key in event}
    return "reshuffle" in kinds and played["out"] is not None and any(played["laid_off"])


@pytest.fixture(scope="module")
def good():
    """(a right record, the number of a round with a reshuffle, a player out and lay-offs)."""
    rules = {"players": 3, "decks": 1, "jokers": 5, "lay_off": True, "max_turns": 25}
    rng = random.Random(10)
    for _ in range(60):
        record = tt.random_record(rules, rng)
        for i, played in enumerate(record["rounds"]):
            if is_rich(played):
                return record, i
    raise AssertionError("no such record")


def rejected(record, tamper, strict=False):
    """The problems found after tampering with a copy; never a crash."""
    record = copy.deepcopy(record)
    tamper(record)
    return tt.audit(record, strict=strict)


def test_audit_accepts_further_fields(good):
    """game-records.md: fields may be added."""
    record = copy.deepcopy(good[0])
    record["comment"] = "a good game"
    record["rounds"][0]["seconds"] = 3.5
    record["rounds"][0]["events"][0]["thought"] = "hm"
    record["result"]["mood"] = ["glad"]
    assert tt.audit(record, strict=True) == []


@pytest.mark.parametrize("name", [*["format", "game", "rules", "seed", "index", "policies", "rounds", "result"]])
def test_audit_needs_every_field_of_the_record(good, name):
    """game-records.md: the fields of a record, and their kinds."""
    assert rejected(good[0], lambda record: record.pop(name))
    for value in (None, True, 1.5, [None], {"x": 1}):
        assert rejected(good[0], replace([name], lambda _, value=value: value))


@pytest.mark.parametrize(
    "name",
    [
        *["hand_size", "wild", "dealer", "hands", "upcard", "stock", "events"],
        *["melds", "unmelded", "laid_off", "penalties", "out", "stalled"],
    ],
)
def test_audit_needs_every_field_of_a_round(good, name):
    """game-records.md, three_thirteen: the fields of a round, and their kinds."""
    record, i = good
    assert rejected(record, lambda record: record["rounds"][i].pop(name))
    for value in ("x", True, 1.5, [None], {"x": 1}, [], [[], [], []]):
        assert rejected(record, replace(["rounds", i, name], lambda _, value=value: value)), value


@pytest.mark.parametrize("name", ["totals", "zero_rounds", "win_share"])
def test_audit_checks_the_result(good, name):
    """game-records.md, three_thirteen: the result."""
    assert rejected(good[0], lambda record: record["result"].pop(name))
    assert rejected(good[0], lambda record: record["result"][name].pop())
    for seat in range(3):
        assert rejected(good[0], replace(["result", name, seat], lambda value: value + 1))


@pytest.mark.parametrize("name", sorted(tt.DEFAULTS))
def test_audit_needs_every_rule_option(good, name):
    """game-records.md: every rule option by name, defaults included."""
    assert rejected(good[0], lambda record: record["rules"].pop(name))
    assert rejected(good[0], replace(["rules", name], lambda _: "nonsense"))


def test_audit_refuses_unknown_rules(good):
    """game-records.md: an option nobody knows cannot be audited."""
    assert rejected(good[0], replace(["rules"], lambda rules: {**rules, "blind": True}))


def test_audit_checks_the_number_of_rounds(good):
    """rules/three_thirteen.md, Rounds: eleven rounds."""
    assert rejected(good[0], lambda record: record["rounds"].pop())
    assert rejected(good[0], lambda record: record["rounds"].append(record["rounds"][-1]))
    assert rejected(good[0], lambda record: record["policies"].pop())


def test_audit_checks_the_dealers(good):
    """rules/three_thirteen.md, Rounds: the deal moves on by one seat."""
    for i in (0, 1, 5, 10):
        assert rejected(good[0], replace(["rounds", i, "dealer"], lambda seat: (seat + 1) % 3))
    dealer = good[0]["rounds"][0]["dealer"]
    assert not rejected(good[0], replace(["rules", "first_dealer"], lambda _: dealer))
    assert rejected(good[0], replace(["rules", "first_dealer"], lambda _: (dealer + 1) % 3))


def test_audit_checks_conservation(good):
    """rules/three_thirteen.md, Rounds: hands, upcard and stock are the pack."""
    i = good[1]
    for path in (["upcard"], ["stock", -1], ["hands", 0, 0]):
        tamper = replace(["rounds", i, *path], lambda card: "Ac" if card != "Ac" else "2c")
        assert rejected(good[0], tamper)
    assert rejected(good[0], lambda record: record["rounds"][i]["stock"].pop())


def test_audit_checks_every_event(good):
    """rules/three_thirteen.md, A turn: each event left out, doubled or done by another seat."""
    record, i = good
    path = ["rounds", i, "events"]
    for number, event in enumerate(record["rounds"][i]["events"]):
        if number % 16 > 1 and "reshuffle" not in event:
            continue  # a draw and a discard in every sixteen events are enough
        assert rejected(record, replace(path, lambda all_, n=number: all_[:n] + all_[n + 1 :]))
        assert rejected(record, replace(path, lambda all_, n=number: all_[:n] + all_[n:][:1] + all_[n:]))
        if "seat" in event:
            assert rejected(record, replace([*path, number, "seat"], lambda seat: (seat + 1) % 3))
        if "draw" in event:
            other = {"stock": "discard", "discard": "stock"}
            assert rejected(record, replace([*path, number, "draw"], other.__getitem__))
        if "out" in event:
            assert rejected(record, replace([*path, number, "out"], lambda out: not out))
        if "reshuffle" in event:
            assert rejected(record, lambda r, n=number: r["rounds"][i]["events"][n]["reshuffle"].pop())


def test_audit_refuses_a_reshuffle_that_is_not_due(good):
    """rules/three_thirteen.md, Stock exhausted: only when the stock is empty."""
    record, i = good
    path = ["rounds", i, "events"]
    stray = {"reshuffle": []}
    for number in (0, 1, 2, len(record["rounds"][i]["events"])):
        tamper = replace(path, lambda all_, n=number: [*all_[:n], stray, *all_[n:]])
        assert rejected(record, tamper)

    calm, _ = alternative()  # no reshuffle anywhere in this record
    tamper = replace(["rounds", 8, "events"], lambda all_: [*all_[:2], stray, *all_[2:]])
    assert "not due" in rejected(calm, tamper)[0]


def seat_with(record, i, name):
    """A seat that was not out and has something there."""
    played = record["rounds"][i]
    return next(s for s in range(3) if s != played["out"] and played[name][s])


def test_audit_checks_what_a_round_costs(good):
    """rules/three_thirteen.md, Penalties: the penalties, who is out, whether it stalled."""
    record, i = good
    for seat in range(3):
        assert rejected(record, replace(["rounds", i, "penalties", seat], lambda value: value + 1))
    assert rejected(record, replace(["rounds", i, "stalled"], lambda value: not value))
    assert rejected(record, replace(["rounds", i, "out"], lambda value: (value + 1) % 3))
    assert rejected(record, replace(["rounds", i, "out"], lambda _: None))


def test_audit_checks_lay_offs(good):
    """rules/three_thirteen.md, Variants, lay_off: only legal ones, and all that pay."""
    record, i = good
    seat = seat_with(record, i, "laid_off")
    path = ["rounds", i, "laid_off", seat]
    assert rejected(record, replace([*path, 0, "to_meld"], lambda _: 9))
    assert rejected(record, replace([*path, 0, "to_seat"], lambda _: seat))
    assert rejected(record, replace([*path, 0, "card"], lambda card: "2d" if card == "2c" else "2c"))
    assert rejected(record, lambda r: r["rounds"][i]["laid_off"][seat].pop())

    def keep_the_card(changed):
        played = changed["rounds"][i]
        played["unmelded"][seat].append(played["laid_off"][seat].pop()["card"])

    assert any("smallest" in problem for problem in rejected(record, keep_the_card))


def alternative():
    """A record whose first round holds six sevens in one hand, and that hand's place."""
    rules = {"schedule": "six_fourteen", "max_turns": 1}
    game = scripted(rules, ["7c 7d 7h 7s 7c 7d", "Ac 3d 5h 7h 9s Jc"], "2c", "Kc Kd")
    turn(game, "stock", "Kc")
    turn(game, "stock", "Kd")
    return finish(game), ["rounds", 0, "melds", 0]


def test_audit_asks_for_the_documented_arrangement_only_if_strict():
    """rules/three_thirteen.md, Variants, lay_off: a documented tie-break."""
    record, path = alternative()
    assert tt.audit(record, strict=True) == []
    two_sets = replace(path, lambda _: [c("7c 7h 7c"), c("7s 7d 7d")])
    assert rejected(record, two_sets) == []
    assert "documented" in rejected(record, two_sets, strict=True)[0]
    another_order = replace(path, lambda _: [c("7s 7c 7h 7d 7d 7c")])
    assert rejected(record, another_order, strict=True) == []


def test_audit_checks_melds():
    """rules/three_thirteen.md, Melds: valid melds of the hand's cards, as cheap as can be."""
    record, path = alternative()
    for melds in (
        [c("7c 7d 7h 7s 7c")],
        [c("7c 7d 7h 7s"), c("7c 7d")],
        [c("7c 7d 7h 7s 7c 7d 7h")],
    ):
        assert rejected(record, replace(path, lambda _, melds=melds: melds))

    def keep_one(changed):
        changed["rounds"][0]["melds"][0] = [c("7c 7d 7h 7s 7c")]
        changed["rounds"][0]["unmelded"][0] = ["7d"]

    assert any("smallest" in problem for problem in rejected(record, keep_one))


def test_audit_names_the_fault_of_an_arrangement():
    """rules/three_thirteen.md, A turn 2, Variants contract and lay_off: faults that may cost nothing."""
    rules = {"wild_penalty": 0, "max_turns": 1}
    game = scripted(rules, ["3c 3d 3s", "3c 3d 9c"], "3h", "Ks")
    turn(game, "discard", "9c", True)
    turn(game, "stock", "Ks")

    def keep_all(record):
        played = record["rounds"][0]
        played["melds"][1], played["unmelded"][1] = [], c("3c 3d 3h")

    assert "went out with unmelded" in rejected(finish(game), keep_all)[0]

    runs = dict.fromkeys(range(3, 14), (0, 1))
    game = scripted({**rules, "contract": runs}, ["3c 3d 3s", "Ac 2d 9c"], "3h", "Ks Kh")
    turn(game, "stock", "Ks")
    turn(game, "stock", "Kh")

    def lay_a_set(record):
        played = record["rounds"][0]
        played["melds"][0], played["unmelded"][0] = [c("3c 3d 3s")], []

    assert "pattern is not met" in rejected(finish(game), lay_a_set)[0]

    game = scripted({"lay_off": True, "max_turns": 1}, ["9s Kc Ac", "4h 5h 9c"], "6h", "Ks")
    turn(game, "discard", "9c", True)
    turn(game, "stock", "Ks")

    def lay_off_anything(record):
        played = record["rounds"][0]
        played["unmelded"][0].remove("9s")
        played["laid_off"][0] = [{"card": "9s", "to_seat": 1, "to_meld": 0}]

    assert "with what was laid off" in rejected(finish(game), lay_off_anything)[0]


def leaves(value, path=()):
    """The paths of all plain values."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from leaves(item, (*path, key))
    else:
        yield path


def other_value(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if value in ("stock", "discard"):
        return "stock" if value == "discard" else "discard"
    return "4" if value in list("3456789TJQKA") else ("4h" if value == "4s" else "4s")


def test_audit_notices_any_changed_value(good):
    """game-records.md, three_thirteen: no value of the rounds or the result is without effect."""
    record, i = good
    paths = [("rounds", i, *path) for path in leaves(record["rounds"][i])]
    paths += [("result", *path) for path in leaves(record["result"])]
    for path in random.Random(11).sample(paths, 30):
        value = record
        for key in path:
            value = value[key]
        changed = other_value(value)
        if changed != value:
            assert rejected(record, replace(list(path), lambda _, new=changed: new), True), path
