"""sl.compare: right numbers, antisymmetry, the same whatever chunks and threads, early stopping, common deals."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import simlib as sl
from simlib.analysis import compare as module
from simlib.stats.multiple import holm
from simlib.stats.planning import variance_reduction

GAME = "drei_zu_viel"
FOES = ["lowest", "random"]
NUMBERS = [f"{m}{k}" for m in ("score", "win_share") for k in ("", "_se", "_lo", "_hi", "_p", "_factor")]


def same_numbers(a: sl.Comparison, b: sl.Comparison) -> None:
    """Everything but the time that it took."""
    pd.testing.assert_frame_equal(a.table.drop(columns="seconds"), b.table.drop(columns="seconds"), check_exact=True)
    pd.testing.assert_frame_equal(a.by_seat, b.by_seat, check_exact=True)
    pd.testing.assert_frame_equal(a.details, b.details, check_exact=True)
    pd.testing.assert_frame_equal(a.means, b.means, check_exact=True)


@pytest.fixture(scope="module")
def found() -> sl.Comparison:
    variants = {"up": "highest", "clever": "greedy"}
    return sl.compare(GAME, "random", variants, deals=600, opponents=FOES, seed=7)


# --- against another way of computing it ---------------------------------------------------------


def rows_of(hero: str, opponents: list[str], deals: int, seed: int, **more: object) -> pd.DataFrame:
    """Rows of sl.simulate in which the hero, whom nobody resembles, plays."""
    runs = sl.simulate(GAME, [hero, *opponents], deals, seed, seatings="rotations", **more)
    return runs.seats[runs.seats.policy == hero]


@pytest.mark.parametrize("measure", ["score", "win_share"])
def test_agrees_with_statsmodels_on_the_rows_of_simulate(measure):
    """Difference and standard error are those of OLS with clusters by deal on the games of both versions."""
    foes = ["lowest", "highest"]
    comparison = sl.compare(GAME, "random", ["greedy"], deals=300, opponents=foes, seed=3)
    a, b = rows_of("greedy", foes, 300, 3), rows_of("random", foes, 300, 3)
    merged = a.merge(b, on=["deal", "seating", "seat"], validate="1:1")
    assert len(merged) == 300 * 3
    difference = merged[f"{measure}_x"] - merged[f"{measure}_y"]
    fit = sm.OLS(difference, np.ones(len(difference))).fit(cov_type="cluster", cov_kwds={"groups": merged.deal})
    row = comparison.table.iloc[0]
    # The clusters are of equal size, so that statsmodels differs by its factor for small samples only.
    size = len(difference)
    assert row[measure] == pytest.approx(fit.params.iloc[0])
    assert row[f"{measure}_se"] == pytest.approx(fit.bse.iloc[0] * np.sqrt((size - 1) / size), rel=2e-3)
    by_deal = difference.groupby(merged.deal).mean()
    assert row[f"{measure}_se"] == pytest.approx(by_deal.std() / np.sqrt(300), rel=1e-12)
    by_seat = difference.groupby(merged.seat).agg(["mean", "sem"])
    np.testing.assert_allclose(comparison.by_seat[measure], by_seat["mean"])
    np.testing.assert_allclose(comparison.by_seat[f"{measure}_se"], by_seat["sem"])
    wide = pd.concat([t.pivot(index="deal", columns="seating", values=measure) for t in (a, b)], axis=1)
    factor = variance_reduction(np.cov(wide.T), [1 / 3] * 3 + [-1 / 3] * 3)
    assert row[f"{measure}_factor"] == pytest.approx(factor)


def test_details_are_the_games_own_columns():
    foes = ["lowest", "highest"]
    comparison = sl.compare(GAME, "random", ["greedy"], deals=100, opponents=foes, seed=3)
    a, b = rows_of("greedy", foes, 100, 3), rows_of("random", foes, 100, 3)
    for field in ("silver", "gold", "face_down", "pairs"):
        row = comparison.details.set_index("field").loc[field]
        assert row.difference == pytest.approx(a[field].mean() - b[field].mean())
    assert comparison.means.score.to_list() == pytest.approx([b.score.mean(), a.score.mean()])


def test_p_is_adjusted_over_the_variants(found):
    single = [found.estimate(name).p_value() for name in found.variants]
    np.testing.assert_allclose(found.table.score_p, holm(single))
    assert found.table.score_p[1] == pytest.approx(2 * single[1])  # the smaller one of two


def test_deals_games_seconds(found):
    """Three seatings of each version, the baseline's too."""
    assert found.table.deals.to_list() == [600, 600]
    assert found.table.games.to_list() == [600 * 6] * 2
    assert (found.table.seconds > 0).all()
    assert found.estimates["up"]["score"].n_games == 3600


