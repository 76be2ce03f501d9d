"""Runs: the results of a run, in memory or in a run directory, as tables, summary and replay."""

from __future__ import annotations

import functools
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from simlib.errors import RunDirectoryError
from simlib.game import SHARE, Game
from simlib.games import get
from simlib.rundir import Chunk, RunDirectory, gaps
from simlib.sufficient import Slots, Sufficient
from simlib.tables import from_arrow, games_frame, parts_frame, seats_frame, to_arrow

if TYPE_CHECKING:
    import pandas as pd

    from simlib.stats.intervals import Estimate

Array = np.ndarray[Any, Any]


class Source(Protocol):
    """Where the rows of a run are: a list in memory, or chunk files."""

    def rows(self) -> Iterator[tuple[int, Array]]:
        """Yield (first deal, RESULT rows of shape (deals, seatings)) in order of deals."""

    def statistics(self) -> Iterator[Sufficient]:
        """Yield stored sufficient statistics, for runs that keep nothing else."""


class Memory:
    """Rows (or statistics) held in memory."""

    def __init__(self, chunks: list[tuple[int, Any]]) -> None:
        self._chunks = sorted(chunks, key=lambda c: c[0])

    def rows(self) -> Iterator[tuple[int, Array]]:
        """Yield the rows in order of deals."""
        yield from self._chunks

    def statistics(self) -> Iterator[Sufficient]:
        """Yield the statistics in order of deals."""
        yield from (s for _, s in self._chunks)


class Files:
    """Chunk files of a run directory, read one at a time: a run may be larger than memory."""

    def __init__(self, directory: RunDirectory, game: Game, seatings: int, players: int) -> None:
        self.directory, self._game, self._seatings, self._players = directory, game, seatings, players

    def rows(self) -> Iterator[tuple[int, Array]]:
        """Yield the rows of each file in order of deals."""
        for chunk in self.directory.chunks():
            yield decode_rows(chunk, self._game, self._seatings, self._players)

    def statistics(self) -> Iterator[Sufficient]:
        """Yield the statistics of each file in order of deals."""
        for chunk in self.directory.chunks():
            yield Sufficient.from_dict(json.loads(chunk.read()))


def encode_rows(game: Game, first: int, rows: Array, players: int) -> bytes:
    """Return RESULT rows as the bytes of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    table = to_arrow(game, rows, first, players)
    pq.write_table(table, sink, compression="zstd", compression_level=1, use_dictionary=False, write_statistics=False)
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def decode_rows(chunk: Chunk, game: Game, seatings: int, players: int) -> tuple[int, Array]:
    """Return (first deal, rows) of a chunk file.

    Raises
    ------
    RunDirectoryError
        When the file is damaged, or does not hold what its name says.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        first, rows = from_arrow(game, pq.read_table(io.BytesIO(chunk.read())), seatings, players)
    except (pa.ArrowException, KeyError, ValueError) as error:
        if isinstance(error, RunDirectoryError):
            raise
        raise RunDirectoryError(f"{chunk.path}: does not hold rows of {game.name} ({error})") from None
    if (first, len(rows)) != (chunk.first, chunk.stop - chunk.first):
        raise RunDirectoryError(f"{chunk.path}: does not hold the deals that its name says")
    return first, rows


