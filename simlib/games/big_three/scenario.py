"""Counterfactual set-ups of Big Three, validated: what `Game.deal` takes beside the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from simlib.cards import JOKER, card_number, card_numbers, card_text
from simlib.games.big_three.rules import RULES, BigThreeRules, encode
from simlib.games.big_three.view import SCENARIO

Cards = str | Iterable[str]


def make_scenario(
    rules: BigThreeRules | None = None,
    *,
    hands: Mapping[int, Cards] | None = None,
    widow: Cards = (),
    declarer: int | None = None,
    bid: int | None = None,
    no_widow: bool = False,
    first: int | None = None,
    leader: int | None = None,
    call: str | None = None,
    features: bool = False,
) -> np.ndarray[Any, Any]:
    """Return a SCENARIO array of length 1. What is not given stays as the deal and the auction have it.

    Parameters
    ----------
    rules : BigThreeRules, optional
        The rules it is for (default: the plain game).
    hands : mapping of seat to cards, optional
        Cards dealt to a seat, its whole hand or a part of it; the rest is shuffled.
    widow : cards
        Cards of the widow, all or some.
    declarer, bid : int, optional
        This seat declares at this bid (1 to 3, default 1) without an auction.
    no_widow : bool
        The widow stays face down; only with a declarer.
    first : int, optional
        Seat that bids first and leads.
    leader : int, optional
        Seat that leads, whoever bids first.
    call : str, optional
        Card that the declarer names (four players, a declarer given); unless the declarer holds it.
    features : bool
        Fill in the result's `turns` columns as well.

    Returns
    -------
    ndarray of SCENARIO, shape (1,)

    Raises
    ------
    ValueError
        Naming the argument, what was given and what is allowed.
    """
    rules = rules or BigThreeRules()
    encoded = np.zeros(1, RULES)
    encode(rules, encoded[0])
    out = np.zeros(1, SCENARIO)
    for seat, cards in (hands or {}).items():
        _check_seat("hands", seat, rules)
        out["hands"][0, seat] = _set_of(f"hands[{seat}]", cards, int(encoded["hand_size"][0]), encoded)
    out["widow"] = _set_of("widow", widow, int(encoded["widow_size"][0]), encoded)
    _check_apart(out)
    for name, chosen in (("declarer", declarer), ("first", first), ("leader", leader)):
        if chosen is not None:
            _check_seat(name, chosen, rules)
            out[name] = 1 + chosen
    if bid is not None and (isinstance(bid, bool) or bid not in (1, 2, 3)):
        raise ValueError(f"bid={bid!r} must be 1, 2 or 3")
    if declarer is None and (bid is not None or no_widow or call is not None):
        raise ValueError("bid, no_widow and call need a declarer: without one the auction decides")
    if no_widow and rules.players == 4:
        raise ValueError("no_widow=True: four players have no widow")
    if call is not None:
        out["call"] = 1 + _named(call, rules)
    out["bid"], out["no_widow"], out["features"] = bid or 0, no_widow, features
    return out


def _check_seat(name: str, seat: Any, rules: BigThreeRules) -> None:
    if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < rules.players:
        raise ValueError(f"{name}: {seat!r} is no seat of {rules.players} players (0 to {rules.players - 1})")


def _set_of(name: str, cards: Cards, size: int, encoded: Any) -> int:
    """Return the cards as a set; at most `size`, each once, all in the deck."""
    numbers = card_numbers(cards)
    for number in numbers:
        if number == JOKER or not int(encoded["deck"][0]) >> number & 1:
            raise ValueError(f"{name}: {card_text(number)} is not in the deck of these rules")
        if numbers.count(number) > 1:
            raise ValueError(f"{name}: {card_text(number)} is given twice")
    if len(numbers) > size:
        raise ValueError(f"{name}: {len(numbers)} cards were given, at most {size} are dealt there")
    return sum(1 << number for number in numbers)


def _check_apart(out: Any) -> None:
    """No card in two places."""
    seen = 0
    for cards in [*(int(c) for c in out["hands"][0]), int(out["widow"][0])]:
        twice = seen & cards
        if twice:
            raise ValueError(f"hands, widow: {card_text(twice.bit_length() - 1)} is given in two places")
        seen |= cards


def _named(call: str, rules: BigThreeRules) -> int:
    if rules.players != 4:
        raise ValueError("call: only four players name a card")
    number = card_number(call)
    if number == JOKER or not 3 <= number % 13 <= 9:
        raise ValueError(f"call={call!r} must be a card of rank 4 to 10")
    return number
