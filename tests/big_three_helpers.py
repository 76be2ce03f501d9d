"""Positions of Big Three through the kernels, and their translation to and from the slow reference."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))  # so that any way of starting pytest finds the reference

from simlib.cards import card_number, card_numbers, card_text
from simlib.games.big_three import GAME
from simlib.games.big_three.combos import BID, CALL, N_ALL, NAMED, PASS, combination_of, ranks_of
from simlib.rng import STREAM


def mask(cards):
    """Set of cards (bit n for card n) from text or a list of texts."""
    return sum(1 << n for n in card_numbers(cards))


def encode(**options):
    """RULES record of these options."""
    return GAME.encode(GAME.rules.make(**options))[0]


def stream(seed, number=0, game=0):
    from simlib.rng import seek

    rng = np.zeros(1, STREAM)[0]
    seek(rng, seed, number, game)
    return rng


def scenario(hands=(), widow="", **fields):
    """SCENARIO record: hands as texts by seat; seats and cards of `fields` as the record stores them."""
    out = np.zeros(1, GAME.SCENARIO)[0]
    for seat, hand in enumerate(hands):
        out["hands"][seat] = mask(hand)
    out["widow"] = mask(widow)
    for name, value in fields.items():
        out[name] = value
    return out


class Table:
    """One deal played through the kernels."""

    def __init__(self, options=None, hands=(), widow="", seed=1, **fields):
        self.options = options or {}
        self.rules = encode(**self.options)
        self.players = int(self.rules["players"])
        self.western = bool(self.rules["western"])
        self.array = np.zeros(1, GAME.STATE)
        self.state = self.array[0]
        self.to_act = GAME.deal(self.state, self.rules, scenario(hands, widow, **fields), stream(seed))

    def view(self, seat=None):
        out = np.zeros(1, GAME.VIEW)[0]
        GAME.observe(self.state, self.to_act if seat is None else seat, out)
        return out

    def legal(self):
        out = np.zeros(GAME.n_actions, np.int64)
        n = GAME.legal(self.view(), out)
        return out[:n].tolist()

    def step(self, *actions):
        for action in actions:
            assert GAME.is_legal(self.state, action) == 1, (action, self.legal())
            self.to_act = GAME.step(self.state, action)
        return self

    def bids(self, *bids):
        return self.step(*(BID + b for b in bids))

    def plays(self, *moves):
        """Combinations as text such as "6 7 8", "K K"; "-" is a pass; "8+" plays the named card by choice."""
        return self.step(*(self.action(move) for move in moves))

    def action(self, move):
        if move == "-":
            return PASS
        cards = move.rstrip("+").split()
        ranks = "".join(dict.fromkeys(cards))
        number = combination_of(len(cards) // len(ranks), ranks, self.western)
        return number + NAMED if move.endswith("+") else number

    def set_hands(self, *hands):
        """Leave the seats just these cards (the deal must be in its play phase)."""
        from simlib.games.big_three.combos import word_of

        for seat, hand in enumerate(hands):
            self.state["hand"][seat] = word_of(mask(hand), self.western)
            self.state["table"]["hand_n"][seat] = len(hand.split())
        return self

    def result(self):
        out = np.zeros(1, GAME.RESULT)[0]
        GAME.result(self.state, out)
        return out


def from_reference(move, phase, western, called=None):
    """Action number of a move of the reference's `legal()`, without the choice of the named card's holder."""
    if phase == "auction":
        return BID + move
    if phase == "call":
        return CALL + card_number(move)
    if move == "pass":
        return PASS
    from reference.big_three_cards import span

    return combination_of(move[0], span(move), western)


def reference_actions(game):
    """Action of each of the reference's legal moves, as a dictionary {action: move}."""
    western = game.rules["rank_order"] == "western"
    moves = game.legal()
    out = {}
    for move in moves:
        action = from_reference(move, game.phase, western)
        if game.phase == "play" and move != "pass" and len(move) == 4 and move[3] and (*move[:3], False) in moves:
            action += NAMED
        out[action] = move
    return out


def text(cards):
    """Texts of a set of cards."""
    return [card_text(n) for n in range(52) if int(cards) >> n & 1]


__all__ = ["N_ALL", "Table", "encode", "mask", "ranks_of", "reference_actions", "scenario", "stream", "text"]
