"""The model of `value`: coefficients of the logit of a declarer's chance to win, by game and hand feature.

Written by experiments/big_three_fit_value.py: 2000 deals for each game, seed 1, every seat as declarer, cards played by
`counting`."""

from __future__ import annotations

MODELS: dict[str, dict[str, float]] = {
    "standard": {
        "one": -2.1101,
        "top": 0.5078,
        "second": 0.2132,
        "third": 0.0712,
        "pairs": 0.1531,
        "triples": 0.1858,
        "quads": 0.2794,
        "turns": 0.1722,
        "weak": -0.3405,
        "longest": 0.0832,
        "leads": 0.3615,
    },
    "four players": {
        "one": 1.2825,
        "top": 0.3766,
        "second": 0.2339,
        "third": 0.0623,
        "pairs": -0.0575,
        "triples": -0.0543,
        "quads": -0.1895,
        "turns": 0.0479,
        "weak": -0.3354,
        "longest": -0.0222,
        "leads": 0.1860,
    },
    "short deck": {
        "one": -2.1484,
        "top": 0.5251,
        "second": 0.0000,
        "third": 0.0000,
        "pairs": 0.1268,
        "triples": 0.2402,
        "quads": 0.5977,
        "turns": 0.4226,
        "weak": -0.5365,
        "longest": 0.1011,
        "leads": 0.4241,
    },
    "western": {
        "one": -5.4956,
        "top": 0.6960,
        "second": 0.3274,
        "third": 0.0391,
        "pairs": 0.2061,
        "triples": 0.5179,
        "quads": 0.9272,
        "turns": 0.3566,
        "weak": -0.3163,
        "longest": 0.2240,
        "leads": 0.5642,
    },
}
