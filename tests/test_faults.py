"""Faults that a run survives: workers, schedulers and pools that die, other writers, cold caches.

Kills of the own process, full disks, and damaged or deleted files are in test_run_directory.py; a killed worker of a
cluster is in test_cluster.py.
"""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import pandas as pd
import pytest

import simlib as sl
from simlib.rundir import RunDirectory

distributed = pytest.importorskip("dask.distributed", reason="extra 'cluster'")
ARGS = {"game": "drei_zu_viel", "policies": ["random", "lowest", "greedy"], "seed": 21, "seatings": "rotations"}
DEALS = 400


@pytest.fixture(scope="module")
def whole():
    return sl.simulate(**ARGS, deals=DEALS).games


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr("simlib.run.chunk_deals", lambda work: 10)


def after(monkeypatch, chunks, act):
    """Do something when so many chunks have been written."""
    written: list[int] = []
    write = RunDirectory.write_chunk

    def write_and_act(self, *arguments):
        write(self, *arguments)
        written.append(arguments[0])
        if len(written) == chunks:
            act()

    monkeypatch.setattr(RunDirectory, "write_chunk", write_and_act)


@pytest.fixture
def far_cluster(tmp_path):
    """A scheduler and a worker in processes of their own; (address, scheduler's process)."""
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = subprocess.Popen([*command, *options], **quiet)
    command = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
    command += ["--no-nanny", "--no-dashboard", "--nthreads", "1", "--death-timeout", "60"]
    worker = subprocess.Popen(command, **quiet, env={**os.environ, "PYTHONPATH": str(pathlib.Path.cwd())})
    try:
        end = time.monotonic() + 60
        while not (file.is_file() and file.stat().st_size) and time.monotonic() < end:
            time.sleep(0.1)
        yield str(file), scheduler
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.wait()


def test_the_scheduler_dies(far_cluster, tmp_path, whole, monkeypatch):
    """The run ends with one clear sentence, keeps its chunks, and is finished at home."""
    from simlib.executors import connect

    file, scheduler = far_cluster
    out = tmp_path / "run"
    with monkeypatch.context() as patch, connect(file) as client:
        client.wait_for_workers(1, timeout=60)
        after(patch, 3, lambda: scheduler.send_signal(signal.SIGKILL))
        with pytest.raises(sl.ExecutorError, match="the connection to the dask scheduler was lost") as caught:
            sl.simulate(**ARGS, deals=DEALS, out=out, executor=client)
    assert f"{out} keeps the chunks played so far: go on with resume=True (--resume)" in str(caught.value)
    kept = {p.name for p in out.glob("deals-*")}
    assert 3 <= len(kept) < DEALS // 10
    finished = sl.simulate(**ARGS, deals=DEALS, out=out, resume=True)
    assert kept <= {p.name for p in out.glob("deals-*")}
    pd.testing.assert_frame_equal(finished.games, whole)


def test_a_process_of_a_pool_dies(tmp_path, whole, monkeypatch):
    """A pool of the standard library is broken by that; the run can be resumed, with another pool too."""
    out = tmp_path / "run"
    with monkeypatch.context() as patch, ProcessPoolExecutor(1) as pool:
        pid = pool.submit(os.getpid).result()
        after(patch, 3, lambda: os.kill(pid, signal.SIGKILL))
        with pytest.raises(sl.ExecutorError, match=r"a worker process of the executor died .*--resume"):
            sl.simulate(**ARGS, deals=DEALS, out=out, executor=pool)
    assert len(list(out.glob("deals-*"))) >= 3
    with ProcessPoolExecutor(1) as pool:
        finished = sl.simulate(**ARGS, deals=DEALS, out=out, resume=True, executor=pool)
    pd.testing.assert_frame_equal(finished.games, whole)


def test_in_memory_the_message_promises_nothing():
    class Gives(Executor):
        def submit(self, *_):
            future: Future = Future()
            future.cancel()
            future.set_running_or_notify_cancel()
            return future

    with pytest.raises(sl.ExecutorError, match=r"the executor gave up deals 0 to \d+$"):
        sl.simulate(**ARGS, deals=DEALS, executor=Gives())


def test_any_executor_will_do(whole):
    """One that says nothing of its workers, and threads of one's own, which stay open."""

    class Here(Executor):
        def submit(self, function, *arguments):
            future: Future = Future()
            future.set_result(function(*arguments))
            return future

    pd.testing.assert_frame_equal(sl.simulate(**ARGS, deals=DEALS, executor=Here()).games, whole)
    with ThreadPoolExecutor(2) as pool:
        pd.testing.assert_frame_equal(sl.simulate(**ARGS, deals=DEALS, executor=pool).games, whole)
        assert pool.submit(int, "7").result() == 7


def test_what_cannot_travel_is_named():
    lock = __import__("threading").Lock()

    @sl.policy("drei_zu_viel", vector=True)
    def locked(views, ctx):
        with lock:
            return views["hand_n"][:, 0] * 0

    run = {"policies": [locked, "random"], "deals": 10, "seed": 1}
    said = "executor: the policies cannot be sent to another process: cannot pickle"
    with ProcessPoolExecutor(1) as pool, pytest.raises(TypeError, match=said):
        sl.simulate("drei_zu_viel", **run, executor=pool)


def test_an_asynchronous_client_is_refused():
    class Client:
        asynchronous = True

        def submit(self):
            """Never called."""

        def get_executor(self, **_):
            return self

        def nthreads(self):
            return {"a": 1}

    with pytest.raises(TypeError, match="asynchronous=True cannot be used"):
        sl.simulate(**ARGS, deals=10, executor=Client())


def test_a_second_writer_is_refused_while_a_run_goes_on(tmp_path, whole, monkeypatch):
    """Both with an executor: the second one says so and leaves everything as it is."""
    out = tmp_path / "run"
    said = []

    def second():
        code = f"import simlib as sl\nsl.simulate(**{ARGS!r}, deals={DEALS}, out={str(out)!r}, resume=True)"
        said.append(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True))

    after(monkeypatch, 2, second)
    with ProcessPoolExecutor(1) as pool:
        runs = sl.simulate(**ARGS, deals=DEALS, out=out, executor=pool)
    assert said[0].returncode != 0 and "another process is writing to this run directory" in said[0].stderr
    pd.testing.assert_frame_equal(runs.games, whole)
