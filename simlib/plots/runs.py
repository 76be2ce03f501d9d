"""Figures of a run: who wins how often, how scores lie, develop and settle."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.plots import style

if TYPE_CHECKING:
    from simlib.results import Runs


def win_rates(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw each policy's win rate with its interval; the line marks an equal share.

    Parameters
    ----------
    runs : Runs
    ax : Axes, optional
    level : float
        Confidence level.

    Returns
    -------
    Axes
    """
    table = runs.summary(level=level)
    ax = style.rows_axes(len(table), ax)
    equal = 1 / len(runs.policies)
    ax.axvline(equal, color=style.GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    colours = [style.COLOURS[i % len(style.COLOURS)] for i in range(len(table))]
    style.dots(ax, table.win_rate, table.win_lo, table.win_hi, colours)
    style.label_rows(ax, list(table.policy))
    style.percent(ax)
    ax.set_xlabel(f"win rate with {level:.0%} interval (line: equal share)")
    style.title(ax, f"Win rates, {runs.deals:,} deals")
    return ax


def scores(runs: Runs, ax: Any = None) -> Any:
    """Draw the share of games in which each policy scored at most so much."""
    ax = style.axes(ax, grid="both")
    for j, text in enumerate(runs.slots.policies):
        histogram = runs.sufficient.scores[j]
        share = np.cumsum(histogram.counts) / histogram.n
        colour = style.COLOURS[j % len(style.COLOURS)]
        ax.step(histogram.values, share, where="post", color=colour, label=text)
        median = histogram.values[np.searchsorted(share, 0.5)]
        ax.plot([median], [0.5], style.MARKERS[j % len(style.MARKERS)], color=colour, markersize=7, markeredgecolor="white")
    style.percent(ax, "y")
    ax.set_ylim(0, 1)
    ax.set_xlabel(f"score in {runs.game.score_unit} (marks: medians)")
    ax.set_ylabel("games with at most this score")
    style.title(ax, "Distribution of scores")
    style.legend(ax, loc="lower right")
    return ax


def score_by_part(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw the mean score after each part of the game (third, round) with its interval.

    Raises
    ------
    ValueError
        When the game has no parts.
    """
    from simlib.stats.intervals import linear_interval

    field = f"{runs.game.parts}_score"
    if field not in runs.sufficient.parts:
        raise ValueError(f"{runs.game.name} keeps no score by part")
    ax = style.axes(ax, grid="y")
    moments = runs.sufficient.parts[field]
    x = np.arange(1, len(moments) + 1)
    for j, text in enumerate(runs.slots.policies):
        weights: list[Any] = [0] * moments[0].columns
        weights[j] = Fraction(1, runs.slots.counts[j])
        found = [linear_interval(m, weights, level=level) for m in moments]
        style.band(ax, x, [e.mean for e in found], [e.lo for e in found], [e.hi for e in found], j, text)
    ax.set_xticks(x)
    ax.set_xlabel(f"after {runs.game.parts}")
    ax.set_ylabel(f"mean score in {runs.game.score_unit}")
    style.title(ax, f"Score by {runs.game.parts} with {level:.0%} bands")
    style.legend(ax)
    return ax


def win_by_lead(runs: Runs, ax: Any = None, *, bins: int = 9, level: float = 0.95) -> Any:
    """Draw the chance to win against the lead (or deficit) after each part but the last.

    The lead is a seat's score less the best score of the others. Intervals are clustered by deal.

    Raises
    ------
    ValueError
        When the game has no parts, or the run kept only its summary.
    """
    from simlib.stats.clusters import cluster_interval

    name = f"{runs.game.parts}_score"
    if not runs.game.parts or name not in (runs.game.RESULT.names or ()):
        raise ValueError(f"{runs.game.name} keeps no score by part")
    ax = style.axes(ax, grid="both")
    standing, shares, deals = _standings(runs, name)
    for part in range(standing.shape[1] - 1):
        lead = standing[:, part]
        edges = np.unique(np.quantile(lead, np.linspace(0, 1, bins + 1)))
        place = np.clip(np.searchsorted(edges, lead, side="right") - 1, 0, len(edges) - 2)
        used = [b for b in range(len(edges) - 1) if (place == b).sum() > 50]
        found = [cluster_interval(shares[place == b], deals[place == b], level=level, scale=840) for b in used]
        x = [lead[place == b].mean() for b in used]
        label = f"after {runs.game.parts} {part + 1}"
        style.band(ax, x, [e.mean for e in found], [e.lo for e in found], [e.hi for e in found], part, label)
    ax.axvline(0, color=style.GREY, linewidth=1)
    style.percent(ax, "y")
    ax.set_ylim(0, 1)
    ax.set_xlabel(f"lead over the best other seat in {runs.game.score_unit}")
    ax.set_ylabel("chance to win")
    style.title(ax, f"Chance to win against the standing ({level:.0%} bands)")
    style.legend(ax, loc="upper left")
    return ax


def _standings(runs: Runs, name: str, most: int = 400_000) -> tuple[Any, Any, Any]:
    """Lead by game, seat and part (rows, parts), win share × 840 (rows,), deal (rows,); of at most so many rows."""
    players = len(runs.policies)
    leads, shares, deals = [], [], []
    total = 0
    for first, rows in runs.chunks():
        flat = rows.reshape(-1)
        score = flat[name][..., :players].astype(np.int64)
        for seat in range(players):
            others = np.delete(score, seat, axis=2).max(axis=2)
            leads.append(score[:, :, seat] - others)
            shares.append(flat["win_share"][:, seat].astype(np.int64))
            deals.append(np.repeat(np.arange(first, first + len(rows)), rows.shape[1]))
        total += flat.size * players
        if total >= most:
            break
    return np.concatenate(leads), np.concatenate(shares), np.concatenate(deals)


def lead_changes(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw how often the lead changed hands between the parts of a game.

    Raises
    ------
    ValueError
        When the game does not count lead changes.
    """
    from simlib.stats.intervals import mean_interval

    if "lead_changes" not in (runs.game.RESULT.names or ()):
        raise ValueError(f"{runs.game.name} does not count lead changes")
    counts = np.concatenate([rows["lead_changes"].astype(np.int64) for _, rows in runs.chunks()])
    most = int(counts.max())
    found = [mean_interval((counts == k).astype(np.int64), level=level) for k in range(most + 1)]
    ax = style.axes(ax, grid="y", height=3.0)
    x = np.arange(most + 1)
    ax.bar(x, [e.mean for e in found], color=style.COLOURS[0], width=0.62)
    half = [e.half_width for e in found]
    ax.errorbar(x, [e.mean for e in found], yerr=half, fmt="none", ecolor="#222222", capsize=4, linewidth=1.2)
    ax.set_xticks(x)
    style.percent(ax, "y")
    ax.set_xlabel("lead changes in a game")
    ax.set_ylabel("share of games")
    style.title(ax, f"How often the lead changes ({level:.0%} intervals)")
    return ax


def convergence(runs: Runs, ax: Any = None, *, field: str = "win_share", level: float = 0.95, points: int = 40) -> Any:
    """Draw how each policy's estimate and interval settle as deals are added.

    Parameters
    ----------
    runs : Runs
        With rows kept.
    field : {"win_share", "score"}
    """
    if field not in ("win_share", "score"):
        raise ValueError(f"field={field!r} must be 'win_share' or 'score'")
    slots = runs.slots
    players = len(runs.policies)
    totals = np.concatenate([slots.totals(rows[field][..., :players]) for _, rows in runs.chunks()])
    scale = (840 if field == "win_share" else 1) * np.array(slots.counts)
    n = np.unique(np.geomspace(min(30, len(totals)), len(totals), points).astype(int))
    sums, squares = np.cumsum(totals / scale, axis=0), np.cumsum((totals / scale) ** 2, axis=0)
    ax = style.axes(ax, grid="y")
    from simlib.stats.intervals import t_quantile

    for j, text in enumerate(slots.policies):
        mean = sums[n - 1, j] / n
        spread = np.sqrt(np.maximum(squares[n - 1, j] / n - mean**2, 0) / np.maximum(n - 1, 1))
        half = np.array([t_quantile(level, max(1, k - 1)) for k in n]) * spread
        colour = style.COLOURS[j % len(style.COLOURS)]
        ax.fill_between(n, mean - half, mean + half, color=colour, alpha=0.18, linewidth=0)
        ax.plot(n, mean, color=colour, label=text)
    ax.set_xscale("log")
    ax.set_xlabel("deals")
    if field == "win_share":
        style.percent(ax, "y")
    ax.set_ylabel("win rate" if field == "win_share" else f"mean score in {runs.game.score_unit}")
    style.title(ax, f"How the estimates settle ({level:.0%} bands)")
    style.legend(ax, outside=True)
    return ax


class RunPlots:
    """Figures of one run, as ``runs.plot.scores()``. Each method takes the Axes to draw on and returns them."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def win_rates(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.win_rates`."""
        return win_rates(self._runs, ax, **more)

    def scores(self, ax: Any = None) -> Any:
        """See `simlib.plots.scores`."""
        return scores(self._runs, ax)

    def score_by_part(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.score_by_part`."""
        return score_by_part(self._runs, ax, **more)

    def win_by_lead(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.win_by_lead`."""
        return win_by_lead(self._runs, ax, **more)

    def lead_changes(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.lead_changes`."""
        return lead_changes(self._runs, ax, **more)

    def convergence(self, ax: Any = None, **more: Any) -> Any:
        """See `simlib.plots.convergence`."""
        return convergence(self._runs, ax, **more)
