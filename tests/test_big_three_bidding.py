"""What bids are worth: agreement with plain simulation, weights, intervals, thresholds, errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

import simlib as sl
from simlib.analysis.big_three import kernels
from simlib.analysis.big_three.bid_value import bid_value
from simlib.analysis.big_three.counterfactuals import counterfactuals, crossing
from simlib.analysis.big_three.lead_widow import first_bidder, lead_value, shape_cost, widow_value
from simlib.analysis.big_three.outcomes import make_setting
from simlib.analysis.big_three.strength import win_chances
from simlib.analysis.big_three.thresholds import NEVER, _sample, _tied, equilibrium
from simlib.engine import make_work, play_range
from simlib.games.big_three.scenario import make_scenario

HAND = "3h 3d 2s Ah Kd Kc Qd Jc Tc 9s 8d 7h 6c 5d 4s 4c"  # lowest heart: the seven
FIRST = "3h 3d 2s Ah Kd Kc Qd Jc Tc 9s 8d 7h 6c 5d 4s 4h"
FAST = {"play": "shed", "deals": 400, "seed": 5}
THREES = "threshold:two=6,three=8"


def line(bidders, play="shed"):
    return [f"parts:bid=[{b}],play=[{play}]" for b in bidders]


def plain(bidders, n, hand=HAND, seed=5, rules=None, **scenario):
    """Results of the first n deals of the seed in which seat 0 holds the hand."""
    options = sl.rules("big_three", **(rules or {}))
    fixed = make_scenario(options, hands={0: hand}, **scenario)
    return play_range(make_work("big_three", line(bidders), seed, rules=rules, scenario=fixed), 0, n)[:, 0]


# --- agreement with plain simulation ---------------------------------------------------------------


def test_passing_is_plain_play():
    """RULES.md 2.2: the row of passing is the mean of the same deals played by a bidder that never bids."""
    found = bid_value(HAND, others=THREES, **FAST)
    rows = plain(["never", THREES, THREES], 400)
    assert found.table.chips[0] == pytest.approx(rows["score"][:, 0].mean(), abs=1e-12)
    assert found.table.wins[0] == pytest.approx(rows["won"][:, 0].mean(), abs=1e-12)


@pytest.mark.parametrize("option", [1, 2, 3])
def test_bidding_is_plain_play(option):
    """RULES.md 2.2, 2.3: a bid of b is what a bidder gets that bids b first and then passes."""
    found = bid_value(FIRST, others=THREES, **FAST)
    rows = plain(
        [f"threshold:two={0 if option > 1 else 99},three={0 if option == 3 else 99}", THREES, THREES], 400, FIRST
    )
    assert list(found.table.bid) == [1, 2, 3]
    row = found.table[found.table.bid == option].iloc[0]
    assert row.chips == pytest.approx(rows["score"][:, 0].mean(), abs=1e-12)
    assert row.declares == pytest.approx((rows["declarer"] == 0).mean(), abs=1e-12)


def test_declarer_and_widow():
    """RULES.md 2.4: the chance to win as declarer, with and without the widow, on the same deals."""
    found = bid_value(HAND, **FAST)
    rows = [plain(["never"] * 3, 400, declarer=0, bid=3, no_widow=no) for no in (False, True)]
    won = [r["declarer_won"].astype(float) for r in rows]
    assert found.win.mean == pytest.approx(won[0].mean()) and found.win_without_widow.mean == pytest.approx(
        won[1].mean()
    )
    assert found.widow.mean == pytest.approx((won[0] - won[1]).mean())
    assert found.widow.se == pytest.approx((won[0] - won[1]).std(ddof=1) / math.sqrt(400))
    # A bid of 3 ends the auction (2.3), so its chips are those of the declarer.
    assert found.table.chips.iloc[-1] == pytest.approx(bid_value(FIRST, **FAST).table.chips.iloc[-1], abs=3)
    first = bid_value(FIRST, **FAST)
    assert first.table.chips.iloc[-1] == pytest.approx(6 * (2 * first.win.mean - 1))


def test_history_keeps_just_the_deals_with_these_bids():
    """design.md §7: with slip=0 and policies that draw no lots the deals are those whose auction began like that."""
    found = bid_value(HAND, bids=(1, 2), others=THREES, slip=0, play="shed", deals=60, seed=5)
    rows = plain([THREES.replace("6", "99").replace("8", "99"), THREES, THREES], found.candidates)
    texts = [str(a) for a in rows["auction"]]
    agrees = np.flatnonzero([t.startswith("12") and f == 1 for t, f in zip(texts, rows["first_bidder"], strict=True)])
    assert len(agrees) == found.deals == 60 and (found.weights == 1).all() and found.ess == 60
    assert found.table.chips[0] == pytest.approx(rows["score"][agrees, 0].mean(), abs=1e-12)
    first = rows["first_bidder"] == 1
    assert found.likelihood.mean == pytest.approx(len(agrees) / first.sum())
    assert list(found.table.bid) == [0, 3] and found.situation.position == 2


def test_history_of_several_rounds():
    """RULES.md 2.2: the own earlier bids are made as given; who passed may bid again."""
    found = bid_value(FIRST, bids=(1, 0, 2), others=THREES, slip=0.05, play="shed", deals=100, seed=5)
    assert list(found.table.bid) == [0, 3] and found.situation.position == 0
    assert all(str(a).startswith("102") for a in found.results["auction"].ravel())
    # The second may still come back with a 3; a 3 of the first bidder ends it (2.3).
    assert set(found.results["declarer"][:, 0]) <= {1, 2} and (found.results["declarer"][:, 1] == 0).all()


def test_likelihood_of_a_slip():
    """A bid that the policy does not make has the likelihood slip / number of legal bids."""
    assert bid_value(HAND, bids=(2,), others="never", slip=0.3, **FAST).likelihood.mean == pytest.approx(0.1)
    found = bid_value(HAND, bids=(1,), others="random", slip=0, play="shed", deals=1500, seed=5)
    assert not found.likelihood.excludes(1 / 3)


def every_deal_weighed(n, slip, seed):
    """Chance to win as declarer after bids 1 and 2 of `THREES`, from the first n deals, each with its own weight."""
    from simlib.batch import Batch
    from simlib.games.big_three import GAME
    from simlib.policies.big_three.bidding import hand_value

    fixed = make_scenario(hands={0: HAND})
    states = Batch.of_work(make_work("big_three", line(["never"] * 3), seed, scenario=fixed), n).states
    rules = GAME.encode(GAME.rules.make())[0]
    worth = np.array([[hand_value(hand, rules) for hand in row[1:3]] for row in states["hand"]])
    one = slip / 3 + (1 - slip) * (worth[:, 0] < 6)  # the first bidder may bid 1, 2 or 3
    two = slip / 3 + (1 - slip) * ((worth[:, 1] >= 6) & (worth[:, 1] < 8))  # the next may pass or bid 2 or 3
    weights = one * two * (states["table"]["first"] == 1)
    won = plain(["never"] * 3, n, seed=seed, declarer=0, bid=3)["declarer_won"]
    return float(weights @ won / weights.sum()), weights


@pytest.mark.parametrize("block, seed", [(4096, 5), (2, 1)])
def test_weights_agree_with_all_deals_weighed(block, seed, monkeypatch):
    """design.md §7: deals kept by chance estimate the same as every deal weighed; a late likely one weighs more."""
    from simlib.analysis.big_three import situation

    monkeypatch.setattr(situation, "BLOCK", block)
    expected, weights = every_deal_weighed(4000, 0.3, seed)
    found = bid_value(HAND, bids=(1, 2), others=THREES, slip=0.3, play="shed", deals=1000, seed=seed)
    assert abs(found.win.mean - expected) < 3.5 * found.win.se
    placed = weights[weights > 0]
    assert abs(found.likelihood.mean - placed.mean()) < 4 * placed.std() / math.sqrt(
        min(len(placed), found.candidates / 2)
    )
    uneven = len(set(found.weights)) > 1
    assert uneven == (found.ess < found.deals - 1e-6) == (block == 2)
    assert (found.weights >= 1).all() and found.ess > 100


def test_first_seats_and_hearts():
    """RULES.md 2.1: the first bidder sits where the hand's place says and has the heart shown; lower ones lie apart."""
    for seat in (1, 2):
        found = bid_value(HAND, seat=seat, **FAST)
        assert (found.results["first_bidder"] == (3 - seat) % 3).all()
    found = bid_value(HAND, seat=1, heart="6h", **FAST)
    assert (found.results["heart"] == 26 + 5).all() and (found.results["first_bidder"] == 2).all()
    alone = bid_value(HAND, seat=0, **FAST)  # its lowest heart is the seven: 4, 5 and 6 lie in the widow
    assert (alone.results["heart"] == 26 + 6).all() and (alone.results["first_bidder"] == 0).all()
    anywhere = bid_value(HAND, **FAST)
    assert set(np.unique(anywhere.results["first_bidder"])) == {1, 2}


