"""Policies of Three-Thirteen: legal everywhere, deterministic, no peeking; what they do in positions made by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from helpers_peeking import assert_sound

from simlib.cards import card_number
from simlib.checking import decide_alone
from simlib.engine import Table, make_work, play_range
from simlib.games.three_thirteen import GAME, describe
from simlib.games.three_thirteen.view import DISCARD, DISCARD_0, DRAW, OUT_0
from simlib.policies import builtin, resolve

TEXTS = ["greedy", "tips", "potential", "lookahead:samples=2,width=2", "parts"]
VARIANTS = [
    {},
    {"jokers": 2, "aces": "high_low"},
    {"lay_off": True, "may_return_discard": False, "max_turns": 12},
    {"schedule": "six_fourteen", "aces": "wrap", "wild_penalty": 0},
    {"schedule": "short", "contract": "default", "double_last_round": True},
    {"max_wilds_per_meld": 1, "jokers": 1, "joker_penalty": 0, "aligned_stock": False},
]
_tables: dict[tuple[str, int], Table] = {}


def seen(hand, *, phase, upcard="Ac", pile="", known=None, out=-1, taken="", players=3, turns=0, **rules):
    """A view of seat 0 made by hand: the round is that of the hand's size; `known`: cards known to be held, by seat."""
    options = GAME.rules.make(players=players, **rules)
    view = np.zeros(1, GAME.VIEW)
    v = view[0]
    cards = [card_number(c) for c in hand.split()]
    size = len(cards) - (phase == DISCARD)
    v["rules"] = GAME.encode(options)[0]
    v["players"], v["phase"], v["rounds"], v["round"] = players, phase, 11, size - 3
    v["hand_size"], v["wild"], v["out"], v["turns"] = size, size - 1, out, turns
    v["taken"] = card_number(taken) if taken else -1
    v["drew"] = -1
    down = [card_number(c) for c in [*pile.split(), upcard]]
    v["pile"][: len(down)], v["pile_n"], v["upcard"] = down, len(down), down[-1]
    v["hand_n"][:players] = size
    v["hand_n"][0] = len(cards)
    for card in cards:
        if card == 52:
            v["jokers"] += 1
        else:
            k = next(k for k in range(4) if not int(v["hand"][k]) >> card & 1)
            v["hand"][k] |= np.uint64(1 << card)
    for seat, held in (known or {}).items():
        numbers = [card_number(c) for c in held.split()]
        v["known"][seat, : len(numbers)], v["known_n"][seat] = numbers, len(numbers)
    v["stock_n"] = int(v["rules"]["cards"]) - len(down) - int(v["hand_n"].sum())
    return view


def does(text, view):
    """The policy's action as text."""
    players = int(view["players"][0])
    key = text, players
    if key not in _tables:
        work = make_work("three_thirteen", [text] * players, 5)
        _tables[key] = Table(work, work.seatings[0])
    return describe(decide_alone(_tables[key], view, 0, 0), view[0])


def draws(text, hand, upcard, **more):
    """``stock`` or ``upcard``."""
    return does(text, seen(hand, phase=DRAW, upcard=upcard, **more)).split()[-1]


def discards(text, hand, **more):
    """The card that goes, with " out" when the policy goes out with it."""
    words = does(text, seen(hand, phase=DISCARD, **more)).split()
    return words[1] + (" out" if len(words) > 2 else "")


# -------------------------------------------------------------------------------------- every policy, every variant


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("text", TEXTS)
def test_sound_in_random_positions_of_every_variant(text, options):
    """RULES.md 3: asked anywhere, with no memory, a policy answers legally, twice alike, whatever others hold."""
    deals = 1 if "lookahead" in text else 2
    players = 2 + VARIANTS.index(options)
    every = 997 if "lookahead" in text else 131
    assert assert_sound(resolve("three_thirteen", text), players, options, redeals=2, deals=deals, every=every) > 0


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("text", ["tips", "potential", "parts"])
def test_legal_with_every_number_of_players(text, players):
    """RULES.md, head: two to eight players; a whole game of each."""
    rows = play_range(make_work("three_thirteen", [text] * players, 3), 0, 1)
    assert rows["score"][0, 0, :players].max() <= 0


