"""Self-contained HTML reports: a summary in plain words, pictures and tables, and how it was computed."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING

from simlib.report.tables import all_tables, is_comparison, summary_table, table_text

if TYPE_CHECKING:
    from simlib.analysis.comparison import Comparison
    from simlib.results import Runs

__all__ = ["all_tables", "open_result", "summary_table", "table_text", "write_report"]


def write_report(result: Runs | Comparison, path: str | os.PathLike[str]) -> pathlib.Path:
    """Write the report of a run or a comparison as one HTML file.

    Parameters
    ----------
    result : Runs or Comparison
    path : path
        A file, or a directory (then ``report.html`` in it).

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    ValueError
        When the file cannot be written.
    TypeError
        When `result` is something else.
    """
    from simlib.report.comparison import comparison_page
    from simlib.report.page import write
    from simlib.report.runs import run_page

    page = comparison_page(result) if is_comparison(result) else run_page(result)  # type: ignore[arg-type]
    return write(page, path)


def open_result(directory: str | os.PathLike[str]) -> Runs | Comparison:
    """Open a directory that holds a run or a comparison.

    Raises
    ------
    RunDirectoryError
        (a ValueError) when it holds neither, or is damaged.
    """
    from simlib.analysis.comparison import FILE, load_comparison
    from simlib.results import load

    return load_comparison(directory) if (pathlib.Path(directory) / FILE).is_file() else load(directory)
