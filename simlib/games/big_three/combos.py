"""The combinations of Big Three: their numbers, the moves of a hand by bit operations, and the action space.

**Ranks** are numbered 0 … 12 in playing order, low to high: ``4 5 6 7 8 9 T J Q K A 2 3``, with the western order
``A 2 3 4 5 6 7 8 9 T J Q K``. The ten ranks 4 … K that may form straights start at ``rules.base`` (0, or 3
in western order).

**A hand as a word** is one uint64 of four 16-bit lanes: bit ``16·(k − 1) + r`` is set when the hand has at least k
cards of rank r. `lane(hand, k - 1)` is the mask of the ranks held at least k times; `take` removes cards in four
operations.

**Combination bits.** For each multiplicity m (1 … 4) the combinations are the bits of one word:

==========  =====================================================================================
bit         combination
==========  =====================================================================================
0 … 12      m cards of rank r = bit
13 … 48     straights of 3 (bits 13–20), 4 (21–27), 5 (28–33), 6 (34–38), 7 (39–42), 8 (43–45), 9 (46–47)
            and 10 (48) ranks; within a length by rising top, the first one begins at the four
49 … 57     straights of 2 ranks: only with ``min_straight = 2``
==========  =====================================================================================

Within one kind and length a higher bit beats a lower one: `ABOVE[bit]` is the mask of the bits that beat it.

**Actions** (the same numbers in every phase):

=================  =========================================================================================
action             meaning
=================  =========================================================================================
0 … 195            the 196 combinations of the rules: ``49·(m − 1) + bit``
196 … 231          straights of two ranks: ``196 + 9·(m − 1) + bit − 49``
`PASS` (232)       pass in a trick
`BID` + b          bid b = 0 (pass), 1, 2, 3
`CALL` + card      name a card (a number of `simlib.cards`), four players only
`NAMED` + c        combination c (0 … 231) with the named card in it although it could be held back. The plain
                   number c holds the named card back when that is possible
=================  =========================================================================================
"""

from __future__ import annotations

import numpy as np

from simlib._bits import ctz, popcount
from simlib._jit import kernel

U = np.uint64
N_RANKS = 13
N_BITS = 58
#: Combinations of the rules as they stand, and all that any option can make legal.
N_COMBINATIONS = 196
N_ALL = 232
PASS = 232
BID = 233
CALL = 237
NAMED = 289
N_ACTIONS = NAMED + N_ALL

RANK_TEXT = ("456789TJQKA23", "A23456789TJQK")  # by playing order; index: western
STRAIGHT_RANKS = 10
_FIRST_BIT = {2: 49, 3: 13, 4: 21, 5: 28, 6: 34, 7: 39, 8: 43, 9: 46, 10: 48}


def _bit_of(length: int, start: int) -> int:
    """Bit of the straight of `length` ranks whose lowest one is number `start` of 4 … K."""
    return _FIRST_BIT[length] + start


def _shape() -> list[tuple[int, int]]:
    """Return (length, start) of each bit; sets have length 1 and their rank as start."""
    shape = [(1, r) for r in range(N_RANKS)] + [(0, 0)] * (N_BITS - N_RANKS)
    for length, first in _FIRST_BIT.items():
        for start in range(STRAIGHT_RANKS - length + 1):
            shape[first + start] = (length, start)
    return shape


SHAPE = tuple(_shape())


def _straights() -> np.ndarray:
    """Word of the straights in each mask of the ten straight ranks (8 kB)."""
    table = np.zeros(1 << STRAIGHT_RANKS, U)
    for bit, (length, start) in enumerate(SHAPE):
        if bit >= N_RANKS:
            need = ((1 << length) - 1) << start
            for mask in range(1 << STRAIGHT_RANKS):
                if mask & need == need:
                    table[mask] |= U(1 << bit)
    return table


def _above() -> np.ndarray:
    table = np.zeros(64, U)
    for bit, (length, _) in enumerate(SHAPE):
        table[bit] = sum(1 << b for b in range(bit + 1, N_BITS) if SHAPE[b][0] == length)
    return table


def _spans() -> np.ndarray:
    """Ranks of each bit as a mask repeated in all four lanes: entry ``bit`` for base 0, ``64 + bit`` for base 3."""
    table = np.zeros(128, U)
    lanes = 0x0001000100010001
    for western in (0, 1):
        for bit, (length, start) in enumerate(SHAPE):
            base = 3 * western if bit >= N_RANKS else 0
            table[64 * western + bit] = (((1 << length) - 1) << (start + base)) * lanes
    return table


