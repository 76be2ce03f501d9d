"""RESULT rows as Arrow tables and data frames: names, units and types of columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.game import SHARE, Column, Game

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Array = np.ndarray[Any, Any]


def flat_fields(game: Game, players: int) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Yield (column name, RESULT field, index) for every number in a RESULT, cut to the number of players."""
    for name in game.RESULT.names or ():
        shape = list(game.RESULT[name].shape)
        if not shape:
            yield name, name, ()
            continue
        if game.columns[name].per not in ("game", "part"):
            shape[-1] = players
        for index in np.ndindex(*shape):
            yield "_".join([name, *map(str, index)]), name, index


def _values(flat: Array, field: str, index: tuple[int, ...]) -> Any:
    """One number of a RESULT field for every game."""
    place: Any = (slice(None), *index)
    return flat[field][place]


def to_arrow(game: Game, rows: Array, first: int, players: int) -> pa.Table:
    """Return RESULT rows of shape (deals, seatings) as an Arrow table, one row a game, narrow integers as they are."""
    import pyarrow as pa

    deals, seatings = rows.shape
    columns = {
        "deal": np.repeat(np.arange(first, first + deals, dtype=np.int64), seatings),
        "seating": np.tile(np.arange(seatings, dtype=np.int16), deals),
    }
    flat = rows.reshape(-1)
    for column, field, index in flat_fields(game, players):
        columns[column] = np.ascontiguousarray(_values(flat, field, index))
    return pa.table(columns)


def from_arrow(game: Game, table: pa.Table, seatings: int, players: int) -> tuple[int, Array]:
    """Return (first deal, RESULT rows of shape (deals, seatings)) of an Arrow table made by `to_arrow`."""
    flat = np.zeros(table.num_rows, game.RESULT)
    for column, field, index in flat_fields(game, players):
        place: Any = (slice(None), *index)
        flat[field][place] = table[column].to_numpy()
    first = int(table["deal"][0].as_py()) if table.num_rows else 0
    return first, flat.reshape(-1, seatings)


def shown(values: Array, column: Column) -> Any:
    """Return the values of a column as people read them: shares as fractions, codes and cards as text."""
    if column.kind == "share":
        return values / SHARE
    if column.kind in ("code", "card"):
        import pandas as pd

        from simlib.cards import card_texts

        names: Any = list(column.codes) if column.kind == "code" else card_texts(range(53))
        codes: Any = values.ravel().astype(np.int64)
        return pd.Categorical.from_codes(codes, names)
    return values


def column_of(game: Game, field: str) -> Column:
    """Return the description of a RESULT field."""
    column = game.columns[field]
    return Column(column.doc, column.unit, "share", column.per) if field == "win_share" else column


def _labels(texts: Sequence[str], codes: Array) -> Any:
    """Policy texts as a categorical; equal texts are one category."""
    import pandas as pd

    names: Any = list(dict.fromkeys(texts))
    lookup = np.array([names.index(t) for t in texts])
    numbers: Any = lookup[codes]
    return pd.Categorical.from_codes(numbers, names)


def _keys(deals: int, seatings: int, first: int, repeat: int = 1) -> dict[str, Array]:
    deal = np.repeat(np.arange(first, first + deals, dtype=np.int64), seatings * repeat)
    seating = np.tile(np.repeat(np.arange(seatings, dtype=np.int16), repeat), deals)
    return {"deal": deal, "seating": seating}


def games_frame(
    game: Game, rows: Array, first: int, texts: Sequence[str], plan: Sequence[Sequence[int]]
) -> pd.DataFrame:
    """One row a game: deal, seating; policy, score and win share of each seat; then the game's own columns."""
    import pandas as pd

    deals, seatings = rows.shape
    players = len(texts)
    data: dict[str, Any] = dict(_keys(deals, seatings, first))
    order = np.tile(np.array(plan), (deals, 1))
    flat = rows.reshape(-1)
    for k in range(players):
        data[f"policy_{k}"] = _labels(texts, order[:, k])
        data[f"score_{k}"] = flat["score"][:, k]
        data[f"win_share_{k}"] = flat["win_share"][:, k] / SHARE
    for name, field, index in flat_fields(game, players):
        column = column_of(game, field)
        if field not in ("score", "win_share") and column.per in ("game", "seat"):
            data[name] = shown(_values(flat, field, index), column)
    return pd.DataFrame(data)


def seats_frame(
    game: Game, rows: Array, first: int, texts: Sequence[str], plan: Sequence[Sequence[int]]
) -> pd.DataFrame:
    """One row a game and seat (tidy): deal, seating, seat, policy, score, win_share, and the game's columns by seat."""
    import pandas as pd

    deals, seatings = rows.shape
    players = len(texts)
    data: dict[str, Any] = dict(_keys(deals, seatings, first, players))
    data["seat"] = np.tile(np.arange(players, dtype=np.int8), deals * seatings)
    data["policy"] = _labels(texts, np.tile(np.array(plan).reshape(-1), deals))
    for field in ["score", "win_share", *(game.RESULT.names or ())]:
        column = column_of(game, field)
        if column.per == "seat" and field not in data:
            values = rows.reshape(-1)[field]
            if values.ndim == 2:
                data[field] = shown(np.ascontiguousarray(values[:, :players]).reshape(-1), column)
            else:  # (kinds, seats): one column a kind
                for kind in range(values.shape[1]):
                    data[f"{field}_{kind}"] = shown(np.ascontiguousarray(values[:, kind, :players]).reshape(-1), column)
    return pd.DataFrame(data)


def parts_frame(
    game: Game, rows: Array, first: int, texts: Sequence[str], plan: Sequence[Sequence[int]]
) -> pd.DataFrame:
    """One row a game, part (third, round) and seat, numbered from 1; parts that were not played are left out when the
    game says so.
    """
    import pandas as pd

    fields = [f for f in game.RESULT.names or () if game.columns[f].per == game.parts]
    single = [f for f in game.RESULT.names or () if game.columns[f].per == "part"]
    if not fields:
        return pd.DataFrame()
    deals, seatings = rows.shape
    players, parts = len(texts), game.RESULT[fields[0]].shape[0]
    data: dict[str, Any] = dict(_keys(deals, seatings, first, parts * players))
    games = deals * seatings
    data[game.parts] = np.tile(np.repeat(np.arange(1, parts + 1, dtype=np.int8), players), games)
    data["seat"] = np.tile(np.arange(players, dtype=np.int8), games * parts)
    order = np.repeat(np.array(plan)[None], deals, axis=0)[:, :, None, :]
    data["policy"] = _labels(texts, np.broadcast_to(order, (deals, seatings, parts, players)).reshape(-1))
    for field in fields:
        values = rows.reshape(-1)[field][:, :, :players]
        data[field.removeprefix(f"{game.parts}_")] = shown(
            np.ascontiguousarray(values).reshape(-1), column_of(game, field)
        )
    for field in single:
        data[field.removeprefix(f"{game.parts}_")] = np.repeat(rows.reshape(-1)[field].reshape(-1), players)
    if game.part_played:
        keep = np.repeat(rows.reshape(-1)[game.part_played].reshape(-1) != 0, players)
        data = {name: values[keep] for name, values in data.items()}
    return pd.DataFrame(data)
