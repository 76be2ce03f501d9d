"""What reports say about each game: its own tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib import plots
from simlib.plots.gather import has_standing, part_count, part_estimates, ratios
from simlib.report.page import Section
from simlib.report.tables import Rows
from simlib.report.words import text_of

if TYPE_CHECKING:
    from simlib.results import Runs
    from simlib.stats.intervals import Estimate

#: Fields by seat in the table of each game, and how the table calls them.
_FIELDS = {
    "drei_zu_viel": {
        "silver": "silver points",
        "gold": "gold points",
        "face_down": "cards face down",
        "neutral": "neutral cards",
        "singles": "colours with one card",
        "pairs": "colours with two cards",
    },
    "big_three": {"plays": "combinations played", "passes": "passes", "cards_left": "cards left at the end"},
    "three_thirteen": {
        "penalty": "penalty of a game",
        "rounds_out": "rounds gone out",
        "zero_rounds": "rounds without penalty",
    },
}


def game_tables(runs: Runs) -> list[tuple[str, Rows]]:
    """Return the tables of a run's game, each with what it shows."""
    out = [(f"Means of a game and seat, {runs.game.title} [95 %]", _field_rows(runs))]
    if runs.game.name == "drei_zu_viel":
        out.append(("Cards taken in each third [95 %]", _part_rows(runs, "third_taken")))
    elif runs.game.name == "three_thirteen":
        out.append(("Penalty of each round in points [95 %]", _part_rows(runs, "round_penalty")))
        if runs.keep == "rows":
            out.append(("The rounds [95 %]", _round_rows(runs)))
    elif runs.keep == "rows":
        found = [("The declarer by the winning bid [95 %]", _declarer_rows(runs, "bid")),
                 ("The declarer by place in the bidding [95 %]", _declarer_rows(runs, "seat")),
                 ("Deals by the winning bid [95 %]", _bid_rows(runs))]  # fmt: skip
        out += [(caption, rows) for caption, rows in found if rows]
    return out


def _field_rows(runs: Runs) -> Rows:
    """One row a policy: the game's own numbers by seat."""
    return [
        {"policy": text, **{name: text_of(runs.estimate(j, field)) for field, name in _FIELDS[runs.game.name].items()}}
        for j, text in enumerate(runs.slots.policies)
    ]


def _part_rows(runs: Runs, field: str) -> Rows:
    """One row a part: the mean of a field for each policy."""
    found, part = part_estimates(runs, field), runs.game.parts
    return [
        {part: str(p + 1), **{t: text_of(line[p]) for t, line in zip(runs.slots.policies, found, strict=True)}}
        for p in range(part_count(runs))
    ]


def _per_game(runs: Runs, fields: Sequence[str]) -> list[Estimate]:
    """Mean over games of every entry of some fields, clustered by deal."""

    def build(rows: Any) -> tuple[Any, Any]:
        wide = [rows[f].astype(np.int64).reshape(*rows.shape, -1).sum(axis=1) for f in fields]
        totals = np.concatenate(wide, axis=1)
        return totals, np.full_like(totals, rows.shape[1])

    return [e for e in ratios(runs, build) if e is not None]


def _round_rows(runs: Runs) -> Rows:
    """One row a round of Three-Thirteen: turns, stalled, stock renewed."""
    n = part_count(runs)
    turns, stalled, renewed = (_per_game(runs, [f])[:n] for f in ("turns", "stalled", "reshuffles"))
    return [
        {
            "round": str(r + 1),
            "hand": str(size),
            "turns of all seats": text_of(turns[r]),
            "stalled (nobody went out)": text_of(stalled[r], share=True),
            "times the stock was renewed": text_of(renewed[r]),
        }
        for r, size in enumerate(_hand_sizes(runs))
    ]


def _hand_sizes(runs: Runs) -> tuple[int, ...]:
    from simlib.plots.three_thirteen import hand_sizes

    return hand_sizes(runs)


def _declarer_rows(runs: Runs, by: str) -> Rows:
    """One row a policy and group: games declared, won, chips."""
    won = plots.declarer_estimates(runs, by)
    chips = plots.declarer_estimates(runs, by, value="chips")
    head = {"bid": "winning bid", "seat": "place"}[by]
    return [
        {
            "policy": text,
            head: name,
            "games declared": f"{e.n_games:,}",
            "declarer wins": text_of(e, share=True),
            f"{runs.game.score_unit} of the declarer": text_of(c),
        }
        for text, rows in won.items()
        for (name, e), (_, c) in zip(rows, chips[text], strict=True)
    ]


