"""Rule options of Three-Thirteen: what is refused and why, and what the kernels get (RULES.md, section 7)."""

from __future__ import annotations

import json

import pytest

from simlib.games.three_thirteen.rules import CONTRACT, SCHEDULES, ThreeThirteenRules, pack_size
from tests.reference import three_thirteen as reference
from tests.three_thirteen_help import GAME_VARIANTS, encoded

REFUSED = [
    ({"players": 9}, "players=9"),
    ({"players": True}, "players"),
    ({"decks": 5}, "decks=5"),
    ({"decks": 1, "players": 4}, "need 53"),
    ({"schedule": "long"}, "schedule='long'"),
    ({"wild_penalty": -1}, "wild_penalty=-1"),
    ({"max_wilds_per_meld": -1}, "max_wilds_per_meld=-1"),
    ({"jokers": 5}, "jokers=5"),
    ({"first_dealer": 4}, "no seat"),
    ({"max_turns": 0}, "max_turns=0"),
    ({"aces": "high"}, "aces='high'"),
    ({"contract": {"5": (2, 0)}}, "cannot hold 2 melds"),
    ({"contract": {"5": (1, 0)}}, "no pattern for hands of 3"),
    ({"contract": {"15": (1, 0)}}, "contract"),
    ({"lay_of": True}, "did you mean 'lay_off'"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=str)
def test_nonsense_is_refused_with_a_reason(options, message):
    with pytest.raises(ValueError, match=message):
        ThreeThirteenRules.make(**options)


def test_defaults_are_those_of_the_reference():
    options = ThreeThirteenRules().options()
    assert options.pop("aligned_stock") is True
    assert options == reference.DEFAULTS
    assert reference.CONTRACT == CONTRACT


@pytest.mark.parametrize("options", GAME_VARIANTS, ids=str)
def test_the_reference_can_play_what_is_accepted(options):
    rules, record, plain = encoded(**options)
    assert reference.nonsensical(plain) is None
    assert pack_size(rules) == len(reference.pack(plain)) == record[0]["cards"]
    assert [size for size, _ in reference.schedule(plain)] == list(SCHEDULES[rules.schedule])


def test_a_custom_contract_survives_json():
    table = dict.fromkeys(range(3, 14), (1, 0))
    rules = ThreeThirteenRules.make(contract=table)
    again = ThreeThirteenRules.make(**json.loads(json.dumps(rules.options())))
    assert again == rules and again.digest == rules.digest
    assert rules.digest != ThreeThirteenRules().digest
