"""sl.compare: wrong arguments are named, before anything is played."""

from __future__ import annotations

import pytest

import simlib as sl

GAME = "drei_zu_viel"
CASES = [
    ({"game": "drei_zu_vil"}, ValueError, "unknown game 'drei_zu_vil'.*did you mean"),
    ({"baseline": "gredy"}, ValueError, "no policy 'gredy'.*did you mean 'greedy'"),
    ({"baseline": "greedy,random"}, ValueError, "baseline='greedy,random' names 2 policies"),
    ({"baseline": 7}, TypeError, "baseline must be a policy or its text, not 7"),
    ({"variants": {}}, ValueError, "variants: at least one"),
    ({"variants": []}, ValueError, "variants: at least one"),
    ({"variants": 5}, TypeError, "variants must be a dict"),
    ({"variants": {"baseline": "greedy"}}, ValueError, "the name 'baseline' is taken"),
    ({"variants": {1: "greedy"}}, TypeError, "a name must be a text, not 1"),
    ({"variants": ["greedy", "greedy"]}, ValueError, "two of the list are the same"),
    ({"variants": {"a": "gredy"}}, ValueError, "variant 'a': .*no policy 'gredy'"),
    ({"variants": {"a": 3}}, TypeError, "variant 'a' must be a policy"),
    ({"variants": {"a": {}}}, TypeError, "variant 'a' must be a policy"),
    ({"variants": {"a": {"opening_card": 1}}}, ValueError, "variant 'a': 'opening_card' is neither.*'opening_cards'"),
    ({"variants": {"a": {"opening_cards": 9}}}, ValueError, "variant 'a': rule option opening_cards=9"),
    ({"variants": {"a": {"players": 3}}}, ValueError, "variant 'a': players=3: all versions.*here 4"),
    ({"variants": {"a": "big_three/tips"}}, ValueError, "variant 'a'"),
    ({"opponents": ["random"] * 4}, ValueError, "opponents: 4 are given, which makes 5 players"),
    ({"opponents": ["random"], "rules": {"players": 3}}, ValueError, "opponents: 1 are given.*players=3"),
    ({"opponents": 3}, TypeError, "opponents must be a policy, its text, or a list"),
    ({"copies": 0}, ValueError, "copies=0 must be from 1 to 4"),
    ({"copies": 3, "rules": {"players": 2}}, ValueError, "copies=3: there are only 2 players"),
    ({"seatings": "some"}, ValueError, "seatings='some' must be"),
    ({"deals": 1}, ValueError, "deals=1: must be at least 2|deals=1 must be at least 2"),
    ({"deals": 2.5}, TypeError, "deals"),
    ({"seed": -1}, ValueError, "seed=-1 must be from 0"),
    ({"level": 1.0}, ValueError, "level=1.0"),
    ({"measure": "chips"}, ValueError, "measure='chips' must be 'score' or 'win_share'"),
    ({"until": "close"}, ValueError, "until='close' must be a half-width"),
    ({"until": -0.1}, ValueError, "until=-0.1"),
    ({"until": 0.1, "sprt": (0, 1)}, ValueError, "until, sprt: only one"),
    ({"until": 0.1, "covariates": True}, ValueError, "covariates=True goes with a fixed number"),
    ({"sprt": (0,)}, ValueError, r"sprt=\(0,\) must be \(lo, hi\)"),
    ({"sprt": (1, 0)}, ValueError, "h0 must be below h1"),
    ({"sprt": (0, 1, 0.6, 0.6)}, ValueError, "must add up to less than 1"),
    ({"sprt": (0, "a")}, TypeError, "must hold numbers"),
    ({"threads": 0}, ValueError, "threads=0 must be at least 1"),
    ({"executor": 3}, TypeError, "executor must be"),
    ({"rules": 3}, TypeError, "rules must be"),
    ({"resume": True}, ValueError, "resume=True needs out"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "error", "text"), CASES, ids=[str(c[0])[:60] for c in CASES])
def test_wrong_arguments_are_named(changed, error, text):
    given = {"game": GAME, "baseline": "random", "variants": ["greedy"], "deals": 10, "seed": 1, **changed}
    if "until" in changed or "sprt" in changed:
        del given["deals"]
    with pytest.raises(error, match=text):
        sl.compare(**given)


def test_a_name_of_parameter_and_option_alike_is_refused():
    @sl.policy(GAME, opening_cards=(0, "named like a rule option"), other=(0, "its own"))
    def confusing(view, ctx):
        return 0

    with pytest.raises(ValueError, match=r"'opening_cards' is a parameter of 'confusing' and a rule option"):
        sl.compare(GAME, confusing, {"a": {"opening_cards": 1}}, deals=10)
    with pytest.raises(ValueError, match=r"mixes parameters of 'confusing' \(other\) with rule options"):
        sl.compare(GAME, confusing, {"a": {"other": 1, "neutral_points": 1}}, deals=10)


def test_unknown_names_in_a_result():
    found = sl.compare(GAME, "random", ["greedy"], deals=10, seed=1, opponents=["lowest"], seatings="fixed")
    with pytest.raises(ValueError, match=r"variant='gredy' was not compared.*did you mean 'greedy'"):
        found.estimate("gredy")
    with pytest.raises(ValueError, match=r"field='chips' must be one of score, win_share"):
        found.estimate("greedy", "chips")
    with pytest.raises(ValueError, match=r"seat=1: must be one of \[0\]"):
        found.estimate("greedy", "score", 1)


def test_a_mistake_of_a_policy_comes_through():
    @sl.policy(GAME)
    def cheat(view, ctx):
        return 100

    with pytest.raises(sl.IllegalAction, match="illegal action 100"):
        sl.compare(GAME, "random", {"cheat": cheat}, deals=10, seed=1)
