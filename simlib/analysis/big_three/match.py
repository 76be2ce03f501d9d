"""Matches of Big Three: series of deals to a number of deals or of points, and how they end."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.big_three import kernels
from simlib.analysis.big_three.tables import NAME, Array, check_threads, guarded, spread, unit_of
from simlib.engine import Table, Work, check_count, default_threads, make_work
from simlib.games import get
from simlib.stats.clusters import ratio_interval
from simlib.stats.distributions import Quantile, quantile_interval
from simlib.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

#: Deals after which a match to a number of points is broken off: far more than any takes in practice.
MOST_DEALS = 2_000
#: Win shares are counted in units of 1 / SHARE.
SHARE = 12


def match(
    policies: Any,
    deals: int | None = None,
    points: int | None = None,
    *,
    matches: int = 1_000,
    seed: int | None = None,
    rules: Any = None,
    seatings: str = "fixed",
    threads: int | None = None,
    level: float = 0.95,
) -> Match:
    """Play matches: series of deals at one table, whose chips add up.

    Most chips win; equal ones share the win. Whoever is out first deals next, which is written down and changes
    nothing, since the lowest heart says who begins.

    Parameters
    ----------
    policies : list of str or Policy, or str
        One a seat.
    deals : int, optional
        Deals of a match; 20 when `points` is not given either.
    points : int, optional
        A match goes on until a seat has so many chips (or points) instead, as 20 by McNeely's rules; when several
        have them after a deal the highest wins. With both, whatever comes first ends it.
    matches : int
        Number of matches.
    seed : int, optional
        Drawn when not given. Match m plays deals of its own, the same in every seating.
    rules : Rules or dict, optional
    seatings : {"fixed", "rotations", "all"}
        Play every match with the line-up as given, moved round the table, or in every order.
    threads : int, optional
    level : float
        Confidence level.

    Returns
    -------
    Match

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed.

    Examples
    --------
    >>> import simlib as sl
    >>> played = sl.big_three.match("shed,greedy,random", deals=10, matches=50, seed=1)
    >>> list(played.table.policy)
    ['shed', 'greedy', 'random']
    """
    from simlib.stats._check import check_open_unit

    if deals is None and points is None:
        deals = 20
    most = MOST_DEALS if deals is None else check_count("deals", deals, 1, MOST_DEALS)
    goal = 0 if points is None else check_count("points", points, 1)
    check_count("matches", matches, 2)
    check_open_unit(level, "level")
    threads = check_threads(threads)
    work = make_work(NAME, policies, seed, rules=rules, seatings=seatings)
    if any(p.vector for policy in work.policies for p in policy.walk()):
        raise ValueError("policies: NumPy policies cannot play matches, only compiled ones")
    workers = default_threads() if threads is None else threads
    # Pieces are small enough that the standings of a match broken off late still fit into memory.
    size = max(1, min(-(-matches // workers), 200_000 // most))
    pieces = [slice(a, min(a + size, matches)) for a in range(0, matches, size)]
    played = spread(pieces, lambda piece: _play(work, piece, most, goal), threads)
    return Match(work, deals, points, level, *_joined(played))


def _play(work: Work, piece: slice, most: int, goal: int) -> tuple[Array, Array, Array]:
    """Return chips (matches, seatings, deals, seats), who was out first, and lengths, cut to the longest match."""
    count, n = piece.stop - piece.start, work.players
    shape = (count, len(work.seatings))
    scores = np.zeros((*shape, most, n), np.int16)
    winners, lengths = np.full((*shape, most), -1, np.int8), np.zeros(shape, np.int64)
    for s, seating in enumerate(work.seatings):
        table = Table(work, seating)
        chips, out = np.zeros((count, most, n), np.int64), np.full((count, most), -1, np.int64)
        row, took = np.zeros(1, get(NAME).RESULT), np.zeros(count, np.int64)
        guarded(table, kernels.play_matches, piece.start * most, goal, row, chips, out, took)
        scores[:, s], winners[:, s], lengths[:, s] = chips, out, took
    longest = int(lengths.max())
    return scores[:, :, :longest], winners[:, :, :longest], lengths


def _joined(played: Sequence[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    longest = max(scores.shape[2] for scores, _, _ in played)
    chips, winners = [], []
    for scores, out, _ in played:
        room = longest - scores.shape[2]
        chips.append(np.pad(scores, ((0, 0), (0, 0), (0, room), (0, 0))))
        winners.append(np.pad(out, ((0, 0), (0, 0), (0, room)), constant_values=-1))
    return np.concatenate(chips), np.concatenate(winners), np.concatenate([took for _, _, took in played])


@dataclass(frozen=True, eq=False)
class Match:
    """Matches that were played.

    Attributes
    ----------
    work : Work
        Rules, line-up, seatings and seed.
    deals, points : int or None
        What ends a match.
    level : float
        Confidence level.
    chips : ndarray of int16, shape (matches, seatings, deals, seats)
        Of every deal; 0 after the end of a match.
    first_out : ndarray of int8, shape (matches, seatings, deals)
        Who was out first, and so deals next; −1 after the end.
    lengths : ndarray of int64, shape (matches, seatings)
        Deals played.
    """

    work: Work
    deals: int | None
    points: int | None
    level: float
    chips: Array = field(repr=False)
    first_out: Array = field(repr=False)
    lengths: Array = field(repr=False)

    @property
    def matches(self) -> int:
        """Number of matches, the unit of every interval."""
        return len(self.lengths)

    @property
    def unit(self) -> str:
        """Chips or points."""
        return unit_of(self.work.rules)  # type: ignore[arg-type]

    @functools.cached_property
    def policies(self) -> tuple[str, ...]:
        """Text of each different policy of the line-up."""
        return tuple(dict.fromkeys(p.text for p in self.work.policies))

    @functools.cached_property
    def standings(self) -> Array:
        """Chips after each deal, the final ones after the end; shape (matches, seatings, deals, seats)."""
        return self.chips.cumsum(axis=2, dtype=np.int64)

    @functools.cached_property
    def final(self) -> Array:
        """Chips at the end of each match, shape (matches, seatings, seats)."""
        return self.standings[:, :, -1]

    def _held(self, values: Array) -> list[tuple[str, Array, Array]]:
        """For each policy the sum over its seats of values (matches, seatings, seats), and how many those are."""
        found = []
        for text in self.policies:
            mask = np.array([[self.work.policies[i].text == text for i in seating] for seating in self.work.seatings])
            found.append((text, (values * mask).sum(axis=(1, 2)), np.full(self.matches, mask.sum())))
        return found

    def _estimates(self, values: Array, scale: int = 1) -> list[tuple[str, Estimate]]:
        return [(t, ratio_interval(s, c, level=self.level, scale=scale)) for t, s, c in self._held(values)]

    def _values_of(self, text: str, values: Array) -> Array:
        """A policy's values, shape (matches, its seats)."""
        mask = np.array([[self.work.policies[i].text == text for i in seating] for seating in self.work.seatings])
        return values[:, mask]

    @functools.cached_property
    def table(self) -> pd.DataFrame:
        """One row a policy: ``matches``; mean final ``chips`` (or ``points``) and their ``sd``; ``wins``: share of
        matches won, ties shared; each mean with ``_lo`` and ``_hi``, clustered by match;
        ``deals_out_first``: share of deals.
        """
        import pandas as pd

        shares = self._estimates(lead_shares(self.final), SHARE)
        rows = []
        for (text, e), (_, w) in zip(self._estimates(self.final), shares, strict=True):
            seats = self._values_of(text, self.final)
            rows.append({
                "policy": text, "matches": self.matches,
                self.unit: e.mean, f"{self.unit}_lo": e.lo, f"{self.unit}_hi": e.hi, "sd": float(seats.std()),
                "wins": w.mean, "wins_lo": w.lo, "wins_hi": w.hi, "deals_out_first": self._out_first(text),
            })  # fmt: skip
        return pd.DataFrame(rows)

    def _out_first(self, text: str) -> float:
        hits = 0
        for s, seating in enumerate(self.work.seatings):
            seats = [seat for seat, i in enumerate(seating) if self.work.policies[i].text == text]
            hits += int(np.isin(self.first_out[:, s], seats).sum())
        return hits / int(self.lengths.sum())

    @functools.cached_property
    def leads(self) -> pd.DataFrame:
        """The chance to lead after n deals, ties shared.

        One row a policy and number of deals: ``policy, deals, lead, lo, hi``; a seat of the policy leads with this
        chance, and matches that have ended count with their final standing.
        """
        import pandas as pd

        rows = []
        for n in range(self.standings.shape[2]):
            for text, e in self._estimates(lead_shares(self.standings[:, :, n]), SHARE):
                rows.append({"policy": text, "deals": n + 1, "lead": e.mean, "lo": e.lo, "hi": e.hi})
        return pd.DataFrame(rows)

    def distribution(self, policy: str | None = None) -> pd.DataFrame:
        """Return how a policy's final chips are spread (the first one's by default).

        Returns
        -------
        DataFrame
            ``chips`` (or ``points``), ``share`` of its matches, ``at_most`` (cumulated).
        """
        import pandas as pd

        values, counts = np.unique(self._values_of(self._known(policy), self.final), return_counts=True)
        share = counts / counts.sum()
        return pd.DataFrame({self.unit: values, "share": share, "at_most": share.cumsum()})

    def quantile(self, q: float, policy: str | None = None) -> Quantile:
        """Return a quantile of a policy's final chips with its interval (the first one's by default)."""
        values = self._values_of(self._known(policy), self.final)
        return quantile_interval(values[:, 0] if values.shape[1] == 1 else values, q, level=self.level)

    def _known(self, policy: str | None) -> str:
        from simlib.errors import did_you_mean

        if policy is None:
            return self.policies[0]
        if policy not in self.policies:
            near = did_you_mean(policy, self.policies)
            raise ValueError(f"policy={policy!r} did not play{near}; policies: {', '.join(self.policies)}")
        return policy

    @property
    def length(self) -> Estimate:
        """Deals that a match takes."""
        return ratio_interval(self.lengths.sum(axis=1), np.full(self.matches, self.lengths.shape[1]), level=self.level)

    @property
    def unfinished(self) -> int:
        """Matches to a number of points that nobody had reached when they were broken off."""
        if self.points is None or self.deals is not None:
            return 0
        return int((self.final.max(axis=2) < self.points).sum())

    def rows(self) -> pd.DataFrame:
        """One row a match, seating and deal: ``match, seating, deal``, who was out first (and deals next), and the
        chips of every seat after it.
        """
        import pandas as pd

        m, s, n = np.nonzero(self.first_out >= 0)
        frame = {"match": m, "seating": s, "deal": n, "next_dealer": self.first_out[m, s, n].astype(int)}
        return pd.DataFrame(frame | {f"{self.unit}_{k}": self.standings[m, s, n, k] for k in range(self.work.players)})

    def plot(self, ax: Any = None) -> Any:
        """Draw the chance to lead after each deal; return the Axes."""
        from simlib.plots.generic import curve

        data = self.leads.rename(columns={"policy": "series", "deals": "x", "lead": "mean"})
        data["lo"], data["hi"] = data["lo"].clip(0, 1), data["hi"].clip(0, 1)
        title = f"Who leads a match ({self.matches:,} matches)"
        return curve(data, ax, xlabel="after deals", ylabel="chance to lead", title=title, percent=True, marks=False)

    def plot_final(self, ax: Any = None) -> Any:
        """Draw the distribution of the final chips of each policy; return the Axes."""
        from simlib.plots import style

        ax = style.axes(ax, grid="y")
        for i, text in enumerate(self.policies):
            d = self.distribution(text)
            ax.step(d[self.unit], d["at_most"], where="post", color=style.colour(i), label=style.plain(text))
        style.percent(ax, "y")
        ax.set_xlabel(f"{self.unit} at the end of a match")
        ax.set_ylabel("share of matches with at most so many")
        style.title(ax, f"Final {self.unit} ({self.matches:,} matches)")
        style.legend(ax)
        return ax

    def __repr__(self) -> str:
        ends = [f"{self.deals} deals"] if self.deals is not None else []
        ends += [f"{self.points} {self.unit}"] if self.points is not None else []
        rows = [
            f"  {r['policy']}: wins {100 * r['wins']:.1f} % [{100 * r['wins_lo']:.1f}, {100 * r['wins_hi']:.1f}]"
            for r in self.table.to_dict("records")
        ]
        return "\n".join([f"<{self.matches:,} matches of {' or '.join(ends)}, seed {self.work.seed}", *rows]) + ">"

    def _repr_html_(self) -> str:
        shown: str = self.table.round(3).to_html(index=False)
        return f"<p>{repr(self).splitlines()[0][1:]}</p>{shown}"


def lead_shares(standings: Array) -> Array:
    """Return each seat's share of the lead in units of 1/12: all of it, or an equal part of a tie; last axis: seats."""
    top = standings == standings.max(axis=-1, keepdims=True)
    return top * (SHARE // top.sum(axis=-1, keepdims=True))  # type: ignore[no-any-return]
