"""Big Three in plain Python, written straight from the rule text: slow, and independent of the library.

The game and what a seat may know of it; cards and combinations are in big_three_cards.py (all names here too),
audit and random play in big_three_audit.py. Seats count from 0 in playing order.
"""

from copy import deepcopy

from .big_three_cards import (  # noqa: F401 (some are only passed on)
    CALLABLE,
    DEFAULTS,
    ORDER,
    STRAIGHT,
    SUITS,
    beats,
    brute_force_combinations,
    classify,
    combinations,
    deal_problems,
    deck,
    enumerated_combinations,
    first_bidder,
    full_rules,
    hand_size,
    is_int,
    min_turns,
    must_bid_three,
    nonsensical,
    rule_problems,
    span,
    widow_size,
)


class Game:
    """One deal, from the first bid to the settlement; every move returns its event in record form.

    `legal()` lists what the seat to act may do:

    - auction: bids, 0 being a pass; a forced bid is the list [3]
    - call: the cards that may be named
    - play: combinations (m, length, top), then "pass" when it is allowed. For a seat that holds the named card (four
      players, the card not played yet) each is (m, length, top, named): whether it contains the named card. Both
      forms are listed where the holder has a choice.
    """

    def __init__(self, rules, deal):
        self.rules = full_rules(rules)
        problems = deal_problems(self.rules, deal)
        if problems:
            raise ValueError("; ".join(problems))
        self.players = self.rules["players"]
        self.hands = [list(hand) for hand in deal["hands"]]
        self.widow = list(deal["widow"])
        self.first_bidder, self.opening_heart = first_bidder(self.rules, self.hands)
        self.phase, self.to_act = "auction", self.first_bidder
        self.events = []
        self.high_bid, self.high_bidder = 0, None
        self.declarer, self.forced = None, False
        self.called, self.partner, self.named_played = None, None, False
        self.last, self.last_player = None, None  # the combination to beat and who played it
        self.passes = 0  # passes in a row, in the auction and in a trick
        self.bombs = 0
        self.first_out = None

    # ------------------------------------------------------------------------------------------------ legal moves

    def legal(self):
        """Everything the seat to act may do, in the form the class describes."""
        if self.phase == "auction":
            return self._legal_bids()
        if self.phase == "call":
            cards = [rank + suit for rank in CALLABLE for suit in SUITS]
            return [card for card in cards if card not in self.hands[self.declarer]]
        if self.phase == "play":
            return self._legal_plays()
        return []

    def _forced_now(self):
        return self.rules["forced_bid"] and must_bid_three(self.hands[self.to_act])

    def _legal_bids(self):
        if self._forced_now():
            return [3]
        higher = [b for b in (1, 2, 3) if b > self.high_bid]
        return higher if self.high_bid == 0 else [0, *higher]  # nobody has bid: only the first bidder's first turn

    def _legal_plays(self):
        hand = self.hands[self.to_act]
        moves = []
        for c in combinations(hand, self.rules):
            if self.last is not None and not beats(c, self.last, self.rules):
                continue
            if self.called in hand:
                moves += [(*c, named) for named in self._named_choices(hand, c)]
            else:
                moves.append(c)
        return moves if self.last is None else [*moves, "pass"]

    def _named_choices(self, hand, combination):
        """Whether a combination of the named card's holder may do without the card, contain it, or both."""
        rank = self.called[0]
        if rank not in span(combination):
            return [False]
        holds = sum(card[0] == rank for card in hand)
        return [True] if holds == combination[0] else [False, True]

    def cards_for(self, move):
        """Cards of the seat to act that make a move of `legal()`; suits are taken in the order c, d, h, s."""
        cards = []
        for rank in span(move):
            held = [rank + suit for suit in SUITS if rank + suit in self.hands[self.to_act]]
            if len(move) == 4 and self.called in held:
                held.remove(self.called)
                held = [self.called, *held] if move[3] else [*held, self.called]
            cards += held[: move[0]]
        return cards

    # ------------------------------------------------------------------------------------------------ auction

    def bid(self, b):
        """Bid 1, 2 or 3, or pass with 0."""
        self._expect("auction")
        if not is_int(b) or not 0 <= b <= 3:
            raise ValueError(f"bid {b!r} is not 0 (pass), 1, 2 or 3")
        if b not in self._legal_bids():
            if self._forced_now():
                raise ValueError(f"bid {b}: this hand is forced to bid 3")
            if self.high_bid == 0:
                raise ValueError("bid 0: the first bidder must bid at least 1")
            raise ValueError(f"bid {b} is no more than the {self.high_bid} bid before")
        seat = self.to_act
        if b == 0:
            self.passes += 1
        else:
            self.forced = self._forced_now()
            self.high_bid, self.high_bidder, self.passes = b, seat, 0
        if b == 3 or self.passes == self.players - 1:
            self._end_auction()
        else:
            self._next_seat()
        return self._record({"seat": seat, "bid": b})

    def _end_auction(self):
        self.declarer = self.high_bidder
        self.passes = 0
        self.hands[self.declarer] += self.widow
        if self.players == 4:
            self.phase, self.to_act = "call", self.declarer
        else:
            self.phase, self.to_act = "play", self.first_bidder

    def call(self, card):
        """Name the card whose holder is the secret partner."""
        self._expect("call")
        if card not in deck(self.rules) or card[0] not in CALLABLE:
            raise ValueError(f"call {card!r} is not a card of rank 4 to 10")
        if card in self.hands[self.declarer]:
            raise ValueError(f"call {card}: the declarer holds it")
        self.called = card
        self.partner = next(s for s in range(self.players) if card in self.hands[s])
        self.phase, self.to_act = "play", self.first_bidder
        return self._record({"seat": self.declarer, "call": card})

    # ------------------------------------------------------------------------------------------------ play

    def play(self, cards):
        """Lay a combination; in the four-player game the cards themselves tell whether the named one is among them."""
        self._expect("play")
        if not isinstance(cards, (list, tuple)) or not all(isinstance(card, str) for card in cards):
            raise ValueError(f"play {cards!r} is not a list of cards")
        seat = self.to_act
        missing = [card for card in cards if card not in self.hands[seat]]
        if missing:
            raise ValueError(f"play: seat {seat} does not hold {' '.join(missing)}")
        combination = classify(cards, self.rules)
        if combination is None:
            raise ValueError(f"play: {' '.join(cards)} is no combination")
        if self.last is not None and not beats(combination, self.last, self.rules):
            raise ValueError(f"play: {combination} does not beat {self.last}")
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.last, self.last_player, self.passes = combination, seat, 0
        self.bombs += combination[0] == 4  # one quad or one straight of quads is one bomb
        self.named_played = self.named_played or self.called in cards
        if not self.hands[seat]:
            self.phase, self.to_act, self.first_out = "over", None, seat
        else:
            self._next_seat()
        return self._record({"seat": seat, "play": list(cards)})

    def pass_(self):
        """Pass in a trick; in the auction a pass is bid(0)."""
        self._expect("play")
        if self.last is None:
            raise ValueError("pass: the leader must play a combination")
        seat = self.to_act
        self.passes += 1
        if self.passes == self.players - 1:
            self.last, self.passes, self.to_act = None, 0, self.last_player
        else:
            self._next_seat()
        return self._record({"seat": seat, "pass": True})

    # ------------------------------------------------------------------------------------------------ result

    def result(self):
        """The outcome and the settlement, once the deal is over."""
        self._expect("over")
        party = {self.declarer, self.partner} - {None}
        won = self.first_out in party
        return {
            "declarer": self.declarer,
            "bid": self.high_bid,
            "forced": self.forced,
            "partner": self.partner,
            "first_out": self.first_out,
            "bombs": self.bombs,
            "declarer_won": won,
            "scores": [self._score(seat, party, won) for seat in range(self.players)],
        }

    def _score(self, seat, party, won):
        value = self.high_bid * (2 if self.rules["bomb_bonus"] and self.bombs else 1)
        winner = (seat in party) == won
        if self.rules["scoring"] == "mcneely":
            if self.players == 4:  # the party of the first out scores, the other nothing
                return 2 * value if winner else 0
            if seat != self.declarer:
                return 0
            return 2 * value if winner else -2 * value
        if self.players == 3 and seat == self.declarer:  # paid by, or paying, each of two opponents
            return 2 * value if winner else -2 * value
        return value if winner else -value

    # ------------------------------------------------------------------------------------------------ helpers

    def _expect(self, phase):
        if self.phase != phase:
            raise ValueError(f"the game is in phase {self.phase!r}, not {phase!r}")

    def _next_seat(self):
        self.to_act = (self.to_act + 1) % self.players

    def _record(self, event):
        self.events.append(event)
        return deepcopy(event)


