"""Commands about fields of policies: `tournament` and `tune`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from simlib import _cli_output as output
from simlib._cli_options import Deals, Format, Game, Seatings, Seed, Set, Threads


def tournament(
    game: Game,
    policies: Annotated[str, typer.Option(help="Two or more different policies")],
    deals: Deals = 1_000,
    players: Annotated[int | None, typer.Option(help="Seats of a line-up; from the rules by default")] = None,
    measure: Annotated[str, typer.Option(help="win_share or score")] = "win_share",
    seed: Seed = None,
    set_: Set = None,
    seatings: Seatings = "rotations",
    lineups: Annotated[int, typer.Option(help="Play a balanced sample when there are more line-ups")] = 300,
    threads: Threads = None,
    format_: Format = "table",
) -> None:
    """Play every line-up of some policies on the same deals: ranking, pay-offs, equilibrium."""
    from simlib.analysis.tournament import tournament as play_all

    output.check_format(format_)
    found = play_all(
        game, policies, deals, seed,
        players=players, rules=output.options(game, set_), seatings=seatings, lineups=lineups, threads=threads,
    )  # fmt: skip
    ranking = found.ranking(measure)
    if format_ != "table":
        output.show_rows(ranking.to_dict("records"), format_)
        return
    share = measure == "win_share"
    name = "win rate [95 % interval]" if share else "mean score [95 % interval]"
    output.show_rows([_ranked(r, measure, name, share) for r in ranking.to_dict("records")], "table")
    payoffs = found.payoffs(measure)
    cells = [{column: f"{value:.3g}" for column, value in row.items()} for row in payoffs.to_dict("records")]
    output.show_rows(
        [{"policy, against a table of": p, **row} for p, row in zip(found.policies, cells, strict=True)], "table"
    )
    output.message(found.title + f", seed {found.manifest['seed']}; policies that share a letter cannot be told apart")
    if found.complete:
        output.message(f"{found.equilibrium(measure)}")


def _ranked(row: Mapping[Any, Any], measure: str, name: str, share: bool) -> dict[str, Any]:
    text = output.interval(row[measure], row["lo"], row["hi"], percent=share)
    return {"rank": row["rank"], "policy": row["policy"], name: text, "group": row["group"], "games": row["games"]}


def tune(
    game: Game,
    policy: Annotated[str, typer.Argument(help="The policy to tune; its values are the start")],
    params: Annotated[
        str | None, typer.Option(help="Parameters with commas between; all numeric ones by default")
    ] = None,
    opponents: Annotated[str | None, typer.Option(help="The other seats; the policy itself by default")] = None,
    deals: Annotated[int, typer.Option(help="Deals a candidate plays in each generation")] = 400,
    generations: Annotated[int, typer.Option(help="Length of the search")] = 20,
    population: Annotated[int | None, typer.Option(help="Candidates a generation")] = None,
    measure: Annotated[str, typer.Option(help="win_share or score")] = "win_share",
    validation: Annotated[int, typer.Option(help="Fresh deals for the comparison at the end")] = 5_000,
    seed: Seed = None,
    set_: Set = None,
    threads: Threads = None,
    format_: Format = "table",
) -> None:
    """Find better weights for a policy (CMA-ES), and say whether they hold up on fresh deals."""
    from simlib.analysis.tune import tune as search

    output.check_format(format_)
    found = search(
        policy, params,
        game=game, opponents=opponents, deals=deals, generations=generations, population=population, measure=measure,
        validation=validation, seed=seed, rules=output.options(game, set_), threads=threads,
    )  # fmt: skip
    output.show_rows(found.table.to_dict("records"), format_)
    output.message(found.verdict)
    output.message(f"seed {found.seed}")
