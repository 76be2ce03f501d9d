"""The command line as a user meets it: output, exit codes, one line for a mistake."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

from simlib import cli


def simlib(capsys, *arguments):
    """Run the command line in this process; return exit code, stdout, stderr."""
    with pytest.raises(SystemExit) as stop:
        cli.main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return stop.value.code, out, err


RUN = ("run", "drei_zu_viel", "--policies", "random,greedy", "--deals", "200", "--seed", "7")


def test_help_lists_every_command():
    done = subprocess.run([sys.executable, "-m", "simlib", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    for command in ("run", "record", "replay", "policies", "rules", "validate", "bench", "check"):
        assert f"\n  {command} " in done.stdout


def test_run_shows_win_rates_with_intervals(capsys):
    code, out, err = simlib(capsys, *RUN, "--seatings", "rotations")
    assert code == 0 and "win rate [95 % interval]" in out
    assert "200 deals × 2 seatings, seed 7" in err


@pytest.mark.parametrize("how", ["csv", "json"])
def test_machine_readable_output(capsys, how):
    code, out, _ = simlib(capsys, *RUN, "--format", how)
    rows = json.loads(out) if how == "json" else out.strip().split("\n")[1:]
    assert code == 0 and len(rows) == 2
    if how == "json":
        assert rows[0]["policy"] == "random" and rows[0]["win_lo"] < rows[0]["win_rate"] < rows[0]["win_hi"]


def test_run_directory_resume_extend(capsys, tmp_path):
    out = str(tmp_path / "r")
    assert simlib(capsys, *RUN, "--out", out)[0] == 0
    code, _, err = simlib(capsys, *RUN, "--out", out)
    assert code == 2 and "already holds this run" in err and err.count("\n") == 1
    assert simlib(capsys, *RUN, "--out", out, "--resume")[0] == 0
    more = [a if a != "200" else "300" for a in RUN]
    assert simlib(capsys, *more, "--out", out, "--extend")[0] == 0
    code, text, _ = simlib(capsys, "replay", out, "--deal", "299")
    assert code == 0 and "deal 299" in text


def test_record_and_replay(capsys, tmp_path):
    file = tmp_path / "g.jsonl"
    assert (
        simlib(
            capsys,
            "record",
            "drei_zu_viel",
            "--policies",
            "random,lowest",
            "--deals",
            "3",
            "--seed",
            "1",
            "--out",
            file,
        )[0]
        == 0
    )
    assert len(file.read_text().splitlines()) == 3
    code, out, err = simlib(capsys, "replay", file)
    assert code == 0 and out.count("drei_zu_viel, seed 1") == 3 and "3 games, all right" in err
    code, out, _ = simlib(capsys, "replay", file, "--check")
    assert code == 0 and out == ""


def test_set_changes_rules(capsys):
    code, out, _ = simlib(
        capsys, "rules", "drei_zu_viel", "--set", "silver_bonus=9,3", "--set", "opening_cards=0", "--format", "json"
    )
    values = {row["option"]: row["value"] for row in json.loads(out)}
    assert code == 0 and values["silver_bonus"] == [9, 3] and values["opening_cards"] == 0


def test_policies_and_rules_are_readable(capsys):
    assert "best immediate change" in simlib(capsys, "policies", "drei_zu_viel")[1]
    assert "opening" in simlib(capsys, "rules", "drei_zu_viel")[1]


def test_check_tells_with_its_exit_code(capsys, tmp_path):
    assert simlib(capsys, "check", "drei_zu_viel/lowest")[0] == 0
    file = tmp_path / "mine.py"
    file.write_text("import simlib as sl\n@sl.policy('drei_zu_viel')\ndef bad(view, ctx):\n    return 50\n")
    code, out, _ = simlib(capsys, "check", f"drei_zu_viel/{file}::bad")
    assert code == 1 and "illegal action 50" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "drei", "--policies", "random"], "did you mean 'drei_zu_viel'"),
        (["run", "drei_zu_viel", "--policies", "randon,lowest"], "did you mean 'random'"),
        (["run", "drei_zu_viel", "--policies", "greedy:gold,lowest"], "not of the form key=value"),
        (["run", "drei_zu_viel", "--policies", "random,lowest", "--deals", "0"], "deals=0"),
        (["run", "drei_zu_viel", "--policies", "random,lowest", "--deals", "-1"], "deals=-1"),
        (["run", "drei_zu_viel", "--policies", "random,lowest", "--seed", "x"], "--seed"),
        (["run", "drei_zu_viel", "--policies", "random,lowest", "--set", "opening_cards"], "must be key=value"),
        (["run", "drei_zu_viel", "--policies", "random,lowest", "--set", "opening_cards=9"], "opening_cards=9"),
        (["run", "drei_zu_viel", "--policies", "random,lowest", "--set", "nope=9"], "no rule option 'nope'"),
        (["run", "drei_zu_viel", "--policies", "random,lowest", "--format", "xml"], "must be table, csv or json"),
        (["run", "drei_zu_viel", "--policies", "random"], "2 to 4 players"),
        (["run", "drei_zu_viel", "--policies", "nofile.py::x,random"], "there is no file"),
        (["replay", "/nonexistent.jsonl"], "/nonexistent.jsonl"),
        (["nosuch"], "nosuch"),
        (["run"], "game"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(capsys, arguments, message):
    code, out, err = simlib(capsys, *arguments)
    assert code == 2 and out == ""
    assert message in err and err.startswith("simlib: ") and err.count("\n") == 1


def test_damaged_records_are_named_by_file_and_line(capsys, tmp_path):
    file = tmp_path / "g.jsonl"
    simlib(
        capsys, "record", "drei_zu_viel", "--policies", "random,lowest", "--deals", "2", "--seed", "1", "--out", file
    )
    good = file.read_text()
    first, second = good.splitlines()
    cases = {
        first + "\n" + second[: len(second) // 2]: "g.jsonl:2: no JSON",
        first + "\n" + second.replace('"seed": 1, ', ""): "g.jsonl:2: the record has no field 'seed'",
        first + "\n" + json.dumps(tampered(json.loads(second))): "g.jsonl:2: events[0]",
    }
    for text, message in cases.items():
        file.write_text(text)
        code, _, err = simlib(capsys, "replay", file, "--check")
        assert code == 2 and message in err and "Traceback" not in err


def tampered(record):
    """The first player plays a card that they do not hold."""
    record["events"][0]["play"] = record["events"][1]["play"]
    return record


def test_a_second_run_starts_quickly(tmp_path):
    """No figures here (machines differ): a process that plays one deal imports nothing heavy before it plays."""
    code = (
        "import sys, simlib.run as r\n"
        "from simlib.engine import make_work, play_range\n"
        "play_range(make_work('drei_zu_viel', 'random,lowest', 1), 0, 1)\n"
        "print(*(m for m in ('pandas', 'pyarrow', 'scipy.stats', 'matplotlib', 'rich') if m in sys.modules))"
    )
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "", (
        f"imported before the first game: {done.stdout} ({time.perf_counter() - start:.1f} s)"
    )