@pytest.mark.parametrize("options", [{"players": 4}, {"short_deck": True}, {"scoring": "mcneely"},
                                     {"rank_order": "western"}, {"forced_bid": True, "bomb_bonus": True}])  # fmt: skip
def test_variants(options):
    """RULES.md 7: every variant has its values; four players have no widow, McNeely counts points."""
    hand = (
        HAND
        if options.get("players") != 4 and "short_deck" not in options
        else "3h 3d Kh Kd Kc Qd Jc Tc 9s 8d 7h 6c 5d"
    )
    found = bid_value(hand, rules=options, play="shed", deals=60, seed=1)
    assert found.unit == ("points" if "scoring" in options else "chips")
    assert (found.widow is None) == (options.get("players") == 4) == (found.win_without_widow is None)
    assert found.unit in found.table and found.best in found.table.bid.to_list()
    assert len(found.table) == 4 and found.table.best.sum() == 1


def test_a_strong_hand_bids_and_a_weak_one_does_not():
    """The more 3s, the better: a sanity check on the answers."""
    strong = bid_value("3h 3d 3c 2s 2d Ah Kd Kc Kh Qd Jc Tc 9s 8d 7h 6c", deals=300, seed=1)
    weak = bid_value("4s 4c 5s 6d 6s 7c 8h 9h 9c Td Js Qh Qc Kd Ac As", deals=300, seed=1)
    assert strong.best == 3 and strong.win.lo > 0.5 and strong.margin.mean >= 0
    assert weak.best == 0 and weak.win.hi < 0.5


