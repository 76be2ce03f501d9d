"""The least number of combinations that empty a hand, by table look-up.

`simlib.games.big_three.features.min_turns` searches; policies that judge every move by what it leaves need the
same number some fifty times faster. Ranks 4 … K are read from left to right by an automaton whose state is the set of
straights that are still open, each with its multiplicity and its length so far (1, 2, or at least 3); a card that is
in no straight goes with the others of its rank as one set. Five ranks have 5**5 counts, but what they mean for the
other five falls into few classes, so the whole function is two tables of 3125 bytes and one with a row and a column
a class.

Holds for the usual straights (three ranks or more, of every multiplicity); other rules fall back to the search.
"""

from __future__ import annotations

import itertools

import numpy as np

from simlib._bits import popcount
from simlib._jit import kernel
from simlib.games.big_three.combos import U
from simlib.games.big_three.features import min_turns

_Straights = tuple[tuple[int, int], ...]
_FAR = 50  # stands for "impossible"
_HALF = 5


def _open_sets() -> list[_Straights]:
    """Every set of open straights (multiplicity, length up to 3) that four cards a rank can carry on."""
    kinds = list(itertools.product((1, 2, 3, 4), (1, 2, 3)))
    every = itertools.chain.from_iterable(itertools.combinations_with_replacement(kinds, n) for n in range(5))
    return [s for s in every if sum(m for m, _ in s) <= 4]


def _after(open_: _Straights, count: int) -> dict[_Straights, int]:
    """Sets of open straights that a rank with `count` cards can lead to, with the combinations begun there."""
    found: dict[_Straights, int] = {}
    must = [s for s in open_ if s[1] < 3]
    may = [s for s in open_ if s[1] == 3]
    begun = [b for n in range(5) for b in itertools.combinations_with_replacement((1, 2, 3, 4), n) if sum(b) <= 4]
    for keep in itertools.product((0, 1), repeat=len(may)):
        going = must + [s for s, kept in zip(may, keep, strict=True) if kept]
        for new in begun:
            used = sum(m for m, _ in going) + sum(new)
            if used <= count:
                state = tuple(sorted([(m, min(length + 1, 3)) for m, length in going] + [(m, 1) for m in new]))
                cost = len(new) + (used < count)
                found[state] = min(cost, found.get(state, _FAR))
    return found


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Class of each count of the lower and of the upper five ranks, and turns of each pair of classes."""
    sets = [tuple(sorted(s)) for s in _open_sets()]
    index = {s: i for i, s in enumerate(sets)}
    cost = np.full((5, len(sets), len(sets)), _FAR, np.int8)
    for count in range(5):
        for s in sets:
            for t, c in _after(s, count).items():
                cost[count, index[s], index[t]] = c
    none = np.where([len(s) == 0 for s in sets], 0, _FAR).astype(np.int8)
    closed = np.where([all(length == 3 for _, length in s) for s in sets], 0, _FAR).astype(np.int8)
    low, low_class = _classes(none, [c.T for c in cost], range(_HALF))
    high, high_class = _classes(closed, list(cost), range(_HALF - 1, -1, -1))
    both = (low[:, None, :] + high[None, :, :]).min(axis=2)
    _, row, low_merge = np.unique(both, axis=0, return_index=True, return_inverse=True)
    _, column, high_merge = np.unique(both, axis=1, return_index=True, return_inverse=True)
    table = np.zeros((256, 256), np.uint8)
    table[: len(row), : len(column)] = both[np.ix_(row, column)]
    return low_merge.ravel()[low_class].astype(np.uint8), high_merge.ravel()[high_class].astype(np.uint8), table.ravel()


def _classes(start: np.ndarray, cost: list[np.ndarray], order: range) -> tuple[np.ndarray, np.ndarray]:
    """Distinct vectors of least costs that five ranks lead to, and which one each of the 5**5 counts gives.

    Counts are numbers to the base five, the rank at place `i` counting ``5**i``; `order` is the order in which they
    are read.
    """
    vectors, of = start[None, :], np.zeros(1, np.int64)
    done = [0]
    for place in order:
        new = np.concatenate([np.minimum((vectors[:, None, :] + c[None]).min(axis=2), _FAR) for c in cost])
        unique, inverse = np.unique(new, axis=0, return_inverse=True)
        inverse = inverse.ravel()
        of = np.concatenate([inverse[count * len(vectors) + of] for count in range(5)])
        done = [number + count * 5**place for count in range(5) for number in done]
        vectors = unique
    classes = np.zeros(5**_HALF, np.int64)
    classes[done] = of
    return vectors, classes


_LOW, _HIGH, _TURNS = _tables()
#: Sum of 5**i over the bits i of a five-bit mask.
_PLACE = np.array([sum(5**i for i in range(_HALF) if mask >> i & 1) for mask in range(32)], np.uint64)
_5, _8, _13, _16, _32, _48 = U(5), U(8), U(13), U(16), U(32), U(48)
_M5, _M10, _M13 = U(31), U(0x3FF), U(0x1FFF)


@kernel(inline=True)
def _index(cards):  # type: ignore[no-untyped-def]
    """Return the counts of the lowest five ranks of a hand word as a number to the base five."""
    both = _PLACE[cards & _M5] + _PLACE[(cards >> _16) & _M5]
    return both + _PLACE[(cards >> _32) & _M5] + _PLACE[(cards >> _48) & _M5]


@kernel(inline=True)
def turns(hand, rules):  # type: ignore[no-untyped-def]
    """Return the least number of combinations that together are exactly the cards of a hand word (int64)."""
    straights = (rules.allowed[0] & rules.allowed[1] & rules.allowed[2] & rules.allowed[3]) >> _13
    if rules.min_straight != 3 or straights == U(0):
        return min_turns(hand, rules)
    base = U(rules.base)
    cards = hand >> base
    low, high = _index(cards), _index(cards >> _5)
    rest = popcount(hand & _M13 & ~(_M10 << base))
    return rest + np.int64(_TURNS[(U(_LOW[low]) << _8) + U(_HIGH[high])])
