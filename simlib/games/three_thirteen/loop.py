"""A game played to its end, the rules compiled into the loop: only policies and searches are called by address."""

from __future__ import annotations

from simlib._dispatch import call2
from simlib._jit import kernel
from simlib.games.three_thirteen.observe import show_own
from simlib.games.three_thirteen.play import is_legal, step
from simlib.rng import U


@kernel
def play_on(state, seat, views, contexts, where):
    """Play from the turn of `seat` to the end, or to an illegal action, which is marked in `where`.

    The table in `state` is the view of the seat to act (`show_own`): copying it would read in wide words what was just
    written in narrow ones, and wait.
    """
    ply = 0
    view = state.table
    while seat >= 0:
        context = contexts[U(seat)]
        show_own(state, seat, view)
        where.seat = seat
        where.ply = ply
        action = call2(context.fn, view, context)
        if is_legal(state, action) == 0:
            where.action = action
            where.failed = 1
            return
        ply += 1
        seat = step(state, action)
