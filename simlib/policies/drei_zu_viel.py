"""Policies for *3 sind eine zu viel!*"""

from __future__ import annotations

from simlib.policies.base import policy
from simlib.rng import below


@policy("drei_zu_viel")
def random(view, ctx):  # type: ignore[no-untyped-def]
    """Play any card of the hand, each equally likely."""
    return below(ctx.rng, int(view.hand_n[view.seat]))


@policy("drei_zu_viel")
def lowest(view, ctx):  # type: ignore[no-untyped-def]
    """Always play the lowest card."""
    return 0


@policy("drei_zu_viel")
def highest(view, ctx):  # type: ignore[no-untyped-def]
    """Always play the highest card."""
    return int(view.hand_n[view.seat]) - 1


POLICIES = (random, lowest, highest)
