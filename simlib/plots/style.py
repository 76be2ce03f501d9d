"""One quiet style for every figure: readable in print, for colour-blind readers, and at the width of a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

#: Okabe and Ito's palette, which colour-blind readers can tell apart; the first ones also differ in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY, DARK = "#777777", "#222222"
#: Gid of figures made here, which may grow when a legend or a note needs room; those of others are left as they are.
_OWN = "simlib-figure"

_RC: Any = {
    "figure.dpi": 110,
    "savefig.dpi": 160,
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#444444",
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.8,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "lines.linewidth": 1.8,
    "svg.fonttype": "path",
    "svg.hashsalt": "simlib",
}


@contextmanager
def style() -> Iterator[None]:
    """Use the style for the figures made inside."""
    import matplotlib as mpl

    with mpl.rc_context(_RC):
        yield
        interactive = mpl.is_interactive()
    mpl.interactive(interactive)  # a notebook's backend, loaded by the first figure, switches it on: let it stay


def axes(ax: Any = None, *, width: float = 6.4, height: float = 3.6, grid: str = "") -> Any:
    """Return the given Axes, or those of a new figure of simlib's style and the given size in inches.

    Raises
    ------
    TypeError
        When `ax` is something else.
    """
    if ax is None:
        import matplotlib.pyplot as plt

        with style():
            figure, ax = plt.subplots(figsize=(width, height))
        figure.set_gid(_OWN)
    else:
        from matplotlib.axes import Axes

        if not isinstance(ax, Axes):
            raise TypeError(f"ax={ax!r} must be matplotlib Axes or None")
    if grid:
        ax.grid(True, axis=grid, color=_RC["grid.color"], linewidth=0.8)
        ax.set_axisbelow(True)
    return ax


def rows_axes(n: int, ax: Any = None, **more: Any) -> Any:
    """Return Axes for a chart of n labelled rows, high enough for all of them."""
    return axes(ax, height=max(1.8, 1.2 + 0.38 * n), grid="x", **more)


def _grow(ax: Any, inches: float) -> None:
    """Make a figure of our own higher, so that the data keep their room."""
    figure = ax.figure
    if figure.get_gid() == _OWN and inches > 0:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + inches)


def colour(index: int) -> str:
    """Return the colour of a series."""
    return COLOURS[index % len(COLOURS)]


def marker(index: int) -> str:
    """Return the marker of a series; series of equal colour get different ones."""
    return MARKERS[(index + index // len(COLOURS)) % len(MARKERS)]


def plain(text: Any) -> str:
    """Return text as it is drawn literally: no formulas, and never hidden from the legend."""
    shown = str(text).replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def wrapped(text: Any, width: int = 28) -> str:
    """Return a label cut into lines, after commas, colons and blanks where there are any."""
    lines = [""]
    for piece in re.findall(r"[^\s,:;/]*[\s,:;/]*", str(text)):
        rest = piece
        if len(lines[-1]) + len(rest.rstrip()) > width and lines[-1]:
            lines.append("")
        while len(rest.rstrip()) > width:
            lines[-1] = rest[:width]
            rest = rest[width:]
            lines.append("")
        lines[-1] += rest
    return "\n".join(plain(line.rstrip()) for line in lines)


def label_rows(ax: Any, labels: Sequence[str]) -> None:
    """Write one label a row, the first on top; long ones are cut into lines, at most four."""
    shown = []
    for text in labels:
        lines = wrapped(text, 30).split("\n")
        shown.append("\n".join(lines[:3] + ["…"] if len(lines) > 4 else lines))
    most = 1 + max(text.count("\n") for text in shown)
    ax.set_yticks(range(len(labels)), shown, fontsize=10 if most < 3 else 8.5)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    _grow(ax, len(labels) * 0.13 * max(0, most - 2))


def dots(
    ax: Any, means: Iterable[float], los: Iterable[float], his: Iterable[float], colours: Sequence[str] | None = None
) -> None:
    """Draw an estimate and its interval for each row; an infinite interval is a dotted line from edge to edge."""
    for row, (mean, lo, hi) in enumerate(zip(means, los, his, strict=True)):
        paint = colours[row] if colours else COLOURS[0]
        if np.isfinite(lo) and np.isfinite(hi):
            ax.plot([lo, hi], [row, row], color=paint, linewidth=2.2, solid_capstyle="butt", zorder=2)
        else:
            across = ax.get_yaxis_transform()
            ax.plot([0, 1], [row, row], color=paint, linewidth=1.4, linestyle=":", transform=across, zorder=2)
        ax.plot([mean], [row], "o", color=paint, markersize=6, markeredgecolor="white", markeredgewidth=0.8, zorder=3)


def percent(ax: Any, axis: str = "x") -> None:
    """Label an axis of shares in per cent, with as many decimals as a tick needs."""
    from matplotlib.ticker import FuncFormatter

    getattr(ax, f"{axis}axis").set_major_formatter(FuncFormatter(lambda value, _: f"{round(100 * value, 6):g} %"))


def log_counts(ax: Any) -> None:
    """Make the x axis logarithmic, with counts such as 200 or 1,000 at its ticks."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.set_xscale("log")
    lo, hi = ax.get_xlim()
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if hi < 100 * lo else (1,)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def share_limits(ax: Any, axis: str = "x", *, least: float = 0.02) -> None:
    """Keep an axis of shares within 0…1 (with room for a dot there), and not so narrow that noise looks like much."""
    lo, hi = getattr(ax, f"get_{axis}lim")()
    if hi - lo < least:
        lo, hi = (lo + hi - least) / 2, (lo + hi + least) / 2
    getattr(ax, f"set_{axis}lim")(max(lo, -0.02), min(hi, 1.02))


