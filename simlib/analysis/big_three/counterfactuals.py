"""The same deal declared by every seat at every bid: the value of declaring by seat and by hand, and where it pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.big_three.outcomes import FEATURES, Setting, make_setting
from simlib.analysis.big_three.tables import unit_of
from simlib.errors import did_you_mean
from simlib.stats.clusters import cluster_interval

if TYPE_CHECKING:
    import pandas as pd

    from simlib.analysis.big_three.model import BidModel


def counterfactuals(
    deals: int = 2_000,
    seed: int | None = None,
    *,
    bids: Sequence[int] = (1, 2, 3),
    rules: Any = None,
    players: int | None = None,
    play: Any = "counting",
    threads: int | None = None,
) -> Counterfactuals:
    """Play every deal once for each seat as declarer and each bid, and (three players) without the widow.

    Parameters
    ----------
    deals : int
        Number of shuffles.
    seed : int, optional
        Drawn when not given.
    bids : sequence of int
        Bids to force; 1 is always played.
    rules : Rules or dict, optional
    players : int, optional
        3 or 4; what the rules say by default.
    play : policy
        Plays the cards of every seat.
    threads : int, optional

    Returns
    -------
    Counterfactuals

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed.
    """
    import pandas as pd

    setting = make_setting(deals, seed, rules, play, threads, players=players)
    forced = sorted({1, *_check_bids(bids)})
    first = setting.first_bidders()
    at_one = [setting.played(s, 1, features=True) for s in range(setting.players)]
    parts = []
    for seat, rows in enumerate(at_one):
        part: dict[str, Any] = {"deal": np.arange(setting.deals), "seat": seat}
        part["position"] = (seat - first) % setting.players
        part["leads"] = (rows["leader"] == seat).astype(int)
        part["won"] = rows["declarer_won"].astype(int)
        for b in forced:
            played = rows if b == 1 else setting.played(seat, b)
            part[f"chips_{b}"] = played["score"][:, seat].astype(int)
        if setting.players == 3:
            bare = setting.played(seat, 1, no_widow=True)
            part["won_bare"] = bare["declarer_won"].astype(int)
        part["defends"] = _defending(at_one, first, seat)
        part |= {f: rows[f][:, seat].astype(int) for f in FEATURES}
        part |= {f"after_{f}": rows[f"after_{f}"].astype(int) for f in FEATURES}
        parts.append(pd.DataFrame(part))
    frame = pd.concat(parts).sort_values(["deal", "seat"], ignore_index=True)
    return Counterfactuals(setting, tuple(forced), frame)


def _check_bids(bids: Any) -> list[int]:
    if isinstance(bids, (str, bytes)) or not isinstance(bids, Sequence) or not len(bids):
        raise TypeError(f"bids must be a sequence of numbers 1 to 3 such as (1, 2), not {bids!r}")
    for b in bids:
        if isinstance(b, bool) or b not in (1, 2, 3):
            raise ValueError(f"bids={list(bids)}: must be of 1, 2 and 3")
    return [int(b) for b in bids]


def _defending(at_one: list[Any], first: Any, seat: int) -> Any:
    """Chips of a seat when the first bidder declares at 1; not a number where it is that seat itself."""
    scores = np.stack([rows["score"][:, seat] for rows in at_one], axis=1)
    chips = scores[np.arange(len(first)), first].astype(float)
    chips[first == seat] = np.nan
    return chips


@dataclass(frozen=True, eq=False)
class Counterfactuals:
    """What became of each deal with each seat as the declarer.

    Attributes
    ----------
    setting : Setting
        Deals, rules, seed and who played.
    bids : tuple of int
    rows : DataFrame
        One row a deal and declarer: ``deal, seat, position`` (0 bids first), ``leads, won``, ``chips_1`` … of the
        declarer by bid, ``won_bare`` (without the widow; three players), ``defends`` (its chips when the first bidder
        declares at 1 instead; NaN for that one), and the features of its dealt hand, and ``after_`` the widow.
    """

    setting: Setting = field(repr=False)
    bids: tuple[int, ...]
    rows: pd.DataFrame = field(repr=False)

    @property
    def unit(self) -> str:
        """Chips or points."""
        return unit_of(self.setting.rules)

    def by(self, *features: str, level: float = 0.95) -> pd.DataFrame:
        """Return the value of declaring for each value of one or more columns of `rows`.

        Returns
        -------
        DataFrame
            The columns asked for; ``n`` (deals and seats); ``won`` with ``_lo`` and ``_hi``; ``chips_b`` for each bid
            with its interval; ``gain_1``: chips at a bid of 1 less those of defending against the first bidder.
            Intervals are clustered by deal.
        """
        import pandas as pd

        names = self._check(features)
        out = []
        for key, group in self.rows.groupby(list(names), sort=True):
            row: dict[str, Any] = dict(zip(names, key, strict=True)) | {"n": len(group)}
            for column in ("won", *(f"chips_{b}" for b in self.bids)):
                row |= _estimate(column, group[column], group["deal"], level)
            row |= _estimate("gain_1", group["chips_1"] - group["defends"], group["deal"], level)
            out.append(row)
        return pd.DataFrame(out)

    def _check(self, features: Sequence[str]) -> tuple[str, ...]:
        known = [c for c in self.rows.columns if c not in ("deal", "won", "won_bare", "defends")]
        known = [c for c in known if not c.startswith("chips")]
        if not features:
            raise ValueError(f"features: name at least one of {', '.join(known)}")
        for name in features:
            if name not in known:
                raise ValueError(f"features: {name!r} is none{did_you_mean(name, known)}; there are {', '.join(known)}")
        return tuple(features)

    def break_even(
        self, feature: str, bid: int = 1, *, against: str = "nothing", least: int = 30, level: float = 0.95
    ) -> BreakEven:
        """Return from which value of a hand feature on declaring pays.

        Parameters
        ----------
        feature : str
            A column of `rows`, as ``"threes"`` or ``"turns"``.
        bid : int
            The bid that is forced.
        against : {"nothing", "defending"}
            Whether it shall win chips, or more than defending against the first bidder's 1 (who is left out then).
        least : int
            Groups of fewer rows are left out.
        level : float
            Confidence level.

        Returns
        -------
        BreakEven
        """
        import pandas as pd

        (name,) = self._check([feature])
        if bid not in self.bids:
            raise ValueError(f"bid={bid!r} was not played; bids: {', '.join(map(str, self.bids))}")
        if against not in ("nothing", "defending"):
            raise ValueError(f"against={against!r} must be 'nothing' or 'defending'")
        value = self.rows[f"chips_{bid}"] - (self.rows["defends"] if against == "defending" else 0)
        rows = []
        for x, group in value.groupby(self.rows[name]):
            there = group.dropna()
            if len(there) >= least:
                e = cluster_interval(there, self.rows["deal"][there.index], level=level)
                rows.append({"x": float(x), "mean": e.mean, "lo": e.lo, "hi": e.hi, "n": len(there)})
        if len(rows) < 2:
            raise ValueError(f"deals={self.setting.deals}: too few for groups of {name} with {least} rows")
        return BreakEven(name, bid, against, self.unit, pd.DataFrame(rows))

    def model(self, features: Sequence[str] | None = None, **more: Any) -> BidModel:
        """Fit the chance to win as declarer to features of the dealt hand; see `model.fit`."""
        from simlib.analysis.big_three.model import fit

        return fit(self, features, **more)

    def plot(self, feature: str = "turns", ax: Any = None, *, level: float = 0.95) -> Any:
        """Draw the chips of every bid by a feature of the hand; return the Axes."""
        import pandas as pd

        from simlib.plots.models import bid_values

        t = self.by(feature, level=level)
        t = t[t.n >= 30] if (t.n >= 30).any() else t
        data = pd.concat([
            pd.DataFrame({
                "x": t[feature], "mean": t[f"chips_{b}"], "lo": t[f"chips_{b}_lo"], "hi": t[f"chips_{b}_hi"],
                "series": f"declares at {b}",
            }) for b in self.bids
        ])  # fmt: skip
        return bid_values(
            data, ax, strength=feature, unit=self.unit, title=f"Declaring, by {feature} of the dealt hand"
        )

    def _repr_html_(self) -> str:
        shown: str = self.by("position").round(3).to_html(index=False)
        return f"<p>{self.setting.deals:,} deals, seed {self.setting.seed}, by place in the auction:</p>{shown}"


@dataclass(frozen=True, eq=False)
class BreakEven:
    """From which value of a feature on declaring pays.

    Attributes
    ----------
    feature, bid, against, unit
        What was asked.
    table : DataFrame
        ``x`` (value of the feature), ``mean`` chips (less those of defending) with ``lo`` and ``hi``, ``n``.
    """

    feature: str
    bid: int
    against: str
    unit: str
    table: pd.DataFrame = field(repr=False)

    @property
    def at(self) -> float | None:
        """Where the mean crosses 0, by straight lines between the groups; None when it does not."""
        return crossing(self.table["x"], self.table["mean"])

    @property
    def range(self) -> tuple[float | None, float | None]:
        """Where the ends of the intervals cross 0, in ascending order; None where one does not."""
        ends = [crossing(self.table["x"], self.table[side]) for side in ("hi", "lo")]
        known = [e for e in ends if e is not None]
        return (ends[1], ends[0]) if len(known) == 2 and ends[0] > ends[1] else (ends[0], ends[1])  # type: ignore[operator]

    @property
    def sure(self) -> list[float]:
        """Values of the feature with which declaring pays for sure: the whole interval is above 0."""
        return [float(x) for x in self.table["x"][self.table["lo"] > 0]]

    def __repr__(self) -> str:
        where = "does not cross 0" if self.at is None else f"breaks even at {self.feature} = {self.at:.2f}"
        lo, hi = ("?" if x is None else f"{x:.2f}" for x in self.range)
        return f"<declaring at {self.bid} against {self.against} {where} [{lo}, {hi}]>"

    def plot(self, ax: Any = None) -> Any:
        """Draw the value by the feature, and where it breaks even; return the Axes."""
        from simlib.plots.models import break_even

        more = "" if self.against == "nothing" else ", more than by defending"
        data = self.table.assign(series=f"declares at {self.bid}{more}")
        return break_even(data, ax, strength=self.feature, unit=self.unit)


def crossing(x: Any, y: Any) -> float | None:
    """Return where values change their sign for the first time, by straight lines; None when they never do."""
    xs, ys = np.asarray(x, float), np.asarray(y, float)
    for i in range(len(xs) - 1):
        if np.isfinite(ys[i : i + 2]).all() and (ys[i] < 0) != (ys[i + 1] < 0):
            return float(xs[i] + (xs[i + 1] - xs[i]) * -ys[i] / (ys[i + 1] - ys[i]))
    return None


def _estimate(name: str, values: Any, deals: Any, level: float) -> dict[str, float]:
    there = values.dropna()
    if len(there) == 0:
        return {name: np.nan, f"{name}_lo": np.nan, f"{name}_hi": np.nan}
    e = cluster_interval(there.to_numpy(), deals[there.index].to_numpy(), level=level)
    return {name: e.mean, f"{name}_lo": e.lo, f"{name}_hi": e.hi}
