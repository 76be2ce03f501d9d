"""Big Three for people: ``sl.big_three.bid_value("3h 3d 2s …")`` and what else the game's own questions need."""

from __future__ import annotations

from simlib.analysis.big_three.bid_value import BidValue, bid_value
from simlib.analysis.big_three.counterfactuals import BreakEven, Counterfactuals, counterfactuals
from simlib.analysis.big_three.hands import Combination, beats, classify, combinations, min_turns
from simlib.analysis.big_three.lead_widow import first_bidder, lead_value, shape_cost, widow_value
from simlib.analysis.big_three.match import Match, match
from simlib.analysis.big_three.model import BidModel
from simlib.analysis.big_three.thresholds import Thresholds, equilibrium
from simlib.analysis.study import Study
from simlib.games.big_three.scenario import make_scenario as scenario

__all__ = [
    "BidModel",
    "BidValue",
    "BreakEven",
    "Combination",
    "Counterfactuals",
    "Match",
    "Study",
    "Thresholds",
    "beats",
    "bid_value",
    "classify",
    "combinations",
    "counterfactuals",
    "equilibrium",
    "first_bidder",
    "lead_value",
    "match",
    "min_turns",
    "scenario",
    "shape_cost",
    "widow_value",
]
