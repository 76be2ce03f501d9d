"""The slow reference of Three-Thirteen: melds, arrangements and penalties by hand and brute force."""

import random
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import comb, prod
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from reference import three_thirteen as tt
from reference.three_thirteen_melds import card_index, card_penalty, in_order
from reference.three_thirteen_rules import CARDS, RANKS, SUITS


def c(text):
    """Cards from text."""
    return text.split()


# ---------------------------------------------------------------------------------------------
# Melds
# ---------------------------------------------------------------------------------------------

MELDS = [
    # cards, wild rank, rules, kinds
    ("7c 7d 7h", "3", {}, "set"),
    ("7c 7c 7c 7d 7d", "3", {}, "set"),  # duplicates allowed
    ("7c 7d", "3", {}, ""),
    ("7c 7d 8h", "3", {}, ""),
    ("5s 6s 7s", "3", {}, "run"),
    ("5s 6s 7h", "3", {}, ""),
    ("5s 6s 6s 7s", "3", {}, ""),
    ("7s 5s 6s", "3", {}, "run"),
    ("Ac 2c 3c", "5", {}, "run"),
    ("Jc Qc Kc", "5", {}, "run"),
    ("Qc Kc Ac", "5", {}, ""),
    ("Kc Ac 2c", "5", {}, ""),
    ("Qc Kc Ac", "5", {"aces": "high_low"}, "run"),
    ("Ac 2c 3c", "5", {"aces": "high_low"}, "run"),
    ("Kc Ac 2c", "5", {"aces": "high_low"}, ""),
    ("Kc Ac 2c", "5", {"aces": "wrap"}, "run"),
    ("Qc Kc Ac 2c 3c", "5", {"aces": "wrap"}, "run"),
    ("Kc 5d 2c", "5", {"aces": "wrap"}, "run"),
    ("Qc 5d Ac", "5", {"aces": "high_low"}, "run"),
    ("Qc 5d Ac", "5", {}, ""),
    ("Ac Ac 2c", "5", {"aces": "wrap"}, ""),
    # wild cards
    ("7c 7d 3h", "3", {}, "set"),
    ("7c 3d 3h", "3", {}, "set run"),
    ("7c * 3h", "3", {}, "set run"),
    ("3c 3d 3h", "3", {}, "set"),
    ("* * *", "3", {}, "set"),
    ("* 3c", "3", {}, ""),
    ("* 3c 3c", "3", {}, "set"),
    ("3c 4c 5c", "3", {}, "run"),  # the three as itself
    ("3c 3d 4c 5c", "3", {}, "run"),
    ("5s 3d 7s", "3", {}, "run"),
    ("5s 3d 8s", "3", {}, ""),
    ("5s 3d 3d 8s", "3", {}, "run"),
    ("Kc Qc 3d", "3", {}, "run"),  # as the jack
    ("7c 7c 3d 3h 3s 3c", "3", {}, "set"),  # as many as you like
    ("7c 7d 3h", "3", {"max_wilds_per_meld": 1}, "set"),
    ("7c 3d 3h", "3", {"max_wilds_per_meld": 1}, ""),
    ("3c 3d 3h", "3", {"max_wilds_per_meld": 1}, ""),
    ("3c 4c 5c", "3", {"max_wilds_per_meld": 1}, "run"),
    ("3c 4c 5c *", "3", {"max_wilds_per_meld": 1}, ""),  # whatever they stand for
    ("3c 4c 5c *", "3", {"max_wilds_per_meld": 2}, "run"),
    ("3c 4c 5c", "3", {"max_wilds_per_meld": 0}, ""),
    ("7c 7d 7h *", "3", {"max_wilds_per_meld": 0}, ""),
    # a run has at most 13 cards
    ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", "K", {}, "run"),
    ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Kc", "K", {}, ""),
    ("Ac 2c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", "3", {"aces": "high_low"}, ""),
    ("2c 3d 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", "3", {"aces": "high_low"}, "run"),
    ("2c * * * * * * * * * * * * *", "3", {}, "set"),
    ("Ac 2c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 3d 3d", "3", {"aces": "high_low"}, ""),
    ("Ac 2c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 3d 3d", "3", {"aces": "wrap"}, ""),
]