def test_deals_follow_the_half_width():
    """The interval of the chance to win is no wider than asked for."""
    found = bid_value(HAND, half_width=0.05, play="shed", seed=1)
    assert found.deals == 385 and found.win.half_width <= 0.0502


def test_same_numbers_with_any_threads():
    one, two = (bid_value(HAND, bids=(1,), play="tips", deals=300, seed=9, threads=t) for t in (1, 2))
    assert one.table.equals(two.table) and one.win == two.win
    assert bid_value(HAND, bids=(1,), play="tips", deals=300, seed=10).table.chips[0] != one.table.chips[0]


def test_texts_and_plot():
    import matplotlib as mpl

    mpl.use("agg")
    found = bid_value(HAND, bids=(1, 2), **FAST)
    assert "chance to win as declarer" in repr(found) and "<table" in found._repr_html_()
    assert "name policies for the others" in repr(found)  # `value` never bids just 2
    assert found.plot().get_ylabel() == "mean chips"


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"hand": "3h 3d"}, "hand: 2 cards"),
        ({"hand": HAND.replace("4c", "3h")}, "given twice"),
        ({"hand": HAND.replace("4c", "*")}, "not in the deck"),
        ({"hand": HAND, "players": 4}, "16 cards|at most 13"),
        ({"hand": HAND, "seat": 3}, "seat=3"),
        ({"hand": FIRST, "seat": 1}, "4 of hearts"),
        ({"hand": HAND.replace("7h", "7c").replace("Ah", "As").replace("3h", "3s"), "seat": 0}, "cannot bid first"),
        ({"hand": HAND, "bids": (0,)}, "must bid at least 1"),
        ({"hand": HAND, "bids": (2, 1)}, "not higher"),
        ({"hand": HAND, "bids": (1, 0, 0)}, "auction is over"),
        ({"hand": HAND, "bids": (3,)}, "auction is over"),
        ({"hand": HAND, "bids": (1, 3, 0)}, "was over"),
        ({"hand": HAND, "bids": (1,), "seat": 2}, "seat=2: after 1 bids"),
        ({"hand": HAND, "bids": (4,)}, "bids"),
        ({"hand": HAND, "heart": "5h"}, "needs a seat"),
        ({"hand": HAND, "seat": 1, "heart": "7h"}, "itself has"),
        ({"hand": HAND, "seat": 1, "heart": "5c"}, "must be a heart"),
        ({"hand": HAND, "slip": 1}, "slip=1"),
        ({"hand": HAND, "half_width": 0}, "half_width"),
        ({"hand": HAND, "deals": 0}, "deals=0"),
        ({"hand": HAND, "others": ["value"]}, "others: 1 policies"),
        ({"hand": HAND, "others": "vlaue"}, "did you mean 'value'"),
        ({"hand": HAND, "level": 1.0}, "level"),
        ({"hand": HAND, "rules": {"players": 3}, "players": 4}, "players=4"),
        ({"hand": HAND, "bids": (1, 2), "others": "never", "slip": 0}, "did not bid so"),
    ],
)
def test_input_errors(arguments, words):
    """design.md §8: the error names the argument, what came and what is allowed."""
    with pytest.raises(ValueError, match=words):
        bid_value(**arguments)


