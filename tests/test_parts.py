"""Parts of a run for the jobs of a batch system, and `merge`, which makes one run of them."""

from __future__ import annotations

import json
import shutil
import weakref

import numpy as np
import pandas as pd
import pytest

import simlib as sl
from simlib import results
from simlib.cli import main
from simlib.parts import part_range
from simlib.run import _fair, _growth
from simlib.sufficient import Sufficient

ARGS = {"game": "drei_zu_viel", "policies": ["random", "lowest", "greedy"], "seed": 21, "seatings": "rotations"}
RANGES = ["0:2", "2:5", "5:9"]


@pytest.fixture(scope="module")
def whole():
    return sl.simulate(**ARGS, deals=620)


def play(folder, chunk_range, **more):
    args = {**ARGS, "deals": 620, "chunk_deals": 70, **more}
    return sl.simulate(**args, chunk_range=chunk_range, out=folder)


@pytest.fixture
def parts(tmp_path):
    folders = [tmp_path / f"part-{i}" for i in range(3)]
    for folder, chunk_range in zip(folders, RANGES, strict=True):
        play(folder, chunk_range)
    return folders


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_parts_in_any_order_are_the_run(parts, order, whole, tmp_path):
    merged = sl.merge(tmp_path / "all", [parts[i] for i in order])
    pd.testing.assert_frame_equal(merged.games, whole.games)
    here = json.loads((tmp_path / "all" / "manifest.json").read_text())
    free = {"created": None, "environment": None}
    assert {**here, **free} == {**whole.manifest, **free}
    assert sl.load(parts[1]).manifest["first_deal"] == 140  # parts stay as they are, and are runs by themselves


def test_a_merged_run_can_be_extended(parts, tmp_path):
    sl.merge(tmp_path / "all", parts)
    more = sl.simulate(**ARGS, deals=700, out=tmp_path / "all", resume="extend")
    pd.testing.assert_frame_equal(more.games, sl.simulate(**ARGS, deals=700).games)


def test_summaries_are_merged_exactly(whole, tmp_path):
    for i, chunk_range in enumerate(RANGES):
        play(tmp_path / f"p{i}", chunk_range, keep="summary")
    merged = sl.merge(tmp_path / "all", sorted(tmp_path.glob("p*")))
    assert merged.sufficient == whole.sufficient


def test_an_interrupted_merge_is_repeated(parts, whole, tmp_path):
    sl.merge(tmp_path / "all", parts)
    first, second, *_ = sorted((tmp_path / "all").glob("deals-*"))
    first.unlink()
    second.unlink()  # a hard link of the part's file: gone here alone
    second.write_bytes(b"damaged")
    pd.testing.assert_frame_equal(sl.merge(tmp_path / "all", parts).games, whole.games)


