"""Matches of Big Three: sums of the deals, ends, ties, who deals, leads."""

from __future__ import annotations

import numpy as np
import pytest

import simlib as sl
from simlib.analysis.big_three.match import lead_shares, match
from simlib.engine import make_work, play_range

LINE = ["shed", "greedy", "random"]


def test_a_match_is_its_deals_added_up():
    """RULES.md 6.1, 6.2: match m plays deals of its own; whoever was out first deals next."""
    found = match(LINE, deals=6, matches=30, seed=3)
    rows = play_range(make_work("big_three", LINE, 3), 0, 180)[:, 0]
    chips = rows["score"][:, :3].reshape(30, 6, 3)
    assert (found.chips[:, 0] == chips).all()
    assert (found.final[:, 0] == chips.sum(axis=1)).all() and (found.final.sum(axis=2) == 0).all()
    assert (found.first_out[:, 0].ravel() == rows["first_out"]).all()
    assert (found.lengths == 6).all() and found.unfinished == 0
    table = found.rows()
    assert len(table) == 180 and (table.next_dealer == rows["first_out"]).all()
    assert (table[[f"chips_{k}" for k in range(3)]].to_numpy().reshape(30, 6, 3) == chips.cumsum(axis=1)).all()


def test_table_and_leads():
    """Most chips win, equal ones share; leads after the last deal are wins, and add up to one."""
    found = match(LINE, deals=5, matches=60, seed=3)
    wins = [(found.final[:, 0, k] == found.final.max(axis=2)[:, 0]) for k in range(3)]
    shares = np.array(wins) / np.sum(wins, axis=0)
    assert np.allclose(found.table.wins, shares.mean(axis=1))
    assert np.allclose(found.table.chips, found.final[:, 0].mean(axis=0))
    half = found.table.wins_hi - found.table.wins
    assert half[0] == pytest.approx(2.0010 * shares[0].std(ddof=1) / np.sqrt(60), rel=1e-3)
    leads = found.leads
    assert len(leads) == 15 and np.allclose(leads.groupby("deals").lead.sum(), 1)
    assert np.allclose(leads[leads.deals == 5].lead, found.table.wins)
    assert found.table.deals_out_first.sum() == pytest.approx(1)


def test_ties_share_the_lead():
    assert lead_shares(np.array([[1, 1, 0], [0, 0, 0], [2, 1, 0]])).tolist() == [[6, 6, 0], [4, 4, 4], [12, 0, 0]]


def test_to_points():
    """RULES.md 7.5: by McNeely's scoring a match ends when somebody has 20 points, and not before."""
    found = match(["tips", "greedy", "shed"], points=20, matches=40, seed=3, rules={"scoring": "mcneely"})
    assert found.unit == "points" and "points" in found.table
    top = found.standings.max(axis=3)[:, 0]
    for m in range(40):
        n = found.lengths[m, 0]
        assert top[m, n - 1] >= 20 and (top[m, : n - 1] < 20).all()
        assert (found.chips[m, 0, n:] == 0).all() and (found.first_out[m, 0, n:] == -1).all()
        assert (found.first_out[m, 0, :n] >= 0).all()
    assert found.unfinished == 0 and found.length.mean == found.lengths.mean()


def test_points_or_deals_whichever_comes_first():
    found = match(LINE, deals=8, points=5, matches=40, seed=3)
    reached = found.final.max(axis=2)[:, 0] >= 5
    assert ((found.lengths[:, 0] == 8) | reached).all() and (found.lengths < 8).any()


def test_seatings():
    """Each policy is counted wherever it sits; a policy with two seats wins for both."""
    found = match(LINE, deals=3, matches=20, seed=3, seatings="rotations")
    assert found.chips.shape == (20, 3, 3, 3) and found.table.wins.sum() == pytest.approx(1)
    shed = found.final[:, 0, 0].sum() + found.final[:, 1, 1].sum() + found.final[:, 2, 2].sum()
    assert found.table.chips[0] == pytest.approx(shed / 60)
    twice = match(["shed", "shed", "greedy"], deals=3, matches=20, seed=3)
    assert list(twice.table.policy) == ["shed", "greedy"]
    assert 2 * twice.table.wins[0] + twice.table.wins[1] == pytest.approx(1)


def test_four_players_and_bombs():
    """RULES.md 7.1, 7.3: parties of two; chips add up to zero."""
    found = match(["shed"] * 4, deals=4, matches=10, seed=3, rules={"bomb_bonus": True})
    assert (found.chips.sum(axis=3) == 0).all() and found.standings.shape == (10, 1, 4, 4)


def test_same_numbers_with_any_threads():
    one, two = (match(LINE, points=10, matches=25, seed=3, threads=t) for t in (1, 2))
    assert one.table.equals(two.table) and (one.lengths == two.lengths).all()


def test_distribution_quantiles_and_plots():
    import matplotlib as mpl

    mpl.use("agg")
    found = match(LINE, deals=4, matches=50, seed=3)
    spread = found.distribution()
    assert spread.share.sum() == pytest.approx(1) and spread.at_most.iloc[-1] == pytest.approx(1)
    assert spread.chips @ spread.share == pytest.approx(found.table.chips[0])
    assert found.quantile(0.5).value == np.quantile(found.final[:, 0, 0], 0.5, method="inverted_cdf")
    assert found.plot().get_xlabel() == "after deals" and "chips" in found.plot_final().get_xlabel()
    assert "50 matches of 4 deals" in repr(found) and "<table" in found._repr_html_()
    with pytest.raises(ValueError, match="did you mean 'greedy'"):
        found.distribution("greddy")


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"deals": 0}, "deals=0"),
        ({"points": 0}, "points=0"),
        ({"matches": 1}, "matches=1"),
        ({"deals": 100_000}, "deals=100000"),
        ({"seatings": "x"}, "seatings='x'"),
        ({"level": 2.0}, "level"),
        ({"policies": ["shed"]}, "3 to 4 players"),
        ({"threads": 0}, "threads=0"),
    ],
)
def test_input_errors(arguments, words):
    with pytest.raises(ValueError, match=words):
        match(**{"policies": LINE, **arguments})


def test_numpy_policies_are_refused():
    @sl.policy("big_three", vector=True)
    def slow(views, ctx):
        return np.zeros(len(views), np.int64)

    with pytest.raises(ValueError, match="NumPy"):
        match([slow, "shed", "shed"])
