"""`random` is uniform over the legal actions and `greedy` does exactly what it says, against plain Python."""

from __future__ import annotations

import random as python_random
from collections import Counter

import numpy as np
import pytest
from big_three_helpers import Table, stream
from reference.big_three_audit import random_rules
from scipy import stats

from simlib.game import CONTEXT
from simlib.games.big_three import GAME
from simlib.games.big_three.combos import BID, CALL, N_ALL, PASS, RANK_TEXT, ranks_of
from simlib.policies.big_three.basic import greedy, random


def context(seed):
    out = np.zeros(1, CONTEXT)[0]
    out["rng"] = stream(seed, 1)
    return out


def positions(seed, number, **more):
    """Views before random actions, over all variants."""
    rng = python_random.Random(seed)
    for n in range(number):
        options = {**random_rules(rng), **more}
        options["straight_of"] = tuple(options["straight_of"])
        if options["players"] == 4:
            options["short_deck"] = False
        game = Table(options, seed=1000 * seed + n)
        while game.to_act >= 0:
            yield game
            game.step(rng.choice(game.legal()))


def test_random_is_uniform():
    """Issue 3, Policies: each legal action of every kind of position equally likely (the named card's choice too)."""
    ctx, kinds, worst = context(1), Counter(), []
    for at, game in enumerate(positions(1, 40)):
        legal = game.legal()
        kind = (int(game.state["table"]["phase"]), int(game.state["table"]["leading"]), legal[-1] > 288)
        if len(legal) == 1 or kinds[kind] >= 8 or at % 3:
            continue
        kinds[kind] += 1
        view = game.view()
        seen = Counter(int(random.kernel(view, ctx)) for _ in range(40 * len(legal)))
        assert set(seen) <= set(legal)
        worst.append(stats.chisquare([seen.get(a, 0) for a in legal]).pvalue)
    assert {k[0] for k in kinds} == {0, 1, 2} and any(k[2] for k in kinds)
    assert min(worst) > 0.001 / len(worst)


def plain_greedy(game):
    """The sentence of issue 3 in plain Python."""
    legal = game.legal()
    if game.state["table"]["phase"] == 0:
        return legal[0]
    if game.state["table"]["phase"] == 1:
        return min(legal, key=lambda a: ((a - CALL) % 13, (a - CALL) // 13))
    plays = [a for a in legal if a < N_ALL]
    if not plays:
        return PASS

    def top(a):
        return RANK_TEXT[game.western].index(ranks_of(a, game.western)[1][-1])

    def size(a):
        m, ranks = ranks_of(a, game.western)
        return m * len(ranks)

    if game.state["table"]["leading"]:
        return min(plays, key=lambda a: (-size(a), top(a), ranks_of(a, game.western)[0]))
    return min(plays, key=top)


@pytest.mark.parametrize("players", [3, 4])
def test_greedy(players):
    """Issue 3, Policies: bids what it must, leads most cards, lowest top, least multiplicity, follows lowest."""
    ctx = context(2)
    for game in positions(2 + players, 150, players=players):
        assert greedy.kernel(game.view(), ctx) == plain_greedy(game)


def test_greedy_bids_only_what_it_must():
    """Issue 3, Policies: 1 as first bidder, 3 when forced, else a pass."""
    ctx, seen = context(3), set()
    for game in positions(9, 150, forced_bid=True):
        if game.state["table"]["phase"] == 0:
            action = int(greedy.kernel(game.view(), ctx))
            seen.add(action)
            assert (action == BID) == (BID in game.legal())
    assert seen == {BID, BID + 1, BID + 3}


def test_deals_do_not_depend_on_policies():
    """Design, Randomness: the same deal whatever is played."""
    from simlib.engine import make_work, play_range

    rows = [play_range(make_work("big_three", [p] * 3, 5), 0, 300)[:, 0] for p in (random, greedy)]
    for name in ("threes", "straights", "longest", "heart", "first_bidder"):
        assert (rows[0][name] == rows[1][name]).all()
    assert GAME.name == "big_three"
