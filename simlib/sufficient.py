"""Sufficient statistics of a run: all that `keep="summary"` stores, exact integers, independent of chunks.

The unit is the deal: for each deal the values of a policy are summed over the seats and seatings that it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from simlib.game import Game
from simlib.stats.accumulators import Histogram, Moments

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Slots:
    """Which policies there are, and which seats of which seatings each one holds.

    Attributes
    ----------
    policies : tuple of str
        Distinct texts, in order of the line-up.
    held : ndarray of bool, shape (policies, seatings, players)
    """

    policies: tuple[str, ...]
    held: Array

    @classmethod
    def of(cls, texts: Sequence[str], plan: Sequence[Sequence[int]]) -> Self:
        """Return the slots of a line-up under a plan of seatings."""
        names = tuple(dict.fromkeys(texts))
        seated = np.array([[names.index(texts[i]) for i in order] for order in plan])
        return cls(names, np.stack([seated == j for j in range(len(names))]))

    @property
    def counts(self) -> tuple[int, ...]:
        """Games and seats that each policy plays in one deal."""
        return tuple(int(h.sum()) for h in self.held)

    def totals(self, values: Array) -> Array:
        """Sum values of shape (deals, seatings, players) for each deal and policy: int64, shape (deals, policies)."""
        wide = values.astype(np.int64)
        return np.stack([wide[:, h].sum(axis=1) for h in self.held], axis=1)


def seat_fields(game: Game) -> list[str]:
    """RESULT fields with one number a seat, `score` and `win_share` first."""
    own = [f for f in game.RESULT.names or () if _is_plain_seat(game, f)]
    return ["score", "win_share", *(f for f in own if f not in ("score", "win_share"))]


def _is_plain_seat(game: Game, field: str) -> bool:
    column = game.columns[field]
    return column.per == "seat" and column.kind in ("number", "flag", "share") and game.RESULT[field].ndim == 1


def _part_fields(game: Game) -> list[str]:
    return [f for f in game.RESULT.names or () if game.columns[f].per == game.parts and game.parts]


@dataclass(frozen=True)
class Sufficient:
    """Sums and sums of products by deal of every number a seat has, and how often each score occurred.

    Attributes
    ----------
    fields : dict of str to Moments
        For each field the moments of the policies' totals by deal; for ``score`` and ``win_share`` together under
        ``"main"``: first the scores of all policies, then their win shares × 840.
    parts : dict of str to tuple of Moments
        The same for each part (third, round) of the game.
    scores : tuple of Histogram
        For each policy how often each score occurred, by game and seat.
    """

    fields: dict[str, Moments]
    parts: dict[str, tuple[Moments, ...]]
    scores: tuple[Histogram, ...]

    @classmethod
    def of(cls, game: Game, rows: Array, slots: Slots) -> Self:
        """Return the statistics of RESULT rows of shape (deals, seatings)."""
        players = slots.held.shape[2]
        main = [slots.totals(rows[f][..., :players]) for f in ("score", "win_share")]
        fields = {"main": Moments.from_values(np.concatenate(main, axis=1))}
        for name in seat_fields(game)[2:]:
            fields[name] = Moments.from_values(slots.totals(rows[name][..., :players]))
        parts = {}
        for name in _part_fields(game):
            values = rows[name][..., :players]
            parts[name] = tuple(Moments.from_values(slots.totals(values[:, :, p])) for p in range(values.shape[2]))
        scores = tuple(
            Histogram.from_values(rows["score"][..., :players][:, h].reshape(-1).astype(np.int64)) for h in slots.held
        )
        return cls(fields, parts, scores)

    def __add__(self, other: Sufficient) -> Sufficient:
        """The statistics of both sets of deals."""
        return Sufficient(
            {k: v + other.fields[k] for k, v in self.fields.items()},
            {k: tuple(a + b for a, b in zip(v, other.parts[k], strict=True)) for k, v in self.parts.items()},
            tuple(a + b for a, b in zip(self.scores, other.scores, strict=True)),
        )

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.fields["main"].n

    def as_dict(self) -> dict[str, Any]:
        """Plain integers and lists, for a JSON file."""
        return {
            "fields": {k: v.as_dict() for k, v in self.fields.items()},
            "parts": {k: [m.as_dict() for m in v] for k, v in self.parts.items()},
            "scores": [{"values": h.values.tolist(), "counts": h.counts.tolist()} for h in self.scores],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The inverse of `as_dict`."""
        scores = tuple(
            Histogram(np.array(h["values"], np.int64), np.array(h["counts"], np.int64)) for h in data["scores"]
        )
        return cls(
            {k: Moments.from_dict(v) for k, v in data["fields"].items()},
            {k: tuple(Moments.from_dict(m) for m in v) for k, v in data["parts"].items()},
            scores,
        )
