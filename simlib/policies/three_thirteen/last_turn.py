"""The last turn: what counts is the penalty alone, and the better draw can be worked out."""

from __future__ import annotations

from simlib._jit import kernel
from simlib.games.three_thirteen.api import ANY, best_with, hand_penalty
from simlib.games.three_thirteen.view import DRAW_STOCK, DRAW_UPCARD
from simlib.policies.three_thirteen.features import UNSEEN, UNSEEN_N, count_unseen


@kernel
def must_take(view):  # type: ignore[no-untyped-def]
    """Return whether there is nothing to draw but the upcard."""
    return view.stock_n == 0 and view.pile_n == 1


@kernel
def last_draw(view, tmp):  # type: ignore[no-untyped-def]
    """Draw what leaves the smaller expected penalty, each unseen card being equally likely on top of the stock."""
    if must_take(view):
        return DRAW_UPCARD
    count_unseen(view, tmp)
    now = hand_penalty(view)
    taken = best_with(view, int(view.upcard), 0, ANY) >> 6
    if taken == 0:
        return DRAW_UPCARD
    if tmp[UNSEEN_N] == 0:
        return DRAW_UPCARD if taken < now else DRAW_STOCK
    total = 0
    for card in range(53):
        if tmp[UNSEEN + card] > 0:
            # A stock card that does not help is discarded again.
            total += tmp[UNSEEN + card] * min(now, best_with(view, card, 1, now) >> 6)
    return DRAW_UPCARD if taken * tmp[UNSEEN_N] < total else DRAW_STOCK
