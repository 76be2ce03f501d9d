"""The tables of reports: as rows, and as Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simlib.report.words import count_text, estimate_text, level_text, p_text, share_text, text_of

if TYPE_CHECKING:
    from simlib.analysis.comparison import Comparison
    from simlib.results import Runs

Rows = list[dict[str, str]]
FORMATS = ("markdown", "latex")


def summary_rows(runs: Runs, *, level: float = 0.95) -> Rows:
    """Return a row a policy: games, win rate and mean score with their intervals, spread of a score."""
    rows: Any = runs.summary(level=level)
    per = level_text(level)
    return [
        {
            "policy": str(r.policy),
            "games": f"{r.games:,}",
            f"win rate [{per}]": share_text(r),
            f"mean score in {runs.game.score_unit} [{per}]": estimate_text(r, "score"),
            "sd of a score": f"{r.score_sd:.1f}" if r.score_sd == r.score_sd else "–",
        }
        for r in rows.itertuples()
    ]


def difference_rows(comparison: Comparison) -> Rows:
    """Return a row a variant: differences from the baseline with intervals and p, what pairing saved, the verdict."""
    per, unit = level_text(comparison.stopping.level), comparison.game.score_unit
    p_score, p_win = comparison.p_values("score"), comparison.p_values("win_share")
    rows = []
    for i, name in enumerate(comparison.variants):
        factor = comparison.factor(name)
        row = {
            "variant": name,
            f"{unit} more [{per}]": text_of(comparison.estimate(name, "score"), sign=True),
            "p": p_text(p_score[i]),
            f"percentage points of wins more [{per}]": text_of(
                comparison.estimate(name, "win_share"), share=True, sign=True
            ),
            "p (wins)": p_text(p_win[i]),
            "pairing saves": f"{factor:.2f} ×" if factor < 1e6 else "–",
            "games": f"{comparison.games(name):,}",
        }
        if comparison.stopping.sequential:
            row["verdict"] = comparison.verdict(name)
        rows.append(row)
    return rows


def tables_of(result: Runs | Comparison) -> list[tuple[str, Rows]]:
    """Return every table of a report but that of the manifest, each with what it shows."""
    if is_comparison(result):
        from simlib.report.comparison import detail_tables

        comparison: Any = result
        head = (
            f"{comparison.game.title}: variants against {comparison.baseline}, {count_text(comparison.deals, 'deal')}"
        )
        return [(head, difference_rows(comparison)), *detail_tables(comparison)]
    from simlib.report.games import game_tables

    runs: Any = result
    head = f"{runs.game.title}, {count_text(runs.deals, 'deal')} × {count_text(len(runs.seatings), 'seating')}"
    return [(head, summary_rows(runs)), *game_tables(runs)]


def is_comparison(result: Any) -> bool:
    """Whether something is a Comparison; a run, or an error.

    Raises
    ------
    TypeError
        When it is neither.
    """
    from simlib.analysis.comparison import Comparison
    from simlib.results import Runs

    if isinstance(result, (Comparison, Runs)):
        return isinstance(result, Comparison)
    raise TypeError(f"a report needs Runs or a Comparison, not {type(result).__name__}")


def summary_table(result: Runs | Comparison, format: str = "markdown") -> str:
    """Return the main table of a run or a comparison as text.

    Parameters
    ----------
    result : Runs or Comparison
    format : {"markdown", "latex"}

    Returns
    -------
    str
        A table of GitHub's Markdown, or a LaTeX tabular with rules of the package booktabs.

    Raises
    ------
    ValueError, TypeError
        For another format, or something else than a result.
    """
    rows = difference_rows(result) if is_comparison(result) else summary_rows(result)  # type: ignore[arg-type]
    return table_text(rows, format)


def all_tables(result: Runs | Comparison, format: str = "markdown") -> str:
    """Return every table of a report as text, each under what it shows. Arguments as for `summary_table`."""
    _check(format)
    out = []
    for caption, rows in tables_of(result):
        head = f"**{_markdown(caption)}**" if format == "markdown" else f"% {caption}"
        out.append(
            f"{head}\n\n{table_text(rows, format)}" if format == "markdown" else f"{head}\n{table_text(rows, format)}"
        )
    return "\n\n".join(out) + "\n"


def _check(format: str) -> None:
    if format not in FORMATS:
        raise ValueError(f"format={format!r} must be one of {', '.join(FORMATS)}")


def table_text(rows: Sequence[dict[str, Any]], format: str = "markdown") -> str:
    """Return rows with equal keys as a table in Markdown or LaTeX.

    Raises
    ------
    ValueError
        For another format, or no rows.
    """
    _check(format)
    if not rows:
        raise ValueError("rows: there are none")
    header = [name.replace("_", " ") for name in rows[0]]
    cells = [[str(value) for value in row.values()] for row in rows]
    right = [i > 0 and all(numeric(row[i]) for row in cells) for i in range(len(header))]
    if format == "markdown":
        lines = [header, ["---:" if r else "---" for r in right]]
        shown = [" | ".join(line if n == 1 else map(_markdown, line)) for n, line in enumerate([*lines, *cells])]
        return "\n".join(f"| {line} |" for line in shown)
    body = [" & ".join(map(_latex, line)) + r" \\" for line in [header, *cells]]
    columns = "".join("r" if r else "l" for r in right)
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            body[0],
            r"\midrule",
            *body[1:],
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def numeric(text: str) -> bool:
    """Whether a cell is a number, with an interval or not, and set flush right."""
    return text == "–" or bool(
        re.fullmatch(r"(< )?[-+−]?[\d.,]+[\d.,eE%×\s\[\]+−-]*(\((no interval|every deal)\))?", text)
    )


def _markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|~$#])", r"\\\1", text)


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$",
          "×": r"$\times$", "…": r"\dots{}", "<": r"\textless{}", ">": r"\textgreater{}",
          **{c: "\\" + c for c in "&%$#_{}"}}  # fmt: skip


def _latex(text: str) -> str:
    escaped = "".join(_LATEX.get(c, c) for c in text)
    return f"{{{escaped}}}" if escaped.startswith("[") else escaped  # else read as an option of the line break before
