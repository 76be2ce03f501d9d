"""Bit tricks and words: machine instructions against plain Python. Also runs uncompiled (NUMBA_DISABLE_JIT=1)."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from simlib import _bits, _words
from simlib._bits import clz_py, ctz_py, mulhi_py, popcount_py

LAST = 2**64 - 1
WORDS = st.one_of(st.integers(0, LAST), st.integers(0, 63).map(lambda i: 1 << i), st.sampled_from([0, 1, LAST]))
UNCOMPILED = bool(numba.config.DISABLE_JIT)


@njit
def popcount(x):
    """The intrinsic, callable from Python."""
    return _bits.popcount(x)


@njit
def ctz(x):
    """The intrinsic, callable from Python."""
    return _bits.ctz(x)


@njit
def clz(x):
    """The intrinsic, callable from Python."""
    return _bits.clz(x)


@njit
def mulhi(a, b):
    """The intrinsic, callable from Python."""
    return _bits.mulhi(a, b)


@njit
def load64(array, i):
    """The intrinsic, callable from Python."""
    return _words.load64(array, i)


@njit
def load32(array, i):
    """The intrinsic, callable from Python."""
    return _words.load32(array, i)


@njit
def store64(array, i, value):
    """The intrinsic, callable from Python."""
    _words.store64(array, i, value)


@njit
def store32(array, i, value):
    """The intrinsic, callable from Python."""
    _words.store32(array, i, value)


@given(WORDS)
def test_counts_equal_their_twins(x):
    """popcount, ctz, clz of any word, zero included."""
    word = np.uint64(x)
    assert popcount(word) == popcount_py(x) == bin(x).count("1")
    assert ctz(word) == ctz_py(x)
    assert clz(word) == clz_py(x)
    assert ctz_py(x) + clz_py(x) <= 63 or x == 0


@pytest.mark.parametrize(("x", "zeros_below", "zeros_above"), [(0, 64, 64), (1, 0, 63), (2**63, 63, 0), (LAST, 0, 0)])
def test_counts_at_the_edges(x, zeros_below, zeros_above):
    """Worked by hand."""
    assert (ctz(np.uint64(x)), clz(np.uint64(x))) == (zeros_below, zeros_above)
    assert (ctz_py(x), clz_py(x)) == (zeros_below, zeros_above)


@given(WORDS, WORDS)
def test_upper_half_of_a_product(a, b):
    """mulhi against Python's whole numbers."""
    assert int(mulhi(np.uint64(a), np.uint64(b))) == mulhi_py(a, b) == a * b // 2**64


@given(st.binary(min_size=8, max_size=64).map(lambda b: b[: len(b) // 8 * 8]), st.data())
def test_words_of_an_array_of_bytes(content, data):
    """load: element 0 is the lowest byte; the plain twins agree."""
    array = np.frombuffer(content, np.int8).copy()
    i = data.draw(st.integers(0, len(content) // 8 - 1))
    expected = int.from_bytes(content[8 * i : 8 * i + 8], "little")
    assert int(load64(array, i)) == int(_words.load64_py(array, i)) == expected
    assert int(load32(array, 2 * i)) == int(_words.load32_py(array, 2 * i)) == expected % 2**32
    assert int(load32(array, 2 * i + 1)) == int(_words.load32_py(array, 2 * i + 1)) == expected >> 32


@given(WORDS, st.integers(0, 2**32 - 1), st.integers(0, 3), st.integers(0, 7))
def test_stored_words_change_nothing_else(word, half, i, k):
    """store: exactly the addressed bytes change; the plain twins agree."""
    array = np.arange(32, dtype=np.int8)
    twin = array.copy()
    store64(array, i, np.uint64(word))
    _words.store64_py(twin, i, word)
    expected = bytearray(range(32))
    expected[8 * i : 8 * i + 8] = word.to_bytes(8, "little")
    assert array.tobytes() == twin.tobytes() == bytes(expected)
    store32(array, k, np.uint32(half))
    _words.store32_py(twin, k, half)
    expected[4 * k : 4 * k + 4] = half.to_bytes(4, "little")
    assert array.tobytes() == twin.tobytes() == bytes(expected)


ROW = np.dtype([("before", np.int8, (3,)), ("hand", np.int8, (2, 8)), ("after", np.int8, (5,))])


def test_words_of_a_nested_array():
    """A field inside a record, at an odd address, is read and written in place."""
    rows = np.zeros(3, ROW)
    record = rows.view(np.recarray)[1] if UNCOMPILED else rows[1]
    fill(record, np.uint64(0x0807060504030201))
    assert rows["hand"][1].tolist() == [[0] * 8, [1, 2, 3, 4, 5, 6, 7, 8]]
    assert (rows["before"] == 0).all()
    assert (rows["after"] == 0).all()
    assert (rows["hand"][[0, 2]] == 0).all()
    assert int(second(record)) == 0x0807060504030201


@njit
def fill(record, word):
    """Write the second hand as one word."""
    _words.store64(record.hand, 1, word)


@njit
def second(record):
    """Read the second hand as one word."""
    return _words.load64(record.hand, 1)


@pytest.mark.parametrize(
    ("module", "names"), [(_bits, "popcount ctz clz mulhi"), (_words, "load64 load32 store64 store32")]
)
def test_every_intrinsic_has_a_twin(module, names):
    """The portable twins stand beside each of them."""
    for name in names.split():
        assert hasattr(module, name)
        assert hasattr(module, name + "_py")


@njit
def poke_and_peek(array, i, value):
    """The intrinsics, callable from Python: a word stored and read again through an array's address."""
    address = _words.address_of_words(array)
    _words.poke64(address, i, value)
    return _words.peek64(address, i), address


@given(WORDS, st.integers(0, 4))
def test_words_at_an_address_equal_their_twins(x, i):
    """address_of_words, poke64 and peek64: the word lands in its place and nowhere else."""
    array, twin = np.zeros(5, np.int64), np.zeros(5, np.int64)
    word, address = poke_and_peek(array, i, np.uint64(x))
    assert word == x and address == _words.address_of_words_py(array)
    _words.poke64_py(_words.address_of_words_py(twin), i, x)
    assert np.array_equal(array, twin) and np.count_nonzero(array) == (x != 0)
    assert _words.peek64_py(_words.address_of_words_py(twin), i) == x


def test_only_words_are_taken_by_address():
    """Other widths would be written beyond their end."""
    with pytest.raises(numba.errors.TypingError, match="takes an array of int64"):
        poke_and_peek(np.zeros(5, np.int32), 0, np.uint64(1))
