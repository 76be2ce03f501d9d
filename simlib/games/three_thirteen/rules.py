"""The rule options of Three-Thirteen, and their numbers for the kernels."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from simlib.game import Rules
from simlib.games.three_thirteen.rules_record import RULES

SCHEDULES = {
    "standard": tuple(range(3, 14)),
    "six_fourteen": tuple(range(6, 15)),
    "short": tuple(range(5, 13)),
}
#: The shipped contract: hand size -> (sets, runs), patterns that a hand of that size can hold.
CONTRACT = {n: (1, 0) if n < 6 else (1, 1) if n < 9 else (2, 1) if n < 12 else (2, 2) for n in range(3, 15)}
NO_LIMIT = 99
ACES = ("low", "high_low", "wrap")


def wild_rank(hand_size: int) -> int:
    """Return the wild rank (0: ace … 12: king) of the round with this hand size; with 14 cards it is the ace."""
    return (hand_size - 1) % 13


def _contract_keys(value: Any) -> Any:
    """JSON and the command line give hand sizes as text."""
    if isinstance(value, dict):
        return {int(k) if isinstance(k, str) and k.isdecimal() else k: v for k, v in value.items()}
    return value


Pattern = tuple[Annotated[int, Field(ge=0, le=4)], Annotated[int, Field(ge=0, le=4)]]
Contract = Annotated[dict[Annotated[int, Field(ge=3, le=14)], Pattern], BeforeValidator(_contract_keys)]


class ThreeThirteenRules(Rules):
    """Options of Three-Thirteen. See RULES.md in this package for what each one means."""

    game: ClassVar[str] = "three_thirteen"
    technical: ClassVar[tuple[str, ...]] = ("aligned_stock",)

    players: Annotated[int, Field(ge=2, le=8)] = 4
    decks: Literal["auto"] | Annotated[int, Field(ge=1, le=4)] = "auto"
    schedule: Literal["standard", "six_fourteen", "short"] = "standard"
    wild_penalty: Annotated[int, Field(ge=0, le=100)] = 15
    max_wilds_per_meld: Annotated[int, Field(ge=0, le=15)] | None = None
    jokers: Annotated[int, Field(ge=0, le=4)] = 0
    joker_penalty: Annotated[int, Field(ge=0, le=100)] = 20
    lay_off: bool = False
    contract: Literal["default"] | Contract | None = None
    double_last_round: bool = False
    aces: Literal["low", "high_low", "wrap"] = "low"
    may_return_discard: bool = True
    max_turns: Annotated[int, Field(ge=1, le=1000)] = 100
    first_dealer: Literal["random"] | Annotated[int, Field(ge=0, le=7)] = "random"
    aligned_stock: bool = True

    @model_validator(mode="after")
    def _consistent(self) -> ThreeThirteenRules:
        sizes = SCHEDULES[self.schedule]
        if isinstance(self.first_dealer, int) and self.first_dealer >= self.players:
            raise ValueError(
                f"first_dealer={self.first_dealer} is no seat of {self.players} players (0 to {self.players - 1})"
            )
        needed = self.players * max(sizes) + 1
        if pack_size(self) < needed:
            raise ValueError(
                f"decks={self.decks} gives {pack_size(self)} cards; "
                f"{self.players} hands of {max(sizes)} and an upcard need {needed}"
            )
        if isinstance(self.contract, dict):
            self._check_contract(self.contract, sizes)
        return self

    @staticmethod
    def _check_contract(contract: dict[int, tuple[int, int]], sizes: tuple[int, ...]) -> None:
        for size, (sets, runs) in contract.items():
            if 3 * (sets + runs) > size:
                raise ValueError(f"contract[{size}]={(sets, runs)}: {size} cards cannot hold {sets + runs} melds")
        missing = [size for size in sizes if size not in contract]
        if missing:
            raise ValueError(f"contract has no pattern for hands of {missing[0]} cards; the schedule deals {sizes}")


def deck_count(rules: ThreeThirteenRules) -> int:
    """Return the number of decks: two up to six players, three with seven or eight, unless a number is given."""
    if isinstance(rules.decks, int):
        return rules.decks
    return 2 if rules.players <= 6 else 3


def pack_size(rules: ThreeThirteenRules) -> int:
    """Return the number of cards of the pack, printed jokers included."""
    return deck_count(rules) * (52 + rules.jokers)


def contract_table(rules: ThreeThirteenRules) -> dict[int, tuple[int, int]]:
    """Return {hand size: (sets, runs)}; empty without a contract."""
    if rules.contract is None:
        return {}
    return dict(CONTRACT) if rules.contract == "default" else dict(rules.contract)


def encode(rules: ThreeThirteenRules, out: Any) -> None:
    """Write the options as numbers into a RULES record."""
    from simlib.games.three_thirteen.searches import addresses

    sizes = SCHEDULES[rules.schedule]
    contract = contract_table(rules)
    for name, address in addresses().items():
        out[name] = address
    out["fast"] = rules.max_wilds_per_meld is None and rules.contract is None and rules.aces == "low"
    out["players"] = rules.players
    out["decks"] = deck_count(rules)
    out["jokers"] = deck_count(rules) * rules.jokers
    out["rounds"] = len(sizes)
    out["max_wilds"] = NO_LIMIT if rules.max_wilds_per_meld is None else rules.max_wilds_per_meld
    out["lay_off"] = rules.lay_off
    out["double_last"] = rules.double_last_round
    out["aces"] = ACES.index(rules.aces)
    out["may_return"] = rules.may_return_discard
    out["first_dealer"] = -1 if rules.first_dealer == "random" else rules.first_dealer
    out["aligned"] = rules.aligned_stock
    out["wild_penalty"] = rules.wild_penalty
    out["joker_penalty"] = rules.joker_penalty
    out["max_turns"] = rules.max_turns
    out["cards"] = pack_size(rules)
    out["hand_size"] = list(sizes) + [0] * (11 - len(sizes))
    for size in range(16):
        out["sets"][size], out["runs"][size] = contract.get(size, (0, 0))


__all__ = ["RULES", "ThreeThirteenRules", "contract_table", "deck_count", "encode", "pack_size", "wild_rank"]
