"""Figures as methods: ``runs.plot.scores()``, ``comparison.plot.differences()``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlib.plots import big_three, development, generic, runs, three_thirteen

if TYPE_CHECKING:
    from simlib.analysis.comparison import Comparison
    from simlib.results import Runs


class RunPlots:
    """Figures of one run. Each method takes the Axes to draw on and returns them."""

    def __init__(self, played: Runs) -> None:
        self._runs = played

    def win_rates(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.win_rates`."""
        return runs.win_rates(self._runs, ax, **more)

    def scores(self, ax: Any = None) -> Any:
        """See `simlib.plots.scores`."""
        return runs.scores(self._runs, ax)

    def score_ridges(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.score_ridges`."""
        return runs.score_ridges(self._runs, ax, **more)

    def convergence(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.convergence`."""
        return runs.convergence(self._runs, ax, **more)

    def score_by_part(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.score_by_part`."""
        return development.score_by_part(self._runs, ax, **more)

    def mean_by_part(self, field: str, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.mean_by_part`."""
        return development.mean_by_part(self._runs, field, ax, **more)

    def win_by_lead(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.win_by_lead`."""
        return development.win_by_lead(self._runs, ax, **more)

    def lead_changes(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.lead_changes`."""
        return development.lead_changes(self._runs, ax, **more)

    def declarer_wins(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.declarer_wins` (Big Three)."""
        return big_three.declarer_wins(self._runs, ax, **more)

    def chips_by_bid(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.chips_by_bid` (Big Three)."""
        return big_three.chips_by_bid(self._runs, ax, **more)

    def penalties_by_round(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.penalties_by_round` (Three-Thirteen)."""
        return three_thirteen.penalties_by_round(self._runs, ax, **more)

    def out_by_round(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.out_by_round` (Three-Thirteen)."""
        return three_thirteen.out_by_round(self._runs, ax, **more)


class ComparisonPlots:
    """Figures of one comparison. Each method takes the Axes to draw on and returns them."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def differences(self, ax: Any = None, *, field: str = "score", **more: Any) -> Any:
        """Forest plot of the paired differences of a field; see `simlib.plots.forest`."""
        return generic.forest(self._comparison, ax, field=field, **more)

    def by_seat(self, ax: Any = None, *, field: str = "score") -> Any:
        """Forest plot of the differences by variant and seat of the hero.

        Parameters
        ----------
        ax : Axes, optional
        field : {"score", "win_share"}

        Returns
        -------
        Axes
        """
        import pandas as pd

        found = self._comparison
        rows = []
        for name in found.variants:
            for seat in found.seats:
                e = found.estimate(name, field, seat)
                rows.append({"label": f"{name}, seat {seat}", "difference": e.mean, "lo": e.lo, "hi": e.hi})
        unit = "%" if field == "win_share" else found.game.score_unit
        what = "Win rate" if field == "win_share" else "Score"
        return generic.forest(pd.DataFrame(rows), ax, unit=unit, level=found.stopping.level,
                              title=f"{what} by seat: difference from {found.baseline}")  # fmt: skip
