"""Figures: the Axes given come back, what is drawn was estimated, units are named, small runs are no trouble."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from plots_helpers import LINES, LONG, made_up

from simlib import plots
from simlib.plots import generic
from simlib.plots.gather import part_count, part_estimates
from simlib.plots.style import COLOURS, colour, marker, wrapped
from simlib.stats.intervals import Estimate

GAMES = list(LINES)
GENERAL = ["win_rates", "scores", "score_ridges", "convergence"]
PARTS = ["score_by_part", "win_by_lead", "lead_changes"]
OWN = {
    "drei_zu_viel": PARTS,
    "big_three": ["declarer_wins", "chips_by_bid"],
    "three_thirteen": [*PARTS, "penalties_by_round", "out_by_round"],
}
#: Figures that a run without rows can be asked for.
BY_SUMMARY = {"win_rates", "scores", "score_ridges", "penalties_by_round", "out_by_round"}


@pytest.fixture(autouse=True)
def _closed():
    """No figure stays open."""
    yield
    plt.close("all")


@pytest.fixture(scope="module", params=GAMES)
def runs(request):
    """A run of each game."""
    return made_up(request.param)


def estimates(n, series=("a",), slope=1.0):
    """A table of curves that rise from -n / 2."""
    return pd.DataFrame(
        [
            {"x": k, "mean": slope * (k - n / 2) - i, "lo": slope * (k - n / 2) - i - 0.5,
             "hi": slope * (k - n / 2) - i + 0.75, "series": name}
            for i, name in enumerate(series)
            for k in range(n)
        ]
    )  # fmt: skip


def lines_of(ax, least=2):
    """The drawn lines that have a name."""
    return [line for line in ax.get_lines() if not line.get_label().startswith("_") and len(line.get_xdata()) >= least]


def inside(ax):
    """Draw the figure; nothing of it is cut off at the edges of the picture."""
    figure = ax.figure
    figure.canvas.draw()
    box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert box.x0 > -0.03, "cut off on the left"
    assert box.y0 > -0.03, "cut off below"
    assert box.x1 < width + 0.03, "cut off on the right"
    assert box.y1 < height + 0.03, "cut off above"


# --- every figure of a run -----------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_figure_draws_on_the_axes_given(game):
    runs = made_up(game, deals=120)
    for name in [*GENERAL, *OWN[game]]:
        _, ax = plt.subplots()
        size = tuple(ax.figure.get_size_inches())
        assert getattr(runs.plot, name)(ax) is ax, name
        assert getattr(plots, name)(runs, ax) is ax
        assert tuple(ax.figure.get_size_inches()) == size, f"{name} changed a figure that is not its own"
        assert ax.get_title(loc="left")
        assert ax.get_xlabel() or game == "big_three"
        ax.figure.canvas.draw()
        plt.close(ax.figure)


@pytest.mark.parametrize("game", GAMES)
def test_axes_that_are_none(game):
    runs = made_up(game, deals=2)
    for name in [*GENERAL, *OWN[game]]:
        with pytest.raises(TypeError, match="must be matplotlib Axes or None"):
            getattr(plots, name)(runs, "axes")


@pytest.mark.parametrize("deals", [1, 3])
@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("drei_zu_viel", ["a", "b"]),
        ("drei_zu_viel", ["same"] * 4),
        ("big_three", [LONG, "greedy", "random", "tips"]),
        ("big_three", ["never"] * 3),
        ("three_thirteen", ["$x^2$", "_hidden"]),
        ("three_thirteen", [LONG, *(f"policy_{i}:first={i},second=0.5" for i in range(7))]),
    ],
)
def test_tiny_runs(game, line, deals):
    """One deal, one policy or eight, names that are long, hidden or formulas: no warning, nothing cut off."""
    runs = made_up(game, line, deals)
    for name in [*GENERAL, *OWN[game]]:
        inside(getattr(plots, name)(runs))
        plt.close("all")


@pytest.mark.parametrize("game", GAMES)
def test_runs_without_rows(game):
    """What the summary holds is drawn, equal to the run with rows; for the rest the error says why not."""
    full, short = made_up(game), made_up(game, keep="summary")
    summary = BY_SUMMARY | ({"score_by_part"} if game == "drei_zu_viel" else set())
    for name in [*GENERAL, *OWN[game]]:
        if name in summary:
            a, b = getattr(plots, name)(full), getattr(plots, name)(short)
            for left, right in zip(a.get_lines(), b.get_lines(), strict=True):
                np.testing.assert_array_equal(left.get_xydata(), right.get_xydata())
        else:
            with pytest.raises(ValueError, match="kept sufficient statistics only"):
                getattr(plots, name)(short)


@pytest.mark.parametrize(("game", "name"), [("big_three", n) for n in PARTS])
def test_games_without_parts(game, name):
    with pytest.raises(ValueError, match="keeps no score by part"):
        getattr(plots, name)(made_up(game, deals=2))


def test_figures_of_another_game():
    with pytest.raises(ValueError, match="for big_three, not for drei_zu_viel"):
        plots.declarer_wins(made_up("drei_zu_viel", deals=2))
    with pytest.raises(ValueError, match="for three_thirteen, not for big_three"):
        plots.penalties_by_round(made_up("big_three", deals=2))


# --- what is drawn -------------------------------------------------------------------------------


def test_win_rates_are_the_summarys(runs):
    ax, table = plots.win_rates(runs), runs.summary()
    dots = [line for line in ax.get_lines() if line.get_marker() == "o"]
    spans = [line for line in ax.get_lines() if line.get_linewidth() == 2.2]
    assert [d.get_xdata()[0] for d in dots] == list(table.win_rate)
    assert [tuple(s.get_xdata()) for s in spans] == list(zip(table.win_lo, table.win_hi, strict=True))
    assert [t.get_text() for t in ax.get_yticklabels()] == list(table.policy)
    assert ax.get_lines()[0].get_xdata()[0] == 1 / len(runs.policies)
    assert "%" in ax.xaxis.get_major_formatter()(0.25, 0)


@pytest.mark.parametrize("strength", [0, 50])
def test_win_rates_near_0_and_1_stay_within(strength):
    ax = plots.win_rates(made_up("drei_zu_viel", ["a", "b"], 40, strength=strength))
    lo, hi = ax.get_xlim()
    assert -0.021 < lo < hi < 1.021
    for line in ax.get_lines():
        assert all(0 <= x <= 1 for x in line.get_xdata())


def test_level_reaches_the_interval(runs):
    def spans(level):
        ax = plots.win_rates(runs, level=level)
        assert f"{100 * level:g} %" in ax.get_xlabel()
        return [np.ptp(line.get_xdata()) for line in ax.get_lines() if line.get_linewidth() == 2.2]

    assert all(wide > narrow for wide, narrow in zip(spans(0.99), spans(0.5), strict=True))
    with pytest.raises(ValueError, match="level"):
        plots.win_rates(runs, level=1.5)


def test_scores_reach_1_and_mark_the_median(runs):
    ax = plots.scores(runs)
    seats = runs.seats
    for line, text in zip(lines_of(ax), runs.slots.policies, strict=True):
        assert line.get_ydata()[0] == 0
        assert line.get_ydata()[-1] == pytest.approx(1)
        own = seats.score[seats.policy == text]
        at = np.searchsorted(line.get_xdata(), own.quantile(0.5, interpolation="lower"), side="right") - 1
        assert line.get_ydata()[at] == pytest.approx((own <= line.get_xdata()[at]).mean())
    assert runs.game.score_unit in ax.get_xlabel()


def test_ridges_have_one_row_a_policy(runs):
    ax = plots.score_ridges(runs)
    assert [t.get_text() for t in ax.get_yticklabels()] == list(runs.slots.policies)
    means = [line.get_xdata()[0] for line in ax.get_lines() if line.get_marker() == "o"]
    assert means == list(runs.summary().score)
    ridges = [patch for patch in ax.patches if patch.get_fill()]
    areas = [abs((p.get_data().values - p.get_data().baseline).sum()) for p in ridges]
    assert areas == pytest.approx([areas[0]] * len(areas))


@pytest.mark.parametrize("field", ["win_share", "score"])
def test_convergence_ends_at_the_estimate(runs, field):
    ax = plots.convergence(runs, field=field)
    for j, line in enumerate(lines_of(ax)):
        assert line.get_ydata()[-1] == pytest.approx(runs.estimate(j, field).mean)
        assert line.get_xdata()[-1] == runs.deals
    assert ax.get_xscale() == "log"
    band = ax.collections[0].get_paths()[0].vertices
    last = band[band[:, 0] == runs.deals][:, 1]
    moments = runs.estimate(0, field)
    if moments.method.startswith("t "):
        assert (last.min(), last.max()) == pytest.approx((moments.lo, moments.hi))


def test_convergence_refuses(runs):
    with pytest.raises(ValueError, match="field='wins' must be"):
        plots.convergence(runs, field="wins")
    with pytest.raises(ValueError, match="points=1"):
        plots.convergence(runs, points=1)


def test_score_by_part_ends_at_the_mean_score():
    """Three-Thirteen's totals add up penalties; 3 sind eine zu viel keeps the standing itself."""
    for game, parts in (("drei_zu_viel", 3), ("three_thirteen", 11)):
        runs = made_up(game)
        ax = plots.score_by_part(runs)
        for line, score in zip(lines_of(ax), runs.summary().score, strict=True):
            assert len(line.get_xdata()) == parts
            assert line.get_ydata()[-1] == pytest.approx(score)
        assert len(ax.collections) == len(runs.slots.policies)
        assert runs.game.score_unit in ax.get_ylabel()


