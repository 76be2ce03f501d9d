"""Tests of the slow reference of Big Three: options, cards, deals and combinations; each cites the rules it is from."""

import random
import sys
from itertools import product
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from reference import big_three as ref
from reference.big_three_audit import random_deal

FOUR = {"players": 4}


# ---------------------------------------------------------------------------------------------------- options


def test_defaults():
    """rules/big_three.md, Variants: the defaults."""
    assert ref.full_rules({}) == {
        "players": 3,
        "forced_bid": False,
        "bomb_bonus": False,
        "short_deck": False,
        "scoring": "chips",
        "rank_order": "chinese",
        "straight_of": (1, 2, 3, 4),
        "min_straight": 3,
        "widow_shown": False,
    }


@pytest.mark.parametrize(
    "rules",
    [
        {"players": 2},
        {"players": 3.0},
        {"players": True},
        {"forced_bid": 1},
        {"scoring": "points"},
        {"rank_order": "low"},
        {"straight_of": [0, 1]},
        {"straight_of": [1, 1]},
        {"straight_of": 1},
        {"min_straight": 1},
        {"min_straight": 11},
        {"jokers": True},
    ],
)
def test_wrong_options_are_refused(rules):
    """rules/big_three.md, Variants: names and values of the options."""
    assert ref.rule_problems(rules)
    with pytest.raises(ValueError, match="rules"):
        ref.full_rules(rules)


def test_only_the_short_deck_for_four_is_nonsensical():
    """rules/big_three.md, Variants: all combinable unless said; short_deck is for three players only."""
    assert "three players" in ref.nonsensical({"short_deck": True, "players": 4})
    with pytest.raises(ValueError, match="three players"):
        ref.Game({"short_deck": True, "players": 4}, {"hands": [], "widow": []})
    assert ref.nonsensical({"short_deck": True, "forced_bid": True, "rank_order": "western"}) is None
    assert ref.nonsensical({"players": 4, "widow_shown": True, "scoring": "mcneely"}) is None


# ---------------------------------------------------------------------------------------------------- ranks, deal


@pytest.mark.parametrize(("rank_order", "low_to_high"), [("chinese", "456789TJQKA23"), ("western", "A23456789TJQK")])
def test_rank_order(rank_order, low_to_high):
    """rules/big_three.md, Rank order; Variants, rank_order."""
    rules = {"rank_order": rank_order}
    for (i, a), (j, b), m in product(enumerate(low_to_high), enumerate(low_to_high), (1, 2, 3, 4)):
        assert ref.beats((m, 1, a), (m, 1, b), rules) == (i > j)


@pytest.mark.parametrize(
    ("rules", "cards", "hands", "widow"),
    [({}, 52, [16] * 3, 4), (FOUR, 52, [13] * 4, 0), ({"short_deck": True}, 43, [13] * 3, 4)],
)
def test_deal_sizes(rules, cards, hands, widow):
    """rules/big_three.md, Deal; Variants, players and short_deck."""
    deal = random_deal(rules, random.Random(1))
    assert [len(hand) for hand in deal["hands"]] == hands
    assert len(deal["widow"]) == widow
    assert len(set(ref.deck(rules))) == cards


def test_short_deck_cards():
    """rules/big_three.md, Variants, short_deck: without the 2s, the aces and the three of clubs."""
    out = set(ref.deck({})) - set(ref.deck({"short_deck": True}))
    assert out == {"2c", "2d", "2h", "2s", "Ac", "Ad", "Ah", "As", "3c"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda deal: deal["hands"][0].pop(),
        lambda deal: deal["widow"].append(deal["hands"][0].pop()),
        lambda deal: deal["hands"][1].__setitem__(0, deal["hands"][2][0]),
        lambda deal: deal["hands"][1].__setitem__(0, "*"),
        lambda deal: deal["hands"][1].__setitem__(0, 7),
        lambda deal: deal.pop("widow"),
        lambda deal: deal["hands"].pop(),
    ],
)
def test_wrong_deals_are_refused(spoil):
    """rules/big_three.md, Deal: 16 cards each, four in the widow, each of the 52 once."""
    deal = random_deal({}, random.Random(2))
    spoil(deal)
    with pytest.raises(ValueError, match="deal"):
        ref.Game({}, deal)


# ---------------------------------------------------------------------------------------------------- combinations