class Runs:
    """The games of a run.

    Attributes
    ----------
    manifest : dict
        What was played, by what, from which seed: enough to play it again.
    """

    def __init__(self, manifest: dict[str, Any], source: Source) -> None:
        self.manifest = manifest
        self._source = source

    @property
    def game(self) -> Game:
        """The game that was played."""
        return get(self.manifest["game"])

    @property
    def policies(self) -> list[str]:
        """Texts of the line-up."""
        return [p["text"] for p in self.manifest["policies"]]

    @property
    def seatings(self) -> list[list[int]]:
        """For each seating the index into `policies` at each seat."""
        return self.manifest["seatings"]  # type: ignore[no-any-return]

    @property
    def keep(self) -> str:
        """``"rows"`` or ``"summary"``."""
        return str(self.manifest["keep"])

    @property
    def slots(self) -> Slots:
        """Which seats of which seatings each distinct policy holds."""
        return Slots.of(self.policies, self.seatings)

    def chunks(self) -> Iterator[tuple[int, Array]]:
        """Yield (first deal, RESULT rows of shape (deals, seatings)) in order of deals, one chunk at a time.

        Raises
        ------
        ValueError
            For a run that kept only its summary.
        """
        if self.keep != "rows":
            raise ValueError(
                'this run kept sufficient statistics only (keep="summary"); its rows '
                "can be played again from the manifest"
            )
        yield from self._source.rows()

    def _frame(self, build: Callable[..., pd.DataFrame]) -> pd.DataFrame:
        import pandas as pd

        parts = [build(self.game, rows, first, self.policies, self.seatings) for first, rows in self.chunks()]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    @functools.cached_property
    def games(self) -> pd.DataFrame:
        """One row a game: deal, seating, then policy, score and win share of each seat, then the game's own columns."""
        return self._frame(games_frame)

    @functools.cached_property
    def seats(self) -> pd.DataFrame:
        """One row a game and seat: deal, seating, seat, policy, score, win_share, and the game's columns by seat."""
        return self._frame(seats_frame)

    @functools.cached_property
    def rounds(self) -> pd.DataFrame:
        """One row a game, part (third, round) and seat, where the game has parts."""
        return self._frame(parts_frame)

    @functools.cached_property
    def sufficient(self) -> Sufficient:
        """Exact sums by deal; the same however the run was cut into chunks."""
        if self.keep == "summary":
            parts: Iterator[Sufficient] = self._source.statistics()
        else:
            slots = self.slots
            parts = (Sufficient.of(self.game, rows, slots) for _, rows in self._source.rows())
        total = None
        for part in parts:
            total = part if total is None else total + part
        if total is None:
            raise ValueError("this run holds no deals yet")
        return total

    @property
    def deals(self) -> int:
        """Number of deals that were played."""
        return self.sufficient.deals

    def estimate(self, policy: str | int, field: str = "score", *, level: float = 0.95) -> Estimate:
        """Return the mean of a field for a policy, with an interval clustered by deal.

        Parameters
        ----------
        policy : str or int
            Text of a policy, or its index among the distinct ones.
        field : str
            ``score``, ``win_share`` or another number that the game has by seat.
        level : float
            Confidence level.
        """
        from simlib.stats.intervals import linear_interval, wilson_interval

        slots = self.slots
        j = policy if isinstance(policy, int) else _index(slots.policies, policy)
        p, held = len(slots.policies), slots.counts[j]
        main = {"score": 0, "win_share": p}
        known = [*main, *(k for k in self.sufficient.fields if k != "main")]
        if field not in known:
            raise ValueError(f"field={field!r} must be one of {', '.join(known)}")
        moments = self.sufficient.fields["main" if field in main else field]
        weights: list[Any] = [0] * moments.columns
        scale = SHARE if field == "win_share" else 1
        weights[main.get(field, 0) + j] = Fraction(1, held * scale)
        if field == "win_share" and held == 1:
            wins, ties = divmod(moments.sums[p + j], SHARE)
            if ties == 0 and moments.products[p + j][p + j] == wins * SHARE**2:  # only 0 and 1, one a deal
                return wilson_interval(wins, moments.n, level=level)
        found = linear_interval(moments, weights, level=level, n_games=moments.n * held)
        if field == "win_share" and found.se == 0 and found.mean in (0, 1):
            # Deals that all agree are no certainty: how often a deal could still differ.
            sure = wilson_interval(round(found.mean) * moments.n, moments.n, level=level)
            return replace(sure, n_games=found.n_games)
        return found

    def summary(self, *, level: float = 0.95) -> pd.DataFrame:
        """Return a row a policy: games, win rate and mean score, each with an interval clustered by deal.

        Returns
        -------
        DataFrame
            ``policy, games, win_rate, win_lo, win_hi, score, score_lo, score_hi, score_sd, deals``. The win rate is
            the mean win share; `score_sd` is the standard deviation of a single score.
        """
        import pandas as pd

        rows = []
        for j, text in enumerate(self.slots.policies):
            win, score = self.estimate(j, "win_share", level=level), self.estimate(j, "score", level=level)
            scores = self.sufficient.scores[j]
            spread = float(np.sqrt(np.cov(scores.values, fweights=scores.counts))) if scores.n > 1 else float("nan")
            rows.append(
                {
                    "policy": text,
                    "games": scores.n,
                    "win_rate": win.mean,
                    "win_lo": win.lo,
                    "win_hi": win.hi,
                    "score": score.mean,
                    "score_lo": score.lo,
                    "score_hi": score.hi,
                    "score_sd": spread,
                    "deals": self.deals,
                }
            )
        return pd.DataFrame(rows)

    def replay(self, deal: int, seating: int = 0) -> Any:
        """Return one game of this run, played again, as a readable log.

        Raises
        ------
        ValueError
            When the run has no such seating, or its policies are not at hand any more.
        """
        from simlib.records import replay_game
        from simlib.run import work_of

        if not 0 <= seating < len(self.seatings):
            raise ValueError(f"seating={seating} must be from 0 to {len(self.seatings) - 1}")
        return replay_game(work_of(self.manifest), deal, seating)

    @property
    def plot(self) -> Any:
        """Figures of this run: ``runs.plot.scores()``, ``.win_rates()`` and others; each takes and returns Axes."""
        from simlib.plots import RunPlots

        return RunPlots(self)

    def report(self, path: Any) -> Any:
        """Write a self-contained HTML report and return its path."""
        from simlib.report import write_report

        return write_report(self, path)

    def __repr__(self) -> str:
        line = ", ".join(self.policies)
        size = f"{self.manifest['deals']:,} deals × {len(self.seatings)} seatings"
        return f"<runs of {self.manifest['game']}: {size}; {line}>"

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>".replace("<runs", "&lt;runs").replace(">", "&gt;", 0) + self.summary().to_html(
            index=False, float_format="{:.4f}".format
        )