@pytest.mark.parametrize(("schedule", "rounds"), [("standard", 11), ("six_fourteen", 9), ("short", 8)])
def test_only_rounds_that_are_played(schedule, rounds):
    for keep in ("rows", "summary"):
        runs = made_up("three_thirteen", deals=40, keep=keep, schedule=schedule)
        ax = plots.penalties_by_round(runs)
        assert part_count(runs) == rounds
        assert all(len(line.get_xdata()) == rounds for line in lines_of(ax))
        assert "points" in ax.get_ylabel()
        sizes = {"standard": "3", "six_fourteen": "6", "short": "5"}
        assert ax.get_xticklabels()[0].get_text() == f"1\n{sizes[schedule]}"


def test_penalties_by_round_are_the_means_of_the_rows():
    runs = made_up("three_thirteen")
    ax, rounds = plots.penalties_by_round(runs), runs.rounds
    for line, text in zip(lines_of(ax), runs.slots.policies, strict=True):
        own = rounds[rounds.policy == text].groupby("round").penalty.mean()
        np.testing.assert_allclose(line.get_ydata(), own)


def test_mean_by_part_knows_its_column():
    runs = made_up("drei_zu_viel")
    ax = plots.mean_by_part(runs, "third_taken")
    assert "cards" in ax.get_ylabel()
    assert "Cards taken" in ax.get_title(loc="left")
    with pytest.raises(ValueError, match="no such column by part; columns: third_score"):
        plots.mean_by_part(runs, "score")


