"""Game records of Three-Thirteen: written from a played game, read and checked by playing them again.

The format is described in docs/game-records.md. Nothing here is fast: records are for reading and auditing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from simlib.cards import JOKER, RANKS, card_number, card_text, card_texts
from simlib.game import SHARE, Codec
from simlib.games.three_thirteen import layoff, play, stock
from simlib.games.three_thirteen.best import arranged, words_of
from simlib.games.three_thirteen.play import is_legal, step
from simlib.games.three_thirteen.result import RESULT, result
from simlib.games.three_thirteen.rules import RULES, SCHEDULES, ThreeThirteenRules, encode, pack_size
from simlib.games.three_thirteen.view import DISCARD_0, DRAW, MELDS, OUT_0, SCENARIO, STATE
from simlib.rng import STREAM

Table = np.ndarray[Any, Any]
CARD_FIELDS = ("hand_size", "wild", "dealer", "hands", "upcard", "stock")


def hand_cards(words: Any, jokers: int) -> list[int]:
    """Return the cards of a hand given as words, ascending."""
    cards = [card for word in words for card in range(52) if int(word) >> card & 1]
    return sorted(cards) + [JOKER] * int(jokers)


class Round:
    """One round while it is played: what its part of the record will say."""

    def __init__(self, state: Any) -> None:
        table = state["table"]
        self.players = int(table["players"])
        self.index = int(table["round"])
        self.wild = int(table["wild"])
        self.hands = [hand_cards(state["hand"][s], state["jokers"][s]) for s in range(self.players)]
        self.laid: list[Any] = [None] * self.players
        self.table = np.zeros(1, MELDS)
        self.stalled = False
        self.out: int | None = None
        self.events: list[dict[str, Any]] = []
        self._lists: list[list[str]] = [[]]
        self._left = self._stock(state)
        self.head = {
            "hand_size": int(table["hand_size"]),
            "wild": RANKS[self.wild],
            "dealer": int(table["dealer"]),
            "hands": [card_texts(hand) for hand in self.hands],
            "upcard": card_text(table["upcard"]),
            "stock": self._lists[0],
        }

    @staticmethod
    def _stock(state: Any) -> list[int]:
        """The cards of the stock in the order of their places (drawing empties it lane by lane)."""
        lanes = int(state["lanes"])
        places = [i * lanes + k for k in range(lanes) for i in range(int(state["first"][k]), int(state["end"][k]))]
        return [int(state["stock"][place]) for place in sorted(places)]

    def renewed(self, cards: list[int]) -> None:
        """Note that `cards` have become the stock."""
        self._lists.append([])
        self.events.append({"reshuffle": self._lists[-1]})
        self._left = list(cards)

    def drew(self, seat: int, card: int, from_stock: bool, state: Any) -> None:
        """Note a draw that `state` has just played."""
        if from_stock:
            if state["last_reshuffle"]:
                self.renewed([card, *self._stock(state)])
            self._left.remove(card)
            self._lists[-1].append(card_text(card))
        self.hands[seat].append(card)
        self.events.append({"seat": seat, "draw": "stock" if from_stock else "discard", "card": card_text(card)})

    def discarded(self, seat: int, card: int, out: bool) -> None:
        """Note a discard."""
        self.hands[seat].remove(card)
        self.events.append({"seat": seat, "discard": card_text(card), "out": out})

    def count(self, seat: int, record: Any, out: bool) -> None:
        """Arrange a hand that is counted now, as the game does."""
        lay_off = bool(record[0]["lay_off"]) and not self.stalled
        found = arranged(self.hands[seat], self.wild, record, out, self.table if lay_off else None)[0]
        to = [int(found["to"][i]) - 1 for i in range(int(found["left_n"]))]
        self.laid[seat] = {
            "melds": [card_texts(found["cards"][i][: found["size"][i]]) for i in range(int(found["n"]))],
            "unmelded": [card_text(c) for c, p in zip(found["left"], to, strict=False) if p < 0],
            "laid_off": [
                {
                    "card": card_text(c),
                    "to_seat": int(self.table[0]["owner"][p]),
                    "to_meld": int(self.table[0]["place"][p]),
                }
                for c, p in zip(found["left"], to, strict=False)
                if p >= 0
            ],
        }
        if lay_off:
            layoff.put_on_table(self.table[0], found, seat, self.wild)

    def record(self, state: Any) -> dict[str, Any]:
        """Return the round's part of the record, when it has ended: what was never drawn stands behind what was."""
        self._lists[-1] += card_texts(self._left)
        return {
            **self.head,
            "events": self.events,
            **{name: [laid[name] for laid in self.laid] for name in ("melds", "unmelded", "laid_off")},
            "penalties": [int(p) for p in state["table"]["penalty"][self.index][: self.players]],
            "out": self.out,
            "stalled": self.stalled,
        }


