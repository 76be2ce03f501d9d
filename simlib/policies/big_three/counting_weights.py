"""Weights of `counting`, written by experiments/big_three_counting_weights.py."""

from __future__ import annotations

WEIGHTS: dict[str, dict[str, float]] = {
    "alone": {
        "turns": -2.0, "weak": -1.0, "spend": -0.7, "cards": 0.3, "lead_height": -1.5, "lead_straight": -0.5, "height": -1.0,
        "safe": 1.0, "safe_close": 1.5, "one_left": 0.5, "passing": 0.0, "pass_foe": -1.0, "pass_final": -0.5, "gift": -4.0,
        "lost_lead": -1.0, "block": 0.3, "return": 0.3,
    },
    "team": {
        "turns": -2.0, "weak": -1.0, "spend": -0.7, "cards": 0.3, "lead_height": -1.5, "lead_straight": -0.5, "height": -1.0,
        "safe": 1.0, "safe_close": 1.5, "one_left": 0.5, "passing": 0.0, "pass_foe": -1.0, "pass_final": -0.5, "gift": -4.0,
        "pass_helped": 0.5, "over_friend": -1.0, "over_safe": -1.0, "over_close": -1.0, "over_self": 1.5, "feed": 2.0,
        "lost_lead": -1.0, "block": 0.5, "return": 0.3,
    },
}  # fmt: skip
