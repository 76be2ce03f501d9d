"""Combinations of Big Three: their numbers, move generation against brute force, hand words, least number of turns."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from big_three_helpers import Table, encode, mask
from numba import njit
from reference import big_three_cards as ref

from simlib.games.big_three import combos, view
from simlib.games.big_three.features import count_straights, longest_straight, min_turns
from simlib.games.big_three.redeal import played_by
from simlib.games.big_three.words import get_word, nth_bit, set_word

U = np.uint64
VARIANTS = [
    {},
    {"rank_order": "western"},
    {"min_straight": 2},
    {"straight_of": (1, 2)},
    {"straight_of": (3,), "min_straight": 4, "rank_order": "western"},
    {"straight_of": ()},
    {"short_deck": True},
]


def hand_of(cards, options):
    return U(combos.word_of(mask(cards), options.get("rank_order") == "western"))


def as_tuple(number, western):
    """The reference's form of a combination number."""
    m, ranks = combos.ranks_of(number, western)
    return m, len(ranks), ranks[-1]


def numbers(hand, rules):
    """Combination numbers of a hand by the bit words."""
    out = []
    for k in range(4):
        word = int(combos.moves(hand, U(k), rules))
        out += [int(combos.number(U(k), U(bit))) for bit in range(64) if word >> bit & 1]
    return out


def test_there_are_196_combinations():
    """RULES.md 3 and facts.md: 52 sets and 144 straights, numbered 0 to 195; with straights of two 36 more."""
    everything = " ".join(ref.deck({}))
    found = numbers(hand_of(everything, {}), encode())
    assert sorted(found) == list(range(196))
    kinds = Counter("set" if len(combos.ranks_of(n, False)[1]) == 1 else "straight" for n in found)
    assert kinds == {"set": 52, "straight": 144}
    assert sorted(numbers(hand_of(everything, {}), encode(min_straight=2))) == list(range(232))


@pytest.mark.parametrize("western", [False, True])
def test_numbers_and_texts_agree(western):
    """combos.py: a number is a multiplicity and a row of ranks, and back."""
    for n in range(combos.N_ALL):
        m, ranks = combos.ranks_of(n, western)
        assert combos.combination_of(m, ranks, western) == n
    assert len({combos.name_of(n, western) for n in range(combos.N_ALL)}) == combos.N_ALL
    with pytest.raises(ValueError, match="no combination"):
        combos.ranks_of(232, western)


@pytest.mark.parametrize("options", VARIANTS)
def test_moves_equal_brute_force(options):
    """RULES.md 3: every subset of small hands classified by the reference, larger hands by its enumeration."""
    rng = random.Random(1)
    rules, western = encode(**options), options.get("rank_order") == "western"
    deck = ref.deck(options)
    narrow = [c for c in deck if c[0] in "789T"]
    for size, source in [(8, deck), (8, narrow), (7, narrow), (16, deck), (20, deck)] * 8:
        cards = rng.sample(source, min(size, len(source)))
        wanted = (
            set(ref.brute_force_combinations(cards, options))
            if size <= 8
            else ref.enumerated_combinations(cards, options)
        )
        found = numbers(hand_of(cards, options), rules)
        assert len(found) == len(set(found)) and {as_tuple(n, western) for n in found} == wanted


@pytest.mark.parametrize("options", VARIANTS)
def test_what_beats_what(options):
    """RULES.md 4.2: the same kind and length, higher; all pairs of combinations."""
    rules, western = encode(**options), options.get("rank_order") == "western"
    hand = hand_of(ref.deck(options), options)
    for n in numbers(hand, rules):
        word = int(combos.beating(hand, U(combos.K_OF[n]), U(combos.BIT_OF[n]), rules))
        better = {int(combos.number(U(combos.K_OF[n]), U(b))) for b in range(64) if word >> b & 1}
        a = as_tuple(n, western)
        assert better == {o for o in numbers(hand, rules) if ref.beats(as_tuple(o, western), a, options)}


