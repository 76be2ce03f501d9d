"""`tune`: find better weights for a policy by CMA-ES on common deals, and say whether they hold up on fresh ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.compare import compare
from simlib.analysis.comparison import Comparison
from simlib.engine import Work, check_count, check_seed, default_threads, make_work, play_range
from simlib.game import SHARE
from simlib.policies import Policy, line_up, resolve
from simlib.run import ProgressBar

if TYPE_CHECKING:
    import pandas as pd

    from simlib.stats.intervals import Estimate

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Tuned:
    """What tuning found.

    Attributes
    ----------
    policy : Policy
        With the weights found (the centre of the last generation, which suffers less from lucky deals than its best
        member).
    start : Policy
        What it began from.
    history : DataFrame
        One row a generation: ``generation, mean, best, step``; the measure of the candidates, and how
        far they lay from their middle, in sizes of a parameter.
    comparison : Comparison
        `policy` against `start` on deals that tuning never saw.
    measure : str
        What was maximised.
    seed : int
    """

    policy: Policy
    start: Policy
    history: pd.DataFrame
    comparison: Comparison
    measure: str
    seed: int

    @property
    def gain(self) -> Estimate:
        """Gain of the tuned policy over the start on fresh deals, with its interval."""
        return self.comparison.estimate("tuned", self.measure)

    @property
    def holds(self) -> bool:
        """Whether the whole interval of the gain lies above zero."""
        return self.gain.lo > 0

    @property
    def verdict(self) -> str:
        """One sentence."""
        unit = "win share" if self.measure == "win_share" else "score"
        if self.holds:
            return f"{self.policy.text} is better than {self.start.text} on fresh deals: {unit} {self.gain}"
        if self.gain.hi < 0:
            fails = f"it is worse than {self.start.text} on fresh deals"
            return f"{self.policy.text} does not hold up: {fails}: {unit} {self.gain}"
        equal = f"on fresh deals it cannot be told apart from {self.start.text}"
        return f"{self.policy.text} does not hold up: {equal}: {unit} {self.gain}"

    @property
    def table(self) -> pd.DataFrame:
        """One row a parameter that was tuned: start and found value."""
        import pandas as pd

        names = [n for n in self.policy.params if not isinstance(self.policy.params[n], Policy)]
        changed = [n for n in names if self.policy.params[n] != self.start.params[n]]
        rows = [{"parameter": n, "start": self.start.params[n], "found": self.policy.params[n]} for n in changed]
        return pd.DataFrame(rows, columns=["parameter", "start", "found"])

    def __repr__(self) -> str:
        return f"<tuned: {self.verdict}>"


def tune(
    policy: Any,
    params: Sequence[str] | Mapping[str, tuple[float, float]] | str | None = None,
    *,
    game: str | None = None,
    opponents: Any = None,
    players: int | None = None,
    deals: int = 400,
    generations: int = 20,
    population: int | None = None,
    step: float = 0.3,
    measure: str = "win_share",
    rules: Any = None,
    seed: int | None = None,
    validation: int = 5_000,
    threads: int | None = None,
    progress: bool | None = None,
) -> Tuned:
    """Tune numeric parameters of a policy by CMA-ES (Hansen 2016) against a field of opponents.

    All candidates of a generation play the same deals in every seat; each generation has deals of its own, so that
    weights cannot settle on the luck of a few. The result is compared with the start on fresh deals.

    Parameters
    ----------
    policy : Policy or str
        ``"game/name"``, or a name with `game` given. Its parameter values are the start.
    params : list of str, or dict of str to (low, high), optional
        Parameters to tune, with limits if wanted; all numeric ones by default.
    opponents : list of str or Policy, optional
        The other seats; the start policy in all of them by default.
    players : int, optional
        Number of seats when no opponents are given; that of the rules by default.
    deals : int
        Deals a candidate plays in each generation.
    generations, population : int
        Length of the search and candidates a generation (4 + 3 ln n by default).
    step : float
        First step, as a part of each parameter's size (or of the width of its limits).
    measure : {"win_share", "score"}
    seed : int, optional
    validation : int
        Fresh deals for the comparison at the end.
    threads, rules, progress
        As in `simlib.simulate`.

    Returns
    -------
    Tuned

    Raises
    ------
    ValueError, TypeError
        For wrong arguments, before any work starts.
    """
    import cmaes
    import pandas as pd

    start = _fetch(policy, game)
    names, limits = _parameters(start, params)
    for name, value, low in (("deals", deals, 2), ("generations", generations, 1), ("validation", validation, 2)):
        check_count(name, value, low)
    if measure not in ("win_share", "score"):
        raise ValueError(f"measure={measure!r} must be 'win_share' or 'score'")
    if not 0 < step <= 2:
        raise ValueError(f"step={step} must be above 0 and at most 2")
    seed = check_seed(seed)
    others = _others(start, opponents, players, rules)
    trial = _Trial(start, names, limits, others, rules, seed, deals, measure)
    size = check_count("population", population or 4 + int(3 * math.log(len(names))), 4)
    search = cmaes.CMA(
        mean=np.zeros(len(names)), sigma=step, bounds=trial.bounds, seed=seed % 2**32, population_size=size
    )
    rows = []
    with ProgressBar(generations, progress) as bar, ThreadPoolExecutor(threads or default_threads()) as pool:
        for generation in range(generations):
            asked = [search.ask() for _ in range(size)]
            found = list(pool.map(lambda x, g=generation: trial.mean(x, g), asked))  # type: ignore[misc]
            search.tell([(x, -value) for x, value in zip(asked, found, strict=True)])
            rows.append(
                {"generation": generation, "mean": np.mean(found), "best": np.max(found), "step": _spread(asked)}
            )
            bar.advance(1)
            if search.should_stop():
                break
    tuned = trial.policy(search.mean)
    fresh = compare(
        start.game, start, {"tuned": tuned}, validation,
        opponents=others, rules=rules, seed=_fresh(seed), threads=threads, measure=measure, progress=progress,
    )  # fmt: skip
    return Tuned(tuned, start, pd.DataFrame(rows), fresh, measure, seed)


def _spread(points: Sequence[Array]) -> float:
    """Return the standard deviation of candidates in one parameter, the mean over parameters."""
    return float(np.std(points, axis=0, ddof=1).mean())


def _fresh(seed: int) -> int:
    """A seed whose deals tuning has not seen."""
    return (seed + 0x9E3779B97F4A7C15) % 2**64


def _fetch(policy: Any, game: str | None) -> Policy:
    if isinstance(policy, str) and game is None:
        game, mark, policy = policy.partition("/")
        if not mark:
            raise ValueError(f'policy={game!r}: name the game too, as tune("drei_zu_viel/careful")')
    return policy if isinstance(policy, Policy) else resolve(str(game), policy)


def _parameters(start: Policy, params: Any) -> tuple[list[str], list[tuple[float, float] | None]]:
    """Return names and limits of the parameters to tune."""
    numeric = [p.name for p in start.parameters if not p.is_policy]
    if isinstance(params, str):
        params = [p.strip() for p in params.split(",")]
    names = list(params) if params is not None else numeric
    if not names:
        raise ValueError(f"policy {start.text!r} has no numeric parameters to tune")
    for name in names:
        if name not in numeric:
            raise ValueError(
                f"params: {name!r} is no numeric parameter of {start.name!r}; it has: {', '.join(numeric) or 'none'}"
            )
    if not isinstance(params, Mapping):
        return names, [None] * len(names)
    for name, (low, high) in params.items():
        if not low < high or not low <= start.params[name] <= high:
            raise ValueError(
                f"params: {name}=({low:g}, {high:g}) must be limits around the start {start.params[name]:g}"
            )
    return names, [(float(low), float(high)) for low, high in params.values()]


def _others(start: Policy, opponents: Any, players: int | None, rules: Any) -> list[Policy]:
    """Return the policies of the other seats."""
    from simlib.games import get

    game = get(start.game)
    if opponents is not None:
        return line_up(game.name, opponents)
    given = rules.get("players") if isinstance(rules, dict) else getattr(rules, "players", None)
    n = players or given or game.rules.model_fields["players"].default
    check_count("players", n, game.min_players, game.max_players)
    return [start] * (n - 1)


class _Trial:
    """Plays candidates: a point of the search is a policy's parameters in units of their size."""

    def __init__(
        self,
        start: Policy,
        names: list[str],
        limits: list[tuple[float, float] | None],
        others: list[Policy],
        rules: Any,
        seed: int,
        deals: int,
        measure: str,
    ) -> None:
        self.start, self.names, self.deals, self.measure = start, names, deals, measure
        self._base = make_work(start.game, [start, *others], seed, rules=rules)
        origin = np.array([start.params[n] for n in names])
        width = [None if b is None else b[1] - b[0] for b in limits]
        self._origin = origin
        self._size = np.array([max(abs(o), 0.25) if w is None else w for o, w in zip(origin, width, strict=True)])
        bound = [(-np.inf, np.inf) if b is None else b for b in limits]
        self.bounds: Array | None = None
        if any(b is not None for b in limits):
            self.bounds = np.array(
                [[(lo - o) / s, (hi - o) / s] for (lo, hi), o, s in zip(bound, origin, self._size, strict=True)]
            )

    def policy(self, x: Array) -> Policy:
        """Return the policy of a point."""
        values = self._origin + self._size * x
        return self.start.with_params(**{n: float(f"{v:.6g}") for n, v in zip(self.names, values, strict=True)})

    def mean(self, x: Array, generation: int) -> float:
        """Return the mean of the measure over this generation's deals and every seat."""
        n = self._base.players
        line = (self.policy(x), *self._base.policies[1:])
        plan = tuple(tuple((seat - r) % n for seat in range(n)) for r in range(n))
        work = Work(self._base.game, self._base.rules, line, self._base.seed, plan)
        rows = play_range(work, generation * self.deals, self.deals)[self.measure]
        own = [rows[:, r, seats.index(0)].astype(np.int64).sum() for r, seats in enumerate(plan)]
        return float(sum(own)) / (n * self.deals * (SHARE if self.measure == "win_share" else 1))
