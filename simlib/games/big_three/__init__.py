"""Big Three (Da San, Wa Keng). The rules are in RULES.md beside this file."""

from __future__ import annotations

from typing import Any

from simlib.cards import card_text
from simlib.game import Column, Game
from simlib.games.big_three import loop, observe, play, settle, view
from simlib.games.big_three.combos import BID, CALL, N_ACTIONS, N_ALL, NAMED, PASS, name_of
from simlib.games.big_three.record import CODEC
from simlib.games.big_three.redeal import redeal
from simlib.games.big_three.rules import RULES, BigThreeRules, encode

_FEATURES = {
    "threes": "threes",
    "twos": "twos",
    "aces": "aces",
    "pairs": "ranks held exactly twice",
    "triples": "ranks held exactly three times",
    "quads": "ranks held four times",
    "longest": "ranks of the longest straight, 0 without one",
    "straights": "different straights of any multiplicity and length",
    "turns": "least number of combinations that empty the hand, −1 unless the scenario asks for it",
}
COLUMNS = {
    "score": Column("chips won (McNeely: points)", "chips", per="seat"),
    "win_share": Column("1/k for each of the k members of the winning party", kind="share", per="seat"),
    "won": Column("the seat's party went out first", kind="flag", per="seat"),
    "declarer": Column("who played alone (four players: with a secret partner)", kind="seat"),
    "bid": Column("the winning bid, 1 to 3"),
    "forced": Column("the winning bid was a forced one", kind="flag"),
    "declarer_won": Column("the declarer's party went out first", kind="flag"),
    "partner": Column("the secret partner (four players)", kind="seat"),
    "called": Column("the named card (four players)", kind="card"),
    "named_played": Column("the named card was played before the end", kind="flag"),
    "first_out": Column("who had no cards left", kind="seat"),
    "first_bidder": Column("who bid first", kind="seat"),
    "leader": Column("who led the first trick", kind="seat"),
    "heart": Column("the lowest heart dealt to a seat, which made it bid first", kind="card"),
    "auction": Column(
        "every bid in order as decimal digits, 0: pass (10200: 1, pass, 2, pass, pass); 0 without an auction"
    ),
    "tricks": Column("tricks completed; the one in which somebody went out does not count", "tricks"),
    "bombs": Column("quads and straights of quads played"),
    "plays": Column("combinations played", per="seat"),
    "passes": Column("passes in the play", per="seat"),
    "cards_left": Column("cards held at the end", "cards", per="seat"),
    **{name: Column(f"dealt hand: {doc}", per="seat") for name, doc in _FEATURES.items()},
    **{f"after_{name}": Column(f"declarer's hand with the widow: {doc}") for name, doc in _FEATURES.items()},
}


def describe(action: int, view_: Any) -> str:
    """Return an action as text, such as ``bid 2``, ``6-7-8``, ``K K`` or ``pass``."""
    if action == PASS:
        return "pass"
    if BID <= action < CALL:
        return f"bid {action - BID}" if action > BID else "pass"
    if CALL <= action < NAMED:
        return f"name {card_text(action - CALL)}"
    western = bool(view_["rules"]["western"])
    if NAMED <= action < NAMED + N_ALL:
        return f"{name_of(action - NAMED, western)} with {card_text(int(view_['called']))}"
    if 0 <= action < N_ALL:
        return name_of(action, western)
    raise ValueError(f"{action} is no action of Big Three (0 to {N_ACTIONS - 1})")


GAME = Game(
    name="big_three",
    title="Big Three",
    rules=BigThreeRules,
    min_players=3,
    max_players=4,
    STATE=view.STATE,
    VIEW=view.VIEW,
    RULES=RULES,
    SCENARIO=view.SCENARIO,
    RESULT=settle.RESULT,
    deal=play.deal,
    observe=observe.observe,
    legal=observe.legal,
    is_legal=play.is_legal,
    step=play.step,
    result=settle.result,
    redeal=redeal,
    n_actions=N_ACTIONS,
    encode_rules=encode,
    describe=describe,
    columns=COLUMNS,
    codec=CODEC,
    play_on=loop.play_on,
    score_unit="chips",
)
