"""One exact search for every rule of melds: limits of wild cards, contracts, aces high or round the corner, any
number of decks.

The lowest natural card left is put into a set of its rank, into a run of its suit (natural card by natural
card), or left over; wild cards are a count. Each meld remembers how many more wild cards it could take; what is
left of them at the end joins those places, or forms sets of wild cards alone. A branch is given up when it
costs as much as the best arrangement found.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.games.three_thirteen.hand import ACES_52, U, count_in, minus
from simlib.games.three_thirteen.recursion import call_general, call_hand

_ZERO, _ONE = U(0), U(1)
INFINITE = 1 << 50

#: What the search minimises: the penalty; penalty, melds, then most runs, in one number; the same with every
#: card melded. `COUNT` is penalty * 16 + number of unmelded cards.
COST, DETAIL, EVERYTHING, COUNT = 0, 1, 2, 3


@kernel(inline=True)
def _field(word, shift, bits):
    return (word >> shift) & ((1 << bits) - 1)


@kernel(inline=True)
def constants(mode, wild, ranked, jokers, rules):
    """Pack what does not change during a search: mode, limit, contract, aces, wild cards of both kinds and
    their penalties.
    """
    size = 14 if wild == 0 else wild + 1
    return (
        mode
        | np.int64(rules.max_wilds) << 2
        | np.int64(rules.sets[size]) << 9
        | np.int64(rules.runs[size]) << 13
        | np.int64(rules.aces) << 17
        | ranked << 19
        | jokers << 24
        | np.int64(rules.wild_penalty) << 29
        | np.int64(rules.joker_penalty) << 36
    )


@kernel(inline=True)
def rank_cost(rank, const):
    """Return what a natural card left over adds to the cost."""
    points = min(rank + 1, 10)
    return points * 16 + 1 if _field(const, 0, 2) == COUNT else points


@kernel(inline=True)
def wilds_left_cost(n, const):
    """Return the least that `n` wild cards left over can cost: the cheaper kind first."""
    ranked, jokers = _field(const, 19, 5), _field(const, 24, 5)
    a, b = _field(const, 29, 7), _field(const, 36, 7)
    cheap = ranked if a <= b else jokers
    first = min(n, cheap)
    cost = first * min(a, b) + (n - first) * max(a, b)
    return cost * 16 + n if _field(const, 0, 2) == COUNT else cost


@kernel(inline=True)
def objective(counts, sets, cost, const):
    """Return the number to be minimised for an arrangement with `sets` sets of wild cards alone."""
    mode = _field(const, 0, 2)
    if mode in (COST, COUNT):
        return cost
    runs = _field(counts, 8, 8) + _field(counts, 16, 8)
    melds = _field(counts, 0, 8) + runs + sets
    return cost << 12 | melds << 6 | (32 - runs)


@kernel(inline=True)
def bound(counts, cost, const):
    """Return a lower bound of the objective of all that a partial arrangement can become (five more runs at most)."""
    mode = _field(const, 0, 2)
    if mode in (COST, COUNT):
        return cost
    return objective(counts, 0, cost, const) - 5


@kernel(inline=True)
def meets_contract(counts, sets, const):
    """Return whether the melds hold the round's pattern; a meld that can be either counts once."""
    missing_sets = max(0, _field(const, 9, 4) - _field(counts, 0, 8) - sets)
    missing_runs = max(0, _field(const, 13, 4) - _field(counts, 8, 8))
    return missing_sets + missing_runs <= _field(counts, 16, 8)


