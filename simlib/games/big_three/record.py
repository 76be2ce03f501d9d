"""Game records of Big Three: written from a played deal, read and checked by playing them again.

The library plays ranks; a record shows cards. When one is written the suits are taken in the order clubs,
diamonds, hearts, spades among the cards held, except that the holder of the named card plays it or holds it back
as the action says. A record that is read may choose any suits. Nothing here is fast: records are for reading and
auditing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simlib.cards import card_number, card_text
from simlib.game import Codec
from simlib.games.big_three import observe, play, settle
from simlib.games.big_three.combos import BID, CALL, N_ALL, NAMED, PASS, RANK_TEXT, combination_of, name_of, ranks_of
from simlib.games.big_three.rules import RULES, BigThreeRules, encode
from simlib.games.big_three.view import SCENARIO, STATE
from simlib.rng import STREAM, seek

Cards = list[str]


def _by_rank(card: str) -> tuple[int, int]:
    return RANK_TEXT[0].index(card[0]), "cdhs".index(card[1])


def cards_of(mask: int) -> Cards:
    """Return the cards of a set as texts, by rank 4 … K, A, 2, 3 and suit c, d, h, s."""
    return sorted((card_text(n) for n in range(52) if int(mask) >> n & 1), key=_by_rank)


def dealt(state: Any) -> dict[str, Any]:
    """Return the deal as a record has it."""
    players = int(state["table"]["players"])
    return {"hands": [cards_of(state["dealt"][seat]) for seat in range(players)], "widow": cards_of(state["widow"])}


def cards_for(hand: Cards, action: int, western: bool, called: str | None) -> Cards:
    """Return the cards with which a seat that holds `hand` plays an action."""
    multiplicity, ranks = ranks_of(action - NAMED if action >= NAMED else action, western)
    cards: Cards = []
    for rank in ranks:
        held = [card for card in sorted(hand, key=_by_rank) if card[0] == rank]
        if called in held:
            held.remove(called)
            held = [called, *held] if action >= NAMED else [*held, called]  # type: ignore[list-item]
        cards += held[:multiplicity]
    return cards


def result_of(state: Any) -> dict[str, Any]:
    """Return the result of a finished deal as a record has it."""
    out = np.zeros(1, settle.RESULT)
    settle.result(state, out[0])
    row = out[0]
    partner = int(row["partner"])
    return {
        "declarer": int(row["declarer"]),
        "bid": int(row["bid"]),
        "forced": bool(row["forced"]),
        "partner": None if partner < 0 else partner,
        "first_out": int(row["first_out"]),
        "bombs": int(row["bombs"]),
        "declarer_won": bool(row["declarer_won"]),
        "scores": [int(x) for x in row["score"][: int(state["table"]["players"])]],
    }


class _Deal:
    """A deal being played through the kernels, with the cards of each seat beside it."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.table = state["table"]
        self.western = bool(state["table"]["rules"]["western"])
        self.deal = dealt(state)
        self.hands = [list(hand) for hand in self.deal["hands"]]
        self.seat = int(self.table["turn"])

    @property
    def called(self) -> str | None:
        """The named card, once there is one."""
        return None if self.table["called"] < 0 else card_text(int(self.table["called"]))

    def step(self, action: int) -> None:
        """Play an action; a declarer takes the widow's cards into its hand."""
        alone = int(self.table["declarer"])
        self.seat = int(play.step(self.state, action))
        if alone < 0 <= int(self.table["declarer"]) and self.table["widow_taken"]:
            self.hands[int(self.table["declarer"])] += self.deal["widow"]

    def event(self, action: int) -> dict[str, Any]:
        """Play an action; return the event."""
        seat = self.seat
        event: dict[str, Any] = {"seat": seat}
        if action == PASS:
            event["pass"] = True
        elif BID <= action < CALL:
            event["bid"] = action - BID
        elif CALL <= action < NAMED:
            event["call"] = card_text(action - CALL)
        else:
            event["play"] = cards_for(self.hands[seat], action, self.western, self.called)
            self.hands[seat] = [card for card in self.hands[seat] if card not in event["play"]]
        self.step(action)
        return event


def write(rules: BigThreeRules, state: Any, actions: Any) -> dict[str, Any]:
    """Return the game's own part of a record. Plays `state` (length 1, just dealt) to its end."""
    deal = _Deal(state[0])
    events = [deal.event(int(action)) for action in actions]
    return {"deal": deal.deal, "events": events, "result": result_of(state[0])}


