"""What tying the stock to the seats (`aligned_stock`) brings in paired comparisons of Three-Thirteen."""

from __future__ import annotations

import numpy as np

from experiments._frame import Experiment, Study, run, say
from experiments._thirteen import by_deal, panels, table_of
from simlib.plots import style
from simlib.stats.intervals import Estimate, paired_difference

EXPERIMENT = Experiment(
    name="thirteen_aligned",
    question="How many deals does a paired comparison save when each seat draws from its own part of the stock?",
    hypothesis="The more alike two ways of playing are, the more: their games stay aligned after they part.",
    design=(
        "Paired differences by deal, all four seats, with `aligned_stock` and without, on the same deals: the ratio of"
        " their variances is the factor in deals saved (percentile interval of 2,000 bootstrap samples of deals); and"
        " the difference itself, which the option must not change."
    ),
    claim="three_thirteen, assumption aligned_stock",
    deals=5_000,
    quick_deals=15,
)
PAIRS = {
    "tips: goes out at once or waits": ("tips", "tips:go_out=0", None),
    "tips: spares the next player or not": ("tips", "tips:safe=0", None),
    "tips: holds wild cards or not": ("tips", "tips:hold_wilds=0", None),
    "tips: highest card first or not": ("tips", "tips:highest=0", None),
    "tips or greedy, among greedy": ("greedy", "tips", "greedy"),
}
SAMPLES = 2_000


def factor(plain: np.ndarray, aligned: np.ndarray, seed: int) -> Estimate:
    """Return how many times as large the variance of `plain` is as that of `aligned`."""
    rng = np.random.default_rng(seed)
    n = len(plain)
    chosen = rng.integers(n, size=(SAMPLES, n))
    ratios = plain[chosen].var(axis=1) / np.maximum(aligned[chosen].var(axis=1), 1e-12)
    lo, hi = np.quantile(ratios, (0.025, 0.975))
    mean = float(plain.var() / max(aligned.var(), 1e-12))
    return Estimate(
        mean, float(ratios.std()), min(float(lo), mean), max(float(hi), mean), n, 16 * n, method="bootstrap"
    )


def study(deals: int, seed: int) -> Study:
    """Play, and return what was found."""
    factors, changed = {}, {}
    for name, (baseline, variant, others) in PAIRS.items():
        aligned, plain = (
            by_deal(baseline, variant, deals, seed, {"aligned_stock": on}, others) for on in (True, False)
        )
        factors[name] = factor(plain, aligned, seed)
        changed[name] = paired_difference(aligned, plain)
    ax = panels(1, 7.5, 3.4)
    e = list(factors.values())
    with style.style():
        style.dots(ax, [v.mean for v in e], [v.lo for v in e], [v.hi for v in e])
        style.label_rows(ax, list(factors))
        style.title(ax, "Deals that a paired comparison needs without tying the stock to the seats")
    ax.axvline(1, color=style.GREY, linewidth=1)
    ax.set_xlabel("times as many as with it")
    most, least = max(factors, key=lambda k: factors[k].mean), min(factors, key=lambda k: factors[k].mean)
    off = sum(v.excludes(0) for v in changed.values())
    sentences = [
        (
            f"Without the option a paired comparison needs {say(factors[most])} times as many deals at most"
            f" ({most}) and {say(factors[least])} times as many at least ({least})."
        ),
        (
            f"The differences themselves stay what they were: of {len(changed)} of them {off} change beyond doubt, as"
            " they must not, for every card drawn is equally likely either way."
        ),
        (
            f"Of {len(e)} ratios {sum(v.lo > 1 for v in e)} lie beyond doubt above 1 and"
            f" {sum(v.hi < 1 for v in e)} below: where the interval holds 1 the option saves nothing that these deals"
            " can show."
        ),
    ]
    findings = [(f"{n}: variance ratio", v, "") for n, v in factors.items()]
    findings += [(f"{n}: change of the difference", v, "points") for n, v in changed.items()]
    return Study(table_of(findings), ax, sentences, findings)


if __name__ == "__main__":
    run(EXPERIMENT, study)