@pytest.mark.parametrize(("cards", "wild", "rules", "kinds"), MELDS)
def test_melds(cards, wild, rules, kinds):
    """rules/three_thirteen.md, Melds and Variants (aces, jokers, max_wilds_per_meld)."""
    for order in (c(cards), c(cards)[::-1]):
        assert tt.meld_kinds(order, wild, rules) == set(kinds.split())
        assert tt.is_meld(order, wild, rules) == bool(kinds)


def meld_by_assignment(cards, wild, aces):
    """The same question by letting each wild card be each of the 52 cards in turn."""
    ladders = {"low": [RANKS], "high_low": [RANKS, RANKS[1:] + "A"], "wrap": [RANKS + RANKS[:12]]}
    size = len(cards)
    runs = {
        frozenset(rank + suit for rank in ladder[start : start + size])
        for ladder in ladders[aces]
        for start in range(len(ladder) - size + 1)
        for suit in SUITS
    }
    meanings = [CARDS if card[0] in ("*", wild) else [card] for card in cards]
    return any(
        len({card[0] for card in meant}) == 1 or (len(set(meant)) == size and frozenset(meant) in runs)
        for meant in product(*meanings)
    )


@pytest.mark.parametrize("aces", ["low", "high_low", "wrap"])
def test_melds_by_assigning_wild_cards(aces):
    """rules/three_thirteen.md, Melds: wild cards stand for any missing card."""
    rng = random.Random(2)
    few = [rank + suit for rank in "A23JQK" for suit in "cd"] + ["*"]
    seen = Counter()
    for _ in range(400):
        cards = [rng.choice(few) for _ in range(rng.choice([3, 3, 4]))]
        wild = rng.choice("23K")
        if sum(card[0] in ("*", wild) for card in cards) <= 2:
            expected = meld_by_assignment(cards, wild, aces)
            seen[expected] += 1
            assert tt.is_meld(cards, wild, {"aces": aces}) == expected, (cards, wild)
    assert min(seen.values()) > 50


# ---------------------------------------------------------------------------------------------
# Penalties
# ---------------------------------------------------------------------------------------------


def test_card_penalties():
    """rules/three_thirteen.md, Penalties: A = 1, 2-10 face value, J Q K = 10; wild 15 or 0."""
    costs = [card_penalty(rank + "c", "-", {}) for rank in RANKS]
    assert costs == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert card_penalty("5c", "5", {}) == 15
    assert card_penalty("5c", "5", {"wild_penalty": 0}) == 0
    assert card_penalty("*", "5", {}) == 20
    assert card_penalty("*", "5", {"joker_penalty": 25, "wild_penalty": 0}) == 25


@pytest.mark.parametrize(
    ("cards", "wild", "rules", "penalty"),
    [
        ("", "3", {}, 0),
        ("4h 5h 6h", "3", {}, 0),
        ("4h 5h 7h", "3", {}, 16),
        ("3c Kd Qd", "3", {}, 0),
        ("3c Kd Qh", "3", {}, 35),
        ("3c Kd Qh", "3", {"wild_penalty": 0}, 20),
        ("* Kd Qh", "3", {}, 40),
        ("4h 5h 6h 6c 6d", "5", {}, 4),  # the wild five joins the sixes, not the run (12 left)
        ("4h 5h 6h 6c 6d", "9", {}, 9),  # the sixes laid, 4h and 5h left: not the run (12 left)
        ("7c 7d 7h 8h 9h", "5", {}, 14),  # 7h in the run, not in the set (17 left)
        ("4c 4d 4h Jc Qc Kc Kd", "7", {}, 10),
        # tips of the source: two jokers and two aces, the queen discarded
        ("Kc Kd Ac Ad", "K", {}, 0),
        ("Qc Kc Ac 2c", "9", {"aces": "wrap"}, 0),
        ("Qc Kc Ac 2c", "9", {"aces": "high_low"}, 2),
        ("Qc Kc Ac 2c", "9", {}, 23),
        ("3c 3d 3h Kc", "3", {"max_wilds_per_meld": 1}, 55),
    ],
)
def test_min_penalty_by_hand(cards, wild, rules, penalty):
    """rules/three_thirteen.md, Melds (last sentence): the smallest total of unmelded cards."""
    assert tt.min_penalty(c(cards), wild, rules) == penalty
    assert tt.brute_min_penalty(c(cards), wild, rules) == penalty


