"""What `counting` weighs: a record of the situation, and the features of one move in it.

The features are documented in `FEATURES`; their weights are the parameters of `counting`, one set for a declarer who
plays alone and one for everybody with a partner. The experiment ``big_fit_counting.py`` fits them.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import clz, popcount
from simlib._jit import kernel
from simlib.games.big_three.combos import ABOVE, LANES, U, cards_in, moves
from simlib.policies.big_three.basic import TOP
from simlib.policies.big_three.cards import (
    FOE,
    FRIEND,
    safety,
    side,
    size_of,
    unbeaten,
    unseen_cards,
    weak_turns,
    without,
)
from simlib.policies.big_three.turns import turns

#: Feature by name: what it is for a combination (or a pass) that could be played now.
FEATURES = {
    "turns": "turns lost: least number of turns for the rest, beyond one fewer than now (a pass loses one)",
    "weak": "combinations somebody can beat in what is left, less those of the hand now",
    "weak_late": "the same, divided by the fewest cards of an opponent",
    "spend": "top cards used: highest rank 1, second 0.6, third 0.3 each",
    "spend_late": "the same, divided by the fewest cards of an opponent",
    "spend_close": "the same as spend, divided by 1 + weak combinations left",
    "turns_late": "turns lost, divided by the fewest cards of an opponent",
    "cards": "cards laid, in fours",
    "lead_height": "when leading a set: its rank, 0 to 1",
    "lead_straight": "when leading a straight: its top, 0 to 1",
    "height": "when following: rank or top, 0 to 1",
    "safe": "chance that no opponent can beat it",
    "safe_close": "the same, divided by 1 + weak combinations left",
    "one_left": "what is left is a single combination",
    "passing": "a pass",
    "pass_foe": "a pass while an opponent is winning the trick: 1 / that opponent's cards",
    "pass_final": "a pass that gives the trick to an opponent",
    "pass_close": "the same as pass_foe without the cards, divided by 1 + weak combinations of the hand",
    "pass_helped": "a pass while an opponent is winning the trick and a partner can still play",
    "over_friend": "beating a partner",
    "over_safe": "the same, times the chance that no opponent could have beaten the partner",
    "over_close": "the same as over_friend, divided by the partner's cards",
    "over_self": "the same as over_friend, divided by 1 + weak combinations left",
    "over_height": "the same as over_friend, times rank or top, 0 to 1",
    "gift": "chance that an opponent can go out on what then lies on the table",
    "gift_choice": "the same when leading, with an unbeatable combination in the hand",
    "lost_lead": "chance that an opponent can beat what then lies there, divided by the fewest cards of an opponent",
    "feed": "leading what may let a partner go out: chance that it can",
    "upstream": "an opponent is next: rank or top, 0 to 1",
    "block": "an opponent is next: rank or top, 0 to 1, divided by that opponent's cards",
    "return": "a higher combination of the same kind is left: chance that no opponent can beat it",
}
N_FEATURES = len(FEATURES)
(
    TURNS, WEAK, WEAK_LATE, SPEND, SPEND_LATE, SPEND_CLOSE, TURNS_LATE, CARDS, LEAD_HEIGHT, LEAD_STRAIGHT, HEIGHT, SAFE,
    SAFE_CLOSE, ONE_LEFT, PASSING, PASS_FOE, PASS_FINAL, PASS_CLOSE, PASS_HELPED, OVER_FRIEND, OVER_SAFE, OVER_CLOSE,
    OVER_SELF, OVER_HEIGHT, GIFT, GIFT_CHOICE, LOST_LEAD, FEED, UPSTREAM, BLOCK, RETURN,
) = range(N_FEATURES)  # fmt: skip
#: The situation of the seat to act, the same for all its moves, and the features `f` of the move looked at.
SCENE = np.dtype(
    [
        ("unseen", np.uint64),  # cards out, as a hand word
        ("out_n", np.int64),
        ("best", np.uint64, (4,)),  # words of the own combinations that no opponent can beat, by multiplicity − 1
        ("foes", np.int64),  # seats that are or may be opponents, as a mask
        ("friends", np.int64),  # seats that are partners
        ("alone", np.int64),  # 1: a declarer who has no known partner
        ("turns", np.int64),  # least turns of the hand
        ("weak", np.int64),  # of these, how many can be beaten
        ("foe_least", np.int64),  # fewest and most cards of an opponent
        ("foe_most", np.int64),
        ("owner", np.float64),  # who is winning the trick: 1 partner, −1 opponent, −0.5 unknown, 0 nobody (leading)
        ("owner_n", np.int64),  # its cards
        ("last_safe", np.float64),  # chance that no opponent can beat what lies there
        ("final", np.int64),  # 1: a pass now ends the trick
        ("helped", np.int64),  # 1: a partner may still play to this trick
        ("next_foe", np.int64),  # cards of the next seat when it is an opponent, else 0
        ("sure", np.int64),  # set by `weigh`: 1 when the move looked at wins the deal for certain
        ("f", np.float64, (N_FEATURES,)),
    ],
    align=True,
)
_0, _1, _13 = U(0), U(1), U(13)
_TOP, _SECOND, _THIRD = LANES << U(12), LANES << U(11), LANES << U(10)


@kernel
def look(view, s):  # type: ignore[no-untyped-def]
    """Fill a SCENE record from a view in the play."""
    s.unseen = unseen_cards(view)
    s.out_n = max(1, cards_in(s.unseen))
    s.foes = 0
    s.friends = 0
    s.foe_least = 99
    s.foe_most = 0
    me = int(view.seat)
    players = int(view.players)
    for seat in range(players):
        if seat != me:
            if side(view, seat) == FRIEND:
                s.friends |= 1 << seat
            else:
                n = int(view.hand_n[seat])
                s.foes |= 1 << seat
                s.foe_least = min(s.foe_least, n)
                s.foe_most = max(s.foe_most, n)
    s.alone = 1 if me == view.declarer and s.friends == 0 else 0
    s.turns = turns(view.hand, view.rules)
    for k in range(4):
        s.best[k] = unbeaten(view.hand, s.unseen, U(k), s.foe_most, view.rules)
    s.weak = weak_turns(view.hand, s.best[0], s.best[1], s.best[2], s.best[3], view.rules)
    after = me + 1 if me + 1 < players else 0
    s.next_foe = int(view.hand_n[after]) if (s.foes >> after) & 1 != 0 else 0
    _look_at_trick(view, s)


@kernel
def _look_at_trick(view, s):  # type: ignore[no-untyped-def]
    """The part of a scene that only matters when following."""
    s.owner = 0.0
    s.owner_n = 1
    s.last_safe = 1.0
    s.final = 0
    s.helped = 0
    if view.leading != 0:
        return
    who = int(view.last_seat)
    players = int(view.players)
    it = side(view, who)
    s.owner = 1.0 if it == FRIEND else (-1.0 if it == FOE else -0.5)
    s.owner_n = int(view.hand_n[who])
    s.last_safe = safety(view, s.unseen, s.out_n, s.foes & ~(1 << who), U(view.last_k), U(view.last_bit))
    s.final = 1 if view.passes + 1 == players - 1 else 0
    seat = int(view.seat)
    for _ in range(players - 2 - int(view.passes)):
        seat = seat + 1 if seat + 1 < players else 0
        if (s.friends >> seat) & 1 != 0 and seat != who:
            s.helped = 1


@kernel
def spent(hand, rest):  # type: ignore[no-untyped-def]
    """Return how many top cards a hand word has that `rest` has not.

    Highest rank 1, the next 0.6, the third 0.3 each.
    """
    gone = hand & ~rest
    return popcount(gone & _TOP) + 0.6 * popcount(gone & _SECOND) + 0.3 * popcount(gone & _THIRD)


@kernel
def gift(view, s, k, bit, safe):  # type: ignore[no-untyped-def]
    """Return the chance that an opponent can go out at once by beating a combination."""
    n = size_of(k, bit)
    for seat in range(view.players):
        if (s.foes >> seat) & 1 != 0 and view.hand_n[seat] == n:
            return 1.0 - safe
    return 0.0


@kernel
def weigh_pass(view, s):  # type: ignore[no-untyped-def]
    """Fill the features of a pass."""
    for i in range(N_FEATURES):
        s.f[i] = 0.0
    s.sure = 0
    s.f[TURNS] = 1.0
    s.f[TURNS_LATE] = 1.0 / s.foe_least
    s.f[PASSING] = 1.0
    if s.owner < 0.0:
        s.f[PASS_FOE] = -s.owner / s.owner_n
        s.f[PASS_FINAL] = s.final
        s.f[PASS_CLOSE] = -s.owner / (1 + s.weak)
        s.f[PASS_HELPED] = s.helped
    s.f[GIFT] = gift(view, s, U(view.last_k), U(view.last_bit), s.last_safe)
    s.f[LOST_LEAD] = (1.0 - s.last_safe) / s.foe_least


@kernel(inline=True)
def worth_a_look(view, s, k, bit):  # type: ignore[no-untyped-def]
    """Return whether a move leaves no more turns than there are now.

    One that breaks more is only good to stop somebody.
    """
    left = turns(without(view.hand, k, bit, view.rules), view.rules)
    return left <= s.turns or (view.leading == 0 and s.foe_least <= 3)


@kernel
def weigh(view, s, k, bit):  # type: ignore[no-untyped-def]
    """Fill the features of playing combination `bit` of multiplicity k + 1 (both uint64)."""
    rules = view.rules
    rest = without(view.hand, k, bit, rules)
    left = turns(rest, rules)
    weak = weak_turns(rest, s.best[0], s.best[1], s.best[2], s.best[3], rules)
    sure = (s.best[k] >> bit) & _1 != _0
    safe = 1.0 if sure else safety(view, s.unseen, s.out_n, s.foes, k, bit)
    s.sure = 1 if left == 0 or (weak <= 1 and sure) else 0
    for i in range(N_FEATURES):
        s.f[i] = 0.0
    s.f[TURNS] = left - s.turns + 1
    s.f[WEAK] = weak - s.weak
    s.f[WEAK_LATE] = s.f[WEAK] / s.foe_least
    s.f[TURNS_LATE] = s.f[TURNS] / s.foe_least
    s.f[SPEND] = spent(view.hand, rest)
    s.f[SPEND_LATE] = s.f[SPEND] / s.foe_least
    s.f[SPEND_CLOSE] = s.f[SPEND] / (1 + weak)
    s.f[CARDS] = size_of(k, bit) / 4.0
    height = TOP[bit] / 12.0 if bit < _13 else TOP[bit] / 9.0
    if view.leading == 0:
        s.f[HEIGHT] = height
    elif bit < _13:
        s.f[LEAD_HEIGHT] = height
    else:
        s.f[LEAD_STRAIGHT] = height
    s.f[SAFE] = safe
    s.f[SAFE_CLOSE] = safe / (1 + weak)
    s.f[ONE_LEFT] = 1.0 if left == 1 else 0.0
    if s.owner > 0.0:
        s.f[OVER_FRIEND] = 1.0
        s.f[OVER_SAFE] = s.last_safe
        s.f[OVER_CLOSE] = 1.0 / s.owner_n
        s.f[OVER_SELF] = 1.0 / (1 + weak)
        s.f[OVER_HEIGHT] = height
    s.f[GIFT] = gift(view, s, k, bit, safe)
    s.f[LOST_LEAD] = (1.0 - safe) / s.foe_least
    if s.next_foe > 0:
        s.f[UPSTREAM] = height
        s.f[BLOCK] = height / s.next_foe
    s.f[RETURN] = _returns(view, s, rest, k, bit)
    if view.leading != 0:
        s.f[GIFT_CHOICE] = s.f[GIFT] if s.best[0] | s.best[1] | s.best[2] | s.best[3] != _0 else 0.0
        s.f[FEED] = _feed(view, s, k, bit)


@kernel
def _returns(view, s, rest, k, bit):  # type: ignore[no-untyped-def]
    """Return the chance that no opponent can beat the highest combination of `rest` that beats this one.

    0 without one.
    """
    word = moves(rest, k, view.rules) & ABOVE[bit]
    if word == _0:
        return 0.0
    best = U(63) - U(clz(word))
    if (s.best[k] >> best) & _1 != _0:
        return 1.0
    return safety(view, s.unseen, s.out_n, s.foes, k, best)


@kernel
def _feed(view, s, k, bit):  # type: ignore[no-untyped-def]
    """Return the chance that a partner with just as many cards can beat what is led."""
    n = size_of(k, bit)
    for seat in range(view.players):
        if (s.friends >> seat) & 1 != 0 and view.hand_n[seat] == n:
            return 1.0 - safety(view, s.unseen, s.out_n, 1 << seat, k, bit)
    return 0.0