@pytest.mark.parametrize("western", [0, 1])
def test_hand_words(western):
    """combos.py: building, taking, adding and counting against plain counters."""
    rng = random.Random(2)
    rules = encode(rank_order="western" if western else "chinese")
    for _ in range(400):
        cards = rng.getrandbits(52) & rng.getrandbits(52)
        part = cards & rng.getrandbits(52)
        word, less = combos.hand_word(U(cards), western), combos.hand_word(U(part), western)
        assert int(word) == combos.word_of(cards, bool(western))
        assert combos.minus(word, less) == combos.hand_word(U(cards & ~part), western)
        assert combos.plus(combos.hand_word(U(cards & ~part), western), less) == word
        assert combos.cards_in(word) == cards.bit_count()
        for card in range(0, 52, 5):
            rank = combos.rank_of(card, western)
            assert combos.count_of(word, rank) == sum(cards >> (13 * s + card % 13) & 1 for s in range(4))
        for n in numbers(word, rules):
            m, ranks = combos.ranks_of(n, bool(western))
            left = combos.take(word, combos.span(U(combos.BIT_OF[n]), rules), U(combos.K_OF[n]))
            for r, text in enumerate(combos.RANK_TEXT[western]):
                assert combos.count_of(left, r) == combos.count_of(word, r) - (m if text in ranks else 0)


def test_played_by_adds_up():
    """view.py: the history tells what each seat has played, by rank."""
    rng = random.Random(3)
    for options in VARIANTS[:3]:
        game = Table(options, seed=rng.randrange(1000))
        while game.to_act >= 0:
            seen = game.view()
            for seat in range(3):
                cards = int(game.state["dealt"][seat])
                cards |= int(game.state["widow"]) if seat == game.state["table"]["declarer"] else 0
                whole = combos.hand_word(U(cards), int(game.western))
                assert combos.minus(U(whole), U(played_by(seen, seat))) == game.state["hand"][seat]
            together = U(0)
            for seat in range(3):
                together = U(combos.plus(together, U(played_by(seen, seat))))
            assert combos.minus(U(game.rules["deck_word"]), together) == seen["unplayed"]
            game.step(rng.choice(game.legal()))


def test_words_are_the_fields():
    """words.py: the three words behind `unplayed` hold the fields in the order of TABLE_FIELDS."""
    offsets = {name: view.TABLE.fields[name][1] for name in view.TABLE.names}
    order = "last_k last_bit leading last_seat players turn phase passes "
    order += "hand_n plays passed tricks bombs history_n named_played"
    place = 8
    for name in order.split():
        assert offsets[name] == place
        place += view.TABLE.fields[name][0].itemsize

    @njit
    def write_and_read(table, word):
        set_word(table, 1, word)
        return get_word(table, 1)

    table = np.zeros(1, view.TABLE)[0]
    assert write_and_read(table, U(0x0807060504030201)) == 0x0807060504030201
    assert [int(table[name]) for name in order.split()[:8]] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_nth_bit():
    """words.py: the n-th set bit of a word."""
    rng = random.Random(4)
    for _ in range(200):
        word = rng.getrandbits(64) & rng.getrandbits(64) | 1
        bits = [i for i in range(64) if word >> i & 1]
        for n in (0, len(bits) // 2, len(bits) - 1):
            assert nth_bit(U(word), n) == bits[n]


# ------------------------------------------------------------------------------------------------ features


@pytest.mark.parametrize("options", VARIANTS)
def test_least_number_of_turns(options):
    """features.py: exact against the reference's exhaustive search, hands of 0 to 20 cards, wide and narrow."""
    rng = random.Random(5)
    rules = encode(**options)
    deck = ref.deck(options)
    narrow = [c for c in deck if c[0] in "56789T"]
    for size in [0, 1, 5, 9, 13, 16, 20] * 8:
        for source in (deck, narrow):
            cards = rng.sample(source, size)
            assert min_turns(hand_of(cards, options), rules) == ref.min_turns(cards, options), cards


def test_turns_by_hand():
    """RULES.md 3: two straights of singles are one straight of pairs; one turn at best, a card a turn at worst."""
    rules = encode()
    for cards, turns in [
        ("4c 5c 6c 7c 4d 5d 6d 7d", 1),
        ("4c 4d 5c 5d 6c 6d 7c", 2),
        ("4c 5c 6c 6d 7c 8c", 2),
        ("4c 5c 7c 8c Tc Jc Ac 2c 3c", 9),
        ("3c 3d 3h 3s", 1),
        ("4c 5c 6c 7c 7d 8c 9c", 2),
    ]:
        assert min_turns(hand_of(cards, {}), rules) == turns


@pytest.mark.parametrize("options", VARIANTS)
def test_straight_features(options):
    """features.py: number and greatest length of the straights, against the reference."""
    rng = random.Random(6)
    rules = encode(**options)
    for size in [3, 8, 13, 16, 20] * 10:
        cards = rng.sample(ref.deck(options), size)
        straights = [c for c in ref.enumerated_combinations(cards, options) if c[1] > 1]
        hand = hand_of(cards, options)
        assert count_straights(hand, rules) == len(straights)
        assert longest_straight(hand, rules) == max((c[1] for c in straights), default=0)
