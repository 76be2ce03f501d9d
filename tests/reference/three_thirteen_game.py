"""Three-Thirteen, slow reference: one whole game, move by move.

Written from rules/three_thirteen.md; events are those of game-records.md.
"""

from collections import Counter

from .three_thirteen_melds import (
    best_arrangement_with_layoff,
    can_go_out,
    in_order,
    total_penalty,
)
from .three_thirteen_rules import complete, nonsensical, pack, schedule


def documented_arrangement(game, seat, hand, table, everything):
    """(melds, unmelded, laid_off) as the documented tie-break chooses them."""
    _, wild = game.schedule[game.round_index]
    melds = [meld["cards"] for meld in table]
    found = best_arrangement_with_layoff(hand, melds, wild, game.rules, everything)
    laid_off = [{"card": card, "to_seat": table[i]["seat"], "to_meld": table[i]["meld"]} for card, i in found[2]]
    return found[0], found[1], laid_off


class Game:
    """A game of Three-Thirteen.

    `rounds_source` is a list of {"dealer", "hands", "upcard", "stock"}, one a round, or a function
    from the number of the round (0-based) to it. `shuffle(cards, round_index, reshuffle_number)`
    returns the new stock, next card first; it is asked only when the stock runs out.
    `arrange(game, seat, hand, table, everything)` chooses how a hand is laid when it counts.

    `rounds` are the rounds so far in record format, the last one perhaps unfinished.
    """

    def __init__(self, rules, rounds_source, shuffle=None, arrange=documented_arrangement):
        reason = nonsensical(rules)
        if reason:
            raise ValueError(reason)
        self.rules = complete(rules)
        self.players = self.rules["players"]
        self.schedule = schedule(self.rules)
        self._source = rounds_source if callable(rounds_source) else rounds_source.__getitem__
        self._shuffle, self._arrange = shuffle, arrange
        self.rounds = []
        self._start_round()

    @property
    def round_index(self):
        """The number of the current round, 0-based."""
        return len(self.rounds) - 1

    def _start_round(self):
        """Deal, turn up a card; the player left of the dealer starts."""
        size, wild = self.schedule[len(self.rounds)]
        deal = self._source(len(self.rounds))
        self._check_deal(deal, size)
        self.hands = [list(hand) for hand in deal["hands"]]
        self.stock = list(deal["stock"])
        self.pile = [deal["upcard"]]  # the last one is on top
        self.table = []  # {"seat", "meld", "cards"} with all that was laid off, in the order laid
        self.reshuffles = 0
        self.turns = 0  # turns with nobody out
        self.taken = None  # the card taken from the pile in this turn
        self.out = None
        self.to_act = (deal["dealer"] + 1) % self.players
        self.phase = "draw"
        self.rounds.append({
            "hand_size": size, "wild": wild, "dealer": deal["dealer"],
            "hands": [list(hand) for hand in deal["hands"]],
            "upcard": deal["upcard"], "stock": list(deal["stock"]), "events": [],
            "melds": [[] for _ in self.hands], "unmelded": [[] for _ in self.hands],
            "laid_off": [[] for _ in self.hands], "penalties": [0 for _ in self.hands],
            "out": None, "stalled": False,
        })  # fmt: skip

    def _check_deal(self, deal, size):
        """Refuse a deal that is not one of this game's."""
        dealer, first = deal["dealer"], self.rules["first_dealer"]
        if not 0 <= dealer < self.players:
            raise ValueError(f"the dealer, {dealer}, is not a seat")
        if self.rounds and dealer != (self.rounds[-1]["dealer"] + 1) % self.players:
            raise ValueError("the deal has not moved on by one seat")
        if not self.rounds and first not in ("random", dealer):
            raise ValueError(f"the first dealer is seat {dealer}, not {first}")
        if [len(hand) for hand in deal["hands"]] != [size] * self.players:
            raise ValueError(f"not every player has {size} cards")
        dealt = sum(deal["hands"], []) + [deal["upcard"]] + list(deal["stock"])
        if Counter(dealt) != Counter(pack(self.rules)):
            raise ValueError("hands, upcard and stock are not the pack")

    def legal(self):
        """The places to draw from, or the (card, out) pairs to discard."""
        if self.phase == "draw":
            # The pile always holds a card when a turn begins.
            can_draw_stock = self.stock or len(self.pile) > 1
            return (["stock"] if can_draw_stock else []) + ["discard"]
        if self.phase == "over":
            return []
        cards = [card for card in in_order(set(self.hand)) if not self._is_forbidden(card)]
        out = set() if self.out is not None else set(self._ways_out())
        return [(card, way) for card in cards for way in (False, True) if not way or card in out]

    @property
    def hand(self):
        """The hand of the player to act."""
        return self.hands[self.to_act]

    def _is_forbidden(self, card):
        """May the card not be discarded because it was just taken from the pile?

        In a hand of nothing but such cards the prohibition lapses: one card must be discarded.
        """
        return not self.rules["may_return_discard"] and card == self.taken and any(other != card for other in self.hand)

    def _ways_out(self):
        """The discards with which the player to act lays all other cards."""
        return can_go_out(self.hand, self.rounds[-1]["wild"], self.rules)

    def draw(self, source):
        """Draw from the "stock" or the "discard" pile; returns the events."""
        if self.phase != "draw":
            raise ValueError(f"no draw in the phase {self.phase!r}")
        if source not in ("stock", "discard"):
            raise ValueError(f"nothing to draw from called {source!r}")
        events = []
        if source == "discard":
            card = self.taken = self.pile.pop()
        else:
            if not self.stock:
                events.append({"reshuffle": self._reshuffle()})
            card = self.stock.pop(0)
        self.hand.append(card)
        events.append({"seat": self.to_act, "draw": source, "card": card})
        self.phase = "discard"
        self.rounds[-1]["events"] += events
        return events

    def _reshuffle(self):
        """The discard pile except its top card becomes the new stock."""
        if len(self.pile) == 1:
            raise ValueError("the stock is empty and there is nothing to shuffle: take the upcard")
        if self._shuffle is None:
            raise ValueError("the stock is empty and nobody shuffles")
        old = self.pile[:-1]
        new = list(self._shuffle(list(old), self.round_index, self.reshuffles))
        if Counter(new) != Counter(old):
            raise ValueError("the new stock is not the discard pile without its top card")
        self.reshuffles += 1
        self.stock, self.pile = new, self.pile[-1:]
        return list(new)

    def discard(self, card, out=False):
        """Discard a card, going out with it or not; returns the events."""
        if self.phase != "discard":
            raise ValueError(f"no discard in the phase {self.phase!r}")
        if card not in self.hand:
            raise ValueError(f"{card} is not in the hand")
        if self._is_forbidden(card):
            raise ValueError(f"{card} was just taken from the discard pile")
        if out and self.out is not None:
            raise ValueError("nobody else can go out in a last turn")
        if out and card not in self._ways_out():
            raise ValueError("not all other cards can be laid")
        events = [{"seat": self.to_act, "discard": card, "out": bool(out)}]
        self.hand.remove(card)
        self.pile.append(card)
        self.taken = None
        self.rounds[-1]["events"] += events
        self._after_turn(out)
        return events

    def _after_turn(self, out):
        """Lay what is to be laid; pass the turn on, or end the round."""
        seat = self.to_act
        if out:
            self.out = self.rounds[-1]["out"] = seat
            self._count(seat, everything=True)
        elif self.out is not None:
            self._count(seat)
        else:
            self.turns += 1
        self.to_act, self.phase = (seat + 1) % self.players, "draw"
        if self.out is None and self.turns == self.players * self.rules["max_turns"]:
            self.rounds[-1]["stalled"] = True
            for other in range(self.players):
                self._count(other)
            self._end_round()
        elif self.to_act == self.out:  # every other player has had the last turn
            self._end_round()

    def _count(self, seat, everything=False):
        """Arrange a hand as it now is and write down what it costs."""
        record, hand = self.rounds[-1], self.hands[seat]
        table = self.table if self.rules["lay_off"] else []
        melds, unmelded, laid_off = self._arrange(self, seat, list(hand), table, everything)
        for lay in laid_off:
            place = (lay["to_seat"], lay["to_meld"])
            meld = next(meld for meld in table if (meld["seat"], meld["meld"]) == place)
            meld["cards"].append(lay["card"])
        if not record["stalled"]:  # after a stalled round nobody lays off
            self.table += [{"seat": seat, "meld": i, "cards": list(meld)} for i, meld in enumerate(melds)]
        last = len(self.rounds) == len(self.schedule)
        factor = 2 if last and self.rules["double_last_round"] else 1
        record["melds"][seat] = [list(meld) for meld in melds]
        record["unmelded"][seat] = list(unmelded)
        record["laid_off"][seat] = list(laid_off)
        # Going out leaves nothing unmelded, so it scores 0 without a rule of its own.
        record["penalties"][seat] = factor * total_penalty(unmelded, record["wild"], self.rules)

    def _end_round(self):
        """Start the next round, or end the game."""
        if len(self.rounds) < len(self.schedule):
            self._start_round()
        else:
            self.phase, self.to_act = "over", None

    def result(self):
        """The game's result in record format: lowest total, then most zero rounds, then shared."""
        if self.phase != "over":
            raise ValueError("the game is not over")
        return result_of([record["penalties"] for record in self.rounds])


def result_of(penalties):
    """The result of a game with these penalties, one list a round."""
    totals = [sum(seat) for seat in zip(*penalties, strict=True)]
    zero_rounds = [seat.count(0) for seat in zip(*penalties, strict=True)]
    places = list(zip(totals, [-zeros for zeros in zero_rounds], strict=True))
    winners = [place == min(places) for place in places]
    shares = [1 / sum(winners) if winner else 0.0 for winner in winners]
    return {"totals": totals, "zero_rounds": zero_rounds, "win_share": shares}
