"""Line-ups of a tournament, and how much each one weighs in a policy's rating."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LineUp = tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """The line-ups that are played.

    Attributes
    ----------
    lineups : tuple of tuple of int
        Policies by number, ascending; a policy may hold several seats.
    weights : dict of (lineup number, policy) to int
        Weight of a line-up in the rating of a policy that plays in it, before division by `total`.
    total : tuple of int
        Sum of the weights of each policy.
    complete : bool
        Whether these are all line-ups there are.
    """

    lineups: tuple[LineUp, ...]
    weights: dict[tuple[int, int], int]
    total: tuple[int, ...]
    complete: bool


def _arrangements(others: LineUp) -> int:
    """In how many orders these policies can sit: the weight of a set of opponents drawn independently."""
    out = math.factorial(len(others))
    for count in Counter(others).values():
        out //= math.factorial(count)
    return out


def make_schedule(policies: int, players: int, most: int, seed: int) -> Schedule:
    """Return all line-ups of `players` seats, or a balanced sample when there are more than `most`.

    A policy's rating is its mean over opponents drawn independently and uniformly among the policies, so that a line-up
    weighs as many orders as its opponents have. In a sample each policy plays in equally many line-ups as
    nearly as possible, and every sampled line-up weighs the same in each of its policies.
    """
    everything = list(itertools.combinations_with_replacement(range(policies), players))
    if len(everything) <= most:
        chosen, complete = everything, True
    else:
        chosen, complete = _sample(policies, players, most, seed), False
    weights: dict[tuple[int, int], int] = {}
    for number, lineup in enumerate(chosen):
        for policy in set(lineup):
            others = list(lineup)
            others.remove(policy)
            weights[number, policy] = _arrangements(tuple(others)) if complete else 1
    total = tuple(sum(w for (_, p), w in weights.items() if p == policy) for policy in range(policies))
    return Schedule(tuple(chosen), weights, total, complete)


def _sample(policies: int, players: int, most: int, seed: int) -> list[LineUp]:
    """Deal the policies into line-ups from shuffled packs, so that each occurs equally often; no line-up twice."""
    rng = np.random.default_rng(seed)
    found: dict[LineUp, None] = {}
    pack: list[int] = []
    for _ in range(100 * most):
        while len(pack) < players:
            pack += rng.permutation(policies).tolist()
        found[tuple(sorted(pack[:players]))] = None
        pack = pack[players:]
        if len(found) == most:
            break
    return list(found)


def scale_of(schedule: Schedule, slots: Sequence[dict[int, int]]) -> tuple[int, dict[tuple[int, int], int]]:
    """Return a common denominator, and the integer factor of each (line-up, policy) total.

    The sum over line-ups of ``factor × (sum of a policy's values in a deal)``, divided by ``denominator``, is the
    policy's weighted mean in that deal, exactly.

    Parameters
    ----------
    schedule : Schedule
    slots : list of dict
        For each line-up how many games and seats each of its policies plays in one deal.
    """
    parts = {key: (weight, schedule.total[key[1]] * slots[key[0]][key[1]]) for key, weight in schedule.weights.items()}
    denominator = math.lcm(*(d // math.gcd(w, d) for w, d in parts.values()))
    return denominator, {key: w * denominator // d for key, (w, d) in parts.items()}
