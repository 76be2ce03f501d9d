"""Policies of Big Three: how to bid, whom to call, how to play cards. Bidding and card play combine freely."""

from __future__ import annotations

from simlib.policies.big_three.basic import greedy, random
from simlib.policies.big_three.bidding import never, threshold, value
from simlib.policies.big_three.combine import parts
from simlib.policies.big_three.counting import counting
from simlib.policies.big_three.lookahead import lookahead
from simlib.policies.big_three.shed import shed, tips

POLICIES = (random, greedy, shed, tips, counting, lookahead, never, threshold, value, parts)
