"""Tests of the slow reference of Big Three: four players with a secret partner, and what each seat may know."""

import random
import sys
from copy import deepcopy
from itertools import combinations
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from reference import big_three as ref
from reference.big_three_audit import random_deal, random_move, random_rules
from reference.big_three_tables import FOUR, A, B, C, D, deal_with, run, table

# ---------------------------------------------------------------------------------------------------- four players


def test_three_passes_end_the_auction_of_four():
    """rules/big_three.md, Variants, players: three passes in a row, or a bid of 3."""
    game = run(ref.Game(FOUR, deal_with(FOUR, "", "4h")), [1, 0, 0])
    assert game.phase == "auction"
    assert run(game, [0]).phase == "call"
    assert (game.declarer, game.to_act, len(game.hands[B])) == (B, B, 13)
    assert run(ref.Game(FOUR, deal_with(FOUR, "4h")), [1, 3]).declarer == B


def test_calling():
    """rules/big_three.md, Variants, players: a card of rank 4…10 not held by the declarer; the first bidder leads."""
    game = run(ref.Game(FOUR, deal_with(FOUR, "4h", "8c 8d Jc", "8s")), [1, 3])
    cards = [rank + suit for rank in "456789T" for suit in "cdhs"]
    assert game.legal() == [card for card in cards if card not in game.hands[B]]
    for card in ("8c", "Jd", "3h", "8", None, ["8s"]):
        with pytest.raises(ValueError, match="call"):
            game.call(card)
    assert game.call("8s") == {"seat": B, "call": "8s"}
    assert (game.partner, game.phase, game.to_act) == (C, "play", A)


def test_no_call_with_three_players():
    """rules/big_three.md, Variants, players: the call belongs to the game of four."""
    with pytest.raises(ValueError, match="phase"):
        run(ref.Game({}, deal_with({}, "4h")), [3]).call("8s")


def test_three_passes_end_the_trick_of_four():
    """rules/big_three.md, Variants, players."""
    game = table("4c 9c", "5c 5d", "6c 6d", "7c 8s", rules=FOUR, called="8s")
    run(game, ["4c", "5c", "-", "-"])
    assert (game.to_act, game.last) == (A, (1, 1, "5"))
    run(game, ["-"])
    assert (game.to_act, game.last) == (B, None)


@pytest.mark.parametrize(
    ("first_out", "won", "chips", "mcneely"),
    [
        (A, True, [2, -2, 2, -2], [4, 0, 4, 0]),
        (B, False, [-2, 2, -2, 2], [0, 4, 0, 4]),
        (C, True, [2, -2, 2, -2], [4, 0, 4, 0]),
        (D, False, [-2, 2, -2, 2], [0, 4, 0, 4]),
    ],
)
@pytest.mark.parametrize("double", [False, True])
def test_settlement_of_four(first_out, won, chips, mcneely, double):
    """rules/big_three.md, Variants, players, scoring and bomb_bonus: seats 0 and 2 against 1 and 3, bid 2."""
    for scoring, scores in (("chips", chips), ("mcneely", mcneely)):
        rules = {"players": 4, "scoring": scoring, "bomb_bonus": double}
        hands = ["4c 5c", "4d 5d", "4s 8s", "4h 5h"]
        hands[first_out] = "9c 9d 9h 9s"
        called = "8s" if first_out != C else "9s"
        game = table(*hands, rules=rules, bid=2, leader=first_out, called=None)
        game.called, game.partner = called, C
        result = run(game, ["9c 9d 9h 9s"]).result()
        assert (result["partner"], result["first_out"], result["declarer_won"]) == (C, first_out, won)
        assert result["scores"] == [score * (2 if double else 1) for score in scores]


def test_holder_chooses_whether_the_named_card_falls():
    """rules/big_three.md, Variants, players: only where a combination does not need all cards of its rank."""
    hands = ["4c 5c", "8c 8s 9c Tc Jc", "4d", "4h"]
    game = table(*hands, rules=FOUR, leader=B, called="8s")
    both = [(1, 1, "8"), (1, 3, "T"), (1, 4, "J")]
    assert [m[:3] for m in game.legal() if m[3]] == [*both, (2, 1, "8")]
    assert [m[:3] for m in game.legal() if not m[3]] == [
        (1, 1, "8"),
        *((1, 1, rank) for rank in "9TJ"),
        (1, 3, "T"),
        (1, 3, "J"),
        (1, 4, "J"),
    ]
    assert game.cards_for((1, 3, "T", True)) == ["8s", "9c", "Tc"]
    assert game.cards_for((1, 3, "T", False)) == ["8c", "9c", "Tc"]
    assert all(len(move) == 3 for move in table(*hands, rules=FOUR, leader=A, called="8s").legal())


def test_no_choice_once_the_named_card_is_played():
    """rules/big_three.md, Variants, players: its holder then has an ordinary hand."""
    game = table("4c 5c", "8c 8s 9c", "4d 5d", "4h 5h", rules=FOUR, leader=B, called="8s")
    run(game, ["8s", "-", "-", "-"])
    assert game.legal() == [(1, 1, "8"), (1, 1, "9")]


