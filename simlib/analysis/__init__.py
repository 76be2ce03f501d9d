"""Questions answered by statistics: comparisons, tournaments, tuning, and one module a game for its own questions."""
