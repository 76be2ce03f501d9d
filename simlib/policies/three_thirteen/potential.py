"""`potential`: weighs what a hand costs against what it may become."""

from __future__ import annotations

from simlib._jit import kernel
from simlib.games.three_thirteen.api import best_discard
from simlib.games.three_thirteen.hand import card_value, plus
from simlib.games.three_thirteen.view import DISCARD_0, DRAW, DRAW_STOCK, DRAW_UPCARD, OUT_0
from simlib.policies.base import policy
from simlib.policies.three_thirteen.basic import way_out
from simlib.policies.three_thirteen.features import (
    CARDS,
    COUNT,
    FREE,
    FREE_N,
    LEFT,
    PROMISE,
    SCALE,
    TOTAL,
    UNSEEN_N,
    WHOLE,
    WILDS_N,
    count_unseen,
    is_banned,
    is_wild,
    list_cards,
    next_seat,
    promises,
    wanted,
)
from simlib.policies.three_thirteen.last_turn import last_draw, must_take

#: Where the parameters stand in `ctx.params`.
_PENALTY, _CARD, _DRAWS, _DRAWS_N, _DRAWS_TURN, _WILD_SHARE, _MELDED = range(7)
_HOLD, _NEXT, _WILD_DRAW, _STOCK, _STOCK_N, _READY, _WAIT = range(7, 14)
_NEVER = 1e9


@kernel
def draws_left(view, params):  # type: ignore[no-untyped-def]
    """Return how many cards the seat can expect to choose from before the round ends."""
    turns = float(view.turns) / float(view.players)
    left = params[_DRAWS] + params[_DRAWS_N] * float(view.hand_size) - params[_DRAWS_TURN] * turns
    return max(1.0, left)


@kernel
def weigh(view, h0, h1, h2, h3, jokers, ctx):  # type: ignore[no-untyped-def]
    """Fill `ctx.tmp` for these cards (unseen cards are counted already)."""
    p = ctx.params
    list_cards(view, h0, h1, h2, h3, jokers, ctx.tmp)
    promises(view, ctx.tmp, draws_left(view, p), p[_WILD_SHARE], p[_MELDED], p[_CARD])


@kernel
def cost_without(view, ctx, i):  # type: ignore[no-untyped-def]
    """Return what the weighed cards are expected to cost without card number `i`: less is better."""
    tmp, p = ctx.tmp, ctx.params
    card = tmp[CARDS + i]
    left = tmp[LEFT + card]
    cost = p[_PENALTY] * left + p[_CARD] * (tmp[FREE_N] - tmp[FREE + i]) - (tmp[TOTAL] - tmp[PROMISE + i]) / SCALE
    if left == 0:
        cost -= p[_READY]
    if is_wild(view, card):
        cost += p[_HOLD]
    return cost


@kernel
def best_card(view, ctx):  # type: ignore[no-untyped-def]
    """Return the number of the weighed card to discard, in the phase *discard* with regard to the next player."""
    tmp, p = ctx.tmp, ctx.params
    best = -1
    least = _NEVER * 2
    for i in range(tmp[COUNT]):
        card = tmp[CARDS + i]
        cost = cost_without(view, ctx, i)
        if view.phase != DRAW:
            if is_banned(view, card):
                continue
            cost += p[_NEXT] * wanted(view, next_seat(view), card)
        # Of equals the dearest goes, then the lowest number.
        cost -= 1e-6 * card_value(card, int(view.wild), view.rules)
        if cost < least - 1e-9:
            least = cost
            best = i
    return best


@kernel
def potential_draw(view, ctx):  # type: ignore[no-untyped-def]
    """Take the upcard when the hand with it is worth more than now by what a card from the stock is worth."""
    if view.out >= 0:
        return last_draw(view, ctx.tmp)
    if must_take(view):
        return DRAW_UPCARD
    card = int(view.upcard)
    if is_wild(view, card):
        return DRAW_UPCARD
    tmp, p = ctx.tmp, ctx.params
    count_unseen(view, tmp)
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    jokers = int(view.jokers)
    weigh(view, h0, h1, h2, h3, jokers, ctx)
    now = p[_PENALTY] * tmp[WHOLE] + p[_CARD] * tmp[FREE_N] - tmp[TOTAL] / SCALE
    h0, h1, h2, h3 = plus(h0, h1, h2, h3, card)
    weigh(view, h0, h1, h2, h3, jokers, ctx)
    best = best_card(view, ctx)
    if tmp[CARDS + best] == card:
        return DRAW_STOCK
    stock = p[_STOCK] + p[_STOCK_N] * float(view.hand_size) + p[_WILD_DRAW] * tmp[WILDS_N] / max(1, tmp[UNSEEN_N])
    return DRAW_UPCARD if cost_without(view, ctx, best) < now - stock else DRAW_STOCK


@kernel
def potential_discard(view, ctx):  # type: ignore[no-untyped-def]
    """Return the card to discard."""
    if view.out >= 0:
        return best_discard(view) & 63
    count_unseen(view, ctx.tmp)
    weigh(view, view.hand[0], view.hand[1], view.hand[2], view.hand[3], int(view.jokers), ctx)
    return ctx.tmp[CARDS + best_card(view, ctx)]


@policy(
    "three_thirteen",
    penalty=(1.0, "weight of the penalty that the hand would have now"),
    card=(13.5, "points an unmelded card costs besides its value: how much going out counts"),
    draws=(1.82, "cards to choose from before the round ends, for an empty hand"),
    draws_n=(0.05, "the same for each card of the hand"),
    draws_turn=(0.37, "the same, less for each turn played"),
    wild_share=(0.0, "part of the unseen wild cards that counts for each pair"),
    melded=(0.32, "weight of a pair with a card that is melded already"),
    hold=(15.0, "points it costs to discard a wild card"),
    next=(0.91, "points a discard costs for each card that the next player is known to hold beside it"),
    wild_draw=(0.0, "points that drawing a wild card from the stock is worth, besides what `stock` says"),
    stock=(2.33, "points a card from the stock is worth, for an empty hand"),
    stock_n=(0.94, "the same for each card of the hand"),
    ready=(6.1, "points it is worth to have everything melded"),
    wait=(0.0, "1: never goes out, to measure what going out is worth"),
)
def potential(view, ctx):  # type: ignore[no-untyped-def]
    """Weighs penalty against what pairs promise by the cards unseen; holds wilds; minds what the next seat collects.

    The weights `card`, `draws`, `draws_n`, `draws_turn`, `melded`, `next`, `stock`, `stock_n` and `ready` were found by
    ``experiments/thirteen_tune_potential.py``; the others are set by hand.
    """
    if view.phase == DRAW:
        return potential_draw(view, ctx)
    if view.out < 0 and ctx.params[_WAIT] == 0.0:
        best = best_discard(view)
        if best < 64:
            out = way_out(view, best & 63)
            if out >= 0:
                return OUT_0 + out
    return DISCARD_0 + potential_discard(view, ctx)