@kernel
def finish(w, room, counts, cost, best, const):
    """Place the wild cards that are left, with 0, 1, … sets of wild cards alone; return the smaller objective."""
    limit = _field(const, 2, 7)
    for sets in range(w // 3 + 1 if limit >= 3 else 1):
        left = max(0, w - room - sets * limit)
        if (left == 0 or _field(const, 0, 2) != EVERYTHING) and meets_contract(counts, sets, const):
            best = min(best, objective(counts, sets, cost + wilds_left_cost(left, const), const))
    return best


@kernel
def _combinations(h0, h1, h2, h3, rank):
    """Return how many different parts of the cards of a rank there are."""
    n = 1
    for suit in range(4):
        bit = _ONE << U(13 * suit + rank)
        n *= 1 + count_in(h0, h1, h2, h3, bit)
    return n


@kernel
def _take(h0, h1, h2, h3, rank, part):
    """Return the words without part number `part` of the cards of a rank, and how many cards it has."""
    n = 0
    for suit in range(4):
        bit = _ONE << U(13 * suit + rank)
        copies = count_in(h0, h1, h2, h3, bit)
        take = part % (copies + 1)
        part //= copies + 1
        n += take
        for _ in range(take):
            h0, h1, h2, h3 = minus(h0, h1, h2, h3, 13 * suit + rank)
    return h0, h1, h2, h3, n


@kernel
def grow_run(rules, h0, h1, h2, h3, w, room, counts, cost, best, run, const):
    """Continue the run that is being made with each natural card it can reach, or close it; see `search`."""
    limit = _field(const, 2, 7)
    aces = _field(const, 17, 2)
    start = _field(run, 1, 4)
    suit = _field(run, 5, 2)
    offset = _field(run, 7, 4)
    gaps = _field(run, 15, 4)
    need = _field(run, 19, 4)
    reach = 12 - start if aces == 0 else (13 - start if aces == 1 else 12)
    reach = min(reach, 12)
    if offset < need:
        reach = min(reach, need)
    for step in range(1, min(w + 2, limit - gaps + 2)):
        new = offset + step
        if new > reach:
            break
        card = suit * 13 + (start + new) % 13
        if (h0 >> U(card)) & _ONE != _ZERO:
            g0, g1, g2, g3 = minus(h0, h1, h2, h3, card)
            more = run + (step << 7) + (1 << 11) + ((step - 1) << 15)
            best = call_general(
                rules.search_general, rules, g0, g1, g2, g3, w - step + 1, room, counts, cost, best, more, const
            )
    if offset >= need and _field(run, 11, 4) >= 2:
        pad = max(0, 2 - offset)
        if pad <= w and gaps + pad <= limit:
            more = min(limit - gaps - pad, 12 - offset - pad)
            best = call_general(
                rules.search_general,
                rules,
                h0,
                h1,
                h2,
                h3,
                w - pad,
                room + more,
                counts + (1 << 8),
                cost,
                best,
                0,
                const,
            )
    return best


@kernel
def search(rules, h0, h1, h2, h3, w, room, counts, cost, best, run, const):
    """Search on from a partial arrangement; return the smallest objective found, at most `best`.

    Parameters
    ----------
    rules : RULES record
        It holds the address of this function.
    h0, h1, h2, h3 : uint64
        Natural cards not decided yet.
    w : int
        Wild cards not used yet.
    room : int
        Further wild cards that the melds made so far could take.
    counts : int
        Melds made: sets, runs, and those that can be read as either, 8 bits each.
    cost : int
        Value of the natural cards left over.
    best : int
        Smallest objective known.
    run : int
        0, or a run that is being made: 1, lowest rank (4 bits), suit (2), offset of its highest card so far
        (4), natural cards (4), wild cards (4), offset that it must reach (4).
    const : int
        See `constants`.
    """
    if run != 0:
        return grow_run(rules, h0, h1, h2, h3, w, room, counts, cost, best, run, const)
    limit = _field(const, 2, 7)
    if bound(counts, cost, const) >= best:
        return best
    if h0 == _ZERO:
        return finish(w, room, counts, cost, best, const)
    card = ctz(h0)
    suit = card // 13
    rank = card - 13 * suit
    g0, g1, g2, g3 = minus(h0, h1, h2, h3, card)
    best = call_general(
        rules.search_general,
        rules,
        g0,
        g1,
        g2,
        g3,
        w,
        room,
        counts,
        cost,
        best,
        1 | rank << 1 | suit << 5 | 1 << 11,
        const,
    )
    aces = _field(const, 17, 2)
    if aces == 2 or (aces == 1 and rank == 0):
        for down in range(1, 13):
            low = (rank + 13 - down) % 13
            if (h0 >> U(suit * 13 + low)) & _ONE != _ZERO:
                l0, l1, l2, l3 = minus(h0, h1, h2, h3, suit * 13 + low)
                more = 1 | low << 1 | suit << 5 | 1 << 11 | down << 19
                best = call_general(
                    rules.search_general, rules, l0, l1, l2, l3, w, room, counts, cost, best, more, const
                )
    for part in range(_combinations(g0, g1, g2, g3, rank) - 1, -1, -1):
        s0, s1, s2, s3, n = _take(g0, g1, g2, g3, rank, part)
        pad = max(0, 2 - n)
        if pad <= w and pad <= limit:
            if n == 0:  # one natural card and two wild cards: a set and a run
                added, space = 1 << 16, min(limit, 12) - 2
            else:
                added, space = 1, limit - pad
            best = call_general(
                rules.search_general, rules, s0, s1, s2, s3, w - pad, room + space, counts + added, cost, best, 0, const
            )
    if _field(const, 0, 2) != EVERYTHING:
        best = call_general(
            rules.search_general, rules, g0, g1, g2, g3, w, room, counts, cost + rank_cost(rank, const), best, 0, const
        )
    return best


@kernel(inline=True)
def _partners(h0, rank, suit, reach, aces):
    """Return whether the suit holds another card at most `reach` ranks away."""
    found = False
    for d in range(1, reach + 1):
        up, down = rank + d, rank - d
        if aces > 0:
            # Round the corner is allowed for here even with "high_low": it only keeps a card that cannot be melded.
            up, down = up % 13, (down + 13) % 13
        found |= up < 13 and (h0 >> U((13 * suit + up) & 63)) & _ONE != _ZERO
        found |= down >= 0 and (h0 >> U((13 * suit + max(down, 0)) & 63)) & _ONE != _ZERO
    return found


@kernel
def lonely(h0, h1, h2, h3, w, const):
    """Return the mask of natural cards (by kind) that cannot be in any meld, and what all their copies cost."""
    wilds = min(w, _field(const, 2, 7))
    aces = _field(const, 17, 2)
    mask = _ZERO
    cost = 0
    if wilds > 1:
        return mask, cost
    left = h0
    while left != _ZERO:
        card = ctz(left)
        left &= left - _ONE
        suit = card // 13
        rank = card - 13 * suit
        same = count_in(h0, h1, h2, h3, ACES_52 << U(rank))
        if same + wilds < 3 and not _partners(h0, rank, suit, 1 + wilds, aces):
            mask |= _ONE << U(card)
            cost += count_in(h0, h1, h2, h3, _ONE << U(card)) * rank_cost(rank, const)
    return mask, cost


@kernel
def natural_sum(h0, h1, h2, h3, const):
    """Return the cost of all cards of four words, wild cards none of them."""
    total = 0
    for rank in range(13):
        total += count_in(h0, h1, h2, h3, ACES_52 << U(rank)) * rank_cost(rank, const)
    return total


@kernel(inline=True)
def arrange_cost(h0, h1, h2, h3, jokers, wild, rules, mode, most):
    """Return the smallest objective of a hand, or `most` when none is smaller (`EVERYTHING`: when not all can
    be melded).
    """
    return call_hand(rules.search_cost, h0, h1, h2, h3, jokers, wild, rules, mode, most)


@kernel
def search_cost(h0, h1, h2, h3, jokers, wild, rules, mode, most):
    """See `arrange_cost`."""
    wilds = ACES_52 << U(wild)
    ranked = count_in(h0, h1, h2, h3, wilds)
    h0, h1, h2, h3 = h0 & ~wilds, h1 & ~wilds, h2 & ~wilds, h3 & ~wilds
    w = ranked + jokers
    const = constants(mode, wild, ranked, jokers, rules)
    mask, cost = lonely(h0, h1, h2, h3, w, const)
    best = most
    if mode == EVERYTHING:
        if mask != _ZERO:
            return most
    else:
        # Whatever the contract, one may meld nothing.
        best = min(best, objective(0, 0, natural_sum(h0, h1, h2, h3, const) + wilds_left_cost(w, const), const))
    keep = ~mask
    h0, h1, h2, h3 = h0 & keep, h1 & keep, h2 & keep, h3 & keep
    return call_general(rules.search_general, rules, h0, h1, h2, h3, w, 0, 0, cost, best, 0, const)


@kernel(inline=True)
def general_penalty(h0, h1, h2, h3, jokers, wild, rules):
    """Return the smallest penalty of a hand under any rules (lay-offs apart)."""
    return arrange_cost(h0, h1, h2, h3, jokers, wild, rules, COST, INFINITE)


@kernel(inline=True)
def fewest_unmelded(h0, h1, h2, h3, jokers, wild, rules, penalty):
    """Return the smallest number of unmelded cards that makes up a hand's smallest `penalty`."""
    most = penalty * 16 + 16
    return arrange_cost(h0, h1, h2, h3, jokers, wild, rules, COUNT, most) - penalty * 16