@pytest.mark.parametrize("cards", ["8s", "8c 8s", "7c 8s 9c"])
def test_partner_known_once_the_named_card_is_played(cards):
    """rules/big_three.md, Variants, players: to the holder at once, to all when it falls, alone or in a combination."""
    game = table("4c 5c", "7c 8c 8s 9c", "4d 5d", "4h 5h", rules=FOUR, leader=B, called="8s")
    assert [ref.public_knowledge(game, seat)["partner"] for seat in range(4)] == [None, B, None, None]
    run(deepcopy(game), ["8c"])
    assert ref.public_knowledge(run(deepcopy(game), ["8c"]), A)["partner"] is None
    run(game, [cards])
    assert [ref.public_knowledge(game, seat)["partner"] for seat in range(4)] == [B] * 4


def test_every_play_of_a_hand_is_listed():
    """rules/big_three.md, Play 1 and 2; Variants, players: legal() against trying every subset of the hand."""
    rng = random.Random(5)
    narrow = [c for c in ref.deck({}) if c[0] in "789T"]
    for leading in (True, False):
        for _ in range(6):
            cards = rng.sample(narrow, 8)
            game = table("4c 4d", " ".join(cards[:7]), "4s", "4h", rules=FOUR, leader=B, called=cards[0])
            game.last = None if leading else rng.choice([(1, 1, "7"), (2, 1, "8"), (1, 3, "9"), (3, 1, "7")])
            accepted = set()
            for chosen in (list(s) for n in range(1, 8) for s in combinations(cards[:7], n)):
                trial = deepcopy(game)
                try:
                    trial.play(chosen)
                except ValueError:
                    continue
                accepted.add((*ref.classify(chosen, {}), cards[0] in chosen))
            assert accepted == {move for move in game.legal() if move != "pass"}
            assert ("pass" in game.legal()) is not leading


# ---------------------------------------------------------------------------------------------------- knowledge


@pytest.mark.parametrize("shown", [False, True])
def test_who_sees_the_widow(shown):
    """rules/big_three.md, Auction 4: the declarer only, with widow_shown everyone; nobody before the auction ends."""
    rules = {"widow_shown": shown}
    deal = deal_with(rules, "4h")
    game = ref.Game(rules, deal)
    assert [ref.public_knowledge(game, seat)["widow"] for seat in range(3)] == [None] * 3
    run(game, [1, 3])
    widow = deal["widow"]
    others = widow if shown else None
    assert [ref.public_knowledge(game, seat)["widow"] for seat in range(3)] == [others, widow, others]


def test_public_knowledge():
    """rules/big_three.md, Auction 1 and Play: bids, the first bidder's heart, cards played and counts are public."""
    game = run(ref.Game({"forced_bid": True}, deal_with({}, "5h 5c", "3c 3d 3h 6h", widow="4h")), [1, 3])
    run(game, ["5c", "6h"])
    known = ref.public_knowledge(game, C)
    assert (known["first_bidder"], known["opening_heart"]) == (A, "5h")
    assert known["bids"] == [{"seat": A, "bid": 1}, {"seat": B, "bid": 3}]
    assert (known["declarer"], known["high_bid"], known["forced"]) == (B, 3, True)
    assert known["plays"] == [{"seat": A, "play": ["5c"]}, {"seat": B, "play": ["6h"]}]
    assert known["hand_counts"] == [15, 19, 16]
    assert (known["last"], known["last_player"], known["to_act"]) == ((1, 1, "6"), B, C)
    assert sorted(known["hand"]) == sorted(game.hands[C])
    assert known["legal"] == game.legal()
    assert ref.public_knowledge(game, A)["legal"] == []


def swap_hidden_cards(game, seat, rng):
    """Shuffle the cards that a seat has not seen among the other hands (and the widow as long as it is closed)."""
    others = [s for s in range(game.players) if s != seat]
    if game.players == 3 and game.declarer is not None and (seat == game.declarer or game.rules["widow_shown"]):
        seen = set(game.widow)
    else:
        seen = set()
    hidden = [card for s in others for card in game.hands[s] if card not in seen]
    rng.shuffle(hidden)
    for s in others:
        game.hands[s] = [card if card in seen else hidden.pop() for card in game.hands[s]]
    if game.called and not game.named_played and game.called not in game.hands[seat]:
        game.partner = next(s for s in others if game.called in game.hands[s])


def test_nothing_hidden_is_known():
    """rules/big_three.md, Deal, Auction 4 and Variants, players: other hands change, a seat's knowledge does not."""
    rng = random.Random(6)
    for _ in range(25):
        rules = random_rules(rng)
        game = ref.Game(rules, random_deal(rules, rng))
        for _ in range(rng.randrange(25)):
            if game.phase != "over":
                random_move(game, rng)
        if game.phase == "over":
            continue  # the settlement shows the partner
        for seat in range(game.players):
            other = deepcopy(game)
            swap_hidden_cards(other, seat, rng)
            assert ref.public_knowledge(other, seat) == ref.public_knowledge(game, seat)
