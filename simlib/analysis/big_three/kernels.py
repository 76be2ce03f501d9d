"""Compiled loops of the analyses of Big Three: redealt hands weighed by the bids made, and played on bid by bid."""

from __future__ import annotations

import numpy as np

from simlib._dispatch import call2, call2_none, call3_none, call4
from simlib._jit import kernel
from simlib._loop import begin_game, decide, play_chunk
from simlib.games.big_three.combos import BID
from simlib.games.big_three.view import AUCTION
from simlib.rng import seek

#: What `play_bids` is asked for: 0 pass, 1 to 3 a bid.
OPTIONS = 4


@kernel
def begin(game, state, rules, scenario, contexts, subs, rng, number):  # type: ignore[no-untyped-def]
    """Deal game `number` and put every policy at its start; return the seat to act."""
    begin_game(contexts, subs, rng.seed, number)
    seek(rng, rng.seed, 0, number)
    return call4(game.deal, state, rules, scenario, rng)


@kernel
def legal_bids(game, state):  # type: ignore[no-untyped-def]
    """Return how many bids, passing included, the seat to act may make."""
    n = 0
    for value in range(OPTIONS):
        n += call2(game.is_legal, state, BID + value)
    return n


@kernel
def replay(game, state, views, contexts, me, bids, slip, where):  # type: ignore[no-untyped-def]
    """Make the bids given; return how likely the other seats' policies were to make theirs, 0 when one is illegal.

    A policy is taken to make each of its bids with probability 1 − slip, and one of the legal bids at random else.
    It is asked even when `slip` says nothing, so that its random stream stands where it stood.
    """
    likely = 1.0
    for i in range(bids.shape[0]):
        seat = np.int64(state.table.turn)
        action = BID + bids[i]
        if call2(game.is_legal, state, action) == 0:
            return 0.0
        if seat != me:
            chosen = decide(game, state, views, contexts, seat, where)
            if where.failed != 0:
                return 0.0
            likely *= slip / legal_bids(game, state) + (1.0 - slip if chosen == action else 0.0)
        call2(game.step, state, action)
    return likely


@kernel
def weigh(game, state, rules, scenario, views, contexts, subs, rng, first, wanted, me, bids, slip, weights, where):  # type: ignore[no-untyped-def]
    """Fill in the weights of the deals `first` …: that of `replay`, or −1 unless seat `wanted` (−1: any) bids first."""
    for g in range(weights.shape[0]):
        where.game = first + g
        where.ply = 0
        begin(game, state, rules, scenario, contexts, subs, rng, first + g)
        weights[g] = -1.0
        if wanted < 0 or state.table.first == wanted:
            weights[g] = replay(game, state, views, contexts, me, bids, slip, where)
        if where.failed != 0:
            return


@kernel
def my_bid(game, state, option):  # type: ignore[no-untyped-def]
    """Return the action for an option: that bid, else (somebody bid as much) a pass, else the lowest that must be."""
    if call2(game.is_legal, state, BID + option) != 0:
        return BID + option
    for value in range(OPTIONS):
        if call2(game.is_legal, state, BID + value) != 0:
            return BID + value
    return np.int64(-1)


@kernel
def play_bids(game, state, rules, scenario, views, contexts, subs, rng, numbers, me, bids, slip, options, out, where):  # type: ignore[no-untyped-def]
    """Play every deal of `numbers` once for each option of seat `me` at its next bid; `out` has shape (deals, options).

    After that bid every seat's policy decides, that of `me` too. When the auction ends before it is the turn of `me`,
    all options are the same game.
    """
    for g in range(numbers.shape[0]):
        where.game = numbers[g]
        for v in range(options.shape[0]):
            where.ply = 0
            begin(game, state, rules, scenario, contexts, subs, rng, numbers[g])
            replay(game, state, views, contexts, me, bids, slip, where)
            seat = np.int64(state.table.turn)
            asked = False
            while seat >= 0 and where.failed == 0:
                if seat == me and not asked and state.table.phase == AUCTION:
                    asked = True
                    action = my_bid(game, state, options[v])
                else:
                    action = decide(game, state, views, contexts, seat, where)
                if where.failed == 0:
                    seat = call2(game.step, state, action)
            if where.failed != 0:
                return
            call2_none(game.result, state, out[g, v])


