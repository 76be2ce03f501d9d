"""Properties of every game, and what is known exactly about deals of 3 sind eine zu viel!."""

from __future__ import annotations

import random
import sys
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from drei_zu_viel_games import SHUFFLED, VARIANTS, dealt, hand, play_random

from simlib.games.drei_zu_viel import GAME
from simlib.games.drei_zu_viel.play import deal as deal_kernel
from simlib.games.drei_zu_viel.record import rows_of
from simlib.games.drei_zu_viel.rules import colour_table

CASES = st.tuples(st.integers(2, 4), st.sampled_from(VARIANTS), st.integers(0, 10**6))
DEALS = 20_000


@given(CASES)
def test_what_always_holds(case):
    """RULES.md 1 to 5: cards conserved, rows of at most four, counts of colours, bonuses at most once, scores."""
    players, options, seed = case
    rules = GAME.rules.make(players=players, **options)
    state, seat = dealt(rules, 0, seed=seed)
    rng, table, opening = random.Random(seed), state["table"], rules.opening_cards
    while seat >= 0:
        seat = play_random(state, seat, rng, 1)
        taken = int(table["colours"].sum()) + int(table["face_down"].sum())
        lying = int(table["row_n"].sum())
        held = int(table["hand_n"].sum()) + int(table["stack_n"].sum())
        assert taken + lying == opening + table["ply"]
        assert held == 20 * players - table["ply"]
        rows = rows_of(state)
        assert all(row == sorted(set(row)) and len(row) <= 4 for row in rows)
        assert all(card // 30 == r for r, row in enumerate(rows) for card in row)
        assert table["colours"][:, :7].max() <= 2 and table["colours"].min() >= 0
        assert (table["face_down"] % 3 == 0).all()
        cards = [card for s in range(players) for card in hand(state, s)] + [c for row in rows for c in row[1:]]
        assert len(cards) == len(set(cards)) and set(cards) <= set(SHUFFLED)
    bonuses = [int(p) for p, has in zip(table["silver"], table["has_silver"], strict=True) if has]
    assert sorted(bonuses, reverse=True) == list(rules.silver_bonus)[: len(bonuses)] and len(bonuses) <= players
    check_result(state, rules)


def check_result(state, rules):
    """Recompute the scores from the table."""
    out = np.zeros(1, GAME.RESULT)
    GAME.result(state, out[0])
    table, row, scores = state["table"], out[0], []
    for seat in range(rules.players):
        counts = table["colours"][seat][:7].tolist()
        gold = 5 * (7 - counts.count(0) >= rules.gold_min_colours)
        plain = counts.count(1) + 5 * counts.count(2) - int(table["face_down"][seat])
        neutral = int(table["colours"][seat][7]) * rules.neutral_points
        scores.append(plain + neutral + gold + int(table["silver"][seat]))
    winners = [score == max(scores) for score in scores]
    assert row["score"][: rules.players].tolist() == scores
    assert row["win_share"][: rules.players].tolist() == [won * 840 // sum(winners) for won in winners]
    assert 0 <= row["lead_changes"] <= 2 and row["starter"] == table["starter"]
    assert row["third_taken"].sum() + table["row_n"].sum() == rules.opening_cards + 18 * rules.players


@pytest.fixture(scope="module")
def deals():
    """Opening cards, all hands (ascending) and starters of many deals of four players."""
    rules = GAME.rules.make()
    encoded, state, scenario = GAME.encode(rules), np.zeros(1, GAME.STATE), np.zeros(1, GAME.SCENARIO)
    from drei_zu_viel_games import stream

    from simlib.rng import seek

    rng = stream()
    opening, hands, used, starters = [], [], [], []
    for number in range(DEALS):
        seek(rng, 20, 0, number)
        starters.append(deal_kernel(state[0], encoded[0], scenario[0], rng))
        opening.append(state["deck"][0, :3].copy())
        hands.append(state["hand"][0].copy())
        used.append(state["deck"][0, :83].copy())
    return np.array(opening), np.array(hands), np.array(used), np.array(starters)


def within(hits, trials, probability):
    """Whether a number of hits lies within four standard errors."""
    p = float(probability)
    return abs(hits - trials * p) < 4 * sqrt(trials * p * (1 - p))


def test_opening_rows(deals):
    """Facts: three opening cards in three rows, two, one."""
    groups = np.array([len(set(cards)) for cards in (deals[0] // 30).tolist()])
    for rows, probability in ((3, Fraction(841, 3655)), (2, Fraction(2436, 3655)), (1, Fraction(378, 3655))):
        assert within((groups == rows).sum(), DEALS, probability)


def test_opening_rows_exactly():
    """Facts: the same by counting; each row has 29 of the 87 cards."""
    rows = [sum(v // 30 == r for v in SHUFFLED) for r in range(3)]
    assert rows == [29, 29, 29]
    assert Fraction(29**3, comb(87, 3)) == Fraction(841, 3655)
    assert Fraction(3 * comb(29, 3), comb(87, 3)) == Fraction(378, 3655)


def hand_distribution(table):
    """Numbers of eight-card hands by (colours present, any colour three times), by counting over the seven colours."""
    neutral = sum(table[v] == -1 for v in SHUFFLED)
    ways = {(0, 0, False): 1}  # cards so far, colours, a colour three times
    for colour in range(7):
        size, new = table.count(colour), {}
        for (cards, colours, three), n in ways.items():
            for k in range(min(size, 8 - cards) + 1):
                key = (cards + k, colours + (k > 0), three or k >= 3)
                new[key] = new.get(key, 0) + n * comb(size, k)
        ways = new
    out: dict[tuple[int, bool], int] = {}
    for (cards, colours, three), n in ways.items():
        out[colours, three] = out.get((colours, three), 0) + n * comb(neutral, 8 - cards)
    return out


def test_colours_of_a_hand_exactly():
    """Facts: eight cards: all seven colours, mean number of colours, no colour three times."""
    ways, total = hand_distribution(colour_table(GAME.rules.make())), comb(87, 8)
    assert sum(ways.values()) == total
    assert Fraction(sum(n for (c, _), n in ways.items() if c == 7), total) == Fraction(110592, 4345795)
    assert Fraction(sum(c * n for (c, _), n in ways.items()), total) == Fraction(380310511, 76383738)
    assert Fraction(sum(n for (_, three), n in ways.items() if not three), total) == Fraction(1257364, 2487593)


def test_colours_of_a_dealt_hand(deals):
    """Facts: the same within an interval, for each seat."""
    table = np.array(colour_table(GAME.rules.make()))
    for seat in range(4):
        colours = table[deals[1][:, seat]]
        counts = np.stack([(colours == c).sum(1) for c in range(7)], 1)
        present = (counts > 0).sum(1)
        assert within((present == 7).sum(), DEALS, Fraction(110592, 4345795))
        assert within((counts.max(1) < 3).sum(), DEALS, Fraction(1257364, 2487593))
        assert abs(present.mean() - 380310511 / 76383738) < 4 * present.std() / sqrt(DEALS)


def test_every_card_is_equally_often_out_of_play_and_in_each_place(deals):
    """Facts: a given card is out of play with probability 4/87; chi-square over places and cards, 0.01 % tails."""
    from scipy.stats import chi2

    counts = np.stack([np.bincount(deals[2][:, place], minlength=90) for place in range(83)])[:, SHUFFLED]
    out = DEALS - counts.sum(0)
    assert abs(out - DEALS * 4 / 87).max() < 5 * sqrt(DEALS * 4 / 87)
    z = ((counts - DEALS / 87) ** 2 / (DEALS / 87)).sum(1)
    low, high = chi2.ppf([0.0001, 0.9999], 86)
    assert ((z > low) & (z < high)).all()
    assert all(within((deals[3] == seat).sum(), DEALS, Fraction(1, 4)) for seat in range(4))


@pytest.mark.parametrize(
    ("players", "probability"), [(2, Fraction(44, 87)), (3, Fraction(8, 29)), (4, Fraction(4, 87))]
)
def test_cards_out_of_play(players, probability):
    """Facts: a given card out of play with 2, 3, 4 players."""
    state, _ = dealt(GAME.rules.make(players=players), 1)
    used = set(state["deck"][: 3 + 20 * players].tolist())
    assert Fraction(87 - len(used), 87) == probability and used <= set(SHUFFLED)


def test_every_result_column_is_documented():
    assert set(GAME.columns) == set(GAME.RESULT.names)
    for name, column in GAME.columns.items():
        shape = GAME.RESULT[name].shape
        assert column.doc
        assert shape == {"seat": (4,), "third": (3, 4), "part": (3,), "game": ()}[column.per]
