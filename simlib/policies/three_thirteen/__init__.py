"""Policies of Three-Thirteen. Drawing, discarding and going out combine freely (`parts`)."""

from __future__ import annotations

from simlib.policies.three_thirteen.basic import greedy, random
from simlib.policies.three_thirteen.combine import parts
from simlib.policies.three_thirteen.lookahead import lookahead
from simlib.policies.three_thirteen.potential import potential
from simlib.policies.three_thirteen.tips import tips

POLICIES = (random, greedy, tips, potential, lookahead, parts)
