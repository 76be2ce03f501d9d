"""The command `bid`: what a bid of Big Three is worth with a hand."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from simlib import _cli_output as output
from simlib._cli_options import Format, Level, Seed, Set, Threads


def bid(
    hand: Annotated[str, typer.Argument(help='The cards dealt, as "3h 3d 2s Ah …": 16, or 13')],
    seat: Annotated[int | None, typer.Option(help="Place in the order of bidding, 0 bids first")] = None,
    bids: Annotated[str, typer.Option(help="Every bid so far with commas between, 0 for a pass, as 1,0")] = "",
    players: Annotated[int | None, typer.Option(help="3 or 4")] = None,
    heart: Annotated[str | None, typer.Option(help="Card with which another seat is the first bidder, as 4h")] = None,
    others: Annotated[str, typer.Option(help="How the others bid: one policy, or one for each other seat")] = "value",
    play: Annotated[str, typer.Option(help="How everybody plays the cards")] = "counting",
    then: Annotated[str, typer.Option(help="How this hand bids later in the auction")] = "never",
    half_width: Annotated[float, typer.Option(help="Half the length of the interval of the chance to win")] = 0.02,
    deals: Annotated[int | None, typer.Option(help="Number of deals instead")] = None,
    slip: Annotated[float, typer.Option(help="Chance that a bid of the others was made at random")] = 0.01,
    level: Level = 0.95,
    seed: Seed = None,
    set_: Set = None,
    threads: Threads = None,
    format_: Format = "table",
) -> None:
    """Say what every bid is worth with a hand of Big Three, and how often it wins as declarer."""
    from simlib.analysis.big_three.bid_value import bid_value
    from simlib.policies.text import split_policies

    output.check_format(format_)
    named = split_policies(others)
    found = bid_value(
        hand, seat, _numbers(bids), players=players, heart=heart, others=named[0] if len(named) == 1 else named,
        play=play, then=then, rules=output.options("big_three", set_), half_width=half_width, deals=deals,
        level=level, slip=slip, seed=seed, threads=threads,
    )  # fmt: skip
    _show(found, format_)


def _numbers(text: str) -> tuple[int, ...]:
    """Read the bids."""
    try:
        return tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise ValueError(f"--bids {text}: must be numbers 0 to 3 with commas between, as 1,0") from None


def _show(found: Any, how: str) -> None:
    """Print the table of bids, and the chance to win."""
    if how != "table":
        output.show_rows(found.table.to_dict("records"), how)
    else:
        unit, level = found.unit, f"{100 * found.level:g} %"
        rows: list[dict[str, Any]] = []
        for r in found.table.to_dict("records"):
            rows.append({
                "bid": "pass" if r["bid"] == 0 else str(r["bid"]),
                f"{unit} [{level}]": output.interval(r[unit], r[f"{unit}_lo"], r[f"{unit}_hi"]),
                "more than the first": output.interval(r["gain"], r["gain_lo"], r["gain_hi"]) if rows else "–",
                "declares": f"{100 * r['declares']:.0f} %",
                "party wins": output.interval(r["wins"], r["wins_lo"], r["wins_hi"], percent=True),
                "": "best" if r["best"] else "",
            })  # fmt: skip
        output.show_rows(rows, "table")
    for line in found.lines():
        output.message(line)