def _index(known: tuple[str, ...], policy: str) -> int:
    if policy not in known:
        raise ValueError(f"policy={policy!r} did not play in this run; policies: {', '.join(known)}")
    return known.index(policy)


def load(run_dir: Any) -> Runs:
    """Open a run directory.

    Parameters
    ----------
    run_dir : path
        A directory written by ``simulate(…, out=run_dir)`` or ``simlib run --out``.

    Returns
    -------
    Runs
        Its tables read the chunk files when asked; each file's digest is checked.

    Raises
    ------
    RunDirectoryError
        (a ValueError) when it is no run directory, is damaged, or deals are missing; the message names the file or
        the deals.
    """
    directory = RunDirectory(run_dir)
    manifest = directory.read_manifest()
    if not directory.chunks():
        raise RunDirectoryError(f"{directory.path}: no deals have been played yet; resume the run")
    first = manifest["first_deal"]
    missing = gaps(directory.chunks(), first, first + manifest["deals"])
    if missing:
        start, stop = missing[0]
        raise RunDirectoryError(
            f"{directory.path}: deals {start} to {stop - 1} are missing; resume the run (--resume) to play them"
        )
    return open_run(directory, manifest)


def open_run(directory: RunDirectory, manifest: dict[str, Any]) -> Runs:
    """Return the Runs of a directory whose manifest has been read."""
    game = get(manifest["game"])
    return Runs(manifest, Files(directory, game, len(manifest["seatings"]), len(manifest["policies"])))