def _numbers() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Multiplicity − 1 and bit of each combination number, and the number of each ``64·(m − 1) + bit``."""
    k_of, bit_of, number_of = np.zeros(256, np.uint8), np.zeros(256, np.uint8), np.zeros(256, np.uint8)
    for k in range(4):
        for bit in range(N_BITS):
            number = 49 * k + bit if bit < 49 else N_COMBINATIONS + 9 * k + bit - 49
            k_of[number], bit_of[number], number_of[64 * k + bit] = k, bit, number
    return k_of, bit_of, number_of


STRAIGHTS = _straights()
ABOVE = _above()
SPAN = _spans()
LENGTH = np.array([length for length, _ in SHAPE] + [0] * (64 - N_BITS), np.uint8)
K_OF, BIT_OF, NUMBER_OF = _numbers()

LANES = U(0x0001000100010001)
_LANE, _M13, _M10 = U(16), U(0x1FFF), U(0x3FF)
_ALL = U(0xFFFFFFFFFFFFFFFF)
_0, _1, _2, _3, _6, _13, _26, _39, _48, _64 = U(0), U(1), U(2), U(3), U(6), U(13), U(26), U(39), U(48), U(64)
_32 = U(32)
_LOW3, _LOW10 = U(7) * LANES, U(0x3FF) * LANES


@kernel(inline=True)
def lane(hand, k):
    """Return the mask of the ranks a hand word holds at least k + 1 times (k: uint64, 0 … 3)."""
    return (hand >> (k * _LANE)) & _M13


@kernel(inline=True)
def count_of(hand, rank):
    """Return how many cards of a rank a hand word holds."""
    return popcount((hand >> U(rank)) & LANES)


@kernel(inline=True)
def moves(hand, k, rules):
    """Return the word of all combinations of multiplicity k + 1 (k: uint64) in a hand that the rules allow."""
    mask = (hand >> (k * _LANE)) & _M13
    return (mask | STRAIGHTS[(mask >> U(rules.base)) & _M10]) & rules.allowed[k]


@kernel(inline=True)
def beating(hand, k, bit, rules):
    """Return the word of the combinations of a hand that beat combination `bit` of multiplicity k + 1 (both uint64)."""
    return moves(hand, k, rules) & ABOVE[bit]


@kernel(inline=True)
def span(bit, rules):
    """Return the ranks of a combination bit (uint64) as a mask repeated in all four lanes."""
    return SPAN[bit + (U(rules.western) << _6)]


@kernel(inline=True)
def take(hand, ranks, k):
    """Return a hand word without k + 1 (k: uint64) cards of each rank of `ranks` (as `span` gives them)."""
    return (hand & ~ranks) | (((hand >> (k * _LANE)) >> _LANE) & ranks)


@kernel(inline=True)
def number(k, bit):
    """Return the combination number (int64) of multiplicity k + 1 and bit (both uint64)."""
    return np.int64(NUMBER_OF[(k << _6) + bit])


@kernel(inline=True)
def lowest(word):
    """Return the lowest set bit's position of a non-zero word as uint64."""
    return U(ctz(word))


@kernel(inline=True)
def cards_in(hand):
    """Return how many cards a hand word holds."""
    return popcount(hand)


@kernel(inline=True)
def minus(a, b):
    """Return hand word a without the cards of hand word b (b must be contained in a)."""
    for k in range(4):
        a = take(a, ((b >> (U(k) * _LANE)) & _M13) * LANES, _0)
    return a


@kernel(inline=True)
def plus(a, b):
    """Return the hand word of the cards of a and b together."""
    for k in range(4):
        ranks = ((b >> (U(k) * _LANE)) & _M13) * LANES
        a |= ((a << _LANE) & ranks) | (ranks & _M13)
    return a


@kernel(inline=True)
def hand_word(cards, western):
    """Return the hand word of a set of cards (bit n: card number n of `simlib.cards`).

    The four suits are 13-bit masks; "at least k of four bits" is a small sorting network over them.
    """
    a, b, c, d = cards & _M13, (cards >> _13) & _M13, (cards >> _26) & _M13, (cards >> _39) & _M13
    two, both, two2, both2 = a | b, a & b, c | d, c & d
    middle, either = two & two2, both | both2
    word = (two | two2) | ((middle | either) << _LANE) | ((middle & either) << _32) | ((both & both2) << _48)
    if western == 0:  # rank order A … K of the card numbers turned to 4 … K A 2 3
        word = ((word >> _3) & _LOW10) | ((word & _LOW3) << U(10))
    return word


@kernel(inline=True)
def rank_of(card, western):
    """Return the playing-order rank of a card number."""
    rank = card % 13
    return rank if western != 0 else (rank + 10 if rank < 3 else rank - 3)


def word_of(cards: int, western: bool) -> int:
    """Return the hand word of a set of cards, in plain Python (see `hand_word`)."""
    word = 0
    for r in range(N_RANKS):
        rank = r if western else (r + 10) % N_RANKS
        for k in range(sum(cards >> (13 * suit + r) & 1 for suit in range(4))):
            word |= 1 << (16 * k + rank)
    return word


def ranks_of(combination: int, western: bool) -> tuple[int, str]:
    """Return the multiplicity and the ranks, low to high as text, of a combination number."""
    if not 0 <= combination < N_ALL:
        raise ValueError(f"{combination} is no combination (0 to {N_ALL - 1})")
    length, start = SHAPE[BIT_OF[combination]]
    if BIT_OF[combination] < N_RANKS:
        return int(K_OF[combination]) + 1, RANK_TEXT[western][start]
    return int(K_OF[combination]) + 1, RANK_TEXT[0][start : start + length]


def combination_of(multiplicity: int, ranks: str, western: bool) -> int:
    """Return the number of the combination of `multiplicity` cards of each of these ranks (neighbours, low to high)."""
    straight = len(ranks) > 1
    bit = _bit_of(len(ranks), RANK_TEXT[0].index(ranks[0])) if straight else RANK_TEXT[western].index(ranks)
    return int(NUMBER_OF[64 * (multiplicity - 1) + bit])


def name_of(combination: int, western: bool = False) -> str:
    """Return a combination as text: ``K K`` for a pair of kings, ``6-7-8``, ``6 6-7 7-8 8``."""
    m, ranks = ranks_of(combination, western)
    return "-".join(" ".join([rank] * m) for rank in ranks)
