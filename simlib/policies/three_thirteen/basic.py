"""The two policies that everything is measured against: `random` and `greedy`."""

from __future__ import annotations

import numpy as np

from simlib._bits import clz
from simlib._jit import kernel
from simlib.games.three_thirteen.api import ANY, best_discard, best_with, can_go_out, copies, hand_penalty, value
from simlib.games.three_thirteen.discards import SURE, lone_discard
from simlib.games.three_thirteen.discards import best_discard as best_of
from simlib.games.three_thirteen.hand import ACES_52, U, card_value, count_in, minus, plus, ranks_of
from simlib.games.three_thirteen.melds import natural_value
from simlib.games.three_thirteen.observe import legal
from simlib.games.three_thirteen.view import DISCARD_0, DRAW, DRAW_STOCK, DRAW_UPCARD, OUT_0
from simlib.policies.base import policy
from simlib.policies.three_thirteen.features import may_be_melded
from simlib.rng import below

_ZERO = U(0)


@policy("three_thirteen")
def random(view, ctx):
    """A legal action at random, each equally likely (going out with a card is an action of its own)."""
    return ctx.tmp[below(ctx.rng, legal(view, ctx.tmp))]


@kernel(inline=True)
def _changed(view, card, change):
    """Return words and jokers of the own hand with one more `card` (change 1), without it (−1), or as it is (0)."""
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    jokers = np.int64(view.jokers)
    if change != 0:
        if card == 52:
            jokers += change
        elif change > 0:
            h0, h1, h2, h3 = plus(h0, h1, h2, h3, card)
        else:
            h0, h1, h2, h3 = minus(h0, h1, h2, h3, card)
    return h0, h1, h2, h3, jokers + 32 * (np.int64(view.round) + 1)


@kernel(inline=True)
def _is_noted(view, mem, at, card, change):
    """Return whether ``mem[at …]`` notes something of the own hand, changed so, in this round."""
    h0, h1, h2, h3, rest = _changed(view, card, change)
    return (
        mem[at + 4] == rest
        and mem[at] == np.int64(h0)
        and mem[at + 1] == np.int64(h1)
        and mem[at + 2] == np.int64(h2)
        and mem[at + 3] == np.int64(h3)
    )


@kernel(inline=True)
def _note(view, mem, at, card, change, answer):
    """Note an answer for the own hand, changed so."""
    h0, h1, h2, h3, rest = _changed(view, card, change)
    mem[at] = np.int64(h0)
    mem[at + 1] = np.int64(h1)
    mem[at + 2] = np.int64(h2)
    mem[at + 3] = np.int64(h3)
    mem[at + 4] = rest
    mem[at + 5] = answer
    mem[at + 6] = -1


#: Places of the notes in a policy's memory: penalty of the hand before a draw; best discard with the upcard taken;
#: best discard of the hand before a draw, with nothing drawn.
_LEFT, _TAKEN, _BARE = 0, 8, 16


@kernel(inline=True)
def _joins_nothing(view, h0, h1, h2, h3, jokers, card):
    """Return whether it is plain that no meld can hold `card` beside these cards."""
    wild = int(view.wild)
    if view.rules.fast == 0 or card == 52 or card % 13 == wild:
        return False
    wilds = ACES_52 << U(wild)
    w = count_in(h0, h1, h2, h3, wilds) + jokers
    h0, h1, h2, h3 = plus(h0, h1, h2, h3, card)
    return not may_be_melded(h0, h1, h2, h3, card, w, ~wilds, 0)


@kernel(inline=True)
def _dearest(view, h0, h1, h2, h3, jokers, now):
    """Return a bound of what a hand with penalty `now`, with one wild card at most, saves by losing a card.

    A wild card costs nothing unless the hand has no meld at all.
    """
    wilds = ACES_52 << U(view.wild)
    natural = ~wilds
    points = min(64 - clz(ranks_of(h0 & natural)), 10)
    if (jokers > 0 or h0 & wilds != _ZERO) and now >= natural_value(h0, h1, h2, h3, natural):
        points = max(points, np.int64(view.rules.joker_penalty if jokers > 0 else view.rules.wild_penalty))
    return points


@kernel(inline=True)
def _lone(view, mem, h0, h1, h2, h3, jokers):
    """Return `lone_discard` of the hand that `_LEFT` notes."""
    if mem[_LEFT + 6] < 0:
        mem[_LEFT + 6] = lone_discard(h0, h1, h2, h3, jokers, np.int64(view.wild), view.rules)
    return mem[_LEFT + 6]


@kernel(inline=True)
def _bare(view, mem, h0, h1, h2, h3, jokers, card, change, now, lone):
    """Return the best discard of the hand before the draw, with nothing drawn, as `best_discard` does.

    A card that joins no meld costs its value in every arrangement. So this one search does for all such cards.
    """
    points = (lone >> 6) & 63
    if lone >= SURE:
        return ((now - points) << 6) + (lone & 63)
    if _is_noted(view, mem, _BARE, card, change):
        return mem[_BARE + 5]
    best = best_of(h0, h1, h2, h3, jokers, int(view.wild), view.rules, -1, now - points + 1)
    _note(view, mem, _BARE, card, change, best)
    return best


