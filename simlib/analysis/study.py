"""The answer to one question: a table of estimates in words, and its picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simlib.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Study:
    """Estimates that together answer a question.

    Attributes
    ----------
    question : str
    table : DataFrame
        One row an estimate: ``part`` (which of the study's tables), ``what``, ``mean, lo, hi``, ``deals``, ``games``.
    units : dict
        Unit of each part's estimates, as ``"chips"`` or ``"chance to win"``.
    shares : tuple of str
        Parts whose estimates are shares, shown in per cent.
    """

    question: str
    table: pd.DataFrame = field(repr=False)
    units: dict[str, str] = field(repr=False)
    shares: tuple[str, ...] = field(default=(), repr=False)

    @property
    def parts(self) -> list[str]:
        """Names of the study's tables."""
        return list(self.units)

    def part(self, name: str) -> pd.DataFrame:
        """Return one of the tables.

        Raises
        ------
        ValueError
            When there is none of that name.
        """
        if name not in self.units:
            raise ValueError(f"part={name!r} must be one of {', '.join(self.parts)}")
        return self.table[self.table.part == name].drop(columns="part").reset_index(drop=True)

    def __getitem__(self, what: str) -> pd.Series[Any]:
        """Return the row of an estimate by its words."""
        found = self.table[self.table.what == what]
        if not len(found):
            raise KeyError(f"{what!r} is none of: {'; '.join(self.table.what)}")
        return found.iloc[0]

    def plot(self, ax: Any = None, *, part: str | None = None) -> Any:
        """Draw the estimates of one part, the first by default, with their intervals; return the Axes."""
        from simlib.plots import style

        name = self.parts[0] if part is None else part
        rows = self.part(name)
        ax = style.rows_axes(len(rows), ax)
        style.dots(ax, rows["mean"].tolist(), rows["lo"].tolist(), rows["hi"].tolist())
        style.label_rows(ax, list(rows["what"]))
        if name in self.shares:
            style.percent(ax)
        if rows["lo"].min() < 0 < rows["hi"].max():
            ax.axvline(0, color=style.GREY, linewidth=1)
        ax.set_xlabel(self.units[name])
        style.title(ax, self.question)
        return ax

    def __repr__(self) -> str:
        lines = [f"<{self.question}"]
        for name in self.parts:
            lines.append(f"  {name} ({self.units[name]}):")
            times = 100 if name in self.shares else 1
            for r in self.part(name).to_dict("records"):
                lo, mean, hi = (times * r[key] for key in ("lo", "mean", "hi"))
                lines.append(f"    {r['what']}: {mean:.3g}{' %' if times > 1 else ''} [{lo:.3g}, {hi:.3g}]")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        tables = [
            f"<p>{name}, {self.units[name]}</p>{self.part(name).round(4).to_html(index=False)}" for name in self.parts
        ]
        return f"<p><b>{self.question}</b></p>{''.join(tables)}"


def study(
    question: str,
    parts: Mapping[str, Sequence[tuple[str, Estimate]]],
    units: dict[str, str],
    shares: tuple[str, ...] = (),
    differences: tuple[str, ...] = (),
) -> Study:
    """Make a study of estimates in words, by part.

    The parts named in `shares` are shown in per cent, and their limits end at 0 and 1; those of `differences`,
    which are differences of two shares, at −1 and 1.
    """
    import pandas as pd

    rows = []
    for name, found in parts.items():
        low, high = -math.inf, math.inf
        if name in (*shares, *differences):
            low, high = (-1.0 if name in differences else 0.0), 1.0
        for what, e in found:
            limits = {"lo": max(e.lo, low), "hi": min(e.hi, high)}
            rows.append({"part": name, "what": what, "mean": e.mean, **limits, "deals": e.n_deals, "games": e.n_games})
    return Study(question, pd.DataFrame(rows), units, (*shares, *differences))
