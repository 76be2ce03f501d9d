"""The weights that policies come with are those that their experiments found: nobody ships others unnoticed."""

from __future__ import annotations

import pathlib

import pytest

import simlib as sl
from experiments._shipped import found_weights

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"
#: Policy, experiment, and the numeric parameters that are set by hand.
SHIPPED = [
    ("drei_zu_viel/careful", "drei_tune_careful", set()),
    ("big_three/counting", "big_fit_counting", {"show"}),
    (
        "three_thirteen/potential",
        "thirteen_tune_potential",
        {"penalty", "wild_share", "hold", "wild_draw", "wait"},
    ),
]


@pytest.mark.parametrize(("policy", "experiment", "by_hand"), SHIPPED, ids=[name for name, _, _ in SHIPPED])
def test_shipped_weights_are_those_found(policy: str, experiment: str, by_hand: set[str]) -> None:
    """Issue 5: the shipped weights come from such runs."""
    shipped = sl.policy(policy)
    numbers = {p.name: shipped.params[p.name] for p in shipped.parameters if not p.is_policy}
    assert found_weights(RESULTS / experiment) == {k: v for k, v in numbers.items() if k not in by_hand}
