"""The command `advise`: what to do with a hand of Three-Thirteen."""

from __future__ import annotations

from typing import Annotated

import typer

from simlib import _cli_output as output
from simlib._cli_options import Format, Level, Seed, Set, Threads


def advise(
    hand: Annotated[str, typer.Argument(help='The cards dealt, as "4h 5h 3c 9d"; the wild rank is their number')],
    upcard: Annotated[
        str | None, typer.Argument(help="Top of the discard pile; without it the last card was just drawn")
    ] = None,
    players: Annotated[int | None, typer.Option(help="Number of players")] = None,
    policy: Annotated[str, typer.Option(help="How this seat goes on")] = "potential",
    opponents: Annotated[str | None, typer.Option(help="How the other seats play; like this one by default")] = None,
    deals: Annotated[int, typer.Option(help="Deals of the hidden cards")] = 1_000,
    level: Level = 0.95,
    seed: Seed = None,
    set_: Set = None,
    threads: Threads = None,
    format_: Format = "table",
) -> None:
    """Say what drawing and each discard cost with a hand of Three-Thirteen, at the start of its round."""
    from simlib.analysis.three_thirteen.advise import advise as ask

    output.check_format(format_)
    found = ask(
        hand, upcard, players=players, rules=output.options("three_thirteen", set_), policy=policy, opponents=opponents,
        deals=deals, seed=seed, threads=threads, level=level,
    )  # fmt: skip
    if format_ != "table":
        output.show_rows(found.table.to_dict("records"), format_)
        return
    name = f"{100 * level:g} %"
    rows = [
        {
            "action": r["action"],
            f"penalty of the round [{name}]": output.interval(r["penalty"], r["lo"], r["hi"]),
            "goes out": f"{100 * r['out']:.0f} %",
            f"worse than the best by [{name}]": output.interval(r["worse"], r["worse_lo"], r["worse_hi"]),
        }
        for r in found.table.to_dict("records")
    ]
    output.show_rows(rows, "table")
    sure = "" if found.clear else ", not told apart from the next best"
    output.message(f"best: {found.best}{sure}; {found.deals:,} deals, seed {found.seed}")
