"""Small integer arrays inside records read and written as one machine word.

A hand of eight sorted bytes, or four cards of a row, can be searched, shifted and compared in one or two instructions
when it is a word. The element with index 0 is the lowest byte (little-endian machines only, checked at import).
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

if sys.byteorder != "little":  # pragma: no cover
    raise ImportError("simlib needs a little-endian machine")


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any, bits: int) -> Any:
    """Address of word number `index` of an array, as a pointer to an integer of `bits` bits."""
    data = context.make_array(array_type)(context, builder, array).data
    pointer = builder.bitcast(data, ir.IntType(bits).as_pointer())
    return builder.gep(pointer, [index])


def _loader(bits: int, word: types.Type) -> Any:
    @intrinsic
    def load(typingctx, array, index):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            value = builder.load(_pointer(context, builder, array, args[0], args[1], bits))
            value.align = 1
            return value

        return word(array, types.int64), codegen

    return load


def _storer(bits: int, word: types.Type) -> Any:
    @intrinsic
    def store(typingctx, array, index, value):  # type: ignore[no-untyped-def]
        def codegen(context, builder, signature, args):  # type: ignore[no-untyped-def]
            instruction = builder.store(args[2], _pointer(context, builder, array, args[0], args[1], bits))
            instruction.align = 1
            return context.get_dummy_value()

        return types.void(array, types.int64, word), codegen

    return store


#: ``load64(array, i) -> uint64``: bytes 8·i … 8·i + 7 of an array's data. No bounds check.
load64 = _loader(64, types.uint64)
load32 = _loader(32, types.uint32)
store64 = _storer(64, types.uint64)
store32 = _storer(32, types.uint32)
