"""What people call: combinations, turns, the exact facts, the command `bid`."""

from __future__ import annotations

import itertools
import json
import random

import pytest

import simlib as sl
from simlib.big_three import Combination, beats, classify, combinations, min_turns
from simlib.cards import card_texts
from simlib.cli import main

HAND = "3h 3d 2s Ah Kd Kc Qd Jc Tc 9s 8d 7h 6c 5d 4s 4c"


def test_there_are_196():
    """RULES.md 3: 13 · 4 sets and 36 · 4 straights; fewer with the options of 7.7 and the short deck."""
    every = combinations()
    assert len(every) == 196 and [c.number for c in every] == list(range(196))
    kinds = [c.kind for c in every]
    assert kinds.count("pair") == 13 and kinds.count("straight of quads") == 36
    assert len(combinations(rules={"straight_of": (1, 2)})) == 52 + 72
    assert len(combinations(rules={"min_straight": 2})) == 196 + 36
    short = combinations(rules={"short_deck": True})
    assert len(short) == 11 * 4 + 36 * 4 - 1  # no 2s and aces, and three 3s only


@pytest.mark.parametrize("options", [{}, {"rank_order": "western"}, {"min_straight": 2}, {"straight_of": (1,)}])
def test_combinations_are_all_subsets_that_classify(options):
    """RULES.md 3: one combination for each rank pattern among all subsets of some cards."""
    draw = random.Random(4)
    for _ in range(3):
        cards = card_texts(draw.sample([c for c in range(52) if 5 <= c % 13 <= 11], 9))
        subsets = [s for n in range(1, 10) for s in itertools.combinations(cards, n)]
        assert set(combinations(cards, options)) == {classify(s, options) for s in subsets} - {None}


def test_classify():
    """RULES.md 3: examples of each kind; aces, 2s and 3s are in no straight."""
    found = classify("8d 6h 7s")
    assert (found.kind, found.ranks, found.multiplicity, found.size, str(found)) == ("straight", "678", 1, 3, "6-7-8")
    assert classify("6h 6d 7h 7c 8s 8d").kind == "straight of pairs"
    assert repr(classify("Kh Kd Kc Ks")) == "<quad K K K K>"
    for none in ("Qh Kd Ah", "Ah 2d 3c", "6h 7h", "6h 6d 7h", "6h 7h 9h", ""):
        assert classify(none) is None
    assert classify("Jh Qd Kc").unbeatable and classify("3h").unbeatable and not classify("2h 2d").unbeatable
    assert classify("Kh", {"rank_order": "western"}).unbeatable


@pytest.mark.parametrize(
    "a, b, expected",
    [
        ("7h 8h 9h Th", "6h 7h 8h 9h", True),  # the source's examples on 6-7-8-9
        ("Th Jd Qc Kc", "6h 7h 8h 9h", True),
        ("8h 9h Th Jh Qh", "6h 7h 8h 9h", False),
        ("6d 7d 8d 9d", "6h 7h 8h 9h", False),
        ("Jh Jd Jc Js", "6h 7h 8h 9h", False),
        ("9h 9d", "5h 5d", True),
        ("2h 2d", "Kh Kd", True),
        ("3h", "2d", True),
        ("4h", "Ad", False),
    ],
)
def test_beats(a, b, expected):
    """RULES.md 4.2 with the source's examples."""
    assert beats(a, b) is expected and beats(classify(a), b) is expected


def test_beats_in_the_western_order():
    """RULES.md 7.6."""
    western = {"rank_order": "western"}
    assert beats("Kh", "3h", western) and not beats("Ah", "4h", western)
    with pytest.raises(ValueError, match="different rank orders"):
        beats(classify("Kh", western), classify("3h"))
    with pytest.raises(ValueError, match="a='6h 7h' is no combination"):
        beats("6h 7h", "8h")


def fewest(cards, rules):
    """Least number of combinations, by trying all partitions of the first card's companions."""
    if not cards:
        return 0
    first, rest = cards[0], cards[1:]
    best = len(cards)
    for n in range(len(rest) + 1):
        for others in itertools.combinations(rest, n):
            if classify((first, *others), rules) is not None:
                best = min(best, 1 + fewest([c for c in rest if c not in others], rules))
    return best


@pytest.mark.parametrize("options", [{}, {"straight_of": (1, 2)}, {"rank_order": "western"}])
def test_min_turns_by_brute_force(options):
    """RULES.md 8.2: the exact helper agrees with all partitions."""
    draw = random.Random(5)
    for _ in range(4):
        cards = card_texts(draw.sample([c for c in range(52) if 4 <= c % 13 <= 9], 7))
        assert min_turns(cards, options) == fewest(cards, options)
    assert min_turns("") == 0


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: combinations("Xx"), "is no card"),
        (lambda: combinations("3h 3h"), "given twice"),
        (lambda: classify("*"), "not in the deck"),
        (lambda: min_turns("2h", {"short_deck": True}), "not in the deck"),
        (lambda: Combination(500).kind, "no combination"),
        (lambda: combinations("3h", {"player": 3}), "no rule option 'player'"),
    ],
)
def test_input_errors(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_the_facade_is_reached_from_the_package():
    assert sl.big_three.classify("6h 7c 8s").ranks == "678"
    assert {"bid_value", "match", "counterfactuals", "equilibrium"} <= set(sl.big_three.__all__)
    assert all(hasattr(sl.big_three, name) for name in sl.big_three.__all__)


def test_facts():
    """facts.md: everything simulated agrees with its exact probability; 196 combinations exactly."""
    found = sl.validate("big_three", deals=20_000, seed=4)
    assert found.ok.all() and len(found) >= 16


# --- the command -----------------------------------------------------------------------------------------


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    shown = capsys.readouterr()
    return stop.value.code, shown.out, shown.err


def test_command_bid(capsys):
    """design.md §1: results on stdout, words on stderr; JSON is the table."""
    options = ["--deals", "60", "--seed", "1", "--play", "shed"]
    code, out, err = run(capsys, "bid", HAND, *options)
    assert code == 0 and "pass" in out and "best" in out and "chance to win as declarer" in err
    code, out, _ = run(capsys, "bid", HAND, *options, "--bids", "1,0", "--others", "tips,never", "--format", "json")
    rows = json.loads(out)
    assert code == 0 and [r["bid"] for r in rows] == [0, 2, 3]
    found = sl.big_three.bid_value(HAND, bids=(1, 0), others=["tips", "never"], play="shed", deals=60, seed=1)
    assert rows[1]["chips"] == pytest.approx(found.table.chips[1])
    thirteen = " ".join(HAND.split()[:13])
    code, out, _ = run(capsys, "bid", thirteen, *options, "--set", "short_deck=true", "--format", "csv")
    assert code == 2  # it holds aces and a 2
    code, out, _ = run(capsys, "bid", thirteen, *options, "--players", "4", "--format", "csv")
    assert code == 0 and out.startswith("bid,chips")


@pytest.mark.parametrize(
    "arguments, words",
    [(["3h"], "hand: 1 cards"), ([HAND, "--bids", "x"], "--bids x"), ([HAND, "--format", "x"], "--format x"),
     ([HAND, "--play", "shedd"], "did you mean 'shed'"), ([HAND, "--bids", "0"], "must bid at least 1")],
)  # fmt: skip
def test_command_errors(capsys, arguments, words):
    """design.md §8: one line on stderr, exit code 2."""
    code, out, err = run(capsys, "bid", *arguments)
    assert code == 2 and out == "" and words in err and err.count("\n") == 1