@kernel
def greedy_draw(view, mem):
    """Take the upcard if and only if the smallest penalty after the best discard is lower than the penalty now."""
    if _is_noted(view, mem, _LEFT, 0, 0):
        now = mem[_LEFT + 5]
    else:
        now = hand_penalty(view)
        _note(view, mem, _LEFT, 0, 0, now)
    card = np.int64(view.upcard)
    if view.stock_n == 0 and view.pile_n == 1:
        mem[_TAKEN + 4] = 0
        return DRAW_UPCARD
    h0, h1, h2, h3, jokers = view.hand[0], view.hand[1], view.hand[2], view.hand[3], np.int64(view.jokers)
    points = card_value(card, int(view.wild), view.rules)
    lone = _lone(view, mem, h0, h1, h2, h3, jokers)
    if _joins_nothing(view, h0, h1, h2, h3, jokers, card):
        if points >= _dearest(view, h0, h1, h2, h3, jokers, now):
            return DRAW_STOCK
        best = _bare(view, mem, h0, h1, h2, h3, jokers, 0, 0, now, lone) + (points << 6)
    else:
        best = best_with(view, card, 0, min(now, now - ((lone >> 6) & 63) + points + 1))
    if best >> 6 < now:
        _note(view, mem, _TAKEN, card, 1, best)
        return DRAW_UPCARD
    return DRAW_STOCK


@kernel(inline=True)
def _discard_drawn(view, mem, card, now):
    """Return what `greedy_discard` does when the hand had the penalty `now` before `card` came from the stock."""
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    jokers = np.int64(view.jokers)
    if card == 52:
        jokers -= 1
    else:
        h0, h1, h2, h3 = minus(h0, h1, h2, h3, card)
    points = card_value(card, int(view.wild), view.rules)
    lone = _lone(view, mem, h0, h1, h2, h3, jokers)
    if not _joins_nothing(view, h0, h1, h2, h3, jokers, card):
        # The card can go back, or one that is plainly in no meld: no more than that need be looked for.
        return best_discard(view, min(now, now - ((lone >> 6) & 63) + points) + 1)
    back = (now << 6) + card
    if points > _dearest(view, h0, h1, h2, h3, jokers, now):
        return back
    best = _bare(view, mem, h0, h1, h2, h3, jokers, card, -1, now, lone) + (points << 6)
    if best >> 6 != now:
        return best if best >> 6 < now else back
    other = card_value(best & 63, int(view.wild), view.rules)
    return best if other > points or (other == points and best < back) else back


@kernel
def greedy_discard(view, mem):
    """Return ``penalty * 64 + card`` of the discard that leaves the smallest penalty, ties by value, then by number."""
    drew = np.int64(view.drew)
    if view.taken >= 0:
        known = _is_noted(view, mem, _TAKEN, 0, 0)
        best = mem[_TAKEN + 5] if known else best_discard(view, ANY)
    elif drew >= 0 and _is_noted(view, mem, _LEFT, drew, -1):
        best = _discard_drawn(view, mem, drew, mem[_LEFT + 5])
        if best & 63 == drew:
            return best
    else:
        best = best_discard(view, ANY)
    _note(view, mem, _LEFT, best & 63, -1, best >> 6)
    return best


@kernel
def way_out(view, card):
    """Return `card`, which leaves no penalty, if the seat can go out with it, else the first card it can go out with,
    dearest first; −1: none.
    """
    if (view.rules.wild_penalty != 0 and view.rules.joker_penalty != 0) or can_go_out(view, card):
        return np.int64(card)
    best = -1
    # Only then can a hand without a penalty hold a card that is not melded.
    points = -1
    for other in range(53):
        allowed = view.rules.may_return != 0 or other != view.taken
        if allowed and copies(view, other) > 0 and value(view, other) > points and can_go_out(view, other):
            best = other
            points = value(view, other)
    return best


@policy("three_thirteen")
def greedy(view, ctx):
    """Takes the upcard only when it lowers the penalty, sheds the card that leaves least, goes out when it can.

    Of several discards that leave the same penalty it takes the dearest (a wild card at its penalty), then the
    one with the lowest number suit * 13 + rank. Lay-offs are not looked at. The benchmark policy of the
    project; the source names no such player.
    """
    if view.phase == DRAW:
        return greedy_draw(view, ctx.mem)
    best = greedy_discard(view, ctx.mem)
    card = best & 63
    if view.out < 0 and best < 64:
        out = way_out(view, card)
        if out >= 0:
            return OUT_0 + out
    return DISCARD_0 + card


POLICIES = (random, greedy)