@pytest.mark.parametrize("text", TEXTS)
def test_same_seed_same_games(text):
    """Determinism: the same seed gives the same games, whatever was played before."""
    work = make_work("three_thirteen", [text, "greedy", "tips"], 3)
    rows = play_range(work, 0, 4)
    assert rows[2:].tobytes() == play_range(work, 2, 2).tobytes()


def test_every_policy_says_what_its_parameters_mean():
    for policy in builtin("three_thirteen"):
        assert policy.doc
        assert all(parameter.doc for parameter in policy.parameters), policy.name


# -------------------------------------------------------------------------------------- greedy


@pytest.mark.parametrize(
    ("upcard", "answer"),
    [("9h", "upcard"), ("2c", "upcard"), ("Kh", "stock"), ("8s", "upcard"), ("3d", "upcard")],
)
def test_greedy_takes_what_lowers_the_penalty(upcard, answer):
    """It takes the upcard if and only if the smallest penalty after the best discard is lower than now (25)."""
    assert draws("greedy", "8h 7h Kd", upcard) == answer


def test_greedy_leaves_an_upcard_that_changes_nothing():
    """An upcard of the value of the dearest card does not lower the penalty, though it makes a pair."""
    assert draws("greedy", "Kd 9s 2h 7c", "Kh") == "stock"


@pytest.mark.parametrize(
    ("hand", "rules", "card"),
    [
        ("7h 8h Kd Qc", {}, "Qc"),  # the same penalty and value: the lowest suit * 13 + rank
        ("7h 8h Kd Kc", {}, "Kc"),
        ("9c 8h 7s 2d", {}, "9c"),
        ("5h 6h 7h 8h", {}, "8h out"),  # nothing is left over either way: the dearest
        ("3c 5h 6h 7h", {}, "3c out"),  # a wild card counts as its penalty
        ("3c 5h 6h 7h", {"wild_penalty": 0}, "7h out"),
        ("3c 5h 8s Kd", {}, "3c"),
        ("5h 6h 7h Kd", {}, "Kd out"),
    ],
)
def test_greedy_sheds_the_card_that_leaves_least(hand, rules, card):
    """Smallest penalty, ties by highest value with a wild at its penalty, then the lowest number; out when it can."""
    assert discards("greedy", hand, **rules) == card


def test_greedy_does_not_go_out_in_a_last_turn():
    """RULES.md 3: nobody else can go out."""
    assert discards("greedy", "5h 6h 7h Kd", out=1) == "Kd"


# -------------------------------------------------------------------------------------- tips


def test_tips_race_early():
    """Attack early: with few cards the card that leads nowhere goes, whatever the pair costs; else the highest."""
    assert discards("tips", "Kd Ks 8c 6h") == "8c"
    assert discards("tips:attack=0", "Kd Ks 8c 6h") == "Kd"
    assert discards("tips:early=2", "Kd Ks 8c 6h") == "Kd"


def test_tips_defend_late():
    """Defend late: with 11 cards and more a low upcard for a high card is a gain."""
    hand = "Kd Qs 9c 8h 7d 6s 5c 4h 3d 2s Tc"
    assert draws("tips", hand, "Ah") == "upcard"
    assert draws("tips:defend=0", hand, "Ah") == "stock"
    assert draws("tips:late=12", hand, "Ah") == "stock"


def test_tips_highest_unmelded_card_first():
    """Count points, not cards: a pair of queens goes before a lonely eight; without the switch it stays."""
    hand = "Qc Qd 8h Ac As Ad 2s 4d"
    assert discards("tips", hand) == "Qc"
    assert discards("tips:highest=0", hand) == "8h"


def test_tips_upcard_only_with_a_plan():
    """A card that makes a pair, or is merely low, is left unless the switch is off; one melded at once is taken."""
    hand = "Kd 9s 8s 2h 6c"
    assert draws("tips", hand, "Kh") == "stock"
    assert draws("tips:plan=0", hand, "Kh") == "upcard"
    assert draws("tips", hand, "Ac") == "stock"
    assert draws("tips:plan=0", hand, "Ac") == "upcard"
    assert draws("tips", hand, "Ts") == "upcard"
    assert draws("tips:plan=0", hand, "4d") == "upcard"
    assert draws("tips:plan=0", "Kd Js 2h 6c 9d", "Qh") == "stock"


