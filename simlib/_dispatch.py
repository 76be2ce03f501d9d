"""Calling compiled functions by address, and copying records: the one file that touches numba's internals.

A kernel that calls a policy through its address stays cached between processes and compiles nothing when the
policies change. The price of such a call is about one nanosecond.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simlib._jit import kernel


def _emit_call(context: Any, builder: Any, signature: Any, address: Any, values: Any) -> Any:
    """Emit an indirect call in numba's own convention; an exception travels on to the caller."""
    convention = context.call_conv
    pointer = builder.inttoptr(
        address, convention.get_function_type(signature.return_type, signature.args).as_pointer()
    )
    status, result = convention.call_function(builder, pointer, signature.return_type, signature.args, values)
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result


def _callee(returns: types.Type, signature: Any) -> Any:
    def codegen(context, builder, _, args):
        result = _emit_call(context, builder, signature, args[0], args[1:])
        return context.get_dummy_value() if returns is types.none else result

    return codegen


def _caller2(returns: types.Type) -> Any:
    @intrinsic
    def call(typingctx, address, a, b):
        return returns(types.uint64, a, b), _callee(returns, returns(a, b))

    return call


def _caller3(returns: types.Type) -> Any:
    @intrinsic
    def call(typingctx, address, a, b, c):
        return returns(types.uint64, a, b, c), _callee(returns, returns(a, b, c))

    return call


def _caller5(returns: types.Type) -> Any:
    @intrinsic
    def call(typingctx, address, a, b, c, d, e):
        return returns(types.uint64, a, b, c, d, e), _callee(returns, returns(a, b, c, d, e))

    return call


def _caller4(returns: types.Type) -> Any:
    @intrinsic
    def call(typingctx, address, a, b, c, d):
        return returns(types.uint64, a, b, c, d), _callee(returns, returns(a, b, c, d))

    return call


call2 = _caller2(types.int64)
call2_none = _caller2(types.none)
call3_none = _caller3(types.none)
call4 = _caller4(types.int64)
call5_none = _caller5(types.none)


@intrinsic
def copy_record(typingctx, target, source):
    """Copy the bytes of `source` over `target`, as many as both have.

    With two records of one type this is assignment. When the fields of the smaller record are the first fields of the
    larger one it copies just those (the public part of a state into a view, and back).
    """
    if not isinstance(target, types.Record) or not isinstance(source, types.Record):
        raise numba.errors.TypingError("copy_record takes two records")
    size = min(target.size, source.size)

    def codegen(context, builder, signature, args):
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), size), 1, align=8)
        return context.get_dummy_value()

    return types.void(target, source), codegen


def copier(part: np.dtype[Any]) -> Any:
    """Return a function (target, source) that copies the fields of `part`, with which both records must begin."""

    @intrinsic
    def copy_part(typingctx, target, source):
        def codegen(context, builder, signature, args):
            cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), part.itemsize), 1, align=8)
            return context.get_dummy_value()

        return types.void(target, source), codegen

    return copy_part


@intrinsic
def block_context(typingctx, address, i, like):
    """Return entry `i` of the block of records like `like` at `address`. Its memory must be kept alive elsewhere."""
    size = like.size

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        place = builder.add(args[0], builder.mul(args[1], ir.Constant(word, size)))
        return builder.inttoptr(place, context.get_value_type(signature.return_type))

    return like(types.uint64, types.int64, like), codegen


@intrinsic
def sub_context(typingctx, ctx, k, seat):
    """Return the context of policy parameter `k` of `ctx`, for the given seat."""
    size = ctx.size
    offset = ctx.fields["sub"].offset

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        place = builder.add(builder.mul(args[1], ir.Constant(word, 8)), ir.Constant(word, offset))
        slot = builder.add(builder.ptrtoint(args[0], word), place)
        base = builder.load(builder.inttoptr(slot, word.as_pointer()))
        address = builder.add(base, builder.mul(args[2], ir.Constant(word, size)))
        return builder.inttoptr(address, context.get_value_type(signature.return_type))

    return ctx(ctx, types.int64, types.int64), codegen


@kernel
def ask(ctx, k, seat, view):
    """Return the action that policy parameter `k` (in the order of declaration) chooses at this view of `seat`."""
    sub = sub_context(ctx, k, seat)
    return call2(sub.fn, view, sub)


@kernel
def forget(ctx, k, players):
    """Clear the memory of policy parameter `k` for every seat, as at a game's start: do so before each play-out."""
    for seat in range(players):
        sub = sub_context(ctx, k, seat)
        for i in range(64):
            sub.mem[i] = 0


def address_of(dispatcher: Any, returns: types.Type, arguments: tuple[Any, ...]) -> int:
    """Compile a function for the given types (or load it from the cache) and return its entry address.

    Parameters
    ----------
    dispatcher : numba dispatcher
        What `kernel` or `njit` returned.
    returns : numba type
        The type it must return; numba converts.
    arguments : tuple
        numpy dtypes (taken as records) or numba types.
    """
    types_ = tuple(numba.from_dtype(a) if isinstance(a, np.dtype) else a for a in arguments)
    result = dispatcher.get_compile_result(returns(*types_))
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def natural_return(dispatcher: Any, arguments: tuple[Any, ...]) -> types.Type:
    """Compile a function for these arguments and return the type it gives back when nobody asks for another one."""
    types_ = tuple(numba.from_dtype(a) if isinstance(a, np.dtype) else a for a in arguments)
    dispatcher.compile(types_)
    return dispatcher.overloads[types_].signature.return_type
