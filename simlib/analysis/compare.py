"""`compare`: is this way of playing better, by how much, and how sure are we?"""

from __future__ import annotations

import copy
import datetime
import platform
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from simlib._jit import digest
from simlib._version import __version__
from simlib.analysis.comparison import FILE, Comparison, load_comparison
from simlib.analysis.design import Design, make_design
from simlib.analysis.stopping import Stopping, make_stopping
from simlib.analysis.sums import Sums, play_sums
from simlib.analysis.variates import expected_features, variates_of
from simlib.engine import check_count, chunk_deals, default_threads, ranges, run_ranges
from simlib.errors import RunDirectoryError
from simlib.policies import Policy, resolve
from simlib.run import ProgressBar, as_executor
from simlib.rundir import RunDirectory, differences

#: Seconds between two writes of a comparison that is kept in a directory.
SAVE_SECONDS = 20.0
#: Entries of a manifest that are no part of the configuration.
_FREE = ("complete", "created", "environment", "simlib", "decisions", "elapsed")


class ComparisonInterrupted(KeyboardInterrupt):
    """Ctrl-C during a comparison.

    Attributes
    ----------
    partial : Comparison
        What the deals played so far say (the first deals, without gaps).
    """

    def __init__(self, partial: Comparison) -> None:
        super().__init__(f"interrupted after {partial.deals:,} deals")
        self.partial = partial


def compare(
    game: str,
    baseline: Any,
    variants: Any,
    deals: int | None = None,
    *,
    until: float | str | None = None,
    sprt: tuple[float, ...] | None = None,
    measure: str = "score",
    opponents: Any = None,
    copies: int = 1,
    seatings: str = "rotations",
    seed: int | None = None,
    rules: Any = None,
    threads: int | None = None,
    executor: Any = None,
    out: Any = None,
    resume: bool = False,
    level: float = 0.95,
    covariates: bool = False,
    progress: bool | None = None,
) -> Comparison:
    """Compare ways of playing, or rules, on common deals.

    Each variant takes the same seats of the same deals as the baseline, against the same opponents. The
    difference of a deal is the mean over its seatings; what all versions share of the deal's luck cancels in
    it.

    Parameters
    ----------
    game : str
        Name of the game (see ``simlib.GAMES``).
    baseline : str or Policy
        What the variants are compared with.
    variants : dict, list, str or Policy
        By name: a policy or its text; parameters of the baseline (``{"keep_three": 0}``); or rule options (a
        dict or ``simlib.rules(…)``), and then the same policies play under other rules. A list (or a text
        with commas) names the variants by their texts.
    deals : int, optional
        Number of shuffles: 10,000 by default; with `until` or `sprt` at most so many, 1,000,000 by default.
    until : float or str, optional
        Stop when the half-width of every variant's always-valid interval of `measure` is at most this:
        ``"±0.05"`` or 0.05.
    sprt : tuple, optional
        ``(lo, hi, alpha, beta)``: stop when a sequential probability ratio test has accepted, for every
        variant, a difference of at most `lo` or of at least `hi`. alpha and beta are 0.05 when left out.
    measure : {"score", "win_share"}
        What `until` and `sprt` look at.
    opponents : policy, text or list, optional
        Who holds the other seats: one policy for all of them, or a list. The baseline by default. A list also
        says how many play; else the rules do.
    copies : int
        Seats that the compared policy holds itself, side by side before rotation.
    seatings : {"rotations", "fixed", "all"}
        How often each deal is played by each version: with the line-up moved round the table, as given, or in
        every order.
    seed : int, optional
        0 ≤ seed < 2**64. Drawn and recorded when it is None.
    rules : Rules or dict, optional
        Rule options of the baseline, and of all variants that do not say otherwise.
    threads : int, optional
        Number of threads; all processors by default.
    executor : concurrent.futures.Executor or dask.distributed.Client, optional
        Where chunks are played, instead of threads.
    out : path, optional
        Directory in which the comparison is kept, saved on the way and on Ctrl-C.
        `simlib.analysis.comparison.load_comparison` reads it.
    resume : bool
        Go on with the comparison that `out` holds.
    level : float
        Confidence level of the intervals.
    covariates : bool
        Adjust for features of the dealt hands (see `simlib.analysis.variates`); only for a fixed number of
        deals.
    progress : bool, optional
        Show a progress bar on stderr; by default when it takes more than two seconds on a terminal or in a
        notebook.

    Returns
    -------
    Comparison
        ``.table``, ``.estimates``, ``.by_seat``, ``.details``, ``.means``, ``.plot``, ``.report(path)``. The
        same arguments and seed give the same numbers whatever the chunks and threads; an early stop is
        decided on the first deals without gaps, at fixed numbers of deals.

    Raises
    ------
    ValueError, TypeError
        For wrong arguments, before any work starts.
    IllegalAction, PolicyError
        When a policy breaks the rules or fails.
    ComparisonInterrupted
        (a KeyboardInterrupt) on Ctrl-C; its ``partial`` holds what has been played.

    Notes
    -----
    Several variants: p is adjusted by Holm's method; the intervals of a fixed number of deals are for each
    variant by itself; early stopping splits its error equally among the variants (Bonferroni) and goes on
    until all are decided.

    Examples
    --------
    >>> import simlib as sl
    >>> cmp = sl.compare("drei_zu_viel", "random", ["greedy", "lowest"], deals=200, seed=7)
    >>> list(cmp.table.variant)
    ['greedy', 'lowest']
    >>> bool(cmp.table.score_lo[0] > 0)
    True
    """
    design = make_design(
        game, baseline, variants,
        opponents=opponents, seatings=seatings, seed=seed, rules=rules, copies=copies, covariates=covariates,
    )  # fmt: skip
    stopping = make_stopping(
        deals, until, sprt, measure=measure, level=level, variants=len(design.versions) - 1, covariates=covariates
    )
    if threads is not None:
        threads = check_count("threads", threads, 1)
    pool = as_executor(executor)
    player = _Player(design, stopping, out)
    player.begin(resume, seed is None)
    return player.play(threads, pool, progress)


