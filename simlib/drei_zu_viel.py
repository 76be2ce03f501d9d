"""*3 sind eine zu viel!* for people: the colours of the cards under some rules."""

from __future__ import annotations

from typing import Any

from simlib.games import get
from simlib.games.drei_zu_viel.rules import DreiZuVielRules, colour_table


def colours(rules: DreiZuVielRules | dict[str, Any] | None = None) -> dict[int, int]:
    """Return the colour (0 to 6) of each value that has one.

    Parameters
    ----------
    rules : DreiZuVielRules or dict, optional
        Rule options; the default rules without.

    Examples
    --------
    >>> import simlib as sl
    >>> sl.drei_zu_viel.colours()[1]
    0
    """
    if rules is None or isinstance(rules, dict):
        rules = get("drei_zu_viel").rules.make(**(rules or {}))  # type: ignore[assignment]
    if not isinstance(rules, DreiZuVielRules):
        raise TypeError(f"rules must be rules of drei_zu_viel or a dict of options, not {rules!r}")
    return {value: colour for value, colour in enumerate(colour_table(rules)) if colour >= 0}


__all__ = ["colours"]
