"""Figures of games that are played in parts (thirds, rounds): how scores develop, what a lead is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.game import SHARE
from simlib.plots import style
from simlib.plots.gather import part_count, part_estimates, ratios, share_bounds, standing, standing_estimates
from simlib.stats.clusters import cluster_interval

if TYPE_CHECKING:
    from simlib.results import Runs


def score_by_part(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw the mean score after each part of the game (third, round) with its interval.

    Where a game keeps penalties by part (Three-Thirteen), the score is minus their sum so far; that needs a run with
    rows kept.

    Parameters
    ----------
    runs : Runs
    ax : Axes, optional
    level : float
        Confidence level.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        When the game has no parts.
    """
    found = standing_estimates(runs, level=level)
    ax = _lines(runs, found, ax)
    ax.set_xlabel(f"after {runs.game.parts}")
    ax.set_ylabel(f"mean score in {runs.game.score_unit}")
    style.title(ax, f"Score after each {runs.game.parts} ({100 * level:.4g} % bands)")
    return ax


def mean_by_part(
    runs: Runs, field: str, ax: Any = None, *, level: float = 0.95, ylabel: str = "", title: str = ""
) -> Any:
    """Draw the mean of a column by part and seat, as ``third_taken`` or ``round_upcards``, for each policy.

    Parameters
    ----------
    runs : Runs
        Rows need not be kept.
    field : str
    ax : Axes, optional
    level : float
        Confidence level.
    ylabel, title : str
        From the column's description by default.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        When the game has no such column.
    """
    found = part_estimates(runs, field, level=level)
    column, part = runs.game.columns[field], runs.game.parts
    ax = _lines(runs, found, ax)
    if column.kind == "flag":
        style.percent(ax, "y")
        style.share_limits(ax, "y")
    ax.set_xlabel(part)
    what = f"mean {column.unit}" if column.unit == runs.game.score_unit else f"mean number of {column.unit or 'times'}"
    ax.set_ylabel(ylabel or ("share of games" if column.kind == "flag" else what))
    style.title(ax, title or f"{column.doc[:1].upper()}{column.doc[1:]} ({100 * level:.4g} % bands)")
    return ax


def _lines(runs: Runs, found: list[list[Any]], ax: Any) -> Any:
    """Draw one line with its band for each policy over the parts."""
    ax = style.axes(ax, grid="y")
    x = np.arange(1, len(found[0]) + 1)
    for j, (text, line) in enumerate(zip(runs.slots.policies, found, strict=True)):
        style.band(ax, x, [e.mean for e in line], [e.lo for e in line], [e.hi for e in line], j, text)
    ax.set_xticks(x)
    style.legend(ax)
    return ax


def win_by_lead(runs: Runs, ax: Any = None, *, bins: int = 9, level: float = 0.95) -> Any:
    """Draw the chance to win against the lead (or deficit) after a part, for at most four parts before the last.

    The lead is a seat's score less the best score of the others. Intervals are clustered by deal.

    Parameters
    ----------
    runs : Runs
        With rows kept; at most the first 400,000 games and seats are looked at.
    ax : Axes, optional
    bins : int
        Into how many groups of about equal size the leads are cut; fewer where there are few games.
    level : float
        Confidence level.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        When the game has no parts, or the run kept only its summary.
    """
    if bins < 1:
        raise ValueError(f"bins={bins!r} must be 1 or more")
    leads, shares, deals = _leads(runs)
    ax = style.axes(ax, grid="both")
    most = int(np.clip(len(shares) // 60, 1, bins))
    for line, part in enumerate(_chosen(part_count(runs) - 1)):
        lead = leads[:, part]
        edges = np.unique(np.quantile(lead, np.linspace(0, 1, most + 1)))
        place = np.clip(np.searchsorted(edges, lead, side="right") - 1, 0, max(0, len(edges) - 2))
        used = np.unique(place)
        found = [cluster_interval(shares[place == b], deals[place == b], level=level, scale=SHARE) for b in used]
        x = [lead[place == b].mean() for b in used]
        style.band(ax, x, [e.mean for e in found], *share_bounds(found), line, f"after {runs.game.parts} {part + 1}")
    ax.axvline(0, color=style.GREY, linewidth=1)
    style.percent(ax, "y")
    ax.set_ylim(0, 1)
    ax.set_xlabel(f"lead over the best other seat in {runs.game.score_unit}")
    ax.set_ylabel("chance to win")
    style.title(ax, f"Chance to win against the standing ({100 * level:.4g} % bands)")
    style.legend(ax, loc="upper left")
    return ax


def _chosen(parts: int) -> list[int]:
    """Return at most four of so many parts, spread evenly, the last one among them."""
    return sorted({round(k) for k in np.linspace(parts / 4, parts, 4) - 1}) if parts > 4 else list(range(parts))


def _leads(runs: Runs, most: int = 400_000) -> tuple[Any, Any, Any]:
    """Lead by game, seat and part (rows, parts), win share × 840 (rows,), deal (rows,); of at most so many rows."""
    players = len(runs.policies)
    leads, shares, deals = [], [], []
    total = 0
    for first, every in runs.chunks():
        rows = every[: max(1, -(-(most - total) // (every.shape[1] * players)))]
        score = standing(runs, rows).reshape(rows.size, part_count(runs), players)
        for seat in range(players):
            leads.append(score[:, :, seat] - np.delete(score, seat, axis=2).max(axis=2))
            shares.append(rows.reshape(-1)["win_share"][:, seat].astype(np.int64))
            deals.append(np.repeat(np.arange(first, first + len(rows)), rows.shape[1]))
        total += rows.size * players
        if total >= most:
            break
    return np.concatenate(leads), np.concatenate(shares), np.concatenate(deals)


def lead_changes(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw how often the lead changed hands: parts after which nobody of those who led before still leads.

    Parameters
    ----------
    runs : Runs
        With rows kept.
    ax : Axes, optional
    level : float
        Confidence level; intervals are clustered by deal.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        When the game has no parts, or the run kept only its summary.
    """
    possible = max(1, part_count(runs))

    def build(rows: Any) -> tuple[Any, Any]:
        after = standing(runs, rows)
        leads = after == after.max(axis=3, keepdims=True)
        changed = ~(leads[:, :, 1:] & leads[:, :, :-1]).any(axis=3)
        times = changed.sum(axis=2)
        totals = np.stack([(times == k).sum(axis=1) for k in range(possible)], axis=1)
        return totals, np.full_like(totals, rows.shape[1])

    found = [e for e in ratios(runs, build, level=level) if e is not None]
    last = max(k for k, e in enumerate(found) if e.mean > 0)
    found = found[: last + 1]
    ax = style.axes(ax, grid="y", height=3.0)
    style.columns(ax, [e.mean for e in found], *share_bounds(found))
    ax.set_xticks(range(last + 1))
    style.percent(ax, "y")
    ax.set_ylim(0, None)
    ax.set_xlabel("lead changes in a game")
    ax.set_ylabel("share of games")
    style.title(ax, f"How often the lead changes ({100 * level:.4g} % intervals)")
    return ax
