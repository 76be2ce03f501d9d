"""Redealing in Big Three: the view stays, everything public is respected, every deal that agrees is equally likely."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from big_three_helpers import Table, mask, stream, text
from reference import big_three_cards as ref
from reference.big_three_audit import random_rules
from scipy import stats

from simlib.cards import card_number
from simlib.games.big_three import GAME
from simlib.games.big_three.combos import CALL, RANK_TEXT
from simlib.games.big_three.redeal import played_by

U = np.uint64


def view_of(game, seat):
    out = np.zeros(1, GAME.VIEW)
    GAME.observe(game.state, seat, out[0])
    return out


def redeals(game, seat, number, seed=1):
    """That many redealt states from a seat's view."""
    seen, rng = view_of(game, seat)[0], stream(seed, 9)
    out = np.zeros(number, GAME.STATE)
    for i in range(number):
        GAME.redeal(seen, rng, out[i])
    return out


def check_state(state, game):
    """A redealt state is a deal: every card once, hands as counted, holder and partner set."""
    whole = int(state["widow"])
    for seat in range(game.players):
        assert whole & int(state["dealt"][seat]) == 0
        whole |= int(state["dealt"][seat])
        assert int(state["hand"][seat]).bit_count() == state["table"]["hand_n"][seat]
    assert whole == int(game.rules["deck"])
    if state["table"]["called"] >= 0:
        assert int(state["dealt"][state["holder"]]) >> int(state["table"]["called"]) & 1


@pytest.mark.parametrize("seed", range(12))
def test_same_view_after_redeal(seed):
    """Design, The game contract: over all variants, at every kind of moment, no seat's view changes by a byte."""
    rng = random.Random(seed)
    new = np.zeros(1, GAME.STATE)
    for number in range(12):
        options = random_rules(rng)
        options["straight_of"] = tuple(options["straight_of"])
        options["forced_bid"] = options["forced_bid"] or number % 3 == 0
        game = Table(options, seed=100 * seed + number)
        while game.to_act >= 0:
            if rng.random() < 0.25:
                for seat in range(game.players):
                    before = view_of(game, seat)
                    assert GAME.redeal(before[0], stream(seed, 9, number), new[0]) == game.to_act
                    check_state(new[0], game)
                    after = np.zeros(1, GAME.VIEW)
                    GAME.observe(new[0], seat, after[0])
                    assert before.tobytes() == after.tobytes()
                    check_public(new[0], game)
            game.step(rng.choice(game.legal()))


def check_public(state, game):
    """Heart, forced bids, named card."""
    t = game.state["table"]
    hands = [text(state["dealt"][s]) for s in range(game.players)]
    first, heart = ref.first_bidder({"rank_order": "western" if game.western else "chinese"}, hands)
    assert (first, card_number(heart)) == (t["first"], t["heart"])
    if game.rules["forced_bid"]:
        for i in range(min(int(t["bids_n"]), game.players)):
            seat = (int(t["first"]) + i) % game.players
            assert ref.must_bid_three(hands[seat]) == bool(t["forced"] and seat == t["high_seat"])
    if t["called"] >= 0:
        assert state["holder"] != t["declarer"]


def test_redealt_games_can_be_played_on():
    """Design, The game contract: a redealt state is a game."""
    rng = random.Random(7)
    for seed in range(30):
        game = Table({"players": 3 + seed % 2}, seed=seed)
        for _ in range(rng.randrange(30)):
            if game.to_act >= 0:
                game.step(rng.choice(game.legal()))
        if game.to_act < 0:
            continue
        other = Table({"players": 3 + seed % 2}, seed=seed)
        other.to_act = GAME.redeal(game.view(), stream(seed, 9), other.state)
        while other.to_act >= 0:
            other.step(rng.choice(other.legal()))
        assert other.result()["score"].sum() == 0


# ------------------------------------------------------------------------------------------------ uniform


