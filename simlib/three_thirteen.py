"""Three-Thirteen for people: ``sl.three_thirteen.best_melds("4h 5h 3c", wild="3")``, advice, and its own questions."""

from __future__ import annotations

from simlib.analysis.study import Study
from simlib.analysis.three_thirteen.advise import Advice, advise
from simlib.analysis.three_thirteen.choices import upcard_value, waiting
from simlib.analysis.three_thirteen.claims import claims
from simlib.analysis.three_thirteen.questions import VARIANTS, going_out, leads, penalties, rule_effects
from simlib.games.three_thirteen import Melds, best_melds

__all__ = [
    "VARIANTS",
    "Advice",
    "Melds",
    "Study",
    "advise",
    "best_melds",
    "claims",
    "going_out",
    "leads",
    "penalties",
    "rule_effects",
    "upcard_value",
    "waiting",
]