VARIANTS = [
    {}, {"wild_penalty": 0}, {"jokers": 2}, {"jokers": 2, "max_wilds_per_meld": 1},
    {"max_wilds_per_meld": 2}, {"max_wilds_per_meld": 0}, {"aces": "high_low"},
    {"aces": "wrap", "jokers": 2}, {"contract": "default"},
    {"contract": dict.fromkeys(range(3, 14), (0, 1))},
    {"contract": {size: ((0, 0) if size < 6 else (1, 1)) for size in range(3, 14)}, "jokers": 4},
    {"contract": "default", "wild_penalty": 0, "aces": "wrap", "max_wilds_per_meld": 1},
]  # fmt: skip


def small_hand(rng, rules, size):
    """A hand from few ranks and suits, so that melds overlap."""
    ranks, suits = rng.choice(["A2345", "56789", "9TJQKA2", RANKS]), rng.choice(["cd", "cdhs"])
    pack = [x for x in tt.pack(rules) if x == "*" or (x[0] in ranks and x[1] in suits)]
    return rng.sample(pack, min(size, len(pack)))


@pytest.mark.parametrize("rules", VARIANTS)
def test_search_equals_brute_force(rules):
    """rules/three_thirteen.md, Melds: exact minimum, tie-break, going out; all arrangements."""
    rng = random.Random(3)
    for size, wild in [(3, "3"), (4, "4"), (5, "5"), (6, "6"), (6, "6"), (7, "7"), (7, "7")]:
        for _ in range(3 if size == 7 else 8):
            hand = small_hand(rng, rules, size)
            best = tt.brute_best(hand, [], wild, rules)
            assert tt.min_penalty(hand, wild, rules) == best[0], hand
            melds, unmelded, penalty = tt.best_arrangement(hand, wild, rules)
            assert penalty == best[0] == sum(card_penalty(x, wild, rules) for x in unmelded)
            assert tuple(tuple(map(card_index, meld)) for meld in melds) == best[3], hand
            assert Counter(sum(melds, unmelded)) == Counter(hand)
            every = tt.brute_best(hand, [], wild, rules, everything=True)
            found = tt.best_arrangement(hand, wild, rules, everything=True)
            assert (found is None) == (every is None), hand
            if size < 7:
                extra = rng.choice(tt.pack(rules))
                assert tt.can_go_out([*hand, extra], wild, rules) == in_order(
                    x for x in {*hand, extra} if brute_fully_melded(hand, extra, x, wild, rules)
                )


def brute_fully_melded(hand, extra, discard, wild, rules):
    """Can all but the discard be laid, by trying everything?"""
    rest = [*hand, extra]
    rest.remove(discard)
    return tt.brute_best(rest, [], wild, rules, everything=True) is not None


def test_search_equals_brute_force_on_eight_cards():
    """rules/three_thirteen.md, Melds: the exact minimum, also of eight cards."""
    rng = random.Random(4)
    for rules in ({}, {"jokers": 2}, {"contract": "default"}):
        hand = small_hand(rng, rules, 8)
        assert tt.min_penalty(hand, "8", rules) == tt.brute_min_penalty(hand, "8", rules)


