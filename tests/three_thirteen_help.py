"""What the tests of Three-Thirteen share: variants, random hands, games played through the compiled loop."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np

from simlib.cards import card_text
from simlib.engine import Table, make_work
from simlib.games.three_thirteen import GAME
from simlib.games.three_thirteen.best import words_of
from simlib.games.three_thirteen.rules import RULES, ThreeThirteenRules, encode
from simlib.records import record_game, trace
from simlib.rng import STREAM, seek

RANK_TEXT = "A23456789TJQK"

#: Rules of melds: every option alone, and together.
MELD_VARIANTS: list[dict[str, Any]] = [
    {},
    {"decks": 1},
    {"decks": 3},
    {"decks": 4, "wild_penalty": 0},
    {"jokers": 2},
    {"jokers": 4, "joker_penalty": 3},
    {"wild_penalty": 5},
    {"max_wilds_per_meld": 0},
    {"max_wilds_per_meld": 1},
    {"max_wilds_per_meld": 2, "aces": "wrap"},
    {"max_wilds_per_meld": 3, "jokers": 2},
    {"aces": "high_low"},
    {"aces": "wrap"},
    {"contract": "default"},
    {"contract": "default", "jokers": 2, "aces": "high_low"},
    {"contract": "default", "max_wilds_per_meld": 1, "decks": 3},
]
#: Whole games: every option, every number of players.
GAME_VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 2},
    {"players": 3, "jokers": 2},
    {"players": 5, "aces": "wrap"},
    {"players": 6, "schedule": "six_fourteen"},
    {"players": 7},
    {"players": 8, "jokers": 2, "schedule": "short"},
    {"lay_off": True},
    {"lay_off": True, "jokers": 2, "players": 3, "contract": "default"},
    {"contract": "default"},
    {"max_wilds_per_meld": 1, "lay_off": True},
    {"aces": "high_low", "double_last_round": True},
    {"may_return_discard": False, "players": 2},
    {"players": 2, "decks": 1, "wild_penalty": 0, "max_turns": 30},
    {"players": 6, "max_turns": 6, "lay_off": True},
    {"players": 3, "decks": 1, "max_turns": 50, "aligned_stock": False},
    {"players": 3, "decks": 1, "max_turns": 50},
]


def encoded(**options: Any) -> tuple[ThreeThirteenRules, Any, dict[str, Any]]:
    """Return options as rules, as an array of one RULES record, and as the reference takes them."""
    options = dict(options)
    if options.get("decks") == 1:
        options.setdefault("players", 2)
    rules = ThreeThirteenRules.make(**options)
    out = np.zeros(1, RULES)
    encode(rules, out[0])
    out["digest"] = rules.digest
    plain = rules.options()
    plain.pop("aligned_stock")
    return rules, out, plain


def pack_of(record_: Any) -> list[int]:
    """Return all cards of the pack as numbers."""
    return list(range(52)) * int(record_[0]["decks"]) + [52] * int(record_[0]["jokers"])


def random_hand(rng: random.Random, pack: list[int], wild: int, size: int, close: bool) -> list[int]:
    """Return a random hand; a close one comes from five neighbouring ranks and the wild one, so that much can
    be melded.
    """
    if close:
        low = rng.randrange(9)
        ranks = {*range(low, low + 5), wild}
        pack = [card for card in pack if card == 52 or card % 13 in ranks]
    return rng.sample(pack, min(size, len(pack)))


def words(cards: list[int]) -> list[Any]:
    """Return the arguments h0, h1, h2, h3, jokers of the kernels."""
    four, jokers = words_of(cards)
    return [*four, jokers]


def without(cards: list[int], card: int) -> list[int]:
    """Return the cards without one `card`."""
    rest = list(cards)
    rest.remove(card)
    return rest


def texts(cards: list[int]) -> list[str]:
    """Return cards as text."""
    return [card_text(card) for card in cards]


class Player:
    """Plays games of one line-up through the compiled loop."""

    def __init__(self, policies: list[str], seed: int = 5, **options: Any) -> None:
        self.rules, self.record, self.plain = encoded(players=len(policies), **options)
        self.seed, self.work = seed, make_work(GAME, policies, seed, rules=self.rules)
        self.line, self.state, self.views = Table(self.work, range(len(policies))), *self._space()
        self.scenario, self.rng = self.line.scenario, np.zeros(1, STREAM)

    @staticmethod
    def _space() -> tuple[Any, Any]:
        return np.zeros(1, GAME.STATE), np.zeros(8, GAME.VIEW)

    def actions(self, game: int) -> list[int]:
        """Play a game; return its actions, and leave the state just after the deal."""
        _, actions = trace(self.line, game)
        self.deal(game)
        return actions

    def deal(self, game: int) -> int:
        """Deal a game; return the seat to act."""
        seek(self.rng[0], self.seed, 0, game)
        return int(GAME.deal(self.state[0], self.record[0], self.scenario[0], self.rng[0]))

    def game_record(self, game: int) -> dict[str, Any]:
        """Return the whole record of a game, as it is after a trip through JSON."""
        return json.loads(json.dumps(record_game(self.work, game)))
