"""Figures of any run: who wins how often, how scores lie, how the estimates settle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.game import SHARE
from simlib.plots import style
from simlib.stats.intervals import t_quantile

if TYPE_CHECKING:
    from simlib.results import Runs
    from simlib.stats.accumulators import Histogram


def win_rates(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw each policy's win rate with its interval; the dashed line marks an equal share.

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
    ax.axvline(1 / len(runs.policies), color=style.GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    colours = [style.colour(i) for i in range(len(table))]
    style.dots(ax, table.win_rate, table.win_lo.clip(0, 1), table.win_hi.clip(0, 1), colours)
    style.label_rows(ax, list(table.policy))
    style.percent(ax)
    style.share_limits(ax)
    ax.set_xlabel(f"win rate, {100 * level:.4g} % intervals\n(dashed: equal share)")
    style.title(ax, f"Win rates, {runs.deals:,} {'deal' if runs.deals == 1 else 'deals'}")
    return ax


def scores(runs: Runs, ax: Any = None) -> Any:
    """Draw the share of games in which each policy scored at most so much.

    Parameters
    ----------
    runs : Runs
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    ax = style.axes(ax, grid="both")
    for j, text in enumerate(runs.slots.policies):
        histogram = runs.sufficient.scores[j]
        share = np.cumsum(histogram.counts) / histogram.n
        values = np.concatenate([histogram.values[:1], histogram.values])
        ax.step(values, np.concatenate([[0], share]), where="post", color=style.colour(j), label=style.plain(text))
        ax.plot([_quantile(histogram, 0.5)], [0.5], style.marker(j), color=style.colour(j), markersize=7,
                markeredgecolor="white")  # fmt: skip
    style.percent(ax, "y")
    ax.set_ylim(0, 1.01)
    ax.set_xlabel(f"score in {runs.game.score_unit} (marks: medians)")
    ax.set_ylabel("games with at most this score")
    style.title(ax, "Distribution of scores")
    style.legend(ax, loc="upper left")
    return ax


def score_ridges(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw the scores of each policy as a ridge of equal area, with its quartiles and its mean.

    Below each ridge the thick line holds the middle half of the games, the bar is the median, and the dot is the mean
    with its interval, clustered by deal.

    Parameters
    ----------
    runs : Runs
    ax : Axes, optional
    level : float
        Confidence level of the means' intervals.

    Returns
    -------
    Axes
    """
    found = runs.sufficient.scores
    ax = style.axes(ax, height=max(2.2, 1.3 + 0.62 * len(found)), grid="x")
    lo, hi = min(h.values[0] for h in found), max(h.values[-1] for h in found)
    width = max(1, int(np.ceil((hi - lo + 1) / 60)))
    edges = np.arange(lo - 0.5, hi + 0.5 + width, width)
    heights = [np.histogram(h.values, edges, weights=h.counts)[0] / h.n for h in found]
    top = max(h.max() for h in heights)
    for j, (histogram, height) in enumerate(zip(found, heights, strict=True)):
        paint, base = style.colour(j), j - 0.08
        ax.stairs(base - 0.72 * height / top, edges, baseline=base, fill=True, color=paint, alpha=0.35)
        ax.stairs(base - 0.72 * height / top, edges, baseline=None, color=paint, linewidth=1.2)
        q1, median, q3 = (_quantile(histogram, q) for q in (0.25, 0.5, 0.75))
        ax.plot([q1, q3], [j + 0.06] * 2, color=paint, linewidth=4, solid_capstyle="butt")
        ax.plot([median] * 2, [j - 0.02, j + 0.14], color=style.DARK, linewidth=1.6)
        mean = runs.estimate(j, "score", level=level)
        if np.isfinite(mean.half_width):
            ax.plot([mean.lo, mean.hi], [j + 0.06] * 2, color=style.DARK, linewidth=1)
        ax.plot([mean.mean], [j + 0.06], "o", color="white", markeredgecolor=style.DARK, markersize=5)
    style.label_rows(ax, runs.slots.policies)
    ax.set_ylim(len(found) - 0.7, -0.95)
    unit = f", bins of {width}" if width > 1 else ""
    ax.set_xlabel(f"score in {runs.game.score_unit}{unit}\n(bar: median, dot: mean)")
    style.title(ax, "Distribution of scores")
    return ax


def _quantile(histogram: Histogram, q: float) -> float:
    return float(histogram.values[np.searchsorted(np.cumsum(histogram.counts), q * histogram.n)])


def convergence(runs: Runs, ax: Any = None, *, field: str = "win_share", level: float = 0.95, points: int = 40) -> Any:
    """Draw how each policy's estimate and interval settle as deals are added.

    Parameters
    ----------
    runs : Runs
        With rows kept.
    ax : Axes, optional
    field : {"win_share", "score"}
    level : float
        Confidence level, at each number of deals by itself.
    points : int
        About how many numbers of deals are drawn.

    Returns
    -------
    Axes
    """
    if field not in ("win_share", "score"):
        raise ValueError(f"field={field!r} must be 'win_share' or 'score'")
    if points < 2:
        raise ValueError(f"points={points!r} must be 2 or more")
    n, sums, squares = _running_sums(runs, field, points)
    ax = style.axes(ax, grid="y")
    for j, text in enumerate(runs.slots.policies):
        mean = sums[:, j] / n
        variance = np.maximum(squares[:, j] / n - mean**2, 0) / np.maximum(n - 1, 1)
        factor = np.array([t_quantile(level, max(1, k - 1)) for k in n])
        half = np.where(n > 1, factor * np.sqrt(variance), np.inf)
        lo, hi = mean - half, mean + half
        if field == "win_share":
            lo, hi = lo.clip(0, 1), hi.clip(0, 1)
        style.band(ax, n, mean, lo, hi, j, text, marks="last")
    if len(n) > 1:
        ax.set_xlim(n[0], n[-1] * (n[-1] / n[0]) ** 0.01)
        style.log_counts(ax)
    else:
        ax.set_xticks(n, [f"{n[0]:,}"])
    if field == "win_share":
        style.percent(ax, "y")
        style.share_limits(ax, "y")
    ax.set_xlabel("deals")
    ax.set_ylabel("win rate" if field == "win_share" else f"mean score in {runs.game.score_unit}")
    style.title(ax, f"How the estimates settle ({100 * level:.4g} % bands)")
    style.legend(ax, outside=True)
    return ax


def _running_sums(runs: Runs, field: str, points: int) -> tuple[Any, Any, Any]:
    """Return numbers of deals, and the sums and sums of squares of the policies' means by deal over so many deals."""
    slots, players, deals = runs.slots, len(runs.policies), runs.deals
    scale = (SHARE if field == "win_share" else 1) * np.array(slots.counts)
    n = np.unique(np.geomspace(min(30, deals), deals, points).round().astype(int))
    sums, squares = np.zeros((len(n), len(scale))), np.zeros((len(n), len(scale)))
    total, square, done = np.zeros(len(scale)), np.zeros(len(scale)), 0
    for _, rows in runs.chunks():
        values = slots.totals(rows[field][..., :players]) / scale
        run, run2 = np.cumsum(values, axis=0), np.cumsum(values**2, axis=0)
        here = np.flatnonzero((n > done) & (n <= done + len(rows)))
        sums[here], squares[here] = total + run[n[here] - done - 1], square + run2[n[here] - done - 1]
        total, square, done = total + run[-1], square + run2[-1], done + len(rows)
    return n, sums, squares
