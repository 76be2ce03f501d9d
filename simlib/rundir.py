"""A run directory: ``manifest.json`` and chunk files, each written whole or not at all.

A chunk file is named ``deals-FIRST-STOP-DIGEST.EXT`` after the deals it holds (STOP excluded) and the digest of its
bytes, so that a damaged file is found without a ledger. Whatever process dies at whatever moment, at most the chunk in
flight is lost.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import pathlib
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from simlib.errors import RunDirectoryError

MANIFEST = "manifest.json"
FORMAT = "simlib-run/1"
_CHUNK = re.compile(r"deals-(\d{12,})-(\d{12,})-([0-9a-f]{16})\.(parquet|json)")


@dataclass(frozen=True)
class Chunk:
    """One chunk file: deals `first` to `stop` - 1, and the digest its bytes must have."""

    path: pathlib.Path
    first: int
    stop: int
    digest: str

    def read(self) -> bytes:
        """Return the file's bytes.

        Raises
        ------
        RunDirectoryError
            When the file is gone, or its bytes are not those that were written.
        """
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise RunDirectoryError(f"{self.path}: cannot be read ({error.strerror or error})") from None
        if _digest(data) != self.digest:
            raise RunDirectoryError(
                f"{self.path}: the file is damaged or cut off; resume the run to play its deals again"
            )
        return data


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def gaps(chunks: Iterable[Chunk], first: int, stop: int) -> list[tuple[int, int]]:
    """Return the ranges (first, stop) of deals that no chunk holds."""
    out, at = [], first
    for chunk in sorted(chunks, key=lambda c: c.first):
        if chunk.first > at:
            out.append((at, min(chunk.first, stop)))
        at = max(at, chunk.stop)
    if at < stop:
        out.append((at, stop))
    return [(a, b) for a, b in out if a < b]


class RunDirectory:
    """A directory that holds one run.

    Parameters
    ----------
    path : str or Path
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)

    @property
    def exists(self) -> bool:
        """Whether the directory holds a manifest."""
        return (self.path / MANIFEST).is_file()

    def prepare(self, own: str = MANIFEST) -> None:
        """Create the directory and try to write in it.

        Parameters
        ----------
        own : str
            The file that shows that a directory with files in it is one of ours.

        Raises
        ------
        RunDirectoryError
            When the path is a file, cannot be written, or holds files that are not of a run.
        """
        if self.path.exists() and not self.path.is_dir():
            raise RunDirectoryError(
                f"out={str(self.path)!r} is a file; it must be a directory, new or of an earlier run"
            )
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path) as probe:
                probe.write(b"x")
        except OSError as error:
            raise RunDirectoryError(f"out={str(self.path)!r} cannot be written: {error.strerror or error}") from None
        if not (self.path / own).is_file() and any(
            not p.name.startswith(".") for p in self.path.iterdir()
        ):  # somebody else's files
            raise RunDirectoryError(
                f"out={str(self.path)!r} holds other files and no run; give a new or empty directory"
            )

    def lock(self) -> Any:
        """Take the lock of this directory; a process that ends, however, gives it back.

        Raises
        ------
        RunDirectoryError
            When another process writes here.
        """
        import filelock

        lock = filelock.FileLock(self.path / ".lock")
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            raise RunDirectoryError(f"{self.path}: another process is writing to this run directory") from None
        return lock

    def read_manifest(self) -> dict[str, Any]:
        """Return the manifest.

        Raises
        ------
        RunDirectoryError
            When there is none, or it is no manifest of this format.
        """
        file = self.path / MANIFEST
        if not file.is_file():
            raise RunDirectoryError(f"{self.path} is no run directory: it has no {MANIFEST}")
        try:
            manifest = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise RunDirectoryError(f"{file}: not readable as JSON ({error})") from None
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise RunDirectoryError(f"{file}: not a run of format {FORMAT}")
        return manifest

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write the manifest, whole or not at all."""
        text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        self.write(MANIFEST, text.encode())

    def write_chunk(self, first: int, stop: int, data: bytes, extension: str) -> None:
        """Write one chunk file, whole or not at all."""
        self.write(f"deals-{first:012d}-{stop:012d}-{_digest(data)}.{extension}", data)

    def write(self, name: str, data: bytes) -> None:
        """Write a file, whole or not at all."""
        temporary = self.path / f".{name}.part"
        try:
            with open(temporary, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path / name)
        except OSError as error:
            reason = "the disk is full" if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT) else error.strerror
            raise RunDirectoryError(
                f"{self.path}: {name} could not be written ({reason}); chunks written so far are kept"
            ) from None
        finally:  # after Ctrl-C too; when all went well it has its final name
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)

    def chunks(self) -> list[Chunk]:
        """Return the chunk files by first deal; of overlapping ones the later in order is left out."""
        found = []
        for file in sorted(self.path.iterdir()):
            match = _CHUNK.fullmatch(file.name)
            if match:
                found.append(Chunk(file, int(match[1]), int(match[2]), match[3]))
        out: list[Chunk] = []
        for chunk in sorted(found, key=lambda c: (c.first, -c.stop)):
            if not out or chunk.first >= out[-1].stop:
                out.append(chunk)
        return out

    def repair(self) -> list[str]:
        """Remove half-written and damaged files, whose deals are played again; return their names. Needs the lock."""
        removed = []
        for file in self.path.glob(".*.part"):
            file.unlink()
        for chunk in self.chunks():
            try:
                chunk.read()
            except RunDirectoryError:
                chunk.path.unlink(missing_ok=True)
                removed.append(chunk.path.name)
        return removed


def differences(old: dict[str, Any], new: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield a line for each entry in which two configurations differ, named by its path (``rules.opening_cards``)."""
    for key in [*old, *(k for k in new if k not in old)]:
        a, b = old.get(key), new.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            yield from differences(a, b, f"{prefix}{key}.")
        elif isinstance(a, list) and isinstance(b, list) and a and b and isinstance(a[0], dict) and len(a) == len(b):
            for i, (x, y) in enumerate(zip(a, b, strict=True)):
                yield from differences(x, y, f"{prefix}{key}[{i}].")
        elif a != b:
            yield f"{prefix}{key}: the run has {a!r}, now {b!r}"
