"""Tests of the slow reference of "3 sind eine zu viel!": hand-worked cases, then random self-play.

Each docstring cites the section of rules/drei_zu_viel.md that the case is worked from.
With the cyclic layout row 0 has colours 0..6 at 1..7, 8..14, 16..22 and 23..29 (15 is neutral).
"""

import copy
import itertools
import json
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds it

from reference import drei_zu_viel as ref

SHUFFLED = [value for value in range(90) if value not in (0, 30, 60)]


def set_up(tops, opening=(), starter=0, **rules):
    """A game whose stacks start with the given cards; unused cards, ascending, fill them up."""
    rules = {"players": len(tops), "opening_cards": len(opening), **rules}
    named = set(opening).union(*tops)
    rest = iter(value for value in SHUFFLED if value not in named)
    stacks = [list(top) + [next(rest) for _ in range(20 - len(top))] for top in tops]
    return ref.Game(rules, {"starter": starter, "opening": list(opening), "stacks": stacks})


def finished(players=2, **rules):
    """A game played to its end whose displays are then emptied, to be set by the test."""
    record = ref.random_record({"players": players, **rules}, random.Random(1))
    game = ref.Game(record["rules"], record["deal"])
    for event in record["events"]:
        game.play(event["play"])
    for seat in range(players):
        game.face_up[seat] = [0] * 7
        game.face_down[seat] = game.neutral[seat] = game.silver[seat] = 0
    return game


# ---------------------------------------------------------------- material


def test_defaults():
    """rules/drei_zu_viel.md, Options and defaults"""
    assert ref.DEFAULTS == {
        "players": 4,
        "opening_cards": 3,
        "refill": "at_two",
        "colour_layout": "cyclic",
        "neutral_values": (15, 45, 75),
        "neutral_points": 0,
        "silver_bonus": (10, 8, 6, 4),
        "gold_min_colours": 6,
        "silver_check": "turn",
        "starter": "random",
    }


def test_cyclic_colours():
    """rules/drei_zu_viel.md, Material (colour_layout "cyclic"; seven colours, 12 cards each)"""
    table = ref.colours({})
    assert [value for value in range(90) if table[value] == -1] == [0, 15, 30, 45, 60, 75]
    assert table[1:9] == [0, 1, 2, 3, 4, 5, 6, 0]
    assert (table[14], table[16], table[29], table[31], table[89]) == (6, 0, 6, 0, 6)
    for colour in range(7):
        assert [table[row : row + 30].count(colour) for row in (0, 30, 60)] == [4, 4, 4]


def test_block_colours():
    """rules/drei_zu_viel.md, Material (colour_layout "blocks")"""
    table = ref.colours({"colour_layout": "blocks"})
    assert table[1:13] == [0] * 12
    assert table[13:15] == [1, 1] and table[16:26] == [1] * 10 and table[26] == 2
    assert table[89] == 6 and all(table.count(colour) == 12 for colour in range(7))


def test_other_neutral_values():
    """rules/drei_zu_viel.md, Material (neutral cards belong to no colour; the rest in turn)"""
    table = ref.colours({"neutral_values": []})
    assert table[14:17] == [6, 0, 1] and table.count(-1) == 3
    blocks = ref.colours({"neutral_values": [], "colour_layout": "blocks"})
    assert blocks[13:15] == [0, 1]  # 12·7 // 87 = 0, 13·7 // 87 = 1


def test_explicit_table_overrides_neutral_values():
    """rules/drei_zu_viel.md, Material (an explicit table of 90 entries)"""
    table = [-1 if value in (0, 30, 60, 7) else 3 for value in range(90)]
    assert ref.colours({"colour_layout": table}) == table
    game = set_up([[29], []], opening=(7, 15, 20), colour_layout=table)
    assert game.play(29)["took"] == [7]
    assert game.neutral[0] == 1 and game.face_up[0] == [0] * 7


# ---------------------------------------------------------------- setting up


