"""A game played to its end, the rules compiled into the loop: only the policies are called by address."""

from __future__ import annotations

from simlib._dispatch import call2
from simlib._jit import kernel
from simlib._words import load64, store64
from simlib.games.drei_zu_viel.play import U, is_legal, step


@kernel
def play_on(state, seat, views, contexts, where):
    """Play from the turn of `seat` to the end, or to an illegal action, which is marked in `where`.

    The table in `state` is the view of the seat to act: only its number and hand are put in. Copying the table for each
    play costs a fifth of the time, since it reads in wide words what was just written in narrow ones.
    """
    ply = 0
    view = state.table
    while seat >= 0:
        context = contexts[U(seat)]
        view.seat = seat
        store64(view.hand, 0, load64(state.hand, seat))
        where.seat = seat
        where.ply = ply
        action = call2(context.fn, view, context)
        if is_legal(state, action) == 0:
            where.action = action
            where.failed = 1
            return
        ply += 1
        seat = step(state, action)
