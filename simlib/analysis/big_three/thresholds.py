"""What to bid if everybody bids best: thresholds on the chance to win that are their own best response."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.big_three import kernels
from simlib.analysis.big_three.outcomes import Setting, make_setting
from simlib.analysis.big_three.strength import win_chances
from simlib.analysis.big_three.tables import NAME, SEAT_NAMES, Array, unit_of
from simlib.engine import check_count
from simlib.stats.intervals import Estimate, mean_interval, paired_difference

if TYPE_CHECKING:
    import pandas as pd

    from simlib.policies import Policy

#: A worth that no hand has: "never".
NEVER = 1.01
#: Situations with a threshold of their own, as `kernels.auction` numbers them (0 occurs only without the duty to bid).
SITUATIONS = ("opens at 2", "opens at 3", "bids 2 over 1", "bids 3 over 1", "bids 3 over 2")


@dataclass(frozen=True, eq=False)
class _Sample:
    """Deals with the worth of every hand, who bids first, and every seat's chips by declarer at a bid of 1."""

    worth: Array
    first: Array
    chips: Array

    def part(self, deals: slice) -> _Sample:
        """Some of the deals."""
        return _Sample(self.worth[deals], self.first[deals], self.chips[deals])

    def means(self, candidates: Array, others: Array) -> Array:
        """Mean chips of one seat that bids by each of the candidates while the others bid by `others`."""
        out = np.zeros(len(candidates))
        kernels.deviations(self.worth, self.first, self.chips, candidates, others, out)
        return out

    def settled(self, me: int, mine: Array, others: Array) -> tuple[Array, Array]:
        """Chips of every seat, and the auction's outcome, when one seat bids by `mine`."""
        n = self.worth.shape[1]
        thresholds = np.array([mine if seat == me else others for seat in range(n)])
        out, bids = np.zeros(self.worth.shape), np.zeros(len(self.worth), np.int64)
        kernels.auctions(self.worth, self.first, self.chips, thresholds, True, out, bids)
        return out, bids

    def gain(self, mine: Array, others: Array, level: float) -> Estimate:
        """What a seat gains by bidding by `mine` where all others bid by `others`, on the same deals."""
        n = self.worth.shape[1]
        changed = np.stack([self.settled(me, mine, others)[0][:, me] for me in range(n)], axis=1)
        kept = self.settled(0, others, others)[0]
        return paired_difference(changed, kept, level=level)


def _sample(setting: Setting) -> _Sample:
    views, first = setting.dealt()
    n = setting.players
    chips = np.stack([setting.played(d)["score"][:, :n] for d in range(n)], axis=1).astype(float)
    return _Sample(win_chances(views), first, np.ascontiguousarray(chips))


def equilibrium(
    deals: int = 20_000,
    seed: int | None = None,
    *,
    start: Sequence[float] = (0.5, 0.5),
    situations: bool = False,
    step: float = 0.02,
    rounds: int = 20,
    rules: Any = None,
    players: int | None = None,
    play: Any = "counting",
    threads: int | None = None,
    level: float = 0.95,
) -> Thresholds:
    """Find thresholds `two` and `three` that are a best response to themselves.

    Every deal is played once with each seat as declarer. All auctions can then be settled without playing again: a
    seat bids 2, or 3, when its fitted chance to win (that of the policy `value`) reaches the threshold. Starting from
    `start` the best response to the thresholds of everybody is taken over and over, on one half of the deals. When
    it goes round in circles the thresholds of least gain are kept. The deviation that a seat gains most by is then
    looked for on a quarter of the deals, and what it gains estimated on the last quarter, unflattered by luck.
    There can be several such fixed points: try other starts.

    Parameters
    ----------
    deals : int
        Number of shuffles, one half to find the thresholds and the other to judge them.
    seed : int, optional
    start : pair of float
        Thresholds to begin with.
    situations : bool
        Whether each of `SITUATIONS` has a threshold of its own, instead of one for a bid of 2 and one for a 3.
    step : float
        Fineness of the thresholds tried, from 0 to 1 and "never".
    rounds : int
        Best responses taken at most.
    rules, players, play, threads
        As for `counterfactuals`.
    level : float
        Confidence level.

    Returns
    -------
    Thresholds

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed.
    """
    from simlib.stats._check import check_open_unit

    setting = make_setting(deals, seed, rules, play, threads, players=players)
    check_count("deals", deals, 100)
    check_count("rounds", rounds, 1)
    if len(start) != 2 or not 0 <= start[0] <= start[1]:
        raise ValueError(f"start={start!r} must be two thresholds, the second no lower than the first")
    grid = np.append(np.arange(0, 1 + 1e-9, check_open_unit(step, "step")), NEVER)
    pairs = np.array([_tied(two, three) for i, two in enumerate(grid) for three in grid[i:]])
    everything = _sample(setting)
    half, last = deals // 2, deals // 2 + deals // 4
    train, search = everything.part(slice(0, half)), everything.part(slice(half, last))

    def answer(deals: _Sample, others: Array, free: bool) -> Array:
        best: Array = pairs[int(np.argmax(deals.means(pairs, others)))]
        return _refine(deals, best, others, grid) if free else best

    now, path = _iterate(train, lambda others: answer(train, others, situations), _tied(start[0], start[1]), rounds)
    judge = everything.part(slice(last, deals))
    pair, free = (answer(search, now, how) for how in (False, True))
    return Thresholds(
        setting, level, now, path, situations,
        judge.gain(pair, now, level), _plain(pair), judge.gain(free, now, level), _plain(free), judge,
    )  # fmt: skip


