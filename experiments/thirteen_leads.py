"""How a lead develops in Three-Thirteen, and how penalties grow with the rounds."""

from __future__ import annotations

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import SIZES, curves, of_part, panels, table_of

EXPERIMENT = Experiment(
    name="thirteen_leads",
    question="How does a lead develop over the eleven rounds?",
    hypothesis="Each round brings about the same penalty, so that the worth of a lead grows steadily.",
    design=(
        "Tables of four `potential`: what those who lead, and those who are last, after each round win in the end, how"
        " often the lead changes, and by how much the first leads the second."
    ),
    claim="three_thirteen, development of a lead",
    deals=1_000,
)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    leads = sl.three_thirteen.leads("potential", deals, seed)
    wins = {"who leads": "leader wins", "who is last": "last wins"}
    share = {name: list(of_part(leads, part).values()) for name, part in wins.items()}
    margin, changes = (list(of_part(leads, part).values()) for part in ("margin", "changes"))
    axes = panels(3, 13, 3.7)
    curves(axes[0], SIZES, share, "cards of the round just played", "games won in the end", "Worth of a standing",
           percent=True)  # fmt: skip
    axes[0].set_ylim(0, 1)
    axes[0].axhline(0.25, color="#777777", linewidth=1, linestyle=(0, (4, 3)))
    curves(axes[1], SIZES[1:], {"": changes}, "cards of the round just played", "games", "The lead has changed",
           percent=True)  # fmt: skip
    axes[1].set_ylim(0, None)
    curves(axes[2], SIZES, {"": margin}, "cards of the round just played", "points", "First before second")
    axes[2].set_ylim(0, None)
    lead = share["who leads"]
    sentences = [
        (
            f"Who leads after the first round wins {say(lead[0], percent=True)} of the games (a quarter is chance),"
            f" after six rounds {say(lead[5], percent=True)}, after ten {say(lead[9], percent=True)}; who is last after"
            f" six rounds still wins {say(share['who is last'][5], percent=True)}."
        ),
        (
            f"After the second round the lead has changed in {say(changes[0], percent=True)} of the games, after the"
            f" last one in {say(changes[-1], percent=True)}."
        ),
        (
            f"The first leads the second by {say(margin[0], 'points')} after one round and by"
            f" {say(margin[-1], 'points')} in the end, some two or three rounds' penalties: none is safe early."
        ),
    ]
    findings = [(f"{k} after {n} cards wins", e, "") for k, s in share.items() for n, e in zip(SIZES, s, strict=True)]
    findings += [(f"lead changed with {n} cards", e, "") for n, e in zip(SIZES[1:], changes, strict=True)]
    findings += [(f"margin after {n} cards", e, "points") for n, e in zip(SIZES, margin, strict=True)]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
