"""Makes ``results/README.md`` from the manifests and findings of all experiments."""

from __future__ import annotations

import json
import pathlib
from typing import Any

from experiments._frame import RESULTS

_GAMES = {"drei": "3 sind eine zu viel!", "big": "Big Three", "thirteen": "Three-Thirteen"}


def overview(results: pathlib.Path = RESULTS) -> str:
    """Return the text: every experiment with its question, findings with intervals, and figure."""
    out = [
        "# Results",
        "",
        "Every claim, piece of advice and assumption of the rule texts, answered by simulation. Made by",
        "`python -m experiments.overview` from the files beside it; `make experiments` plays everything again.",
        "Intervals are 95 % unless said otherwise, clustered by deal.",
        "",
    ]
    for prefix, title in _GAMES.items():
        found = sorted(p.parent for p in results.glob(f"{prefix}_*/manifest.json"))
        if found:
            out += [f"## {title}", ""]
        for directory in found:
            out += _section(directory)
    return "\n".join(out)


def _section(directory: pathlib.Path) -> list[str]:
    manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    finding = (directory / "finding.md").read_text(encoding="utf-8").strip().split("\n")
    what = f"*{manifest['claim']}; {manifest['deals']:,} deals, seed {manifest['seed']}.*"
    out = [f"### {manifest['question']}", "", what, ""]
    out += [" ".join(finding), ""]
    if manifest["findings"]:
        out += ["| finding | estimate | 95 % interval |", "|---|---|---|"]
        out += [_row(f) for f in manifest["findings"]] + [""]
    name = directory.name
    links = f"[table]({name}/summary.csv) · [manifest]({name}/manifest.json)"
    return [*out, f"![{manifest['question']}]({name}/figure.png)", "", links, ""]


def _row(f: dict[str, Any]) -> str:
    """One finding as a line of the table, rounded by the width of its interval."""
    from simlib.report.words import digits_of

    if f["estimate"] is None or f["lo"] is None or f["hi"] is None:
        return f"| {f['text']} | {f['estimate']} {f['unit']} | not known |"
    d = digits_of((f["hi"] - f["lo"]) / 2)
    return f"| {f['text']} | {f['estimate']:.{d}f} {f['unit']} | {f['lo']:.{d}f} … {f['hi']:.{d}f} |"


if __name__ == "__main__":
    (RESULTS / "README.md").write_text(overview() + "\n", encoding="utf-8")