def _tied(two: float, three: float) -> Array:
    """Thresholds of all situations from the two of the policy `value`."""
    return np.array([0.0, two, three, two, three, three])


def _plain(thresholds: Array) -> tuple[float, ...]:
    """Return the thresholds of `SITUATIONS`."""
    return tuple(float(x) for x in thresholds[1:])


def _iterate(
    train: _Sample, answer: Callable[[Array], Array], now: Array, rounds: int
) -> tuple[Array, list[tuple[tuple[float, ...], float]]]:
    """Take best responses until the thresholds stay or come back; return those of least gain, and the path."""
    seen: list[tuple[tuple[float, ...], float]] = []
    kept, least = now, np.inf
    for _ in range(rounds):
        better = answer(now)
        before, after = train.means(np.array([now, better]), now)
        gain = float(after - before)
        back = _plain(now) in [thresholds for thresholds, _ in seen]
        seen.append((_plain(now), gain))
        if gain < least:
            kept, least = now, gain
        if gain <= 1e-12 or back:
            break
        now = better
    return kept, seen


def _refine(train: _Sample, best: Array, others: Array, grid: Array) -> Array:
    """Best response with a threshold of its own in every situation, found one situation at a time, twice round."""
    best = best.copy()
    for _ in range(2):
        for i in range(1, len(best)):
            tried = np.tile(best, (len(grid), 1))
            tried[:, i] = grid
            means = train.means(tried, others)
            if means.max() > train.means(best[None], others)[0] + 1e-12:
                best = tried[int(np.argmax(means))]
    return best


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Thresholds on the chance to win that hold up against themselves.

    Attributes
    ----------
    setting : Setting
        Deals, rules, seed and who played the cards.
    level : float
        Confidence level.
    thresholds : ndarray, shape (6,)
        Chance to win from which on to bid, by situation as `kernels.auction` numbers them; above 1: never.
    path : list of (thresholds, gain)
        Thresholds of `SITUATIONS` tried in turn, and what the answer to each gained on the deals it was found on.
    situations : bool
        Whether each situation has a threshold of its own.
    gain : Estimate
        What the best pair of thresholds, `deviation`, gains against them on fresh deals: the residual.
    deviation : tuple of float
    free_gain : Estimate
        The same for a deviation with a threshold of its own in each of `SITUATIONS`, `free`.
    free : tuple of float
    """

    setting: Setting = field(repr=False)
    level: float
    thresholds: Array
    path: list[tuple[tuple[float, ...], float]] = field(repr=False)
    situations: bool
    gain: Estimate
    deviation: tuple[float, ...]
    free_gain: Estimate
    free: tuple[float, ...]
    _judge: _Sample = field(repr=False)

    @property
    def two(self) -> float:
        """Chance from which on to bid 2 (with `situations`: to open at 2)."""
        return float(self.thresholds[1])

    @property
    def three(self) -> float:
        """Chance from which on to bid 3 (with `situations`: to open at 3)."""
        return float(self.thresholds[2])

    @property
    def policy(self) -> Policy:
        """The bidder `value` with these thresholds, playing its cards as the deals were played.

        Raises
        ------
        ValueError
            With `situations`, which `value` does not tell apart.
        """
        from simlib.policies import find

        if self.situations:
            raise ValueError("situations=True: the policy 'value' has one threshold for each bid only")
        return find(NAME, "value").with_params(two=self.two, three=self.three, play=self.setting.play)

    @property
    def by_situation(self) -> pd.DataFrame:
        """One row a situation: the ``threshold``, and that of the best ``deviation`` found."""
        import pandas as pd

        return pd.DataFrame({"situation": SITUATIONS, "threshold": _plain(self.thresholds), "deviation": self.free})

    @property
    def table(self) -> pd.DataFrame:
        """The path: ``round``, ``two, three`` (or the situations), and the ``gain`` of the answer to them."""
        import pandas as pd

        names = list(SITUATIONS) if self.situations else ["two", "three"]
        rows = [(i, *thresholds[: len(names)], gain) for i, (thresholds, gain) in enumerate(self.path)]
        return pd.DataFrame(rows, columns=["round", *names, "gain"])

    @property
    def places(self) -> pd.DataFrame:
        """One row a place in the order of bidding: mean ``chips``, ``lo``, ``hi``, and how often it ``declares``."""
        import pandas as pd

        chips, bids = self._judge.settled(0, self.thresholds, self.thresholds)
        first, n = self._judge.first, self.setting.players
        rows = []
        for k in range(n):
            seat = (first + k) % n
            e = mean_interval(chips[np.arange(len(first)), seat], level=self.level)
            rows.append({"place": SEAT_NAMES[k], "chips": e.mean, "lo": e.lo, "hi": e.hi,
                         "declares": float((bids >> 2 == seat).mean())})  # fmt: skip
        return pd.DataFrame(rows)

    @property
    def bids(self) -> pd.DataFrame:
        """One row a winning bid: its ``share`` of the deals with ``lo`` and ``hi``."""
        import pandas as pd

        _, found = self._judge.settled(0, self.thresholds, self.thresholds)
        rows = []
        for b in (1, 2, 3):
            e = mean_interval((found & 3 == b).astype(np.int64), level=self.level)
            rows.append({"bid": b, "share": e.mean, "lo": e.lo, "hi": e.hi})
        return pd.DataFrame(rows)

    def plot(self, ax: Any = None, *, step: float = 0.02) -> Any:
        """Draw what a seat earns with other thresholds while everybody else keeps to these; return the Axes.

        One curve moves every threshold of a 2, the other every one of a 3; both on the deals that judge.
        """
        from simlib.plots import style

        ax = style.axes(ax, grid="y")
        grid = np.arange(0.2, 0.9, step)
        curves = {
            "bids 2 from x on": self._moved((1, 3), grid),
            "bids 3 from x on": self._moved((2, 4, 5), grid),
        }
        for i, (name, tried) in enumerate(curves.items()):
            ax.plot(grid, self._judge.means(tried, self.thresholds), color=style.colour(i), label=name)
            ax.axvline((self.two, self.three)[i], color=style.colour(i), linewidth=1, linestyle=":")
        style.percent(ax)
        ax.set_xlabel("chance to win as declarer from which on a seat bids")
        ax.set_ylabel(f"mean {unit_of(self.setting.rules)} against the thresholds")  # type: ignore[arg-type]
        style.title(ax, "Thresholds that are their own best response")
        style.legend(ax)
        return ax

    def _moved(self, places: tuple[int, ...], grid: Array) -> Array:
        tried = np.tile(self.thresholds, (len(grid), 1))
        tried[:, places] = grid[:, None]
        return tried

    def __repr__(self) -> str:
        def shown(x: float) -> str:
            return "never" if x > 1 else f"from {x:.2f} on"

        def found(e: Estimate) -> str:
            return f"{e.mean:+.4f} [{e.lo:+.4f}, {e.hi:+.4f}]"

        bids = f"bid 2 {shown(self.two)}, 3 {shown(self.three)}"
        if self.situations:
            bids = ", ".join(f"{name} {shown(x)}" for name, x in zip(SITUATIONS, _plain(self.thresholds), strict=True))
        return (
            f"<{bids} of the chance to win; the best pair of thresholds gains {found(self.gain)} "
            f"{unit_of(self.setting.rules)} a deal, one for each situation {found(self.free_gain)}>"
        )
