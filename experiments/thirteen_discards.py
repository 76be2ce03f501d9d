"""Claims 1 and 3 of Three-Thirteen: spare the next player nothing he wants; count points, not cards."""

from __future__ import annotations

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import GAME, forest, gains, panels, table_of

EXPERIMENT = Experiment(
    name="thirteen_discards",
    question="What is it worth to shed the highest unmelded card, and to keep from the next player what he wants?",
    hypothesis="Points count: minding cards alone costs some points a round. Minding the next player gains little.",
    design=(
        "`tips` without one piece of its advice against `tips`, and `potential` with a weight of 0 against `potential`,"
        " in every seat of the same deals, the other seats as the one compared with; points of a whole game."
    ),
    claim="three_thirteen, claims 1, 3",
    deals=200,
    quick_deals=20,
)
TIPS = {
    "tips: what leads nowhere goes first, not the highest (claim 3)": {"highest": 0},
    "tips: the next player's wants ignored (claim 1)": {"safe": 0},
    "tips: spares the next player up to 3 points a card (claim 1)": {"slack": 3},
}
POTENTIAL = {
    "potential: counts unmelded cards, not points (claim 3)": {"penalty": 0},
    "potential: counts points only, not cards": {"card": 0},
    "potential: looks at the points alone, not at what pairs promise": {"draws": 0.01, "draws_n": 0, "card": 0},
    "potential: the next player's wants ignored (claim 1)": {"next": 0},
    "potential: minds the next player three times as much (claim 1)": {
        "next": 3 * sl.policy(f"{GAME}/potential").params["next"]
    },
}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = gains("tips", TIPS, deals, seed) | gains("potential", POTENTIAL, deals, seed)
    ax = panels(1, 7.5, 4.6)
    forest(ax, found, "Other ways to discard: points saved in a game")
    e = list(found.values())
    sentences = [
        (
            f"Claim 3: `tips` that first sheds what leads nowhere instead of the highest card changes its total by"
            f" {say(e[0], 'points')} a game (above 0 is better), and `potential` that counts unmelded cards instead of"
            f" points by {say(e[3], 'points')}."
        ),
        (
            f"Claim 1: ignoring what the next player collects changes the total by {say(e[1], 'points')} with `tips`"
            f" and by {say(e[6], 'points')} with `potential`."
        ),
        (
            f"Points matter, but counting nothing else changes it by {say(e[4], 'points')}: cards that are still to be"
            " melded keep a player from going out whatever they cost."
        ),
    ]
    findings = [(name, v, "points saved") for name, v in found.items()]
    return Study(table_of(findings), ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