def test_win_by_lead_is_the_share_of_wins():
    """With one bin a line has one point: every seat of every game."""
    runs = made_up("drei_zu_viel")
    ax = plots.win_by_lead(runs, bins=1)
    assert [line.get_ydata()[0] for line in lines_of(ax, 1)] == pytest.approx([0.25, 0.25])
    ax = plots.win_by_lead(runs)
    last = lines_of(ax)[-1]
    assert last.get_ydata()[0] < 0.25 < last.get_ydata()[-1]
    assert (np.diff(last.get_xdata()) > 0).all()
    with pytest.raises(ValueError, match="bins=0"):
        plots.win_by_lead(runs, bins=0)


def test_win_by_lead_draws_four_rounds_at_most():
    ax = plots.win_by_lead(made_up("three_thirteen", deals=60))
    assert [line.get_label() for line in lines_of(ax)][-1] == "after round 10"
    assert len(lines_of(ax)) == 4


def test_lead_changes_add_up():
    for game in ("drei_zu_viel", "three_thirteen"):
        ax = plots.lead_changes(made_up(game))
        assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1)
    runs = made_up("drei_zu_viel", ["a"] * 2, 1)
    third = next(runs.chunks())[1]["third_score"]
    third[..., :2] = [[5, 3], [4, 4], [2, 9]]  # 0 leads, both, 1: the old leader still leads, then one of the two
    assert [bar.get_height() for bar in plots.lead_changes(runs).patches] == [1]