def test_rows_hands_and_stacks():
    """rules/drei_zu_viel.md, Setting up 1 and 3"""
    game = set_up([[9, 5, 80, 1, 2, 3, 4, 70, 88, 66], [], []])
    assert game.rows == [[0], [30], [60]]
    assert game.hands[0] == [1, 2, 3, 4, 5, 9, 70, 80]
    assert game.stacks[0][:2] == [88, 66]
    assert all(len(game.stacks[seat]) == 12 and len(game.hands[seat]) == 8 for seat in range(3))


def test_opening_cards_take_nothing():
    """rules/drei_zu_viel.md, Setting up 2"""
    assert set_up([[], []], opening=(40, 89, 7)).rows == [[0, 7], [30, 40], [60, 89]]
    game = set_up([[], []], opening=(25, 3, 15))
    assert game.rows[0] == [0, 3, 15, 25] and game.scores_now() == [0, 0]


# ---------------------------------------------------------------- a turn


def test_play_any_card_of_the_hand_clockwise():
    """rules/drei_zu_viel.md, A turn (one card of the hand) and "Play goes clockwise" """
    game = set_up([[1], [40], [80]], starter=2)
    assert game.to_act == 2 and game.legal() == game.hands[2] and 80 in game.legal()
    with pytest.raises(ValueError):
        game.play(1)
    assert game.play(80) == {"seat": 2, "play": 80, "took": [], "silver": 0, "drew": []}
    assert game.to_act == 0 and 80 not in game.hands[2]
    game.play(1)
    assert game.to_act == 1


@pytest.mark.parametrize(
    "value, rows",
    [
        (29, [[0, 10, 29], [30, 40], [60, 70]]),
        (1, [[0, 1, 10], [30, 40], [60, 70]]),
        (31, [[0, 10], [30, 31, 40], [60, 70]]),
        (59, [[0, 10], [30, 40, 59], [60, 70]]),
        (61, [[0, 10], [30, 40], [60, 61, 70]]),
        (89, [[0, 10], [30, 40], [60, 70, 89]]),
    ],
)
def test_row_and_place(value, rows):
    """rules/drei_zu_viel.md, A turn 1"""
    game = set_up([[value], []], opening=(10, 40, 70))
    game.play(value)
    assert game.rows == rows


def test_fewer_than_five_take_nothing():
    """rules/drei_zu_viel.md, A turn 2 (start card included: four cards lie after the third)"""
    game = set_up([[20, 5], [10]])
    assert [game.play(value)["took"] for value in (20, 10, 5)] == [[], [], []]
    assert game.rows[0] == [0, 5, 10, 20] and game.full_rows_by_third == [0, 0, 0]


