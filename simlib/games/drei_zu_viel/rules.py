"""The rule options of *3 sind eine zu viel!*, and their numbers for the kernels."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from simlib.game import Rules

START_VALUES = (0, 30, 60)
N_VALUES = 90
N_COLOURS = 7
#: Values 1–89 without 30 and 60: the 87 cards that are shuffled.
DECK = tuple(v for v in range(N_VALUES) if v not in START_VALUES)

RULES = np.dtype(
    [
        ("digest", np.uint64),
        ("unit", np.uint64, (128,)),  # 1 in the byte of the value's colour (byte 7: neutral); 0 for what is no card
        ("silver", np.int16, (4,)),
        ("neutral_points", np.int16),
        ("n_silver", np.int8),
        ("players", np.int8),
        ("opening_cards", np.int8),
        ("each_turn", np.int8),
        ("gold_min_colours", np.int8),
        ("check_each_card", np.int8),
        ("special", np.int8),  # 1 when turns need more than the usual steps: each_turn or check_each_card
        ("starter", np.int8),
        ("colour", np.int8, (N_VALUES,)),
    ],
    align=True,
)

Points = Annotated[int, Field(ge=-100, le=100)]


class DreiZuVielRules(Rules):
    """Options of *3 sind eine zu viel!* See RULES.md in this package for what each one means."""

    game: ClassVar[str] = "drei_zu_viel"

    players: Annotated[int, Field(ge=2, le=4)] = 4
    opening_cards: Annotated[int, Field(ge=0, le=3)] = 3
    refill: Literal["at_two", "each_turn"] = "at_two"
    colour_layout: Literal["cyclic", "blocks"] | tuple[int, ...] = "cyclic"
    neutral_values: tuple[int, ...] = (15, 45, 75)
    neutral_points: Points = 0
    silver_bonus: Annotated[tuple[Annotated[int, Field(ge=0, le=100)], ...], Field(max_length=4)] = (10, 8, 6, 4)
    gold_min_colours: Annotated[int, Field(ge=0, le=8)] = 6
    silver_check: Literal["turn", "card"] = "turn"
    starter: Literal["random"] | Annotated[int, Field(ge=0, le=3)] = "random"

    @model_validator(mode="after")
    def _consistent(self) -> DreiZuVielRules:
        if isinstance(self.starter, int) and self.starter >= self.players:
            raise ValueError(f"starter={self.starter} is no seat of {self.players} players (0 to {self.players - 1})")
        if list(self.silver_bonus) != sorted(self.silver_bonus, reverse=True):
            raise ValueError(f"silver_bonus={self.silver_bonus} must descend: the best card lies on top")
        if len(set(self.neutral_values)) != len(self.neutral_values) or not set(self.neutral_values) <= set(DECK):
            raise ValueError(
                f"neutral_values={self.neutral_values} must be different values of 1 to 89 without 30 and 60"
            )
        if not isinstance(self.colour_layout, str):
            self._check_table(self.colour_layout)
        return self

    @staticmethod
    def _check_table(table: tuple[int, ...]) -> None:
        if len(table) != N_VALUES:
            raise ValueError(
                f"colour_layout as a table needs {N_VALUES} entries, one a value from 0; {len(table)} were given"
            )
        wrong = [v for v, colour in enumerate(table) if not -1 <= colour < N_COLOURS]
        if wrong:
            raise ValueError(f"colour_layout[{wrong[0]}]={table[wrong[0]]} must be a colour 0 to 6, or -1 for none")
        if any(table[v] != -1 for v in START_VALUES):
            raise ValueError("colour_layout must be -1 at the start cards 0, 30 and 60")


def colour_table(rules: DreiZuVielRules) -> tuple[int, ...]:
    """Return the colour of each value 0 … 89; −1 for start and neutral cards."""
    if not isinstance(rules.colour_layout, str):
        return rules.colour_layout
    coloured = [v for v in DECK if v not in rules.neutral_values]
    table = [-1] * N_VALUES
    for index, value in enumerate(coloured):
        cyclic = rules.colour_layout == "cyclic"
        table[value] = index % N_COLOURS if cyclic else index * N_COLOURS // len(coloured)
    return tuple(table)


def encode(rules: DreiZuVielRules, out: Any) -> None:
    """Write the options as numbers into a RULES record."""
    silver = list(rules.silver_bonus)
    out["silver"] = silver + [0] * (4 - len(silver))
    out["n_silver"] = len(silver)
    out["neutral_points"] = rules.neutral_points
    out["players"] = rules.players
    out["opening_cards"] = rules.opening_cards
    out["each_turn"] = rules.refill == "each_turn"
    out["gold_min_colours"] = rules.gold_min_colours
    out["check_each_card"] = rules.silver_check == "card"
    out["special"] = out["each_turn"] or out["check_each_card"]
    out["starter"] = -1 if rules.starter == "random" else rules.starter
    colours = colour_table(rules)
    out["colour"] = colours
    for value in DECK:
        out["unit"][value] = 1 << 8 * (colours[value] % 8)
