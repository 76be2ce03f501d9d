"""A deal played to its end, the rules compiled into the loop: only the policies are called by address."""

from __future__ import annotations

from simlib._dispatch import call2
from simlib._jit import kernel
from simlib.games.big_three.combos import U
from simlib.games.big_three.observe import show_own
from simlib.games.big_three.play import is_legal, step


@kernel
def play_on(state, seat, views, contexts, where):
    """Play from the turn of `seat` to the end, or to an illegal action, which is marked in `where`.

    The table in `state` is the view of the seat to act: what that seat alone knows is put in, and the partner that only
    it knows is taken out again.
    """
    ply = 0
    view = state.table
    while seat >= 0:
        context = contexts[U(seat)]
        known = view.partner
        show_own(state, seat, view)
        where.seat = seat
        where.ply = ply
        action = call2(context.fn, view, context)
        view.partner = known
        if is_legal(state, action) == 0:
            where.action = action
            where.failed = 1
            return
        ply += 1
        seat = step(state, action)
