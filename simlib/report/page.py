"""A self-contained HTML page of texts, pictures and tables: nothing is fetched, it prints, and fits a phone."""

from __future__ import annotations

import base64
import html
import io
import os
import pathlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Section:
    """One part of a page.

    Attributes
    ----------
    heading : str
    text : list of str
        Paragraphs.
    figures : list of (str, str)
        Pictures as data addresses, with what they show in words.
    tables : list of (header, rows)
        Cells are text.
    """

    heading: str
    text: list[str] = field(default_factory=list)
    figures: list[tuple[str, str]] = field(default_factory=list)
    tables: list[tuple[list[str], list[list[str]]]] = field(default_factory=list)

    def add_figure(self, ax: Any, alt: str) -> Section:
        """Add the figure of some Axes and close it."""
        self.figures.append((figure_address(ax), alt))
        return self

    def add_table(self, rows: Sequence[dict[str, Any]]) -> Section:
        """Add a table of rows with equal keys."""
        if rows:
            header = [name.replace("_", " ") for name in rows[0]]
            self.tables.append((header, [[str(value) for value in row.values()] for row in rows]))
        return self


def figure_address(ax: Any) -> str:
    """Return the figure of some Axes as a data address (SVG, text as outlines), and close it."""
    import matplotlib.pyplot as plt

    from simlib.plots.style import style

    buffer = io.StringIO()
    with style():
        ax.figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(ax.figure)
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
    return template.render(title=title, lead=lead, sections=sections, foot=foot, numeric=_numeric)


def _numeric(text: str) -> bool:
    """Whether a cell is set flush right."""
    return bool(re.fullmatch(r"[-+−]?[\d.,]+[\d.,eE%\s\[\]+−-]*", html.unescape(text)))


def write(page: str, path: str | os.PathLike[str]) -> pathlib.Path:
    """Write a page, whole or not at all, and return its path.

    Raises
    ------
    ValueError
        When the file cannot be written.
    """
    target = pathlib.Path(path)
    if target.is_dir():
        target = target / "report.html"
    temporary = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(page, encoding="utf-8")
        os.replace(temporary, target)
    except OSError as error:
        raise ValueError(f"the report {target} cannot be written: {error.strerror or error}") from None
    return target
