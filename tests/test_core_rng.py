"""Streams: NumPy's words bit for bit, unbiased bounded numbers, exactly uniform shuffles.

Runs compiled, with bounds checks, and uncompiled (NUMBA_DISABLE_JIT=1).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit
from scipy.stats import chi2

from simlib import rng
from simlib.rng import STREAM, below, next32, next64, pick, refill, seek, shuffle_head, uniform

UNCOMPILED = bool(numba.config.DISABLE_JIT)
MANY = 4_000 if UNCOMPILED else 200_000
LAST = 2**64 - 1
WORDS = st.integers(0, LAST)


@pytest.fixture(autouse=True)
def _wrapping():
    """Without the compiler products of 64-bit words warn when they wrap, as they must."""
    with np.errstate(over="ignore"):
        yield


def stream(seed=0, number=0, game=0):
    """A stream record at its start."""
    array = np.zeros(1, STREAM)
    record = array.view(np.recarray)[0] if UNCOMPILED else array[0]
    seek(record, np.uint64(seed), np.uint64(number), np.uint64(game))
    return record


def numpys(seed=0, number=0, game=0):
    """NumPy's generator at the same address (arrays, since a list with a number from 2**63 on becomes a float)."""
    return np.random.Philox(key=np.array([seed, 0], np.uint64), counter=np.array([0, 0, number, game], np.uint64))


def loaded(*words):
    """A stream whose next words are the given ones (at most four)."""
    record = stream()
    for place, word in enumerate(words, 4 - len(words)):
        record["words"][place] = np.uint64(word)
    record["used"] = np.uint64(4 - len(words))
    return record


def no_worse_than_chance(counts, expected):
    """Pearson's test at one in a million: a right generator practically never fails it, a biased one does."""
    counts, expected = np.asarray(counts, float), np.asarray(expected, float)
    statistic = ((counts - expected) ** 2 / expected).sum()
    return chi2.sf(statistic, len(counts) - 1) > 1e-6


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63 - 1, 2**63, LAST])
@pytest.mark.parametrize("number", [0, 1, 8, rng.CHANCE_STREAM, 2**63, LAST])
@pytest.mark.parametrize("game", [0, 1, 10**6, 2**63, LAST])
def test_words_are_numpys(seed, number, game):
    """The documented address: numpy.random.Philox(key=[seed, 0], counter=[0, 0, stream, game])."""
    record = stream(seed, number, game)
    expected = numpys(seed, number, game).random_raw(11)
    assert [int(next64(record)) for _ in range(11)] == [int(word) for word in expected]


@given(WORDS, WORDS, WORDS)
def test_words_are_numpys_at_any_address(seed, number, game):
    """The same, anywhere."""
    record = stream(seed, number, game)
    expected = numpys(seed, number, game).random_raw(5)
    assert [int(next64(record)) for _ in range(5)] == [int(word) for word in expected]


def test_a_stream_starts_afresh_when_sought_again():
    """seek forgets half-used words."""
    record = stream(3, 4, 5)
    first = [int(next32(record)) for _ in range(7)]
    seek(record, np.uint64(3), np.uint64(4), np.uint64(5))
    assert [int(next32(record)) for _ in range(7)] == first


def test_halves_of_a_word_lower_first():
    """next32 gives the lower, then the upper half; a whole word between does not disturb the half kept."""
    record, twin = stream(9), stream(9)
    word, other = int(next64(twin)), int(next64(twin))
    assert int(next32(record)) == word % 2**32
    assert int(next64(record)) == other
    assert int(next32(record)) == word >> 32


def test_addresses_do_not_meet():
    """Ten thousand neighbouring addresses start with different words."""
    firsts = {int(next64(stream(s, n, g))) for s in range(10) for n in range(10) for g in range(100)}
    assert len(firsts) == 10_000


def test_refill_counts_blocks():
    """A block is four words; the counter moves by one."""
    record = stream(1)
    refill(record)
    refill(record)
    assert int(record["block"]) == 2
    assert int(next64(record)) == int(numpys(1).random_raw(5)[4])


# --- bounded numbers -----------------------------------------------------------------------------


