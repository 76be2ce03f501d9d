"""Figures about bidding and models: value by strength of the hand, where it breaks even, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.plots import style
from simlib.plots._check import series, table
from simlib.stats.clusters import cluster_interval

if TYPE_CHECKING:
    import pandas as pd


def bid_values(
    data: Any, ax: Any = None, *, strength: str = "strength of the hand", unit: str = "chips", title: str = ""
) -> Any:
    """Draw what each bid is worth by the strength of the hand, with bands; the line marks 0.

    Parameters
    ----------
    data : DataFrame
        Columns ``x`` (strength), ``mean``, ``lo``, ``hi`` and ``series`` (as ``pass``, ``bid 1`` …).
    ax : Axes, optional
    strength : str
        What the strength is, with its unit.
    unit : str
        What the values are measured in.
    title : str

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        When a column is missing or holds no numbers, or an interval does not hold its mean.
    """
    found = table(data, ["x", "mean", "lo", "hi"], numbers=["x", "mean", "lo", "hi"])
    ax = style.axes(ax, grid="y")
    ax.axhline(0, color=style.DARK, linewidth=0.9, zorder=1)
    for i, (name, rows) in enumerate(series(found)):
        style.band(ax, rows.x, rows["mean"], rows.lo, rows.hi, i, name)
    ax.set_xlabel(strength)
    ax.set_ylabel(f"mean value in {unit}")
    style.title(ax, title or "Value of a bid by the strength of the hand")
    style.legend(ax)
    return ax


def break_even(
    data: Any,
    ax: Any = None,
    *,
    reference: float = 0.0,
    strength: str = "strength of the hand",
    unit: str = "chips",
    title: str = "",
) -> Any:
    """Draw values by strength, and mark where each curve first rises above the reference.

    The mark's range is where the ends of the intervals cross. Between estimates the curve is taken to be straight.

    Parameters
    ----------
    data : DataFrame
        As for `bid_values`.
    ax : Axes, optional
    reference : float
        What the value is compared with, as 0, or the value of passing.
    strength, unit, title : str
        As for `bid_values`.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        As for `bid_values`.
    """
    found = table(data, ["x", "mean", "lo", "hi"], numbers=["x", "mean", "lo", "hi"])
    ax = style.axes(ax, grid="y")
    ax.axhline(reference, color=style.DARK, linewidth=0.9, zorder=1)
    for i, (name, rows) in enumerate(series(found)):
        at = crossing(rows.x, rows["mean"], reference)
        first, last = crossing(rows.x, rows.hi, reference), crossing(rows.x, rows.lo, reference)
        label = f"{name}: " if name else ""
        label += "never breaks even" if at is None else f"breaks even at {_range(at, first, last)}"
        style.band(ax, rows.x, rows["mean"], rows.lo, rows.hi, i, label)
        if at is not None:
            ax.plot([at, at], [0, 1], transform=ax.get_xaxis_transform(), color=style.colour(i), linewidth=1,
                    linestyle=(0, (2, 2)))  # fmt: skip
            ax.plot([at], [reference], "o", color="white", markeredgecolor=style.colour(i), markeredgewidth=1.8,
                    markersize=8, zorder=5)  # fmt: skip
    ax.set_xlabel(strength)
    ax.set_ylabel(f"mean value in {unit}")
    style.title(ax, title or "Where a bid breaks even")
    if len(ax.get_legend_handles_labels()[0]) == 1:  # the label says where, so that it is shown for one curve too
        ax.legend(loc="best", frameon=False, fontsize=9)
    else:
        style.legend(ax)
    return ax


def _range(at: float, first: float | None, last: float | None) -> str:
    def shown(x: float | None) -> str:
        return "?" if x is None else f"{x:.3g}"

    return f"{at:.3g}" if first is None and last is None else f"{at:.3g} [{shown(first)}, {shown(last)}]"


def crossing(x: Any, y: Any, level: float = 0.0) -> float | None:
    """Return where values first rise to a level, by straight lines between points in order of x.

    Parameters
    ----------
    x, y : array-like
        Of equal length; where `y` is infinite nothing is known.
    level : float

    Returns
    -------
    float or None
        None when they begin above, or never reach it.
    """
    xs, ys = np.asarray(x, float), np.asarray(y, float) - level
    if xs.shape != ys.shape or xs.ndim != 1:
        raise ValueError(f"x, y: have shapes {xs.shape} and {ys.shape}; must be of one dimension and equal length")
    order = np.argsort(xs, kind="stable")
    xs, ys = xs[order], ys[order]
    for i in range(len(xs) - 1):
        if ys[i] < 0 <= ys[i + 1] and np.isfinite(ys[i : i + 2]).all():
            return float(xs[i] + (xs[i + 1] - xs[i]) * -ys[i] / (ys[i + 1] - ys[i]))
    return None


def calibration_table(
    predicted: Any, outcome: Any, *, deals: Any = None, bins: int = 10, level: float = 0.95
) -> pd.DataFrame:
    """Compare predicted probabilities with what happened, in bins of equal numbers of predictions.

    Parameters
    ----------
    predicted : array-like
        Shape (n,): probabilities.
    outcome : array-like
        Shape (n,): 0 or 1, or booleans.
    deals : array-like, optional
        Shape (n,): the deal of each prediction, so that intervals are clustered by deal; each its own by default.
    bins : int
        At most so many; equal predictions stay in one bin.
    level : float
        Confidence level.

    Returns
    -------
    DataFrame
        ``predicted`` (mean in the bin), ``observed``, ``lo``, ``hi``, ``n``.

    Raises
    ------
    ValueError
        When lengths differ, a probability is outside 0…1, or an outcome is neither 0 nor 1.
    """
    import pandas as pd

    p, y = np.asarray(predicted, float), np.asarray(outcome)
    cluster = np.arange(len(p)) if deals is None else np.asarray(deals)
    if p.ndim != 1 or y.shape != p.shape or cluster.shape != p.shape:
        raise ValueError(f"predicted, outcome, deals: have shapes {p.shape}, {y.shape}, {cluster.shape}; must be equal")
    if not len(p):
        raise ValueError("predicted: is empty")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("predicted: must be probabilities from 0 to 1")
    if not np.isin(y, (0, 1)).all():
        raise ValueError("outcome: must be 0 or 1")
    if bins < 1:
        raise ValueError(f"bins={bins!r} must be 1 or more")
    edges = np.unique(np.quantile(p, np.linspace(0, 1, bins + 1)))
    place = np.clip(np.searchsorted(edges, p, side="right") - 1, 0, max(0, len(edges) - 2))
    rows = []
    for b in np.unique(place):
        inside = place == b
        e = cluster_interval(y[inside].astype(np.int64), cluster[inside], level=level)
        rows.append({"predicted": p[inside].mean(), "observed": e.mean, "lo": e.lo, "hi": e.hi, "n": int(inside.sum())})
    return pd.DataFrame(rows)


def calibration(data: Any, ax: Any = None, *, what: str = "probability", title: str = "") -> Any:
    """Draw how often what a model predicts comes true; on the dashed line it does exactly as often as predicted.

    Parameters
    ----------
    data : DataFrame
        Columns ``predicted``, ``observed``, ``lo``, ``hi``, ``n`` as `calibration_table` makes them; ``series`` for
        several models.
    ax : Axes, optional
    what : str
        What is predicted, as ``"probability that the declarer wins"``.
    title : str

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        When a column is missing or holds no numbers, or an interval does not hold its mean.
    """
    columns = ["predicted", "observed", "lo", "hi", "n"]
    found = table(data, columns, numbers=columns, mean="observed").rename(columns={"predicted": "x"})
    ax = style.axes(ax, width=5.4, height=4.4, grid="both")
    ax.plot([0, 1], [0, 1], color=style.GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    several = series(found)
    width = 0.014
    for i, (name, rows) in enumerate(several):
        style.points(ax, rows.x, rows.observed, rows.lo.clip(0, 1), rows.hi.clip(0, 1), i, name)
        place = rows.x + (i - (len(several) - 1) / 2) * width
        ax.bar(place, 0.12 * rows.n / found.n.max(), width, color=style.colour(i), alpha=0.35, zorder=0)
    for axis in ("x", "y"):
        style.percent(ax, axis)
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(0, 1.02)
    ax.set_xlabel(f"predicted {what}\n(columns: number of predictions, most {int(found.n.max()):,})")
    ax.set_ylabel("observed share")
    style.title(ax, title or "Calibration")
    style.legend(ax, loc="upper left")
    return ax
