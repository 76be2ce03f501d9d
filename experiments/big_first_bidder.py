"""The duty to bid first and the right to lead in Big Three: do they help or hurt?"""

from __future__ import annotations

import simlib as sl
from experiments._big import differences, estimates, long_table, panels
from experiments._frame import Experiment, Study, run, say, verdict
from simlib import plots

EXPERIMENT = Experiment(
    name="big_first_bidder",
    question="Do the duty to bid and the right to lead help or hurt the first bidder?",
    hypothesis="The duty hurts, the lead helps, and the lead is worth more.",
    design="Every deal is played with every seat as declarer and every seat as leader (`counting`); auctions "
    "are settled by the "
    "fitted chance to win (2 or 3 from one half on): by the rules, without the duty (a deal that nobody bids "
    "for is void), "
    "with the lead given to the other seats (known when bidding), and with neither.",
    claim="big_three, auction 1 and play 1: the first bidder's duty and lead",
    deals=6_000,
    quick_deals=300,
)


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    first = sl.big_three.first_bidder(deals, seed)
    lead = sl.big_three.lead_value(deals, seed)
    parts = {part: estimates(first, part) for part in first.parts}
    parts |= {"declarer's chance": estimates(lead, "chance"), "lead": estimates(lead, "lead")}
    axes = panels(1, 3, 14, 3.6)
    plots.forest(differences(parts["effect"]), axes[0], unit="chips", title="What it is worth to the first bidder")
    plots.forest(differences(parts["place"]), axes[1], unit="chips", title="Mean by place, by the rules")
    axes[1].set_xlabel("chips a deal")
    plots.forest(differences(parts["lead"]), axes[2], unit="%", title="What leading adds to a declarer's chance")
    duty, right, both = (parts["effect"][k] for k in ("the duty to bid", "the right to lead", "both"))
    place = parts["place"]
    any_lead = parts["lead"]["declarer rather than any other seat"]
    sentences = [
        f"The duty to bid at least 1 "
        f"{verdict(duty, 'helps', 'costs', 'does not visibly change the result of')} the first bidder: "
        f"{say(duty, 'chips')} a deal; the right to lead is worth {say(right, 'chips')}, and both together "
        f"{say(both, 'chips')}.",
        f"By the rules the first bidder wins {say(place['first bidder'], 'chips')} a deal, the second "
        f"{say(place['second'], 'chips')}, the "
        f"third {say(place['third'], 'chips')}: the lead outweighs the duty." if right.mean > -duty.mean else
        f"By the rules the first bidder wins {say(place['first bidder'], 'chips')} a deal: the duty "
        f"outweighs the lead.",
        f"To a declarer the first lead is worth {say(any_lead, percent=True)} in the chance to win, as much "
        f"as the widow.",
    ]  # fmt: skip
    findings = [(f"first bidder: {k}", e, "chips") for k, e in (parts["effect"] | parts["chips"]).items()]
    findings += [(f"mean of the {k} by the rules", e, "chips") for k, e in place.items()]
    findings += [(k, e, "") for p in ("declarer's chance", "lead") for k, e in parts[p].items()]
    return Study(long_table(parts), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
