"""Numbers for figures of a run, gathered chunk by chunk: a run may be larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.stats.accumulators import Moments
from simlib.stats.clusters import ratio_means
from simlib.stats.intervals import Estimate, linear_interval

if TYPE_CHECKING:
    from simlib.results import Runs

Array = np.ndarray[Any, Any]


def part_estimates(runs: Runs, field: str, *, level: float = 0.95) -> list[list[Estimate]]:
    """Return, for each policy, the mean of a field in each part (third, round) that the rules play.

    Works for runs that kept only their summary.

    Parameters
    ----------
    field : str
        A column of the game by part and seat, as ``third_taken`` or ``round_penalty``.

    Raises
    ------
    ValueError
        When the game has no such column.
    """
    parts = runs.sufficient.parts
    if field not in parts:
        known = ", ".join(parts) or "none"
        raise ValueError(f"field={field!r}: {runs.game.name} has no such column by part; columns: {known}")
    out = []
    for j, held in enumerate(runs.slots.counts):
        weights: list[Any] = [0] * parts[field][0].columns
        weights[j] = Fraction(1, held)
        played = parts[field][: part_count(runs)]
        out.append([linear_interval(m, weights, level=level, n_games=m.n * held) for m in played])
    return out


def part_count(runs: Runs) -> int:
    """Return how many parts (thirds, rounds) the rules of a run play; 0 for a game without parts."""
    game = runs.game
    if not game.parts:
        return 0
    if game.name == "three_thirteen":
        from simlib.games.three_thirteen.rules import SCHEDULES

        return len(SCHEDULES[runs.manifest["rules"]["schedule"]])
    return int(game.RESULT[f"{game.parts}_score"].shape[0])


def has_standing(runs: Runs) -> bool:
    """Whether the game keeps what each seat has after each part."""
    names = runs.game.RESULT.names or ()
    part = runs.game.parts
    return bool(part) and any(f"{part}_{what}" in names for what in ("score", "penalty"))


def standing(runs: Runs, rows: Array) -> Array:
    """Return the score of each seat after each part: int64, shape (deals, seatings, parts, players).

    Where a game keeps a penalty a part, it is minus the sum of the penalties so far.

    Raises
    ------
    ValueError
        When the game keeps neither.
    """
    game, players, parts = runs.game, len(runs.policies), part_count(runs)
    if not has_standing(runs):
        raise ValueError(f"{game.name} keeps no score by part")
    name = f"{game.parts}_score"
    if name in (game.RESULT.names or ()):
        return rows[name][..., :parts, :players].astype(np.int64)
    penalty: Array = rows[f"{game.parts}_penalty"][..., :parts, :players].astype(np.int64)
    return -np.cumsum(penalty, axis=2)


def standing_estimates(runs: Runs, *, level: float = 0.95) -> list[list[Estimate]]:
    """Return, for each policy, the mean score after each part, with intervals clustered by deal.

    Raises
    ------
    ValueError
        When the game keeps no score by part, or only a penalty by part and the run kept only its summary: sums over
        parts need the rows.
    """
    if f"{runs.game.parts}_score" in runs.sufficient.parts:
        return part_estimates(runs, f"{runs.game.parts}_score", level=level)
    moments: list[Moments] | None = None
    slots = runs.slots
    for _, rows in runs.chunks():
        after = standing(runs, rows)
        found = [Moments.from_values(slots.totals(after[:, :, p])) for p in range(after.shape[2])]
        moments = found if moments is None else [a + b for a, b in zip(moments, found, strict=True)]
    assert moments is not None
    out = []
    for j, held in enumerate(slots.counts):
        weights = [Fraction(int(j == k), held) for k in range(len(slots.counts))]
        out.append([linear_interval(m, weights, level=level, n_games=m.n * held) for m in moments])
    return out


def ratios(
    runs: Runs, build: Callable[[Array], tuple[Array, Array]], *, level: float = 0.95, scale: int = 1
) -> list[Estimate | None]:
    """Return means of things that happen an unequal number of times a deal, clustered by deal.

    Parameters
    ----------
    build : callable
        From RESULT rows of shape (deals, seatings) to (totals, counts), integers of shape (deals, k): for each deal
        what k kinds of games add up to (× `scale`), and how many of each kind there are.

    Returns
    -------
    list of Estimate or None
        None for a kind that never happens.
    """
    moments: Moments | None = None
    for _, rows in runs.chunks():
        totals, counts = build(rows)
        wide = np.concatenate([totals.astype(np.int64), counts.astype(np.int64) * scale], axis=1)
        found = Moments.from_values(wide, scale)
        moments = found if moments is None else moments + found
    assert moments is not None
    k = moments.columns // 2
    there = [i for i in range(k) if moments.sums[k + i] > 0]
    joint = ratio_means(moments, there, [k + i for i in there], level=level) if there else None
    out: list[Estimate | None] = [None] * k
    for place, i in enumerate(there):
        out[i] = joint.estimate(place)  # type: ignore[union-attr]
    return out


def by_group(values: Array, group: Array, groups: int) -> tuple[Array, Array]:
    """Return (totals, counts) of shape (deals, groups) of values and group numbers of equal shape (deals, …).

    A negative group counts nowhere.
    """
    deals = len(values)
    flat = group.reshape(deals, -1).astype(np.int64)
    value = values.reshape(deals, -1).astype(np.int64)
    totals = np.stack([np.where(flat == g, value, 0).sum(axis=1) for g in range(groups)], axis=1)
    counts = np.stack([(flat == g).sum(axis=1) for g in range(groups)], axis=1)
    return totals, counts


def seated(runs: Runs) -> Array:
    """Return for each seating and seat the number of the distinct policy that sits there: shape (seatings, players)."""
    found: Array = np.argmax(runs.slots.held, axis=0)
    return found


def share_bounds(estimates: Sequence[Estimate]) -> tuple[Array, Array]:
    """Return lower and upper ends of intervals of shares, within 0…1."""
    return np.clip([e.lo for e in estimates], 0, 1), np.clip([e.hi for e in estimates], 0, 1)
