"""Putting a bidder and a card player together."""

from __future__ import annotations

from simlib._dispatch import ask
from simlib.games.big_three.view import AUCTION
from simlib.policies.base import policy


@policy("big_three", bid=("value", "policy that bids"), play=("counting", "policy that calls and plays cards"))
def parts(view, ctx):  # type: ignore[no-untyped-def]
    """Bid like one policy and play like another."""
    return ask(ctx, 0 if view.phase == AUCTION else 1, view.seat, view)
