"""Run directories: atomic chunks, resume after a kill, extend, refuse another run, damaged and missing files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

import simlib as sl

ARGS = {"game": "drei_zu_viel", "policies": ["random", "lowest", "greedy"], "seed": 21, "seatings": "rotations"}


@pytest.fixture(scope="module")
def whole():
    return sl.simulate(**ARGS, deals=600).games


def run(out, deals=600, **more):
    return sl.simulate(**{**ARGS, **more}, deals=deals, out=out)


def test_files_and_memory_hold_the_same_table(tmp_path, whole):
    runs = run(tmp_path / "r")
    pd.testing.assert_frame_equal(runs.games, whole)
    pd.testing.assert_frame_equal(sl.load(tmp_path / "r").games, whole)
    manifest = json.loads((tmp_path / "r" / "manifest.json").read_text())
    assert manifest["complete"] and manifest["seed"] == 21 and manifest["deals"] == 600
    assert manifest["rules"]["opening_cards"] == 3 and len(manifest["policies"][0]["digest"]) == 12


def test_the_same_run_needs_resume_and_extend(tmp_path, whole):
    run(tmp_path, deals=200)
    with pytest.raises(sl.RunDirectoryError, match=r"already holds this run.*--resume"):
        run(tmp_path, deals=200)
    with pytest.raises(sl.RunDirectoryError, match="deals=200, now deals=600: extend it"):
        run(tmp_path, resume=True)
    with pytest.raises(sl.RunDirectoryError, match="cannot be shortened"):
        run(tmp_path, deals=100, resume="extend")
    pd.testing.assert_frame_equal(run(tmp_path, resume="extend").games, whole)


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"seed": 22}, "seed"),
        ({"rules": {"opening_cards": 0}}, "rules.opening_cards"),
        ({"seatings": "fixed"}, "seatings"),
        ({"policies": ["random", "lowest", "greedy:gold=0"]}, r"policies\[2\].text"),
        ({"keep": "summary"}, "keep"),
    ],
)
def test_another_run_is_refused_by_name_of_what_differs(tmp_path, changed, key):
    run(tmp_path, deals=20)
    with pytest.raises(sl.RunDirectoryError, match=f"holds another run: {key}"):
        run(tmp_path, deals=20, resume=True, **changed)


def test_a_policy_whose_code_changed_is_refused(tmp_path):
    file = tmp_path / "mine.py"
    text = "import simlib as sl\n@sl.policy('drei_zu_viel')\ndef mine(view, ctx):\n    return {}\n"
    file.write_text(text.format(0))
    line = [f"{file}::mine", "random"]
    sl.simulate("drei_zu_viel", line, 20, seed=1, out=tmp_path / "r")
    assert len(sl.simulate("drei_zu_viel", line, 20, seed=1, out=tmp_path / "r", resume=True).games) == 20
    file.write_text(text.format("view.hand_n[view.seat] - 1"))
    os.utime(file, (1, 1))
    with pytest.raises(sl.RunDirectoryError, match=r"policies\[0\].digest"):
        sl.simulate("drei_zu_viel", line, 20, seed=1, out=tmp_path / "r", resume=True)


def test_kill_and_resume(tmp_path, whole):
    """kill -9 in the middle; what was written stays, and the resumed table is the same."""
    out = tmp_path / "r"
    code = (
        "import simlib as sl, simlib.rundir as d, time\n"
        "old = d.RunDirectory.write_chunk\n"
        "def slow(self, *a):\n    old(self, *a); print('chunk', flush=True); time.sleep(0.05)\n"
        "d.RunDirectory.write_chunk = slow\n"
        "import simlib.run as r\nr.chunk_deals = lambda work: 10\n"
        f"sl.simulate(**{ARGS!r}, deals=600, out={str(out)!r}, threads=1)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    for _ in range(3):
        assert process.stdout.readline() == "chunk\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    kept = {p.name for p in out.glob("deals-*")}
    assert 3 <= len(kept) < 60
    with pytest.raises(sl.RunDirectoryError, match="missing; resume the run"):
        sl.load(out)
    resumed = run(out, resume=True)
    assert kept <= {p.name for p in out.glob("deals-*")}
    pd.testing.assert_frame_equal(resumed.games, whole)


def test_a_damaged_or_deleted_chunk_is_found_and_played_again(tmp_path, whole, monkeypatch):
    monkeypatch.setattr("simlib.run.chunk_deals", lambda work: 100)
    run(tmp_path)
    files = sorted(tmp_path.glob("deals-*"))
    data = files[1].read_bytes()
    files[1].write_bytes(data[: len(data) // 2])
    with pytest.raises(sl.RunDirectoryError, match="damaged or cut off"):
        _ = sl.load(tmp_path).games
    files[2].write_bytes(files[2].read_bytes()[:-9] + b"x" * 9)
    files[4].unlink()
    with pytest.raises(sl.RunDirectoryError, match="deals 400 to 499 are missing"):
        sl.load(tmp_path)
    pd.testing.assert_frame_equal(run(tmp_path, resume=True).games, whole)


def test_summary_only_runs_give_the_same_summary(tmp_path):
    rows = run(tmp_path / "a")
    short = run(tmp_path / "b", keep="summary", threads=1)
    pd.testing.assert_frame_equal(rows.summary(), short.summary(), check_exact=True)
    pd.testing.assert_frame_equal(sl.load(tmp_path / "b").summary(), short.summary(), check_exact=True)
    with pytest.raises(ValueError, match="sufficient statistics only"):
        _ = short.games


def test_two_processes_cannot_write_to_one_directory(tmp_path):
    from simlib.rundir import RunDirectory

    run(tmp_path, deals=10)
    code = f"import simlib as sl\nsl.simulate(**{ARGS!r}, deals=20, out={str(tmp_path)!r}, resume='extend')"
    with RunDirectory(tmp_path).lock():
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode != 0
    assert "RunDirectoryError" in done.stderr and "another process is writing" in done.stderr
    assert len(run(tmp_path, deals=20, resume="extend").games) == 60


def test_directories_that_cannot_be_used(tmp_path):
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(sl.RunDirectoryError, match="is a file"):
        run(file, deals=5)
    with pytest.raises(sl.RunDirectoryError, match="holds other files"):
        run(tmp_path, deals=5)
    with pytest.raises(sl.RunDirectoryError, match="cannot be written"):
        run("/proc/nowhere", deals=5)
    with pytest.raises(sl.RunDirectoryError, match="is no run directory"):
        sl.load(tmp_path)
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "manifest.json").write_text("{")
    with pytest.raises(sl.RunDirectoryError, match=r"manifest\.json: not readable as JSON"):
        sl.load(tmp_path / "m")


def test_a_full_disk_loses_only_the_chunk_in_flight(tmp_path, whole):
    """A limit on file size stands for the full disk: writing fails, what is there stays, resuming completes it."""
    out = tmp_path / "r"
    code = (
        "import resource, signal, sys, simlib as sl\n"
        "import simlib.run as r\nr.chunk_deals = lambda work: 100\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "import simlib.rundir as d\nold = d.RunDirectory.write_chunk\ncount = [0]\n"
        "def limited(self, *a):\n"
        "    count[0] += 1\n"
        "    if count[0] == 3: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "    old(self, *a)\n"
        "d.RunDirectory.write_chunk = limited\n"
        f"sl.simulate(**{ARGS!r}, deals=600, out={str(out)!r}, threads=1)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "could not be written (the disk is full); chunks written so far are kept" in done.stderr
    assert len(list(out.glob("deals-*"))) == 2
    pd.testing.assert_frame_equal(run(out, resume=True).games, whole)


def test_a_vanished_directory_says_so(tmp_path):
    out = tmp_path / "r"
    code = (
        "import shutil, simlib as sl\nimport simlib.run as r\nr.chunk_deals = lambda work: 100\n"
        "import simlib.rundir as d\nold = d.RunDirectory.write_chunk\n"
        f"def gone(self, *a):\n    shutil.rmtree({str(out)!r})\n    old(self, *a)\n"
        "d.RunDirectory.write_chunk = gone\n"
        f"sl.simulate(**{ARGS!r}, deals=600, out={str(out)!r}, threads=1)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "RunDirectoryError" in done.stderr and "could not be written (No such file or directory)" in done.stderr


def test_an_interrupted_batch_keeps_its_chunks(tmp_path, whole):
    out = tmp_path / "r"
    code = (
        # A job in the background of a shell inherits that Ctrl-C is ignored; here it shall count.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import sys, simlib.run as r, simlib.rundir as d, simlib.cli as c\n"
        "r.chunk_deals = lambda work: 10\n"
        "old = d.RunDirectory.write_chunk\n"
        "def told(self, *a):\n    old(self, *a); print('chunk', flush=True)\n"
        "d.RunDirectory.write_chunk = told\n"
        f"c.main(['run', 'drei_zu_viel', '--policies', 'random,lowest,greedy', '--deals', '3000000', '--seed', '21', "
        f"'--seatings', 'rotations', '--threads', '1', '--out', {str(out)!r}])\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "chunk\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; chunks written so far are kept" in errors and "Traceback" not in errors
    assert len(list(out.glob("deals-*"))) >= 1 and not list(out.glob(".*.part"))


def test_a_policy_that_never_won_still_has_an_interval():
    runs = sl.simulate("drei_zu_viel", ["careful", "random"], 6, seed=6, seatings="rotations")
    row = runs.summary().set_index("policy").loc["random"]
    assert row.win_rate == 0 and row.win_lo == 0 and 0.2 < row.win_hi < 0.6
