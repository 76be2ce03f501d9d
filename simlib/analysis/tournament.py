"""`tournament`: every line-up of some policies on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simlib.analysis.lineups import Schedule, make_schedule, scale_of
from simlib.analysis.standings import Tournament
from simlib.engine import (
    Work,
    check_count,
    check_seed,
    chunk_deals,
    default_threads,
    make_work,
    play_range,
    ranges,
    run_ranges,
)
from simlib.games import get
from simlib.policies import line_up
from simlib.run import ProgressBar, as_executor
from simlib.stats.accumulators import Moments
from simlib.sufficient import Slots

#: More line-ups than this are sampled.
MOST_LINEUPS = 300


def tournament(
    game: str,
    policies: Any,
    deals: int,
    seed: int | None = None,
    *,
    players: int | None = None,
    rules: Any = None,
    seatings: str = "rotations",
    lineups: int = MOST_LINEUPS,
    threads: int | None = None,
    executor: Any = None,
    level: float = 0.95,
    progress: bool | None = None,
) -> Tournament:
    """Play every line-up of some policies on the same deals, and rank them.

    Parameters
    ----------
    game : str
        Name of the game.
    policies : list of str or Policy, or str
        At least two different ones.
    deals : int
        Number of deals; each is played by every line-up in every seating.
    seed : int, optional
        Drawn and recorded when it is None.
    players : int, optional
        Seats of a line-up; from the rules by default.
    rules : Rules or dict, optional
    seatings : {"rotations", "fixed", "all"}
    lineups : int
        When there are more line-ups than this, a balanced sample of so many is played; ``Tournament.complete`` says so.
    threads, executor, progress
        As in `simlib.simulate`.
    level : float
        Confidence level.

    Returns
    -------
    Tournament
        Rankings with groups that cannot be told apart, pay-off tables, dominance, equilibrium.

    Raises
    ------
    ValueError, TypeError
        For wrong arguments, before any work starts.

    Examples
    --------
    >>> import simlib as sl
    >>> t = sl.tournament("drei_zu_viel", "greedy,lowest,random", deals=50, seed=1, players=2)
    >>> list(t.ranking().policy)
    ['greedy', 'lowest', 'random']
    """
    g = get(game)
    line = line_up(g.name, policies)
    texts = [p.text for p in line]
    if len(set(texts)) != len(texts) or len(texts) < 2:
        raise ValueError(f"policies must be at least two different ones, not {', '.join(texts)}")
    deals = check_count("deals", deals, 2)
    check_count("lineups", lineups, 1)
    number = _players(g, players, rules)
    seed = check_seed(seed)
    schedule = make_schedule(len(line), number, lineups, seed)
    works = [
        make_work(g, [line[i] for i in chosen], seed, rules=rules, seatings=seatings) for chosen in schedule.lineups
    ]
    accumulator = _Accumulator(schedule, works, texts)
    size = max(1, chunk_deals(works[0]) // len(works))
    workers = threads or default_threads()
    pieces = ranges(0, deals, max(1, min(size, -(-deals // workers))))
    with ProgressBar(deals, progress) as bar:
        found = run_ranges(works[0], pieces, threads=threads, executor=as_executor(executor), play=accumulator.play)
        for _, (count, moments) in found:
            accumulator.add(moments)
            bar.advance(count)
    manifest = _manifest(works, texts, deals, seatings, schedule)
    return Tournament(texts, schedule, accumulator.denominator, accumulator.moments, accumulator.slots, manifest, level)


def _players(game: Any, players: int | None, rules: Any) -> int:
    """Return the number of seats that `players` and the rules agree on."""
    given = rules.get("players") if isinstance(rules, dict) else getattr(rules, "players", None)
    if isinstance(rules, game.rules) and "players" not in rules.model_fields_set:
        given = None
    if players is None:
        players = given or game.rules.model_fields["players"].default
    check_count("players", players, game.min_players, game.max_players)
    if given not in (None, players):
        raise ValueError(f"players={players}, but the rules say players={given}")
    return players


def _manifest(works: Sequence[Work], texts: list[str], deals: int, seatings: str, schedule: Schedule) -> dict[str, Any]:
    from simlib.run import make_manifest

    manifest = make_manifest(works[0], deals, 0, "summary")
    found = {p.text: p for work in works for p in work.policies}
    manifest["policies"] = [{"text": t, "digest": found[t].digest} for t in texts]
    manifest["seatings"] = seatings
    manifest["lineups"] = [[texts[i] for i in chosen] for chosen in schedule.lineups]
    manifest["all_lineups"] = schedule.complete
    manifest["complete"] = True
    return manifest


class _Accumulator:
    """Sums by deal, exact: first the policies' weighted means, then every line-up's own totals."""

    def __init__(self, schedule: Schedule, works: list[Work], texts: list[str]) -> None:
        self.schedule, self.works = schedule, works
        self._slots = [Slots.of([p.text for p in w.policies], w.seatings) for w in works]
        self.slots = [
            {texts.index(name): held for name, held in zip(s.policies, s.counts, strict=True)} for s in self._slots
        ]
        self._texts = texts
        self.denominator, self._factor = scale_of(schedule, self.slots)
        self.moments: dict[str, list[Moments]] = {}

    def play(self, _: Work, first: int, count: int) -> tuple[int, dict[str, list[Moments]]]:
        """Play some deals in every line-up; return (deals, moments by measure): the ratings', then each line-up's."""
        rated = {m: np.zeros((count, len(self._texts)), np.int64) for m in ("score", "win_share")}
        single: dict[str, list[Moments]] = {"score": [], "win_share": []}
        for number, (work, slots) in enumerate(zip(self.works, self._slots, strict=True)):
            rows = play_range(work, first, count)
            for measure, sums in rated.items():
                totals = slots.totals(rows[measure][..., : work.players])
                for column, name in enumerate(slots.policies):
                    policy = self._texts.index(name)
                    sums[:, policy] += totals[:, column] * self._factor[number, policy]
                single[measure].append(Moments.from_values(totals))
        return count, {m: [Moments.from_values(rated[m]), *single[m]] for m in rated}

    def add(self, found: dict[str, list[Moments]]) -> None:
        """Add the moments of a chunk."""
        if not self.moments:
            self.moments = found
        else:
            self.moments = {m: [a + b for a, b in zip(self.moments[m], found[m], strict=True)] for m in found}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "moments": {}}
