"""Naming the partner's card in the four-player game (7.1)."""

from __future__ import annotations

from simlib._jit import kernel
from simlib.games.big_three.combos import CALL, U, count_of, rank_of
from simlib.games.big_three.play import may_call

_1 = U(1)


@kernel
def best_call(view):  # type: ignore[no-untyped-def]
    """Name a card of the rank of which the declarer has most cards (without all four); ties to the lowest rank.

    Its holder then has few of that rank, so that the card is a poor one in that hand, and one that its holder parts
    with soon.
    """
    best = -1
    card = -1
    for c in range(3, 10):
        held = count_of(view.hand, U(rank_of(c, view.rules.western)))
        if held > best and held < 4:
            for suit in range(4):
                if may_call(13 * suit + c, view.dealt) != 0:
                    best = held
                    card = 13 * suit + c
    return CALL + card
