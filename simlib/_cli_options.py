"""Arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Game = Annotated[str, typer.Argument(help="drei_zu_viel, big_three or three_thirteen")]
Policies = Annotated[str, typer.Option(help="One policy a seat, as tips:bid=2,greedy,random")]
Deals = Annotated[int, typer.Option(help="Number of shuffles")]
Seed = Annotated[int | None, typer.Option(help="0 to 2**64 - 1; drawn when not given")]
Set = Annotated[list[str] | None, typer.Option("--set", help="Rule option key=value (repeatable; lists as k=1,2)")]
Seatings = Annotated[str, typer.Option(help="fixed, rotations or all")]
Threads = Annotated[int | None, typer.Option(help="Number of threads; all processors by default")]
Format = Annotated[str, typer.Option("--format", help="table, csv or json")]
Baseline = Annotated[str, typer.Option(help="The policy that others are compared with")]
Opponents = Annotated[
    str | None, typer.Option(help="Who holds the other seats: one policy, or one a seat; the baseline by default")
]
Measure = Annotated[str, typer.Option(help="score or win_share")]
Level = Annotated[float, typer.Option(help="Confidence level")]
Copies = Annotated[int, typer.Option(help="Seats that the compared policy holds")]