def test_tips_hold_wild_cards():
    """Keep wild cards to the end: a four in the round of four cards is neither left in the pile nor the first to go."""
    assert discards("tips", "4c Kd 9s 2h 7c") == "Kd"
    assert discards("tips:hold_wilds=0,attack=0", "4c Kd 9s 2h 7c") == "4c"
    assert draws("tips", "Kd 9s 2h 7c", "4h") == "upcard"
    assert draws("tips:hold_wilds=0", "Kd 9s 2h 7c", "4h") == "stock"


def test_tips_go_out_at_once_or_wait():
    """Go out on one high card, or (switch off) wait for a cheap one that the next player is not known to need."""
    assert discards("tips", "5h 6h 7h Kd") == "Kd out"
    assert discards("tips:go_out=0", "5h 6h 7h Kd") == "Kd"
    assert discards("tips:go_out=0", "5h 6h 7h 2d") == "2d out"
    assert discards("tips:go_out=0", "5h 6h 7h 2d", known={1: "2s"}) == "2d"
    assert discards("tips:go_out=0,perfect=10", "5h 6h 7h Kd") == "Kd out"


def test_tips_spare_the_next_player():
    """Low cards that nobody needs: the next player is known to hold two nines, so the eight goes, not the nine."""
    hand = "9h 8s Ac As Ad 2s 4d 6c"
    known = {1: "9c 9d"}
    assert discards("tips", hand, known=known) == "8s"
    assert discards("tips:safe=0", hand, known=known) == "9h"
    assert discards("tips", hand, known={2: "9c 9d"}) == "9h"


# -------------------------------------------------------------------------------------- potential

JACKS, QUEENS = "Jc Jd Jh Jh Js Js", "Qc Qc Qd Qd Qh Qs"


@pytest.mark.parametrize(("dead", "card"), [(JACKS, "J"), (QUEENS, "Q")])
@pytest.mark.parametrize("text", ["potential", "tips:highest=0,safe=0"])
def test_a_live_pair_is_kept_a_dead_one_is_not(text, dead, card):
    """What a pair is worth depends on the cards of its rank that are still unseen."""
    assert discards(text, "Jc Jd Qh Qs", pile=dead)[0] == card


def test_potential_keeps_a_live_run_over_a_dead_one():
    """The seven of hearts completes 6h 8h; both sevens of spades are gone."""
    assert discards("potential", "6h 8h 6s 8s", pile="7s 7s")[1] == "s"
    assert discards("potential", "6h 8h 6s 8s", pile="7h 7h")[1] == "h"


def test_potential_holds_wild_cards():
    """A wild card in hand costs 15, and yet it is the last to go; one in the pile is taken."""
    assert discards("potential", "4c Kd 9s 2h 7c") == "Kd"
    assert discards("potential:hold=-30", "4c Kd 9s 2h 7c") == "4c"
    assert draws("potential", "Kd 9s 2h 7c", "4h") == "upcard"


@pytest.mark.parametrize(("known", "card"), [("Qd Qc", "Kd"), ("Ks Kh", "Qh")])
def test_potential_watches_the_next_player(known, card):
    """Of two cards that lead nowhere the one that the next player is not known to collect goes."""
    hand = "Qh Kd 2c 5s 7d"
    assert discards("potential", hand, known={1: known}) == card
    assert discards("potential:next=0", hand, known={1: known}) == discards("potential:next=0", hand)


def test_potential_stands_by_the_stock():
    """A low upcard that is not melded is left when the stock promises more: `stock` says how much."""
    assert draws("potential:stock=30", "Kd 9s 2h 7c 6c", "Ac") == "stock"
    assert draws("potential:stock=-1,stock_n=0", "Kd 9s 2h 7c 6c", "Ac") == "upcard"
    assert draws("potential", "Kd 9s 8s 2h 6c", "Ts") == "upcard"


def test_potential_counts_wild_cards_seen():
    """The stock is worth less when the wild cards have gone by."""
    text = "potential:stock=0,stock_n=0,wild_draw=150"
    hand = "Kd 9s 2h 7c 6c"
    assert draws(text, hand, "Ac") == "stock"
    assert draws(text, hand, "Ac", pile="5c 5c 5d 5d 5h 5h 5s 5s") == "upcard"


