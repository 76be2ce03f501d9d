"""The result of a tournament: ranking, pay-offs, dominance, best responses, equilibrium."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.lineups import Schedule
from simlib.game import SHARE
from simlib.games import get
from simlib.stats.accumulators import Moments
from simlib.stats.clusters import JointMeans
from simlib.stats.intervals import Estimate, linear_interval
from simlib.stats.multiple import Pairwise, pairwise, ranks

if TYPE_CHECKING:
    import pandas as pd

    from simlib.analysis.equilibrium import Equilibrium

_MEASURES = ("win_share", "score")


class Tournament:
    """What a tournament found.

    Attributes
    ----------
    policies : list of str
    manifest : dict
        What was played, from which seed.
    """

    def __init__(
        self,
        policies: list[str],
        schedule: Schedule,
        denominator: int,
        moments: dict[str, list[Moments]],
        slots: Sequence[dict[int, int]],
        manifest: dict[str, Any],
        level: float,
    ) -> None:
        self.policies, self.manifest, self.level = policies, manifest, level
        self._schedule, self._denominator, self._moments, self._slots = schedule, denominator, moments, slots

    @property
    def complete(self) -> bool:
        """Whether all line-ups were played, not a sample of them."""
        return self._schedule.complete

    @property
    def deals(self) -> int:
        """Number of deals; each was played by every line-up."""
        return self._moments["score"][0].n

    @property
    def games(self) -> int:
        """Number of games in all."""
        seats = len(self._schedule.lineups[0])
        return self.deals * sum(sum(s.values()) for s in self._slots) // seats

    def _check(self, measure: str) -> str:
        if measure not in _MEASURES:
            raise ValueError(f"measure={measure!r} must be 'win_share' or 'score'")
        return measure

    def means(self, measure: str = "win_share") -> JointMeans:
        """Return every policy's mean against opponents drawn uniformly, with their covariance by deal."""
        moments = self._moments[self._check(measure)][0]
        scale = self._denominator * (SHARE if measure == "win_share" else 1)
        k, n = len(self.policies), moments.n
        games = [n * sum(s.get(p, 0) for s in self._slots) for p in range(k)]
        return JointMeans(
            moments.means / scale,
            moments.covariance / scale**2 / n,
            np.full(k, n - 1),
            np.full(k, n),
            np.array(games),
            self.level,
        )

    @functools.cache  # noqa: B019  a tournament is small and lives as long as its user wants
    def compared(self, measure: str = "win_share") -> Pairwise:
        """Return all pairwise differences with simultaneous intervals and Holm-adjusted p."""
        return pairwise(self.means(measure), self.level)

    def ranking(self, measure: str = "win_share") -> pd.DataFrame:
        """Return the policies by rating.

        Parameters
        ----------
        measure : {"win_share", "score"}

        Returns
        -------
        DataFrame
            ``rank`` (equal estimates share one), ``policy``, the measure with ``lo`` and ``hi``, ``group``:
            policies that share a letter cannot be told apart (Holm over all pairs); ``games``.
        """
        import pandas as pd

        means = self.means(measure)
        groups = sorted(self.compared(measure).groups, key=lambda g: -max(means.means[list(g)]))
        letters = ["".join(chr(97 + i % 26) for i, g in enumerate(groups) if p in g) for p in range(len(self.policies))]
        rows = []
        for p, text in enumerate(self.policies):
            e = means.estimate(p)
            rows.append(
                {"policy": text, measure: e.mean, "lo": e.lo, "hi": e.hi, "group": letters[p], "games": e.n_games}
            )
        table = pd.DataFrame(rows)
        table.insert(0, "rank", ranks(means.means))
        return table.sort_values(["rank", "policy"], ignore_index=True)

    def payoff(self, lineup: Sequence[str | int], policy: str | int, measure: str = "win_share") -> Estimate:
        """Return a policy's mean in one line-up.

        Raises
        ------
        ValueError
            When the line-up was not played (see `complete`), or the policy is not in it.
        """
        self._check(measure)
        chosen = tuple(sorted(self._number(p) for p in lineup))
        who = self._number(policy)
        if chosen not in self._schedule.lineups:
            raise ValueError(f"the line-up {', '.join(self.policies[i] for i in chosen)} was not played")
        number = self._schedule.lineups.index(chosen)
        slots = self._slots[number]
        if who not in slots:
            raise ValueError(f"policy {self.policies[who]!r} is not in the line-up")
        moments = self._moments[measure][1 + number]
        weights: list[Any] = [0] * moments.columns
        unit = SHARE if measure == "win_share" else 1
        weights[list(slots).index(who)] = Fraction(1, slots[who] * unit)
        return linear_interval(moments, weights, level=self.level, n_games=moments.n * slots[who])

    def _number(self, policy: str | int) -> int:
        if isinstance(policy, (int, np.integer)):
            return int(policy)
        if policy not in self.policies:
            raise ValueError(f"policy={policy!r} did not play; policies: {', '.join(self.policies)}")
        return self.policies.index(policy)

    def payoffs(self, measure: str = "win_share", *, intervals: bool = False) -> pd.DataFrame:
        """Return the pay-off of each policy (rows) when all other seats are held by one policy (columns).

        With ``intervals=True`` each cell is an Estimate. A cell whose line-up was not played is NaN.
        """
        import pandas as pd

        n = len(self._schedule.lineups[0])
        cells: list[list[Any]] = []
        for row in range(len(self.policies)):
            cells.append([])
            for column in range(len(self.policies)):
                try:
                    e: Any = self.payoff([row] + [column] * (n - 1), row, measure)
                    cells[-1].append(e if intervals else e.mean)
                except ValueError:
                    cells[-1].append(None if intervals else float("nan"))
        return pd.DataFrame(
            cells, index=pd.Index(self.policies, name="policy"), columns=pd.Index(self.policies, name="against")
        )

    def dominance(self, measure: str = "win_share") -> pd.DataFrame:
        """Return the edges of the dominance graph: pairs in which one policy is better.

        Returns
        -------
        DataFrame
            ``better, worse, difference, lo, hi, p`` for every pair that is told apart (simultaneous intervals), and
            ``everywhere``: the better one also earns more against every set of opponents that both have met (by
            estimate).
        """
        import pandas as pd

        found = self.compared(measure)
        rows = []
        for i, j in zip(*np.nonzero(found.separated), strict=True):
            if found.difference[i, j] > 0:
                rows.append(
                    {
                        "better": self.policies[i],
                        "worse": self.policies[j],
                        "difference": found.difference[i, j],
                        "lo": found.lo[i, j],
                        "hi": found.hi[i, j],
                        "p": found.p[i, j],
                        "everywhere": self._everywhere(int(i), int(j), measure),
                    }
                )
        columns = ["better", "worse", "difference", "lo", "hi", "p", "everywhere"]
        return pd.DataFrame(rows, columns=columns).sort_values("difference", ascending=False, ignore_index=True)

    def _everywhere(self, i: int, j: int, measure: str) -> bool:
        """Whether i earns more than j against every set of opponents that both have met."""
        met = False
        for lineup in self._schedule.lineups:
            if i not in lineup:
                continue
            others = list(lineup)
            others.remove(i)
            if tuple(sorted([*others, j])) not in self._schedule.lineups:
                continue
            met = True
            if self.payoff(lineup, i, measure).mean <= self.payoff([*others, j], j, measure).mean:
                return False
        return met

    def best_responses(self, measure: str = "win_share") -> pd.DataFrame:
        """Return for each policy the best answer when all other seats hold it, and what the answer earns and gains."""
        import pandas as pd

        table = self.payoffs(measure)
        rows = []
        for text in self.policies:
            column = table[text]
            if column.notna().any():
                best = str(column.idxmax())
                rows.append({"against": text, "best": best, measure: column[best], "gain": column[best] - column[text]})
        return pd.DataFrame(rows)

    def equilibrium(self, measure: str = "win_share") -> Equilibrium:
        """Return a symmetric mixed equilibrium of the game whose moves are these policies.

        Raises
        ------
        ValueError
            When not all line-ups were played.
        """
        from simlib.analysis.equilibrium import symmetric_equilibrium

        if not self.complete:
            raise ValueError("an equilibrium needs all line-ups; this tournament played a sample of them")
        players = len(self._schedule.lineups[0])
        return symmetric_equilibrium(
            self.policies, players, lambda line, who: self.payoff(line, who, self._check(measure)).mean
        )

    @property
    def title(self) -> str:
        """What was played, in a line."""
        how = "all line-ups" if self.complete else f"a balanced sample of {len(self._schedule.lineups)} line-ups"
        game = get(self.manifest["game"])
        return f"{game.title}: {len(self.policies)} policies, {how}, {self.deals:,} deals, {self.games:,} games"

    def __repr__(self) -> str:
        return f"<tournament of {self.title}>"

    def _repr_html_(self) -> str:
        return f"<p>{self.title}</p>" + self.ranking().to_html(index=False, float_format="{:.4f}".format)