@pytest.mark.parametrize("arguments", [{"hand": 3}, {"hand": HAND, "bids": "1"}, {"hand": HAND, "rules": 3},
                                       {"hand": HAND, "deals": 1.5}, {"hand": HAND, "bids": (True,)}])  # fmt: skip
def test_type_errors(arguments):
    with pytest.raises(TypeError):
        bid_value(**arguments)


def test_numpy_policies_are_refused():
    @sl.policy("big_three", vector=True)
    def slow(views, ctx):
        return np.zeros(len(views), np.int64)

    with pytest.raises(ValueError, match="NumPy policy"):
        bid_value(HAND, others=slow)


def test_an_illegal_policy_is_named():
    @sl.policy("big_three")
    def wrong(view, ctx):
        return 9999

    with pytest.raises(sl.IllegalAction, match="wrong"):
        bid_value(HAND, seat=1, others=wrong, deals=5, seed=1)


# --- counterfactuals ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def forced():
    return counterfactuals(700, 3)


def test_every_declarer_and_bid(forced):
    """RULES.md 5: the same deals for every declarer; chips are twice the bid, for or against."""
    rows = forced.rows
    assert len(rows) == 2100 and (rows.groupby("deal").seat.nunique() == 3).all()
    for b in (1, 2, 3):
        assert (rows[f"chips_{b}"] == 2 * b * (2 * rows.won - 1)).all()
    for seat in range(3):
        played = play_range(
            make_work("big_three", ["counting"] * 3, 3, scenario=make_scenario(declarer=seat, bid=2)), 0, 700
        )
        assert (rows.won[rows.seat == seat].to_numpy() == played["declarer_won"][:, 0]).all()
        assert (rows.threes[rows.seat == seat].to_numpy() == played["threes"][:, 0, seat]).all()
    assert ((rows.position == 0) == (rows.leads == 1)).all() and (rows.position == 0).sum() == 700


def test_defending(forced):
    """RULES.md 5: who defends gets the first bidder's loss, or pays its win, at a bid of 1."""
    for _, deal in list(forced.rows.groupby("deal"))[:50]:
        first = deal[deal.position == 0].iloc[0]
        assert math.isnan(first.defends)
        assert (deal[deal.position > 0].defends == (-1 if first.won else 1)).all()


def test_groups_and_break_even(forced):
    """The more 3s the better; where the mean crosses 0 lies between the groups that straddle it."""
    by = forced.by("threes")
    assert by.n.sum() == 2100 and by.won.is_monotonic_increasing
    assert ((by.won_lo <= by.won) & (by.won <= by.won_hi)).all()
    found = forced.break_even("threes", 2)
    assert found.range[0] <= found.at <= found.range[1]
    assert forced.break_even("threes", 1).at == pytest.approx(found.at)
    assert (forced.break_even("threes", 1, against="defending").at or 4) > found.at
    assert "breaks even" in repr(found) and set(found.sure) <= set(found.table.x)
    assert {"position", "threes"} <= set(forced.by("position", "threes"))


def test_crossing():
    assert crossing([0, 1, 2], [-1, 1, 3]) == 0.5
    assert crossing([0, 1], [1, 0.5]) is None
    assert crossing([0, 1, 2], [2, 1, -1]) == 1.5


