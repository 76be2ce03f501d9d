"""Figures of any table of estimates: curves, bars, differences (forest), pay-offs (heat map)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.plots import style
from simlib.plots._check import series, table


def curve(
    data: Any,
    ax: Any = None,
    *,
    xlabel: str = "",
    ylabel: str = "",
    title: str = "",
    percent: bool = False,
    marks: bool = True,
) -> Any:
    """Draw one or more curves with their bands.

    Parameters
    ----------
    data : DataFrame
        Columns ``x``, ``mean``, ``lo``, ``hi``, and ``series`` when there are several curves. Intervals may be
        infinite.
    ax : Axes, optional
    xlabel, ylabel, title : str
        Name the units here.
    percent : bool
        The values are shares.
    marks : bool
        Mark the points that were estimated.

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
    for i, (name, rows) in enumerate(series(found)):
        lo, hi = (rows.lo.clip(0, 1), rows.hi.clip(0, 1)) if percent else (rows.lo, rows.hi)
        style.band(ax, rows.x, rows["mean"], lo, hi, i, name, marks=marks)
    if percent:
        style.percent(ax, "y")
        style.share_limits(ax, "y")
    _texts(ax, xlabel, ylabel, title)
    style.legend(ax)
    return ax


def bars(
    data: Any, ax: Any = None, *, xlabel: str = "", ylabel: str = "", title: str = "", percent: bool = False
) -> Any:
    """Draw columns from zero with their intervals.

    Parameters
    ----------
    data : DataFrame
        Columns ``label``, ``mean``, ``lo``, ``hi``; drawn in the order given.
    ax : Axes, optional
    xlabel, ylabel, title : str
        Name the units here.
    percent : bool
        The values are shares.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        As for `curve`.
    """
    found = table(data, ["label", "mean", "lo", "hi"], numbers=["mean", "lo", "hi"])
    ax = style.axes(ax, grid="y", height=3.2)
    lo, hi = (found.lo.clip(0, 1), found.hi.clip(0, 1)) if percent else (found.lo, found.hi)
    style.columns(ax, found["mean"], lo, hi)
    width = max(6, 54 // len(found))
    ax.set_xticks(range(len(found)), [style.wrapped(text, width) for text in found.label])
    if percent:
        style.percent(ax, "y")
        ax.set_ylim(0, min(1.02, ax.get_ylim()[1]))
    elif (found["mean"] < 0).any():
        ax.axhline(0, color=style.DARK, linewidth=0.8)
    _texts(ax, xlabel, ylabel, title)
    return ax


def forest(
    data: Any, ax: Any = None, *, field: str = "score", unit: str = "", title: str = "", level: float = 0.95
) -> Any:
    """Draw paired differences with their intervals, one row each; the line marks no difference.

    A filled dot is a difference whose interval excludes 0, a hollow one may be none.

    Parameters
    ----------
    data : Comparison or DataFrame
        A table with columns ``label``, ``difference``, ``lo``, ``hi``, or what `simlib.compare` returns.
    ax : Axes, optional
    field : str
        Which field of a Comparison: ``score``, ``win_share`` or another number that the game has by seat.
    unit : str
        What a difference is measured in, ``"%"`` for shares; a Comparison knows.
    title : str
        From a Comparison by default.
    level : float
        Confidence level named below a table; a Comparison knows its own.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        As for `curve`, and when a Comparison has no such field.
    """
    if hasattr(data, "estimate") and hasattr(data, "variants"):
        unit, level, title, data = *_of_comparison(data, field, unit), title or _title(data, field), _rows(data, field)
    found = table(data, ["label", "difference", "lo", "hi"], numbers=["difference", "lo", "hi"], mean="difference")
    ax = style.rows_axes(len(found), ax)
    ax.axvline(0, color=style.DARK, linewidth=1, zorder=1)
    style.dots(ax, found.difference, found.lo, found.hi)
    for row, (value, lo, hi) in enumerate(zip(found.difference, found.lo, found.hi, strict=True)):
        if lo <= 0 <= hi:
            ax.plot([value], [row], "o", color="white", markeredgecolor=style.COLOURS[0], markersize=6, zorder=4)
    style.label_rows(ax, [str(text) for text in found.label])
    if unit == "%":
        style.percent(ax)
    named = {"": "", "%": " in percentage points"}.get(unit, f" in {unit}")
    ax.set_xlabel(f"difference{named}\n({100 * level:.4g} % intervals; hollow: may be none)")
    style.title(ax, title or "Differences", 42)
    return ax


def _of_comparison(comparison: Any, field: str, unit: str) -> tuple[str, float]:
    column = comparison.game.columns.get(field)
    share = field == "win_share" or (column is not None and column.kind in ("share", "flag"))
    known = comparison.game.score_unit if field == "score" or column is None else column.unit
    return unit or ("%" if share else known), float(comparison.stopping.level)


def _title(comparison: Any, field: str) -> str:
    what = {"score": "Score", "win_share": "Win rate"}.get(field, field.replace("_", " ").capitalize())
    return f"{what}: difference from {comparison.baseline}"


def _rows(comparison: Any, field: str) -> Any:
    import pandas as pd

    found = [(name, comparison.estimate(name, field)) for name in comparison.variants]
    return pd.DataFrame([{"label": n, "difference": e.mean, "lo": e.lo, "hi": e.hi} for n, e in found])


def payoffs(
    means: Any,
    ax: Any = None,
    *,
    lo: Any = None,
    hi: Any = None,
    centre: float = 0.0,
    unit: str = "",
    percent: bool = False,
    digits: int | None = None,
    title: str = "",
    ylabel: str = "",
    xlabel: str = "",
) -> Any:
    """Draw a table of pay-offs as a heat map with the numbers, and their intervals, in the cells.

    Parameters
    ----------
    means : DataFrame
        What the policy of the row gets against that of the column. NaN: not played.
    ax : Axes, optional
    lo, hi : DataFrame, optional
        Ends of the intervals, of the same rows and columns.
    centre : float
        The value that is white, as 0, or an equal share; blue is above, orange below.
    unit : str
        What the pay-offs are measured in.
    percent : bool
        The values are shares.
    digits : int, optional
        Decimals; two digits of the widest finite interval by default.
    title, xlabel, ylabel : str

    Returns
    -------
    Axes

    Raises
    ------
    ValueError, TypeError
        When the tables are empty, differ in shape, hold no numbers, or an interval does not hold its mean.
    """
    values, low, high = _matrices(means, lo, hi)
    rows, columns = values.shape
    cell = 0.95 if low is not None else 0.75
    ax = style.axes(ax, width=max(4.6, 2.4 + cell * columns), height=max(2.2, 1.5 + 0.55 * rows))
    reach = float(np.nanmax(np.abs(values - centre))) if np.isfinite(values).any() else 0.0
    reach = reach or 1.0
    shade = (values - centre) / reach
    ax.imshow(np.ma.masked_invalid(shade), cmap=_diverging(), vmin=-1, vmax=1, aspect="auto")
    scale, mark = (100, " %") if percent else (1, "")
    if digits is None:
        digits = _cell_digits(scale * values, None if low is None else scale * (high - low))
    for i, j in np.ndindex(rows, columns):
        text = "–"
        if np.isfinite(values[i, j]):
            text = f"{scale * values[i, j]:.{digits}f}{mark}"
            if low is not None and np.isfinite([low[i, j], high[i, j]]).all():
                text += f"\n[{scale * low[i, j]:.{digits}f}, {scale * high[i, j]:.{digits}f}]"
        strong = np.isfinite(shade[i, j]) and abs(shade[i, j]) > 0.75
        ax.text(j, i, text, ha="center", va="center", fontsize=8.5, color="white" if strong else style.DARK)
    turned = columns > 3 and max(len(str(c)) for c in means.columns) > 10
    ax.set_xticks(range(columns), [style.wrapped(c, 24 if turned else 16) for c in means.columns],
                  **({"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if turned else {}))  # fmt: skip
    ax.set_yticks(range(rows), [style.wrapped(c, 24) for c in means.index])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xticks(np.arange(columns - 1) + 0.5, minor=True)
    ax.set_yticks(np.arange(rows - 1) + 0.5, minor=True)
    ax.grid(True, which="minor", color="white", linewidth=2)
    ax.tick_params(which="minor", length=0)
    of = f" in {unit}" if unit else ""
    _texts(ax, xlabel or "against", ylabel, title or f"Pay-offs{of}")
    return ax


def _matrices(means: Any, lo: Any, hi: Any) -> tuple[Any, Any, Any]:
    import pandas as pd

    if not isinstance(means, pd.DataFrame):
        raise TypeError(f"means: must be a DataFrame, not {type(means).__name__}")
    if means.empty:
        raise ValueError("means: is empty")
    if (lo is None) != (hi is None):
        raise ValueError("lo, hi: both or neither must be given")
    out: list[Any] = []
    for name, given in (("means", means), ("lo", lo), ("hi", hi)):
        if given is None:
            out.append(None)
            continue
        if not isinstance(given, pd.DataFrame) or given.shape != means.shape:
            raise ValueError(f"{name}: must be a DataFrame of shape {means.shape}, as means")
        if list(given.index) != list(means.index) or list(given.columns) != list(means.columns):
            raise ValueError(f"{name}: must have the rows and columns of means, in the same order")
        try:
            out.append(given.to_numpy(float))
        except (ValueError, TypeError):
            raise TypeError(f"{name}: must hold numbers") from None
    values, low, high = out
    if low is not None and ((low > values + 1e-9) | (high < values - 1e-9)).any():
        raise ValueError("lo, hi: some interval does not hold its mean")
    return values, low, high


def _cell_digits(values: Any, lengths: Any) -> int:
    finite = lengths[np.isfinite(lengths) & (lengths > 0)] if lengths is not None else values[np.isfinite(values)]
    if not finite.size:
        return 1
    size = float(np.max(finite)) / 2 if lengths is not None else float(np.ptp(finite) or abs(finite).max() or 1) / 10
    return int(np.clip(1 - np.floor(np.log10(size)), 0, 4)) if size > 0 else 1


def _diverging() -> Any:
    """Orange below, white at, and blue above the centre: both ends can be told apart by colour-blind readers."""
    from matplotlib.colors import LinearSegmentedColormap

    found = LinearSegmentedColormap.from_list("orange-blue", ["#B34700", "#F3B48B", "#FAFAFA", "#8EC1E3", "#005A96"])
    return found.with_extremes(bad="#EEEEEE")


def _texts(ax: Any, xlabel: str, ylabel: str, title: str) -> None:
    if xlabel:
        ax.set_xlabel(xlabel)
    if ylabel:
        ax.set_ylabel(ylabel)
    if title:
        style.title(ax, title)
