"""`disagreements`: where two policies decide differently, how often, and what each kind of difference costs."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib import _scan
from simlib.analysis.situations import action_text, kind_of, text_of
from simlib.engine import Table, Work, check_count, chunk_deals, default_threads, make_work, ranges, run_ranges
from simlib.errors import IllegalAction, PolicyError
from simlib.game import SHARE
from simlib.games import get
from simlib.policies import Policy, line_up, resolve
from simlib.run import ProgressBar, as_executor
from simlib.stats.clusters import cluster_interval
from simlib.stats.intervals import Estimate, mean_interval

if TYPE_CHECKING:
    import pandas as pd

Array = np.ndarray[Any, Any]
#: Disagreements kept of one game; more are counted only.
_ROOM = 512


@dataclass(frozen=True)
class Situation:
    """One decision in which the two policies differ.

    Attributes
    ----------
    deal, seating, ply, seat : int
        Where it came up.
    kind : dict of str to str
        What kind of situation it is.
    text : str
        What the seat saw.
    first, second : str
        What each policy wants to do.
    score, win_share : float
        What doing as the second one earned more (negative: less), everything else equal.
    """

    deal: int
    seating: int
    ply: int
    seat: int
    kind: dict[str, str]
    text: str
    first: str
    second: str
    score: float
    win_share: float

    def __str__(self) -> str:
        head = f"deal {self.deal}, seating {self.seating}, action {self.ply}, seat {self.seat}"
        cost = f"the second earned {self.score:+g} in score and {self.win_share:+.2f} in win share"
        return f"{head}\n{self.text}\nfirst: {self.first}; second: {self.second}; {cost}"


class Disagreements:
    """What `disagreements` found.

    Attributes
    ----------
    first, second : str
        The policies.
    deals, games, decisions, seed : int
        What was played, and how many decisions the first policy made.
    """

    def __init__(self, work: Work, second: Policy, deals: int, found: list[_Piece]) -> None:
        self._work, self._second, self.deals, self.seed = work, second, deals, work.seed
        self.first, self.second = work.policies[0].text, second.text
        self.games = deals * len(work.seatings)
        self.decisions = sum(p.decisions for p in found)
        self._missed = sum(p.missed for p in found)
        self._found = np.concatenate([p.found for p in found])
        self._seating = np.concatenate([p.seating for p in found])
        self._views = np.concatenate([p.views for p in found])
        self._score = np.concatenate([p.score for p in found])
        self._share = np.concatenate([p.share for p in found])

    def __len__(self) -> int:
        return len(self._found)

    @property
    def rate(self) -> Estimate:
        """Disagreements a game (by deal)."""
        per_deal = np.bincount(self._found["deal"], minlength=self.deals)
        return mean_interval(per_deal.astype(np.int64), scale=len(self._work.seatings), n_games=self.games)

    @functools.cached_property
    def _kinds(self) -> pd.DataFrame:
        import pandas as pd

        rows = [
            kind_of(self._work.game, view, int(f["a"]), int(f["b"]))
            for view, f in zip(self._views, self._found, strict=True)
        ]
        return pd.DataFrame(rows)

    def table(self, *by: str, level: float = 0.95, least: int = 1) -> pd.DataFrame:
        """Return one row a kind of disagreement, the costliest first.

        Parameters
        ----------
        *by : str
            Labels to group by (see `labels`); all of them by default.
        level : float
            Confidence level.
        least : int
            Leave out kinds with fewer cases.

        Returns
        -------
        DataFrame
            The labels, ``cases``, ``deals`` (that had such a case), ``per_game``, then what doing as the second policy
            earns more in one such case: ``score`` and ``win_share`` with ``_se``, ``_lo`` and ``_hi`` (clustered by
            deal), and ``win_share_per_game``, their product with the frequency.
        """
        import pandas as pd

        labels = list(by) or self.labels
        for label in labels:
            if label not in self.labels:
                raise ValueError(f"by={label!r} must be among {', '.join(self.labels)}")
        if not len(self):
            return pd.DataFrame(columns=[*labels, "cases", "deals", "per_game"])
        rows = []
        for key, found in self._kinds.groupby(labels, sort=False).indices.items():
            index = np.asarray(found)
            if len(index) < least:
                continue
            names = key if isinstance(key, tuple) else (key,)
            row: dict[str, Any] = dict(zip(labels, names, strict=True))
            deals = len(np.unique(self._found["deal"][index]))
            row |= {"cases": len(index), "deals": deals, "per_game": len(index) / self.games}
            row |= self._cost("score", self._score[index], index, 1, level)
            row |= self._cost("win_share", self._share[index], index, SHARE, level)
            row["win_share_per_game"] = row["win_share"] * row["per_game"]
            rows.append(row)
        return pd.DataFrame(rows).sort_values("win_share_per_game", key=lambda c: -c.abs(), ignore_index=True)

    def _cost(self, name: str, values: Array, index: Array, scale: int, level: float) -> dict[str, float]:
        e = cluster_interval(values, self._found["deal"][index], level=level, scale=scale)
        return {name: e.mean, f"{name}_se": e.se, f"{name}_lo": e.lo, f"{name}_hi": e.hi}

    @property
    def labels(self) -> list[str]:
        """Labels by which situations are told apart."""
        return list(self._kinds.columns)

    def examples(self, n: int = 5, **kind: str) -> list[Situation]:
        """Return some situations of a kind, in order of play.

        Parameters
        ----------
        n : int
        **kind
            Labels and the values wanted; a blank in a label's name is an underscore here.
        """
        wanted = np.ones(len(self), bool)
        for label, value in kind.items():
            name = label.replace("_", " ")
            if name not in self.labels:
                raise ValueError(f"{label!r} must be among {', '.join(self.labels)}")
            wanted &= (self._kinds[name] == str(value)).to_numpy()
        return [self._situation(int(i)) for i in np.flatnonzero(wanted)[:n]]

    def _situation(self, i: int) -> Situation:
        f, view, game = self._found[i], self._views[i], self._work.game
        return Situation(
            int(f["deal"]),
            int(self._seating[i]),
            int(f["ply"]),
            int(f["seat"]),
            dict(self._kinds.iloc[i]),
            text_of(game, view),
            action_text(game, int(f["a"]), view),
            action_text(game, int(f["b"]), view),
            float(self._score[i]),
            float(self._share[i]) / SHARE,
        )

    def __repr__(self) -> str:
        share = len(self) / max(1, self.decisions)
        note = f"; {self._missed} more were only counted" if self._missed else ""
        return (
            f"<{self.first} and {self.second} differ in {len(self):,} of {self.decisions:,} decisions ({share:.1%}), "
            f"{self.rate.mean:.2f} a game, in {self.games:,} games of {self.deals:,} deals{note}>"
        )

    def _repr_html_(self) -> str:
        head = repr(self).replace("<", "&lt;").replace(">", "&gt;")
        return f"<p>{head}</p>" + self.table().to_html(index=False, float_format="{:.3f}".format)


@dataclass
class _Piece:
    """Disagreements of some deals."""

    decisions: int
    missed: int
    found: Array
    seating: Array
    views: Array
    score: Array
    share: Array


def disagreements(
    game: str,
    a: Any,
    b: Any,
    deals: int = 200,
    *,
    opponents: Any = None,
    seatings: str = "rotations",
    seed: int | None = None,
    rules: Any = None,
    players: int | None = None,
    threads: int | None = None,
    executor: Any = None,
    progress: bool | None = None,
) -> Disagreements:
    """Find where two policies decide differently in the same situation, and what that costs.

    Policy `a` plays games against the opponents. At each of its decisions `b` is asked too, at the same view. Where
    they differ, the game is played on twice from there, once with each action, everybody (the seat itself too)
    playing as before and drawing the same random numbers; the true hidden cards are those of the game, so that the
    mean cost is that of real situations.

    Parameters
    ----------
    game : str
    a, b : str or Policy
        Compiled policies.
    deals : int
        Number of deals; each is played in every seating.
    opponents : str or list, optional
        Policies of the other seats; `a` in all of them by default.
    seatings, seed, rules, threads, executor, progress
        As in `simlib.simulate`.
    players : int, optional
        Number of seats when no opponents are given.

    Returns
    -------
    Disagreements

    Raises
    ------
    ValueError, TypeError
        For wrong arguments, before any work starts.
    """
    g = get(game)
    first, second = resolve(g.name, a), resolve(g.name, b)
    for p in (first, second):
        if p.vector:
            raise ValueError(f"policy {p.text!r} is plain NumPy; disagreements needs compiled policies")
    deals = check_count("deals", deals, 2)
    if opponents is None:
        given = rules.get("players") if isinstance(rules, dict) else getattr(rules, "players", None)
        n = players or given or g.rules.model_fields["players"].default
        others = [first] * (check_count("players", n, g.min_players, g.max_players) - 1)
    else:
        others = line_up(g.name, opponents)
    work = _all_seats(make_work(g, [first, *others], seed, rules=rules, seatings="fixed"), seatings)
    scanner = _Scanner(second)
    size = max(1, chunk_deals(work) // 8)
    workers = threads or default_threads()
    pieces = ranges(0, deals, max(1, min(size, -(-deals // workers))))
    found: dict[int, _Piece] = {}
    with ProgressBar(deals, progress) as bar:
        played = run_ranges(work, pieces, threads=threads, executor=as_executor(executor), play=scanner.play)
        for start, (count, piece) in played:
            found[start] = piece
            bar.advance(count)
    return Disagreements(work, second, deals, [found[k] for k in sorted(found)])


def _all_seats(work: Work, seatings: str) -> Work:
    """Move the first policy through all seats even where the line-up has equal policies: it is the hero."""
    from dataclasses import replace

    from simlib.engine import seating_plan

    n = work.players
    if seatings == "rotations":
        return replace(work, seatings=tuple(tuple((seat - r) % n for seat in range(n)) for r in range(n)))
    return replace(work, seatings=seating_plan(work.policies, seatings))


@dataclass(frozen=True)
class _Scanner:
    """Scans ranges of deals; picklable, for executors."""

    second: Policy

    def play(self, work: Work, first: int, count: int) -> tuple[int, _Piece]:
        """Scan some deals in every seating."""
        pieces = [self._seating(work, s, first, count) for s in range(len(work.seatings))]
        join = {
            k: np.concatenate([getattr(p, k) for p in pieces]) for k in ("found", "seating", "views", "score", "share")
        }
        order = np.argsort(join["found"]["deal"], kind="stable")
        decisions, missed = sum(p.decisions for p in pieces), sum(p.missed for p in pieces)
        found, seating, views, score, share = (v[order] for v in join.values())
        total = _Piece(decisions, missed, found, seating, views, score, share)
        return count, total

    def _seating(self, work: Work, number: int, first: int, count: int) -> _Piece:
        seating = work.seatings[number]
        table = Table(work, seating)
        seated = [self.second if who == 0 else work.policies[who] for who in seating]
        other = Table(work.seated(seated), range(work.players))
        hero = np.array([who == 0 for who in seating])
        states, found = np.zeros(_ROOM, table.game.STATE), np.zeros(_ROOM, _scan.FOUND)
        counts = np.zeros(3, np.int64)
        pieces = []
        for deal in range(first, first + count):
            counts[1] = 0
            self._scan(table, other, hero, deal, states, found, counts)
            k = int(counts[1])
            if k:
                pieces.append(self._branch(table, states[:k], found[:k].copy()))
        whole = _join(pieces, table)
        return _Piece(int(counts[0]), int(counts[2]), whole[0], np.full(len(whole[0]), number), *whole[1:])

    def _scan(
        self, table: Table, other: Table, hero: Array, deal: int, states: Array, found: Array, counts: Array
    ) -> None:
        table.where["failed"] = 0
        try:
            _scan.scan_game(
                *table.arguments(), other.contexts, other.subs, hero, deal, states, found, counts, table.where[0]
            )
        except Exception as error:
            raise PolicyError(table.trouble(f"failed with {type(error).__name__}: {error}")) from error
        failed = int(table.where["failed"][0])
        if failed:
            who = table if failed == 1 else other
            who.where[:] = table.where
            raise IllegalAction(who.trouble(f"returned the illegal action {table.where['action'][0]}"))

    def _branch(self, table: Table, states: Array, found: Array) -> tuple[Array, Array, Array, Array]:
        """Play both branches of each disagreement; return (found, views, score differences, win-share differences)."""
        game, n = table.game, len(found)
        views = np.zeros(n, game.VIEW)
        _scan.observe_states(table.functions[0], states, found["seat"].copy(), views)
        out = np.zeros((2, n), game.RESULT)
        functions, _, _, _, seats, contexts, subs, rng = table.arguments()
        for branch, field in enumerate(("a", "b")):
            table.where["failed"] = 0
            _scan.play_on(
                functions, states, found[field].copy(), table.state, seats, contexts, subs, rng,
                found["deal"].copy(), out[branch], table.where[0],
            )  # fmt: skip
            if table.where["failed"][0]:
                raise IllegalAction(
                    table.trouble(f"returned the illegal action {table.where['action'][0]} in a play-out")
                )
        seat = np.arange(n), found["seat"]
        score, share = (out[1][f][seat].astype(np.int64) - out[0][f][seat] for f in ("score", "win_share"))
        return found, views, score, share


def _join(pieces: list[tuple[Array, Array, Array, Array]], table: Table) -> tuple[Array, Array, Array, Array]:
    if not pieces:
        whole = np.zeros(0, np.int64)
        return np.zeros(0, _scan.FOUND), np.zeros(0, table.game.VIEW), whole, whole
    return tuple(np.concatenate(column) for column in zip(*pieces, strict=True))  # type: ignore[return-value]
