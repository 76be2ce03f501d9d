"""What a finished game of Three-Thirteen leaves for analysis."""

from __future__ import annotations

import numpy as np

from simlib._jit import kernel
from simlib.game import SHARE, Column
from simlib.games.three_thirteen.view import MAX_PLAYERS, MAX_ROUNDS

RESULT = np.dtype(
    [
        ("score", np.int16, (MAX_PLAYERS,)),
        ("win_share", np.int16, (MAX_PLAYERS,)),
        ("penalty", np.int16, (MAX_PLAYERS,)),
        ("zero_rounds", np.int8, (MAX_PLAYERS,)),
        ("rounds_out", np.int8, (MAX_PLAYERS,)),
        ("round_penalty", np.int16, (MAX_ROUNDS, MAX_PLAYERS)),
        ("round_upcards", np.int16, (MAX_ROUNDS, MAX_PLAYERS)),
        ("round_out", np.int8, (MAX_ROUNDS, MAX_PLAYERS)),
        ("round_wilds", np.int8, (MAX_ROUNDS, MAX_PLAYERS)),
        ("round_unmelded", np.int8, (MAX_ROUNDS, MAX_PLAYERS)),
        ("turn_out", np.int16, (MAX_ROUNDS,)),
        ("turns", np.int16, (MAX_ROUNDS,)),
        ("out_seat", np.int8, (MAX_ROUNDS,)),
        ("stalled", np.int8, (MAX_ROUNDS,)),
        ("reshuffles", np.int8, (MAX_ROUNDS,)),
        ("hand_size", np.int8, (MAX_ROUNDS,)),
        ("stalled_rounds", np.int8),
        ("rounds", np.int8),
        ("tie_break", np.int8),
    ],
    align=True,
)

COLUMNS = {
    "score": Column("minus the total penalty", "points", per="seat"),
    "win_share": Column("1/k for each of k winners", kind="share", per="seat"),
    "penalty": Column("total penalty", "points", per="seat"),
    "zero_rounds": Column("rounds without a penalty", "rounds", per="seat"),
    "rounds_out": Column("rounds in which the seat went out", "rounds", per="seat"),
    "round_penalty": Column("penalty of the round, doubled where it counts double", "points", per="round"),
    "round_upcards": Column("cards taken from the discard pile", "cards", per="round"),
    "round_out": Column("the seat went out", kind="flag", per="round"),
    "round_wilds": Column("wild cards in the hand that was counted, melded or not", "cards", per="round"),
    "round_unmelded": Column("unmelded cards (the fewest that make up the penalty)", "cards", per="round"),
    "turn_out": Column("turn of the seat that went out, from 1; 0: nobody did", "turns", per="part"),
    "turns": Column("turns of all seats, last turns included", "turns", per="part"),
    "out_seat": Column("seat that went out", kind="seat", per="part"),
    "stalled": Column("the round ended with nobody out", kind="flag", per="part"),
    "reshuffles": Column("times the stock was renewed", per="part"),
    "hand_size": Column("cards dealt to a hand; 0: the round was not played", "cards", per="part"),
    "stalled_rounds": Column("rounds that ended with nobody out", "rounds"),
    "rounds": Column("rounds played", "rounds"),
    "tie_break": Column("several seats had the lowest total, so that zero rounds decided", kind="flag"),
}


@kernel
def result(state, out):
    """Fill the RESULT of a finished game (section 6: lowest total, then most zero rounds, then shared)."""
    table = state.table
    players = int(table.players)
    best = 1 << 30
    lowest = 1 << 30
    winners = 0
    level = 0
    for seat in range(players):
        key = int(table.totals[seat]) * 16 + 15 - int(table.zeros[seat])
        if key < best:
            best = key
            winners = 0
        winners += int(key == best)
        if table.totals[seat] < lowest:
            lowest = int(table.totals[seat])
            level = 0
        level += int(table.totals[seat] == lowest)
    out.tie_break = 1 if level > 1 else 0
    for seat in range(MAX_PLAYERS):
        total = int(table.totals[seat]) if seat < players else 0
        key = total * 16 + 15 - int(table.zeros[seat])
        out.score[seat] = -total
        out.penalty[seat] = total
        out.win_share[seat] = SHARE // winners if seat < players and key == best else 0
        out.zero_rounds[seat] = table.zeros[seat]
        out.rounds_out[seat] = 0
    _rounds(state, out, players)


@kernel
def _rounds(state, out, players):
    table = state.table
    stats = state.stats
    out.rounds = 0
    out.stalled_rounds = 0
    for r in range(MAX_ROUNDS):
        played = stats.hand_size[r] > 0
        out.hand_size[r] = stats.hand_size[r]
        out.turn_out[r] = stats.turn_out[r] if played else 0
        out.turns[r] = stats.turns[r] if played else 0
        out.out_seat[r] = stats.out[r] if played else -1
        out.stalled[r] = stats.stalled[r] if played else 0
        out.reshuffles[r] = stats.reshuffles[r] if played else 0
        out.rounds += np.int8(played)
        out.stalled_rounds += out.stalled[r]
        for seat in range(MAX_PLAYERS):
            there = played and seat < players
            gone = there and stats.out[r] == seat
            out.round_penalty[r, seat] = table.penalty[r, seat] if there else 0
            out.round_upcards[r, seat] = stats.took[r, seat] if there else 0
            out.round_out[r, seat] = 1 if gone else 0
            out.rounds_out[seat] += np.int8(gone)
            out.round_wilds[r, seat] = stats.wilds[r, seat] if there else 0
            out.round_unmelded[r, seat] = stats.unmelded[r, seat] if there else 0