@given(st.integers(1, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_below_is_lemires_product(n, half):
    """below takes the upper half of half · n, unless the lower half lies under the threshold 2**32 mod n."""
    product = half * n
    record = loaded((2**32 - 1) << 32 | half)
    if product % 2**32 < 2**32 % n:  # refused: the next half, which is never refused, counts
        product = (2**32 - 1) * n
    assert int(below(record, n)) == product >> 32


@pytest.mark.parametrize("n", [3, 5, 6, 7, 10, 12, 48, 87, 104, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_below_keeps_equally_many_halves_for_each_number(n):
    """Exact: of the 2**32 halves each number keeps floor(2**32 / n), counted from the acceptance rule at its edges."""
    threshold = 2**32 % n
    numbers = [0, 1, n // 2, n - 2, n - 1]
    for number in numbers:
        # halves with number · 2**32 + threshold <= half · n < (number + 1) · 2**32
        low = -(-(number * 2**32 + threshold) // n)
        high = -(-((number + 1) * 2**32) // n)
        assert high - low == 2**32 // n
        for half in (low, high - 1):
            record = loaded(half, 0)
            assert int(below(record, n)) == number
        if low > 0 and (low - 1) * n // 2**32 == number:  # just under the threshold: refused, the next half counts
            other = (number + 1) % n
            half = -(-(other * 2**32 + threshold) // n)
            assert int(below(loaded(half << 32 | (low - 1)), n)) == other


@pytest.mark.parametrize("n", [1, 2, 3, 7, 13, 52, 87, 1000])
def test_below_is_even(n):
    """Chi-square over many draws."""
    record = stream(11, n)
    draws = draw_many(record, n, MANY)
    assert draws.min() >= 0 and draws.max() < n
    if n > 1:
        assert no_worse_than_chance(np.bincount(draws, minlength=n), np.full(n, MANY / n))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6, 7, 8, 100, 129, 196, 255, 256])
def test_pick_keeps_equally_many_bytes_for_each_number(n):
    """Exact: of the 256 values of eight bits each number keeps floor(256 / n); a refused one draws again."""
    kept = np.zeros(n, int)
    for bits in range(256):
        record = loaded(0)
        record["pool"], record["pool_n"] = bits | 0xFF00, 2  # the next eight bits are never refused
        number = int(pick(record, n))
        if bits * n % 256 >= 256 % n:
            assert number == bits * n // 256 and record["pool_n"] == 1
            kept[number] += 1
        else:
            assert number == n - 1 and record["pool_n"] == 0
    assert (kept == 256 // n).all()


def test_pick_takes_the_bytes_of_words_of_their_own_from_the_lowest_on():
    record = stream(3)
    words = numpys(3).random_raw(3)
    found = [int(pick(record, 256)) for _ in range(8)] + [int(below(record, 2**16))] + [int(pick(record, 256))]
    expected = [*int(words[0]).to_bytes(8, "little"), (int(words[1]) & 0xFFFFFFFF) >> 16, int(words[2]) & 0xFF]
    assert found == expected


@njit
def draw(record, n, out):
    """Fill an array with draws."""
    for i in range(out.shape[0]):
        out[i] = below(record, n)


def draw_many(record, n, size):
    """Return many bounded draws as an array."""
    out = np.zeros(size, np.int64)
    draw(record, n, out)
    return out


def test_uniform_is_53_bits_of_a_word():
    """uniform has the upper 53 bits, as NumPy's doubles."""
    record = stream(5, 6, 7)
    generator = np.random.Generator(numpys(5, 6, 7))
    assert [float(uniform(record)) for _ in range(20)] == generator.random(20).tolist()
    assert float(uniform(loaded(LAST))) < 1.0
    assert float(uniform(loaded(0))) == 0.0


# --- shuffles ------------------------------------------------------------------------------------


def batches(n, k):
    """The groups of bounds that one word serves, by the rule in shuffle_head."""
    bounds, groups = [n - i for i in range(k)], []
    while bounds:
        group = [bounds.pop(0)]
        while bounds and math.prod(group) * bounds[0] <= 2**56 and len(group) < 8:
            group.append(bounds.pop(0))
        groups.append(group)
    return groups


def shuffled(words, n, k):
    """What shuffle_head must make of these words, in whole-number arithmetic; also how many words it used."""
    cards, used, i = list(range(n)), 0, 0
    for group in batches(n, k):
        product = math.prod(group)
        while True:
            word = words[used]
            used += 1
            # the fraction left after taking all numbers is word · product mod 2**64
            if word * product % 2**64 >= 2**64 % product:
                break
        for q, bound in enumerate(group):
            j = i + (word * math.prod(group[: q + 1]) >> 64) % bound
            cards[i], cards[j] = cards[j], cards[i]
            i += 1
    return cards, used


@given(WORDS, st.integers(1, 120), st.data())
def test_shuffle_takes_the_mixed_radix_digits_of_a_word(seed, n, data):
    """shuffle_head in whole-number arithmetic: digits of word · product / 2**64, refusal below 2**64 mod product."""
    k = data.draw(st.integers(0, n))
    words = [int(w) for w in numpys(seed).random_raw(100)]
    expected, used = shuffled(words, n, k)
    cards, record = np.arange(n), stream(seed)
    shuffle_head(cards, n, k, record)
    assert cards.tolist() == expected
    assert int(next64(record)) == words[used]


@pytest.mark.parametrize(("n", "k"), [(3, 3), (5, 4), (10, 7), (20, 8), (52, 8), (87, 8)])
def test_a_word_is_redrawn_exactly_below_the_threshold(n, k):
    """The threshold is 2**64 mod product: a word at it counts, the word that leaves one less is refused."""
    product = math.prod(batches(n, k)[0])
    threshold = 2**64 % product
    for outcome in (0, 1, product // 3, product - 1):
        low = -(-(outcome * 2**64 + threshold) // product)  # first word kept for this outcome
        high = -(-((outcome + 1) * 2**64) // product)  # first word of the next one
        assert high - low == 2**64 // product  # every outcome keeps equally many words
        for word, counts in ((low, True), (high - 1, True), (low - 1, False)):
            if not counts and (low - 1) * product // 2**64 != outcome:
                continue
            record = loaded(word, 2**63, 2**63 + 2**40 + 1)
            first = len(batches(n, k)[0])
            shuffle_head(np.arange(n), n, first, record)
            assert (int(record["used"]) == 2) == counts


@pytest.mark.parametrize(("n", "k"), [(2, 2), (3, 3), (4, 4), (5, 5), (6, 2), (9, 3), (5, 1)])
def test_shuffle_is_even(n, k):
    """Every ordered sample of k of n cards comes equally often (chi-square)."""
    record, size = stream(21, n, k), MANY // 2
    out = np.zeros((size, k), np.int64)
    shuffle_many(record, n, k, np.arange(n), out)
    counts = Counter(map(tuple, out.tolist()))
    outcomes = list(itertools.permutations(range(n), k))
    assert set(counts) <= set(outcomes)
    assert no_worse_than_chance([counts[o] for o in outcomes], [size / len(outcomes)] * len(outcomes))


@njit
def shuffle_many(record, n, k, cards, out):
    """Shuffle many times from the same start; keep the first k."""
    for g in range(out.shape[0]):
        for i in range(n):
            cards[i] = i
        shuffle_head(cards, n, k, record)
        for i in range(k):
            out[g, i] = cards[i]


@pytest.mark.parametrize(("n", "k"), [(0, 0), (1, 0), (1, 1), (52, 0)])
def test_shuffle_of_next_to_nothing(n, k):
    """Nothing moves, nothing is drawn where there is nothing to choose from."""
    cards, record = np.arange(52), stream(2)
    shuffle_head(cards, n, k, record)
    assert cards.tolist() == list(range(52))


def test_shuffle_leaves_the_tail_in_place():
    """Cards beyond the first n never move; the first n stay the same set."""
    cards = np.arange(60)
    shuffle_head(cards, 40, 13, stream(5))
    assert cards[40:].tolist() == list(range(40, 60))
    assert sorted(cards[:40].tolist()) == list(range(40))


def test_each_card_is_dealt_as_often_to_each_place():
    """52 cards: the place of a card is even over all places (chi-square for four cards)."""
    size = MANY // 20
    out = np.zeros((size, 52), np.int64)
    shuffle_many(stream(77), 52, 52, np.arange(52), out)
    for card in (0, 1, 25, 51):
        places = np.argmax(out == card, axis=1)
        assert no_worse_than_chance(np.bincount(places, minlength=52), np.full(52, size / 52))


def test_redraws_are_rare():
    """The batch bound keeps the chance of a redraw under 1 in 256 for every deck there is."""
    for n in (52, 53, 87, 104, 108, 162):
        for group in batches(n, n):
            product = math.prod(group)
            assert Fraction(2**64 % product, 2**64) < Fraction(1, 256)
