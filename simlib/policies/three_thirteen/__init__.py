"""Policies of Three-Thirteen."""

from simlib.policies.three_thirteen.basic import greedy, random

POLICIES = (random, greedy)