# --- symmetry ------------------------------------------------------------------------------------


@pytest.mark.parametrize("copies", [1, 2])
def test_a_against_b_is_minus_b_against_a(copies):
    kinds = {"opponents": ["lowest", "highest"], "deals": 200, "seed": 11, "copies": copies}
    there = sl.compare(GAME, "random", {"v": "greedy"}, **kinds)
    back = sl.compare(GAME, "greedy", {"v": "random"}, **kinds)
    for field in there.fields:
        assert there.estimate("v", field) == -back.estimate("v", field)
    for m in ("score", "win_share"):
        assert there.factor("v", m) == pytest.approx(back.factor("v", m), rel=1e-12)


def test_a_policy_against_itself_gives_zero():
    comparison = sl.compare(GAME, "greedy", ["greedy"], 50, seed=1)
    row = comparison.table.iloc[0]
    assert (row.score, row.score_se, row.win_share, row.win_share_se) == (0, 0, 0, 0)
    assert (row.score_p, row.win_share_p) == (1, 1)
    assert (comparison.by_seat[["score", "score_lo", "score_hi"]] == 0).all(axis=None)


def test_deals_that_all_agree_are_no_certainty():
    """Equal differences in all deals: an interval by betting for win shares, none for scores."""
    rarely = sl.compare("big_three", "greedy", {"bonus": {"bomb_bonus": True}}, deals=2, seed=5)
    assert rarely.table.score_lo[0] == -np.inf and np.isnan(rarely.table.score_se[0]) and rarely.table.score_p[0] == 1
    shares = sl.compare("big_three", "greedy", {"bonus": {"bomb_bonus": True}}, deals=400, seed=5, opponents="random")
    row = shares.table.iloc[0]
    assert row.win_share == 0 and -0.05 < row.win_share_lo < 0 < row.win_share_hi < 0.05 and row.win_share_p == 1
    with pytest.raises(ValueError, match="pilot=30: all of these deals gave the same difference in win_share"):
        sl.plan("big_three", "greedy", {"bomb_bonus": True}, 0.1, measure="win_share", pilot=30, seed=5)


def test_baseline_in_every_seat_is_played_once_a_deal():
    """Its four seatings are one game, in which the hero has every seat."""
    comparison = sl.compare(GAME, "lowest", ["greedy"], deals=60, seed=5)
    assert comparison.games("greedy") == 60 * (1 + 4)
    alone = sl.simulate(GAME, ["lowest"] * 4, 60, 5)
    assert comparison.means.score[0] == pytest.approx(alone.seats.score.mean())
    assert comparison.means.win_share[0] == Fraction(1, 4)


def test_copies_hold_several_seats():
    """Two of four seats: the mean over the hero's seats, in four rotations."""
    comparison = sl.compare(GAME, "random", ["greedy"], deals=80, seed=5, copies=2, opponents="lowest")
    runs = [sl.simulate(GAME, [h, h, "lowest", "lowest"], 80, 5, seatings="rotations") for h in ("greedy", "random")]
    means = [r.seats[r.seats.policy != "lowest"].groupby("deal").score.mean() for r in runs]
    difference = means[0] - means[1]
    assert comparison.table.score[0] == pytest.approx(difference.mean())
    assert comparison.table.score_se[0] == pytest.approx(difference.std() / np.sqrt(80))
    assert comparison.seats == [0, 1, 2, 3]