@kernel
def play_listed(game, state, rules, scenario, views, contexts, subs, rng, numbers, out, where):  # type: ignore[no-untyped-def]
    """Play the deals listed; results to `out`, shape (deals,)."""
    for g in range(numbers.shape[0]):
        play_chunk(game, state, rules, scenario, views, contexts, subs, rng, numbers[g], out[g : g + 1], where)
        if where.failed != 0:
            return


@kernel
def play_matches(
    game, state, rules, scenario, views, contexts, subs, rng, first, goal, row, scores, winners, lengths, where
):  # type: ignore[no-untyped-def]
    """Play matches of at most `scores.shape[1]` deals each, until a seat has `goal` points (0: no goal).

    Match m plays the deals ``first + m · most`` …; its chips go to `scores` (matches, deals, seats), who was out first
    to `winners`, how many deals it took to `lengths`.
    """
    most = scores.shape[1]
    totals = np.zeros(scores.shape[2], np.int64)
    for m in range(scores.shape[0]):
        totals[:] = 0
        top = 0
        n = 0
        while n < most and (goal == 0 or top < goal):
            play_chunk(game, state, rules, scenario, views, contexts, subs, rng, first + m * most + n, row, where)
            if where.failed != 0:
                return
            top = 0
            for seat in range(scores.shape[2]):
                scores[m, n, seat] = row[0].score[seat]
                totals[seat] += row[0].score[seat]
                top = max(top, totals[seat])
            winners[m, n] = row[0].first_out
            n += 1
        lengths[m] = n


@kernel
def observe_dealt(game, state, rules, scenario, contexts, subs, rng, first, views, firsts):  # type: ignore[no-untyped-def]
    """Deal the games `first` … and fill in each seat's view of them before the first bid, and who bids first."""
    for g in range(views.shape[0]):
        begin(game, state, rules, scenario, contexts, subs, rng, first + g)
        firsts[g] = state.table.first
        for seat in range(views.shape[1]):
            call3_none(game.observe, state, seat, views[g, seat])


@kernel
def auction(values, first, thresholds, duty):  # type: ignore[no-untyped-def]
    """Return 4 · declarer + bid of an auction of threshold bidders; 0 when nobody bids.

    `values` holds the worth of each seat's hand, `thresholds` (seats, situations) from which worth on a seat bids: as
    first to speak 1 (only without the first bidder's `duty`), 2, 3; over a bid of 1: 2, 3; over a 2: 3.
    """
    players = values.shape[0]
    seat, high, who, passes = first, 0, 0, 0
    while high < 3 and passes < (players - 1 if high > 0 else players):
        worth = values[seat]
        t = thresholds[seat]
        bid = 0
        if high == 0:
            bid = 1 if duty or worth >= t[0] else 0
            bid = 2 if worth >= t[1] else bid
            bid = 3 if worth >= t[2] else bid
        elif high == 1:
            bid = 2 if worth >= t[3] else 0
            bid = 3 if worth >= t[4] else bid
        else:
            bid = 3 if worth >= t[5] else 0
        if bid > high:
            high, who, passes = bid, seat, 0
        else:
            passes += 1
        seat = 0 if seat + 1 == players else seat + 1
    return 4 * who + high


@kernel
def auctions(values, first, chips, thresholds, duty, out, bids):  # type: ignore[no-untyped-def]
    """Settle the auctions of many deals: each seat's chips to `out` (deals, seats), 4 · declarer + bid to `bids`.

    `chips` (deals, declarer, seat) is what each declarer's play at a bid of 1 brings every seat.
    """
    for g in range(values.shape[0]):
        found = auction(values[g], first[g], thresholds, duty)
        bids[g] = found
        for seat in range(values.shape[1]):
            out[g, seat] = (found & 3) * chips[g, found >> 2, seat]


@kernel
def deviations(values, first, chips, thresholds, others, out):  # type: ignore[no-untyped-def]
    """Fill `out` (candidates,): mean chips of a seat that bids by a candidate's thresholds, the others by `others`.

    The seats of every deal take turns to be the one.
    """
    players = values.shape[1]
    mixed = np.zeros((players, thresholds.shape[1]))
    for c in range(thresholds.shape[0]):
        total = 0.0
        for me in range(players):
            for seat in range(players):
                for i in range(thresholds.shape[1]):
                    mixed[seat, i] = thresholds[c, i] if seat == me else others[i]
            for g in range(values.shape[0]):
                found = auction(values[g], first[g], mixed, True)
                total += (found & 3) * chips[g, found >> 2, me]
        out[c] = total / (players * values.shape[0])
