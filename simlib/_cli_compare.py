"""The commands `compare` and `plan`."""

from __future__ import annotations

import pathlib
import sys
from typing import Annotated, Any

import typer

from simlib import _cli_output as output
from simlib._cli_options import (
    Baseline,
    Copies,
    Format,
    Game,
    Level,
    Measure,
    Opponents,
    Seatings,
    Seed,
    Set,
    Threads,
)

Variants = Annotated[str | None, typer.Option(help="Policies with commas between, as tips:bid=2,greedy")]
RuleVariants = Annotated[
    list[str] | None,
    typer.Option("--rules", help="The same policies under other rules, key=value;key=value (repeatable)"),
]


def compare(
    game: Game,
    baseline: Baseline,
    variants: Variants = None,
    rules: RuleVariants = None,
    opponents: Opponents = None,
    deals: Annotated[
        int | None, typer.Option(help="Number of shuffles; with --until or --sprt at most so many")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Stop at this half-width, as ±0.05 or 0.05")] = None,
    sprt: Annotated[str | None, typer.Option(help="Stop when a test decides: lo,hi or lo,hi,alpha,beta")] = None,
    measure: Measure = "score",
    seed: Seed = None,
    set_: Set = None,
    seatings: Seatings = "rotations",
    copies: Copies = 1,
    level: Level = 0.95,
    covariates: Annotated[bool, typer.Option("--covariates", help="Adjust for features of the dealt hands")] = False,
    threads: Threads = None,
    out: Annotated[pathlib.Path | None, typer.Option(help="Directory in which the comparison is kept")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the comparison that --out holds")] = False,
    format_: Format = "table",
) -> None:
    """Compare ways of playing, or rules, on the same seats of the same deals."""
    from simlib.analysis.compare import ComparisonInterrupted
    from simlib.analysis.compare import compare as compare_all

    output.check_format(format_)
    try:
        found = compare_all(
            game, baseline, _variants(game, variants, rules), deals,
            until=until, sprt=_numbers(sprt), measure=measure, opponents=opponents, copies=copies, seatings=seatings,
            seed=seed, rules=output.options(game, set_), threads=threads, out=out, resume=resume, level=level,
            covariates=covariates,
        )  # fmt: skip
    except ComparisonInterrupted as stop:
        show(stop.partial, format_)
        kept = f"; go on with --out {out} --resume" if out is not None else ""
        output.message(f"simlib: {stop}{kept}")
        sys.exit(130)
    show(found, format_)
    if out is not None:
        output.message(f"comparison kept in {out}")


def plan(
    game: Game,
    baseline: Baseline,
    half_width: Annotated[float, typer.Option(help="Half the length of the interval that is wanted")],
    variant: Annotated[str | None, typer.Option(help="The policy to be compared")] = None,
    rules: Annotated[str | None, typer.Option("--rules", help="Other rules instead, key=value;key=value")] = None,
    opponents: Opponents = None,
    pilot: Annotated[int, typer.Option(help="Deals that are played to find out")] = 1_000,
    measure: Measure = "score",
    seed: Seed = None,
    set_: Set = None,
    seatings: Seatings = "rotations",
    copies: Copies = 1,
    level: Level = 0.95,
    threads: Threads = None,
    format_: Format = "table",
) -> None:
    """Say how many deals a comparison needs, from a pilot, and what they cost."""
    from simlib.analysis.plan import plan as plan_all

    output.check_format(format_)
    ((_, spec),) = _variants(game, variant, [rules] if rules else None, one=True).items()
    found = plan_all(
        game, baseline, spec, half_width,
        measure=measure, pilot=pilot, opponents=opponents, copies=copies, seatings=seatings, seed=seed,
        rules=output.options(game, set_), threads=threads, level=level,
    )  # fmt: skip
    table: Any = found.table
    output.show_rows(table.to_dict("records"), format_)
    output.message(repr(found)[1:-1])


def _variants(game: str, policies: str | None, rules: list[str] | None, one: bool = False) -> dict[str, Any]:
    """Return the variants by name: policies by their text, rule variants by their options."""
    from simlib.policies.text import split_policies

    option = "--variant" if one else "--variants"
    found: dict[str, Any] = {text: text for text in split_policies(policies)} if policies else {}
    for text in rules or ():
        found[text] = output.options(game, [part for part in text.split(";") if part.strip()])
    if not found or (one and len(found) > 1):
        raise ValueError(
            f"{option} or --rules: {'exactly one variant' if one else 'at least one variant'} must be given"
        )
    return found


def _numbers(text: str | None) -> tuple[float, ...] | None:
    """Read ``lo,hi`` or ``lo,hi,alpha,beta``."""
    if text is None:
        return None
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"--sprt {text}: must be lo,hi or lo,hi,alpha,beta") from None


def show(comparison: Any, how: str) -> None:
    """Print the table of a comparison."""
    table: Any = comparison.table
    if how != "table":
        output.show_rows(table.to_dict("records"), how)
        return
    unit, level = comparison.game.score_unit, f"{100 * comparison.stopping.level:g} %"
    rows = []
    for r in table.to_dict("records"):
        row = {
            "variant": r["variant"],
            f"{unit} more [{level}]": output.interval(r["score"], r["score_lo"], r["score_hi"]),
            "p": _p(r["score_p"]),
            f"win rate more [{level}]": output.interval(
                r["win_share"], r["win_share_lo"], r["win_share_hi"], percent=True
            ),
            "p ": _p(r["win_share_p"]),
            "pairing saves": _times(r["score_factor"]),
        }
        if "score_gain" in r:
            row["covariates save"] = _times(r["score_gain"])
        row |= {"games": r["games"], "seconds": round(r["seconds"], 1)}
        if "verdict" in r:
            row["verdict"] = r["verdict"]
        rows.append(row)
    output.show_rows(rows, "table")
    m = comparison.manifest
    others = ", ".join(p["policy"] for p in m["opponents"]) or "nobody else"
    output.message(
        f"{comparison.deals:,} deals × {len(m['orders'])} seatings, seed {m['seed']}; "
        f"instead of {comparison.baseline} against {others}; "
        "intervals are clustered by deal, p adjusted for the number of variants (Holm)"
    )


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _times(value: float) -> str:
    return f"{value:.2f} ×" if value < 1e6 else "–"
