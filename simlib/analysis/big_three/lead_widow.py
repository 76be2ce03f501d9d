"""What the lead, the widow, the duty to bid, and sets and straights are worth: each played out on the same deals."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.analysis.big_three import kernels
from simlib.analysis.big_three.counterfactuals import Counterfactuals, counterfactuals
from simlib.analysis.big_three.outcomes import Setting, make_setting, three_players
from simlib.analysis.big_three.strength import win_chances
from simlib.analysis.big_three.tables import SEAT_NAMES, Array, unit_of
from simlib.analysis.study import Study, study
from simlib.stats._check import check_number
from simlib.stats.clusters import cluster_interval
from simlib.stats.intervals import Estimate, mean_interval, paired_difference

SHARE_UNIT = "chance that the declarer wins"


def lead_value(
    deals: int = 1_000,
    seed: int | None = None,
    *,
    rules: Any = None,
    players: int | None = None,
    play: Any = "counting",
    threads: int | None = None,
    level: float = 0.95,
) -> Study:
    """Estimate what leading to the first trick is worth to the declarer.

    Every seat declares every deal, and each time every seat leads once.

    Returns
    -------
    Study
        Parts ``"chance"`` (by who leads: the declarer, or the k-th seat after it) and ``"lead"`` (what the declarer
        gains by leading itself, on the same deals).
    """
    setting = make_setting(deals, seed, rules, play, threads, players=players)
    n = setting.players
    won = np.zeros((n, setting.deals, n), np.int64)  # by place of the leader after the declarer
    for declarer in range(n):
        for after in range(n):
            rows = setting.played(declarer, leader=(declarer + after) % n)
            won[after, :, declarer] = rows["declarer_won"]
    names = ["the declarer leads", *(f"seat {k} after the declarer leads" for k in range(1, n))]
    chance = [(name, mean_interval(won[k], level=level)) for k, name in enumerate(names)]
    lead = [
        (f"declarer rather than seat {k} after it", paired_difference(won[0], won[k], level=level)) for k in range(1, n)
    ]
    every = won[1:].sum(axis=0) / (n - 1)
    lead.append(("declarer rather than any other seat", paired_difference(won[0].astype(float), every, level=level)))
    units = {"chance": SHARE_UNIT, "lead": "gain in the chance"}
    return study("What is the lead worth?", {"chance": chance, "lead": lead}, units, ("chance",), ("lead",))


def widow_value(
    data: Counterfactuals | int = 2_000, seed: int | None = None, *, level: float = 0.95, **more: Any
) -> Study:
    """Estimate what the widow adds to the declarer's chance to win (three players).

    Parameters
    ----------
    data : Counterfactuals or int
        Deals that are there already, or how many to play.
    seed, **more
        As for `counterfactuals`, when deals are to be played.
    level : float
        Confidence level.

    Returns
    -------
    Study
        Parts ``"chance"`` (with and without it), ``"gain"`` (overall, by how many 3s the widow holds, and by what it
        does to the number of turns that the hand needs), ``"turns"`` (turns that it costs; how often it costs none).
    """
    found = _data(data, seed, more)
    three_players(found.setting, "the widow")
    t = found.rows
    gain = (t.won - t.won_bare).to_numpy()
    threes, turns = (t.after_threes - t.threes).to_numpy(), (t.after_turns - t.turns).to_numpy()
    deal = t.deal.to_numpy()

    def among(chosen: Any, values: Any) -> Estimate:
        return cluster_interval(values[chosen], deal[chosen], level=level)

    every = np.ones(len(t), np.bool_)
    chance = [("with the widow", among(every, t.won.to_numpy())), ("without it", among(every, t.won_bare.to_numpy()))]
    gains = [("all deals", among(every, gain))]
    groups = [(f"{n} threes in the widow", threes == n) for n in range(5)]
    groups += [(_turns_text(n), turns == n) for n in range(int(turns.min()), int(turns.max()) + 1)]
    gains += [(name, among(chosen, gain)) for name, chosen in groups if chosen.sum() >= 30]
    costs = [("turns more", among(every, turns)), ("no turn more", among(every, (turns <= 0).astype(np.int64)))]
    parts = {"chance": chance, "gain": gains, "turns": costs}
    units = {"chance": SHARE_UNIT, "gain": "gain in the chance", "turns": "turns, or share of hands"}
    return study("What does the widow add?", parts, units, ("chance",), ("gain",))


def _turns_text(n: int) -> str:
    if n == 0:
        return "it costs no turn"
    return f"it {'costs' if n > 0 else 'saves'} {abs(n)} turn{'s' if abs(n) > 1 else ''}"


def _data(data: Any, seed: int | None, more: dict[str, Any]) -> Counterfactuals:
    if isinstance(data, Counterfactuals):
        if seed is not None or more:
            raise ValueError("data: these deals are played already; seed and the like say how to play new ones")
        return data
    return counterfactuals(data, seed, bids=(1,), **more)


def shape_cost(
    data: Counterfactuals | int = 2_000, seed: int | None = None, *, level: float = 0.95, **more: Any
) -> Study:
    """Estimate what bidding without sets and straights costs (advice 1 of the source), top cards being equal.

    A hand has many sets and straights when it needs fewer turns than the middle hand, few when it needs more. Hands
    are compared within groups of equally many 3s and of 2s, and the differences averaged over the groups with the
    share that each has of all hands.

    Parameters
    ----------
    data, seed, **more, level
        As for `widow_value`.

    Returns
    -------
    Study
        Parts ``"chance"`` (many, few), ``"cost"`` (plain difference, and at equal top cards), ``"chips"`` (the same at
        bids of 1, 2 and 3, as many times the chips of a win).
    """
    found = _data(data, seed, more)
    t = found.rows
    middle = float(t.turns.median())
    many, few = (t.turns < middle).to_numpy(), (t.turns > middle).to_numpy()
    if not many.any() or not few.any():
        raise ValueError(f"deals={found.setting.deals}: too few to tell hands apart by their turns")
    deal, won, chips = t.deal.to_numpy(), t.won.to_numpy(), t.chips_1.to_numpy()
    group = (5 * t.threes + t.twos).to_numpy()
    chance = [
        ("many sets and straights", cluster_interval(won[many], deal[many], level=level)),
        ("few sets and straights", cluster_interval(won[few], deal[few], level=level)),
    ]
    nobody = np.zeros_like(group)
    cost = [
        ("few rather than many", _within(nobody, many, few, won, deal, level)),
        ("few rather than many, with equal 3s and 2s", _within(group, many, few, won, deal, level)),
    ]
    unit = unit_of(found.setting.rules)
    money = [(f"at a bid of {b}", _within(group, many, few, b * chips, deal, level)) for b in (1, 2, 3)]
    parts = {"chance": chance, "cost": cost, "chips": money}
    units = {"chance": SHARE_UNIT, "cost": "difference in the chance", "chips": f"difference in {unit}"}
    return study("What does bidding without sets and straights cost?", parts, units, ("chance",), ("cost",))


def _within(group: Array, many: Array, few: Array, values: Array, deal: Array, level: float) -> Estimate:
    """Mean difference few − many within groups, weighted by the groups' shares of all rows; clustered by deal.

    The estimate is linear in the values of each row, given the groups, so the sum of a deal's rows is one of the
    independent terms of its variance (Liang and Zeger 1986).
    """
    from simlib.stats.intervals import t_estimate

    weight = np.zeros(len(values))
    residual = np.zeros(len(values))
    usable = [g for g in np.unique(group) if (many & (group == g)).any() and (few & (group == g)).any()]
    total = float(np.isin(group, usable).sum())
    mean = 0.0
    for g in usable:
        share = float((group == g).sum()) / total
        for chosen, sign in ((few, 1.0), (many, -1.0)):
            rows = chosen & (group == g)
            average = float(values[rows].mean())
            mean += sign * share * average
            weight[rows] = sign * share / rows.sum()
            residual[rows] = values[rows] - average
    sums = np.bincount(deal, weight * residual)
    used = int(np.count_nonzero(np.bincount(deal, weight != 0)))
    games = int((weight != 0).sum())
    variance = float(sums @ sums) * used / max(1, used - 1)
    return t_estimate(mean, variance, used, games, level=level, df=used - 1, method="t clustered by deal")


def first_bidder(
    deals: int = 1_000,
    seed: int | None = None,
    *,
    one: float = 0.5,
    two: float = 0.5,
    three: float = 0.5,
    rules: Any = None,
    play: Any = "counting",
    threads: int | None = None,
    level: float = 0.95,
) -> Study:
    """Estimate whether the duty to bid 1 and the right to lead help or hurt the first bidder (three players).

    Everybody bids by the fitted chance to win (as the policy `value`). Each deal is settled four times: by the
    rules; without the duty (who may pass then, bids 1 from `one` on, and a deal that nobody bids for is void); with
    the lead given to the other seats, half the time to each, which everybody knows when bidding; and with neither.

    Parameters
    ----------
    deals, seed, rules, play, threads, level
        As for `counterfactuals`.
    one, two, three : float
        Chance to win from which on a seat bids so.

    Returns
    -------
    Study
        Parts ``"chips"`` (first bidder's mean under each of the four), ``"effect"`` (of the duty and of the lead, on
        the same deals) and ``"place"`` (every place's mean by the rules).
    """
    setting = three_players(make_setting(deals, seed, rules, play, threads), "this question")
    floors = [check_number(x, name) for name, x in (("one", one), ("two", two), ("three", three))]
    views, first = setting.dealt()
    thresholds = np.tile([*floors, *floors[1:], floors[2]], (3, 1))
    scores = _by_leader(setting, first)
    chips: dict[tuple[bool, bool], Array] = {}
    for duty in (True, False):
        by_lead = []
        for after in range(3):
            worth = win_chances(_led_by(views, (first + after) % 3))
            out, bids = np.zeros((setting.deals, 3)), np.zeros(setting.deals, np.int64)
            kernels.auctions(worth, first, scores[after], thresholds, duty, out, bids)
            by_lead.append(out)
        chips[duty, True] = by_lead[0]
        chips[duty, False] = (by_lead[1] + by_lead[2]) / 2
    mine = {key: out[np.arange(len(first)), first] for key, out in chips.items()}
    names = {(True, True): "by the rules", (False, True): "without the duty", (True, False): "without the lead",
             (False, False): "with neither"}  # fmt: skip
    means = [(name, mean_interval(mine[key], level=level)) for key, name in names.items()]
    effects = [
        ("the duty to bid", paired_difference(mine[True, True], mine[False, True], level=level)),
        ("the right to lead", paired_difference(mine[True, True], mine[True, False], level=level)),
        ("both", paired_difference(mine[True, True], mine[False, False], level=level)),
    ]
    by_rules = chips[True, True]
    places = [
        (SEAT_NAMES[k], mean_interval(by_rules[np.arange(len(first)), (first + k) % 3], level=level)) for k in range(3)
    ]
    unit = unit_of(setting.rules)
    units = {"effect": f"gain in {unit}", "chips": unit, "place": unit}
    parts = {"effect": effects, "chips": means, "place": places}
    return study("Do the duty to bid and the right to lead help the first bidder?", parts, units)


def _led_by(views: Array, leader: Array) -> Array:
    """Return the views with another seat to lead: everybody bids knowing who does."""
    told = views.copy()
    told["leader"] = leader[:, None]
    return told


def _by_leader(setting: Setting, first: Array) -> list[Array]:
    """Return for the first bidder and each seat after it as leader every seat's chips by declarer (deals, 3, 3)."""
    n = setting.players
    by_seat = np.zeros((n, setting.deals, n, n))
    for leader in range(n):
        for declarer in range(n):
            by_seat[leader, :, declarer] = setting.played(declarer, leader=leader)["score"][:, :n]
    return [np.ascontiguousarray(by_seat[(first + after) % n, np.arange(setting.deals)]) for after in range(n)]
