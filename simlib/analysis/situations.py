"""What kind of situation a decision is, and how it reads: one small class a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simlib.cards import card_text, card_texts
from simlib.games import get

Array = np.ndarray[Any, Any]
View = Any


def kind_of(game: str, view: View, a: int, b: int) -> dict[str, str]:
    """Return what kind of situation this is and what the two actions come to, as labels by name.

    Parameters
    ----------
    game : str
    view : VIEW record
    a, b : int
        Actions of the first and the second policy.
    """
    return _KINDS[game](view, a, b)


def text_of(game: str, view: View) -> str:
    """Return what the seat sees, in a few readable lines."""
    return _TEXTS[game](view)


def action_text(game: str, action: int, view: View) -> str:
    """Return an action as text."""
    return get(game).describe(action, view)


# --- 3 sind eine zu viel! ---


def _takes(view: View, position: int) -> int:
    """Cards that playing the card at this position of the hand would take."""
    value = int(view["hand"][position])
    row = [int(v) for v in view["row"][value // 30][: view["row_n"][value // 30]]]
    if len(row) < 3:
        return 0
    above = sum(v > value for v in row)
    return above or 1


def _drei_kind(view: View, a: int, b: int) -> dict[str, str]:
    words = ["takes nothing", "takes one", "takes two", "takes three"]
    full = int((view["row_n"][:3] == 3).sum())
    return {
        "third": str(1 + int(view["third"])),
        "full rows": str(full),
        "first": words[_takes(view, a)],
        "second": words[_takes(view, b)],
    }


def _drei_text(view: View) -> str:
    colour = view["rules"]["colour"]

    def card(value: int) -> str:
        return f"{value}{'·' if colour[value] < 0 else 'abcdefg'[colour[value]]}"

    me = int(view["seat"])
    rows = [[int(v) for v in view["row"][r][: view["row_n"][r]]] for r in range(3)]
    lines = ["rows: " + "   ".join(f"[{30 * r}] " + (" ".join(map(card, row)) or "–") for r, row in enumerate(rows))]
    lines.append("hand: " + " ".join(card(int(v)) for v in view["hand"][: view["hand_n"][me]]))
    for seat in range(int(view["players"])):
        counts = "".join("abcdefg"[c] * int(view["colours"][seat][c]) for c in range(7))
        silver = f", silver {int(view['silver'][seat])}" if view["has_silver"][seat] else ""
        mark = " (to play)" if seat == me else ""
        lines.append(f"seat {seat}{mark}: face up {counts or '–'}, face down {int(view['face_down'][seat])}{silver}")
    return "\n".join(lines)


# --- Big Three ---


def _bucket(n: int, edges: tuple[int, ...]) -> str:
    """``"5–8"`` and the like."""
    low = 1
    for high in edges:
        if n <= high:
            return f"{low}–{high}" if low < high else str(low)
        low = high + 1
    return f"{low} or more"


def _big_phase(view: View) -> str:
    from simlib.games.big_three.view import AUCTION, CALLING

    if view["phase"] == AUCTION:
        return "auction"
    if view["phase"] == CALLING:
        return "calling"
    return "leading" if view["leading"] else "following"


def _big_kind(view: View, a: int, b: int) -> dict[str, str]:
    me = int(view["seat"])
    role = "–"
    if view["declarer"] >= 0:
        mine = int(view["declarer"]) == me or int(view["partner"]) == me
        role = "declarer" if int(view["declarer"]) == me else "partner" if mine else "defender"
    first, second = action_text("big_three", a, view), action_text("big_three", b, view)
    if _big_phase(view) in ("leading", "following"):
        first, second = (text if text == "pass" else "plays" for text in (first, second))
        if first == second:
            first, second = "plays one", "plays another"
    elif _big_phase(view) == "calling":
        first, second = "names one", "names another"
    left = _bucket(int(view["hand_n"][me]), (4, 8, 12))
    return {"phase": _big_phase(view), "role": role, "own cards": left, "first": first, "second": second}


def _ranks_held(view: View) -> str:
    """The own hand by rank, from the lowest, as ``4 4 7 K 2``."""
    order = "A23456789TJQK" if view["rules"]["western"] else "456789TJQKA23"
    word = int(view["hand"])
    counts = [sum(word >> (16 * k + r) & 1 for k in range(4)) for r in range(13)]
    return " ".join(rank for rank, n in zip(order, counts, strict=True) for _ in range(n)) or "–"


def _big_text(view: View) -> str:
    from simlib.games.big_three import describe

    me = int(view["seat"])
    lines = [f"hand: {_ranks_held(view)}"]
    bids = [int(b) for b in view["bids"][: view["bids_n"]]]
    players = int(view["players"])
    if bids:
        said = [f"seat {(int(view['first']) + i) % players} {bid or 'passes'}" for i, bid in enumerate(bids)]
        lines.append("bids: " + ", ".join(said))
    if view["declarer"] >= 0:
        lines.append(f"declarer: seat {int(view['declarer'])} at {int(view['high_bid'])}")
    last = [int(h) for h in view["history"][: view["history_n"]]][-6:]
    if last:
        lines.append("played lately: " + ", ".join(f"seat {h >> 8 & 3} {describe(h & 0xFF, view)}" for h in last))
    cards = ", ".join(f"seat {s} {int(view['hand_n'][s])}" for s in range(players))
    return "\n".join([*lines, f"cards left: {cards}; seat {me} to act ({_big_phase(view)})"])


# --- Three-Thirteen ---


def _hand_cards(view: View) -> list[int]:
    """Card numbers of the own hand."""
    words = [int(w) for w in view["hand"]]
    cards = [c for c in range(52) for w in words if w >> c & 1]
    return cards + [52] * int(view["jokers"])


def _thirteen_kind(view: View, a: int, b: int) -> dict[str, str]:
    from simlib.games.three_thirteen.view import DISCARD_0, OUT_0

    part = _bucket(int(view["hand_size"]), (5, 10))
    stage = (
        "last turn"
        if view["out"] >= 0
        else "turn " + _bucket(1 + int(view["turns"]) // int(view["players"]), (1, 3, 6))
    )
    if view["phase"] == 0:
        names = ["stock" if action == 0 else "upcard" for action in (a, b)]
    else:
        names = ["goes out" if action >= OUT_0 else "discards" for action in (a, b)]
        if names[0] == names[1]:
            names = [_worth(view, action - (OUT_0 if action >= OUT_0 else DISCARD_0)) for action in (a, b)]
            if names[0] == names[1]:
                names = [names[0], f"another ({names[1]})"]
    phase = "draw" if view["phase"] == 0 else "discard"
    return {"phase": phase, "hand size": part, "stage": stage, "first": names[0], "second": names[1]}


def _worth(view: View, card: int) -> str:
    if card == 52 or card % 13 == int(view["wild"]):
        return "discards a wild card"
    return "discards low (A–6)" if card % 13 < 6 else "discards high (7–K)"


def _thirteen_text(view: View) -> str:
    wild = "A23456789TJQK"[int(view["wild"])]
    cards = sorted(_hand_cards(view), key=lambda c: (c % 13 if c < 52 else 99, c))
    up = "–" if view["upcard"] < 0 else card_text(int(view["upcard"]))
    lines = [f"round of {int(view['hand_size'])} cards, wild {wild}; upcard {up}; stock {int(view['stock_n'])}"]
    lines.append("hand: " + " ".join(card_texts(cards)))
    lines.append("totals: " + ", ".join(f"seat {s} {int(view['totals'][s])}" for s in range(int(view["players"]))))
    if view["out"] >= 0:
        lines.append(f"seat {int(view['out'])} has gone out")
    return "\n".join(lines)


_KINDS: dict[str, Callable[[View, int, int], dict[str, str]]] = {
    "drei_zu_viel": _drei_kind,
    "big_three": _big_kind,
    "three_thirteen": _thirteen_kind,
}
_TEXTS: dict[str, Callable[[View], str]] = {
    "drei_zu_viel": _drei_text,
    "big_three": _big_text,
    "three_thirteen": _thirteen_text,
}
