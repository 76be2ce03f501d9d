"""Four numbers of 16 bits in one word: what two suits give together, for each number of wild cards."""

from __future__ import annotations

import numpy as np

from simlib._jit import kernel

U = np.uint64
_ZERO = U(0)
LANES = U(0x0001000100010001)
_16 = U(0xFFFF)
_HIGH = U(0x8000800080008000)
_FROM_1, _FROM_2, _FROM_3 = U(0xFFFFFFFFFFFF0000), U(0xFFFFFFFF00000000), U(0xFFFF000000000000)


@kernel(inline=True)
def widen(word):
    """Spread the four lowest bytes of a word over lanes of 16 bits."""
    word &= U(0xFFFFFFFF)
    word = (word | (word << U(16))) & U(0x0000FFFF0000FFFF)
    return (word | (word << U(8))) & U(0x00FF00FF00FF00FF)


@kernel(inline=True)
def max16(a, b):
    """Maximum lane by lane; lanes are below 2**15."""
    mask = (((a | _HIGH) - b) & _HIGH) >> U(15)
    mask *= _16
    return (a & mask) | (b & ~mask)


@kernel(inline=True)
def join16(a, b, w):
    """Best of two suits with 0 … w ≤ 3 wild cards between them, in lanes of 16 bits; lanes above w mean nothing."""
    out = (a & _16) * LANES + b
    out = max16(out, (((a >> U(16)) & _16) * LANES + (b << U(16))) & _FROM_1)
    if w > 1:
        out = max16(out, (((a >> U(32)) & _16) * LANES + (b << U(32))) & _FROM_2)
        out = max16(out, ((a >> U(48)) * LANES + (b << U(48))) & _FROM_3)
    return out


@kernel(inline=True)
def top16(p, q, w):
    """Return the best value of two pairs of suits with w ≤ 3 wild cards between them."""
    best = _ZERO
    for i in range(w + 1):
        best = max(best, ((p >> U(16 * i)) & _16) + ((q >> U(16 * (w - i))) & _16))
    return np.int64(best)
