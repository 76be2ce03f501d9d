"""Control variates: features of the dealt hands whose expectations are known exactly, fixed beforehand for each game.

Where the hands of a sample happen to be better than on average, regression on such features corrects the mean
(see `simlib.stats.planning.adjusted_mean`). The features depend on the deal alone, never on what is played:

*3 sind eine zu viel!* (first hand of eight cards)
    ``colours``: different colours; ``tripled``: colours held three times or more; ``neutral``: neutral cards;
    ``distance``: sum of the cards' distances from 45, the middle of the values.
*Big Three* (hand without the widow)
    ``threes``, ``twos``, ``aces``: cards of the three highest ranks; ``pairs``, ``triples``, ``quads``: ranks
    held exactly twice, three times, four times.
*Three-Thirteen* (dealt hands of all rounds together; later rounds have random streams of their own, so they
are known)
    ``wilds``: wild cards and jokers; ``twins``: pairs of natural cards of one rank; ``neighbours``: pairs of
    natural cards next to each other in one suit, ace low; ``points``: points of the natural cards.

A paired difference over all rotations has lost most of the luck of the hands already, so the gain is often
small; it is shown beside every estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from simlib.batch import Batch
from simlib.engine import Work
from simlib.games import get

Array = np.ndarray[Any, Any]
#: Deals that are set up at once: a few megabytes.
BLOCK = 512


@dataclass(frozen=True)
class Variates:
    """The features of one game.

    Attributes
    ----------
    names : tuple of str
    measure : callable
        ``measure(states, work)`` → int64, shape (deals, seats, features), from just dealt STATE records.
    expected : callable
        ``expected(work)`` → exact expectation of each feature of one seat.
    """

    names: tuple[str, ...]
    measure: Callable[[Array, Work], Array]
    expected: Callable[[Work], list[Fraction]]


def variates_of(game: str) -> Variates:
    """Return the features of a game.

    Raises
    ------
    ValueError
        For a game without any.
    """
    known = {
        "drei_zu_viel": (("colours", "tripled", "neutral", "distance"), _drei_zu_viel, _drei_zu_viel_expected),
        "big_three": (("threes", "twos", "aces", "pairs", "triples", "quads"), _big_three, _big_three_expected),
        "three_thirteen": (("wilds", "twins", "neighbours", "points"), _three_thirteen, _three_thirteen_expected),
    }
    if game not in known:
        raise ValueError(f"covariates: {game} has no features; games that have: {', '.join(known)}")
    return Variates(*known[game])


def dealt_features(work: Work, first: int, count: int) -> Array:
    """Return the features of the deals `first` … `first + count` - 1: int64, shape (deals, players, features)."""
    variates = variates_of(work.game)
    return np.concatenate([np.sum(_measured(variates, work, *block), axis=0) for block in _blocks(first, count)])


def expected_features(work: Work) -> Array:
    """Return the expectation of each feature of one seat, float64, shape (features,)."""
    return np.array([float(e) for e in variates_of(work.game).expected(work)])


def _blocks(first: int, count: int) -> Iterator[tuple[int, int]]:
    for start in range(0, count, BLOCK):
        yield first + start, min(BLOCK, count - start)


def _measured(variates: Variates, work: Work, first: int, count: int) -> list[Array]:
    """Return the features of each hand that a seat is dealt in a game: one, or one a round."""
    out = []
    for scenario in _hands(work):
        batch = Batch.of_work(replace(work, scenario=scenario), count, first)
        out.append(variates.measure(batch.states, work))
    return out


def _hands(work: Work) -> list[Any]:
    """Scenarios that begin with each round of the game, or the game as it is."""
    if work.game != "three_thirteen":
        return [work.scenario]
    out = []
    for number in range(_rounds(work)):
        scenario = np.zeros(1, get(work.game).SCENARIO)
        scenario["round"] = 1 + number
        out.append(scenario)
    return out


# --- 3 sind eine zu viel! --------------------------------------------------------------------------------------------

_HAND = 8


def _drei_zu_viel(states: Array, work: Work) -> Array:
    from simlib.games.drei_zu_viel.rules import colour_table

    # The last of eight columns stands for no colour.
    colour = np.array([c % 8 for c in colour_table(work.rules)])  # type: ignore[arg-type]
    hands = states["hand"][:, : work.players].astype(np.int64)
    held = np.stack([(colour[hands] == c).sum(axis=2) for c in range(7)], axis=2)
    neutral = (colour[hands] == 7).sum(axis=2)
    distance = np.abs(hands - 45).sum(axis=2)
    return np.stack([(held > 0).sum(axis=2), (held > 2).sum(axis=2), neutral, distance], axis=2)


def _drei_zu_viel_expected(work: Work) -> list[Fraction]:
    from simlib.games.drei_zu_viel.rules import DECK, colour_table

    table, n = colour_table(work.rules), len(DECK)  # type: ignore[arg-type]
    sizes = [sum(table[v] == c for v in DECK) for c in range(7)]
    held = [[_exactly(k, _HAND, size, n) for k in range(3)] for size in sizes]
    return [
        sum((1 - p[0] for p in held), Fraction(0)),
        sum((1 - sum(p, Fraction(0)) for p in held), Fraction(0)),
        Fraction(_HAND * sum(table[v] == -1 for v in DECK), n),
        Fraction(_HAND * sum(abs(v - 45) for v in DECK), n),
    ]


def _exactly(k: int, drawn: int, marked: int, cards: int) -> Fraction:
    """Chance of exactly k marked cards among so many drawn (hypergeometric)."""
    return Fraction(comb(marked, k) * comb(cards - marked, drawn - k), comb(cards, drawn))


# --- Big Three -------------------------------------------------------------------------------------------------------

#: Cards of a rank (ace 0) as a set: bit 13 × suit + rank.
_RANK = [np.uint64(sum(1 << (13 * suit + rank) for suit in range(4))) for rank in range(13)]


def _big_three(states: Array, work: Work) -> Array:
    dealt = states["dealt"][:, : work.players]
    held = np.stack([np.bitwise_count(dealt & cards) for cards in _RANK], axis=2).astype(np.int64)
    alike = [(held == k).sum(axis=2) for k in (2, 3, 4)]
    return np.stack([held[..., 2], held[..., 1], held[..., 0], *alike], axis=2)


def _big_three_expected(work: Work) -> list[Fraction]:
    from simlib.games.big_three.rules import deck

    cards = deck(work.rules)  # type: ignore[arg-type]
    sizes, n = [(cards & int(rank)).bit_count() for rank in _RANK], cards.bit_count()
    hand = int(get(work.game).encode(work.rules)["hand_size"][0])
    high = [Fraction(hand * sizes[rank], n) for rank in (2, 1, 0)]
    alike = [sum((_exactly(k, hand, size, n) for size in sizes if size >= k), Fraction(0)) for k in (2, 3, 4)]
    return [*high, *alike]


# --- Three-Thirteen --------------------------------------------------------------------------------------------------

_POINTS = np.array([*range(1, 11), 10, 10, 10])


def _rounds(work: Work) -> int:
    return int(get(work.game).encode(work.rules)["rounds"][0])


def _three_thirteen(states: Array, work: Work) -> Array:
    words = states["hand"][:, : work.players]
    bits = (words[..., None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    cards = bits.sum(axis=2).astype(np.int64).reshape(len(states), work.players, 4, 13)
    wild = int(states["table"]["wild"][0])
    wilds = cards[..., wild].sum(axis=2) + states["jokers"][:, : work.players]
    cards[..., wild] = 0
    ranks = cards.sum(axis=2)
    twins = (ranks * (ranks - 1) // 2).sum(axis=2)
    neighbours = (cards[..., :-1] * cards[..., 1:]).sum(axis=(2, 3))
    return np.stack([wilds, twins, neighbours, ranks @ _POINTS], axis=2)


def _three_thirteen_expected(work: Work) -> list[Fraction]:
    rules = get(work.game).encode(work.rules)[0]
    n, decks, jokers = int(rules["cards"]), int(rules["decks"]), int(rules["jokers"])
    out = [Fraction(0)] * 4
    for number in range(int(rules["rounds"])):
        size = int(rules["hand_size"][number])
        wild = (size - 1) % 13
        both = Fraction(size * (size - 1), n * (n - 1))  # two given cards are in the hand
        next_to = 4 * sum(decks * decks for r in range(12) if wild not in (r, r + 1))
        points = 4 * decks * sum(int(p) for r, p in enumerate(_POINTS) if r != wild)
        round_ = [
            Fraction(size * (4 * decks + jokers), n),
            12 * comb(4 * decks, 2) * both,
            next_to * both,
            Fraction(size * points, n),
        ]
        out = [a + b for a, b in zip(out, round_, strict=True)]
    return out
