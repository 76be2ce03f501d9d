"""What a hand of Three-Thirteen promises: cards unseen, cards not melded, and pairs that a live card would complete.

A *pair* is two cards that a third one makes a meld: two of a rank, or two of a suit with at most one rank between. A
card is *free* when the hand is cheaper by its whole value without it: some best arrangement leaves it over.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.games.three_thirteen.each import penalty_without
from simlib.games.three_thirteen.hand import ACES_52, card_value, count_in
from simlib.games.three_thirteen.melds import ANY, penalty

U = np.uint64
_ONE, _ZERO = U(1), U(0)
#: Places in `ctx.tmp`: penalties left by each discard, copies unseen, cards, whether each is free, its promise (in
#: 1/1024 points).
LEFT, UNSEEN, CARDS, FREE, PROMISE = 0, 56, 112, 128, 144
#: Single numbers: cards of the hand, their penalty, free cards, unseen cards, unseen wild cards, promise of the hand.
COUNT, WHOLE, FREE_N, UNSEEN_N, WILDS_N, TOTAL = 160, 161, 162, 163, 164, 165
SCALE = 1024.0


@kernel
def count_unseen(view, tmp):  # type: ignore[no-untyped-def]
    """Write how many copies of each card are not in the own hand, the pile, or known to be in another hand."""
    decks = int(view.rules.decks)
    for card in range(52):
        tmp[UNSEEN + card] = decks
    tmp[UNSEEN + 52] = int(view.rules.jokers) - int(view.jokers)
    for k in range(4):
        word = view.hand[k]
        while word != _ZERO:
            tmp[UNSEEN + ctz(word)] -= 1
            word &= word - _ONE
    for i in range(view.pile_n):
        tmp[UNSEEN + int(view.pile[i])] -= 1
    for seat in range(view.players):
        if seat != view.seat:
            for i in range(view.known_n[seat]):
                tmp[UNSEEN + int(view.known[seat, i])] -= 1
    n = 0
    for card in range(53):
        n += tmp[UNSEEN + card]
    tmp[UNSEEN_N] = n
    wild = int(view.wild)
    tmp[WILDS_N] = tmp[UNSEEN + 52]
    for suit in range(4):
        tmp[WILDS_N] += tmp[UNSEEN + 13 * suit + wild]


@kernel(inline=True)
def near(card, reach, aces):  # type: ignore[no-untyped-def]
    """Return the mask of the cards of a suit at most `reach` ranks from a natural card, itself left out."""
    rank = card % 13
    first = card - rank
    if aces != 0:
        # Runs may pass the ace: the whole suit, to be looked at closely.
        return (U(0x1FFF) << U(first)) & ~(_ONE << U(card))
    low = max(0, rank - reach)
    high = min(12, rank + reach)
    return ((_ONE << U(high + 1)) - (_ONE << U(low))) << U(first) & ~(_ONE << U(card))


@kernel(inline=True)
def may_be_melded(h0, h1, h2, h3, card, wilds, natural, aces):  # type: ignore[no-untyped-def]
    """Return whether a natural card could be in a meld with `wilds` wild cards; False is certain."""
    if wilds >= 2:
        return True
    if count_in(h0, h1, h2, h3, ACES_52 << U(card % 13)) + wilds >= 3:
        return True
    if wilds == 1:
        return h0 & natural & near(card, 2, aces) != _ZERO
    if aces != 0:
        return True
    rank = card % 13
    suit = (h0 & natural) >> U(card - rank)
    # Bits 2 … 14 are the suit's ranks; three in a row that contain bit rank + 2.
    suit = (suit & U(0x1FFF)) << U(2)
    three = suit & (suit >> _ONE) & (suit >> U(2))
    return three & (U(7) << U(rank)) != _ZERO


@kernel
def list_cards(view, h0, h1, h2, h3, jokers, tmp):  # type: ignore[no-untyped-def]
    """Write the cards of a hand, what it costs, what is left without each of them, and which of them are free."""
    wild = int(view.wild)
    aces = int(view.rules.aces)
    wilds = count_in(h0, h1, h2, h3, ACES_52 << U(wild)) + jokers
    natural = ~(ACES_52 << U(wild))
    whole = penalty(h0, h1, h2, h3, jokers, wild, view.rules)
    n = 0
    for k in range(4):
        word = h0 if k == 0 else h1 if k == 1 else h2 if k == 2 else h3
        while word != _ZERO:
            tmp[CARDS + n] = ctz(word)
            word &= word - _ONE
            n += 1
    for _ in range(jokers):
        tmp[CARDS + n] = 52
        n += 1
    free = 0
    for i in range(n):
        card = tmp[CARDS + i]
        value = card_value(card, wild, view.rules)
        plain = view.rules.fast != 0 and is_natural(card, wild)
        if plain and not may_be_melded(h0, h1, h2, h3, card, wilds, natural, aces):
            tmp[LEFT + card] = whole - value
        else:
            tmp[LEFT + card] = penalty_without(h0, h1, h2, h3, jokers, wild, view.rules, card, ANY)
        tmp[FREE + i] = 1 if tmp[LEFT + card] + value == whole else 0
        free += tmp[FREE + i]
    tmp[COUNT] = n
    tmp[WHOLE] = whole
    tmp[FREE_N] = free


@kernel(inline=True)
def is_natural(card, wild):  # type: ignore[no-untyped-def]
    """Return whether a card is neither of the wild rank nor a joker."""
    return card != 52 and card % 13 != wild


@kernel(inline=True)
def live_at(tmp, suit, rank, wild, aces):  # type: ignore[no-untyped-def]
    """Return how many copies of a natural card are unseen; 0 beyond the ends of a suit and for the wild rank."""
    if rank < 0 or rank > 12:
        if aces == 0 or (aces == 1 and rank != 13):
            return 0
        rank = (rank + 13) % 13
    return 0 if rank == wild else tmp[UNSEEN + 13 * suit + rank]


@kernel(inline=True)
def distance(a, b, aces):  # type: ignore[no-untyped-def]
    """Return how many ranks `b` is above `a` (round the corner where runs go there), −12 … 12."""
    d = b - a
    if aces == 2 or (aces == 1 and (a == 0 or b == 0)):
        if d > 6:
            d -= 13
        elif d < -6:
            d += 13
    return d


@kernel
def live_for_set(tmp, rank):  # type: ignore[no-untyped-def]
    """Return the unseen cards of a rank."""
    return tmp[UNSEEN + rank] + tmp[UNSEEN + 13 + rank] + tmp[UNSEEN + 26 + rank] + tmp[UNSEEN + 39 + rank]


@kernel
def live_for(tmp, a, b, wild, aces):  # type: ignore[no-untyped-def]
    """Return how many unseen natural cards make a meld with two natural cards; −1 when the two are no pair."""
    ra, rb = a % 13, b % 13
    if ra == rb:
        return live_for_set(tmp, ra)
    suit = a // 13
    if suit != b // 13:
        return -1
    d = distance(ra, rb, aces)
    if d < 0:
        d = -d
        ra = rb
    if d == 1:
        return live_at(tmp, suit, ra - 1, wild, aces) + live_at(tmp, suit, ra + 2, wild, aces)
    if d == 2:
        return live_at(tmp, suit, ra + 1, wild, aces)
    return -1


@kernel
def promises(view, tmp, draws, wild_share, melded, card_worth):  # type: ignore[no-untyped-def]
    """Write what each free card promises: over its pairs, the chance that they are completed times what that saves.

    Parameters
    ----------
    view : VIEW record
    tmp : int64 array
        Filled by `count_unseen` and `list_cards`; the promises are added.
    draws : float
        Cards the seat can expect to choose from before the round ends.
    wild_share : float
        Part of the unseen wild cards that counts for each pair.
    melded : float
        Weight of a pair whose other card is melded already.
    card_worth : float
        Points that a melded card is worth besides its value.
    """
    wild = int(view.wild)
    aces = int(view.rules.aces)
    n = tmp[COUNT]
    unseen = max(1, tmp[UNSEEN_N])
    for i in range(n):
        tmp[PROMISE + i] = 0
    total = 0
    for i in range(n):
        a = tmp[CARDS + i]
        if a == 52 or a % 13 == wild:
            continue
        va = min(a % 13 + 1, 10) + card_worth
        partners = (ACES_52 << U(a % 13)) | near(a, 2, aces)
        for j in range(i + 1, n):
            b = tmp[CARDS + j]
            if (partners >> U(b)) & _ONE == _ZERO:  # card 52 has no bit
                continue
            both = tmp[FREE + i] + tmp[FREE + j]
            if both == 0 or b == 52 or b % 13 == wild:
                continue
            if both == 1 and a % 13 == b % 13:
                continue
            live = live_for(tmp, a, b, wild, aces)
            if live < 0:
                continue
            rate = draws * (live + wild_share * tmp[WILDS_N])
            chance = rate / (unseen + rate)
            if both == 2:
                gain = np.int64(SCALE * chance * (va + min(b % 13 + 1, 10) + card_worth))
            else:
                saved = va if tmp[FREE + i] == 1 else min(b % 13 + 1, 10) + card_worth
                gain = np.int64(SCALE * chance * melded * saved)
            total += gain
            if tmp[FREE + i] == 1:
                tmp[PROMISE + i] += gain
            if tmp[FREE + j] == 1:
                tmp[PROMISE + j] += gain
    tmp[TOTAL] = total


@kernel
def wanted(view, seat, card):  # type: ignore[no-untyped-def]
    """Return how many cards known to be in a seat's hand go with a card (a wild card goes with everything: 4)."""
    if card == 52 or card % 13 == view.wild:
        return 4
    n = 0
    aces = int(view.rules.aces)
    for i in range(view.known_n[seat]):
        other = int(view.known[seat, i])
        if other == 52 or other % 13 == view.wild:
            continue
        close = other // 13 == card // 13 and abs(distance(card % 13, other % 13, aces)) <= 2
        if close or other % 13 == card % 13:
            n += 1
    return n


@kernel(inline=True)
def next_seat(view):  # type: ignore[no-untyped-def]
    """Return the seat that acts after the view's own."""
    after = int(view.seat) + 1
    return 0 if after == view.players else after


@kernel(inline=True)
def is_wild(view, card):  # type: ignore[no-untyped-def]
    """Return whether a card is wild in this round."""
    return card == 52 or card % 13 == view.wild


@kernel(inline=True)
def is_banned(view, card):  # type: ignore[no-untyped-def]
    """Return whether a card may not be discarded since it has just been taken (`may_return_discard`, section 3)."""
    if view.rules.may_return != 0 or card != view.taken:
        return False
    if card == 52:
        return view.hand[0] != _ZERO
    h0, h1, h2, h3 = view.hand[0], view.hand[1], view.hand[2], view.hand[3]
    return int(view.jokers) > 0 or count_in(h0, h1, h2, h3, ~(_ONE << U(card))) > 0
