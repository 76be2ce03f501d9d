"""Experiments: each runs with few deals and leaves whole files; together they answer every claim of the rule texts."""

from __future__ import annotations

import ast
import importlib
import json
import math
import pathlib
import re
from typing import Any

import pandas as pd
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "results"


def _has_experiment(path: pathlib.Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [
        t.id for node in tree.body if isinstance(node, ast.Assign) for t in node.targets if isinstance(t, ast.Name)
    ]
    return "EXPERIMENT" in names


SCRIPTS = sorted(p.stem for p in (ROOT / "experiments").glob("*.py") if p.stem[0] != "_" and _has_experiment(p))


def _experiment(script: str) -> Any:
    return importlib.import_module(f"experiments.{script}").EXPERIMENT


@pytest.mark.parametrize("script", SCRIPTS)
def test_experiment_runs_with_few_deals(script: str, tmp_path: pathlib.Path) -> None:
    """Issue 6: a test runs each experiment with --quick."""
    from experiments._frame import run

    module = importlib.import_module(f"experiments.{script}")
    directory = run(module.EXPERIMENT, module.study, ["--quick", "--out", str(tmp_path)])
    assert directory == tmp_path / script
    assert {p.name for p in directory.iterdir()} == {"summary.csv", "figure.png", "manifest.json", "finding.md"}
    _check(directory, module.EXPERIMENT, module.EXPERIMENT.quick_deals)


@pytest.mark.parametrize("script", SCRIPTS)
def test_published_results_are_those_of_the_script(script: str) -> None:
    """What lies in results/ was made by the experiment as it stands: its head, its deals, its seed."""
    experiment = _experiment(script)
    _check(RESULTS / script, experiment, experiment.deals)
    manifest = json.loads((RESULTS / script / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["seed"] == experiment.seed


def _check(directory: pathlib.Path, experiment: Any, deals: int) -> None:
    manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    head = ("claim", "question", "hypothesis", "design")
    assert {k: manifest[k] for k in head} == {k: getattr(experiment, k) for k in head}
    assert (manifest["experiment"], manifest["deals"]) == (experiment.name, deals)
    assert manifest["findings"]
    for found in manifest["findings"]:
        assert found["lo"] <= found["estimate"] <= found["hi"], found  # a missing one is None, and fails here
        assert found["deals"] >= 2
    sentences = (directory / "finding.md").read_text(encoding="utf-8").strip().split("\n")
    assert len(sentences) == 3
    assert all(s.endswith(".") and not re.search(r"\b(nan|inf|None)\b", s) for s in sentences), sentences
    table = pd.read_csv(directory / "summary.csv")
    assert len(table)
    for name in {"estimate", "mean", "difference"} & set(table):
        assert table[name].map(math.isfinite).all(), f"{name} is missing in some rows"
    assert (directory / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_overview_is_that_of_the_results() -> None:
    """results/README.md is made by experiments/overview.py from what lies beside it."""
    from experiments.overview import overview

    assert (RESULTS / "README.md").read_text(encoding="utf-8") == overview() + "\n", (
        "run python -m experiments.overview"
    )


#: What the rule texts list to be tested by simulation, and the options that they call assumptions.
CLAIMS = {"drei_zu_viel": range(1, 7), "big_three": range(1, 6), "three_thirteen": range(1, 8)}
ASSUMPTIONS = {
    "drei_zu_viel": [
        *("colour_layout", "neutral_values", "neutral_points", "silver_bonus", "silver_check"),
        *("opening_cards", "refill", "gold_min_colours", "starter"),
    ],
}


def answered(game: str, claims: list[str]) -> set[int]:
    """Return the numbers in ``"big_three, advice 1 and 3–5"`` and the like that are of one game."""
    numbers: set[int] = set()
    for text in claims:
        name, _, rest = text.partition(",")
        if name == game:
            for low, high in re.findall(r"\b(\d+)(?:\s*(?:–|-|to)\s*(\d+))?", rest):
                numbers |= set(range(int(low), int(high or low) + 1))
    return numbers


def test_claim_numbers_are_read() -> None:
    assert answered("big_three", ["big_three, advice 1 and 3–5", "three_thirteen, claim 2"]) == {1, 3, 4, 5}
    assert answered("three_thirteen", ["three_thirteen, claims 2, 4; assumption max_turns"]) == {2, 4}


@pytest.mark.parametrize("game", CLAIMS)
def test_every_claim_is_answered(game: str) -> None:
    """Issue 6: the experiments together answer every claim and piece of advice of the rule texts."""
    claims = [_experiment(script).claim for script in SCRIPTS]
    missing: list[Any] = sorted(set(CLAIMS[game]) - answered(game, claims))
    missing += [a for a in ASSUMPTIONS.get(game, []) if not any(c.startswith(game) and a in c for c in claims)]
    assert not missing, f"no experiment's `claim` names of {game}: {missing}"
