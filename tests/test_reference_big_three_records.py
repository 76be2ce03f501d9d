"""Tests of the slow reference of Big Three: random play under every option, whole records, and their audit."""

import json
import random
import sys
from copy import deepcopy
from itertools import product
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from reference import big_three as ref
from reference.big_three_audit import audit, random_deal, random_record, random_rules

SWITCHES = {
    "players": [3, 4],
    "forced_bid": [False, True],
    "bomb_bonus": [False, True],
    "short_deck": [False, True],
    "scoring": ["chips", "mcneely"],
    "rank_order": ["chinese", "western"],
    "widow_shown": [False, True],
}


def every_combination():
    """All combinations of the switches that make sense, the straight options changing with them."""
    rules = [dict(zip(SWITCHES, values, strict=True)) for values in product(*SWITCHES.values())]
    rules = [r for r in rules if ref.nonsensical(r) is None]
    for number, r in enumerate(rules):
        r["straight_of"] = [[1, 2, 3, 4], [1, 2], [2, 4], []][number % 4]
        r["min_straight"] = [3, 2, 5][number % 3]
    return rules


def record_of(rules, seed=1):
    """A random record as it comes out of a file."""
    return json.loads(json.dumps(random_record(rules, random.Random(seed))))


# ---------------------------------------------------------------------------------------------------- random play


def test_random_play_under_every_option():
    """rules/big_three.md, all sections: audited records, sums, and the outcome from the events alone."""
    combinations = every_combination()
    assert len(combinations) == 96
    for number, rules in enumerate(combinations):
        record = record_of(rules, number)
        assert audit(record) == []
        check_sums(rules, record)
        check_outcome(rules, record)


def check_sums(rules, record):
    """Chips sum to zero; McNeely scores as the option says; the cards played were dealt, none twice."""
    result, players = record["result"], rules["players"]
    value = result["bid"] * (2 if rules["bomb_bonus"] and result["bombs"] else 1)
    if rules["scoring"] == "chips":
        assert sum(result["scores"]) == 0
        assert max(map(abs, result["scores"])) == (2 * value if players == 3 else value)
    elif players == 4:
        assert sorted(result["scores"]) == [0, 0, 2 * value, 2 * value]
    else:
        assert sorted(map(abs, result["scores"])) == [0, 0, 2 * value]
    played = [card for event in record["events"] for card in event.get("play", [])]
    assert len(played) == len(set(played))
    assert set(played) <= set(ref.deck(rules))


def check_outcome(rules, record):
    """Declarer, bid, first out and bombs as the events show them, and the last player has laid all their cards."""
    events, result, deal = record["events"], record["result"], record["deal"]
    bids = [e for e in events if e.get("bid")]
    plays = [e for e in events if "play" in e]
    assert (bids[-1]["seat"], bids[-1]["bid"]) == (result["declarer"], result["bid"])
    assert plays[0]["seat"] == bids[0]["seat"] == events[0]["seat"]
    out = result["first_out"]
    assert plays[-1] is events[-1]
    assert events[-1]["seat"] == out
    laid = [card for e in plays if e["seat"] == out for card in e["play"]]
    assert sorted(laid) == sorted(deal["hands"][out] + (deal["widow"] if out == result["declarer"] else []))
    assert result["bombs"] == sum((ref.classify(e["play"], rules) or (0,))[0] == 4 for e in plays)
    if rules["players"] == 4:
        (call,) = [e for e in events if "call" in e]
        assert call["seat"] == result["declarer"] != result["partner"]
        assert call["call"] in deal["hands"][result["partner"]]
    if result["forced"]:
        assert rules["forced_bid"]
        assert ref.must_bid_three(deal["hands"][result["declarer"]])


def test_records_repeat_from_their_seed():
    """game-records.md: the seed of a record gives the record."""
    first = record_of({"players": 4})
    assert record_of({"players": 4}) == first
    again = random.Random(first["seed"])
    assert random_deal(first["rules"], again) == first["deal"]


def test_opening_heart_of_many_deals():
    """facts.md, Big Three: 4♥ in the widow 1/13, then first bidder's heart 5 with probability 16/221."""
    rng, number = random.Random(7), 3000
    hearts = [ref.first_bidder({}, random_deal({}, rng)["hands"])[1] for _ in range(number)]
    for heart, p in (("4h", 12 / 13), ("5h", 16 / 221)):
        deviation = (p * (1 - p) / number) ** 0.5
        assert abs(hearts.count(heart) / number - p) < 5 * deviation


# ---------------------------------------------------------------------------------------------------- audit


def test_added_fields_are_allowed():
    """game-records.md: fields may be added."""
    record = record_of({})
    record["note"], record["result"]["turns"], record["events"][0]["seconds"] = "x", 12, 1.5
    assert audit(record) == []


@pytest.mark.parametrize("value", [None, [], "text", 3, {}])
def test_nonsense_is_no_record(value):
    """game-records.md: anything at all, audited without falling over."""
    assert audit(value)