# --- Big Three -----------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["bid", "seat", "policy"])
def test_declarer_wins_by(by):
    """Shares and chips are those of the table of games."""
    runs = made_up("big_three")
    games = runs.games
    who = games.apply(lambda g: g[f"policy_{g.declarer}"], axis=1)
    chips = games.apply(lambda g: g[f"score_{g.declarer}"], axis=1)
    group = {
        "bid": "bid " + games.bid.astype(str),
        "seat": ((games.declarer - games.first_bidder) % 3).map({0: "bids first", 1: "bids second", 2: "bids third"}),
        "policy": pd.Series("all bids", games.index),
    }[by]
    won = games.declarer_won.astype(float).groupby([who, group]).mean()
    paid = chips.groupby([who, group]).mean()
    for text, rows in plots.declarer_estimates(runs, by).items():
        for name, e in rows:
            assert e.mean == pytest.approx(won[text, name])
    for text, rows in plots.declarer_estimates(runs, by, value="chips").items():
        for name, e in rows:
            assert e.mean == pytest.approx(paid[text, name])
            assert e.lo < e.mean < e.hi
    ax = plots.declarer_wins(runs, by=by)
    assert len(lines_of(ax, 1)) == 3
    assert [t.get_text() for t in ax.get_xticklabels()] == sorted(group.unique())
    assert "chips" in plots.chips_by_bid(runs, by=by).get_ylabel()


def test_declarers_that_are_none():
    runs = made_up("big_three", ["never"] * 3, 5)
    for _, rows in runs.chunks():
        rows["declarer"] = -1
    assert plots.declarer_estimates(runs) == {}
    with pytest.raises(ValueError, match="nobody ever declared"):
        plots.declarer_wins(runs)
    with pytest.raises(ValueError, match="by='suit' must be one of policy, bid, seat"):
        plots.declarer_wins(runs, by="suit")
    with pytest.raises(ValueError, match="value='points'"):
        plots.declarer_estimates(runs, value="points")


# --- tables of estimates -------------------------------------------------------------------------


def test_curve_draws_series_with_bands():
    data = estimates(6, ("a", "b"))
    ax = plots.curve(data, xlabel="hand size in cards", ylabel="points", title="Curve")
    assert len(lines_of(ax)) == 2
    assert len(ax.collections) == 2
    np.testing.assert_array_equal(lines_of(ax)[1].get_ydata(), data[data.series == "b"]["mean"])
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title(loc="left")) == ("hand size in cards", "points", "Curve")
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a", "b"]
    assert plots.curve(data.drop(columns="series")[:6]).get_legend() is None


def test_curve_is_drawn_in_order_of_x():
    ax = plots.curve(estimates(5).iloc[::-1].assign(series="one"))
    assert list(lines_of(ax)[0].get_xdata()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("figure", [plots.curve, plots.bid_values, plots.break_even])
def test_infinite_intervals_are_noted(figure):
    ax = figure(estimates(5).assign(lo=-np.inf, hi=np.inf))
    assert "too few deals" in "".join(t.get_text() for t in ax.texts)
    assert not ax.collections
    inside(ax)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda d: d.drop(columns="lo"), "no column 'lo'"),
        (lambda d: d.rename(columns={"mean": "means"}), "did you mean 'means'"),
        (lambda d: d[:0], "has no rows"),
        (lambda d: d.assign(mean=np.nan), "column 'mean' holds nan in row 0"),
        (lambda d: d.assign(hi=np.nan), "column 'hi' holds nan"),
        (lambda d: d.assign(x=np.inf), "column 'x' holds inf"),
        (lambda d: d.assign(lo=99.0), "is not within lo 99"),
    ],
)
@pytest.mark.parametrize("figure", [plots.curve, plots.bid_values, plots.break_even])
def test_tables_are_checked(figure, change, error):
    with pytest.raises(ValueError, match=error):
        figure(change(estimates(4)))


def test_what_is_no_table():
    with pytest.raises(TypeError, match="must hold numbers"):
        plots.curve(estimates(3).assign(mean="much"))
    with pytest.raises(TypeError, match="must be a table"):
        plots.curve(7)


def test_bars():
    data = pd.DataFrame({"label": ["a", "b"], "mean": [1.0, -2.0], "lo": [0.5, -np.inf], "hi": [1.5, np.inf]})
    ax = plots.bars(data, ylabel="points")
    assert [bar.get_height() for bar in ax.patches] == [1, -2]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["a", "b"]
    shares = pd.DataFrame({"label": ["a"], "mean": [0.99], "lo": [0.9], "hi": [1.3]})
    assert plots.bars(shares, percent=True).get_ylim()[1] <= 1.02


