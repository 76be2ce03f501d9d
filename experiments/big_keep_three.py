"""Advice 4 of Big Three: keep a 3 or a strong pair to get the lead back near the end."""

from __future__ import annotations

from experiments._big import long_table, tried, tried_figure
from experiments._frame import Experiment, Study, run, say, verdict

EXPERIMENT = Experiment(
    name="big_keep_three",
    question="Should one keep a 3 or a strong pair to get the lead back near the end?",
    hypothesis="Yes, if it is not kept for too long.",
    design="`tips` that keeps its last 3 or strong pair (2s, 3s or aces) until at most 3, 5 or 7 turns are "
    "left or an opponent has at most "
    "six cards, against `tips` that keeps nothing, on the same deals: in each role of forced deals, and one "
    "seat moved round "
    "with the auction, among `tips` and among `counting`.",
    claim="big_three, advice 4",
    deals=5_000,
    quick_deals=200,
)
WAYS = {f"until {n} turns": f"tips:straights=0,end={n}" for n in (3, 5, 7)}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = tried(WAYS, "tips:straights=0,keep_three=0", deals, seed)
    ax = tried_figure(found, "Keeping the last 3 or strong pair: gain")
    chips = {rest: {w: found[f"chips, {rest}"][w] for w in WAYS} for rest in ("tips", "counting")}
    alone = {w: found["chance, counting"][f"{w}: declarer"] for w in WAYS}
    pair = {w: found["chance, counting"][f"{w}: both defenders"] for w in WAYS}
    best = max(WAYS, key=lambda w: chips["counting"][w].mean)
    worst = min(WAYS, key=lambda w: chips["counting"][w].mean)
    words = ("pays", "costs chips", "neither pays nor costs beyond doubt")
    mean = {n: sum(c[f"until {n} turns"].mean for c in chips.values()) / 2 for n in (3, 5, 7)}
    sentences = [
        f"Keeping the last 3 or strong pair {verdict(chips['counting'][best], *words)} if kept {best} are left: "
        f"{say(chips['counting'][best], 'chips')} "
        f"a deal among `counting` ({say(chips['tips'][best], 'chips')} among `tips`); kept {worst} are left, it "
        f"{verdict(chips['counting'][worst], *words)}: "
        f"{say(chips['counting'][worst], 'chips')}.",
        f"A declarer's chance to win changes by {say(alone[best], percent=True)} that way, that of two "
        f"defenders who both do it by "
        f"{say(pair[best], percent=True)}.",
        f"The advice names no moment: keeping it until 7, 5 and 3 turns are left brings {mean[7]:.3f}, "
        f"{mean[5]:.3f} and "
        f"{mean[3]:.3f} chips a deal, on average over the two tables.",
    ]
    findings = [(f"among {p.split(', ')[1]}: {k}", e, "chips" if p[:5] == "chips" else "")
                for p, g in found.items() for k, e in g.items() if e.df > 0]  # fmt: skip
    return Study(long_table(found), ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
