"""Bidders: `never`, `threshold` on a plain hand value, `value` on a fitted chance to win.

Each plays its cards as `play` says.
"""

from __future__ import annotations

import math

import numpy as np

from simlib._bits import popcount
from simlib._dispatch import ask
from simlib._jit import kernel
from simlib.games.big_three.combos import BID, U, count_of, lane, minus
from simlib.games.big_three.features import longest_straight
from simlib.games.big_three.play import lowest_bid, may_decline
from simlib.games.big_three.view import AUCTION
from simlib.policies.base import policy
from simlib.policies.big_three.cards import unbeaten, weak_turns
from simlib.policies.big_three.turns import turns
from simlib.policies.big_three.value_model import MODELS

_0, _1, _2, _3 = U(0), U(1), U(2), U(3)
#: What the model sees of a dealt hand, in this order. "Top" ranks are those of the playing order: 3, 2, ace
#: (western: K, Q, J).
HAND_FEATURES = ("one", "top", "second", "third", "pairs", "triples", "quads", "turns", "weak", "longest", "leads")
N_HAND = len(HAND_FEATURES)
#: The games the model is fitted for, in the order of its rows.
MODEL_GAMES: tuple[tuple[str, dict[str, object]], ...] = (
    ("standard", {}),
    ("four players", {"players": 4}),
    ("short deck", {"short_deck": True}),
    ("western", {"rank_order": "western"}),
)
_COEFFICIENTS = np.array([[MODELS[name][f] for f in HAND_FEATURES] for name, _ in MODEL_GAMES])


@kernel
def hand_feature(hand, rules, leads, i):  # type: ignore[no-untyped-def]
    """Return feature number i of a dealt hand (see `HAND_FEATURES`)."""
    if i == 0:
        return 1.0
    if i <= 3:
        return float(count_of(hand, 13 - i))
    if i == 4:
        return float(popcount(lane(hand, _1) & ~lane(hand, _2)))
    if i == 5:
        return float(popcount(lane(hand, _2) & ~lane(hand, _3)))
    if i == 6:
        return float(popcount(lane(hand, _3)))
    if i == 7:
        return float(turns(hand, rules))
    if i == 8:  # beatable combinations in a shortest way to empty the hand, all other cards being out
        out = minus(rules.deck_word, hand)
        a, b = unbeaten(hand, out, _0, 20, rules), unbeaten(hand, out, _1, 20, rules)
        c, d = unbeaten(hand, out, _2, 20, rules), unbeaten(hand, out, _3, 20, rules)
        return float(weak_turns(hand, a, b, c, d, rules))
    if i == 9:
        return float(longest_straight(hand, rules))
    return float(leads)


@kernel
def win_chance(view):  # type: ignore[no-untyped-def]
    """Return the fitted chance that this seat's party wins if it becomes declarer.

    From its dealt hand and who leads.
    """
    rules = view.rules
    row = 3 if rules.western != 0 else 0
    row = 1 if rules.players == 4 else (2 if rules.short_deck != 0 else row)
    leads = 1 if view.leader == view.seat else 0
    logit = 0.0
    for i in range(N_HAND):
        logit += _COEFFICIENTS[row, i] * hand_feature(view.hand, rules, leads, i)
    return 1.0 / (1.0 + math.exp(-logit))


@kernel
def hand_value(hand, rules):  # type: ignore[no-untyped-def]
    """Return a plain value of a hand: 2 for each 3, 1 for each 2, 1/2 for each ace, and 10 less the turns to empty
    it.

    (In the western order kings, queens and jacks.) About two points separate a hand from one that wins twice as
    often.
    """
    tops = 2.0 * count_of(hand, 12) + 1.0 * count_of(hand, 11) + 0.5 * count_of(hand, 10)
    return tops + 10.0 - turns(hand, rules)


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


@policy(
    "big_three",
    two=(8.0, "hand value from which on it bids 2"),
    three=(9.0, "hand value from which on it bids 3"),
    play=("greedy", "policy that plays the cards"),
)
def threshold(view, ctx):  # type: ignore[no-untyped-def]
    """Bid by a plain hand value.

    2 for each 3, 1 for each 2, 1/2 for each ace, and 10 less the turns to empty the hand.
    """
    if view.phase != AUCTION:
        return ask(ctx, 0, view.seat, view)
    return bid_up_to(view, _steps(hand_value(view.hand, view.rules), ctx))


@kernel(inline=True)
def _steps(worth, ctx):  # type: ignore[no-untyped-def]
    """Return 3, 2 or 0 as the hand's worth reaches the thresholds; 1 is only ever bid by the first bidder, who must."""
    return 3 if worth >= ctx.params[1] else (2 if worth >= ctx.params[0] else 0)


@policy(
    "big_three",
    two=(0.5, "chance to win as declarer from which on it bids 2"),
    three=(0.5, "chance from which on it bids 3"),
    play=("greedy", "policy that plays the cards"),
)
def value(view, ctx):  # type: ignore[no-untyped-def]
    """Bid by the chance to win as declarer.

    A logistic model of the dealt hand, fitted by experiments/fit_big_three_value.py.
    """
    if view.phase != AUCTION:
        return ask(ctx, 0, view.seat, view)
    return bid_up_to(view, _steps(win_chance(view), ctx))
