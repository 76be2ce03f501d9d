"""Slow reference for "3 sind eine zu viel!", written from rules/drei_zu_viel.md alone.

It shares no code with the library and aims to be obviously right, not fast.  Colours are the
integers 0..6, seats are 0-based in playing order, and a card is its value.
"""

import random

FORMAT = "simlib-record/1"
GAME = "drei_zu_viel"

START_CARDS = (0, 30, 60)
NUMBER_OF_CARDS = 90
NUMBER_OF_COLOURS = 7
STACK_SIZE = 20
HAND_SIZE = 8
CARDS_NOT_USED = 2
REFILL_SIZE = 6
ROW_LIMIT = 5
GOLD_POINTS = 5
PLAYS_A_THIRD = 6
PLAYS_A_PLAYER = STACK_SIZE - CARDS_NOT_USED

DEFAULTS = {
    "players": 4,
    "opening_cards": 3,
    "refill": "at_two",
    "colour_layout": "cyclic",
    "neutral_values": (15, 45, 75),
    "neutral_points": 0,
    "silver_bonus": (10, 8, 6, 4),
    "gold_min_colours": 6,
    "silver_check": "turn",
    "starter": "random",
}


# ---------------------------------------------------------------- small helpers


def is_int(thing):
    """True for a real integer: JSON's true and 1.0 are not integers."""
    return type(thing) is int


def is_int_list(thing):
    """True for a list (or tuple) of integers."""
    return isinstance(thing, (list, tuple)) and all(is_int(item) for item in thing)


def with_defaults(rules):
    """Every rule option by name: the given ones, defaults for the rest."""
    return {**DEFAULTS, **rules}


def colours(rules):
    """The colour of each of the 90 values; -1 for start and neutral cards."""
    rules = with_defaults(rules)
    layout = rules["colour_layout"]
    if not isinstance(layout, str):
        return list(layout)  # an explicit table overrides neutral_values
    colourless = set(START_CARDS) | set(rules["neutral_values"])
    coloured = [value for value in range(NUMBER_OF_CARDS) if value not in colourless]
    table = [-1] * NUMBER_OF_CARDS
    for index, value in enumerate(coloured):
        if layout == "cyclic":
            table[value] = index % NUMBER_OF_COLOURS
        elif layout == "blocks":
            table[value] = index * NUMBER_OF_COLOURS // len(coloured)
        else:
            raise ValueError(f"unknown colour_layout {layout!r}")
    return table


# ---------------------------------------------------------------- are rules and deal right?


def rule_problems(rules):
    """What is wrong with a full set of rule options (empty = nothing)."""
    problems = [f"rules: option {name!r} is missing" for name in DEFAULTS if name not in rules]
    problems += [f"rules: unknown option {name!r}" for name in rules if name not in DEFAULTS]
    if problems:
        return problems

    def expect(condition, name):
        if not condition:
            problems.append(f"rules: {name} cannot be {rules[name]!r}")

    players, starter, silver = rules["players"], rules["starter"], rules["silver_bonus"]
    neutral, opening = rules["neutral_values"], rules["opening_cards"]
    expect(is_int(players) and players in (2, 3, 4), "players")
    expect(is_int(opening) and 0 <= opening <= 3, "opening_cards")
    expect(rules["refill"] in ("at_two", "each_turn"), "refill")
    expect(rules["silver_check"] in ("turn", "card"), "silver_check")
    expect(is_int(rules["neutral_points"]), "neutral_points")
    expect(is_int(rules["gold_min_colours"]) and rules["gold_min_colours"] >= 0, "gold_min_colours")
    # "sorted descending": equal neighbours are allowed, so that experiments can flatten the bonus
    expect(
        is_int_list(silver) and list(silver) == sorted(silver, reverse=True) and all(points >= 0 for points in silver),
        "silver_bonus",
    )
    expect(
        is_int_list(neutral)
        and len(set(neutral)) == len(neutral)
        and all(0 < value < NUMBER_OF_CARDS and value not in START_CARDS for value in neutral),
        "neutral_values",
    )
    expect(rules["colour_layout"] in ("cyclic", "blocks") or is_colour_table(rules["colour_layout"]), "colour_layout")
    expect(starter == "random" or (is_int(starter) and is_int(players) and 0 <= starter < players), "starter")
    return problems


