"""A game played to its end, the rules compiled into the loop: only policies and searches are called by address."""

from __future__ import annotations

from simlib._dispatch import call2
from simlib._jit import kernel
from simlib.games.three_thirteen.observe import observe, observe_drawn
from simlib.games.three_thirteen.play import is_legal, step
from simlib.games.three_thirteen.view import DISCARD
from simlib.rng import U


@kernel
def play_on(state, seat, views, contexts, where):
    """Play from the turn of `seat` to the end, or to an illegal action, which is marked in `where`."""
    ply = 0
    drawn = False
    while seat >= 0:
        view = views[U(seat)]
        context = contexts[U(seat)]
        if drawn:
            observe_drawn(state, seat, view)
        else:
            observe(state, seat, view)
        where.seat = seat
        where.ply = ply
        action = call2(context.fn, view, context)
        if is_legal(state, action) == 0:
            where.action = action
            where.failed = 1
            return
        ply += 1
        seat = step(state, action)
        drawn = state.table.phase == DISCARD and state.last_reshuffle == 0
