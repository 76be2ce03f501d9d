"""Sufficient statistics of a comparison: exact, mergeable, of bounded size."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from simlib.analysis.design import Design, Version
from simlib.analysis.variates import dealt_features
from simlib.engine import play_range
from simlib.game import SHARE
from simlib.stats.accumulators import Histogram, Moments
from simlib.sufficient import seat_fields

Array = np.ndarray[Any, Any]
MEASURES = ("score", "win_share")
#: Key of a difference: version, field, seat (−1: all seats of the hero together).
Key = tuple[int, str, int]


@dataclass(frozen=True, eq=False)
class Sums:
    """What some deals of a comparison leave.

    Attributes
    ----------
    deals : int
    differences : mapping of (version, field, seat) to Histogram
        How often each difference between version and baseline occurred, summed over the hero's results of a
        deal (seat −1: all of them; else those in this seat, for the measures only).
    games : mapping of (version, measure) to Moments
        One column for each different game of the version: the hero's results in it, summed.
    variates : tuple of Moments
        For each version the differences in score and win share and the features of the dealt hands, all at
        one scale; empty without control variates.
    seconds : tuple of float
        Time spent on the games of each version. No part of what must be reproducible.
    """

    deals: int
    differences: Mapping[Key, Histogram]
    games: Mapping[tuple[int, str], Moments]
    variates: tuple[Moments, ...]
    seconds: tuple[float, ...]

    def __add__(self, other: Sums) -> Self:
        """The statistics of both sets of deals."""
        return type(self)(
            self.deals + other.deals,
            {k: h + other.differences[k] for k, h in self.differences.items()},
            {k: m + other.games[k] for k, m in self.games.items()},
            tuple(a + b for a, b in zip(self.variates, other.variates, strict=True)),
            tuple(a + b for a, b in zip(self.seconds, other.seconds, strict=True)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain integers and lists, for a JSON file."""
        return {
            "deals": self.deals,
            "differences": [
                [*key, h.scale, h.values.tolist(), h.counts.tolist()] for key, h in self.differences.items()
            ],
            "games": [[*key, m.as_dict()] for key, m in self.games.items()],
            "variates": [m.as_dict() for m in self.variates],
            "seconds": list(self.seconds),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `as_dict`."""
        differences = {
            (v, field, seat): Histogram(np.array(values, np.int64), np.array(counts, np.int64), scale)
            for v, field, seat, scale, values, counts in data["differences"]
        }
        games = {(v, field): Moments.from_dict(m) for v, field, m in data["games"]}
        variates = tuple(Moments.from_dict(m) for m in data["variates"])
        return cls(int(data["deals"]), differences, games, variates, tuple(data["seconds"]))


def seat_counts(design: Design) -> Array:
    """Return how many results of the hero each seat gives in a deal, int64, shape (players,)."""
    counts: Array = design.versions[0].weights.sum(axis=0)
    return counts


def fields_of(design: Design) -> list[str]:
    """Return the fields that are compared: the measures, then the game's own numbers by seat."""
    return seat_fields(design.game)


def play_sums(design: Design, first: int, count: int) -> Sums:
    """Play every version on the deals `first` … `first + count` - 1 and return what they leave."""
    rows: dict[int, Array] = {}
    seconds = []
    for v, same in enumerate(design.played()):
        start = time.perf_counter()
        rows[v] = rows[same] if same < v else play_range(design.versions[v].work, first, count)
        seconds.append(time.perf_counter() - start if same == v else 0.0)
    totals = [_seat_totals(design, v, rows[v]) for v in range(len(design.versions))]
    variates = _variates(design, totals, first, count) if design.covariates else ()
    games = {
        (v, m): Moments.from_values(_game_values(version, rows[v], m), _scale(design, m))
        for v, version in enumerate(design.versions)
        for m in MEASURES
    }
    return Sums(count, _differences(design, totals), games, variates, tuple(seconds))


def _scale(design: Design, field: str, results: int | None = None) -> int:
    """What one unit is stored as in a mean of so many results (all of a deal, if not given)."""
    share = design.game.columns[field].kind == "share" or field == "win_share"
    return (design.count if results is None else results) * (SHARE if share else 1)


def _seat_totals(design: Design, v: int, rows: Array) -> dict[str, Array]:
    """For each field the hero's results summed by seat: int64, shape (deals, players)."""
    weights, players = design.versions[v].weights, design.players
    return {field: (rows[field][..., :players].astype(np.int64) * weights).sum(axis=1) for field in fields_of(design)}


def _game_values(version: Version, rows: Array, measure: str) -> Array:
    """The hero's results summed by game: int64, shape (deals, games)."""
    values = rows[measure][..., : version.work.players].astype(np.int64)
    return (values * version.weights).sum(axis=2)  # type: ignore[no-any-return]


def _differences(design: Design, totals: list[dict[str, Array]]) -> dict[Key, Histogram]:
    """How often each difference occurred, for every variant."""
    counts = seat_counts(design)
    out: dict[Key, Histogram] = {}
    for v in range(1, len(totals)):
        for field in fields_of(design):
            by_seat = totals[v][field] - totals[0][field]
            out[v, field, -1] = Histogram.from_values(by_seat.sum(axis=1), _scale(design, field))
            for seat in design.hero_seats if field in MEASURES else ():
                out[v, field, seat] = Histogram.from_values(by_seat[:, seat], _scale(design, field, int(counts[seat])))
    return out


def _variates(design: Design, totals: list[dict[str, Array]], first: int, count: int) -> tuple[Moments, ...]:
    """Differences and features (of the baseline's deal, averaged like the results) at a common scale."""
    features = dealt_features(design.versions[0].work, first, count)  # (deals, players, p)
    of_hero = np.einsum("dsp,s->dp", features, seat_counts(design)) * SHARE
    out = []
    for total in totals:
        score, share = (total[m].sum(axis=1) - totals[0][m].sum(axis=1) for m in MEASURES)
        out.append(Moments.from_values(np.column_stack([score * SHARE, share, of_hero]), design.count * SHARE))
    return tuple(out)
