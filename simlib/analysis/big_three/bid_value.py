"""What a bid is worth with a given hand: every bid and passing played on the same redealt cards."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.big_three import kernels
from simlib.analysis.big_three.situation import Situation, draw, make_situation
from simlib.analysis.big_three.tables import (
    SEAT_NAMES,
    Array,
    check_threads,
    compiled,
    cuts,
    guarded,
    parts,
    rules_of,
    spread,
    table_of,
    unit_of,
)
from simlib.engine import Work, check_count, check_seed
from simlib.games import get
from simlib.stats._check import check_open_unit, check_positive
from simlib.stats.distributions import WeightedEstimate, weighted_mean
from simlib.stats.intervals import t_quantile

if TYPE_CHECKING:
    import pandas as pd


def bid_value(
    hand: Any,
    seat: int | None = None,
    bids: Sequence[int] = (),
    *,
    players: int | None = None,
    heart: str | None = None,
    others: Any = "value",
    play: Any = "counting",
    then: Any = "never",
    rules: Any = None,
    half_width: float = 0.02,
    deals: int | None = None,
    level: float = 0.95,
    slip: float = 0.01,
    seed: int | None = None,
    threads: int | None = None,
) -> BidValue:
    """Estimate what every bid, and passing, is worth with a hand, and its chance to win as declarer.

    The cards that the hand does not show are dealt again and again. Each deal is played once for every bid, by the
    same policies, so that the bids meet the same luck; and twice with this hand as declarer, with and without the
    widow.

    Parameters
    ----------
    hand : str or list of str
        The cards dealt, as ``"3h 3d 2s …"``: 16, or 13 with four players or the short deck.
    seat : int, optional
        Place in the order of bidding: 0 bids first. By default that of the next bid when `bids` are given, 0 for a
        hand with the 4 of hearts, and otherwise as the cards fall.
    bids : sequence of int
        Every bid made so far, in order from the first bidder on, 0 for a pass. It is this hand's turn then. Hidden
        hands count by how likely the others' policies were to bid so. Without bids, the seats before this one bid
        as their policies say; a bid that is not higher than theirs counts as passing.
    players : int, optional
        3 or 4; what the rules say by default.
    heart : str, optional
        The card with which the first bidder was first, when it is another seat; known to all at the table.
    others : policy, or a list with one for each seat after this one
        How the others bid.
    play : policy
        How everybody plays the cards (and names one, with four players).
    then : policy
        How this hand bids later in the auction; by default it passes.
    rules : Rules or dict, optional
    half_width : float
        Wanted for the interval of the chance to win; says how many deals are played.
    deals : int, optional
        Number of deals instead.
    level : float
        Confidence level.
    slip : float
        Chance that a bid of the others was a slip of the hand, made at random: with 0 only hands with which the
        policies bid just so count.
    seed : int, optional
        Drawn when not given. The same seed gives the same numbers with any number of threads.
    threads : int, optional

    Returns
    -------
    BidValue

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed; also when no deal agrees with all of it.

    Examples
    --------
    >>> import simlib as sl
    >>> found = sl.big_three.bid_value("3h 3d 3c 2s 2d Ah Kd Kc Kh Qd Jc Tc 9s 8d 7h 6c", seed=1, deals=200)
    >>> found.best
    3
    """
    options = rules_of(rules, players)
    situation = make_situation(hand, seat, bids, options, heart, slip)
    level = check_open_unit(level, "level")
    n = _deals_for(half_width, level) if deals is None else check_count("deals", deals, 2)
    line = _line(options.players, others, play, then)
    work = Work("big_three", options, line, check_seed(seed), (tuple(range(len(line))),), situation.scenario())
    threads = check_threads(threads)
    drawn = draw(work, situation, n)
    rows = _play(work, situation, drawn.numbers, threads)
    texts = (", ".join(dict.fromkeys(p.policies[0].text if p.name == "parts" else p.text for p in line[1:])),)
    return BidValue(
        situation, work, (*texts, compiled("play", play).text, compiled("then", then).text),
        level, drawn.candidates, drawn.likelihood, drawn.weights, *rows,
    )  # fmt: skip


def _deals_for(half_width: float, level: float) -> int:
    """Return the deals after which the interval of any probability is no wider than asked (Wald, at one half)."""
    if not check_positive(half_width, "half_width") < 0.5:
        raise ValueError(f"half_width={half_width!r} must be below 0.5")
    return max(30, math.ceil((0.5 * t_quantile(level, math.inf) / half_width) ** 2))


def _line(players: int, others: Any, play: Any, then: Any) -> tuple[Any, ...]:
    """Return one policy a seat; this hand is seat 0."""
    cards = compiled("play", play)
    if isinstance(others, (list, tuple)):
        if len(others) != players - 1:
            raise ValueError(f"others: {len(others)} policies were given; must be one, or {players - 1}")
        bidders = [compiled("others", p) for p in others]
    else:
        bidders = [compiled("others", others)] * (players - 1)
    return tuple(parts(p, cards) for p in [compiled("then", then), *bidders])


def _play(work: Work, situation: Situation, numbers: Array, threads: int | None) -> tuple[Array, Array, Array | None]:
    """Play every option, and this hand as declarer with and without the widow, on the deals drawn."""
    base = situation.scenario()
    base["declarer"], base["bid"] = 1, 3
    without = base.copy()
    without["no_widow"] = 1
    dtype = get("big_three").RESULT
    options = np.array(situation.options, np.int64)

    def piece(part: slice) -> tuple[Array, Array, Array | None]:
        chosen = numbers[part]
        rows = np.zeros((len(chosen), len(options)), dtype)
        table = table_of(work)
        bids = np.array(situation.bids, np.int64)
        guarded(table, kernels.play_bids, chosen, 0, bids, situation.slip, options, rows)
        alone = []
        for scenario in (base, without):
            out = np.zeros(len(chosen), dtype)
            if scenario is base or work.players == 3:
                guarded(table_of(replace(work, scenario=scenario)), kernels.play_listed, chosen, out)
            alone.append(out)
        return rows, alone[0], alone[1] if work.players == 3 else None

    found = spread(list(cuts(len(numbers), threads)), piece, threads)
    joined = [None if column[0] is None else np.concatenate(column) for column in zip(*found, strict=True)]
    return joined[0], joined[1], joined[2]  # type: ignore[return-value]


@dataclass(frozen=True, eq=False)
class BidValue:
    """What a hand is worth: `table` has every bid, `best` the best one, `win` the chance to win as declarer.

    Attributes
    ----------
    situation : Situation
        The hand, its place in the order of bidding and the bids so far.
    work : Work
        Rules, line-up (this hand is seat 0) and seed.
    texts : tuple of str
        How the others bid, how everybody plays, and how this hand bids later.
    level : float
        Confidence level.
    candidates : int
        Deals looked at to find those that agree with the bids.
    likelihood : Estimate
        How likely the bids so far were, given this hand (and place): 1 without bids.
    weights : ndarray, shape (deals,)
        Weight of each deal played.
    results, declared, bare : ndarray of RESULT
        Shape (deals, bids); (deals,) with this hand as declarer; and without the widow (None with four players).
    """

    situation: Situation
    work: Work
    texts: tuple[str, str, str]
    level: float
    candidates: int
    likelihood: WeightedEstimate
    weights: Array
    results: Array
    declared: Array
    bare: Array | None

    def _mean(self, values: Array) -> WeightedEstimate:
        return weighted_mean(values, self.weights, level=self.level)

    @property
    def unit(self) -> str:
        """Chips or points."""
        return unit_of(self.work.rules)  # type: ignore[arg-type]

    @functools.cached_property
    def win(self) -> WeightedEstimate:
        """Chance that this hand's party wins if it becomes the declarer, with the widow."""
        return self._mean(self.declared["declarer_won"])

    @functools.cached_property
    def win_without_widow(self) -> WeightedEstimate | None:
        """The same chance when the widow stays face down; None with four players."""
        return None if self.bare is None else self._mean(self.bare["declarer_won"])

    @functools.cached_property
    def widow(self) -> WeightedEstimate | None:
        """What the widow adds to the chance to win, on the same deals; None with four players."""
        if self.bare is None:
            return None
        return self._mean(self.declared["declarer_won"].astype(float) - self.bare["declarer_won"])

    @property
    def ess(self) -> float:
        """Effective sample size: so many deals of equal weight would know as much."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    @property
    def deals(self) -> int:
        """Deals played."""
        return len(self.weights)

    @property
    def best(self) -> int:
        """The bid worth most, 0 for passing; of equals the lowest."""
        return int(self.situation.options[int(np.argmax(self.table[self.unit].to_numpy()))])

    @functools.cached_property
    def margin(self) -> WeightedEstimate | None:
        """How much more the best bid is worth than the next best, on the same deals; None when there is no choice."""
        values = self.table[self.unit].to_numpy()
        if len(values) < 2:
            return None
        first = int(np.argmax(values))
        second = max((i for i in range(len(values)) if i != first), key=lambda i: values[i])
        scores = self.results["score"][..., 0].astype(float)
        return self._mean(scores[:, first] - scores[:, second])

    @functools.cached_property
    def table(self) -> pd.DataFrame:
        """One row a bid.

        Columns: ``bid`` (0: pass); the mean ``chips`` (or ``points``) with ``_lo`` and ``_hi``; ``gain``: how much more
        than the first row, on the same deals, with its interval; ``declares``: how often this hand then becomes
        the declarer; ``wins``: how often its party wins, with its interval; ``best``.
        """
        import pandas as pd

        scores = self.results["score"][..., 0].astype(float)
        rows = []
        for i, option in enumerate(self.situation.options):
            row: dict[str, Any] = {"bid": option}
            row |= _named(self.unit, self._mean(scores[:, i]))
            row |= _named("gain", self._mean(scores[:, i] - scores[:, 0]))
            row["declares"] = self._mean(self.results["declarer"][:, i] == 0).mean
            row |= _named("wins", self._mean(self.results["won"][:, i, 0]))
            rows.append(row)
        found = pd.DataFrame(rows)
        found["best"] = found.index == int(np.argmax(found[self.unit].to_numpy()))
        return found

    @property
    def place(self) -> str:
        """This hand's place in the order of bidding, in words."""
        position = self.situation.position
        return "any place" if position is None else SEAT_NAMES[position]

    def lines(self) -> list[str]:
        """What was found, in words."""
        what = {0: "pass", 1: "bid 1", 2: "bid 2", 3: "bid 3"}
        lines = [f"chance to win as declarer {_percent(self.win)}"]
        if self.widow is not None and self.win_without_widow is not None:
            lines.append(f"without the widow {_percent(self.win_without_widow)}: it adds {_percent(self.widow)}")
        lines.append(f"best: {what[self.best]}")
        if self.margin is not None:
            lo, hi = self.margin.lo, self.margin.hi
            unsure = "; another bid may be as good" if lo <= 0 else ""
            lines[-1] += f", by {self.margin.mean:.2f} [{lo:.2f}, {hi:.2f}] {self.unit} over the next{unsure}"
        after = f" after bids {' '.join(map(str, self.situation.bids))}" if self.situation.bids else ""
        lines.append(
            f"{self.place}{after}; others bid like {self.texts[0]}, cards by {self.texts[1]}, later bids by "
            f"{self.texts[2]}; {self.deals:,} deals (worth {self.ess:,.0f}), seed {self.work.seed}"
        )
        if self.situation.bids and self.likelihood.mean < 0.005:
            rare = f"{100 * self.likelihood.mean:.2g} %"
            lines.append(
                f"these bids come up in {rare} of the deals: name policies for the others that bid more like this"
            )
        if self.ess < 30:
            lines.append("too few deals agree with these bids: the intervals are no more than a hint")
        return lines

    def __repr__(self) -> str:
        rows = [
            f"  {'pass' if r.bid == 0 else f'bid {r.bid}'}: {r[self.unit]:+.3f} "
            f"[{r[f'{self.unit}_lo']:+.3f}, {r[f'{self.unit}_hi']:+.3f}] {self.unit}, declarer {100 * r.declares:.0f} %"
            for _, r in self.table.iterrows()
        ]
        return (
            "\n".join([f"<bid value of {' '.join(self.situation.texts)}", *rows, *(f"  {x}" for x in self.lines())])
            + ">"
        )

    def _repr_html_(self) -> str:
        shown: str = self.table.round(3).to_html(index=False)
        return f"<p><b>{' '.join(self.situation.texts)}</b></p>{shown}<p>{'<br>'.join(self.lines())}</p>"

    def plot(self, ax: Any = None) -> Any:
        """Draw the value of each bid with its interval; return the Axes."""
        import pandas as pd

        from simlib.plots.generic import bars

        t = self.table
        data = pd.DataFrame({
            "label": ["pass" if b == 0 else f"bid {b}" for b in t.bid],
            "mean": t[self.unit], "lo": t[f"{self.unit}_lo"], "hi": t[f"{self.unit}_hi"],
        })  # fmt: skip
        title = f"What a bid is worth: wins as declarer {_percent(self.win)}"
        return bars(data, ax, ylabel=f"mean {self.unit}", title=title)


def _named(name: str, e: WeightedEstimate) -> dict[str, float]:
    return {name: e.mean, f"{name}_lo": e.lo, f"{name}_hi": e.hi}


def _percent(e: WeightedEstimate) -> str:
    return f"{100 * e.mean:.1f} % [{100 * e.lo:.1f}, {100 * e.hi:.1f}]"
