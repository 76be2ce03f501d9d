"""`tips`: the source's advice, each piece a switch."""

from __future__ import annotations

from simlib._jit import kernel
from simlib.games.three_thirteen.api import ANY, best_discard, best_with, hand_penalty
from simlib.games.three_thirteen.hand import U, card_value, plus
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
    count_unseen,
    is_banned,
    is_wild,
    list_cards,
    live_for,
    next_seat,
    promises,
    wanted,
)
from simlib.policies.three_thirteen.last_turn import must_take

#: Where the parameters stand in `ctx.params`.
_ATTACK, _DEFEND, _HIGHEST, _PLAN, _HOLD, _OUT, _SAFE, _EARLY, _LATE, _PERFECT, _SLACK = range(11)
_RACE, _MIDDLE, _SHED = 0, 1, 2
#: Room for one part of the number by which discards are ordered.
_STEP = 4096


@kernel
def mood(view, params):  # type: ignore[no-untyped-def]
    """Return how the round is played: as a race in early rounds, shedding penalty cards in late ones."""
    if params[_ATTACK] != 0.0 and view.hand_size <= params[_EARLY]:
        return _RACE
    if params[_DEFEND] != 0.0 and view.hand_size >= params[_LATE]:
        return _SHED
    return _MIDDLE


@kernel
def goes_with(view, tmp, card):  # type: ignore[no-untyped-def]
    """Return whether the own hand holds a card that makes a pair with `card`."""
    wild = int(view.wild)
    for other in range(52):
        there = (view.hand[0] >> U(other)) & U(1) != U(0) and other % 13 != wild
        if there and live_for(tmp, card, other, wild, int(view.rules.aces)) >= 0:
            return True
    return False


@kernel
def fits_in(view, tmp, card):  # type: ignore[no-untyped-def]
    """Return whether the upcard leaves fewer cards unmelded than now: it is not taken for its low value alone."""
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    jokers = int(view.jokers)
    list_cards(view, h0, h1, h2, h3, jokers, tmp)
    now = tmp[FREE_N]
    h0, h1, h2, h3 = plus(h0, h1, h2, h3, card)
    list_cards(view, h0, h1, h2, h3, jokers, tmp)
    return tmp[FREE_N] - 1 < now


@kernel
def tips_draw(view, ctx):  # type: ignore[no-untyped-def]
    """Take the upcard with a plan (or without one, as the switch says)."""
    card = int(view.upcard)
    p = ctx.params
    if must_take(view):
        return DRAW_UPCARD
    wild = is_wild(view, card)
    if wild and p[_HOLD] != 0.0 and view.out < 0:
        return DRAW_UPCARD
    now = hand_penalty(view)
    left = best_with(view, card, 0, ANY) >> 6
    if view.out >= 0 or wild:
        return DRAW_UPCARD if left < now else DRAW_STOCK
    if p[_PLAN] == 0.0:
        count_unseen(view, ctx.tmp)
        return DRAW_UPCARD if left < now or goes_with(view, ctx.tmp, card) else DRAW_STOCK
    if left < now and (mood(view, p) == _SHED or fits_in(view, ctx.tmp, card)):
        return DRAW_UPCARD
    return DRAW_STOCK


@kernel
def rank_discard(view, ctx, i):  # type: ignore[no-untyped-def]
    """Return a number by which the cards of the listed hand are ordered for discarding: the smallest goes."""
    tmp, p = ctx.tmp, ctx.params
    card = tmp[CARDS + i]
    cost = tmp[LEFT + card]
    risk = 0
    if p[_SAFE] != 0.0:
        # Of cards about as dear the one that the next player is not known to need goes first.
        risk = min(wanted(view, next_seat(view), card), 3)
        cost += int(p[_SLACK]) * risk
    cost = min(cost, _STEP - 1)
    promise = min(tmp[PROMISE + i] // 64, _STEP - 2) if tmp[FREE + i] != 0 else _STEP - 1
    order = 1 if p[_HOLD] != 0.0 and is_wild(view, card) else 0
    how = mood(view, p)
    if how == _RACE or (how == _MIDDLE and p[_HIGHEST] == 0.0):
        order = (order * _STEP + promise) * _STEP + cost
    else:
        order = (order * _STEP + cost) * _STEP + promise
    points = min(card_value(card, int(view.wild), view.rules), 255)
    return (order * 8 + risk) * 256 + 255 - points


@kernel
def tips_discard(view, ctx):  # type: ignore[no-untyped-def]
    """Return the card to discard; in a last turn the one that leaves the smallest penalty."""
    tmp = ctx.tmp
    if view.out >= 0:
        return best_discard(view) & 63
    count_unseen(view, tmp)
    list_cards(view, view.hand[0], view.hand[1], view.hand[2], view.hand[3], int(view.jokers), tmp)
    promises(view, tmp, 3.0, 0.2, 0.5, 1.0)
    best, least = -1, 1 << 60
    for i in range(tmp[COUNT]):
        if not is_banned(view, tmp[CARDS + i]):
            order = rank_discard(view, ctx, i)
            if order < least:
                best, least = i, order
    return tmp[CARDS + best]


@kernel
def waits(view, ctx, card):  # type: ignore[no-untyped-def]
    """Return whether to wait for a better discard than `card` before going out."""
    if ctx.params[_OUT] != 0.0:
        return False
    dear = card_value(card, int(view.wild), view.rules) > ctx.params[_PERFECT]
    return dear or wanted(view, next_seat(view), card) > 0


@policy(
    "three_thirteen",
    attack=(1, "1: early rounds are races: the card that leads nowhere goes first, whatever it costs"),
    defend=(1, "1: in late rounds shed penalty cards: the highest first, and a low upcard for a high card"),
    highest=(1, "1: in all rounds but races the highest unmelded card goes first; 0: the one that leads nowhere"),
    plan=(1, "1: take the upcard only when it is melded at once; 0: also when it goes with a card, or is low"),
    hold_wilds=(1, "1: take wild cards and keep them; 0: they are cards like others"),
    go_out=(1, "1: go out at once; 0: wait for a cheap discard that the next player does not need"),
    safe=(1, "1: spare the next player what he is known to collect"),
    early=(5, "largest hand of a race"),
    late=(11, "smallest hand of a round in which penalty cards are shed"),
    perfect=(4, "points of the dearest discard for which going out does not wait, with go_out=0"),
    slack=(1, "points a discard may cost more for each card fewer that the next player has beside it, with safe=1"),
)
def tips(view, ctx):  # type: ignore[no-untyped-def]
    """Follows the source's tips: race early, shed late, highest card first, plan the upcard, hold wilds, out at once.

    Source: "Tipps und Strategien" of the German rules, where each piece of advice stands; each is a switch.
    """
    if view.phase == DRAW:
        return tips_draw(view, ctx)
    if view.out < 0:
        best = best_discard(view)
        if best < 64:
            out = way_out(view, best & 63)
            if out >= 0 and not waits(view, ctx, out):
                return OUT_0 + out
    return DISCARD_0 + tips_discard(view, ctx)
