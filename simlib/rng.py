"""Random streams addressed by (seed, stream, game), bit for bit those of `numpy.random.Philox`.

The words of a stream are those of ``numpy.random.Philox(key=[seed, 0], counter=[0, 0, stream, game])``
(Salmon et al. 2011, Philox4x64 with ten rounds). A stream needs no seeding: it is a counter. So any game of a
run can be played alone, in any order, on any machine.
"""

from __future__ import annotations

import numpy as np

from simlib._bits import mulhi
from simlib._jit import kernel

U = np.uint64

#: A stream. A policy's own one is `ctx.rng`.
STREAM = np.dtype(
    [
        ("words", U, (4,)),
        ("seed", U),
        ("stream", U),
        ("game", U),
        ("block", U),
        ("half", U),
        ("has_half", U),
        ("used", U),
        ("pool", U),
        ("pool_n", U),
    ],
    align=True,
)

#: Stream numbers: 0 deals the cards, 1 + seat belongs to that seat's policy, CHANCE and above to chance in the rules.
DEAL_STREAM = 0
CHANCE_STREAM = 1 << 32

_ZERO, _ONE, _FOUR, _S32, _M32 = U(0), U(1), U(4), U(32), U(0xFFFFFFFF)
_M0, _M1 = U(0xD2E7470EE14C6C93), U(0xCA5A826395121157)
_W0, _W1 = U(0x9E3779B97F4A7C15), U(0xBB67AE8584CAA73B)
_ALL = U(0xFFFFFFFFFFFFFFFF)
_BATCH = U(1 << 56)  # product of the bounds drawn from one word: a redraw is then rarer than 1 in 256
_S11, _EIGHT, _128, _255, _256 = U(11), U(8), U(128), U(255), U(256)


@kernel
def seek(rng, seed, stream, game):
    """Put a stream record at the start of stream (seed, stream, game)."""
    rng.seed = U(seed)
    rng.stream = U(stream)
    rng.game = U(game)
    rng.block = _ZERO
    rng.has_half = _ZERO
    rng.used = _FOUR
    rng.pool_n = _ZERO


@kernel
def refill(rng):
    """Compute the next four words of a stream."""
    rng.block += _ONE
    c0, c1, c2, c3 = rng.block, _ZERO, rng.stream, rng.game
    k0, k1 = rng.seed, _ZERO
    for _ in range(10):
        h0 = mulhi(_M0, c0)
        h1 = mulhi(_M1, c2)
        l0 = _M0 * c0
        l1 = _M1 * c2
        c0 = h1 ^ c1 ^ k0
        c1 = l1
        c2 = h0 ^ c3 ^ k1
        c3 = l0
        k0 += _W0
        k1 += _W1
    rng.words[0] = c0
    rng.words[1] = c1
    rng.words[2] = c2
    rng.words[3] = c3
    rng.used = _ZERO


@kernel(inline=True)
def next64(rng):
    """Return the next 64-bit word of a stream."""
    if rng.used == _FOUR:
        refill(rng)
    word = rng.words[rng.used]
    rng.used += _ONE
    return word


@kernel(inline=True)
def next32(rng):
    """Return the next 32 bits: first the lower, then the upper half of a word."""
    if rng.has_half != _ZERO:
        rng.has_half = _ZERO
        return rng.half
    word = next64(rng)
    rng.half = word >> _S32
    rng.has_half = _ONE
    return word & _M32


@kernel(inline=True)
def below(rng, n):
    """Return an integer, uniform in 0 … n-1, for 1 ≤ n < 2**32 (Lemire 2019: a product, and a rare redraw)."""
    bound = U(n)
    product = next32(rng) * bound
    if (product & _M32) < bound:
        threshold = (_M32 - (bound - _ONE)) % bound
        while (product & _M32) < threshold:
            product = next32(rng) * bound
    return np.int64(product >> _S32)


@kernel(inline=True)
def _next8(rng):
    """Return the next eight bits, of a word of their own from the lowest on."""
    if rng.pool_n == _ZERO:
        rng.pool = next64(rng)
        rng.pool_n = _EIGHT
    bits = rng.pool
    rng.pool = bits >> _EIGHT
    rng.pool_n -= _ONE
    return bits & _255


@kernel(inline=True)
def pick(rng, n):
    """Return an integer, uniform in 0 … n-1, for 1 ≤ n ≤ 256: what `below` does, from eight bits instead of 32.

    A choice among few costs a quarter of the random bits; a redraw is as rare as n in 256 at most.
    """
    bound = U(n)
    product = _next8(rng) * bound
    if (product & _255) < bound:
        threshold = _256 % bound
        while (product & _255) < threshold:
            product = _next8(rng) * bound
    return np.int64(product >> _EIGHT)


@kernel(inline=True)
def uniform(rng):
    """Return a float64, uniform in [0, 1)."""
    return np.float64(next64(rng) >> _S11) * (1.0 / 9007199254740992.0)


@kernel(inline=True)
def _word_for(bound_product, rng):
    """Return a word from which numbers whose bounds have this product can be drawn in turn, exactly uniform."""
    word = next64(rng)
    if word * bound_product < bound_product:
        threshold = (_ALL - bound_product + _ONE) % bound_product
        while word * bound_product < threshold:
            word = next64(rng)
    return word


@kernel
def shuffle_head(cards, n, k, rng):
    """Shuffle the first `n` entries of `cards` so that the first `k` are a uniform ordered sample.

    Several bounded numbers come from one word (Brackett-Rozinsky and Lemire 2024): the low half of each product
    is the fraction that the next bound multiplies. The word is redrawn when the last fraction falls below the
    threshold of the product of all bounds, which makes every outcome exactly equally likely.
    """
    i = U(0)
    size, end = U(n), U(k)
    while (
        size - i <= _128 and end - i >= _EIGHT and end >= i
    ):  # eight numbers below 128 a word: the usual case, unrolled
        product = _ONE
        for q in range(8):
            product *= size - i - U(q)
        word = _word_for(product, rng)
        for _ in range(8):
            bound = size - i
            j = i + mulhi(word, bound)
            word *= bound
            swap = cards[i]
            cards[i] = cards[j]
            cards[j] = swap
            i += _ONE
    while i < end:
        product = size - i
        m = _ONE
        while i + m < end and product * (size - i - m) <= _BATCH and m < _EIGHT:
            product *= size - i - m
            m += _ONE
        word = _word_for(product, rng)
        for _ in range(m):
            bound = size - i
            j = i + mulhi(word, bound)
            word *= bound
            swap = cards[i]
            cards[i] = cards[j]
            cards[j] = swap
            i += _ONE
