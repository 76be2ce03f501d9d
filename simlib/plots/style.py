"""One quiet style for every figure: readable in print, for colour-blind readers, and at the width of a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

#: Okabe and Ito's palette, which colour-blind readers can tell apart; the first ones also differ in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY = "#777777"

_RC = {
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


def axes(ax: Any = None, *, width: float = 6.4, height: float = 3.6, grid: str = "") -> Any:
    """Return the given Axes, or those of a new figure of simlib's style and the given size in inches."""
    if ax is None:
        import matplotlib.pyplot as plt

        with style():
            _, ax = plt.subplots(figsize=(width, height))
    if grid:
        ax.grid(True, axis=grid, color=_RC["grid.color"], linewidth=0.8)
        ax.set_axisbelow(True)
    return ax


def rows_axes(n: int, ax: Any = None, **more: Any) -> Any:
    """Return Axes for a chart of n labelled rows, high enough for all of them."""
    return axes(ax, height=max(1.8, 1.2 + 0.38 * n), grid="x", **more)


def label_rows(ax: Any, labels: Sequence[str]) -> None:
    """Write one label a row, the first on top; long ones are cut into lines."""
    import textwrap

    wrapped = ["\n".join(textwrap.wrap(text, 30, break_long_words=True, break_on_hyphens=False) or [""]) for text in labels]
    ax.set_yticks(range(len(labels)), wrapped)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)


def dots(ax: Any, means: Sequence[float], los: Sequence[float], his: Sequence[float], colours: Sequence[str] | None = None) -> None:
    """Draw an estimate and its interval for each row."""
    for row, (mean, lo, hi) in enumerate(zip(means, los, his, strict=True)):
        colour = colours[row] if colours else COLOURS[0]
        ax.plot([lo, hi], [row, row], color=colour, linewidth=2.2, solid_capstyle="butt", zorder=2)
        ax.plot([mean], [row], "o", color=colour, markersize=6, markeredgecolor="white", markeredgewidth=0.8, zorder=3)


def percent(ax: Any, axis: str = "x", decimals: int | None = None) -> None:
    """Label an axis of shares in per cent."""
    from matplotlib.ticker import PercentFormatter

    getattr(ax, f"{axis}axis").set_major_formatter(PercentFormatter(1.0, decimals=decimals))


def band(ax: Any, x: Any, mean: Any, lo: Any, hi: Any, index: int, label: str) -> None:
    """Draw a line with its band of intervals."""
    colour = COLOURS[index % len(COLOURS)]
    ax.fill_between(x, lo, hi, color=colour, alpha=0.18, linewidth=0)
    ax.plot(x, mean, color=colour, marker=MARKERS[index % len(MARKERS)], markersize=5, label=label)


def title(ax: Any, text: str) -> None:
    """Write the title, flush left."""
    ax.set_title(text, loc="left", fontsize=11)


def legend(ax: Any, *, outside: bool = False, **more: Any) -> None:
    """Name the series when there is more than one; `outside` puts the names to the right of data that fill the Axes."""
    if len(ax.get_legend_handles_labels()[0]) > 1:
        place = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5)} if outside else {"loc": "best"}
        ax.legend(**{**place, "frameon": False, "fontsize": 9, **more})
