"""A hand at its turn to bid: what is known of the deal, and deals that agree with it, weighed by the bids made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.analysis.big_three import kernels
from simlib.analysis.big_three.tables import Array, guarded, table_of
from simlib.cards import card_number, card_numbers, card_text, card_texts
from simlib.engine import Work, check_count
from simlib.games.big_three.rules import RULES, BigThreeRules, encode
from simlib.games.big_three.scenario import make_scenario
from simlib.stats.distributions import WeightedEstimate, weighted_mean

#: Deals weighed at a time, and at most.
BLOCK, MOST = 4096, 400_000
_HEARTS = {False: "456789TJQKA23", True: "4A2356789TJQK"}  # in the order of the auction (RULES.md 2.1)


@dataclass(frozen=True)
class Situation:
    """A hand before its next bid. It sits at seat 0 of the simulated table.

    Attributes
    ----------
    texts : tuple of str
        The hand.
    position : int or None
        Place in the order of bidding, 0 for the first bidder; None: as the cards fall.
    bids : tuple of int
        Bids made, from the first bidder on.
    options : tuple of int
        What this hand may do now: 0 to pass, 1 to 3.
    heart : int
        Card with which another seat is first, −1: not given.
    slip : float
    rules : BigThreeRules
    """

    texts: tuple[str, ...]
    position: int | None
    bids: tuple[int, ...]
    options: tuple[int, ...]
    heart: int
    slip: float
    rules: BigThreeRules

    @property
    def first_seat(self) -> int:
        """Seat that bids first, −1: any."""
        return -1 if self.position is None else -self.position % self.rules.players

    def scenario(self) -> Array:
        """Return the SCENARIO with the known cards: the hand, the first bidder's heart, lower ones in the widow."""
        hands: dict[int, Any] = {0: list(self.texts)}
        widow: list[str] = []
        heart = self.heart
        if self.position == 0:
            heart = _lowest_heart(self.texts, self.rules)
        elif heart >= 0:
            hands[self.first_seat] = [card_text(heart)]
        if heart >= 0:
            widow = card_texts(_hearts_before(heart, self.rules))
        return make_scenario(self.rules, hands=hands, widow=widow)


@dataclass(frozen=True, eq=False)
class Drawn:
    """Deals to be played: their numbers and weights, how many were looked at, and how likely the bids were."""

    numbers: Array
    weights: Array
    candidates: int
    likelihood: WeightedEstimate


def make_situation(
    hand: Any, seat: Any, bids: Sequence[int], rules: BigThreeRules, heart: str | None, slip: Any
) -> Situation:
    """Check what is known and return it.

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed.
    """
    texts = _check_hand(hand, rules)
    made = _check_bids(bids, rules.players)
    position = _check_position(seat, made, texts, rules)
    if isinstance(slip, bool) or not isinstance(slip, (int, float)) or not 0 <= slip < 1:
        raise ValueError(f"slip={slip!r} must be at least 0 and below 1")
    high = max(made, default=0)
    must = position == 0 and not made
    options = tuple(b for b in range(1 if must else 0, 4) if b == 0 or b > high)
    number = _check_heart(heart, texts, position, rules)
    return Situation(texts, position, made, options, number, float(slip), rules)


def _check_hand(hand: Any, rules: BigThreeRules) -> tuple[str, ...]:
    encoded = np.zeros(1, RULES)
    encode(rules, encoded[0])
    size = int(encoded["hand_size"][0])
    make_scenario(rules, hands={0: hand})  # which names a card that is none, is there twice, or not in the deck
    numbers = card_numbers(hand)
    if len(numbers) != size:
        other = " (16 cards for three players; 13 with players=4 or short_deck)" if len(numbers) in (13, 16) else ""
        raise ValueError(f"hand: {len(numbers)} cards were given; a hand has {size} under these rules{other}")
    return tuple(card_texts(numbers))


def _check_bids(bids: Any, players: int) -> tuple[int, ...]:
    """Check that these bids can have been made, and that the auction goes on."""
    if isinstance(bids, (str, bytes)) or not isinstance(bids, Sequence):
        raise TypeError(f"bids must be a sequence of numbers 0 to 3 such as (1, 0), not {bids!r}")
    high = passes = 0
    made = tuple(check_count(f"bids[{i}]", b, 0, 3) for i, b in enumerate(bids))
    for i, b in enumerate(made):
        if high == 3 or passes == players - 1:
            raise ValueError(f"bids={list(made)}: the auction was over before bid {i + 1}")
        if b == 0 and i == 0:
            raise ValueError(f"bids={list(made)}: the first bidder must bid at least 1")
        if 0 < b <= high:
            raise ValueError(f"bids={list(made)}: bid {i + 1} is not higher than {high}")
        passes = passes + 1 if b == 0 else 0
        high = max(high, b)
    if high == 3 or passes == players - 1:
        raise ValueError(f"bids={list(made)}: the auction is over, there is nothing left to bid")
    return made


