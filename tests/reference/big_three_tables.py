"""Small deals and positions of Big Three for tests, and moves written short."""

import random

from .big_three import Game, deck, hand_size, widow_size
from .big_three_audit import random_deal

A, B, C, D = 0, 1, 2, 3
FOUR = {"players": 4}


def deal_with(rules, *hands, widow=""):
    """A deal in which the seats (and the widow) hold at least these cards, the rest dealt out in deck order."""
    hands = [h.split() for h in hands] + [[] for _ in range(rules.get("players", 3) - len(hands))]
    widow = widow.split()
    rest = [c for c in deck(rules) if c not in widow and not any(c in h for h in hands)][::-1]
    for part, size in [*((h, hand_size(rules)) for h in hands), (widow, widow_size(rules))]:
        part += [rest.pop() for _ in range(size - len(part))]
    return {"hands": hands, "widow": widow}


def table(*hands, rules=None, declarer=A, bid=1, leader=A, called=None):
    """A game in its play phase in which the seats hold just these cards."""
    rules = rules or {}
    game = Game(rules, random_deal(rules, random.Random(0)))
    game.hands = [hand.split() for hand in hands]
    game.phase, game.to_act, game.first_bidder = "play", leader, leader
    game.declarer, game.high_bid, game.called = declarer, bid, called
    if called:
        game.partner = next(s for s, hand in enumerate(game.hands) if called in hand)
    return game


def run(game, moves):
    """Bids (numbers), plays (cards apart by spaces) and passes ("-") in turn."""
    for move in moves:
        if isinstance(move, int):
            game.bid(move)
        elif move == "-":
            game.pass_()
        else:
            game.play(move.split())
    return game
