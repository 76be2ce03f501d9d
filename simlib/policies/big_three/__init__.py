"""Policies of Big Three: how to bid, whom to call, how to play cards. Bidding and card play combine freely."""

from __future__ import annotations

from simlib.policies.big_three.basic import greedy, random
from simlib.policies.big_three.bidding import never
from simlib.policies.big_three.counting import counting

POLICIES = (random, greedy, never, counting)