def set_up(rules: BigThreeRules, deal: Any) -> Any:
    """Return a STATE array of length 1 with the given deal (``hands`` and ``widow`` as in a record).

    Raises
    ------
    ValueError
        Naming the field that is missing or wrong.
    """
    hands, widow = _field(deal, "hands", "deal"), _field(deal, "widow", "deal")
    encoded = np.zeros(1, RULES)
    encode(rules, encoded[0])
    encoded["digest"] = rules.digest
    if not isinstance(hands, list) or len(hands) != rules.players:
        raise ValueError(f"deal.hands must be a list of {rules.players} hands")
    scenario = np.zeros(1, SCENARIO)
    seen = 0
    places = [(f"deal.hands[{seat}]", hand, int(encoded["hand_size"][0])) for seat, hand in enumerate(hands)]
    for at, (place, cards, size) in enumerate([*places, ("deal.widow", widow, int(encoded["widow_size"][0]))]):
        mask = _set_of(cards, size, place)
        twice = cards_of(mask & seen) + cards_of(mask & ~int(encoded["deck"][0]))
        if twice:
            raise ValueError(f"{place}: {twice[0]} is dealt twice or not in the deck")
        seen |= mask
        if at < rules.players:
            scenario["hands"][0, at] = mask
        else:
            scenario["widow"] = mask
    state, rng = np.zeros(1, STATE), np.zeros(1, STREAM)
    seek(rng[0], 0, 0, 0)
    play.deal(state[0], encoded[0], scenario[0], rng[0])
    return state


def _set_of(cards: Any, size: int, place: str) -> int:
    if not isinstance(cards, list) or len(cards) != size:
        raise ValueError(f"{place} must be a list of {size} cards")
    mask = 0
    for card in cards:
        mask |= 1 << _card(card, place)
    if mask.bit_count() != size:
        raise ValueError(f"{place} has a card twice")
    return mask


def _card(card: Any, place: str) -> int:
    """Return the number of a card written exactly as records write it."""
    try:
        number = card_number(card)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{place}: {error}") from None
    if number >= 52 or card_text(number) != card:
        raise ValueError(f"{place}: {card!r} is no card of the deck, such as '4h'")
    return number


def replay(rules: BigThreeRules, record: dict[str, Any]) -> Iterator[str]:
    """Play a record again, comparing every field, and yield one readable line an event.

    Raises
    ------
    ValueError
        At the first illegal move, missing or wrong field, or a result that differs; names the place.
    """
    given, events, result = (_field(record, name, "record") for name in ("deal", "events", "result"))
    state = set_up(rules, given)
    deal = _Deal(state[0])
    if not isinstance(events, list):
        raise ValueError("events must be a list")
    yield from _opening_lines(deal)
    for number, event in enumerate(events):
        place = f"events[{number}]"
        if deal.seat < 0:
            raise ValueError(f"{place}: the deal was already over")
        if type(_field(event, "seat", place)) is not int or event["seat"] != deal.seat:
            raise ValueError(f"{place}: seat {event['seat']!r} acts, but it is the turn of seat {deal.seat}")
        yield _replay_event(deal, event, place)
    if deal.seat >= 0:
        raise ValueError(f"events: the deal is not over after {len(events)} events; seat {deal.seat} is to act")
    right = result_of(state[0])
    for name, value in right.items():
        found = _field(result, name, "result")
        if (
            type(found) is not type(value)
            or found != value
            or (name == "scores" and any(type(x) is not int for x in found))
        ):
            raise ValueError(f"result: {name} is {found!r}, but by the rules {value!r}")
    yield from _result_lines(right)


def _replay_event(deal: _Deal, event: dict[str, Any], place: str) -> str:
    """Check and play one event; return its line."""
    kinds = [kind for kind in ("bid", "call", "play", "pass") if kind in event]
    if len(kinds) != 1:
        raise ValueError(f"{place} must have exactly one of bid, call, play and pass")
    kind, value, seat = kinds[0], event[kinds[0]], deal.seat
    if kind == "play":
        action = _play_action(deal, value, place)
    elif kind == "pass":
        action = PASS if value is True else -1
    elif kind == "bid":
        action = BID + value if type(value) is int and 0 <= value <= 3 else -1
    else:
        action = CALL + _card(value, place)
    if not play.is_legal(deal.state, action):
        raise ValueError(f"{place}: {kind} {value!r} is not allowed to seat {seat} here; allowed: {_allowed(deal)}")
    if kind == "play":
        deal.hands[seat] = [card for card in deal.hands[seat] if card not in value]
    before = int(deal.table["declarer"])
    deal.step(action)
    return _line(deal, seat, kind, value, before)


