"""Two to eight players, and who deals first, in Three-Thirteen."""

from __future__ import annotations

import numpy as np

from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import curves, gains, panels, rows, table_of
from simlib.stats.clusters import cluster_interval
from simlib.stats.intervals import Estimate, mean_interval

EXPERIMENT = Experiment(
    name="thirteen_players",
    question="What does the number of players change, and does it matter who deals first?",
    hypothesis="More players end a round sooner and leave larger penalties; the first dealer gains or loses nothing.",
    design=(
        "Tables of two to eight `greedy` (three decks with seven and eight): totals of a seat and the winner, and what"
        " `tips` saves among them in all seats. Tables of four with `first_dealer` 0: games that each seat wins."
    ),
    claim="three_thirteen, assumptions players, decks, first_dealer",
    deals=100,
    quick_deals=6,
)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    seat: list[Estimate] = []
    winner: list[Estimate] = []
    skill: list[Estimate] = []
    numbers = range(2, 9)
    for n in numbers:
        totals = rows(["greedy"] * n, 10 * deals, seed)["penalty"][:, 0, :n].astype(int)
        seat.append(mean_interval(totals.mean(axis=1)))
        winner.append(mean_interval(totals.min(axis=1)))
        skill.append(gains("greedy", {"tips": "tips"}, deals, seed, rules={"players": n})["tips"])
    share = rows(["greedy"] * 4, 40 * deals, seed, {"first_dealer": 0})["win_share"][:, 0, :4].astype(int)
    wins = [cluster_interval(share[:, s], np.arange(len(share)), scale=840) for s in range(4)]
    axes = panels(3, 13, 3.7)
    curves(axes[0], numbers, {"a seat": seat, "the winner": winner}, "players", "points", "Totals among greedy players")
    axes[0].set_ylim(0, None)
    curves(axes[1], numbers, {"": skill}, "players", "points saved", "tips among greedy players")
    axes[1].set_ylim(0, None)
    curves(axes[2], range(4), {"": wins}, "seats after the first dealer", "games won", "Does the first dealer matter?",
           percent=True)  # fmt: skip
    axes[2].set_xticks(range(4))
    axes[2].axhline(0.25, color="#777777", linewidth=1, linestyle=(0, (4, 3)))
    sentences = [
        (
            f"A greedy seat ends with {say(seat[0], 'points')} at a table of two, {say(seat[2], 'points')} of four and"
            f" {say(seat[6], 'points')} of eight; the winner with {say(winner[0], 'points')},"
            f" {say(winner[2], 'points')} and {say(winner[6], 'points')}."
        ),
        (
            f"Following the tips saves {say(skill[0], 'points')} against one greedy player, {say(skill[2], 'points')}"
            f" against three and {say(skill[6], 'points')} against seven."
        ),
        (
            f"The first dealer wins {say(wins[0], percent=True)} of the games at a table of four and the player on his"
            f" left {say(wins[1], percent=True)}: with the deal moving on, where it began hardly matters."
        ),
    ]
    findings = [(f"{n} players: total of a seat", e, "points") for n, e in zip(numbers, seat, strict=True)]
    findings += [(f"{n} players: total of the winner", e, "points") for n, e in zip(numbers, winner, strict=True)]
    findings += [(f"{n} players: `tips` among `greedy`", e, "points") for n, e in zip(numbers, skill, strict=True)]
    findings += [(f"seat {s} after the first dealer wins", e, "") for s, e in enumerate(wins)]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
