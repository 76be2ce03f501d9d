"""Whole games of Three-Thirteen: against the slow reference event by event, and hand-worked cases (sections of
RULES.md).
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

from simlib.cards import card_number, card_numbers
from simlib.games.three_thirteen import GAME, record
from simlib.games.three_thirteen.best import words_of
from simlib.games.three_thirteen.stock import lay_lanes
from simlib.games.three_thirteen.view import DISCARD_0, OUT_0
from simlib.rng import STREAM
from tests.reference import three_thirteen as reference
from tests.three_thirteen_help import GAME_VARIANTS, Player

LINE_UPS = [("greedy",), ("greedy", "random"), ("random", "greedy", "greedy")]


def line_up(options, cycle):
    players = options.get("players", 4)
    rest = {name: value for name, value in options.items() if name != "players"}
    return [cycle[i % len(cycle)] for i in range(players)], rest


@pytest.mark.parametrize("cycle", LINE_UPS, ids=str)
@pytest.mark.parametrize("options", GAME_VARIANTS, ids=str)
def test_records_pass_the_strict_audit_and_replay(options, cycle):
    policies, rest = line_up(options, cycle)
    player = Player(policies, **rest)
    written = player.game_record(3)
    assert reference.audit(written, strict=True) == []
    lines = list(record.replay(player.rules, written))
    assert len(lines) > sum(len(part["events"]) for part in written["rounds"])


def test_a_falsified_record_is_refused():
    player = Player(["greedy"] * 3, lay_off=True)
    right = player.game_record(0)
    changes = [
        (("rounds", 0, "penalties", 0), 99, r"rounds\[0\].penalties"),
        (("rounds", 1, "dealer"), 2 - right["rounds"][1]["dealer"] // 2, r"rounds\[1\]"),
        (("rounds", 2, "events", 0, "card"), "*", r"rounds\[2\].events\[0\]"),
        (("rounds", 3, "upcard"), "*", "not the pack"),
        (("result", "totals", 0), -1, "result"),
        (("rounds", 4, "events", 1, "seat"), 7, "turn of seat"),
    ]
    for path, value, message in changes:
        wrong = copy.deepcopy(right)
        place = wrong
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        with pytest.raises(ValueError, match=message):
            list(record.replay(player.rules, wrong))


def legal_of(player, seat):
    out = np.zeros(128, np.int64)
    GAME.observe(player.state[0], seat, player.views[seat])
    return out[: GAME.legal(player.views[seat], out)].tolist()


@pytest.mark.parametrize("options", GAME_VARIANTS, ids=str)
def test_legal_actions_are_those_of_the_reference_and_of_is_legal(options):
    policies, rest = line_up(options, ("random", "greedy"))
    player = Player(policies, **rest)
    actions = player.actions(1)
    state, seat = player.state[0], int(player.state[0]["table"]["turn"])
    for number, action in enumerate(actions[:400]):
        legal = legal_of(player, seat)
        assert action in legal
        if number % 7 == 0:
            assert [a for a in range(-3, 120) if GAME.is_legal(state, a)] == legal
            assert not GAME.is_legal(state, -(1 << 62)) and not GAME.is_legal(state, 1 << 62)
        seat = GAME.step(state, action)
        if seat < 0:
            break


@pytest.mark.parametrize("options", GAME_VARIANTS, ids=str)
def test_redeal_agrees_with_the_view(options):
    """Same view afterwards, the pack complete, and the game can be played on."""
    policies, rest = line_up(options, ("random", "greedy"))
    player = Player(policies, **rest)
    actions = player.actions(2)
    state, seat = player.state[0], int(player.state[0]["table"]["turn"])
    rng, other = np.zeros(1, STREAM), np.zeros(1, GAME.STATE)
    rng["seed"], rng["used"] = 11, 4
    before, after = np.zeros(1, GAME.VIEW), np.zeros(1, GAME.VIEW)
    pack = sorted(list(range(52)) * int(player.record[0]["decks"]) + [52] * int(player.record[0]["jokers"]))
    for number, action in enumerate(actions[:3000]):
        if number % 13 == 0:
            for looker in (seat, (seat + 1) % len(policies)):
                before[:] = 0
                after[:] = 0
                GAME.observe(state, looker, before[0])
                assert GAME.redeal(before[0], rng[0], other[0]) == seat
                GAME.observe(other[0], looker, after[0])
                assert before.tobytes() == after.tobytes()
                assert sorted(cards_of(other[0])) == pack
                assert before[0]["wild_seen"] == wild_cards_in_sight(before[0])
                for opponent in range(len(policies)):
                    known = before[0]["known"][opponent][: before[0]["known_n"][opponent]].tolist()
                    hand = record.hand_cards(other[0]["hand"][opponent], other[0]["jokers"][opponent])
                    assert len(hand) == before[0]["hand_n"][opponent]
                    assert all(hand.count(card) >= known.count(card) for card in known)
                if before[0]["reshuffles"]:
                    renewed = before[0]["reshuffled"] - before[0]["own_drawn"]
                    left = np.bincount(record.Round._stock(other[0]), minlength=56)
                    assert (left <= renewed).all()
        seat = GAME.step(state, action)
        if seat < 0:
            break


def wild_cards_in_sight(view):
    """Count the wild cards in the pile and among the known ones."""
    cards = view["pile"][: view["pile_n"]].tolist()
    for seat in range(8):
        cards += view["known"][seat][: view["known_n"][seat]].tolist()
    return sum(card == 52 or card % 13 == view["wild"] for card in cards)


def cards_of(state):
    """All cards of a game: hands, pile, stock."""
    players = int(state["table"]["players"])
    cards = [c for s in range(players) for c in record.hand_cards(state["hand"][s], state["jokers"][s])]
    return cards + record.Round._stock(state) + state["table"]["pile"][: state["table"]["pile_n"]].tolist()


def set_cards(player, hands, upcard, stock):
    """Put given cards into the first round; the next card of the stock first."""
    state = player.state[0]
    for seat, hand in enumerate(hands):
        four, jokers = words_of(card_numbers(hand))
        state["hand"][seat], state["jokers"][seat] = four, jokers
    state["table"]["pile"][0] = state["table"]["upcard"] = card_number(upcard)
    numbers = card_numbers(stock)
    state["table"]["rules"]["aligned"] = 0
    state["stock"][: len(numbers)] = numbers
    lay_lanes(state, len(numbers))


def play(player, *moves):
    """Play moves: 'stock', 'up', a card to discard, 'out 4h'. Returns the last answer of step."""
    answer = None
    for move in moves:
        if move in ("stock", "up"):
            action = int(move == "up")
        elif move.startswith("out "):
            action = OUT_0 + card_number(move[4:])
        else:
            action = DISCARD_0 + card_number(move)
        assert GAME.is_legal(player.state[0], action), move
        answer = GAME.step(player.state[0], action)
    return answer


def first_round(players, **options):
    """Return a player object with the first round dealt, seat 0 to act."""
    player = Player(["greedy"] * players, first_dealer=players - 1, **options)
    assert player.deal(0) == 0
    return player


def test_last_turns_and_going_out():
    """Sections 3.2, 5: one last turn each, nobody else can go out in it, a melded hand scores 0, a wild card
    left costs 15.
    """
    player = first_round(3)
    set_cards(player, ["4h 5h 6h", "9c 9d Kc", "3c Ad 7s"], "2s", "Kd 9s 8d 2c 2d")
    play(player, "stock", "out Kd")
    table = player.state[0]["table"]
    assert table["out"] == 0 and table["turn"] == 1 and table["round"] == 0
    play(player, "stock")
    assert not GAME.is_legal(player.state[0], OUT_0 + card_number("Kc"))
    play(player, "Kc")
    assert sorted(table["known"][1][:3].tolist()) == sorted(card_numbers("9c 9d 9s"))
    play(player, "stock", "8d")
    assert table["round"] == 1
    assert table["penalty"][0][:3].tolist() == [0, 0, 15 + 1 + 7]
    assert table["totals"][:3].tolist() == [0, 0, 23] and table["zeros"][:3].tolist() == [1, 1, 0]
    assert table["dealer"] == 0 and table["turn"] == 1 and table["wild"] == 3 and table["hand_n"][0] == 4


def test_going_out_is_a_choice_and_needs_everything_melded():
    """Section 3.2: every card must be laid, also a wild card that costs nothing."""
    player = first_round(2, wild_penalty=0)
    set_cards(player, ["3c 9d 5h", "2c 4d 6h"], "Ks", "Qs Qc Qd")
    play(player, "stock")
    state = player.state[0]
    assert not any(GAME.is_legal(state, OUT_0 + card) for card in range(53))
    player = first_round(2)
    set_cards(player, ["3c 9d 9h", "2c 4d 6h"], "Ks", "Qs Qc Qd")
    play(player, "stock", "Qs")
    assert player.state[0]["table"]["out"] == -1


def test_reshuffle():
    """Section 3: the empty stock is renewed only when somebody chooses it; the upcard stays; its cards are known."""
    player = first_round(2)
    set_cards(player, ["2c 5d 8h", "2d 6h 9c"], "Ks", "Qs")
    play(player, "stock", "Qs")
    state, table = player.state[0], player.state[0]["table"]
    assert table["stock_n"] == 0 and table["pile_n"] == 2
    play(player, "up", "9c")
    assert table["pile_n"] == 2 and table["reshuffles"] == 0
    play(player, "stock")
    assert table["reshuffles"] == 1 and table["pile_n"] == 1 and table["upcard"] == card_number("9c")
    assert state["drew"] == card_number("Ks") and table["stock_n"] == 0
    assert state["table"]["reshuffled"][card_number("Ks")] == 1 and state["table"]["reshuffled"].sum() == 1
    play(player, "Ks")
    GAME.observe(state, 1, player.views[1])
    assert player.views[1]["own_drawn"].sum() == 0
    play(player, "stock", "2d")
    assert table["known"][1][:1].tolist() == [card_number("Qs")]


def test_nothing_to_shuffle():
    """Section 3: with one card in the pile and none in the stock the upcard must be taken."""
    player = first_round(2)
    set_cards(player, ["2c 5d 8h", "2d 6h 9c"], "Ks", "")
    assert legal_of(player, 0) == [1] and not GAME.is_legal(player.state[0], 0)


def test_may_return_discard():
    """Section 3.3."""
    player = first_round(2, may_return_discard=False)
    set_cards(player, ["2c 5d 8h", "2d 6h 9c"], "Ks", "Qs Qd")
    play(player, "up")
    assert not GAME.is_legal(player.state[0], DISCARD_0 + card_number("Ks"))
    play(player, "8h")
    player = first_round(2, may_return_discard=False)
    set_cards(player, ["Qs Qs Qs", "2d 6h 9c"], "Qs", "Qd Qd")
    play(player, "up", "Qs")


def test_lay_off():
    """Section 8: onto the melds of the player who went out, and those laid since; one card makes room for the next."""
    player = first_round(3, lay_off=True)
    set_cards(player, ["4h 5h 6h", "7h 8h Kc", "9h 9c 9d"], "2s", "Kd Qc Th 2c 2d")
    play(player, "stock", "out Kd", "stock", "Kc", "stock", "9h")
    table = player.state[0]["table"]
    # Seat 1 lays 7h and 8h off and keeps Qc; seat 2 keeps 9c and 9d but lays off neither Th nor 9h, which it discarded.
    assert table["penalty"][0][:3].tolist() == [0, 10, 28]
    player = first_round(3, lay_off=True)
    set_cards(player, ["4h 5h 6h", "7h 8h Kc", "9h 9c 9d"], "2s", "Kd Qc Th 2c 2d")
    play(player, "stock", "out Kd", "stock", "Qc", "stock", "9c")
    assert player.state[0]["table"]["penalty"][0][:3].tolist() == [0, 10, 9]


def test_stalled_round():
    """Section 5: after players * max_turns turns every hand scores its smallest penalty."""
    player = first_round(2, max_turns=1)
    set_cards(player, ["9c 9d 9h", "2d 6h Kc"], "Ks", "Qs Qd Qc")
    play(player, "stock", "Qs", "stock", "Qd")
    table = player.state[0]["table"]
    assert table["round"] == 1 and table["penalty"][0][:2].tolist() == [0, 18]
    assert player.state[0]["stats"]["stalled"][0] == 1 and player.state[0]["stats"]["turn_out"][0] == 0


def test_tie_break_by_zero_rounds():
    """Section 6."""
    player = first_round(3)
    out = np.zeros(1, GAME.RESULT)
    table = player.state[0]["table"]
    for zeros, share in (([1, 2, 0], [0, 840, 0]), ([2, 2, 0], [420, 420, 0]), ([3, 2, 9], [840, 0, 0])):
        table["totals"][:3] = [50, 50, 60]
        table["zeros"][:3] = zeros
        GAME.result(player.state[0], out[0])
        assert out[0]["win_share"][:3].tolist() == share and out[0]["tie_break"] == 1


def test_later_deals_do_not_depend_on_play():
    """Each round has its own stream; with aligned_stock a seat's next cards do not depend on what the others draw."""
    deals = []
    for policies in (["greedy"] * 3, ["random", "greedy", "random"]):
        written = Player(policies, seed=9).game_record(4)
        deals.append([(part["hands"], part["upcard"], part["dealer"]) for part in written["rounds"]])
    assert deals[0] == deals[1]
    drawn = []
    for first in ("stock", "up"):
        player = first_round(3)
        play(player, first)
        state = player.state[0]
        card = record.hand_cards(state["hand"][0], state["jokers"][0])[0]
        GAME.step(state, DISCARD_0 + card)
        GAME.step(state, 0)
        drawn.append(int(state["drew"]))
    assert drawn[0] == drawn[1]


