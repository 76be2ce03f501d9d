"""Smoke test of the installed wheel, run outside the source tree: import, data files, a small run, the command."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import simlib as sl

SOURCE = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = pathlib.Path(sl.__file__).resolve().parent


def main() -> None:
    """Fail with a sentence at the first thing that is wrong."""
    assert SOURCE not in PACKAGE.parents, f"simlib was imported from the source tree: {PACKAGE}"
    names = {path.relative_to(SOURCE / "simlib") for path in (SOURCE / "simlib").rglob("*") if path.is_file()}
    missing = sorted(str(n) for n in names if "__pycache__" not in n.parts and not (PACKAGE / n).exists())
    assert not missing, f"the wheel lacks {missing}"
    for game in sl.GAMES:
        assert (PACKAGE / "games" / game / "RULES.md").is_file(), f"no RULES.md of {game}"
        players = sl.GAMES[game].min_players
        runs = sl.simulate(game, ["random"] * players, deals=20, seed=7)
        assert len(runs.games) == 20, f"{game}: {len(runs.games)} rows for 20 deals"
        print(f"{game}: 20 deals played by the installed package")
    command = pathlib.Path(sys.executable).parent / "simlib"
    for arguments in (["--help"], ["policies", "drei_zu_viel"], ["rules", "drei_zu_viel"]):
        done = subprocess.run([command, *arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and done.stdout, f"simlib {' '.join(arguments)}: {done.stderr or 'printed nothing'}"
    print("simlib --help, policies, rules: fine")


main()
