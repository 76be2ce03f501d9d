"""Figures. Each function takes Axes or makes them, draws intervals, names units, and returns the Axes."""

from __future__ import annotations

from simlib.plots.big_three import chips_by_bid, declarer_estimates, declarer_wins
from simlib.plots.development import lead_changes, mean_by_part, score_by_part, win_by_lead
from simlib.plots.facade import ComparisonPlots, RunPlots
from simlib.plots.generic import bars, curve, forest, payoffs
from simlib.plots.models import bid_values, break_even, calibration, calibration_table, crossing
from simlib.plots.runs import convergence, score_ridges, scores, win_rates
from simlib.plots.three_thirteen import out_by_round, penalties_by_round

__all__ = [
    "ComparisonPlots",
    "RunPlots",
    "bars",
    "bid_values",
    "break_even",
    "calibration",
    "calibration_table",
    "chips_by_bid",
    "convergence",
    "crossing",
    "curve",
    "declarer_estimates",
    "declarer_wins",
    "forest",
    "lead_changes",
    "mean_by_part",
    "out_by_round",
    "payoffs",
    "penalties_by_round",
    "score_by_part",
    "score_ridges",
    "scores",
    "win_by_lead",
    "win_rates",
]
