"""How much the conclusions on Three-Thirteen depend on its options and on what its rule text assumes."""

from __future__ import annotations

from typing import Any

import simlib as sl
from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import forest, gains, of_part, panels, rows, share_of, table_of
from simlib.stats.intervals import Estimate, mean_interval

EXPERIMENT = Experiment(
    name="thirteen_assumptions",
    question="Which options and assumptions of the rule text do the conclusions depend on?",
    hypothesis="Totals move a lot with them; who plays better, and what the advice is worth, keep their sign.",
    design=(
        "Each option away from its default, one at a time, on the same deals: change of the totals and of the turns of"
        " four `greedy`; lead of `tips` over `greedy`, and games that `potential` wins by going out, in all seats."
        " Options that make melding slow with fewer deals (as the table says)."
    ),
    claim=(
        "three_thirteen, assumptions wild_penalty, max_turns, may_return_discard, aces, max_wilds_per_meld, jokers,"
        " joker_penalty, lay_off, contract, double_last_round, schedule, decks"
    ),
    deals=80,
    quick_deals=4,
)
OPTIONS: dict[str, dict[str, Any]] = {
    "wild_penalty=0": {"wild_penalty": 0},
    "max_turns=10": {"max_turns": 10},
    "may_return_discard=False": {"may_return_discard": False},
    "jokers=2": {"jokers": 2},
    "jokers=2, joker_penalty=25": {"jokers": 2, "joker_penalty": 25},
    "double_last_round": {"double_last_round": True},
    "schedule=six_fourteen": {"schedule": "six_fourteen"},
    "schedule=short": {"schedule": "short"},
    "decks=3": {"decks": 3},
    "lay_off": {"lay_off": True},
    "aces=high_low": {"aces": "high_low"},
    "aces=wrap": {"aces": "wrap"},
    "max_wilds_per_meld=1": {"max_wilds_per_meld": 1},
    "contract=default": {"contract": "default"},
}


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    totals: dict[str, Estimate] = {}
    turns: dict[str, Estimate] = {}
    skill: dict[str, Estimate] = {}
    out: dict[str, Estimate] = {}
    for name, options in ({"default": {}} | OPTIONS).items():
        n = share_of(deals, options)
        if options:
            effects = sl.three_thirteen.rule_effects("greedy", n, seed, variants={name: options})
            totals[name] = of_part(effects, "penalty")[name]
            turns[name] = of_part(effects, "turns")[name]
        skill[name] = gains("greedy", {"tips": "tips"}, n, seed, rules=options)["tips"]
        out[name] = -gains("potential", {"waits": {"wait": 1}}, n // 2 + 1, seed, rules=options, field="win_share")[
            "waits"
        ]
    stalled = {
        f"stalled rounds, {p}, max_turns={m}": mean_interval(
            rows([p] * 4, 4 * deals, seed, {"max_turns": m})["stalled"][:, 0].mean(axis=1)
        )
        for p, m in (("greedy", 100), ("greedy", 10))
    }
    axes = panels(3, 15, 6.2, sharey=False)
    forest(axes[0], totals, "Four greedy: change of a total")
    forest(axes[1], skill, "tips against three greedy")
    forest(axes[2], out, "Going out or never: games won", "%")
    most = sorted(totals, key=lambda n: -abs(totals[n].mean))[:2]
    lost = [n for n in skill if skill[n].lo <= 0]
    unclear = [n for n in out if out[n].lo <= 0]
    sentences = [
        (
            f"The total of a greedy seat changes most with {most[0]} ({say(totals[most[0]], 'points')}) and {most[1]}"
            f" ({say(totals[most[1]], 'points')}); a wild card that costs nothing in hand changes it by"
            f" {say(totals['wild_penalty=0'], 'points')}."
        ),
        (
            f"`tips` saves {say(skill['default'], 'points')} against greedy players under the default, and more than"
            f" nothing under {len(skill) - len(lost)} of {len(skill)} rules (not told from 0:"
            f" {', '.join(lost) or 'no rule'}); going out wins {say(out['default'], percent=True)} more"
            f" games than never doing so (not told from 0: {', '.join(unclear) or 'no rule'})."
        ),
        (
            f"The limit of 100 turns is met in"
            f" {say(stalled['stalled rounds, greedy, max_turns=100'], percent=True)} of the rounds of four greedy"
            f" players, one of 10 in {say(stalled['stalled rounds, greedy, max_turns=10'], percent=True)}: the"
            " assumption hardly matters."
        ),
    ]
    findings = [(f"{n}: change of a seat's total", e, "points") for n, e in totals.items()]
    findings += [(f"{n}: change of the turns of a game", e, "turns") for n, e in turns.items()]
    findings += [(f"{n}: `tips` against `greedy`", e, "points saved") for n, e in skill.items()]
    findings += [(f"{n}: going out or never, games won", e, "") for n, e in out.items()]
    findings += [(n, e, "") for n, e in stalled.items()]
    return Study(table_of(findings), axes[0], sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
