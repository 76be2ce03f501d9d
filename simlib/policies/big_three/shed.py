"""`shed` and `tips`: play from the decomposition of the hand into fewest combinations; `tips` heeds the advice."""

from __future__ import annotations

from simlib._dispatch import ask
from simlib._jit import kernel
from simlib.games.big_three.combos import PASS, U, beating, lowest, moves
from simlib.games.big_three.observe import move_word
from simlib.games.big_three.view import AUCTION, CALLING
from simlib.policies.base import policy
from simlib.policies.big_three.basic import TOP, lowest_bid_or_pass, lowest_call
from simlib.policies.big_three.bidding import hand_value
from simlib.policies.big_three.cards import FRIEND, play, side, size_of, unseen_cards, without
from simlib.policies.big_three.turns import turns

_0, _1, _13 = U(0), U(1), U(13)
_TOP, _STRONG = U(1 << 12), U(0x1C00 << 16)


@kernel(inline=True)
def height(bit, rules):  # type: ignore[no-untyped-def]
    """Return the rank number of the highest card of a combination bit."""
    return TOP[bit] + (int(rules.base) if bit >= _13 else 0)


@kernel
def least_cards(view, wanted):  # type: ignore[no-untyped-def]
    """Return the fewest cards of a seat that is (`wanted` 1) or is not (0) a known partner; 99 when there is none."""
    least = 99
    for seat in range(view.players):
        if seat != view.seat and int(side(view, seat) == FRIEND) == wanted:
            least = min(least, int(view.hand_n[seat]))
    return least


@kernel
def tops_out(view, k, bit):  # type: ignore[no-untyped-def]
    """Return whether a combination is a straight that no card out can beat (advice 2: one up to the king)."""
    return bit >= _13 and beating(unseen_cards(view), k, bit, view.rules) == _0


@kernel(inline=True)
def strong(hand):  # type: ignore[no-untyped-def]
    """Return whether a hand word has a card of the highest rank, or a pair of one of the three highest (advice 4)."""
    return hand & _TOP != _0 or hand & _STRONG != _0


@kernel
def keeps(view, k, bit):  # type: ignore[no-untyped-def]
    """Return whether a combination would give away the last 3 and the last strong pair.

    Nothing to get the lead back with.
    """
    return strong(view.hand) and not strong(without(view.hand, k, bit, view.rules))


@kernel
def lead(view, straights, partner, keep, end):  # type: ignore[no-untyped-def]
    """Lead the lowest combination of a shortest way to empty the hand; of equally low ones that of most cards.

    `straights`: an unbeatable straight is led late, when at most `end` turns are left. `keep`: so are the last 3 and
    strong pair. `partner`: with a partner about to go out lead what lets it, the lowest combination of as many cards
    as it has.
    """
    rules = view.rules
    now = turns(view.hand, rules)
    friend = least_cards(view, 1) if partner != 0 else 99
    best = 1 << 30
    action = PASS
    for i in range(4):
        k = U(i)
        word = moves(view.hand, k, rules)
        while word != _0:
            bit = lowest(word)
            word &= word - _1
            size = size_of(k, bit)
            left = turns(without(view.hand, k, bit, rules), rules)
            if left == 0:
                return play(view, k, bit, 0)
            late = now > end and ((straights != 0 and tops_out(view, k, bit)) or (keep != 0 and keeps(view, k, bit)))
            key = (left - now + 1) * 10000 + height(bit, rules) * 100 - size + (5000 if late else 0)
            if size == friend and friend <= 2 and now > 2:
                key -= 100000
            if key < best:
                best = key
                action = play(view, k, bit, 0)
    return action


@kernel
def leaves_to_partner(view, now, literally):  # type: ignore[no-untyped-def]
    """Return whether beating a partner would serve nobody (advice 3).

    So it is when nothing that is out could beat the partner anyway, or when the partner is nearer to going out: at most
    four cards, and fewer than the viewer. It is not when the viewer has at most two turns left. `literally`: never beat
    a partner.
    """
    if literally or now <= 2:
        return literally
    safe = beating(unseen_cards(view), U(view.last_k), U(view.last_bit), view.rules) == _0
    partner = int(view.hand_n[view.last_seat])
    return safe or (partner <= 4 and partner < view.hand_n[view.seat])


