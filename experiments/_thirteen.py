"""What the experiments on Three-Thirteen share: rows of games, paired differences by deal, figures in panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

import simlib as sl
from simlib import plots
from simlib.plots import style
from simlib.stats.intervals import Estimate

GAME = "three_thirteen"
SIZES = tuple(range(3, 14))
#: Options that go through the general search for melds, and what part of the deals they are played with.
SLOW = {"aces": 3, "max_wilds_per_meld": 4, "contract": 10, "lay_off": 3}


def rows(line: Sequence[Any], deals: int, seed: int, rules: Any = None, seatings: str = "fixed") -> Any:
    """Play and return the RESULT rows, shape (deals, seatings)."""
    runs = sl.simulate(GAME, list(line), deals, seed=seed, rules=rules, seatings=seatings, progress=False)
    return np.concatenate([found for _, found in runs.chunks()])


def gains(
    baseline: Any, variants: Mapping[str, Any], deals: int, seed: int, *, opponents: Any = None, rules: Any = None,
    field: str = "score",
) -> dict[str, Estimate]:  # fmt: skip
    """Return what each variant gains (points saved, or another field) in the same seats of the same deals."""
    found = sl.compare(
        GAME, baseline, dict(variants), deals, seed=seed, opponents=opponents, rules=rules, progress=False
    )
    return {name: found.estimate(name, field) for name in variants}


def by_deal(baseline: Any, variant: Any, deals: int, seed: int, rules: Any = None, opponents: Any = None) -> Any:
    """Return what the variant saves on each deal: the mean over all seats of a table of four, float (deals,)."""
    score = []
    for hero in (baseline, variant):
        line = [hero, *[opponents or baseline] * 3]
        runs = sl.simulate(GAME, line, deals, seed=seed, rules=rules, seatings="rotations", progress=False)
        table = np.concatenate([found["score"] for _, found in runs.chunks()])[..., :4].astype(float)
        seats = [list(seating).index(0) for seating in runs.seatings]
        score.append(np.mean([table[:, s, seat] for s, seat in enumerate(seats)], axis=0))
    return score[1] - score[0]


def share_of(deals: int, options: Mapping[str, Any]) -> int:
    """Return with how many deals these options are played: fewer where melding is slow."""
    return max(2, deals // max([SLOW.get(key, 1) for key in options], default=1))


def panels(count: int, width: float, height: float, **more: Any) -> Any:
    """Return the Axes of a new figure of so many panels side by side."""
    import matplotlib.pyplot as plt

    with style.style():
        return plt.subplots(1, count, figsize=(width, height), layout="constrained", **more)[1]


def forest(ax: Any, labelled: Mapping[str, Estimate], title: str, unit: str = "points") -> None:
    """Draw labelled differences."""
    shown = [{"label": n, "difference": e.mean, "lo": e.lo, "hi": e.hi} for n, e in labelled.items()]
    with style.style():
        plots.forest(pd.DataFrame(shown), ax, unit=unit, title=title)


def curves(
    ax: Any, x: Sequence[float], series: Mapping[str, Sequence[Estimate]], xlabel: str, ylabel: str, title: str,
    *, percent: bool = False,
) -> None:  # fmt: skip
    """Draw a curve with its band for each series of estimates."""
    shown = [
        {"x": at, "mean": e.mean, "lo": e.lo, "hi": e.hi, "series": name}
        for name, line in series.items()
        for at, e in zip(x, line, strict=True)
    ]
    with style.style():
        plots.curve(pd.DataFrame(shown), ax, xlabel=xlabel, ylabel=ylabel, title=title, percent=percent)


def of_part(study: Any, part: str) -> dict[str, Estimate]:
    """Return the estimates of a part of a simlib study by their words."""
    return {
        r["what"]: Estimate(r["mean"], float("nan"), r["lo"], r["hi"], int(r["deals"]), int(r["games"]))
        for r in study.part(part).to_dict("records")
    }


def table_of(findings: Sequence[tuple[str, Estimate, str]]) -> pd.DataFrame:
    """Return all findings as a table."""
    return pd.DataFrame(
        {"what": text, "estimate": e.mean, "lo": e.lo, "hi": e.hi, "unit": unit, "deals": e.n_deals, "games": e.n_games}
        for text, e, unit in findings
    )
