"""Runs on a dask cluster of processes: the same results as at home, whatever policies travel and whoever dies."""

from __future__ import annotations

import os
import signal
import sys
import time

import pandas as pd
import pytest

import simlib as sl
from simlib._dispatch import ask
from simlib.cli import main
from simlib.executors import connect
from simlib.rundir import RunDirectory

distributed = pytest.importorskip("dask.distributed", reason="extra 'cluster'")
LINE = ["random", "greedy"]
ARGS = {"game": "drei_zu_viel", "policies": LINE, "deals": 400, "seed": 3, "seatings": "rotations"}


@pytest.fixture(scope="module")
def cluster():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(**options, silence_logs=50) as found:
        yield found


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as found:
        yield found


@pytest.fixture(scope="module")
def home():
    return sl.simulate(**ARGS)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr("simlib.run.chunk_deals", lambda work: 100)


def both(client, policies, **more):
    """Games of a run on the cluster and at home."""
    args = {"game": "drei_zu_viel", "policies": policies, "deals": 60, "seed": 5, **more}
    return sl.simulate(**args, executor=client).games, sl.simulate(**args).games


def test_same_results_in_memory_in_files_and_as_summary(client, home, tmp_path):
    pd.testing.assert_frame_equal(sl.simulate(**ARGS, executor=client).games, home.games)
    far = sl.simulate(**ARGS, executor=client, out=tmp_path / "rows")
    pd.testing.assert_frame_equal(far.games, home.games)
    assert len(list((tmp_path / "rows").glob("deals-*.parquet"))) == 4
    short = sl.simulate(**ARGS, executor=client, out=tmp_path / "sums", keep="summary")
    assert short.sufficient == home.sufficient
    assert sl.simulate(**ARGS, executor=client, keep="summary").sufficient == home.sufficient


def test_a_worker_killed_in_a_chunk_costs_that_chunk_only(client, tmp_path, monkeypatch):
    """kill -9 while both workers are playing: their chunks are played again, the table is the same."""

    @sl.policy("drei_zu_viel", vector=True)
    def slow(views, ctx):
        import os
        import time

        import numpy as np

        time.sleep(0.01)  # 18 plays a game: a chunk takes about a fifth of a second
        with open(f"{folder}/{os.getpid()}", "a") as file:
            file.write("x")
        return np.zeros(len(views), np.int64)

    folder = str(tmp_path)
    args = {"game": "drei_zu_viel", "policies": [slow, "greedy"], "deals": 80, "seed": 4, "out": tmp_path / "run"}
    monkeypatch.setattr("simlib.run.chunk_deals", lambda work: 10)
    killed: list[int] = []
    write = RunDirectory.write_chunk

    def write_and_kill(self, *arguments):
        write(self, *arguments)
        if not killed:
            busy = [worker for worker, tasks in client.processing().items() if tasks]
            killed.append(client.run(os.getpid, workers=busy[:1])[busy[0]])
            log = tmp_path / str(killed[0])
            before = log.stat().st_size if log.exists() else 0
            for _ in range(10_000):  # until it is seen to play: a chunk is under way
                if log.exists() and log.stat().st_size > before:
                    break
                time.sleep(0.001)
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(RunDirectory, "write_chunk", write_and_kill)
    far = sl.simulate(**args, executor=client)
    assert (tmp_path / str(killed[0])).exists()  # it had played
    plays = {p.name: p.stat().st_size for p in tmp_path.iterdir() if p.name.isdigit()}
    monkeypatch.setattr(RunDirectory, "write_chunk", write)
    at_home = sl.simulate(**{**args, "out": None, "threads": 1})
    alone = (tmp_path / str(os.getpid())).stat().st_size
    assert sum(plays.values()) > alone  # some of it was lost and played again
    pd.testing.assert_frame_equal(far.games, at_home.games)
    assert sl.load(tmp_path / "run").manifest["complete"]


def test_a_policy_written_here_travels_by_value(client):
    top = 1

    @sl.policy("drei_zu_viel", least=(2, "smallest hand"))
    def mine(view, ctx):
        return top if view.hand_n[view.seat] > ctx.params[0] else 0

    far, at_home = both(client, ["random", mine.with_params(least=3)])
    pd.testing.assert_frame_equal(far, at_home)
    assert far.policy_1[0] == "mine:least=3"


def test_a_policy_that_calls_simlibs_own_and_others(client):
    greedy = sl.policy("drei_zu_viel/greedy").kernel

    @sl.policy("drei_zu_viel", late=("lowest", "plays the end"))
    def mixed(view, ctx):
        from_hand = view.hand_n[view.seat]
        return greedy(view, ctx) if from_hand > 5 else ask(ctx, 0, view.seat, view)

    far, at_home = both(client, [mixed, "highest"])
    pd.testing.assert_frame_equal(far, at_home)


FILE = """
import numba
import simlib as sl

@numba.njit
def last(n):
    return n - 1

@sl.policy("drei_zu_viel")
def fromfile(view, ctx):
    return last(view.hand_n[view.seat])
"""


