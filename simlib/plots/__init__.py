"""Figures. Each function takes Axes or makes them, draws intervals, names units, and returns the Axes."""

from __future__ import annotations

from simlib.plots.runs import RunPlots, convergence, lead_changes, score_by_part, scores, win_by_lead, win_rates

__all__ = ["RunPlots", "convergence", "lead_changes", "score_by_part", "scores", "win_by_lead", "win_rates"]