def test_without_hard_links_files_are_copied(parts, whole, tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("no links here")

    monkeypatch.setattr("os.link", refuse)
    pd.testing.assert_frame_equal(sl.merge(tmp_path / "all", parts).games, whole.games)


def test_missing_deals_are_named(parts, tmp_path):
    with pytest.raises(sl.RunDirectoryError, match="deals 140 to 349 are in no part"):
        sl.merge(tmp_path / "all", [parts[0], parts[2]])
    with pytest.raises(sl.RunDirectoryError, match="deals 350 to 619 are in no part"):
        sl.merge(tmp_path / "all", parts[:2])
    assert not (tmp_path / "all").exists()


def test_a_part_that_is_not_finished_is_resumed(parts, whole, tmp_path):
    for file in parts[1].glob("deals-*"):
        file.unlink()
    with pytest.raises(sl.RunDirectoryError, match="in no part; finish the part"):
        sl.merge(tmp_path / "all", parts)
    play(parts[1], RANGES[1], resume=True)
    pd.testing.assert_frame_equal(sl.merge(tmp_path / "all", parts).games, whole.games)


def test_deals_in_two_parts_are_refused(parts, tmp_path):
    play(tmp_path / "more", "4:9")
    with pytest.raises(sl.RunDirectoryError, match=r"deals 280 to \d+ are both in .*part-1 and in .*more"):
        sl.merge(tmp_path / "all", [*parts[:2], tmp_path / "more"])
    with pytest.raises(sl.RunDirectoryError, match="are both in"):
        sl.merge(tmp_path / "all", [*parts, parts[0]])


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"seed": 22}, "seed: that has 21, this 22"),
        ({"policies": ["random", "lowest", "greedy:gold=0"]}, r"policies\[2\].text"),
        ({"rules": {"opening_cards": 0}}, "rules.opening_cards"),
        ({"keep": "summary"}, "keep"),
        ({"deals": 700}, "part_of.deals: that has 620, this 700"),
    ],
)
def test_parts_of_another_run_are_refused(parts, tmp_path, changed, key):
    play(tmp_path / "other", "5:9", **changed)
    with pytest.raises(sl.RunDirectoryError, match=f"other is no part of the run in .*part-0: {key}"):
        sl.merge(tmp_path / "all", [*parts[:2], tmp_path / "other"])


def test_damaged_files_are_refused(parts, tmp_path):
    file = sorted(parts[2].glob("deals-*"))[0]
    file.write_bytes(file.read_bytes()[:-5])
    with pytest.raises(sl.RunDirectoryError, match=f"{file.name}: the file is damaged or cut off"):
        sl.merge(tmp_path / "all", parts)


def test_places_that_cannot_take_a_merge(parts, tmp_path):
    with pytest.raises(ValueError, match="is one of the parts"):
        sl.merge(parts[0], parts)
    with pytest.raises(ValueError, match="at least one"):
        sl.merge(tmp_path / "all", [])
    with pytest.raises(sl.RunDirectoryError, match="is no run directory"):
        sl.merge(tmp_path / "all", [tmp_path])
    shutil.copytree(parts[0], tmp_path / "taken")
    (tmp_path / "taken" / "manifest.json").unlink()
    with pytest.raises(sl.RunDirectoryError, match="holds other files"):
        sl.merge(tmp_path / "taken", parts)
    sl.simulate(**{**ARGS, "seed": 1}, deals=620, out=tmp_path / "another")
    with pytest.raises(sl.RunDirectoryError, match="another is no part of the run"):
        sl.merge(tmp_path / "another", parts)


def test_parts_made_by_first_deal(whole, tmp_path):
    sl.simulate(**ARGS, deals=300, out=tmp_path / "a")
    sl.simulate(**ARGS, deals=320, first_deal=300, out=tmp_path / "b")
    merged = sl.merge(tmp_path / "all", [tmp_path / "b", tmp_path / "a"])
    pd.testing.assert_frame_equal(merged.games, whole.games)


def test_which_deals_a_chunk_range_holds():
    assert part_range("0:3", 10, 0, 100) == (0, 30)
    assert part_range((9, 20), 10, 0, 95) == (90, 5)
    assert part_range("1:2", None, 7, 10**9) == (10_007, 10_000)
    for bad, error, said in [
        ("3", ValueError, "chunk_range='3' must be of the form a:b"),
        ("3:3", ValueError, "must hold a chunk"),
        ("10:12", ValueError, "100 deals are 10 chunks of 10, 0 to 9"),
        ((1, 2, 3), TypeError, "pair of whole numbers"),
        ((0, 1.5), TypeError, "second number of chunk_range must be a whole number"),
        (5, TypeError, "pair of whole numbers"),
    ]:
        with pytest.raises(error, match=said):
            part_range(bad, 10, 0, 100)
    with pytest.raises(ValueError, match="chunk_deals=0"):
        part_range("0:1", 0, 0, 100)
    with pytest.raises(ValueError, match="seed must be given"):
        sl.simulate(**{**ARGS, "seed": None}, deals=20, chunk_range="0:1")
    with pytest.raises(ValueError, match="chunk_deals is of use with chunk_range only"):
        sl.simulate(**ARGS, deals=20, chunk_deals=5)


