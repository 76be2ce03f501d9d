"""How the command line reads options and writes tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any


def message(text: str) -> None:
    """Write a line to stderr."""
    print(text, file=sys.stderr)


def check_format(given: str) -> None:
    """Refuse an unknown output format."""
    if given not in ("table", "csv", "json"):
        raise ValueError(f"--format {given}: must be table, csv or json")


def options(game: str, settings: Sequence[str] | None) -> dict[str, Any] | None:
    """Turn ``key=value`` texts into rule options; numbers, true/false, none, and lists with commas are understood."""
    if not settings:
        return None
    out: dict[str, Any] = {}
    for setting in settings:
        key, mark, text = setting.partition("=")
        if not mark or not key.strip():
            raise ValueError(f"--set {setting}: must be key=value")
        out[key.strip()] = _value(text.strip())
    return out


def _value(text: str) -> Any:
    if text[:1] in "[{":
        try:
            return json.loads(text)
        except ValueError:
            raise ValueError(f"--set: {text!r} is no JSON value") from None
    if "," in text:
        return [_value(part.strip()) for part in text.split(",") if part.strip()]
    plain = {"true": True, "false": False, "none": None, "null": None}
    if text.lower() in plain:
        return plain[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def show_rows(rows: Sequence[Mapping[Any, Any]], how: str) -> None:
    """Print rows as a table, CSV or JSON."""
    if how == "json":
        print(json.dumps(rows, indent=2, ensure_ascii=False, default=str))
    elif how == "csv":
        import csv

        writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else [])
        writer.writeheader()
        writer.writerows(rows)
    else:
        _table(rows)


def _table(rows: Sequence[Mapping[Any, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(rows[0] if rows else []):
        numeric = i > 0 and all(isinstance(r[name], (int, float)) or str(r[name])[:1] in "+-−0123456789" for r in rows)
        table.add_column(name.replace("_", " "), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*[_cell(value) for value in row.values()])
    Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False, emoji=False).print(table)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    return str(value)


def interval(mean: float, lo: float, hi: float, *, percent: bool = False) -> str:
    """Return an estimate with its interval, rounded to two digits of its half-width."""
    from simlib.report.words import interval_text

    scale = 100 if percent else 1
    return interval_text(scale * mean, scale * lo, scale * hi, " %" if percent else "")


def show_summary(runs: Any, how: str) -> None:
    """Print the summary of a run."""
    summary = runs.summary()
    if how != "table":
        show_rows(summary.to_dict("records"), how)
        return
    rows = [
        {
            "policy": r.policy,
            "games": int(r.games),
            "win rate [95 % interval]": interval(r.win_rate, r.win_lo, r.win_hi, percent=True),
            f"mean score in {runs.game.score_unit} [95 %]": interval(r.score, r.score_lo, r.score_hi),
            "sd of a score": round(float(r.score_sd), 1),
        }
        for r in summary.itertuples()
    ]
    show_rows(rows, "table")
    message(
        f"{runs.deals:,} deals × {len(runs.seatings)} seatings, seed {runs.manifest['seed']}; "
        "intervals are clustered by deal"
    )
