"""The benchmark measures what it says; no figure is judged here."""

from __future__ import annotations

import contextlib
import json

from simlib.bench import bench
from simlib.cli import main


def test_bench_measures_each_policy_beside_the_calibration_loop():
    found = bench(["drei_zu_viel"], ["lowest", "greedy"], seconds=0.01, repeats=3)
    assert found["calibration"] > 0 and found["machine"]["processors"] >= 1
    assert [(r["game"], r["policy"], r["players"]) for r in found["rows"]] == [
        ("drei_zu_viel", "lowest", 4),
        ("drei_zu_viel", "greedy", 4),
    ]
    for row in found["rows"]:
        assert 0 < row["lowest"] <= row["games_per_million_draws"] <= row["highest"]
        assert row["games_per_s"] > 0
    assert not bench(["drei_zu_viel"], ["nobody"], seconds=0.01, repeats=1)["rows"]


def test_bench_command(capsys):
    command = ["bench", "drei_zu_viel", "--policies", "lowest", "--seconds", "0.01"]
    for how in ("table", "json"):
        with contextlib.suppress(SystemExit):
            main([*command, "--format", how])
    text = capsys.readouterr().out
    table, found = text[: text.index("{")], json.loads(text[text.index("{") :])
    assert "lowest" in table and "e+" not in table
    assert found["rows"][0]["policy"] == "lowest"