def _bid_rows(runs: Runs) -> Rows:
    """One row a winning bid: share of games, bombs, length."""

    def build(rows: Any) -> tuple[Any, Any]:
        bid = rows["bid"].astype(np.int64)
        is_bid = [(bid == b).astype(np.int64) for b in (1, 2, 3)]
        totals = [m.sum(axis=1) for m in is_bid]
        counts = [np.full(len(rows), rows.shape[1])] * 3
        for field in ("bombs", "tricks", "forced"):
            totals += [(m * rows[field].astype(np.int64)).sum(axis=1) for m in is_bid]
            counts += [m.sum(axis=1) for m in is_bid]
        return np.stack(totals, axis=1), np.stack(counts, axis=1)

    found = ratios(runs, build)
    return [
        {
            "winning bid": str(b),
            "share of games": text_of(found[b - 1], share=True),
            "bombs a game": text_of(found[2 + b]),
            "tricks a game": text_of(found[5 + b]),
            **({"forced bids": text_of(found[8 + b], share=True)} if runs.manifest["rules"].get("forced_bid") else {}),
        }
        for b in (1, 2, 3)
        if found[2 + b] is not None
    ]


# --- sections ------------------------------------------------------------------------------------


def game_sections(runs: Runs) -> list[Section]:
    """Return the sections of a report that are the game's own, in order."""
    tables = game_tables(runs)
    sections = [
        *_development(runs),
        {"drei_zu_viel": _thirds, "big_three": _declarers, "three_thirteen": _rounds}[runs.game.name](runs),
    ]
    for caption, rows in tables:
        sections[-1].add_table(rows, caption)
    return sections


def _development(runs: Runs) -> list[Section]:
    """How the score develops, where the game keeps it."""
    part = runs.game.parts
    if not has_standing(runs) or (runs.keep != "rows" and f"{part}_score" not in runs.sufficient.parts):
        return []
    section = Section(f"How the score develops by {part}")
    section.add_figure(plots.score_by_part(runs), f"Mean score after each {part} with 95 % bands.")
    if runs.keep == "rows":
        section.add_figure(
            plots.win_by_lead(runs),
            f"Chance to win, given the lead or deficit at the end of a {part}, with 95 % bands.",
        )
        section.add_figure(
            plots.lead_changes(runs),
            f"Lead changes in a game: {part}s after which nobody of those who led before still leads.",
        )
    return [section]


def _thirds(runs: Runs) -> Section:
    section = Section("Cards taken, and what they bring")
    ax = plots.mean_by_part(runs, "third_taken", ylabel="mean number of cards", title="Cards taken by third")
    return section.add_figure(ax, "Cards that a seat takes in each third, mean with 95 % bands.")


def _declarers(runs: Runs) -> Section:
    if runs.keep != "rows":
        text = "The run kept only its summary, so that nothing can be said about bids and declarers here."
        return Section("The seats", [text])
    section = Section("Bids and declarers")
    if not plots.declarer_estimates(runs, "policy"):
        section.text.append("Nobody declared in any deal.")
        return section
    section.add_figure(
        plots.declarer_wins(runs), "How often the declarer's party wins, by winning bid and who declares."
    )
    section.add_figure(plots.chips_by_bid(runs), "What the declarer wins or loses on average, by winning bid.")
    section.add_figure(
        plots.declarer_wins(runs, by="seat"), "How often the declarer's party wins, by place in the bidding."
    )
    return section


def _rounds(runs: Runs) -> Section:
    section = Section("Round by round")
    section.add_figure(
        plots.penalties_by_round(runs), "Mean penalty in each round, with the wild rank, and 95 % bands."
    )
    section.add_figure(
        plots.out_by_round(runs), "How often a seat goes out first; dashed: an equal share of all rounds."
    )
    if runs.keep == "rows":
        stalled = _per_game(runs, ["stalled_rounds"])[0]
        section.text.append(f"Rounds that ended with nobody out: {text_of(stalled)} a game.")
    return section