def play_action(state: Any, current: Round, record: Any, action: int) -> bool:
    """Play a legal action and note it; return whether the round ended with it."""
    table = state["table"]
    seat = int(table["turn"])
    if table["phase"] == DRAW:
        step(state, action)
        current.drew(seat, int(state["drew"]), action == 0, state)
        return False
    out = action >= OUT_0
    card = action - (OUT_0 if out else DISCARD_0)
    was_out = int(table["out"])
    turns = int(table["turns"]) + 1
    current.discarded(seat, card, out)
    following = int(step(state, action))
    if out:
        current.out = seat
        current.count(seat, record, True)
        return False
    if was_out >= 0:
        current.count(seat, record, False)
        return following < 0 or (seat + 1) % current.players == was_out
    if turns == current.players * int(record[0]["max_turns"]):
        current.stalled = True
        for other in range(current.players):
            current.count(other, record, False)
        return True
    return False


def result_of(state: Any) -> dict[str, Any]:
    """Return the result of a finished game as a record has it."""
    out = np.zeros(1, RESULT)
    result(state, out[0])
    players = int(state["table"]["players"])
    return {
        "totals": [int(p) for p in out[0]["penalty"][:players]],
        "zero_rounds": [int(z) for z in out[0]["zero_rounds"][:players]],
        "win_share": [int(share) / SHARE for share in out[0]["win_share"][:players]],
    }


def write(rules: ThreeThirteenRules, state: Table, actions: Any) -> dict[str, Any]:
    """Return the game's own part of a record: rounds and result. Plays `state` (length 1, just dealt) to its end."""
    encoded = _encoded(rules)
    game = state[0]
    rounds = []
    current = Round(game)
    for action in actions:
        if play_action(game, current, encoded, int(action)):
            rounds.append(current.record(game))
            current = Round(game)
    return {"rounds": rounds, "result": result_of(game)}


def _encoded(rules: ThreeThirteenRules) -> Any:
    record = np.zeros(1, RULES)
    encode(rules, record[0])
    record["digest"] = rules.digest
    return record


def _field(value: Any, name: str, place: str) -> Any:
    if not isinstance(value, dict) or name not in value:
        raise ValueError(f"{place}: field {name!r} is missing")
    return value[name]


def _cards(value: Any, place: str) -> list[int]:
    """Return a list of cards as numbers."""
    if not isinstance(value, list):
        raise ValueError(f"{place} must be a list of cards, not {value!r}")
    try:
        return [card_number(card) for card in value]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{place}: {error}") from None


def _check_deal(rules: ThreeThirteenRules, given: Any, index: int, place: str) -> list[list[int]]:
    """Return hands, upcard and stock of a recorded round, checked against the pack."""
    for name in (*CARD_FIELDS, "events", "melds", "unmelded", "laid_off", "penalties", "out", "stalled"):
        _field(given, name, place)
    size = SCHEDULES[rules.schedule][index]
    hands = given["hands"]
    if not isinstance(hands, list) or len(hands) != rules.players:
        raise ValueError(f"{place}.hands must be {rules.players} hands")
    dealt = [_cards(hand, f"{place}.hands[{seat}]") for seat, hand in enumerate(hands)]
    for seat, hand in enumerate(dealt):
        if len(hand) != size:
            raise ValueError(f"{place}.hands[{seat}] has {len(hand)} cards, not {size}")
    dealt += [_cards([given["upcard"]], f"{place}.upcard"), _cards(given["stock"], f"{place}.stock")]
    decks = pack_size(rules) // (52 + rules.jokers)
    pack = Counter(dict.fromkeys(range(52), decks)) + Counter({JOKER: decks * rules.jokers})
    if Counter(card for part in dealt for card in part) != pack:
        raise ValueError(f"{place}: hands, upcard and stock are not the pack")
    return dealt


def _set_stock(state: Any, cards: list[int]) -> None:
    """Make `cards` the stock, next card first."""
    state["table"]["rules"]["aligned"] = 0
    state["stock"][: len(cards)] = cards
    stock.lay_lanes(state, len(cards))


def _set_round(state: Any, dealt: list[list[int]]) -> None:
    """Replace the cards of a round that has just been dealt."""
    table = state["table"]
    for seat, hand in enumerate(dealt[:-2]):
        words, jokers = words_of(hand)
        state["hand"][seat] = words
        state["jokers"][seat] = jokers
    upcard = dealt[-2][0]
    state["table"]["pile"][0] = upcard
    table["upcard"] = upcard
    table["wild_seen"] = int(upcard == JOKER or upcard % 13 == table["wild"])
    _set_stock(state, dealt[-1])


