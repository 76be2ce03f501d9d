"""The rule options of Three-Thirteen as numbers for the kernels."""

from __future__ import annotations

import numpy as np

RULES = np.dtype(
    [
        ("digest", np.uint64),
        ("tables", np.uint64),  # address of the tables of runs (`tables.py`)
        ("search_sets", np.uint64),  # addresses of the searches (`recursion.py`)
        ("search_drop", np.uint64),
        ("search_each", np.uint64),
        ("search_general", np.uint64),
        ("search_cost", np.uint64),
        ("search_penalty", np.uint64),
        ("search_best", np.uint64),
        ("count_seat", np.uint64),
        ("fast", np.int8),  # 1: the meld rules are the default ones (no limit of wild cards, no contract, aces low)
        ("players", np.int8),
        ("decks", np.int8),
        ("jokers", np.int8),  # printed jokers in the whole pack
        ("rounds", np.int8),
        ("max_wilds", np.int8),  # wild cards a meld may hold; 99: any number
        ("lay_off", np.int8),
        ("double_last", np.int8),
        ("aces", np.int8),  # 0: low, 1: high too, 2: round the corner too
        ("may_return", np.int8),
        ("first_dealer", np.int8),  # -1: drawn
        ("aligned", np.int8),  # 1: each seat draws from its own part of the shuffled stock
        ("wild_penalty", np.int16),
        ("joker_penalty", np.int16),
        ("max_turns", np.int16),
        ("cards", np.int16),  # cards of the pack
        ("hand_size", np.int8, (11,)),  # by round
        ("sets", np.int8, (16,)),  # sets and runs the contract asks for, by hand size
        ("runs", np.int8, (16,)),
    ],
    align=True,
)
