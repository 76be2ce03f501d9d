"""*3 sind eine zu viel!* (Behre and Staupe, Amigo 2015). The rules are in RULES.md beside this file."""

from __future__ import annotations

from simlib.game import Column, Game
from simlib.games.drei_zu_viel import loop, play, view
from simlib.games.drei_zu_viel.record import CODEC
from simlib.games.drei_zu_viel.rules import RULES, DreiZuVielRules, encode

COLUMNS = {
    "score": Column("final points", "points", per="seat"),
    "win_share": Column("1/k for each of k winners", per="seat"),
    "silver": Column("points of the silver card taken", "points", per="seat"),
    "gold": Column("points of the gold card", "points", per="seat"),
    "face_down": Column("cards turned face down, one minus point each", "cards", per="seat"),
    "neutral": Column("neutral cards taken", "cards", per="seat"),
    "singles": Column("colours with one face-up card at the end", "colours", per="seat"),
    "pairs": Column("colours with two face-up cards at the end", "colours", per="seat"),
    "third_score": Column("points as the table stood after the third (gold in the last)", "points", per="third"),
    "third_taken": Column("cards taken in the third", "cards", per="third"),
    "third_takes": Column("turns of the third on which cards were taken", "turns", per="third"),
    "third_full": Column("rows standing at four cards before a play, summed over the third", "rows", per="part"),
    "starter": Column("seat that played first", kind="seat"),
    "lead_changes": Column("thirds after which nobody of the leaders before still led (0 to 2)"),
}


def describe(action: int, view_: object) -> str:
    """Return an action as text, such as ``play 45``."""
    return f"play {int(view_['hand'][action])}"  # type: ignore[index]


GAME = Game(
    name="drei_zu_viel",
    title="3 sind eine zu viel!",
    rules=DreiZuVielRules,
    min_players=2,
    max_players=4,
    STATE=view.STATE,
    VIEW=view.VIEW,
    RULES=RULES,
    SCENARIO=view.SCENARIO,
    RESULT=play.RESULT,
    deal=play.deal,
    observe=view.observe,
    legal=view.legal,
    is_legal=play.is_legal,
    step=play.step,
    result=play.result,
    redeal=view.redeal,
    n_actions=8,
    encode_rules=encode,
    describe=describe,
    columns=COLUMNS,
    codec=CODEC,
    play_on=loop.play_on,
    score_unit="points",
    parts="third",
)