@kernel
def follow(view, straights, partner, keep, alarm, end):  # type: ignore[no-untyped-def]
    """Beat with the lowest combination of a shortest way to empty the hand; break that way only when it pays.

    It pays when some opponent has at most `alarm` cards, and a combination is used that leaves no more turns than
    there are now: the highest one. `straights`: an unbeatable straight is worth breaking for, to take the lead.
    `partner`: a partner is not beaten, save to go out, or when it helps (2: save to go out alone). `keep`: the last 3
    or strong pair is kept, unless the alarm is on or at most `end` turns are left.
    """
    rules = view.rules
    k = U(view.last_k)
    word = move_word(view, k)
    now = turns(view.hand, rules)
    foe = least_cards(view, 0)
    mine = side(view, int(view.last_seat)) == FRIEND
    best = 1 << 30
    action = PASS
    while word != _0:
        bit = lowest(word)
        word &= word - _1
        left = turns(without(view.hand, k, bit, rules), rules)
        if left == 0:
            return play(view, k, bit, 0)
        top = height(bit, rules)
        if keep != 0 and foe > alarm and now > end and keeps(view, k, bit):
            continue
        key = 1 << 30
        if left < now:
            key = top
        elif left == now and (foe <= alarm or (straights != 0 and tops_out(view, k, bit))):
            key = 100 - top
        if key < best:
            best = key
            action = play(view, k, bit, 0)
    if partner != 0 and mine and leaves_to_partner(view, now, partner >= 2):
        return PASS
    return action


@policy(
    "big_three",
    bid=("never", "policy that bids"),
    alarm=(6, "cards of an opponent from which on the decomposition may be broken"),
)
def shed(view, ctx):  # type: ignore[no-untyped-def]
    """Play from the decomposition of the hand into fewest combinations, lowest first.

    Break it only when that pays.
    """
    if view.phase == AUCTION:
        return ask(ctx, 0, view.seat, view)
    if view.phase == CALLING:
        return lowest_call(view)
    return lead(view, 0, 0, 0, 0) if view.leading != 0 else follow(view, 0, 0, 0, ctx.params[0], 0)


@policy(
    "big_three",
    cautious=(1, "advice 1: bids only with many sets and straights and a good hand, else 0: as `bid` says"),
    straights=(1, "advice 2: keeps unbeatable straights, to take the lead with them"),
    partner=(
        1,
        "advice 3: 1: leaves a partner alone where that helps, 2: never beats it, 0: as if a foe",
    ),
    keep_three=(1, "advice 4: keeps the last 3 or strong pair until near the end"),
    most_turns=(7, "with `cautious`: no bid with a hand that needs more combinations"),
    bid_threshold=(8.0, "with `cautious`: no bid with a lower hand value (as of `threshold`)"),
    alarm=(6, "cards of an opponent from which on it keeps nothing back"),
    end=(5, "turns of the own hand from which on it keeps nothing back"),
    bid=("threshold", "policy that bids"),
)
def tips(view, ctx):  # type: ignore[no-untyped-def]
    """The advice of the source (RULES.md, "Advice", 1 to 4), each piece a switch; otherwise plays like `shed`."""
    p = ctx.params
    if view.phase == AUCTION:
        poor = turns(view.hand, view.rules) > p[4] or hand_value(view.hand, view.rules) < p[5]
        return lowest_bid_or_pass(view) if p[0] != 0.0 and poor else ask(ctx, 0, view.seat, view)
    if view.phase == CALLING:
        return lowest_call(view)
    if view.leading != 0:
        return lead(view, p[1], p[2], p[3], p[7])
    return follow(view, p[1], p[2], p[3], p[6], p[7])