def test_model_is_that_of_statsmodels_and_calibrated(forced):
    """The logit and its cluster-robust covariance; on the deals kept apart the predictions hold."""
    import statsmodels.api as sm

    model = forced.model(["threes", "turns", "leads"])
    train = forced.rows[forced.rows.deal < 490]
    x = sm.add_constant(train[["threes", "turns", "leads"]].astype(float))
    other = sm.GLM(train.won, x, family=sm.families.Binomial()).fit(cov_type="cluster", cov_kwds={"groups": train.deal})
    assert np.allclose(model.coefficients, other.params, atol=1e-5)
    assert np.allclose(model.table.se, other.bse, rtol=0.02)
    t = model.table.set_index("feature")
    assert t.lo.threes > 0 and t.odds.threes > 1 and t.coefficient.turns < 0
    cal = model.calibration(5)
    assert cal.n.sum() == len(model.test) == 630 and cal.predicted.is_monotonic_increasing
    z = (cal.observed - cal.predicted) / ((cal.hi - cal.lo) / 3.92)
    base = model.test.won.mean()
    assert (z.abs() < 4).all() and model.log_loss < -base * math.log(base) - (1 - base) * math.log(1 - base)
    assert "threes" in repr(model) and "<table" in model._repr_html_()
    with pytest.raises(ValueError, match="no column 'threes'"):
        model.chance({"turns": [1]})


def test_figures(forced):
    import matplotlib as mpl

    mpl.use("agg")
    model = forced.model(["threes", "turns"])
    for ax in (
        forced.plot("threes"),
        forced.break_even("threes").plot(),
        model.plot(groups=4),
        model.plot_coefficients(),
    ):
        assert ax.get_xlabel()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda c: c.by("three"), "did you mean 'threes'"),
        (lambda c: c.by(), "name at least one"),
        (lambda c: c.break_even("threes", 4), "bid=4"),
        (lambda c: c.break_even("threes", against="x"), "against='x'"),
        (lambda c: c.break_even("threes", least=10_000), "too few"),
        (lambda c: c.model(holdout=0.0), "holdout"),
        (lambda c: c.model(holdout=0.99), "too few"),
        (lambda c: counterfactuals(10, bids=(4,)), "bids="),
        (lambda c: counterfactuals(1), "deals=1"),
        (lambda c: widow_value(c, 3), "played already"),
        (lambda c: widow_value(10, 3, players=4), "three players"),
    ],
)
def test_input_errors_of_counterfactuals(forced, call, words):
    with pytest.raises(ValueError, match=words):
        call(forced)


def test_four_players_declare_too():
    """RULES.md 7.1: with a secret partner; there is no widow to leave out."""
    found = counterfactuals(40, 1, players=4, bids=(1,), play="shed")
    assert "won_bare" not in found.rows and len(found.rows) == 160
    assert (found.rows.chips_1.abs() == 1).all()


# --- lead, widow, first bidder, shape ------------------------------------------------------------------


def test_lead():
    """RULES.md 4.1, 8.2: leading helps; the first row is plain play with declarer and leader set."""
    found = lead_value(250, 3, play="shed")
    own = [plain_led(s, s) for s in range(3)]
    assert found["the declarer leads"]["mean"] == pytest.approx(np.mean(own))
    others = [plain_led(s, o) for s in range(3) for o in range(3) if o != s]
    row = found["declarer rather than any other seat"]
    assert row.lo > 0 and row["mean"] == pytest.approx(np.mean(own) - np.mean(others))
    assert found.parts == ["chance", "lead"] and "%" in repr(found)
    with pytest.raises(ValueError, match="part='x'"):
        found.part("x")
    with pytest.raises(KeyError, match="none of"):
        found["x"]


def plain_led(declarer, leader):
    scenario = make_scenario(declarer=declarer, leader=leader)
    return play_range(make_work("big_three", ["shed"] * 3, 3, scenario=scenario), 0, 250)["declarer_won"].mean()


def test_widow_and_shape(forced):
    """RULES.md 2.4 and advice 1, 5: what the rows of the same deals say, and a plot of each part."""
    import matplotlib as mpl

    mpl.use("agg")
    found, rows = widow_value(forced), forced.rows
    assert found["all deals"]["mean"] == pytest.approx((rows.won - rows.won_bare).mean())
    assert found["with the widow"]["mean"] - found["without it"]["mean"] == pytest.approx(found["all deals"]["mean"])
    shape = shape_cost(forced)
    middle = rows.turns.median()
    plain_difference = rows.won[rows.turns > middle].mean() - rows.won[rows.turns < middle].mean()
    assert shape["few rather than many"]["mean"] == pytest.approx(plain_difference)
    equal = shape["few rather than many, with equal 3s and 2s"]["mean"]
    assert equal < 0 and shape["at a bid of 3"]["mean"] == pytest.approx(12 * equal)
    for study in (found, shape):
        for part in study.parts:
            assert study.plot(part=part).get_xlabel() == study.units[part]


