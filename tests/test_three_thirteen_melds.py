"""Melds of Three-Thirteen (RULES.md, sections 4, 8, 9): every kernel against the slow reference and by properties."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simlib.cards import card_number
from simlib.games.three_thirteen import best_melds, layoff
from simlib.games.three_thirteen.arrange import arrange
from simlib.games.three_thirteen.best import arranged
from simlib.games.three_thirteen.discards import SURE, best_discard, lone_discard
from simlib.games.three_thirteen.each import discard_penalties
from simlib.games.three_thirteen.melds import all_melded, penalty
from simlib.games.three_thirteen.melds_general import fewest_unmelded, general_penalty
from simlib.games.three_thirteen.rules import ThreeThirteenRules
from simlib.games.three_thirteen.shapes import ARRANGEMENT
from simlib.games.three_thirteen.unmelded import penalty_and_unmelded, unmelded_cards
from simlib.games.three_thirteen.view import MELDS
from tests.reference import three_thirteen as reference
from tests.three_thirteen_help import MELD_VARIANTS, RANK_TEXT, encoded, pack_of, random_hand, texts, without, words

ANY = 1 << 30


def hands(seed, record, number, largest, smallest=0):
    """Yield (hand, wild rank): random and close ones of every size."""
    rng = random.Random(seed)
    pack = pack_of(record)
    for i in range(number):
        wild = rng.randrange(13)
        yield random_hand(rng, pack, wild, rng.randint(smallest, largest), i % 2 == 1), wild


@pytest.mark.parametrize("options", MELD_VARIANTS, ids=str)
def test_penalty_is_that_of_the_reference(options):
    _, record, plain = encoded(**options)
    for hand, wild in hands(1, record, 250, 11):
        want = reference.min_penalty(texts(hand), RANK_TEXT[wild], plain)
        assert penalty(*words(hand), wild, record[0]) == want, (texts(hand), RANK_TEXT[wild])
        assert general_penalty(*words(hand), wild, record[0]) == want, (texts(hand), RANK_TEXT[wild])


@pytest.mark.parametrize("options", MELD_VARIANTS, ids=str)
def test_penalty_is_that_of_all_arrangements(options):
    _, record, plain = encoded(**options)
    for hand, wild in hands(2, record, 40, 6):
        want = reference.brute_min_penalty(texts(hand), RANK_TEXT[wild], plain)
        assert penalty(*words(hand), wild, record[0]) == want, (texts(hand), RANK_TEXT[wild])


@pytest.mark.parametrize("options", [{}, {"jokers": 2}, {"decks": 3}, {"decks": 4}], ids=str)
def test_fast_and_general_search_agree_on_large_hands(options):
    _, record, _ = encoded(**options)
    for hand, wild in hands(3, record, 1500, 15, 10):
        fast, general = (f(*words(hand), wild, record[0]) for f in (penalty, general_penalty))
        assert fast == general, (texts(hand), RANK_TEXT[wild])
        few = unmelded_cards(*words(hand), wild, record[0], fast)
        assert few == fewest_unmelded(*words(hand), wild, record[0], fast), (texts(hand), RANK_TEXT[wild])
        assert penalty_and_unmelded(*words(hand), wild, record[0]) == fast * 64 + few


def value(card, wild, record):
    if card == 52:
        return int(record[0]["joker_penalty"])
    return int(record[0]["wild_penalty"]) if card % 13 == wild else min(card % 13 + 1, 10)


@pytest.mark.parametrize("options", MELD_VARIANTS, ids=str)
def test_best_discard_and_ways_out(options):
    _, record, plain = encoded(**options)
    out = np.zeros(53, np.int64)
    for hand, wild in hands(4, record, 150, 14, 2):
        left = {card: penalty(*words(without(hand, card)), wild, record[0]) for card in set(hand)}
        want = min((points, -value(card, wild, record), card) for card, points in left.items())
        got = best_discard(*words(hand), wild, record[0], -1, ANY)
        assert (got >> 6, got & 63) == (want[0], want[2]), (texts(hand), RANK_TEXT[wild])
        discard_penalties(*words(hand), wild, record[0], out)
        assert [out[card] for card in range(53)] == [left.get(card, -1) for card in range(53)]
        limited = best_discard(*words(hand), wild, record[0], -1, 7)
        assert limited == got if want[0] < 7 else limited >> 6 >= 7
        banned = hand[0]
        if len(left) > 1:
            want = min((p, -value(c, wild, record), c) for c, p in left.items() if c != banned)
        assert best_discard(*words(hand), wild, record[0], banned, ANY) & 63 == want[2]
        if len(hand) <= 9:
            ways = [c for c in sorted(left) if all_melded(*words(without(hand, c)), wild, record[0])]
            assert texts(ways) == reference.can_go_out(texts(hand), RANK_TEXT[wild], plain)


@pytest.mark.parametrize("options", [{}, {"jokers": 2}, {"decks": 1}, {"decks": 3}, {"wild_penalty": 0}], ids=str)
def test_all_discards_at_once_and_one_by_one(options):
    """One search leaves what a search for each card leaves, with hands of every size."""
    _, record, _ = encoded(**options)
    out = np.zeros(53, np.int64)
    for hand, wild in hands(6, record, 800, 15, 1):
        left = {card: penalty(*words(without(hand, card)), wild, record[0]) for card in set(hand)}
        discard_penalties(*words(hand), wild, record[0], out)
        assert [out[card] for card in range(53)] == [left.get(card, -1) for card in range(53)], texts(hand)


@pytest.mark.parametrize("options", MELD_VARIANTS, ids=str)
def test_a_lone_discard_saves_its_value(options):
    """The card that is plainly in no meld; with `SURE` no discard is better."""
    _, record, _ = encoded(**options)
    found = 0
    for hand, wild in hands(7, record, 300, 9, 2):
        lone = lone_discard(*words(hand), wild, record[0])
        if lone == 0:
            continue
        found += 1
        card, points = lone & 63, (lone >> 6) & 63
        assert points == value(card, wild, record)
        left = penalty(*words(hand), wild, record[0]) - points
        assert penalty(*words(without(hand, card)), wild, record[0]) == left
        if lone >= SURE:
            assert best_discard(*words(hand), wild, record[0], -1, ANY) == left * 64 + card
    assert (found > 50) == bool(record[0]["fast"])


@pytest.mark.parametrize("options", MELD_VARIANTS, ids=str)
def test_arrangement_is_the_documented_one(options):
    rules, record, plain = encoded(**options)
    for hand, wild in hands(5, record, 100, 10):
        found = best_melds(texts(hand), RANK_TEXT[wild], rules)
        want = reference.best_arrangement(texts(hand), RANK_TEXT[wild], plain)
        assert (found.melds, found.unmelded, found.penalty) == tuple(want)
        whole = arranged(hand, wild, record, True)
        want = reference.best_arrangement(texts(hand), RANK_TEXT[wild], plain, True)
        assert (whole is None) == (want is None)
        if want is not None:
            cards = [texts(whole[0]["cards"][i][: whole[0]["size"][i]]) for i in range(whole[0]["n"])]
            assert cards == want[0]


LAY_VARIANTS = [options for options in MELD_VARIANTS if options.get("decks") != 1]


@pytest.mark.parametrize("options", LAY_VARIANTS, ids=str)
def test_lay_offs_are_those_of_the_reference(options):
    """Section 8, with one player's melds on the table."""
    _, record, plain = encoded(lay_off=True, **options)
    rng = random.Random(6)
    for _ in range(60):
        wild = rng.randrange(13)
        cards = random_hand(rng, pack_of(record), wild, 20, True)
        free = {**plain, "contract": None}
        melds = reference.best_arrangement(texts(cards[:12]), RANK_TEXT[wild], free)[0]
        table, laid = np.zeros(1, MELDS), np.zeros(1, ARRANGEMENT)
        laid[0]["n"] = len(melds)
        for i, meld in enumerate(melds):
            laid[0]["size"][i] = len(meld)
            laid[0]["cards"][i][: len(meld)] = [card_number(card) for card in meld]
        layoff.put_on_table(table[0], laid[0], 0, wild)
        hand = cards[12 : 12 + rng.randint(0, 8)]
        want = reference.best_arrangement_with_layoff(texts(hand), melds, RANK_TEXT[wild], plain)
        got = arranged(hand, wild, record, False, table)[0]
        left = [(texts([got["left"][i]])[0], int(got["to"][i]) - 1) for i in range(got["left_n"])]
        assert [texts(got["cards"][i][: got["size"][i]]) for i in range(got["n"])] == want[0]
        assert [card for card, to in left if to < 0] == want[1]
        assert [pair for pair in left if pair[1] >= 0] == want[2]
        assert got["penalty"] == want[3]


