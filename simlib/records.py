"""Game records: whole games as JSON Lines, hidden cards included, written, read and replayed.

The format is described in `docs/game-records.md`. Reading plays each record through the rules and stops at the first
illegal move, missing field or wrong result, named by file and line.
"""

from __future__ import annotations

import html
import json
import os
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib import _loop
from simlib.engine import Table, Work
from simlib.errors import IllegalAction, RecordError
from simlib.game import Game
from simlib.games import get

FORMAT = "simlib-record/1"
_FIELDS = ("format", "game", "rules", "seed", "index", "policies")


@dataclass(frozen=True)
class Replay:
    """One game as a readable log. ``str()`` gives the text; notebooks show it as it is.

    Attributes
    ----------
    record : dict
        The game record.
    lines : tuple of str
        One line an event.
    """

    record: dict[str, Any]
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([_title(self.record), *self.lines])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _title(record: dict[str, Any]) -> str:
    seats = ", ".join(f"seat {i} {name}" for i, name in enumerate(record["policies"]))
    return f"{record['game']}, seed {record['seed']}, deal {record['index']}: {seats}"


def trace(table: Table, deal: int) -> tuple[np.ndarray[Any, Any], list[int]]:
    """Play one game and return its state just after the deal (STATE, length 1) and all its actions."""
    if any(p.vector for p in table.seated):
        actions = _trace_vector(table, deal)
    else:
        actions = _trace_compiled(table, deal)
    state = np.zeros(1, table.game.STATE)
    from simlib.rng import seek

    seek(table.rng[0], table.rng[0]["seed"], 0, deal)
    table.game.deal(state[0], table.rules[0], table.scenario[0], table.rng[0])
    return state, actions


def _trace_compiled(table: Table, deal: int) -> list[int]:
    size = 1024
    while True:
        buffer = np.zeros(size, np.int64)
        table.where["failed"] = 0
        n = _loop.trace_game(*table.arguments(), deal, buffer, table.where[0])
        if table.where["failed"][0]:
            raise IllegalAction(table.trouble(f"returned the illegal action {table.where['action'][0]}"))
        if n >= 0:
            return [int(a) for a in buffer[:n]]
        size *= 8


def _trace_vector(table: Table, deal: int) -> list[int]:
    from simlib.batch import Batch, _decide

    batch = object.__new__(Batch)
    batch._setup(table.work.seated(table.seated), 1, deal)
    game, actions = np.zeros(1, np.int64), []
    while not batch.done:
        seat = int(batch.seat[0])
        policy = table.seated[seat]
        if policy.vector:
            action = int(_decide(batch, policy, game, seat)[0])
        else:
            functions, where = batch._table.functions[0], batch._table.where[0]
            action = int(_loop.decide(functions, batch.states[0], batch.views[0], batch.contexts[0], seat, where))
        actions.append(action)
        batch.step(np.array([action]))
    return actions


def record_game(work: Work, deal: int, seating: int = 0) -> dict[str, Any]:
    """Play one game and return its record.

    Parameters
    ----------
    work : Work
    deal : int
        Number of the deal.
    seating : int
        Which seating of the work.
    """
    table = Table(work, work.seatings[seating])
    return _record(table, deal, seating)


def _record(table: Table, deal: int, seating: int) -> dict[str, Any]:
    game, work = table.game, table.work
    if game.codec is None:
        raise ValueError(f"{game.name} has no records")
    state, actions = trace(table, deal)
    head = {
        "format": FORMAT,
        "game": game.name,
        "rules": work.rules.recorded(),
        "seed": work.seed,
        "index": deal,
        "seating": seating,
        "policies": [p.text for p in table.seated],
    }
    return {**head, **game.codec.write(work.rules, state, actions)}


def record_games(work: Work, deals: int, first_deal: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the records of all games of some deals, by deal, then seating."""
    tables = [Table(work, seating) for seating in work.seatings]
    for deal in range(first_deal, first_deal + deals):
        for seating, table in enumerate(tables):
            yield _record(table, deal, seating)


def dump_record(record: dict[str, Any]) -> str:
    """Return a record as one line of JSON."""
    return json.dumps(record, ensure_ascii=False, separators=(", ", ": "))


def write_records(work: Work, deals: int, path: str | os.PathLike[str], first_deal: int = 0) -> int:
    """Write the records of some deals into a file, one game a line; return how many.

    The file appears whole or not at all.
    """
    target = pathlib.Path(path)
    temporary = target.with_name(f".{target.name}.part")
    n = 0
    try:
        with open(temporary, "w", encoding="utf-8") as file:
            for record in record_games(work, deals, first_deal):
                file.write(dump_record(record) + "\n")
                n += 1
        os.replace(temporary, target)
    except OSError as error:
        raise RecordError(f"{target}: cannot be written ({error.strerror or error})") from None
    finally:
        temporary.unlink(missing_ok=True)
    return n


def read_records(path: str | os.PathLike[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, record) of each line of a file.

    Raises
    ------
    RecordError
        When the file cannot be read or a line is no JSON object (the last one may be cut off); names file and line.
    """
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                yield number, _parse(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"{path}: cannot be read ({reason})") from None


def _parse(line: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        cut = "" if line.endswith("\n") else " (the last line is cut off)"
        raise RecordError(f"{place}: no JSON: {error}{cut}") from None
    if not isinstance(record, dict):
        raise RecordError(f"{place}: a record is a JSON object")
    return record


def replay_record(record: dict[str, Any], place: str = "record") -> Replay:
    """Play a record through the rules and return it as a readable log.

    Parameters
    ----------
    record : dict
    place : str
        What to call the record in an error, such as ``games.jsonl:3``.

    Raises
    ------
    RecordError
        At the first illegal move, missing or wrong field, or a result that differs.
    """
    missing = [field for field in _FIELDS if field not in record]
    if missing:
        raise RecordError(f"{place}: the record has no field {missing[0]!r}")
    if record["format"] != FORMAT:
        raise RecordError(f"{place}: format {record['format']!r} is not {FORMAT!r}")
    try:
        game: Game = get(record["game"])
        if not isinstance(record["rules"], dict):
            raise ValueError("field 'rules' must be an object of options")
        rules = game.rules.make(**record["rules"])
        assert game.codec is not None
        lines = tuple(game.codec.replay(rules, record))
    except KeyError as error:
        raise RecordError(f"{place}: field {error.args[0]!r} is missing") from None
    except (ValueError, TypeError, IndexError) as error:
        raise RecordError(f"{place}: {error}") from None
    return Replay(record, lines)


def replay_game(work: Work, deal: int, seating: int = 0) -> Replay:
    """Play one game and return it as a readable log; the log is made from its record, which is checked on the way."""
    return replay_record(record_game(work, deal, seating))
