"""Advice 3 of Big Three: defenders do not beat their partner, and help the one who is closer to going out."""

from __future__ import annotations

import simlib as sl
from experiments._big import GAME, long_table, tried, tried_figure
from experiments._frame import Experiment, Study, run, say, verdict

EXPERIMENT = Experiment(
    name="big_partner",
    question="Should a defender leave its partner's cards alone?",
    hypothesis="Never beating a partner is too much of a good thing; leaving it alone where that helps is "
    "better than treating "
    "it as a foe.",
    design="`tips` that never beats a partner, and `tips` that leaves it alone when nobody could beat it "
    "anyway or when it has few "
    "cards (and leads what it can go out with), against `tips` that treats it as a foe, on the same deals: "
    "as one defender or "
    "both of forced deals, and one seat moved round with the auction; also with a secret partner (four players).",
    claim="big_three, advice 3",
    deals=10_000,
    quick_deals=100,
)
HELPS, NEVER = "where it helps", "never beats it"
WAYS = {HELPS: "tips:partner=1", NEVER: "tips:partner=2"}
FOE = "tips:partner=0"


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = tried(WAYS, FOE, deals, seed)
    for part in [p for p in found if p.startswith("chance")]:
        found[part] = {k: e for k, e in found[part].items() if "defender" in k}  # alone it has no partner
    for rest in ("tips", "counting"):
        four = sl.compare(GAME, FOE, WAYS, deals, opponents=rest, seed=seed, rules={"players": 4}, progress=False)
        found[f"chips, {rest}"] |= {f"four players: {k}": four.estimate(k) for k in WAYS}
    ax = tried_figure(found, "Leaving a partner's cards alone, rather than treating it as a foe: gain")
    both = {w: found["chance, tips"][f"{w}: both defenders"] for w in WAYS}
    chips = {w: found["chips, counting"][w] for w in WAYS}
    four = {w: found["chips, tips"][f"four players: {w}"] for w in WAYS}
    words = ("is good advice", "is bad advice", "cannot be told from treating it as a foe")
    sentences = [
        f"When both defenders leave each other alone where it helps, their chance to win changes by "
        f"{say(both[HELPS], percent=True)}, and by {say(both[NEVER], percent=True)} when they never beat each other.",
        f"Over all deals, among `counting`, the first is worth {say(chips[HELPS], 'chips')} a deal and the second "
        f"{say(chips[NEVER], 'chips')}; with four players among `tips` {say(four[HELPS], 'chips')} and "
        f"{say(four[NEVER], 'chips')}.",
        f"So for a pair of defenders, helping the one who is closer to going out {verdict(both[HELPS], *words)}; "
        f"never to beat the partner, a rule without exception, {verdict(both[NEVER], *words)}.",
    ]
    findings = [(f"among {p.split(', ')[1]}: {k}", e, "chips" if p[:5] == "chips" else "")
                for p, g in found.items() for k, e in g.items() if e.df > 0]  # fmt: skip
    return Study(long_table(found), ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
