"""The games there are. A new game is one package and one line here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping

from simlib.errors import did_you_mean
from simlib.game import Game

_PACKAGES = {
    "drei_zu_viel": "simlib.games.drei_zu_viel",
    "big_three": "simlib.games.big_three",
    "three_thirteen": "simlib.games.three_thirteen",
}


class _Games(Mapping[str, Game]):
    """Mapping of name to game; a game's kernels are imported when it is first asked for."""

    def __getitem__(self, name: str) -> Game:
        if name not in _PACKAGES:
            known = ", ".join(_PACKAGES)
            raise ValueError(f"unknown game {name!r}{did_you_mean(name, _PACKAGES)}; games: {known}")
        game: Game = importlib.import_module(_PACKAGES[name]).GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(_PACKAGES)

    def __len__(self) -> int:
        return len(_PACKAGES)

    def __contains__(self, name: object) -> bool:
        return name in _PACKAGES


GAMES: Mapping[str, Game] = _Games()


def get(game: str | Game) -> Game:
    """Return a game by name; a Game is returned as it is."""
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise TypeError(f"game must be a name such as 'drei_zu_viel', not {game!r}")
    return GAMES[game]
