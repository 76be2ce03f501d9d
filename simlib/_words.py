"""Small integer arrays inside records read and written as one machine word.

A hand of eight sorted bytes, or four cards of a row, can be searched, shifted and compared in one or two instructions
when it is a word. The element with index 0 is the lowest byte (little-endian machines only, checked at import). Plain
twins with the suffix ``_py`` stand in when numba is switched off (NUMBA_DISABLE_JIT=1).
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numba
import numpy as np
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


@intrinsic
def load64_at(typingctx, array, offset):
    """Return bytes offset … offset + 7 of an array's data as a word, at any alignment. No bounds check."""

    def codegen(context, builder, signature, args):
        data = _pointer(context, builder, signature.args[0], args[0], args[1], 8)
        value = builder.load(builder.bitcast(data, ir.IntType(64).as_pointer()))
        value.align = 1
        return value

    return types.uint64(array, types.int64), codegen


def _loader(bits: int, word: types.Type) -> Any:
    @intrinsic
    def load(typingctx, array, index):
        def codegen(context, builder, signature, args):
            value = builder.load(_pointer(context, builder, array, args[0], args[1], bits))
            value.align = 1
            return value

        return word(array, types.int64), codegen

    return load


def _storer(bits: int, word: types.Type) -> Any:
    @intrinsic
    def store(typingctx, array, index, value):
        def codegen(context, builder, signature, args):
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


def _place(context: Any, builder: Any, record: Any, offset: Any) -> Any:
    """Address of byte `offset` of a record, as a pointer to a word."""
    start = builder.add(builder.ptrtoint(record, ir.IntType(64)), offset)
    return builder.inttoptr(start, ir.IntType(64).as_pointer())


@intrinsic
def load64_in(typingctx, record, offset):
    """Return the eight bytes of a record from byte `offset` on: small fields that are read and written together."""

    def codegen(context, builder, signature, args):
        value = builder.load(_place(context, builder, *args))
        value.align = 1
        return value

    return types.uint64(record, types.int64), codegen


@intrinsic
def store64_in(typingctx, record, offset, value):
    """Write what `load64_in` reads."""

    def codegen(context, builder, signature, args):
        instruction = builder.store(args[2], _place(context, builder, *args[:2]))
        instruction.align = 1
        return context.get_dummy_value()

    return types.void(record, types.int64, types.uint64), codegen


def _peeker(bits: int, word: types.Type) -> Any:
    @intrinsic
    def peek(typingctx, address, index):
        def codegen(context, builder, signature, args):
            pointer = builder.inttoptr(args[0], ir.IntType(bits).as_pointer())
            return builder.load(builder.gep(pointer, [args[1]]))

        return word(types.uint64, types.int64), codegen

    return peek


#: ``peek64(address, i) -> uint64``: word i of a table at an address (uint64). The table must be kept alive elsewhere.
peek64 = _peeker(64, types.uint64)
peek8 = _peeker(8, types.uint8)


@intrinsic
def poke64(typingctx, address, index, value):
    """Store word i at an address (uint64), as `peek64` reads it."""

    def codegen(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        builder.store(args[2], builder.gep(pointer, [args[1]]))
        return context.get_dummy_value()

    return types.void(types.uint64, types.int64, types.uint64), codegen


@intrinsic
def address_of_words(typingctx, array):
    """Return the address of the data of an int64 array, for `peek64` and `poke64`. Its memory must be kept alive."""
    if array.dtype != types.int64:
        raise numba.errors.TypingError(f"address_of_words takes an array of int64, not {array}")

    def codegen(context, builder, signature, args):
        data = context.make_array(array)(context, builder, args[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.uint64(array), codegen


def _bytes(array: Any) -> np.ndarray[Any, Any]:
    """View a contiguous array as bytes."""
    return np.asarray(array).reshape(-1).view(np.uint8)


def load64_py(array: Any, index: int) -> np.uint64:
    """Return what `load64` does."""
    return np.uint64(int.from_bytes(_bytes(array)[8 * index : 8 * index + 8].tobytes(), "little"))


def load64_at_py(array: Any, offset: int) -> np.uint64:
    """Return what `load64_at` does; bytes beyond the array's end count as zero."""
    return np.uint64(int.from_bytes(_bytes(array)[int(offset) : int(offset) + 8].tobytes(), "little"))


def load32_py(array: Any, index: int) -> np.uint32:
    """Return what `load32` does."""
    return np.uint32(int.from_bytes(_bytes(array)[4 * index : 4 * index + 4].tobytes(), "little"))


def store64_py(array: Any, index: int, value: int) -> None:
    """Do what `store64` does."""
    _bytes(array)[8 * index : 8 * index + 8] = np.frombuffer(int(value).to_bytes(8, "little"), np.uint8)


def store32_py(array: Any, index: int, value: int) -> None:
    """Do what `store32` does."""
    _bytes(array)[4 * index : 4 * index + 4] = np.frombuffer(int(value).to_bytes(4, "little"), np.uint8)


def _record_bytes(record: Any) -> np.ndarray[Any, Any]:
    """View a scalar record as bytes."""
    return np.frombuffer(record.data, np.uint8) if isinstance(record, np.void) else _bytes(record)


def load64_in_py(record: Any, offset: int) -> np.uint64:
    """Return what `load64_in` does."""
    return np.uint64(int.from_bytes(_record_bytes(record)[offset : offset + 8].tobytes(), "little"))


def store64_in_py(record: Any, offset: int, value: int) -> None:
    """Do what `store64_in` does."""
    _record_bytes(record)[offset : offset + 8] = np.frombuffer(int(value).to_bytes(8, "little"), np.uint8)


def peek64_py(address: int, index: int) -> np.uint64:
    """Return what `peek64` does."""
    return np.uint64(ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value)


def poke64_py(address: int, index: int, value: int) -> None:
    """Do what `poke64` does."""
    ctypes.c_uint64.from_address(int(address) + 8 * int(index)).value = int(value)


def address_of_words_py(array: Any) -> np.uint64:
    """Return what `address_of_words` does."""
    if array.dtype != np.int64:
        raise numba.errors.TypingError(f"address_of_words takes an array of int64, not {array.dtype}")
    return np.uint64(array.ctypes.data)


def peek8_py(address: int, index: int) -> np.uint8:
    """Return what `peek8` does."""
    return np.uint8(ctypes.c_uint8.from_address(int(address) + int(index)).value)


if numba.config.DISABLE_JIT:
    peek64, peek8, poke64, address_of_words = peek64_py, peek8_py, poke64_py, address_of_words_py
    load64, load32, store64, store32 = load64_py, load32_py, store64_py, store32_py
    load64_at, load64_in, store64_in = load64_at_py, load64_in_py, store64_in_py
