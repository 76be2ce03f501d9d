"""The model of `value`, written by experiments/big_three_fit_value.py."""

from __future__ import annotations

_GUESS = {
    "one": 1.0, "top": 0.6, "second": 0.3, "third": 0.2, "pairs": 0.0, "triples": 0.0, "quads": 0.0, "turns": -0.2, "weak": -0.3,
    "longest": 0.0, "leads": 0.1,
}  # fmt: skip
MODELS: dict[str, dict[str, float]] = {name: _GUESS for name in ("standard", "four players", "short deck", "western")}
