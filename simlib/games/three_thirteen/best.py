"""The best arrangement of a hand, for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.cards import card_numbers, card_texts, rank_number
from simlib.games.three_thirteen.arrange import arrange
from simlib.games.three_thirteen.rules import RULES, ThreeThirteenRules, encode
from simlib.games.three_thirteen.shapes import ARRANGEMENT
from simlib.games.three_thirteen.view import MELDS

MAX_HAND = 15


@dataclass(frozen=True)
class Melds:
    """An arrangement of a hand.

    Attributes
    ----------
    penalty : int
        Points of the cards left over.
    melds : list of list of str
        The melds, each with its cards in the order c d h s, ace to king, jokers last.
    unmelded : list of str
        The cards left over.
    """

    penalty: int
    melds: list[list[str]]
    unmelded: list[str]


def words_of(numbers: Iterable[int]) -> tuple[list[np.uint64], int]:
    """Return the four words of a hand and its jokers, from card numbers."""
    words = [0, 0, 0, 0]
    jokers = 0
    for number in numbers:
        if number == 52:
            jokers += 1
            continue
        for k in range(4):
            if not words[k] >> number & 1:
                words[k] |= 1 << number
                break
        else:
            raise ValueError(
                f"cards: {card_texts([number])[0]} is there more than four times; there are at most four decks"
            )
    return [np.uint64(word) for word in words], jokers


def rules_record(rules: ThreeThirteenRules | None) -> Any:
    """Return rule options as an array of one RULES record."""
    if rules is None:
        rules = ThreeThirteenRules()
    if not isinstance(rules, ThreeThirteenRules):
        raise TypeError(f"rules must be rules of three_thirteen or None, not {rules!r}")
    out = np.zeros(1, RULES)
    encode(rules, out[0])
    return out


def arranged(numbers: Iterable[int], wild: int, record: Any, everything: bool = False, melds: Any = None) -> Any:
    """Return an array of one filled ARRANGEMENT record, or None when `everything` cannot be melded.

    `melds` is an array of one MELDS record, the melds on the table, or None.
    """
    words, jokers = words_of(numbers)
    out = np.zeros(1, ARRANGEMENT)
    table = np.zeros(1, MELDS) if melds is None else melds
    if arrange(*words, jokers, wild, record[0], everything, table[0], out[0]) < 0:
        return None
    return out


def best_melds(cards: str | Iterable[str], wild: str | int, rules: ThreeThirteenRules | None = None) -> Melds:
    """Return the arrangement of a hand with the smallest penalty.

    Of several: the one with fewest melds, then most runs, then the lexicographically first (RULES.md, section 4).

    Parameters
    ----------
    cards : str or list of str
        Up to 15 cards, as ``"4h 5h 3c"`` or a list; ``"*"`` is a printed joker. None at all is allowed.
    wild : str or int
        The wild rank, ``"3"``, ``"T"``, ``"K"`` or 1 … 13.
    rules : ThreeThirteenRules, optional
        Rule options; the default rules without.

    Returns
    -------
    Melds

    Raises
    ------
    ValueError
        For a text that is no card or no rank, or too many cards.
    """
    numbers = card_numbers(cards)
    if len(numbers) > MAX_HAND:
        raise ValueError(f"cards has {len(numbers)} cards; a hand has at most {MAX_HAND}")
    found = arranged(numbers, rank_number(wild), rules_record(rules))[0]
    melds = [card_texts(found["cards"][i][: found["size"][i]]) for i in range(int(found["n"]))]
    return Melds(int(found["penalty"]), melds, card_texts(found["left"][: found["left_n"]]))
