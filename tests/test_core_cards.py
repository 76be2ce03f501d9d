"""Cards as text: round trips, the spellings understood, errors in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib.cards import (
    JOKER,
    RANKS,
    SUITS,
    card_number,
    card_numbers,
    card_text,
    card_texts,
    rank_number,
)

CARDS = st.integers(0, 52)


@given(st.lists(CARDS))
def test_round_trip(numbers):
    """Numbers to text and back, one by one, as a list, as one string with blanks or commas."""
    texts = card_texts(numbers)
    assert [card_number(text) for text in texts] == numbers
    assert card_numbers(texts) == numbers
    assert card_numbers(" ".join(texts)) == numbers
    assert card_numbers(", ".join(texts)) == numbers


def test_numbers_are_suit_times_13_plus_rank():
    """Documented order: suits c d h s, ranks from the ace to the king, then the joker."""
    assert [card_text(n) for n in (0, 12, 13, 26, 39, 51, 52)] == ["Ac", "Kc", "Ad", "Ah", "As", "Ks", "*"]
    assert [card_number(rank + suit) for suit in SUITS for rank in RANKS] == list(range(52))
    assert card_number("*") == JOKER == 52


@pytest.mark.parametrize(
    ("spelling", "card"),
    [("10s", "Ts"), ("ts", "Ts"), ("kH", "Kh"), (" 4h ", "4h"), ("4♥", "4h"), ("A♤", "As"), ("10♦", "Td")],
)
def test_other_spellings(spelling, card):
    """Ten as 10, either case, suit symbols, blanks around."""
    assert card_text(card_number(spelling)) == card


@pytest.mark.parametrize("text", ["", "4", "h", "4x", "1h", "44h", "11h", "hh", "**", "4h5h", "Joker"])
def test_text_that_is_no_card(text):
    """ValueError that repeats what was given and says what a card looks like."""
    with pytest.raises(ValueError, match="is no card: a rank of A23456789TJQK and a suit of cdhs") as error:
        card_number(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("value", [4, None, 4.0, ("4", "h"), b"4h"])
def test_a_card_is_text(value):
    """TypeError that repeats what was given."""
    with pytest.raises(TypeError, match="a card is text such as '4h', not") as error:
        card_number(value)
    assert repr(value) in str(error.value)


def test_the_wrong_card_of_several_is_named():
    """The message names the one that is wrong."""
    with pytest.raises(ValueError, match="'3x' is no card"):
        card_numbers("3h 3x Ts")
    with pytest.raises(ValueError, match="'' is no card"):
        card_numbers(["3h", ""])


@pytest.mark.parametrize("value", [None, 7])
def test_several_cards_need_a_list(value):
    """TypeError that repeats what was given."""
    with pytest.raises(TypeError, match=f"cards are given as text .* or as a list, not {value!r}"):
        card_numbers(value)


def test_ranks():
    """As text, with 10 as T, in either case, and as 1 to 13."""
    assert [rank_number(rank) for rank in RANKS] == list(range(13))
    assert [rank_number(n) for n in range(1, 14)] == list(range(13))
    assert (rank_number("10"), rank_number("q"), rank_number(" a ")) == (9, 11, 0)


@pytest.mark.parametrize("value", [0, 14, -1, "1", "", "AK", "x", None, 3.0, True])
def test_what_is_no_rank(value):
    """ValueError that repeats what was given."""
    with pytest.raises(ValueError, match="is no rank: one of A 2 3") as error:
        rank_number(value)
    assert repr(value) in str(error.value)
