"""What a seat sees, deals drawn again from it, and actions that are no actions."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from drei_zu_viel_games import SHUFFLED, VARIANTS, arranged, dealt, hand, play_random, scenario_of, stream, view_of

from simlib.games.drei_zu_viel import GAME, view

MIDDLE = st.tuples(st.integers(2, 4), st.sampled_from(VARIANTS), st.integers(0, 10**6), st.integers(0, 72))


def middle(case):
    """A game somewhere in the middle, and the seat to act."""
    players, options, seed, plies = case
    rules = GAME.rules.make(players=players, **options)
    state, seat = dealt(rules, 0, seed=seed)
    return state, play_random(state, seat, random.Random(seed), min(plies, 18 * players - 1))


def unseen(state, seat):
    """Values that a seat has not seen, from the deal itself."""
    history = set(state["table"]["history"][: state["table"]["history_n"]].tolist())
    return set(SHUFFLED) - history - set(hand(state, seat))


@given(MIDDLE)
def test_the_view_is_the_table_and_the_own_hand(case):
    state, _ = middle(case)
    for seat in range(case[0]):
        seen = view_of(state, seat)
        for name in view.TABLE.names:
            assert np.array_equal(seen[name], state["table"][name])
        assert seen["seat"] == seat
        assert np.array_equal(seen["hand"], state["hand"][seat])
        assert seen["rules"].tobytes() == state["table"]["rules"].tobytes()


@given(MIDDLE)
def test_seen_and_history_agree(case):
    state, _ = middle(case)
    table = state["table"]
    history = table["history"][: table["history_n"]].tolist()
    bits = int(table["seen"][0]) | int(table["seen"][1]) << 64
    assert {v for v in range(128) if bits >> v & 1} == set(history)
    assert len(history) == table["rules"]["opening_cards"] + table["ply"] == len(set(history))


@given(MIDDLE)
def test_a_view_used_again_for_another_game_shows_nothing_old(case):
    state, seat = middle(case)
    used = np.zeros(1, GAME.VIEW)
    other, _ = dealt(GAME.rules.make(), 5)
    GAME.observe(other, 2, used[0])
    GAME.observe(state, seat, used[0])
    fresh = view_of(state, seat)
    for name in GAME.VIEW.names:
        assert np.array_equal(used[0][name], fresh[name])


@given(MIDDLE, st.integers(0, 2**32))
def test_a_redeal_gives_the_same_view_and_every_card_once(case, draw):
    state, seat = middle(case)
    seen = view_of(state, seat)
    again = np.zeros(1, GAME.STATE)
    assert GAME.redeal(seen, stream(draw), again[0]) == seat
    assert view_of(again[0], seat).tobytes() == seen.tobytes()
    cards = []
    for other in range(case[0]):
        cards += hand(again[0], other) if other != seat else []
        assert hand(again[0], other) == sorted(hand(again[0], other))
        left = int(state["table"]["stack_n"][other])
        cards += again[0]["deck"][23 + 20 * other - left : 23 + 20 * other].tolist()
    assert len(cards) == len(set(cards))
    assert set(cards) <= unseen(state, seat)
    end = play_random(again[0], seat, random.Random(draw))
    assert end == -1 and again[0]["table"]["ply"] == 18 * case[0]


@given(MIDDLE, st.integers(0, 2**32))
def test_hidden_cards_do_not_reach_the_view(case, draw):
    """Two deals that differ only in hidden cards give the same view: the same draws, whatever was hidden."""
    state, seat = middle(case)
    other, views = np.zeros(1, GAME.STATE), []
    GAME.redeal(view_of(state, seat), stream(draw), other[0])
    for source in (state, other[0]):
        drawn = np.zeros(1, GAME.STATE)
        GAME.redeal(view_of(source, seat), stream(draw + 1), drawn[0])
        views.append([hand(drawn[0], s) for s in range(case[0])])
    assert views[0] == views[1]


def test_redeals_are_uniform():
    """Every unseen card is equally often in each hidden place: chi-square over cards and places, 0.01 % tails."""
    state, seat = dealt(GAME.rules.make(players=3), 4)
    play_random(state, seat, random.Random(1), 22)
    seat = int(state["table"]["turn"])
    seen, hidden = view_of(state, seat), sorted(unseen(state, seat))
    again, n = np.zeros(1, GAME.STATE), 6000
    others = [s for s in range(3) if s != seat]
    held = {s: dict.fromkeys(hidden, 0) for s in others}
    tops = {s: dict.fromkeys(hidden, 0) for s in range(3)}
    for number in range(n):
        GAME.redeal(seen, stream(3, 1, number), again[0])
        for s in others:
            for card in hand(again[0], s):
                held[s][card] += 1
        for s in range(3):
            tops[s][int(again[0]["deck"][23 + 20 * s - state["table"]["stack_n"][s]])] += 1
    from scipy.stats import chi2

    for counts in [*held.values(), *tops.values()]:
        share = sum(counts.values()) / n / len(hidden)
        z = sum((c - n * share) ** 2 for c in counts.values()) / (n * share * (1 - share))
        z *= (len(hidden) - 1) / len(hidden)
        low, high = chi2.ppf([0.0001, 0.9999], len(hidden) - 1)
        assert low < z < high


@given(MIDDLE, st.integers(-(2**63), 2**63 - 1))
def test_is_legal_for_any_64_bit_integer(case, action):
    state, seat = middle(case)
    before = state.tobytes()
    n = int(state["table"]["hand_n"][seat])
    assert GAME.is_legal(state, action) == (0 <= action < n)
    for near in (-(2**63), -1, 0, n - 1, n, 7, 8, 255, 256, 2**32, 2**63 - 1):
        assert GAME.is_legal(state, near) == (0 <= near < n)
    assert state.tobytes() == before


@given(MIDDLE)
def test_legal_lists_every_position_of_the_hand(case):
    state, seat = middle(case)
    out = np.full(8, 99)
    n = GAME.legal(view_of(state, seat), out)
    assert out[:n].tolist() == list(range(len(hand(state, seat)))) and (out[n:] == 99).all()
    assert GAME.describe(0, view_of(state, seat)) == f"play {hand(state, seat)[0]}"


@pytest.mark.parametrize("number", range(30))
def test_a_scenario_sets_starter_and_hand(number):
    cards = random.Random(number).sample(SHUFFLED, 8)
    scenario = scenario_of(starter=1 + number % 4, seat=1 + number % 3, hand=cards)
    state, seat = dealt(GAME.rules.make(starter=2), number, scenario=scenario)
    assert seat == state["table"]["starter"] == number % 4
    assert hand(state, number % 3) == sorted(cards)
    deck = state["deck"].tolist()[:87]
    assert sorted(deck) == SHUFFLED


def test_a_partial_scenario_leaves_the_rest_to_chance():
    state, _ = dealt(GAME.rules.make(), 3, scenario=scenario_of(seat=2, hand=[44, 0, 0, 88, 0, 0, 0, 0]))
    assert {44, 88} <= set(hand(state, 1))
    plain, _ = dealt(GAME.rules.make(), 3)
    assert len(set(hand(state, 1)) & set(hand(plain, 1))) >= 5
    assert dealt(GAME.rules.make(), 3, scenario=scenario_of())[0].tobytes() == plain.tobytes()


def test_the_empty_places_hold_no_card():
    """What view.NO_CARD says: rows and hands are filled up with it."""
    state = arranged([[20], []], opening=(5, 40))
    assert state["table"]["row"].tolist() == [[5, 127, 127, 127], [40, 127, 127, 127], [127] * 4]
    GAME.step(state, hand(state, 0).index(20))
    assert state["hand"][0, 7] == view.NO_CARD == 127
    assert state["table"]["row"][0].tolist() == [5, 20, 127, 127]
