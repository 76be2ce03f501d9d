"""Policies of 3 sind eine zu viel!: legal, blind to hidden cards, and wise in positions made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers_peeking import assert_sound, positions, seen_by, table_of

from simlib.checking import decide_alone
from simlib.engine import make_work, play_range
from simlib.games.drei_zu_viel import GAME
from simlib.games.drei_zu_viel.view import NO_CARD
from simlib.policies import Policy, builtin, find, resolve

POLICIES = builtin("drei_zu_viel")
NAMES = [p.name for p in POLICIES]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"opening_cards": 0, "refill": "each_turn"},
    {"colour_layout": "blocks", "silver_check": "card", "neutral_points": -2},
    {"neutral_values": (), "silver_bonus": (), "gold_min_colours": 8},
    {"gold_min_colours": 0, "silver_bonus": (100, 0)},
]


def quick(name: str) -> Policy:
    """The policy, with few samples where it has samples."""
    policy = find("drei_zu_viel", name)
    return policy.with_params(samples=2) if "samples" in policy.params else policy


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sound_in_the_middle_of_games(name: str, players: int) -> None:
    """Legal, repeatable, no peeking: in views of all player numbers and options."""
    for options in VARIANTS:
        assert assert_sound(quick(name), players, options, deals=2, every=5) > 10


@pytest.mark.parametrize("name", NAMES)
def test_the_same_games_again(name: str) -> None:
    work = make_work("drei_zu_viel", [quick(name)] * 3, seed=5)
    assert play_range(work, 3, 4).tobytes() == play_range(work, 3, 4).tobytes() == play_range(work, 0, 7)[3:].tobytes()


def view_of(
    hand: list[int],
    rows: list[list[int]],
    colours: tuple[tuple[int, ...], ...] = (),
    *,
    stack: int = 12,
    silver_taken: int = 0,
    players: int = 4,
    **options: Any,
) -> Any:
    """A view of seat 0, to act, made by hand."""
    view = np.zeros(1, GAME.VIEW)
    view["rules"] = GAME.encode(GAME.rules.make(players=players, **options))
    view["players"], view["silver_taken"] = players, silver_taken
    view["hand"], view["row"] = NO_CARD, NO_CARD
    view["hand"][0, : len(hand)] = sorted(hand)
    view["hand_n"][0, :players], view["stack_n"][0, :players] = len(hand), stack
    for r, cards in enumerate(rows):
        view["row"][0, r, : len(cards)] = cards
        view["row_n"][0, r] = len(cards)
    for seat, counts in enumerate(colours):
        view["colours"][0, seat, : len(counts)] = counts
    for value in [v for cards in rows for v in cards]:
        view["seen"][0, value // 64] |= np.uint64(1 << value % 64)
    view["history_n"] = sum(map(len, rows))
    return view


def plays(policy: str | Policy, view: Any) -> int:
    """The value of the card that the policy plays."""
    table = table_of(resolve("drei_zu_viel", policy), int(view["players"][0]))
    return int(view["hand"][0, decide_alone(table, view, 0, 0)])


# Colours of the default layout: values 1 to 7 have the colours 0 to 6, 8 to 14 again, 15 is neutral, 16 to 22 again,
# 23 to 29 again; 31 to 37 begin with colour 0 as well.


def test_lowest_and_highest() -> None:
    view = view_of([5, 9, 40, 88], [[], [], []])
    assert (plays("lowest", view), plays("highest", view)) == (5, 88)


def test_random_plays_every_card_about_equally_often() -> None:
    view = view_of([3, 33, 63, 80], [[], [], []])
    policy = find("drei_zu_viel", "random")
    table = table_of(policy, 4)
    actions = [decide_alone(table, view, 0, deal) for deal in range(2000)]
    assert np.abs(np.bincount(actions, minlength=4) - 500).max() < 5 * np.sqrt(2000 * 3 / 16)


def test_greedy_takes_the_pair() -> None:
    """29 is the highest card of a full row and takes the 1, which pairs a single of colour 0 (A turn, 3; Scoring)."""
    rows = [[1, 12, 20], [], []]
    assert plays("greedy", view_of([29, 31, 61, 62], rows, ((1,),))) == 29
    # With two of colour 0 open the 1 is the third: greedy plays elsewhere.
    assert plays("greedy", view_of([29, 31, 61, 62], rows, ((2,),))) == 31


def test_greedy_takes_most_of_what_lies_above() -> None:
    """Played below all three cards it takes all of them: three singles are three points."""
    assert plays("greedy", view_of([2, 13, 29, 61], [[4, 12, 20], [], []])) == 2


def test_greedy_counts_the_silver_bonus() -> None:
    """The seventh colour brings the silver card (A turn, 5), which outweighs the pair of another play."""
    colours = ((1, 1, 1, 1, 1, 1, 0),)
    rows = [[7, 12, 20], [31, 34, 36], []]  # 29 takes the 7 (colour 6), 59 the 31 (colour 0)
    hand = [29, 59, 61, 62]
    assert plays("greedy", view_of(hand, rows, colours)) == 29
    assert plays("greedy", view_of(hand, rows, colours, silver_taken=4)) == 59
    assert plays("greedy", view_of(hand, rows, colours, silver_bonus=())) == 59


def test_greedy_sees_silver_that_lasts_one_card_only() -> None:
    """With silver_check = "card" seven colours need to lie open for a moment: 33 takes 34 (colour 3), 35 and 36."""
    colours = ((1, 1, 1, 0, 2, 2, 1),)
    view = [[], [34, 35, 36], []]
    assert plays("greedy", view_of([33, 61, 62, 63], view, colours, silver_bonus=(40,), silver_check="card")) == 33
    assert plays("greedy", view_of([33, 61, 62, 63], view, colours, silver_bonus=(40,))) == 61


def test_greedy_counts_gold_towards_the_end() -> None:
    """The sixth colour is worth six points at the end (gold), a pair four; early gold is far away."""
    colours = ((1, 1, 1, 1, 1, 0, 0),)
    rows = [[6, 12, 20], [31, 34, 36], []]  # 29 takes the 6 (colour 5), 59 the 31 (colour 0)
    hand = [29, 59, 61]
    assert plays("greedy", view_of(hand, rows, colours, stack=0)) == 29
    assert plays("greedy:gold=0", view_of(hand, rows, colours, stack=0)) == 59
    assert plays("greedy", view_of(hand, rows, colours, stack=12)) == 59
    assert plays("greedy", view_of(hand, rows, colours, stack=0, gold_min_colours=8)) == 59


def test_greedy_avoids_the_triple_when_all_plays_take() -> None:
    """29 and 59 take a third card of colour 0 (minus eight points), 89 takes the 62, a single of colour 1."""
    rows = [[1, 12, 20], [31, 34, 36], [62, 70, 80]]
    assert plays("greedy", view_of([29, 59, 89], rows, ((2, 0),))) == 89
    assert plays("greedy", view_of([29, 59, 89], rows, ((2, 2),))) == 29  # all alike: the lowest
    assert plays("greedy", view_of([29, 59, 89], rows, ((0, 2),))) == 29


def test_filler_avoids_the_fifth_card_when_it_can() -> None:
    rows = [[1, 12, 20], [31, 34], []]
    colours = ((2,),)  # 29 would take a third card
    assert plays("filler", view_of([29, 38, 61], rows, colours)) == 61  # the emptiest row
    assert plays("filler:spread=0", view_of([29, 38, 61], rows, colours)) == 38  # the fullest that is not full
    assert plays("filler", view_of([28, 29, 38], rows, colours)) == 38


def test_filler_takes_when_it_pays() -> None:
    view = view_of([29, 38, 61], [[1, 12, 20], [31, 34], []], ((1,),))  # 29 pairs colour 0: four points
    assert plays("filler", view) == 29
    assert plays("filler:pays=4", view) == 29
    assert plays("filler:pays=5", view) == 61


def test_filler_forced_takes_the_best() -> None:
    """18 takes the 20 (colour 4), 29 the 1, a third card."""
    assert plays("filler", view_of([18, 29], [[1, 12, 20], [], []], ((2,),))) == 18
    assert plays("filler:pays=20", view_of([18, 29], [[1, 12, 20], [], []], ((2,),))) == 18


def only(**weights: float) -> str:
    """`careful` with no weights but these."""
    zero = {p.name: 0 for p in find("drei_zu_viel", "careful").parameters}
    return "careful:" + ",".join(f"{name}={value:g}" for name, value in (zero | weights).items())


def test_careful_avoids_a_pair_early_and_takes_it_at_the_end() -> None:
    """The source: with the pair "die potentielle dritte Karte der Farbe" becomes the danger."""
    rows = [[1, 12, 20], [], []]
    early = view_of([29, 61, 62, 63, 64, 66, 67, 68], rows, ((1,),))
    assert plays(only(pair=-10, single=12), view_of([29, 61, 62], rows, ((1,),), stack=0)) == 29
    assert plays(only(pair=-10, single=12), early) != 29
    assert plays(only(), early) == 29


def test_careful_takes_singles_early() -> None:
    rows = [[1, 12, 20], [], []]
    assert plays("careful", view_of([29, 61, 62, 63, 64, 66, 67, 68], rows, ((0, 1, 1),))) == 29


def test_careful_never_takes_a_third_card_when_it_need_not() -> None:
    rows = [[1, 12, 20], [], []]
    for stack in (0, 6, 12):
        assert plays("careful", view_of([29, 61, 62], rows, ((2,),), stack=stack)) != 29


def test_careful_full_weighs_rows_of_four() -> None:
    """35 fills the second row up to four cards, 61 leaves no row full."""
    view = view_of([35, 61], [[], [31, 34], []])
    assert plays(only(full=3), view) == 35
    assert plays(only(full=-3), view) == 61
    assert plays(only(full_left=3), view_of([35, 61], [[], [31, 34], []], stack=12)) == 35


def test_careful_three_weighs_rows_of_three() -> None:
    """35 makes the second row hold three cards with its start card, 61 the third two."""
    view = view_of([35, 61], [[], [31], []])
    assert plays(only(three=3), view) == 35
    assert plays(only(three=-3), view) == 61


def test_careful_counts_the_cards_that_can_follow() -> None:
    """After 33 the row is full and 35 and 50 lie above it, after 50 both lie below."""
    view = view_of([33, 35, 50, 61], [[], [31, 32], []])
    assert plays(only(full_above=1), view) == 33
    assert plays(only(full_below=1), view) == 50
    assert plays(only(full_above=-1, full=1), view) == 50
    three = view_of([33, 35, 50, 61], [[], [31], []])
    assert plays(only(three_above=1), three) == 33
    assert plays(only(three_above=-1, three=1), three) == 50


def test_careful_take_weighs_each_card_taken() -> None:
    """18 takes the 20, 11 takes 12 and 20, 0 cards would come from 61; 29 is the highest and takes the 1 alone."""
    rows = [[1, 12, 20], [], []]
    colours = ((0, 0, 0, 2, 2, 2, 2),)
    view = view_of([11, 18, 61], rows, colours)
    assert plays(only(take=40), view) == 11
    assert plays(only(take=-40), view) == 61
    forced = view_of([11, 18], rows, colours)
    assert plays(only(take=-40), forced) == 18
    assert plays(only(take=-40), view_of([11, 29], rows, colours)) == 29


def test_careful_leaves_the_next_player_third_cards() -> None:
    """35 completes a row of colours 0, 3 and 4, 47 one of colours 0, 3 and 1."""
    view = view_of([35, 47], [[], [31, 34], []], ((0,), (0, 0, 0, 0, 2)))
    assert plays(only(next_third=2), view) == 35
    assert plays(only(next_third=-2), view) == 47


def test_careful_keeps_a_gain_in_another_row() -> None:
    """32 could take three singles from the second row: playing 61 or 62 keeps that gain, playing 32 uses it up."""
    view = view_of([32, 61, 62], [[], [33, 37, 42], []], stack=0)
    assert plays(only(), view) == 32
    assert plays(only(best=3), view) == 61
    assert plays(only(best=-3), view) == 32


def test_lookahead_takes_the_sure_points_of_the_last_play() -> None:
    """With one play left each and nothing to come back for, the pair for four points is best."""
    view = view_of([29, 61, 62], [[1, 12, 20], [], []], ((1,),), stack=0, players=2)
    view["ply"], view["third"], view["left"] = 34, 2, 2
    assert plays("lookahead:samples=8", view) == 29


@pytest.mark.parametrize("win", [0, 0.5, 1])
@pytest.mark.parametrize("halving", [0, 1])
@pytest.mark.parametrize("playout", ["random", "greedy", "careful", "filler"])
def test_lookahead_with_any_parameters(win: float, halving: int, playout: str) -> None:
    policy = find("drei_zu_viel", "lookahead").with_params(samples=1, win=win, halving=halving, playout=playout)
    assert assert_sound(policy, 3, deals=1, every=11, redeals=1) > 3


def test_lookahead_in_doubt_plays_as_the_play_out_policy() -> None:
    """`doubt` is the number of standard errors that another card needs: no card has a million of them."""
    sure = find("drei_zu_viel", "lookahead").with_params(samples=3, doubt=1e6)
    tables = [table_of(sure, 3), table_of(find("drei_zu_viel", "careful"), 3)]
    for deal, seat, state in positions("drei_zu_viel", 3, deals=1, every=4):
        a, b = (decide_alone(t, seen_by("drei_zu_viel", seat, state), seat, deal) for t in tables)
        assert a == b


def test_lookahead_searches_deeper_with_more_samples() -> None:
    """More samples change decisions, and the same number never does."""
    few, many = (find("drei_zu_viel", "lookahead").with_params(samples=n, doubt=0) for n in (1, 12))
    tables = [table_of(p, 3) for p in (few, many)]
    different = 0
    for deal, seat, state in positions("drei_zu_viel", 3, deals=2, every=4):
        a, b = (decide_alone(t, seen_by("drei_zu_viel", seat, state), seat, deal) for t in tables)
        different += a != b
    assert different > 0


@pytest.mark.parametrize(
    ("better", "worse", "deals"), [("greedy", "random", 60), ("careful", "greedy", 400), ("lookahead", "random", 12)]
)
def test_the_order_of_strength(better: str, worse: str, deals: int) -> None:
    """One against three in every seat on the same deals: the better one wins more than 1/4, by four errors."""
    work = make_work("drei_zu_viel", [quick(better), *[worse] * 3], 21, seatings="rotations")
    rows = play_range(work, 0, deals)
    share = np.array(
        [[rows[d, s]["win_share"][seats.index(0)] for s, seats in enumerate(work.seatings)] for d in range(deals)]
    )
    mean = share.mean(axis=1) / 840
    assert mean.mean() > 0.25 + 4 * mean.std(ddof=1) / np.sqrt(deals)
