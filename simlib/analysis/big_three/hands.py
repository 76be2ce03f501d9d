"""Combinations and hands of Big Three for people: cards in, names out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.analysis.big_three.tables import rules_of
from simlib.cards import JOKER, RANKS, card_numbers, card_text
from simlib.games.big_three.combos import BIT_OF, K_OF, N_ALL, RANK_TEXT, name_of, ranks_of, word_of
from simlib.games.big_three.rules import RULES, BigThreeRules, encode

Cards = str | Iterable[str]
_SETS = {1: "single", 2: "pair", 3: "triple", 4: "quad"}
_STRAIGHTS = {1: "straight", 2: "straight of pairs", 3: "straight of triples", 4: "straight of quads"}


@dataclass(frozen=True)
class Combination:
    """Cards that may be laid together; suits do not matter.

    Attributes
    ----------
    number : int
        The action that plays it (see `simlib.games.big_three.combos`).
    western : bool
        Whether ranks are ordered K … A instead of 3 2 A K … 4.
    """

    number: int
    western: bool = False

    @property
    def multiplicity(self) -> int:
        """Cards of each rank, 1 to 4."""
        return ranks_of(self.number, self.western)[0]

    @property
    def ranks(self) -> str:
        """Its ranks, low to high, as ``"9TJ"``."""
        return ranks_of(self.number, self.western)[1]

    @property
    def size(self) -> int:
        """Number of cards."""
        return self.multiplicity * len(self.ranks)

    @property
    def kind(self) -> str:
        """``"single"`` to ``"quad"``, ``"straight"``, ``"straight of pairs"`` and so on."""
        return (_SETS if len(self.ranks) == 1 else _STRAIGHTS)[self.multiplicity]

    @property
    def unbeatable(self) -> bool:
        """Whether nothing beats it: a straight up to the king, or a set of the highest rank."""
        top = "K" if len(self.ranks) > 1 else RANK_TEXT[self.western][-1]
        return self.ranks[-1] == top

    def __str__(self) -> str:
        return name_of(self.number, self.western)

    def __repr__(self) -> str:
        return f"<{self.kind} {self}>"


def _held(name: str, cards: Cards, rules: BigThreeRules) -> tuple[list[int], dict[str, int]]:
    """Return card numbers, and how many of each rank there are."""
    numbers = card_numbers(cards)
    encoded = _encoded(rules)
    for number in numbers:
        if number == JOKER or not int(encoded["deck"][0]) >> number & 1:
            raise ValueError(f"{name}: {card_text(number)} is not in the deck of these rules")
        if numbers.count(number) > 1:
            raise ValueError(f"{name}: {card_text(number)} is given twice")
    ranks = [RANKS[number % 13] for number in numbers]
    return numbers, {rank: ranks.count(rank) for rank in RANKS}


def _encoded(rules: BigThreeRules) -> Any:
    out = np.zeros(1, RULES)
    encode(rules, out[0])
    return out


def _legal(rules: BigThreeRules) -> list[Combination]:
    """Every combination of these rules."""
    western = rules.rank_order == "western"
    allowed = [int(word) for word in _encoded(rules)["allowed"][0]]
    return [Combination(n, western) for n in range(N_ALL) if allowed[K_OF[n]] >> int(BIT_OF[n]) & 1]


def combinations(cards: Cards | None = None, rules: Any = None) -> list[Combination]:
    """Return every combination that these cards contain, one for each rank pattern, in order of their numbers.

    Parameters
    ----------
    cards : str or list of str, optional
        The whole deck when not given: 196 combinations by the rules as they stand.
    rules : Rules or dict, optional

    Raises
    ------
    ValueError
        For a card that is none, is given twice, or is not in the deck.

    Examples
    --------
    >>> import simlib as sl
    >>> [str(c) for c in sl.big_three.combinations("4s 5h 6d 6c")]
    ['4', '5', '6', '4-5-6', '6 6']
    """
    options = rules_of(rules)
    if cards is None:
        deck = int(_encoded(options)["deck"][0])
        cards = [card_text(n) for n in range(52) if deck >> n & 1]
    _, counts = _held("cards", cards, options)
    return [c for c in _legal(options) if all(counts[r] >= c.multiplicity for r in c.ranks)]


def classify(cards: Cards, rules: Any = None) -> Combination | None:
    """Return the combination that exactly these cards are, or None.

    Examples
    --------
    >>> import simlib as sl
    >>> sl.big_three.classify("6h 7c 8s")
    <straight 6-7-8>
    >>> sl.big_three.classify("Ah 2c 3s") is None
    True
    """
    options = rules_of(rules)
    numbers, counts = _held("cards", cards, options)
    exact = [c for c in _legal(options) if c.size == len(numbers)]
    return next((c for c in exact if all(counts[r] == c.multiplicity for r in c.ranks)), None)


def beats(a: Combination | Cards, b: Combination | Cards, rules: Any = None) -> bool:
    """Return whether the first may be laid on the second: the same kind and number of cards, and higher (4.2).

    Parameters
    ----------
    a, b : Combination, or cards
    rules : Rules or dict, optional
        For cards.

    Raises
    ------
    ValueError
        When cards are no combination, or the two are of different rank orders.

    Examples
    --------
    >>> import simlib as sl
    >>> sl.big_three.beats("Th Jd Qc Kc", "6h 7h 8h 9h"), sl.big_three.beats("Jh Jd Jc Js", "6h 7h 8h 9h")
    (True, False)
    """
    first, second = _combination("a", a, rules), _combination("b", b, rules)
    if first.western != second.western:
        raise ValueError("a, b: the two combinations are of different rank orders")
    if (first.multiplicity, len(first.ranks)) != (second.multiplicity, len(second.ranks)):
        return False
    order = RANK_TEXT[first.western]
    return order.index(first.ranks[-1]) > order.index(second.ranks[-1])


def _combination(name: str, given: Any, rules: Any) -> Combination:
    if isinstance(given, Combination):
        return given
    found = classify(given, rules)
    if found is None:
        raise ValueError(f"{name}={given!r} is no combination under these rules")
    return found


def min_turns(cards: Cards, rules: Any = None) -> int:
    """Return the least number of combinations that together are exactly these cards (exact).

    Examples
    --------
    >>> import simlib as sl
    >>> sl.big_three.min_turns("4h 5d 6c 6d 7h 7s 8c 9c 3h 3d")
    3
    """
    from simlib.games.big_three.features import min_turns as search

    options = rules_of(rules)
    numbers, _ = _held("cards", cards, options)
    word = word_of(sum(1 << n for n in numbers), options.rank_order == "western")
    return int(search(np.uint64(word), _encoded(options)[0])) if numbers else 0
