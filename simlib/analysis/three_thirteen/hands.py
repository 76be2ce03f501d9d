"""Rounds of Three-Thirteen that begin with a given hand, and playing on from every action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib import _scan
from simlib.batch import Batch
from simlib.cards import card_numbers, card_text
from simlib.engine import Table, Work, make_work, rules_for
from simlib.games import get
from simlib.policies import line_up

NAME = "three_thirteen"
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Position:
    """A hand at the start of a round, with its seat first to act.

    Attributes
    ----------
    work : Work
        Whose scenario starts the round.
    index : int
        Index of the round in the schedule.
    size : int
        Cards of a hand.
    """

    work: Work
    index: int
    size: int


def position(
    hand: Sequence[int], upcard: int, *, players: int | None, rules: Any, policy: Any, opponents: Any, seed: int | None
) -> Position:
    """Return the position in which seat 0 holds these cards and is first to act in its round.

    Raises
    ------
    ValueError
        When no round has hands of this size, or the cards are not in the pack.
    """
    game = get(NAME)
    others = None if opponents is None else line_up(NAME, opponents)
    if others is not None and players is not None and len(others) != players - 1:
        raise ValueError(f"opponents: {len(others)} policies were given for players={players}; one a seat but yours")
    given = rules.get("players") if isinstance(rules, dict) else getattr(rules, "players", None)
    n = players or (len(others) + 1 if others is not None else given) or 4
    mine = line_up(NAME, [policy])[0]
    line = [mine, *(others if others is not None else [mine] * (n - 1))]
    options = rules_for(game, rules, n)
    sizes = [size for size, _ in _schedule(options)]
    if len(hand) not in sizes:
        raise ValueError(f"hand: {len(hand)} cards; the rounds of these rules have {sizes[0]} to {sizes[-1]}")
    index = sizes.index(len(hand))
    _check_pack([*hand, upcard], game.encode(options)[0])
    scenario = np.zeros(1, game.SCENARIO)
    scenario["round"] = scenario["last"] = index + 1
    scenario["dealer"] = n  # the seat before seat 0, so that seat 0 begins
    scenario["seat"] = 1
    scenario["hand"][0, : len(hand)] = [card + 1 for card in hand]
    scenario["upcard"] = upcard + 1
    return Position(make_work(game, line, seed, rules=options, scenario=scenario), index, len(hand))


def _schedule(options: Any) -> list[tuple[int, Any]]:
    """Hand size and wild rank of each round."""
    first, last = {"standard": (3, 13), "six_fourteen": (6, 14), "short": (5, 12)}[options.schedule]
    return [(size, size) for size in range(first, last + 1)]


def _check_pack(cards: Sequence[int], rules: Any) -> None:
    """Refuse cards that the pack does not hold so often."""
    for card in set(cards):
        most = int(rules["jokers"] if card == 52 else rules["decks"])
        if cards.count(card) > most:
            raise ValueError(f"cards: {card_text(card)} is there {cards.count(card)} times; the pack holds {most}")


def cards_of(text: Any, name: str) -> list[int]:
    """Return the numbers of some cards; an error names the argument."""
    try:
        return card_numbers(text)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def deal_states(where: Position, deals: int) -> tuple[Table, Array]:
    """Deal the position so often; return a table to play on with, and the states with seat 0 to act."""
    batch = Batch.of_work(where.work, deals)
    return Table(where.work, range(where.work.players)), batch.states


def after(table: Table, states: Array, action: int) -> Array:
    """Return copies of the states in which the seat to act has played an action."""
    out = states.copy()
    for k in range(len(out)):
        table.game.step(out[k], action)
    return out


def outcomes(table: Table, states: Array, action: int, index: int, seat: int = 0) -> tuple[Array, Array]:
    """Play an action in every state and the round to its end; return (penalty, went out) of the seat, int64.

    All actions of a state meet the same hidden cards and random numbers.
    """
    n = len(states)
    out = np.zeros(n, table.game.RESULT)
    functions, _, _, _, views, contexts, subs, rng = table.arguments()
    table.where["failed"] = 0
    _scan.play_on(
        functions,
        states,
        np.full(n, action),
        table.state,
        views,
        contexts,
        subs,
        rng,
        np.arange(n),
        out,
        table.where[0],
    )
    if table.where["failed"][0]:
        raise ValueError(table.trouble(f"returned the illegal action {table.where['action'][0]}"))
    return out["round_penalty"][:, index, seat].astype(np.int64), out["round_out"][:, index, seat].astype(np.int64)


def legal_actions(table: Table, state: Array, seat: int = 0) -> list[int]:
    """Return the legal actions of a state (STATE array of length 1)."""
    view = np.zeros(1, table.game.VIEW)
    table.game.observe(state[0], seat, view[0])
    buffer = np.zeros(table.game.n_actions, np.int64)
    return [int(a) for a in buffer[: table.game.legal(view[0], buffer)]]


def action_text(table: Table, state: Array, action: int, seat: int = 0) -> str:
    """Return an action of a state as text."""
    view = np.zeros(1, table.game.VIEW)
    table.game.observe(state[0], seat, view[0])
    return table.game.describe(action, view[0])
