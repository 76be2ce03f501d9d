"""Policies for *3 sind eine zu viel!*"""

from __future__ import annotations

from simlib.policies.drei_zu_viel.basic import filler, greedy, highest, lowest, random
from simlib.policies.drei_zu_viel.careful import careful
from simlib.policies.drei_zu_viel.lookahead import lookahead

POLICIES = (random, lowest, highest, greedy, filler, careful, lookahead)
