"""How long a comparison plays: a fixed number of deals, until an interval is short enough, or until a test decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simlib.engine import check_count
from simlib.stats._check import check_open_unit, check_positive
from simlib.stats.multiple import split_alpha
from simlib.stats.sequences import BettingSequence, ConfidenceSequence, NormalMixture
from simlib.stats.sequential import StopByInterval, StopBySprt, StoppingRule, look_grid
from simlib.stats.sprt import Sprt

#: Deals of a comparison of fixed size, and at most of one that stops early.
DEALS, MOST_DEALS = 10_000, 1_000_000
#: First look. Intervals of scores rest on the central limit theorem; those of win shares hold from the first deal on.
FIRST_LOOK = {"score": 1_000, "win_share": 200}


@dataclass(frozen=True)
class Stopping:
    """When a comparison ends.

    Attributes
    ----------
    deals : int
        Number of deals; at most so many when it may stop early.
    measure : str
        What the early stop looks at: ``"score"`` or ``"win_share"``.
    level : float
        Confidence level.
    variants : int
        How many variants share the error.
    until : float or None
        Half-width to be reached.
    sprt : tuple (lo, hi, alpha, beta) or None
        Hypotheses and error probabilities of the test.
    """

    deals: int
    measure: str
    level: float
    variants: int
    until: float | None = None
    sprt: tuple[float, float, float, float] | None = None

    @property
    def sequential(self) -> bool:
        """Whether it may stop before all deals are played."""
        return self.until is not None or self.sprt is not None

    @property
    def looks(self) -> tuple[int, ...]:
        """Numbers of deals at which it may stop; they depend on neither chunks nor threads."""
        return look_grid(self.deals, FIRST_LOOK[self.measure]) if self.sequential else (self.deals,)

    def sequence(self, share: bool) -> ConfidenceSequence:
        """The confidence sequence of one variant: by betting for shares, which have bounds, else the normal mixture."""
        alpha = split_alpha(1 - self.level, self.variants)
        return BettingSequence(-1.0, 1.0, alpha) if share else NormalMixture(alpha)

    def rule(self) -> StoppingRule:
        """The rule of one variant."""
        sequence = self.sequence(self.measure == "win_share")
        if self.sprt is not None:
            lo, hi, alpha, beta = self.sprt
            test = Sprt(lo, hi, split_alpha(alpha, self.variants), split_alpha(beta, self.variants))
            return StopBySprt(test, sequence)
        return StopByInterval(sequence, reference=None, half_width=self.until)

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "deals": self.deals,
            "measure": self.measure,
            "level": self.level,
            "until": self.until,
            "sprt": None if self.sprt is None else list(self.sprt),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], variants: int) -> Stopping:
        """The inverse of `as_dict`."""
        sprt = data["sprt"]
        return cls(
            data["deals"], data["measure"], data["level"], variants, data["until"], tuple(sprt) if sprt else None
        )


def make_stopping(
    deals: int | None, until: Any, sprt: Any, *, measure: str, level: float, variants: int, covariates: bool = False
) -> Stopping:
    """Validate and return when to stop. See `simlib.compare` for the arguments."""
    if measure not in FIRST_LOOK:
        raise ValueError(f"measure={measure!r} must be 'score' or 'win_share'")
    check_open_unit(level, "level")
    if until is not None and sprt is not None:
        raise ValueError("until, sprt: only one of them can say when to stop")
    early = until is not None or sprt is not None
    if early and covariates:
        raise ValueError("covariates=True goes with a fixed number of deals, not with until or sprt")
    number = check_count("deals", (MOST_DEALS if early else DEALS) if deals is None else deals, 2)
    width = None if until is None else _half_width(until)
    stopping = Stopping(number, measure, float(level), variants, width, None if sprt is None else _test(sprt))
    if early:
        stopping.rule()  # raises for hypotheses and errors that do not go together
    return stopping


def _half_width(until: Any) -> float:
    """Read a half-width: a number, or a text such as ``"±0.05"`` or ``"+-0.05"``."""
    if isinstance(until, str):
        text = until.strip().removeprefix("±").removeprefix("+-").removeprefix("+/-")
        try:
            until = float(text)
        except ValueError:
            raise ValueError(f"until={until!r} must be a half-width, such as '±0.05' or 0.05") from None
    return check_positive(until, "until")


def _test(sprt: Any) -> tuple[float, float, float, float]:
    """Read (lo, hi) or (lo, hi, alpha, beta)."""
    if not isinstance(sprt, (tuple, list)) or len(sprt) not in (2, 4):
        raise ValueError(f"sprt={sprt!r} must be (lo, hi) or (lo, hi, alpha, beta)")
    try:
        lo, hi, alpha, beta = (float(x) for x in (*sprt, 0.05, 0.05)[:4])
    except (TypeError, ValueError):
        raise TypeError(f"sprt={sprt!r} must hold numbers") from None
    return lo, hi, alpha, beta
