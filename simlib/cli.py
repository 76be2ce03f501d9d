"""The command line: a thin shell over the public functions. Results on stdout, progress and messages on stderr."""

from __future__ import annotations

import contextlib
import pathlib
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from simlib import _cli_big_three, _cli_compare, _cli_field, _cli_three_thirteen
from simlib import _cli_output as output
from simlib._cli_options import Deals, Format, Game, Policies, Seatings, Seed, Set, Threads

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Monte Carlo strategy analysis for three card games: "
    "which way of playing is better, by how much, and how sure are we?",
)


@app.command()
def run(
    game: Game,
    policies: Policies,
    deals: Deals = 10_000,
    seed: Seed = None,
    set_: Set = None,
    seatings: Seatings = "fixed",
    threads: Threads = None,
    out: Annotated[pathlib.Path | None, typer.Option(help="Run directory; without it results are only shown")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Finish the run that --out holds")] = False,
    extend: Annotated[bool, typer.Option("--extend", help="Raise the run in --out to --deals")] = False,
    keep: Annotated[str, typer.Option(help="rows, or summary (sufficient statistics only)")] = "rows",
    scheduler: Annotated[
        str | None,
        typer.Option(help="Play on the dask cluster of this scheduler: tcp://host:port, or its JSON file"),
    ] = None,
    chunk_range: Annotated[
        str | None, typer.Option(help="a:b: play only chunks a to b - 1 of the whole run, see simlib merge")
    ] = None,
    chunk_deals: Annotated[
        int | None, typer.Option(help="Deals in a chunk of --chunk-range; 10,000 when not given")
    ] = None,
    format_: Format = "table",
) -> None:
    """Play games and show who wins how often."""
    from simlib.run import simulate

    output.check_format(format_)
    with _cluster(scheduler) as executor:
        runs = simulate(
            game,
            policies,
            deals,
            seed,
            rules=output.options(game, set_),
            seatings=seatings,
            threads=threads,
            executor=executor,
            keep=keep,
            out=out,
            resume="extend" if extend else resume,
            chunk_range=chunk_range,
            chunk_deals=chunk_deals,
        )
    output.show_summary(runs, format_)
    if out is not None:
        output.message(f"run directory: {out}")


@contextlib.contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Connect to a dask scheduler, and say how many workers it has; None plays on this machine."""
    if address is None:
        yield None
        return
    from simlib.executors import connect

    with connect(address) as client:
        threads = client.nthreads()
        found = f"{len(threads)} workers, {sum(threads.values())} threads"
        output.message(f"{address}: {found if threads else 'no workers yet; the run begins when one comes'}")
        yield client


@app.command()
def merge(
    out: Annotated[pathlib.Path, typer.Argument(help="New run directory")],
    parts: Annotated[list[pathlib.Path], typer.Argument(help="Run directories of run --chunk-range")],
    format_: Format = "table",
) -> None:
    """Put the parts of one run, played by the jobs of a batch system, together in one run directory."""
    from simlib.parts import merge as put_together

    output.check_format(format_)
    output.show_summary(put_together(out, parts), format_)
    output.message(f"run directory: {out}")


app.command()(_cli_compare.compare)
app.command()(_cli_compare.plan)
app.command()(_cli_field.tournament)
app.command()(_cli_field.tune)
app.command()(_cli_big_three.bid)
app.command()(_cli_three_thirteen.advise)


@app.command()
def record(
    game: Game,
    policies: Policies,
    out: Annotated[pathlib.Path, typer.Option(help="File of game records (JSON Lines)")],
    deals: Deals = 10,
    seed: Seed = None,
    set_: Set = None,
    seatings: Seatings = "fixed",
) -> None:
    """Write whole games, hidden cards included, as game records."""
    from simlib.engine import check_count, make_work
    from simlib.records import write_records

    work = make_work(game, policies, seed, rules=output.options(game, set_), seatings=seatings)
    n = write_records(work, check_count("deals", deals, 1), out)
    output.message(f"{n} games in {out}")


@app.command()
def replay(
    source: Annotated[pathlib.Path, typer.Argument(help="A file of game records, or a run directory")],
    deal: Annotated[
        int | None, typer.Option(help="Only this deal (a run directory: the deal to play again, 0 by default)")
    ] = None,
    seating: Annotated[int, typer.Option(help="Which seating of a run directory")] = 0,
    check: Annotated[bool, typer.Option("--check", help="Only say whether the records are right")] = False,
) -> None:
    """Show games move by move; every move and result is checked against the rules."""
    from simlib.records import read_records, replay_record
    from simlib.results import load

    if source.is_dir():
        print(load(source).replay(deal or 0, seating))
        return
    n = 0
    for line, entry in read_records(source):
        if deal is None or entry.get("index") == deal:
            shown = replay_record(entry, f"{source}:{line}")
            n += 1
            if not check:
                print(shown, end="\n\n")
    if n == 0:
        what = "no records" if deal is None else f"no record of deal {deal}"
        raise ValueError(f"{source} holds {what}")
    output.message(f"{n} games, all right")


@app.command()
def report(
    run_dir: Annotated[pathlib.Path, typer.Argument(help="Directory of a run or a comparison")],
    out: Annotated[
        pathlib.Path | None, typer.Option(help="File; report.html in the directory by default, tables are shown")
    ] = None,
    format_: Annotated[str, typer.Option("--format", help="html, or only the tables: markdown or latex")] = "html",
) -> None:
    """Write the self-contained HTML report of a run or a comparison, or its tables."""
    from simlib.report import all_tables, open_result, write_report

    if format_ not in ("html", "markdown", "latex"):
        raise ValueError(f"--format {format_}: must be html, markdown or latex")
    result = open_result(run_dir)
    if format_ == "html":
        print(write_report(result, out or run_dir))
        return
    text = all_tables(result, format_)
    if out is None:
        print(text, end="")
        return
    from simlib.report.page import write

    print(write(text, out, "tables.md" if format_ == "markdown" else "tables.tex"))


@app.command()
def policies(game: Game, format_: Format = "table") -> None:
    """List the policies of a game and their parameters."""
    from simlib.policies import builtin

    output.check_format(format_)
    rows = []
    for p in builtin(game):
        rows.append({"policy": p.name, "parameter": "", "default": "", "meaning": p.doc})
        for q in p.parameters:
            default = f"[{q.default}]" if q.is_policy else format(q.default, "g")
            rows.append({"policy": "", "parameter": q.name, "default": default, "meaning": q.doc})
    output.show_rows(rows, format_)


@app.command()
def rules(
    game: Game,
    set_: Set = None,
    options: Annotated[bool, typer.Option("--options", help="Only the options and their values")] = False,
    format_: Format = "table",
) -> None:
    """Show the rules of a game and its options."""
    from simlib.games import get

    output.check_format(format_)
    g = get(game)
    chosen = g.rules.make(**(output.options(game, set_) or {}))
    if not options and not set_ and format_ == "table":
        import importlib.resources

        print(importlib.resources.files(f"simlib.games.{game}").joinpath("RULES.md").read_text(encoding="utf-8"))
        return
    defaults = g.rules.make().options()
    output.show_rows([{"option": k, "value": v, "default": defaults[k]} for k, v in chosen.options().items()], format_)


@app.command()
def validate(
    game: Annotated[str | None, typer.Argument(help="One game; all by default")] = None,
    deals: Deals = 200_000,
    seed: Annotated[int, typer.Option(help="Seed of the simulated deals")] = 1,
    format_: Format = "table",
) -> None:
    """Compare simulated and exact probabilities; exit code 1 when one does not agree."""
    from simlib.validation import validate as compare_all

    output.check_format(format_)
    found = compare_all(game, deals=deals, seed=seed)
    output.show_rows(found.to_dict("records"), format_)
    if not found.ok.all():
        output.message(f"{(~found.ok).sum()} of {len(found)} facts do not agree")
        sys.exit(1)


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(help="One game; all by default")] = None,
    policies: Annotated[str | None, typer.Option(help="Names with commas between; all by default")] = None,
    seconds: Annotated[float, typer.Option(help="About how long one measurement plays")] = 0.6,
    format_: Format = "table",
) -> None:
    """Measure complete games a second, beside a fixed calibration loop."""
    import json

    from simlib.bench import bench as measure_all

    output.check_format(format_)
    found = measure_all([game] if game else None, policies.split(",") if policies else None, seconds=seconds)
    if format_ == "json":
        print(json.dumps(found, indent=2))
        return
    rows = found["rows"]
    if format_ == "table":
        counts = ("games_per_s", "games_per_s_2_threads")
        rows = [r | {c: "–" if r[c] is None else f"{r[c]:,.0f}" for c in counts} for r in rows]
    output.show_rows(rows, format_)
    what = "games with the policy in every seat, rows kept, actions checked; lowest and highest of the repeats"
    output.message(f"calibration: {found['calibration']} million draws/s; {what}")


@app.command()
def check(policy: Annotated[str, typer.Argument(help="game/policy, or game/path.py::name")]) -> None:
    """Play a policy through the contract's tests and say what is wrong; exit code 1 when something is."""
    from simlib.checking import check as try_policy

    found = try_policy(policy)
    print(found)
    if not found:
        sys.exit(1)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a user's mistake is one line on stderr and exit code 2."""
    from simlib.errors import SimlibError

    try:
        code = app(args=arguments, standalone_mode=False)
        if code == 130:  # how the parser hands on Ctrl-C
            raise KeyboardInterrupt
        sys.exit(code if isinstance(code, int) else 0)
    except (ValueError, TypeError, SimlibError) as error:
        output.message(f"simlib: {error}")
        sys.exit(2)
    except KeyboardInterrupt:
        output.message("simlib: interrupted; chunks written so far are kept, go on with --resume")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        _click_error(error)


def _click_error(error: Exception) -> Any:
    """Show an error of the command line's parser the way the others are shown; raise anything else."""
    if isinstance(error, typer.Exit):
        sys.exit(error.exit_code)
    if isinstance(error, typer.Abort):
        sys.exit(130)
    text = getattr(error, "format_message", None)  # every error of the parser has one
    if text is None:
        raise error
    output.message(f"simlib: {text()}")
    sys.exit(2)
