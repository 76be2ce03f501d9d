"""Standard playing cards as text and as numbers.

A card is two characters, rank then suit: ranks ``A 2 3 4 5 6 7 8 9 T J Q K``, suits ``c d h s``; a printed joker is
``*``. As a number a card is ``suit * 13 + rank``, suits in the order c d h s, ranks from the ace (0) to the king (12);
the joker is 52.
"""

from __future__ import annotations

from collections.abc import Iterable

RANKS = "A23456789TJQK"
SUITS = "cdhs"
JOKER = 52

_NUMBER = {rank + suit: s * 13 + r for s, suit in enumerate(SUITS) for r, rank in enumerate(RANKS)} | {"*": JOKER}
_TEXT = {number: text for text, number in _NUMBER.items()}
_SYMBOLS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s", "♧": "c", "♢": "d", "♡": "h", "♤": "s"})


def card_number(card: str) -> int:
    """Return the number of one card.

    Parameters
    ----------
    card : str
        Two characters, as ``"4h"`` or ``"Ts"`` (``10s`` and suit symbols are understood too), or ``"*"``.

    Raises
    ------
    ValueError
        When the text is no card.
    """
    if not isinstance(card, str):
        raise TypeError(f"a card is text such as '4h', not {card!r}")
    text = card.strip().translate(_SYMBOLS).replace("10", "T")
    if len(text) == 2:
        text = text[0].upper() + text[1].lower()
    try:
        return _NUMBER[text]
    except KeyError:
        raise ValueError(
            f"{card!r} is no card: a rank of {RANKS} and a suit of {SUITS}, such as '4h', or '*'"
        ) from None


def card_text(number: int) -> str:
    """Return the text of a card number (0 to 52)."""
    return _TEXT[int(number)]


def card_numbers(cards: str | Iterable[str]) -> list[int]:
    """Return the numbers of several cards, given as ``"3h 3d Ts"`` (blanks or commas between) or as a list.

    Raises
    ------
    ValueError
        When one of them is no card; the message names it.
    """
    if isinstance(cards, str):
        cards = cards.replace(",", " ").split()
    elif not isinstance(cards, Iterable):
        raise TypeError(f"cards are given as text such as '3h 3d Ts' or as a list, not {cards!r}")
    return [card_number(card) for card in cards]


def card_texts(numbers: Iterable[int]) -> list[str]:
    """Return the texts of several card numbers."""
    return [_TEXT[int(number)] for number in numbers]


def rank_number(rank: str | int) -> int:
    """Return 0 (ace) … 12 (king) for a rank given as ``"3"``, ``"T"``, ``"10"``, ``"K"`` or as 1 … 13."""
    if isinstance(rank, int) and not isinstance(rank, bool):
        if 1 <= rank <= 13:
            return rank - 1
    elif isinstance(rank, str):
        text = rank.strip().upper().replace("10", "T")
        if len(text) == 1 and text in RANKS:
            return RANKS.index(text)
    raise ValueError(f"{rank!r} is no rank: one of {' '.join(RANKS)}")
