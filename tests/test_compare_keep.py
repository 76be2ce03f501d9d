"""Comparisons kept in a directory: saved, resumed, refused; Ctrl-C."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import simlib as sl
from simlib.analysis import compare as module

ARGS = {
    "game": "drei_zu_viel",
    "baseline": "random",
    "variants": ["greedy", "lowest"],
    "seed": 5,
    "opponents": "lowest",
}


@pytest.fixture(scope="module")
def whole():
    return sl.compare(**ARGS, deals=400)


def same(a, b):
    pd.testing.assert_frame_equal(a.table.drop(columns="seconds"), b.table.drop(columns="seconds"), check_exact=True)
    pd.testing.assert_frame_equal(a.by_seat, b.by_seat, check_exact=True)


def test_what_is_kept_is_read_again(tmp_path, whole):
    out = tmp_path / "c"
    found = sl.compare(**ARGS, deals=400, out=out)
    same(found, whole)
    read = sl.load_comparison(out)
    same(read, whole)
    assert read.manifest == found.manifest
    assert repr(read) == repr(whole)
    with pytest.raises(sl.RunDirectoryError, match=r"already holds this comparison.*--resume"):
        sl.compare(**ARGS, deals=400, out=out)
    same(sl.compare(**ARGS, deals=400, out=out, resume=True), whole)


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"seed": 6}, "seed"),
        ({"opponents": "random"}, r"opponents\[0\].policy"),
        ({"variants": ["greedy", "highest"]}, r"variants\[1\].name"),
        ({"rules": {"opening_cards": 0}}, "baseline.rules.opening_cards"),
        ({"deals": 300}, "stopping.deals"),
        ({"level": 0.9}, "stopping.level"),
    ],
)
def test_another_comparison_is_refused_by_name(tmp_path, changed, key):
    sl.compare(**ARGS, deals=20, out=tmp_path)
    with pytest.raises(sl.RunDirectoryError, match=rf"holds another comparison: {key}"):
        sl.compare(**{**ARGS, "deals": 20, **changed}, out=tmp_path, resume=True)


def interrupt(monkeypatch, after):
    """Ctrl-C once so many pieces have come in."""
    real, n = module.run_ranges, 0

    def stopped(*args, **kwargs):
        nonlocal n
        for piece in real(*args, **kwargs):
            yield piece
            n += 1
            if n >= after:
                raise KeyboardInterrupt

    monkeypatch.setattr(module, "run_ranges", stopped)
    monkeypatch.setattr(module, "chunk_deals", lambda work: 90)


@pytest.mark.parametrize("how", [{"deals": 400}, {"until": "±0.8", "measure": "score"}], ids=str)
def test_ctrl_c_keeps_what_was_played(tmp_path, monkeypatch, how):
    expected = sl.compare(**ARGS, **how)
    with monkeypatch.context() as patch:
        interrupt(patch, 6)
        with pytest.raises(KeyboardInterrupt) as stop:
            sl.compare(**ARGS, **how, out=tmp_path, threads=1)
    partial = stop.value.partial
    assert isinstance(stop.value, sl.ComparisonInterrupted)
    assert 0 < partial.deals < expected.deals and not partial.manifest["complete"]
    same(sl.load_comparison(tmp_path), partial)
    if "deals" in how:
        same(partial, sl.compare(**ARGS, deals=partial.deals))
    resumed = sl.compare(**ARGS, **how, out=tmp_path, resume=True)
    same(resumed, expected)
    assert resumed.manifest["decisions"] == expected.manifest["decisions"]


def test_damaged_and_missing_files_are_named(tmp_path):
    with pytest.raises(sl.RunDirectoryError, match=r"comparison\.json: cannot be read"):
        sl.load_comparison(tmp_path)
    sl.compare(**ARGS, deals=20, out=tmp_path)
    file = tmp_path / "comparison.json"
    text = file.read_text()
    for damaged in (
        text[:200],
        text.replace("simlib-comparison/1", "other/7"),
        json.dumps({"format": "simlib-comparison/1"}),
    ):
        file.write_text(damaged)
        with pytest.raises(sl.RunDirectoryError, match=r"comparison\.json: (is damaged|has format)"):
            sl.load_comparison(tmp_path)


def test_a_run_directory_is_no_place_for_a_comparison(tmp_path):
    sl.simulate("drei_zu_viel", ["random", "lowest"], deals=5, seed=1, out=tmp_path)
    with pytest.raises(sl.RunDirectoryError, match="holds a run; a comparison needs a directory of its own"):
        sl.compare(**ARGS, deals=20, out=tmp_path)


def test_resuming_needs_the_seed(tmp_path):
    sl.compare(**ARGS, deals=20, out=tmp_path)
    with pytest.raises(ValueError, match=r"seed: must be given to go on.*seed=5"):
        sl.compare(**{**ARGS, "seed": None}, deals=20, out=tmp_path, resume=True)


def test_a_notebook_shows_the_table(whole):
    assert "<table" in whole._repr_html_() and "greedy" in whole._repr_html_()
    assert "400 deals" in repr(whole)
