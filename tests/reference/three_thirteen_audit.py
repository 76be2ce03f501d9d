"""Three-Thirteen, slow reference: is a game record right?

The record is replayed event by event. Any arrangement with the smallest penalty is accepted; only
a strict audit asks for the documented one (see three_thirteen_melds).
"""

from collections import Counter

from .three_thirteen_game import Game, documented_arrangement
from .three_thirteen_melds import (
    card_index,
    is_meld,
    meets_pattern,
    min_penalty_with_layoff,
    total_penalty,
)
from .three_thirteen_rules import CARDS, DEFAULTS, JOKER, RANKS, nonsensical, pack, schedule

RECORD_FIELDS = {
    "format": "text", "game": "text", "rules": "object", "seed": "number", "index": "number",
    "policies": ["text"], "rounds": ["object"], "result": "object",
}  # fmt: skip
ROUND_FIELDS = {
    "hand_size": "number", "wild": "rank", "dealer": "number", "hands": [["card"]],
    "upcard": "card", "stock": ["card"], "events": ["object"], "melds": [[["card"]]],
    "unmelded": [["card"]], "laid_off": [["object"]], "penalties": ["number"],
    "out": "number or null", "stalled": "truth value",
}  # fmt: skip
RESULT_FIELDS = {"totals": ["number"], "zero_rounds": ["number"], "win_share": ["share"]}
DRAW_FIELDS = {"seat": "number", "draw": "text", "card": "card"}
DISCARD_FIELDS = {"seat": "number", "discard": "card", "out": "truth value"}
RESHUFFLE_FIELDS = {"reshuffle": ["card"]}
LAY_OFF_FIELDS = {"card": "card", "to_seat": "number", "to_meld": "number"}

IS_A = {
    "text": lambda value: isinstance(value, str),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: type(value) is int,
    "number or null": lambda value: value is None or type(value) is int,
    "truth value": lambda value: isinstance(value, bool),
    "share": lambda value: type(value) in (int, float),
    "rank": lambda value: isinstance(value, str) and len(value) == 1 and value in RANKS,
    "card": lambda value: value == JOKER or value in CARDS,
}


class Wrong(Exception):
    """The record is wrong in a way that makes it senseless to go on."""


def _is_of(value, kind):
    """Is this a value of the kind? A list of a kind is written [kind]."""
    if isinstance(kind, list):
        return isinstance(value, list) and all(_is_of(item, kind[0]) for item in value)
    return IS_A[kind](value)


def _check_fields(value, fields, where):
    """Every field must be there and be of its kind; further fields are allowed."""
    for name, kind in fields.items():
        if name not in value:
            raise Wrong(f"{where}: no field {name!r}")
        if not _is_of(value[name], kind):
            raise Wrong(f"{where}: {name!r} is not of the kind {kind}")


def _check_structure(record):
    """All fields of the whole record, before anything is replayed."""
    if not isinstance(record, dict):
        raise Wrong("the record is not an object")
    _check_fields(record, RECORD_FIELDS, "record")
    if record["format"] != "simlib-record/1" or record["game"] != "three_thirteen":
        raise Wrong("not a simlib-record/1 of three_thirteen")
    _check_rules(record["rules"])
    players = record["rules"]["players"]
    if len(record["policies"]) != players:
        raise Wrong("not one policy a seat")
    if len(record["rounds"]) != len(schedule(record["rules"])):
        raise Wrong(f"{len(record['rounds'])} rounds, not {len(schedule(record['rules']))}")
    for i, played in enumerate(record["rounds"]):
        _check_round_fields(played, players, f"round {i + 1}")
    _check_fields(record["result"], RESULT_FIELDS, "result")
    for name in RESULT_FIELDS:
        if len(record["result"][name]) != players:
            raise Wrong(f"result: {name!r} is not one value a seat")


def _check_rules(rules):
    """Every rule option by name, and no senseless combination."""
    missing = [name for name in DEFAULTS if name not in rules]
    if missing:
        raise Wrong(f"rules: no option {missing[0]!r}")
    reason = nonsensical(rules)
    if reason:
        raise Wrong(f"rules: {reason}")


def _check_round_fields(played, players, where):
    """The fields of one round and of its events."""
    _check_fields(played, ROUND_FIELDS, where)
    for name in ("hands", "melds", "unmelded", "laid_off", "penalties"):
        if len(played[name]) != players:
            raise Wrong(f"{where}: {name!r} is not one value a seat")
    for number, event in enumerate(played["events"]):
        _check_fields(event, _fields_of(event), f"{where}, event {number}")
    for seat, laid_off in enumerate(played["laid_off"]):
        for lay in laid_off:
            _check_fields(lay, LAY_OFF_FIELDS, f"{where}, seat {seat}, laid off")


def _fields_of(event):
    """The fields an event must have: those of the one kind of event it is."""
    for name, fields in (("reshuffle", RESHUFFLE_FIELDS), ("draw", DRAW_FIELDS)):
        if name in event:
            return fields
    return DISCARD_FIELDS