@pytest.mark.parametrize(
    "value, took, row",
    [(29, [10], [0, 20, 25, 29]), (22, [25], [0, 10, 20, 22]), (12, [20, 25], [0, 10, 12]), (5, [10, 20, 25], [0, 5])],
)
def test_fifth_card_takes(value, took, row):
    """rules/drei_zu_viel.md, A turn 3 (the highest takes the lowest, another all the higher)"""
    game = set_up([[value], []], opening=(10, 20, 25))
    assert game.play(value)["took"] == took
    assert game.rows[0] == row and game.full_rows_by_third == [1, 0, 0]
    assert game.taken_by_third == [[len(took), 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("start", [0, 30, 60])
def test_start_card_is_never_taken(start):
    """rules/drei_zu_viel.md, Material (start cards) and A turn 3"""
    opening = tuple(start + step for step in (3, 9, 12))
    game = set_up([[start + 29], []], opening=opening)
    assert game.play(start + 29)["took"] == [start + 3]
    assert game.rows[start // 30][0] == start


def test_third_card_turns_three():
    """rules/drei_zu_viel.md, A turn 4 (8, 16 and 23 have colour 0)"""
    game = set_up([[2], []], opening=(8, 16, 23))
    game.play(2)
    assert game.face_up[0] == [0] * 7 and game.face_down[0] == 3
    assert game.scores_now() == [-3, 0]


def test_third_card_of_several_turns():
    """rules/drei_zu_viel.md, A turn 4 (two lie already, the lowest of the row is the third)"""
    game = set_up([[29], []], opening=(8, 18, 20))
    game.face_up[0][0] = 2
    game.play(29)
    assert game.face_up[0][0] == 0 and game.face_down[0] == 3


@pytest.mark.parametrize("before, after", [(1, 1), (2, 2)])
def test_later_card_opens_the_colour_anew(before, after):
    """rules/drei_zu_viel.md, A turn 4 (the third turns at once, cards after it open anew)"""
    game = set_up([[2], []], opening=(8, 16, 23))
    game.face_up[0][0] = before
    game.play(2)
    assert game.face_up[0][0] == after and game.face_down[0] == 3


@pytest.mark.parametrize("points", [0, -2, 3])
def test_neutral_card_is_set_aside(points):
    """rules/drei_zu_viel.md, A turn 4 (neutral_points)"""
    game = set_up([[29], []], opening=(15, 20, 25), neutral_points=points)
    game.play(29)
    assert game.neutral == [1, 0] and game.face_up[0] == [0] * 7
    assert game.scores_now() == [points, 0]


def test_silver_goes_down_and_once_a_player():
    """rules/drei_zu_viel.md, A turn 5 (7, 37, 67 have colour 6 and are the lowest of their rows)"""
    game = set_up([[29, 89], [59]], opening=(7, 10, 20))
    game.rows[1], game.rows[2] = [30, 37, 40, 41], [60, 67, 70, 71]
    for seat in (0, 1):
        game.face_up[seat] = [1, 1, 1, 2, 2, 2, 0]
    assert game.play(29)["silver"] == 10
    assert game.play(59)["silver"] == 8
    game.face_up[0][6] = 0
    assert game.play(89) == {"seat": 0, "play": 89, "took": [67], "silver": 0, "drew": []}
    assert game.silver == [10, 8] and game.silver_left == [6, 4]
    assert game.scores_now()[0] == 3 + 15 + 1 + 10


def test_no_silver_without_seven_or_when_none_is_left():
    """rules/drei_zu_viel.md, A turn 5"""
    game = set_up([[29], []], opening=(7, 10, 20))
    game.face_up[0] = [1, 1, 1, 2, 2, 0, 0]
    assert game.play(29)["silver"] == 0
    game = set_up([[29], []], opening=(7, 10, 20), silver_bonus=[])
    game.face_up[0] = [1, 1, 1, 2, 2, 2, 0]
    assert game.play(29)["silver"] == 0


@pytest.mark.parametrize(
    "check, opening, value, silver",
    [
        ("turn", (10, 14, 16), 13, 0),  # colour 6 arrives, then the third of colour 0
        ("card", (10, 14, 16), 13, 10),  # all seven for a moment
        ("turn", (3, 8, 14), 5, 0),  # the third of colour 0 first: never all seven
        ("card", (3, 8, 14), 5, 0),
    ],
)
def test_silver_check(check, opening, value, silver):
    """rules/drei_zu_viel.md, A turn 5 (silver_check; cards arrive in ascending order)"""
    game = set_up([[value], []], opening=opening, silver_check=check)
    game.face_up[0] = [2, 1, 1, 1, 1, 1, 0]
    assert game.play(value)["silver"] == silver
    assert game.face_up[0] == [0, 1, 1, 1, 1, 1, 1] and game.silver == [silver, 0]


def play_out(game):
    """Always play the lowest card; return the events."""
    while game.to_act is not None:
        game.play(game.legal()[0])
    return game.events


def test_refill_at_two():
    """rules/drei_zu_viel.md, A turn 6 (three rounds of six plays, the last two cards not used)"""
    game = set_up([[], []])
    stack = list(game.stacks[0])
    drew = [event["drew"] for event in play_out(game) if event["seat"] == 0]
    assert len(drew) == 18
    assert drew[5] == stack[:6] and drew[11] == stack[6:]
    assert all(drawn == [] for turn, drawn in enumerate(drew) if turn not in (5, 11))
    assert game.stacks == [[], []] and [len(hand) for hand in game.hands] == [2, 2]


def test_refill_each_turn():
    """rules/drei_zu_viel.md, A turn 6 (refill "each_turn": one after every play, the same end)"""
    game = set_up([[], []], refill="each_turn")
    stack = list(game.stacks[1])
    drew = [event["drew"] for event in play_out(game) if event["seat"] == 1]
    assert drew == [[card] for card in stack] + [[]] * 6
    assert game.stacks == [[], []] and [len(hand) for hand in game.hands] == [2, 2]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_end_of_the_game(players):
    """rules/drei_zu_viel.md, A turn (end: every stack empty, every hand down to two cards)"""
    game = set_up([[]] * players)
    with pytest.raises(ValueError):
        game.result()
    assert len(play_out(game)) == 18 * players
    assert game.to_act is None and game.legal() == []
    with pytest.raises(ValueError):
        game.play(game.hands[0][0])


def test_first_turns_of_a_game():
    """rules/drei_zu_viel.md, A turn 1 to 4, worked by hand for two players over five plays"""
    game = set_up([[12, 5, 24], [26, 10, 44]], opening=(8, 40, 15))
    assert [game.play(value)["took"] for value in (12, 26, 5, 10, 24)] == [[], [8], [12, 15, 26], [], []]
    assert game.rows == [[0, 5, 10, 24], [30, 40], [60]]
    assert game.face_up == [[0, 0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 0, 0, 0]]  # 26: 3, 12: 4; 8: 0
    assert game.neutral == [1, 0] and game.scores_now() == [2, 1]


# ---------------------------------------------------------------- scoring


def test_colours_face_down_and_silver_count():
    """rules/drei_zu_viel.md, Scoring (1, 5, −1, silver)"""
    game = finished()
    game.face_up = [[1, 2, 0, 2, 0, 0, 0], [0] * 7]
    game.face_down, game.silver = [3, 6], [8, 0]
    assert game.result()["scores"] == [1 + 5 + 5 - 3 + 8, -6]
    assert game.result()["win_share"] == [1.0, 0.0]


@pytest.mark.parametrize("minimum, gold", [(5, [5, 5, 5]), (6, [5, 5, 0]), (7, [5, 0, 0])])
def test_gold(minimum, gold):
    """rules/drei_zu_viel.md, Scoring (gold bonus for everyone, independent of silver)"""
    game = finished(3, gold_min_colours=minimum)
    game.face_up = [[1] * 7, [2, 1, 1, 1, 1, 1, 0], [2, 2, 2, 2, 2, 0, 0]]
    game.silver = [10, 0, 0]
    result = game.result()
    assert result["gold"] == gold and game.scores_now() == [17, 10, 25]
    assert result["scores"] == [17 + gold[0], 10 + gold[1], 25 + gold[2]]


@pytest.mark.parametrize(
    "downs, shares",
    [
        ([0, 0, 0, 0], [1 / 4] * 4),
        ([3, 0, 0, 3], [0, 1 / 2, 1 / 2, 0]),
        ([0, 0, 3, 0], [1 / 3, 1 / 3, 0, 1 / 3]),
        ([3, 3, 0, 3], [0, 0, 1, 0]),
    ],
)
def test_ties_are_shared(downs, shares):
    """rules/drei_zu_viel.md, Scoring (each of k winners counts 1/k of a win)"""
    game = finished(4)
    game.face_down = downs
    assert game.result()["win_share"] == shares


# ---------------------------------------------------------------- random self-play

TABLE = [-1 if value % 15 == 0 else value * value % 7 for value in range(90)]
OPTIONS = list(
    itertools.product((2, 3, 4), (0, 1, 2, 3), ("at_two", "each_turn"), ("cyclic", "blocks", TABLE), ("turn", "card"))
)
OTHERS = [
    {},
    {"neutral_values": [], "gold_min_colours": 7, "silver_bonus": [12, 5]},
    {"neutral_points": -1, "starter": 1},
    {"neutral_values": [1, 2, 59], "neutral_points": 2},
]


def random_rules(number):
    """The number-th combination of options."""
    names = ("players", "opening_cards", "refill", "colour_layout", "silver_check")
    return {**dict(zip(names, OPTIONS[number], strict=True)), **OTHERS[number % len(OTHERS)]}


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_self_play(number):
    """rules/drei_zu_viel.md, the whole; cards are conserved and the audit accepts the record"""
    rng = random.Random(number)
    record = ref.random_record(random_rules(number), rng)
    assert ref.audit(json.loads(json.dumps(record))) == []
    deal, rules = record["deal"], record["rules"]
    dealt = sorted(deal["opening"] + [value for stack in deal["stacks"] for value in stack])
    game = ref.Game(rules, deal)
    taken = [[] for _ in deal["stacks"]]
    for plays, event in enumerate(record["events"], start=1):
        assert game.play(event["play"]) == event and event["took"] == sorted(event["took"])
        taken[event["seat"]] += event["took"]
        on_table = [card for row in game.rows for card in row[1:]]
        assert sorted(on_table + sum(taken + game.hands + game.stacks, [])) == dealt
        assert len(on_table) + len(sum(taken, [])) == rules["opening_cards"] + plays
        assert all(row == sorted(row) and len(row) <= 4 for row in game.rows)
        if plays % (6 * game.players) == 0 and game.to_act is not None:
            assert game.score_after_third[-1] == game.scores_now()
    check_end(game, taken)


def check_end(game, taken):
    """Displays and statistics of a finished game, worked out from the cards taken."""
    table, result = ref.colours(game.rules), game.result()
    for seat, cards in enumerate(taken):
        counts = [sum(table[card] == colour for card in cards) for colour in range(7)]
        assert game.face_up[seat] == [count % 3 for count in counts]
        assert game.face_down[seat] == sum(count - count % 3 for count in counts)
        assert game.neutral[seat] == sum(table[card] == -1 for card in cards)
        assert sum(game.taken_by_third[seat]) == len(cards)
    assert len(game.score_after_third) == 3 and game.score_after_third[2] == result["scores"]
    assert sum(game.full_rows_by_third) == sum(event["took"] != [] for event in game.events)
    assert abs(sum(result["win_share"]) - 1) < 1e-9
    silver = [points for points in result["silver"] if points]
    assert sorted(silver, reverse=True) == list(game.rules["silver_bonus"])[: len(silver)]


# ---------------------------------------------------------------- audit


@pytest.fixture(scope="module")
def good():
    """A right record as parsed JSON."""
    return json.loads(json.dumps(ref.random_record({"players": 2}, random.Random(5))))


def nodes(thing, path=()):
    """The paths of everything inside a JSON value."""
    inside = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    for key, item in inside:
        yield (*path, key)
        yield from nodes(item, (*path, key))


def changed(record, path, change):
    """A copy of the record with change(container, key) done at the path."""
    record = copy.deepcopy(record)
    container = record
    for key in path[:-1]:
        container = container[key]
    change(container, path[-1])
    return record


def test_audit_accepts_added_fields(good):
    """game-records.md, "Fields may be added"; whole floats may be written as integers"""
    more = changed(good, ("events", 0, "comment"), lambda box, key: box.update({key: "fine"}))
    more["time"], more["result"]["note"] = 1.5, None
    more["result"]["win_share"] = [round(share, 12) for share in more["result"]["win_share"]]
    assert ref.audit(good) == [] and ref.audit(more) == []


def test_audit_rejects_missing_and_foreign_parts(good):
    """game-records.md: anything missing, or replaced by nothing or an object, is found"""
    for path in nodes(good):
        if path[0] != "rules" or len(path) < 3:  # lists of the rules may have any length
            assert ref.audit(changed(good, path, lambda box, key: box.pop(key))), path
        for junk in (None, {}):
            bad = changed(good, path, lambda box, key, junk=junk: box.__setitem__(key, junk))
            assert ref.audit(bad), (path, junk)
    assert all(ref.audit(thing) for thing in (None, [], "record", 3, {}))


@pytest.mark.parametrize("junk", [[], [[]], True, False, "x", -1, 0, 1.0, 10**400, float("nan")])
def test_audit_never_breaks(good, junk):
    """game-records.md: nonsense anywhere gives a list of words; nothing of a wrong type passes"""
    for path in nodes(good):
        problems = ref.audit(changed(good, path, lambda box, key: box.__setitem__(key, junk)))
        assert isinstance(problems, list) and all(isinstance(words, str) for words in problems)
        if isinstance(junk, (bool, float)) and "win_share" not in path:
            assert problems, path


def test_audit_rejects_any_other_number_in_events_and_result(good):
    """game-records.md, drei_zu_viel: every number of every event and of the result is compared"""
    for path in nodes(good):
        if path[0] in ("events", "result"):
            bad = copy.deepcopy(good)
            box = bad
            for key in path[:-1]:
                box = box[key]
            if isinstance(box[path[-1]], (int, float)):
                box[path[-1]] += 1
                assert ref.audit(bad), path


def test_audit_checks_the_deal(good):
    """rules/drei_zu_viel.md, Setting up: cards unique, shuffled ones only, right numbers of them"""

    def rejects(change):
        bad = copy.deepcopy(good)
        change(bad["deal"])
        return any(words.startswith("deal") for words in ref.audit(bad))

    def swap_top(deal):
        deal["stacks"][0][0] = deal["stacks"][1][0]

    for value in (0, 30, 60, 90, -1, good["deal"]["opening"][0]):
        assert rejects(lambda deal, value=value: deal["stacks"][1].__setitem__(19, value))
    assert rejects(swap_top)
    assert rejects(lambda deal: deal["opening"].pop())
    assert rejects(lambda deal: deal["stacks"].pop())
    assert rejects(lambda deal: deal["stacks"][0].append(deal["stacks"][1].pop()))
    assert rejects(lambda deal: deal.update(starter=2))


def test_audit_checks_the_length_and_the_policies(good):
    """game-records.md: the whole of one played game, a policy a seat"""
    short, long, crowd = (copy.deepcopy(good) for _ in range(3))
    short["events"].pop()
    long["events"].append(long["events"][-1])
    crowd["policies"].append("third")
    assert all(ref.audit(bad) for bad in (short, long, crowd))


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 5},
        {"players": 1},
        {"opening_cards": 4},
        {"refill": "never"},
        {"colour_layout": "rainbow"},
        {"colour_layout": [0] * 90},
        {"colour_layout": [-1] * 89},
        {"neutral_values": [15, 15]},
        {"neutral_values": [30]},
        {"neutral_values": [90]},
        {"neutral_points": 0.5},
        {"silver_bonus": [4, 6]},
        {"silver_bonus": [-1]},
        {"starter": 2},
        {"silver_check": "game"},
        {"gold_min_colours": "6"},
        {"starter": "youngest"},
        {"speed": 1},
    ],
)
def test_wrong_rules_are_rejected(good, wrong):
    """rules/drei_zu_viel.md, Options and defaults"""
    rules = {**good["rules"], **wrong}
    assert any(words.startswith("rules") for words in ref.audit({**good, "rules": rules}))
    with pytest.raises(ValueError):
        ref.Game(rules, good["deal"])


def test_starter_of_the_rules_binds_the_deal(good):
    """rules/drei_zu_viel.md, Scoring, last lines (starter = "random" or a seat)"""
    starter = good["deal"]["starter"]
    assert ref.audit({**good, "rules": {**good["rules"], "starter": starter}}) == []
    assert ref.audit({**good, "rules": {**good["rules"], "starter": 1 - starter}})
    for seat in range(4):
        assert ref.random_deal({"starter": seat}, random.Random(3))["starter"] == seat
