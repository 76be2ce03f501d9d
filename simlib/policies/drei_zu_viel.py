"""Policies."""
from simlib._jit import kernel
from simlib.rng import below
@kernel
def random(view, ctx):
    return below(ctx.rng, int(view.hand_n[view.seat]))
@kernel
def lowest(view, ctx):
    return 0
