"""What policies ask about their view: penalties, discards, going out, cards unseen. Exact under every rule option.

In the phase *draw* the own hand has n cards, in the phase *discard* n + 1.
"""

from __future__ import annotations

from simlib._jit import kernel
from simlib.games.three_thirteen import discards, each, melds
from simlib.games.three_thirteen.hand import U, card_value, count_in, plus
from simlib.games.three_thirteen.observe import can_go_out

ANY = melds.ANY

_best_discard = discards.best_discard
_discard_penalties = each.discard_penalties
_penalty = melds.penalty


@kernel
def hand_penalty(view):
    """Return the smallest penalty of the own hand as it is."""
    return _penalty(
        view.hand[0], view.hand[1], view.hand[2], view.hand[3], int(view.jokers), int(view.wild), view.rules
    )


@kernel
def best_discard(view, limit=ANY):
    """Return ``penalty * 64 + card`` of the best discard of the own n + 1 cards (see `discards.py`), one that
    is allowed.

    Only penalties below `limit` are of interest, as in `best_with`.
    """
    banned = -1 if view.rules.may_return != 0 else int(view.taken)
    return _best_discard(
        view.hand[0],
        view.hand[1],
        view.hand[2],
        view.hand[3],
        int(view.jokers),
        int(view.wild),
        view.rules,
        banned,
        limit,
    )


@kernel
def best_with(view, card, returns, limit):
    """Return ``penalty * 64 + card`` of the best discard with one more `card` in the own hand of n cards.

    Only penalties below `limit` are of interest: when there is none, some answer not below it comes back, the
    sooner for it (`ANY`: no limit). With `returns` 0 the card itself may not be discarded when the rules forbid
    that (a card from the pile).
    """
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    jokers = int(view.jokers)
    if card == 52:
        jokers += 1
    else:
        h0, h1, h2, h3 = plus(h0, h1, h2, h3, card)
    banned = -1 if view.rules.may_return != 0 or returns != 0 else card
    return _best_discard(h0, h1, h2, h3, jokers, int(view.wild), view.rules, banned, limit)


@kernel
def discard_penalties(view, out):
    """Write into ``out[0 … 52]`` the smallest penalty the own n + 1 cards have without each card; −1: not in
    the hand. `out` is an array of int64, such as `ctx.tmp`.
    """
    _discard_penalties(
        view.hand[0], view.hand[1], view.hand[2], view.hand[3], int(view.jokers), int(view.wild), view.rules, out
    )


@kernel(inline=True)
def copies(view, card):
    """Return how many copies of a card the own hand holds."""
    if card == 52:
        return int(view.jokers)
    return count_in(view.hand[0], view.hand[1], view.hand[2], view.hand[3], U(1) << U(card))


@kernel(inline=True)
def value(view, card):
    """Return what a card costs when it is left in hand."""
    return card_value(card, int(view.wild), view.rules)


@kernel
def unseen(view, card):
    """Return how many copies of a card the seat has not located: neither in its hand, the pile, nor known elsewhere."""
    left = int(view.rules.jokers) if card == 52 else int(view.rules.decks)
    left -= copies(view, card)
    for i in range(view.pile_n):
        left -= int(view.pile[i] == card)
    for seat in range(view.players):
        if seat != view.seat:
            for i in range(view.known_n[seat]):
                left -= int(view.known[seat, i] == card)
    return left


__all__ = [
    "ANY",
    "best_discard",
    "best_with",
    "can_go_out",
    "copies",
    "discard_penalties",
    "hand_penalty",
    "unseen",
    "value",
]