@pytest.mark.parametrize(
    ("cards", "wild", "melds"),
    [
        ("7c 7d 7h 7s 7c 7d", "6", ["7c 7c 7d 7d 7h 7s"]),  # fewest melds
        ("7c 6d 6h", "6", ["7c 6d 6h"]),
        # three sets or three runs: most runs
        ("7c 8c 9c 7d 8d 9d 7h 8h 9h", "K", ["7c 8c 9c", "7d 8d 9d", "7h 8h 9h"]),
        # a joker for either run: (7c 8c 9c) comes before (7c 8c 9c *), so the diamonds get it
        ("7c 8c 9c 7d 8d 9d *", "K", ["7c 8c 9c", "7d 8d 9d *"]),
    ],
)
def test_documented_tie_break(cards, wild, melds):
    """rules/three_thirteen.md, Variants, lay_off: fewest melds, most runs, the first."""
    found, unmelded, penalty = tt.best_arrangement(c(cards), wild, {"jokers": 2})
    assert (unmelded, penalty) == ([], 0)
    assert found == [in_order(c(meld)) for meld in melds]


def test_three_wild_cards_at_no_cost_stay_in_hand():
    """rules/three_thirteen.md, Variants, lay_off: among equal penalties the fewest melds."""
    rules = {"wild_penalty": 0}
    assert tt.best_arrangement(c("3c 3d 3h"), "3", rules) == ([], c("3c 3d 3h"), 0)
    assert tt.best_arrangement(c("3c 3d 3h"), "3", rules, everything=True)[0] == [c("3c 3d 3h")]


# ---------------------------------------------------------------------------------------------
# Exact facts (facts.md): dealt hands of the first two rounds
# ---------------------------------------------------------------------------------------------


def hands_up_to_suits(size, decks):
    """(hand, number of ways to be dealt it or one that differs only in the names of suits)."""
    parts = [part for k in range(size + 1) for part in combinations_with_replacement(RANKS, k)]
    by_length = {k: [part for part in parts if len(part) == k] for k in range(size + 1)}
    lengths = [x for x in product(range(size + 1), repeat=4) if sum(x) == size and sorted(x) == list(x)]
    for shape in lengths:
        for suits in product(*(by_length[k] for k in shape)):
            if all(a <= b for a, b in pairwise(suits) if len(a) == len(b)):
                counts = Counter(r + s for part, s in zip(suits, SUITS, strict=True) for r in part)
                ways = prod(comb(decks, n) for n in counts.values())
                if ways:
                    yield list(counts.elements()), ways * len(set(permutations(suits)))


@pytest.mark.parametrize(
    ("size", "decks", "melded", "means"),
    [
        (3, 2, Fraction(1099, 22763), {15: Fraction(475648, 22763), 0: Fraction(416848, 22763)}),
        (3, 1, Fraction(241, 5525), {}),
        (4, 2, Fraction(1507, 176851), {15: Fraction(58145016, 2299063)}),
    ],
)
def test_facts_about_dealt_hands(size, decks, melded, means):
    """facts.md, Three-Thirteen: dealt hand fully melded, mean smallest penalty."""
    total, zero, sums = 0, 0, Counter()
    for hand, ways in hands_up_to_suits(size, decks):
        total += ways
        zero += ways * (tt.min_penalty(hand, str(size), {}) == 0)
        for cost in means:
            sums[cost] += ways * tt.min_penalty(hand, str(size), {"wild_penalty": cost})
    assert total == comb(52 * decks, size)
    assert Fraction(zero, total) == melded
    assert {cost: Fraction(sums[cost], total) for cost in means} == means


@pytest.mark.parametrize(("decks", "chance"), [(2, Fraction(2406319, 11495315)), (1, Fraction(31769, 162435))])
def test_facts_about_going_out_at_once(decks, chance):
    """facts.md, Three-Thirteen, round 1: the first player can go out on the first turn."""

    @cache
    def goes_out(suits):
        cards = [rank + suit for ranks, suit in zip(suits, SUITS, strict=True) for rank in ranks]
        return bool(tt.can_go_out(cards, "3", {}))

    def up_to_suits(cards):
        return tuple(sorted("".join(sorted(x[0] for x in cards if x[1] == s)) for s in SUITS))

    found, left = Fraction(0), 52 * decks - 3
    for hand, ways in hands_up_to_suits(3, decks):
        held = Counter(hand)
        good = sum(decks - held[card] for card in CARDS if decks > held[card] and goes_out(up_to_suits([*hand, card])))
        neither = Fraction((left - good) * (left - good - 1), left * (left - 1))
        found += ways * (1 - neither)
    assert found / comb(52 * decks, 3) == chance


