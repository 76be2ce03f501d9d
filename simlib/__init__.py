"""simlib: Monte Carlo strategy analysis for three card games.

>>> import simlib as sl
>>> runs = sl.simulate("drei_zu_viel", ["lowest", "random"], deals=100, seed=7)
>>> list(runs.summary().policy)
['lowest', 'random']

Names are imported when they are first used, so that ``import simlib`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from simlib._version import __version__

_WHERE = {
    "simlib.analysis.compare": ("ComparisonInterrupted", "compare"),
    "simlib.analysis.comparison": ("Comparison", "load_comparison"),
    "simlib.analysis.disagreements": ("Disagreements", "disagreements"),
    "simlib.analysis.plan": ("Plan", "plan"),
    "simlib.analysis.standings": ("Tournament",),
    "simlib.analysis.tournament": ("tournament",),
    "simlib.analysis.tune": ("Tuned", "tune"),
    "simlib.batch": ("Batch",),
    "simlib.checking": ("Check", "check"),
    "simlib.errors": (
        "ExecutorError",
        "IllegalAction",
        "PolicyError",
        "RecordError",
        "RunDirectoryError",
        "SimlibError",
        "WorkerError",
    ),
    "simlib.games": ("GAMES",),
    "simlib.parts": ("merge",),
    "simlib.policies": ("Policy", "policies", "policy"),
    "simlib.results": ("Runs", "load"),
    "simlib.run": ("simulate",),
    "simlib.rulebook": ("rules",),
    "simlib.validation": ("validate",),
}
_MODULE = {name: module for module, names in _WHERE.items() for name in names}

if TYPE_CHECKING:
    from simlib.analysis.compare import ComparisonInterrupted, compare
    from simlib.analysis.comparison import Comparison, load_comparison
    from simlib.analysis.disagreements import Disagreements, disagreements
    from simlib.analysis.plan import Plan, plan
    from simlib.analysis.standings import Tournament
    from simlib.analysis.tournament import tournament
    from simlib.analysis.tune import Tuned, tune
    from simlib.batch import Batch
    from simlib.checking import Check, check
    from simlib.errors import (
        ExecutorError,
        IllegalAction,
        PolicyError,
        RecordError,
        RunDirectoryError,
        SimlibError,
        WorkerError,
    )
    from simlib.games import GAMES
    from simlib.parts import merge
    from simlib.policies import Policy, policies, policy
    from simlib.results import Runs, load
    from simlib.rulebook import rules
    from simlib.run import simulate
    from simlib.validation import validate

__all__ = [
    "GAMES",
    "Batch",
    "Check",
    "Comparison",
    "ComparisonInterrupted",
    "Disagreements",
    "ExecutorError",
    "IllegalAction",
    "Plan",
    "Policy",
    "PolicyError",
    "RecordError",
    "RunDirectoryError",
    "Runs",
    "SimlibError",
    "Tournament",
    "Tuned",
    "WorkerError",
    "__version__",
    "check",
    "compare",
    "disagreements",
    "load",
    "load_comparison",
    "merge",
    "plan",
    "policies",
    "policy",
    "rules",
    "simulate",
    "tournament",
    "tune",
    "validate",
]


def __getattr__(name: str) -> Any:
    if name in _MODULE:
        value = getattr(importlib.import_module(_MODULE[name]), name)
        globals()[name] = value
        return value
    if name in ("drei_zu_viel", "big_three", "three_thirteen"):
        return importlib.import_module(f"simlib.{name}")
    raise AttributeError(f"module 'simlib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE})
