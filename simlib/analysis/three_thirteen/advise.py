"""`advise`: stock or upcard, and which discard, each with what it costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.three_thirteen.hands import (
    Array,
    Position,
    action_text,
    after,
    cards_of,
    deal_states,
    legal_actions,
    outcomes,
    position,
)
from simlib.cards import card_texts
from simlib.engine import check_count, check_seed, default_threads
from simlib.games.three_thirteen.view import DRAW_STOCK, DRAW_UPCARD, OUT_0
from simlib.stats.intervals import mean_interval, paired_difference

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Advice:
    """What each action is worth.

    Attributes
    ----------
    hand, upcard : str
    table : DataFrame
        One row an action, the best first: ``phase`` (draw or discard), ``action``, ``penalty`` expected in this
        round with ``lo`` and ``hi``, ``out`` (chance to go out), ``worse`` (penalty above the best action of its
        phase, on the same deals) with ``worse_lo, worse_hi``.
    deals, seed : int
    best : str
        The best action to begin with.
    """

    hand: str
    upcard: str
    table: pd.DataFrame
    deals: int
    seed: int
    best: str

    @property
    def clear(self) -> bool:
        """Whether the best action to begin with is told apart from the next best."""
        phase = self.table.phase.iloc[0]
        rows = self.table[self.table.phase == phase]
        return len(rows) < 2 or bool(rows.worse_lo.iloc[1] > 0)

    def __repr__(self) -> str:
        note = "" if self.clear else " (not told apart from the next best)"
        head = f"<{self.hand} with upcard {self.upcard}: {self.best}{note}; {self.deals:,} deals>"
        return f"{head}\n{self.table.round(2).to_string(index=False)}"

    def _repr_html_(self) -> str:
        head = repr(self).split("\n")[0].strip("<>")
        return f"<p>{head}</p>{self.table.round(2).to_html(index=False)}"


def advise(
    hand: str | Iterable[str],
    upcard: str | None = None,
    *,
    players: int | None = None,
    rules: Any = None,
    policy: Any = "potential",
    opponents: Any = None,
    deals: int = 1_000,
    seed: int | None = None,
    threads: int | None = None,
    level: float = 0.95,
) -> Advice:
    """Say what each action is worth with a hand, at the start of its round.

    The hidden cards are dealt many times; each action is played in every deal, then `policy` plays this seat on and
    the opponents theirs, to the end of the round. All actions meet the same cards.

    Parameters
    ----------
    hand : str or list of str
        As many cards as the round has, as ``"4h 5h 3c 9d"``: the wild rank follows from their number. With one card
        more and no `upcard`, the last card counts as just taken from the pile and only discards are valued.
    upcard : str, optional
        Top card of the discard pile.
    players : int, optional
        Number of players; that of the rules (4) by default.
    rules : Rules or dict, optional
    policy : str or Policy
        How this seat goes on.
    opponents : list of str or Policy, optional
        The other seats; `policy` by default.
    deals : int
        Deals of the hidden cards.
    seed, threads
        As in `simlib.simulate`.
    level : float
        Confidence level; intervals are for each number by itself.

    Returns
    -------
    Advice

    Raises
    ------
    ValueError, TypeError
        When the cards are no hand of these rules.
    """
    cards = cards_of(hand, "hand")
    drawn = upcard is None
    if drawn and len(cards) < 2:
        raise ValueError("upcard must be given, or a hand with the card that was just drawn at its end")
    up = cards.pop() if drawn else cards_of(upcard, "upcard")[0]
    deals = check_count("deals", deals, 10)
    seed = check_seed(seed)
    where = position(cards, up, players=players, rules=rules, policy=policy, opponents=opponents, seed=seed)
    table, states = deal_states(where, deals)
    found = {} if drawn else {("draw", a): states for a in (DRAW_STOCK, DRAW_UPCARD)}
    taken = after(table, states, DRAW_UPCARD)
    found |= {("discard", a): taken for a in legal_actions(table, taken[:1])}
    played = _play_all(where, found, threads or default_threads())
    names = {key: _name(table, start[:1], key[1], up) for key, start in found.items()}
    frame = _frame(played, names, level)
    texts = card_texts([*cards, up])
    return Advice(" ".join(texts if drawn else texts[:-1]), texts[-1], frame, deals, seed, str(frame.action.iloc[0]))


def _name(table: Any, state: Array, action: int, up: int) -> str:
    text = action_text(table, state, action)
    return f"take the {card_texts([up])[0]}" if action == DRAW_UPCARD else text


def _play_all(where: Position, found: dict[Any, Array], threads: int) -> dict[Any, tuple[Array, Array]]:
    """Play every action, several at a time, each with tables of its own."""
    from concurrent.futures import ThreadPoolExecutor

    from simlib.engine import Table

    def play(item: Any) -> Any:
        key, states = item
        return key, outcomes(Table(where.work, range(where.work.players)), states, key[1], where.index)

    with ThreadPoolExecutor(threads) as pool:
        return dict(pool.map(play, found.items()))


def _frame(played: dict[Any, tuple[Array, Array]], names: dict[Any, str], level: float) -> pd.DataFrame:
    """Make the table: drawing first, then discards, each by expected penalty."""
    import pandas as pd

    rows = []
    for phase in ("draw", "discard"):
        mine = {key: value for key, value in played.items() if key[0] == phase}
        if not mine:
            continue
        best = min(mine, key=lambda key: (mine[key][0].sum(), key[1] < OUT_0))
        for key, (penalty, out) in mine.items():
            e, worse = mean_interval(penalty, level=level), paired_difference(penalty, mine[best][0], level=level)
            rows.append(
                {
                    "phase": phase,
                    "action": names[key],
                    "penalty": e.mean,
                    "lo": e.lo,
                    "hi": e.hi,
                    "out": float(np.mean(out)),
                    "worse": worse.mean,
                    "worse_lo": worse.lo,
                    "worse_hi": worse.hi,
                }
            )
    frame = pd.DataFrame(rows)
    frame["order"] = (frame.phase == "discard").astype(int)
    return frame.sort_values(["order", "penalty"], kind="stable", ignore_index=True).drop(columns="order")