def public_knowledge(game, seat):
    """What a seat may know now: everything public, its own hand and, by the rules, the widow and the partner.

    "widow" and "partner" are None while unknown to the seat; four players have the widow [] from the beginning.
    "partner" is known to the partner from the call, to all once the named card is played or the deal is settled.
    """
    auction_over = game.declarer is not None
    sees_widow = auction_over and (seat == game.declarer or game.rules["widow_shown"])
    knows_partner = seat == game.partner or game.named_played or game.phase == "over"
    return {
        "seat": seat,
        "rules": dict(game.rules),
        "phase": game.phase,
        "to_act": game.to_act,
        "hand": sorted(game.hands[seat], key=deck(game.rules).index),
        "hand_counts": [len(hand) for hand in game.hands],
        "widow": list(game.widow) if sees_widow or not game.widow else None,
        "first_bidder": game.first_bidder,
        "opening_heart": game.opening_heart,
        "bids": [deepcopy(e) for e in game.events if "bid" in e],
        "high_bid": game.high_bid,
        "declarer": game.declarer,
        "forced": game.forced,
        "called": game.called,
        "named_played": game.named_played,
        "partner": game.partner if knows_partner else None,
        "plays": [deepcopy(e) for e in game.events if "play" in e or "pass" in e],
        "last": game.last,
        "last_player": game.last_player,
        "passes": game.passes,
        "bombs": game.bombs,
        "first_out": game.first_out,
        "legal": game.legal() if seat == game.to_act else [],
    }
