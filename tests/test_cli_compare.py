"""simlib compare and simlib plan on the command line."""

from __future__ import annotations

import csv
import io
import json

import pytest

import simlib as sl
from simlib import cli
from simlib.analysis import compare as module

COMMON = ["compare", "drei_zu_viel", "--baseline", "random", "--seed", "7"]


def run(capsys, *arguments):
    """Exit code, stdout and stderr of the command."""
    code = 0
    try:
        cli.main(list(arguments))
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out, err


def test_table(capsys):
    code, out, err = run(
        capsys, *COMMON, "--variants", "greedy,highest", "--deals", "60", "--opponents", "lowest,random"
    )
    assert code == 0
    assert "greedy" in out and "highest" in out and "points more [95 %]" in out and "pairing saves" in out
    assert "60 deals × 3 seatings, seed 7; instead of random against lowest, random" in err


def test_json_is_the_table_of_the_library(capsys):
    code, out, _ = run(capsys, *COMMON, "--variants", "greedy", "--deals", "60", "--format", "json")
    rows = json.loads(out)
    expected = sl.compare("drei_zu_viel", "random", ["greedy"], 60, seed=7).table.to_dict("records")
    assert code == 0
    assert {k: v for k, v in rows[0].items() if k != "seconds"} == pytest.approx(
        {k: v for k, v in expected[0].items() if k != "seconds"}
    )


def test_rules_and_csv(capsys):
    code, out, _ = run(
        capsys, *COMMON, "--rules", "opening_cards=0;neutral_points=2", "--rules", "opening_cards=2", "--deals", "30",
        "--set", "players=3", "--format", "csv",
    )  # fmt: skip
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [r["variant"] for r in rows] == ["opening_cards=0;neutral_points=2", "opening_cards=2"]


def test_early_stop(capsys):
    code, out, _ = run(capsys, *COMMON, "--variants", "greedy", "--sprt", "0,1", "--covariates")
    assert code == 2
    code, out, _ = run(capsys, *COMMON, "--variants", "greedy", "--sprt", "0,1,0.05,0.05")
    assert code == 0
    assert "at least 1 accepted after 1,000 deals" in " ".join(out.split())
    code, out, _ = run(capsys, *COMMON, "--variants", "greedy", "--until", "±0.05", "--measure", "win_share")
    assert code == 0 and "precise after" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "--variants or --rules: at least one variant must be given"),
        (["--variants", "gredy"], "did you mean 'greedy'"),
        (["--variants", "greedy", "--sprt", "a,b"], "--sprt a,b: must be lo,hi or lo,hi,alpha,beta"),
        (["--variants", "greedy", "--until", "soon"], "until='soon'"),
        (["--variants", "greedy", "--format", "xml"], "--format xml"),
        (["--variants", "greedy", "--rules", "opening"], "--set opening: must be key=value"),
    ],
)
def test_mistakes_are_one_line(capsys, arguments, text):
    code, out, err = run(capsys, *COMMON, *arguments)
    assert (code, out) == (2, "")
    assert text in err and err.count("\n") == 1 and err.startswith("simlib: ")


def test_ctrl_c_shows_and_keeps_what_was_played(capsys, monkeypatch, tmp_path):
    real = module.run_ranges

    def stopped(*args, **kwargs):
        for n, piece in enumerate(real(*args, **kwargs)):
            yield piece
            if n == 3:
                raise KeyboardInterrupt

    arguments = [*COMMON, "--variants", "greedy", "--deals", "300", "--threads", "1", "--out", str(tmp_path)]
    with monkeypatch.context() as patch:
        patch.setattr(module, "run_ranges", stopped)
        patch.setattr(module, "chunk_deals", lambda work: 80)
        code, out, err = run(capsys, *arguments)
    assert code == 130
    assert "greedy" in out and f"go on with --out {tmp_path} --resume" in err
    code, _, err = run(capsys, *arguments, "--resume")
    assert code == 0 and "300 deals" in err


def test_plan(capsys):
    arguments = ["plan", "drei_zu_viel", "--baseline", "random", "--half-width", "0.5", "--pilot", "60", "--seed", "3"]
    code, out, err = run(capsys, *arguments, "--variant", "greedy")
    assert code == 0
    assert "paired, until" in out and "unpaired" in out and "plan for ±0.5 points" in err
    code, out, _ = run(capsys, *arguments, "--variant", "greedy", "--format", "json")
    assert json.loads(out)[0]["design"] == "paired"
    code, out, _ = run(capsys, *arguments, "--rules", "opening_cards=0")
    assert code == 0
    code, _, err = run(capsys, *arguments)
    assert code == 2 and "--variant or --rules: exactly one variant must be given" in err