class _Auditor:
    """Replays a record whose structure is right."""

    def __init__(self, record, strict):
        self.record, self.strict = record, strict
        self.problems = []
        self.new_stock = None  # a recorded reshuffle that has not happened yet

    def run(self):
        """Replay every round, then compare the result."""
        rounds = self.record["rounds"]
        for i, played in enumerate(rounds):
            self._check_deal(played, f"round {i + 1}")
        try:
            game = Game(self.record["rules"], rounds, self._shuffle, self._arrange)
        except ValueError as error:
            raise Wrong(f"round 1: {error}") from error
        for i, played in enumerate(rounds):
            for number, event in enumerate(played["events"]):
                where = f"round {i + 1}, event {number}"
                if game.phase == "over" or game.round_index != i:
                    raise Wrong(f"{where}: the round is already over")
                self._replay(game, event, where)
            if game.phase != "over" and game.round_index == i:
                raise Wrong(f"round {i + 1}: the events end before the round does")
            for name in ("hand_size", "wild", "penalties", "out", "stalled"):
                self._compare(f"round {i + 1}, {name}", played[name], game.rounds[i][name])
        for name, value in game.result().items():
            self._compare(f"result, {name}", self.record["result"][name], value)

    def _check_deal(self, played, where):
        """The cards are the pack."""
        dealt = sum(played["hands"], []) + [played["upcard"]] + played["stock"]
        if Counter(dealt) != Counter(pack(self.record["rules"])):
            raise Wrong(f"{where}: hands, upcard and stock are not the pack")

    def _compare(self, where, got, expected):
        """Note a difference; shares may differ by rounding."""
        if isinstance(expected, list) and any(isinstance(value, float) for value in expected):
            pairs = zip(got, expected, strict=True)
            same = all(abs(a - b) < 1e-9 for a, b in pairs)
        else:
            same = got == expected
        if not same:
            self.problems.append(f"{where}: {got}, should be {expected}")

    def _replay(self, game, event, where):
        """Make one recorded move."""
        if "reshuffle" in event:
            if self.new_stock is not None:
                raise Wrong(f"{where}: two reshuffles in a row")
            self.new_stock = event["reshuffle"]
            return
        if event["seat"] != game.to_act:
            raise Wrong(f"{where}: seat {event['seat']}, but it is the turn of {game.to_act}")
        try:
            made = game.draw(event["draw"]) if "draw" in event else game.discard(event["discard"], event["out"])
        except ValueError as error:
            raise Wrong(f"{where}: {error}") from error
        if self.new_stock is not None:
            raise Wrong(f"{where}: a reshuffle that was not due")
        if any(event[name] != value for name, value in made[-1].items()):
            raise Wrong(f"{where}: {event}, should be {made[-1]}")

    def _shuffle(self, _cards, _round_index, _reshuffle_number):
        """The recorded new stock; Game checks its cards."""
        if self.new_stock is None:
            raise ValueError("the stock is empty and no reshuffle is recorded")
        new, self.new_stock = self.new_stock, None
        return new

    def _arrange(self, game, seat, hand, table, everything):
        """The recorded arrangement if it is right, else the documented one."""
        played = self.record["rounds"][game.round_index]
        melds, unmelded = played["melds"][seat], played["unmelded"][seat]
        laid_off = played["laid_off"][seat]
        where = f"round {game.round_index + 1}, seat {seat}"
        reason = self._fault(melds, unmelded, laid_off, hand, table, everything, played["wild"])
        if reason is None and not self.strict:
            return melds, unmelded, laid_off
        documented = documented_arrangement(game, seat, hand, table, everything)
        if reason is not None:
            self.problems.append(f"{where}: {reason}")
        elif _sorted_parts(melds, unmelded, laid_off, table) != _sorted_parts(*documented, table):
            self.problems.append(f"{where}: not the documented arrangement, {documented}")
        else:
            return melds, unmelded, laid_off  # the order of the melds is the record's
        return documented

    def _fault(self, melds, unmelded, laid_off, hand, table, everything, wild):
        """What is wrong with an arrangement, or None."""
        rules = self.record["rules"]
        cards = sum(melds, []) + unmelded + [lay["card"] for lay in laid_off]
        if Counter(cards) != Counter(hand):
            return "melds, unmelded and laid off are not the hand"
        for meld in melds:
            if not is_meld(meld, wild, rules):
                return f"{meld} is no meld"
        if (melds or laid_off) and not meets_pattern(melds, wild, rules):
            return "the round's pattern is not met, every card counts"
        places = {(meld["seat"], meld["meld"]): list(meld["cards"]) for meld in table}
        for lay in laid_off:
            if (lay["to_seat"], lay["to_meld"]) not in places:
                return f"there is no meld to lay off {lay} onto"
            places[lay["to_seat"], lay["to_meld"]].append(lay["card"])
        for meld in places.values():
            if not is_meld(meld, wild, rules):
                return f"with what was laid off, {meld} is no meld"
        if everything and unmelded:
            return "went out with unmelded cards"
        smallest = min_penalty_with_layoff(hand, [m["cards"] for m in table], wild, rules)
        got = total_penalty(unmelded, wild, rules)
        if got != smallest:
            return f"unmelded cards for {got}, the smallest penalty is {smallest}"
        return None


def _sorted_parts(melds, unmelded, laid_off, table):
    """An arrangement that compares equal whatever order its parts are listed in."""
    places = [(meld["seat"], meld["meld"]) for meld in table]
    laid = [(card_index(x["card"]), places.index((x["to_seat"], x["to_meld"]))) for x in laid_off]
    melds = sorted(sorted(map(card_index, meld)) for meld in melds)
    return melds, sorted(map(card_index, unmelded)), sorted(laid)


def audit(record, strict=False):
    """The problems of a whole record (parsed JSON), in words; empty if it is right."""
    auditor = None
    try:
        _check_structure(record)
        auditor = _Auditor(record, strict)
        auditor.run()
    except Wrong as wrong:
        return (auditor.problems if auditor else []) + [str(wrong)]
    return auditor.problems
