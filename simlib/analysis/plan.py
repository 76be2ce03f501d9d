"""`plan`: how many deals a comparison needs, what that costs, and what pairing and control variates save."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simlib.analysis.compare import compare
from simlib.analysis.comparison import Comparison
from simlib.engine import check_count, default_threads
from simlib.stats._check import check_positive
from simlib.stats.intervals import Estimate, linear_interval
from simlib.stats.planning import deals_needed
from simlib.stats.sequences import NormalMixture, mixture_radius

if TYPE_CHECKING:
    import pandas as pd

TIGHT_AT = NormalMixture().tight_at


@dataclass(frozen=True, eq=False)
class Plan:
    """Deals that a comparison needs for a half-width, judging by a pilot.

    Attributes
    ----------
    half_width : float
        What was asked for, in units of the measure.
    measure : str
        ``"score"`` or ``"win_share"``.
    assurance : float
        Chance that the deals suffice, in spite of the pilot's uncertainty about the variance.
    pilot : Comparison
        The deals that were played to find out.
    seconds_per_deal : float
        Time of one deal in both versions, with the pilot's threads and on its machine.
    """

    half_width: float
    measure: str
    assurance: float
    pilot: Comparison
    seconds_per_deal: float

    @property
    def plain(self) -> Estimate:
        """The pilot's paired difference, without control variates."""
        histogram = self.pilot.sums.differences[1, self.measure, -1]
        return linear_interval(histogram.moments(), level=self.pilot.stopping.level, n_games=self.pilot.games(1))

    @property
    def deals(self) -> int:
        """Deals for the half-width, paired, without control variates."""
        return self._needed(self.plain)

    @property
    def games(self) -> int:
        """Games of that many deals in both versions."""
        return self.deals * self._games_per_deal

    @property
    def seconds(self) -> float:
        """Time that they take, in seconds."""
        return self.deals * self.seconds_per_deal

    @property
    def factor(self) -> float:
        """How many times more games unpaired play needs."""
        return self.pilot.factor(1, self.measure)

    @property
    def gain(self) -> float:
        """By what factor control variates divide the variance (below 1: they cost more than they bring)."""
        return self.pilot.gain(1, self.measure)

    @property
    def _games_per_deal(self) -> int:
        return self.pilot.games(1) // self.pilot.deals

    def _needed(self, estimate: Estimate) -> int:
        return deals_needed(estimate, self.half_width, assurance=self.assurance) if estimate.se > 0 else 2

    def _always_valid(self) -> int:
        """Deals until the always-valid interval of a score is as short; that of win shares takes about as many."""
        from scipy.special import chdtri

        e = self.plain
        df, alpha, lo, hi = e.n_deals - 1, 1 - e.level, 1, 2
        sd = e.se * math.sqrt(e.n_deals) * math.sqrt(df / float(chdtri(df, self.assurance)))

        def suffice(deals: int) -> bool:
            return sd * float(mixture_radius(deals, alpha, TIGHT_AT)) <= self.half_width

        while not suffice(hi):
            lo, hi = hi, 2 * hi
        while hi - lo > 1:
            middle = (lo + hi) // 2
            lo, hi = (lo, middle) if suffice(middle) else (middle, hi)
        return hi

    @property
    def table(self) -> pd.DataFrame:
        """One row a design: paired, paired with control variates, paired with early stopping (``until``), unpaired.

        Columns: ``design, deals, games, seconds``; unpaired play uses a deal for each game.
        """
        import pandas as pd

        rows = [("paired", self.deals)]
        if not math.isnan(self.gain):
            rows.append(("paired, covariates", self._needed(self.pilot.estimate(1, self.measure))))
        rows.append(("paired, until", self._always_valid()))
        found = [
            {"design": name, "deals": n, "games": n * self._games_per_deal, "seconds": n * self.seconds_per_deal}
            for name, n in rows
        ]
        if math.isfinite(self.factor):
            games = math.ceil(self.games * self.factor)
            seconds = self.seconds * self.factor
            found.append({"design": "unpaired", "deals": games, "games": games, "seconds": seconds})
        return pd.DataFrame(found)

    def __repr__(self) -> str:
        unit = self.pilot.game.score_unit if self.measure == "score" else "win share"
        lines = [
            f"<plan for ±{self.half_width:g} {unit} in {self.pilot.manifest['game']}: "
            f"{self.deals:,} deals, {self.games:,} games, about {self.seconds:.3g} s",
            f"  pilot of {self.pilot.deals:,} deals: {self.plain}",
            f"  unpaired play needs {self.factor:.3g} times as many games; "
            f"control variates divide the variance by {self.gain:.3g}",
        ]
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        import html

        first = html.escape(repr(self)[1:-1]).replace("\n", "<br>")
        return f"<p>{first}</p>" + self.table.to_html(index=False, float_format="{:.4g}".format)


def plan(
    game: str,
    baseline: Any,
    variant: Any,
    half_width: float,
    *,
    measure: str = "score",
    pilot: int = 1_000,
    assurance: float = 0.9,
    level: float = 0.95,
    opponents: Any = None,
    copies: int = 1,
    seatings: str = "rotations",
    seed: int | None = None,
    rules: Any = None,
    threads: int | None = None,
    executor: Any = None,
    progress: bool | None = None,
) -> Plan:
    """Return how many deals a comparison needs for an interval of a given half-width, from a pilot.

    Parameters
    ----------
    game, baseline, opponents, copies, seatings, rules, threads, executor, progress
        As in `simlib.compare`.
    variant
        One variant: a policy or its text, parameters of the baseline, or rule options.
    half_width : float
        Half the length of the interval that is wanted, in points (chips) or in win share.
    measure : {"score", "win_share"}
        What the half-width is of.
    pilot : int
        Deals that are played to find out, at least 30. Their seed should not be that of the comparison
        itself.
    assurance : float
        Chance that so many deals suffice: the variance is taken at its upper confidence limit of this level.
    level : float
        Confidence level of the interval.
    seed : int, optional
        Seed of the pilot; drawn when it is None.

    Returns
    -------
    Plan
        ``.deals``, ``.games``, ``.seconds``, ``.factor`` (what pairing saves), ``.gain`` (what control
        variates save), ``.table``.

    Raises
    ------
    ValueError, TypeError
        For wrong arguments, before any work starts.

    Examples
    --------
    >>> import simlib as sl
    >>> found = sl.plan("drei_zu_viel", "lowest", "greedy", 0.5, pilot=200, seed=7)
    >>> found.games == 5 * found.deals
    True
    """
    target = check_positive(half_width, "half_width")
    check_count("pilot", pilot, 30)
    if not 0 < assurance < 1:
        raise ValueError(f"assurance={assurance!r} must lie strictly between 0 and 1")
    if isinstance(variant, (list, tuple)):
        raise TypeError(f"variant must be one: a policy, parameters of the baseline or rule options, not {variant!r}")
    found = compare(
        game, baseline, {"variant": variant}, pilot,
        measure=measure, opponents=opponents, copies=copies, seatings=seatings, seed=seed, rules=rules,
        threads=threads, executor=executor, level=level, covariates=True, progress=progress,
    )  # fmt: skip
    if len(found.sums.differences[1, measure, -1].values) == 1 and not found.manifest["variants"][0]["same"]:
        raise ValueError(f"pilot={pilot}: all of these deals gave the same difference in {measure}; play more")
    if executor is None:  # without what compiling took
        seconds = sum(found.sums.seconds) / (threads or default_threads())
    else:
        seconds = found.manifest["elapsed"]
    return Plan(target, measure, assurance, found, seconds / found.deals)
