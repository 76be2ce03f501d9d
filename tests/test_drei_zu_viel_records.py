"""Game records of 3 sind eine zu viel!: written, read, and refused when something in them is wrong."""

from __future__ import annotations

import copy
import random
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from drei_zu_viel_games import arranged, deal_of, dealt, hand
from reference import drei_zu_viel as ref

from simlib.games.drei_zu_viel import GAME
from simlib.games.drei_zu_viel.record import set_up, write

RULES = GAME.rules.make(players=3, silver_check="card", neutral_points=2)


@pytest.fixture(scope="module")
def record():
    """A record of a random game made by the reference, not by the library."""
    return ref.random_record(RULES.options(), random.Random(5))


def replay(record):
    return list(GAME.codec.replay(GAME.rules.make(**record["rules"]), record))


def test_a_record_of_the_reference_replays(record):
    lines = replay(record)
    assert sum("plays" in line and "first" not in line for line in lines) == 54
    assert [line for line in lines if line.startswith("—")] == [f"— third {k} —" for k in (1, 2, 3)]


def test_the_lines_say_what_happened():
    state = arranged([[29, 59], [58]], opening=(1, 15, 3), starter=0)
    rules = GAME.rules.make(players=2)
    states, actions, seat = np.zeros(1, GAME.STATE), [hand(state, 0).index(29)], 1
    states[0] = state
    GAME.step(state, actions[0])
    while seat >= 0:
        actions.append(0)
        seat = int(GAME.step(state, 0))
    lines = list(GAME.codec.replay(rules, write(rules, states, actions)))
    assert lines[0] == "Opening cards: 1 15 3; rows 0 1 3 15 | 30 | 60"
    assert lines[1] == "Seat 0, plays first: hand 2 4 5 6 7 8 29 59"
    assert lines[4] == "Seat 0 plays 29; takes 1 (colour 0). Row: 0 3 15 29"
    assert any("draws" in line for line in lines) and any("neutral" in line for line in lines[5:-2])
    assert lines[-2].startswith("Seat 0: ") and any("wins" in line or "shares" in line for line in lines[-2:])


@pytest.mark.parametrize("number", range(10))
def test_set_up_gives_the_dealt_state(number):
    state, _ = dealt(RULES, number)
    again = set_up(RULES, deal_of(state))[0]
    for name in ("table", "hand"):
        assert again[name].tobytes() == state[name].tobytes()
    assert again["deck"][:63].tolist() == state["deck"][:63].tolist()


def change(path, value):
    """A function that puts a value at a place of a record (None: deletes it)."""

    def apply(record):
        box = record
        for key in path[:-1]:
            box = box[key]
        if value is None:
            del box[path[-1]]
        else:
            box[path[-1]] = value

    return apply


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("deal",), None, "field 'deal' is missing"),
        (("events",), None, "field 'events' is missing"),
        (("events",), {}, "events must be a list"),
        (("result",), None, "field 'result' is missing"),
        (("deal", "starter"), 3, "deal.starter=3 is no seat of 3 players"),
        (("deal", "starter"), True, "deal.starter=True is no seat"),
        (("deal", "opening"), [1, 2], "deal.opening must be a list of 3 cards"),
        (("deal", "stacks", 1, 4), 30, r"deal.stacks\[1\]: 30 is none of the 87"),
        (("deal", "stacks", 1, 4), "7", r"deal.stacks\[1\]: '7' is none of the 87"),
        (("deal", "stacks", 2), None, "deal.stacks must be a list of 3 stacks"),
        (("events", 12, "play"), None, r"events\[12\]: field 'play' is missing"),
        (("events", 12, "play"), 0, r"events\[12\]: seat . cannot play 0"),
        (("events", 12), 7, r"events\[12\] must be an object"),
        (("events", 12, "seat"), 9, r"events\[12\]: seat is 9"),
        (("events", 12, "took"), [99], r"events\[12\]: took is \[99\]"),
        (("events", 53), None, "the game is not over after 53 plays"),
        (("result", "scores"), [0, 0], "result: scores is"),
        (("result", "gold"), None, "result: field 'gold' is missing"),
        (("result", "win_share", 0), 0.5, "result: win_share is"),
    ],
)
def test_what_is_wrong_is_named(record, path, value, words):
    wrong = copy.deepcopy(record)
    change(path, value)(wrong)
    with pytest.raises(ValueError, match=words):
        replay(wrong)
    assert ref.audit(wrong)


def test_a_card_dealt_twice_and_an_event_too_many(record):
    twice = copy.deepcopy(record)
    twice["deal"]["stacks"][0][0] = twice["deal"]["stacks"][1][0]
    with pytest.raises(ValueError, match="was dealt 2 times"):
        replay(twice)
    longer = copy.deepcopy(record)
    longer["events"].append(longer["events"][-1])
    with pytest.raises(ValueError, match=r"events\[54\]: the game was already over"):
        replay(longer)


def test_a_starter_against_the_rules(record):
    wrong = copy.deepcopy(record)
    wrong["rules"]["starter"] = (wrong["deal"]["starter"] + 1) % 3
    with pytest.raises(ValueError, match="but the rules say starter="):
        replay(wrong)


def test_every_number_counts(record):
    """Any other number in an event or the result is found."""
    for box in [*record["events"][::9], record["result"]]:
        for name in box:
            wrong = copy.deepcopy(record)
            twin = wrong["result"] if box is record["result"] else wrong["events"][record["events"].index(box)]
            twin[name] = [1000] if isinstance(twin[name], list) else 1000
            with pytest.raises(ValueError):
                replay(wrong)
