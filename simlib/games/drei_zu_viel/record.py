"""Game records of *3 sind eine zu viel!*: written from a played game, read and checked by playing them again.

The format is described in docs/game-records.md. Nothing here is fast: records are for reading and auditing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simlib.game import SHARE, Codec
from simlib.games.drei_zu_viel import play
from simlib.games.drei_zu_viel.rules import DECK, RULES, START_VALUES, DreiZuVielRules, colour_table, encode
from simlib.games.drei_zu_viel.view import STACK, STATE

Table = np.ndarray[Any, Any]


def rows_of(state: Any) -> list[list[int]]:
    """Return the three rows as lists of values, start cards included."""
    table = state["table"]
    return [[START_VALUES[r], *map(int, table["row"][r][: table["row_n"][r]])] for r in range(3)]


def play_event(state: Any, action: int) -> tuple[dict[str, Any], int]:
    """Play an action; return the event as a record has it, and the next seat (−1: the game is over)."""
    table = state["table"]
    seat = int(table["turn"])
    value = int(state["hand"][seat, action])
    before = rows_of(state)[value // 30]
    silver = int(table["has_silver"][seat])
    left = int(table["stack_n"][seat])
    following = int(play.step(state, action))
    after = rows_of(state)[value // 30]
    first = 3 + STACK * (seat + 1) - left
    event = {
        "seat": seat,
        "play": value,
        "took": sorted(set(before) - set(after)),
        "silver": int(table["silver"][seat]) if table["has_silver"][seat] > silver else 0,
        "drew": [int(v) for v in state["deck"][first : first + left - int(table["stack_n"][seat])]],
    }
    return event, following


def result_of(state: Any) -> dict[str, Any]:
    """Return the result of a finished game as a record has it."""
    out = np.zeros(1, play.RESULT)
    play.result(state, out[0])
    players = int(state["table"]["players"])
    row = out[0]
    return {
        "scores": row["score"][:players].tolist(),
        "face_up": state["table"]["colours"][:players, :7].tolist(),
        "face_down": row["face_down"][:players].tolist(),
        "neutral": row["neutral"][:players].tolist(),
        "silver": row["silver"][:players].tolist(),
        "gold": row["gold"][:players].tolist(),
        "win_share": [int(share) / SHARE for share in row["win_share"][:players]],
    }


def write(rules: DreiZuVielRules, state: Table, actions: Any) -> dict[str, Any]:
    """Return the game's own part of a record: deal, events, result. Plays `state` (length 1, just dealt) to its end."""
    game = state[0]
    deck = game["deck"]
    deal = {
        "starter": int(game["table"]["starter"]),
        "opening": deck[: rules.opening_cards].tolist(),
        "stacks": [deck[3 + STACK * seat : 3 + STACK * (seat + 1)].tolist() for seat in range(rules.players)],
    }
    return {
        "deal": deal,
        "events": [play_event(game, int(action))[0] for action in actions],
        "result": result_of(game),
    }


def set_up(rules: DreiZuVielRules, deal: Any) -> Table:
    """Return a STATE array of length 1 with the given deal.

    Parameters
    ----------
    rules : DreiZuVielRules
    deal : dict
        ``starter``, ``opening`` and ``stacks`` as in a record.

    Raises
    ------
    ValueError
        Naming the field that is missing or wrong.
    """
    starter, opening, stacks = (_field(deal, name, "deal") for name in ("starter", "opening", "stacks"))
    if not _is_seat(starter, rules.players):
        raise ValueError(f"deal.starter={starter!r} is no seat of {rules.players} players")
    if rules.starter not in ("random", starter):
        raise ValueError(f"deal.starter={starter!r}, but the rules say starter={rules.starter}")
    _check_cards(opening, rules.opening_cards, "deal.opening")
    if not isinstance(stacks, list) or len(stacks) != rules.players:
        raise ValueError(f"deal.stacks must be a list of {rules.players} stacks")
    for seat, stack in enumerate(stacks):
        _check_cards(stack, STACK, f"deal.stacks[{seat}]")
    dealt = opening + [card for stack in stacks for card in stack]
    twice = [card for card in dealt if dealt.count(card) > 1]
    if twice:
        raise ValueError(f"deal: card {twice[0]} was dealt {dealt.count(twice[0])} times")
    state, encoded = np.zeros(1, STATE), np.zeros(1, RULES)
    encode(rules, encoded[0])
    encoded["digest"] = rules.digest
    state["table"]["rules"] = encoded
    state["deck"][0, : len(opening)] = opening
    state["deck"][0, 3 : 3 + STACK * rules.players] = [card for stack in stacks for card in stack]
    play.start(state[0], starter)
    return state


