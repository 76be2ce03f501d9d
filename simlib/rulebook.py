"""`rules`: the options of a game, validated, frozen, named."""

from __future__ import annotations

from typing import Any

from simlib.game import Game, Rules
from simlib.games import get


def rules(game: str | Game, **options: Any) -> Rules:
    """Return the rules of a game with some options changed.

    Parameters
    ----------
    game : str
        Name of the game.
    **options
        Options by name; the game's RULES.md (``simlib rules GAME``) explains each.

    Returns
    -------
    Rules
        Frozen; ``.options()`` gives every option by name.

    Raises
    ------
    ValueError
        Naming the option, what was given and what is allowed.

    Examples
    --------
    >>> import simlib as sl
    >>> sl.rules("drei_zu_viel", opening_cards=0).changed()
    {'opening_cards': 0}
    """
    return get(game).rules.make(**options)
