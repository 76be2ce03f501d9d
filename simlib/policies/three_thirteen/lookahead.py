"""`lookahead`: deal the unseen cards again many times, play the round out with every action, take the best average."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import ask, copy_record, forget
from simlib._jit import kernel
from simlib.games.three_thirteen.api import best_discard
from simlib.games.three_thirteen.discards import best_discard as best_of
from simlib.games.three_thirteen.each import discard_penalties
from simlib.games.three_thirteen.hand import add_card, card_value, has_card, remove_card
from simlib.games.three_thirteen.observe import observe
from simlib.games.three_thirteen.play import step
from simlib.games.three_thirteen.redeal import redeal
from simlib.games.three_thirteen.view import DISCARD_0, DRAW, DRAW_STOCK, DRAW_UPCARD, OUT_0, STATE, VIEW
from simlib.policies.base import policy
from simlib.policies.three_thirteen.basic import way_out
from simlib.policies.three_thirteen.features import is_banned, is_wild
from simlib.policies.three_thirteen.last_turn import last_draw, must_take
from simlib.rng import below

#: Where the parameters stand in `ctx.params`, and the policies among them.
_SAMPLES, _WIDTH, _RIVALS, _SEASON, _HALVING, _SURE = range(6)
_PLAYOUT, _GUIDE = 0, 1
_MOST_ACTIONS = 54
_ANY = 1 << 30
_DOUBT = 10.0


@kernel
def season(view, state, rng, share):  # type: ignore[no-untyped-def]
    """Give the other hands the quality that their turns have brought them: `share` draws a turn, keeping what is best.

    A redeal knows nothing of why the others hold what they hold, and hands dealt at random are worse than played ones.
    Cards known to be in a hand stay there; what is discarded goes back to the stock. No hand becomes complete: its
    owner would have gone out.
    """
    table = state.table
    stock = int(table.stock_n)
    wild = int(table.wild)
    if stock == 0:
        return
    for seat in range(table.players):
        if seat == view.seat or table.known_n[seat] >= table.hand_n[seat]:
            continue
        for _ in range(int(share * (float(table.turns) / float(table.players) + 0.5))):
            at = below(rng, stock)
            card = int(state.stock[at])
            add_card(state.hand, state.jokers, seat, card)
            h0, h1, h2, h3 = state.hand[seat, 0], state.hand[seat, 1], state.hand[seat, 2], state.hand[seat, 3]
            best = best_of(h0, h1, h2, h3, int(state.jokers[seat]), wild, state.table.rules, -1, _ANY)
            gone = best & 63
            if best < 64 or is_wild(view, gone):
                gone = card
            for i in range(table.known_n[seat]):
                if table.known[seat, i] == gone:
                    gone = card
            remove_card(state.hand, state.jokers, seat, gone)
            state.stock[at] = gone


@kernel
def play_out(ctx, state, views, action, seat):  # type: ignore[no-untyped-def]
    """Carry out `action` of `seat`, its discard of this turn by the guide, the rest of the round by the play-out."""
    players = int(state.table.players)
    this = int(state.table.round)
    forget(ctx, _PLAYOUT, players)
    now = step(state, action)
    if action <= DRAW_UPCARD:
        observe(state, seat, views[seat])
        now = step(state, ask(ctx, _GUIDE, seat, views[seat]))
    while now >= 0 and state.table.round == this:
        observe(state, now, views[now])
        now = step(state, ask(ctx, _PLAYOUT, now, views[now]))


@kernel
def worth(state, seat, this, rivals):  # type: ignore[no-untyped-def]
    """Return what round `this` brought a seat: minus its penalty, plus `rivals` times the mean of the others'."""
    others = 0
    for other in range(state.table.players):
        others += int(state.table.penalty[this, other])
    own = int(state.table.penalty[this, seat])
    return rivals * (others - own) / (int(state.table.players) - 1) - own


@kernel
def candidates(view, ctx, actions):  # type: ignore[no-untyped-def]
    """Write the actions to compare, the guide's own first; return how many."""
    actions[0] = ask(ctx, _GUIDE, view.seat, view)
    if view.phase == DRAW:
        actions[1] = DRAW_UPCARD if actions[0] == DRAW_STOCK else DRAW_STOCK
        return 2
    n = 1
    best = best_discard(view)
    if best < 64 and view.out < 0:
        out = way_out(view, best & 63)
        if out >= 0 and actions[0] != OUT_0 + out:
            actions[n] = OUT_0 + out
            n += 1
    tmp = ctx.tmp
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    discard_penalties(h0, h1, h2, h3, int(view.jokers), int(view.wild), view.rules, tmp)
    for _ in range(int(ctx.params[_WIDTH])):
        pick, least = -1, 1 << 40
        for card in range(53):
            there = has_card(h0, int(view.jokers), card) and not is_banned(view, card)
            if not there or _among(actions, n, DISCARD_0 + card):
                continue
            key = tmp[card] * 1024 + 1023 - card_value(card, int(view.wild), view.rules)
            if is_wild(view, card):
                key += 1 << 30
            if key < least:
                pick, least = card, key
        if pick < 0 or (is_wild(view, pick) and n > 1):
            break
        actions[n] = DISCARD_0 + pick
        n += 1
    return n


