"""sl.plan and control variates: deals needed, what pairing saves, features with exact expectations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import simlib as sl
from simlib.analysis.variates import dealt_features, expected_features, variates_of
from simlib.engine import make_work
from simlib.stats.planning import deals_needed

GAME = "drei_zu_viel"
HANDS = [
    (GAME, 2, {}),
    (GAME, 4, {"colour_layout": "blocks", "neutral_values": (1, 2)}),
    ("big_three", 3, {}),
    ("big_three", 3, {"short_deck": True}),
    ("big_three", 4, {"rank_order": "western"}),
]


@pytest.mark.parametrize(("game", "players", "rules"), HANDS, ids=str)
def test_features_have_their_exact_expectations(game, players, rules):
    """Means over 6000 deals are within 4.5 standard errors (clustered by deal)."""
    work = make_work(game, ["random"] * players, 17, rules=rules)
    by_deal = dealt_features(work, 0, 6000).mean(axis=1)
    off, se = by_deal.mean(axis=0) - expected_features(work), by_deal.std(axis=0, ddof=1) / np.sqrt(6000)
    assert by_deal.shape == (6000, len(variates_of(game).names))
    assert (np.abs(off) <= 4.5 * se + 1e-9).all(), off / se


def test_published_expectations():
    """Mean colours of a hand of eight, and quads in 16 random cards."""
    colours = variates_of(GAME).expected(make_work(GAME, ["random"] * 4))[0]
    assert (colours.numerator, colours.denominator) == (380310511, 76383738)
    quads = variates_of("big_three").expected(make_work("big_three", ["random"] * 3))[5]
    assert (quads.numerator, quads.denominator) == (52, 595)


def test_features_are_of_the_deals_that_are_played():
    """Big Three notes the dealt hands' threes in its results."""
    work = make_work("big_three", ["random"] * 3, 5)
    rows = sl.simulate("big_three", ["random"] * 3, 600, 5).seats
    threes = rows.pivot(index="deal", columns="seat", values="threes").to_numpy()
    np.testing.assert_array_equal(dealt_features(work, 0, 600)[..., 0], threes)
    np.testing.assert_array_equal(dealt_features(work, 530, 40)[..., 0], threes[530:570])


def test_adjusted_difference_is_the_intercept_of_ols():
    """Regression of the deal's difference on the centred features."""
    kinds = {"deals": 300, "seed": 8, "opponents": "random", "seatings": "fixed"}
    found = sl.compare("big_three", "random", {"v": "greedy"}, covariates=True, **kinds)
    runs = [sl.simulate("big_three", [h, "random", "random"], 300, 8).games.score_0 for h in ("greedy", "random")]
    work = make_work("big_three", ["random"] * 3, 8)
    centred = dealt_features(work, 0, 300)[:, 0] - expected_features(work)
    fit = sm.OLS((runs[0] - runs[1]).to_numpy(), sm.add_constant(centred)).fit()
    assert found.table.score[0] == pytest.approx(fit.params[0])
    assert found.table.score_se[0] == pytest.approx(fit.bse[0])
    plain = sl.compare("big_three", "random", {"v": "greedy"}, **kinds)
    assert found.table.score_gain[0] == pytest.approx((plain.table.score_se[0] / fit.bse[0]) ** 2)
    assert "score_gain" not in plain.table


def test_luck_of_the_hand_is_taken_out():
    """Rules that pay per neutral card differ by the neutral cards taken; the hand's tell part of it."""
    found = sl.compare(
        GAME, "greedy", {"rich": {"neutral_points": 20}}, deals=4_000, seed=3, opponents="random", covariates=True
    )
    assert found.gain("rich") > 1.03


def test_covariates_do_not_depend_on_chunks(monkeypatch):
    from simlib.analysis import compare as module

    found = []
    for size in (30, 1000):
        monkeypatch.setattr(module, "chunk_deals", lambda work, size=size: size)
        found.append(sl.compare(GAME, "lowest", ["greedy"], 200, seed=3, covariates=True).table.drop(columns="seconds"))
    pd.testing.assert_frame_equal(*found, check_exact=True)


def test_features_that_cannot_vary_are_left_out():
    """Four hands of 13 hold all threes: over all rotations the features of high cards are constant."""
    found = sl.compare("big_three", "random", ["greedy"], 60, seed=3, rules={"players": 4}, covariates=True)
    assert np.isfinite(found.table.score_se[0])
    assert found.estimate("greedy").method == "t by deal, adjusted for 3 feature(s)"


# --- plan ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plan():
    return sl.plan(GAME, "lowest", "highest", 0.4, pilot=400, seed=5, opponents="random")


def test_deals_follow_from_the_pilot(plan):
    pilot = sl.compare(GAME, "lowest", {"v": "highest"}, 400, seed=5, opponents="random")
    estimate = pilot.estimate("v")
    assert plan.deals == deals_needed(estimate, 0.4, assurance=0.9)
    assert plan.games == 8 * plan.deals
    assert plan.factor == pilot.factor("v")
    assert plan.seconds > 0


def test_so_many_deals_give_the_half_width(plan):
    """With 90 % assurance; this seed is one of the nine in ten."""
    found = sl.compare(GAME, "lowest", ["highest"], plan.deals, seed=6, opponents="random")
    assert 0.3 < found.estimate("highest").half_width <= 0.4


def test_table_of_a_plan(plan):
    table = plan.table.set_index("design")
    assert list(table.index) == ["paired", "paired, covariates", "paired, until", "unpaired"]
    assert table.deals["paired, until"] > table.deals["paired"]
    assert table.games["unpaired"] == pytest.approx(table.games["paired"] * plan.factor, rel=1e-3)
    assert f"{plan.deals:,} deals" in repr(plan) and "<table" in plan._repr_html_()


def test_the_same_policy_needs_no_deals():
    found = sl.plan(GAME, "lowest", "lowest", 0.4, pilot=30, seed=5)
    assert found.deals == 2
    assert list(found.table.design) == ["paired", "paired, until"]


@pytest.mark.parametrize(
    ("changed", "error", "text"),
    [
        ({"half_width": 0}, ValueError, "half_width=0: must be above 0"),
        ({"half_width": "wide"}, TypeError, "half_width='wide'"),
        ({"pilot": 5}, ValueError, "pilot=5 must be at least 30"),
        ({"assurance": 1}, ValueError, "assurance=1 must lie"),
        ({"variant": ["greedy", "random"]}, TypeError, "variant must be one"),
        ({"variant": "gredy"}, ValueError, "did you mean 'greedy'"),
    ],
)
def test_wrong_arguments_are_named(changed, error, text):
    given = {"game": GAME, "baseline": "lowest", "variant": "highest", "half_width": 0.4, **changed}
    with pytest.raises(error, match=text):
        sl.plan(**given)
