"""Bidders: `never`, `threshold` on a plain hand value, `value` on a fitted chance to win. Each plays its cards as `play` says."""

from __future__ import annotations

from simlib._dispatch import ask
from simlib._jit import kernel
from simlib.games.big_three.combos import BID
from simlib.games.big_three.play import lowest_bid, may_decline
from simlib.games.big_three.view import AUCTION
from simlib.policies.base import policy


@kernel
def bid_up_to(view, most):  # type: ignore[no-untyped-def]
    """Bid `most` (0 to 3) where that is legal; where it is not, pass, or make the lowest bid one must make."""
    low = lowest_bid(view.rules, view.hand, view.high_bid)
    if most >= low:
        return BID + most
    return BID if may_decline(view.rules, view.hand, view.high_bid) != 0 else BID + low


@policy("big_three", play=("greedy", "policy that plays the cards"))
def never(view, ctx):  # type: ignore[no-untyped-def]
    """Bid only what must be bid: 1 as first bidder, 3 with a forced hand."""
    return bid_up_to(view, 0) if view.phase == AUCTION else ask(ctx, 0, view.seat, view)
