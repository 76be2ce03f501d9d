"""The report of a run."""

from __future__ import annotations

import os
import pathlib
from typing import TYPE_CHECKING, Any

from simlib import plots
from simlib._version import __version__
from simlib.report.page import Section, render, write
from simlib.report.words import and_list, estimate_text, manifest_rows, share_text

if TYPE_CHECKING:
    from simlib.results import Runs


def write_report(runs: Runs, path: str | os.PathLike[str]) -> pathlib.Path:
    """Write the report of a run as one HTML file.

    Parameters
    ----------
    runs : Runs
    path : path
        A file, or a directory (then ``report.html`` in it).

    Returns
    -------
    Path
        Of the file.
    """
    title = f"{runs.game.title} {and_list(list(dict.fromkeys(runs.policies)))}"
    sections = [_winners(runs), _scores(runs), *_development(runs), _settling(runs), _how(runs)]
    foot = f"simlib {__version__}; {runs.manifest['created']}"
    return write(render(title, _lead(runs), [s for s in sections if s is not None], foot), path)


def _lead(runs: Runs) -> list[str]:
    """Say in plain words what the run shows."""
    table = runs.summary().sort_values("win_rate", ascending=False)
    players, best = len(runs.policies), table.iloc[0]
    seated = "in every seat in turn" if len(runs.seatings) > 1 else "in the seats as given"
    out = [
        f"{runs.deals:,} deals of {runs.game.title} for {players} players were played {seated}, "
        f"{int(table.games.sum()) // players:,} games in all."
    ]
    if len(table) == 1:
        return [*out, f"Every seat was played by {best.policy}, so each wins its equal share; the mean score is {estimate_text(best, 'score')}."]
    second = table.iloc[1]
    clear = best.win_lo > second.win_hi
    verb = "wins most often" if clear else "has the highest win rate, though not clearly"
    out.append(
        f"{best.policy} {verb}: {share_text(best)} of its games, against {share_text(second)} for {second.policy}. "
        f"An equal share would be {1 / players:.1%}."
    )
    worst = table.iloc[-1]
    if len(table) > 2:
        out.append(f"{worst.policy} wins least often, {share_text(worst)}.")
    if len(runs.seatings) == 1:
        out.append("The seats were not changed, so that a policy's win rate includes any advantage of its seat.")
    return out


def _winners(runs: Runs) -> Section:
    section = Section("Who wins how often")
    section.add_figure(plots.win_rates(runs), "Win rate of each policy with its 95 % interval; the dashed line is an equal share.")
    rows = [
        {
            "policy": r.policy,
            "games": f"{r.games:,}",
            "win rate [95 %]": share_text(r),
            f"mean score, {runs.game.score_unit} [95 %]": estimate_text(r, "score"),
            "sd of a score": f"{r.score_sd:.1f}",
        }
        for r in runs.summary().itertuples()
    ]
    return section.add_table(rows)


def _scores(runs: Runs) -> Section:
    text = "Where a curve lies further right, the policy scores more; a steeper curve means scores that differ less."
    return Section("How scores are distributed", [text]).add_figure(
        plots.scores(runs), "Share of games in which each policy scored at most so much."
    )


def _development(runs: Runs) -> list[Section]:
    """How the score develops, where the game keeps it."""
    part = runs.game.parts
    if not part or f"{part}_score" not in (runs.game.RESULT.names or ()):
        return []
    section = Section(f"How the score develops by {part}")
    section.add_figure(plots.score_by_part(runs), f"Mean score after each {part} with 95 % bands.")
    if runs.keep == "rows":
        section.add_figure(plots.win_by_lead(runs), f"Chance to win, given the lead or deficit after each {part} but the last.")
        if "lead_changes" in (runs.game.RESULT.names or ()):
            section.add_figure(plots.lead_changes(runs), f"Lead changes: {part}s after which nobody of those who led before still leads.")
    return [section]


def _settling(runs: Runs) -> Section | None:
    if runs.keep != "rows":
        return None
    text = "Each curve is the estimate from the first deals only, with its band. Bands are for a fixed number of deals: they are no licence to stop when one looks good."
    return Section("Is it enough?", [text]).add_figure(plots.convergence(runs), "Win rates and their 95 % bands as deals are added.")


def _how(runs: Runs) -> Section:
    """How it was computed: design, rules, policies, versions, seed."""
    text = [
        "Each deal is an independent shuffle; all games of one deal share its cards, so standard errors are computed from one mean "
        "a deal and policy (clustered by deal) with Student's t. The win rate counts 1/k for each of k winners.",
        f"The same games are played again by simlib {runs.manifest['simlib']} from the entries below, on any machine and any number of threads.",
    ]
    return Section("How it was computed", text).add_table(manifest_rows(runs.manifest))


def report(runs: Any, path: Any) -> pathlib.Path:
    """Write the report of whatever knows how to: a run, or a comparison."""
    found: pathlib.Path = runs.report(path)
    return found