# ---------------------------------------------------------------------------------------------
# Going out, contract, lay-offs (without a game)
# ---------------------------------------------------------------------------------------------


TWO_SETS = {size: (min(2, size // 3), 0) for size in range(3, 14)}


@pytest.mark.parametrize(
    ("cards", "wild", "rules", "discards"),
    [
        ("4h 5h 6h 9c", "3", {}, "9c"),
        ("4h 5h 6h 7h", "3", {}, "4h 7h"),
        ("4h 5h 6h 3c", "3", {}, "3c 4h 5h 6h"),
        ("4h 5h 8h 9c", "3", {}, ""),
        ("9c 9c 9d 9d", "3", {}, "9c 9d"),
        # a wild card left in hand costs nothing, but must be laid all the same
        ("3c 3d 3h 9c", "3", {"wild_penalty": 0, "max_wilds_per_meld": 1}, ""),
        ("3c 3d 3h 9c", "3", {"wild_penalty": 0}, "3c 3d 3h 9c"),
        ("3c Kd Kh 9c", "3", {"wild_penalty": 0}, "9c"),
        # contract: six cards must hold a set and a run
        ("4h 5h 7h 9c 9d 9s Kc", "6", {"contract": "default"}, ""),
        ("3h 4h 5h 9c 9d 9s Kc", "6", {"contract": "default"}, "Kc"),
        ("3h 4h 5h 9c Tc Jc Kc", "6", {"contract": "default"}, ""),
        ("3h 4h 5h 9c 6d 6s Kc", "6", {"contract": "default"}, "9c Kc"),  # 9c + 2 wild: either
        ("3h 4h 5h 6d 6d 6s Kc", "6", {"contract": "default"}, "3h 5h Kc 4h 6d 6s"),
        ("9c 9c 9d 9d 9s 9s Kc", "6", {"contract": TWO_SETS}, "Kc"),
    ],
)  # fmt: skip
def test_can_go_out(cards, wild, rules, discards):
    """rules/three_thirteen.md, A turn 2, and Variants, contract."""
    found = tt.can_go_out(c(cards), wild, rules)
    brute = [
        card for card in in_order(set(c(cards))) if brute_fully_melded(c(cards)[:-1], c(cards)[-1], card, wild, rules)
    ]
    assert found == brute
    assert set(found) == set(c(discards))


@pytest.mark.parametrize(
    ("cards", "penalty"),
    [
        ("3h 4h 5h 9c 9d 9s", 0),
        ("3h 4h 5h 9c 9d Ts", 40),  # a run alone: every card counts
        ("3h 4h 5h 9c Tc Jc", 41),  # two runs
        ("9c 9c 9d 9d 9s 9s", 54),  # two sets
        ("3h 4h 5h 6c 6d 6h", 0),  # wild cards alone are a set
        ("3h 6d 6s 4c 6c 6c", 0),  # each could be either: one set, one run
    ],
)
def test_contract_in_scoring(cards, penalty):
    """rules/three_thirteen.md, Variants, contract: melds count only if the pattern is met."""
    rules = {"contract": "default"}
    assert tt.min_penalty(c(cards), "6", rules) == penalty
    melds, unmelded, _ = tt.best_arrangement(c(cards), "6", rules)
    assert (melds == []) == (penalty > 0) == (sorted(unmelded) == sorted(c(cards)))


def test_wild_cards_alone_are_no_run():
    """rules/three_thirteen.md, Variants, contract: wild cards alone are a set."""
    rules = {"contract": dict.fromkeys(range(3, 14), (0, 1))}
    assert tt.min_penalty(c("3c 3d 3h"), "3", rules) == 45
    assert tt.min_penalty(c("3c 3d 4h"), "3", rules) == 0


@pytest.mark.parametrize(
    ("cards", "table", "rules", "penalty"),
    [
        ("8h 9d Kc", ["5h 6h 7h"], {}, 19),
        ("8h 9h Kc", ["5h 6h 7h"], {}, 10),  # the eight makes room for the nine
        ("9h Kc Kd", ["5h 6h 7h"], {}, 29),
        ("2h 9h Kc", ["5h 6h 7h"], {"wild_penalty": 15}, 21),
        ("3c 9h Kc", ["5h 6h 7h"], {}, 10),  # a wild card as the eight
        ("6h 8d Kc", ["5h 3c 7h"], {}, 18),  # the wild card moves to the end
        ("6h 8d Kc", ["5h 3c 7h"], {"max_wilds_per_meld": 1}, 18),
        ("3d 8d Kc", ["5h 3c 7h"], {"max_wilds_per_meld": 1}, 33),
        ("7d 8d Kc", ["7h 3c 3d"], {}, 18),  # stays a set
        ("8h 9h Kc", ["7h 3c 3d"], {}, 10),  # becomes a run
        ("7d 8h Kc", ["7h 3c 3d"], {}, 17),  # not both
        ("Kc Kd Kh", ["5h 6h 7h"], {}, 0),
        ("Kc Kd 8h", ["Kh Ks Kh", "5h 6h 7h"], {}, 0),
        ("Ah Kh 2h", ["9h Th Jh Qh"], {"aces": "high_low"}, 2),
        ("Ah Kh 2h", ["9h Th Jh Qh"], {"aces": "wrap"}, 0),
        ("Ah Kh 2h", ["9h Th Jh Qh"], {}, 3),
    ],
)
def test_min_penalty_with_layoff_by_hand(cards, table, rules, penalty):
    """rules/three_thirteen.md, Variants, lay_off."""
    melds = [c(meld) for meld in table]
    assert tt.min_penalty_with_layoff(c(cards), melds, "3", rules) == penalty
    assert tt.brute_min_penalty(c(cards), "3", rules, melds) == penalty


def test_layoff_needs_the_pattern():
    """rules/three_thirteen.md, Variants, contract: pattern not met, every card counts."""
    rules = {"contract": "default", "lay_off": True}
    table = [c("5h 6h 7h"), c("9c 9d 9s")]
    assert tt.min_penalty_with_layoff(c("8h 9h 2c"), table, "3", rules) == 19
    assert tt.min_penalty_with_layoff(c("Kc Kd Kh 8h"), table, "4", rules) == 0


@pytest.mark.parametrize("rules", VARIANTS[:9])
def test_layoff_equals_brute_force(rules):
    """rules/three_thirteen.md, Variants, lay_off: the smallest over all ways, and the tie-break."""
    rng = random.Random(5)
    for _ in range(25):
        hand = small_hand(rng, rules, 5)
        wild, table = "5", []
        while len(table) < 2:
            meld = small_hand(rng, rules, rng.choice([3, 4]))
            if tt.is_meld(meld, wild, {**rules, "max_wilds_per_meld": None}):
                table.append(meld)
        table = [meld for meld in table if tt.is_meld(meld, wild, rules)]
        best = tt.brute_best(hand, table, wild, rules)
        assert tt.min_penalty_with_layoff(hand, table, wild, rules) == best[0]
        melds, unmelded, laid, penalty = tt.best_arrangement_with_layoff(hand, table, wild, rules)
        assert penalty == best[0]
        assert tuple(tuple(map(card_index, meld)) for meld in melds) == best[3]
        assert tuple((card_index(card), i) for card, i in laid) == best[5]
        assert Counter(sum(melds, unmelded) + [card for card, _ in laid]) == Counter(hand)


def test_large_hands_are_feasible():
    """rules/three_thirteen.md, Melds: exact also for 14 and 15 cards; more cards never cost less
    than a part of them can save."""
    rng = random.Random(6)
    for _ in range(20):
        hand = rng.sample(tt.pack({"jokers": 2}), 15)
        whole = tt.min_penalty(hand, "K", {})
        part = tt.min_penalty(hand[1:], "K", {})
        assert whole <= part + card_penalty(hand[0], "K", {})
