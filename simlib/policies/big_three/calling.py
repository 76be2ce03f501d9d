"""Naming the partner's card in the four-player game (7.1)."""

from __future__ import annotations

from simlib._jit import kernel
from simlib.games.big_three.combos import CALL, U, count_of, rank_of
from simlib.games.big_three.play import may_call


@kernel
def best_call(view):  # type: ignore[no-untyped-def]
    """Name a high card of a rank of which the declarer has many: the best of twice the cards held and the rank.

    A partner who gives up a high card for the party, and opponents who have few of the declarer's own ranks. Measured
    with `counting` in all seats this wins 2 % more deals than the most-held rank with ties to the lowest, and 5 % more
    than the lowest card there is.
    """
    best = -1
    card = -1
    for c in range(3, 10):
        held = count_of(view.hand, U(rank_of(c, view.rules.western)))
        if 2 * held + c > best:
            for suit in range(4):
                if may_call(13 * suit + c, view.dealt) != 0:
                    best = 2 * held + c
                    card = 13 * suit + c
    return CALL + card
