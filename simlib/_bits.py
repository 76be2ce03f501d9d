"""Bit tricks as single machine instructions: popcount, trailing zeros, bit deposit, 128-bit products.

Each intrinsic has a portable twin with the suffix ``_py`` in plain Python arithmetic; a test holds them equal.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_MASK64 = (1 << 64) - 1


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


def nth_bit_py(x: int, n: int) -> int:
    """Return the position of the n-th set bit, counted from the lowest, n from 0."""
    x = int(x)
    for _ in range(int(n)):
        x &= x - 1
    return ctz_py(x)


def _unary(name: str, result: types.Type) -> Any:
    """Build an intrinsic for an LLVM bit-counting function of one 64-bit word."""

    @intrinsic
    def call(typingctx, x):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            (value,) = args
            word = ir.IntType(64)
            if name == "ctpop":
                return builder.ctpop(value)
            count = builder.cttz if name == "cttz" else builder.ctlz
            return count(value, ir.Constant(ir.IntType(1), 0)) if word else None

        return result(types.uint64), codegen

    return call


popcount = _unary("ctpop", types.int64)
ctz = _unary("cttz", types.int64)
clz = _unary("ctlz", types.int64)


@intrinsic
def mulhi(typingctx, a, b):  # type: ignore[no-untyped-def]
    """Upper 64 bits of the product of two 64-bit words."""

    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def _pdep(typingctx, source, mask):  # type: ignore[no-untyped-def]
    """x86 bit deposit (BMI2)."""

    def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        fn_type = ir.FunctionType(word, [word, word])
        fn = builder.module.globals.get("llvm.x86.bmi.pdep.64") or ir.Function(
            builder.module, fn_type, "llvm.x86.bmi.pdep.64"
        )
        return builder.call(fn, args)

    return types.uint64(types.uint64, types.uint64), codegen