def test_the_command_line(whole, tmp_path, capsys):
    for i, chunk_range in enumerate(RANGES):
        command = "run drei_zu_viel --policies random,lowest,greedy --seed 21 --seatings rotations --deals 620 "
        command += f"--chunk-range {chunk_range} --chunk-deals 70 --resume --out {tmp_path / str(i)}"
        with pytest.raises(SystemExit) as ended:
            main(command.split())
        assert ended.value.code == 0
    with pytest.raises(SystemExit) as ended:
        main(["merge", str(tmp_path / "all"), *(str(tmp_path / str(i)) for i in range(3))])
    assert ended.value.code == 0
    assert "greedy" in capsys.readouterr().out
    pd.testing.assert_frame_equal(sl.load(tmp_path / "all").games, whole.games)


# --- runs of any length ---------------------------------------------------------------------------


@pytest.mark.parametrize("out", [None, "run"])
def test_memory_does_not_grow_with_the_run(monkeypatch, tmp_path, out):
    """Of 200 chunks' statistics only those under way and the sum are in memory at a time, read from files too."""
    alive, most = [0], [0]
    init = Sufficient.__init__

    def counted(self, *arguments):
        init(self, *arguments)
        alive[0] += 1
        most[0] = max(most[0], alive[0])
        weakref.finalize(self, ended)

    def ended():
        alive[0] -= 1

    monkeypatch.setattr(Sufficient, "__init__", counted)
    monkeypatch.setattr("simlib.run.chunk_deals", lambda work: 5)
    runs = sl.simulate(**ARGS, deals=1000, keep="summary", threads=1, out=out and tmp_path / out)
    assert runs.deals == 1000
    assert alive[0] == 1  # the sum
    assert most[0] < 10
    if out:
        assert len(list((tmp_path / out).glob("deals-*"))) == 200


def test_rows_are_written_and_read_a_chunk_at_a_time(monkeypatch, tmp_path):
    """A run of rows in a directory may be larger than memory: a chunk's file is all that is held."""
    alive, most = [0], [0]
    decode = results.decode_rows

    class Rows(np.ndarray):
        """An array that can be watched."""

    def watched(*arguments):
        first, rows = decode(*arguments)
        found = rows.view(Rows)
        alive[0] += 1
        most[0] = max(most[0], alive[0])
        weakref.finalize(found, ended)
        return first, found

    def ended():
        alive[0] -= 1

    monkeypatch.setattr("simlib.run.chunk_deals", lambda work: 20)
    sl.simulate(**ARGS, deals=1000, out=tmp_path)
    monkeypatch.setattr(results, "decode_rows", watched)
    runs = sl.load(tmp_path)
    assert runs.summary().deals[0] == 1000
    assert most[0] <= 2
    assert alive[0] <= 1


def test_long_runs_have_long_chunks():
    """Chunks grow with the run and with the workers, but never hold more rows than fit, nor half a minute."""
    assert _growth(10_000, 10**6, 2, 0) == 1
    assert _growth(10_000, 10**8, 2, 0) == 10
    assert _growth(10_000, 10**12, 2, 0) == 100
    assert _growth(10_000, 10**8, 1280, 0) == 20
    assert _growth(10_000, 10**12, 2, 30) == 100
    assert _growth(10_000, 10**12, 2, 400) == 8


def test_chunks_are_worth_sending():
    """Few deals for many workers: no chunk of less than a third of the usual size, which is 0.1 s."""
    pieces = list(_fair(0, 1000, 300, 300, 64))
    assert pieces == [(at, 100) for at in range(0, 1000, 100)]
    assert sum(n for _, n in _fair(5, 1000, 300, 300, 2)) == 995
