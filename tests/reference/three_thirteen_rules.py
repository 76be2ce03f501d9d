"""Three-Thirteen, slow reference: cards, rule options and the schedule of rounds.

Written from rules/three_thirteen.md alone; imports nothing from the library it checks.
"""

RANKS = "A23456789TJQK"
SUITS = "cdhs"
JOKER = "*"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]

DEFAULTS = {
    "players": 4,
    "decks": "auto",
    "schedule": "standard",
    "wild_penalty": 15,
    "max_wilds_per_meld": None,
    "jokers": 0,
    "joker_penalty": 20,
    "lay_off": False,
    "contract": None,
    "double_last_round": False,
    "aces": "low",
    "may_return_discard": True,
    "max_turns": 100,
    "first_dealer": "random",
}

HAND_SIZES = {
    "standard": list(range(3, 14)),
    "six_fourteen": list(range(6, 15)),
    "short": list(range(5, 13)),  # rounds 3 to 10 of the standard game
}

# The shipped contract: hand size -> (sets, runs).
CONTRACT = {
    3: (1, 0), 4: (1, 0), 5: (1, 0),
    6: (1, 1), 7: (1, 1), 8: (1, 1),
    9: (2, 1), 10: (2, 1), 11: (2, 1),
    12: (2, 2), 13: (2, 2), 14: (2, 2),
}  # fmt: skip


def complete(rules):
    """The rules with every option that is not given at its default."""
    return {**DEFAULTS, **rules}


def wild_of(hand_size):
    """The wild rank is the rank equal to the hand size; with 14 cards aces are wild."""
    return RANKS[(hand_size - 1) % 13]


def hand_size_of(wild):
    """The hand size of the round in which this rank is wild."""
    return 14 if wild == "A" else RANKS.index(wild) + 1


def schedule(rules):
    """(hand size, wild rank) of each round."""
    return [(size, wild_of(size)) for size in HAND_SIZES[complete(rules)["schedule"]]]


def deck_count(rules):
    """Two decks up to six players, three with seven or eight, unless a number is given."""
    rules = complete(rules)
    if rules["decks"] == "auto":
        return 2 if rules["players"] <= 6 else 3
    return rules["decks"]


def pack(rules):
    """All cards of the game, in order."""
    return deck_count(rules) * (CARDS + complete(rules)["jokers"] * [JOKER])


def contract_table(rules):
    """{hand size: (sets, runs)}, or None without a contract. JSON turns the keys into text."""
    contract = complete(rules)["contract"]
    if contract is None:
        return None
    if contract == "default":
        return CONTRACT
    return {int(size): tuple(pattern) for size, pattern in contract.items()}


def pattern_for(wild, rules):
    """(sets, runs) that the round with this wild rank asks for; (0, 0) if it asks for none."""
    table = contract_table(rules)
    return (0, 0) if table is None else table.get(hand_size_of(wild), (0, 0))


def is_whole(value, low, high=None):
    """An integer (a truth value is none) within the bounds."""
    return type(value) is int and low <= value and (high is None or value <= high)


def _nonsensical_value(rules):
    """The first option whose value alone makes no sense, in words, or None."""
    allowed = {
        "players": is_whole(rules["players"], 2, 8),
        "decks": rules["decks"] == "auto" or is_whole(rules["decks"], 1, 4),
        "schedule": isinstance(rules["schedule"], str) and rules["schedule"] in HAND_SIZES,
        "wild_penalty": is_whole(rules["wild_penalty"], 0),
        "max_wilds_per_meld": rules["max_wilds_per_meld"] is None or is_whole(rules["max_wilds_per_meld"], 0),
        "jokers": is_whole(rules["jokers"], 0),
        "joker_penalty": is_whole(rules["joker_penalty"], 0),
        "lay_off": isinstance(rules["lay_off"], bool),
        "contract": rules["contract"] in (None, "default") or isinstance(rules["contract"], dict),
        "double_last_round": isinstance(rules["double_last_round"], bool),
        "aces": rules["aces"] in ("low", "high_low", "wrap"),
        "may_return_discard": isinstance(rules["may_return_discard"], bool),
        "max_turns": is_whole(rules["max_turns"], 1),
        "first_dealer": rules["first_dealer"] == "random" or is_whole(rules["first_dealer"], 0),
    }
    for name, good in allowed.items():
        if not good:
            return f"{name} = {rules[name]!r} is not allowed"
    return None


def _nonsensical_contract(rules):
    """Why a custom contract table makes no sense, or None."""
    contract = rules["contract"]
    if not isinstance(contract, dict):
        return None
    sizes = [str(size) for size in range(3, 15)]
    for size, pattern in contract.items():
        if isinstance(size, bool) or str(size) not in sizes:
            return f"contract: {size!r} is not a hand size"
        if not isinstance(pattern, (list, tuple)) or len(pattern) != 2:
            return f"contract: the pattern for {size} cards is not (sets, runs)"
        if not all(is_whole(number, 0) for number in pattern):
            return f"contract: the pattern for {size} cards is not two numbers"
        if 3 * sum(pattern) > int(size):
            return f"contract: {size} cards cannot hold {sum(pattern)} melds"
    if len(contract_table(rules)) != len(contract):
        return "contract: a hand size is given twice"
    for size, _ in schedule(rules):
        if size not in contract_table(rules):
            return f"contract: no pattern for {size} cards"
    return None


def nonsensical(rules):
    """Why these rules cannot be played, in words, or None."""
    for name in rules:
        if name not in DEFAULTS:
            return f"there is no rule option {name!r}"
    rules = complete(rules)
    reason = _nonsensical_value(rules) or _nonsensical_contract(rules)
    if reason:
        return reason
    if rules["first_dealer"] != "random" and rules["first_dealer"] >= rules["players"]:
        return f"first_dealer = {rules['first_dealer']} is not a seat"
    largest = max(size for size, _ in schedule(rules))
    needed = rules["players"] * largest + 1
    if len(pack(rules)) < needed:
        return f"{len(pack(rules))} cards are too few: the deal and an upcard need {needed}"
    return None
