"""What the experiments on *3 sind eine zu viel!* share: games looked at play by play, and playing in two phases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import simlib as sl
from simlib._dispatch import ask
from simlib.batch import Batch
from simlib.engine import make_work
from simlib.policies.drei_zu_viel.values import plays_left
from simlib.stats.clusters import ratio_interval
from simlib.stats.intervals import Estimate, wilson_interval

GAME = "drei_zu_viel"
PLAYS = 18
WIDTH = 1000


@sl.policy("drei_zu_viel", plays=(6, "plays of one's own that `first` decides"), first="filler", then="careful")
def phases(view, ctx):
    """Play like one policy at first and like another later."""
    later = int(18 - plays_left(view, view.seat) >= ctx.params[0])
    return ask(ctx, later, view.seat, view)


@sl.policy(
    "drei_zu_viel",
    begin=(0, "plays of one's own before which it does as `like`"),
    end=(18, "plays of one's own from which on it does so again"),
    like="careful",
)
def restrained(view, ctx):
    """Play like another policy, but take no cards while that can be avoided: play to the emptiest row instead."""
    choice = ask(ctx, 0, view.seat, view)
    made = 18 - plays_left(view, view.seat)
    if made < ctx.params[0] or made >= ctx.params[1]:
        return choice
    least = int(view.row_n[view.hand[choice] // 30])
    if least < 3:
        return choice
    for i in range(view.hand_n[view.seat]):
        held = int(view.row_n[view.hand[i] // 30])
        if held < least:
            least, choice = held, i
    return choice


def traced(line: list[str], deals: int, seed: int, rules: Any = None) -> Iterator[tuple[Any, Any]]:
    """Yield (tables, results) of up to WIDTH games at a time.

    Tables have shape (plays + 1, games): what lay open before the first play and after each. Every game is played
    by the policies first; its cards are then played once more, one by one, by the library's own rules.
    """
    work = make_work(GAME, line, seed, rules=rules)
    for first in range(0, deals, WIDTH):
        n = min(WIDTH, deals - first)
        played = Batch.of_work(work, n, first)
        results = played.finish()
        opening = int(work.rules.opening_cards)
        history = played.states["table"]["history"]
        again = Batch.of_work(work, n, first)
        tables = [again.states["table"].copy()]
        for k in range(PLAYS * len(line)):
            hand = again.observe()["hand"]
            again.step((hand == history[:, opening + k, None]).argmax(axis=1))
            tables.append(again.states["table"].copy())
        yield np.array(tables), results


def gather(
    line: list[str],
    deals: int,
    seed: int,
    count: Callable[[Any, Any], Any],
    labels: Sequence[str],
    *,
    scales: Sequence[int] | None = None,
    rules: Any = None,
) -> dict[str, Estimate]:
    """Return ratios of sums over games, clustered by deal; what occurs in fewer than two deals is left out.

    `count` makes of (tables, results) an integer array (games, labels, 2): sums (× its scale) and how often.
    """
    pairs = np.concatenate([count(*part) for part in traced(line, deals, seed, rules)])
    out = {}
    for i, label in enumerate(labels):
        total, times = pairs[:, i, 0], pairs[:, i, 1]
        if np.count_nonzero(times) >= 2:
            once = (times == 1).all() and ((total == 0) | (total == 1)).all()
            exact = wilson_interval(int(total.sum()), len(total)) if once else None
            out[label] = exact or ratio_interval(total, times, scale=1 if scales is None else scales[i])
    return out


def open_cards(tables: Any) -> Any:
    """Return the cards taken so far, shape (…, seats)."""
    return tables["colours"].sum(axis=-1, dtype=np.int64) + tables["face_down"]


def pairs(tables: Any) -> Any:
    """Return the colours that lie open twice, shape (…, seats)."""
    return (tables["colours"][..., :7] == 2).sum(axis=-1)


def actor(tables: Any, players: int) -> Any:
    """Return the seat of each play, shape (plays, games)."""
    return (tables["starter"][0] + np.arange(len(tables) - 1)[:, None]) % players


def of_actor(tables: Any, values: Any, players: int) -> Any:
    """Return of values (plays, games, seats) those of the seat that played, shape (plays, games)."""
    return np.take_along_axis(values, actor(tables, players)[..., None], axis=2)[..., 0]