def is_colour_table(thing):
    """True for 90 colours from -1 to 6 with -1 for the start cards."""
    return (
        is_int_list(thing)
        and len(thing) == NUMBER_OF_CARDS
        and all(-1 <= colour < NUMBER_OF_COLOURS for colour in thing)
        and all(thing[value] == -1 for value in START_CARDS)
    )


def deal_problems(rules, deal):
    """What is wrong with a deal under right rules (empty = nothing)."""
    if not isinstance(deal, dict):
        return ["deal: not an object"]
    missing = [name for name in ("starter", "opening", "stacks") if name not in deal]
    if missing:
        return [f"deal: {name!r} is missing" for name in missing]
    starter, opening, stacks = deal["starter"], deal["opening"], deal["stacks"]
    problems = []
    if not (is_int(starter) and 0 <= starter < rules["players"]):
        problems.append(f"deal: starter {starter!r} is not a seat")
    elif rules["starter"] not in ("random", starter):
        problems.append(f"deal: starter {starter} but the rules say {rules['starter']}")
    if not is_int_list(opening):
        return problems + ["deal: opening is not a list of values"]
    if not (isinstance(stacks, (list, tuple)) and all(is_int_list(stack) for stack in stacks)):
        return problems + ["deal: stacks is not a list of lists of values"]
    if len(opening) != rules["opening_cards"]:
        problems.append(f"deal: {len(opening)} opening cards, not {rules['opening_cards']}")
    if len(stacks) != rules["players"]:
        problems.append(f"deal: {len(stacks)} stacks for {rules['players']} players")
    for seat, stack in enumerate(stacks):
        if len(stack) != STACK_SIZE:
            problems.append(f"deal: the stack of seat {seat} has {len(stack)} cards")
    dealt = list(opening) + [value for stack in stacks for value in stack]
    for value in sorted(set(dealt)):
        if not 0 <= value < NUMBER_OF_CARDS or value in START_CARDS:
            problems.append(f"deal: {value} is not one of the 87 shuffled cards")
        if dealt.count(value) > 1:
            problems.append(f"deal: {value} was dealt {dealt.count(value)} times")
    return problems


# ---------------------------------------------------------------- the game


