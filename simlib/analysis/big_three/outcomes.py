"""The same deals forced to every declarer, bid and leader: what all counterfactual analyses rest on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.analysis.big_three.tables import NAME, Array, check_threads, compiled, cuts, rules_of, spread, table_of
from simlib.engine import Work, check_count, check_seed
from simlib.games.big_three.rules import BigThreeRules
from simlib.games.big_three.scenario import make_scenario
from simlib.policies import Policy

#: Hand features of the results that the tables show, and the same of the declarer's hand with the widow.
FEATURES = ("threes", "twos", "aces", "pairs", "triples", "quads", "longest", "straights", "turns")


@dataclass(frozen=True)
class Setting:
    """Which deals are played, by what rules, and how the cards are played.

    Attributes
    ----------
    rules : BigThreeRules
    play : Policy
        Plays every seat.
    deals, seed : int
        The deals ``0 … deals - 1`` of the seed.
    threads : int or None
    """

    rules: BigThreeRules
    play: Policy
    deals: int
    seed: int
    threads: int | None = None

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.rules.players

    def work(self, scenario: Any = None) -> Work:
        """Return what is to be played under a counterfactual set-up."""
        line = (self.play,) * self.players
        return Work(NAME, self.rules, line, self.seed, (tuple(range(self.players)),), scenario)

    def played(
        self, declarer: int, bid: int = 1, *, no_widow: bool = False, leader: int | None = None, features: bool = False
    ) -> Array:
        """Return the results, shape (deals,), when this seat declares at this bid, and perhaps another seat leads."""
        scenario = make_scenario(
            self.rules, declarer=declarer, bid=bid, no_widow=no_widow, leader=leader, features=features
        )
        work = self.work(scenario)

        def piece(part: slice) -> Array:
            from simlib.games import get

            rows = np.zeros(part.stop - part.start, get(NAME).RESULT)
            table_of(work).play(part.start, rows)
            return rows

        return np.concatenate(spread(list(cuts(self.deals, self.threads)), piece, self.threads))

    def first_bidders(self) -> Array:
        """Return who bids first in each deal, shape (deals,)."""
        return self.dealt()[1]

    def dealt(self) -> tuple[Array, Array]:
        """Return each seat's view before the first bid, shape (deals, seats), and who bids first, shape (deals,)."""
        from simlib.analysis.big_three import kernels

        table = table_of(self.work())
        views, first = np.zeros((self.deals, self.players), table.game.VIEW), np.zeros(self.deals, np.int64)
        game, state, rules, scenario, _, contexts, subs, rng = table.arguments()
        kernels.observe_dealt(game, state, rules, scenario, contexts, subs, rng, 0, views, first)
        return views, first


def make_setting(
    deals: int, seed: int | None, rules: Any, play: Any, threads: int | None, *, players: int | None = None
) -> Setting:
    """Check the arguments that all counterfactual analyses share."""
    return Setting(
        rules_of(rules, players), compiled("play", play), check_count("deals", deals, 2), check_seed(seed),
        check_threads(threads),
    )  # fmt: skip


def three_players(setting: Setting, what: str) -> Setting:
    """Return the setting, or refuse four players where there is no widow or no lone declarer."""
    if setting.players != 3:
        raise ValueError(f"players=4: {what} is for three players")
    return setting
