"""Figures of Three-Thirteen: penalties and going out by round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simlib.plots import style
from simlib.plots.development import mean_by_part

if TYPE_CHECKING:
    from simlib.results import Runs

NAMES = {1: "A", 11: "J", 12: "Q", 13: "K", 14: "A"}


def penalties_by_round(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw the mean penalty of each policy in each round, with bands.

    Parameters
    ----------
    runs : Runs
        Of Three-Thirteen; rows need not be kept.
    ax : Axes, optional
    level : float
        Confidence level; intervals are clustered by deal.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        For another game.
    """
    _check(runs)
    ax = mean_by_part(runs, "round_penalty", ax, level=level, ylabel="mean penalty in points",
                      title=f"Penalty by round ({100 * level:.4g} % bands)")  # fmt: skip
    _name_rounds(runs, ax)
    ax.set_ylim(0, None)
    return ax


def out_by_round(runs: Runs, ax: Any = None, *, level: float = 0.95) -> Any:
    """Draw how often a seat of each policy goes out first in each round, with bands.

    Parameters
    ----------
    runs : Runs
        Of Three-Thirteen; rows need not be kept.
    ax : Axes, optional
    level : float
        Confidence level; intervals are clustered by deal.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        For another game.
    """
    _check(runs)
    ax = mean_by_part(runs, "round_out", ax, level=level, ylabel="rounds a seat goes out in",
                      title=f"Going out by round ({100 * level:.4g} % bands)")  # fmt: skip
    _name_rounds(runs, ax)
    ax.axhline(1 / len(runs.policies), color=style.GREY, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    return ax


def _check(runs: Runs) -> None:
    if runs.game.name != "three_thirteen":
        raise ValueError(f"this figure is for three_thirteen, not for {runs.game.name}")


def hand_sizes(runs: Runs) -> tuple[int, ...]:
    """Return the hand size of each round that a run's rules play."""
    from simlib.games.three_thirteen.rules import SCHEDULES

    _check(runs)
    return SCHEDULES[runs.manifest["rules"]["schedule"]]


def _name_rounds(runs: Runs, ax: Any) -> None:
    """Name the rounds by their number and what is wild."""
    sizes = hand_sizes(runs)
    ax.set_xticks(range(1, len(sizes) + 1), [f"{i}\n{NAMES.get(n, n)}" for i, n in enumerate(sizes, 1)])
    ax.set_xlabel("round, and its wild rank")