def exact_marginal(game, me, slots, rank, who):
    """P(slot `who` was dealt x cards of `rank`), exactly, by polynomials over the slots' sizes.

    `slots` maps a name to (unknown cards it gets, {rank: fewest of the unknown cards}); unknown cards by
    rank come from the deck.
    """
    names = list(slots)
    unknown = {r: game.unknown[r] for r in game.unknown}

    def spreads(n, r):
        least = [slots[s][1].get(r, 0) for s in names]

        def rec(i, left):
            if i == len(names) - 1:
                if left >= least[i]:
                    yield (left,)
                return
            for x in range(least[i], left + 1):
                for rest in rec(i + 1, left - x):
                    yield (x, *rest)

        for parts in rec(0, n):
            ways = math.factorial(n)
            for x in parts:
                ways //= math.factorial(x)
            yield parts, ways

    poly = {((0,) * len(names), None): 1}
    for r, n in unknown.items():
        after = {}
        for (sums, mark), ways in poly.items():
            for parts, more in spreads(n, r):
                total = tuple(a + b for a, b in zip(sums, parts, strict=True))
                if all(t <= slots[s][0] for t, s in zip(total, names, strict=True)):
                    key = (total, parts[names.index(who)] if r == rank else mark)
                    after[key] = after.get(key, 0) + ways * more
        poly = after
    goal = tuple(slots[s][0] for s in names)
    found = {mark: ways for (sums, mark), ways in poly.items() if sums == goal}
    whole = sum(found.values())
    return {x: Fraction(w, whole) for x, w in found.items()}


def fits(counts, probabilities):
    """Chi-square p-value of observed counts against exact probabilities; rare classes are pooled."""
    number = sum(counts.values())
    assert set(counts) <= set(probabilities)
    rows = sorted(probabilities, key=probabilities.get, reverse=True)
    seen, wanted = [0.0], [0.0]
    for x in rows:
        if wanted[-1] and float(probabilities[x]) * number < 8:
            seen[-1] += counts.get(x, 0)
            wanted[-1] += float(probabilities[x]) * number
        else:
            seen.append(counts.get(x, 0))
            wanted.append(float(probabilities[x]) * number)
    return stats.chisquare(seen[1:], wanted[1:]).pvalue if len(seen) > 2 else 1.0


def played_ranks(game, seat):
    word = int(played_by(game.view(), seat))
    return {rank: sum(word >> (16 * k + r) & 1 for k in range(4)) for r, rank in enumerate(RANK_TEXT[game.western])}


class Unknown:
    """Which cards a seat does not know, by rank."""

    def __init__(self, known):
        deck = [c for c in ref.deck({}) if c not in known]
        self.unknown = {r: sum(c[0] == r for c in deck) for r in RANK_TEXT[0]}


def count_rank(states, seat, rank, known=(), widow=False):
    out = {}
    for state in states:
        cards = int(state["dealt"][seat]) | (int(state["widow"]) if widow else 0)
        n = sum(c[0] == rank for c in text(cards) if c not in known)
        out[n] = out.get(n, 0) + 1
    return out


def random_position(seed, plies, seat_of):
    """A three-player deal some plies into the play."""
    rng = random.Random(seed)
    game = Table({}, seed=seed, declarer=1 + seat_of, bid=1, first=1)
    for _ in range(plies):
        if game.to_act >= 0:
            game.step(rng.choice(game.legal()))
    assert game.to_act >= 0
    return game


@pytest.mark.parametrize("plies", [0, 6, 15, 24])
@pytest.mark.parametrize("me", [0, 1])
def test_uniform_among_the_deals_that_agree(plies, me):
    """redeal.py: rank counts of a hidden hand are those of exact counting, as declarer (seat 0) and as defender."""
    game = random_position(3, plies, 0)
    known = text(game.state["dealt"][me]) + (text(game.state["widow"]) if me == 0 else [])
    sizes = {0: 20, 1: 16, 2: 16}
    others = [s for s in range(3) if s != me]
    slots = {s: (sizes[s], played_ranks(game, s)) for s in others}
    states = redeals(game, me, 3000, seed=plies + 10 * me)
    worst = 1.0
    for rank in "49K3":
        for who in others:
            wanted = exact_marginal(Unknown(known), me, slots, rank, who)
            worst = min(worst, fits(count_rank(states, who, rank, widow=who == 0), wanted))
    assert worst > 1e-4


