"""Numbers as people write them, and a manifest as a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simlib.stats.intervals import Estimate


def digits_of(half_width: float) -> int:
    """Decimals that show two digits of a half-width, at most six."""
    if not math.isfinite(half_width) or half_width <= 0:
        return 1
    return min(6, max(0, 1 - math.floor(math.log10(half_width))))


def interval_text(mean: float, lo: float, hi: float, unit: str = "", *, sign: bool = False) -> str:
    """Return ``mean [lo, hi]``, rounded to two digits of the half-width; `sign` writes a plus, too."""
    d, plus = digits_of((hi - lo) / 2), "+" if sign else ""
    mean, lo, hi = (round(x, d) + 0.0 if math.isfinite(x) else x for x in (mean, lo, hi))  # no minus before a zero
    if not (math.isfinite(lo) and math.isfinite(hi)):
        return f"{mean:{plus}.{d}f}{unit} (no interval)"
    return f"{mean:{plus}.{d}f}{unit} [{lo:{plus}.{d}f}, {hi:{plus}.{d}f}]"


def share_interval_text(mean: float, lo: float, hi: float) -> str:
    """Return a share with its interval, cut to 0…1, in per cent."""
    if not (math.isfinite(lo) and math.isfinite(hi)):
        return interval_text(100 * mean, lo, hi, " %")
    if lo == hi:  # no spread to compute an interval from, which does not make the share certain
        return f"{100 * mean:.1f} % (every deal)"
    return interval_text(100 * mean, 100 * max(0, lo), 100 * min(1, hi), " %")


def and_list(words: list[str]) -> str:
    """Return ``a, b and c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def count_text(n: int, noun: str) -> str:
    """Return ``1 deal``, ``2,000 deals``."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def text_of(e: Estimate | None, *, share: bool = False, sign: bool = False) -> str:
    """Return an estimate with its interval; a dash for something that never happened.

    A share is in per cent, a difference of shares (`sign`) in percentage points, without a unit.
    """
    if e is None:
        return "–"
    if share and not sign:
        return share_interval_text(e.mean, e.lo, e.hi)
    scale = 100 if share else 1
    return interval_text(scale * e.mean, scale * e.lo, scale * e.hi, sign=sign)


def share_text(row: Any) -> str:
    """Return the win rate of a summary row in per cent."""
    return share_interval_text(row.win_rate, row.win_lo, row.win_hi)


def estimate_text(row: Any, field: str) -> str:
    """Return a field of a summary row with its interval."""
    return interval_text(getattr(row, field), getattr(row, f"{field}_lo"), getattr(row, f"{field}_hi"))


def p_text(p: float) -> str:
    """Return a p-value with two digits."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def level_text(level: float) -> str:
    """Return a level as ``95 %``."""
    return f"{100 * level:.6g} %"


def manifest_rows(manifest: dict[str, Any]) -> list[dict[str, str]]:
    """Return the manifest of a run as rows of a table: what was played, by what, from which seed."""
    rows = {
        "game": manifest["game"],
        "deals": f"{manifest['deals']:,} from number {manifest['first_deal']}",
        "seatings": seatings_text(manifest["seatings"]),
        "seed": str(manifest["seed"]),
    }
    for i, policy in enumerate(manifest["policies"]):
        values = ", ".join(
            f"{k}={v:g}" if isinstance(v, float) else f"{k}=[{v}]" for k, v in policy["parameters"].items()
        )
        rows[f"policy {i}"] = f"{policy['text']} (code {policy['digest']}{'; ' + values if values else ''})"
    rows["rules"] = rules_text(manifest["rules"])
    rows["software"] = software_text(manifest)
    return [{"entry": k, "value": v} for k, v in rows.items()]


def seatings_text(seatings: list[list[int]]) -> str:
    """Return how many seatings there are, and the first ones."""
    more = "; …" if len(seatings) > 8 else ""
    return f"{len(seatings)}: " + "; ".join(" ".join(map(str, s)) for s in seatings[:8]) + more


def rules_text(rules: dict[str, Any]) -> str:
    """Return every rule option and its value."""
    return ", ".join(f"{k}={_plain(v)}" for k, v in rules.items())


def software_text(manifest: dict[str, Any]) -> str:
    """Return the versions that played."""
    environment = ", ".join(f"{k} {v}" for k, v in manifest["environment"].items())
    return f"simlib {manifest['simlib']}, code {manifest['code']}, {environment}"


def _plain(value: Any) -> str:
    return "(" + ", ".join(map(str, value)) + ")" if isinstance(value, list) else str(value)
