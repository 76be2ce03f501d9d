"""The frame of every experiment: arguments, files, findings.

An experiment is a script with its question, hypothesis, design, deals and seed in its head, and one function
``study(deals, seed) -> Study``. Running it writes ``results/<name>/``: ``summary.csv``, ``figure.png``,
``manifest.json`` and ``finding.md``; ``results/README.md`` is made from all of them by ``python -m
experiments.overview``.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

import simlib as sl
from simlib.stats.intervals import Estimate

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "results"


@dataclass(frozen=True)
class Experiment:
    """What stands in the head of a script.

    Attributes
    ----------
    name : str
        Also the name of its results directory.
    question, hypothesis, design : str
        A sentence or two each.
    claim : str
        The claim, advice or assumption of the rule text that it answers, as ``"drei_zu_viel, claim 4"``.
    deals, quick_deals : int
        Deals of the published result, and of a try-out.
    seed : int
    """

    name: str
    question: str
    hypothesis: str
    design: str
    claim: str
    deals: int
    quick_deals: int = 40
    seed: int = 2026


@dataclass
class Study:
    """What an experiment found.

    Attributes
    ----------
    table : DataFrame
        The summary, with intervals.
    axes : Axes
        Of the figure.
    findings : list of (text, Estimate, unit)
        The numbers that answer the question.
    sentences : list of str
        Three sentences: what was found, how sure it is, what it means.
    """

    table: pd.DataFrame
    axes: Any
    sentences: Sequence[str]
    findings: list[tuple[str, Estimate, str]] = field(default_factory=list)


def run(
    experiment: Experiment, study: Callable[[int, int], Study], arguments: Sequence[str] | None = None
) -> pathlib.Path:
    """Read the arguments, do the study, write its files; return the directory."""
    parser = argparse.ArgumentParser(description=f"{experiment.question} {experiment.design}")
    parser.add_argument("--deals", type=int, help=f"number of deals (published: {experiment.deals:,})")
    parser.add_argument("--seed", type=int, default=experiment.seed)
    parser.add_argument("--out", type=pathlib.Path, default=RESULTS, help="directory of results")
    parser.add_argument("--quick", action="store_true", help=f"try it out with {experiment.quick_deals} deals")
    options = parser.parse_args(arguments)
    deals = options.deals or (experiment.quick_deals if options.quick else experiment.deals)
    if deals < 2:
        parser.error(f"--deals {deals}: at least 2")
    import matplotlib

    matplotlib.use("Agg")
    start = time.perf_counter()
    found = study(deals, options.seed)
    directory: pathlib.Path = options.out / experiment.name
    _write(directory, experiment, found, deals, options.seed, time.perf_counter() - start)
    print(f"{directory.name}: {' '.join(found.sentences)}", file=sys.stderr)
    return directory


def _write(
    directory: pathlib.Path, experiment: Experiment, found: Study, deals: int, seed: int, seconds: float
) -> None:
    import matplotlib.pyplot as plt
    import numba
    import numpy as np

    from simlib.plots.style import style

    directory.mkdir(parents=True, exist_ok=True)
    found.table.to_csv(directory / "summary.csv", index=False, float_format="%.6g")
    with style():
        found.axes.figure.savefig(directory / "figure.png", dpi=140)
    plt.close(found.axes.figure)
    (directory / "finding.md").write_text("\n".join(found.sentences) + "\n", encoding="utf-8")
    manifest = {
        "experiment": experiment.name,
        "claim": experiment.claim,
        "question": experiment.question,
        "hypothesis": experiment.hypothesis,
        "design": experiment.design,
        "deals": deals,
        "seed": seed,
        "findings": [_finding(*f) for f in found.findings],
        "seconds": round(seconds, 1),
        "simlib": sl.__version__,
        "environment": {"python": platform.python_version(), "numpy": np.__version__, "numba": numba.__version__},
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (directory / "manifest.json").write_text(text, encoding="utf-8")


def _finding(text: str, estimate: Estimate, unit: str) -> dict[str, Any]:
    """One number as plain values; an infinite limit becomes null."""

    def finite(value: float) -> float | None:
        return float(value) if math.isfinite(value) else None

    return {
        "text": text,
        "estimate": finite(estimate.mean),
        "lo": finite(estimate.lo),
        "hi": finite(estimate.hi),
        "unit": unit,
        "level": estimate.level,
        "deals": estimate.n_deals,
    }


def say(estimate: Estimate, unit: str = "", *, percent: bool = False) -> str:
    """Return an estimate with its interval as text."""
    from simlib.report.words import interval_text

    scale = 100 if percent else 1
    unit = " %" if percent else f" {unit}" if unit else ""
    return interval_text(scale * estimate.mean, scale * estimate.lo, scale * estimate.hi, unit)


def rows_of(labelled: dict[str, Estimate], name: str = "what") -> pd.DataFrame:
    """Return a table of labelled estimates: label, estimate, lo, hi, se, deals, games."""
    return pd.DataFrame(
        [
            {name: label, "estimate": e.mean, "lo": e.lo, "hi": e.hi, "se": e.se}
            | {"deals": e.n_deals, "games": e.n_games}
            for label, e in labelled.items()
        ]
    )


def verdict(estimate: Estimate, yes: str, no: str, unclear: str) -> str:
    """Return `yes` when the interval lies above zero, `no` below, else `unclear`."""
    if estimate.lo > 0:
        return yes
    return no if estimate.hi < 0 else unclear
