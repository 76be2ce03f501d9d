"""Exact numbers of *3 sind eine zu viel!*: 87 shuffled cards, seven colours of twelve, three neutral."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from simlib.batch import Batch
from simlib.games.drei_zu_viel.rules import DreiZuVielRules, colour_table
from simlib.validation import Fact, mean, share

NAME = "drei_zu_viel"


def facts(deals: int, seed: int) -> list[Fact]:
    """Opening cards by row, colours of a hand, cards out of play."""
    states = Batch(NAME, deals, seed).states
    table = states["table"]
    rows = np.sort(table["row_n"][:, :3], axis=1)
    # Colour 7 stands for the neutral cards.
    colour = np.array([c if c >= 0 else 7 for c in colour_table(DreiZuVielRules())])
    hand = colour[states["hand"][:, 0].astype(np.int64)]
    counts = np.stack([(hand == c).sum(axis=1) for c in range(7)], axis=1)
    out = [
        share(NAME, "three opening cards in three rows", Fraction(841, 3655), rows[:, 2] == 1),
        share(NAME, "opening cards in two rows", Fraction(2436, 3655), rows[:, 2] == 2),
        share(NAME, "opening cards in one row", Fraction(378, 3655), rows[:, 2] == 3),
        share(NAME, "hand of 8: all seven colours", Fraction(110592, 4345795), (counts > 0).all(axis=1)),
        mean(NAME, "hand of 8: colours", Fraction(380310511, 76383738), (counts > 0).sum(axis=1)),
        share(NAME, "hand of 8: no colour three times", Fraction(1257364, 2487593), (counts < 3).all(axis=1)),
    ]
    for players, expected in ((2, Fraction(44, 87)), (3, Fraction(8, 29)), (4, Fraction(4, 87))):
        out.append(
            share(NAME, f"a given card is out of play, {players} players", expected, _out_of_play(players, deals, seed))
        )
    return out


def _out_of_play(players: int, deals: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether value 44 was neither laid out nor given to a stack."""
    states = Batch(NAME, deals, seed, players=players).states
    used = (states["deck"][:, : 3 + 20 * players] == 44).any(axis=1)
    return ~used  # type: ignore[no-any-return]
