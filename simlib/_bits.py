"""Bit tricks as single machine instructions: popcount, trailing and leading zeros, 128-bit products.

Each intrinsic has a portable twin with the suffix ``_py`` in plain Python arithmetic; a test holds them equal. The
twins stand in for the intrinsics when numba is switched off (NUMBA_DISABLE_JIT=1).
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def popcount_py(x: int) -> int:
    """Return the number of set bits."""
    return int(x).bit_count()


def ctz_py(x: int) -> int:
    """Return the number of trailing zero bits (64 for zero)."""
    x = int(x)
    return (x & -x).bit_length() - 1 if x else 64


def clz_py(x: int) -> int:
    """Return the number of leading zero bits of a 64-bit word (64 for zero)."""
    return 64 - int(x).bit_length()


def mulhi_py(a: int, b: int) -> int:
    """Return the upper 64 bits of the 128-bit product."""
    return (int(a) * int(b)) >> 64


def _unary(name: str, result: types.Type) -> Any:
    """Build an intrinsic for an LLVM bit-counting function of one 64-bit word."""

    @intrinsic
    def call(typingctx, x):
        def codegen(context, builder, signature, args):
            (value,) = args
            if name == "ctpop":
                return builder.ctpop(value)
            count = builder.cttz if name == "cttz" else builder.ctlz
            return count(value, ir.Constant(ir.IntType(1), 0))

        return result(types.uint64), codegen

    return call


popcount = _unary("ctpop", types.int64)
ctz = _unary("cttz", types.int64)
clz = _unary("ctlz", types.int64)


@intrinsic
def mulhi(typingctx, a, b):
    """Upper 64 bits of the product of two 64-bit words."""

    def codegen(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


if numba.config.DISABLE_JIT:
    popcount, ctz, clz, mulhi = popcount_py, ctz_py, clz_py, mulhi_py
