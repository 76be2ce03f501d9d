"""What the experiments on Big Three share: a way of playing tried in each role, and pictures of several parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

import simlib as sl
from simlib.stats.intervals import Estimate, paired_difference, t_quantile

GAME = "big_three"
#: Who plays the way in question (1) and who the rest (0), when seat 0 declares; who sits after or before it.
ROLES = {
    "declarer": (1, 0, 0),
    "defender after": (0, 1, 0),
    "defender before": (0, 0, 1),
    "both defenders": (0, 1, 1),
}


def declared(line: list[Any], deals: int, seed: int, *, rules: Any = None, **scenario: Any) -> np.ndarray:
    """Return the result rows of deals that seat 0 declares at 1, whatever it holds; the lowest heart leads."""
    setup = sl.big_three.scenario(sl.rules(GAME, **(rules or {})), declarer=0, bid=1, **scenario)
    runs = sl.simulate(GAME, line, deals, seed=seed, rules=rules, scenario=setup, progress=False)
    return np.concatenate([rows[:, 0] for _, rows in runs.chunks()])


def by_role(way: Any, other: Any, rest: Any, deals: int, seed: int, **more: Any) -> dict[str, Estimate]:
    """Return what a role's party gains in its chance to win by playing one way rather than another, on the "
    "same deals."""
    found = {}
    for role, seats in ROLES.items():
        won = []
        for policy in (way, other):
            rows = declared([policy if mine else rest for mine in seats], deals, seed, **more)
            won.append(rows["won"][:, seats.index(1)].astype(np.int64))
        found[role] = paired_difference(*won)
    return found


def estimates(study: Any, part: str) -> dict[str, Estimate]:
    """Return the estimates of one part of a study of `simlib.big_three` by their words."""
    found = {}
    for r in study.part(part).to_dict("records"):
        se = (r["hi"] - r["lo"]) / 2 / t_quantile(0.95, max(1, r["deals"] - 1))
        found[r["what"]] = Estimate(
            r["mean"], se, r["lo"], r["hi"], r["deals"], r["games"], 0.95, r["deals"] - 1, "t clustered by deal"
        )
    return found


def differences(found: Mapping[str, Estimate]) -> pd.DataFrame:
    """Return labelled estimates as the table that `simlib.plots.forest` draws."""
    return pd.DataFrame([{"label": k, "difference": e.mean, "lo": e.lo, "hi": e.hi} for k, e in found.items()])


def panels(rows: int, columns: int, width: float, height: float, heights: list[int] | None = None) -> Any:
    """Return the Axes of a figure of several panels, flat; the rows' heights may be in proportion to `heights`."""
    import matplotlib.pyplot as plt

    from simlib.plots.style import style

    with style():
        _, axes = plt.subplots(
            rows, columns, figsize=(width, height), layout="constrained", squeeze=False, height_ratios=heights
        )
    return axes.ravel()


def tried(
    ways: Mapping[str, Any], other: Any, deals: int, seed: int, rests: tuple[str, ...] = ("tips", "counting")
) -> dict[str, dict[str, Estimate]]:
    """Return what each way of playing gains over another: chance to win by role, and chips with the auction.

    The keys are ``"chance, rest"`` and ``"chips, rest"`` for all who may hold the other seats; below them the ways.
    """
    found: dict[str, dict[str, Estimate]] = {}
    for rest in rests:
        chance: dict[str, Estimate] = {}
        for name, way in ways.items():
            gained = by_role(way, other, rest, deals, seed)
            chance |= {f"{name}: {role}" if len(ways) > 1 else role: e for role, e in gained.items()}
        found[f"chance, {rest}"] = chance
        played = sl.compare(GAME, other, dict(ways), deals, opponents=rest, seed=seed, progress=False)
        found[f"chips, {rest}"] = {name: played.estimate(name) for name in ways}
    return found


def long_table(found: Mapping[str, Mapping[str, Estimate]]) -> pd.DataFrame:
    """Return estimates in two levels as one table, p adjusted over all of them (Holm)."""
    from simlib.stats.multiple import holm

    flat = [(part, what, e) for part, group in found.items() for what, e in group.items()]
    p = holm([e.p_value() if np.isfinite(e.se) and e.se > 0 else 1.0 for _, _, e in flat])
    return pd.DataFrame([
        {"part": part, "what": what, "estimate": e.mean, "lo": e.lo, "hi": e.hi, "p_holm": q, "deals": e.n_deals}
        for (part, what, e), q in zip(flat, p, strict=True)
    ])  # fmt: skip


def tried_figure(found: Mapping[str, Mapping[str, Estimate]], title: str) -> Any:
    """Draw what `tried` found: chances by role in one panel for each rest of the table, chips below."""
    from simlib import plots

    parts = sorted(found)
    rows = [max(len(found[p]) for p in parts if p.startswith(what)) for what in ("chance", "chips")]
    axes = panels(2, len(parts) // 2, 12.5, 3.4 + 0.36 * sum(rows), [2 + n for n in rows])
    for ax, part in zip(axes, parts, strict=True):
        what, rest = part.split(", ")
        text = "chance to win" if what == "chance" else "chips a deal"
        plots.forest(
            differences(found[part]), ax, unit="%" if what == "chance" else "chips", title=f"{text}, among {rest}"
        )
    axes[0].figure.suptitle(title)
    return axes[0]