def test_scenario():
    """A round, a hand, an upcard, a dealer and totals can be given; the other cards are dealt as ever."""
    player = first_round(4)
    scenario = player.scenario
    scenario["round"], scenario["last"], scenario["dealer"], scenario["seat"] = 5, 5, 3, 2
    hand = card_numbers("7c 7d Ks Ks 2h 3h 4h")
    scenario["hand"][0, :7] = np.array(hand) + 1
    scenario["upcard"] = card_number("Ks") + 1 - 13
    scenario["totals"][0, :4] = [10, 20, 30, 40]
    seat = player.deal(0)
    state, table = player.state[0], player.state[0]["table"]
    assert (seat, table["round"], table["hand_size"], table["wild"]) == (3, 4, 7, 6)
    assert record.hand_cards(state["hand"][1], 0) == sorted(hand)
    assert table["upcard"] == card_number("Kh")
    assert sorted(cards_of(state)) == sorted(list(range(52)) * 2)
    n = 0
    while seat >= 0 and n < 1000:
        action = legal_of(player, seat)[-1]
        seat = GAME.step(state, action)
        n += 1
    out = np.zeros(1, GAME.RESULT)
    GAME.result(state, out[0])
    assert out[0]["rounds"] == 1 and out[0]["hand_size"].tolist() == [0] * 4 + [7] + [0] * 6
    total = out[0]["round_penalty"].sum(0)[:4] + [10, 20, 30, 40]
    assert out[0]["penalty"][:4].tolist() == total.tolist()