def test_forest_of_a_table():
    data = pd.DataFrame(
        {"label": ["sure", "none", LONG, "wide"], "difference": [1.0, 0.1, -2.0, 3.0],
         "lo": [0.5, -0.2, -2.5, -np.inf], "hi": [1.5, 0.4, -1.5, np.inf]}
    )  # fmt: skip
    ax = plots.forest(data, unit="points")
    spans = [tuple(line.get_xdata()) for line in ax.get_lines() if line.get_linewidth() == 2.2]
    assert spans == [(0.5, 1.5), (-0.2, 0.4), (-2.5, -1.5)]
    hollow = [line.get_ydata()[0] for line in ax.get_lines() if line.get_color() == "white"]
    assert hollow == [1, 3]
    dotted = [line for line in ax.get_lines() if line.get_linestyle() == ":"]
    assert [line.get_ydata()[0] for line in dotted] == [3]
    assert "points" in ax.get_xlabel()
    inside(ax)
    assert "percentage points" in plots.forest(data, unit="%").get_xlabel()
    with pytest.raises(ValueError, match="no column 'difference'"):
        plots.forest(data.drop(columns="difference"))


class Versions:
    """What a figure asks of a Comparison."""

    baseline, variants, seats = "greedy", ["a", "b"], [0, 1]

    class stopping:
        """Its level."""

        level = 0.9

    def __init__(self):
        self.game = made_up("drei_zu_viel", deals=2).game

    def estimate(self, name, field="score", seat=None):
        """A number that tells name, field and seat apart."""
        mean = {"a": 1, "b": 2}[name] * {"score": 1, "win_share": 0.01}.get(field, 3) + (seat or 0) / 10
        return Estimate(mean, 0.5, mean - 1, mean + 1, 10, 20, 0.9)


def test_forest_of_a_comparison():
    found = Versions()
    ax = plots.forest(found)
    assert "points" in ax.get_xlabel()
    assert "90 %" in ax.get_xlabel()
    assert ax.get_title(loc="left") == "Score: difference from greedy"
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
    ax = plots.ComparisonPlots(found).differences(field="win_share")
    assert "percentage" in ax.get_xlabel()
    ax = plots.ComparisonPlots(found).by_seat()
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a, seat 0", "a, seat 1", "b, seat 0", "b, seat 1"]
    ax = plots.ComparisonPlots(found).differences(field="face_down")
    assert "cards" in ax.get_xlabel()


@pytest.mark.parametrize("n", [1, 2, 8])
def test_payoffs_write_every_cell(n):
    names = [f"policy {i}" for i in range(n)]
    means = pd.DataFrame(np.arange(n * n).reshape(n, n) / (n * n), index=names, columns=names)
    ax = plots.payoffs(means, lo=means - 0.05, hi=means + 0.05, percent=True, centre=0.5)
    assert len(ax.texts) == n * n
    assert ax.texts[0].get_text() == "0.0 %\n[-5.0, 5.0]"
    inside(ax)


def test_payoffs_without_intervals_and_with_gaps():
    means = pd.DataFrame([[np.nan, 1.234], [-1.234, np.nan]], index=["a", "b"], columns=["a", "b"])
    ax = plots.payoffs(means, unit="points")
    assert [t.get_text() for t in ax.texts] == ["–", "1.23", "-1.23", "–"]
    assert "points" in ax.get_title(loc="left")
    unknown = pd.DataFrame([[0.5]])
    ax = plots.payoffs(unknown, lo=unknown - np.inf, hi=unknown + np.inf)
    assert ax.texts[0].get_text() == "0.5"


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"means": [[1]]}, TypeError, "must be a DataFrame"),
        ({"means": pd.DataFrame()}, ValueError, "is empty"),
        ({"means": pd.DataFrame([["x"]])}, TypeError, "must hold numbers"),
        ({"means": pd.DataFrame([[1.0]]), "lo": pd.DataFrame([[0.0]])}, ValueError, "both or neither"),
        (
            {"means": pd.DataFrame([[1.0]]), "lo": pd.DataFrame([[0.0, 1]]), "hi": pd.DataFrame([[2.0]])},
            ValueError,
            "shape",
        ),
        (
            {"means": pd.DataFrame([[1.0]]), "lo": pd.DataFrame([[3.0]]), "hi": pd.DataFrame([[4.0]])},
            ValueError,
            "hold its",
        ),
    ],
)
def test_payoffs_are_checked(arguments, error, text):
    means = arguments.pop("means")
    with pytest.raises(error, match=text):
        plots.payoffs(means, **arguments)


# --- models --------------------------------------------------------------------------------------


