"""The model of `value`: coefficients of the logit of a declarer's chance to win, by game and hand feature.

Written by experiments/fit_big_three_value.py: 12000 deals of each game, seed 1, every seat declares,
cards played by `counting`."""

from __future__ import annotations

MODELS: dict[str, dict[str, float]] = {
    "standard": {
        "one": -1.6551,
        "top": 0.8393,
        "second": 0.2301,
        "third": 0.1150,
        "pairs": 0.0368,
        "triples": -0.0204,
        "quads": 0.0901,
        "turns": 0.1442,
        "weak": -0.3394,
        "longest": 0.0490,
        "leads": 0.4727,
    },
    "four players": {
        "one": 1.1377,
        "top": 0.5054,
        "second": 0.2318,
        "third": 0.1208,
        "pairs": -0.0220,
        "triples": 0.0259,
        "quads": -0.0594,
        "turns": -0.0404,
        "weak": -0.2828,
        "longest": 0.0070,
        "leads": 0.0819,
    },
    "short deck": {
        "one": -2.0017,
        "top": 0.7126,
        "second": 0.0000,
        "third": 0.0000,
        "pairs": 0.0848,
        "triples": 0.1706,
        "quads": 0.3667,
        "turns": 0.4160,
        "weak": -0.5383,
        "longest": 0.0752,
        "leads": 0.5237,
    },
    "western": {
        "one": -5.1906,
        "top": 0.8173,
        "second": 0.2506,
        "third": 0.0138,
        "pairs": 0.2883,
        "triples": 0.6483,
        "quads": 1.0714,
        "turns": 0.1798,
        "weak": -0.2130,
        "longest": 0.1859,
        "leads": 0.5773,
    },
}