class _Player:
    """Plays a design chunk by chunk, keeps the statistics of the first deals, and asks when to stop."""

    def __init__(self, design: Design, stopping: Stopping, out: Any) -> None:
        self.design, self.stopping = design, stopping
        self.directory = None if out is None else RunDirectory(out)
        self.manifest = make_manifest(design, stopping)
        self.total: Sums | None = None
        self.waiting: dict[int, Sums] = {}
        self.looks = stopping.looks
        self.saved = time.monotonic()

    @property
    def done(self) -> int:
        """Deals played without a gap."""
        return self.total.deals if self.total is not None else 0

    def begin(self, resume: bool, any_seed: bool) -> None:
        """Look what the directory holds."""
        if self.directory is None:
            if resume:
                raise ValueError("resume=True needs out, the directory to go on with")
            return
        if self.directory.exists:
            raise RunDirectoryError(f"{self.directory.path} holds a run; a comparison needs a directory of its own")
        self.directory.prepare(FILE)
        if not (self.directory.path / FILE).exists():
            return
        old = load_comparison(self.directory.path)
        if any_seed and resume:
            raise ValueError(
                f"seed: must be given to go on with {self.directory.path}: it has seed={old.manifest['seed']}"
            )
        different = list(differences(_config(old.manifest), _config(self.manifest)))
        if different:
            raise RunDirectoryError(f"{self.directory.path} holds another comparison: {different[0]}")
        if not resume:
            raise RunDirectoryError(f"{self.directory.path} already holds this comparison: go on with it (--resume)")
        self.total, self.manifest = old.sums, {**old.manifest, "complete": False}

    def play(self, threads: int | None, pool: Any, progress: bool | None) -> Comparison:
        """Play until the end; the comparison."""
        start, bar = time.monotonic(), ProgressBar(self.stopping.deals, progress)
        before = self.manifest["elapsed"]
        bar.start(self.done, self.stopping.deals)
        try:
            if not self._finished():
                with bar:
                    self._play_on(threads, pool, bar)
        except KeyboardInterrupt:
            self.manifest["elapsed"] = before + time.monotonic() - start
            if self.done < 2:
                raise
            raise ComparisonInterrupted(self._save()) from None
        except BaseException:
            if self.done:
                self._save()
            raise
        self.manifest |= {"complete": True, "elapsed": before + time.monotonic() - start}
        return self._save()

    def _play_on(self, threads: int | None, pool: Any, bar: ProgressBar) -> None:
        pieces = self._pieces(threads or default_threads())
        for first, part in run_ranges(self.design, pieces, threads=threads, executor=pool, play=play_sums):  # type: ignore[arg-type]
            self.waiting[first] = part
            bar.advance(part.deals)
            if self._take():
                return
            if self.directory is not None and time.monotonic() - self.saved > SAVE_SECONDS:
                self._save()

    def _pieces(self, workers: int) -> Iterator[tuple[int, int]]:
        """Ranges of deals that never reach over a look, since statistics can be added and not taken apart."""
        works = {id(self.design.versions[k].work): self.design.versions[k].work for k in self.design.played()}
        size = max(1, int(1 / sum(1 / chunk_deals(work) for work in works.values())))
        at = self.done
        for look in self.looks:
            if look > at:
                yield from ranges(at, look, max(1, min(size, -(-(look - at) // workers))))
                at = look

    def _take(self) -> bool:
        """Add what follows the deals so far without a gap; whether it is time to stop."""
        while self.done in self.waiting:
            part = self.waiting.pop(self.done)
            self.total = part if self.total is None else self.total + part
            if self.done in self.looks:
                self._look()
            if self._finished():
                return True
        return False

    def _look(self) -> None:
        """Note the variants that are decided at this look."""
        assert self.total is not None
        if not self.stopping.sequential:
            return
        rule = self.stopping.rule()
        for v, version in enumerate(self.design.versions[1:], 1):
            if version.name not in self.manifest["decisions"] and not self.design.is_same(v):
                verdict = rule.look(self.total.differences[v, self.stopping.measure, -1])
                if verdict.reason is not None:
                    found = {"deals": verdict.deals, "reason": verdict.reason, "llr": verdict.llr}
                    self.manifest["decisions"][version.name] = found

    def _finished(self) -> bool:
        """Whether all deals are played, or every variant is decided that does not play the baseline's games."""
        if self.done >= self.stopping.deals:
            return True
        if not self.stopping.sequential or self.done < self.looks[0]:
            return False
        open_ = [v for v in range(1, len(self.design.versions)) if not self.design.is_same(v)]
        return all(self.design.versions[v].name in self.manifest["decisions"] for v in open_)

    def _save(self) -> Comparison:
        """Return the comparison as it stands, and write it into its directory."""
        assert self.total is not None
        self.saved = time.monotonic()
        comparison = Comparison(copy.deepcopy(self.manifest), self.total)
        if self.directory is not None:
            comparison.save(self.directory.path)
        return comparison


def make_manifest(design: Design, stopping: Stopping) -> dict[str, Any]:
    """Return all that is needed to play a comparison again, as plain JSON values."""
    import numba

    first, *others = design.versions
    covariates = None
    if design.covariates:
        names = list(variates_of(design.game.name).names)
        covariates = {"features": names, "expected": expected_features(first.work).tolist()}
    return {
        "simlib": __version__,
        "game": design.game.name,
        "code": digest(f"simlib.games.{design.game.name}"),
        "baseline": {**_described(first.policy), "rules": first.work.rules.options()},
        "variants": [
            {"name": v.name, **_described(v.policy), "rules": v.work.rules.options(), "same": design.is_same(k)}
            for k, v in enumerate(others, 1)
        ],
        "opponents": [_described(p) for p in design.opponents],
        "copies": design.copies,
        "seatings": design.how,
        "orders": [list(order) for order in design.orders],
        "seed": design.seed,
        "stopping": stopping.as_dict(),
        "covariates": covariates,
        "decisions": {},
        "elapsed": 0.0,
        "environment": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "complete": False,
    }


def _described(policy: Policy) -> dict[str, str]:
    return {"policy": policy.text, "digest": policy.digest}


def _config(manifest: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in manifest.items() if k not in _FREE}


def arguments_of(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `compare` that a manifest stands for.

    Raises
    ------
    ValueError
        When a policy is not at hand any more by its text, or its code has changed since.
    """
    from simlib.games import get

    game, stopping, base = get(manifest["game"]), manifest["stopping"], manifest["baseline"]

    def policy(entry: dict[str, str]) -> Policy:
        found = resolve(game.name, entry["policy"])
        if found.digest != entry["digest"]:
            raise ValueError(
                f"the code of policy {entry['policy']!r} has changed since this comparison: it would play other games"
            )
        return found

    variants = {}
    for entry in manifest["variants"]:
        other_rules = entry["rules"] != base["rules"]
        variants[entry["name"]] = game.rules.make(**entry["rules"]) if other_rules else policy(entry)
    return {
        "game": game.name,
        "baseline": policy(base),
        "variants": variants,
        "opponents": [policy(entry) for entry in manifest["opponents"]],
        "copies": manifest["copies"],
        "seatings": manifest["seatings"],
        "seed": manifest["seed"],
        "rules": base["rules"],
        "covariates": manifest["covariates"] is not None,
        **{k: stopping[k] for k in ("deals", "until", "measure", "level")},
        "sprt": stopping["sprt"] and tuple(stopping["sprt"]),
    }
