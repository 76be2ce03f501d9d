"""Three-Thirteen, a rummy game in eleven rounds. The rules are in RULES.md beside this file."""

from __future__ import annotations

from simlib.cards import card_text
from simlib.game import Game
from simlib.games.three_thirteen import loop, observe, play, record, redeal, result, view
from simlib.games.three_thirteen.best import Melds, best_melds
from simlib.games.three_thirteen.rules import RULES, ThreeThirteenRules, encode


def describe(action: int, view_: object) -> str:
    """Return an action as text, such as ``discard 4h and go out``."""
    if action < view.DISCARD_0:
        return "draw the upcard" if action == view.DRAW_UPCARD else "draw from the stock"
    if action < view.OUT_0:
        return f"discard {card_text(action - view.DISCARD_0)}"
    return f"discard {card_text(action - view.OUT_0)} and go out"


GAME = Game(
    name="three_thirteen",
    title="Three-Thirteen",
    rules=ThreeThirteenRules,
    min_players=2,
    max_players=view.MAX_PLAYERS,
    STATE=view.STATE,
    VIEW=view.VIEW,
    RULES=RULES,
    SCENARIO=view.SCENARIO,
    RESULT=result.RESULT,
    deal=play.deal,
    observe=observe.observe,
    legal=observe.legal,
    is_legal=play.is_legal,
    step=play.step,
    result=result.result,
    redeal=redeal.redeal,
    n_actions=view.N_ACTIONS,
    encode_rules=encode,
    describe=describe,
    columns=result.COLUMNS,
    codec=record.CODEC,
    play_on=loop.play_on,
    score_unit="points",
    parts="round",
    part_played="hand_size",
)

__all__ = ["GAME", "Melds", "best_melds", "describe"]