def band(ax: Any, x: Any, mean: Any, lo: Any, hi: Any, index: int, label: Any, *, marks: bool | str = True) -> None:
    """Draw a line with its band of intervals; where they are infinite there is no band.

    `marks` is whether the points are marked; with ``"last"`` the last one is.
    """
    low, high = np.asarray(lo, float), np.asarray(hi, float)
    there = np.isfinite(low) & np.isfinite(high)
    at, middle = np.asarray(x, float), np.asarray(mean, float)
    paint = colour(index)
    if len(at) == 1 and there[0]:
        ax.plot([at[0], at[0]], [low[0], high[0]], color=paint, linewidth=2.2, alpha=0.5)
    elif there.any():
        ax.fill_between(at, np.where(there, low, np.nan), np.where(there, high, np.nan), where=there,
                        color=paint, alpha=0.18, linewidth=0)  # fmt: skip
    shape: dict[str, Any] = {"marker": marker(index), "markersize": 5} if marks else {}
    if marks == "last":
        shape["markevery"] = [len(at) - 1]
    ax.plot(at, middle, color=paint, label=plain(label), **shape)
    if not there.all():
        note(ax, "too few deals for every interval")


def points(ax: Any, x: Any, mean: Any, lo: Any, hi: Any, index: int, label: Any) -> None:
    """Draw estimates with their intervals as bars, not joined by a line."""
    low, high = np.asarray(lo, float), np.asarray(hi, float)
    there = np.isfinite(low) & np.isfinite(high)
    at, paint = np.asarray(x, float), colour(index)
    ax.vlines(at[there], low[there], high[there], color=paint, linewidth=2.2, zorder=2)
    for place in at[~there]:
        across = ax.get_xaxis_transform()
        ax.plot([place, place], [0, 1], color=paint, linewidth=1.4, linestyle=":", transform=across, zorder=1)
    ax.plot(at, mean, marker(index), color=paint, markersize=6, markeredgecolor="white", markeredgewidth=0.8,
            label=plain(label), zorder=3)  # fmt: skip


def note(ax: Any, text: str) -> None:
    """Write a quiet remark above the upper right corner, once."""
    if all(found.get_text() != text for found in ax.texts):
        ax.text(1, 1.01, text, transform=ax.transAxes, ha="right", va="bottom", fontsize=8, color=GREY)


def title(ax: Any, text: str, width: int = 62) -> None:
    """Write the title, flush left, in lines of at most so many letters."""
    ax.set_title(wrapped(text, width), loc="left", fontsize=11)


def legend(ax: Any, *, outside: bool = False, **more: Any) -> None:
    """Name the series when there is more than one: inside, or below the data where they are many or long, or asked."""
    handles, labels = ax.get_legend_handles_labels()
    if len(labels) < 2:
        return
    longest = max(map(len, labels))
    options: dict[str, Any] = {"loc": "best", "frameon": False, "fontsize": 9, **more}
    if outside or len(labels) > 4 or longest > 22:
        from matplotlib.transforms import ScaledTranslation

        shown = [wrapped(text, 52) for text in (label.replace(r"\$", "$") for label in labels)]
        columns = int(np.clip(4.6 / (0.07 * min(longest, 52) + 0.55), 1, len(labels)))
        below = ax.transAxes + ScaledTranslation(0, -0.72, ax.figure.dpi_scale_trans)
        ax.legend(handles, shown, loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=below, ncols=columns,
                  frameon=False, fontsize=9, borderaxespad=0)  # fmt: skip
        lines = [1 + text.count("\n") for text in shown]
        rows = -(-len(lines) // columns)
        _grow(ax, 0.17 * max(sum(lines[c * rows : (c + 1) * rows]) for c in range(columns)) + 0.1)
        return
    ax.legend(handles, labels, **options)


def columns(ax: Any, mean: Any, lo: Any, hi: Any, index: int = 0) -> None:
    """Draw columns from zero, at 0, 1, 2 …, with their intervals; those that are infinite are left out and noted."""
    middle, low, high = np.asarray(mean, float), np.asarray(lo, float), np.asarray(hi, float)
    x = np.arange(len(middle))
    ax.bar(x, middle, color=colour(index), width=0.62)
    there = np.isfinite(low) & np.isfinite(high)
    if there.any():
        reach = np.maximum(0, [middle[there] - low[there], high[there] - middle[there]])
        ax.errorbar(x[there], middle[there], yerr=reach, fmt="none", ecolor=DARK, capsize=4, linewidth=1.2)
    if not there.all():
        note(ax, "too few deals for every interval")
