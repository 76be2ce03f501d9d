"""Self-contained HTML reports: a summary in plain words on top, pictures and tables, how it was computed at the bottom."""

from __future__ import annotations

from simlib.report.runs import write_report

__all__ = ["write_report"]
