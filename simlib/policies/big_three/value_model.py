"""The model of `value`: coefficients of the logit of a declarer's chance to win, by game and hand feature.

Written by experiments/fit_big_three_value.py: 12000 deals of each game, seed 1, every seat declares,
cards played by `counting`."""

from __future__ import annotations

MODELS: dict[str, dict[str, float]] = {
    "standard": {
        "one": -1.4530,
        "top": 0.8441,
        "second": 0.2431,
        "third": 0.1076,
        "pairs": 0.0274,
        "triples": -0.0506,
        "quads": 0.0653,
        "turns": 0.1132,
        "weak": -0.3173,
        "longest": 0.0380,
        "leads": 0.4721,
    },
    "four players": {
        "one": 1.3776,
        "top": 0.5086,
        "second": 0.2323,
        "third": 0.1163,
        "pairs": -0.0231,
        "triples": 0.0001,
        "quads": -0.0212,
        "turns": -0.0850,
        "weak": -0.2457,
        "longest": -0.0081,
        "leads": 0.2134,
    },
    "short deck": {
        "one": -1.9909,
        "top": 0.6968,
        "second": 0.0000,
        "third": 0.0000,
        "pairs": 0.0894,
        "triples": 0.1792,
        "quads": 0.3869,
        "turns": 0.4169,
        "weak": -0.5411,
        "longest": 0.0740,
        "leads": 0.5053,
    },
    "western": {
        "one": -5.3599,
        "top": 0.8307,
        "second": 0.2584,
        "third": 0.0096,
        "pairs": 0.2848,
        "triples": 0.6515,
        "quads": 1.0591,
        "turns": 0.1748,
        "weak": -0.1944,
        "longest": 0.1901,
        "leads": 0.5450,
    },
}