def test_properties_that_need_no_second_program():
    """A wild card more never raises the penalty; suits can be exchanged; a card more costs at most its value."""
    _, record, _ = encoded(decks=4)
    rng = random.Random(7)
    for hand, wild in hands(7, record, 1500, 14, 1):
        points = penalty(*words(hand), wild, record[0])
        suits = rng.sample(range(4), 4)
        moved = [suits[card // 13] * 13 + card % 13 for card in hand]
        assert penalty(*words(moved), wild, record[0]) == points
        rng.shuffle(moved)
        assert penalty(*words(moved), wild, record[0]) == points
        for card in (rng.randrange(52), wild):
            if (hand + [card]).count(card) <= 4:
                more = penalty(*words([*hand, card]), wild, record[0])
                assert more <= points + value(card, wild, record)
                if card == wild and any(c % 13 != wild for c in hand) and len(hand) > 2:
                    naturals = [c for c in hand if c % 13 != wild]
                    held = len(hand) - len(naturals)
                    assert more <= points or (points == sum(min(c % 13 + 1, 10) for c in naturals) + 15 * held)


def test_best_melds_by_hand():
    """Section 4, worked by hand."""
    found = best_melds(["4h", "5h", "3c"], wild="3")
    assert (found.penalty, found.melds, found.unmelded) == (0, [["3c", "4h", "5h"]], [])
    assert best_melds("", "K").melds == []
    assert best_melds("Ks Qs As", "5").penalty == 21
    assert best_melds("Ks Qs As", "5", ThreeThirteenRules(aces="high_low")).penalty == 0
    assert best_melds("Ks As 2s", "5", ThreeThirteenRules(aces="high_low")).penalty == 13
    assert best_melds("Ks As 2s", "5", ThreeThirteenRules(aces="wrap")).penalty == 0
    assert best_melds("3c 3d", "3").penalty == 30
    assert best_melds("3c 3d 3h", "3").melds == [["3c", "3d", "3h"]]
    assert best_melds("3c 3d 9h", "3", ThreeThirteenRules(max_wilds_per_meld=1)).penalty == 39
    assert best_melds("* 9h 9d 2c", 13, ThreeThirteenRules(jokers=2)).penalty == 2
    with pytest.raises(ValueError, match="at most 15"):
        best_melds(" ".join(["2h"] * 16), "3")
    with pytest.raises(ValueError, match="more than four"):
        best_melds("2h 2h 2h 2h 2h", "3")
    with pytest.raises(ValueError, match="no card"):
        best_melds("2x", "3")


def test_arrange_refuses_what_cannot_all_be_laid():
    _, record, _ = encoded()
    out, table = np.zeros(1, ARRANGEMENT), np.zeros(1, MELDS)
    assert arrange(*words([0, 14, 30]), 12, record[0], True, table[0], out[0]) == -1
