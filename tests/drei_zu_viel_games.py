"""Helpers of the tests of 3 sind eine zu viel!: games dealt by the kernels or set up card by card."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from simlib.games.drei_zu_viel import GAME
from simlib.games.drei_zu_viel.record import set_up
from simlib.rng import STREAM, seek

SHUFFLED = [value for value in range(90) if value not in (0, 30, 60)]
COLOUR_TABLE = tuple(-1 if v in (0, 30, 60, 7, 77) else (v * v + v // 7) % 7 for v in range(90))

#: Every option at a value besides its default, some together.
VARIANTS: list[dict[str, Any]] = [
    {},
    {"opening_cards": 0},
    {"opening_cards": 1, "refill": "each_turn"},
    {"opening_cards": 2, "silver_check": "card"},
    {"refill": "each_turn"},
    {"refill": "each_turn", "silver_check": "card", "neutral_points": -3},
    {"colour_layout": "blocks"},
    {"colour_layout": COLOUR_TABLE, "neutral_points": 7},
    {"neutral_values": (), "silver_check": "card"},
    {"neutral_values": (1, 2, 3, 31, 32, 33, 61, 62, 63, 88, 89), "neutral_points": 2},
    {"silver_bonus": ()},
    {"silver_bonus": (100, 0), "silver_check": "card"},
    {"silver_bonus": (0,)},
    {"gold_min_colours": 0},
    {"gold_min_colours": 7},
    {"gold_min_colours": 8},
    {"starter": 1},
]


def stream(seed: int = 7, number: int = 0, game: int = 0) -> Any:
    """A random stream (record)."""
    out = np.zeros(1, STREAM)
    seek(out[0], seed, number, game)
    return out[0]


def scenario_of(**fields: Any) -> Any:
    """A SCENARIO record."""
    out = np.zeros(1, GAME.SCENARIO)
    for name, value in fields.items():
        out[name] = value
    return out[0]


def dealt(rules: Any, game: int = 0, seed: int = 7, scenario: Any = None) -> tuple[Any, int]:
    """A STATE record dealt by the kernel, and the seat to act."""
    state = np.zeros(1, GAME.STATE)
    encoded = GAME.encode(rules)
    seat = GAME.deal(state[0], encoded[0], scenario_of() if scenario is None else scenario, stream(seed, 0, game))
    return state[0], int(seat)


def deal_of(state: Any) -> dict[str, Any]:
    """The deal as a record has it."""
    players, opening = int(state["table"]["players"]), int(state["table"]["rules"]["opening_cards"])
    deck = state["deck"].tolist()
    return {
        "starter": int(state["table"]["starter"]),
        "opening": deck[:opening],
        "stacks": [deck[3 + 20 * s : 23 + 20 * s] for s in range(players)],
    }


def arranged(tops: Any, opening: Any = (), starter: int = 0, **rules: Any) -> Any:
    """A STATE whose stacks start with the given cards; unused cards, ascending, fill them up."""
    options = GAME.rules.make(players=len(tops), opening_cards=len(opening), **rules)
    named = set(opening).union(*tops)
    rest = iter(value for value in SHUFFLED if value not in named)
    stacks = [[*top, *(next(rest) for _ in range(20 - len(top)))] for top in tops]
    return set_up(options, {"starter": starter, "opening": list(opening), "stacks": stacks})[0]


def hand(state: Any, seat: int) -> list[int]:
    """The cards in a hand."""
    return [int(v) for v in state["hand"][seat][: state["table"]["hand_n"][seat]]]


def view_of(state: Any, seat: int) -> Any:
    """What a seat sees, in fresh memory."""
    view = np.zeros(1, GAME.VIEW)
    GAME.observe(state, seat, view[0])
    return view[0]


def play_random(state: Any, seat: int, rng: random.Random, plies: int = 1000) -> int:
    """Play random legal actions; return the seat to act, −1 at the end."""
    while seat >= 0 and plies > 0:
        seat = int(GAME.step(state, rng.randrange(int(state["table"]["hand_n"][seat]))))
        plies -= 1
    return seat
