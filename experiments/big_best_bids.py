"""What to bid in Big Three when everybody bids best: thresholds on the chance to win that hold up against "
"themselves."""

from __future__ import annotations

import pandas as pd

import simlib as sl
from experiments._big import panels
from experiments._frame import Experiment, Study, run, say
from simlib import plots
from simlib.stats.intervals import Estimate

EXPERIMENT = Experiment(
    name="big_best_bids",
    question="From which chance to win on should one bid when everybody bids best, and does that depend on "
    "the scoring?",
    hypothesis="From somewhat above one half on, since the others may bid as well; and at once 3, since a "
    "higher bid only raises the stake.",
    design="Every deal is played with every seat as declarer (`counting`), all auctions are then settled "
    "without playing again: best "
    "responses to thresholds for 2 and 3 are taken until they stay, on half of the deals; what a seat could "
    "still gain is "
    "estimated on the other half. For chips and for McNeely's scoring, for the short deck, the western order "
    "and four players.",
    claim="big_three, headline question; options scoring, short_deck, rank_order, players",
    deals=4_000,
    quick_deals=200,
)
GAMES = {
    "chips": {}, "McNeely": {"scoring": "mcneely"}, "short deck": {"short_deck": True},
    "western order": {"rank_order": "western"}, "four players": {"players": 4},
}  # fmt: skip


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    found = {name: sl.big_three.equilibrium(deals, seed, rules=options) for name, options in GAMES.items()}
    rows, findings = [], []
    for name, t in found.items():
        unit = "points" if name == "McNeely" else "chips"
        rows.append({"game": name, "what": "threshold for 2", "estimate": t.two, "deals": deals})
        rows.append({"game": name, "what": "threshold for 3", "estimate": t.three, "deals": deals})
        for what, e in (("gain of other thresholds", t.gain), ("gain of thresholds for each situation", t.free_gain)):
            rows.append(_row(name, what, e))
            findings.append((f"{name}: {what} on fresh deals", e, unit))
        for frame, key, value in ((t.places, "place", "chips"), (t.bids, "bid", "share")):
            what = f"mean {unit}, " if key == "place" else "share of deals at "
            rows += [
                {"game": name, "what": f"{what}{r[key]}", "estimate": r[value], "lo": r["lo"], "hi": r["hi"]}
                for r in frame.to_dict("records")
            ]
    axes = panels(1, 3, 14, 4)
    for ax, name in zip(axes, ("chips", "McNeely"), strict=False):
        found[name].plot(ax)
        ax.set_title(f"{name}: mean of a seat by its thresholds", loc="left")
    shares = pd.concat([t.bids.assign(series=name) for name, t in found.items()])
    data = shares.rename(columns={"bid": "x", "share": "mean"})
    plots.curve(
        data,
        axes[2],
        xlabel="winning bid",
        ylabel="share of the deals",
        percent=True,
        title="Winning bids at these thresholds",
    )
    axes[2].set_xticks([1, 2, 3])
    chips, mcneely = found["chips"], found["McNeely"]

    def shown(t: sl.big_three.Thresholds) -> str:
        return " and ".join(f"{b} {'never' if x > 1 else f'from {x:.2f} on'}" for b, x in ((2, t.two), (3, t.three)))

    worst = max(found.values(), key=lambda t: t.gain.mean).gain
    # The best answer to thresholds that answer themselves is they: no difference at all, and no interval.
    none = chips.gain.lo == chips.gain.hi == 0
    gain = "the search found no other pair of thresholds that gains" if none else "no other pair of thresholds gains"
    gain += " against them" if none else f" more than {say(chips.gain, 'chips')} against them"
    sentences = [
        f"For chips the thresholds that hold up are: {shown(chips)}; by McNeely's scoring, where defenders "
        f"win nothing: {shown(mcneely)}.",
        f"On fresh deals {gain} (worst of all variants: {say(worst)}), and a threshold of its own for every situation"
        f" gains {say(chips.free_gain, 'chips')}.",
        "In the other variants: "
        + "; ".join(f"{n}: {shown(found[n])}" for n in GAMES if n not in ("chips", "McNeely"))
        + ".",
    ]
    return Study(pd.DataFrame(rows), axes[0], sentences, findings)


def _row(game: str, what: str, e: Estimate) -> dict[str, object]:
    return {"game": game, "what": what, "estimate": e.mean, "lo": e.lo, "hi": e.hi, "deals": e.n_deals}


if __name__ == "__main__":
    run(EXPERIMENT, study)
