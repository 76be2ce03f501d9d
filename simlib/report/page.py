"""A self-contained HTML page of texts, pictures and tables: nothing is fetched, it prints, and fits a phone."""

from __future__ import annotations

import base64
import io
import os
import pathlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simlib.report.tables import numeric

#: Width in inches of the picture that narrow screens get, so that its letters stay readable there.
NARROW = 4.3


@dataclass(frozen=True)
class Picture:
    """A figure as two data addresses, for wide and for narrow screens, and what it shows in words."""

    wide: str
    narrow: str
    alt: str


@dataclass(frozen=True)
class Table:
    """Cells as text, and what they show."""

    caption: str
    header: list[str]
    rows: list[list[str]]

    @property
    def right(self) -> list[bool]:
        """Which columns are set flush right: those of numbers, but the first."""
        return [i > 0 and all(numeric(row[i]) for row in self.rows) for i in range(len(self.header))]


@dataclass
class Section:
    """One part of a page.

    Attributes
    ----------
    heading : str
    text : list of str
        Paragraphs.
    figures : list of Picture
    tables : list of Table
    """

    heading: str
    text: list[str] = field(default_factory=list)
    figures: list[Picture] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def add_figure(self, ax: Any, alt: str) -> Section:
        """Add the figure of some Axes, and close it; its title gives way to the words below it."""
        self.figures.append(picture(ax, alt))
        return self

    def add_table(self, rows: Sequence[dict[str, Any]], caption: str = "") -> Section:
        """Add a table of rows with equal keys."""
        if rows:
            header = [name.replace("_", " ") for name in rows[0]] if not caption else list(rows[0])
            self.tables.append(Table(caption, header, [[str(value) for value in row.values()] for row in rows]))
        return self


def picture(ax: Any, alt: str) -> Picture:
    """Return the figure of some Axes as SVG in data addresses (text as outlines), and close it."""
    import matplotlib.pyplot as plt

    figure = ax.figure
    ax.set_title("", loc="left")
    wide = _address(figure)
    width, height = figure.get_size_inches()
    figure.set_size_inches(min(width, NARROW), height)
    narrow = _address(figure)
    plt.close(figure)
    return Picture(wide, narrow, alt)


def _address(figure: Any) -> str:
    from simlib.plots.style import style

    buffer = io.StringIO()
    with style():
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>", "", buffer.getvalue(), flags=re.S).strip()
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def render(title: str, lead: Sequence[str], sections: Sequence[Section], foot: str) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    title : str
    lead : list of str
        The summary in plain words, at the top.
    sections : list of Section
    foot : str
        One line at the bottom.
    """
    import jinja2

    loader = jinja2.PackageLoader("simlib.report", "templates")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.get_template("page.html.j2")
    return template.render(title=title, lead=lead, sections=sections, foot=foot)


def write(page: str, path: str | os.PathLike[str], name: str = "report.html") -> pathlib.Path:
    """Write a text, whole or not at all, and return its path; into a directory under the name given.

    Raises
    ------
    ValueError
        When the file cannot be written.
    """
    target = pathlib.Path(path)
    if target.is_dir():
        target = target / name
    temporary = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(page, encoding="utf-8")
        os.replace(temporary, target)
    except OSError as error:
        raise ValueError(f"the report {target} cannot be written: {error.strerror or error}") from None
    return target
