"""Putting drawing, discarding and going out together from different policies."""

from __future__ import annotations

from simlib._dispatch import ask
from simlib.games.three_thirteen.view import DISCARD_0, DRAW, OUT_0
from simlib.policies.base import policy


@policy(
    "three_thirteen",
    draw=("potential", "policy that draws"),
    discard=("potential", "policy that discards"),
    out=("greedy", "policy that says whether to go out, and with which card"),
)
def parts(view, ctx):  # type: ignore[no-untyped-def]
    """Draw like one policy, discard like another, go out when a third one would.

    When the third one does not go out but the second one would, the card goes that the second one would have gone
    out with.
    """
    if view.phase == DRAW:
        return ask(ctx, 0, view.seat, view)
    if view.out < 0:
        action = ask(ctx, 2, view.seat, view)
        if action >= OUT_0:
            return action
    action = ask(ctx, 1, view.seat, view)
    return action - OUT_0 + DISCARD_0 if action >= OUT_0 else action
