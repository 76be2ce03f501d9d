"""Exact probabilities of Big Three (facts.md) from dealt hands, and what every result must satisfy."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest
from big_three_helpers import encode, scenario
from numba import njit

from simlib.games.big_three import GAME
from simlib.games.big_three.play import deal
from simlib.games.big_three.settle import result
from simlib.rng import STREAM, seek

DEALS = 60_000


@njit
def deal_many(state, rules, scen, rng, seed, out, hearts):
    """Results of deals settled before a card is played: their hand features."""
    for i in range(out.shape[0]):
        seek(rng, seed, 0, i)
        deal(state, rules, scen, rng)
        hearts[i] = state.table.heart
        result(state, out[i])


@pytest.fixture(scope="module")
def dealt():
    """RESULT rows of many deals in which seat 0 declares, and the public hearts."""
    out, hearts = np.zeros(DEALS, GAME.RESULT), np.zeros(DEALS, np.int64)
    scen, rng = scenario(declarer=1), np.zeros(1, STREAM)[0]
    deal_many(np.zeros(1, GAME.STATE)[0], encode(), scen, rng, 11, out, hearts)
    return out, hearts


def close(share, exact, number, sigmas=4.5):
    """Whether an observed share fits an exact probability."""
    p = float(exact)
    return abs(share - p) <= sigmas * sqrt(p * (1 - p) / number) + 1e-12


def test_opening_heart(dealt):
    """facts.md; RULES.md 2.1: 4♥ in the widow 1/13, then 5♥ 16/221, 6♥ 24/5525, 7♥ 48/270725."""
    _, hearts = dealt
    assert close((hearts != 29).mean(), Fraction(1, 13), DEALS)
    for rank, exact in ((5, Fraction(16, 221)), (6, Fraction(24, 5525)), (7, Fraction(48, 270725))):
        assert close((hearts == 26 + rank - 1).mean(), exact, DEALS)


def test_threes(dealt):
    """facts.md; RULES.md 1.1: number of 3s in a hand of 16; one player with all four."""
    out, _ = dealt
    exact = [Fraction(99, 455), Fraction(192, 455), Fraction(432, 1547), Fraction(576, 7735), Fraction(4, 595)]
    for n, p in enumerate(exact):
        assert p == Fraction(comb(4, n) * comb(48, 16 - n), comb(52, 16))
        for name in ("threes", "twos", "aces"):
            for seat in range(3):
                assert close((out[name][:, seat] == n).mean(), p, DEALS), (name, seat, n)
    assert close((out["threes"][:, :3] == 4).any(1).mean(), Fraction(12, 595), DEALS)


def test_straights(dealt):
    """facts.md; RULES.md 3: straights in hands of 16 and 20, quads expected."""
    out, _ = dealt
    for seat in range(3):
        assert close((out["longest"][:, seat] >= 3).mean(), Fraction(589507809601, 609599676595), DEALS)
    assert close((out["after_longest"] >= 3).mean(), Fraction(3213650018679, 3230631484465), DEALS)
    for name, mean in ((out["quads"][:, :3].mean(1), Fraction(52, 595)), (out["after_quads"], Fraction(57, 245))):
        assert abs(name.mean() - float(mean)) < 4.5 * name.std() / sqrt(DEALS)


def test_straights_of_pairs():
    """facts.md; RULES.md 3: a straight of pairs in 16 and 20 cards."""
    out, hearts = np.zeros(DEALS, GAME.RESULT), np.zeros(DEALS, np.int64)
    rules = encode(straight_of=(2,))
    deal_many(np.zeros(1, GAME.STATE)[0], rules, scenario(declarer=1), np.zeros(1, STREAM)[0], 12, out, hearts)
    exact = Fraction(2126460150097, 10363194502115)
    for seat in range(3):
        assert close((out["longest"][:, seat] >= 3).mean(), exact, DEALS)
        assert ((out["straights"][:, seat] > 0) == (out["longest"][:, seat] >= 3)).all()
    assert close((out["after_longest"] >= 3).mean(), Fraction(132702718763, 260858442845), DEALS)


def test_costly_features_on_demand():
    """RULES.md 8.2, settle.py: the least number of turns is filled in when the scenario asks for it, else −1."""
    rows, hearts = np.zeros(200, GAME.RESULT), np.zeros(200, np.int64)
    for asked in (0, 1):
        scen, rng = scenario(declarer=1, features=asked), np.zeros(1, STREAM)[0]
        deal_many(np.zeros(1, GAME.STATE)[0], encode(), scen, rng, 13, rows, hearts)
        turns = np.concatenate([rows["turns"][:, :3].ravel(), rows["after_turns"]])
        assert (turns >= 3).all() if asked else (turns == -1).all()


@pytest.mark.parametrize(
    "options", [{}, {"players": 4}, {"scoring": "mcneely"}, {"bomb_bonus": True, "short_deck": True}]
)
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_every_result(options, name):
    """RULES.md 5, 7: chips add up to zero (not with McNeely), shares to one, one hand is empty, cards add up."""
    from simlib.engine import make_work, play_range
    from simlib.policies import find

    rules = GAME.rules.make(**options)
    rows = play_range(make_work("big_three", [find("big_three", name)] * rules.players, 21, rules=rules), 0, 2000)[:, 0]
    n = rules.players
    if rules.scoring == "chips":
        assert (rows["score"].sum(1) == 0).all()
    assert (rows["win_share"].sum(1) == 840).all()
    assert (rows["cards_left"][:, :n] == 0).sum(1).tolist() == [1] * len(rows)
    assert (np.take_along_axis(rows["cards_left"], rows["first_out"][:, None].astype(int), 1) == 0).all()
    assert (
        rows["won"].sum(1) == np.where(rows["declarer_won"] == 1, n // 2 if n == 4 else 1, n // 2 if n == 4 else 2)
    ).all()
    assert ((rows["bid"] >= 1) & (rows["bid"] <= 3)).all()
    assert (rows["leader"] == rows["first_bidder"]).all()
    if name == "greedy":
        assert (rows["bid"] == 1).all() and (rows["declarer"] == rows["first_bidder"]).all()
