"""Records of Big Three: audited by the reference, replayed, and refused where they are wrong."""

from __future__ import annotations

import copy
import json
import random

import numpy as np
import pytest
from big_three_helpers import Table
from reference.big_three_audit import audit, random_record, random_rules

from simlib.games.big_three import GAME
from simlib.games.big_three.combos import NAMED
from simlib.games.big_three.record import CODEC

FOUR = {"players": 4}


def written(options, seed, prefer=None):
    """A record of a game of random legal actions, as the library writes it."""
    rng = random.Random(seed)
    table = Table(options, seed=seed)
    start = table.array.copy()
    actions = []
    while table.to_act >= 0:
        legal = table.legal()
        liked = [a for a in legal if prefer and prefer(a)]
        actions.append(rng.choice(liked or legal))
        table.step(actions[-1])
    rules = GAME.rules.make(**options)
    head = {"format": "simlib-record/1", "game": "big_three", "rules": rules.options(), "seed": seed, "index": 0}
    record = {**head, "policies": ["random"] * rules.players, **CODEC.write(rules, start, np.array(actions))}
    return rules, json.loads(json.dumps(record)), actions


@pytest.mark.parametrize("seed", range(60))
def test_written_records_pass_the_audit(seed):
    """RULES.md 1 to 7: the reference plays the record and finds nothing wrong; the library replays it."""
    options = random_rules(random.Random(seed))
    options["straight_of"] = tuple(options["straight_of"])
    rules, record, _ = written(options, seed)
    assert audit(record) == []
    lines = list(CODEC.replay(rules, record))
    assert lines[-1].startswith("Scores: ") and len(lines) >= len(record["events"])


@pytest.mark.parametrize("seed", range(40))
def test_named_card_played_by_choice(seed):
    """RULES.md 7.1: a record shows whether the holder's combination contained the named card."""
    _, record, actions = written(FOUR, seed, prefer=lambda a: a >= NAMED)
    assert audit(record) == []
    called = next(e["call"] for e in record["events"] if "call" in e)
    for event, action in zip(record["events"], actions, strict=True):
        if action >= NAMED:
            assert called in event["play"]


def test_some_games_choose_the_named_card():
    """RULES.md 7.1: the choice does come up in the test above."""
    assert any(a >= NAMED for seed in range(40) for a in written(FOUR, seed, prefer=lambda a: a >= NAMED)[2])


@pytest.mark.parametrize("seed", range(60))
def test_records_of_the_reference_are_replayed(seed):
    """docs/game-records.md: any suits of the ranks played are understood."""
    rng = random.Random(seed)
    options = random_rules(rng)
    record = random_record(options, rng)
    rules = GAME.rules.make(**{**options, "straight_of": tuple(options["straight_of"])})
    for event in record["events"]:
        event.get("play", []).reverse()
    assert list(CODEC.replay(rules, record))


def test_other_suits_than_the_lowest():
    """docs/game-records.md: a record may choose any suits; only what is held counts."""
    rules, record, _ = written({}, 3)
    number = next(i for i, e in enumerate(record["events"]) if "play" in e)
    seat, cards = record["events"][number]["seat"], record["events"][number]["play"]
    hand = record["deal"]["hands"][seat]
    other = [c for c in hand if c[0] == cards[0][0] and c not in cards]
    changed = copy.deepcopy(record)
    swap = {cards[0]: other[0], other[0]: cards[0]} if other else {}
    for event in changed["events"]:
        if event["seat"] == seat and "play" in event:
            event["play"] = [swap.get(c, c) for c in event["play"]]
    assert audit(changed) == [] and list(CODEC.replay(rules, changed))


def spoil(record, path, value):
    out = copy.deepcopy(record)
    place = out
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return out


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["deal"], KeyError, "'deal' is missing"),
        (["deal", "hands", 0, 0], "XX", r"deal.hands\[0\]"),
        (["deal", "hands", 0, 0], "4H", r"deal.hands\[0\]"),
        (["deal", "widow"], [], "deal.widow must be a list of 4"),
        (["events"], {}, "events must be a list"),
        (["events", 0, "seat"], 7, r"events\[0\]: seat 7"),
        (["events", 0, "bid"], 0, r"events\[0\]: bid 0"),
        (["events", 0, "bid"], True, r"events\[0\]: bid True"),
        (["events", 0, "pass"], True, "exactly one"),
        (["events", 0, "bid"], KeyError, "exactly one"),
        (["events", 3], {}, r"events\[3\]"),
        (["result", "scores"], [0, 0, 0], "result: scores"),
        (["result", "forced"], 0, "result: forced"),
        (["result", "bid"], KeyError, "'bid' is missing"),
    ],
)
def test_damaged_records_are_refused(path, value, message):
    """Design, Errors: the message names the place."""
    rules, record, _ = written({}, 5)
    with pytest.raises(ValueError, match=message):
        list(CODEC.replay(rules, spoil(record, path, value)))


def test_unfinished_and_overlong_records():
    """RULES.md 4.5: the events end exactly when somebody is out."""
    rules, record, _ = written({}, 6)
    with pytest.raises(ValueError, match="not over"):
        list(CODEC.replay(rules, {**record, "events": record["events"][:-1]}))
    with pytest.raises(ValueError, match="already over"):
        list(CODEC.replay(rules, {**record, "events": record["events"] + record["events"][-1:]}))


def test_cards_not_held_and_no_combination():
    """RULES.md 3, 4.1: only own cards, only combinations."""
    rules, record, _ = written({}, 7)
    number = next(i for i, e in enumerate(record["events"]) if "play" in e)
    seat = record["events"][number]["seat"]
    others = record["deal"]["hands"][(seat + 1) % 3]
    with pytest.raises(ValueError, match="does not hold"):
        list(CODEC.replay(rules, spoil(record, ["events", number, "play"], others[:1])))
    own = record["deal"]["hands"][seat]
    with pytest.raises(ValueError, match="no combination"):
        list(CODEC.replay(rules, spoil(record, ["events", number, "play"], [own[0], own[-1]])))
