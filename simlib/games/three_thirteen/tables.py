"""Tables of the best runs in one suit, built once a process and reached through an address.

``runs[id(m2) * 8192 + m1]`` is a word whose byte w is the largest value of the cards of a suit that can be melded in
runs with at most w wild cards (w = 0 … 7). `m1` says which ranks are there, `m2` which are there twice (at most two
of them; `deep_word` serves suits that hold three or four). A wild rank is never among them, so one table
serves every round. ``drops[2 * m1 + w // 4]`` has 16 bits for each w: the same when one card may be discarded
free of charge, times 16, plus the code of that card (dearer first, then lower rank first); 0 for an empty suit.
``counts`` is like `runs`, with 16 bits for w = 0 … 3: the largest value times 16 plus the number of cards it
takes at most.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np

from simlib._bits import ctz, popcount
from simlib._jit import kernel
from simlib._words import peek8, peek64

SUIT = 8192
N_IDS = 92
#: Words before each part of the block: runs, drops, the ids of the masks of doubled ranks (bytes), counts.
DROPS_AT = N_IDS * SUIT
IDS_AT = DROPS_AT + 2 * SUIT
COUNTS_AT = IDS_AT + SUIT // 8
N_WORDS = COUNTS_AT + N_IDS * SUIT

_ONE = np.uint64(1)


@kernel(inline=True)
def rank_value(rank):  # type: ignore[no-untyped-def]
    """Return what an unmelded natural card of this rank (0 … 12) costs."""
    return min(rank + 1, 10)


@kernel
def build(block, ids):  # type: ignore[no-untyped-def]
    """Fill the block of words; `ids` are the bytes of its part for ids."""
    for m2 in range(SUIT):
        ids[m2] = 255
    ids[0] = 0
    n = 1
    for size in range(3):
        for m2 in range(SUIT):
            if popcount(np.uint64(m2)) == size:
                if size > 0:
                    ids[m2] = n
                    n += 1
                base = np.int64(ids[m2]) * SUIT
                for m1 in range(SUIT):
                    if m1 & m2 == m2:
                        block[base + m1] = _best(block, ids, m1, m2, 0, 8)
                        block[COUNTS_AT + base + m1] = _best(block, ids, m1, m2, COUNTS_AT, 16)
    for m1 in range(SUIT):
        _fill_drops(block, m1)


@kernel
def _best(block, ids, m1, m2, part, bits):  # type: ignore[no-untyped-def]
    """The word of a suit from those of smaller ones: its lowest card is left over, or is the lowest natural
    card of a run.

    A run takes every natural card within its span: a card passed over could only serve another run of the same suit,
    which may take the wild card instead.
    """
    if m1 == 0:
        return np.uint64(0)
    low = ctz(np.uint64(m1))
    bit = 1 << low
    if m2 & bit:
        best = block[part + np.int64(ids[m2 ^ bit]) * SUIT + m1]
    else:
        best = block[part + np.int64(ids[m2]) * SUIT + (m1 ^ bit)]
    value = 0
    naturals = 0
    for top in range(low, 13):
        if (m1 >> top) & 1:
            value += rank_value(top) if bits == 8 else 16 * rank_value(top) + 1
            naturals += 1
            wilds = max(top - low + 1, 3) - naturals
            if wilds * bits < 64:
                span = ((1 << (top + 1)) - 1) ^ (bit - 1)
                rest = block[part + np.int64(ids[m2 & ~span]) * SUIT + ((m1 & ~span) | (m2 & span))]
                best = _raise(best, rest, wilds, value, bits)
    return best


@kernel
def deep_word(address, m1, m2, part, bits):
    """The word of a suit with three or more doubled ranks: its lowest doubled card is left over, or is in one
    of the runs.

    With more than four of them it would be slow; `melds.fits_tables` keeps those away.
    """
    at = ctz(np.uint64(m2))
    best = _look_up(address, m1, m2 ^ (1 << at), part, bits)
    for low in range(at + 1):
        if (m1 >> low) & 1:
            value = 0
            naturals = 0
            for top in range(low, 13):
                if (m1 >> top) & 1:
                    value += rank_value(top) if bits == 8 else 16 * rank_value(top) + 1
                    naturals += 1
                    wilds = max(top - low + 1, 3) - naturals
                    if top >= at and wilds * bits < 64:
                        span = ((1 << (top + 1)) - 1) ^ ((1 << low) - 1)
                        rest = _look_up(address, (m1 & ~span) | (m2 & span), m2 & ~span, part, bits)
                        best = _raise(best, rest, wilds, value, bits)
    return best


@kernel
def _look_up(address, m1, m2, part, bits):
    """The word of a suit with up to three doubled ranks."""
    number = np.int64(peek8(address, 8 * IDS_AT + m2))
    if number < N_IDS:
        return peek64(address, part + number * SUIT + m1)
    at = ctz(np.uint64(m2))
    one = m2 ^ (1 << at)
    best = peek64(address, part + np.int64(peek8(address, 8 * IDS_AT + one)) * SUIT + m1)
    for low in range(at + 1):
        if (m1 >> low) & 1:
            value = 0
            naturals = 0
            for top in range(low, 13):
                if (m1 >> top) & 1:
                    value += rank_value(top) if bits == 8 else 16 * rank_value(top) + 1
                    naturals += 1
                    wilds = max(top - low + 1, 3) - naturals
                    if top >= at and wilds * bits < 64:
                        span = ((1 << (top + 1)) - 1) ^ ((1 << low) - 1)
                        twice = np.int64(peek8(address, 8 * IDS_AT + (m2 & ~span)))
                        rest = peek64(address, part + twice * SUIT + ((m1 & ~span) | (m2 & span)))
                        best = _raise(best, rest, wilds, value, bits)
    return best


@kernel
def _raise(best, rest, wilds, value, bits):
    """Maximum of `best` and of `rest` + value moved up by `wilds` fields, field by field of `bits` bits."""
    out = np.uint64(0)
    mask = np.uint64((1 << bits) - 1)
    for w in range(64 // bits):
        old = (best >> np.uint64(bits * w)) & mask
        if w >= wilds:
            new = ((rest >> np.uint64(bits * (w - wilds))) & mask) + np.uint64(value)
            old = max(old, new)
        out |= old << np.uint64(bits * w)
    return out


@kernel(inline=True)
def drop_code(rank):  # type: ignore[no-untyped-def]
    """Order of the cards of a suit as discards: the higher code goes first (T 12, J 11, Q 10, K 9, 9 8, … A 0)."""
    return 21 - rank if rank >= 9 else rank


@kernel
def _fill_drops(block, m1):  # type: ignore[no-untyped-def]
    for half in range(2):
        out = np.uint64(0)
        for k in range(4):
            best = np.uint64(0)
            for rank in range(13):
                if (m1 >> rank) & 1:
                    rest = (block[m1 ^ (1 << rank)] >> np.uint64(8 * (4 * half + k))) & np.uint64(255)
                    best = max(best, (rest + np.uint64(rank_value(rank))) * np.uint64(16) + np.uint64(drop_code(rank)))
            out |= best << np.uint64(16 * k)
        block[DROPS_AT + 2 * m1 + half] = out


_LOCK = threading.Lock()  # two blocks must never be built: an address of the lost one could be in use


def tables() -> np.ndarray[Any, Any]:
    """Return the block of words, built on first use; the cache keeps it alive as long as the process."""
    with _LOCK:
        return _tables()


@functools.cache
def _tables() -> np.ndarray[Any, Any]:
    block = np.zeros(N_WORDS, np.uint64)
    build(block, block[IDS_AT:COUNTS_AT].view(np.uint8))
    return block


def table_address() -> int:
    """Return the address of the block, for the field `tables` of a RULES record."""
    return int(tables().ctypes.data)