def _action(state: Any, event: Any, place: str) -> int:
    """Return the action of a recorded event, which must be legal."""
    table = state["table"]
    if _field(event, "seat", place) != table["turn"]:
        raise ValueError(f"{place}: seat {event['seat']!r} acts, but it is the turn of seat {int(table['turn'])}")
    if table["phase"] == DRAW:
        source = _field(event, "draw", place)
        if source not in ("stock", "discard"):
            raise ValueError(f"{place}.draw={source!r}: 'stock' or 'discard'")
        action = 0 if source == "stock" else 1
    else:
        card = _cards([_field(event, "discard", place)], f"{place}.discard")[0]
        action = (OUT_0 if _field(event, "out", place) is True else DISCARD_0) + card
    if not is_legal(state, action):
        raise ValueError(f"{place}: {event!r} is not allowed")
    return action


def _reshuffle(state: Any, event: Any, following: Any, place: str) -> list[int]:
    """Renew the stock as the record says; return its cards, next first."""
    table = state["table"]
    due = table["phase"] == DRAW and table["stock_n"] == 0 and table["pile_n"] > 1
    if not due or not isinstance(following, dict) or following.get("draw") != "stock":
        raise ValueError(f"{place}: a reshuffle that is not due")
    cards = _cards(event["reshuffle"], f"{place}.reshuffle")
    if Counter(cards) != Counter(int(card) for card in state["table"]["pile"][: int(table["pile_n"]) - 1]):
        raise ValueError(f"{place}.reshuffle: not the discard pile without its top card")
    stock.reshuffle(state)
    _set_stock(state, cards)
    return cards


def _line(event: dict[str, Any]) -> str:
    """Return an event as one readable line."""
    if "draw" in event:
        return f"seat {event['seat']} takes {event['card']} from the {'stock' if event['draw'] == 'stock' else 'pile'}"
    return f"seat {event['seat']} discards {event['discard']}{' and goes out' if event['out'] else ''}"


def _play_round(rules: Any, state: Any, encoded: Any, given: Any, index: int) -> Iterator[str]:
    """Replay one recorded round."""
    place = f"rounds[{index}]"
    dealt = _check_deal(rules, given, index, place)
    _set_round(state, dealt)
    current = Round(state)
    head = current.head
    for name in ("hand_size", "wild", "dealer"):
        if given[name] != head[name]:
            raise ValueError(f"{place}.{name}={given[name]!r}, but it is {head[name]!r}")
    yield f"— round {index + 1}: {head['wild']} wild, seat {head['dealer']} deals, upcard {head['upcard']} —"
    events = given["events"]
    if not isinstance(events, list):
        raise ValueError(f"{place}.events must be a list")
    over = False
    for number, event in enumerate(events):
        at = f"{place}.events[{number}]"
        if over:
            raise ValueError(f"{at}: the round was already over")
        if isinstance(event, dict) and "reshuffle" in event:
            following = events[number + 1] if number + 1 < len(events) else None
            current.renewed(_reshuffle(state, event, following, at))
            yield "the pile becomes the new stock"
            continue
        over = play_action(state, current, encoded, _action(state, event, at))
        right = current.events[-1]
        for name, value in right.items():
            if _field(event, name, at) != value:
                raise ValueError(f"{at}.{name}={event[name]!r}, but it is {value!r}")
        yield _line(right)
    if not over:
        raise ValueError(f"{place}: the events end before the round does")
    right = current.record(state)
    for name in ("melds", "unmelded", "laid_off", "penalties", "out", "stalled"):
        if given[name] != right[name]:
            raise ValueError(f"{place}.{name}={given[name]!r}, but it is {right[name]!r}")
    yield "penalties " + ", ".join(map(str, right["penalties"]))


def replay(rules: ThreeThirteenRules, record: dict[str, Any]) -> Iterator[str]:
    """Play a record again, comparing every field, and yield one readable line an event.

    Raises
    ------
    ValueError
        At the first illegal move, missing or wrong field, or a result that differs; names the place.
    """
    rounds, given = _field(record, "rounds", "record"), _field(record, "result", "record")
    count = len(SCHEDULES[rules.schedule])
    if not isinstance(rounds, list) or len(rounds) != count:
        raise ValueError(f"rounds must be a list of {count} rounds")
    dealer = _field(rounds[0], "dealer", "rounds[0]")
    if type(dealer) is not int or not 0 <= dealer < rules.players or rules.first_dealer not in ("random", dealer):
        raise ValueError(f"rounds[0].dealer={dealer!r} is not possible with first_dealer={rules.first_dealer!r}")
    encoded = _encoded(rules)
    state, scenario, rng = np.zeros(1, STATE), np.zeros(1, SCENARIO), np.zeros(1, STREAM)
    rng["used"] = 4
    scenario["dealer"] = dealer + 1
    play.deal(state[0], encoded[0], scenario[0], rng[0])
    for index in range(count):
        yield from _play_round(rules, state[0], encoded, rounds[index], index)
    right = result_of(state[0])
    if given != right:
        raise ValueError(f"result={given!r}, but it is {right!r}")
    yield f"totals {right['totals']}, zero rounds {right['zero_rounds']}, win shares {right['win_share']}"


CODEC = Codec(write, replay)

__all__ = ["CODEC", "replay", "write"]
