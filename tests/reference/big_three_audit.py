"""Audit of Big Three records against the slow reference, and random deals and records to try it on."""

import random

from .big_three import (
    DEFAULTS,
    Game,
    deal_problems,
    deck,
    full_rules,
    hand_size,
    is_int,
    nonsensical,
    rule_problems,
)

FORMAT, GAME = "simlib-record/1", "big_three"


# ---------------------------------------------------------------------------------------------------- audit


def audit(record):
    """Everything wrong with a record (parsed JSON), as sentences; an empty list means it is right.

    Fields the format does not name are allowed, except among the rules and the kinds of events.
    """
    if not isinstance(record, dict):
        return ["record: not an object"]
    problems = _head_problems(record)
    rules = record.get("rules")
    if not isinstance(rules, dict):
        return [*problems, "rules: missing or not an object"]
    problems += [f"rules: {name} is missing" for name in DEFAULTS if name not in rules]
    wrong = rule_problems(rules)
    if not wrong and nonsensical(rules):
        wrong = [f"rules: {nonsensical(rules)}"]
    if wrong:
        return problems + wrong
    problems += _policy_problems(record, {**DEFAULTS, **rules}["players"])
    wrong = deal_problems(rules, record.get("deal"))
    if wrong:
        return problems + wrong
    return problems + _replay_problems(record, Game(rules, record["deal"]))


def _head_problems(record):
    problems = []
    for name, wanted in (("format", FORMAT), ("game", GAME)):
        if record.get(name) != wanted:
            problems.append(f"{name}: {record.get(name)!r}, should be {wanted!r}")
    if not is_int(record.get("seed")):
        problems.append("seed: missing or not a whole number")
    if not is_int(record.get("index")) or record["index"] < 0:
        problems.append("index: missing, negative or not a whole number")
    return problems


def _policy_problems(record, players):
    names = record.get("policies")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return ["policies: missing or not a list of names"]
    if len(names) != players:
        return [f"policies: {len(names)} names for {players} seats"]
    return []


def _replay_problems(record, game):
    """Play the events; nothing after the first wrong one can be judged."""
    events = record.get("events")
    if not isinstance(events, list):
        return ["events: missing or not a list"]
    for number, event in enumerate(events):
        problem = _event_problem(game, event)
        if problem:
            return [f"events[{number}]: {problem}"]
        cards = [card for hand in game.hands for card in hand]
        if game.declarer is None:
            cards += game.widow
        cards += [card for e in game.events for card in e.get("play", [])]
        if sorted(cards) != sorted(deck(game.rules)):
            return [f"events[{number}]: cards in hands and on the table are no longer the deck"]
    if game.phase != "over":
        return [f"events: they stop in the phase {game.phase!r}, nobody is out"]
    return _result_problems(record.get("result"), game.result())


def _event_problem(game, event):
    """Make the event's move; why that is impossible, or None."""
    if not isinstance(event, dict):
        return "not an object"
    kinds = [kind for kind in ("bid", "call", "play", "pass") if kind in event]
    if len(kinds) != 1:
        return f"exactly one of bid, call, play and pass is needed, there is {kinds}"
    if game.phase == "over":
        return "the deal is over"
    if not is_int(event.get("seat")) or event["seat"] != game.to_act:
        return f"seat {event.get('seat')!r}, but seat {game.to_act} is to act"
    kind = kinds[0]
    if kind == "pass" and event["pass"] is not True:
        return "'pass' must be true"
    if kind == "play" and not isinstance(event["play"], list):
        return "'play' must be a list of cards"
    try:
        if kind == "pass":
            game.pass_()
        else:
            getattr(game, kind)(event[kind])
    except ValueError as error:
        return str(error)
    return None


def _result_problems(given, wanted):
    if not isinstance(given, dict):
        return ["result: missing or not an object"]
    problems = []
    for name, value in wanted.items():
        if name not in given:
            problems.append(f"result: {name} is missing")
        elif not _same(given[name], value):
            problems.append(f"result: {name} is {given[name]!r}, should be {value!r}")
    return problems


def _same(a, b):
    """Equal with equal types: Python has 1 == True == 1.0, a record has not."""
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return a == b


# ---------------------------------------------------------------------------------------------------- random play


def random_deal(rules, rng):
    """A shuffled deal in record form."""
    full = full_rules(rules)
    cards = deck(full)
    rng.shuffle(cards)
    size, players = hand_size(full), full["players"]
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(players)]
    return {"hands": hands, "widow": cards[players * size :]}


def random_rules(rng):
    """Every option at random, without contradictions; `straight_of` may be empty (no straights)."""
    while True:
        rules = {
            "players": rng.choice([3, 4]),
            "forced_bid": rng.random() < 0.5,
            "bomb_bonus": rng.random() < 0.5,
            "short_deck": rng.random() < 0.5,
            "scoring": rng.choice(["chips", "mcneely"]),
            "rank_order": rng.choice(["chinese", "western"]),
            "straight_of": [m for m in (1, 2, 3, 4) if rng.random() < 0.7],
            "min_straight": rng.choice([2, 3, 4, 5]),
            "widow_shown": rng.random() < 0.5,
        }
        if nonsensical(rules) is None:
            return rules


def random_move(game, rng):
    """Make one legal move, all options of `legal()` equally likely; returns its event."""
    move = rng.choice(game.legal())
    if game.phase == "auction":
        return game.bid(move)
    if game.phase == "call":
        return game.call(move)
    return game.pass_() if move == "pass" else game.play(game.cards_for(move))


def random_record(rules, rng):
    """A whole game of random legal moves, as a record; its seed is drawn from `rng` and gives it alone."""
    full = full_rules(rules)
    seed = rng.getrandbits(32)
    own = random.Random(seed)
    deal = random_deal(full, own)
    game = Game(full, deal)
    events = []
    while game.phase != "over":
        events.append(random_move(game, own))
    return {
        "format": FORMAT,
        "game": GAME,
        "rules": {**full, "straight_of": list(full["straight_of"])},
        "seed": seed,
        "index": 0,
        "policies": ["random"] * full["players"],
        "deal": deal,
        "events": events,
        "result": game.result(),
    }