def test_a_policy_from_a_file_that_workers_do_not_have(client, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FILE)
    policy = sl.policy(f"drei_zu_viel/{file}::fromfile")
    args = {"game": "drei_zu_viel", "policies": [policy, "random"], "deals": 50, "seed": 6}
    at_home = sl.simulate(**args).games
    file.unlink()
    far = sl.simulate(**args, executor=client)
    pd.testing.assert_frame_equal(far.games, at_home)
    assert far.manifest["policies"][0]["digest"] == policy.digest


def test_a_policy_from_a_module_that_workers_do_not_have(client, tmp_path, monkeypatch):
    package = tmp_path / "only_here"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "helper.py").write_text("import numba\n@numba.njit\ndef last(n):\n    return n - 1\n")
    text = FILE.replace("@numba.njit\ndef last(n):\n    return n - 1\n", "from only_here.helper import last\n")
    (package / "play.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    from only_here.play import fromfile

    far, at_home = both(client, [fromfile, "random"])
    pd.testing.assert_frame_equal(far, at_home)


def test_an_error_of_a_policy_comes_home(client):
    @sl.policy("drei_zu_viel")
    def wrong(view, ctx):
        return 99

    with pytest.raises(sl.IllegalAction, match="policy 'wrong' at seat 0 returned the illegal action 99"):
        sl.simulate("drei_zu_viel", [wrong, "random"], 300, seed=1, executor=client)


def test_comparisons_and_tournaments(client):
    args = {"game": "drei_zu_viel", "baseline": "random", "variants": ["greedy"], "deals": 300, "seed": 2}
    far, at_home = sl.compare(**args, executor=client), sl.compare(**args)
    tables = [c.table.drop(columns="seconds") for c in (far, at_home)]  # seconds are measured
    pd.testing.assert_frame_equal(*tables)
    args = {"game": "drei_zu_viel", "policies": "greedy,lowest,random", "deals": 100, "seed": 1, "players": 2}
    far, at_home = sl.tournament(**args, executor=client), sl.tournament(**args)
    pd.testing.assert_frame_equal(far.ranking(), at_home.ranking())


def test_the_command_line(cluster, home, tmp_path, capsys):
    command = ["run", "drei_zu_viel", "--policies", ",".join(LINE), "--deals", "400", "--seed", "3"]
    command += ["--seatings", "rotations", "--out", str(tmp_path / "r"), "--scheduler", cluster.scheduler_address]
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 0
    assert "2 workers, 2 threads" in capsys.readouterr().err
    pd.testing.assert_frame_equal(sl.load(tmp_path / "r").games, home.games)


def _set_identity(found):
    import simlib.executors

    if found is None:
        simlib.executors.identity = simlib.executors.__dict__.pop("_before")
    else:
        simlib.executors._before = simlib.executors.identity
        simlib.executors.identity = lambda *_: found


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"simlib": "0.0.1"}, r"refused: it has simlib 0\.0\.1, the run has"),
        (
            {"digest of simlib's code": "0" * 16},
            "refused: it has digest of simlib's code 0{16}, the run has",
        ),
    ],
)
def test_a_worker_with_other_code_is_refused(client, other, said, tmp_path):
    from simlib.executors import identity

    client.run(_set_identity, {**identity("drei_zu_viel"), **other})
    try:
        with pytest.raises(sl.WorkerError, match=said) as caught:
            sl.simulate(**ARGS, executor=client, out=tmp_path)
    finally:
        client.run(_set_identity, None)
    assert f"{tmp_path} keeps the chunks played so far" in str(caught.value)
    assert sl.simulate(**ARGS, executor=client, out=tmp_path, resume=True).manifest["complete"]


def _hide(hidden):
    """Make a worker forget simlib, or find it again."""
    if hidden:
        sys.modules["__hidden"] = {k: sys.modules.pop(k) for k in list(sys.modules) if k.startswith("simlib")}
        sys.modules["simlib"] = None
    else:
        sys.modules.pop("simlib")
        sys.modules.update(sys.modules.pop("__hidden"))


def test_a_worker_without_simlib_is_named(client):
    import cloudpickle

    hide = cloudpickle.loads(cloudpickle.dumps(_hide))
    client.run(hide, True)
    try:
        with pytest.raises(sl.WorkerError, match=r"a worker cannot load simlib .*; install it on every worker"):
            sl.simulate(**ARGS, executor=client)
    finally:
        client.run(hide, False)


def test_no_scheduler_there(capsys):
    for address, said in [
        ("tcp://127.0.0.1:9", "no dask scheduler answers there"),
        ("nonsense://x", "no dask scheduler answers there"),
        ("nowhere.json", "there is no such file"),
    ]:
        with pytest.raises(ValueError, match=said), connect(address, timeout=0.5):
            pass
    command = ["run", "drei_zu_viel", "--policies", "random,random", "--scheduler", "nowhere.json"]
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    assert capsys.readouterr().err == "simlib: scheduler='nowhere.json': there is no such file\n"
