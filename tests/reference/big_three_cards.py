"""Big Three, options, cards and combinations, in plain Python straight from the rule text; see big_three.py.

Cards are text, rank then suit: "4h", "Ts". A combination is a tuple (m, length, top): m cards of each of `length`
consecutive ranks, the highest being `top`. A set has length 1: (2, 1, "9") is a pair of nines, (1, 3, "K") is J-Q-K.
"""

from collections import Counter
from functools import cache
from itertools import combinations as subsets

DEFAULTS = {
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

SUITS = "cdhs"
STRAIGHT = "456789TJQK"  # a straight lies within these, whatever the rank order
ORDER = {"chinese": "456789TJQKA23", "western": "A23456789TJQK"}  # low to high
HEARTS = {"chinese": "456789TJQKA23", "western": "4A2356789TJQK"}  # who bids first: lowest heart, 4h before all
CALLABLE = "456789T"
BRUTE_FORCE_CARDS = 8  # up to here `combinations` tries every subset of the cards


# ---------------------------------------------------------------------------------------------------- rules


def is_int(value):
    """JSON knows true and 1 apart, Python does not."""
    return isinstance(value, int) and not isinstance(value, bool)


def rule_problems(rules):
    """What is wrong with the single options, by name; options left out have their defaults."""
    problems = [f"rules: unknown option {name!r}" for name in rules if name not in DEFAULTS]
    full = {**DEFAULTS, **rules}
    switches = ("forced_bid", "bomb_bonus", "short_deck", "widow_shown")
    wrong = [name for name in switches if not isinstance(full[name], bool)]
    problems += [f"rules: {name} is {full[name]!r}, not true or false" for name in wrong]
    if not (is_int(full["players"]) and full["players"] in (3, 4)):
        problems.append(f"rules: players is {full['players']!r}, not 3 or 4")
    if full["scoring"] not in ("chips", "mcneely"):
        problems.append(f"rules: scoring is {full['scoring']!r}, not 'chips' or 'mcneely'")
    if full["rank_order"] not in ("chinese", "western"):
        problems.append(f"rules: rank_order is {full['rank_order']!r}, not 'chinese' or 'western'")
    if not (is_int(full["min_straight"]) and 2 <= full["min_straight"] <= len(STRAIGHT)):
        problems.append(f"rules: min_straight is {full['min_straight']!r}, not 2 to {len(STRAIGHT)}")
    kinds = full["straight_of"]
    if not isinstance(kinds, (list, tuple)) or not all(is_int(m) and 1 <= m <= 4 for m in kinds):
        problems.append(f"rules: straight_of is {kinds!r}, not a list of 1 to 4")
    elif len(set(kinds)) != len(kinds):
        problems.append(f"rules: straight_of is {kinds!r}: a multiplicity twice")
    return problems


def nonsensical(rules):
    """Why these options contradict each other, or None. Options without effect are no contradiction."""
    full = {**DEFAULTS, **rules}
    if full["short_deck"] and full["players"] == 4:
        return "short_deck is for three players only: 43 cards are no four hands of 13"
    return None


def full_rules(rules):
    """The rules with every default filled in, checked."""
    problems = rule_problems(rules)
    if not problems and nonsensical(rules):
        problems = [nonsensical(rules)]
    if problems:
        raise ValueError("; ".join(problems))
    full = {**DEFAULTS, **rules}
    return {**full, "straight_of": tuple(full["straight_of"])}


# ---------------------------------------------------------------------------------------------------- cards


def deck(rules):
    """All cards of the game, sorted by rank 4…K, A, 2, 3."""
    cards = [rank + suit for rank in ORDER["chinese"] for suit in SUITS]
    if rules.get("short_deck"):
        cards = [card for card in cards if card[0] not in "2A" and card != "3c"]
    return cards


def hand_size(rules):
    """Cards dealt to each player."""
    return 13 if rules.get("short_deck") or rules.get("players") == 4 else 16


def widow_size(rules):
    """Cards dealt to the widow."""
    return 0 if rules.get("players") == 4 else 4


def deal_problems(rules, deal):
    """What is wrong with a deal: its form, its sizes, or its cards."""
    if not isinstance(deal, dict):
        return ["deal: not an object"]
    hands, widow = deal.get("hands"), deal.get("widow")
    if not isinstance(hands, list) or not isinstance(widow, list) or not all(isinstance(h, list) for h in hands):
        return ["deal: 'hands' must be a list of lists and 'widow' a list"]
    problems = []
    players = {**DEFAULTS, **rules}["players"]
    sizes, wanted = [len(h) for h in hands], [hand_size(rules)] * players
    if sizes != wanted:
        problems.append(f"deal: hands of {sizes} cards, should be {wanted}")
    if len(widow) != widow_size(rules):
        problems.append(f"deal: widow of {len(widow)} cards, should be {widow_size(rules)}")
    dealt = [card for part in [*hands, widow] for card in part]
    if not all(isinstance(card, str) for card in dealt):
        problems.append("deal: a card is not text")
    elif Counter(dealt) != Counter(deck(rules)):
        wrong = (Counter(dealt) - Counter(deck(rules))) + (Counter(deck(rules)) - Counter(dealt))
        problems.append(f"deal: cards missing, twice or not in the deck: {sorted(wrong)}")
    return problems


def first_bidder(rules, hands):
    """(seat, heart): who bids first and leads, and the lowest heart dealt, which makes them first."""
    for rank in HEARTS[rules.get("rank_order", "chinese")]:
        for seat, hand in enumerate(hands):
            if rank + "h" in hand:
                return seat, rank + "h"
    raise ValueError("no heart was dealt to anyone")


def must_bid_three(hand):
    """The forced bid's condition: three 3s, or two 3s and two 2s (at least)."""
    count = Counter(card[0] for card in hand)
    return count["3"] >= 3 or (count["3"] >= 2 and count["2"] >= 2)


# ---------------------------------------------------------------------------------------------------- combinations


def classify(cards, rules):
    """The combination (m, length, top) these very cards form, or None."""
    if not cards or len(set(cards)) != len(cards):
        return None
    full = {**DEFAULTS, **rules}
    count = Counter(card[0] for card in cards)
    if len(set(count.values())) != 1:
        return None
    m, length = count[cards[0][0]], len(count)
    if length == 1:
        return m, 1, cards[0][0]
    if m not in full["straight_of"] or length < full["min_straight"]:
        return None
    if not all(rank in STRAIGHT for rank in count):
        return None
    ranks = sorted(count, key=STRAIGHT.index)
    if "".join(ranks) not in STRAIGHT:  # consecutive ranks are a piece of the row
        return None
    return m, length, ranks[-1]


def beats(a, b, rules):
    """Whether a beats b: the same kind, as many cards, and higher."""
    order = ORDER[rules.get("rank_order", "chinese")]
    return a[:2] == b[:2] and order.index(a[2]) > order.index(b[2])


def span(combination):
    """The ranks a combination consists of, low to high."""
    length, top = combination[1:3]
    if length == 1:
        return top
    end = STRAIGHT.index(top) + 1
    return STRAIGHT[end - length : end]


def combinations(cards, rules):
    """Every different combination within these cards, sorted by multiplicity, length and rank."""
    small = len(cards) <= BRUTE_FORCE_CARDS
    found = brute_force_combinations(cards, rules) if small else enumerated_combinations(cards, rules)
    order = ORDER[rules.get("rank_order", "chinese")]
    return sorted(found, key=lambda c: (c[0], c[1], order.index(c[2])))


def brute_force_combinations(cards, rules):
    """The set of combinations, by classifying every subset of the cards."""
    chosen = (list(s) for size in range(1, len(cards) + 1) for s in subsets(cards, size))
    return {classify(s, rules) for s in chosen} - {None}


def enumerated_combinations(cards, rules):
    """The set of combinations, by asking of each of the 196 whether the cards suffice."""
    full = {**DEFAULTS, **rules}
    count = Counter(card[0] for card in cards)
    possible = [(m, 1, rank) for m in (1, 2, 3, 4) for rank in ORDER["chinese"]]
    for m in full["straight_of"]:
        for length in range(full["min_straight"], len(STRAIGHT) + 1):
            possible += [(m, length, top) for top in STRAIGHT[length - 1 :]]
    return {c for c in possible if all(count[rank] >= c[0] for rank in span(c))}


def min_turns(cards, rules):
    """The least number of combinations that together are exactly these cards."""
    full = {**DEFAULTS, **rules}
    ranks = ORDER["chinese"]  # the straight ranks first, whatever beats what

    @cache
    def least(counts):
        if not any(counts):
            return 0
        # The lowest rank left must go in some combination, so trying all of those that start there is exhaustive.
        low = next(i for i, n in enumerate(counts) if n)
        best = sum(counts)
        for m in range(1, counts[low] + 1):
            lengths = range(full["min_straight"], len(STRAIGHT) - low + 1) if m in full["straight_of"] else ()
            for length in (1, *lengths):
                part = counts[low : low + length]
                if min(part) < m:
                    break
                rest = counts[:low] + tuple(n - m for n in part) + counts[low + length :]
                best = min(best, 1 + least(rest))
        return best

    count = Counter(card[0] for card in cards)
    return least(tuple(count[rank] for rank in ranks))
