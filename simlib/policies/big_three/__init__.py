"""Policies for Big Three."""

from __future__ import annotations

from simlib.policies.big_three.basic import greedy, random

POLICIES = (random, greedy)