def test_first_bidder_by_the_rules_is_plain_play():
    """RULES.md 2.1, 4.1: settled without playing again, the deals come out as `value` plays them."""
    found = first_bidder(200, 4, play="shed")
    rows = play_range(make_work("big_three", ["value:play=[shed]"] * 3, 4), 0, 200)[:, 0]
    mine = rows["score"][np.arange(200), rows["first_bidder"]]
    assert found["by the rules"]["mean"] == pytest.approx(mine.mean())
    assert sum(found[k]["mean"] for k in ("first bidder", "second", "third")) == pytest.approx(0)
    assert found["by the rules"]["mean"] - found["with neither"]["mean"] == pytest.approx(found["both"]["mean"])
    with pytest.raises(ValueError, match="players=4"):
        first_bidder(10, 1, rules={"players": 4})


# --- thresholds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"players": 4}])
@pytest.mark.parametrize("two, three", [(0.35, 0.5), (0.3, 0.3), (0.2, 0.9)])
def test_auctions_settled_are_auctions_played(options, two, three):
    """RULES.md 2.2, 2.3: the quick auction of threshold bidders gives declarer, bid and chips of real play."""
    setting = make_setting(150, 6, options, "shed", None)
    sample = _sample(setting)
    n = setting.players
    out, bids = sample.settled(0, _tied(two, three), _tied(two, three))
    policy = f"value:two={two},three={three},play=[shed]"
    rows = play_range(make_work("big_three", [policy] * n, 6, rules=options), 0, 150)[:, 0]
    assert (bids >> 2 == rows["declarer"]).all() and (bids & 3 == rows["bid"]).all()
    assert (out == rows["score"][:, :n]).all() and (out.sum(axis=1) == 0).all()


def test_nobody_need_bid_without_the_duty():
    """A deal that nobody bids for is void."""
    worth = np.full((1, 3), 0.4)
    never, bids, out = np.full((3, 6), NEVER), np.zeros(1, np.int64), np.ones((1, 3))
    kernels.auctions(worth, np.zeros(1, np.int64), np.ones((1, 3, 3)), never, False, out, bids)
    assert bids[0] == 0 and (out == 0).all()
    kernels.auctions(worth, np.ones(1, np.int64), np.ones((1, 3, 3)), never, True, out, bids)
    assert bids[0] == 4 + 1


def test_fixed_point():
    """No pair of thresholds on the grid does better on the deals it was found on than the path says."""
    found = equilibrium(600, 2, play="shed", step=0.1)
    assert 0 <= found.two <= found.three <= NEVER
    assert found.table.gain.min() >= -1e-12 and len(found.path) <= 20
    kept = found.table[(found.table.two == found.two) & (found.table.three == found.three)]
    assert kept.gain.min() == pytest.approx(found.table.gain.min())
    assert found.gain.n_deals == 150 and len(found.free) == 5 and found.plot().get_xlabel()
    assert found.places.chips.sum() == pytest.approx(0, abs=1e-9)
    assert found.bids.share.sum() == pytest.approx(1)
    assert found.policy.text.startswith("value") and "chance to win" in repr(found)
    again = equilibrium(600, 2, play="shed", step=0.1, threads=1)
    assert again.table.equals(found.table)
    with pytest.raises(ValueError, match="start="):
        equilibrium(600, start=(0.6, 0.5))


def test_thresholds_by_situation():
    """With a threshold for each situation no single one of them can be moved to gain where the path ended."""
    found = equilibrium(400, 2, play="shed", step=0.1, situations=True, rounds=8)
    assert list(found.by_situation.situation) == list(found.table.columns[1:6]) and len(found.thresholds) == 6
    assert found.table.gain.min() >= -1e-12 and "bids 3 over 2" in repr(found)
    with pytest.raises(ValueError, match="situations=True"):
        _ = found.policy


def test_worth_of_hands():
    """The chances are those that the policy `value` bids by: it bids 3 from its threshold on."""
    setting = make_setting(100, 6, {}, "shed", None)
    views, first = setting.dealt()
    chances = win_chances(views)
    rows = play_range(make_work("big_three", ["value:two=2,three=0.4,play=[shed]"] * 3, 6), 0, 100)[:, 0]
    mine = chances[np.arange(100), first] >= 0.4
    assert (rows["auction"][mine] == 3).all() and (rows["auction"][~mine] != 3).all()
