"""The hot part of a table as machine words, and the n-th bit of a word.

Fields written as bytes and read back as a block wait for each other in the processor. The 24 bytes behind
`unplayed` are therefore
written by `step` as three words (their layout is that of `view.TABLE_FIELDS`; a test holds the two together).
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simlib._bits import ctz
from simlib._jit import kernel
from simlib.games.big_three.combos import U

_1 = U(1)


def _place(context: Any, builder: Any, record: Any, index: Any) -> Any:
    return builder.gep(builder.bitcast(record, ir.IntType(64).as_pointer()), [index])


@intrinsic
def get_word(typingctx, record, index):
    """Return bytes 8·index … 8·index + 7 of a record as uint64."""

    def codegen(context, builder, signature, args):
        return builder.load(_place(context, builder, args[0], args[1]))

    return types.uint64(record, types.int64), codegen


@intrinsic
def set_word(typingctx, record, index, value):
    """Write bytes 8·index … 8·index + 7 of a record."""

    def codegen(context, builder, signature, args):
        builder.store(args[2], _place(context, builder, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(record, types.int64, types.uint64), codegen


def rest_copier(part: np.dtype[Any]) -> Any:
    """Return a function (target, source) that copies the fields of `part` behind the first four words of a record."""
    size = part.itemsize - 32

    @intrinsic
    def copy_rest(typingctx, target, source):
        def codegen(context, builder, signature, args):
            place = ir.Constant(ir.IntType(64), 4)
            to, start = _place(context, builder, args[0], place), _place(context, builder, args[1], place)
            cgutils.raw_memcpy(builder, to, start, ir.Constant(ir.IntType(64), size), 1, align=8)
            return context.get_dummy_value()

        return types.void(target, source), codegen

    return copy_rest


@intrinsic
def _deposit(typingctx, source, mask):
    """Bit deposit (BMI2): the bits of `source` at the places of the set bits of `mask`."""

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        name = "llvm.x86.bmi.pdep.64"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(word, [word, word]), name
        )
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


def _has_deposit() -> bool:
    """Whether kernels are compiled for this machine and it has the bit-deposit instruction."""
    if numba.config.DISABLE_JIT:
        return False
    return not numba.config.CPU_NAME and bool(llvm.get_host_cpu_features().get("bmi2", False))


if _has_deposit():

    @kernel(inline=True)
    def nth_bit(word, n):
        """Return the position (uint64) of set bit number n, from 0, of a word that has as many."""
        return U(ctz(_deposit(_1 << U(n), word)))

else:

    @kernel(inline=True)
    def nth_bit(word, n):
        """Return the position (uint64) of set bit number n, from 0, of a word that has as many."""
        for _ in range(n):
            word &= word - _1
        return U(ctz(word))
