"""The on-disk cache of kernels: never stale, never in the way."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

from simlib import _cache, _jit

ROOT = pathlib.Path(_jit.__file__).parents[1]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A copy of the compiled sources that `_jit` takes for its own."""
    target = tmp_path / "simlib"
    shutil.copytree(ROOT / "simlib", target, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(_jit, "_ROOT", target)
    _jit.digest.cache_clear()
    yield target
    _jit.digest.cache_clear()


def keys():
    """Digests as they would be in a new process."""
    _jit.digest.cache_clear()
    modules = ("simlib.rng", "simlib.games.drei_zu_viel.play", "simlib.policies.drei_zu_viel.basic")
    other = ("simlib.games.big_three.play", "simlib.policies.big_three.basic")
    return [_jit.digest(module) for module in (*modules, *other)]


def changed(tree, name):
    """Which of the digests a changed source changes."""
    before = keys()
    path = tree / name
    path.write_text(path.read_text() + "\n# changed\n")
    return [a != b for a, b in zip(before, keys(), strict=True)]


def test_a_changed_core_changes_every_key(tree):
    """Streams are compiled into everything."""
    assert changed(tree, "rng.py") == [True] * 5


def test_a_changed_game_changes_its_own_keys(tree):
    """An edited game recompiles its kernels and its policies, not those of other games."""
    assert changed(tree, "games/drei_zu_viel/view.py") == [False, True, True, False, False]


def test_a_changed_policy_changes_the_policies_of_its_game(tree):
    """Policies call each other; the game's kernels stay."""
    assert changed(tree, "policies/drei_zu_viel/basic.py") == [False, False, True, False, False]


def test_what_is_not_compiled_changes_no_key(tree):
    """Editing the command line tool, tables or cards recompiles nothing."""
    assert changed(tree, "cards.py") == [False] * 5
    assert changed(tree, "engine.py") == [False] * 5


def test_a_new_module_of_a_game_changes_its_keys(tree):
    """Also a file that was not there before."""
    before = keys()
    (tree / "games" / "drei_zu_viel" / "more.py").write_text("x = 1\n")
    assert [a != b for a, b in zip(before, keys(), strict=True)] == [False, True, True, False, False]


def run(code, tmp_path, **env):
    """Run Python code in a new process and return what it printed."""
    settings = {**os.environ, "SIMLIB_CACHE_DIR": str(tmp_path / "kernels"), **env}
    settings = {k: v for k, v in settings.items() if v is not None}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=settings, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


#: Fill a stream's words; print the first one and whether the kernel came from the cache.
PLAY = """
import numpy as np
from simlib import rng
r = np.zeros(1, rng.STREAM)
rng.seek(r[0], np.uint64(7), np.uint64(0), np.uint64(0))
rng.refill(r[0])
print(r["words"][0, 0], sum(rng.refill.stats.cache_hits.values()))
"""
WORD = str(np.random.Philox(key=[7, 0], counter=[0, 0, 0, 0]).random_raw())


def test_the_second_process_compiles_nothing(tmp_path):
    """What one process compiled the next one loads."""
    assert run(PLAY, tmp_path) == f"{WORD} 0"
    assert run(PLAY, tmp_path) == f"{WORD} 1"


def test_bounds_checks_have_kernels_of_their_own(tmp_path):
    """A warm cache is not used for checked kernels, nor theirs for plain runs."""
    assert run(PLAY, tmp_path, NUMBA_BOUNDSCHECK="1") == f"{WORD} 0"
    assert run(PLAY, tmp_path) == f"{WORD} 0"
    assert run(PLAY, tmp_path, NUMBA_BOUNDSCHECK="1") == f"{WORD} 1"
    assert run(PLAY, tmp_path) == f"{WORD} 1"


def test_a_damaged_cache_is_compiled_again_and_mended(tmp_path):
    """Files cut short, or full of something else, cost compile time only."""
    run(PLAY, tmp_path)
    files = [p for p in (tmp_path / "kernels").rglob("*") if p.suffix in (".nbi", ".nbc")]
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[:40] if path.suffix == ".nbi" else b"nonsense")
    assert run(PLAY, tmp_path) == f"{WORD} 0"
    assert run(PLAY, tmp_path) == f"{WORD} 1"


def test_a_full_disk_costs_compile_time_only(tmp_path):
    """Files may not grow beyond 100 bytes: the kernels run, nothing is kept."""
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    assert run(limit + PLAY, tmp_path) == f"{WORD} 0"
    assert run(limit + PLAY, tmp_path) == f"{WORD} 0"


def test_a_file_in_the_way_falls_back(tmp_path):
    """SIMLIB_CACHE_DIR under a file cannot be made: the user's cache directory is taken."""
    (tmp_path / "file").write_text("")
    code = "from simlib._cache import cache_root\nprint(cache_root())"
    home = str(tmp_path / "home")
    found = run(code, tmp_path, SIMLIB_CACHE_DIR=str(tmp_path / "file" / "x"), XDG_CACHE_HOME=home, HOME=home)
    assert pathlib.Path(found).is_relative_to(home)


def test_nowhere_to_write(tmp_path):
    """No cache directory at all: import works, kernels are compiled in the process."""
    (tmp_path / "file").write_text("")
    nowhere = str(tmp_path / "file" / "x")
    block = f"import tempfile\ntempfile.tempdir = {nowhere!r}\n"
    code = block + PLAY + "from simlib._cache import cache_root\nprint(cache_root())"
    got = run(code, tmp_path, SIMLIB_CACHE_DIR=nowhere, XDG_CACHE_HOME=nowhere, HOME=nowhere)
    assert got.split() == [WORD, "0", "None"]


def test_a_relative_directory_is_taken_from_where_one_stands(tmp_path, monkeypatch):
    """SIMLIB_CACHE_DIR may be relative; the result is absolute."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMLIB_CACHE_DIR", "here")
    path, shared = next(_cache._candidates())
    assert (path, shared) == (tmp_path / "here", False)


def test_a_directory_open_to_others_is_not_trusted(tmp_path):
    """Cached code is executed: in a shared place the directory must be ours alone."""
    mine = tmp_path / "mine"
    assert _cache._usable(mine, shared=True)
    assert mine.stat().st_mode & 0o077 == 0
    mine.chmod(0o777)
    assert not _cache._usable(mine, shared=True)
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert not _cache._usable(link, shared=True)


def test_a_users_kernel_is_not_cached_under_simlibs_digest():
    """The digest knows simlib's sources only."""
    from numba.core.caching import NullCache

    def double(x):
        return x + x

    function = _jit.kernel(double)
    assert function(21) == 42
    assert isinstance(function._cache, NullCache)