def _check_position(seat: Any, bids: tuple[int, ...], texts: tuple[str, ...], rules: BigThreeRules) -> int | None:
    """Return the place in the order of bidding, and check that it goes with the hand and the bids."""
    turn = len(bids) % rules.players
    holds_four = "4h" in texts
    if seat is None:
        position = turn if bids else (0 if holds_four else None)
    else:
        position = check_count("seat", seat, 0, rules.players - 1)
        if bids and position != turn:
            raise ValueError(f"seat={seat}: after {len(bids)} bids it is the turn of seat {turn} (0 bid first)")
    if position not in (0, None) and holds_four:
        raise ValueError(f"seat={position}: a hand with the 4 of hearts bids first, that is at seat 0")
    if position == 0:
        _check_first(texts, rules)
    return position


def _check_first(texts: tuple[str, ...], rules: BigThreeRules) -> None:
    """A hand bids first only when the widow can hold all lower hearts."""
    heart = _lowest_heart(texts, rules)
    room = 4 if rules.players == 3 else 0
    if heart < 0 or len(_hearts_before(heart, rules)) > room:
        has = f"its lowest heart is {card_text(heart)}" if heart >= 0 else "it has no heart"
        raise ValueError(f"seat=0: this hand cannot bid first: {has}, and the widow has room for {room} lower ones")


def _check_heart(heart: Any, texts: tuple[str, ...], position: int | None, rules: BigThreeRules) -> int:
    if heart is None:
        return -1
    number = card_number(heart)
    if number not in _order(rules):
        raise ValueError(f"heart={heart!r} must be a heart of the deck")
    if position in (0, None):
        raise ValueError(f"heart={heart!r}: needs a seat other than 0 (or bids), since it is another seat's card")
    before = _hearts_before(number, rules)
    if card_text(number) in texts or any(card_text(n) in texts for n in before):
        raise ValueError(f"heart={heart!r}: this hand itself has that heart or a lower one")
    if len(before) > (4 if rules.players == 3 else 0):
        raise ValueError(f"heart={heart!r}: the widow has no room for {len(before)} lower hearts")
    return number


def _order(rules: BigThreeRules) -> list[int]:
    """Hearts of the deck in the order in which they bid first."""
    ranks = _HEARTS[rules.rank_order == "western"]
    return [card_number(r + "h") for r in ranks if not (rules.short_deck and r in "A2")]


def _hearts_before(heart: int, rules: BigThreeRules) -> list[int]:
    order = _order(rules)
    return order[: order.index(heart)]


def _lowest_heart(texts: Sequence[str], rules: BigThreeRules) -> int:
    return next((n for n in _order(rules) if card_text(n) in texts), -1)


def draw(work: Work, situation: Situation, n: int) -> Drawn:
    """Draw n deals that agree with a situation, weighed by how likely the bids were.

    Deals 0, 1, 2 … of the seed are weighed in blocks. A deal of weight w is kept with probability min(1, w/c), where c
    is the greatest weight of the first block that has any, and then weighs max(w, c): right on average, and nearly
    all that are played count alike.
    """
    table = table_of(work)
    bids = np.array(situation.bids, np.int64)
    numbers, kept, every = [], [], []
    top, have, first = 0.0, 0, 0
    while have < n and first < MOST:
        size = min(BLOCK, MOST - first)
        weights = np.zeros(size)
        guarded(table, kernels.weigh, first, situation.first_seat, 0, bids, situation.slip, weights)
        top = top or max(0.0, float(weights.max()))
        if top > 0:
            chance = np.random.default_rng([work.seed, first]).random(size)
            chosen = np.flatnonzero(chance * top < weights)[: n - have]
            # What lies behind the last deal that is needed was not looked at.
            seen = int(chosen[-1]) + 1 if have + len(chosen) == n else size
            numbers.append(first + chosen)
            kept.append(np.maximum(weights[chosen], top) / top)
            every.append(weights[:seen])
            have += len(chosen)
        else:
            every.append(weights)
        first += size
    looked = np.concatenate(every)
    if have < 2:
        raise ValueError(
            f"bids={list(situation.bids)}: in {len(looked):,} redealt hands the others' policies did not bid so; "
            "another policy for others, or a higher slip, may"
        )
    placed = looked[looked >= 0]  # where the right seat bids first
    likelihood = weighted_mean(placed, np.ones(len(placed)))
    return Drawn(np.concatenate(numbers).astype(np.int64), np.concatenate(kept), len(looked), likelihood)
