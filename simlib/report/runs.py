"""The report of a run."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from simlib import plots
from simlib._version import __version__
from simlib.game import SHARE
from simlib.report.games import game_sections
from simlib.report.page import Section, render
from simlib.report.tables import summary_rows
from simlib.report.words import and_list, count_text, estimate_text, manifest_rows, share_text
from simlib.stats.intervals import linear_interval

if TYPE_CHECKING:
    from simlib.results import Runs


def run_page(runs: Runs) -> str:
    """Return the report of a run as HTML."""
    title = f"{runs.game.title} {and_list(list(dict.fromkeys(runs.policies)))}"
    sections = [_winners(runs), _scores(runs), *game_sections(runs), _settling(runs), _how(runs)]
    foot = f"simlib {__version__}; {runs.manifest['created']}"
    return render(title, lead(runs), [s for s in sections if s is not None], foot)


def lead(runs: Runs) -> list[str]:
    """Say in plain words what the run shows."""
    table = runs.summary().sort_values("win_rate", ascending=False, kind="stable")
    players, best = len(runs.policies), table.iloc[0]
    seated = "in every seat in turn" if len(runs.seatings) > 1 else "in the seats as given"
    deals, games = runs.deals, runs.deals * len(runs.seatings)
    out = [
        f"{count_text(deals, 'deal')} of {runs.game.title} for {players} players {'was' if deals == 1 else 'were'} "
        f"played {seated}, {count_text(games, 'game')} in all."
    ]
    if len(table) == 1:
        mean = estimate_text(best, "score")
        return [
            *out,
            f"Every seat was played by {best.policy}, so that each wins its equal share; the mean score is {mean}.",
        ]
    if deals == 1:
        return [*out, "A single deal tells nothing about which policy is better."]
    clear = _clearly_best(runs, [int(i) for i in table.index])
    second, worst = table.iloc[1], table.iloc[-1]
    verb = "wins most often" if clear else "has the highest win rate, though not clearly"
    out.append(
        f"{best.policy} {verb}: {share_text(best)} of its games, against {share_text(second)} for {second.policy}. "
        f"An equal share would be {100 / players:.1f} %."
    )
    if len(table) > 2:
        ending = "wins least often" if _differ(runs, table.index[-2], table.index[-1], 1) else "has the lowest win rate"
        out.append(f"{worst.policy} {ending}, {share_text(worst)}.")
    if len(runs.seatings) == 1:
        out.append("The seats were not changed, so that a policy's win rate includes any advantage of its seat.")
    return out


def _clearly_best(runs: Runs, order: list[int]) -> bool:
    """Whether the first policy wins more often than each other one, tested together on the same deals (Bonferroni)."""
    return all(_differ(runs, order[0], other, len(order) - 1) for other in order[1:])


def _differ(runs: Runs, a: int, b: int, tests: int) -> bool:
    """Whether the win rates of two policies differ by the interval of their paired difference."""
    k, held = len(runs.slots.policies), runs.slots.counts
    weights: list[Any] = [0] * (2 * k)
    weights[k + a], weights[k + b] = Fraction(1, held[a] * SHARE), Fraction(-1, held[b] * SHARE)
    return linear_interval(runs.sufficient.fields["main"], weights, level=1 - 0.05 / tests).excludes(0)


def _winners(runs: Runs) -> Section:
    section = Section("Who wins how often")
    section.add_figure(
        plots.win_rates(runs), "Win rate of each policy with its 95 % interval; the dashed line is an equal share."
    )
    return section.add_table(summary_rows(runs))


def _scores(runs: Runs) -> Section:
    section = Section("How scores are distributed")
    section.add_figure(
        plots.score_ridges(runs),
        "How often each policy has which score. Below each ridge: the middle half of its games (thick), the median "
        "(bar), and the mean (dot) with its 95 % interval.",
    )
    return section.add_figure(
        plots.scores(runs),
        "Share of games in which each policy scored at most so much. A curve further right: higher scores.",
    )


def _settling(runs: Runs) -> Section | None:
    if runs.keep != "rows" or runs.deals < 2:
        return None
    text = (
        "Each curve is the estimate from the first deals only, with its band. Bands are for a fixed number of deals: "
        "they are no licence to stop when one looks good."
    )
    return Section("Is it enough?", [text]).add_figure(
        plots.convergence(runs), "Win rates and their 95 % bands as deals are added."
    )


def _how(runs: Runs) -> Section:
    """How it was computed: design, rules, policies, versions, seed."""
    text = [
        "Each deal is an independent shuffle; all games of one deal share its cards, so standard errors are computed "
        "from one mean a deal and policy (clustered by deal) with Student's t; where a policy plays once a deal and "
        "only wins or loses, the interval is Wilson's. The win rate counts 1/k for each of k winners.",
        f"The same games are played again by simlib {runs.manifest['simlib']} from the entries below, on any machine "
        "and any number of threads.",
    ]
    if runs.keep != "rows":
        text.append("The run kept exact sums only, not the single games.")
    return Section("How it was computed", text).add_table(manifest_rows(runs.manifest))