@pytest.mark.parametrize("players", [3, 4])
def test_missing_and_misshapen_fields(players):
    """game-records.md: each field left out, or replaced by something else, is noticed."""
    record = record_of({"players": players})
    places = [(), ("rules",), ("deal",), ("result",), *(("events", i) for i in range(len(record["events"])))]
    for place in places:
        for name in inner(record, place):
            wrong = deepcopy(record)
            del inner(wrong, place)[name]
            assert audit(wrong), (place, name)
            for junk in ("junk", 2.5, {"a": 1}, [[]], None, -1):
                if junk == inner(record, place)[name]:
                    continue
                wrong = deepcopy(record)
                inner(wrong, place)[name] = junk
                allowed = (name, junk) == ("seed", -1)
                assert bool(audit(wrong)) is not allowed, (place, name, junk)


def inner(record, place):
    """The part of a record at a path."""
    for step in place:
        record = record[step]
    return record


@pytest.mark.parametrize("players", [3, 4])
def test_events_dropped_doubled_or_moved(players):
    """rules/big_three.md, Auction 2 and Play 2: every event has its place in the order of seats."""
    record = record_of({"players": players}, 2)
    events = record["events"]
    for i, event in enumerate(events):
        for changed in (
            events[:i] + events[i + 1 :],
            [*events[: i + 1], event, *events[i + 1 :]],
            [*events[:i], {**event, "seat": (event["seat"] + 1) % players}, *events[i + 1 :]],
            events[:i],
        ):
            assert audit({**record, "events": changed}), i
    assert audit({**record, "events": [*events, {"seat": 0, "pass": True}]})


def tamper_rules(record, rng):
    record["rules"]["jokers"] = True


def tamper_rules_contradiction(record, rng):
    record["rules"].update(players=4, short_deck=True)


def tamper_card_swapped(record, rng):
    """A card that was played comes from another hand."""
    event = rng.choice([e for e in record["events"] if "play" in e and e["seat"] != record["result"]["declarer"]])
    hands, card = record["deal"]["hands"], event["play"][0]
    other = hands[(event["seat"] + 1) % len(hands)]
    mine = hands[event["seat"]]
    mine[mine.index(card)], other[0] = other[0], card


def tamper_card_twice(record, rng):
    record["deal"]["hands"][0][0] = record["deal"]["hands"][1][0]


def tamper_play_card(record, rng):
    event = rng.choice([e for e in record["events"] if "play" in e])
    held = record["deal"]["hands"][event["seat"]] + record["deal"]["widow"]
    event["play"][0] = next(c for c in ref.deck({}) if c not in held)


def tamper_play_again(record, rng):
    """A card is played a second time in the place of another."""
    plays = [e for e in record["events"] if "play" in e]
    last = plays[-1]
    last["play"][0] = next(e for e in plays if e["seat"] == last["seat"])["play"][0]


def tamper_pass_and_play(record, rng):
    rng.choice([e for e in record["events"] if "play" in e])["pass"] = True


def tamper_pass_false(record, rng):
    rng.choice([e for e in record["events"] if "pass" in e])["pass"] = 1


def tamper_first_bid(record, rng):
    record["events"][0]["bid"] = 0


def tamper_true_for_one(record, rng):
    record["events"][0]["seat"] = bool(record["events"][0]["seat"])


def tamper_scores(record, rng):
    record["result"]["scores"][rng.randrange(3)] += 1


def tamper_scores_float(record, rng):
    record["result"]["scores"] = [float(score) for score in record["result"]["scores"]]


def tamper_bombs(record, rng):
    record["result"]["bombs"] += 1


def tamper_winner(record, rng):
    record["result"]["declarer_won"] = int(record["result"]["declarer_won"])


def tamper_forced(record, rng):
    record["result"]["forced"] = not record["result"]["forced"]


def tamper_first_out(record, rng):
    record["result"]["first_out"] = (record["result"]["first_out"] + 1) % 3


def tamper_policies(record, rng):
    record["policies"].append("random")


TAMPERINGS = [f for name, f in sorted(globals().items()) if name.startswith("tamper_")]


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda f: f.__name__)
def test_tampered_records_are_rejected(tamper):
    """game-records.md and rules/big_three.md: structure, cards, events and result are all checked."""
    rng = random.Random(8)
    for _ in range(6):
        record = record_of({"players": rng.choice([3, 4])}, rng.random())
        assert audit(record) == []
        tamper(record, rng)
        assert audit(record)


def test_forced_bid_is_audited():
    """rules/big_three.md, Variants, forced_bid: a forced hand that bids 1 is noticed."""
    rng = random.Random(9)
    record = {}
    while not record or not ref.must_bid_three(record["deal"]["hands"][record["events"][0]["seat"]]):
        record = record_of({}, rng.random())
        record["events"][0]["bid"] = 1
    bid = {"rules": {**record["rules"], "forced_bid": True}}
    assert any("forced to bid 3" in problem for problem in audit({**record, **bid}))


def test_random_rules_are_sound():
    """rules/big_three.md, Variants: random options are valid and all values occur."""
    rng = random.Random(10)
    drawn = [random_rules(rng) for _ in range(200)]
    assert all(not ref.rule_problems(rules) and ref.nonsensical(rules) is None for rules in drawn)
    for name, values in SWITCHES.items():
        assert {rules[name] for rules in drawn} == set(values)