class Game:
    """One game, from the deal to the result.

    rows      three ascending lists, start cards included
    hands     a list a seat, ascending;  stacks  what is left of each stack, top first
    face_up   7 counts a seat;  face_down, neutral  numbers of cards a seat
    silver    points a seat;  has_silver  whether the seat took one;  silver_left  top first
    to_act    the seat to play, None when the game is over;  events  the plays so far
    score_after_third   the scores a seat after 6, 12, 18 plays of every player, as they come
    taken_by_third      3 numbers of cards taken a seat (neutral ones included)
    full_rows_by_third  3 numbers of plays that made a row reach five cards
    """

    def __init__(self, rules, deal):
        self.rules = with_defaults(rules)
        problems = rule_problems(self.rules) or deal_problems(self.rules, deal)
        if problems:
            raise ValueError("; ".join(problems))
        self.players = self.rules["players"]
        seats = range(self.players)
        self.colours = colours(self.rules)
        self.rows = [[start] for start in START_CARDS]
        for value in deal["opening"]:
            self._put_in_row(value)  # opening cards take nothing
        self.hands = [sorted(deal["stacks"][seat][:HAND_SIZE]) for seat in seats]
        self.stacks = [list(deal["stacks"][seat][HAND_SIZE:]) for seat in seats]
        self.face_up = [[0] * NUMBER_OF_COLOURS for _ in seats]
        self.face_down = [0 for _ in seats]
        self.neutral = [0 for _ in seats]
        self.silver = [0 for _ in seats]
        self.has_silver = [False for _ in seats]
        self.silver_left = list(self.rules["silver_bonus"])
        self.to_act = deal["starter"]
        self.events = []
        self.score_after_third = []
        self.taken_by_third = [[0, 0, 0] for _ in seats]
        self.full_rows_by_third = [0, 0, 0]

    def legal(self):
        """The values the player to act may play: the whole hand, since each card fits one row."""
        return [] if self.to_act is None else sorted(self.hands[self.to_act])

    def play(self, value):
        """Play a card for the seat to act and return the event."""
        if value not in self.legal():
            raise ValueError(f"seat {self.to_act} cannot play {value!r}")
        seat = self.to_act
        third = len(self.events) // (PLAYS_A_THIRD * self.players)
        self.hands[seat].remove(value)
        row = self._put_in_row(value)
        took = []
        if len(row) == ROW_LIMIT:
            took = self._cards_taken(row, value)
            for card in took:
                row.remove(card)
            self.full_rows_by_third[third] += 1
            self.taken_by_third[seat][third] += len(took)
        silver = self._collect(seat, took)
        event = {"seat": seat, "play": value, "took": took, "silver": silver, "drew": self._refill(seat)}
        self.events.append(event)
        self.to_act = None if self._is_over() else (seat + 1) % self.players
        if len(self.events) % (PLAYS_A_THIRD * self.players) == 0:
            self.score_after_third.append(self.final_scores() if self.to_act is None else self.scores_now())
        return event

    def _put_in_row(self, value):
        """Lay a card at its ascending place and return its row."""
        row = self.rows[value // 30]
        row.append(value)
        row.sort()
        return row

    @staticmethod
    def _cards_taken(row, played):
        """What the player must take from a row that the played card made full, ascending."""
        if played == row[-1]:
            return [row[1]]  # row[0] is the start card
        return [card for card in row if card > played]

    def _collect(self, seat, took):
        """Lay taken cards out in ascending order; return the silver points earned by it."""
        silver = 0
        for card in took:
            colour = self.colours[card]
            if colour == -1:
                self.neutral[seat] += 1
            else:
                self.face_up[seat][colour] += 1
                if self.face_up[seat][colour] == 3:
                    self.face_up[seat][colour] = 0
                    self.face_down[seat] += 3
            if self.rules["silver_check"] == "card":
                silver += self._take_silver(seat)
        if self.rules["silver_check"] == "turn":
            silver = self._take_silver(seat)
        return silver

    def _take_silver(self, seat):
        """Take the top silver card if the seat has earned it now; return its points."""
        all_seven = all(count > 0 for count in self.face_up[seat])
        if not all_seven or self.has_silver[seat] or not self.silver_left:
            return 0
        self.has_silver[seat] = True
        self.silver[seat] = self.silver_left.pop(0)
        return self.silver[seat]

    def _refill(self, seat):
        """Draw what the rules say after a play; return it in the order drawn (top first)."""
        if self.rules["refill"] == "each_turn":
            number = 1
        else:
            number = REFILL_SIZE if len(self.hands[seat]) == CARDS_NOT_USED else 0
        drawn, self.stacks[seat] = self.stacks[seat][:number], self.stacks[seat][number:]
        self.hands[seat] = sorted(self.hands[seat] + drawn)
        return drawn

    def _is_over(self):
        return all(stack == [] for stack in self.stacks) and all(len(hand) == CARDS_NOT_USED for hand in self.hands)

    def scores_now(self):
        """The score a seat if the game ended now, WITHOUT the gold bonus."""
        worth = {0: 0, 1: 1, 2: 5}  # of a colour by its number of face-up cards
        return [
            sum(worth[count] for count in self.face_up[seat])
            - self.face_down[seat]
            + self.neutral[seat] * self.rules["neutral_points"]
            + self.silver[seat]
            for seat in range(self.players)
        ]

    def gold_now(self):
        """The gold points a seat if the game ended now."""
        return [
            GOLD_POINTS if sum(count > 0 for count in counts) >= self.rules["gold_min_colours"] else 0
            for counts in self.face_up
        ]

    def final_scores(self):
        """The score a seat if the game ended now, gold included."""
        pairs = zip(self.scores_now(), self.gold_now(), strict=True)
        return [score + gold for score, gold in pairs]

    def result(self):
        """The record's "result" object; only once the game is over."""
        if self.to_act is not None:
            raise ValueError("the game is not over")
        scores = self.final_scores()
        winners = scores.count(max(scores))
        return {
            "scores": scores,
            "face_up": [list(counts) for counts in self.face_up],
            "face_down": list(self.face_down),
            "neutral": list(self.neutral),
            "silver": list(self.silver),
            "gold": self.gold_now(),
            "win_share": [1.0 / winners if score == max(scores) else 0.0 for score in scores],
        }


# ---------------------------------------------------------------- auditing records


def audit(record):
    """Replay a whole record; return what is wrong (empty = right).  Added fields are fine."""
    if not isinstance(record, dict):
        return ["record: not an object"]
    problems = head_problems(record)
    if problems:
        return problems
    rules, deal = record["rules"], record["deal"]
    problems = rule_problems(rules)
    if problems:
        return problems
    if len(record["policies"]) != rules["players"]:
        problems.append(f"record: {len(record['policies'])} policies, {rules['players']} players")
    wrong_deal = deal_problems(rules, deal)
    if wrong_deal:
        return problems + wrong_deal
    game = Game(rules, deal)
    problems += replay_problems(game, record["events"])
    if game.to_act is None:
        problems += result_problems(game.result(), record["result"])
    return problems


def head_problems(record):
    """Problems of the record's top-level fields."""
    kinds = {"rules": dict, "policies": list, "deal": dict, "events": list, "result": dict}
    names = ["format", "game", "seed", "index", *kinds]
    problems = [f"record: {name!r} is missing" for name in names if name not in record]
    if problems:
        return problems
    if record["format"] != FORMAT:
        problems.append(f"record: format {record['format']!r} is not {FORMAT!r}")
    if record["game"] != GAME:
        problems.append(f"record: game {record['game']!r} is not {GAME!r}")
    if not is_int(record["seed"]):
        problems.append("record: seed is not an integer")
    if not (is_int(record["index"]) and record["index"] >= 0):
        problems.append("record: index is not an integer from 0 on")
    for name, kind in kinds.items():
        if not isinstance(record[name], kind):
            problems.append(f"record: {name} is not a {kind.__name__}")
    if not problems and not all(isinstance(name, str) for name in record["policies"]):
        problems.append("record: policies are not all names")
    return problems


def replay_problems(game, events):
    """Play the events and compare every field; stop where replay cannot go on."""
    problems = []
    for number, event in enumerate(events):
        where = f"event {number}"
        if game.to_act is None:
            return problems + [f"{where}: the game was already over"]
        if not isinstance(event, dict) or "play" not in event:
            return problems + [f"{where}: not an object with a play"]
        if not is_int(event["play"]) or event["play"] not in game.legal():
            return problems + [f"{where}: seat {game.to_act} cannot play {event['play']!r}"]
        expected = game.play(event["play"])
        for field, right in expected.items():
            problems += compare(event, field, right, where)
    if game.to_act is not None:
        problems.append(f"events: the game is not over after {len(events)} plays")
    return problems


def result_problems(right, result):
    """Compare every field of the result."""
    problems = []
    for field in right:
        problems += compare(result, field, right[field], "result")
    return problems


def compare(found, field, right, where):
    """A list with the problem of one field, or an empty one."""
    if field not in found:
        return [f"{where}: {field!r} is missing"]
    if not same(found[field], right):
        return [f"{where}: {field} is {found[field]!r}, should be {right!r}"]
    return []


def same(found, right):
    """Equal in value and type; floats may be off by rounding and whole ones written as integers."""
    if isinstance(right, list):
        return (
            isinstance(found, (list, tuple))
            and len(found) == len(right)
            and all(same(one, other) for one, other in zip(found, right, strict=True))
        )
    if isinstance(right, float):
        return type(found) in (int, float) and right - 1e-9 < found < right + 1e-9
    return is_int(found) and found == right


# ---------------------------------------------------------------- making games


def random_deal(rules, rng: random.Random):
    """Shuffle the 87 cards and deal: opening cards first, then a stack a seat."""
    rules = with_defaults(rules)
    players, opening = rules["players"], rules["opening_cards"]
    cards = [value for value in range(NUMBER_OF_CARDS) if value not in START_CARDS]
    rng.shuffle(cards)
    stacks = [cards[opening + seat * STACK_SIZE : opening + (seat + 1) * STACK_SIZE] for seat in range(players)]
    starter = rng.randrange(players) if rules["starter"] == "random" else rules["starter"]
    return {"starter": starter, "opening": cards[:opening], "stacks": stacks}


def random_record(rules, rng: random.Random):
    """The record of a game of random legal plays; seed, index and policies are placeholders."""
    rules = {
        name: list(option) if isinstance(option, tuple) else option  # as JSON would have it
        for name, option in with_defaults(rules).items()
    }
    deal = random_deal(rules, rng)
    game = Game(rules, deal)
    while game.to_act is not None:
        game.play(rng.choice(game.legal()))
    return {
        "format": FORMAT,
        "game": GAME,
        "rules": rules,
        "seed": 0,
        "index": 0,
        "policies": ["random"] * game.players,
        "deal": deal,
        "events": game.events,
        "result": game.result(),
    }
