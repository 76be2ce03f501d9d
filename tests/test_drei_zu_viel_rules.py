"""Hand-worked examples for each sentence of RULES.md of 3 sind eine zu viel!.

With the cyclic layout row 0 has the colours 0 to 6 at 1–7, 8–14, 16–22 and 23–29 (15 is neutral).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from drei_zu_viel_games import SHUFFLED, arranged, deal_of, dealt, hand

from simlib.games.drei_zu_viel import GAME
from simlib.games.drei_zu_viel.play import colours_open, score
from simlib.games.drei_zu_viel.record import play_event, rows_of
from simlib.games.drei_zu_viel.rules import colour_table


def play(state, value):
    """Play a card by its value; return the event."""
    return play_event(state, hand(state, int(state["table"]["turn"])).index(value))[0]


def table_with(state, colours, face_down=0, silver=0):
    """Set what lies before seat 0."""
    state["table"]["colours"][0] = [*colours, 0] if len(colours) == 7 else colours
    state["table"]["face_down"][0] = face_down
    state["table"]["silver"][0] = silver
    return state


def points(state, seat=0, final=True):
    return int(score(state["table"], state["table"]["rules"], seat, final))


def test_start_cards_open_the_rows_and_count():
    """RULES.md 1.1, 2.1: with three number cards a row holds four; the next card takes, never the start card."""
    state = arranged([[20], []], opening=(5, 9, 12))
    assert rows_of(state) == [[0, 5, 9, 12], [30], [60]]
    assert play(state, 20)["took"] == [5]
    assert rows_of(state)[0] == [0, 9, 12, 20]


def test_87_cards_seven_colours_of_twelve():
    """RULES.md 1.2, 1.3"""
    table = colour_table(GAME.rules.make())
    assert len(SHUFFLED) == 87
    assert [table.count(colour) for colour in range(7)] == [12] * 7
    assert [v for v in SHUFFLED if table[v] == -1] == [15, 45, 75]


def test_layouts():
    """RULES.md 1.4"""
    cyclic = colour_table(GAME.rules.make())
    assert cyclic[1:8] == cyclic[8:15] == cyclic[16:23] == cyclic[31:38] == tuple(range(7))
    blocks = colour_table(GAME.rules.make(colour_layout="blocks"))
    assert blocks[1:13] == (0,) * 12 and blocks[13:15] == (1, 1) and blocks[89] == 6
    own = tuple(-1 if v in (0, 30, 60, 7) else 3 for v in range(90))
    assert colour_table(GAME.rules.make(colour_layout=own)) == own
    state = arranged([[29], []], opening=(7, 15, 20), colour_layout=own)
    assert play(state, 29)["took"] == [7]
    assert state["table"]["colours"][0].tolist() == [0] * 7 + [1]


def test_opening_cards_take_nothing():
    """RULES.md 2.2: three in one row, in any order, are laid at their places."""
    state = arranged([[], []], opening=(25, 3, 15))
    assert rows_of(state) == [[0, 3, 15, 25], [30], [60]]
    assert points(state, final=False) == 0
    assert rows_of(arranged([[], []], opening=(40, 89, 7))) == [[0, 7], [30, 40], [60, 89]]


def test_stacks_and_hands():
    """RULES.md 2.3: the top eight are the hand; cards are drawn from the top of what is left."""
    state = arranged([[9, 5, 80, 1, 2, 3, 4, 70, 88, 66], [], []])
    assert hand(state, 0) == [1, 2, 3, 4, 5, 9, 70, 80]
    assert deal_of(state)["stacks"][0][8:10] == [88, 66]
    assert state["table"]["stack_n"].tolist() == [12, 12, 12, 0]


def test_starter():
    """RULES.md 2.4: a fixed seat, or each about equally often."""
    assert all(dealt(GAME.rules.make(starter=2), number)[1] == 2 for number in range(20))
    drawn = [dealt(GAME.rules.make(), number)[1] for number in range(400)]
    assert all(60 <= drawn.count(seat) <= 140 for seat in range(4))


def test_play_goes_clockwise_from_the_starter():
    """RULES.md 2.4"""
    state = arranged([[1], [40], [80]], starter=2)
    turns = []
    for _ in range(5):
        turns.append(int(state["table"]["turn"]))
        play_event(state, 0)
    assert turns == [2, 0, 1, 2, 0]


@pytest.mark.parametrize(("value", "row"), [(1, 0), (29, 0), (31, 1), (59, 1), (61, 2), (89, 2)])
def test_the_row_of_a_value(value, row):
    """RULES.md 3.1"""
    state = arranged([[value], []])
    play(state, value)
    assert rows_of(state)[row] == [30 * row, value]


def test_ascending_place_and_nothing_taken_below_five():
    """RULES.md 3.1, 3.2"""
    state = arranged([[12], []], opening=(5, 20))
    assert play(state, 12)["took"] == []
    assert rows_of(state)[0] == [0, 5, 12, 20]


@pytest.mark.parametrize(
    ("value", "took", "row"),
    [
        (29, [5], [0, 9, 20, 29]),
        (15, [20], [0, 5, 9, 15]),
        (7, [9, 20], [0, 5, 7]),
        (2, [5, 9, 20], [0, 2]),
    ],
)
def test_the_fifth_card(value, took, row):
    """RULES.md 3.3: the highest takes the lowest, any other all above it; the played card stays."""
    state = arranged([[value], []], opening=(20, 5, 9))
    assert play(state, value)["took"] == took
    assert rows_of(state)[0] == row


def test_the_third_of_a_colour_turns_three_face_down_and_a_fourth_opens_anew():
    """RULES.md 3.4"""
    state = table_with(arranged([[2, 50], []], opening=(3, 10, 18)), [0, 0, 2, 0, 0, 0, 0])
    play(state, 2)  # takes 3, 10 and 18, all of colour 2: one makes three, two lie open again
    assert state["table"]["colours"][0].tolist() == [0, 0, 2, 0, 0, 0, 0, 0]
    assert state["table"]["face_down"][0] == 3
    state = table_with(arranged([[2], []], opening=(3, 10, 18)), [0, 0, 0, 0, 0, 0, 0])
    play(state, 2)
    assert state["table"]["colours"][0].tolist() == [0] * 8
    assert state["table"]["face_down"][0] == 3


def test_neutral_cards_are_set_aside():
    """RULES.md 3.4: no colour; three of them turn nothing."""
    state = arranged([[2], []], opening=(3, 4, 5), neutral_values=(3, 4, 5))
    play(state, 2)
    assert state["table"]["colours"][0].tolist() == [0] * 7 + [3]
    assert state["table"]["face_down"][0] == 0


def test_silver_goes_to_the_first_then_the_next_once_each():
    """RULES.md 3.5"""
    state = arranged([[29, 59], [58], [57]], opening=(1, 2, 3))
    state["table"]["colours"][0] = [0, 1, 1, 1, 1, 1, 1, 0]
    state["table"]["colours"][1] = [1, 1, 1, 1, 1, 1, 1, 0]
    assert play(state, 29)["silver"] == 10  # took 1, of colour 0
    assert play_event(state, 0)[0]["silver"] == 8
    assert play_event(state, 0)[0]["silver"] == 0
    assert play_event(state, 0)[0]["silver"] == 0
    assert state["table"]["silver"].tolist() == [10, 8, 0, 0]


def test_silver_runs_out():
    """RULES.md 3.5: as long as there are any."""
    state = arranged([[29], []], opening=(1, 2, 3), silver_bonus=())
    table_with(state, [0, 1, 1, 1, 1, 1, 1])
    assert play(state, 29)["silver"] == 0 and state["table"]["has_silver"][0] == 0


@pytest.mark.parametrize(("check", "silver"), [("turn", 0), ("card", 10)])
def test_silver_check(check, silver):
    """RULES.md 3.5: 3 completes the seven colours, 8 then turns colour 0 face down."""
    state = arranged([[2], []], opening=(3, 8, 9), silver_check=check)
    table_with(state, [2, 1, 0, 1, 1, 1, 1])
    event = play(state, 2)
    assert event["took"] == [3, 8, 9] and event["silver"] == silver
    assert state["table"]["colours"][0].tolist() == [0, 2, 1, 1, 1, 1, 1, 0]


def test_refill_at_two():
    """RULES.md 3.6, 4: six cards at two in hand, three thirds of six plays, the last two are not used."""
    state = arranged([[], []])
    stack = deal_of(state)["stacks"][0]
    drew = []
    while True:
        event, seat = play_event(state, 0)
        if event["seat"] == 0:
            drew.append(event["drew"])
        if seat < 0:
            break
    assert drew == [[]] * 5 + [stack[8:14]] + [[]] * 5 + [stack[14:20]] + [[]] * 6
    assert state["table"]["hand_n"].tolist() == [2, 2, 0, 0] and state["table"]["ply"] == 36


def test_refill_each_turn():
    """RULES.md 3.6: one a turn while the stack lasts; the end is the same."""
    state = arranged([[], []], refill="each_turn")
    stack = deal_of(state)["stacks"][0]
    drew = []
    seat = 0
    while seat >= 0:
        event, seat = play_event(state, 0)
        if event["seat"] == 0:
            drew += [event["drew"]]
    assert drew == [[card] for card in stack[8:]] + [[]] * 6
    assert state["table"]["hand_n"].tolist() == [2, 2, 0, 0] and state["table"]["ply"] == 36


@pytest.mark.parametrize(
    ("colours", "down", "silver", "expected"),
    [
        ([0, 0, 0, 0, 0, 0, 0], 0, 0, 0),
        ([1, 0, 0, 0, 0, 0, 0], 0, 0, 1),
        ([2, 0, 0, 0, 0, 0, 0], 0, 0, 5),
        ([2, 1, 1, 0, 2, 0, 0], 6, 0, 6),
        ([1, 1, 1, 1, 1, 0, 0], 0, 8, 13),
        ([1, 1, 1, 1, 1, 1, 0], 0, 0, 11),
        ([2, 2, 2, 2, 2, 2, 2], 3, 10, 47),
    ],
)
def test_scores(colours, down, silver, expected):
    """RULES.md 5.1 to 5.4"""
    state = table_with(arranged([[], []]), colours, down, silver)
    assert points(state) == expected
    assert points(state, final=False) == expected - 5 * (7 - colours.count(0) >= 6)
    assert colours_open(state["table"], 0) == 7 - colours.count(0)


def test_gold_and_neutral_options():
    """RULES.md 5.4, 5.5"""
    for least, gold in ((0, 5), (5, 5), (6, 0), (8, 0)):
        assert points(table_with(arranged([[], []], gold_min_colours=least), [1, 1, 1, 1, 1, 0, 0])) == 5 + gold
    assert points(table_with(arranged([[], []], neutral_points=-3), [0, 0, 0, 0, 0, 0, 0, 2])) == -6


def test_ties_share_the_win():
    """RULES.md 5.6"""
    state = arranged([[], [], []])
    state["score"][2] = [7, 9, 9, 0]
    out = np.zeros(1, GAME.RESULT)
    GAME.result(state, out[0])
    assert out[0]["win_share"].tolist() == [0, 420, 420, 0]


def test_variants_share_their_deals():
    """RULES.md 7.3"""
    for number in range(20):
        whole = deal_of(dealt(GAME.rules.make(), number)[0])
        for opening in range(4):
            part = deal_of(dealt(GAME.rules.make(opening_cards=opening), number)[0])
            assert part == {**whole, "opening": whole["opening"][:opening]}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 5}, "players=5"),
        ({"players": 1}, "players=1"),
        ({"opening_cards": 4}, "opening_cards=4"),
        ({"refill": "never"}, "refill='never'"),
        ({"colour_layout": [0] * 90}, "must be -1 at the start cards"),
        ({"colour_layout": [-1] * 89}, "90 entries"),
        ({"neutral_values": [30]}, "neutral_values"),
        ({"neutral_values": [15, 15]}, "neutral_values"),
        ({"silver_bonus": [4, 6]}, "must descend"),
        ({"silver_bonus": [9] * 5}, "silver_bonus"),
        ({"players": 3, "starter": 3}, "starter=3"),
        ({"silver_chek": "turn"}, "did you mean 'silver_check'"),
    ],
)
def test_wrong_options(options, words):
    """RULES.md 6"""
    with pytest.raises(ValueError, match=words):
        GAME.rules.make(**options)
