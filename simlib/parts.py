"""Parts of a run: which chunks a job of a batch system plays, and putting its parts together afterwards."""

from __future__ import annotations

import itertools
import os
import pathlib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from simlib.engine import check_count
from simlib.errors import RunDirectoryError
from simlib.results import Runs, open_run
from simlib.rundir import Chunk, RunDirectory, differences, gaps

#: Deals in a chunk of a job array when nothing else is said: the same in every job, whatever machine it runs on.
CHUNK_DEALS = 10_000
#: Entries of a manifest in which the parts of one run may differ.
_OWN = ("first_deal", "deals", "created", "environment", "complete", "part_of")


def part_range(
    chunk_range: str | tuple[int, int], chunk_deals: int | None, first_deal: int, deals: int
) -> tuple[int, int]:
    """Return (first deal, number of deals) of chunks a to b - 1 of a run.

    Parameters
    ----------
    chunk_range : str or tuple of int
        ``"a:b"`` or ``(a, b)``; chunks are counted from 0. b may reach beyond the last chunk.
    chunk_deals : int or None
        Deals in a chunk, `CHUNK_DEALS` when it is None.
    first_deal, deals : int
        The whole run.

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed.
    """
    size = CHUNK_DEALS if chunk_deals is None else check_count("chunk_deals", chunk_deals, 1)
    if isinstance(chunk_range, str):
        match = re.fullmatch(r"(\d+):(\d+)", chunk_range.strip())
        if not match:
            raise ValueError(f"chunk_range={chunk_range!r} must be of the form a:b, as 0:10 for the first ten chunks")
        chunk_range = int(match[1]), int(match[2])
    pair: Any = chunk_range
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"chunk_range must be 'a:b' or a pair of whole numbers, not {chunk_range!r}")
    a = check_count("the first number of chunk_range", pair[0], 0)
    b = check_count("the second number of chunk_range", pair[1], 0)
    chunks = -(-deals // size)
    if not a < b or a >= chunks:
        raise ValueError(
            f"chunk_range={a}:{b} must hold a chunk: {deals} deals are {chunks} chunks of {size}, 0 to {chunks - 1}"
        )
    return first_deal + a * size, min(b * size, deals) - a * size


def merge(out: Any, parts: Iterable[Any]) -> Runs:
    """Put the parts of one run, played into directories of their own, together in one run directory.

    Parameters
    ----------
    out : path
        A new directory, or one that an earlier, interrupted merge of the same run left.
    parts : iterable of path
        Run directories made with ``simulate(…, chunk_range=…)`` or ``simlib run --chunk-range``. They stay as they
        are; where possible the files are hard links and take no room twice.

    Returns
    -------
    Runs
        As a single run gives them. The directory can be resumed and extended like any other.

    Raises
    ------
    RunDirectoryError
        When parts belong to different runs, hold the same deals, or are damaged; when deals are missing. The message
        names the directory and what differs.
    """
    if isinstance(parts, (str, os.PathLike)):
        parts = [parts]
    directories = [RunDirectory(p) for p in parts]
    if not directories:
        raise ValueError("parts must be at least one run directory")
    target = RunDirectory(out)
    if any(d.path.resolve() == target.path.resolve() for d in directories):
        raise ValueError(f"out={str(target.path)!r} is one of the parts; give a new directory")
    manifests = [d.read_manifest() for d in directories]
    for directory, manifest in zip(directories, manifests, strict=True):
        _same_run(manifests[0], manifest, directory.path, directories[0].path)
    chunks = [c for d in directories for c in d.chunks()]
    whole = _whole(manifests)
    _check_cover(chunks, *whole)
    target.prepare()
    with target.lock():
        manifest = {k: v for k, v in manifests[0].items() if k != "part_of"}
        manifest |= {"first_deal": whole[0], "deals": whole[1] - whole[0], "complete": False}
        if target.exists:
            _same_run(manifest, target.read_manifest(), target.path, directories[0].path, own=_OWN[2:])
            target.repair()
        target.write_manifest(manifest)
        _gather(target, chunks)
        manifest["complete"] = True
        target.write_manifest(manifest)
    return open_run(target, manifest)


def _same_run(
    one: dict[str, Any], other: dict[str, Any], path: pathlib.Path, first: pathlib.Path, own: tuple[str, ...] = _OWN
) -> None:
    """Raise unless two manifests are of one run."""
    mine, its = ({k: v for k, v in m.items() if k not in own} for m in (one, other))
    different = list(differences(mine, its))
    if one.get("part_of") and other.get("part_of"):
        different += differences(one["part_of"], other["part_of"], "part_of.")
    if different:
        what = different[0].replace("the run has", "that has").replace(", now", ", this")
        raise RunDirectoryError(f"{path} is no part of the run in {first}: {what}")


def _whole(manifests: list[dict[str, Any]]) -> tuple[int, int]:
    """First deal and end of the whole run: as its parts say, or else from the first to the last deal there is."""
    spans = [m["part_of"] for m in manifests if m.get("part_of")] or manifests
    return min(m["first_deal"] for m in spans), max(m["first_deal"] + m["deals"] for m in spans)


def _check_cover(chunks: list[Chunk], first: int, stop: int) -> None:
    """Raise when deals are held twice or by nobody."""
    for one, other in _overlapping(chunks):
        raise RunDirectoryError(
            f"deals {other.first} to {min(one.stop, other.stop) - 1} are both in {one.path.parent} "
            f"and in {other.path.parent}; leave one of them out"
        )
    missing = gaps(chunks, first, stop)
    if missing:
        more = f" and {len(missing) - 1} more ranges" if len(missing) > 1 else ""
        raise RunDirectoryError(
            f"deals {missing[0][0]} to {missing[0][1] - 1}{more} are in no part; finish the part that should hold "
            "them (--resume), or name it too"
        )


def _overlapping(chunks: list[Chunk]) -> Iterator[tuple[Chunk, Chunk]]:
    order = sorted(chunks, key=lambda c: (c.first, c.stop))
    for one, other in itertools.pairwise(order):
        if other.first < one.stop:
            yield one, other


def _gather(target: RunDirectory, chunks: list[Chunk]) -> None:
    """Bring every chunk file into the directory, each one checked first."""
    names = {chunk.path.name for chunk in chunks}
    for chunk in target.chunks():
        if chunk.path.name not in names:  # what an earlier merge brought from other parts
            chunk.path.unlink()
    for chunk in chunks:
        data = chunk.read()
        place = target.path / chunk.path.name
        if place.exists():
            continue
        try:
            os.link(chunk.path, place)
        except OSError:  # another file system, or one without links
            target.write(place.name, data)