def _play_action(deal: _Deal, cards: Any, place: str) -> int:
    """Return the action that lays these very cards."""
    if not isinstance(cards, list) or not cards or not all(isinstance(card, str) for card in cards):
        raise ValueError(f"{place}: play must be a list of cards, not {cards!r}")
    numbers = [_card(card, place) for card in cards]
    missing = [card for card in cards if card not in deal.hands[deal.seat]]
    if missing or len(set(numbers)) != len(numbers):
        raise ValueError(f"{place}: seat {deal.seat} does not hold {' '.join(missing or cards)}")
    ranks = sorted({card[0] for card in cards}, key=RANK_TEXT[0].index)
    multiplicity = len(cards) // len(ranks)
    even = all(sum(card[0] == rank for card in cards) == multiplicity for rank in ranks)
    text = "".join(ranks)
    if not even or (len(ranks) > 1 and text not in RANK_TEXT[0][:10]):
        raise ValueError(f"{place}: {' '.join(cards)} is no combination")
    action = combination_of(multiplicity, text, deal.western)
    if deal.called in cards and play.is_legal(deal.state, action + NAMED):
        return action + NAMED
    return action


def _allowed(deal: _Deal) -> str:
    """The legal actions as text, cut short."""
    from simlib.games.big_three.view import VIEW

    seen, out = np.zeros(1, VIEW), np.zeros(NAMED + N_ALL, np.int64)
    observe.observe(deal.state, deal.seat, seen[0])
    n = int(observe.legal(seen[0], out))
    names = [_name(int(action), deal.western) for action in out[:n]]
    return ", ".join(names[:12]) + (" …" if n > 12 else "")


def _name(action: int, western: bool) -> str:
    if action in (PASS, BID):
        return "pass"
    if BID < action < CALL:
        return f"bid {action - BID}"
    if CALL <= action < NAMED:
        return f"call {card_text(action - CALL)}"
    return name_of(action - NAMED if action >= NAMED else action, western)


def _opening_lines(deal: _Deal) -> Iterator[str]:
    """Lines about the deal."""
    for seat, hand in enumerate(deal.hands):
        first = " bids first" if seat == deal.table["first"] else ""
        yield f"Seat {seat}{first}: {' '.join(hand)}"
    if deal.deal["widow"]:
        yield f"Widow: {' '.join(deal.deal['widow'])}"


def _line(deal: _Deal, seat: int, kind: str, value: Any, declarer: int) -> str:
    """One event as text."""
    if kind == "pass" or (kind == "bid" and value == 0):
        text = f"Seat {seat} passes"
    elif kind == "bid":
        text = f"Seat {seat} bids {value}"
    elif kind == "call":
        text = f"Seat {seat} names {value}"
    else:
        left = int(deal.table["hand_n"][seat])
        text = f"Seat {seat} plays {' '.join(value)}" + (f" ({left} left)" if left else " and is out")
    if declarer < 0 <= int(deal.table["declarer"]):
        text += f". Seat {int(deal.table['declarer'])} declares at {int(deal.table['high_bid'])}"
        text += " and takes the widow" if deal.table["widow_taken"] else ""
    if deal.seat >= 0 and kind == "pass" and deal.table["leading"]:
        text += f". Seat {deal.seat} has the lead"
    return text + "."


def _result_lines(result: dict[str, Any]) -> Iterator[str]:
    """Lines about the end."""
    party = f"declarer {result['declarer']}" + (
        f" with partner {result['partner']}" if result["partner"] is not None else ""
    )
    outcome = "wins" if result["declarer_won"] else "loses"
    yield f"Seat {result['first_out']} is out first: {party} {outcome} at {result['bid']}."
    yield "Scores: " + ", ".join(f"seat {seat} {score:+d}" for seat, score in enumerate(result["scores"]))


def _field(thing: Any, name: str, place: str) -> Any:
    if not isinstance(thing, dict):
        raise ValueError(f"{place} must be an object, not {thing!r}")
    if name not in thing:
        raise ValueError(f"{place}: field {name!r} is missing")
    return thing[name]


CODEC = Codec(write=write, replay=replay)
