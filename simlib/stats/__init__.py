"""Statistics of simulated card games: intervals, comparisons, sequential tests, tournaments.

The unit of every standard error is the deal: the games of one deal share its cards and are not independent,
whereas different deals come from independent random streams. The modules here work on plain arrays and know
no game:

- ``accumulators``: exact, mergeable sufficient statistics;
- ``intervals``: fixed-size intervals for means, differences, conditional means and proportions;
- ``planning``: variance-reduction factor, control variates, deals needed for a half-width;
- ``sequences``, ``sprt``: what may be looked at while deals are still being played;
- ``sequential``: the grid of looks, and the monitor that chunks and threads cannot move;
- ``elo``: Elo, normalised Elo and their sequential test, as chess-engine testers compute them;
- ``multiple``: several comparisons at once, and rankings with ties;
- ``distributions``: quantiles, distribution functions and weighted means.
"""
