"""The report of a comparison."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from simlib import plots
from simlib._version import __version__
from simlib.report.page import Section, render
from simlib.report.tables import Rows, difference_rows
from simlib.report.words import and_list, count_text, level_text, rules_text, seatings_text, software_text, text_of

if TYPE_CHECKING:
    from simlib.analysis.comparison import Comparison


def comparison_page(comparison: Comparison) -> str:
    """Return the report of a comparison as HTML."""
    title = f"{comparison.game.title} {and_list(comparison.variants)} instead of {comparison.baseline}"
    sections = [_differences(comparison), _seats(comparison), _details(comparison), _how(comparison)]
    foot = f"simlib {__version__}; {comparison.manifest['created']}"
    return render(title, lead(comparison), [s for s in sections if s is not None], foot)


def lead(comparison: Comparison) -> list[str]:
    """Say in plain words what the comparison shows."""
    m = comparison.manifest
    others = and_list(list(dict.fromkeys(o["policy"] for o in m["opponents"]))) if m["opponents"] else "nobody else"
    out = [
        f"On the same {count_text(comparison.deals, 'deal')} of {comparison.game.title}, in the same seats "
        f"against {others}, {comparison.baseline} was replaced by {and_list(comparison.variants)}."
    ]
    p_values = comparison.p_values()
    error = 1 - comparison.stopping.level
    for name, p in zip(comparison.variants, p_values, strict=True):
        out.append(_sentence(comparison, name, p < error))
    if m["stopping"].get("until") is not None or comparison.stopping.sequential:
        out.append(
            "Whether to stop was decided by a test that may be looked at all the time, so that its intervals hold."
        )
    return out


def _sentence(comparison: Comparison, name: str, clear: bool) -> str:
    """One variant in a sentence."""
    score, win = comparison.estimate(name, "score"), comparison.estimate(name, "win_share")
    unit, per = comparison.game.score_unit, level_text(comparison.stopping.level)
    if score.mean == 0 and score.lo == score.hi == 0 and win.lo == win.hi == 0:
        return f"{name} makes no difference: the results are the same in every deal."
    if comparison.deals == 1:
        return f"{name}: a single deal tells nothing."
    wins = f"its win rate changes by {text_of(win, share=True, sign=True)} percentage points"
    if not clear:
        return (
            f"Whether {name} is better or worse cannot be told: the difference is "
            f"{text_of(score, sign=True)} {unit} a game ({per} interval); {wins}."
        )
    how = "better" if score.mean > 0 else "worse"
    return f"{name} is {how}: {text_of(score, sign=True)} {unit} a game ({per} interval); {wins}."


def detail_tables(comparison: Comparison) -> list[tuple[str, Rows]]:
    """Return the tables besides the main one: by seat, and of the game's own numbers."""
    per = level_text(comparison.stopping.level)
    seats = [
        {
            "variant": name,
            "seat": str(seat),
            f"{comparison.game.score_unit} more": text_of(comparison.estimate(name, "score", seat), sign=True),
            "percentage points of wins more": text_of(
                comparison.estimate(name, "win_share", seat), share=True, sign=True
            ),
        }
        for name in comparison.variants
        for seat in comparison.seats
    ]
    own = [f for f in comparison.fields if f not in ("score", "win_share")]
    details = [
        {
            "what": comparison.game.columns[field].doc,
            **{name: text_of(comparison.estimate(name, field), sign=True) for name in comparison.variants},
        }
        for field in own
    ]
    out = [(f"Differences by seat [{per}]", seats)] if len(comparison.seats) > 1 else []
    return [*out, *([(f"What else changes, by game and seat [{per}]", details)] if details else [])]


def _differences(comparison: Comparison) -> Section:
    per = level_text(comparison.stopping.level)
    section = Section("Differences")
    for field, what in (("score", "mean score"), ("win_share", "win rate")):
        section.add_figure(
            plots.forest(comparison, field=field),
            f"Difference in {what} from {comparison.baseline}, with {per} intervals; a hollow dot may be none.",
        )
    return section.add_table(difference_rows(comparison))


def _seats(comparison: Comparison) -> Section | None:
    if len(comparison.seats) < 2:
        return None
    section = Section("By seat")
    section.add_figure(plots.ComparisonPlots(comparison).by_seat(), "Difference in mean score by seat of the player.")
    caption, rows = detail_tables(comparison)[0]
    return section.add_table(rows, caption)


def _details(comparison: Comparison) -> Section | None:
    found = [t for t in detail_tables(comparison) if t[0].startswith("What else")]
    if not found:
        return None
    caption, rows = found[0]
    return Section("What else changes").add_table(rows, caption)


def _how(comparison: Comparison) -> Section:
    """How it was computed: design, stopping, policies, versions, seed."""
    text = [
        "Baseline and variants play the same seats of the same deals, so that the luck of the deal cancels in each "
        "difference. The deal is the unit of every standard error; p is adjusted for the number of variants (Holm). "
        "“Pairing saves” says how many times more games would be needed without common deals.",
    ]
    m: dict[str, Any] = comparison.manifest
    rows = {
        "game": m["game"],
        "deals": f"{comparison.deals:,}" + ("" if m.get("complete", True) else " (interrupted)"),
        "baseline": _policy(m["baseline"]),
        **{f"variant {v['name']}": _variant(v, m["baseline"]) for v in m["variants"]},
        "opponents": _opponents(m["opponents"]),
        "seatings": seatings_text(m["orders"]),
        "stopping": rules_text({k: v for k, v in m["stopping"].items() if v is not None}),
        "seed": str(m["seed"]),
        "rules": rules_text(m["baseline"]["rules"]),
        "software": software_text(m),
    }
    if m.get("covariates"):
        rows["covariates"] = ", ".join(m["covariates"]["features"])
    section = Section("How it was computed", text)
    return section.add_table([{"entry": k, "value": v} for k, v in rows.items()])


def _policy(entry: dict[str, Any]) -> str:
    return f"{entry['policy']} (code {entry['digest']})"


def _opponents(entries: list[dict[str, Any]]) -> str:
    seen = Counter(map(_policy, entries))
    return "; ".join(f"{n} × {text}" if n > 1 else text for text, n in seen.items()) or "none"


def _variant(entry: dict[str, Any], baseline: dict[str, Any]) -> str:
    changed = {k: v for k, v in entry["rules"].items() if baseline["rules"].get(k) != v}
    return _policy(entry) + (f"; rules {rules_text(changed)}" if changed else "")