def test_crossing():
    assert plots.crossing([0, 1, 2], [-1, 1, 3]) == 0.5
    assert plots.crossing([2, 1, 0], [3, 1, -1]) == 0.5
    assert plots.crossing([0, 1], [-1, 1], 0.5) == 0.75
    assert plots.crossing([0, 1], [1, 2]) is None
    assert plots.crossing([0, 1], [-2, -1]) is None
    assert plots.crossing([0, 1], [-np.inf, 1]) is None
    assert plots.crossing([3], [0]) is None
    with pytest.raises(ValueError, match="shapes"):
        plots.crossing([0, 1], [1])


def test_break_even_marks_and_names_the_crossing():
    ax = plots.break_even(estimates(9), strength="threes held", unit="chips")
    labels = [line.get_label() for line in lines_of(ax)]
    assert labels == ["a: breaks even at 4.5 [3.75, 5]"]
    assert ax.get_legend() is not None
    marks = [line for line in ax.get_lines() if line.get_color() == "white"]
    assert [m.get_xdata()[0] for m in marks] == [4.5]
    assert (ax.get_xlabel(), "chips" in ax.get_ylabel()) == ("threes held", True)
    ax = plots.break_even(estimates(9, ("a", "b")), reference=100)
    assert all("never breaks even" in line.get_label() for line in lines_of(ax))


def test_bid_values_name_units():
    ax = plots.bid_values(estimates(5, ("pass", "bid 1", "bid 2", "bid 3")), strength="aces held", unit="points")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("aces held", "mean value in points")
    assert len(lines_of(ax)) == 4


def test_calibration_table_and_figure():
    rng = np.random.default_rng(3)
    p = rng.random(4000)
    table = plots.calibration_table(p, rng.random(4000) < p, bins=8)
    assert len(table) == 8
    assert table.n.sum() == 4000
    assert ((table.lo <= table.observed) & (table.observed <= table.hi)).all()
    assert (abs(table.predicted - table.observed) < 0.07).all()
    ax = plots.calibration(table, what="chance to win")
    assert len(ax.patches) == 8
    np.testing.assert_allclose(ax.get_lines()[1].get_ydata(), table.observed)
    assert "chance to win" in ax.get_xlabel()
    assert f"{table.n.max():,}" in ax.get_xlabel()
    assert plots.calibration(pd.concat([table.assign(series="a"), table.assign(series="b")])).get_legend() is not None


def test_calibration_clusters_by_deal():
    """Every outcome twice in one deal: no more information than once."""
    rng = np.random.default_rng(4)
    p = np.full(200, 0.5)
    y = rng.integers(0, 2, 200)
    once = plots.calibration_table(p, y)
    twice = plots.calibration_table(np.repeat(p, 2), np.repeat(y, 2), deals=np.repeat(np.arange(200), 2))
    assert twice.hi[0] == pytest.approx(once.hi[0])
    assert plots.calibration_table([0.5], [1]).observed[0] == 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([], []), "is empty"),
        (([0.5], [1, 0]), "shapes"),
        (([1.5], [1]), "from 0 to 1"),
        (([0.5], [2]), "must be 0 or 1"),
    ],
)
def test_calibration_is_checked(arguments, text):
    with pytest.raises(ValueError, match=text):
        plots.calibration_table(*arguments)
    with pytest.raises(ValueError, match="bins=0"):
        plots.calibration_table([0.5], [1], bins=0)


# --- style ---------------------------------------------------------------------------------------


def test_series_can_be_told_apart():
    """Sixteen series: no two have the same colour and marker."""
    assert len({(colour(i), marker(i)) for i in range(2 * len(COLOURS))}) == 2 * len(COLOURS)


@pytest.mark.parametrize("text", ["short", LONG, "x" * 90, "a, b, c " * 12, "$5"])
def test_wrapped_loses_nothing(text):
    lines = wrapped(text, 20).split("\n")
    assert all(len(line) <= 22 for line in lines)
    assert "".join(lines).replace(" ", "").replace("\\$", "$") == text.replace(" ", "")


def test_part_estimates_are_means_of_rows():
    runs = made_up("drei_zu_viel", deals=50)
    thirds = runs.rounds
    own = thirds[thirds.policy == runs.slots.policies[1]].groupby("third").taken.mean()
    assert [e.mean for e in part_estimates(runs, "third_taken")[1]] == pytest.approx(list(own))


def test_heat_map_shows_the_centre_as_white():
    means = pd.DataFrame([[0.0, 1.0]])
    ax = generic.payoffs(means, centre=0.0)
    assert ax.images[0].get_array()[0, 0] == 0
