"""The rule options of Big Three, and their numbers for the kernels."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, StrictBool, StrictInt, model_validator

from simlib.game import Rules

RULES = np.dtype(
    [
        ("digest", np.uint64),
        ("allowed", np.uint64, (4,)),  # combination bits that are legal, by multiplicity − 1
        ("deck", np.uint64),  # set of the cards of the deck
        ("deck_word", np.uint64),  # hand word of the deck
        ("players", np.int8),
        ("hand_size", np.int8),  # cards dealt to each seat
        ("widow_size", np.int8),  # 4, or 0 with four players
        ("western", np.int8),
        ("base", np.int8),  # rank number of the four: 0, in western order 3
        ("two", np.int8),  # rank numbers of the two, the three and the ace
        ("three", np.int8),
        ("ace", np.int8),
        ("forced_bid", np.int8),
        ("bomb_bonus", np.int8),
        ("short_deck", np.int8),
        ("mcneely", np.int8),
        ("widow_shown", np.int8),
        ("min_straight", np.int8),
    ],
    align=True,
)


class BigThreeRules(Rules):
    """Options of Big Three. See RULES.md in this package for what each one means."""

    game: ClassVar[str] = "big_three"

    players: Annotated[StrictInt, Field(ge=3, le=4)] = 3
    forced_bid: StrictBool = False
    bomb_bonus: StrictBool = False
    short_deck: StrictBool = False
    scoring: Literal["chips", "mcneely"] = "chips"
    rank_order: Literal["chinese", "western"] = "chinese"
    straight_of: tuple[Annotated[StrictInt, Field(ge=1, le=4)], ...] = (1, 2, 3, 4)
    min_straight: Annotated[StrictInt, Field(ge=2, le=10)] = 3
    widow_shown: StrictBool = False

    @model_validator(mode="after")
    def _consistent(self) -> BigThreeRules:
        if self.short_deck and self.players == 4:
            raise ValueError("short_deck=True is for three players only: 43 cards are no four hands of 13")
        if len(set(self.straight_of)) != len(self.straight_of):
            raise ValueError(f"straight_of={self.straight_of} names a multiplicity twice")
        return self


def deck(rules: BigThreeRules) -> int:
    """Return the set of the cards in the deck: bit n for card n of `simlib.cards`."""
    cards = (1 << 52) - 1
    if rules.short_deck:
        for suit in range(4):
            cards &= ~(3 << 13 * suit)  # ace and two
        cards &= ~(1 << 2)  # the three of clubs
    return cards


def encode(rules: BigThreeRules, out: Any) -> None:
    """Write the options as numbers into a RULES record."""
    from simlib.games.big_three.combos import N_BITS, SHAPE, word_of

    western = rules.rank_order == "western"
    for m in (1, 2, 3, 4):
        bits = 0
        for bit in range(N_BITS):
            length = SHAPE[bit][0]
            if length == 1 or (m in rules.straight_of and length >= rules.min_straight):
                bits |= 1 << bit
        out["allowed"][m - 1] = bits
    out["deck"] = deck(rules)
    out["deck_word"] = word_of(deck(rules), western)
    out["players"] = rules.players
    out["hand_size"] = 13 if rules.short_deck or rules.players == 4 else 16
    out["widow_size"] = 0 if rules.players == 4 else 4
    out["western"] = western
    out["base"] = 3 if western else 0
    out["ace"], out["two"], out["three"] = (0, 1, 2) if western else (10, 11, 12)
    out["forced_bid"] = rules.forced_bid
    out["bomb_bonus"] = rules.bomb_bonus
    out["short_deck"] = rules.short_deck
    out["mcneely"] = rules.scoring == "mcneely"
    out["widow_shown"] = rules.widow_shown
    out["min_straight"] = rules.min_straight