def test_everybody_may_be_the_hero():
    """Without opponents a variant is what happens when all play so."""
    comparison = sl.compare(GAME, "random", ["greedy"], deals=40, seed=5, copies=4)
    runs = [sl.simulate(GAME, [h] * 4, 40, 5) for h in ("greedy", "random")]
    assert comparison.games("greedy") == 80
    assert comparison.table.score[0] == pytest.approx(runs[0].seats.score.mean() - runs[1].seats.score.mean())
    assert comparison.table.win_share[0] == 0


def test_an_opponent_like_the_variant_does_not_count():
    """Only the hero's seats do."""
    comparison = sl.compare(GAME, "lowest", ["greedy"], deals=80, seed=5, opponents=["greedy", "random"])
    runs = sl.simulate(GAME, ["greedy", "greedy", "random"], 80, 5, seatings="rotations").seats
    hero_seat = runs.seating.map({0: 0, 1: 1, 2: 2})  # rotation r moves the line-up by r seats
    hero = runs[runs.seat == hero_seat]
    assert comparison.means.score[1] == pytest.approx(hero.score.mean())


def test_fixed_and_all_seatings():
    fixed = sl.compare(GAME, "random", ["greedy"], deals=30, seed=5, opponents=FOES, seatings="fixed")
    assert (fixed.seats, fixed.games("greedy")) == ([0], 60)
    every = sl.compare(GAME, "random", ["greedy"], deals=30, seed=5, opponents=FOES, seatings="all")
    assert (every.seats, every.games("greedy")) == ([0, 1, 2], 30 * (6 + 3))  # two of the baseline's three are alike


# --- pairing -------------------------------------------------------------------------------------


def test_pairing_pays():
    """Variants that differ in a few situations: the same deals and seats are worth many times more games."""
    comparison = sl.compare(
        GAME, "lowest", {"no opening cards": {"opening_cards": 0}}, deals=400, seed=2, opponents="highest"
    )
    assert comparison.factor("no opening cards") > 1.3


def test_rules_are_compared_on_common_deals():
    comparison = sl.compare(
        GAME, "greedy", {"none": {"neutral_points": 5}, "same": sl.rules(GAME)}, deals=100, seed=4, opponents="random"
    )
    rows = [
        sl.simulate(GAME, ["greedy", *["random"] * 3], 100, 4, seatings="rotations", rules=r).seats
        for r in ({"neutral_points": 5}, None)
    ]
    hero = [r[r.policy == "greedy"].groupby("deal").score.mean() for r in rows]
    assert comparison.table.score[0] == pytest.approx((hero[0] - hero[1]).mean())
    assert comparison.table.score[1] == 0
    assert comparison.manifest["variants"][0]["rules"]["neutral_points"] == 5


def test_parameters_of_the_baseline():
    """A mapping of its parameters is a variant."""
    at = sl.policy(GAME, place=(0, "position in the hand"))(_at)
    comparison = sl.compare(GAME, at, {"second": {"place": 1}}, deals=30, seed=1, opponents="random")
    assert comparison.manifest["variants"][0]["policy"].endswith("place=1")


def _at(view, ctx):  # type: ignore[no-untyped-def]
    return min(int(ctx.params[0]), view.hand_n[view.seat] - 1)


# --- the same whatever happens -------------------------------------------------------------------


@pytest.mark.parametrize(("threads", "size"), [(1, 600), (1, 37), (3, 64), (2, 1000)])
def test_the_same_on_any_chunks_and_threads(found, monkeypatch, threads, size):
    monkeypatch.setattr(module, "chunk_deals", lambda work: 3 * size)
    again = sl.compare(
        GAME, "random", {"up": "highest", "clever": "greedy"}, 600, opponents=FOES, seed=7, threads=threads
    )
    same_numbers(again, found)


