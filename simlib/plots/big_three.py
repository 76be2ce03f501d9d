"""Figures of Big Three: who wins as declarer, what bids bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.plots import style
from simlib.plots.gather import by_group, ratios, seated

if TYPE_CHECKING:
    from simlib.results import Runs
    from simlib.stats.intervals import Estimate

#: Groups within a policy, in the order in which they are drawn.
GROUPS = {
    "policy": ("all bids",),
    "bid": ("bid 1", "bid 2", "bid 3"),
    "seat": ("bids first", "bids second", "bids third", "bids fourth"),
}


def _check(runs: Runs) -> None:
    if runs.game.name != "big_three":
        raise ValueError(f"this figure is for big_three, not for {runs.game.name}")


def declarer_estimates(
    runs: Runs, by: str = "bid", *, value: str = "won", level: float = 0.95
) -> dict[str, list[tuple[str, Estimate]]]:
    """Return, for each policy that declares, how it fares as declarer.

    Parameters
    ----------
    runs : Runs
        Of Big Three, with rows kept.
    by : {"policy", "bid", "seat"}
        Groups within a policy: none, the winning bid, or the place in the bidding, counted from the first bidder.
    value : {"won", "chips"}
        Share of games the declarer's party wins, or the declarer's chips.
    level : float
        Confidence level; intervals are clustered by deal.

    Returns
    -------
    dict of str to list of (str, Estimate)
        For each policy the groups that occur, by name.

    Raises
    ------
    ValueError
        For another game, a wrong `by` or `value`, or a run that kept only its summary.
    """
    _check(runs)
    if by not in GROUPS:
        raise ValueError(f"by={by!r} must be one of {', '.join(GROUPS)}")
    if value not in ("won", "chips"):
        raise ValueError(f"value={value!r} must be 'won' or 'chips'")
    players, who = len(runs.policies), seated(runs)
    names = GROUPS[by]

    def build(rows: Any) -> tuple[Any, Any]:
        declarer = rows["declarer"].astype(np.int64)
        there = declarer >= 0
        policy = who[np.arange(who.shape[0])[None, :], np.maximum(declarer, 0)]
        if by == "bid":
            group = rows["bid"].astype(np.int64) - 1
            there &= group >= 0
        else:
            first = np.maximum(rows["first_bidder"].astype(np.int64), 0)
            group = (declarer - first) % players if by == "seat" else np.zeros_like(declarer)
        own = np.take_along_axis(rows["score"].astype(np.int64), np.maximum(declarer, 0)[:, :, None], axis=2)[:, :, 0]
        chosen = rows["declarer_won"].astype(np.int64) if value == "won" else own
        return by_group(chosen, np.where(there, policy * len(names) + group, -1), len(runs.slots.policies) * len(names))

    found = ratios(runs, build, level=level)
    out: dict[str, list[tuple[str, Estimate]]] = {}
    for j, text in enumerate(runs.slots.policies):
        own = [(name, found[j * len(names) + g]) for g, name in enumerate(names)]
        kept = [(name, e) for name, e in own if e is not None]
        if kept:
            out[text] = kept
    return out


def declarer_wins(runs: Runs, ax: Any = None, *, by: str = "bid", level: float = 0.95) -> Any:
    """Draw how often each policy's party wins when the policy declares, by bid or by place in the bidding.

    Parameters
    ----------
    runs : Runs
        Of Big Three, with rows kept.
    ax : Axes, optional
    by : {"bid", "seat", "policy"}
    level : float
        Confidence level; intervals are clustered by deal.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        As for `declarer_estimates`, and when nobody ever declared.
    """
    found = declarer_estimates(runs, by, level=level)
    ax = _grouped(found, ax, share=True)
    ax.set_ylabel("games the declarer wins")
    style.title(ax, f"How often the declarer wins ({100 * level:.4g} % intervals)")
    return ax


def chips_by_bid(runs: Runs, ax: Any = None, *, by: str = "bid", level: float = 0.95) -> Any:
    """Draw what the declarer wins or loses on average by the winning bid, for each policy.

    Parameters
    ----------
    runs : Runs
        Of Big Three, with rows kept.
    ax : Axes, optional
    by : {"bid", "seat", "policy"}
    level : float
        Confidence level; intervals are clustered by deal.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        As for `declarer_wins`.
    """
    found = declarer_estimates(runs, by, value="chips", level=level)
    ax = _grouped(found, ax, share=False)
    ax.axhline(0, color=style.DARK, linewidth=0.9, zorder=1)
    ax.set_ylabel(f"mean {runs.game.score_unit} of the declarer")
    style.title(ax, f"What a bid brings the declarer ({100 * level:.4g} % intervals)")
    return ax


def _grouped(found: dict[str, list[tuple[str, Estimate]]], ax: Any, *, share: bool) -> Any:
    """Draw the estimates of each policy side by side in each group."""
    if not found:
        raise ValueError("nobody ever declared in this run")
    ax = style.axes(ax, grid="y")
    there = {name for rows in found.values() for name, _ in rows}
    order = {name: i for i, name in enumerate(n for names in GROUPS.values() for n in names if n in there)}
    step = min(0.16, 0.7 / len(found))
    for j, (text, rows) in enumerate(found.items()):
        x = [order[name] + (j - (len(found) - 1) / 2) * step for name, _ in rows]
        lo, hi = np.array([e.lo for _, e in rows]), np.array([e.hi for _, e in rows])
        if share:
            lo, hi = lo.clip(0, 1), hi.clip(0, 1)
        style.points(ax, x, [e.mean for _, e in rows], lo, hi, j, text)
    ax.set_xticks(range(len(order)), list(order))
    ax.set_xlim(-0.6, len(order) - 0.4)
    if share:
        style.percent(ax, "y")
        ax.set_ylim(-0.02, 1.02)
    style.legend(ax, outside=True)
    return ax
