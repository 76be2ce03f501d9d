"""Three-Thirteen, slow reference implementation in plain Python: everything it offers.

Written directly from rules/three_thirteen.md (and the German source, which decides wherever it
speaks), clear rather than fast. It imports nothing from the library it checks.
"""

import json

from .three_thirteen_audit import audit
from .three_thirteen_game import Game, result_of
from .three_thirteen_melds import (
    best_arrangement,
    best_arrangement_with_layoff,
    brute_best,
    brute_min_penalty,
    can_go_out,
    is_meld,
    meld_kinds,
    min_penalty,
    min_penalty_with_layoff,
)
from .three_thirteen_rules import (
    CONTRACT,
    DEFAULTS,
    complete,
    nonsensical,
    pack,
    pattern_for,
    schedule,
)

__all__ = [
    "CONTRACT",
    "DEFAULTS",
    "Game",
    "audit",
    "best_arrangement",
    "best_arrangement_with_layoff",
    "brute_best",
    "brute_min_penalty",
    "can_go_out",
    "is_meld",
    "meld_kinds",
    "min_penalty",
    "min_penalty_with_layoff",
    "nonsensical",
    "pack",
    "pattern_for",
    "play",
    "random_record",
    "random_rounds",
    "result_of",
    "schedule",
]


def random_rounds(rules, rng):
    """A random deal for every round: [{"dealer", "hands", "upcard", "stock"}, ...]."""
    rules = complete(rules)
    players, first = rules["players"], rules["first_dealer"]
    dealer = rng.randrange(players) if first == "random" else first
    rounds = []
    for size, _ in schedule(rules):
        cards = pack(rules)
        rng.shuffle(cards)
        hands = [[cards.pop() for _ in range(size)] for _ in range(players)]
        rounds.append({"dealer": dealer, "hands": hands, "upcard": cards.pop(), "stock": cards})
        dealer = (dealer + 1) % players
    return rounds


def play(rules, rng, choose):
    """Play a random deal to its end with `choose(game, legal moves)`; returns the game."""

    def shuffle(cards, _round_index, _reshuffle_number):
        rng.shuffle(cards)
        return cards

    game = Game(rules, random_rounds(rules, rng), shuffle)
    while game.phase != "over":
        move = choose(game, game.legal())
        if game.phase == "draw":
            game.draw(move)
        else:
            game.discard(*move)
    return game


def record_of(game, policies, seed=0, index=0):
    """A finished game's record, as it is after a trip through JSON."""
    record = {
        "format": "simlib-record/1",
        "game": "three_thirteen",
        "rules": game.rules,
        "seed": seed,
        "index": index,
        "policies": policies,
        "rounds": game.rounds,
        "result": game.result(),
    }
    return json.loads(json.dumps(record))


def random_record(rules, rng, go_out_when_possible=True):
    """The record of a game of random legal moves."""

    def choose(_game, moves):
        ways_out = [move for move in moves if move[1] is True]
        return rng.choice(ways_out if ways_out and go_out_when_possible else moves)

    game = play(rules, rng, choose)
    return record_of(game, ["random"] * game.players)