def test_potential_goes_out_unless_told_to_wait():
    """RULES.md 3.2: going out is a choice."""
    assert discards("potential", "5h 6h 7h Kd") == "Kd out"
    assert discards("potential:wait=1", "5h 6h 7h Kd") == "Kd"


# -------------------------------------------------------------------------------------- last turns


@pytest.mark.parametrize("text", ["potential", "lookahead:samples=2"])
def test_last_turn_counts_the_penalty_alone(text):
    """RULES.md 3: in a last turn a pair is worth nothing; the draw with the smaller expected penalty is worked out.

    With K K 2 A in hand (penalty 23) an upcard 2 leaves 15; a card from the stock leaves less only when it is an ace,
    a king or a four. With 8 8 2 A (19) an upcard 7 leaves 18, and most cards of the stock leave no more.
    """
    assert discards(text, "Kd Kh 2s Ac 7d", out=1) == "Kd"
    assert draws(text, "Kd Kh 2s Ac", "2d", out=1) == "upcard"
    assert draws(text, "8d 8h 2s Ac", "7d", out=1) == "stock"
    assert draws(text, "8d 8h 2s Ac", "8s", out=1) == "upcard"


# -------------------------------------------------------------------------------------- lookahead, parts


def test_lookahead_sees_what_is_plain():
    """It goes out, takes the card that completes its hand and the wild one, and does not break a meld."""
    text = "lookahead:samples=8"
    assert discards(text, "5h 6h 7h Kd") == "Kd out"
    assert draws(text, "5h 6h Kd", "7h") == "upcard"
    assert draws(text, "5h 6h Kd", "3c") == "upcard"
    assert discards(text, "5h 6h 7h Kd Qs 2c") not in {"5h", "6h", "7h"}


def test_lookahead_follows_its_guide_when_never_sure():
    """With `sure` out of reach the guide's action always stands."""
    alone = play_range(make_work("three_thirteen", ["tips", "tips"], 4), 0, 3)
    guided = play_range(make_work("three_thirteen", ["lookahead:samples=1,sure=1e9,guide=[tips]"] * 2, 4), 0, 3)
    # Last turns are worked out by lookahead itself: compare when the rounds ended.
    assert np.array_equal(alone["turn_out"], guided["turn_out"])


@pytest.mark.parametrize("text", ["greedy", "potential", "tips:go_out=0"])
def test_parts_of_one_policy_are_that_policy(text):
    """Drawing, discarding and going out taken from one policy: the same games."""
    whole = play_range(make_work("three_thirteen", [text, "greedy"], 4), 0, 5)
    parts = f"parts:draw=[{text}],discard=[{text}],out=[{text}]"
    parted = play_range(make_work("three_thirteen", [parts, "greedy"], 4), 0, 5)
    assert whole.tobytes() == parted.tobytes()


def test_parts_take_each_decision_from_its_policy():
    """Draw, discard and going out in turn."""
    text = "parts:draw=[tips:plan=0],discard=[potential:hold=-30],out=[tips:go_out=0]"
    assert draws(text, "Kd 9s 8s 2h 6c", "Kh") == "upcard"
    assert discards(text, "4c Kd 9s 2h 7c") == "4c"
    assert discards(text, "5h 6h 7h Kd") == "Kd"
    assert discards(text, "5h 6h 7h 2d") == "2d out"


# -------------------------------------------------------------------------------------- margins


@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("tips", "greedy"), ("potential", "tips")])
def test_margins(better, worse):
    """Issue: clear margins on rotated common deals: the mean difference exceeds three standard errors."""
    deals = 120
    work = make_work("three_thirteen", [better, worse] * 2, 9, seatings="rotations")
    score = play_range(work, 0, deals)["score"]
    difference = np.zeros(deals)
    for s, seating in enumerate(work.seatings):
        for seat, i in enumerate(seating):
            difference += score[:, s, seat] * (1.0 if i % 2 == 0 else -1.0) / (2 * len(work.seatings))
    assert difference.mean() > 3 * difference.std(ddof=1) / np.sqrt(deals)


def test_illegal_actions_are_none_of_theirs():
    """Every action lies in the range of the game (view.py)."""
    view = seen("5h 6h 7h Kd", phase=DISCARD)
    assert does("potential", view) == describe(OUT_0 + card_number("Kd"), view[0])
    assert describe(DISCARD_0 + card_number("Kd"), view[0]) == "discard Kd"