@kernel(inline=True)
def _among(actions, n, action):  # type: ignore[no-untyped-def]
    """Return whether an action is among the first `n`."""
    found = False
    for i in range(n):
        found |= actions[i] == action
    return found


@kernel
def _choose(gain, square, count, n, sure):  # type: ignore[no-untyped-def]
    """Return the action of greatest mean gain on action 0, if that exceeds `sure` standard errors; else 0.

    The spread counts one gain of `_DOUBT` points besides those seen, so that a few play-outs do not seem certain.
    """
    best, most = 0, 0.0
    for a in range(1, n):
        m = count[a]
        mean = gain[a] / m
        spread = max(0.0, (square[a] + _DOUBT * _DOUBT) / m - mean * mean)
        if mean > most and mean > sure * np.sqrt(spread / m):
            best, most = a, mean
    return best


@kernel
def _keep_better_half(gain, count, alive, n):  # type: ignore[no-untyped-def]
    """Give up the actions (never number 0) whose mean gain is below that of half of those still in question."""
    left = 0
    for a in range(n):
        left += alive[a]
    for _ in range(left // 2):
        worst, least = -1, 1e18
        for a in range(1, n):
            if alive[a] != 0 and gain[a] / count[a] < least:
                worst, least = a, gain[a] / count[a]
        if left > 2 and worst > 0:
            alive[worst] = 0
            left -= 1


@policy(
    "three_thirteen",
    samples=(300, "deals of the unseen cards per action, on average"),
    width=(5, "discards looked at besides the guide's: those that leave the smallest penalty"),
    rivals=(0.5, "what the other seats' mean penalty counts against the own"),
    season=(1.0, "draws a turn by which the others' hands are improved after a redeal; 0: hands as dealt"),
    halving=(1, "1: drop the worse half of the actions after each part of the deals; 0: all get equally many"),
    sure=(1.5, "standard errors by which an action must beat the guide's to be preferred"),
    playout=("greedy", "policy that plays every seat to the end of the round"),
    guide=("potential", "policy whose action stands unless another is better; it also discards after the first draw"),
)
def lookahead(view, ctx):  # type: ignore[no-untyped-def]
    """Flat Monte Carlo to the end of the round: deal the unseen cards again, play on with every action, take the best.

    All actions meet the same deals, so that their differences are not blurred by luck. With `halving` the deals go to
    the actions still in question (sequential halving, Karnin, Koren and Somekh 2013). Last turns are worked out
    without play-outs.
    """
    if view.phase == DRAW and must_take(view):
        return DRAW_UPCARD
    if view.out >= 0:
        return last_draw(view, ctx.tmp) if view.phase == DRAW else DISCARD_0 + (best_discard(view) & 63)
    actions = np.zeros(_MOST_ACTIONS, np.int64)
    n = candidates(view, ctx, actions)
    if n == 1 or (view.phase == DRAW and is_wild(view, int(view.upcard))):
        return actions[0]
    return actions[_compare(view, ctx, actions, n)]


@kernel
def _compare(view, ctx, actions, n):  # type: ignore[no-untyped-def]
    """Return the number of the best of `n` actions by play-outs."""
    p = ctx.params
    seat = int(view.seat)
    states = np.zeros(2, STATE)
    views = np.zeros(int(view.players), VIEW)
    gain, square, count = np.zeros(n), np.zeros(n), np.zeros(n)
    alive = np.ones(n, np.int64)
    rounds = 1
    while p[_HALVING] != 0.0 and (1 << rounds) < n:
        rounds += 1
    budget = max(1.0, p[_SAMPLES]) * n
    for _ in range(rounds):
        left = 0
        for a in range(n):
            left += alive[a]
        for _ in range(max(1, int(budget / (rounds * left)))):
            redeal(view, ctx.rng, states[0])
            season(view, states[0], ctx.rng, p[_SEASON])
            first = 0.0
            for a in range(n):
                if alive[a] != 0:
                    copy_record(states[1], states[0])
                    play_out(ctx, states[1], views, actions[a], seat)
                    value = worth(states[1], seat, int(view.round), p[_RIVALS])
                    if a == 0:
                        first = value
                    gain[a] += value - first
                    square[a] += (value - first) ** 2
                    count[a] += 1.0
        _keep_better_half(gain, count, alive, n)
    best = _choose(gain, square, count, n, p[_SURE])
    # The records above live in these arrays: mention them last.
    return best + 0 * (states.shape[0] + views.shape[0])