def test_the_same_in_other_processes(found):
    with ProcessPoolExecutor(2) as pool:
        again = sl.compare(
            GAME, "random", {"up": "highest", "clever": "greedy"}, 600, opponents=FOES, seed=7, executor=pool
        )
    same_numbers(again, found)


def test_repeat_plays_the_same_again(found):
    same_numbers(found.repeat(), found)
    assert found.repeat(deals=100).deals == 100


EARLY = [
    {"until": "±1.5", "measure": "score"},
    {"until": 0.05, "measure": "win_share"},
    {"sprt": (0, 1), "measure": "score"},
    {"sprt": (0, 0.02, 0.01, 0.01), "measure": "win_share"},
]


@pytest.mark.parametrize("how", EARLY, ids=str)
def test_the_same_stop_on_any_chunks_and_threads(monkeypatch, how):
    stops = []
    for threads, size in ((1, 10_000), (2, 150), (3, 41)):
        monkeypatch.setattr(module, "chunk_deals", lambda work, size=size: size)
        stops.append(sl.compare(GAME, "random", ["highest", "greedy"], opponents=FOES, seed=9, threads=threads, **how))
    assert 200 <= stops[0].deals < 20_000
    assert stops[0].deals in stops[0].stopping.looks
    for other in stops[1:]:
        assert other.manifest["decisions"] == stops[0].manifest["decisions"]
        same_numbers(other, stops[0])
    same_numbers(stops[0].repeat(), stops[0])


def test_until_reaches_its_half_width():
    comparison = sl.compare(GAME, "random", ["greedy", "highest"], until="±1.0", opponents=FOES, seed=9)
    assert ((comparison.table.score_hi - comparison.table.score_lo) / 2 <= 1.0).all()
    assert comparison.table.verdict.str.startswith("precise after").all()
    assert comparison.estimate("greedy").level == pytest.approx(0.975)  # half of the error each
    assert comparison.manifest["complete"]


def test_an_undecided_test_says_so():
    comparison = sl.compare(GAME, "random", ["highest"], 300, sprt=(-0.001, 0.001), measure="win_share", seed=1)
    assert comparison.deals == 300
    assert comparison.table.verdict[0] == "undecided: the deals ran out"


def test_a_variant_that_is_the_baseline_keeps_nobody_waiting():
    comparison = sl.compare(GAME, "random", ["random", "greedy"], sprt=(0, 1), seed=1)
    assert comparison.deals < 5000
    assert comparison.table.verdict[0] == "the same games as the baseline"
    assert comparison.table.score[0] == comparison.table.score_hi[0] == 0


def test_intervals_of_real_games_cover():
    """Each of 40 seeds; the truth from a long run. With 95 % intervals 31 or fewer hits have probability 0.0005."""
    truth = sl.compare(GAME, "random", ["highest"], deals=20_000, opponents=FOES, seed=1000).estimate("highest")
    hits = 0
    for seed in range(40):
        e = sl.compare(GAME, "random", ["highest"], deals=100, opponents=FOES, seed=seed, threads=1).estimate("highest")
        hits += e.lo <= truth.mean <= e.hi
    assert hits > 31


# --- other games ---------------------------------------------------------------------------------


def test_big_three_chips_of_everybody_add_up():
    """The baseline in every seat wins nothing on average: chips of a deal sum to zero."""
    comparison = sl.compare("big_three", "random", ["greedy"], deals=100, seed=3)
    assert comparison.means.score[0] == 0
    assert comparison.table.score_lo[0] > 0
    four = sl.compare("big_three", "random", ["greedy"], deals=50, seed=3, rules={"players": 4})
    assert len(four.manifest["orders"]) == 4