@pytest.mark.parametrize(
    ("cards", "combination"),
    [
        ("4h", (1, 1, "4")),
        ("3c 3d", (2, 1, "3")),
        ("Ac Ad As", (3, 1, "A")),
        ("2c 2d 2h 2s", (4, 1, "2")),
        ("4c 5d 6h", (1, 3, "6")),
        ("9h 8c Tc 7d", (1, 4, "T")),
        ("4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", (1, 10, "K")),
        ("Jc Jd Qc Qs Kc Kh", (2, 3, "K")),
        ("4c 4d 4h 5c 5d 5h 6c 6d 6h", (3, 3, "6")),
        ("4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s", (4, 3, "6")),
        ("4c 5c", None),
        ("4c 4d 5c 5d", None),
        ("4c 5c 7c", None),
        ("Qc Kc Ac", None),
        ("Kc Ac 2c", None),
        ("Ac 2c 3c", None),
        ("2c 3c 4c", None),
        ("3c 4c 5c", None),
        ("Qc Kc 4c", None),
        ("4c 4d 5c 6c", None),
        ("4c 4d 4h 5c 5d", None),
        ("4c 4c", None),
        ("", None),
    ],
)
def test_classify(cards, combination):
    """rules/big_three.md, Legal combinations: sets and straights of singles, pairs, triples and quads in 4…K."""
    assert ref.classify(cards.split(), {}) == combination
    assert ref.classify(cards.split(), {"rank_order": "western"}) == combination


def test_number_of_combinations():
    """rules/big_three.md, Legal combinations: 13·4 sets and 36·4 straights, 196 in all."""
    every = ref.combinations(ref.deck({}), {})
    assert sum(c[1] == 1 for c in every) == 52
    assert sum(c[1] > 1 for c in every) == 144
    assert len(set(every)) == len(every)


def test_straight_options():
    """rules/big_three.md, Legal combinations, straight_of and min_straight."""
    cards = ref.deck({})
    assert len(ref.combinations(cards, {"straight_of": (1, 2)})) == 52 + 2 * 36
    assert len(ref.combinations(cards, {"straight_of": []})) == 52
    assert len(ref.combinations(cards, {"min_straight": 5})) == 52 + 4 * 21
    triples = ["4c", "4d", "4h", "5c", "5d", "5h", "6c", "6d", "6h"]
    assert ref.classify(triples, {"straight_of": (1, 2)}) is None
    assert ref.classify(["4c", "5c", "6c", "7c"], {"min_straight": 5}) is None
    assert ref.classify(["4c", "5c"], {"min_straight": 2}) == (1, 2, "5")


def test_straights_up_to_the_king_cannot_be_beaten():
    """rules/big_three.md, Legal combinations: every straight up to the king."""
    every = ref.combinations(ref.deck({}), {})
    kings = [c for c in every if c[1] > 1 and c[2] == "K"]
    assert len(kings) == 8 * 4
    assert not any(ref.beats(c, king, {}) for c in every for king in kings)


def test_enumeration_agrees_with_trying_every_subset():
    """rules/big_three.md, Legal combinations: both ways of listing them, on small hands under random options."""
    rng = random.Random(3)
    for _ in range(40):
        rules = {"straight_of": rng.sample([1, 2, 3, 4], rng.randrange(5)), "min_straight": rng.choice([2, 3, 4])}
        narrow = [c for c in ref.deck({}) if c[0] in "789TJ"]  # few ranks: many straights and sets
        cards = rng.sample(rng.choice([narrow, ref.deck({})]), 9)
        assert ref.enumerated_combinations(cards, rules) == ref.brute_force_combinations(cards, rules)


# ---------------------------------------------------------------------------------------------------- least turns


@pytest.mark.parametrize(
    ("cards", "rules", "turns"),
    [
        ("", {}, 0),
        ("4c 4d 4h 4s", {}, 1),
        ("4c 5c 6c 8c 9c", {}, 3),
        ("4c 5c 6c 7c 8c 8d", {}, 2),
        ("4c 4d 5c 5d 6c 6d 7c", {}, 2),
        ("4c 5c 6c 6d 7c 8c", {}, 2),  # 4-5-6 and 6-7-8, not the longest straight first
        ("4c 4d 5c 6c", {}, 2),
        ("4c 4d 5c 6c", {"min_straight": 4}, 3),
        ("4c 4d 5c 5d 6c 6d", {"straight_of": (1,)}, 2),
        ("4c 4d 5c 5d 6c 6d", {"straight_of": ()}, 3),
        ("Qc Kc Ac 2c 3c", {}, 5),
    ],
)
def test_min_turns(cards, rules, turns):
    """rules/big_three.md, Legal combinations: the least number of them that empties a hand."""
    assert ref.min_turns(cards.split(), rules) == turns


def test_min_turns_agrees_with_laying_any_combination_first():
    """rules/big_three.md, Legal combinations: trying them in every order finds no shorter way."""

    def every_order(cards, rules):
        if not cards:
            return 0
        best = len(cards)
        for combination in ref.brute_force_combinations(cards, rules):
            rest = list(cards)
            for rank in ref.span(combination):
                for card in [c for c in cards if c[0] == rank][: combination[0]]:
                    rest.remove(card)
            best = min(best, 1 + every_order(rest, rules))
        return best

    rng = random.Random(4)
    narrow = [c for c in ref.deck({}) if c[0] in "9TJQKA"]
    for _ in range(12):
        cards, rules = rng.sample(narrow, 6), {"min_straight": rng.choice([2, 3])}
        assert ref.min_turns(cards, rules) == every_order(cards, rules)