def test_uniform_with_four_players():
    """redeal.py: three hidden hands, some cards played, the named card's holder among two of them."""
    called = "8s"
    rng = random.Random(1)
    game = Table({"players": 4}, hands=["", "", called, ""], seed=2, declarer=1, first=1)
    game.step(CALL + card_number(called))
    for _ in range(14):
        game.step(rng.choice([a for a in game.legal() if a < 289]))
    if game.state["table"]["named_played"]:
        pytest.fail("choose another seed: the named card should still be hidden here")
    states = redeals(game, 0, 4000, seed=5)
    known = text(game.state["dealt"][0])
    weight, chance = {}, {}
    for holder in (1, 2, 3):
        slots = {s: (13 - (s == holder), played_ranks(game, s)) for s in (1, 2, 3)}
        chance[holder] = slots
    # Each possible holder weighs as many deals as agree: the named card set apart, the rest counted exactly.
    for holder, slots in chance.items():
        weight[holder] = count_deals(Unknown([*known, called]), slots)
    whole = sum(weight.values())
    seen = {h: int((states["holder"] == h).sum()) for h in (1, 2, 3)}
    assert fits(seen, {h: Fraction(w, whole) for h, w in weight.items()}) > 1e-4


def count_deals(game, slots):
    """Number of suit assignments of the unknown cards to slots with fewest cards by rank, exactly."""
    names = list(slots)
    poly = {(0,) * len(names): 1}
    for r, n in game.unknown.items():
        after = {}
        for sums, ways in poly.items():
            for x in range(n + 1):
                for y in range(n + 1 - x):
                    parts = (x, y, n - x - y)
                    if any(p < slots[s][1].get(r, 0) for p, s in zip(parts, names, strict=True)):
                        continue
                    total = tuple(a + b for a, b in zip(sums, parts, strict=True))
                    more = math.factorial(n) // math.prod(math.factorial(p) for p in parts)
                    after[total] = after.get(total, 0) + ways * more
        poly = after
    return poly[tuple(slots[s][0] for s in names)]


def test_auction_tells_what_it_tells():
    """redeal.py: heart in the widow and a bid that was not forced, against plain rejection of random deals."""
    game = Table({"forced_bid": True}, hands=["5h", "", "3c"], widow="4h", seed=8).bids(1, 0)
    seat = game.to_act
    assert seat == 2
    states = redeals(game, seat, 3000)
    rng = np.random.default_rng(3)
    own = text(game.state["dealt"][seat])
    rest = [c for c in ref.deck({}) if c not in own and c not in ("4h", "5h")]
    seen, wanted = {}, {}
    for state in states:
        key = tuple(sum(c[0] == "3" for c in text(state[f])) for f in ("widow",)) + (
            sum(c[0] == "3" for c in text(state["dealt"][0])),
        )
        seen[key] = seen.get(key, 0) + 1
        assert int(state["widow"]) & mask("4h") and int(state["dealt"][0]) & mask("5h")
    kept = 0
    while kept < 20000:
        order = rng.permutation(rest)
        hands = [[*order[:15], "5h"], order[15:31]]
        if any(ref.must_bid_three(h) for h in hands):
            continue
        kept += 1
        key = (sum(c[0] == "3" for c in order[31:]), sum(c[0] == "3" for c in hands[0]))
        wanted[key] = wanted.get(key, 0) + 1
    keys = sorted(set(seen) | set(wanted))
    table = np.array([[seen.get(k, 0), wanted.get(k, 0)] for k in keys])
    table = table[table.sum(1) > 20]
    assert stats.chi2_contingency(table).pvalue > 1e-4


def test_nothing_hidden_is_seen():
    """Design: swapping what a seat cannot see never changes its view (the converse of redealing)."""
    game = Table({}, seed=3).bids(3)
    declarer = int(game.state["table"]["declarer"])
    others = [s for s in range(3) if s != declarer]
    before = view_of(game, others[0])
    for state in redeals(game, others[0], 50):
        after = np.zeros(1, GAME.VIEW)
        GAME.observe(state, others[0], after[0])
        assert before.tobytes() == after.tobytes() and after[0]["widow"] == 0