def replay(rules: DreiZuVielRules, record: dict[str, Any]) -> Iterator[str]:
    """Play a record again, comparing every field, and yield one readable line an event.

    Raises
    ------
    ValueError
        At the first illegal move, missing or wrong field, or a result that differs; names the place.
    """
    deal, events, given = (_field(record, name, "record") for name in ("deal", "events", "result"))
    state = set_up(rules, deal)
    if not isinstance(events, list):
        raise ValueError("events must be a list")
    colours = colour_table(rules)
    yield from _opening_lines(state[0], deal)
    seat = int(deal["starter"])
    for number, event in enumerate(events):
        place = f"events[{number}]"
        if seat < 0:
            raise ValueError(f"{place}: the game was already over")
        if number % (6 * rules.players) == 0:
            yield f"— third {number // (6 * rules.players) + 1} —"
        right, seat = play_event(state[0], _action(state[0], seat, event, place))
        _compare(event, right, place)
        yield _line(right, rows_of(state[0]), colours)
    if seat >= 0:
        raise ValueError(f"events: the game is not over after {len(events)} plays; seat {seat} is to play")
    right = result_of(state[0])
    _compare(given, right, "result")
    yield from _result_lines(right)


def _action(state: Any, seat: int, event: Any, place: str) -> int:
    """Return the position in the hand of the card that an event plays."""
    value = _field(event, "play", place)
    hand = [int(v) for v in state["hand"][seat][: state["table"]["hand_n"][seat]]]
    if type(value) is not int or value not in hand:
        raise ValueError(f"{place}: seat {seat} cannot play {value!r}; its hand is {_cards(hand)}")
    return hand.index(value)


def _compare(given: Any, right: dict[str, Any], place: str) -> None:
    """Raise ValueError at the first field of `given` that is missing or differs."""
    for name, value in right.items():
        found = _field(given, name, place)
        if not _same(found, value):
            raise ValueError(f"{place}: {name} is {found!r}, but by the rules {value!r}")


def _same(found: Any, right: Any) -> bool:
    """Equal, and integers real ones; fractions may differ by rounding."""
    if isinstance(right, list):
        return isinstance(found, list) and len(found) == len(right) and all(map(_same, found, right))
    if isinstance(right, float):
        return type(found) in (int, float) and abs(found - right) < 1e-9
    return type(found) is int and found == right


def _field(thing: Any, name: str, place: str) -> Any:
    if not isinstance(thing, dict):
        raise ValueError(f"{place} must be an object, not {thing!r}")
    if name not in thing:
        raise ValueError(f"{place}: field {name!r} is missing")
    return thing[name]


def _is_seat(thing: Any, players: int) -> bool:
    return type(thing) is int and 0 <= thing < players


def _check_cards(cards: Any, number: int, place: str) -> None:
    if not isinstance(cards, list) or len(cards) != number:
        raise ValueError(f"{place} must be a list of {number} cards")
    for card in cards:
        if type(card) is not int or card not in DECK:
            raise ValueError(f"{place}: {card!r} is none of the 87 shuffled cards (1 to 89 without 30 and 60)")


def _cards(values: Any) -> str:
    return " ".join(map(str, values)) or "none"


def _opening_lines(state: Any, deal: dict[str, Any]) -> Iterator[str]:
    """Lines about the deal."""
    yield f"Opening cards: {_cards(deal['opening'])}; rows " + " | ".join(map(_cards, rows_of(state)))
    for seat in range(len(deal["stacks"])):
        first = ", plays first" if seat == deal["starter"] else ""
        yield f"Seat {seat}{first}: hand {_cards(state['hand'][seat])}"


def _line(event: dict[str, Any], rows: list[list[int]], colours: tuple[int, ...]) -> str:
    """One event as text."""
    parts = [f"Seat {event['seat']} plays {event['play']}"]
    if event["took"]:
        names = [f"{v} ({'neutral' if colours[v] < 0 else f'colour {colours[v]}'})" for v in event["took"]]
        parts.append("takes " + ", ".join(names))
    if event["silver"]:
        parts.append(f"takes the silver card worth {event['silver']}")
    if event["drew"]:
        parts.append(f"draws {_cards(event['drew'])}")
    return "; ".join(parts) + f". Row: {_cards(rows[event['play'] // 30])}"


def _result_lines(result: dict[str, Any]) -> Iterator[str]:
    """Lines about the end."""
    for seat, score in enumerate(result["scores"]):
        share = result["win_share"][seat]
        won = " — wins" if share == 1 else f" — shares the win ({share:.3g})" if share else ""
        up, down = _cards(result["face_up"][seat]), result["face_down"][seat]
        yield (
            f"Seat {seat}: {score} points (colours {up}, face down {down}, "
            f"neutral {result['neutral'][seat]}, silver {result['silver'][seat]}, gold {result['gold'][seat]}){won}"
        )


CODEC = Codec(write=write, replay=replay)
